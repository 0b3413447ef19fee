"""What the attributes and methods of arrays and numbers are.

x.sum(axis=0)   as np.sum(x, axis=0)        x.T   ->   (n, m) of (m, n)
x.shape         ->   (n, m), as integers    x.dtype, known where that of x is
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from s2sad.legacy.facts.arranging import resolved_shape, transposed
from s2sad.legacy.facts.binding import Bound, FactOf, bind, constant_of, length_of, spelled_shape
from s2sad.legacy.facts.context import Context, text_of
from s2sad.legacy.facts.drawing import drawn
from s2sad.legacy.facts.dtypes import real_part
from s2sad.legacy.facts.elementwise import Table, may_have_shape, result
from s2sad.legacy.facts.fact import (
    NOTHING,
    UNKNOWN,
    Fact,
    Shape,
    array,
    python_bool,
    python_int,
    scalar,
)
from s2sad.legacy.facts.joins import element
from s2sad.legacy.facts.python import ndim_value, shape_value, size_value
from s2sad.legacy.facts.scipy_sparse import part, product
from s2sad.legacy.program import Attr, Call, Const, Expr, Op

# ---------------------------------------------------------------------------- attributes


def attribute(expr: Attr, fact_of: FactOf, ctx: Context) -> Fact:
    """Return what is known of `value.name`."""
    owner = fact_of(expr.value, ctx)
    if owner.kind == "record":
        return dict(zip(owner.keys, owner.items, strict=True)).get(expr.name, UNKNOWN)
    if owner.kind == "object":
        return _of_object(owner, expr.name)
    if owner.kind == "sparse":
        return part(owner, expr.name)
    if not may_have_shape(owner):
        return UNKNOWN
    match expr.name:
        case "shape":
            return shape_value(owner, text_of(expr.value))
        case "ndim":
            return ndim_value(owner)
        case "size":
            return size_value(owner, ctx, text_of(expr), (expr.value,))
        case "dtype":
            return Fact("object", value=Const(np.dtype(owner.dtype)) if owner.dtype else None)
        case "T":
            return _transposed(owner)
        case "mT":
            return _last_axes_swapped(owner)
        case "real" | "imag":
            return _real(owner)
    return UNKNOWN


def _of_object(owner: Fact, name: str) -> Fact:
    if name in owner.keys:
        return owner.items[owner.keys.index(name)]
    known = owner.value.value if owner.value is not None else None
    if isinstance(known, np.dtype) and name in ("char", "kind", "name"):
        return Fact("str", value=Const(str(getattr(known, name))))
    return UNKNOWN


def _transposed(owner: Fact) -> Fact:
    if not isinstance(owner.shape, tuple):
        return replace(owner, shape=None)
    return replace(owner, shape=tuple(reversed(owner.shape)))


def _last_axes_swapped(owner: Fact) -> Fact:
    dims = owner.shape
    if not isinstance(dims, tuple) or len(dims) < 2:
        return replace(owner, shape=None)
    return replace(owner, shape=(*dims[:-2], dims[-1], dims[-2]))


def _real(owner: Fact) -> Fact:
    dtype = real_part(owner.dtype)
    if owner.is_scalar:
        # a 'float' of no dtype may be complex, its real part may be anything real
        return replace(scalar(dtype), weak=owner.weak) if dtype else owner
    return replace(owner, dtype=dtype)


# ---------------------------------------------------------------------------- methods

_AS_FUNCTION: Final[dict[str, Any]] = {
    "sum": np.sum, "prod": np.prod, "mean": np.mean, "std": np.std, "var": np.var,
    "max": np.max, "min": np.min, "all": np.all, "any": np.any, "argmax": np.argmax,
    "argmin": np.argmin, "cumsum": np.cumsum, "cumprod": np.cumprod, "ravel": np.ravel,
    "swapaxes": np.swapaxes, "squeeze": np.squeeze, "diagonal": np.diagonal,
    "trace": np.trace, "repeat": np.repeat, "take": np.take, "round": np.round,
    "searchsorted": np.searchsorted, "dot": np.dot, "nonzero": np.nonzero,
    "argsort": np.argsort, "argpartition": np.argpartition,
}  # fmt: skip


def method_table(functions: Table) -> dict[str, tuple[str, Any]]:
    """Return names of parameters and rule for every method, from those of NumPy's functions."""
    table = {name: functions[function] for name, function in _AS_FUNCTION.items()}
    _, compressed = functions[np.compress]
    names, rule = functions[np.clip]
    table["compress"] = ("a condition axis out", compressed)
    return {**table, "clip": ("a min max out", rule), **METHODS}


def method(call: Call, table: dict[str, tuple[str, Any]], fact_of: FactOf, ctx: Context) -> Fact:
    """Return what `owner.name(...)` makes."""
    assert isinstance(call.func, Attr)
    owner, name = call.func.value, call.func.name
    fact = fact_of(owner, ctx)
    if fact.kind in ("str", "list", "dict", "tuple"):
        if fact.kind == "list" and name == "pop" and fact.items:
            fresh = text_of(call)
            return element(fact.items[0], lambda path: ctx.fresh(fresh + path, (owner,)))
        return _of_container(fact, name)
    if fact.kind == "sparse":
        if name == "dot" and len(call.args) == 1:
            return product(ctx, fact, fact_of(call.args[0], ctx))
        return part(fact, name)
    if fact.kind == "generator":
        return drawn(call, fact_of, ctx)
    if not may_have_shape(fact):
        return UNKNOWN
    if name in ("reshape", "transpose"):
        return _variadic(call, owner, fact, name, fact_of, ctx)
    if name not in table:
        return UNKNOWN
    names, rule = table[name]
    bound = bind(names.split(), call, owner, ctx, fact_of)
    if bound is None:
        return UNKNOWN
    made = bound.fact("out") if bound.has("out") else rule(bound)
    return made if isinstance(made, Fact) else UNKNOWN


def _of_container(fact: Fact, name: str) -> Fact:
    if fact.kind == "str":
        tests = ("startswith", "endswith", "isdigit", "isalpha", "islower", "isupper")
        return python_bool() if name in tests else Fact("str") if name != "split" else UNKNOWN
    if fact.kind in ("list", "tuple") and name in ("index", "count"):
        return python_int()
    if fact.kind == "list" and name == "copy":
        return fact
    return NOTHING if fact.kind == "list" and name in ("sort", "reverse", "clear") else UNKNOWN


def _variadic(
    call: Call, owner: Expr, fact: Fact, name: str, fact_of: FactOf, ctx: Context
) -> Fact:
    """x.reshape(2, 3), x.reshape((2, 3)), x.transpose(1, 0)."""
    args = call.args
    if any(isinstance(arg, Op) and arg.op == "star" for arg in args):
        return array(fact.dtype, None)
    if any(key not in ("order", "copy") for key, _ in call.keywords):
        return array(fact.dtype, None)
    if name == "transpose":
        return _transpose(call, fact, fact_of, ctx)
    shape: Shape = tuple(length_of(arg, fact_of, ctx) for arg in args)
    if len(args) == 1:
        shape = spelled_shape(args[0], fact_of, ctx)
    parts = (owner, *args)
    return array(fact.dtype, resolved_shape(ctx, fact, shape, text_of(call), parts))


def _transpose(call: Call, fact: Fact, fact_of: FactOf, ctx: Context) -> Fact:
    if not isinstance(fact.shape, tuple):
        return array(fact.dtype, None)
    axes: Any = tuple(constant_of(arg, fact_of, ctx) for arg in call.args)
    if len(axes) == 1 and (isinstance(axes[0], tuple) or axes[0] is None):
        axes = axes[0]
    return array(fact.dtype, transposed(fact.shape, axes or None, ctx, text_of(call)))


# ---------------------------------------------------------------------------- methods of their own


def copy(b: Bound) -> Fact:
    """x.copy(): what x is."""
    return replace(b.fact("a"), weak=False, extent=None)


def astype(b: Bound) -> Fact:
    """x.astype(dtype)."""
    a = b.fact("a")
    dtype = b.dtype("", "dtype")
    return scalar(dtype) if a.is_scalar else replace(a, dtype=dtype)


def flatten(b: Bound) -> Fact:
    """x.flatten()."""
    from s2sad.legacy.facts.reductions import flat_shape

    a = b.fact("a")
    return array(a.dtype, flat_shape(b, a))


def conjugate(b: Bound) -> Fact:
    """x.conj()."""
    a = b.fact("a")
    return result((a,), a.dtype, a.shape)


def item(b: Bound) -> Fact:
    """x.item(): a Python number."""
    made = scalar(b.fact("a").dtype)
    return replace(made, weak=True) if made.dtype else replace(made, weak=None)


def tolist(b: Bound) -> Fact:
    """x.tolist(): nested lists of Python numbers."""
    a = b.fact("a")
    if a.rank is None:
        return UNKNOWN
    made = replace(scalar(a.dtype), weak=True)
    for _ in range(a.rank):
        made = Fact("list", items=(made,))
    return made


METHODS: Final[Table] = {
    "view": ("a dtype type", lambda b: UNKNOWN if b.has("dtype") or b.has("type") else b.fact("a")),
    "copy": ("a order", copy),
    "astype": ("a dtype order casting subok copy", astype),
    "flatten": ("a order", flatten),
    "conj": ("a", conjugate),
    "conjugate": ("a", conjugate),
    "item": ("a index", item),
    "tolist": ("a", tolist),
    "fill": ("a value", lambda b: NOTHING),
    "sort": ("a axis kind order", lambda b: NOTHING),
    "is_integer": ("a", lambda b: python_bool()),
}
