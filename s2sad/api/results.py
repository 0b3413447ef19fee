"""What a function returns for the arguments of a call decides about its derivative, too.

mode_for(request, {"m": m}, y)    ->    "reverse" where y has fewer elements than m
"""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable, Mapping
from inspect import BoundArguments
from typing import Any

import numpy as np

from s2sad.analysis.activity import INERT
from s2sad.api.arrays import fetched
from s2sad.api.request import Request
from s2sad.api.signatures import own_signature
from s2sad.ir.errors import HOUSE, ArgumentError, S2sadError, Span, Unsupported
from s2sad.ir.expression import calls
from s2sad.ir.program import Program, Raise, Return, Statement
from s2sad.ir.remedies import unfit
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Tuple, Type
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import statements
from s2sad.source.draws import undrawn
from s2sad.source.outside import outside
from s2sad.source.owners import is_own_file
from s2sad.source.plain import is_record
from s2sad.source.read import parameter_place, result_place

UNFIT = " does not take these arguments: "
MAY_BE_NO_NUMBER = "returns what may be no number"
WORDS = {"NoneType": "nothing", "str": "a text", "complex": "complex numbers"}


def result_of(function: Callable[..., Any], own: dict[str, Any]) -> Any:
    """Return what a function gives for arguments by name, which it may write to.

    The function is the user's, in NumPy's names: arrays of a device are fetched, once for each set
    of shapes. What it draws from goes on as if it had not been called.
    """
    own = {name: fetched(value) for name, value in own.items()}
    call = BoundArguments(own_signature(function), copy.deepcopy(own))
    with undrawn(value for _, _, value in outside(function)):
        return function(*call.args, **call.kwargs)


def as_it_raises(
    error: S2sadError, function: Callable[..., Any], own: Callable[[], dict[str, Any]]
) -> S2sadError:
    """Return a refusal of arguments as what the function itself raises of them, and where.

    What was found with other lengths, or of the result alone, is not what a user would see.
    """
    called = error.problem.partition(UNFIT)[0]
    if called == error.problem and MAY_BE_NO_NUMBER not in called:
        return error
    if not called.isidentifier() and MAY_BE_NO_NUMBER not in called:  # the signature says it
        return error
    arguments = own()
    try:
        result_of(function, arguments)
    except Exception as raised:
        every = traceback.extract_tb(raised.__traceback__)
        frames = [f for f in every if f.line and _is_users(f.filename)]  # no code that is made
        if frames and frames[-1].lineno is not None:
            lists = [name for name, value in arguments.items() if isinstance(value, list)]
            more = f" Of a list make an array: np.array({lists[0]})." if lists else ""
            return unfit(f"{type(raised).__name__}: {raised}", _place(frames[-1]), more)
    return error


def _is_users(path: str) -> bool:
    return is_own_file(path) and not path.startswith(HOUSE)


def _place(frame: traceback.FrameSummary) -> Span:
    """Return the place that a line of a traceback names."""
    ends = frame.end_lineno or 0, frame.end_colno or 0
    return Span(frame.filename, frame.name, frame.lineno or 0, frame.colno or 0, *ends)


def mode_for(request: Request, arguments: Mapping[str, Any], result: Any) -> str:
    """Return the mode of a matrix, after a look at what it belongs to."""
    for name, value in arguments.items():
        _refuse_parts(request.function, name, value)
    parts = result if isinstance(result, tuple) else (result,)
    for part in parts:
        _refuse_result(request.function, part, request.function.__name__)
    sizes = {name: np.size(value) for name, value in arguments.items()}
    rows = sum(map(np.size, parts)) < sum(sizes.values())
    mode = ("reverse" if rows else "forward") if request.by_shape else request.mode
    empty = next((name for name, size in sizes.items() if not size), "")
    if mode == "forward" and empty:
        raise ArgumentError(
            f"{empty} has no elements, and its Jacobian no columns",
            hint="Pass an array with elements.",
        )
    if mode == "reverse" and not all(map(np.size, parts)):
        raise ArgumentError(
            f"{request.function.__name__} returns an array without elements",
            hint="Return an array with elements.",
        )
    return mode


def _refuse_parts(function: object, name: str, value: Any) -> None:
    """Refuse an argument that holds several arrays."""
    if isinstance(value, list | tuple | dict) or is_record(value):
        raise ArgumentError(
            f"{name} is a {type(value).__name__}, and one axis of a matrix belongs to one array",
            parameter_place(function, name),
            "Pass its arrays as arguments of their own, and name them in wrt.",
        )


def _refuse_result(function: object, part: Any, name: str) -> None:
    """Refuse a result that is no number and no array."""
    kind = "complex" if np.iscomplexobj(part) else type(part).__name__
    if kind in WORDS or isinstance(part, list | tuple | dict) or is_record(part):
        raise ArgumentError(
            f"{name} returns {_called(kind)}, which is not one matrix",
            result_place(function),
            "Return an array, or a tuple of arrays: then a tuple of matrices comes back.",
        )


def _called(kind: str) -> str:
    return WORDS.get(kind, f"a {kind}")


SEED = "Use s2sad.vjp with a seed of the result's {}, or {}."
OF_ONE = SEED.format("shape", "sum the result")
OF_PARTS = SEED.format("structure", "return one number")
OF_SEVERAL = (
    "Use s2sad.vjp, which takes a seed for every value, or return one number; of (value, aux) "
    "has_aux=True differentiates the first."
)


def _refuse_what_is_not_followed(every: list[Statement], function: object) -> None:
    """Refuse what a function of a library says that it does not follow; Unsupported."""
    for each in every:
        error = each.value if isinstance(each, Raise) else None
        if error is not None and calls(error, NotImplementedError) and error.args[1:]:
            problem = f"{error.args[1].data} is not differentiated"
            hint = "Write a loop or a comprehension over the elements, without the option."
            raise Unsupported(problem, result_place(function), hint)


def refuse_result(
    function: object, primal: Program, is_gradient: bool, has_aux: bool = False
) -> None:
    """Refuse a function that surely returns something else than is asked for; ArgumentError."""
    type_ = primal.facts.get("result")
    name = getattr(function, "__name__", primal.function.name)
    if has_aux:
        type_ = _value_of(name, type_, function)
    if isinstance(type_, Other) and type_.cls is not None and type_.cls in INERT:
        does = f"returns {_called(type_.cls.__name__)}"
        hint = "Return a number, an array, or a list or tuple of them."
        every = list(statements(primal.function.body))
        _refuse_what_is_not_followed(every, function)
        if not any(isinstance(s, Return | Raise) for s in every):
            does = "ends without a return"
        elif not any(isinstance(s, Return) for s in every):
            error = every[-1].value if every and isinstance(every[-1], Raise) else None
            what = "" if error is None else f" {expression(error)}"
            does = f"raises{what} for these arguments, of which some may have their defaults"
            hint = "Give examples of those that are given: like=(...)."
        problem = f"{name} {does}: there is nothing to differentiate"
        raise ArgumentError(problem, result_place(function), hint)
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
