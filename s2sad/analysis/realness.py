"""Which values are typed as real and may be complex as the text runs, and who asks for their parts.

(e ** 0.5).imag                    a negative float of Python's to a fractional power is complex
y = scipy.linalg.sqrtm(A)
np.angle(2.0 * y)                  so is the root of a matrix with negative eigenvalues
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from s2sad.ir.expression import (
    Expr,
    call,
    called_object,
    calls,
    global_,
    is_own_call,
    keywords,
    positional,
    root_of,
)
from s2sad.ir.program import Program, Return, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Number, Numeric
from s2sad.ir.walk import (
    bound,
    closed,
    expressions,
    nodes,
    nodes_in,
    read_variables,
    rewritten,
    statements,
    with_expressions,
)
from s2sad.operators import printed
from s2sad.operators.guards import is_real
from s2sad.operators.slopes import is_nowhere_negative
from s2sad.operators.table import calls_one, words

METHODS = frozenset({"conj", "conjugate"})
# a variable with the function that it is of, or a function for what it returns
Holders = frozenset[Any]


def parts_of_what_may_be_complex(program: Program) -> Iterator[Expr]:
    """Yield the imaginary parts and angles that are asked of such values: a rule has 0 for them."""
    found: Holders | None = None
    for key, function in program.functions.items():
        every = (e for each in statements(function.body) for e in expressions(each))
        for node in (n for expr in every for n in _untested(expr)):
            operand = _asked_for_a_part(node)
            if operand is None or not is_real(operand.type):
                continue
            if found is None:
                found = closed(frozenset(), lambda known: _given(program, known))
            if _may_be_complex(operand, key, found):
                yield node


def _untested(expr: Expr) -> Iterator[Expr]:
    """Yield the nodes of an expression that are not compared: what tests give has no derivative."""
    if expr.op != "compare":
        yield expr
        for arg in expr.args:
            yield from _untested(arg)


def _asked_for_a_part(node: Expr) -> Expr | None:
    """Return the value whose imaginary part or angle is asked for."""
    if node.op == "attribute" and node.data == "imag":
        return node.args[0]
    is_part = calls_one(node, "imaginary")
    return next(iter(positional(node)), None) if is_part else None


def with_real_operands(program: Program) -> Program:
    """Return a program in which what has another derivative of complex numbers is asked of real ones.

    abs(x**0.5)      abs(_of_real(x**0.5, x**0.5)), which raises an error where x is negative
    """
    if not any(_operands(n) for n in nodes_in(program.body)):
        return program
    found = closed(frozenset(), lambda known: _given(program, known))

    def change(key: Any, statement: Statement) -> Statement:
        return with_expressions(statement, lambda expr: _of_real(expr, key, found))

    return replace(
        program,
        functions={
            key: replace(function, body=rewritten(function.body, partial(change, key)))
            for key, function in program.functions.items()
        },
    )


def _operands(node: Expr) -> tuple[Expr, ...]:
    """Return what an operation takes that has another derivative where it is complex."""
    if node.op == "attribute" and node.data == "real":
        return node.args
    if node.op != "call":
        return ()
    if node.args[0].op == "attribute" and node.args[0].data in METHODS:
        return node.args[0].args
    return positional(node) if calls_one(node, "differs_complex") else ()


def _of_real(expr: Expr, key: Any, known: Holders) -> Expr:
    """Return an expression with a test of what may be complex where that would matter."""
    if expr.op == "compare":
        return expr
    asked = _operands(expr)
    inner = expr.with_args(_of_real(arg, key, known) for arg in expr.args)
    tested = [_tested(operand, key, known) for operand in asked]
    if all(new is old for new, old in zip(tested, asked, strict=True)):
        return inner
    if expr.op == "attribute" or expr.args[0].op == "attribute":  # of a real number it is that
        return tested[0]
    return inner.with_args((inner.args[0], *tested, *inner.args[1 + len(tested) :]))


def _tested(operand: Expr, key: Any, known: Holders) -> Expr:
    if operand.op in ("list", "tuple"):
        return operand.with_args(_tested(item, key, known) for item in operand.args)
    if not is_real(operand.type) or not _may_be_complex(operand, key, known):
        return operand
    inner = _of_real(operand, key, known)
    test = global_("_of_real", printed.function("_of_real"))
    return call(test, inner, inner, type_=operand.type)


def _given(program: Program, known: Holders) -> Iterator[Any]:
    """Yield what is given such a value, where `known` hold one."""
    for key, function in program.functions.items():
        for statement in statements(function.body):
            for expr in expressions(statement):
                yield from _handed_over(program, expr, key, known)
            if any(_may_be_complex(expr, key, known) for expr in expressions(statement)):
                base = root_of(statement.target) if isinstance(statement, Store) else None
                yield from ((key, v) for v in (*bound(statement), *([base] if base else ())))
                if isinstance(statement, Return):
                    yield key


def _handed_over(program: Program, expr: Expr, key: Any, known: Holders) -> Iterator[Any]:
    for node in nodes(expr):
        if not is_own_call(node) or node.args[0].data not in program.functions:
            continue
        parameters = program.functions[node.args[0].data].parameters
        given = [*zip((p.variable.name for p in parameters), positional(node), strict=False)]
        for name, arg in (*given, *keywords(node).items()):
            if _may_be_complex(arg, key, known):
                yield from (
                    (node.args[0].data, p.variable) for p in parameters if str(p.variable) == name
                )


def _may_be_complex(expr: Expr, key: Any, known: Holders) -> bool:
    if _is_source(expr) or (expr.op == "name" and (key, expr.data) in known):
        return True
    if is_own_call(expr) and expr.args[0].data in known:
        return True
    is_real_anyway = expr.op == "compare" or calls_one(expr, "real_result")
    return not is_real_anyway and any(_may_be_complex(arg, key, known) for arg in expr.args)


def _is_source(node: Expr) -> bool:
    """Tell whether an operation gives complex values of some real ones, though it is typed as real."""
    if getattr(called_object(node), "__name__", "") in words("real_or_refused"):
        return is_real(node.type)
    is_power = (node.op == "binary" and node.data == "**") or calls(node, pow)
    is_number = isinstance(node.type, Number | Numeric) and not getattr(node.type, "boxed", False)
    if not is_power or not is_number:
        return False
    base, exponent = node.args[-2:]
    is_fraction = isinstance(exponent.type, Number | Numeric) and exponent.type.dtype[0] == "f"
    return is_fraction and bool(read_variables(base)) and not is_nowhere_negative(base)
