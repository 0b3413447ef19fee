"""Where values are held: by the device, or by the host, as the numbers of Python's are.

np.sum(u)          the device       u.shape[0]      the host
s = 0.0; s += u[i] perhaps the device: a number at first
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir.expression import Expr, Pattern, Variable, text_of_call
from s2sad.ir.program import For, Function, Let, Statement
from s2sad.ir.types import Array, Number, Numeric, Tuple
from s2sad.ir.walk import SHAPE_ATTRIBUTES, bound, bound_in, closed, statements, variables
from s2sad.operators.table import named

Names = frozenset[Variable]

# functions and methods that give a number of the host
OF_HOST = frozenset({"len", "isinstance", "range", "float", "int", "bool", "complex"})
TO_HOST = frozenset({"item", "tolist", "get"})


def held_by_device(function: Function) -> Names:
    """Return the variables whose values the device may hold: arrays, and what is computed of them."""
    body = statements(function.body)
    held = frozenset(p.variable for p in function.parameters if isinstance(p.type, Array))
    return closed(held, lambda held: (v for s in body for v in _bound(s, held)))


def _bound(statement: Statement, held: Names) -> Iterator[Variable]:
    value = statement.domain if isinstance(statement, For) else None
    value = statement.value if isinstance(statement, Let) else value
    if value is not None and is_held(value, held):
        yield from bound(statement)


def is_held(expr: Expr, held: Names) -> bool:
    """Tell whether the device may hold the value of an expression."""
    if expr.op == "name":
        return expr.data in held
    if _is_of_host(expr):
        return False
    if text_of_call(expr).startswith("np.") and _gives_array(expr):
        return True
    return any(is_held(part, held) for part in expr.args)


def _is_of_host(expr: Expr) -> bool:
    if expr.op == "attribute":
        return expr.data in SHAPE_ATTRIBUTES
    if expr.op == "compare":
        return bool({"is", "is not"} & {*expr.data})
    if expr.op == "call" and expr.args[0].op == "attribute":
        return expr.args[0].data in TO_HOST
    text = text_of_call(expr)
    return text in OF_HOST or text in named("of_host") or text.startswith("math.")


def surely_held_by_device(function: Function) -> Names:
    """Return the variables that the device surely holds, whichever statement bound them last."""
    body = statements(function.body)
    given = frozenset(p.variable for p in function.parameters)
    every = given | bound_in(function.body)
    lost = frozenset(p.variable for p in function.parameters if not isinstance(p.type, Array))
    return every - closed(
        lost, lambda lost: (v for s in body for v in _bound_on_host(s, every - lost))
    )


def _bound_on_host(statement: Statement, held: Names) -> Iterator[Variable]:
    match statement:
        case Let(target, value):
            yield from _of_host(target, value, held)
        case For(target=target, domain=domain):
            if not is_surely_held(domain, held):
                yield from variables(target)
        case _:
            yield from bound(statement)


def _of_host(target: Pattern, value: Expr, held: Names) -> Iterator[Variable]:
    if isinstance(target, tuple) and value.op == "tuple" and len(target) == len(value.args):
        for inner, part in zip(target, value.args, strict=True):
            yield from _of_host(inner, part, held)
    elif not is_surely_held(value, held):
        yield from variables(target)


def is_surely_held(expr: Expr, held: Names) -> bool:
    """Tell whether the value of an expression is an array of the device in every run."""
    if expr.op == "name" and expr.data in held:
        return True
    if isinstance(expr.type, Array) and expr.type.lengths and not is_sequence_display(expr):
        return True
    if isinstance(expr.type, Tuple) or _is_of_host(expr):
        return False
    match expr.op:
        case "unary" | "binary" | "compare":
            return any(is_surely_held(part, held) for part in expr.args)
        case "conditional":
            return all(is_surely_held(part, held) for part in expr.args[1:])
        case "subscript" | "attribute":
            return is_surely_held(expr.args[0], held)
        case "call" if expr.args[0].op == "attribute":
            return is_surely_held(expr.args[0].args[0], held)
        case "call":
            return text_of_call(expr).startswith("np.") and _gives_array(expr)
    return False


def _gives_array(expr: Expr) -> bool:
    """Tell whether a call of NumPy's gives an array: numbers of one kind (np.float32) do not."""
    value = expr.args[0].data.value
    return not isinstance(value, type) and isinstance(expr.type, Array | Number | Numeric)


def is_sequence_display(expr: Expr) -> bool:
    """Tell whether an expression is a list or tuple that is written out."""
    return expr.op in ("list", "tuple") and not any(part.op == "starred" for part in expr.args)
