"""What a rule asks of its operands: `a: matrix` holds where a is known to be an array of rank 2.

GUARDS["matrix"](u, regions)      True for u of type Array("float64", (m, n))

What is known comes from the types and known values on the nodes: nothing is assumed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.ir.types import (
    Array,
    Code,
    Number,
    Numeric,
    Other,
    Reference,
    Regions,
    Sequence,
    Tuple,
    Type,
    may_be_whole,
    region_of,
    without_none,
)
from s2sad.operators.instances import WORDS

Guard = Callable[[Expr, Regions], bool]
NOTHING = object()

# ---------------------------------------------------------------------------- values


def value_of(expr: Expr) -> Any:
    """Return the value that is the same in every run, NOTHING where it is not known."""
    if expr.op == "constant":
        return expr.data
    return NOTHING if expr.known is None else expr.known.value


def literal(expr: Expr) -> int | float | None:
    """Return the number that an expression spells or is known to be; None of a module's object.

    A global number is read where the text runs, so it is no literal.
    """
    if expr.op == "unary" and expr.data == "-" and expr.args[0].op == "constant":
        inner = literal(expr.args[0])
        return None if inner is None else -inner
    if expr.op == "global":
        return None
    value = value_of(expr)
    return value if type(value) in (int, float) else None


def is_written_out(expr: Expr) -> bool:
    """Tell whether a value is a tuple or list of literals that stand there: (1, -1), [(0, 1), (1, 0)]."""
    return expr.op in ("tuple", "list") and all(
        item.op == "constant" or spelled(item) is not None or is_written_out(item)
        for item in expr.args
    )


def spelled(expr: Expr) -> int | float | None:
    """Return the number that is written out, None of what is only known to be one."""
    return literal(expr) if expr.op in ("constant", "unary") else None


def text_of(expr: Expr) -> str:
    """Return the text that an expression is known to be, "" of anything else."""
    value = value_of(expr)
    return value if isinstance(value, str) else ""


def _is(expr: Expr, value: Any) -> bool:
    return value_of(expr) is value


def is_none(expr: Expr) -> bool:
    """Tell whether an expression is None in every run."""
    return _is(expr, None) or expr.type == Other(type(None))


# ---------------------------------------------------------------------------- types


def rank_of(type_: Type) -> int | None:
    """Return the number of axes of a number or an array; None where it is not known."""
    match type_:
        case Array():
            return type_.rank
        case Number():
            return 0
    return None


def is_array(type_: Type) -> bool:
    """Tell whether a value is surely an array with axes."""
    return isinstance(type_, Array) and type_.rank > 0


def is_scalar(expr: Expr) -> bool:
    """Tell whether a value is surely one number; an array without axes has methods and is none."""
    return isinstance(expr.type, Number) or literal(expr) is not None


def dtype_of(expr: Expr) -> str:
    """Return the kind of numbers that a value is made of, "" where it is not known."""
    return expr.type.dtype if isinstance(expr.type, Number | Array | Numeric) else ""


def is_complex(expr: Expr) -> bool:
    """Tell whether a value is complex."""
    return dtype_of(expr).startswith("complex")


def is_mask(entry: Expr) -> bool:
    """Tell whether an entry of a subscript chooses by truth: u[u > 0.0]."""
    return isinstance(entry.type, Array) and entry.type.dtype == "bool"


def is_numeric(type_: Type) -> bool:
    """Tell whether a value is a number or an array of numbers, complex ones included."""
    return isinstance(type_, Number | Array | Numeric) and type_.dtype[0] in "fciub"


def is_real(type_: Type) -> bool:
    """Tell whether a value is a real number or an array of them.

    Rules are stated for real values: `abs` or `conj` of a complex one would be wrong.
    """
    return isinstance(type_, Number | Array | Numeric) and type_.dtype[0] in "fiub"


# ---------------------------------------------------------------------------- dtypes


def _named_dtype(expr: Expr) -> str:
    """Return the name of the dtype that an operand says, "" of anything else."""
    value = value_of(expr)
    if isinstance(expr.type, Code):
        value = expr.type.value
    if not isinstance(value, str | type | np.dtype):
        return ""
    try:
        return str(np.dtype(value))
    except TypeError:
        return ""


def _is_open_dtype(expr: Expr, regions: Regions) -> bool:
    """Tell whether a dtype is one of floats, or only known when the text runs."""
    is_asked = expr.op in ("name", "attribute") and value_of(expr) is NOTHING
    return is_asked or _named_dtype(expr).startswith("float")


# ---------------------------------------------------------------------------- lists and tuples


def items_of(type_: Type, regions: Regions) -> tuple[Type, ...]:
    """Return the types of what a list or tuple holds; of one of any length, of each of its items."""
    match type_:
        case Tuple(items):
            return items
        case Sequence(item):
            return (item,)
        case Reference(site) if site in regions and regions[site].kind == "list":
            return (regions[site].item,)
    return ()


def _holds(test: Callable[[Type], bool]) -> Guard:
    """Return the guard of a list or tuple whose items are all numeric and as asked.

    A display has operands of its own: it is left to the hooks.
    """

    def guard(expr: Expr, regions: Regions) -> bool:
        held = () if is_display(expr) else items_of(expr.type, regions)
        items = tuple(map(without_none, held))
        return bool(items) and all(is_numeric(item) and test(item) for item in items)

    return guard


def is_display(expr: Expr) -> bool:
    """Tell whether an operand is a list or tuple that is written out."""
    return expr.op in ("list", "tuple")


def _holds_numbers(type_: Type, regions: Regions) -> bool:
    items = tuple(map(without_none, items_of(type_, regions)))
    return bool(items) and all(is_numeric(item) or _holds_numbers(item, regions) for item in items)


def holds_complex(type_: Type, regions: Regions) -> bool:
    """Tell whether something in a list or tuple is complex, at any depth."""
    items = map(without_none, items_of(type_, regions))
    return any((is_numeric(t) and not is_real(t)) or holds_complex(t, regions) for t in items)


def _is_nested(expr: Expr, regions: Regions) -> bool:
    return not is_display(expr) and _holds_numbers(expr.type, regions)


def _is_ordered(type_: Type) -> bool:
    """Tell whether a type is a tuple of real values and texts, or of such tuples."""
    if not isinstance(type_, Tuple) or not type_.items:
        return False
    return all(is_real(t) or t == Other(str) or _is_ordered(t) for t in type_.items)


def _holds_tuples(expr: Expr, regions: Regions) -> bool:
    items = () if is_display(expr) else items_of(expr.type, regions)
    return bool(items) and all(map(_is_ordered, items))


def _is_sequence(expr: Expr, regions: Regions) -> bool:
    return isinstance(expr.type, Tuple | Sequence) or bool(items_of(expr.type, regions))


def _is_holder(expr: Expr, regions: Regions) -> bool:
    region = region_of(expr.type, regions)
    is_dict = region is not None and region.kind in ("mapping", "fields")
    return _is_sequence(expr, regions) or is_dict


# ---------------------------------------------------------------------------- the words


def _ranks(*ranks: int) -> Guard:
    return lambda expr, _: isinstance(expr.type, Array) and expr.type.rank in ranks


def _dtypes(*dtypes: str) -> Guard:
    return lambda expr, _: dtype_of(expr) in dtypes


def _is_surely_double(expr: Expr, regions: Regions) -> bool:
    """Tell whether a value has double precision: without examples it may be single."""
    return dtype_of(expr) == "float64" and not isinstance(expr.type, Numeric)


def _is_double_or_whole(expr: Expr, regions: Regions) -> bool:
    """Tell whether a double keeps its precision beside a value."""
    return _is_surely_double(expr, regions) or dtype_of(expr).startswith(("int", "uint", "bool"))


def _named(*starts: str) -> Guard:
    return lambda expr, _: _named_dtype(expr).startswith(starts)


def _literals(*values: float) -> Guard:
    return lambda expr, _: literal(expr) in values


def _class_of(expr: Expr) -> type | None:
    return expr.type.cls if isinstance(expr.type, Other) else None


def _is_generator(expr: Expr, regions: Regions) -> bool:
    cls = _class_of(expr)
    return cls is not None and issubclass(cls, np.random.Generator)


def _is_no_tuple(expr: Expr, regions: Regions) -> bool:
    """Tell whether a value is no tuple, nor an array that was made of one: coordinates are told apart."""
    is_held = isinstance(expr.type, Tuple | Sequence) and expr.type.cls is not list
    return not is_held and not any(arg.op == "tuple" for arg in (expr, *expr.args))


def is_sparse(cls: type | None) -> bool:
    """Tell whether a class is one of SciPy's sparse matrices."""
    return cls is not None and cls.__module__.startswith("scipy.sparse") and hasattr(cls, "tocsr")


def is_square(expr: Expr) -> bool:
    """Tell whether a matrix surely has as many columns as rows."""
    lengths = expr.type.lengths if isinstance(expr.type, Array) else None
    if lengths is None or len(lengths) != 2:
        return False
    return lengths[0] == lengths[1] is not None


def is_factored(cls: type | None) -> bool:
    """Tell whether a class is that of the factors of a sparse matrix: their maker is compiled."""
    return cls is not None and (cls.__module__, cls.__name__) == ("builtins", "SuperLU")


def _is_natural(expr: Expr, regions: Regions) -> bool:
    value = literal(expr)
    return isinstance(value, int) and value >= 0


def _is_infinite(expr: Expr, regions: Regions) -> bool:
    value = value_of(expr)
    return isinstance(value, float) and value == math.inf


def _of_object(test: Callable[[Expr], bool]) -> Guard:
    return lambda expr, _: test(expr)


def _has_triples(type_: Type) -> bool:
    """Tell whether the last axis of an array has three elements, for certain."""
    length = type_.lengths[-1] if isinstance(type_, Array) and type_.lengths else None
    return length is not None and length.is_literal and length.constant == 3


HOMOGENEOUS_ENDS = ("natural", "clamped", "not-a-knot")  # of a spline: they hold for sums, too
COPYING_MODES = ("edge", "reflect", "symmetric", "wrap")
GUARDS: Mapping[str, Guard] = {
    "scalar": lambda expr, _: is_scalar(expr),
    "real": lambda expr, _: is_real(expr.type),
    "surely_real": lambda expr, _: is_real(expr.type),
    "complex": lambda expr, _: is_complex(expr),
    "vector": _ranks(1),
    "matrix": _ranks(2),
    "square": lambda expr, _: is_square(expr),
    "triples": lambda expr, _: _has_triples(expr.type),
    "row": lambda expr, _: rank_of(expr.type) in (0, 1),
    "stacked": lambda expr, _: (rank_of(expr.type) or 0) > 1,
    "array": lambda expr, _: is_array(expr.type),
    "no_tuple": _is_no_tuple,
    "no_array": lambda expr, _: not is_array(expr.type),
    "sparse": lambda expr, _: is_sparse(_class_of(expr)),
    "factored": lambda expr, _: any(map(is_factored, (type(value_of(expr)), _class_of(expr)))),
    "single": _dtypes("float32", "float16"),
    "double": _is_surely_double,
    "double_or_whole": _is_double_or_whole,
    "precise": _dtypes("float64", "complex128"),
    "double_type": _named("float64"),
    "complex_type": _named("complex"),
    "single_type": _named("float32", "float16"),
    "open_type": _is_open_dtype,
    "float_type": _named("float"),
    "inexact": lambda expr, _: dtype_of(expr).startswith("float"),
    "integer": lambda expr, _: may_be_whole(expr.type),
    "one_axis": lambda expr, _: may_be_whole(expr.type) or is_none(expr),
    "axes": lambda expr, _: may_be_whole(expr.type) or isinstance(expr.type, Tuple),
    "two_axes": lambda expr, _: isinstance(expr.type, Tuple) and len(expr.type.items) == 2,
    "none": lambda expr, _: is_none(expr),
    "true": lambda expr, _: _is(expr, True),
    "false": lambda expr, _: _is(expr, False),
    "zero": _literals(0),
    "one": _literals(1),
    "two": _literals(2),
    "only_axis": lambda expr, _: is_none(expr) or literal(expr) in (0, -1),
    "numbers": _holds(lambda item: rank_of(item) == 0),
    "vectors": _holds(lambda item: rank_of(item) == 1),
    "matrices": _holds(lambda item: rank_of(item) == 2),
    "values": _holds(lambda item: True),
    "nested": _is_nested,
    "tuples": _holds_tuples,
    "natural": _is_natural,
    "columns": lambda expr, _: text_of(expr) == "F",
    "homogeneous": lambda expr, _: text_of(expr) in HOMOGENEOUS_ENDS,
    "infinite": _is_infinite,
    "generator": _is_generator,
    "copying": lambda expr, _: text_of(expr) in COPYING_MODES,
    "holding": lambda expr, _: text_of(expr) in ("nearest", "previous", "next"),
    "ramp": lambda expr, _: text_of(expr) == "linear_ramp",
    "statistic": lambda expr, _: text_of(expr) in ("mean", "median", "maximum", "minimum"),
    "odd": lambda expr, _: text_of(expr) == "odd",
    "sequence": _is_sequence,
    "holder": _is_holder,
    "number": lambda expr, _: literal(expr) is not None,
    "number_or_none": lambda expr, _: literal(expr) is not None or is_none(expr),
    "positive_number": lambda expr, _: (literal(expr) or 0) > 0,
    **{word: _of_object(test) for word, test in WORDS.items()},
}
# what a guard counts for where several rules fit; 1 where it is not listed
WEIGHED = {
    0: "open_type no_array sequence number_or_none",
    2: "scalar vector matrix stacked vectors matrices",
    3: "square numbers",
    4: "number positive_number",
    5: "one two",
    6: "complex",
}
WEIGHTS = {word: weight for weight, words in WEIGHED.items() for word in words.split()}
CONTAINERS = frozenset("numbers vectors matrices values nested tuples sequence holder".split())
