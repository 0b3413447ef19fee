"""Which values are typed as real and may be complex as the text runs, and who asks for their parts.

(e ** 0.5).imag                    a negative float of Python's to a fractional power is complex
y = scipy.linalg.sqrtm(A)
np.angle(2.0 * y)                  so is the root of a matrix with negative eigenvalues

Imaginary parts that are written in place: what is stored there is stored to the whole numbers.

y = z.imag
y[1:] += c              z[1:] += 1j * c
y *= c                  z[...] = z.real + 1j * (z.imag * c)

The adjoint of z is dL/dRe z - i dL/dIm z, so that no view of it is the adjoint of z.imag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from s2sad.analysis.comprehensions import held_in, named_values
from s2sad.analysis.containers import is_container
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import stored_base
from s2sad.analysis.writes import EVERYTHING
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Variable,
    attribute,
    call,
    called_object,
    calls,
    constant,
    global_,
    is_own_call,
    keywords,
    positional,
    root_of,
    subscript,
)
from s2sad.ir.program import Function, Let, Program, Return, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import (
    bound,
    closed,
    expressions,
    nodes,
    nodes_in,
    read_in,
    read_variables,
    rebuilt,
    rewritten,
    statements,
    with_expressions,
)
from s2sad.operators import printed
from s2sad.operators.guards import is_complex, is_real
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
    every = [each for f in program.functions.values() for each in statements(f.body)]
    is_stored = any(isinstance(each, Store) and is_complex(each.target) for each in every)
    if not is_stored and not any(_operands(n) for n in nodes_in(program.body)):
        return program
    found = closed(frozenset(), lambda known: _given(program, known))

    def change(key: Any, statement: Statement) -> Statement:
        made = with_expressions(statement, lambda expr: _of_real(expr, key, found))
        if isinstance(made, Store) and isinstance(statement, Store) and is_complex(made.target):
            return replace(made, value=_tested(statement.value, key, found))
        return made

    return replace(
        program,
        functions={
            key: replace(function, body=rewritten(function.body, partial(change, key)))
            for key, function in program.functions.items()
        },
    )


def _operands(node: Expr) -> tuple[Expr, ...]:
    """Return what an operation takes that has another derivative where it is complex.

    Of an operation that gives complex numbers a real operand has the real part of the adjoint.
    """
    if node.op == "attribute" and node.data == "real":
        return node.args
    if node.op == "binary" and is_complex(node):
        return node.args
    if node.op != "call" or is_own_call(node):
        return ()
    if is_complex(node) and node.args[0].op != "attribute":
        return positional(node)
    if node.args[0].op == "attribute" and node.args[0].data in METHODS:
        return node.args[0].args
    return positional(node) if calls_one(node, "differs_complex") else ()


def _of_real(expr: Expr, key: Any, known: Holders) -> Expr:
    """Return an expression with a test of what may be complex where that would matter."""
    if expr.op == "compare":
        return expr
    operands = _operands(expr)
    of_method = (
        expr.op == "call" and expr.args[0].op == "attribute" and operands == expr.args[0].args
    )
    if operands and (expr.op == "attribute" or of_method):  # of a real number it is that
        tested = _tested(operands[0], key, known)
        if _is_test(tested):
            return tested
    return expr.with_args(
        _tested(arg, key, known) if arg in operands else _of_real(arg, key, known)
        for arg in expr.args
    )


def _tested(operand: Expr, key: Any, known: Holders) -> Expr:
    """Return an operand with a test of its own where it may be complex, and of what is in it."""
    if operand.op in ("list", "tuple"):
        return operand.with_args(_tested(item, key, known) for item in operand.args)
    inner = _of_real(operand, key, known)
    if not is_real(operand.type) or not _may_be_complex(operand, key, known):
        return inner
    return call(TEST, inner, inner, type_=operand.type)


def _is_test(expr: Expr) -> bool:
    return expr.op == "call" and expr.args[0] == TEST


TEST = global_("_of_real", printed.function("_of_real"))


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
    is_source, names, functions = expr.fact("what may be complex", _from)
    return is_source or not known.isdisjoint(functions) or any((key, v) in known for v in names)


def _from(expr: Expr) -> tuple[bool, frozenset[Any], frozenset[Any]]:
    """Tell whether a value is complex of some real ones; return the names and functions that may make it so."""
    if _is_source(expr):
        return True, frozenset(), frozenset()
    if expr.op == "compare" or calls_one(expr, "real_result"):
        return False, frozenset(), frozenset()
    is_source = False
    names = frozenset({expr.data} if expr.op == "name" else ())
    functions = frozenset({expr.args[0].data} if is_own_call(expr) else ())
    for arg in expr.args:
        part = arg.fact("what may be complex", _from)
        is_source, names, functions = is_source | part[0], names | part[1], functions | part[2]
    return is_source, names, functions


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


# ---------------------------------------------------------------------------- stores to imaginary parts

Infer = Callable[[Expr], Expr]
UNIT = constant(1j, Number("complex128"))


def with_imaginary_stores(
    function: Function, views: Mapping[Variable, Expr], infer: Infer
) -> Function:
    """Return a function without stores to imaginary parts, nor the names of some views of these."""

    def change(statement: Statement) -> Statement | tuple[Statement, ...]:
        if isinstance(statement, Let) and statement.target in views:
            return ()
        if not isinstance(statement, Store):
            return with_expressions(statement, lambda expr: _opened(expr, views))
        target = _opened(statement.target, views)
        if _is_part(target, "real"):  # z.real = e
            target = infer(subscript(target, EVERYTHING))
        made = replace(statement, target=target, value=_opened(statement.value, views))
        return made if whole_numbers(target) is None else _stored(made, infer)

    targets = [s.target for s in statements(function.body) if isinstance(s, Store)]
    if not views and not any(_is_part(t, "real") or whole_numbers(t) for t in targets):
        return function
    return replace(function, body=rewritten(function.body, change))


def _opened(expr: Expr, views: Mapping[Variable, Expr]) -> Expr:
    """Return an expression with what names stand for in their place."""
    if expr.op == "name":
        return views.get(expr.data, expr)
    return expr.with_args(_opened(arg, views) for arg in expr.args)


def whole_numbers(place: Expr) -> Expr | None:
    """Return the numbers of which a place is the imaginary parts; None of another place."""
    if _is_part(place, "imag"):
        return place.args[0]
    if calls(place, np.imag):
        return place.args[1]
    if place.op not in ("subscript", "attribute"):
        return None
    inner = whole_numbers(place.args[0])
    return None if inner is None else place.with_args((inner, *place.args[1:]))


def _is_part(place: Expr, word: str) -> bool:
    """Tell whether a place is the real or the imaginary parts of an array, and no field of an object."""
    is_attribute = place.op == "attribute" and place.data == word
    return is_attribute and not is_container(place.args[0].type)


def imaginary_views(function: Function, memory: Memory) -> dict[Variable, Expr]:
    """Return what names stand for that are bound once, to imaginary parts of what is written."""
    found: dict[Variable, Expr] = {}
    every = tuple(statements(function.body))
    calls_write = [s for s in every if not isinstance(s, Store) and memory.written_by(s)]
    handed = {v for s in calls_write for v in read_in(s)}
    for let in every:
        if not isinstance(let, Let) or not isinstance(let.target, Variable):
            continue
        value, is_memory = _opened(let.value, found), memory.is_memory(let.target)
        is_view = isinstance(value.type, Array) and value.type.rank > 0
        if is_view and is_memory and whole_numbers(value) is not None:
            if not memory.is_hard(let.target) and let.target not in handed:
                found[let.target] = value
    return found


def _stored(store: Store, infer: Infer) -> Store:
    """Return a store to imaginary parts as one to the numbers themselves."""
    place = whole_numbers(store.target)
    assert place is not None
    value = store.value
    if store.op not in ("=", "+", "-"):
        value = Expr("binary", (attribute(place, "imag"), value), store.op)
    value, op = Expr("binary", (UNIT, value), "*"), store.op
    if op not in ("+", "-"):
        value, op = Expr("binary", (attribute(place, "real"), value), "+"), "="
        place = subscript(place, EVERYTHING) if place.op == "name" else place
    return replace(store, target=rebuilt(place, infer), op=op, value=rebuilt(value, infer))


def refuse_imaginary_views(function: Function, memory: Memory) -> None:
    """Refuse other names for imaginary parts of what is written, and functions that are handed them."""
    for statement in statements(function.body):
        into_array = isinstance(statement, Store) and not is_container(stored_base(statement).type)
        if into_array or isinstance(statement, Return):  # it is read
            continue
        for value in named_values(statement):
            handed = (n for n in nodes(value) if is_own_call(n))
            for part in (*held_in(value), *(arg for each in handed for arg in each.args[1:])):
                is_view = whole_numbers(part) is not None and not isinstance(part.type, Number)
                if is_view and memory.sites(part) & memory.written:
                    raise NotYet("a view of imaginary parts that are written", part.span)
