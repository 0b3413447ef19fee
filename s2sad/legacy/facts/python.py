"""What Python's own functions and the math module make of values.

len(x)  ->  the length of the first axis         math.sin(x)  ->  float
float(x) ->  float                               range(n)     ->  ints, one by one
"""

from __future__ import annotations

import builtins
import copy
import math
import operator
import statistics
from collections.abc import Callable
from types import GenericAlias, UnionType
from typing import Any, Final

import numpy as np

from s2sad.legacy.facts.binding import Bound
from s2sad.legacy.facts.context import Context, text_of
from s2sad.legacy.facts.dtypes import ufunc_dtypes
from s2sad.legacy.facts.elementwise import Table, arithmetic, may_have_shape, result
from s2sad.legacy.facts.fact import (
    ANY,
    PYTHON_COMPLEX,
    PYTHON_FLOAT,
    UNKNOWN,
    Dim,
    Fact,
    Token,
    constant,
    open_tuple,
    python_bool,
    python_int,
    scalar,
    tuple_of,
)
from s2sad.legacy.facts.joins import element, join_elements, joined
from s2sad.legacy.facts.shapes import product_dim
from s2sad.legacy.program import Expr

# ---------------------------------------------------------------------------- elements


def elements(fact: Fact, named: Callable[[str], Dim]) -> Fact:
    """Return what is known of each element that iterating over a value gives.

    `named` gives a length that differs from element to element a name, from where it stands.
    """
    if fact.kind == "array" or (fact.kind == "unknown" and fact.rank):
        if not isinstance(fact.shape, tuple) or not fact.shape:
            return UNKNOWN
        rest = fact.shape[1:]
        return Fact("array", fact.dtype, rest) if rest else scalar(fact.dtype)
    if fact.kind in ("list", "object") and fact.items:
        return element(fact.items[0], named)
    if fact.kind == "tuple" and fact.items:
        whole = join_elements(fact.items)
        return element(whole[0], named)
    if fact.kind == "dict" and fact.keys:
        return Fact("str") if all(isinstance(key, str) for key in fact.keys) else UNKNOWN
    return Fact("str") if fact.kind == "str" else UNKNOWN


def length(fact: Fact) -> Dim | None:
    """Return the length of the first axis, where it is known."""
    shaped = fact.kind in ("array", "tuple", "unknown")
    if shaped and isinstance(fact.shape, tuple) and fact.shape:
        return fact.shape[0]
    return None


def _element_of(b: Bound, name: str) -> Fact:
    # nothing has a name that differs in every pass
    return elements(b.fact(name), lambda _: ANY)


def iterable(*items: Fact) -> Fact:
    """Return the fact of something that gives elements one by one."""
    # its elements differ, so lengths of theirs have no one name
    return Fact("object", items=join_elements(items))


# ---------------------------------------------------------------------------- builtins


def len_(b: Bound) -> Fact:
    """len."""
    found = length(b.fact("x"))
    if found is None:
        return python_int(b.ctx.fresh(b.name, b.call.args))
    return python_int(found)


def range_(b: Bound) -> Fact:
    """range."""
    return iterable(python_int())


def number(kind: str) -> Callable[[Bound], Fact]:
    """Return the rule of float, int, bool and complex."""
    facts = {
        "float": PYTHON_FLOAT, "int": python_int(), "bool": python_bool(),
        "complex": PYTHON_COMPLEX,
    }  # fmt: skip

    def rule(b: Bound) -> Fact:
        known = b.fact("x")
        if kind == known.kind == "int" and known.weak:
            return known
        return facts[kind]

    return rule


def absolute(b: Bound) -> Fact:
    """abs: that of a Python number is Python's."""
    x = b.fact("x")
    if not may_have_shape(x):
        return UNKNOWN
    if x.is_scalar and x.weak:
        return PYTHON_FLOAT if x.kind in ("float", "complex") else python_int()
    (dtype,) = ufunc_dtypes(np.absolute, (x,))
    made = result((x,), dtype, x.shape)
    return Fact("float", dtype, (), weak=None) if x.weak is None and made.is_scalar else made


def extreme(b: Bound) -> Fact:
    """min, max: one of the arguments, or of the elements of the only one."""
    names = [name for name in ("x1", "x2", "x3", "x4") if b.has(name)]
    if b.has("key") or b.has("default"):
        return UNKNOWN
    facts = [b.fact(name) for name in names]
    if len(facts) == 1:
        facts = [elements(facts[0], lambda path: b.ctx.fresh(b.name + path, b.call.args))]
    found: Fact | None = None
    for fact in facts:
        found = (
            fact
            if found is None
            else joined(found, fact, lambda path: b.ctx.fresh(b.name + path, b.call.args))
        )
    return found or UNKNOWN


def total(b: Bound) -> Fact:
    """sum: 0 + element + element ..., of numbers a number."""
    one = _element_of(b, "x")
    if not one.is_scalar:
        # of no arrays at all, the sum is 0
        return UNKNOWN
    exprs = (b.call, b.call)
    made = arithmetic("+", exprs, (one, one), b.ctx)
    start = b.fact("start") if b.has("start") else python_int()
    return joined(joined(made, start, lambda _: ANY), python_int(), lambda _: ANY)


def round_(b: Bound) -> Fact:
    """round: an int without a number of digits."""
    x = b.fact("x")
    if not x.is_scalar:
        return UNKNOWN
    return x if b.has("ndigits") else python_int()


def zip_(b: Bound) -> Fact:
    """zip."""
    names = [name for name in ("x1", "x2", "x3", "x4") if b.has(name)]
    return iterable(tuple_of([_element_of(b, name) for name in names]))


def enumerate_(b: Bound) -> Fact:
    """enumerate."""
    return iterable(tuple_of((python_int(), _element_of(b, "x"))))


def reversed_(b: Bound) -> Fact:
    """reversed: the same elements."""
    return iterable(_element_of(b, "x"))


def iter_(b: Bound) -> Fact:
    """iter: the same elements, once."""
    return iterable(_element_of(b, "x"))


def list_(b: Bound) -> Fact:
    """list; of a list that is empty so far nothing else is known than of that."""
    x = b.fact("x")
    if x.kind == "list":
        return Fact("list", items=x.items)
    return Fact("list", items=join_elements((_element_of(b, "x"),)))


def tuple_(b: Bound) -> Fact:
    """tuple: of known length for a tuple."""
    x = b.fact("x")
    return x if x.kind == "tuple" else open_tuple(items=join_elements((_element_of(b, "x"),)))


def divmod_(b: Bound) -> Fact:
    """divmod."""
    exprs = (b.exprs["x"], b.exprs["y"])
    facts = (b.fact("x"), b.fact("y"))
    return tuple_of([arithmetic(op, exprs, facts, b.ctx) for op in ("//", "%")])


def isinstance_(b: Bound) -> Fact:
    """isinstance, known where the kind of the value settles it."""
    asked = b.constant("types")
    types = types_of(b.fact("x"))
    if types is None or not _are_types(asked):
        return python_bool()
    answers = {issubclass(each, asked) for each in types}
    return python_bool(answers.pop() if len(answers) == 1 else None)


def _are_types(asked: Any) -> bool:
    if isinstance(asked, tuple | UnionType):
        each = asked if isinstance(asked, tuple) else asked.__args__
        return bool(each) and all(map(_are_types, each))
    return isinstance(asked, type) and not isinstance(asked, GenericAlias)


def types_of(fact: Fact) -> tuple[type, ...] | None:
    """Return the types that a value may have, None when not known."""
    plain: dict[str, type] = {
        "array": np.ndarray, "list": list, "tuple": tuple, "str": str, "none": type(None),
    }  # fmt: skip
    if fact.kind in plain:
        return (plain[fact.kind],)
    if not fact.is_scalar:
        return None
    own: dict[str, type] = {"float": float, "int": int, "bool": bool, "complex": complex}
    if fact.weak:
        return (own[fact.kind],)
    if not fact.dtype:
        return None
    scalar_type = np.dtype(fact.dtype).type
    # an int may stand for a float of which it is not known whether it is Python's
    return (scalar_type,) if fact.weak is False else (scalar_type, own[fact.kind], int)


def callable_(b: Bound) -> Fact:
    """callable."""
    kind = b.fact("x").kind
    if kind == "function":
        return python_bool(True)
    return python_bool(None if kind in ("unknown", "object") else False)


# ---------------------------------------------------------------------------- shapes as values


def shape(b: Bound) -> Fact:
    """np.shape."""
    return shape_value(b.array("a"), text_of(b.exprs["a"]))


def shape_value(fact: Fact, name: str) -> Fact:
    """Return what is known of the shape of a value that is called `name`."""
    if not may_have_shape(fact) or fact.shape is None:
        return open_tuple(Token(name))
    if isinstance(fact.shape, Token):
        return open_tuple(fact.shape)
    return tuple_of([python_int(dim) for dim in fact.shape])


def ndim_value(fact: Fact) -> Fact:
    """Return what is known of the rank of a value."""
    return python_int(None if fact.rank is None else constant(fact.rank))


def size_value(fact: Fact, ctx: Context, name: str, parts: tuple[Expr, ...]) -> Fact:
    """Return what is known of the number of elements of a value."""
    if isinstance(fact.shape, tuple) and may_have_shape(fact):
        found = product_dim(fact.shape)
        if found is not None:
            return python_int(found)
    return python_int(ctx.fresh(name, parts))


def size(b: Bound) -> Fact:
    """np.size."""
    if b.has("axis"):
        return python_int()
    return size_value(b.array("a"), b.ctx, b.name, b.call.args)


def isscalar(b: Bound) -> Fact:
    """np.isscalar."""
    fact = b.fact("element")
    if fact.kind == "unknown":
        return python_bool()
    return python_bool(fact.is_scalar or fact.kind == "str")


def is_complex(answer: bool) -> Callable[[Bound], Fact]:
    """Return the rule of np.iscomplexobj and np.isrealobj."""

    def rule(b: Bound) -> Fact:
        dtype = b.array("x").dtype
        return python_bool((np.dtype(dtype).kind == "c") is answer if dtype else None)

    return rule


def always(fact: Fact) -> Callable[[Bound], Fact]:
    """Return the rule of a function that always makes the same kind of value."""
    return lambda b: fact


FLOAT_1: Final = ("x", always(PYTHON_FLOAT))
FLOAT_2: Final = ("x y", always(PYTHON_FLOAT))
INT: Final = ("x", always(python_int()))
BOOL: Final = ("x", always(python_bool()))

_MATH_FLOAT = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log2 log10 log1p "
    "sqrt cbrt exp2 fabs degrees radians gamma lgamma erf erfc"
)
_MATH_TWO = "atan2 pow fmod copysign remainder ldexp nextafter"


def _axis_index() -> tuple[Any, ...]:
    """Return NumPy's function that counts an axis from the front; NumPy 2 has it in public."""
    found = getattr(getattr(np.lib, "array_utils", None), "normalize_axis_index", None)
    return () if found is None else (found,)


GENERATOR: Final[tuple[str, Any]] = ("seed", lambda b: Fact("generator"))

TABLE: Final[Table] = {
    np.random.default_rng: GENERATOR,
    np.random.RandomState: GENERATOR,
    **{getattr(math, name): FLOAT_1 for name in _MATH_FLOAT.split()},
    **{getattr(math, name): FLOAT_2 for name in _MATH_TWO.split()},
    **{getattr(math, name): INT for name in ("floor", "ceil", "trunc", "isqrt", "factorial")},
    **{getattr(math, name): BOOL for name in ("isnan", "isinf", "isfinite")},
    math.log: ("x base", always(PYTHON_FLOAT)),
    math.hypot: ("x1 x2 x3 x4", always(PYTHON_FLOAT)),
    math.fsum: FLOAT_1,
    **{getattr(statistics, name): FLOAT_1 for name in ("stdev", "pstdev")},
    statistics.fmean: FLOAT_2,
    **{getattr(statistics, name): ("x", extreme) for name in ("mean", "variance", "pvariance")},
    math.dist: ("p q", always(PYTHON_FLOAT)),
    copy.deepcopy: ("x memo", lambda b: b.fact("x")),
    copy.copy: ("x", lambda b: b.fact("x")),
    math.comb: ("n k", always(python_int())),
    math.gcd: ("a b", always(python_int())),
    operator.index: INT,
    **{function: ("axis ndim msg_prefix", always(python_int())) for function in _axis_index()},
    builtins.len: ("x", len_),
    builtins.range: ("start stop step", range_),
    builtins.float: ("x", number("float")),
    builtins.int: ("x", number("int")),
    builtins.bool: ("x", number("bool")),
    builtins.complex: ("x y", number("complex")),
    builtins.abs: ("x", absolute),
    builtins.min: ("x1 x2 x3 x4 key default", extreme),
    builtins.max: ("x1 x2 x3 x4 key default", extreme),
    builtins.sum: ("x start", total),
    builtins.round: ("x ndigits", round_),
    builtins.zip: ("x1 x2 x3 x4 strict", zip_),
    builtins.enumerate: ("x start", enumerate_),
    builtins.reversed: ("x", reversed_),
    builtins.list: ("x", list_),
    builtins.iter: ("x", iter_),
    builtins.sorted: ("x key reverse", list_),
    builtins.tuple: ("x", tuple_),
    builtins.divmod: ("x y", divmod_),
    builtins.isinstance: ("x types", isinstance_),
    builtins.callable: ("x", callable_),
    copy.deepcopy: ("x", lambda b: b.fact("x")),
    builtins.all: BOOL,
    builtins.any: BOOL,
    builtins.str: ("x", always(Fact("str"))),
    builtins.repr: ("x", always(Fact("str"))),
    np.shape: ("a", shape),
    np.ndim: ("a", lambda b: ndim_value(b.array("a"))),
    np.size: ("a axis", size),
    np.isscalar: ("element", isscalar),
    np.iscomplexobj: ("x", is_complex(True)),
    np.isrealobj: ("x", is_complex(False)),
    np.allclose: ("a b rtol atol equal_nan", always(python_bool())),
    np.array_equal: ("a1 a2 equal_nan", always(python_bool())),
}
