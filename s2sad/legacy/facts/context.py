"""An expression is looked at in a context, which knows its values and decides about lengths.

Reading({x@0: array (n,)})      what follows from facts, nothing assumed
Inference                       records what has to be assumed (inference.py)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact, Shape
from s2sad.legacy.facts.shapes import broadcast_shapes
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Opaque, Ref, Var

_UNIQUE = itertools.count()
_PURE_BUILTINS = frozenset({"len", "int", "abs", "min", "max", "round", "float", "range", "sum"})


class Context:
    """What is known where an expression stands."""

    def of(self, var: Var) -> Fact:
        """Return what is known of a value."""
        raise NotImplementedError

    def meet(self, left: Dim, right: Dim) -> Dim | None:
        """Return the common length of two that have to be equal or 1; None: not known."""
        return None

    def imply(self, left: Dim, right: Dim) -> None:
        """Note that two lengths are equal, or the operation raises."""

    def fresh(self, name: str, parts: Iterable[Expr | Dim]) -> Dim:
        """Return a length called `name`, made of `parts`."""
        return Dim(name)

    def called(self, call: Call, facts: Sequence[Fact]) -> Fact | None:
        """Return what is known of the result of a call of a Python function."""
        return None


@dataclass(slots=True)
class Reading(Context):
    """The context of an expression of which all values are known, and nothing is assumed."""

    known: Mapping[Var, Fact]
    extra: Mapping[Var, Fact] = field(default_factory=dict)
    prefix: str = ""

    def of(self, var: Var) -> Fact:
        """Return what is known of a value."""
        found = self.extra.get(var)
        return found if found is not None else self.known.get(var, UNKNOWN)

    def fresh(self, name: str, parts: Iterable[Expr | Dim]) -> Dim:
        """Return a length called `name`, made of `parts`."""
        return Dim(prefixed(self.prefix, name))


# ---------------------------------------------------------------------------- names of lengths


def prefixed(prefix: str, name: str) -> str:
    """Return a name of a length as one function's own; '#', the mark of integers, stays first."""
    return f"#{prefix}{name[1:]}" if name.startswith("#") else prefix + name


def text_of(expr: Expr) -> str:
    """Return a name of what an expression computes, the same wherever it gives the same value."""
    match expr:
        case Const(value):
            return repr(value)
        case Var(slot, version):
            return f"{slot}@{version}"
        case Ref(text):
            return text
        case Op(op, args):
            return f"{op}({', '.join(map(text_of, args))})"
        case Attr(value, name) if name in ("shape", "size", "ndim", "T", "real"):
            return f"{text_of(value)}.{name}"
        case Call(Ref(text), args, keywords) if _is_pure(text):
            named = (f"{key}={text_of(value)}" for key, value in keywords)
            return f"{text}({', '.join((*map(text_of, args), *named))})"
        case Attr() | Call() | Opaque():
            # may give another value each time
            return f"!{next(_UNIQUE)}"


def _is_pure(text: str) -> bool:
    if text.startswith(("np.", "math.", "scipy.special.", "scipy.linalg.")):
        return not text.startswith("np.random")
    return text in _PURE_BUILTINS


def fresh_shape(ctx: Context, name: str, rank: int, parts: Iterable[Expr | Dim]) -> Shape:
    """Return a shape of known rank of which the lengths are not known."""
    parts = tuple(parts)
    return tuple(ctx.fresh(f"{name}.{i}", parts) for i in range(rank))


# ---------------------------------------------------------------------------- broadcasting


def broadcast_of(ctx: Context, shapes: Sequence[Shape]) -> Shape:
    """Return the shape of an elementwise operation on values of some shapes."""

    def meet(left: Dim, right: Dim) -> Dim:
        found = ctx.meet(left, right)
        if found is not None:
            return found
        return ctx.fresh(f"broadcast({left}, {right})", (left, right))

    result, *others = shapes
    for shape in others:
        result = broadcast_shapes(result, shape, meet)
    return result
