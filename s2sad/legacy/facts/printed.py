"""What the functions make that are printed into emitted text.

_sum_to(x, shape)       ->   an array of that shape
_dot_bar_a(y_bar, a, b) ->   what a is: the adjoint of a value has its shape
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import Any, Final

from s2sad.legacy.facts.binding import FactOf, spelled_shape
from s2sad.legacy.facts.context import Context, fresh_shape
from s2sad.legacy.facts.dtypes import floating
from s2sad.legacy.facts.elementwise import may_have_shape
from s2sad.legacy.facts.fact import PYTHON_FLOAT, UNKNOWN, Fact, array, is_numeric, scalar, tuple_of
from s2sad.legacy.program import Call, Const, Op, Ref
from s2sad.legacy.templating import FROM_DISK, OF_DRAWS, OF_FILES, OF_FLOWS, TO_DISK, printed_name

# the argument whose shape the result has
_LIKE: Final[dict[str, int]] = {
    "_expand": 1, "_others": 0, "_cumprod_bar": 1, "_sort_bar": 1, "_pad_bar": 1,
    "_correlate_bar_a": 1, "_correlate_bar_v": 2, "_diff_bar": 1, "_repeat_bar": 1,
    "_diag_bar": 1, "_take_bar": 1, "_dot_bar_a": 1, "_dot_bar_b": 2, "_matmul_bar_a": 1,
    "_matmul_bar_b": 2, "_tensordot_bar_a": 1, "_tensordot_bar_b": 2, "_kron_bar_a": 1,
    "_kron_bar_b": 2, "_inner_bar_a": 1, "_inner_bar_b": 2, "_sinc_slope": 0,
    "_interp_slope": 0, "_rfft_bar": 1, "_ihfft_bar": 1, "_rfftn_bar": 1, "_irfft_bar": 1,
    "_irfftn_bar": 1, "_inside_twice": 0, "_quantile_bar": 1, "_along_bar": 1, "_put_bar": 0,
    "_gradient_bar": 1, "_reduceat_bar": 1, "_diffs_bar": 1, "_delete_bar": 1, "_highest": 0,
    "_diagonal_bar": 1, "_trace_bar": 1, "_trim_bar": 1, "_cofactors": 0, "_power_sum": 0,
    "_corrcoef_bar": 1, "_poly_bar": 1, "_polyval_slope": 1, "_norm_slope": 0,
    "_inverse_bar": 1, "_singular_values_bar": 1, "_least_squares_bar": 1,
    "_squares_bar": 2, "_symmetric": 0, "_on_triangle": 0, "_lower_half": 0, "_centred": 0,
    "_cholesky_move": 0, "_eigenvectors_dot": 0, "_solve_dot": 2,
}  # fmt: skip

# the argument that tells in what the adjoints of lists, tuples and dicts are held
_HOLDING: Final[dict[str, int]] = {"_plus": 0, "_shaped_as": 1}

# the functions that keep shape and precision of their first argument
_SAME: Final = frozenset(
    {"_softmax", "_erfcx_slope", "_dawsn_slope", "_rgamma_slope", "_sinh_over"}
)


def printed_result(call: Call, function: Any, fact_of: FactOf, ctx: Context) -> Fact | None:
    """Return what a printed function makes; None of any other function."""
    assert isinstance(call.func, Ref)
    name = call.func.text
    if not name.startswith("_"):
        return None
    known = isinstance(function, FunctionType) and printed_name(function) == name
    if function != "printed" and not known:
        return None
    if name in OF_FLOWS:
        return _of_a_flow(call, fact_of, ctx)
    if name in OF_DRAWS:
        return Fact("generator")  # what it goes on from stands for it
    if name in OF_FILES:
        return _of_files(call, fact_of, ctx)
    if name == "_jacobian" and len(call.args) > 1:
        shape = fact_of(call.args[1], ctx).shape
        return array("float64", shape * 2) if isinstance(shape, tuple) else None
    if name == "_sum_to" and len(call.args) == 2:
        return _summed_to(call, fact_of, ctx)
    if name == "_zeros_of" and len(call.args) == 1:
        model = fact_of(call.args[0], ctx)
        return PYTHON_FLOAT if model.is_scalar else model
    if name == "_copied" and len(call.args) == 1:
        return fact_of(call.args[0], ctx)
    if name in _HOLDING and len(call.args) == 2:
        return _held(fact_of(call.args[_HOLDING[name]], ctx))
    if name in _SAME and call.args:
        model = fact_of(call.args[0], ctx)
        dtype = floating(model.dtype)
        if model.is_scalar:
            return scalar(dtype)
        return replace(model, dtype=dtype) if is_numeric(model) else None
    if name == "_eigenvalues_dot" and len(call.args) == 2:
        vectors = fact_of(call.args[1], ctx)
        shape = vectors.shape
        return replace(vectors, shape=shape[:-1]) if isinstance(shape, tuple) else None
    at = _LIKE.get(name)
    if at is None or at >= len(call.args):
        return None
    return _like(fact_of(call.args[at], ctx))


def _of_files(call: Call, fact_of: FactOf, ctx: Context) -> Fact:
    """Return what stands for a file: the state that is in it."""
    if name_of(call) == TO_DISK:
        return tuple_of(tuple(fact_of(part, ctx) for part in call.args[1:]))
    return fact_of(call.args[0], ctx) if name_of(call) == FROM_DISK else Fact("str")


def name_of(call: Call) -> str:
    """Return the name of a called function."""
    assert isinstance(call.func, Ref)
    return call.func.text


def _summed_to(call: Call, fact_of: FactOf, ctx: Context) -> Fact:
    value = fact_of(call.args[0], ctx)
    shape = spelled_shape(call.args[1], fact_of, ctx)
    if shape == ():
        # an array without axes is handed back as it is
        number = value.is_scalar or bool(value.rank)
        return scalar(value.dtype) if number else Fact("unknown", value.dtype, ())
    if isinstance(shape, tuple):
        return array(value.dtype, shape)
    return Fact("unknown", value.dtype, shape)


def _of_a_flow(call: Call, fact_of: FactOf, ctx: Context) -> Fact | None:
    """Return what a derivative of a flow makes: adjoints like the start and arguments, or states."""
    assert isinstance(call.func, Ref)
    in_columns = call.func.text.startswith("_solve_ivp")
    start, args = call.args[3 if in_columns else 2], call.args[4]
    if call.func.text.endswith("_ahead"):
        return array("float64", fresh_shape(ctx, call.func.text, 2, call.args))
    wrt = dict(call.keywords).get("wrt")
    if wrt is None:
        return _received(fact_of(start, ctx))
    assert isinstance(args, Op) and isinstance(wrt, Op)
    places = [place.value for place in wrt.args if isinstance(place, Const)]
    parts = [start, *(args.args[place] for place in places)]
    return tuple_of(tuple(_received(fact_of(part, ctx)) for part in parts))


def _received(model: Fact) -> Fact:
    """Return what an adjoint is, of a start or an argument."""
    if model.is_scalar:
        return scalar("float64")
    return array("float64", model.shape) if isinstance(model.shape, tuple) else UNKNOWN


def _held(model: Fact) -> Fact | None:
    return model if model.kind in ("list", "tuple", "dict") else None


def _like(model: Fact) -> Fact | None:
    if not may_have_shape(model):
        return None
    if model.is_scalar:
        return scalar("")
    return Fact(model.kind, "", model.shape)
