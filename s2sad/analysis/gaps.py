"""Which elements of an adjoint are zero: those that nothing contributes to, or that how it is made leaves out.

y = x / d; s = np.sum(y[1:] * w)            y_bar[0] is zero, whatever d[0] is
for i in range(n):                          y_bar[i] is zero where d[i] is
    if d[i] != 0.0: s += y[i]
np.where(x > 0.0, g, 0.0)                   zero in parts: so are _take_bar(g, x, k) and np.triu(g)

Divided by what may be zero there, they would be nan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from s2sad.analysis.guards import FINITE
from s2sad.analysis.linear import Linear, linear
from s2sad.analysis.places import Place, is_within
from s2sad.analysis.terms import has_axes
from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import Expr, Variable, calls, constant, index_parts, name, text_of_call
from s2sad.ir.program import Block, For
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Array, Type
from s2sad.ir.walk import bound, nodes, read_variables, statements
from s2sad.operators.guards import is_none
from s2sad.operators.table import named, words
from s2sad.operators.trees import is_array, is_literal

# a block of a branch, and whether its test asks for more than the numbers of passes
Arm = tuple[Place, bool]
Arms = tuple[Arm, ...]
Path = tuple[Expr, ...]
# what an index leaves out at the start of an axis, and at its end; None where that is not known
Ends = tuple[int | None, int | None]
WHOLE: Ends = (0, 0)
# a part of which nothing is known
GAP: Path = (Expr("slice", (constant(1), constant(1), constant(None))),)
MOST_ARMS, MOST_WAYS = 24, 64
# stands for what is not contributed in any case: to all of an adjoint, but with gaps
GAPS: Arms = (((), False),)


@dataclass(slots=True)
class Reads:
    """What contributes to which adjoint, and in which arms of branches.

    `counters` are the variables of loops, with the ranges that they go over.
    """

    counters: Mapping[Variable, Expr]
    found: dict[Variable, dict[Path, set[Arms]]] = field(default_factory=dict)

    def note(
        self, adjoint: Variable, path: Path, term: Expr, arms: Arms, home: Place, has_gaps: bool
    ) -> None:
        """Note a contribution to a part of the adjoint of what belongs to a block, `home`."""
        around = tuple(arm for arm in arms if not is_within(home, arm[0]))
        parts = self.found.setdefault(adjoint, {})
        new = {_bounded((*around, *way, *GAPS[:has_gaps])) for way in self._ways_of(term)}
        parts[path] = _shortest(parts.get(path, set()) | new)

    def _ways_of(self, term: Expr) -> set[Arms]:
        """Return the ways in which what a contribution is made of was contributed to itself."""
        if term.op == "name":
            parts = self.found.get(term.data, {})
            return _shortest({way for ways in parts.values() for way in ways}) or {()}
        return self._ways_of(term.args[0]) if term.op == "unary" else {()}

    def join(self, first: Arm, second: Arm) -> None:
        """Let what both arms of a branch contribute to be contributed to in any case."""
        for parts in self.found.values():
            for path, ways in parts.items():
                one, other = ({w[:-1] for w in ways if w[-1:] == (a,)} for a in (first, second))
                if not one.isdisjoint(other):
                    parts[path] = _shortest(ways | one & other)

    def is_tested(self, adjoint: Variable) -> bool:
        """Tell whether all contributions depend on tests that ask for more than the numbers of passes."""
        ways = [way for ways in self.found.get(adjoint, {}).values() for way in ways]
        return bool(ways) and all(map(_asks, ways))

    def has_gaps(self, adjoint: Variable, type_: Type, within: Expr | None = None) -> bool:
        """Tell whether there may be elements of an array, or of a part, that nothing contributes to."""
        parts = self.found.get(adjoint)
        if not parts or not isinstance(type_, Array):
            return False
        sure = [path for path, ways in parts.items() if () in ways]
        if (within,) in parts:
            return (within,) not in sure
        indices = [index for path in sure if (index := _partial(path)) is not None]
        if not indices or len(indices) < len(sure):  # nothing, or the whole
            return not sure
        asked = [None] * type_.rank if within is None else _axes(within, type_.rank)
        taken = zip(*(_axes(index, type_.rank) for index in indices), strict=True)
        return not all(map(self._fill, asked, taken))

    def _fill(self, asked: Expr | None, parts: tuple[Expr | None, ...]) -> bool:
        """Tell whether indices along one axis leave nothing out together of what is asked."""
        if asked in parts or (asked is not None and asked.op != "slice"):  # all of it, or nothing
            return True
        wanted = WHOLE if asked is None else self._ends(asked)
        if asked is None and _are_interleaved(parts):
            return True
        parts = tuple(map(_as_slice, parts))
        ends = [WHOLE if part is None else self._ends(part) for part in parts]
        firsts, lasts = (
            [p for p, e in zip(parts, ends, strict=True) if _reaches(e[side], wanted[side])]
            for side in (0, 1)
        )
        return any(_meet(first, last) for first in firsts for last in lasts)

    def _ends(self, part: Expr) -> Ends:
        if part.op == "slice":
            start, stop, _ = part.args
            if _step(part) != 1:
                return WHOLE if is_all(part) else (None, None)
            return self._left_out(start, 1), self._left_out(stop, -1)
        counted = sorted(read_variables(part) & self.counters.keys(), key=str)
        is_plain = all(n.op in ("name", "constant", "binary") for n in nodes(part))
        if is_array(part) or not counted or not is_plain:
            return None, None
        return self._of_counter(part, counted[0]) if len(counted) == 1 else WHOLE

    def _left_out(self, bound: Expr, sign: int) -> int | None:
        """Return how many elements the bound of a slice leaves out, in all passes."""
        if is_none(bound) or (sign > 0 and literal_position(bound) == 0):
            return 0
        counted = sorted(read_variables(bound) & self.counters.keys(), key=str)
        place = _place(bound)
        if len(counted) == 1 and place.terms == ((name(counted[0]), 1),):
            first, _ = self._of_counter(bound, counted[0])
            return first if sign > 0 else 0 if place.offset > 0 else None
        if counted:  # K[2 * k:2 * k + 2]
            return 0
        position = sign * (literal_position(bound) or 0)
        return position if position > 0 else None

    def _of_counter(self, part: Expr, counter: Variable) -> Ends:
        """Return what k + 1 leaves out, k being that of a loop over range(1, n)."""
        domain = self.counters[counter]
        if not calls(domain, range) or any(
            read_variables(bound) & self.counters.keys() for bound in domain.args
        ):
            return None, None
        bounds = domain.args[1:]
        start = literal_position(bounds[0]) if len(bounds) > 1 else 0
        return (0 if start is None else max(0, start + _place(part).offset)), 0


def counters_in(body: Block) -> dict[Variable, Expr]:
    """Return the variables that loops bind, each with what its loop goes over."""
    loops = [s for s in statements(body) if isinstance(s, For)]
    return {variable: loop.domain for loop in loops for variable in bound(loop)}


def _bounded(way: Arms) -> Arms:
    """Return a way of at most so many branches: what comes after them is in no case contributed."""
    rest = way[MOST_ARMS:]
    return (*way[:MOST_ARMS], ((), _asks(rest))) if rest else way


def _asks(way: Arms) -> bool:
    return any(asks for _, asks in way)


def _shortest(ways: set[Arms]) -> set[Arms]:
    """Return the ways of which none begins with another: they are of more branches, and say no more.

    Where there are many, that one stands for them which is in no case contributed.
    """
    found = {way for way in ways if not any(way[:k] in ways for k in range(len(way)))}
    return found if len(found) <= MOST_WAYS else {(((), all(map(_asks, found))),)}


def steps_to(part: Expr) -> tuple[Variable, Path, bool]:
    """Return what a part of memory is taken of, by which subscripts, and whether by these alone."""
    steps: list[Expr] = []
    is_whole = True
    while part.op != "name":
        if part.op == "subscript":
            steps.insert(0, part.args[1])
        else:
            is_whole = False
        is_of_function = part.op == "call" and part.args[0].op == "global"  # np.ravel(u)
        part = part.args[is_of_function]
    return part.data, tuple(steps), is_whole


def _partial(path: Path) -> Expr | None:
    """Return the first step of a path that leaves elements out."""
    return next((index for index in path if not is_all(index)), None)


def is_all(index: Expr) -> bool:
    """Tell whether an index takes all of an array: u[:], u[...], u[::-1]."""
    return all(
        part.data is Ellipsis if part.op == "constant" else _has_no_ends(part)
        for part in index_parts(index)
    )


def _has_no_ends(part: Expr) -> bool:
    return part.op == "slice" and all(map(is_none, part.args[:2])) and _step(part) in (1, -1)


def _step(part: Expr) -> int | None:
    """Return the step of a slice, if it is a literal."""
    return 1 if is_none(part.args[2]) else literal_position(part.args[2])


def _are_interleaved(parts: Iterable[Expr | None]) -> bool:
    """Tell whether slices with a step take all elements in turn: u[::2] and u[1::2]."""
    steps = {
        (_step(part), 0 if is_none(part.args[0]) else literal_position(part.args[0]))
        for part in parts
        if part is not None and part.op == "slice" and is_none(part.args[1])
    }
    return any(
        all((step, k) in steps for k in range(step)) for step, _ in steps if step and step > 1
    )


def _as_slice(part: Expr | None) -> Expr | None:
    """Return the position of a literal as the slice of that one element."""
    place = None if part is None or part.op == "slice" else literal_position(part)
    if place is None:
        return part
    ends = constant(place), constant(None if place == -1 else place + 1), constant(None)
    return Expr("slice", ends)


def _reaches(left_out: int | None, wanted: int | None) -> bool:
    return left_out is not None and (wanted is None or left_out <= wanted)


def _meet(first: Expr | None, last: Expr | None) -> bool:
    """Tell whether the second index begins where the first ends, or before; not r[:i] and r[i + 1:]."""
    if first is None or last is None or first.op != "slice" or last.op != "slice":
        return True
    stop, start = _place(first.args[1]), _place(last.args[0])
    if not stop.terms and not start.terms and (stop.offset < 0) != (start.offset < 0):
        return True  # one of them counts from the end
    return stop.terms != start.terms or start.offset <= stop.offset


def _place(position: Expr) -> Linear:
    """Return a position as what a literal is added to: i + 1."""
    return linear(position, lambda part: part) or Linear(((position, 1),))


def _axes(index: Expr, rank: int) -> tuple[Expr | None, ...]:
    """Return what an index takes along each axis; None for all of it."""
    parts = [part for part in index_parts(index, rank) if not is_none(part)]
    taken = [None if is_all(part) else part for part in parts]
    return (*taken, *(None,) * (rank - len(taken)))[:rank]


CHOICES = named("chooses")
# what gives zeros for elements that were not chosen, and what moves elements
SCATTERED = named("scatters")
SOLVES = named("linear")
MOVED = named("rearranges")
METHODS = words("rearranges")


@dataclass(frozen=True, slots=True)
class Choice:
    """A test by which a factor of an adjoint is zero: where it holds, if `place` is 1, else where not.

    `inner` is what may stand for the factor elsewhere. The test is that of an earlier statement,
    to be named where it is asked, if it `is_lasting`.
    """

    test: Expr
    place: int
    factor: Expr
    inner: Expr | None
    is_lasting: bool = False


def asks_numbers(test: Expr) -> bool:
    """Tell whether a test may ask a number, or what is finite: `x > 0.0` asks elements alone.

    So it is with the comparisons of rules, which have no place: they ask which value is the largest.
    """
    compared = [n for n in nodes(test) if n.op == "compare"]
    if any(text_of_call(n) in FINITE for n in nodes(test)) or not compared:
        return True
    return any(n.span is not None and not has_axes(n) for n in compared)


def factors(g: Expr, of_elements: bool = False) -> Iterator[Expr]:
    """Yield the parts of an adjoint that it may be zero by: neither divisors nor exponents are.

    No single element of what solves equations is zero where one of the right side is.
    """
    yield g
    is_by_first = g.op == "binary" and g.data in ("/", "**")
    if with_zero(g) is None and (not of_elements or text_of_call(g) not in SOLVES):
        for arg in g.args[:1] if is_by_first else g.args:
            yield from factors(arg, of_elements)


def with_zero(expr: Expr) -> Expr | None:
    """Return y of `y + (y == 0.0)`, which is nowhere zero."""
    match expr:
        case Expr("binary", (value, Expr("compare", (again, _), ("==",))), "+") if value == again:
            return value
    return None


def guarded_by(test: Expr) -> Expr | None:
    """Return the adjoint that a guard asks whether it is zero: g of `g != 0.0`."""
    is_guard = test.op == "compare" and test.data == ("!=",) and is_literal(test.args[1], 0)
    return test.args[0] if is_guard and test.span is None else None
