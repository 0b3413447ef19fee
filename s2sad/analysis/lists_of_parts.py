"""Lists of tuples, and of objects that nobody writes to, become a list for each of the parts.

lenses = []                          lenses_z, lenses_c = [], []
for z, c in zip(zs, cs):             for z, c in zip(zs, cs):
    lenses.append(Lens(z, c))            lenses_z.append(z)
                                         lenses_c.append(c)
for lens in lenses:                  for z, c in zip(lenses_z, lenses_c):
    y += (lens.z - y) * lens.c           y += (z - y) * c

Parts that do not vary have no shadow then. A list that is handed on, returned, or changed otherwise
than by `append` stays, and so do lists whose objects are compared or handed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterator, Mapping

from s2sad.analysis.fields import MISSING, entries, field_of, word_of
from s2sad.analysis.tuples import as_display, literal_position
from s2sad.ir.expression import Expr, Role, Variable, attribute, calls, constant, name, subscript
from s2sad.ir.program import Block, Function, Let, Program, RegionOp, Statement, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Reference, Region, Regions, Site, Tuple, Type, region_of, types_in
from s2sad.ir.walk import (
    bind_counts,
    expressions,
    nodes_in,
    read_counts,
    rebuilt,
    rewritten,
    statements,
    with_expressions,
)

Keys = tuple[Hashable, ...]


def with_regions_of_parts(program: Program) -> Program:
    """Return a program that knows what lists of parts would hold, of each list that has parts."""
    regions = program.regions
    made = {}
    for site, region in regions.items():
        if _is_list_of_parts(region, regions):
            for key, type_ in _typed_parts(region.item, regions):
                of_part = _site(Reference(site), key)
                made[of_part] = replace(region, site=of_part, item=type_)
    return replace(program, regions={**regions, **made}) if made else program


def _site(of: Type, key: Hashable) -> Site:
    """Return where the list of a part of what a list holds is made."""
    assert isinstance(of, Reference)
    return "part", of.site, key


def _is_list_of_parts(region: Region, regions: Regions) -> bool:
    """Tell whether a region is a list of tuples, or of objects with fields, made by the function."""
    is_own = region.kind == "list" and not region.is_parameter
    return is_own and bool(_typed_parts(region.item, regions))


def _typed_parts(item: Type, regions: Regions) -> tuple[tuple[Hashable, Type], ...]:
    """Return the keys of the parts of what a list holds, with their types; none if it has no parts."""
    if isinstance(item, Tuple):
        return () if item.cls is list else tuple(enumerate(item.items))
    region = region_of(item, regions)
    if region is None or region.kind != "fields" or region.is_parameter:
        return ()
    return () if region.cls in (list, tuple) else tuple(region.fields.items())


def with_lists_of_parts(function: Function, regions: Regions) -> Function:
    """Return a function with a list of each part in the place of lists of tuples and of objects."""
    lists = {
        site: region.item for site, region in regions.items() if _is_list_of_parts(region, regions)
    }
    if not lists:
        return function
    bound = _bound(function, lists)
    found = _candidates(function, lists, bound.whole, regions)
    if not found:
        return function
    apart = _Apart(found, Fresh.of(function), bound)
    return replace(function, body=rewritten(function.body, apart.statement))


# ---------------------------------------------------------------------------- which ones


@dataclass(frozen=True, slots=True)
class _Item:
    """What a list holds: tuples or objects, with the keys of their parts and the types of these.

    `display` is what makes one; its parts are not read.
    """

    keys: Keys
    types: tuple[Type, ...]
    display: Expr

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        """Return what makes an item of such parts."""
        if self.display.op != "dict":
            return self.display.with_args(parts)
        pairs = zip(self.display.args, parts, strict=True)
        return self.display.with_args(pair.with_args((pair.args[0], part)) for pair, part in pairs)


def _candidates(
    function: Function, lists: Mapping[Site, Type], whole: frozenset[Site], regions: Regions
) -> Mapping[Site, _Item]:
    """Return the lists that can be taken apart, by where they are made, with what they hold."""
    displays = _displays(function, regions)
    held = {item.site for item in lists.values() if isinstance(item, Reference)}
    uses = _Uses(lists, frozenset(held), regions)
    refused = {*whole, *uses.elsewhere()}
    refused |= {s for p in function.parameters for s in uses.mentioned(p.type)}
    for statement in statements(function.body):
        refused |= set(uses.other(statement))
    items: dict[Site, _Item] = {}
    for site, item in lists.items():
        made = _item(item, displays, regions)
        inner = {item.site} if isinstance(item, Reference) else set()
        if made is not None and refused.isdisjoint({site, *inner}):
            items[site] = made
    kept = {lists[site] for site in lists.keys() - items.keys()}
    return {site: made for site, made in items.items() if _is_alone(lists[site], kept)}


def _is_alone(item: Type, kept: set[Type]) -> bool:
    """Tell whether no list that stays holds the objects that a list holds."""
    return isinstance(item, Tuple) or item not in kept


def _displays(function: Function, regions: Regions) -> Mapping[Site, Expr | None]:
    """Return what makes the objects of each site; None where they are made with several keys."""
    found: dict[Site, Expr | None] = {}
    for node in nodes_in(function.body):
        if node.op not in ("record", "dict") or not isinstance(node.type, Reference):
            continue
        site = node.type.site
        known = found.setdefault(site, node)
        if (
            known is None
            or _keys_of(node) != _keys_of(known)
            or set(_keys_of(node)) != set(regions[site].fields)
        ):
            found[site] = None
    return found


def _keys_of(display: Expr) -> Keys:
    return tuple(key for key, _ in entries(display))


def _item(item: Type, displays: Mapping[Site, Expr | None], regions: Regions) -> _Item | None:
    """Return the parts of what a list holds, None where what makes it is not known."""
    if isinstance(item, Tuple):
        return _Item(tuple(range(len(item.items))), item.items, Expr("tuple", (), None, item))
    assert isinstance(item, Reference)
    display = displays.get(item.site)
    if display is None or MISSING in _keys_of(display):
        return None
    fields = regions[item.site].fields
    return _Item(_keys_of(display), tuple(fields[key] for key in _keys_of(display)), display)


def _site_of(type_: Type) -> Site | None:
    """Return where memory is made that a value of a type refers to."""
    return type_.site if isinstance(type_, Reference) else None


def _place_in(part: Expr) -> int | None:
    """Return which part of a tuple an expression is, where that is known before the text runs."""
    if part.op == "subscript":
        return literal_position(part.args[1])
    fields: tuple[str, ...] = getattr(getattr(part.args[0].type, "cls", None), "_fields", ())
    return fields.index(part.data) if part.data in fields else None


@dataclass(frozen=True, slots=True)
class _Bound:
    """The variables that items of lists of tuples are bound to, and what is read of them.

    Of `pair = pairs[k]; a = pair[0]` the word of the first part is a, and pair is `unpacked`: nothing
    else is read of it. What is read `whole` is in the lists of these sites.
    """

    words: Mapping[tuple[Site, Hashable], str]
    unpacked: frozenset[Variable]
    whole: frozenset[Site]


def _bound(function: Function, lists: Container[Site | None]) -> _Bound:
    """Return what items of lists of tuples are bound to."""
    found: dict[Variable, Site] = {}
    words: dict[tuple[Site, Hashable], str] = {}
    unpackings: Counter[Variable] = Counter()
    for let in (s for s in statements(function.body) if isinstance(s, Let)):
        value, target = let.value, let.target
        if value.op != "subscript" or not isinstance(target, Variable):
            continue
        base, index = value.args
        if isinstance(value.type, Tuple) and (site := _site_of(base.type)) in lists:
            found[target] = site
        elif base.op == "name" and base.data in found:
            words.setdefault((found[base.data], literal_position(index)), target.name)
            unpackings[base.data] += 1
    reads, often = read_counts(function.body), bind_counts(function.body)
    parts = Counter(
        node.args[0].data
        for node in nodes_in(function.body)
        if node.op in ("attribute", "subscript") and node.args[0].op == "name"
        if _place_in(node) is not None
    )
    whole = frozenset(site for v, site in found.items() if parts[v] != reads[v])
    unpacked = (v for v in found if unpackings[v] == reads[v] and often[v] == 1)
    return _Bound(words, frozenset(unpacked), whole)


@dataclass(frozen=True, slots=True)
class _Uses:
    """What statements do with lists and with the objects that these hold."""

    lists: Mapping[Site, Type]
    held: frozenset[Site]
    regions: Regions

    def mentioned(self, type_: Type) -> Iterator[Site]:
        """Yield the lists and objects that a value of a type is, or holds."""
        for each in types_in(type_):
            if (site := _site_of(each)) in self.lists or site in self.held:
                yield site

    def elsewhere(self) -> Iterator[Site]:
        """Yield the lists and objects that another container holds, or a list in its tuples."""
        for site, region in self.regions.items():
            held = [region.key, *region.fields.values()]
            if site not in self.lists:
                held.append(region.item)
            elif isinstance(region.item, Tuple):
                held += region.item.items
            for type_ in held:
                yield from self.mentioned(type_)

    def is_list(self, expr: Expr) -> bool:
        """Tell whether an expression is the name of one of the lists."""
        return expr.op == "name" and _site_of(expr.type) in self.lists

    def is_object(self, expr: Expr) -> bool:
        return _site_of(expr.type) in self.held

    def other(self, statement: Statement) -> Iterator[Site]:
        """Yield the lists and objects that a statement uses otherwise than parts can stand for."""
        match statement:
            case Let(target=Variable(), value=value):
                yield from self.bound_to(value)
            case RegionOp(None, base, "append", (item,)) if self.is_list(base):
                yield from self.put(item, base)
            case Store(target=Expr("attribute" | "subscript", (base, *_))) if self.is_mine(base):
                yield from self.mentioned(base.type)
            case _:
                for expr in expressions(statement):
                    yield from self.within(expr)

    def bound_to(self, value: Expr) -> Iterator[Site]:
        """Yield what is used otherwise in what is bound to a name."""
        mine = _site_of(value.type)
        if value.op == "name":
            if mine not in self.lists and mine not in self.held:
                yield from self.mentioned(value.type)
        elif value.op == "list" and mine in self.lists:
            for item in value.args:
                yield from self.put(item, value)
        elif value.op in ("record", "dict") and mine in self.held:
            for arg in value.args:
                yield from self.within(arg)
        elif self.is_item(value):
            yield from self.within(value.args[1])
        else:
            yield from self.within(value)

    def put(self, item: Expr, base: Expr) -> Iterator[Site]:
        """Yield what is used otherwise where an item is put into a list."""
        item = as_display(item) or item
        is_tuple = isinstance(item.type, Tuple) and item.op in ("tuple", "name")
        is_object = self.is_object(item) and item.op == "name"
        assert isinstance(base.type, Reference)
        if item.op == "starred" or not (is_tuple or is_object):
            yield base.type.site
            yield from self.within(item)
        elif item.op == "tuple":
            for arg in item.args:
                yield from self.within(arg)

    def is_item(self, expr: Expr) -> bool:
        """Tell whether an expression is an item of one of the lists."""
        if expr.op != "subscript" or not self.is_list(expr.args[0]):
            return False
        return not isinstance(expr.args[1].type, Tuple) and expr.args[1].op != "slice"

    def is_mine(self, expr: Expr) -> bool:
        """Tell whether an expression is one of the lists, or one of the objects in them."""
        return (site := _site_of(expr.type)) in self.lists or site in self.held

    def is_part(self, expr: Expr) -> bool:
        """Tell whether an expression is a part of an item, which is known before the text runs."""
        whole = expr.args[0] if expr.args else expr
        if isinstance(whole.type, Tuple):
            is_read = expr.op in ("attribute", "subscript") and self.is_item(whole)
            return is_read and _place_in(expr) is not None
        region = region_of(whole.type, self.regions) if self.is_object(whole) else None
        is_known = region is not None and field_of(expr, region.cls) in region.fields
        return is_known and (whole.op == "name" or self.is_item(whole))

    def within(self, expr: Expr) -> Iterator[Site]:
        """Yield what is used otherwise in an expression."""
        if calls(expr, len) and self.is_list(expr.args[1]):
            return
        if self.is_part(expr):
            args = expr.args[0].args[1:]
        else:
            args = expr.args
            yield from self.mentioned(expr.type)
        for arg in args:
            yield from self.within(arg)


# ---------------------------------------------------------------------------- the lists of parts


@dataclass(slots=True)
class _Apart:
    """The lists of parts, by the variable that holds the whole."""

    items: Mapping[Site, _Item]
    fresh: Fresh
    bound: _Bound
    names: dict[tuple[Variable, Hashable], Variable] = field(default_factory=dict)
    renamed: dict[Variable, Variable] = field(default_factory=dict)

    def item_of(self, type_: Type) -> _Item | None:
        return self.items.get(_site_of(type_))

    def parts(self, base: Expr) -> tuple[Expr, ...]:
        """Return the lists that stand for one."""
        item = self.item_of(base.type)
        assert item is not None
        return tuple(
            name(self.part(base, key), Reference(_site(base.type, key)), base.span)
            for key in item.keys
        )

    def part(self, base: Expr, key: Hashable) -> Variable:
        assert isinstance(base.type, Reference)
        if (base.data, key) not in self.names:
            word = self.bound.words.get((base.type.site, key)) or self.word(base.type, key)
            wanted = f"{base.data.name}_{word_of(word)}"
            self.names[base.data, key] = self.fresh.variable(wanted, of=base.data)
        return self.names[base.data, key]

    def word(self, of: Type, key: Hashable) -> str:
        """Return what a part is called: of a named tuple by its name."""
        item = self.item_of(of)
        cls = None if item is None else getattr(item.display.type, "cls", None)
        fields = getattr(cls, "_fields", ())
        return fields[key] if fields and isinstance(key, int) else str(key)

    def statement(self, statement: Statement) -> Statement | Block:
        """Return what a statement becomes."""
        match statement:
            case Let(target=Variable() as target, value=value) if self.item_of(value.type):
                return tuple(self.bound_to(target, value))
            case RegionOp(base=base, args=(item,)) if self.item_of(base.type):
                items = self.taken_apart(self.expression(item), base.type)
                pairs = zip(self.parts(base), items, strict=True)
                return tuple(replace(statement, base=part, args=(one,)) for part, one in pairs)
            case Let(target=Variable() as target, value=value) if self.is_unpacked(target, value):
                # the user has names for what it is unpacked to
                self.renamed[target] = self.fresh.variable(target.name, Role.TERM)
                statement = replace(statement, target=self.renamed[target])
        return with_expressions(statement, self.expression)

    def is_unpacked(self, target: Variable, value: Expr) -> bool:
        """Tell whether a variable holds an item of one of the lists, and is only unpacked."""
        is_item = value.op == "subscript" and self.item_of(value.args[0].type) is not None
        return is_item and target in self.bound.unpacked

    def bound_to(self, target: Variable, value: Expr) -> Iterator[Statement]:
        """Yield the assignments of the parts of a list."""
        wholes = self.parts(name(target, value.type))
        if value.op == "name":
            for part, other in zip(wholes, self.parts(value), strict=True):
                yield Let(part.data, other, value.span)
            return
        rows = [self.taken_apart(self.expression(arg), value.type) for arg in value.args]
        for k, part in enumerate(wholes):
            yield Let(
                part.data, value.with_args(row[k] for row in rows).typed(part.type), value.span
            )

    def taken_apart(self, item: Expr, of: Type) -> tuple[Expr, ...]:
        """Return the parts of what is put into a list."""
        item = as_display(item) or item
        if item.op == "tuple":
            return item.args
        known = self.item_of(of)
        assert known is not None
        pairs = list(zip(known.keys, known.types, strict=True))
        if known.display.op == "record":
            return tuple(attribute(item, str(key), type_) for key, type_ in pairs)
        return tuple(subscript(item, constant(key), type_) for key, type_ in pairs)

    def expression(self, expr: Expr) -> Expr:
        """Return an expression in which items of lists are made of their parts."""
        return rebuilt(expr, self.changed)

    def changed(self, node: Expr) -> Expr | None:
        """Return what stands for a node whose operands have been changed."""
        base = node.args[-1] if calls(node, len) else node.args[0] if node.args else node
        if node.op == "name" and node.data in self.renamed:
            return name(self.renamed[node.data], node.type, node.span)
        if base.op in ("record", "dict"):
            key = field_of(node, dict if base.op == "dict" else None)
            return dict(entries(base)).get(key)
        known = self.item_of(base.type) if base.op == "name" else None
        if known is None:
            return None
        if calls(node, len):
            return node.with_args((node.args[0], self.parts(base)[0]))
        if node.op != "subscript":
            return None
        parts = zip(self.parts(base), known.types, strict=True)
        read = tuple(subscript(part, node.args[1], type_) for part, type_ in parts)
        return replace(known.with_parts(read), span=node.span)
