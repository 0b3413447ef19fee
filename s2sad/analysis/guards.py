"""Guards: what keeps a value away from where a slope is infinite, or leaves its slope out.

np.sqrt(np.maximum(x, 0.0))             np.where(x > 0, np.log(x), 0.0)             r[r == 0] = 1.0

0 * inf is nan: where a guard leaves a value out, an infinite slope must not be multiplied by 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir.expression import Expr, Variable, called, chooses
from s2sad.ir.program import Function, If, Let, Statement, Store, Try, While
from s2sad.ir.walk import blocks, bound, expressions, nodes, read_variables, statements
from s2sad.operators.table import words

FUNCTIONS = words("guards")
ABSOLUTE = words("absolute")


def has_guards(function: Function) -> bool:
    """Tell whether a function chooses among values by tests."""
    if clamps(function):
        return True
    for statement in statements(function.body):
        if isinstance(statement, Store) and is_partial(statement.target):
            return True
        if any(map(holds_guard, expressions(statement))):
            return True
    return False


def clamps(function: Function) -> dict[Variable, frozenset[float]]:
    """Return the literals that tests assign to variables: `if x < 0.0: x = 0.0`."""
    found: dict[Variable, frozenset[float]] = {}
    for variable, level in _clamped(function):
        found[variable] = found.get(variable, frozenset()) | {level}
    return found


def _clamped(function: Function) -> Iterator[tuple[Variable, float]]:
    for each in (let for test in statements(function.body) for let in run_by_test(test)):
        if isinstance(each.target, Variable) and each.value.op == "constant":
            if type(each.value.data) in (int, float):
                yield each.target, float(each.value.data)


def run_by_test(statement: Statement) -> Iterator[Let]:
    """Yield what a branch, the handlers of a `try`, or a `while` on what it tests bind by their test."""
    found: tuple[Statement, ...] = ()
    match statement:
        case If():
            found = (*statement.body, *statement.orelse)
        case While():
            tested = read_variables(statement.test)
            found = tuple(s for s in statement.body if tested & frozenset(bound(s)))
        case Try():
            found = tuple(each for block in blocks(statement)[1:] for each in block)
    yield from (each for each in found if isinstance(each, Let))


def holds_guard(expr: Expr) -> bool:
    """Tell whether a value is chosen by tests somewhere in an expression."""
    return any(map(_is_guard, nodes(expr)))


def _is_guard(node: Expr) -> bool:
    match node.op:
        case "conditional":
            return True
        case "call" if node.args[0].op in ("global", "attribute"):
            word = node.args[0].data
            called = word if isinstance(word, str) else word.text
            return not FUNCTIONS.isdisjoint(called.split("."))
        case "binary" if node.data == "*":
            return any(getattr(arg.type, "dtype", "") == "bool" for arg in node.args)
        case "binary":
            return folded(node) is not None
        case "subscript":
            return chooses(node.args[1])
    return False


def folded(node: Expr) -> tuple[Expr, str] | None:
    """Return a and its side on which abs(a) + a, or a - abs(a), is not zero."""
    if node.op != "binary" or node.data not in ("+", "-"):
        return None
    for a, other in (node.args, node.args[::-1]):
        if other.op == "call" and other.args[1:] == (a,) and called(other) in ABSOLUTE:
            return a, ">" if node.data == "+" else "<"
    return None


def is_partial(target: Expr) -> bool:
    """Tell whether a store chooses elements by an array of positions or a mask."""
    return target.op == "subscript" and chooses(target.args[1])
