"""What is known of lists and tables whose text is copied as it stands.

[[0.0] * n for _ in range(m)]      a list of lists of numbers
[make(i) for i in range(m)]        a list of what is not known
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from s2sad.desugar.syntax import bound_names
from s2sad.facts.fact import UNKNOWN, Fact, fact_of_constant
from s2sad.facts.joins import join_elements
from s2sad.program import Opaque

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
        return _item(copied.node, {name: of(var) for name, var in copied.reads})
    return Fact(KINDS.get(type(copied.node).__name__, "unknown"))


def _item(node: Any, held: dict[str, Fact]) -> Fact:
    match node:
        case gast.Constant(value=value):
            return replace(fact_of_constant(value), value=None, extent=None)
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant() as operand):
            return _item(operand, held)
        case gast.ListComp(elt=each, generators=loops):
            own = bound_names([loop.target for loop in loops])
            outer = {name: fact for name, fact in held.items() if name not in own}
            return Fact("list", items=(_item(each, outer),))
        case gast.List(elts=parts):
            return Fact("list", items=join_elements(_item(each, held) for each in parts))
        case gast.BinOp(left=gast.List() as part, op=gast.Mult(), right=times):
            return _item(part, held) if _is_integer(times, held) else UNKNOWN
    return UNKNOWN


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
            return "len" not in held
    return False
