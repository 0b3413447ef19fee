"""Whether what is claimed of a value is true of it, and expressions from text."""

from __future__ import annotations

import ast
import math
import statistics
from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad.legacy.facts import Dim, Fact, Token
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|",
}  # fmt: skip
COMPARE = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is_not", ast.In: "in", ast.NotIn: "not_in",
}  # fmt: skip
UNARY = {ast.USub: "u-", ast.UAdd: "u+", ast.Not: "not", ast.Invert: "~"}
NAMES: dict[str, Any] = {"np": np, "math": math, "statistics": statistics}


def expression(text: str, variables: Mapping[str, Var]) -> Expr:
    """Return an expression of the intermediate representation, from its text."""
    return _convert(ast.parse(text, mode="eval").body, variables)


def _convert(node: Any, names: Mapping[str, Var]) -> Expr:
    def each(*nodes: Any) -> tuple[Expr, ...]:
        return tuple(_convert(one, names) for one in nodes)

    match node:
        case ast.Constant(value):
            return Const(value)
        case ast.Name(name) if name in names:
            return names[name]
        case ast.Name() | ast.Attribute() if _root(node) not in names:
            text = ast.unparse(node)
            return Ref(text, eval(text, dict(NAMES)))
        case ast.Attribute(value, name):
            return Attr(*each(value), name)
        case ast.BinOp(left, op, right):
            return Op(BINARY[type(op)], each(left, right))
        case ast.UnaryOp(op, operand):
            return Op(UNARY[type(op)], each(operand))
        case ast.Compare(left, ops, others):
            return Op(" ".join(COMPARE[type(op)] for op in ops), each(left, *others))
        case ast.BoolOp(op, values):
            return Op("and" if isinstance(op, ast.And) else "or", each(*values))
        case ast.IfExp(test, body, orelse):
            return Op("if", each(test, body, orelse))
        case ast.Subscript(value, key):
            return Op("index", each(value, key))
        case ast.Slice(lower, upper, step):
            ends = (lower, upper, step)
            return Op(
                "slice", tuple(Const(None) if e is None else _convert(e, names) for e in ends)
            )
        case ast.Tuple(elts):
            return Op("tuple", each(*elts))
        case ast.List(elts):
            return Op("list", each(*elts))
        case ast.Call(func, args, keywords):
            named = tuple((k.arg, _convert(k.value, names)) for k in keywords)
            return Call(_convert(func, names), each(*args), named)
    raise NotImplementedError(ast.dump(node))


def _root(node: Any) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


# ---------------------------------------------------------------------------- claims

Lengths = dict[str, int]


def wrong(fact: Fact, value: Any, lengths: Lengths, shapes: dict[str, Any] | None = None) -> str:
    """Return what a fact claims that is not true of a value, '' when all is true.

    `lengths` holds what the symbols stand for; those that are new are noted there.
    """
    problem = _wrong_kind(fact, value) or _wrong_dtype(fact, value)
    return (
        problem
        or _wrong_shape(fact, value, lengths, shapes)
        or _wrong_parts(fact, value, lengths, shapes)
    )


def kind_of(value: Any) -> str:
    """Return the kind that a fact of a value has when everything is known."""
    scalars = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}
    match value:
        case np.ndarray():
            return "array"
        case np.generic():
            return scalars[value.dtype.kind]
        case tuple():
            return "tuple"
        case np.random.Generator() | np.random.RandomState():
            return "generator"
        case bool() | int() | float() | complex() | str() | list() | dict():
            return type(value).__name__
        case None:
            return "none"
    return "object"


def _wrong_kind(fact: Fact, value: Any) -> str:
    kind = kind_of(value)
    any_number = fact.kind == "float" and fact.dtype == "" and kind in ("int", "complex", "bool")
    # total = 0 before the first `total += x`
    zero = fact.kind == "float" and fact.weak is None and kind == "int"
    if fact.kind in ("unknown", kind) or any_number or zero:
        return ""
    return f"kind {fact.kind}, but it is a {kind}"


def _wrong_dtype(fact: Fact, value: Any) -> str:
    if not fact.dtype or not isinstance(value, np.ndarray | np.generic | float | int | complex):
        return ""
    found = np.asarray(value).dtype.name
    weak = not isinstance(value, np.ndarray | np.generic)
    if fact.is_scalar and fact.weak is not None and fact.weak != weak:
        return f"weak {fact.weak}, but it is a {type(value).__name__}"
    if fact.weak is None and isinstance(value, int):
        return ""
    return "" if found == fact.dtype else f"dtype {fact.dtype}, but it is {found}"


def _wrong_shape(fact: Fact, value: Any, lengths: Lengths, shapes: dict[str, Any] | None) -> str:
    if fact.kind in ("tuple", "list", "object", "dict", "str", "none") or fact.shape is None:
        return ""
    shape = np.shape(value)
    if isinstance(fact.shape, Token):
        return _wrong_token(fact.shape, shape, {} if shapes is None else shapes)
    if len(fact.shape) != len(shape):
        return f"rank {len(fact.shape)}, but its shape is {shape}"
    for dim, length in zip(fact.shape, shape, strict=True):
        if not agrees(dim, length, lengths):
            return f"length {dim} ({lengths}), but its shape is {shape}"
    return ""


def _wrong_token(token: Token, shape: Any, shapes: dict[str, Any]) -> str:
    known = shapes.get(token.name)
    if known is None and not token.trim:
        shapes[token.name] = shape
    if known is None:
        return ""
    trimmed = (max(0, known[0] - token.trim), *known[1:]) if known and token.trim else known
    return "" if trimmed == shape else f"{token} of {known}, but its shape is {shape}"


def agrees(dim: Dim, length: int, lengths: Lengths) -> bool:
    """Tell whether a length is what a Dim claims, noting the value of a new symbol."""
    if not dim.symbol:
        return dim.offset == length
    if dim.symbol == "?":
        return True
    if dim.symbol not in lengths:
        if length > 0:
            lengths[dim.symbol] = length - dim.offset
        return True
    return max(0, lengths[dim.symbol] + dim.offset) == length


def _wrong_parts(fact: Fact, value: Any, lengths: Lengths, shapes: dict[str, Any] | None) -> str:
    simple = kind_of(value) in ("bool", "str", "none")
    if simple and fact.value is not None and fact.value != Const(value):
        return f"value {fact.value}, but it is {value}"
    length = fact.extent[0] if isinstance(fact.extent, tuple) and fact.kind == "int" else None
    if length is not None and value >= 0 and not agrees(length, int(value), lengths):
        return f"the integer {length} ({lengths}), but it is {value}"
    if fact.kind == "tuple" and fact.shape is not None:
        if len(fact.items) != len(value):
            return f"{len(fact.items)} items, but there are {len(value)}"
        pairs = zip(fact.items, value, strict=True)
        problems = (wrong(item, part, lengths, shapes) for item, part in pairs)
        return next(filter(None, problems), "")
    if fact.kind == "list" and fact.items and isinstance(value, list):
        problems = (wrong(fact.items[0], part, dict(lengths), shapes) for part in value)
        return next(filter(None, problems), "")
    return ""
