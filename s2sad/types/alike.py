"""Lists of the examples whose items are alike: a text is made for any number of them.

ps = [Particle(x, m), Particle(y, k)]      ps[-1] is a Particle with an array and a number
rows = [[1.0, 2.0], [3.0]]                 rows[-1] is a list of numbers

What all items have has the last item's path, as with lists of arrays: ps[-1].x.shape[0] is how long x is
where it is equally long in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

from s2sad.ir.records import MISSING, dataclass, replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Length,
    Number,
    Other,
    Reference,
    Region,
    Tuple,
    Type,
)
from s2sad.types.assumptions import Assumptions, Context


def of_items(types: Iterable[Any], path: str, assumed: Assumptions) -> tuple[Length | None, ...]:
    """Return the lengths that arrays have in all items of a list; of items of items none is known."""
    found: list[Length | None] = []
    for axis, lengths in enumerate(zip(*(each.lengths for each in types), strict=True)):
        sizes = {assumed.value(length) for length in lengths if length is not None}
        if len(sizes) != 1 or None in lengths or path.count("[-1]") > 1:
            found.append(None)
        else:
            symbol = f"{path}.shape[{axis}]"
            assumed.of_items.add(symbol)
            found.append(assumed.add(symbol, sizes.pop() or 0))
    return tuple(found)


def unite_items(context: Context, sites: Sequence[str], shared: Set[str]) -> None:
    """Have one kind of item in each list whose items are alike; inner lists come first.

    `shared` are objects that are reached in several ways: their items stay apart.
    """
    for site in sites:
        region = context.regions[site]
        if region.kind == "fields" and region.fields:
            items = list(region.fields.values())
            paths = [f"{site}[{key}]" for key in region.fields]
            try:
                item = _Union(context, shared).of(items, paths, f"{site}[-1]")
            except Differ:
                continue
            context.regions[site] = Region(site, "list", item, cls=list, is_parameter=True)


class Differ(Exception):
    """Items of a list that are not alike."""


@dataclass(frozen=True, slots=True)
class _Union:
    """What several items of a list have in common."""

    context: Context
    shared: Set[str]

    def of(self, types: Sequence[Type], paths: Sequence[str], path: str) -> Type:
        """Return the type of all, which are reached by `paths`, with the lengths of `path`."""
        first = types[0]
        self.note_option(paths, path)
        if len({type(each) for each in types}) > 1:
            raise Differ
        match first:
            case Array(dtype):
                _same(each.dtype for each in types)  # type: ignore[union-attr]
                _same(each.rank for each in types)  # type: ignore[union-attr]
                return Array(dtype, of_items(types, path, self.context.assumptions))
            case Number():
                _same(each.dtype for each in types)  # type: ignore[union-attr]
                boxed = {each.boxed for each in types}  # type: ignore[union-attr]
                return replace(first, length=None, boxed=first.boxed if len(boxed) == 1 else None)
            case Tuple(items):
                _same((each.cls, len(each.items)) for each in types)  # type: ignore[union-attr]
                parts = [(f"[{k}]", [each.items[k] for each in types]) for k in range(len(items))]  # type: ignore[union-attr]
                return replace(first, items=tuple(self.part(k, p, paths, path) for k, p in parts))
            case Reference():
                return self.region(types, paths, path)
            case Code() | Other():
                _same(types)
                return first
        raise Differ

    def part(self, key: str, types: Sequence[Type], paths: Sequence[str], path: str) -> Type:
        """Return the type of a part that each item has."""
        return self.of(types, [each + key for each in paths], path + key)

    def note_option(self, paths: Sequence[str], path: str) -> None:
        """Note a flag, text or None that all items have."""
        values = [self.context.options.get(each, MISSING) for each in paths]
        _same((type(value), value) for value in values)
        if values[0] is not MISSING:
            self.context.options[path] = values[0]

    def region(self, types: Sequence[Any], paths: Sequence[str], path: str) -> Type:
        """Return a reference to what stands for the memory of all items."""
        if any(t.site != p or p in self.shared for t, p in zip(types, paths, strict=True)):
            raise Differ
        regions = [self.context.regions[each] for each in paths]
        _same((each.kind, each.cls, tuple(each.fields), each.by_attribute) for each in regions)
        first = regions[0]
        item: Type = UNKNOWN
        if first.kind == "list":
            held = [(each.item, p) for each, p in zip(regions, paths, strict=True)]
            known = [(type_, p) for type_, p in held if type_ != UNKNOWN]  # others have no item
            if known:
                types, paths_ = zip(*known, strict=True)
                item = self.part("[-1]", types, paths_, path)
            self.note_slots(paths, path)
        fields = {
            key: self.part(_key_of(first, key), [each.fields[key] for each in regions], paths, path)
            for key in first.fields
        }
        self.context.regions[path] = replace(first, site=path, item=item, fields=fields)
        return Reference(path)

    def note_slots(self, paths: Sequence[str], path: str) -> None:
        """Note the items of lists that are equally long, should a function take them one by one."""
        slots = [self.context.by_place[each].fields for each in paths]
        try:
            _same(map(tuple, slots))
            fields = {
                k: self.part(f"[{k}]", [each[k] for each in slots], paths, path) for k in slots[0]
            }
        except Differ:
            return
        self.context.by_place[path] = Region(
            path, "fields", fields=fields, cls=list, is_parameter=True
        )


def _key_of(region: Region, key: Any) -> str:
    """Return how a field or an entry is reached from what holds it: .x, [0]."""
    return region.path_of(key).removeprefix(str(region.site))


def _same(values: Any) -> None:
    """Raise Differ unless all values are equal."""
    first, *others = values
    if any(each != first for each in others):
        raise Differ
