"""Expressions of plain Python text with types: what the tests of inference are written in.

typed("u * c", u=np.ones(3), c=0.5)   ->   the node of u * c, and the context it was made in
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy
import scipy.fft
import scipy.linalg
import scipy.signal
import scipy.special

from s2sad.ir.expression import Expr, Variable, attribute, constant, global_, name, subscript
from s2sad.ir.types import Array, Number, Optional, Sequence, Tuple, Type
from s2sad.types import Context, Mismatch, infer, type_of

BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
COMPARE = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
}
UNARY = {ast.USub: "-", ast.Not: "not", ast.Invert: "~", ast.UAdd: "+"}
MODULES = {"np": np, "math": math, "scipy": scipy}


class Builder:
    """Builds the expression of a text over names of known types, each node with its type."""

    def __init__(self, types: Mapping[str, Type], context: Context):
        self.types = types
        self.context = context

    def read(self, node: ast.expr) -> Expr:
        """Return a typed node."""
        return infer(self.made(node), self.context)

    def all(self, nodes: list[ast.expr]) -> tuple[Expr, ...]:
        """Return typed nodes."""
        return tuple(map(self.read, nodes))

    def made(self, node: ast.expr) -> Expr:
        """Return a node whose operands are typed."""
        match node:
            case ast.Constant(value=value):
                return constant(value)
            case ast.Name(id=text) if text in self.types:
                return name(Variable(text), self.types[text])
            case ast.Name(id=text):
                return global_(text, MODULES.get(text) or getattr(builtins, text))
            case ast.BinOp(left=left, op=op, right=right):
                return Expr("binary", self.all([left, right]), BINARY[type(op)])
            case ast.UnaryOp(op=op, operand=operand):
                return Expr("unary", (self.read(operand),), UNARY[type(op)])
            case ast.Compare(left=left, ops=ops, comparators=rest):
                symbols = tuple(COMPARE[type(op)] for op in ops)
                return Expr("compare", self.all([left, *rest]), symbols)
            case ast.BoolOp(op=op, values=values):
                return Expr("and" if isinstance(op, ast.And) else "or", self.all(values))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return Expr("conditional", self.all([test, body, orelse]))
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Expr("tuple" if isinstance(node, ast.Tuple) else "list", self.all(items))
            case ast.Slice(lower=lower, upper=upper, step=step):
                none = ast.Constant(None)
                return Expr("slice", self.all([part or none for part in (lower, upper, step)]))
            case ast.Subscript(value=value, slice=index):
                return subscript(self.read(value), self.read(index))
            case ast.Attribute(value=value, attr=named):
                base = self.read(value)
                if base.op == "global":
                    text = f"{base.data.text}.{named}"
                    return global_(text, getattr(base.data.value, named))
                return attribute(base, named)
            case ast.Starred(value=value):
                return Expr("starred", (self.read(value),), "*")
            case ast.Call(func=function, args=args, keywords=keywords):
                operands = self.all([function, *args, *(k.value for k in keywords)])
                return Expr("call", operands, tuple(k.arg for k in keywords))
        raise NotImplementedError(ast.dump(node))


def typed(text: str, **examples: Any) -> tuple[Expr, Context]:
    """Return the typed expression of a text for examples of its names."""
    context = Context()
    for _ in range(20):
        types = {key: type_of(value, key, context) for key, value in examples.items()}
        try:
            return Builder(types, context).read(ast.parse(text, mode="eval").body), context
        except Mismatch as mismatch:
            if not context.assumptions.learn(mismatch):
                raise
    raise AssertionError("lengths do not settle")


def told(type_: Type) -> str:
    """Return a type as a short text: float64[u.0, 3], int64=n, (float64, bool)."""
    match type_:
        case Array(dtype, lengths):
            return f"{dtype}[{', '.join(map(str, lengths))}]".replace(".shape[", ".").replace(
                "],", ","
            )
        case Number(dtype, boxed, length):
            return dtype + ("*" if boxed else "") + ("" if length is None else f"={length}")
        case Tuple(items, cls):
            return f"{cls.__name__ if cls else ''}({', '.join(map(told, items))})"
        case Sequence(item, cls, length):
            return f"{cls.__name__} of {length} {told(item)}"
        case Optional(inner):
            return told(inner) + " or None"
    return type(type_).__name__


def contradiction(type_: Type, value: Any, context: Context) -> str:
    """Return in what a value is not of a type; "" if it is."""
    match type_:
        case Array(dtype, lengths, perhaps_whole):
            if isinstance(value, np.flatiter):  # its elements
                value = np.array(value)
            if not isinstance(value, np.ndarray):
                return f"an array, not {type(value).__name__}"
            is_whole = perhaps_whole and value.dtype.kind in "iu"
            if not (is_whole or _has_dtype(value, dtype)) or value.ndim != len(lengths):
                return f"{dtype} of rank {len(lengths)}, not {value.dtype} {value.shape}"
            sizes = [None if n is None else context.assumptions.value(n) for n in lengths]
            wrong = [s for s, n in zip(sizes, value.shape, strict=True) if s not in (None, n)]
            return f"{sizes}, not {value.shape}" if wrong else ""
        case Number(perhaps_whole=True) if isinstance(value, int | np.integer):
            return ""
        case Number(dtype, boxed, length):
            return _number_contradiction(dtype, boxed, length, value, context)
        case Tuple(items, cls):
            if type(value) is not (cls or tuple) or len(value) != len(items):
                return f"{told(type_)}, not {type(value).__name__}"
            found = [contradiction(i, v, context) for i, v in zip(items, value, strict=True)]
            return next((each for each in found if each), "")
        case Sequence(item, cls, length):
            if cls not in (list, tuple, range):
                return ""  # an iterator is not gone through
            if type(value) is not cls:
                return f"{cls.__name__}, not {type(value).__name__}"
            size = None if length is None else context.assumptions.value(length)
            if size is not None and hasattr(value, "__len__") and len(value) != size:
                return f"{size} items, not {len(value)}"
            return next((c for v in value if (c := contradiction(item, v, context))), "")
        case Optional(inner):
            return "" if value is None else contradiction(inner, value, context)
    return ""


def _has_dtype(value: Any, dtype: str) -> bool:
    """Tell whether a value has a dtype: what the numbers decide to be complex may be real."""
    found = np.result_type(value).name
    return found == dtype or (found, dtype) == ("float64", "complex128")


def _number_contradiction(
    dtype: str, boxed: bool, length: Any, value: Any, context: Context
) -> str:
    if boxed is not None and boxed != isinstance(value, np.generic):
        return f"{'boxed' if boxed else 'plain'} {dtype}, not {type(value).__name__}"
    if not _has_dtype(value, dtype):
        return f"{dtype}, not {type(value).__name__}"
    size = None if length is None else context.assumptions.value(length)
    return f"{size}, not {value}" if size not in (None, value) else ""
