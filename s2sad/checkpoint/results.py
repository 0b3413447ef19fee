"""What a derivative returns: the adjoints in the structure of the arguments, after the value.

What a function gives beside its value comes after the adjoints, or with the value before them.

p is {"a": 1.0, "w": array}      return {"a": p_a_bar, "w": p_w_bar}
"""

from __future__ import annotations

import numpy as np

from s2sad.analysis.containers import is_container
from s2sad.analysis.openings import Opening, is_named, opening_of
from s2sad.analysis.prepare import Prepared
from s2sad.ir.expression import Expr, Variable, attribute, call, constant, global_, name
from s2sad.ir.program import Return
from s2sad.ir.types import Array, Number, Other, Tuple, Type, is_float
from s2sad.reverse.structures import with_fields
from s2sad.reverse.world import World

USUAL = frozenset({"float64", "complex128"})
Openings = tuple[Opening, ...]


def results(arguments: tuple[Variable, ...], ready: Prepared, world: World, single: bool) -> Return:
    """Return the statement at the end of a derivative; of one argument (`single`) no tuple."""
    adjoints = tuple(_adjoint(v, ready.openings, world) for v in arguments)
    own = {p.variable: p.type for p in ready.function.parameters}
    if any(map(_is_unusual, (*own.values(), *ready.memory.types.values()))):
        adjoints = tuple(
            _in_precision(a.typed(own.get(v, a.type)))
            for v, a in zip(arguments, adjoints, strict=True)
        )
    result = adjoints[0] if single else _together(adjoints)
    if world.value is not None:
        value = name(world.value)
        both = (value, result) if world.gives_value else (result, value)
        result = Expr("tuple", both, None, Tuple(tuple(each.type for each in both)))
    return Return(result)


def _is_unusual(type_: Type) -> bool:
    """Tell whether a value has numbers of more or less precision than Python's."""
    if not isinstance(type_, Array | Number):
        return False
    return type_.dtype[0] in "fc" and type_.dtype not in USUAL


def _in_precision(adjoint: Expr) -> Expr:
    """Return an adjoint in the precision of its argument, whatever else is computed with."""
    type_ = adjoint.type
    if adjoint.op in ("tuple", "list", "dict", "item"):
        return adjoint.with_args(map(_in_precision, adjoint.args))
    if adjoint.op == "call" and adjoint.data:
        first = len(adjoint.args) - len(adjoint.data)
        parts = (*adjoint.args[:first], *map(_in_precision, adjoint.args[first:]))
        return adjoint.with_args(parts)
    if not isinstance(type_, Array | Number) or type_.dtype[0] not in "fc":
        return adjoint
    kind = global_(f"np.{type_.dtype}", getattr(np, type_.dtype))
    if isinstance(type_, Array) and type_.rank:
        return call(attribute(adjoint, "astype"), kind, type_=type_)
    is_number = isinstance(type_, Number) and not type_.boxed
    return adjoint if is_number or type_.dtype in USUAL else call(kind, adjoint, type_=type_)


def _together(values: tuple[Expr, ...]) -> Expr:
    return Expr("tuple", values, None, Tuple(tuple(v.type for v in values)))


def _adjoint(variable: Variable, openings: Openings, world: World) -> Expr:
    """Return the adjoint of an argument in its structure."""
    opening = opening_of(variable, openings)
    if opening is None:
        return world.gradient(variable)
    parts = {key: _adjoint(part.data, openings, world) for key, part in opening.parts.items()}
    if opening.cls is dict:
        return _dict_of(parts)
    if opening.cls is list:
        return Expr("list", tuple(parts.values()), None, Other(list))
    if isinstance(opening.whole, Tuple) and not is_named(opening.whole):
        return _together(tuple(parts.values()))
    return _record_like(opening, parts)


def _dict_of(parts: dict[object, Expr]) -> Expr:
    items = tuple(
        Expr("item", (constant(key, Other(type(key))), part)) for key, part in parts.items()
    )
    return Expr("dict", items, None, Other(dict))


def _record_like(opening: Opening, parts: dict[object, Expr]) -> Expr:
    """Return an object like the one that was handed over, with adjoints for its floats."""
    whole = name(opening.variable, opening.whole)
    varying = {
        opening.field(key): part
        for key, part in parts.items()
        if is_float(part.type) or is_container(part.type) or part.op != "name"
    }
    if is_named(opening.whole):
        return call(attribute(whole, "_replace"), type_=opening.whole, **varying)
    return with_fields(whole, opening.cls, opening.whole, varying)
