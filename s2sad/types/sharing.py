"""Which operands a result may share its memory with: found by running it on tiny arrays.

shares(u[1:])   (0,)         shares(u * 2)   ()        shares(np.ravel(u))   (1,)

Whether np.ravel copies depends on how u lies in memory: it may share.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import (
    Expr,
    Known,
    called,
    chooses,
    keywords,
    object_of,
    positional,
    text_of_call,
)
from s2sad.ir.records import replace
from s2sad.ir.types import (
    Array,
    Code,
    Length,
    Number,
    Numeric,
    Other,
    Reference,
    Type,
    Unknown,
    types_in,
)
from s2sad.operators.effects import is_solution
from s2sad.operators.guards import is_sparse, value_of
from s2sad.operators.marks import is_marked
from s2sad.operators.modules import is_hashable
from s2sad.operators.table import calls_one, has
from s2sad.types.allowed import asks_for_places, may_run, may_run_method
from s2sad.types.assumptions import Context
from s2sad.types.attributes import getter
from s2sad.types.calling import Call, Operand, call_of, sizes_in_runs
from s2sad.types.calls import is_open_whole, method, operand
from s2sad.types.draws import draws_new_array
from s2sad.types.probing import is_too_large, working_axes
from s2sad.types.samples import CONTENTS, Sampler

ORDERS = ("C", "F")
# functions that copy all that they are handed
PLAIN = (str, bytes, int, float, complex, type(None), type, slice, range, type(Ellipsis), np.dtype)
# np.r_[u, 0.0], np.mgrid[:3]: objects of NumPy whose items are new arrays
MAKERS = (type(np.r_), type(np.c_), type(np.mgrid), type(np.ogrid))
Places = tuple[int, ...]
_cache: dict[Hashable, Places | None] = {}


def may_hold_array(type_: Type) -> bool:
    """Tell whether a value may be memory, or hold some."""
    memory = Array | Numeric | Reference | Unknown
    return any(isinstance(each, memory) or is_object(each) for each in types_in(type_))


def is_object(type_: Type) -> bool:
    """Tell whether a value is an object of which nothing but its class is known."""
    return isinstance(type_, Other) and not (type_.cls and issubclass(type_.cls, PLAIN))


def shares(expr: Expr, context: Context) -> Places:
    """Return the positions of the args whose memory the result may share."""
    found = _shared_by(expr, context)
    return _holders(expr) if found is None else found


def is_shown(expr: Expr, context: Context) -> bool:
    """Tell whether it is known which memory a result shares: else it may be new, or any."""
    return _shared_by(expr, context) is not None


def _holders(expr: Expr) -> Places:
    return tuple(k for k, arg in enumerate(expr.args) if _holds(arg))


def _shared_by(expr: Expr, context: Context) -> Places | None:
    """Return the positions of the args whose memory the result shares, None where no run tells."""
    found, copied = _found_by_run(expr, context), _copied(expr, context)
    if found is None:
        return () if copied and copied == {*_holders(expr)} else None
    return tuple(k for k in found if k not in copied)


def _copied(expr: Expr, context: Context) -> set[int]:
    """Return the positions of lists that a function of NumPy makes arrays of: these are new."""
    function = None if expr.op != "call" else expr.args[0]
    if function is None or any(arg.op == "starred" for arg in expr.args):
        return set()
    if function.op == "attribute":
        is_numpy = isinstance(function.args[0].type, Array | Numeric)
    else:
        is_numpy = str(getattr(value_of(function), "__module__", "")).startswith("numpy")
    return {k for k in _holders(expr) if is_numpy and _is_list(expr.args[k], context)}


def _found_by_run(expr: Expr, context: Context) -> Places | None:
    """Return the positions of the args whose memory the result of a run shares."""
    if expr.op in ("constant", "name", "global", "compare", "formatted", "slice"):
        return ()
    if isinstance(expr.type, Number | Code):
        return ()
    match expr.op:
        case "unary":
            return ()
        case "binary":
            return () if _is_arithmetic(expr) else _holders(expr)
        case "subscript":
            return _of_subscript(expr)
        case "attribute":
            return _of_call(expr, [expr.args[0]], {}, (0,), context)
        case "call":
            return _of_called(expr, context)
    return _holders(expr)


def _is_arithmetic(expr: Expr) -> bool:
    """Tell whether a result is new: that of numbers, or of an array and what NumPy makes one of."""
    types = [arg.type for arg in expr.args]
    if any(isinstance(type_, Array | Numeric) for type_ in types):
        others = (t for t in types if isinstance(t, Unknown | Other))
        return all(isinstance(t, Other) and is_sparse(t.cls) for t in others)
    return all(isinstance(type_, Number) for type_ in types)


def _holds(arg: Expr) -> bool:
    if arg.op == "attribute" and not may_hold_array(arg.type):
        return may_hold_array(arg.args[0].type)  # a method of its owner
    return may_hold_array(arg.type)


def _of_subscript(expr: Expr) -> Places:
    base, index = expr.args
    if not isinstance(base.type, Array | Numeric):
        return (0,) if may_hold_array(expr.type) else ()
    if base.op == "attribute" and base.data == "flat":
        return ()  # a copy
    return () if chooses(index) else (0,)


def _is_summed(given: Type, made: Type) -> bool:
    """Tell whether an array surely has other axes than what it is summed to."""
    if not may_hold_array(given):
        return True
    return isinstance(given, Array) and isinstance(made, Array) and given.rank != made.rank


def _of_called(expr: Expr, context: Context) -> Places | None:
    called = expr.args[0]
    if is_marked(expr):
        return tuple(k for k in _holders(expr) if k == 1)
    if is_solution(expr) or draws_new_array(called):
        return ()
    if text_of_call(expr) == "_sum_to":  # the same array where nothing is to be summed
        return () if _is_summed(expr.args[1].type, expr.type) else (1,)
    args, named = list(positional(expr)), keywords(expr)
    if (turned := _transposed(expr)) is not None:
        return turned
    if any(arg.op == "starred" for arg in args) or None in named:
        return None
    if called.op == "attribute" and not isinstance(called.args[0].type, Code):
        return _of_call(expr, [called.args[0], *args], named, tuple(range(len(expr.args))), context)
    if calls_one(expr, "new"):
        return ()
    function = None if called.known is None else called.known.value
    if function is None or not is_hashable(function) or not may_run(function):
        return None
    if function is sum and len(args) == 1:  # of 0 and the items
        return ()
    if has(function, "creates") or (has(function, "joins") and "out" not in named):
        return ()
    places = tuple(range(1, len(expr.args)))
    return _of_call(expr, args, named, places, context)


def _transposed(expr: Expr) -> Places | None:
    """Return the position of the array that a call gives a view of, whatever the order of its axes is."""
    called = expr.args[0]
    is_method = called.op == "attribute" and called.data == "transpose"
    array = called.args[0] if is_method else expr.args[min(1, len(expr.args) - 1)]
    if not is_method and object_of(called) is not np.transpose:
        return None
    return (0 if is_method else 1,) if isinstance(array.type, Array) else None


def _is_list(arg: Expr, context: Context) -> bool:
    """Tell whether a value is a list: the array that is made of one is new."""
    if arg.op == "global":
        return type(arg.data.value) in (list, tuple)
    if not isinstance(arg.type, Reference):
        return False
    region = context.regions.get(arg.type.site)
    return region is not None and region.kind == "list"


def _function(expr: Expr) -> Any:
    if expr.op == "attribute":
        return getter(expr.data)
    called = expr.args[0]
    if called.known is not None:
        return called.known.value
    is_pure = may_run_method(np.ndarray, called.data)
    return method(called.data) if is_pure else None


def _of_call(
    expr: Expr, args: list[Expr], named: dict[str, Expr], places: Places, context: Context
) -> Places | None:
    """Return the positions among `places` of operands that the result of a run shares."""
    given = (*args, *named.values())
    every = tuple(p for p, arg in zip(places, given, strict=True) if _holds(arg))
    if not every:
        return ()
    function = _function(expr)
    operands = [operand(arg, context) for arg in given]
    known = [each for each in operands if each is not None]
    if function is None or len(known) < len(operands):
        return None
    ranks = (2, 1) if any(isinstance(each.type, Numeric) for each in known) else (2,)
    numbers = (None, 0, 1) if any(map(is_open_whole, known)) else (None,)
    runs = [
        _of_run(call_of(function, [_as_tried(o, rank, number) for o in known], named), context)
        for rank in ranks
        for number in numbers
    ]
    if all(run is None for run in runs):
        is_view = called(expr) == "reshape" and isinstance(given[0].type, Array)
        return places[:1] if is_view else None  # whatever its lengths are
    ways = {tuple(p for k in run if (p := places[k]) in every) for run in runs if run is not None}
    return ways.pop() if len(ways) == 1 else None  # a whole number decides: np.diff(u, 0) is u


def _of_run(call: Call, context: Context) -> Places | None:
    """Return the operands that the result of a run shares, None of a call that does not run."""
    key = call.key(())
    if key not in _cache:
        sizes = _sizes(call, context)
        _cache[key] = None if sizes is None else tuple(_shared(call, sizes))
    return _cache[key]


def _sizes(call: Call, context: Context) -> Mapping[str, int] | None:
    """Return the sizes of axes with which a call runs."""
    if is_too_large(call):
        return call.few(0) if call.of_few().error is None else None
    axes = working_axes(call, context)
    return None if axes is None else sizes_in_runs(axes)[0][0]


def _as_tried(found: Operand, rank: int, number: int | None) -> Operand:
    """Return an operand of a rank where that is not known; a whole number as one, if it is given.

    0 is the first axis, or no shift; 1 the same power.
    """
    if isinstance(found.type, Numeric):
        return Operand(Array(found.type.dtype, (Length((), 5),) * rank))
    is_replaced = number is not None and is_open_whole(found)
    return replace(found, known=Known(number)) if is_replaced else found


def _shared(call: Call, sizes: Mapping[str, int]) -> Iterator[int]:
    """Yield the operands whose memory a result has in one of the layouts."""
    found: set[int] = set()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for order in ORDERS:
            for content in CONTENTS[:2]:
                sampler = Sampler(sizes, 0, content, order, asks_for_places(call.function))
                values = call.values(sampler)
                try:
                    result = call.apply(values)
                except Exception:
                    continue
                found |= {k for k, value in enumerate(values) if _overlap(value, result)}
                break
    yield from sorted(found)


def _overlap(value: Any, result: Any) -> bool:
    return any(np.may_share_memory(a, b) or a is b for a in _arrays(value) for b in _arrays(result))


def _arrays(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _arrays(item)
    elif isinstance(value, np.flatiter):
        yield value.base
