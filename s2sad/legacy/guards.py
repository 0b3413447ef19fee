"""What a rule asks of its operands: `a: matrix` holds where a is known to be an array of rank 2.

GUARDS["matrix"](x@0, facts.expr)    ->    True        for x of shape (m, n)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from s2sad.legacy.facts.device import is_held_number
from s2sad.legacy.facts.dtypes import dtype_of_object
from s2sad.legacy.filling import literal
from s2sad.legacy.instances import WORDS
from s2sad.legacy.program import Const, Expr, Op, Ref, Var

Ask = Callable[[Expr], Any]


@dataclass(frozen=True, slots=True)
class Nothing:
    """What is known where nobody is asked."""

    kind: str = "unknown"
    dtype: str = ""
    rank: int | None = None
    is_scalar: bool = False
    is_array: bool = False
    value: Const | None = None
    items: tuple[Any, ...] = ()

    @property
    def in_the_end(self) -> Nothing:
        """Return the same: of a value of which nothing is known nothing comes to be known."""
        return self


NOTHING = Nothing()
_REAL = frozenset({"float", "int", "bool", "array", "unknown"})


def kind_of(expr: Expr, fact: Ask) -> str:
    """Return the kind of an operand; displays and literals speak for themselves."""
    match expr:
        case Op("list" | "tuple" as display):
            return display
        case Const(None):
            return "none"
        case Const(bool()):
            return "bool"
        case Const(str()):
            return "str"
        case _ if (value := literal(expr)) is not None:
            return type(value).__name__
    return str(fact(expr).kind)


def is_real(expr: Expr, fact: Ask) -> bool:
    """Tell whether an operand may be a real number or an array of them; displays are not.

    Rules are stated for real values: `abs` or `conj` of a complex one would be wrong.
    """
    if literal(expr) is not None:
        return True
    return kind_of(expr, fact) in _REAL and not may_be_complex(expr, fact)


def may_be_complex(expr: Expr, fact: Ask) -> bool:
    """Tell whether an operand is complex, or may be."""
    known = fact(expr)
    dtype = str(known.dtype)
    if dtype:
        return dtype.startswith("complex")
    return kind_of(expr, fact) == "complex" or getattr(known, "mixed", False)


def is_surely_real(expr: Expr, fact: Ask) -> bool:
    """Tell whether an operand is known to be real: the imaginary part of any other is not zero."""
    known = fact(expr)
    typed = bool(known.dtype) or kind_of(expr, fact) in ("float", "int", "bool")
    return is_real(expr, fact) and typed


def is_number(expr: Expr, fact: Ask) -> bool:
    """Tell whether an operand may be a number or an array of them, complex ones included."""
    return literal(expr) is not None or kind_of(expr, fact) in _REAL | {"complex"}


def _is_value(expr: Expr, fact: Ask, value: Any) -> bool:
    known = expr if isinstance(expr, Const) else fact(expr).value
    return isinstance(known, Const) and known.value is value


def _text_of(expr: Expr, fact: Ask) -> str:
    known = expr if isinstance(expr, Const) else fact(expr).value
    return known.value if isinstance(known, Const) and isinstance(known.value, str) else ""


def _dtype_of(expr: Expr, fact: Ask) -> str:
    match expr:
        case Ref(_, value):
            return dtype_of_object(value)
        case Const():
            return dtype_of_object(expr.value) if isinstance(expr.value, str) else ""
    known = fact(expr)
    if known.kind == "function" and getattr(known, "made_of", None):
        return dtype_of_object(known.made_of)
    value = known.value
    return dtype_of_object(value.value) if isinstance(value, Const) and value.value else ""


def _is_open_type(expr: Expr, fact: Ask) -> bool:
    """Tell whether a dtype is one of floats, or only known when the derivative is called."""
    known = fact(expr)
    asked = known.kind in ("unknown", "object", "function") and known.value is None
    return (isinstance(expr, Var) and asked) or _dtype_of(expr, fact).startswith("float")


def is_scalar(expr: Expr, fact: Ask) -> bool:
    """Tell whether an operand is a number, which a device holds as an array without axes."""
    known = fact(expr)
    return literal(expr) is not None or bool(known.is_scalar) or is_held_number(known)


def _has_rank(expr: Expr, fact: Ask, *ranks: int) -> bool:
    known = fact(expr)
    return bool(known.is_array) and known.rank in ranks


def _is_number(expr: Expr, fact: Ask) -> bool:
    return literal(expr) is not None


def _is_positive_number(expr: Expr, fact: Ask) -> bool:
    value = literal(expr)
    return value is not None and value > 0


def _has_parts(expr: Expr, fact: Ask, holds: Callable[[Any], bool]) -> bool:
    """Tell whether a value is a list or tuple of which every part is real, and as asked."""
    if isinstance(expr, Op):
        return False  # a display has operands of its own: hooks
    known = fact(expr)
    if known.kind not in ("list", "tuple") or not known.items:
        return False
    real = (p.kind in _REAL and not p.dtype.startswith("complex") for p in known.items)
    return all(real) and all(map(holds, known.items))


def _holds_real(known: Any) -> bool:
    """Tell whether a list or tuple holds real values, or such lists and tuples."""
    if known.kind not in ("list", "tuple") or not known.items:
        return False
    real = (p.kind in _REAL and not p.dtype.startswith("complex") for p in known.items)
    return all(each or _holds_real(p) for each, p in zip(real, known.items, strict=True))


def _holds_tuples(expr: Expr, fact: Ask) -> bool:
    """Tell whether a list or tuple holds tuples of real values and texts, which nobody writes to."""
    known = fact(expr)
    if isinstance(expr, Op) or known.kind not in ("list", "tuple") or not known.items:
        return False
    return all(_is_ordered_tuple(part) for part in known.items)


def _is_ordered_tuple(known: Any) -> bool:
    """Tell whether a value is a tuple of numbers, arrays and texts, or of such tuples."""
    real = _REAL | {"str"}
    return (
        known.kind == "tuple"
        and bool(known.items)
        and all(
            (part.kind in real and not part.dtype.startswith("complex")) or _is_ordered_tuple(part)
            for part in known.items
        )
    )


GUARDS: Mapping[str, Callable[[Expr, Ask], bool]] = {
    "scalar": is_scalar,
    "real": is_real,
    "surely_real": is_surely_real,
    "complex": may_be_complex,
    "vector": lambda expr, fact: _has_rank(expr, fact, 1),
    "matrix": lambda expr, fact: _has_rank(expr, fact, 2),
    "row": lambda expr, fact: (fact(expr).rank or 0) < 2,
    "stacked": lambda expr, fact: bool(fact(expr).is_array) and (fact(expr).rank or 0) > 1,
    "array": lambda expr, fact: bool(fact(expr).is_array) and bool(fact(expr).rank),
    "sparse": lambda expr, fact: kind_of(expr, fact) == "sparse",
    "single": lambda expr, fact: fact(expr).dtype in ("float32", "float16"),
    "double": lambda expr, fact: fact(expr).dtype == "float64",
    "precise": lambda expr, fact: fact(expr).dtype in ("float64", "complex128"),
    "double_type": lambda expr, fact: _dtype_of(expr, fact) == "float64",
    "complex_type": lambda expr, fact: _dtype_of(expr, fact).startswith("complex"),
    "single_type": lambda expr, fact: _dtype_of(expr, fact) in ("float32", "float16"),
    "open_type": lambda expr, fact: _is_open_type(expr, fact),
    "float_type": lambda expr, fact: _dtype_of(expr, fact).startswith("float"),
    "inexact": lambda expr, fact: str(fact(expr).dtype).startswith("float"),
    "integer": lambda expr, fact: kind_of(expr, fact) == "int",
    "one_axis": lambda expr, fact: kind_of(expr, fact) in ("int", "none"),
    "axes": lambda expr, fact: kind_of(expr, fact) in ("int", "tuple"),
    "none": lambda expr, fact: _is_value(expr, fact, None),
    "true": lambda expr, fact: _is_value(expr, fact, True),
    "false": lambda expr, fact: _is_value(expr, fact, False),
    "zero": lambda expr, fact: literal(expr) == 0,
    "one": lambda expr, fact: literal(expr) == 1,
    "two": lambda expr, fact: literal(expr) == 2,
    "only_axis": lambda expr, fact: _is_value(expr, fact, None) or literal(expr) in (0, -1),
    "numbers": lambda expr, fact: _has_parts(expr, fact, lambda part: part.is_scalar),
    "vectors": lambda expr, fact: _has_parts(expr, fact, lambda part: part.rank == 1),
    "matrices": lambda expr, fact: _has_parts(expr, fact, lambda part: part.rank == 2),
    "values": lambda expr, fact: _has_parts(expr, fact, lambda part: True),
    "nested": lambda expr, fact: not isinstance(expr, Op) and _holds_real(fact(expr)),
    "tuples": _holds_tuples,
    "natural": lambda expr, fact: (
        kind_of(expr, fact) == "int" and (literal(expr) or 0) >= 0 and literal(expr) is not None
    ),
    "columns": lambda expr, fact: _text_of(expr, fact) == "F",
    "infinite": lambda expr, fact: (
        isinstance(expr, Ref) and isinstance(expr.value, float) and expr.value == float("inf")
    ),
    "generator": lambda expr, fact: kind_of(expr, fact) == "generator",
    "copying": lambda expr, fact: _text_of(expr, fact) in ("edge", "reflect", "symmetric", "wrap"),
    "sequence": lambda expr, fact: fact(expr).kind in ("list", "tuple"),
    "holder": lambda expr, fact: fact(expr).kind in ("list", "tuple", "dict"),
    "number": _is_number,
    "number_or_none": lambda expr, fact: _is_number(expr, fact) or _is_value(expr, fact, None),
    "positive_number": _is_positive_number,
    **WORDS,
}
# what a guard counts for where several rules fit; 1 where it is not listed
WEIGHTS = {
    "open_type": 0,
    "number": 4,
    "positive_number": 4,
    "complex": 6,
    "one": 5,
    "two": 5,
    "scalar": 2,
    "vector": 2,
    "matrix": 2,
    "stacked": 2,
    "numbers": 3,
    "sequence": 0,
    "number_or_none": 0,
    "vectors": 2,
    "matrices": 2,
}
CONTAINERS = frozenset("numbers vectors matrices values nested tuples sequence holder".split())
