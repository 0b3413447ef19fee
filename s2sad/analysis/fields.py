"""Objects and dicts that nobody else holds become names: one for each field.

body = Body(u, 2.0 * u)         body_x = u
body.x = body.x + dt * body.v   body_v = 2.0 * u
                                body_x = body_x + dt * body_v

What is put into a list, handed on whole, compared, or one of several as a test decides stays
memory with a shadow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from s2sad.analysis.memory import Memory
from s2sad.analysis.openings import Opening
from s2sad.analysis.places import Place, Uses, exposed, is_within, placed
from s2sad.analysis.pointers import Site
from s2sad.analysis.tuples import lengths_asked, literal_position
from s2sad.analysis.webs import under_last_names
from s2sad.ir.expression import Expr, Variable, name
from s2sad.ir.program import Block, Function, Let, Parameter, Statement, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Number, Reference, Region, Regions, Tuple, Type
from s2sad.ir.types import Site as RegionSite
from s2sad.ir.walk import bound, closed, expressions, rebuilt, rewritten, with_expressions

Keys = Mapping[RegionSite, frozenset[Any]]
MISSING = object()


def with_fields_as_names(
    function: Function, memory: Memory, regions: Regions, arguments: Keys
) -> tuple[Function, tuple[Opening, ...]]:
    """Return a function without the objects and dicts that can be names, and opened parameters.

    `arguments` are the fields that the dicts and objects have which are handed over.
    """
    refused = _handed_on(function, regions)
    found = _candidates(function, memory, regions, arguments, refused)
    in_turn = _in_turn(function, memory, regions, refused | found.keys())
    if not found and not in_turn:
        return function, ()
    function = under_last_names(function, in_turn.keys())
    apart = _Apart({**found, **{v: v for v in in_turn}}, Fresh.of(function), in_turn, regions)
    parameters: list[Parameter] = []
    openings: list[Opening] = []
    for parameter in function.parameters:
        opened = apart.opened(parameter, regions, arguments)
        parameters += [parameter] if opened is None else opened[1]
        openings += [] if opened is None else [opened[0]]
    body = rewritten(function.body, apart.statement)
    return replace(function, parameters=tuple(parameters), body=body), tuple(openings)


def opened_tuples(function: Function) -> tuple[Function, tuple[Opening, ...]]:
    """Return a function whose parameters are no tuples; each part is a parameter."""
    fresh = Fresh.of(function)
    parameters: list[Parameter] = []
    openings: list[Opening] = []
    whole: dict[Variable, Expr] = {}
    for parameter in function.parameters:
        type_ = parameter.type
        if not isinstance(type_, Tuple):
            parameters.append(parameter)
            continue
        named = [_part_name(type_, k) for k in range(len(type_.items))]
        parts = [fresh.variable(f"{parameter.variable.name}_{n}") for n in named]
        pairs = list(zip(parts, type_.items, strict=True))
        parameters += [Parameter(part, kind) for part, kind in pairs]
        named_parts = tuple(name(part, kind) for part, kind in pairs)
        openings.append(Opening(parameter.variable, type_, type_.cls, dict(enumerate(named_parts))))
        whole[parameter.variable] = Expr("tuple", named_parts, None, type_)
    if not whole:
        return function, ()
    starts = tuple(Let(v, display) for v, display in whole.items())
    made = replace(function, parameters=tuple(parameters), body=(*starts, *function.body))
    return made, tuple(openings)


def _part_name(type_: Tuple, position: int) -> str:
    named = getattr(type_.cls, "_fields", None)
    return str(position) if named is None else str(named[position])


# ---------------------------------------------------------------------------- which ones


def _candidates(
    function: Function, memory: Memory, regions: Regions, arguments: Keys, refused: Set[Variable]
) -> dict[Variable, Variable]:
    """Return the variables that hold what becomes names, each with the one that it is named after."""
    holders = _holders(memory)
    refused = refused | {
        p.variable for p in function.parameters if not _opens(p.type, regions, arguments)
    }
    by_place = dict(placed(function.body))
    found: dict[Variable, Variable] = {}
    for site, variables in holders.items():
        if any(v in refused or memory.points_to[v] != {site} for v in variables):
            continue
        if any(_region(memory.types[v], regions) is None for v in variables):
            continue
        first = _maker(site, variables, by_place, function, memory)
        if first is not None:
            found |= dict.fromkeys(variables, first)
    return found


def _in_turn(
    function: Function, memory: Memory, regions: Regions, refused: Set[Variable]
) -> Mapping[Variable, Mapping[Any, Type]]:
    """Return the variables that hold one object after the other, which nobody writes to, with their fields.

    state = {k: state[k] + dt * slope[k] for k in state}
    """
    found: dict[Variable, Mapping[Any, Type]] = {}
    for variables in _holding_the_same(memory):
        held = {v: _region(memory.types[v], regions) for v in variables}
        if refused.isdisjoint(variables) and _are_made_alike(variables, function, memory):
            found |= {v: region.fields for v, region in held.items() if region is not None}
    return found


def _holding_the_same(memory: Memory) -> Iterator[frozenset[Variable]]:
    """Yield the variables that hold one of several objects, with those that hold the same ones."""
    holders = _holders(memory)
    seen: set[Variable] = set()
    for variable, sites in memory.points_to.items():
        if len(sites) < 2 or variable in seen:
            continue
        group = closed(
            frozenset({variable}),
            lambda found: (v for u in found for s in memory.points_to[u] for v in holders[s]),
        )
        seen |= group
        yield group


def _are_made_alike(variables: frozenset[Variable], function: Function, memory: Memory) -> bool:
    """Tell whether some variables are given displays with the same keys, which nobody writes to."""
    held = frozenset(site for variable in variables for site in memory.points_to[variable])
    if held & memory.stored or not variables.isdisjoint(memory.uses.parameters):
        return False
    keys: set[tuple[Any, ...]] = set()
    for _, statement in placed(function.body):
        if variables.isdisjoint(bound(statement)):
            continue
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return False
        made = statement.value
        if made.op != "name" and not _is_made_of_fields(made):
            return False
        if made.op != "name":
            keys.add(_keys_of(made))
    return len(keys) == 1


def _keys_of(display: Expr) -> tuple[Any, ...]:
    """Return the class and the keys of a display."""
    cls = display.data.cls if display.op == "record" else display.op
    return cls, *(key for key, _ in entries(display))


def _opens(type_: Type, regions: Regions, arguments: Keys) -> bool:
    """Tell whether the fields of what is handed over are known, and none of them holds it again."""
    if not isinstance(type_, Reference) or type_.site not in arguments:
        return False
    within, pending = set[RegionSite](), [type_]
    while pending:
        region = _region(pending.pop(), regions)
        held = region.fields.values() if region is not None else ()
        found = [each for each in held if isinstance(each, Reference) and each.site not in within]
        within |= {each.site for each in found}
        pending += found
    return type_.site not in within


def _holders(memory: Memory) -> dict[Site, list[Variable]]:
    holders: dict[Site, list[Variable]] = {}
    for variable, sites in memory.points_to.items():
        for site in sites:
            holders.setdefault(site, []).append(variable)
    return holders


def _region(type_: Type, regions: Regions) -> Region | None:
    """Return the fields that a value refers to; None if it is no object, dict or list of fields."""
    if not isinstance(type_, Reference) or type_.site not in regions:
        return None
    region = regions[type_.site]
    return region if region.kind == "fields" and region.cls is not tuple else None


def _maker(
    site: Site,
    variables: list[Variable],
    by_place: Mapping[Place, Statement],
    function: Function,
    memory: Memory,
) -> Variable | None:
    """Return the variable that an object is made under, None where it cannot become names."""
    if len(site) > (2 if site[0] == "parameter" else 3):
        return None  # held by another one
    if site[0] == "parameter":
        parameter = site[1]
        return parameter if isinstance(parameter, Variable) else None
    if site[0] != "made" or not isinstance(site[1], tuple):
        return None
    place = site[1]
    made = by_place.get(place)
    if not isinstance(made, Let) or not isinstance(made.target, Variable):
        return None
    if not _is_made_of_fields(made.value):
        return None
    loop = memory.uses.loop_of(place[:-1])
    if loop is not None and not _are_of_one_pass(variables, loop, function, memory.uses):
        return None
    return made.target


def _is_made_of_fields(value: Expr) -> bool:
    if value.op == "record":
        return True
    if value.op == "list":
        return all(item.op != "starred" for item in value.args)
    return value.op == "dict" and all(key is not MISSING for key, _ in entries(value))


def entries(display: Expr) -> Iterator[tuple[Any, Expr]]:
    """Yield the keys of a display, each with what stands under it."""
    if display.op == "record":
        yield from zip(display.data.names, display.args, strict=True)
    elif display.op == "list":
        yield from enumerate(display.args)
    else:
        yield from ((key_of(item.args[0]), item.args[1]) for item in display.args)


def _are_of_one_pass(
    variables: list[Variable], loop: Place, function: Function, found: Uses
) -> bool:
    """Tell whether variables are bound once in a pass, before they are read, and not after it."""
    for variable in variables:
        places = found.bound.get(variable, ())
        if len(places) != 1 or not is_within(found.owners[variable], loop):
            return False
        if not is_within(found.owners[variable], places[0]):
            return False
    return exposed(function.body)[0].isdisjoint(variables)


def _handed_on(function: Function, regions: Regions) -> set[Variable]:
    """Return the variables that are used otherwise than by their fields, or copied to a name."""
    refused: set[Variable] = set()
    for _, statement in placed(function.body):
        is_copy = (
            isinstance(statement, Let)
            and isinstance(statement.target, Variable)
            and statement.value.op == "name"
        )
        if is_copy or _asks_items(statement, regions) is not None:
            continue
        for expr in expressions(statement):
            refused |= set(_whole(expr, regions))
    return refused


def _asks_items(statement: Statement, regions: Regions) -> Variable | None:
    """Return the list that a statement asks for as many items as it has, before it is unpacked."""
    asked = lengths_asked(statement)
    region = None if asked is None else _region(asked[0].type, regions)
    if asked is None or region is None or region.cls is not list or asked[0].op != "name":
        return None
    return asked[0].data if len(region.fields) == asked[1] else None


def _whole(expr: Expr, regions: Regions) -> Iterator[Variable]:
    """Yield the variables that an expression reads whole, not one of their fields."""
    if expr.op == "name":
        yield expr.data
        return
    base = expr.args[0] if expr.args else expr
    region = _region(base.type, regions) if base.op == "name" else None
    if region is not None and field_in(region, expr) in region.fields:
        return
    for arg in expr.args:
        yield from _whole(arg, regions)


def field_of(expr: Expr, cls: type | None) -> Any:
    """Return which field of its base an expression is, MISSING where it is none, or not known."""
    if expr.op == "attribute":
        return MISSING if cls is dict else expr.data
    return key_of(expr.args[1]) if expr.op == "subscript" else MISSING


def word_of(key: Any) -> str:
    """Return what a field is called in the names that are made of it: of _Tank__rate it is rate."""
    word = str(key).rpartition("__")[2] or str(key)
    return "".join(c if c.isalnum() else "_" for c in word).strip("_") or "part"


def field_in(region: Region, expr: Expr) -> Any:
    """Return which field of a region an expression is: of a list, counted from its first item."""
    key = field_of(expr, region.cls)
    is_from_end = region.cls is list and type(key) is int and key < 0
    return key + len(region.fields) if is_from_end else key


def key_of(index: Expr) -> Any:
    """Return the constant that a key is."""
    position = literal_position(index)
    if position is not None:
        return position
    value = MISSING if index.known is None else index.known.value
    return value if isinstance(value, str | int | float | bool) else MISSING


# ---------------------------------------------------------------------------- the names


@dataclass(slots=True)
class _Apart:
    """The variables that hold objects, and the names of the fields by object."""

    owners: Mapping[Variable, Variable]
    fresh: Fresh
    in_turn: Mapping[Variable, Mapping[Any, Type]]
    regions: Regions
    names: dict[tuple[Variable, Any], Variable] = field(default_factory=dict)

    def field(self, variable: Variable, key: Any) -> Variable:
        owner = self.owners[variable]
        if (owner, key) not in self.names:
            self.names[owner, key] = self.fresh.variable(f"{owner.name}_{word_of(key)}", owner.role)
        return self.names[owner, key]

    def opened(
        self, parameter: Parameter, regions: Regions, arguments: Keys
    ) -> tuple[Opening, list[Parameter]] | None:
        """Return what a parameter is opened to."""
        variable, type_ = parameter.variable, parameter.type
        if variable not in self.owners or not isinstance(type_, Reference):
            return None
        region, handed = regions[type_.site], arguments.get(type_.site, frozenset())
        parts = {
            key: name(self.field(variable, key), type_)
            for key, type_ in region.fields.items()
            if key in handed
        }
        made = [Parameter(part.data, part.type) for part in parts.values()]
        return Opening(variable, type_, region.cls, parts), made

    def statement(self, statement: Statement) -> Statement | Block:
        if isinstance(statement, Let) and statement.target in self.owners:
            made = tuple(self.made(statement))
            is_in_turn = statement.target in self.in_turn and len(made) > 1
            return _at_once(made) if is_in_turn else made
        if _asks_items(statement, self.regions) in self.owners:
            return ()
        if isinstance(statement, Store) and self.is_field(statement.target):
            return self.stored(replace(statement, value=self.expression(statement.value)))
        return with_expressions(statement, self.expression)

    def made(self, let: Let) -> Iterator[Let]:
        """Yield an assignment for each field of an object that is made; none for a second name."""
        assert isinstance(let.target, Variable)
        value = let.value
        if value.op != "name":
            for key, part in entries(value):
                yield Let(self.field(let.target, key), self.expression(part), let.span)
        elif self.owners[value.data] != self.owners[let.target]:
            for key, type_ in self.in_turn[let.target].items():
                read = name(self.field(value.data, key), type_, value.span)
                yield Let(self.field(let.target, key), read, let.span)

    def is_field(self, expr: Expr) -> bool:
        is_part = expr.op in ("attribute", "subscript") and expr.args[0].op == "name"
        return is_part and expr.args[0].data in self.owners

    def stored(self, store: Store) -> Statement:
        target = self.expression(store.target)
        if store.op == "=":
            return Let(target.data, store.value, store.span)
        if isinstance(target.type, Number):
            value = Expr("binary", (target, store.value), store.op, target.type, None, store.span)
            return Let(target.data, value, store.span, spelled=store.op)
        return replace(store, target=target)

    def expression(self, expr: Expr) -> Expr:
        """Return an expression in which fields are names."""

        def change(node: Expr) -> Expr | None:
            if not self.is_field(node):
                return None
            region = _region(node.args[0].type, self.regions)
            key = MISSING if region is None else field_in(region, node)
            variable = self.field(node.args[0].data, key)
            return name(variable, node.type, node.span)

        return rebuilt(expr, change)


def _at_once(lets: Sequence[Let]) -> Block:
    """Return assignments of which none reads what another one gives."""
    whole = Expr(
        "tuple",
        tuple(let.value for let in lets),
        None,
        Tuple(tuple(let.value.type for let in lets)),
    )
    targets = tuple(let.target for let in lets)
    return (Let(targets, whole, lets[0].span),)
