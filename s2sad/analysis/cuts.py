"""Where what depends on an argument stops to vary with it: at int(k), at a test, at a position.

n = int(k)              flat: int(k) is the same for all k nearby
if r > k:               a test: it decides what is computed, not how much
y = u[n]                (n does not vary any more)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from s2sad.analysis.activity import DISPLAYS, flows, is_flat, may_vary, sharing, varied_and_useful
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import changed_names
from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Variable, constant
from s2sad.ir.program import Block, Break, Continue, Copied, For, If, Let, Return, Statement, While
from s2sad.ir.records import dataclass
from s2sad.ir.types import Number, Regions
from s2sad.ir.walk import (
    blocks,
    bound,
    closed,
    expressions,
    in_blocks,
    name_nodes,
    read_in,
    reads_shape_only,
    rebuilt,
    statements,
    with_expressions,
)
from s2sad.operators.marks import is_stopped

Stops = tuple[str, Expr]
# a test, and the variable that is given the value of another one under it
Pick = tuple[Expr, Variable, Variable]
LEAVES = (Return, Break, Continue)
# what decides which statements run, or which element is taken
BY_TESTS = frozenset({"test", "passes", "position"})


@dataclass(frozen=True, slots=True)
class Cut:
    """A place where a value stops to vary, and how.

    `kind` is "flat", "stopped" (s2sad.stop_gradient), "test", "passes" (how often a loop runs),
    "position", "shape", "integer", "copied", or "unread" (of what is computed from the argument,
    nothing reaches the result).
    """

    kind: str
    node: Expr | None
    span: Span | None


@dataclass(frozen=True, slots=True)
class Dependence:
    """How a result depends on an argument: whether smoothly, through which lines, and the cuts."""

    is_smooth: bool
    through: tuple[Span, ...]
    cuts: tuple[Cut, ...]

    @property
    def by_tests_alone(self) -> bool:
        """Tell whether the argument only decides what is computed."""
        kinds = {cut.kind for cut in self.cuts}
        return not self.is_smooth and bool(kinds) and kinds <= BY_TESTS and "test" in kinds


def dependence(
    body: Block, memory: Memory, wrt: frozenset[Variable], regions: Regions
) -> Dependence:
    """Return how the result of a body depends on the arguments `wrt`."""
    smooth = tuple(map(_without_stops, body))
    every = statements(smooth)
    varied, useful = varied_and_useful(smooth, memory, wrt, regions)
    relevant = _relevant(body, memory)
    found = [
        cut
        for statement in statements(body)
        if _matters(statement, relevant)
        for cut in _cuts(statement, varied, regions)
    ]
    through = (s.span for s in every if s.span and _carries(s, varied & useful, regions))
    is_smooth = bool(wrt & useful)
    if not found and not is_smooth:
        found = list(_dead_ends(body, varied - wrt, relevant))
    unique = {(cut.kind, cut.span): cut for cut in found}
    return Dependence(is_smooth, tuple(dict.fromkeys(through)), tuple(unique.values()))


def narrowed(
    body: Block, memory: Memory, wrt: frozenset[Variable], regions: Regions
) -> tuple[Variable, ...]:
    """Return the floats that a loop narrows down by tests of what varies, as the ends of an interval.

    mid = (lo + hi) / 2
    if f(mid) > 0: lo = mid         each is made of those before it, and does not vary itself
    else: hi = mid
    """
    varied, _ = varied_and_useful(body, memory, wrt, regions)
    relevant = _relevant(body, memory)
    found: dict[Variable, None] = {}
    for loop, picks in _picked_in_loops(body):
        tested = [(v, w) for test, v, w in picks if any(n.data in varied for n in name_nodes(test))]
        targets = frozenset(v for v, _ in tested)
        for variable, other in tested:
            is_made_of_them = targets & _made_of(other, loop.body)
            if is_made_of_them and variable in relevant - varied:
                found[variable] = None
    return tuple(found)


def _made_of(variable: Variable, body: Block) -> frozenset[Variable]:
    """Return the variables that one is computed of in a block, itself included."""
    lets = [each for each in statements(body) if isinstance(each, Let)]
    return closed(
        frozenset({variable}),
        lambda known: (v for let in lets if known & set(bound(let)) for v in read_in(let)),
    )


def may_narrow(body: Block) -> bool:
    """Tell whether a loop gives floats the values of others under tests."""
    return any(picks for _, picks in _picked_in_loops(body))


def _picked_in_loops(body: Block) -> Iterator[tuple[For | While, list[Pick]]]:
    for each in statements(body):
        if isinstance(each, For | While):
            yield each, list(_picked(each.body))


def _picked(body: Block) -> Iterator[Pick]:
    """Yield the floats that are given the value of another under a test: the test, and both."""
    for statement in statements(body):
        if isinstance(statement, If):
            for let in (*statement.body, *statement.orelse):
                if isinstance(let, Let) and isinstance(let.target, Variable):
                    yield from _pick(statement.test, let.target, let.value)
        elif isinstance(statement, Let) and isinstance(statement.target, Variable):
            if statement.value.op == "conditional":
                test, *arms = statement.value.args
                for arm in arms:
                    yield from _pick(test, statement.target, arm)


def _pick(test: Expr, variable: Variable, value: Expr) -> Iterator[Pick]:
    is_other = value.op == "name" and value.data is not variable
    if is_other and isinstance(value.type, Number) and value.type.dtype[0] == "f":
        yield test, variable, value.data


# ---------------------------------------------------------------------------- what is smooth


def _without_stops(statement: Statement) -> Statement:
    """Return a statement with constants for what is flat, as activity would not know it."""

    def change(node: Expr) -> Expr | None:
        is_stop = is_stopped(node) or (node.op == "binary" and node.data == "//")
        return constant(0.0, node.type) if is_stop else None

    changed = with_expressions(statement, lambda expr: rebuilt(expr, change))
    return in_blocks(changed, lambda block: tuple(map(_without_stops, block)))


def _carries(statement: Statement, active: frozenset[Variable], regions: Regions) -> bool:
    """Tell whether a statement hands on what varies and reaches the result."""
    reads = (v for expr in expressions(statement) for v in flows(expr, regions))
    if not any(v in active for v in reads):
        return False
    return isinstance(statement, Return) or any(v in active for v in _changed(statement))


def _changed(statement: Statement) -> frozenset[Variable]:
    return changed_names(statement).union(bound(statement))


# ---------------------------------------------------------------------------- what matters


def _relevant(body: Block, memory: Memory) -> frozenset[Variable]:
    """Return the variables on which the result depends in any way, also through tests."""
    found: set[Variable] = set()
    before = -1
    while len(found) != before:
        before = len(found)
        for statement in reversed(statements(body)):
            if _matters(statement, found):
                found.update(read_in(statement))
                found.update(changed_names(statement))
        found |= sharing(found, memory, True)
    return frozenset(found)


def _matters(statement: Statement, relevant: frozenset[Variable] | set[Variable]) -> bool:
    """Tell whether the result depends on what a statement does, or decides."""
    inner = (each for block in blocks(statement) for each in block)
    if isinstance(statement, LEAVES) or any(_matters(each, relevant) for each in inner):
        return True
    return any(variable in relevant for variable in _changed(statement))


# ---------------------------------------------------------------------------- cuts


def _cuts(statement: Statement, varied: frozenset[Variable], regions: Regions) -> Iterator[Cut]:
    """Yield where a statement reads what varies and gives nothing that varies."""

    def reads(expr: Expr) -> bool:
        return any(node.data in varied for node in name_nodes(expr))

    span = statement.span
    if isinstance(statement, If | While):
        if reads(statement.test):
            stopped = [k for k, _ in _stops(statement.test, reads, regions) if k == "stopped"]
            yield Cut("stopped" if stopped else "test", statement.test, span)
        return
    if isinstance(statement, Copied):
        if any(map(reads, statement.reads)):
            yield Cut("copied", None, span)
        return
    for expr in expressions(statement):
        for kind, node in _stops(expr, reads, regions):
            is_count = isinstance(statement, For) and kind in ("flat", "integer")
            # of an own function that stands in place of its call, the line of that
            inner = None if node.op == "name" else node.span
            yield Cut("passes" if is_count else kind, node, inner or span)


def _stops(expr: Expr, reads: Callable[[Expr], bool], regions: Regions) -> Iterator[Stops]:
    """Yield the nodes of an expression that do not vary though what they read does."""
    if not reads(expr):
        return
    kind = _stop_of(expr, regions)
    if kind:
        yield kind, expr
        return
    if reads_shape_only(expr):
        yield "shape", expr
    for position, arg in enumerate(expr.args):
        if reads_shape_only(expr) and position < 2:
            continue
        if expr.op == "subscript" and position and expr.args[0].op != "global":
            if reads(arg):
                yield "position", expr
        elif expr.op == "conditional" and not position:
            if reads(arg):
                yield "test", arg
        else:
            yield from _stops(arg, reads, regions)


def _stop_of(expr: Expr, regions: Regions) -> str:
    """Return how a node stops what it is given from varying; nothing where it does not."""
    if expr.op in ("name", "generator", "item", "starred", "slice", "formatted"):
        is_whole = expr.op == "name" and not may_vary(expr.type, regions)
        return "integer" if is_whole else ""
    if is_stopped(expr):
        return "stopped"
    if expr.op == "compare" or (expr.op == "unary" and expr.data == "not"):
        return "test"
    if is_flat(expr):
        return "" if reads_shape_only(expr) else "flat"
    if expr.op == "binary" and expr.data == "//":
        return "flat"
    is_value = expr.op not in DISPLAYS and not reads_shape_only(expr)
    return "flat" if is_value and not may_vary(expr.type, regions) else ""


def _dead_ends(
    body: Block, varied: frozenset[Variable], relevant: frozenset[Variable]
) -> Iterator[Cut]:
    """Yield the statements that compute from an argument what the result does not depend on."""
    for statement in statements(body):
        changed = set(_changed(statement))
        if changed & varied and not changed & relevant:
            yield Cut("unread", None, statement.span)
