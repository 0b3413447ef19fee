"""Which elements the passes of a loop read and store: what no later pass overwrites is not saved.

    for i in range(n - 1):
        y[i + 1] = a * np.sin(y[i])      y[i] of an earlier pass is stored to by no later one
    for i in range(n):
        x[i] = b[i] - L[i, :i] @ x[:i]   x[:i] ends before what this pass and later ones store

Positions and the ends of slices are compared where they are a counter of a loop, or nothing, and a
number: i + 1, :i, 0. A part of a subscript that is something else stands for its whole axis.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping, Set

from s2sad.analysis.containers import is_field_step
from s2sad.analysis.tuples import literal_position
from s2sad.checkpoint.needs import Content
from s2sad.ir.expression import Expr, Pattern, Variable, calls, constant, index_parts, name
from s2sad.ir.program import Block, For, If, Let, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Number
from s2sad.ir.walk import blocks, read_variables, rewritten, statements
from s2sad.operators.guards import is_none
from s2sad.operators.table import LOGGING, PRINTS

# the sum of a variable and a number: a position on an axis
Bound = tuple[Variable | None, int]


@dataclass(frozen=True, slots=True)
class Counter:
    """A name that only a loop binds: whether it grows from pass to pass, and where it runs.

    It is `low` at least, and less than `high`.
    """

    grows: bool
    low: Bound
    high: Bound | None = None


def counters(statement: Statement | None) -> Iterator[tuple[Variable, Counter]]:
    """Yield the counter of a loop, if its direction and its least value are known."""
    if not isinstance(statement, For):
        return
    yield from _counters(statement.target, statement.domain)


def _counters(target: Pattern, domain: Expr) -> Iterator[tuple[Variable, Counter]]:
    if isinstance(target, tuple) and calls(domain, enumerate) and len(domain.args) == 2:
        if not domain.data and isinstance(target[0], Variable):
            yield target[0], Counter(True, START)
    elif isinstance(target, tuple) and calls(domain, zip) and not domain.data:
        for each, inner in zip(target, domain.args[1:], strict=False):
            yield from _counters(each, inner)
    elif isinstance(target, Variable):
        found = _of_range(domain)
        if found is not None:
            yield target, found


def _of_range(domain: Expr) -> Counter | None:
    """Return what is known of the numbers that a range gives."""
    if calls(domain, reversed):
        inner = _of_range(domain.args[1])
        return None if inner is None else replace(inner, grows=not inner.grows)
    if not calls(domain, range) or domain.data:
        return None
    bounds = [_bound(b) for b in domain.args[1:3]]
    start, stop = (START, *bounds) if len(bounds) == 1 else bounds
    step = 1 if len(domain.args) < 4 else literal_position(domain.args[3])
    if not step:
        return None
    low, high = (start, stop) if step > 0 else (_after(stop), _after(start))
    return None if low is None else Counter(step > 0, low, high)


def _bound(part: Expr) -> Bound | None:
    """Return a position as a variable and the number that is added to it."""
    position = literal_position(part)
    if position is not None:
        return None, position
    if part.op == "name":
        return part.data, 0
    if part.op != "binary" or part.data not in ("+", "-"):
        return None
    left, right = part.args
    offset = literal_position(right)
    if left.op == "name" and offset is not None:
        return left.data, offset if part.data == "+" else -offset
    offset = literal_position(left)
    is_sum = right.op == "name" and part.data == "+" and offset is not None
    return (right.data, offset) if is_sum and offset is not None else None


def _after(bound: Bound | None) -> Bound | None:
    return None if bound is None else (bound[0], bound[1] + 1)


START: Bound = (None, 0)
WHOLE = Number("int64")


def of_earlier_pass(need: Content, changed: Set[object], own: Set[object]) -> Content:
    """Return a need as the next pass of a loop sees it.

    `changed` is what the loop changes, `own` the names that it binds to its items.
    """
    if need.variable in changed:  # a field is the same one of whichever object
        is_field = need.index is not None and is_field_step(need.index)
        return Content(need.site, None, need.index if is_field else None)
    reads = _variables(need)
    return replace(
        _widened(need, (reads & changed) - own), earlier=need.earlier | (reads & changed & own)
    )


def after_loop(need: Content, own: Set[object], known: Mapping[Variable, Counter]) -> Content:
    """Return a need as it is seen after a loop that binds these names: over all passes."""
    return _widened(need, _variables(need) & own, known)


def _variables(need: Content) -> frozenset[Variable]:
    return frozenset(read_variables(need.index)) if need.index is not None else frozenset()


def _widened(
    need: Content, names: Set[object], known: Mapping[Variable, Counter] | None = None
) -> Content:
    """Return a need of all that parts with these names are positions of, or of their whole axes."""
    if not names or need.index is None:
        return need
    parts = []
    for part in index_parts(need.index):
        if names.isdisjoint(read_variables(part)):
            parts.append(part)
        elif _is_one_axis(part):
            parts.append(_over_passes(part, names, known or {}))
        else:
            return Content(need.site)
    index = parts[0] if need.index.op != "tuple" else need.index.with_args(parts)
    return replace(need, index=index, earlier=need.earlier - names)


def _over_passes(part: Expr, names: Set[object], known: Mapping[Variable, Counter]) -> Expr:
    """Return all that a part stands for while these counters run: u[j] with j < i is u[:i]."""
    (low, high), order = _ends(part), _Order(known, frozenset())
    if low is not None and low[0] in names:
        low = order.end(low, -1)
    if high is not None and high[0] in names:
        high = order.end(high, 1)
        if high is not None and order.least(high) < 0:  # where no pass runs: `:i` for `:i - 1`
            high = high[0], 0
    ends = [constant(None) if end is None else _position(end) for end in (low, high)]
    return Expr("slice", (*ends, constant(None)))


def _position(bound: Bound) -> Expr:
    variable, offset = bound
    number = constant(abs(offset), WHOLE)
    if variable is None:
        return constant(offset, WHOLE)
    sign = "+" if offset >= 0 else "-"
    return (
        Expr("binary", (name(variable, WHOLE), number), sign, WHOLE)
        if offset
        else name(variable, WHOLE)
    )


def are_apart_in_passes(need: Content, store: Store, known: Mapping[Variable, Counter]) -> bool:
    """Tell whether a store of this pass surely leaves the elements alone that are needed."""
    target = store.target
    if target.op != "subscript" or need.index is None or need.variable is None:
        return False
    if target.args[0].op != "name" or target.args[0].data != need.variable:
        return False
    order = _Order(known, need.earlier)
    for read, stored in zip(index_parts(need.index), index_parts(target.args[1]), strict=False):
        if not _is_one_axis(read) or not _is_one_axis(stored):
            return False
        if order.are_apart(_ends(read), _ends(stored)):
            return True
    return False


def are_different_in_passes(index: Expr, known: Mapping[Variable, Counter]) -> bool:
    """Tell whether each pass of these loops in each other has other elements: A[i, j] for i and j."""
    order, found = _Order(known, frozenset()), set()
    for bound in map(_bound, index_parts(index)):
        if bound is not None and bound[0] in known and order.least(bound) >= 0:
            found.add(bound[0])
    return found == known.keys()


# where a part of an axis begins, and where it is over: None where that is not known
Ends = tuple[Bound | None, Bound | None]


def _ends(part: Expr) -> Ends:
    if part.op != "slice":
        bound = _bound(part)
        return bound, _after(bound)
    lower, upper, step = part.args
    if not is_none(step):
        return None, None
    return START if is_none(lower) else _bound(lower), _bound(upper)


@dataclass(frozen=True, slots=True)
class _Order:
    """Which positions come first: of this pass of each loop, or of an `earlier` one of some."""

    known: Mapping[Variable, Counter]
    earlier: Set[Variable]

    def are_apart(self, read: Ends, stored: Ends) -> bool:
        """Tell whether a part that is read has nothing of one that is stored in this pass."""
        ends = [each for each in (*read, *stored) if each is not None]
        if any(self.least(each) < 0 for each in ends):  # it may count from the end
            return False
        (low, high), (first, last) = read, stored
        before = high is not None and first is not None and self.holds(high, first, 1)
        return before or (low is not None and last is not None and self.holds(low, last, -1))

    def least(self, bound: Bound) -> int:
        """Return the least that a position can be; -1 where it may be anything."""
        variable, offset = bound
        if variable is None:
            return offset
        counter = self.known.get(variable)
        if counter is None or counter.low[0] == variable:
            return -1
        low = self.least(counter.low)
        return -1 if low < 0 else low + offset

    def holds(self, read: Bound, stored: Bound, sign: int) -> bool:
        """Tell whether read <= stored, or >= with sign -1; the former may be of an earlier pass."""
        if read[0] == stored[0]:
            difference = read[1] - stored[1]
            if read[0] is not None and read[0] in self.earlier:
                counter = self.known.get(read[0])
                if counter is None or counter.grows != (sign > 0):
                    return False
                difference -= sign
            return sign * difference <= 0
        most, least = self.end(read, sign), self.end(stored, -sign)
        if most is not None and self.holds(most, stored, sign):
            return True
        return least is not None and self.holds(read, least, sign)

    def end(self, bound: Bound, sign: int) -> Bound | None:
        """Return what a position is at most, or with sign -1 at least, by where its counter runs."""
        variable, offset = bound
        counter = self.known.get(variable) if variable is not None else None
        found = counter and (counter.high if sign > 0 else counter.low)
        if (
            not found
            or found[0] == variable
            or (found[0] is not None and found[0] not in self.known)
        ):
            return None
        if variable in self.earlier and found[0] in self.earlier:
            return None  # where it began then
        return found[0], found[1] + offset - (sign > 0)


def _is_one_axis(part: Expr) -> bool:
    return part.op == "slice" or _is_position(part)


def _is_position(part: Expr) -> bool:
    if literal_position(part) is not None:
        return True
    return isinstance(part.type, Number) and part.type.dtype.startswith(("int", "uint"))


# ---------------------------------------------------------------------------- output

CALLED = (print, warnings.warn, logging.debug, logging.info, logging.warning, logging.error)


def is_output(statement: Statement) -> bool:
    """Tell whether a statement prints, warns or logs, and does nothing else."""
    if not isinstance(statement, Let) or statement.target is not None:
        return False
    if statement.effect != PRINTS or statement.value.op != "call":
        return False
    function = statement.value.args[0]
    if function.op == "attribute":
        return function.data in LOGGING
    return function.op == "global" and any(function.data.value is each for each in CALLED)


def has_output(block: Block) -> bool:
    """Tell whether a pass prints, warns or logs."""
    return any(map(is_output, statements(block)))


def output_if(block: Block, first: Variable) -> Block:
    """Return a pass whose output comes if it is run for the first time."""
    test = name(first, Number("bool"))
    return rewritten(block, lambda s: If(test, (s,), (), s.span) if is_output(s) else s)


def without_output(block: Block) -> Block:
    """Return a pass without output, and without the branches that hold nothing else."""

    def is_left(each: Statement) -> bool:
        return not is_output(each) and (not isinstance(each, If) or any(blocks(each)))

    return rewritten(block, lambda s: s if is_left(s) else None)
