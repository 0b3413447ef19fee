"""What each line costs: operations on numbers, and bytes read and written, in both sweeps.

The derivative is read as a Program: each operation counts for the line of the primal that it
belongs to, as often as the loops around it run. An elementwise operation is one for each element
of its result, a product of matrices (m, k) and (k, n) 2 * m * k * n, what factors a matrix (n, n)
n**3. What else takes more than one operation for each element is marked ">=". Views and shapes
cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.api.display.counts import NOTHING, UNKNOWN, Count, Passes, bytes_of, placed, size_of
from s2sad.ir.expression import Expr, called
from s2sad.ir.program import Note, Program, Restore, Save, Statement
from s2sad.ir.records import dataclass
from s2sad.ir.types import ONE, Array, Number, Numeric
from s2sad.ir.walk import expressions, operands, reads_shape_only
from s2sad.operators import effects
from s2sad.operators.table import values, words

COUNTED = frozenset({"binary", "unary", "compare", "call"})
# how operations are counted: makers and movers of values write, and compute nothing
PRICES = values("price")
MOVING = frozenset(word for word, price in PRICES.items() if price == "none")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one line costs in the two sweeps: operations, and bytes read and written."""

    forward: Count = NOTHING
    reverse: Count = NOTHING
    moved: Count = NOTHING


def costs(program: Program, passes: Passes) -> dict[int, Cost]:
    """Return what each line of the primal costs in a derivative; 0 is what belongs to no line."""
    found: dict[int, Cost] = {}
    for function in program.functions.values():
        in_reverse = False
        for statement, often, line in placed(function.body, passes, ONE):
            in_reverse |= isinstance(statement, Note)
            whole = _of_statement(statement)
            flops, moved = whole[0].times(often), whole[1].times(often)
            cost = found.get(line, Cost())
            forward = cost.forward if in_reverse else cost.forward + flops
            reverse = cost.reverse + flops if in_reverse else cost.reverse
            found[line] = Cost(forward, reverse, cost.moved + moved)
    return {line: cost for line, cost in sorted(found.items()) if cost != Cost()}


def _of_statement(statement: Statement) -> tuple[Count, Count]:
    """Return the operations of a statement, and the bytes that it moves."""
    flops, moved = Count(), Count()
    for expr in expressions(statement):
        is_taken_back = isinstance(statement, Restore)
        for node in _evaluated(expr):
            flops, moved = flops + _flops(node), moved + _moved(node)
        if is_taken_back or (isinstance(statement, Save) and expr.op == "name"):
            moved = moved + (bytes_of(expr.type) if is_taken_back else Count())
    return flops, moved


def _evaluated(expr: Expr) -> Iterator[Expr]:
    """Yield the nodes of an expression that are evaluated for their values."""
    if reads_shape_only(expr) and expr.op == "attribute":
        return
    yield expr
    for arg in expr.args:
        yield from _evaluated(arg)


# ---------------------------------------------------------------------------- one operation


def _flops(node: Expr) -> Count:
    """Return how many operations on numbers one node takes."""
    if node.op not in COUNTED or _is_free(node):
        return Count()
    if not isinstance(node.type, Number | Array | Numeric):
        return UNKNOWN if node.op == "call" and called(node) not in MOVING else Count()
    if node.op == "binary" and node.data == "@":
        return _product(node.args[0], node)
    if node.op == "call":
        return _of_call(node)
    return size_of(node.type)


def _of_call(node: Expr) -> Count:
    word = called(node)
    if word in MOVING or word in ("len", "range"):
        return Count()
    first = next(iter(operands(node)), node)
    if word in words("product"):
        return _product(first, node)
    if PRICES.get(word) == "cubic" and isinstance(first.type, Array) and first.type.rank == 2:
        return _cubic(word, first.type, node)
    if PRICES.get(word) == "operand":
        return size_of(first.type)
    is_plain = isinstance(node.args[0].data, object) and effects.cost(node) != "costly"
    whole = size_of(node.type)
    return whole if is_plain or word == "outer" else Count(whole.length, True)


def _product(left: Expr, node: Expr) -> Count:
    """Return what a product takes: twice the size of its result, times the length that is summed."""
    if not isinstance(left.type, Array) or not left.type.lengths or left.type.lengths[-1] is None:
        return Count(size_of(node.type).length, True)
    return size_of(node.type).times(left.type.lengths[-1]).times(2)


def _cubic(word: str, matrix: Array, node: Expr) -> Count:
    """Return what factors a matrix; a solution takes 2 * n**2 more for each right side."""
    n = matrix.lengths[0]
    if n is None:
        return UNKNOWN
    solved = size_of(node.type).times(n).times(2) if word == "solve" else Count()
    return Count(n * n * n) + solved


def _moved(node: Expr) -> Count:
    """Return the bytes that an operation reads and writes."""
    if node.op not in COUNTED or _is_free(node):
        return Count()
    whole = bytes_of(node.type) if isinstance(node.type, Number | Array | Numeric) else Count()
    for each in operands(node):
        if isinstance(each.type, Array | Numeric) and not reads_shape_only(node):
            whole = whole + bytes_of(each.type)
    return whole


def _is_free(node: Expr) -> bool:
    """Tell whether a node is a view, or asks for a shape."""
    if node.op == "call" and reads_shape_only(node) and called(node) not in MOVING:
        return True
    return effects.cost(node) == "free"
