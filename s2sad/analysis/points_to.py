"""What variables may refer to: the places where memory is made, and what containers hold.

A = np.zeros(n)      A points to the array of this line
xs = [A, 2.0 * A]    the list of this line, which holds A and an array of its own
row = xs[k]          whatever the list holds
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from s2sad.analysis.containers import (
    copied,
    is_container,
    is_deep_copy,
    is_display,
    is_held,
    is_made,
    is_sum,
    repeated,
    slots,
)
from s2sad.analysis.places import Place
from s2sad.ir.expression import Expr, Variable, is_own_call
from s2sad.ir.program import Function, Let, RegionOp, Statement, Store
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Optional, Reference, Region, Sequence, Tuple, Type, Unknown
from s2sad.ir.types import Site as RegionSite
from s2sad.ir.walk import bound

Site = tuple[object, ...]
Sites = frozenset[Site]
Shares = Callable[[Expr], tuple[int, ...]]
NOTHING: Sites = frozenset()


def sites(
    expr: Expr,
    points_to: Mapping[Variable, Sites],
    items: Mapping[Site, Sites],
    shares: Shares,
) -> Sites:
    """Return what an expression's value may be part of; nothing if it is new memory."""

    def inner(e: Expr) -> Sites:
        return sites(e, points_to, items, shares)

    if not is_held(expr.type):
        return NOTHING
    match expr.op:
        case "name":
            return points_to.get(expr.data, NOTHING)
        case "global":
            return frozenset({("global", expr.data.text)})
        case "conditional":
            return inner(expr.args[1]) | inner(expr.args[2])
        case "and" | "or":
            return NOTHING.union(*(inner(arg) for arg in expr.args))
        case "subscript" if expr.args[0].op == "tuple":
            return NOTHING.union(*(inner(arg) for arg in expr.args[0].args))
        case "list" | "dict" | "record" | "set" | "tuple" | "comprehension":
            return NOTHING
        case _ if is_made(expr):
            return NOTHING
        case "call" if expr.args[0].op == "attribute":
            operands = (expr.args[0].args[0], *expr.args[1:])
            return NOTHING.union(*(inner(operands[k]) for k in shares(expr)))
        case "subscript" | "attribute" if is_container(expr.args[0].type):
            return items_of(inner(expr.args[0]), items)
    return NOTHING.union(*(inner(expr.args[k]) for k in shares(expr)))


def items_of(held: Sites, items: Mapping[Site, Sites]) -> Sites:
    """Return what containers hold; what an object of a module holds counts as part of it."""
    found = (items.get(s, frozenset({s}) if s[0] == "global" else NOTHING) for s in held)
    return NOTHING.union(*found)


def find_points_to(
    function: Function,
    all_placed: list[tuple[Place, Statement]],
    types: Mapping[Variable, Type],
    shares: Shares,
    regions: Mapping[RegionSite, Region],
) -> tuple[dict[Variable, Sites], dict[Site, Sites], Sites]:
    points_to: dict[Variable, Sites] = {}
    items: dict[Site, Sites] = {}
    for parameter in function.parameters:
        if is_held(parameter.type):
            site = ("parameter", parameter.variable)
            points_to[parameter.variable] = frozenset({site})
            _fill_parameter(site, site, parameter.type, regions, items)
    filler = _Filler(points_to, items, shares, types, regions)
    before = -1
    while (size := sum(map(len, points_to.values())) + sum(map(len, items.values()))) != before:
        before = size
        for place, statement in all_placed:
            filler.note(place, statement)
    return points_to, items, frozenset(filler.displayed)


def _fill_parameter(
    site: Site,
    root: Site,
    type_: Type,
    regions: Mapping[RegionSite, Region],
    items: dict[Site, Sites],
) -> None:
    """Add what a container among the arguments holds: a site for each region, and for its arrays."""
    if site in items or not is_container(type_):
        return
    items[site] = NOTHING
    for key, inner in _parts_of(type_, regions):
        if is_held(inner):
            base = inner.type if isinstance(inner, Optional) else inner
            is_region = isinstance(base, Reference)
            own = (*root, base.site) if isinstance(base, Reference) else (*site, key)
            items[site] |= {own}
            if is_region or len(site) < 12:
                _fill_parameter(own, root, inner, regions, items)


def _parts_of(type_: Type, regions: Mapping[RegionSite, Region]) -> Iterable[tuple[object, Type]]:
    """Yield the types of what a container holds, each with its key."""
    match type_:
        case Optional(inner):
            yield from _parts_of(inner, regions)
        case Tuple(parts):
            yield from enumerate(parts)
        case Sequence(item):
            yield "item", item
        case Reference(site) if site in regions:
            region = regions[site]
            if region.kind == "fields":
                yield from region.fields.items()
            else:
                yield "item", region.item


@dataclass(slots=True)
class _Filler:
    """Adds what statements let variables refer to, and containers hold."""

    points_to: dict[Variable, Sites]
    items: dict[Site, Sites]
    shares: Shares
    types: Mapping[Variable, Type]
    regions: Mapping[RegionSite, Region]
    displayed: set[Site] = field(default_factory=set)

    def sites(self, expr: Expr) -> Sites:
        return sites(expr, self.points_to, self.items, self.shares)

    def note(self, place: Place, statement: Statement) -> None:
        """Add what a statement lets its variables refer to."""
        for position, (variable, value) in enumerate(bindings(statement)):
            if is_held(self.types.get(variable, value.type)):
                self.bind(variable, value, ("made", place, position))
        if isinstance(statement, Store) and is_container(stored_base(statement).type):
            if statement.target.op != "name":
                self.put_in(statement.value, ("made", place, 0), self.sites(stored_base(statement)))
        elif isinstance(statement, RegionOp):
            held = self.sites(statement.base)
            target = statement.target
            if isinstance(target, Variable) and is_held(self.types.get(target, Unknown())):
                self.point(target, items_of(held, self.items))
            for position, arg in enumerate(statement.args):
                self.put_in(arg, ("made", place, position), held)

    def bind(self, variable: Variable, value: Expr, own: Site) -> None:
        self.point(variable, self.known_or_made(value, own, self.types.get(variable, value.type)))
        if is_display(value):
            self.displayed.add(own)

    def known_or_made(self, value: Expr, own: Site, type_: Type) -> Sites:
        """Return what a value may be: memory that has a name, or `own`, which is made here."""
        made = [arm for arm in _arms(value) if is_made(arm)]
        for arm in made:
            self.hold(own, self.contents(arm, own))
        found = self.sites(value)
        if not found and is_own_call(value):
            _fill_parameter(own, own, type_, self.regions, self.items)
        return found | {own} if made or not found else found

    def point(self, variable: Variable, new: Sites) -> None:
        self.points_to[variable] = self.points_to.get(variable, NOTHING) | new

    def hold(self, site: Site, new: Sites) -> None:
        self.items[site] = self.items.get(site, NOTHING) | new

    def put_in(self, value: Expr, own: Site, held: Sites) -> None:
        new = self.item(value, own)
        for site in held:
            self.hold(site, new)

    def item(self, value: Expr, own: Site) -> Sites:
        """Return what an item of a container refers to."""
        return self.known_or_made(value, own, value.type) if is_held(value.type) else NOTHING

    def contents(self, value: Expr, own: Site) -> Sites:
        """Return what a container that is made holds."""
        if is_deep_copy(value):
            _fill_parameter(own, own, value.type, self.regions, self.items)
            return NOTHING
        if isinstance(value.type, Sequence) and not is_held(value.type.item):
            return NOTHING  # list(d): the keys of a dict are no memory
        if is_display(value):
            found = (self.item(e, (*own, k)) for k, (_, e) in enumerate(slots(value)))
            return NOTHING.union(*found)
        source = copied(value)
        if source is not None:
            parts: tuple[Expr, ...] = (source,)
        else:
            parts = value.args if is_sum(value) else (repeated(value)[0],)
        return NOTHING.union(*(self.contents_of(e, (*own, k)) for k, e in enumerate(parts)))

    def contents_of(self, operand: Expr, own: Site) -> Sites:
        if is_made(operand):
            return self.contents(operand, own)
        return items_of(self.sites(operand), self.items)


def _arms(value: Expr) -> Iterator[Expr]:
    """Yield the expressions that a value may come from."""
    if value.op in ("conditional", "and", "or"):
        for arm in value.args[1:] if value.op == "conditional" else value.args:
            yield from _arms(arm)
    else:
        yield value


def bindings(statement: Statement) -> tuple[tuple[Variable, Expr], ...]:
    """Return the variables that a statement binds, each with the value that it is bound to."""
    if not isinstance(statement, Let):
        return ()
    target, value = statement.target, statement.value
    if isinstance(target, Variable):
        return ((target, value),)
    if isinstance(target, tuple) and value.op == "tuple" and len(target) == len(value.args):
        pairs = zip(target, value.args, strict=True)
        return tuple((t, e) for t, e in pairs if isinstance(t, Variable))
    return tuple((v, value) for v in bound(statement))


def stored_base(store: Store) -> Expr:
    """Return what a store writes to: the array, list or object of which it changes a part."""
    return store.target if store.target.op == "name" else store.target.args[0]
