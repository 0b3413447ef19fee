"""Which elements the passes of a loop read and store: what no later pass overwrites is not saved.

    for i in range(n - 1):
        y[i + 1] = a * np.sin(y[i])      y[i] of an earlier pass is stored to by no later one
    for i in range(n):
        x[i] = b[i] - L[i, :i] @ x[:i]   x[:i] ends before what this pass and later ones store
    for t in range(p, n):
        for j in range(p):
            x[t] += c[j] * x[t - 1 - j]  so does x[t - p:t]

Positions and the ends of slices are compared where they are sums of multiples of counters, other names and a
number: i + 1, 2 * i, t - 1 - j, :i. A part of a subscript that is something else stands for its whole axis.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Hashable, Iterator, Mapping, Set

from s2sad.analysis.containers import is_field_step
from s2sad.analysis.linear import ONE, START, Linear, linear
from s2sad.analysis.tuples import literal_position
from s2sad.checkpoint.needs import Content
from s2sad.ir.expression import Expr, Pattern, Variable, calls, constant, index_parts, name
from s2sad.ir.program import Block, For, If, Let, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Number, Type
from s2sad.ir.walk import blocks, read_variables, rewritten, statements
from s2sad.operators.guards import is_none
from s2sad.operators.table import LOGGING, PRINTS
from s2sad.types.assumptions import depends_on_pass

DEEPEST = 6  # counters whose bounds are put in one after the other


@dataclass(frozen=True, slots=True)
class Counter:
    """A name that only a loop binds: whether it grows from pass to pass, and where it runs.

    It is `low` at least, and less than `high`.
    """

    grows: bool
    low: Linear
    high: Linear | None = None


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


def steady_bounds(counter: Counter, changed: Set[object]) -> Counter | None:
    """Return a counter with the bounds that nothing changes as it counts; None without its least value."""
    if not counter.low.variables.isdisjoint(changed):
        return None
    is_steady = counter.high is None or counter.high.variables.isdisjoint(changed)
    return counter if is_steady else replace(counter, high=None)


def is_length(type_: Type) -> bool:
    """Tell whether a number is a sum of lengths of arguments: it is not negative."""
    length = type_.length if isinstance(type_, Number) else None
    return length is not None and length.is_sum and not depends_on_pass(length)


def _bound(part: Expr) -> Linear | None:
    """Return a position as multiples of variables and the number that is added to them."""
    return linear(part, lambda leaf: leaf.data if leaf.op == "name" else None)


def _after(bound: Linear | None) -> Linear | None:
    return None if bound is None else bound.plus(ONE)


WHOLE = Number("int64")


def of_earlier_pass(need: Content, changed: Set[object], own: Set[object]) -> Content:
    """Return a need as the next pass of a loop sees it.

    `changed` is what the loop changes, `own` the names that it binds to its items.
    """
    if need.variable in changed:  # a field is the same one of whichever object
        is_field = need.index is not None and is_field_step(need.index)
        return Content(need.site, None, need.index if is_field else None, older=need.older)
    reads = _variables(need)
    return replace(
        _widened(need, (reads & changed) - own), earlier=need.earlier | (reads & changed & own)
    )


def after_loop(need: Content, own: Set[object], known: Mapping[Variable, Counter]) -> Content:
    """Return a need as it is seen after a loop that binds these names: over all passes."""
    return _widened(need, _variables(need) & own, known)


def where_tested(need: Content, facts: Facts) -> Content:
    """Return a need of elements that are read only where a test has told that these are not negative."""
    if need.index is None or need.variable is None or not facts:
        return need
    parts = index_parts(need.index)
    natural = {p for p in parts if _is_one_axis(p) and _Order({}).is_place(p, facts)}
    return replace(need, natural=need.natural | natural) if natural else need


def _variables(need: Content) -> frozenset[Variable]:
    return frozenset(read_variables(need.index)) if need.index is not None else frozenset()


def _widened(
    need: Content, names: Set[object], known: Mapping[Variable, Counter] | None = None
) -> Content:
    """Return a need of all that parts with these names are positions of, or of their whole axes."""
    if not names or need.index is None:
        return need
    order = _Order(known or {}, natural=need.natural)
    parts = []
    for part in index_parts(need.index):
        if names.isdisjoint(read_variables(part)):
            parts.append(part)
        elif _is_one_axis(part):
            parts.append(_over_passes(part, names, order))
        else:
            return Content(need.site, older=need.older)
    index = parts[0] if need.index.op != "tuple" else need.index.with_args(parts)
    return replace(need, index=index, earlier=need.earlier - names)


def _over_passes(part: Expr, names: Set[object], order: _Order) -> Expr:
    """Return all that a part stands for while these counters run: u[j] with j < i is u[:i]."""
    low, high = order.over(part, names)
    ends = [constant(None) if end is None else _position(end) for end in (low, high)]
    return Expr("slice", (*ends, constant(None)))


def _position(bound: Linear) -> Expr:
    made = constant(bound.offset, WHOLE)
    for variable, factor in bound.terms:
        assert isinstance(variable, Variable)
        term = Expr("binary", (constant(factor, WHOLE), name(variable, WHOLE)), "*", WHOLE)
        made = Expr("binary", (term, made), "+", WHOLE)
    return made


def are_apart_in_passes(
    need: Content, store: Store, known: Mapping[Variable, Counter], facts: Facts = ()
) -> bool:
    """Tell whether a store of this pass surely leaves the elements alone that are needed.

    What the tests around the store have told not to be negative are `facts`.
    """
    target = store.target
    if target.op != "subscript" or need.index is None or need.variable is None:
        return False
    if target.args[0].op != "name" or target.args[0].data != need.variable:
        return False
    order = _Order(known, need.earlier, facts, need.natural)
    for read, stored in zip(index_parts(need.index), index_parts(target.args[1]), strict=False):
        if not _is_one_axis(read) or not _is_one_axis(stored):
            return False
        if order.are_apart(read, stored):
            return True
    return False


def are_different_in_passes(index: Expr, known: Mapping[Variable, Counter]) -> bool:
    """Tell whether each pass of these loops in each other has other elements: A[i, j] for i and j."""
    order, found = _Order(known), set()
    for bound in map(_bound, index_parts(index)):
        alone = [v for v, factor in bound.terms if abs(factor) == 1] if bound is not None else []
        if len(alone) == 1 and bound is not None and len(bound.terms) == 1:
            if alone[0] in known and order.is_natural(bound):
                found.add(alone[0])
    return found == known.keys()


# where a part of an axis begins, and where it is over: None where that is not known
Ends = tuple[Linear | None, Linear | None]
# positions that are not negative
Facts = tuple[Linear, ...]


def _ends(part: Expr) -> Ends:
    if part.op != "slice":
        bound = _bound(part)
        return bound, _after(bound)
    lower, upper, step = part.args
    if not is_none(step):
        return None, None
    return START if is_none(lower) else _bound(lower), _bound(upper)


def told_by(test: Expr, holds: bool = True) -> Iterator[Linear]:
    """Yield the positions of which a test, or its opposite, tells that they are not negative: t - j of `t >= j`."""
    if test.op == "and" and holds:
        for arg in test.args:
            yield from told_by(arg)
    if test.op == "unary" and test.data == "not":
        yield from told_by(test.args[0], not holds)
    if test.op != "compare" or not (holds or len(test.data) == 1):
        return
    for symbol, left, right in zip(test.data, test.args, test.args[1:], strict=False):
        symbol = symbol if holds else OPPOSITE.get(symbol, "")
        a, b = map(_bound, (left, right))
        if a is not None and b is not None and symbol in OPPOSITE and _are_whole(left, right):
            larger, other = (a, b) if symbol[0] == ">" else (b, a)
            yield larger.plus(other, -1).plus(Linear((), -1 if len(symbol) == 1 else 0))


OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _are_whole(*values: Expr) -> bool:
    return all(literal_position(v) is not None or _is_position(v) for v in values)


@dataclass(frozen=True, slots=True)
class _Order:
    """Which positions come first: of this pass of each loop, or of an `earlier` one of some.

    `facts` are positions that are not negative, `natural` parts of a subscript that begin with one.
    """

    known: Mapping[Variable, Counter]
    earlier: Set[Variable] = frozenset()
    facts: Facts = ()
    natural: Set[Expr] = frozenset()

    def are_apart(self, read: Expr, stored: Expr) -> bool:
        """Tell whether a part that is read has nothing of one that is stored in this pass."""
        if not self.is_place(read) or not self.is_place(stored, self.facts):
            return False  # it may count from the end
        (low, high), (first, last) = map(self._then, _ends(read)), _ends(stored)
        before = high is not None and first is not None and self.is_at_most(high, first)
        return before or (low is not None and last is not None and self.is_at_most(last, low))

    def is_place(self, part: Expr, facts: Facts = ()) -> bool:
        """Tell whether the ends of a part are not counted from the end of the axis."""
        return part in self.natural or all(
            self.is_natural(end, facts) for end in _ends(part) if end is not None
        )

    def is_natural(self, bound: Linear, facts: Facts = ()) -> bool:
        return any(self.is_at_most(least, bound) for least in (START, *facts))

    def over(self, part: Expr, names: Set[object]) -> Ends:
        """Return the ends of all that a part stands for while counters run; what is not known is whole."""
        if not self.is_place(part):
            return None, None
        low, high = _ends(part)
        low = None if low is None else self._extreme(low, names, -1)
        high = None if high is None else self._extreme(high, names, 1)
        if high is not None and not self.is_natural(high):  # where no pass runs: `:i` for `:i - 1`
            high = Linear(high.terms, max(high.offset, 0))
        return (low if low is not None and self.is_natural(low) else None), high

    def _extreme(self, bound: Linear, names: Set[object], sign: int) -> Linear | None:
        """Return what a position is at most, or with sign -1 at least, while some counters run."""
        for variable in sorted(bound.variables & names, key=str):
            ends = self._ends_of(variable, dict(bound.terms)[variable] * sign > 0)
            if not ends:
                return None
            bound = bound.replaced(variable, ends[0])
        return None if bound.variables & names else bound

    def _then(self, bound: Linear | None) -> Linear | None:
        for variable in (bound.variables & self.earlier) if bound is not None else ():
            bound = bound and bound.replaced(variable, Linear(((("then", variable), 1),)))
        return bound

    def is_at_most(self, a: Linear, b: Linear, deep: int = DEEPEST) -> bool:
        """Tell whether a position surely is at most another one."""
        difference = a.plus(b, -1)
        if not difference.terms:
            return difference.offset <= 0
        return deep > 0 and any(
            self.is_at_most(difference.replaced(variable, end), START, deep - 1)
            for variable, factor in difference.terms
            for end in self._ends_of(variable, factor > 0)
        )

    def _ends_of(self, variable: Hashable, is_most: bool) -> list[Linear]:
        """Return what a counter is at most, or at least, by where it runs, or by what it is now."""
        counter = self.known.get(variable) if isinstance(variable, Variable) else None
        if isinstance(variable, tuple) and (then := self.known.get(variable[1])) is not None:
            step = Linear(((variable[1], 1),), -1 if is_most else 1)
            own = self._runs(then, is_most)
            return [step] * (then.grows == is_most) + [
                end for end in own if self.earlier.isdisjoint(end.variables)
            ]
        return [] if counter is None else self._runs(counter, is_most)

    def _runs(self, counter: Counter, is_most: bool) -> list[Linear]:
        if not is_most:
            return [counter.low]
        return [] if counter.high is None else [counter.high.plus(ONE, -1)]


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
