"""What is known of lists and tables whose text is copied as it stands.

[[0.0] * n for _ in range(m)]      a list of lists of numbers
[make(i) for i in range(m)]        a list of what is not known
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from s2sad.legacy.desugar.syntax import bound_names
from s2sad.legacy.facts.fact import UNKNOWN, Fact, fact_of_constant
from s2sad.legacy.facts.joins import join_elements
from s2sad.legacy.program import Opaque, Ref

FLOAT = replace(fact_of_constant(0.0), value=None, extent=None)
COUNT = replace(fact_of_constant(0), value=None, extent=None)
KINDS = {
    "Tuple": "tuple",
    "DictComp": "dict",
    "Dict": "dict",
    "JoinedStr": "str",
    "Lambda": "function",
}


def displayed(copied: Opaque, of: Any) -> Fact:
    """Return what is known of a display that is copied."""
    if isinstance(copied.node, gast.ListComp | gast.List):
        known = dict(fact for ref in copied.globals for fact in _globals(ref))
        return _item(copied.node, {**known, **{name: of(var) for name, var in copied.reads}})
    return Fact(KINDS.get(type(copied.node).__name__, "unknown"))


def _globals(ref: Ref) -> Iterator[tuple[str, Fact]]:
    """Yield what is known of a global name, and of the numbers of a module of numbers."""
    if ref.text in ("float", "len", "range"):
        yield ref.text, Fact("function", made_of=ref.value)
        return
    yield ref.text, fact_of_constant(ref.value)
    if ref.value is math or ref.value is np:
        for name in ("inf", "nan", "pi", "e"):
            yield f"{ref.text}.{name}", fact_of_constant(getattr(ref.value, name))


def _item(node: Any, held: dict[str, Fact]) -> Fact:
    match node:
        case gast.Constant(value=value):
            return replace(fact_of_constant(value), value=None, extent=None)
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _item(operand, held)
        case gast.Call(func=gast.Name(id="float"), args=[gast.Constant()]) if _is_builtin(
            "float", held
        ):
            return FLOAT
        case gast.Name() | gast.Attribute():
            return _number(held.get(_dotted(node), UNKNOWN))
        case gast.Subscript(slice=key):
            items = _list(node.value, held)
            return _number(items[0]) if items and _is_integer(key, held) else UNKNOWN
        case gast.ListComp(elt=each, generators=loops):
            own = bound_names([loop.target for loop in loops])
            outer = {name: fact for name, fact in held.items() if name not in own}
            counted = {loop.target.id: COUNT for loop in loops if _is_counted(loop, held)}
            return Fact("list", items=(_item(each, {**outer, **counted}),))
        case gast.List(elts=parts):
            return Fact("list", items=join_elements(_item(each, held) for each in parts))
        case gast.BinOp(left=gast.List() as part, op=gast.Mult(), right=times):
            return _item(part, held) if _is_integer(times, held) else UNKNOWN
        case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult()):
            kinds = {_item(node.left, held).kind, _item(node.right, held).kind}
            return FLOAT if "float" in kinds <= {"int", "float"} else UNKNOWN
    return UNKNOWN


def _list(node: Any, held: dict[str, Fact]) -> tuple[Fact, ...]:
    """Return what is known of the items of a list, or of one that another holds."""
    match node:
        case gast.Name(id=name):
            known = held.get(name, UNKNOWN)
        case gast.Subscript(value=owner, slice=key) if _is_integer(key, held):
            items = _list(owner, held)
            known = items[0] if items else UNKNOWN
        case _:
            return ()
    return known.items if known.kind == "list" else ()


def _is_counted(loop: Any, held: dict[str, Fact]) -> bool:
    """Tell whether a comprehension goes over a range."""
    called = isinstance(loop.iter, gast.Call) and getattr(loop.iter.func, "id", "") == "range"
    return called and _is_builtin("range", held) and isinstance(loop.target, gast.Name)


def _number(known: Fact) -> Fact:
    """Return that a list holds numbers such as one that has a name; nothing of what else has."""
    numbers = known.kind in ("int", "float")
    return replace(known, value=None, extent=None) if numbers else UNKNOWN


def _is_builtin(name: str, held: dict[str, Fact]) -> bool:
    """Tell whether a name means what Python has under it."""
    return name not in held or held[name].made_of is getattr(builtins, name)


def _dotted(node: Any) -> str:
    return (
        f"{_dotted(node.value)}.{node.attr}"
        if isinstance(node, gast.Attribute)
        else getattr(node, "id", "")
    )


def _is_integer(node: Any, held: dict[str, Fact]) -> bool:
    """Tell whether a list is repeated: times an array it would be one."""
    match node:
        case gast.Constant(value=value):
            return type(value) is int
        case gast.Name(id=name):
            return name in held and held[name].kind == "int"
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult(), right=right):
            return _is_integer(left, held) and _is_integer(right, held)
        case gast.Call(func=gast.Name(id="len")):
            return _is_builtin("len", held)
        case gast.Subscript(value=owner, slice=key) if _is_integer(key, held):
            items = _list(owner, held)
            return bool(items) and items[0].kind == "int"
    return False
