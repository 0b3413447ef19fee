"""Objects that the user is given are put together again, as objects of their classes.

return pair      return Pair(first=pair.first, second=pair.second)
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

from s2sad.analysis.containers import is_display, whole
from s2sad.ir.expression import Expr, Fields, attribute, constant, subscript
from s2sad.ir.program import Program, Return, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import Other, Reference, Region, Site, Tuple, Type
from s2sad.ir.walk import rewritten

Regions = Mapping[Site, Region]


def with_built_results(program: Program) -> Program:
    """Return a program whose results are objects of their classes, where these only hold fields."""

    def statement(each: Statement) -> Statement:
        if not isinstance(each, Return) or not holds_object(each.value, program.regions):
            return each
        return replace(each, value=_built(each.value, program.regions))

    function = program.function
    body = rewritten(function.body, statement)
    made = replace(function, body=body)
    return replace(program, functions={**program.functions, program.entry: made})


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
            if region.kind == "fields" and region.cls not in (None, dict):
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
    region = regions.get(value.type.site) if isinstance(value.type, Reference) else None
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
