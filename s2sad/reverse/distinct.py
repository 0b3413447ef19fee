"""Which whole numbers are all different, and how small they may be: what an index names once.

np.arange(2 * e, 2 * e + 4)     different, none below 0        e counts the passes of a loop
[2 * e, 2 * e + 1] + n          so are these
np.setdiff1d(every, fixed)      different, none below the least of `every`
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from s2sad.analysis.containers import is_container
from s2sad.analysis.linear import Linear, linear
from s2sad.ir.expression import Expr, Variable, calls, index_parts, positional
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import read_variables
from s2sad.operators.guards import is_mask, is_none, spelled
from s2sad.operators.slopes import is_vector
from s2sad.operators.table import calls_one
from s2sad.reverse.world import World

# what gives positions, which are counted from 0
FROM_0 = ("distinct", "distinct_of_vector", "distinct_each", "distinct_together")


def are_distinct(part: Expr, world: World) -> bool:
    """Tell whether no two positions of an array or a list name the same element of an axis.

    Negative ones count from the end: with others they may name the same element.
    """
    if not differ(part, world):
        return False
    items = _items(defined(part, world))
    literals = [spelled(item) for item in items or ()]
    are_all_from_the_end = bool(literals) and all((n or 0) < 0 for n in literals)
    return are_all_from_the_end or is_from(part, 0, world)


def origin(part: Expr, world: World) -> tuple[Expr, int | None]:
    """Return what computes a part of an index; and which one of its results the part is."""
    made = defined(part, world)
    if made.op == "name" and made.data in world.unpacked and world.memory.is_steady(made.data):
        let, place = world.unpacked[made.data]
        return defined(let.value, world), place
    at = spelled(made.args[1]) if made.op == "subscript" else None
    return (defined(made.args[0], world), at) if isinstance(at, int) else (made, None)


def defined(part: Expr, world: World) -> Expr:
    """Return what a name stands for, as far as that is known."""
    while part.op == "name":
        if part.data in world.named:
            part = world.named[part.data]
        elif part.data in world.definitions and world.memory.is_steady(part.data):
            part = world.definitions[part.data].value
        else:
            break
    return part


def gives(made: Expr, trait: str) -> bool:
    """Tell whether an expression calls a function of a trait; np.where of a test alone."""
    is_choice = calls(made, np.where) and len(made.args) > 2
    return not is_choice and calls_one(made, trait)


# ---------------------------------------------------------------------------- different numbers


def differ(part: Expr, world: World) -> bool:
    """Tell whether all whole numbers of an array or a list are different."""
    if _is_taken_for_different(defined(part, world), world):
        return True
    made, place = origin(part, world)
    if place is not None:
        of_vector = gives(made, "distinct_together") and _is_of_vector(made)
        return of_vector or gives(made, "distinct_each")
    items = _items(made)
    if items is not None:
        return _are_apart(items, world)
    if made.op == "comprehension":
        gone = _gone_through(made)
        return gone is not None and differ(gone[0], world)
    if _is_set(made):
        return True
    if made.op == "binary":
        return _differ_moved(made, world)
    if made.op == "subscript":
        return _takes_once(made.args[1], world) and differ(made.args[0], world)
    if calls(made, np.random.permutation):
        return isinstance(made.args[1].type, Number)
    if calls(made, np.arange) or calls(made, range):
        return _is_by_whole_steps(made)
    if gives(made, "distinct_numbers"):
        return not made.data and len(made.args) <= 3 and is_vector(made)
    if calls(made, list) or calls(made, sorted) or gives(made, "subset"):
        is_whole = getattr(made.type, "dtype", "int64") == "int64"
        return is_whole and len(made.args) > 1 and differ(made.args[1], world)
    return gives(made, "distinct") or (gives(made, "distinct_of_vector") and _is_of_vector(made))


def _is_taken_for_different(made: Expr, world: World) -> bool:
    """Tell whether positions are those of an argument that are asked to differ: free, conn[e], edges[:, 0]."""
    rank = made.type.rank if isinstance(made.type, Array) else None
    if made.op == "name" and rank == 1:
        return _is_asked(made, 0, world)
    if made.op == "subscript" and is_container(made.type):  # (i, j) of a list of such
        return _is_asked(made.args[0], 1, world)
    if made.op != "subscript" or rank != 1:
        return False
    base, axes = made.args[0], _axes_of_part(made)
    left = [k for k, each in enumerate(axes) if each is None or each.op == "slice"]
    return len(left) == 1 and _is_asked(base, left[0], world)


def _is_asked(argument: Expr, axis: int, world: World) -> bool:
    """Tell whether an argument is asked to hold different positions along an axis."""
    if argument.op != "name" or (str(argument.data), axis) not in world.different:
        return False
    uses = world.memory.uses
    return argument.data in uses.parameters and world.memory.is_steady(argument.data)


def _axes_of_part(made: Expr) -> Sequence[Expr | None]:
    """Return the numbers and slices of a subscript for each axis of its base, None for what it leaves."""
    parts, type_ = index_parts(made.args[1]), made.args[0].type
    rank = type_.rank if isinstance(type_, Array) else 0
    if not all(part.op == "slice" or isinstance(part.type, Number) for part in parts):
        return ()
    return (*parts, *(None for _ in range(rank - len(parts))))


def _items(made: Expr) -> Sequence[Expr] | None:
    """Return the numbers that are written out: [k, k + 1], np.array([k, k + 1])."""
    if calls(made, np.array) or calls(made, np.asarray):
        made = made.args[1] if len(made.args) > 1 else made
    return made.args if made.op in ("list", "tuple") else None


def _gone_through(made: Expr) -> tuple[Expr, int, int] | None:
    """Return what a list goes through, and 2 and 1 of [2 * i + 1 for i in r]; None for another one."""
    item, *generators = made.args
    if made.data != "list" or len(generators) != 1:
        return None
    found = _linear(item)
    if found is None or len(found.terms) != 1:
        return None
    ((through, factor),) = found.terms
    is_name = isinstance(through, Expr) and through.data == generators[0].data
    return (generators[0].args[0], factor, found.offset) if is_name else None


def _is_set(made: Expr) -> bool:
    """Tell whether an expression makes a set of others: set(r), set(r) - set(s)."""
    if made.op == "binary" and made.data in ("-", "&", "|"):
        return all(map(_is_set, made.args))
    return calls(made, set)


def _differ_moved(made: Expr, world: World) -> bool:
    """Tell whether numbers that differ still do when one is added to all, or all are multiplied."""
    for part, other in (made.args, made.args[::-1]):
        if isinstance(other.type, Number) and isinstance(part.type, Array):
            is_kept = made.data in ("+", "-") or (made.data == "*" and bool(spelled(other)))
            are_whole = other.type.dtype == part.type.dtype == "int64"
            return is_kept and are_whole and differ(part, world)
    return False


def _takes_once(index: Expr, world: World) -> bool:
    """Tell whether a subscript takes no element twice: r[1:], r[:, None], r[mask], r[order]."""
    return all(
        is_none(part) or part.op == "slice" or is_mask(part) or are_distinct(part, world)
        for part in index_parts(index)
    )


def _is_by_whole_steps(made: Expr) -> bool:
    """Tell whether a range gives whole numbers that differ: a dtype may cut off several to one."""
    given = positional(made)
    by = spelled(given[2]) if len(given) > 2 else 1
    of_whole = calls(made, range) or getattr(made.type, "dtype", "") == "int64"
    return of_whole and isinstance(by, int) and by != 0 and not set(made.data) - {"dtype"}


def _is_of_vector(made: Expr) -> bool:
    """Tell whether the first operand of a call has one axis."""
    return len(made.args) > 1 and is_vector(made.args[1])


def _are_apart(items: Sequence[Expr], world: World) -> bool:
    """Tell whether numbers that are written out differ by literals: [0, 2], [2 * k, 2 * k + 1]."""
    sums = [each for item in items if (each := _linear(item)) is not None]
    if not sums or len(sums) < len(list(items)):
        return False
    if any(each.terms != sums[0].terms for each in sums):
        return _are_in_blocks(sums, world)
    return len({each.offset for each in sums}) == len(sums)


def _are_in_blocks(sums: Sequence[Linear], world: World) -> bool:
    """Tell whether numbers lie in blocks apart: [2 * i, 2 * i + 1, 2 * j, 2 * j + 1] of i, j = conn[e]."""
    if any(len(each.terms) != 1 for each in sums):
        return False
    bases, places = [each.terms[0] for each in sums], [each.offset for each in sums]
    size = bases[0][1]
    are_alike = all(factor == size for _, factor in bases) and all(0 <= p < size for p in places)
    are_apart = len({*zip(bases, places, strict=True)}) == len(bases)
    rows = {base: _in_row(base, world) for base, _ in bases if isinstance(base, Expr)}
    return are_alike and are_apart and _are_of_one_row(list(rows.values()), world)


def _in_row(base: Expr, world: World) -> tuple[Expr, int] | None:
    """Return the positions that a number is one of, and its place: conn[e] and 0 of conn[e, 0]."""
    made = defined(base, world)
    if made.op != "subscript":
        return None
    *rest, last = index_parts(made.args[1])
    place, of = spelled(last), defined(made.args[0], world)
    if not isinstance(place, int) or place < 0:
        return None
    if not rest:
        return of, place
    other = rest[0] if len(rest) == 1 and isinstance(rest[0].type, Number) else None
    is_table = isinstance(of.type, Array) and of.type.rank == 2
    if other is None or not is_table:
        return None
    return made.with_args((of, other)).typed(of.type.row), place  # type: ignore[union-attr]


def _are_of_one_row(found: Sequence[tuple[Expr, int] | None], world: World) -> bool:
    """Tell whether numbers are at several places of one row of positions that differ."""
    known = [each for each in found if each is not None]
    rows, places = {row for row, _ in known}, {place for _, place in known}
    if len(rows) != 1 or not len(places) == len(known) == len(found):
        return False
    (row,) = rows
    return differ(row, world) and all(_is_one_value(v, world) for v in read_variables(row))


def _is_one_value(variable: Variable, world: World) -> bool:
    """Tell whether a variable is the same at all places of a pass."""
    is_counter = variable in world.reads.counters
    if is_counter and world.memory.uses.is_bound_at_one_place(variable):
        return True
    return world.memory.is_steady(variable)


def _linear(item: Expr) -> Linear | None:
    """Return a whole number as a sum of multiples of names and parts, and a literal: 2 * k + 1."""
    return linear(item, lambda leaf: leaf if _is_whole(leaf) else None)


def _is_whole(leaf: Expr) -> bool:
    is_int = isinstance(leaf.type, Number) and leaf.type.dtype == "int64"
    return leaf.op in ("name", "subscript") and is_int


# ---------------------------------------------------------------------------- no less than


def is_from(part: Expr, least: int, world: World) -> bool:
    """Tell whether no whole number of a value is less than another."""
    found = smallest(part, world)
    return found is not None and found >= least


def smallest(part: Expr, world: World) -> int | None:
    """Return what no whole number of a value is less than; None where nothing is known."""
    number = spelled(part)
    if type(number) is int:
        return number
    if _is_of_asked(defined(part, world), world):
        return 0
    made, place = origin(part, world)
    items = _items(made)
    if any(gives(made, each) for each in FROM_0) or _is_of_asked(made, world):
        return 0
    if place is not None:
        return None
    if items is not None:
        return _least_of(items, world)
    if made.op == "name":
        return counts_from(made.data, world)
    if made.op == "comprehension":
        return _least_gone_through(made, world)
    if made.op == "binary":
        return _least_of_two(made, world)
    if made.op == "subscript" and isinstance(made.type, Array):
        return smallest(made.args[0], world)
    return _least_of_call(made, world) if made.op == "call" else None


def _is_of_asked(made: Expr, world: World) -> bool:
    """Tell whether a value is an argument of positions that are asked for, or a part of one."""
    while made.op == "subscript":
        made = made.args[0]
    return any(_is_asked(made, axis, world) for axis in range(2))


def _least_of(items: Iterable[Expr], world: World) -> int | None:
    found = [smallest(item, world) for item in items]
    known = [each for each in found if each is not None]
    return min(known) if known and len(known) == len(found) else None


def _least_gone_through(made: Expr, world: World) -> int | None:
    gone = _gone_through(made)
    least = None if gone is None else smallest(gone[0], world)
    return None if gone is None or least is None or gone[1] < 0 else gone[1] * least + gone[2]


def _least_of_two(made: Expr, world: World) -> int | None:
    """Return the least that a sum, a difference or a product of whole numbers, or a set, may be."""
    if _is_set(made):
        return _least_of(made.args[: 1 + (made.data == "|")], world)
    left, right = (smallest(arg, world) for arg in made.args)
    by = spelled(made.args[1])
    if left is None or right is None:
        return None
    match made.data:
        case "+":
            return left + right
        case "-" if by is not None:
            return left - right
        case "*" if left >= 0 and right >= 0:
            return left * right
    return None


def _least_of_call(made: Expr, world: World) -> int | None:
    """Return the least of what a call gives: a length, a range, some numbers of an argument."""
    given = positional(made)
    if calls(made, np.arange) or calls(made, range):
        return _start_of_range(given, world)
    if calls(made, len):
        return 0
    if any(calls(made, each) for each in (list, sorted, set)) or gives(made, "subset"):
        return smallest(given[0], world) if given else None
    return _least_of(given, world) if gives(made, "distinct_numbers") else None


def _start_of_range(bounds: Sequence[Expr], world: World) -> int | None:
    """Return the least number of a range: its start, or what lies before its end."""
    by = spelled(bounds[2]) if len(bounds) > 2 else 1
    if not isinstance(by, int) or by == 0 or not bounds:
        return None
    if by > 0:
        return smallest(bounds[0], world) if len(bounds) > 1 else 0
    stop = smallest(bounds[1], world)
    return None if stop is None else stop + 1


def counts_from(counter: Variable, world: World) -> int | None:
    """Return the least number that a loop counts from, None where it does not, or that is not known."""
    domain = world.reads.counters.get(counter)
    if domain is None or not world.memory.uses.is_bound_at_one_place(counter):
        return None
    if calls(domain, reversed) and len(domain.args) == 2:
        domain = domain.args[1]
    return _start_of_range(positional(domain), world) if calls(domain, range) else None
