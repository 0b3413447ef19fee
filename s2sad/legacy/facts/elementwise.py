"""What operations that work element by element make: operators, ufuncs and their like.

float64 (n,) * Python float   ->   float64 (n,)
int * int                     ->   int
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from s2sad.legacy.facts.binding import OPEN, Bound, as_array, known_int
from s2sad.legacy.facts.context import Context, broadcast_of, text_of
from s2sad.legacy.facts.dtypes import OPERATORS, floating, promoted, real_part, ufunc_dtypes
from s2sad.legacy.facts.fact import (
    UNKNOWN,
    Fact,
    Shape,
    array,
    begun_with_number,
    constant,
    open_tuple,
    python_int,
    scalar,
    tuple_of,
)
from s2sad.legacy.facts.joins import either_length, join_elements
from s2sad.legacy.facts.shapes import summed_dim
from s2sad.legacy.program import Const, Expr, Op

# ---------------------------------------------------------------------------- results


def result(operands: Sequence[Fact], dtype: str, shape: Shape) -> Fact:
    """Return what a ufunc makes: a number of shape (), an array of a shape known to have axes."""
    if shape == ():
        return scalar(dtype)
    if (shape is not None and isinstance(shape, tuple)) or any(map(_has_axes, operands)):
        return array(dtype, shape)
    return Fact("unknown", dtype, shape)


def _has_axes(fact: Fact) -> bool:
    return fact.is_array and bool(fact.rank)


def elementwise(ctx: Context, facts: Sequence[Fact], dtype: str) -> Fact:
    """Return what a function of values makes element by element."""
    return result(facts, dtype, broadcast_of(ctx, [fact.shape for fact in facts]))


def may_have_shape(fact: Fact) -> bool:
    """Tell whether a value can be an operand of arithmetic on numbers."""
    return fact.is_scalar or fact.kind in ("array", "unknown")


# ---------------------------------------------------------------------------- operators

_SAMPLES: Final[dict[str, Any]] = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}
_PYTHON: Final[dict[str, Callable[..., Any]]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a / b, "//": lambda a, b: a // b, "%": lambda a, b: a % b,
    "**": lambda a, b: a**b, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
    "u-": lambda a: -a, "u+": lambda a: +a, "~": lambda a: ~int(a),
}  # fmt: skip


def arithmetic(op: str, exprs: Sequence[Expr], facts: Sequence[Fact], ctx: Context) -> Fact:
    """Return what an arithmetic operator makes of its operands."""
    facts = [fact.given or fact for fact in facts]  # there is no arithmetic on None
    if any(fact.begun for fact in facts):
        return _of_begun(facts, lambda given: arithmetic(op, exprs, given, ctx))
    if any(fact.kind == "sparse" for fact in facts):
        # a matrix times an array is one thing of csr_matrix, another of csr_array
        return UNKNOWN if any(fact.is_array for fact in facts) else Fact("sparse")
    if any(fact.kind in ("list", "tuple", "str") for fact in facts):
        return _on_sequences(op, exprs, facts, ctx)
    if not all(map(may_have_shape, facts)):
        return UNKNOWN
    if all(fact.is_scalar for fact in facts) and all(fact.weak for fact in facts):
        return _python_number(op, exprs, facts, ctx)
    (dtype,) = ufunc_dtypes(OPERATORS[op], tuple(facts))
    made = elementwise(ctx, facts, dtype)
    if made.is_scalar and all(fact.weak is not False for fact in facts):
        return replace(made, weak=None)
    return made


def _of_begun(facts: Sequence[Fact], made: Callable[[Sequence[Fact]], Fact]) -> Fact:
    """Return what is made of values that are numbers of the text as long as nothing is added."""
    grown = made([fact.begun or fact for fact in facts])
    at_first = made([python_int() if fact.begun else fact for fact in facts])
    if not (grown.is_array and isinstance(grown.shape, tuple)):
        return UNKNOWN
    if at_first.is_scalar:
        return begun_with_number(grown)
    if not at_first.is_array or at_first.shape != grown.shape:
        return UNKNOWN
    return grown if at_first.dtype == grown.dtype else replace(grown, dtype="")


def _python_number(op: str, exprs: Sequence[Expr], facts: Sequence[Fact], ctx: Context) -> Fact:
    if op == "**" and all(fact.kind in ("int", "bool") for fact in facts):
        exponent = known_int(facts[1])
        # a negative power of an int is a float
        if exponent is OPEN or exponent < 0:
            return Fact("float", "", (), weak=None)
    try:
        made = _PYTHON[op](*(_SAMPLES[fact.kind] for fact in facts))
    except TypeError:
        return UNKNOWN
    kind = type(made).__name__
    if kind == "int":
        return _python_int(op, exprs, facts, ctx)
    return replace(scalar(np.asarray(made).dtype.name), weak=True)


def _python_int(op: str, exprs: Sequence[Expr], facts: Sequence[Fact], ctx: Context) -> Fact:
    values = [known_int(fact) for fact in facts]
    if OPEN not in values:
        return _known_int(op, values)
    if op in "+-" and len(facts) == 2:
        moved = _moved(op, exprs, facts, values, ctx)
        if moved is not None:
            return moved
    name = f"#{op}({', '.join(map(text_of, exprs))})"
    return python_int(ctx.fresh(name, exprs))


def _known_int(op: str, values: list[int]) -> Fact:
    if op in ("**", "<<") and max(map(abs, values)) > 62:
        return python_int()
    try:
        made = _PYTHON[op](*values)
    except (ZeroDivisionError, ValueError):
        return python_int()
    return python_int(constant(int(made))) if abs(made) < 2**62 else python_int()


def _moved(
    op: str, exprs: Sequence[Expr], facts: Sequence[Fact], values: list[Any], ctx: Context
) -> Fact | None:
    """Return symbol + constant, where a length can hold it."""
    at = 0 if values[1] is not OPEN else 1
    by = values[1 - at]
    if by is OPEN or (op == "-" and at == 1):
        return None
    by = -by if op == "-" else by
    own = facts[at].extent
    if not isinstance(own, tuple):
        if facts[at].kind != "int":
            return None
        dim = ctx.fresh("#" + text_of(exprs[at]), (exprs[at],))
        return python_int(replace(dim, offset=dim.offset + by))
    if by > 0:
        # the length of u[2:], plus 2, need not be that of u
        total = summed_dim((own[0], constant(by)))
        return None if total is None else python_int(total)
    return python_int(replace(own[0], offset=own[0].offset + by))


def _on_sequences(op: str, exprs: Sequence[Expr], facts: Sequence[Fact], ctx: Context) -> Fact:
    kinds = {fact.kind for fact in facts}
    if "str" in kinds:
        return Fact("str") if op in ("+", "*", "%") and facts[0].kind == "str" else UNKNOWN
    if len(kinds) == 1 and op == "+":
        return _concatenated(facts)
    if op == "*" and kinds == {"tuple", "int"}:
        return _repeated(facts)
    if op == "*" and kinds <= {"list", "int", "bool"}:
        return next(fact for fact in facts if fact.kind == "list")
    if kinds & {"array"} or any(fact.is_scalar and fact.weak is False for fact in facts):
        parts = [as_array(e, f, ctx) for e, f in zip(exprs, facts, strict=True)]
        if all(map(may_have_shape, parts)):
            return arithmetic(op, exprs, parts, ctx)
    return UNKNOWN


def _repeated(facts: Sequence[Fact]) -> Fact:
    """(1,) * x.ndim"""
    times = next(known_int(fact) for fact in facts if fact.kind == "int")
    whole = next(fact for fact in facts if fact.kind == "tuple")
    if times is OPEN or whole.shape is None or len(whole.items) * times > 64:
        return open_tuple(items=join_elements(whole.items))
    return tuple_of(whole.items * times)


def _concatenated(facts: Sequence[Fact]) -> Fact:
    first, second = facts
    if first.kind == "list":
        return Fact("list", items=join_elements((*first.items, *second.items)))
    if first.kind != "tuple":
        return UNKNOWN
    if first.shape is None or second.shape is None:
        return either_length(first, second) if second.kind == "tuple" else UNKNOWN
    return tuple_of((*first.items, *second.items))


# ---------------------------------------------------------------------------- ufuncs


def ufunc_result(ufunc: np.ufunc, exprs: Sequence[Expr], facts: Sequence[Fact],
                 ctx: Context) -> Fact:  # fmt: skip
    """Return what a ufunc without a signature makes of its operands."""
    facts = [fact.given or fact for fact in facts]
    if any(fact.begun for fact in facts):
        return _of_begun(facts, lambda given: ufunc_result(ufunc, exprs, given, ctx))
    arrays = [as_array(e, f, ctx) for e, f in zip(exprs, facts, strict=True)]
    if not all(map(may_have_shape, arrays)):
        return UNKNOWN
    made = [elementwise(ctx, arrays, dtype) for dtype in ufunc_dtypes(ufunc, tuple(arrays))]
    return made[0] if len(made) == 1 else tuple_of(made)


def same(b: Bound) -> Fact:
    """np.copysign-like in one operand: the same shape and dtype, numbers stay numbers."""
    return _one(b, lambda dtype: dtype)


def _one(b: Bound, dtype_of: Callable[[str], str]) -> Fact:
    operand = b.array("a")
    if not may_have_shape(operand):
        return UNKNOWN
    return result((operand,), dtype_of(operand.dtype), operand.shape)


def rounded(b: Bound) -> Fact:
    """np.round: booleans become float16, all else stays."""
    return _one(b, lambda dtype: "" if dtype == "bool" else dtype)


def real(b: Bound) -> Fact:
    """np.real, np.imag: x.real, of a Python number Python's, of an array an array."""
    operand = b.array("a")
    if not may_have_shape(operand):
        return UNKNOWN
    dtype = real_part(operand.dtype)
    if operand.is_scalar and dtype:
        return replace(scalar(dtype), weak=operand.weak)
    return replace(operand, dtype=dtype)


def angle(b: Bound) -> Fact:
    """np.angle."""
    return _one(b, lambda dtype: real_part(floating(dtype)))


def tested(b: Bound) -> Fact:
    """np.iscomplex, np.isreal: a bool for each element."""
    made = _one(b, lambda _: "bool")
    return replace(made, weak=None) if made.is_scalar else made


def where(b: Bound) -> Fact:
    """np.where: an array always, of the common shape of three."""
    if not b.has("x"):
        return UNKNOWN
    names = ("condition", "x", "y")
    facts = [b.array(name) for name in names]
    if not all(map(may_have_shape, facts)):
        return UNKNOWN
    shape = broadcast_of(b.ctx, [fact.shape for fact in facts])
    return array(promoted(tuple(facts[1:])), shape)


def clip(b: Bound) -> Fact:
    """np.clip: as the ufunc of a, min and max."""
    low = "a_min" if b.has("a_min") else "min"
    high = "a_max" if b.has("a_max") else "max"
    names = [name for name in ("a", low, high) if b.has(name)]
    facts = [b.array(name) for name in names]
    if not all(map(may_have_shape, facts)):
        return UNKNOWN
    return elementwise(b.ctx, facts, promoted(tuple(facts)))


def isclose(b: Bound) -> Fact:
    """np.isclose."""
    facts = [b.array("a"), b.array("b")]
    if not all(map(may_have_shape, facts)):
        return UNKNOWN
    return elementwise(b.ctx, facts, "bool")


def interp(b: Bound) -> Fact:
    """np.interp: a value for each x."""
    operand, values = b.array("x"), b.array("fp")
    if not may_have_shape(operand):
        return UNKNOWN
    dtype = "complex128" if values.dtype.startswith("complex") else "float64"
    return result((operand,), dtype if values.dtype else "", operand.shape)


def select(b: Bound) -> Fact:
    """np.select with lists of arrays: their common shape."""
    conditions, choices = b.fact("condlist"), b.expr("choicelist")
    default = b.expr("default") if b.has("default") else Const(0)
    listed = b.expr("condlist")
    if not isinstance(choices, Op) or not isinstance(listed, Op) or conditions.kind != "list":
        return UNKNOWN
    if default is None:
        return UNKNOWN
    exprs = (*choices.args, default)
    facts = tuple(b.fact_of(expr, b.ctx) for expr in exprs)
    tests = tuple(b.fact_of(expr, b.ctx) for expr in listed.args)
    if not all(map(may_have_shape, (*facts, *tests))):
        return UNKNOWN
    shape = broadcast_of(b.ctx, [fact.shape for fact in (*facts, *tests)])
    return array(promoted(facts), shape)


def polyval(b: Bound) -> Fact:
    """np.polyval(p, x): the shape of x."""
    p, x = b.array("p"), b.array("x")
    if not may_have_shape(x) or not may_have_shape(p) or p.rank != 1:
        return UNKNOWN
    if isinstance(x.shape, tuple) and x.is_scalar:
        return scalar(promoted((p, replace(x, weak=False))))
    return result((x,), promoted((p, x)), x.shape)


Rule = Callable[[Bound], Fact]
Table = dict[Any, tuple[str, Rule]]

TABLE: Final[Table] = {
    np.round: ("a decimals out", rounded),
    np.around: ("a decimals out", rounded),
    np.fix: ("a out", same),
    np.real: ("a", real),
    np.imag: ("a", real),
    np.angle: ("a deg", angle),
    np.nan_to_num: ("a copy nan posinf neginf", same),
    np.iscomplex: ("a", tested),
    np.isreal: ("a", tested),
    np.isposinf: ("a out", tested),
    np.isneginf: ("a out", tested),
    np.sinc: ("a", lambda b: _one(b, floating)),
    np.where: ("condition x y", where),
    np.clip: ("a a_min a_max out min max", clip),
    np.isclose: ("a b rtol atol equal_nan", isclose),
    np.interp: ("x xp fp left right period", interp),
    np.select: ("condlist choicelist default", select),
    np.polyval: ("p x", polyval),
}
