"""Tangents of structures: displays, choices, and what is done to lists and dicts.

[u, 1.0]           [u_dot, 0.0]
xs.get(k, 0.0)     xs_dot.get(k, 0.0)
"""

from __future__ import annotations

import copy
import dataclasses
from types import SimpleNamespace

from s2sad.forward.whole import own, whole
from s2sad.forward.world import Code, Dot
from s2sad.forward.zeros import as_float, as_real, zeros_of
from s2sad.ir.expression import Expr, Fields, calls, constant, keywords, name, positional
from s2sad.ir.records import replace
from s2sad.ir.types import (
    Array,
    Number,
    Numeric,
    Other,
    Reference,
    Sequence,
    Tuple,
    Unknown,
    region_of,
)
from s2sad.operators import printed
from s2sad.operators.guards import dtype_of

CONTAINERS = Reference | Tuple | Sequence


def display(expr: Expr, code: Code) -> Expr:
    parts = tuple(_display_part(arg, code) for arg in expr.args)
    if expr.op == "record":
        names = expr.data if expr.data.is_given else Fields(None, expr.data.names)
        return Expr("record", parts, names, expr.type)
    type_ = expr.type
    if isinstance(type_, Tuple):
        type_ = replace(type_, items=tuple(as_float(item) for item in type_.items))
    return Expr(expr.op, parts, expr.data, type_)


def _display_part(arg: Expr, code: Code) -> Expr:
    if isinstance(arg.type, Other) and arg.type.cls is str:
        return code.value(arg)  # a tangent is built like its value
    if arg.op == "item":
        return arg.with_args((code.value(arg.args[0]), _display_part(arg.args[1], code)))
    return own(arg, code)


def conditional(expr: Expr, code: Code) -> Dot:
    test, *arms = expr.args
    code.lazy += 1
    dots = tuple(own(arm, code) for arm in arms)
    code.lazy -= 1
    return Dot(Expr("conditional", (code.value(test), *dots), None, expr.type))


def logical(expr: Expr, code: Code) -> Dot:
    """Return the tangent of `a or b`: that of a where it holds."""
    first, *rest = expr.args
    other = rest[0] if len(rest) == 1 else replace(expr, args=tuple(rest))
    code.lazy += 1
    dots = own(first, code), own(other, code)
    code.lazy -= 1
    arms = dots if expr.op == "or" else (dots[1], dots[0])
    return Dot(Expr("conditional", (code.value(first), *arms), None, expr.type))


def is_sum(expr: Expr) -> bool:
    """Tell whether an expression is Python's sum of a list or generator."""
    return calls(expr, sum) and not expr.data and all(arg.op != "starred" for arg in expr.args)


def total(expr: Expr, code: Code) -> Expr:
    function, items, *start = expr.args
    rest = [whole(each, code) for each in start]
    made = replace(expr, args=(function, whole(items, code), *rest), known=None)
    if all(dtype_of(each) == "float64" for each in made.args[1:]):
        made = made.typed(as_real(made.type))  # the value alone is complex
    return made


def is_named_tuple(expr: Expr) -> bool:
    """Tell whether an expression makes a named tuple."""
    cls = expr.type.cls if isinstance(expr.type, Tuple) else None
    if calls(expr, SimpleNamespace):
        return not positional(expr)
    return cls is not None and calls(expr, cls)


def is_remade(expr: Expr) -> bool:
    """Tell whether an expression is an object with other fields: p._replace(w=w), of all by name."""
    if calls(expr, GRADIENT_OF):
        return True
    if calls(expr, WITH_FIELDS) or calls(expr, dataclasses.replace):
        return len(positional(expr)) == 1
    function = expr.args[0]
    return function.op == "attribute" and function.data == "_replace" and not positional(expr)


def remade(expr: Expr, code: Code) -> Expr:
    """Return the tangent of an object with other fields: that of the object with their tangents."""
    function, *args = expr.args
    if calls(expr, GRADIENT_OF):
        return expr.with_args((function, whole(args[0], code), code.value(args[1])))
    fields = [own(arg, code) for arg in keywords(expr).values()]
    if function.op == "attribute":
        return expr.with_args((function.with_args((whole(function.args[0], code),)), *fields))
    return expr.with_args((function, whole(args[0], code), *fields))


STRUCTURAL = frozenset({"list", "tuple", "reversed", "iter", "dict"})
METHODS = frozenset({"copy", "get", "values", "items"})
COPYING = (copy.copy, copy.deepcopy, next)
BESIDE = (zip, enumerate)
FLOAT = Number("float64")
# a state in files: that of the tangents is, too
GRADIENT_OF = printed.function("_gradient_of")
WITH_FIELDS = printed.function("_with_fields")
FILED = ("_to_disk", "_from_disk")


def is_structural(expr: Expr, code: Code) -> bool:
    function = expr.args[0]
    args = positional(expr)
    if function.op == "global":
        value = function.data.value
        if any(value is each for each in BESIDE) or printed.name_of(value) in FILED:
            return True
        if value is dict and not _is_dict(args, code):
            return False
        if value is getattr:  # what the reverse sweep puts back into a field, if there was one
            return len(args) == 3 and args[2].op == "constant"
        is_one = any(value is each for each in COPYING) or function.data.text in STRUCTURAL
        return is_one and len(args) == 1 and not expr.data
    if function.op != "attribute" or not code.world.is_moving(function.args[0]):
        return False  # {1: "x"}.get(u, u): what has no tangent is no dict of tangents
    return isinstance(function.args[0].type, Reference | Unknown) and function.data in METHODS


def _is_dict(args: tuple[Expr, ...], code: Code) -> bool:
    """Tell whether arguments are one dict."""
    region = region_of(args[0].type, code.world.regions) if len(args) == 1 else None
    return region is not None and region.kind != "list"


def structural(expr: Expr, code: Code) -> Expr:
    """Return what is done to a list or dict, done to its tangent."""
    function, *args = expr.args
    if calls(expr, enumerate):
        return _numbered(args[0], code)
    if calls(expr, zip):
        return replace(expr, args=(function, *(_beside(arg, code) for arg in args)))
    if function.op == "global" and printed.name_of(function.data.value) in FILED:
        made = (arg if isinstance(arg.type, Other) else whole(arg, code) for arg in args)
        return replace(expr, args=(function, *made))
    if function.op == "global":
        arg, *rest = args
        return replace(expr, args=(function, whole(arg, code), *rest))
    if function.data == "items":
        return _items(function.args[0], code)
    owner = Expr("attribute", (whole(function.args[0], code),), function.data)
    if function.data != "get":
        return replace(expr, args=(owner, *args))
    rest = [own(arg, code) for arg in args[1:]]
    return replace(expr, args=(owner, code.value(args[0]), *rest))


def _numbered(numbered: Expr, code: Code) -> Expr:
    """Return the tangents of enumerate(xs): those of the numbers are zero."""
    each = name(code.world.fresh.variable("each"))
    pair = Expr("tuple", (constant(0.0, FLOAT), each), None, Tuple((FLOAT, Unknown())))
    generator = Expr("generator", (whole(numbered, code),), each.data)
    return Expr("comprehension", (pair, generator), "generator", Unknown())


def _items(owner: Expr, code: Code) -> Expr:
    """Return the tangents of d.items(): those of keys are zero."""
    key = name(code.world.fresh.variable("key"))
    part = Expr("subscript", (whole(owner, code), key))
    pair = Expr("tuple", (zeros_of(key), part), None, Tuple((Unknown(), Unknown())))
    generator = Expr("generator", (code.value(owner),), key.data)
    return Expr("comprehension", (pair, generator), "list", Unknown())


def _beside(arg: Expr, code: Code) -> Expr:
    """Return the tangents of what is gone through; what cannot vary stays as it is."""
    if arg.op == "starred":
        return arg.with_args((_beside(arg.args[0], code),))
    return whole(arg, code) if code.world.may_vary(arg.type) else code.value(arg)


def joins(expr: Expr) -> bool:
    """Tell whether an operation joins or repeats lists: no array is among the operands."""
    if expr.data == "|":
        return not any(isinstance(arg.type, Array | Numeric | Number) for arg in expr.args)
    is_list = isinstance(expr.type, CONTAINERS)
    return is_list and not any(isinstance(arg.type, Array | Numeric) for arg in expr.args)


def joined(expr: Expr, code: Code) -> Expr:
    """Return xs + ys or n * xs of lists and tuples."""
    parts = []
    for arg in expr.args:
        is_count = isinstance(arg.type, Number)
        parts.append(code.value(arg) if is_count else whole(arg, code))
    return replace(expr, args=tuple(parts))
