"""What variables may refer to: the places where memory is made, and what containers hold.

A = np.zeros(n)      A points to the array of this line
xs = [A, 2.0 * A]    the list of this line, which holds A and an array of its own
row = xs[k]          whatever the list holds

Nothing is told of the order of statements: it holds at every place of the function. More may be
found than is; never less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from s2sad.analysis.containers import (
    is_container,
    is_deep_copy,
    is_display,
    is_held,
    is_made,
    keys_read,
    made_of,
    parts_of,
    slots,
)
from s2sad.analysis.places import Place
from s2sad.analysis.pointers import (
    NOTHING,
    Pointers,
    Shares,
    Site,
    Sites,
    is_gone_through,
    may_contain,
    stored_base,
    written_operands,
)
from s2sad.ir.expression import Expr, Pattern, Variable, calls, is_own_call
from s2sad.ir.program import Copied, For, Function, Let, RegionOp, Restore, Save, Statement, Store
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Number,
    Optional,
    Reference,
    Regions,
    Tuple,
    Type,
    Unknown,
)
from s2sad.ir.walk import bound, expressions, nodes, operands, saved_values

Displayed = Mapping[Site, frozenset[Hashable]]


def find_points_to(
    function: Function,
    all_placed: list[tuple[Place, Statement]],
    types: Mapping[Variable, Type],
    shares: Shares,
    regions: Regions,
) -> tuple[Pointers, Displayed]:
    """Return what variables may refer to and what containers hold, and what displays have from the first."""
    found = _Growing()
    for parameter in function.parameters:
        if is_held(types.get(parameter.variable, parameter.type)):
            site = ("parameter", parameter.variable)
            found[parameter.variable] = frozenset({site})
            _fill_parameter(site, site, parameter.type, regions, found)
    filler = _Filler(Pointers(found, found, shares, found.arrays), found, types, regions)
    found.waiting.update(range(len(all_placed)))
    while found.waiting:
        for found.reader, (place, statement) in enumerate(all_placed):
            if found.reader in found.waiting:
                found.waiting.discard(found.reader)
                filler.note(place, statement)
    points_to = {key: sites for key, sites in found.items() if isinstance(key, Variable)}
    items = {key: sites for key, sites in found.items() if not isinstance(key, Variable)}
    pointers = Pointers(points_to, items, shares, frozenset(found.arrays))
    return pointers, filler.displayed


class _Growing(dict[Any, Sites]):
    """Sets that grow: a statement that has read one is noted again where it has grown."""

    __slots__ = ("arrays", "reader", "readers", "waiting")

    def __init__(self) -> None:
        self.arrays: set[Site] = set()
        self.reader = 0
        self.readers: defaultdict[object, set[int]] = defaultdict(set)
        self.waiting: set[int] = set()

    def get(self, key: Any, default: Any = None) -> Any:
        self.readers[key].add(self.reader)
        return dict.get(self, key, default)

    def __setitem__(self, key: Any, found: Sites) -> None:
        if dict.get(self, key) != found:
            self.waiting.update(self.readers.get(key, ()))
            dict.__setitem__(self, key, found)


def _fill_parameter(
    site: Site,
    root: Site,
    type_: Type,
    regions: Regions,
    items: _Growing,
) -> None:
    """Add what a container among the arguments holds: a site for each region, and for its arrays."""
    base = type_.type if isinstance(type_, Optional) else type_
    if isinstance(base, Array):
        items.arrays.add(site)
    is_known = is_container(base) and (not isinstance(base, Reference) or base.site in regions)
    if site in items or not is_known:
        return
    items[site] = NOTHING
    for key, inner in parts_of(type_, regions):
        if is_held(inner):
            base = inner.type if isinstance(inner, Optional) else inner
            is_region = isinstance(base, Reference)
            own = (*root, base.site) if isinstance(base, Reference) else (*site, key)
            items[site] |= {own}
            if is_region or len(site) < 12:
                _fill_parameter(own, root, inner, regions, items)


@dataclass(slots=True)
class _Filler:
    """Adds what statements let variables refer to, and containers hold."""

    found: Pointers
    sets: _Growing
    types: Mapping[Variable, Type]
    regions: Regions
    displayed: dict[Site, frozenset[Hashable]] = field(default_factory=dict)

    def note(self, place: Place, statement: Statement) -> None:
        """Add what a statement lets its variables refer to."""
        own: Site = ("made", place)
        for node in (n for expr in expressions(statement) for n in generators(expr)):
            self.bind_parts(node.data, self.found.elements(node.args[0]), own)
        match statement:
            case Let():
                self.let(statement, own)
            case For(target, domain) if not calls(domain, range):
                self.bind_parts(target, self.found.elements(domain), own)
            case Store(target) if may_contain(stored_base(statement).type):
                self.store(statement, own)
            case RegionOp(target, base, method, args):
                held = self.found.sites(base)
                self.bind_parts(target, self.found.items_of(held), own)
                for position, arg in enumerate(args):
                    self.put_in(arg, (*own, position), held)
                    if method in ("extend", "update"):
                        self.hold_all(held, self.spread(arg, (*own, position)))
            case Save(stack):
                held = frozenset({("stack", stack)})
                self.point(stack, held)
                for position, part in enumerate(saved_values(statement)):
                    self.put_in(part, (*own, position), held)
            case Restore(target, stack) if not isinstance(target, Expr):
                self.bind_parts(target, self.found.items_of(frozenset({("stack", stack)})), own)
            case Copied(reads=reads, writes=writes):
                read = NOTHING.union(*map(self.found.reached, reads))
                self.hold_all(self.known(read), read)
                self.bind_parts(writes, read | {own}, own)

    def let(self, let: Let, own: Site) -> None:
        value = let.value
        if isinstance(let.target, tuple) and value.op in ("name", "subscript", "attribute"):
            self.bind_parts(let.target, self.found.elements(value), own)
        else:
            for position, (variable, each) in enumerate(bindings(let)):
                if is_held(self.types.get(variable, each.type)) or is_gone_through(each):
                    self.bind(variable, each, (*own, position), _type_of_part(let, variable, each))
        if not let.effect.is_pure:
            self.let_containers_hold(let, own)

    def let_containers_hold(self, let: Let, own: Site) -> None:
        """Let the containers that a call writes to hold all that it is handed, and what it makes."""
        every = [each for each in operands(let.value) if not isinstance(each.type, Number | Code)]
        written = [each for each in written_operands(let) if may_contain(each.type)]
        is_own = is_own_call(let.value)
        made = frozenset({(*own, "held")}) if is_own else NOTHING
        for each in written:
            others = every if is_own else [e for e in every if e is not each]
            held = NOTHING.union(*map(self.found.reached, others))
            self.hold_all(self.known(self.found.reached(each)), held | made)

    def store(self, store: Store, own: Site) -> None:
        if store.op != "=":  # xs += ys, xs[k] += ys
            held = self.found.sites(store.target) if may_contain(store.target.type) else NOTHING
            self.hold_all(held, self.spread(store.value, own))
        elif store.target.op != "name":
            self.put_in(store.value, (*own, 0), self.found.sites(stored_base(store)))

    def bind(self, variable: Variable, value: Expr, own: Site, whole: Type) -> None:
        told = self.types.get(variable, value.type)
        type_ = whole if isinstance(told, Unknown) else told
        self.point(variable, self.known_or_made(value, own, type_))
        if is_display(value):
            known = (s for s, _ in slots(value) if s.op in ("attribute", "constant"))
            self.displayed[own] = frozenset(step.data for step in known)

    def bind_parts(self, pattern: Pattern, found: Sites, own: Site) -> None:
        """Let the names of a pattern be what is found, or be part of it."""
        match pattern:
            case Variable() if is_held(self.types.get(pattern, Unknown())):
                self.point(pattern, found or frozenset({(*own, pattern)}))
            case tuple():
                for part in pattern:
                    self.bind_parts(part, found | self.found.items_of(found), own)

    def known_or_made(self, value: Expr, own: Site, type_: Type) -> Sites:
        """Return what a value may be: memory that has a name, or `own`, which is made here."""
        made = [arm for arm in _arms(value) if is_made(arm) or is_gone_through(arm)]
        for arm in made:
            self.hold(own, self.contents(arm, own))
        found = self.found.sites(value)
        if found and any(is_own_call(arm) and is_container(arm.type) for arm in _arms(value)):
            self.hold(own, found | {own})  # it may be new, and hold what it is handed
            return found | {own}
        if not (found or made):
            _fill_parameter(own, own, type_, self.regions, self.sets)
        return found | {own} if made or not found else found

    def point(self, variable: Variable, new: Sites) -> None:
        self.sets[variable] = dict.get(self.sets, variable, NOTHING) | new

    def hold(self, site: Site, new: Sites) -> None:
        held = dict.get(self.sets, site)
        if held is None:  # what is of the module may hold other things already
            held = frozenset({(*site[:2], "items")}) if site[0] == "global" else NOTHING
        elif new <= held:
            return
        self.sets[site] = held | new

    def known(self, sites: Sites) -> Sites:
        """Return the sites of which it is known what they hold."""
        return frozenset(site for site in sites if self.sets.get(site) is not None)

    def hold_all(self, held: Iterable[Site], new: Sites) -> None:
        for site in held:
            self.hold(site, new)

    def put_in(self, value: Expr, own: Site, held: Sites) -> None:
        self.hold_all(held, self.item(value, own))

    def spread(self, value: Expr, own: Site) -> Sites:
        """Return what the items of a value refer to: those of a display are made here."""
        if not (is_made(value) or is_gone_through(value)):
            return self.found.elements(value)
        self.hold(own, self.contents(value, own))
        return self.found.items_of(frozenset({own}))

    def item(self, value: Expr, own: Site) -> Sites:
        """Return what an item of a container refers to."""
        return self.known_or_made(value, own, value.type) if is_held(value.type) else NOTHING

    def contents(self, value: Expr, own: Site) -> Sites:
        """Return what a container that is made holds."""
        if is_deep_copy(value):
            _fill_parameter(own, own, value.type, self.regions, self.sets)
            return NOTHING
        if keys_read(value, self.regions):
            return NOTHING  # list(d): the keys of a dict are no memory
        if is_display(value):
            found = (self.item(e, (*own, k)) for k, (_, e) in enumerate(slots(value)))
            return NOTHING.union(*found)
        if value.op == "comprehension":
            return self.item(
                value.args[0].args[-1] if value.data == "dict" else value.args[0], (*own, 0)
            )
        if not is_made(value):  # its items may be pairs of what it is made of
            return self.found.elements(value) | {own}
        parts = enumerate(made_of(value))
        return NOTHING.union(*(self.contents_of(e, (*own, k)) for k, e in parts))

    def contents_of(self, operand: Expr, own: Site) -> Sites:
        if is_made(operand):
            return self.contents(operand, own)
        return self.found.items_of(self.found.sites(operand))


def generators(expr: Expr) -> tuple[Expr, ...]:
    """Return the domains that comprehensions in an expression go over, each with what it binds."""
    return expr.fact("generators", lambda e: tuple(n for n in nodes(e) if n.op == "generator"))


def _arms(value: Expr) -> Iterator[Expr]:
    """Yield the expressions that a value may come from."""
    if value.op in ("conditional", "and", "or"):
        for arm in value.args[1:] if value.op == "conditional" else value.args:
            yield from _arms(arm)
    else:
        yield value


def _type_of_part(let: Let, variable: Variable, value: Expr) -> Type:
    """Return the type of what a variable is bound to: of several results of a call, its own part."""
    if value is not let.value or isinstance(let.target, Variable):
        return value.type
    match let.target, value.type:
        case tuple() as targets, Tuple(items) if len(targets) == len(items):
            parts: dict[Pattern, Type] = dict(zip(targets, items, strict=True))
            return parts.get(variable, UNKNOWN)
    return UNKNOWN


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
