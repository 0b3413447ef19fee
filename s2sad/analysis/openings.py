"""Parameters that are structures are opened, each part a parameter of its own; objects are put together again.

def f(p, dt):                    def f(p_a, p_w, dt):        p is {"a": p_a, "w": p_w}
    return p["a"] * dt               return p_a * dt

The derivative takes p all the same: it reads the parts at its start, and gives them back together.

return pair      return Pair(first=pair.first, second=pair.second)
"""

from __future__ import annotations

import dataclasses
import inspect
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from s2sad.analysis.containers import is_display, whole
from s2sad.ir.expression import Expr, Fields, Role, Variable, attribute, constant, name, subscript
from s2sad.ir.program import Block, Function, Let, Program, Return, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import renamed_in, with_variables
from s2sad.ir.types import Other, Reference, Region, Regions, Site, Tuple, Type, region_of
from s2sad.ir.walk import bind_counts, read_variables, rewritten, statements


@dataclass(frozen=True, slots=True)
class Opening:
    """A parameter and what stands for its parts; `cls` is dict, list, tuple, or the class of an object."""

    variable: Variable
    whole: Type
    cls: type | None
    parts: Mapping[Any, Expr]  # typed names

    def part(self, whole: Expr, key: Any, type_: Type) -> Expr:
        """Return a part of what was handed over."""
        if self.cls in (dict, list):
            return subscript(whole, constant(key), type_)
        if isinstance(self.whole, Tuple) and not is_named(self.whole):
            return subscript(whole, constant(key), type_)
        return attribute(whole, self.field(key), type_)

    def readings(self) -> Iterator[Let]:
        """Yield the statements that read its parts."""
        whole = name(self.variable, self.whole)
        for key, part in self.parts.items():
            yield Let(part.data, self.part(whole, key, part.type))

    def field(self, key: Any) -> str:
        """Return the name of a field; those of named tuples are numbered."""
        return str(self.cls._fields[key] if is_named(self.whole) else key)  # type: ignore[union-attr]


def is_named(type_: Type) -> bool:
    """Tell whether a type is that of named tuples."""
    return isinstance(type_, Tuple) and hasattr(type_.cls, "_fields")


def readings(openings: tuple[Opening, ...], read: frozenset[Variable]) -> tuple[Let, ...]:
    """Return the statements that read the parts of the parameters that somebody reads."""
    made: list[Let] = []
    wanted = set(read)
    for opening in reversed(openings):
        lets = [let for let in opening.readings() if let.target in wanted]
        wanted |= {variable for let in lets for variable in read_variables(let.value)}
        made = [*_at_once(opening, lets), *made]
    return tuple(made)


def _at_once(opening: Opening, lets: list[Let]) -> list[Let]:
    """Return one statement for several that unpack a tuple or a list: a, b = p."""
    if not isinstance(opening.whole, Tuple) and opening.cls is not list:
        return lets
    if len(lets) < 2 or len(lets) < len(opening.parts):
        return lets
    targets = tuple(let.target for let in lets)
    return [Let(targets, name(opening.variable, opening.whole))]


def with_users_names(
    function: Function, openings: tuple[Opening, ...]
) -> tuple[Function, tuple[Opening, ...]]:
    """Return a function whose opened parts have the names that the user binds them to.

    W, b = params      W = params[0], not params_0 = params[0]
    """
    times = bind_counts(function.body)
    times.update(p.variable for p in function.parameters)
    alike = Counter(v.name for v in times)
    copied = {part.data: part.data for each in openings for part in each.parts.values()}
    names: dict[Variable, Variable] = {}
    for statement in statements(function.body):
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            continue
        second, part = statement.target, copied.get(statement.value.data)
        if statement.value.op != "name" or part is None or times[second] + times[part] > 2:
            continue
        if second.role is not Role.PRIMAL:
            continue
        copied[second] = part
        if part not in names and alike[second.name] == 1:
            names[part] = second
    if not names:
        return function, openings
    taken = frozenset(names.values())

    def renamed(statement: Statement) -> Statement | Block:
        is_copy = isinstance(statement, Let) and statement.target in taken
        return () if is_copy else with_variables(statement, names)

    parameters = tuple(
        replace(p, variable=names.get(p.variable, p.variable)) for p in function.parameters
    )
    body = rewritten(function.body, renamed)
    return replace(function, parameters=parameters, body=body), tuple(
        replace(each, parts={k: renamed_in(part, names) for k, part in each.parts.items()})
        for each in openings
    )


def leaves(variable: Variable, openings: tuple[Opening, ...]) -> Iterator[Variable]:
    """Yield the parameters that a parameter was opened to, down to the last."""
    opening = opening_of(variable, openings)
    if opening is None:
        yield variable
        return
    for part in opening.parts.values():
        yield from leaves(part.data, openings)


def opening_of(variable: Variable, openings: tuple[Opening, ...]) -> Opening | None:
    """Return what a parameter was opened to, None if it was left whole."""
    return next((o for o in openings if o.variable == variable), None)


def with_built_results(program: Program) -> Program:
    """Return a program whose results are objects of their classes, where these only hold fields."""

    def statement(each: Statement) -> Statement:
        if not isinstance(each, Return) or not holds_object(each.value, program.regions):
            return each
        return replace(each, value=_built(each.value, program.regions))

    function = program.function
    body = rewritten(function.body, statement)
    made = replace(function, body=body)
    return program.with_first(made)


def holds_object(value: Expr, regions: Regions) -> bool:
    """Tell whether a value is an object of a class of the user's, or holds one, that is not built."""
    if value.op == "record" and value.data.is_given:
        return any(holds_object(part, regions) for part in value.args)
    if is_display(value) or value.op in ("item", "conditional"):
        return any(holds_object(part, regions) for part in value.args)
    return _is_or_holds_object(value.type, regions, frozenset())


def _is_or_holds_object(type_: Type, regions: Regions, seen: frozenset[Site]) -> bool:
    match type_:
        case Tuple(items):
            return any(_is_or_holds_object(item, regions, seen) for item in items)
        case Reference(site) if site in regions and site not in seen:
            region = regions[site]
            if region.kind == "fields" and region.cls not in (None, dict, list):
                return True
            held = (*region.fields.values(), region.item)
            return any(_is_or_holds_object(each, regions, seen | {site}) for each in held)
    return isinstance(getattr(type_, "type", None), Reference)  # an object, or None


def _built(value: Expr, regions: Regions) -> Expr:
    """Return a value with the objects that it holds put together, as far as they can be."""
    if not holds_object(value, regions):
        return value
    if is_display(value) or value.op in ("item", "conditional"):
        return value.with_args(_built(part, regions) for part in value.args)
    if value.op not in ("name", "subscript", "attribute"):
        return value
    if isinstance(value.type, Tuple) and value.type.cls is None:
        items = enumerate(value.type.items)
        parts = tuple(_built(subscript(value, whole(k), t), regions) for k, t in items)
        return Expr("tuple", parts, None, value.type, None, value.span)
    region = region_of(value.type, regions)
    return (
        value if region is None or region.kind != "fields" else _of_fields(value, region, regions)
    )


def _of_fields(value: Expr, region: Region, regions: Regions) -> Expr:
    cls: Any = region.cls
    if cls in (None, dict):
        items = []
        for key, type_ in region.fields.items():
            part = _built(subscript(value, constant(key), type_), regions)
            items.append(Expr("item", (constant(key, Other(type(key))), part)))
        return Expr("dict", tuple(items), None, value.type, None, value.span)
    if not _only_holds(cls, region):
        return value
    fields = {
        key: _built(attribute(value, str(key), t), regions) for key, t in region.fields.items()
    }
    names = Fields(cls, tuple(map(str, fields)), is_given=True)
    return Expr("record", tuple(fields.values()), names, value.type, None, value.span)


def _only_holds(cls: type, region: Region) -> bool:
    """Tell whether a class does nothing but hold what it is made with."""
    if not dataclasses.is_dataclass(cls) or cls.__module__ == "__made__":
        return False
    made: Any = vars(cls).get("__init__")
    if hasattr(cls, "__post_init__") or made is None or made.__code__.co_filename != "<string>":
        return False
    return [*inspect.signature(made).parameters][1:] == [*region.fields]
