"""Lengths: sizes for the axes of a probe, and the polynomial that lengths of a result are of them.

Three runs with sizes (5, 7), (13, 11), (6, 10) of two axes gave 34, 141, 59:  the length is
n*m - 1. The order of the sizes turns from the first run to the second, so that no minimum of two
lengths is taken for one of them; the third has even sizes, so that no half is.

operands Array((n - 2, 1000)), Array((n - 2,))   ->   Array((0, 1)), Array((0,)), atoms n - 2, 1000
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Values
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Length,
    Number,
    Numeric,
    Optional,
    Sequence,
    Tuple,
    Type,
    types_in,
    with_lengths,
    with_parts,
)

RUNS = 3
SMALL = 12  # literal lengths up to this are probed as they are

# one row for each number of axes: sizes in the first, second and third run; tests/rooms checks
# that no two lengths of `candidates` and `derived` grow alike
SIZES: dict[int, tuple[tuple[int, ...], ...]] = {
    0: ((), (), ()),
    1: ((5,), (11,), (8,)),
    2: ((5, 7), (13, 11), (6, 10)),
    3: ((3, 5, 7), (17, 11, 2), (8, 4, 10)),
    4: ((2, 5, 6, 12), (14, 6, 5, 4), (12, 8, 14, 16)),
    5: ((2, 3, 7, 10, 12), (14, 11, 6, 3, 2), (18, 4, 16, 14, 8)),
    6: ((4, 5, 8, 12, 18, 19), (19, 18, 11, 7, 6, 4), (6, 16, 22, 8, 4, 14)),
    7: ((2, 7, 9, 14, 17, 25, 28), (23, 17, 16, 15, 14, 11, 6), (26, 28, 24, 10, 54, 4, 50)),
    8: (
        (4, 9, 13, 23, 29, 30, 38, 39),
        (33, 32, 26, 16, 14, 11, 9, 5),
        (78, 60, 20, 76, 68, 14, 64, 40),
    ),
}
MOST_AXES = max(SIZES)


def sizes_of(count: int) -> tuple[tuple[int, ...], ...]:
    """Return for each run the sizes of `count` axes."""
    return SIZES[count]


def symbol(place: int) -> Length:
    """Return the length that stands for axis `place` of a probe."""
    return Length.of(str(place))


def sizes_with_derived(sizes: Values[int]) -> dict[str, int]:
    """Return the sizes of axes, of their halves and triangles, and what `derived` has of pairs."""
    row = {str(k): size for k, size in enumerate(sizes)}
    row |= {f"half:{k}": size // 2 for k, size in enumerate(sizes)}
    row |= {f"triangle:{k}": size * (size + 1) // 2 for k, size in enumerate(sizes)}
    row |= {f"below:{k}": size * (size - 1) // 2 for k, size in enumerate(sizes)}
    for i, j in combinations(range(len(sizes)), 2):
        row[f"min:{i}:{j}"] = min(sizes[i], sizes[j])
        row[f"max:{i}:{j}"] = max(sizes[i], sizes[j])
        row[f"difference:{i}:{j}"] = abs(sizes[i] - sizes[j])
    return row


def derived(count: int) -> Iterator[Length]:
    """Yield halves and triangles of axes; the least, greatest and difference of pairs.

    Each is a symbol of its own. A triangle of a matrix has its diagonal, or what is below it.
    """
    for kind in ("half", "triangle", "below"):
        yield from (Length.of(f"{kind}:{k}") for k in range(count))
    for i, j in combinations(range(count), 2):
        yield Length.of(f"min:{i}:{j}")
        yield Length.of(f"max:{i}:{j}")
        yield Length.of(f"difference:{i}:{j}")


def candidates(count: int) -> Iterator[Length]:
    """Yield the polynomials that a length may be, simplest first, without their constants."""
    axes = [symbol(k) for k in range(count)]
    yield from axes
    yield from (a + b for a, b in combinations_with_replacement(axes, 2))
    yield from (a * b for a, b in combinations_with_replacement(axes, 2))
    yield from (a - b for a, b in permutations(axes, 2))
    yield from (a + b + c for a, b, c in combinations_with_replacement(axes, 3))
    yield from (a * 4 for a in axes)
    yield from (a * b * c for a, b, c in combinations(axes, 3))
    yield from (a * b + a for a, b in permutations(axes, 2))
    yield from (a + b - c for a, b in combinations(axes, 2) for c in axes if c not in (a, b))
    yield from (a * -1 for a in axes)
    if count >= 4:
        yield from (a * b * c * d for a, b, c, d in combinations(axes, 4))


@cache
def _by_growth(count: int, runs: int) -> dict[tuple[int, ...], Length]:
    """Return the polynomials by how they grow from the first run to the others."""
    found: dict[tuple[int, ...], Length] = {}
    rows = [sizes_with_derived(row) for row in sizes_of(count)[:runs]]
    for candidate in (*candidates(count), *derived(count)):
        values = [candidate.value(row) for row in rows]
        found.setdefault(tuple(v - values[0] for v in values[1:]), candidate)
    return found


def polynomial(values: Values[int], count: int) -> Length | None:
    """Return the polynomial of the axes that gave these values in the runs; None if none did."""
    first = values[0]
    if all(value == first for value in values):
        return Length((), first)
    if len(values) < 2:
        return None
    found = _by_growth(count, len(values)).get(tuple(v - first for v in values[1:]))
    if found is None:
        return None
    row = sizes_with_derived(sizes_of(count)[0])
    constant = first - found.value(row)
    if len(values) < RUNS and abs(constant) > (2 if len(found.terms[0][0]) == 1 else 0):
        return None  # two runs prove little
    return found + constant


def with_extremes(type_: Type, short: Type, count: int, literals: frozenset[int]) -> Type:
    """Return a type with extremes of a literal and an axis where a short run shows that they are.

    `short` is the type that a run gave whose axes are 1, 2, ... long, `literals` those of operands.
    """
    own, other = (list(map(_axes, types_in(each))) for each in (type_, short))
    if list(map(len, own)) != list(map(len, other)):
        return type_
    row = sizes_with_derived(range(1, count + 1))
    axes = [symbol(k) for k in range(count)]
    pairs = (pair for parts in zip(own, other, strict=True) for pair in zip(*parts, strict=True))
    found = iter([seen for length, seen in pairs if length is not None])

    def changed(length: Length) -> Length | None:
        seen, predicted = next(found), length.value(row)
        if seen is None or seen.constant == predicted:
            return length
        if length.is_literal and seen.constant < predicted:
            is_axis = 0 < seen.constant <= count
            return Length.of(f"min:{-1 - predicted}:{seen.constant - 1}") if is_axis else None
        if length.is_literal:  # of many derivatives one coefficient is left
            return None
        is_greatest = length in axes and seen.constant in literals
        return Length.of(f"max:{-1 - seen.constant}:{predicted - 1}") if is_greatest else length

    return with_lengths(type_, changed)


def _axes(type_: Type) -> tuple[Length | None, ...]:
    """Return the lengths of a type that are not those of its parts."""
    match type_:
        case Array(_, lengths) | Numeric(_, _, tuple() as lengths):
            return lengths
        case Number(_, _, length) | Sequence(_, _, length):
            return (length,)
    return ()


class Atoms:
    """The distinct lengths of operands; None stands for one that is not known."""

    def __init__(self) -> None:
        self.lengths: list[Length | None] = []
        self.places: dict[Length, int] = {}

    def form(self, type_: Type) -> Type:
        """Return a type with the numbers of its axes in place of lengths."""
        match type_:
            case Array(dtype, lengths):
                return Array(dtype, tuple(map(self.axis, lengths)))
            case Numeric(dtype, token):
                return Numeric(dtype, token)
            case Number(dtype, boxed, length):
                if dtype[0] not in "iu":
                    return type_
                return Number(dtype, boxed, self.axis(length))
            case Sequence(item, cls, length):
                return Sequence(self.form(item), cls, self.axis(length))
            case Optional(inner):
                return self.form(inner)
        return with_parts(type_, self.form)

    def axis(self, length: Length | None) -> Length:
        """Return the axis that stands for a length: itself if it is a small number."""
        if length is None:
            self.lengths.append(None)
            return symbol(len(self.lengths) - 1)
        if length.is_literal and 0 <= length.constant <= SMALL:
            return length
        if length not in self.places:
            self.places[length] = len(self.lengths)
            self.lengths.append(length)
        return symbol(self.places[length])


def lengths_of(type_: Type) -> Iterable[Length | None]:
    """Yield the lengths in a type."""
    for each in types_in(type_):
        match each:
            case Array(_, lengths) | Numeric(_, _, tuple() as lengths):
                yield from lengths
            case Number(_, _, length) if length is not None:
                yield length
            case Sequence(_, _, length):
                yield length


def without_lengths(type_: Type) -> Type:
    """Return a type of which only kinds and ranks are kept."""
    match type_:
        case Array(dtype, axes):
            return Array(dtype, (None,) * len(axes))
        case Numeric(dtype, token, tuple() as axes):
            return Numeric(dtype, token, (None,) * len(axes))
        case Number(dtype, boxed):
            return Number(dtype, boxed)
        case Tuple(items, cls) if cls is list:
            kept = {without_lengths(item) for item in items}
            return Sequence(kept.pop(), list) if len(kept) == 1 else UNKNOWN
        case Sequence(item, cls, _):
            return Sequence(without_lengths(item), cls)
    return with_parts(type_, without_lengths)
