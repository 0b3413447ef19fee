"""Running a function on tiny operands, three times, and reading off the type of its result.

probe(np.diff, (Operand(Array("float64", (n,))),), {}, context)   ->   Array("float64", (n - 1,))
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from collections.abc import Sequence as Values
from itertools import combinations, islice

import numpy as np

from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Length,
    Number,
    Sequence,
    Type,
    is_float,
    may_be_whole,
    with_lengths,
)
from s2sad.operators import printed
from s2sad.operators.table import has
from s2sad.types.assumptions import Context, Fails, Mismatch
from s2sad.types.calling import Call, Function, Operand, Outcome, call_of
from s2sad.types.lengths import MOST_AXES, RUNS, SMALL, lengths_of, without_lengths
from s2sad.types.samples import NoSample

NOTHING = Length((), 0)


def probe(
    function: Function,
    args: Values[Operand],
    keywords: Mapping[str, Operand],
    context: Context,
    called: Hashable = None,
) -> Type:
    """Return the type of a call's result; raise Mismatch or Fails where it does not go through.

    `called` is what the function is known by in the cache (itself, if nothing is said).
    """
    operands = (*args, *keywords.values())
    call = call_of(function, operands, keywords, called)
    if _is_unchecked(function):
        return UNKNOWN
    if is_too_large(call):
        return call.of_few().type
    outcome = call.outcome(tuple(range(len(call.lengths))))
    if outcome.error is None:
        made = _without_cut_off(in_lengths(outcome.type, call.lengths, context), call.lengths)
        made = _without_chance(made, operands)
        if has(function, "as_longer"):
            return _no_shorter(made, operands[:2], context)
        return _natural(made, context) if has(function, "cuts_off") else made
    if isinstance(outcome.error, np.ma.MAError) or printed.name_of(function):
        return UNKNOWN
    change = _as_positions if isinstance(outcome.error, IndexError) else _as_whole
    changed = tuple(map(change, operands))
    if changed != operands:
        named = dict(zip(keywords, changed[len(args) :], strict=True))
        return probe(function, changed[: len(args)], named, context, called)
    return repaired(call, context, outcome.error)


def is_too_large(call: Call) -> bool:
    """Tell whether a call has too many lengths, or too large arrays, for runs that tell lengths."""
    count = len(call.lengths)
    return count > MOST_AXES or isinstance(call.outcome(tuple(range(count))).error, NoSample)


def _is_unchecked(function: Function) -> bool:
    """Tell whether a function is private to SciPy's algebra: it hands LAPACK what nobody has checked."""
    module, called = (getattr(function, each, None) or "" for each in ("__module__", "__name__"))
    return called.startswith("_") and module.startswith("scipy.linalg.")


def _as_positions(operand: Operand) -> Operand:
    """Return a list of whole numbers as an array of positions: np.take(u, ORDER)."""
    match operand.type:
        case Sequence(Number(dtype), cls, length) if dtype[0] in "iu" and cls in (list, tuple):
            return Operand(Array("int64", (length,)))
    return operand


def _as_whole(operand: Operand) -> Operand:
    """Return a number that may be whole as one that is, where a float fails: np.zeros(2**k)."""
    if operand.parts is not None:
        return replace(operand, parts=tuple(map(_as_whole, operand.parts)))
    is_free = operand.known is None and may_be_whole(operand.type)
    return Operand(Number("int64")) if is_free and is_float(operand.type) else operand


def runs(
    function: Function, args: Values[Operand], keywords: Mapping[str, Operand], context: Context
) -> bool:
    """Tell whether a call runs for operands of these ranks, whatever their lengths."""
    return (
        working_axes(call_of(function, (*args, *keywords.values()), keywords), context) is not None
    )


# ---------------------------------------------------------------------------- lengths of results


def in_lengths(type_: Type, lengths: Values[Length | None], context: Context) -> Type:
    """Return the type of a probe's result in lengths of its operands."""
    known: dict[str, Length | None] = {str(k): length for k, length in enumerate(lengths)}
    for found in lengths_of(type_):
        for symbol in sorted(found.symbols) if found is not None else ():
            if ":" in symbol:
                known[symbol] = _derived(symbol, lengths, context)

    def of_operands(length: Length) -> Length | None:
        found = {s: n for s in length.symbols if (n := known[s]) is not None}
        return length.replaced(found) if len(found) == len(length.symbols) else None

    return with_lengths(type_, of_operands)


def _without_cut_off(type_: Type, lengths: Values[Length | None]) -> Type:
    """Return a type without lengths that were 0 in every run: np.arange(k, 3) is, of a large k."""
    if NOTHING in lengths or not lengths:
        return type_
    return with_lengths(type_, lambda n: None if n == NOTHING else n)


def _without_chance(type_: Type, operands: Values[Operand]) -> Type:
    """Return a number's type without what floats gave alike in every run: round(x) of 0.6 and 1.0."""
    if not isinstance(type_, Number) or type_.length is None or not type_.length.is_literal:
        return type_
    is_rounded = any(
        isinstance(each.type, Number) and each.type.length is None for each in operands
    )
    return replace(type_, length=None) if is_rounded else type_


def _natural(type_: Type, context: Context) -> Type:
    """Return a type without lengths that may be negative."""
    return with_lengths(type_, lambda n: n if context.assumptions.assume_natural(n) else None)


def _no_shorter(type_: Type, vectors: Values[Operand], context: Context) -> Type:
    """Return a type without the length of one vector, where the other may be longer."""
    given = [_count(each) for each in vectors]

    def no_shorter(length: Length) -> Length | None:
        others = given if length in given else ()
        is_longest = all(
            other is not None and context.assumptions.assume_natural(length - other)
            for other in others
        )
        return length if is_longest else None

    return with_lengths(type_, no_shorter)


def _count(vector: Operand) -> Length | None:
    if vector.parts is not None:
        return Length((), len(vector.parts))
    return vector.type.lengths[0] if isinstance(vector.type, Array) and vector.type.rank else None


def _derived(symbol: str, lengths: Values[Length | None], context: Context) -> Length | None:
    kind, *places = symbol.split(":")
    operands = [_length_at(int(place), lengths) for place in places]
    first, last = operands[0], operands[-1]
    if first is None or last is None:
        return None
    of_one = {"half": first, "triangle": first * first + first, "below": first * first - first}
    if kind in of_one:
        return context.assumptions.quotient(of_one[kind], 2)
    return _of_pair(kind, first, last, context)


def _length_at(place: int, lengths: Values[Length | None]) -> Length | None:
    """Return the length of an axis, or a literal one (-1 - size)."""
    return lengths[place] if place >= 0 else Length((), -1 - place)


def _of_pair(kind: str, a: Length, b: Length, context: Context) -> Length | None:
    """Return the least, greatest or difference of two lengths, as the examples order them."""
    assumed = context.assumptions
    if assumed.agree(a, b):
        raise Mismatch(a, b)
    is_first_least = assumed.assume_natural(b - a)
    if not is_first_least and not assumed.assume_natural(a - b):
        return None
    if kind == "difference":
        return b - a if is_first_least else a - b
    return a if is_first_least == (kind == "min") else b


# ---------------------------------------------------------------------------- calls that fail

MOST_TRIES = 60
# taken for a length that nothing is known of: as many as there are pairs of four things
OF_PAIRS = 6


@dataclass(frozen=True, slots=True)
class Merge:
    """Two atoms, or an atom and a literal (`second` negative: -1 - size), taken for equal.

    `is_free`: no example tells whether they are.
    """

    first: int
    second: int
    is_free: bool


def repaired(call: Call, context: Context, error: Exception) -> Type:
    """Return the type of a call that runs only where some lengths are equal.

    Raise Mismatch where the examples say that they are; Fails where nothing helps.
    """
    # what an integer is, not how long: an order, a count; or what Fortran asks of several lengths
    if isinstance(error, RuntimeError) or type(error).__name__ == "error":
        return UNKNOWN
    if not isinstance(error, ValueError | IndexError | TypeError | np.linalg.LinAlgError):
        raise Fails(error)
    merges = list(_merges(call, context))
    _ask_for_equal(call, merges, context)
    for chosen in _choices(merges):
        outcome = call.outcome(_axes(chosen, len(call.lengths)))
        if outcome.error is None:
            return _after_merging(chosen, outcome, call.lengths, context)
    return _by_example(call, context, error)


def _ask_for_equal(call: Call, merges: Values[Merge], context: Context) -> None:
    """Raise Mismatch where a call runs only if two lengths are equal, and no example tells them.

    A @ x runs where A.shape[1] is x.shape[0].
    """
    if not context.assumptions.presumes:
        return
    count = len(call.lengths)
    every = (m for m in merges if call.outcome(_axes((m,), count)).error is None)
    working = list(islice(every, 2))
    if len(working) == 1:
        places = working[0].first, working[0].second
        a, b = (_length_at(place, call.lengths) for place in places)
        if a is not None and b is not None and context.assumptions.agree(a, b):
            raise Mismatch(a, b)


def working_axes(call: Call, context: Context) -> tuple[int, ...] | None:
    """Return axes of the operands with which a call runs; None if none are found."""
    count = len(call.lengths)
    if count > MOST_AXES:
        return None
    axes = tuple(range(count))
    if call.outcome(axes).error is None:
        return axes
    for chosen in _choices(list(_merges(call, context))):
        axes = _axes(chosen, count)
        if call.outcome(axes).error is None:
            return axes
    return None


def _merges(call: Call, context: Context) -> Iterator[Merge]:
    """Yield the pairs of lengths that may be equal; those that the examples show first."""
    assumed = context.assumptions
    values = [None if n is None else assumed.value(n) for n in call.lengths]
    count = len(values)
    for i, j in combinations(range(count), 2):
        if values[i] is not None and values[i] == values[j]:
            yield Merge(i, j, False)
    for i in range(count):
        value = values[i]
        if value is not None and 0 < value <= SMALL:
            yield Merge(i, -1 - value, False)
    for i, j in combinations(range(count), 2):
        if values[i] is None or values[j] is None:
            yield Merge(i, j, True)
    for i in range(count):
        for literal in sorted(call.literals):
            if values[i] is None:
                yield Merge(i, -1 - literal, True)


def _choices(merges: Values[Merge]) -> Iterator[tuple[Merge, ...]]:
    """Yield the sets of merges to be tried, small ones first."""
    yield from ((merge,) for merge in merges)
    yield from islice(combinations(merges, 2), MOST_TRIES)
    yield from islice(combinations(merges, 3), MOST_TRIES)


def _axes(chosen: Values[Merge], count: int) -> tuple[int, ...]:
    """Return the axis of each atom where some are merged."""
    root = list(range(count))
    for merge in chosen:
        new = merge.second if merge.second < 0 else root[merge.second]
        old = root[merge.first]
        low, high = min(old, new), max(old, new)
        root = [low if r == high else r for r in root]
    axes = sorted({r for r in root if r >= 0})
    return tuple(axes.index(r) if r >= 0 else r for r in root)


def _after_merging(
    chosen: Values[Merge], outcome: Outcome, lengths: Values[Length | None], context: Context
) -> Type:
    asked = [merge for merge in chosen if not merge.is_free]
    if asked:
        pairs = [(_length(m.first, lengths), _length(m.second, lengths)) for m in asked]
        raise Mismatch(*pairs[0], *pairs[1:])
    axes = _axes(chosen, len(lengths))
    of_axis: dict[str, Length | None] = {}
    for atom, axis in enumerate(axes):
        if axis >= 0:
            of_axis[str(axis)] = None if axes.count(axis) > 1 else lengths[atom]
    places = [of_axis[str(axis)] for axis in range(len(of_axis))]
    return in_lengths(outcome.type, places, context)


def _length(atom: int, lengths: Values[Length | None]) -> Length:
    found = _length_at(atom, lengths)
    assert found is not None
    return found


def _by_example(call: Call, context: Context, error: Exception) -> Type:
    """Run a call with the lengths of the examples: only ranks and dtypes are trusted."""
    values = [None if n is None else context.assumptions.value(n) for n in call.lengths]
    sizes = {str(atom): OF_PAIRS if n is None else n for atom, n in enumerate(values)}
    outcome = call.with_sizes([sizes] * RUNS, 0)
    if outcome.error is None:
        return without_lengths(outcome.type)
    is_of_content = isinstance(outcome.error, NoSample | IndexError | np.linalg.LinAlgError)
    if is_of_content or call.asks_for_content:
        return UNKNOWN
    if None in values:  # which of them are equal is not known: all are, for the rank
        return call.of_few().type
    raise Fails(error)
