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

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as Steps

from s2sad.analysis.containers import (
    dict_types,
    holds_unclear,
    is_container,
    is_deep_copy,
    is_display,
    is_held,
    is_made,
    made_of,
    slots,
)
from s2sad.analysis.places import Place, Uses, is_within, placed, uses
from s2sad.analysis.pointers import NOTHING, Pointers, Shares, Site, Sites
from s2sad.analysis.points_to import Displayed, bindings, find_points_to, generators
from s2sad.ir.expression import Expr, Variable, is_own_call
from s2sad.ir.program import Copied, For, Function, Let, RegionOp, Return, Statement, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import (
    Array,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Regions,
    Sequence,
    Type,
    Unknown,
    region_of,
)
from s2sad.ir.walk import bound, closed, expressions, name_nodes, reads, statements, variables
from s2sad.operators.table import calls_one

VIEWS = frozenset({"T", "real", "imag", "flat"})


@dataclass(frozen=True, slots=True)
class Memory(Pointers):
    """What variables may refer to. A site is a statement that makes memory, or a parameter.

    `stored` is what statements write to, `shrunk` the containers that items are taken out of,
    `displayed` those that are written out where they are made, each with its keys, `of_values` the lists of numbers and of
    arrays that nobody writes to; `in_rows` are parameters whose shadows have to lie row by row;
    `copies` are those of arguments that have one shadow with these.
    """

    uses: Uses
    types: Mapping[Variable, Type]
    displayed: Displayed
    regions: Regions
    stored: Sites = NOTHING
    written: Sites = NOTHING
    hard: Sites = NOTHING
    shrunk: Sites = NOTHING
    of_values: Sites = NOTHING
    in_rows: frozenset[Variable] = frozenset()
    copies: Mapping[Variable, Variable] = field(default_factory=dict)

    def is_memory(self, variable: Variable) -> bool:
        """Tell whether a variable may refer to memory that is written in place."""
        return bool(self.points_to.get(variable, NOTHING) & self.written)

    def is_steady(self, variable: Variable) -> bool:
        """Tell whether a variable is what it was once bound to, and so is all that it leads to."""
        return not self.uses.is_bound_again(variable) and not self.reach(variable) & self.stored

    def is_hard(self, variable: Variable) -> bool:
        """Tell whether the shadow of what a variable refers to is bound in the forward sweep."""
        return bool(self.points_to.get(variable, NOTHING) & self.hard)

    def is_reference(self, expr: Expr) -> bool:
        """Tell whether a value may be memory that some name refers to, or a part of it."""
        return is_held(expr.type) and bool(self.sites(expr))

    def holds_values(self, container: Expr) -> bool:
        """Tell whether the arrays in the slots of a container are values: nobody writes to them."""
        if is_display(container):
            arrays = (item for _, item in slots(container) if isinstance(item.type, Array))
            return not self.all_sites(arrays) & self.written
        if is_made(container):
            return all(map(self.holds_values, made_of(container)))
        return not self.arrays_in(self.items_of(self.sites(container))) & self.written

    def holders(self, found: Sites) -> tuple[Variable, ...]:
        """Return the variables that may refer to some memory."""
        return tuple(v for v, s in self.points_to.items() if s & found)

    def reach(self, variable: Variable) -> Sites:
        """Return the memory that a variable may lead to."""
        return self.inside(self.points_to.get(variable, NOTHING))

    def around(self, held: Iterable[Site]) -> Sites:
        """Return sites with all containers that hold them, however deep."""
        items = self.items.items()
        return closed(frozenset(held), lambda found: {s for s, inner in items if inner & found})

    def touched(self, variable: Variable, path: Steps[Expr]) -> Sites:
        """Return the memory that may change where a part of a variable changes."""
        held = self.points_to.get(variable, NOTHING)
        for k in range(len(path)):
            inner = self.items_of(held)
            if not inner:
                break
            held = inner | (held if k + 1 == len(path) else NOTHING)
        return held

    def may_lack(self, place: Expr) -> bool:
        """Tell whether a slot of a container may not be there before it is stored to."""
        base, step = place.args[0], place if place.op == "attribute" else place.args[1]
        type_ = base.type.type if isinstance(base.type, Optional) else base.type
        region = region_of(type_, self.regions)
        if region is None or region.is_list:
            return place.op == "attribute"
        mine = self.sites(base)
        is_shown = bool(mine) and all(step.data in self.displayed.get(s, ()) for s in mine)
        is_known = step.op in ("attribute", "constant") and not mine & self.shrunk
        return not is_known or not (step.data in region.born or is_shown)

    def may_be_first(self, store: Store) -> bool:
        """Tell whether a store may give a slot its first value, as the ones in __init__ do."""
        place = store.target
        if place.op != "attribute":
            return self.may_lack(place)
        made = (s[1:] if s[0] == "shadow" else s for s in self.sites(place.args[0]))
        is_added = any(place.data not in self.displayed.get(s, (place.data,)) for s in made)
        return is_added or self.may_lack(place)

    def is_list(self, base: Expr) -> bool:
        """Tell whether a container is a list, not a dict or a set."""
        region = region_of(base.type, self.regions)
        return isinstance(base.type, Sequence) or (region is not None and region.is_list)

    def with_shadows(self, bars: Mapping[Variable, Variable]) -> Memory:
        """Return the memory with the shadows of containers in it, which the sweeps change, too."""
        points_to = dict(self.points_to)
        for variable, bar in bars.items():
            if is_container(self.types.get(variable, Unknown())):
                mine = self.points_to.get(variable, NOTHING)
                points_to[bar] = points_to.get(bar, NOTHING) | {("shadow", *site) for site in mine}
        items = dict(self.items)
        for site, held in self.items.items():
            items[("shadow", *site)] = frozenset(("shadow", *inner) for inner in held)
        made = NOTHING.union(*(s for v, s in points_to.items() if v not in self.points_to))
        return replace(self, points_to=points_to, items=items, written=self.written | made)

    def changed_by(self, block: Iterable[Statement]) -> frozenset[object]:
        """Return the variables and the memory that statements themselves may change."""
        written = (self.written_by(each) for each in block)
        return frozenset(v for each in block for v in bound(each)).union(*written)

    def sharers(self, variable: Variable) -> frozenset[Variable]:
        """Return the other variables that may refer to the same memory."""
        mine = self.points_to.get(variable, NOTHING)
        return frozenset(v for v, s in self.points_to.items() if v != variable and s & mine)

    def is_shared(self, variable: Variable, but: Variable | None = None) -> bool:
        """Tell whether another variable, `but` one, or a container may refer to the same memory."""
        if self.sharers(variable) - {but}:
            return True
        return bool(self.points_to.get(variable, NOTHING) & self.in_containers)


def types_of(function: Function, join: Callable[[Type, Type], Type | None]) -> dict[Variable, Type]:
    """Return the type of each variable: what all that it is bound to, and read as, has in common."""
    found = {p.variable: p.type for p in function.parameters}
    every = tuple(statements(function.body))
    unread = {v for s in every if isinstance(s, Copied) for v in s.writes}  # what is put there
    untold = {v for s in every for v in _bound_untold(s)}

    def note(variable: Variable, type_: Type) -> None:
        if variable in unread:
            found[variable] = Unknown()
            return
        old = found.get(variable)
        found[variable] = type_ if old is None or old == type_ else join(old, type_) or Unknown()

    for statement in every:
        for variable, type_ in _typed_bindings(statement):
            note(variable, type_)
        if isinstance(statement, Store) and statement.target.op == "name":
            note(statement.target.data, statement.target.type)
            if isinstance(statement.target.type, Number | Numeric):  # it may become an array
                note(statement.target.data, statement.value.type)
    for node in (n for s in every for e in expressions(s) for n in name_nodes(e)):
        if node.data not in found or (node.data in untold and _is_still(found[node.data])):
            note(node.data, node.type)
    for statement in every:
        made = [n for expr in expressions(statement) for n in generators(expr)]
        taken = [*bound(statement), *(v for node in made for v in variables(node.data))]
        for variable in taken:  # from a list, and never read
            found.setdefault(variable, Unknown())
    return found


def _typed_bindings(statement: Statement) -> Iterator[tuple[Variable, Type]]:
    """Yield the variables that a statement binds, with the types of what they are bound to."""
    if isinstance(statement, For) and isinstance(statement.target, Variable):
        match statement.domain.type:
            case Sequence(item):
                yield statement.target, item
            case Array(_, lengths) if lengths:
                yield statement.target, statement.domain.type.row
    elif not isinstance(statement, Let) or _is_whole(statement):
        yield from ((variable, value.type) for variable, value in bindings(statement))


def _is_whole(let: Let) -> bool:
    """Tell whether what a name is bound to is the whole of a value, which has a type."""
    return not isinstance(let.target, tuple) or let.value.op == "tuple"


def _bound_untold(statement: Statement) -> frozenset[Variable]:
    """Return the variables that a statement binds without telling the type of what they get."""
    told = frozenset(variable for variable, _ in _typed_bindings(statement))
    return frozenset(bound(statement)) - told


def _is_still(type_: Type) -> bool:
    """Tell whether nothing of a type varies: what is read as something else, does."""
    return isinstance(type_, Other) or getattr(type_, "dtype", "f")[0] not in "fc"


def memory(
    function: Function,
    types: Mapping[Variable, Type],
    shares: Shares,
    regions: Regions,
) -> Memory:
    """Return what the variables of a function may refer to, and which of it is written."""
    first = effects(function, types, shares, regions)
    lists = _lists_of_values(first)
    apart, whole = lists | _with_stores(function, first), _deep_copies(function, first)
    in_parts = replace(first, stored=first.stored | _cut_apart(function, first))
    second = replace(first, written=_written(in_parts, apart, whole))
    lists = frozenset(s for s in lists if not first.items.get(s, NOTHING) & second.written)
    third = replace(second, of_values=lists)
    hard = _hard(third, placed(function.body))
    return replace(third, hard=hard, of_values=lists - hard)


def effects(
    function: Function,
    types: Mapping[Variable, Type],
    shares: Shares,
    regions: Regions,
) -> Memory:
    """Return what the variables of a function may refer to, and what its statements write to."""
    every = placed(function.body)
    found, displayed = find_points_to(function, every, types, shares, regions)
    pointers = found.points_to, found.items, shares, found.arrays
    found = Memory(*pointers, uses(function), types, displayed, regions)
    stored = NOTHING.union(*(found.written_by(statement) for _, statement in every))
    return replace(found, stored=stored, written=stored, shrunk=_shrunk(every, found))


def _lists_of_values(memory: Memory) -> Sites:
    """Return the lists of numbers and of arrays that have one name each."""
    of_one = (v for v in memory.points_to if _is_list_of_values(v, memory))
    return NOTHING.union(*(memory.points_to[v] for v in of_one))


def _with_stores(function: Function, memory: Memory) -> Sites:
    """Return the containers whose slots get other things: b.x = e."""
    stores = [s for s in statements(function.body) if isinstance(s, Store) and s.op == "="]
    slots_ = [s.target.args[0] for s in stores if s.target.op in ("subscript", "attribute")]
    return memory.all_sites(base for base in slots_ if is_container(base.type))


def _cut_apart(function: Function, memory: Memory) -> Sites:
    """Return the arrays that calls cut into lists of their parts: a list of shadows is cut alike.

    Parts that are unpacked at once are in no list.
    """
    made = [each for each in statements(function.body) if isinstance(each, Let)]
    names = ((s.target, s.value) for s in made if isinstance(s.target, Variable))
    lists = (variable for variable, value in names if _cuts(value, memory))
    return memory.arrays_in(NOTHING.union(*map(memory.reach, lists)))


def _cuts(value: Expr, memory: Memory) -> bool:
    """Tell whether a call gives a list of parts of what it is handed, which may be written to."""
    if value.op != "call" or not is_container(value.type) or is_made(value):
        return False
    return not calls_one(value, "read_only") and bool(memory.shares(value))


def _deep_copies(function: Function, memory: Memory) -> list[Sites]:
    """Return what each deep copy holds: in all that is held, arrays are values, or none are."""
    made = [each for each in statements(function.body) if isinstance(each, Let)]
    copies = (v for each in made for v, e in bindings(each) if is_deep_copy(e))
    return [memory.arrays_in(memory.reach(variable)) for variable in copies]


def _written(memory: Memory, of_values: Sites, whole: list[Sites]) -> Sites:
    """Return what is written: by statements, containers, and what they hold but for values.

    An array that nobody writes to is a value, and so is what holds it in a slot of some containers:
    their adjoints are handed on where it is put in and taken out, as those of numbers are.
    """
    beside = [*(memory.arrays_in(held) for held in memory.items.values()), *whole]

    def more(found: Sites) -> Sites:
        return NOTHING.union(*(held for held in beside if held & found))

    held = NOTHING.union(*(memory.items.get(site, NOTHING) for site in of_values))
    values = closed(memory.arrays_in(held), more)
    found = memory.stored | _in_unclear_slots(memory) | (_in_containers(memory) - values)
    while True:
        written = _closed(found, memory.points_to)
        found = written | more(written)
        if found == written:
            return written


def _in_unclear_slots(memory: Memory) -> Sites:
    """Return the arrays in slots that may hold numbers or nothing, too: a shadow is one for all."""
    types = memory.types.items()
    unclear = [v for v, t in types if is_container(t) and holds_unclear(t, memory.regions)]
    return memory.inside(NOTHING.union(*(memory.points_to.get(v, NOTHING) for v in unclear)))


def _shrunk(all_placed: Iterable[tuple[Place, Statement]], memory: Memory) -> Sites:
    """Return the containers that items are taken out of."""
    taken = ("pop", "del", "clear")
    found = (s for _, s in all_placed if isinstance(s, RegionOp) and s.method in taken)
    return NOTHING.union(*(memory.sites(s.base) for s in found))


def _in_containers(memory: Memory) -> Sites:
    """Return the containers, and all that they hold: their shadows are memory, too."""
    found = NOTHING.union(
        *(s for v, s in memory.points_to.items() if is_container(memory.types.get(v, Unknown())))
    )
    return memory.inside(found) | found


def _closed(written: Sites, points_to: Mapping[Variable, Sites]) -> Sites:
    """Return the sites that some variable may mix with written ones, too."""
    every = frozenset(points_to.values())
    return closed(written, lambda found: NOTHING.union(*(s for s in every if s & found)))


def _hard(memory: Memory, all_placed: list[tuple[Place, Statement]]) -> Sites:
    """Return the sites whose shadows have to be bound beside the names."""
    hard: set[Site] = set(NOTHING.union(*memory.items.values()) & memory.written)
    by_place = dict(all_placed)
    for variable in memory.points_to:
        if memory.is_memory(variable) and not _is_easy(variable, memory, by_place):
            hard |= memory.points_to[variable]
    return _closed(frozenset(hard), memory.points_to)


def _is_easy(variable: Variable, memory: Memory, by_place: Mapping[Place, Statement]) -> bool:
    """Tell whether a variable is bound once, to new memory or to a part that is had for nothing."""
    found = memory.uses
    type_ = memory.types[variable]
    if isinstance(type_, Optional | Unknown):
        return False
    if is_container(type_) and not memory.points_to[variable] <= memory.of_values:
        return False
    places = found.bound.get(variable, ())
    if variable in found.parameters:
        return not places
    let = definition(variable, by_place)
    if len(places) != 1 or let is None:
        return False
    if not isinstance(let.target, Variable) and not gives_new_values(let):
        return False
    if not is_within(found.owners[variable], places[0]):
        return False
    if not memory.is_reference(let.value):
        is_deep = is_container(type_) and is_deep_copy(let.value)
        return len(memory.points_to[variable]) == 1 and not is_deep
    return _is_path(let.value, memory)


def gives_new_values(let: Let) -> bool:
    """Tell whether each result of an own function is bound to a name: a, b = f(u)."""
    return is_own_call(let.value) and isinstance(let.target, tuple)


def _is_list_of_values(variable: Variable, memory: Memory) -> bool:
    """Tell whether a variable is the one name of a list of numbers, or of arrays."""
    type_ = memory.types.get(variable, Unknown())
    item: Type = Unknown()
    if isinstance(type_, Sequence) and type_.cls is list:
        item = type_.item
    elif isinstance(type_, Reference) and type_.site in memory.regions:
        region = memory.regions[type_.site]
        is_read = not memory.points_to[variable] & memory.stored
        if region.kind == "list":
            item = region.item
        elif region.cls is dict and is_read and variable in memory.uses.parameters:
            item = dict_types(type_, memory.regions)[1] or item
    if not isinstance(item, Number | Array):
        return False
    return len(memory.points_to[variable]) == 1 and not memory.sharers(variable)


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
            if not all(memory.is_steady(variable) for variable, _ in reads(arg)):
                return False
        expr = expr.args[0]
    return True


def returned(function: Function) -> Return | None:
    """Return the statement at the end of a structured function."""
    last = function.body[-1] if function.body else None
    return last if isinstance(last, Return) else None
