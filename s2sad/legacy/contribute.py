"""What is contributed to an adjoint takes the shape of its primal value.

y = x + c    with x (n,), c a float:    c_bar = np.sum(y_bar)
y = W * b    with W (m, n), b (n,):     b_bar = np.sum(y_bar * W, axis=0)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s2sad.legacy.facts import Fact, is_complex, same_shape
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.traverse import transform, walk

SUM = Ref("np.sum", np.sum)
SHAPE = Ref("np.shape", np.shape)
FULL = Ref("np.full", np.full)
ZEROS_LIKE = Ref("np.zeros_like", np.zeros_like)
REAL = Ref("np.real", np.real)
SUM_TO = Ref("_sum_to", "printed")
CONTAINERS = frozenset({"list", "tuple", "dict"})
ZEROS_OF = Ref("_zeros_of", "printed")


def reduced(value: Expr, wanted: Fact, given: Fact, like: Var) -> Expr:
    """Return `value`, of `given`'s shape, summed over the axes along which `like` was spread."""
    known, wanted, given = wanted, wanted.in_the_end, given.in_the_end
    if wanted.is_scalar and given.is_array and same_shape(wanted, given):
        return _as_number(value)
    if same_shape(wanted, given) or wanted.kind in CONTAINERS:
        return value
    if wanted.is_scalar:
        return Call(SUM, (value,))
    axes = _summed_axes(wanted, given)
    if axes == ((), ()):
        return value
    if axes is None or all(axes):
        return Call(SUM_TO, (value, _shape_of(like, known)))
    leading, ones = axes
    if leading:
        return Call(SUM, (value,), (("axis", _axis(leading)),))
    return Call(SUM, (value,), (("axis", _axis(ones)), ("keepdims", Const(True))))


def _as_number(value: Expr) -> Expr:
    """Return an element that NumPy gives as a view: `x[..., 0]` is an array without axes.

    What is added to a number in place would be written to the array.
    """
    is_view = isinstance(value, Op) and value.op == "index"
    return Op("index", (value, Op("tuple", ()))) if is_view else value


def _summed_axes(wanted: Fact, given: Fact) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the leading axes that `wanted` lacks and those where it has length 1."""
    if not (isinstance(wanted.shape, tuple) and isinstance(given.shape, tuple)):
        return None
    extra = len(given.shape) - len(wanted.shape)
    if extra < 0:
        return None
    ones = []
    for axis, (a, b) in enumerate(zip(wanted.shape, given.shape[extra:], strict=True)):
        if a == b:
            continue
        if a.symbol or a.offset != 1:
            return None
        ones.append(axis + extra)
    return tuple(range(extra)), tuple(ones)


def _axis(axes: tuple[int, ...]) -> Expr:
    if len(axes) == 1:
        return Const(axes[0])
    return Op("tuple", tuple(Const(axis) for axis in axes))


def _shape_of(var: Var, fact: Fact) -> Expr:
    if isinstance(fact.shape, tuple) and fact.shape and not any(d.symbol for d in fact.shape):
        return Op("tuple", tuple(Const(dim.offset) for dim in fact.shape))  # needs no value
    return Attr(var, "shape") if fact.is_array else Call(SHAPE, (var,))


def in_its_field(value: Expr, wanted: Fact, fact: Callable[[Expr], Fact]) -> Expr:
    """Return a contribution as a real or complex number, as what it is for.

    dL = Re(z_bar dz), so a real value receives the real part.
    """
    if wanted.kind in ("list", "tuple", "dict"):
        return value
    given = fact(value)
    parts = (part for part in walk(value) if isinstance(part, Var | Const))
    may_be = is_complex(given) or (not given.dtype and any(_is_complex(p, fact) for p in parts))
    if not is_complex(wanted):
        return Call(REAL, (value,)) if may_be else value
    known = given.dtype.startswith("complex") or wanted.is_scalar or _ends_complex(value)
    value = transform(value, lambda part: _of_either_field(part, fact)) if wanted.mixed else value
    return value if known else Op("+", (value, Const(0j)))


def _ends_complex(value: Expr) -> bool:
    match value:
        case Op("+", (_, Const(complex()))):
            return True
    return False


def _of_either_field(part: Expr, fact: Callable[[Expr], Fact]) -> Expr:
    """Let an array that is filled be complex though that which it is like may be real."""
    match part:
        case Call(Ref(_, np.full_like), (Var() as like, filler), ()) if fact(like).mixed:
            return Call(FULL, (Attr(like, "shape"), filler))
    return part


def _is_complex(part: Expr, fact: Callable[[Expr], Fact]) -> bool:
    literal = isinstance(part, Const) and isinstance(part.value, complex)
    return literal or is_complex(fact(part))


def zero_like(var: Var, fact: Fact) -> Expr:
    """Return the adjoint of `var` before anything is contributed to it."""
    given = fact.given or fact
    if given.is_scalar or given.kind in ("generator", "none", "str"):
        return Const(0.0)
    # 3 before a loop, 3.0 in it
    may_be_whole = fact.kind in ("unknown", "array") and fact.weak is None
    if fact.kind in CONTAINERS or may_be_whole:
        return Call(ZEROS_OF, (var,))
    zeros = Call(ZEROS_LIKE, (var,))
    return Op("+", (zeros, Const(0j))) if fact.mixed else zeros
