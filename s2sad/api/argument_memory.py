"""What a text asks of the memory of its arguments, and where in them it writes.

def scaled(u, v):           if ... or np.shares_memory(u, v):
    u *= 2.0                    raise ValueError("made for ... u that shares no memory with v")
    return np.sum(u * v)

An array that is written in place is copied first: what another argument sees of it would be lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from s2sad.analysis.containers import is_container
from s2sad.analysis.entry_copies import are_different
from s2sad.analysis.loops import item_type
from s2sad.analysis.openings import opening_of
from s2sad.analysis.prepare import Prepared
from s2sad.api.rounds import Derived
from s2sad.ir.errors import ArgumentError
from s2sad.ir.expression import Expr, Variable, attribute, call, global_, negated
from s2sad.ir.program import Check, Program
from s2sad.ir.records import dataclass
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Number, Numeric, region_of
from s2sad.ir.walk import nodes
from s2sad.operators.algebra import numpy_function
from s2sad.types.checks import read_of
from s2sad.types.plain import BOOL, of_each


def memory_checks(made: Derived, of_numpy: bool) -> Iterator[Check]:
    """Yield what a text asks of how its arguments lie in memory; of NumPy's, whether some share it."""
    yield from _layout_checks(made)
    yield from _different_checks(made)
    if of_numpy:
        yield from _apart_checks(made)


def _layout_checks(made: Derived) -> Iterator[Check]:
    """Yield the checks that arrays lie in one piece, where a view would else be a copy."""
    ready = made.ready
    if ready is None:
        return
    for parameter in ready.function.parameters:
        if parameter.variable in ready.memory.in_rows and not is_container(parameter.type):
            whole = place_of(parameter.variable, made.primal, ready)
            of = whole  # a list or a number has no flags
            if not isinstance(parameter.type, Array):
                of = call(numpy_function("asarray"), whole)
            test = attribute(attribute(of, "flags"), "c_contiguous", Number("bool"))
            yield Check(test, f"made for {expression(whole)}, which has to lie in one piece")


def _different_checks(made: Derived) -> Iterator[Check]:
    """Yield the checks that what is changed in a copy of an argument has one name there.

    A tangent is copied with what it is the tangent of: one that is held twice stays one.
    """
    ready = made.ready
    if ready is None or made.derivation is None:
        return
    for copy, argument in ready.memory.copies.items():
        whole = place_of(argument, made.primal, ready)
        differ = are_different(copy, whole, ready.memory)
        if differ is not None:
            yield Check(differ, f"made for {expression(whole)} of different objects")


def _apart_checks(made: Derived) -> Iterator[Check]:
    """Yield the checks that what is written to is or shares nothing else that is given."""
    given = list(_given(made))
    lists = [each for each in given if not isinstance(each.place.type, Array | Numeric)]
    arrays = [each for each in given if each not in lists]
    for k, mine in enumerate(arrays, 1):
        others = [
            each.place
            for each in (*arrays[k:], *lists)
            if (mine.is_written or each.is_written) and mine.letter == each.letter
        ]
        if others:
            names = " and ".join(map(expression, others))
            message = f"made for {expression(mine.place)} that shares no memory with {names}"
            yield Check(negated(_shares_memory(mine.place, others)), message)
    yield from _own_checks(lists)


def _own_checks(lists: Sequence[_Given]) -> Iterator[Check]:
    """Yield the checks that a list, dict or object that is written to is no other one that is given."""
    for one, other in combinations(lists, 2):
        is_part = other.place in nodes(one.place) or one.place in nodes(other.place)
        if (one.is_written or other.is_written) and one.cls is other.cls and not is_part:
            test = Expr("compare", (one.place, other.place), ("is not",), BOOL)
            yield Check(
                test, f"made for {expression(one.place)} that is not {expression(other.place)}"
            )


def _shares_memory(mine: Expr, others: Sequence[Expr]) -> Expr:
    """Return the test that an array shares memory with one of others, or with one in a list."""

    def shares(other: Expr) -> Expr:
        return call(numpy_function("shares_memory"), mine, other, type_=BOOL)

    is_array = [isinstance(each.type, Array | Numeric) for each in others]
    if is_array == [True]:
        return shares(others[0])
    parts = (
        each if plain else Expr("starred", (each,), "*")
        for each, plain in zip(others, is_array, strict=True)
    )
    domain = others[0] if is_array == [False] else Expr("tuple", tuple(parts))
    return call(global_("any", any), of_each(domain, shares, "generator"), type_=BOOL)


@dataclass(frozen=True, slots=True)
class _Given:
    """What is given and may be written to: where it is, whether it is, the kind of its numbers, its class."""

    place: Expr
    is_written: bool
    letter: str = ""
    cls: type | None = None


def _given(made: Derived) -> Iterator[_Given]:
    """Yield the arrays, lists, dicts and objects that are given to what writes to one."""
    summary, ready = made.primal.function.summary, made.ready
    if summary is None or not summary.writes:
        return
    regions = {**made.context.regions, **made.primal.regions}
    for parameter in made.primal.function.parameters:
        variable, whole = parameter.variable, read_of(parameter)
        leaves_of = [(variable, whole)] if ready is None else places(variable, whole, ready)
        for leaf, place in leaves_of:
            is_written = variable in summary.writes
            if ready is not None and opening_of(leaf, ready.openings) is None:
                is_written = leaf in ready.written
            held = place.type if isinstance(place.type, Array) else item_type(place.type, regions)
            letter = held.dtype[0] if isinstance(held, Array | Numeric) else ""
            region = region_of(place.type, regions)
            if letter or region is not None:
                yield _Given(place, is_written, letter, None if region is None else region.cls)


def refuse_one_array(made: Derived, examples: Mapping[str, Any] | None) -> None:
    """Refuse examples of which an array that is written in place is held twice."""
    for check in _different_checks(made) if examples is not None else ():
        if not eval(expression(check.test), {}, dict(examples or {})):
            raise ArgumentError.refused(
                "two parts of the arguments are one array, and it is written to",
                made.primal.function.span,
                "Give each an array of its own: copy.deepcopy(...).",
            )


def written_paths(primal: Program, ready: Prepared | None) -> frozenset[str]:
    """Return the paths of what a program writes to: `u`, `p.w`, `p['w']`, `p.` for other fields."""
    summary = primal.function.summary
    if summary is None:
        return frozenset()
    if ready is None:
        return frozenset(v.name for v in summary.writes)
    found = set()
    for parameter in primal.function.parameters:
        if parameter.variable in summary.writes:
            for variable, place in places(parameter.variable, read_of(parameter), ready):
                path = expression(place).replace('"', "'")
                if opening_of(variable, ready.openings) is not None:
                    found.add(f"{path}.")
                elif variable in ready.written:
                    found.add(path)
    return frozenset(found)


def places(variable: Variable, whole: Expr, ready: Prepared) -> Iterator[tuple[Variable, Expr]]:
    """Yield a parameter and the parts that it was opened to, each with how it is reached."""
    yield variable, whole
    opening = opening_of(variable, ready.openings)
    if opening is None:
        return
    for key, part in opening.parts.items():
        yield from places(part.data, opening.part(whole, key, part.type), ready)


def place_of(wanted: Variable, primal: Program, ready: Prepared) -> Expr:
    """Return how a parameter, or a part of one, is reached: u, p.w."""
    found = (
        place
        for parameter in primal.function.parameters
        for variable, place in places(parameter.variable, read_of(parameter), ready)
        if variable == wanted
    )
    return next(found)
