"""Which values are typed as real and may be complex as the text runs, and who asks for their parts.

(e ** 0.5).imag                    a negative float of Python's to a fractional power is complex
y = scipy.linalg.sqrtm(A)
np.angle(2.0 * y)                  so is the root of a matrix with negative eigenvalues
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, calls, is_own_call, keywords, positional, root_of
from s2sad.ir.program import Program, Return, Store
from s2sad.ir.types import Number, Numeric
from s2sad.ir.walk import bound, closed, expressions, nodes, nodes_in, read_variables, statements
from s2sad.operators.guards import is_real
from s2sad.operators.slopes import is_nowhere_negative
from s2sad.types.allowed import REAL_OR_REFUSED

# a variable with the function that it is of, or a function for what it returns
Holders = frozenset[Any]


def parts_of_what_may_be_complex(program: Program) -> Iterator[Expr]:
    """Yield the imaginary parts and angles that are asked of such values: a rule has 0 for them."""
    found: Holders | None = None
    for key, function in program.functions.items():
        for node in nodes_in(function.body):
            operand = _asked_for_a_part(node)
            if operand is None or not is_real(operand.type):
                continue
            if found is None:
                found = closed(frozenset(), lambda known: _given(program, known))
            if _may_be_complex(operand, key, found):
                yield node


def _asked_for_a_part(node: Expr) -> Expr | None:
    """Return the value whose imaginary part or angle is asked for."""
    if node.op == "attribute" and node.data == "imag":
        return node.args[0]
    is_part = node.op == "call" and any(calls(node, each) for each in (np.imag, np.angle))
    return next(iter(positional(node)), None) if is_part else None


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
    for call in nodes(expr):
        if not is_own_call(call) or call.args[0].data not in program.functions:
            continue
        parameters = program.functions[call.args[0].data].parameters
        given = [*zip((p.variable.name for p in parameters), positional(call), strict=False)]
        for name, arg in (*given, *keywords(call).items()):
            if _may_be_complex(arg, key, known):
                yield from (
                    (call.args[0].data, p.variable) for p in parameters if str(p.variable) == name
                )


def _may_be_complex(expr: Expr, key: Any, known: Holders) -> bool:
    return any(
        _is_source(node)
        or (node.op == "name" and (key, node.data) in known)
        or (is_own_call(node) and node.args[0].data in known)
        for node in nodes(expr)
    )


def _is_source(node: Expr) -> bool:
    """Tell whether an operation gives complex values of some real ones, though it is typed as real."""
    if node.op == "call" and node.args[0].op == "global":
        name = getattr(node.args[0].data.value, "__name__", "")
        if name in REAL_OR_REFUSED:
            return is_real(node.type)
    is_power = (node.op == "binary" and node.data == "**") or calls(node, pow)
    is_number = isinstance(node.type, Number | Numeric) and not getattr(node.type, "boxed", False)
    if not is_power or not is_number:
        return False
    base, exponent = node.args[-2:]
    is_fraction = isinstance(exponent.type, Number | Numeric) and exponent.type.dtype[0] == "f"
    return is_fraction and bool(read_variables(base)) and not is_nowhere_negative(base)
