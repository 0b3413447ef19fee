"""What is known of an expression, from what is known of the values that it names.

np.dot(W, m) - d     with W (m, n), m (n,), d (m,)    ->    float64 array (m,)
x.ndim == 2          with x (m, n)                    ->    bool, known to be True
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any, Final, TypeGuard

import gast
import numpy as np

from s2sad.legacy.facts import (
    arranging,
    drawing,
    elementwise,
    factors,
    joining,
    linear,
    making,
    moving,
    numerics,
    python,
    reductions,
)
from s2sad.legacy.facts.binding import OPEN, as_array, bind, known_int
from s2sad.legacy.facts.context import Context, text_of
from s2sad.legacy.facts.device import as_held
from s2sad.legacy.facts.displayed import displayed
from s2sad.legacy.facts.dtypes import OPERATORS
from s2sad.legacy.facts.elementwise import Table, arithmetic, may_have_shape, ufunc_result
from s2sad.legacy.facts.fact import (
    ANY,
    UNKNOWN,
    Dim,
    Fact,
    fact_of_constant,
    fact_of_value,
    identity,
    object_of,
    python_bool,
    scalar,
    tuple_of,
)
from s2sad.legacy.facts.indexing import indexed
from s2sad.legacy.facts.instances import given_by
from s2sad.legacy.facts.joins import join_elements, joined
from s2sad.legacy.facts.linear import matmul
from s2sad.legacy.facts.methods import attribute, method, method_table
from s2sad.legacy.facts.printed import printed_result
from s2sad.legacy.facts.scipy_functions import entry_of, part_of
from s2sad.legacy.instances import called_on, is_instance
from s2sad.legacy.marks import without_marks
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Opaque, Ref, Var
from s2sad.legacy.remembered import seen_once

FUNCTIONS: Final[Table] = {
    **making.TABLE,
    **elementwise.TABLE,
    **reductions.TABLE,
    **linear.TABLE,
    **arranging.TABLE,
    **joining.TABLE,
    **numerics.TABLE,
    **moving.TABLE,
    **factors.TABLE,
    **drawing.TABLE,
    **python.TABLE,
}
_BY_IDENTITY: Final = {identity(function): entry for function, entry in FUNCTIONS.items()}
_METHODS: Final = method_table(FUNCTIONS)


def fact_of(expr: Expr, ctx: Context) -> Fact:
    """Return what is known of an expression."""
    return as_held(expr, _fact_of(expr, ctx))


def _fact_of(expr: Expr, ctx: Context) -> Fact:
    match expr:
        case Var():
            return ctx.of(expr)
        case Const(value):
            return fact_of_constant(value)
        case Ref(text, value):
            return _global(text, value)
        case Op(op, args):
            return _operation(op, args, ctx)
        case Attr(Call() as call, name) if (known := part_of(call, name)) is not None:
            return _from_table(call, known, ctx)
        case Attr():
            return attribute(expr, fact_of, ctx)
        case Call() if (held := without_marks(expr)) is not expr:
            return _fact_of(held, ctx)
        case Call():
            return _call(expr, ctx)
        case Opaque(gast.Set() | gast.SetComp()):
            return object_of(set)
        case Opaque():
            return displayed(expr, ctx.of)
    return UNKNOWN


def _global(text: str, value: Any) -> Fact:
    found = seen_once((text, "fact"), value, lambda each: fact_of_value(each, text))
    if found.kind == "int":
        return replace(found, extent=(Dim(f"#{text}"),))
    # a module's flag may be another when the derivative runs
    return found if found.kind == "none" or found.value is None else replace(found, value=None)


# ---------------------------------------------------------------------------- operations


def _operation(op: str, args: tuple[Expr, ...], ctx: Context) -> Fact:
    if op == "index":
        if isinstance(args[0], Ref) and args[0].text in ("np.r_", "np.c_"):
            return _in_brackets(args[0], args[1], ctx)
        return indexed(args[0], args[1], fact_of, ctx)
    if op == "if":
        return _conditional(args, ctx)
    if op in ("and", "or"):
        return _and_or(op, args, ctx)
    if op in ("slice", "star", "path"):
        return UNKNOWN
    facts = [fact_of(arg, ctx) for arg in args]
    if op == "tuple":
        return _tuple(args, facts)
    if op == "list":
        return Fact("list", items=join_elements(replace(f, value=None) for f in facts))
    if op == "not":
        known = truth(facts[0])
        return python_bool(None if known is None else not known)
    if op == "@":
        return matmul(ctx, facts[0], facts[1])
    if op in OPERATORS:
        return arithmetic(op, args, facts, ctx)
    if op in ("in", "not in") and facts[0].value is not None and _is_table(args[1]):
        return python_bool((facts[0].value.value in args[1].value) is (op == "in"))
    return _comparison(op, facts, ctx)


def _is_table(expr: Expr) -> TypeGuard[Ref]:
    """Tell whether an expression is a table of functions: one that holds a text stays as it is."""
    table = expr.value if isinstance(expr, Ref) else None
    return isinstance(table, dict) and bool(table) and all(map(callable, table.values()))


def _in_brackets(owner: Ref, key: Expr, ctx: Context) -> Fact:
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    facts = [as_array(part, fact_of(part, ctx), ctx) for part in parts]
    return moving.in_brackets(owner, facts, parts, ctx)


def _tuple(args: Sequence[Expr], facts: Sequence[Fact]) -> Fact:
    if any(isinstance(arg, Op) and arg.op == "star" for arg in args):
        return Fact("tuple")
    return tuple_of(facts)


def _conditional(args: Sequence[Expr], ctx: Context) -> Fact:
    known = truth(fact_of(args[0], ctx))
    if known is not None:
        return fact_of(args[1] if known else args[2], ctx)
    sides = [fact_of(arg, ctx) for arg in args[1:]]
    name = text_of(Op("if", tuple(args)))
    return joined(sides[0], sides[1], lambda path: ctx.fresh(name + path, args))


def _and_or(op: str, args: Sequence[Expr], ctx: Context) -> Fact:
    decisive = op == "or"
    left: list[Fact] = []
    for arg in args:
        fact = fact_of(arg, ctx)
        known = truth(fact)
        if known is decisive:
            left.append(fact)
            break
        if known is None:
            left.append(fact)
        last = fact
    # what stands before a value that decides is passed over
    left = left or [last]
    found = left[0]
    for fact in left[1:]:
        found = joined(found, fact, lambda path: ctx.fresh(text_of(Op(op, tuple(args))), args))
    return found if len(left) == 1 or found.kind != "bool" else replace(found, value=None)


def truth(fact: Fact) -> bool | None:
    """Return what a test of a value gives, None when not known."""
    if fact.value is not None:
        return bool(fact.value.value)
    if fact.kind in ("function", "module"):
        return True
    if fact.kind == "tuple" and fact.shape is not None:
        return fact.count > 0
    known = known_int(fact)
    return None if known is OPEN else bool(known)


_COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


def _comparison(op: str, facts: Sequence[Fact], ctx: Context) -> Fact:
    names = [name.replace("_", " ") for name in op.replace("not in", "not_in").replace(
        "is not", "is_not").split(" ")]  # fmt: skip
    if len(names) > 1:
        return replace(python_bool(), weak=None)
    name, (a, b) = names[0], facts
    if name in ("is", "is not"):
        same = _is_same(a, b)
        return python_bool(None if same is None else same is (name == "is"))
    known = _known_comparison(name, a, b)
    if known is not None or name in ("in", "not in"):
        return python_bool(known)
    if all(map(may_have_shape, facts)):
        made = elementwise.elementwise(ctx, facts, "bool")
        return replace(made, weak=None) if made.is_scalar else made
    return python_bool() if not any(map(may_have_shape, facts)) else UNKNOWN


def _is_same(a: Fact, b: Fact) -> bool | None:
    if a.value is not None and b.value is not None and a.kind == b.kind != "str":
        return a.value == b.value
    if "none" in (a.kind, b.kind):
        other = b if a.kind == "none" else a
        return None if other.kind == "unknown" else other.kind == "none"
    return None


def _known_comparison(name: str, a: Fact, b: Fact) -> bool | None:
    left, right = _known_value(a), _known_value(b)
    if left is OPEN or right is OPEN:
        return None
    try:
        return bool(_COMPARE[name](left, right))
    except (TypeError, KeyError):
        return None


def _known_value(fact: Fact) -> Any:
    """Return a value that is known at generation, or OPEN: a bool, string, rank, dtype, tuple."""
    if fact.value is not None:
        return fact.value.value
    if fact.kind == "tuple" and fact.shape is not None:
        values = tuple(map(_known_value, fact.items))
        return OPEN if any(value is OPEN for value in values) else values
    return known_int(fact)


# ---------------------------------------------------------------------------- calls


def _call(call: Call, ctx: Context) -> Fact:
    known = entry_of(call)
    if known is not None:
        return _from_table(call, known, ctx)
    if is_instance(called_on(call)[0]):
        return given_by(call, fact_of, ctx)
    if isinstance(call.func, Attr):
        return method(call, _METHODS, fact_of, ctx)
    if not isinstance(call.func, Ref):
        return UNKNOWN
    function = call.func.value
    printed = printed_result(call, function, fact_of, ctx)
    if printed is not None:
        return printed
    entry = _BY_IDENTITY.get(identity(function))
    if entry is not None:
        return _from_table(call, entry, ctx)
    if isinstance(function, np.ufunc):
        return _ufunc(call, function, ctx)
    if isinstance(function, type) and issubclass(function, np.generic):
        return _cast(call, function, ctx)
    if isinstance(function, FunctionType):
        found = ctx.called(call, [fact_of(arg, ctx) for arg in call.args])
        return UNKNOWN if found is None else found
    return _object(call, function, ctx) if isinstance(function, type) else UNKNOWN


def _object(call: Call, kind: type, ctx: Context) -> Fact:
    """Return what a class makes; of a set or deque of numbers, that it holds numbers."""
    made = object_of(kind)
    given = fact_of(call.args[0], ctx) if kind in (set, deque) and call.args else UNKNOWN
    one = python.elements(given, lambda _: ANY)
    return replace(made, items=(one,)) if one.is_scalar and made.is_object else made


def _from_table(call: Call, entry: tuple[str, Any], ctx: Context) -> Fact:
    names, rule = entry
    bound = bind(names.split(), call, None, ctx, fact_of)
    if bound is None:
        return UNKNOWN
    if bound.has("out"):
        return bound.fact("out")
    try:
        made = rule(bound)
    except KeyError:
        # a call without an argument that it needs
        return UNKNOWN
    return made if isinstance(made, Fact) else UNKNOWN


def _ufunc(call: Call, ufunc: np.ufunc, ctx: Context) -> Fact:
    outs = [*call.args[ufunc.nin :], *(value for key, value in call.keywords if key == "out")]
    written = [known for known in (fact_of(out, ctx) for out in outs) if known.kind != "none"]
    if written and ufunc.nout == 1:
        return written[0]
    operands = call.args[: ufunc.nin]
    if written or len(operands) < ufunc.nin or ufunc.signature or _has_star(call):
        return UNKNOWN
    made = ufunc_result(ufunc, operands, [fact_of(arg, ctx) for arg in operands], ctx)
    asked = dict(call.keywords).get("dtype")
    return replace(made, dtype="") if asked is not None and made.kind != "tuple" else made


def _has_star(call: Call) -> bool:
    return any(isinstance(arg, Op) and arg.op == "star" for arg in call.args)


def _cast(call: Call, function: type, ctx: Context) -> Fact:
    """np.float64(x): a number of a number, an array of an array."""
    if len(call.args) != 1:
        return UNKNOWN
    operand = fact_of(call.args[0], ctx)
    dtype = np.dtype(function).name
    if operand.is_scalar:
        return scalar(dtype)
    return replace(operand, dtype=dtype) if operand.is_array and operand.rank else UNKNOWN
