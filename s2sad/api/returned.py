"""What a function has to return for what is asked of it: of a gradient one real number.

refuse_result(misfit, primal, is_gradient=True)      misfit returns an array of shape (n,), and grad
                                                     takes a real scalar
"""

from __future__ import annotations

from s2sad.analysis.activity import INERT
from s2sad.ir.errors import ArgumentError
from s2sad.ir.program import Program
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Tuple, Type
from s2sad.ir.types import Sequence as SequenceType
from s2sad.source.places import result_place

WORDS = {type(None): "nothing", str: "a text"}
SEED = "Use s2sad.vjp with a seed of the result's {}, or {}."
OF_ONE = SEED.format("shape", "sum the result")
OF_PARTS = SEED.format("structure", "return one number")
OF_SEVERAL = (
    "Use s2sad.vjp, which takes a seed for every value, or return one number; of (value, aux) "
    "has_aux=True differentiates the first."
)


def refuse_result(
    function: object, primal: Program, is_gradient: bool, has_aux: bool = False
) -> None:
    """Refuse a function that surely returns something else than is asked for; ArgumentError."""
    type_ = primal.facts.get("result")
    name = getattr(function, "__name__", primal.function.name)
    if has_aux:
        type_ = _value_of(name, type_, function)
    if isinstance(type_, Other) and type_.cls is not None and type_.cls in INERT:
        what = WORDS.get(type_.cls, f"a {type_.cls.__name__}")
        raise ArgumentError(
            f"{name} returns {what}: there is nothing to differentiate",
            result_place(function),
            "Return a number, an array, or a list or tuple of them.",
        )
    if not is_gradient:
        return
    if isinstance(type_, Number | Array) and type_.dtype[0] == "c":
        raise ArgumentError(
            f"{name} returns a complex number, and grad takes a real one",
            result_place(function),
            "Return its real part, np.real(...), or what you make of it.",
        )
    what, hint = _no_scalar(type_, primal)
    if what:
        raise ArgumentError(
            f"{name} returns {what}, and grad takes a real scalar", result_place(function), hint
        )


def _value_of(name: str, type_: Type | None, function: object) -> Type | None:
    """Return the type of the value that comes with aux; ArgumentError where there are not the two."""
    if isinstance(type_, Tuple) and len(type_.items) == 2 and type_.cls is None:
        return type_.items[0]
    if not isinstance(type_, Tuple | Number | Array | Numeric | Reference | SequenceType | Other):
        return type_
    raise ArgumentError(
        f"{name} does not return (value, aux), which has_aux asks for",
        result_place(function),
        "End it with: return value, aux.",
    )


def _no_scalar(type_: Type | None, primal: Program) -> tuple[str, str]:
    """Return what a result is that is surely no number, with what to do; nothing for any other."""
    match type_:
        case Array(_, lengths) if lengths:
            known = ", ".join(map(str, lengths)) + ("," if len(lengths) == 1 else "")
            shape = f"shape ({known})" if None not in lengths else f"rank {len(lengths)}"
            return f"an array of {shape}", OF_ONE
        case Tuple(items, None):
            count = f"{len(items)} values" if len(items) != 1 else "a tuple of one value"
            return count, OF_SEVERAL
        case Tuple(_, cls) | SequenceType(_, cls):
            return f"a {(cls or tuple).__name__}", OF_PARTS
        case Reference(site) if site in primal.regions:
            region = primal.regions[site]
            made = region.cls or (list if region.kind == "list" else dict)
            return f"a {made.__name__}", OF_PARTS
    return "", ""
