"""The lists, dicts and objects of the run: what is in them, by the place that makes them.

xs = []                 Reference(site); site has an item that is nothing yet
xs.append(2.0 * x)      its item is a float
xs[0]                   so this is a float

What is known only grows. Where more comes to be known of a slot than when it was read, lowering
begins again (`Again`); so what is read has the type of all that is ever stored there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from s2sad.ir.expression import Known
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Join,
    Length,
    Number,
    Optional,
    Other,
    Reference,
    Region,
    Regions,
    Sequence,
    Site,
    Tuple,
    Type,
    Unknown,
    types_in,
    with_parts,
)
from s2sad.lowering.unions import can_unite, members_of, union_of
from s2sad.lowering.values import BY_PLACE, NONE, Again, Closure, Demand, is_option
from s2sad.types.assumptions import without_passes

ITEM, KEY, BORN = "item", "key", "born"
# what is read where nothing is stored yet: on no way that has been found is there such a value
UNSET = Unknown(True)
NOWHERE = Number("float64")  # of what no run reads, as nothing is ever put there


@dataclass(slots=True)
class Held:
    """What a slot of memory holds: its type, and its value while all stores agree."""

    type: Type
    known: Known | None = None


@dataclass(slots=True)
class Kept:
    """The memory that one site makes; `is_parameter` tells who made it.

    `born` are the keys that it has from the first; the others may be stored later, or never. What
    `is_open` may hold what nobody is seen to store: of a caller, of a library. A list is
    `of_several_kinds` that is made of numbers and texts, or of whole numbers beside others: [u[0], 2].
    It `may_be_split` into slots, by the displays that make it, where all others make it item by item of such.
    """

    kind: str
    cls: type | None
    slots: dict[Any, Held] = field(default_factory=dict)
    is_parameter: bool = False
    born: frozenset[Any] | None = None
    by_attribute: type | None = None
    is_open: bool = False
    of_several_kinds: bool = False
    of_two_kinds: set[Any] = field(default_factory=set)
    displays: set[Site] = field(default_factory=set)
    may_be_split: bool = True


@dataclass(slots=True)
class Memory:
    """All memory by site. Sites whose references meet are one (`same`)."""

    join: Join
    kept: dict[Site, Kept] = field(default_factory=dict)
    same: dict[Site, Site] = field(default_factory=dict)
    seen: set[tuple[Site, Any]] = field(default_factory=set)
    # the slots that hold functions of a lowering that began again: they are others now
    before: set[tuple[Site, Any]] = field(default_factory=set)

    def begin(self) -> None:
        """Begin a lowering that knows what the one before found."""
        self.seen.clear()
        every = ((s, k, held) for s, kept in self.kept.items() for k, held in kept.slots.items())
        self.before = {(site, key) for site, key, held in every if isinstance(held.type, Code)}

    # ------------------------------------------------------------------ sites

    def find(self, site: Site) -> Site:
        """Return the site that stands for all that a site was put together with."""
        while site in self.same:
            site = self.same[site]
        return site

    def of(self, reference: Reference) -> Kept:
        """Return the memory that a reference refers to."""
        return self.kept[self.find(reference.site)]

    def make(self, site: Site, kind: str, cls: type | None = None) -> Reference:
        """Return a reference to what a site makes: of each class, if it makes objects of several."""
        site = self.find(site)
        kept = self.kept.setdefault(site, Kept(kind, cls))
        if kept.kind == kind and cls in members_of(kept.cls):
            return Reference(site)
        if (kept.kind, _name_of(kept.cls)) != (kind, _name_of(cls)):
            return self.make((*site, kind, _name_of(cls)), kind, cls)  # K(u) for K in (Rod, Beam)
        kept.cls = cls  # a class that is made while lowering is another one in each round
        return Reference(site)

    def list_of(self, site: Site, items: Collection[Type], may_be_split: bool = False) -> Reference:
        """Return a reference to a list that a site makes, of items of some types."""
        made = self.make(site, "list", list)
        self.of(made).may_be_split &= may_be_split
        are_values = all(isinstance(item, Number | Other) for item in items)
        self.of(made).of_several_kinds |= are_values and len(set(map(_kind_of, items))) > 1
        rows = [item.site for item in items if isinstance(item, Reference)]
        self._merge_all(rows if len(rows) == len(items) else [])  # beside arrays they may be both
        for item in items:
            self.store(made, ITEM, item, None)
        return made

    def list_of_slots(self, site: Site, parts: list[Type]) -> Reference:
        """Return a reference to a list that a site makes, with a slot for each part."""
        made = self.make(site, "fields", list)
        self.note_born(made, range(len(parts)))
        for key, part in enumerate(parts):
            self.store(made, key, part, None)
        return made

    def note_born(self, reference: Reference, keys: Iterable[Any]) -> None:
        """Note the keys that memory has from the first, each time when its site makes it."""
        site = self.find(reference.site)
        kept = self.kept[site]
        before, kept.born = kept.born, _in_both(kept.born, frozenset(keys))
        if before != kept.born and (site, BORN) in self.seen:
            raise Again

    def is_certain(self, reference: Reference, key: Any) -> bool:
        """Tell whether memory has a key in every run, as far as is known."""
        site = self.find(reference.site)
        self.seen.add((site, BORN))
        return key in (self.kept[site].born or ())

    def merge(self, a: Site, b: Site) -> None:
        """Have two sites stand for the same memory; begin again."""
        if self.put_together(a, b):
            raise Again

    def _merge_all(self, sites: list[Site]) -> None:
        """Have the rows of a table stand for one memory at once: it is begun again once for all of them."""
        alike = (each for each in sites[1:] if self.can_merge(sites[0], each))
        merged = [self.put_together(sites[0], each) for each in alike]
        if any(merged):
            raise Again

    def unite(self, a: Type, b: Type) -> None:
        """Have the memory of two types stand for the same."""
        match a, b:
            case Reference(), Reference():
                self.put_together(a.site, b.site)
            case Tuple(), Tuple():
                for p, q in zip(a.items, b.items, strict=True):
                    self.unite(p, q)

    def put_together(self, a: Site, b: Site) -> bool:
        """Have two sites stand for the same memory; tell whether they did not."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        first, second = self.kept[a], self.kept.pop(b)
        self.same[b] = a
        if first.cls is not second.cls and can_unite(first.cls, second.cls):
            first.cls = union_of(first.cls, second.cls)
        first.is_parameter |= second.is_parameter
        first.is_open |= second.is_open
        first.may_be_split &= second.may_be_split
        first.displays |= second.displays
        first.born = _in_both(first.born, second.born)
        for key, held in second.slots.items():
            while True:
                try:
                    self._join_slot(first, key, held)
                    break
                except Again:  # what both hold there is one memory by now
                    continue
        for kept in self.kept.values():
            for held in kept.slots.values():
                held.type = self.renamed(held.type)
        return True

    def renamed(self, type_: Type) -> Type:
        """Return a type whose references name the sites that stand for theirs."""
        if isinstance(type_, Reference):
            return Reference(self.find(type_.site))
        return with_parts(type_, self.renamed)

    def can_merge(self, a: Site, b: Site) -> bool:
        """Tell whether two sites make memory of one kind."""
        first, second = self.kept[self.find(a)], self.kept[self.find(b)]
        if first.kind == second.kind == "fields" and first.cls in (list, tuple):
            return first.slots.keys() == second.slots.keys()
        if first.kind == second.kind == "fields" and first.cls is not second.cls:
            is_given = first.is_parameter or second.is_parameter
            return not is_given and can_unite(first.cls, second.cls)
        return (first.kind, first.cls) == (second.kind, second.cls)

    # ------------------------------------------------------------------ slots

    def read(self, reference: Reference, key: Any) -> Held | None:
        """Return what a slot holds; None where nothing is stored there, as far as is known."""
        site = self.find(reference.site)
        self.seen.add((site, key))
        return self.kept[site].slots.get(key)

    def item(self, reference: Reference, key: Any = ITEM) -> Type:
        """Return the type of the items of a list or mapping."""
        held = self.read(reference, key)
        if held is not None:
            return held.type
        return UNKNOWN if self.is_open(reference) else UNSET

    def is_open(self, reference: Reference) -> bool:
        """Tell whether memory may hold what nobody is seen to store."""
        kept = self.of(reference)
        return kept.is_open or kept.is_parameter

    def leave_open(self, type_: Type) -> None:
        """Note that all memory that is reached from a value may hold what nobody is seen to store."""
        for each in self.reached(type_):
            if isinstance(each, Reference) and not self.is_open(each):
                site = self.find(each.site)
                self.kept[site].is_open = True
                if (site, ITEM) in self.seen:
                    raise Again

    def store(self, reference: Reference, key: Any, type_: Type, known: Known | None) -> None:
        """Note what is stored in a slot; of values, only options stay known."""
        type_ = counted(without_passes(type_), known)
        known = known if known is not None and is_option(known.value) else None
        site = self.find(reference.site)
        kept = self.kept[site]
        if (site, key) in self.before:
            self.before.discard((site, key))
            if _is_made_again(kept.slots[key].type, type_):
                kept.slots[key] = Held(type_, known)
                return
        is_new = key not in kept.slots  # those that were gone through were not all
        more = self._join_slot(kept, key, Held(type_, known))
        if more and ((site, key) in self.seen or (is_new and (site, BORN) in self.seen)):
            raise Again

    def _join_slot(self, kept: Kept, key: Any, new: Held) -> bool:
        """Join what is stored into a slot; tell whether more is known than before."""
        old = kept.slots.get(key)
        if old is None:
            kept.slots[key] = new
            return True
        type_ = self.joined(old.type, new.type)
        if _are_of_two_kinds(old.type, new.type):
            kept.of_two_kinds.add(key)
        known = old.known if same_known(old.known, new.known) else None
        is_known = (old.type is UNSET) == (type_ is UNSET)  # that something is stored is news
        if type_ == old.type and is_known and (known is None) == (old.known is None):
            return False
        kept.slots[key] = Held(type_, known)
        return True

    # ------------------------------------------------------------------ types

    def reached(self, type_: Type, seen: set[Site] | None = None) -> Iterator[Type]:
        """Yield a type, and those of all that is reached from a value of it."""
        seen = set() if seen is None else seen
        for each in types_in(type_):
            yield each
            if isinstance(each, Reference) and (site := self.find(each.site)) not in seen:
                seen.add(site)
                for held in list(self.kept[site].slots.values()):
                    yield from self.reached(held.type, seen)

    def joined(self, a: Type, b: Type) -> Type:
        """Return the type of what is one or the other; memory of one kind becomes one memory."""
        if a is UNSET or b is UNSET:
            return b if a is UNSET else a
        if a == b:
            return a
        found = self._joined_references(a, b)
        if found is not None:
            return found
        match a, b:
            case Tuple(), Tuple() if len(a.items) == len(b.items) and a.cls is b.cls:
                pairs = zip(a.items, b.items, strict=True)
                return Tuple(tuple(self.joined(p, q) for p, q in pairs), a.cls)
            case (Tuple(items=()), Sequence(cls=cls) as other) if cls is tuple:
                return other
            case (Sequence(cls=cls) as other, Tuple(items=())) if cls is tuple:
                return other
            case Tuple(), Tuple() if a.cls is b.cls is None:
                if not a.items or not b.items:
                    return self.sequence(a if a.items else b)
                return self.joined(self.sequence(a), self.sequence(b))
            case Tuple(), Sequence(cls=cls) if cls is tuple:
                return self.joined(self.sequence(a), b)
            case Sequence(cls=cls), Tuple() if cls is tuple:
                return self.joined(a, self.sequence(b))
            case Sequence(), Sequence() if a.cls is b.cls:
                return Sequence(self.joined(a.item, b.item), a.cls)
        return self.join(a, b) or UNKNOWN

    def _joined_references(self, a: Type, b: Type) -> Type | None:
        """Return the type of what is one of two references, or one of them or None."""
        optional = isinstance(a, Optional) or isinstance(b, Optional) or NONE in (a, b)
        inner = [t.type if isinstance(t, Optional) else t for t in (a, b) if t != NONE]
        if not inner or not all(isinstance(t, Reference) for t in inner):
            return None
        sites = [t.site for t in inner if isinstance(t, Reference)]
        if len(sites) == 2 and self.find(sites[0]) != self.find(sites[1]):
            if not self.can_merge(*sites):
                self._ask_for_one_kind(*sites)
                return UNKNOWN
            self.merge(*sites)
        found = Reference(self.find(sites[0]))
        return Optional(found) if optional else found

    def _ask_for_one_kind(self, *sites: Site) -> None:
        """Begin again with one kind where one of two dicts has constant keys, or one of two lists slots."""
        both = {self.kept[self.find(site)].kind: self.find(site) for site in sites}
        if both.keys() == {"fields", "list"} and not self.kept[both["list"]].is_parameter:
            raise Demand((BY_PLACE, both["list"]))
        are_dicts = all(self.kept[self.find(site)].cls is dict for site in sites)
        if are_dicts and len(both) > 1 and not self.kept[both["fields"]].is_parameter:
            raise Demand(("keys", both["fields"]))

    def sequence(self, type_: Tuple) -> Sequence:
        """Return a tuple as one of a length that is not known."""
        found: Type | None = None
        for item in type_.items:
            found = item if found is None else self.joined(found, item)
        return Sequence(UNKNOWN if found is None else found, tuple)

    def copy_slots(self, source: Reference, target: Reference, keys: Mapping[Any, Any]) -> None:
        """Note that memory holds under keys what other memory holds: a list that is sliced or copied."""
        if self.is_open(source):
            self.leave_open(target)
        for key, old in keys.items():
            held = self.read(source, old)
            if held is not None:
                self.store(target, key, held.type, held.known)


def counted(type_: Type, known: Known | None) -> Type:
    """Return the type of whole numbers that are known: arrays that they count have known lengths."""
    match type_, None if known is None else known.value:
        case Number("int64", False, None), int() as count if type(count) is int:
            return Number("int64", length=Length((), count))
        case Tuple(items, cls), tuple() as values if len(items) == len(values):
            pairs = zip(items, values, strict=True)
            return Tuple(tuple(counted(item, Known(value)) for item, value in pairs), cls)
    return type_


def _are_of_two_kinds(a: Type, b: Type) -> bool:
    """Tell whether one value is a list, or a number, and the other one something else, as an array is."""
    if {type(a), type(b)} == {Number, Array}:
        return True
    return UNKNOWN not in (a, b) and isinstance(a, Reference) != isinstance(b, Reference)


def _is_made_again(old: Type, new: Type) -> bool:
    """Tell whether two functions are one in two lowerings."""
    if not isinstance(old, Code) or not isinstance(new, Code):
        return False
    closures = isinstance(old.value, Closure) and isinstance(new.value, Closure)
    return closures and old.value.node is new.value.node


def _name_of(cls: type | None) -> str:
    return "" if cls is None else cls.__qualname__


def _in_both(a: frozenset[Any] | None, b: frozenset[Any] | None) -> frozenset[Any] | None:
    return b if a is None else a if b is None else a & b


def same_known(a: Known | None, b: Known | None) -> bool:
    """Tell whether two values are known, and are the same."""
    if a is None or b is None:
        return False
    try:
        return a.value is b.value or (type(a.value) is type(b.value) and bool(a.value == b.value))
    except Exception:  # the user's own ==
        return False


def add_regions(
    memory: Memory,
    regions: Regions,
    options: Mapping[str, Any],
    opened: Collection[Site] = (),
) -> None:
    """Add the memory that an argument or an object of a module refers to.

    Lists of objects of one kind have one item for all, but those in `opened`.
    """
    new = [site for site in regions if memory.find(site) not in memory.kept]
    for site in new:
        memory.kept[site] = _kept(regions[site], options)
    for site in new:
        if site not in opened:
            _unite_items(memory, site)


def _unite_items(memory: Memory, site: Site) -> None:
    """Make a list of objects of one kind a list of one item."""
    kept = memory.kept.get(site)
    if kept is None or kept.kind != "fields" or kept.cls is not list:
        return
    types = [held.type for held in kept.slots.values()]
    if not _are_alike(memory, types):
        return
    item = _of_any_option(types[0])
    for other in types[1:]:
        memory.unite(item, other)
    memory.kept[site] = Kept("list", list, {ITEM: Held(memory.renamed(item))}, True)


def _of_any_option(type_: Type) -> Type:
    """Return the type of a tuple that may hold other flags and texts: another item of its list."""
    if not isinstance(type_, Tuple):
        return type_
    return replace(type_, items=tuple(map(_of_any_option, type_.items)), options=())


def _are_alike(memory: Memory, types: list[Type]) -> bool:
    """Tell whether memory of some types can be put together: references, and tuples of them."""
    first = types[0]
    for other in types[1:]:
        match first, other:
            case Reference(a), Reference(b):
                if not memory.can_merge(a, b):
                    return False
            case Tuple(p), Tuple(q) if len(p) == len(q) and first.cls is other.cls:
                if not all(_are_alike(memory, [x, y]) for x, y in zip(p, q, strict=True)):
                    return False
            case _:
                if memory.join(first, other) is None:
                    return False
    return True


def _kept(region: Region, options: Mapping[str, Any]) -> Kept:
    kept = Kept(region.kind, region.cls, {}, True, by_attribute=region.by_attribute)
    if getattr(region.item, "is_unset", False):  # a list that is empty in the examples
        kept.slots[ITEM] = Held(UNSET)
    elif region.kind in ("list", "mapping") and region.item != UNKNOWN:
        kept.slots[ITEM] = Held(region.item)
        kept.slots[KEY] = Held(region.key)
    for key, type_ in region.fields.items():
        value = options.get(region.path_of(key), _MISSING)
        kept.slots[key] = Held(type_, None if value is _MISSING else Known(value))
    kept.born = frozenset(region.fields)
    return kept


_MISSING = object()


def as_regions(memory: Memory, counts: Mapping[Site, int]) -> dict[Site, Region]:
    """Return the regions of a program; `counts` tell how many items lists of arguments have."""
    return {
        site: replace(_region(site, kept), count=counts.get(site))
        for site, kept in memory.kept.items()
    }


def _region(site: Site, kept: Kept) -> Region:
    item, key = (kept.slots[k].type if k in kept.slots else UNSET for k in (ITEM, KEY))
    if item is UNSET and not (kept.is_open or kept.is_parameter):
        item = NOWHERE
    if kept.kind == "fields":
        fields = {k: held.type for k, held in kept.slots.items()}
        born, of_argument = kept.born or frozenset(), kept.is_parameter
        return Region(
            site, "fields", fields=fields, cls=kept.cls, is_parameter=of_argument, born=born
        )
    return Region(site, kept.kind, item, key, {}, kept.cls, kept.is_parameter)


def _kind_of(type_: Type) -> tuple[type, bool]:
    """Return what the items of a list have in common, but for whole numbers beside other ones."""
    return type(type_), isinstance(type_, Number) and type_.dtype[0] in "iu"
