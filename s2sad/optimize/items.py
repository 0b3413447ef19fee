"""The items that a pass of a loop over positions takes, and what the loop goes over for them.

for k in range(len(xs) - 1):      takes: x of xs, and W of ps, a part of its items
    x = xs[k]
    W = ps[k][0]                  gone over: xs[:-1], ps[:-1], to x and (W, _)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from s2sad.analysis.loops import known_length
from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    call,
    calls,
    constant,
    global_,
    name,
    positional,
)
from s2sad.ir.program import Block, For, Function, Let, Program, RegionOp, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import UNKNOWN, Array, Number, Reference, Tuple, Type
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import nodes, read_counts, statements
from s2sad.operators.guards import is_written_out
from s2sad.optimize.memory import Memory, changes

UNREAD = Variable("_")
HOLDERS = ("name", "global")  # of items: what a function binds, and constants of its module
# of each list that is counted: what it is called, and how many items fewer are gone through
Counts = Mapping[Any, tuple[Expr, int]]


@dataclass(frozen=True, slots=True)
class Take:
    """A statement `target = base[k]` of a loop's body, with what stands before it.

    Of `target = base[k][1]` the `part` is 1 of as many as the item `has`.
    """

    let: Let
    base: Expr
    before: Block
    part: int | None = None
    has: int = 0

    @property
    def target(self) -> Any:
        """Return what the whole item is taken apart to."""
        if self.part is None:
            return self.let.target
        return tuple(self.let.target if k == self.part else UNREAD for k in range(self.has))


def steady_lists(function: Function, program: Program) -> frozenset[Type]:
    """Return the types of lists, and of their shadows, that hold the same items all the time.

    Rows that are lists themselves are taken apart where they are: W, b = layers[k].
    """
    changed: set[Type] = set()
    for each in statements(function.body):
        match each:
            case RegionOp(base=base):
                changed.add(base.type)
            case Store(Expr("subscript", (base, _)) as item, op):
                if op == "=" or not isinstance(item.type, Array):  # else it is the same array
                    changed.add(base.type)
            case Let(value=value, effect=effect) if not effect.is_pure:
                changed |= {node.type for node in nodes(value)}
    regions = program.regions
    memory = {Reference(site) for site, each in regions.items() if each.kind in ("fields", "list")}
    lists = {
        Reference(site)
        for site, each in regions.items()
        if each.kind == "list" and each.cls in (None, list)
        if isinstance(each.item, Array | Tuple | Number) or each.item in memory
    }
    return frozenset(lists - changed)


def filled_before(loop: For, position: Variable, memory: Memory) -> frozenset[Type]:
    """Return the types of lists that hold the same items as long as a loop over them runs."""
    bases = [take.base for take in takes_in(loop.body, position) if take.base.op == "name"]
    if not any(isinstance(base.type, Reference) for base in bases):
        return frozenset()
    changed = changes((loop,), memory)
    steady = {base.type for base in bases if memory.content(base.data) not in changed}
    return frozenset(
        type_
        for type_ in steady - {base.type for base in bases if memory.content(base.data) in changed}
        if isinstance(type_, Reference) and memory.regions[type_.site].kind == "list"
    )


def takes_in(body: Block, position: Variable) -> Iterator[Take]:
    """Yield the statements of a body that only take an item at the position."""
    at = name(position)
    for place, each in enumerate(body):
        if not isinstance(each, Let) or each.value.op != "subscript" or each.spelled != "=":
            continue
        item, part, has = each.value, None, 0
        whole = item.args[0]
        if whole.op == "subscript" and isinstance(whole.type, Tuple):
            part, item, has = literal_position(item.args[1]), whole, len(whole.type.items)
            if part is None or not 0 <= part < has:
                continue
        base, key = item.args
        if (base.op in HOLDERS or is_written_out(base)) and key.op == at.op and key.data == at.data:
            yield Take(each, base, body[:place], part, has)


def _is_part_of(statement: Statement, item: Variable) -> bool:
    match statement:
        case Let(value=Expr("subscript", (Expr("name", data=whole), at))):
            return whole == item and literal_position(at) is not None
    return False


def with_parts(loop: For, lists: frozenset[Type]) -> For:
    """Return a loop that takes parts of items at once: W = p[k][0] for item = p[k]; W = item[0]."""
    assert isinstance(loop.target, Variable)
    reads = read_counts(loop.body)
    gone: set[int] = set()
    parts: dict[Variable, Expr] = {}
    for take in takes_in(loop.body, loop.target):
        item, value = take.let.target, take.let.value
        if isinstance(item, Variable) and isinstance(value.type, Tuple) and take.base.type in lists:
            taken = [each for each in loop.body if _is_part_of(each, item)]
            if taken and len(taken) == reads[item]:
                gone.add(id(take.let))
                parts[item] = value

    def change(each: Statement) -> Statement:
        if isinstance(each, Let) and each.value.op == "subscript":
            item, place = each.value.args
            if item.op == "name" and item.data in parts:
                return replace(each, value=each.value.with_args((parts[item.data], place)))
        return each

    body = tuple(change(each) for each in loop.body if id(each) not in gone)
    return replace(loop, body=body) if gone else loop


def by_item(takes: Sequence[Take]) -> list[tuple[Expr, Any]] | None:
    """Return each base with what its items are taken apart to: W, b of W = p[k][0]; b = p[k][1].

    None where a part has two names.
    """
    found: list[tuple[Expr, Any]] = []
    for take in takes:
        place = next((k for k, (base, _) in enumerate(found) if base == take.base), None)
        if take.part is None or place is None or not isinstance(found[place][1], tuple):
            found.append((take.base, take.target))
            continue
        parts = found[place][1]
        if len(parts) != take.has or parts[take.part] != UNREAD:
            return None
        merged = tuple(t if p == UNREAD else p for p, t in zip(parts, take.target, strict=True))
        found[place] = take.base, merged
    return found


def counts_of(domain: Expr) -> Counts:
    """Return xs, and how many less than its items are counted, of range(len(xs) - 1) or of a min of them."""
    if not calls(domain, range) or len(positional(domain)) != 1:
        return {}
    (count,) = positional(domain)
    several = positional(count) if calls(count, min) else (count,)
    found = [_count(each) for each in several]
    if None in found:
        return {}
    counts = {holder_of(each[0]): each for each in found if each is not None}
    return counts if len(counts) == len(several) else {}


def _count(count: Expr) -> tuple[Expr, int] | None:
    """Return xs and 1 of len(xs) - 1."""
    less = 0
    if count.op == "binary" and count.data == "-" and count.args[1].op == "constant":
        count, taken = count.args
        if type(taken.data) is not int or taken.data < 1:
            return None
        less = taken.data
    if not calls(count, len) or len(positional(count)) != 1:
        return None
    (whole,) = positional(count)
    return (whole, less) if whole.op in HOLDERS or is_written_out(whole) else None


def holder_of(base: Expr) -> Any:
    """Return what items are taken of: a variable, a global, or a tuple that stands there."""
    return base.data if base.op in HOLDERS else base


def gone_over(
    bases: Sequence[Expr], counts: Counts, is_reversed: bool, lists: frozenset[Type]
) -> list[Expr] | None:
    """Return the domains of a loop over the items of some bases, None where they may differ in length."""
    if len(counts) > 1:  # as many as the shortest has: zip stops there, too
        if is_reversed or set(map(holder_of, bases)) != counts.keys():
            return None
        if not all(base.type in lists or _is_fixed(base, counts) for base in bases):
            return None
        return [_without_last(base, counts[holder_of(base)][1]) for base in bases]
    ((whole, less),) = counts.values()
    is_slice = less > 0
    if is_slice and not all(base.type in lists for base in bases):
        return None
    if not all(_has_length(base, whole, lists) for base in bases):
        return None
    parts = [_without_last(base, less) for base in bases]
    return [backwards(each) for each in parts] if is_reversed else parts


def _is_fixed(base: Expr, counts: Counts) -> bool:
    """Tell whether a value is an array or a constant of the module, which a loop goes over as a whole."""
    is_whole = counts[holder_of(base)][1] == 0
    return is_whole and (base.op == "global" or isinstance(base.type, Array | Tuple))


def _without_last(base: Expr, less: int) -> Expr:
    """Return a list without its last items."""
    if not less:
        return base
    last = Expr("slice", (constant(None), constant(-less), constant(None)))
    return Expr("subscript", (base, last), None, base.type)


def _has_length(base: Expr, other: Expr, lists: frozenset[Type]) -> bool:
    """Tell whether an array, a tuple or its shadow surely is as long as what the positions were of."""
    if base == other and is_written_out(base):
        return True
    if not {base.op, other.op}.isdisjoint(("global", "tuple", "list")):
        return known_length(base) == known_length(other) is not None
    if isinstance(other.type, Tuple) or other.type in lists:
        return _is_as_long(base.data, other.data)
    of = known_length(base)
    return of is not None and (base.data == other.data or of == known_length(other))


def _is_as_long(one: Variable, other: Variable) -> bool:
    """Tell whether a list is another one, or its shadow, or both are of parts of the items of one list."""
    primals = [v.of if v.role is Role.ADJOINT else v for v in (one, other)]
    wholes = {v.of if v is not None and v.role is Role.PRIMAL else None for v in primals}
    return primals[0] == primals[1] or (len(wholes) == 1 and None not in wholes)


def backwards(base: Expr) -> Expr:
    return call(global_("reversed", reversed), base, type_=SequenceType(UNKNOWN, reversed))


def together(domains: Sequence[Expr]) -> Expr:
    if len(domains) == 1:
        return domains[0]
    return call(global_("zip", zip), *domains, type_=SequenceType(UNKNOWN, zip))
