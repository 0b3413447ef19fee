"""Memory that is written in place: what may refer to it, and how its shadow is had.

    A = np.zeros((n, n))     A refers to the array of this line
    row = A[i]               row as well: a view
    row[0] = x               so that array is written

`regions(program, context)` gives the Memory of a program. A shadow is *easy* where the names are
bound once, to new memory or to a part of other memory: the reverse sweep makes it. All else is
*hard*: names that are bound twice, chosen or exchanged, items of lists; its shadow is bound beside
the name in the forward sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from s2sad.analysis.places import Place, Uses, is_within, placed, uses
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import For, Function, Let, RegionOp, Return, Statement, Store
from s2sad.ir.types import Array, Number, Numeric, Optional, Reference, Type, Unknown
from s2sad.ir.walk import bound, expressions, nodes, reads

Site = tuple[object, ...]
Sites = frozenset[Site]
Shares = Callable[[Expr], tuple[int, ...]]
NOTHING: Sites = frozenset()
VIEWS = frozenset({"T", "real", "imag", "flat"})


@dataclass(frozen=True, slots=True)
class Memory:
    """What variables may refer to. A site is a statement that makes memory, or a parameter."""

    uses: Uses
    types: Mapping[Variable, Type]
    points_to: Mapping[Variable, Sites]
    items: Mapping[Site, Sites]
    written: Sites
    hard: Sites
    shares: Shares

    def is_memory(self, variable: Variable) -> bool:
        """Tell whether a variable may refer to memory that is written in place."""
        return bool(self.points_to.get(variable, NOTHING) & self.written)

    def is_hard(self, variable: Variable) -> bool:
        """Tell whether the shadow of what a variable refers to is bound in the forward sweep."""
        return bool(self.points_to.get(variable, NOTHING) & self.hard)

    def sites(self, expr: Expr) -> Sites:
        """Return what an expression's value may be part of; nothing if it is new memory."""
        return sites(expr, self.points_to, self.items, self.shares)

    def is_reference(self, expr: Expr) -> bool:
        """Tell whether a value may be memory that some name refers to, or a part of it."""
        return is_held(expr.type) and bool(self.sites(expr))

    def holders(self, found: Sites) -> tuple[Variable, ...]:
        """Return the variables that may refer to some memory."""
        return tuple(v for v, s in self.points_to.items() if s & found)

    def sharers(self, variable: Variable) -> frozenset[Variable]:
        """Return the other variables that may refer to the same memory."""
        mine = self.points_to.get(variable, NOTHING)
        return frozenset(v for v, s in self.points_to.items() if v != variable and s & mine)


def is_held(type_: Type) -> bool:
    """Tell whether a value is memory that two names can share: an array, a list, an object."""
    if isinstance(type_, Optional):
        return is_held(type_.type)
    return isinstance(type_, Array | Reference | Numeric | Unknown)


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
        case "list" | "dict" | "record" | "set" | "comprehension":
            return NOTHING
        case "subscript" if expr.args[0].op == "tuple":
            return NOTHING.union(*(inner(arg) for arg in expr.args[0].args))
        case "call" if expr.args[0].op == "attribute":
            operands = (expr.args[0].args[0], *expr.args[1:])
            return NOTHING.union(*(inner(operands[k]) for k in shares(expr)))
        case "subscript" | "attribute" if isinstance(expr.args[0].type, Reference):
            held = inner(expr.args[0])
            return NOTHING.union(*(items.get(site, NOTHING) for site in held))
    return NOTHING.union(*(inner(expr.args[k]) for k in shares(expr)))


def types_of(function: Function, join: Callable[[Type, Type], Type | None]) -> dict[Variable, Type]:
    """Return the type of each variable: what all that it is bound to, and read as, has in common."""
    found = {p.variable: p.type for p in function.parameters}

    def note(variable: Variable, type_: Type) -> None:
        old = found.get(variable)
        found[variable] = type_ if old is None or old == type_ else join(old, type_) or Unknown()

    for _, statement in placed(function.body):
        for variable, value in _typed_bindings(statement):
            note(variable, value.type)
        if isinstance(statement, For) and isinstance(statement.target, Variable):
            note(statement.target, Number("int64"))
        for expr in expressions(statement):
            for node in nodes(expr):
                if node.op == "name" and node.data not in found:
                    found[node.data] = node.type
    return found


def _typed_bindings(statement: Statement) -> tuple[tuple[Variable, Expr], ...]:
    """Return the bindings whose values are the whole of what a variable is bound to."""
    if isinstance(statement, Let) and isinstance(statement.target, tuple):
        return bindings(statement) if statement.value.op == "tuple" else ()
    return bindings(statement)


def memory(function: Function, types: Mapping[Variable, Type], shares: Shares) -> Memory:
    """Return what the variables of a function may refer to, and which of it is written."""
    found = uses(function)
    all_placed = list(placed(function.body))
    points_to, items = _points_to(function, all_placed, types, shares)
    first = Memory(found, types, points_to, items, NOTHING, NOTHING, shares)
    written = _closed(_written(all_placed, first), points_to)
    second = replace(first, written=written)
    return replace(second, hard=_hard(second, all_placed))


def _points_to(
    function: Function,
    all_placed: list[tuple[Place, Statement]],
    types: Mapping[Variable, Type],
    shares: Shares,
) -> tuple[dict[Variable, Sites], dict[Site, Sites]]:
    points_to: dict[Variable, Sites] = {
        p.variable: frozenset({("parameter", p.variable)})
        for p in function.parameters
        if is_held(p.type)
    }
    items: dict[Site, Sites] = {}
    before = -1
    while (size := sum(map(len, points_to.values())) + sum(map(len, items.values()))) != before:
        before = size
        for place, statement in all_placed:
            _note(place, statement, points_to, items, shares, types)
    return points_to, items


def _note(
    place: Place,
    statement: Statement,
    points_to: dict[Variable, Sites],
    items: dict[Site, Sites],
    shares: Shares,
    types: Mapping[Variable, Type],
) -> None:
    """Add what a statement lets its variables refer to."""
    for position, (variable, value) in enumerate(bindings(statement)):
        if not is_held(types.get(variable, value.type)):
            continue
        new = sites(value, points_to, items, shares) or frozenset({("made", place, position)})
        points_to[variable] = points_to.get(variable, NOTHING) | new
        if value.op == "list":
            for arg in value.args:
                _put_in(arg, ("made", place, position), new, points_to, items, shares)
    if isinstance(statement, Store) and _is_slot(statement.target):
        held = sites(statement.target.args[0], points_to, items, shares)
        _put_in(statement.value, ("made", place, 0), held, points_to, items, shares)
    elif isinstance(statement, RegionOp):
        held = sites(statement.base, points_to, items, shares)
        if isinstance(statement.target, Variable) and is_held(types[statement.target]):
            inside = NOTHING.union(*(items.get(site, NOTHING) for site in held))
            old = points_to.get(statement.target, NOTHING)
            points_to[statement.target] = old | inside
        for position, arg in enumerate(statement.args):
            _put_in(arg, ("made", place, position), held, points_to, items, shares)


def _put_in(
    value: Expr,
    own: Site,
    held: Sites,
    points_to: Mapping[Variable, Sites],
    items: dict[Site, Sites],
    shares: Shares,
) -> None:
    if not is_held(value.type):
        return
    new = sites(value, points_to, items, shares) or frozenset({own})
    for site in held:
        items[site] = items.get(site, NOTHING) | new


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


def _is_slot(target: Expr) -> bool:
    """Tell whether a store puts a value into a list, dict or object."""
    return target.op in ("subscript", "attribute") and isinstance(target.args[0].type, Reference)


def stored_base(store: Store) -> Expr:
    """Return what a store writes to: the array, list or object of which it changes a part."""
    return store.target if store.target.op == "name" else store.target.args[0]


def _written(all_placed: Iterable[tuple[Place, Statement]], memory: Memory) -> Sites:
    found: set[Site] = set()
    for _, statement in all_placed:
        if isinstance(statement, Store):
            found |= memory.sites(stored_base(statement))
        elif isinstance(statement, RegionOp):
            found |= memory.sites(statement.base)
        elif isinstance(statement, Let) and not statement.effect.is_pure:
            found |= written_by_call(statement, memory)
    held_in_lists = {
        site
        for variable, sites_ in memory.points_to.items()
        if isinstance(memory.types.get(variable), Reference)
        for site in sites_
    }
    while True:
        more = held_in_lists.union(*(memory.items.get(site, NOTHING) for site in held_in_lists))
        if more == held_in_lists:
            return frozenset(found | held_in_lists)
        held_in_lists = more


def written_by_call(let: Let, memory: Memory) -> Sites:
    """Return the memory that a call writes in place."""
    function, *args = let.value.args
    owners = function.args if function.op == "attribute" else ()
    if let.effect.writes_all:
        return NOTHING.union(*(memory.sites(arg) for arg in (*owners, *args)))
    written = [args[k] for k in let.effect.writes if k < len(args)]
    written += owners if let.effect.writes_owner else ()
    return NOTHING.union(*(memory.sites(each) for each in written))


def _closed(written: Sites, points_to: Mapping[Variable, Sites]) -> Sites:
    """Return the sites that some variable may mix with written ones, too."""
    while True:
        more = written.union(*(s for s in points_to.values() if s & written))
        if more == written:
            return written
        written = more


def _hard(memory: Memory, all_placed: list[tuple[Place, Statement]]) -> Sites:
    """Return the sites whose shadows have to be bound beside the names."""
    hard: set[Site] = set().union(*memory.items.values())
    by_place = dict(all_placed)
    for variable in memory.points_to:
        if memory.is_memory(variable) and not _is_easy(variable, memory, by_place):
            hard |= memory.points_to[variable]
    return _closed(frozenset(hard), memory.points_to)


def _is_easy(variable: Variable, memory: Memory, by_place: Mapping[Place, Statement]) -> bool:
    """Tell whether a variable is bound once, to new memory or to a part that is had for nothing."""
    found = memory.uses
    if isinstance(memory.types[variable], Reference | Optional | Unknown):
        return False
    places = found.bound.get(variable, ())
    if variable in found.parameters:
        return not places
    let = definition(variable, by_place)
    if len(places) != 1 or let is None or not isinstance(let.target, Variable):
        return False
    block = places[0]
    if not memory.is_reference(let.value):
        return len(memory.points_to[variable]) == 1
    return is_within(found.owners[variable], block) and _is_path(let.value, memory)


def definition(variable: Variable, by_place: Mapping[Place, Statement]) -> Let | None:
    """Return the first Let that binds a variable."""
    lets = (s for s in by_place.values() if isinstance(s, Let) and variable in bound(s))
    return next(lets, None)


def _is_path(expr: Expr, memory: Memory) -> bool:
    """Tell whether an expression is a name with views of it, their positions bound once."""
    while expr.op != "name":
        if expr.op not in ("subscript", "attribute"):
            return False
        if expr.op == "attribute" and expr.data not in VIEWS:
            return False
        for arg in expr.args[1:]:
            for variable, _ in reads(arg):
                if memory.uses.is_bound_again(variable) or memory.is_memory(variable):
                    return False
        expr = expr.args[0]
    return True


def returned(function: Function) -> Return | None:
    """Return the statement at the end of a structured function."""
    last = function.body[-1] if function.body else None
    return last if isinstance(last, Return) else None
