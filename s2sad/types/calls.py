"""The type of a call: of what is asked of lengths first, then of all that can be probed."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import is_not
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Known, global_, keywords, object_of, positional
from s2sad.ir.records import replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Length,
    Number,
    Numeric,
    Other,
    Reference,
    Tuple,
    Type,
    Unknown,
)
from s2sad.ir.types import Sequence as SequenceType
from s2sad.operators.binding import names_of
from s2sad.operators.effects import is_computing
from s2sad.operators.guards import is_factored, is_sparse, value_of
from s2sad.operators.library import of_users
from s2sad.operators.marks import MARKS
from s2sad.operators.modules import OF_NUMBERS, is_hashable
from s2sad.operators.rule import ELEMENTWISE
from s2sad.operators.table import has, method_row, traits_of, words
from s2sad.types.allowed import (
    is_content_shaped,
    is_costly,
    may_run,
    may_run_method,
    of_any_numbers,
)
from s2sad.types.assumptions import Assumptions, Context, Fails, Mismatch
from s2sad.types.attributes import LIMITS, known_length, open_shape, shape_attribute, whole_number
from s2sad.types.calling import Operand
from s2sad.types.draws import draw_of, has_one_type, made_source
from s2sad.types.elementwise import broadcast, broadcast_pair, elementwise, shape_of
from s2sad.types.families import probe_family
from s2sad.types.lengths import without_lengths
from s2sad.types.objects import Made, Maker, made_object, made_of, making
from s2sad.types.objects import called as call_made
from s2sad.types.reading import PYTHON_KINDS, type_of_value, without_length
from s2sad.types.reshaping import assume_not_one, reshaped, split_type
from s2sad.types.subscripts import count_of, count_of_range, item_of, joined, visible, whole

Typed = tuple[Type, Known | None]
DISPLAYS: Mapping[str, Any] = {"tuple": tuple, "list": list, "slice": Maker(slice)}
NUMERIC = (Number, Array, Numeric)


def call_type(expr: Expr, context: Context) -> Typed:
    """Return the type of a call, and its value where that is known."""
    called = expr.args[0]
    args, named = positional(expr), _with_floats_as_dtype(keywords(expr))
    expanded = _expanded(args)
    takes_tuple = called.op == "attribute" and called.data in ("reshape", "transpose")
    if expanded is None and len(args) == 1 and takes_tuple:
        expanded = args[0].args  # u.reshape(*shape) is u.reshape(shape)
    if expanded is None and called.known == Known(math.hypot):
        return Number("float64"), None
    if expanded is None and called.known == Known(np.result_type):
        return _result_dtype([_starred_item(arg, context) for arg in args]) or (UNKNOWN, None)
    if expanded is None or "" in named or any(name is None for name in named):
        return UNKNOWN, None
    source, draw = made_source(called), draw_of(called)
    if source is not None:
        return source, None
    if draw is not None:
        return _drawn(draw, expanded, named, context), None
    if called.op == "attribute" and not isinstance(called.args[0].type, Code):
        return _method_type(called, expanded, named, context)
    if called.known is None:
        made = made_object(called, lambda part: operand(part, context))
        if made is not None:
            return _of_made(call_made, made, expanded, named, context), None
        return UNKNOWN, None
    function = called.known.value
    found = _asked_of_lengths(function, expanded, named, context)
    if found is not None:
        return found
    if isinstance(function, type) and is_sparse(function) and expanded:
        return _sparse(function, expanded, named, context), None
    if isinstance(function, type) and is_computing(function):
        made = making(expr, lambda part: operand(part, context))
        return Other(function, None if made is None else Made(made)), None
    if is_computing(type(function)):
        held = Operand(called.type, called.known)
        return _of_made(call_made, held, expanded, named, context), None
    if not _is_probed(function, expanded, named):
        return _by_rule(function, expanded, named, context), None
    known = _known_result(function, expanded, named)
    if known is not None:
        return type_of_value(known.value), known
    return _probed(function, expanded, named, context), None


def _with_floats_as_dtype(named: Mapping[str, Expr]) -> Mapping[str, Expr]:
    """Return keywords with dtype=np.result_type(u) of floats, which of them only the run tells, as float64."""
    asked = named.get("dtype")
    if asked is None or asked.known is not None or asked.op != "call":
        return named
    function, *given = asked.args
    is_open = object_of(function) is np.result_type
    if not is_open or any(getattr(each.type, "dtype", "") != "float64" for each in given):
        return named
    dtype = np.dtype("float64")
    return {**named, "dtype": asked.typed(Other(type(dtype)), Known(dtype))}


def _sparse(cls: type, args: Sequence[Expr], named: Mapping[str, Expr], context: Context) -> Type:
    """Return the type of a sparse matrix that its class makes."""
    if not isinstance(args[0].type, Tuple):
        found = _probed(cls, args, named, context)
        return Other(cls) if found == UNKNOWN else found
    # how long its axes are, the places of its entries say
    entries, places, *_ = args[0].type.items
    shape = named.get("shape") or (args[1] if len(args) > 1 else None)
    if not isinstance(entries, Array):
        return Other(cls)
    if isinstance(places, Tuple):
        places = places.items[0]
    if isinstance(places, Array) and entries.rank == places.rank == 1:
        broadcast_pair(entries.lengths[0], places.lengths[0], context.assumptions)
    if shape is None:
        return Other(cls, _shape_by_starts(cls, entries.dtype, args[0].type.items))
    if not isinstance(shape.type, Tuple) or len(shape.type.items) != 2:
        return Other(cls)
    return Other(cls, Array(entries.dtype, (whole(_item(shape, 0)), whole(_item(shape, 1)))))


def _shape_by_starts(cls: type, dtype: str, parts: Sequence[Type]) -> Array:
    """Return what a matrix of rows or columns stands for: there is one less than starts of them."""
    starts = parts[-1]
    if len(parts) != 3 or not isinstance(starts, Array) or starts.lengths[0] is None:
        return Array(dtype, (None, None))
    count = starts.lengths[0] - 1
    return Array(dtype, (count, None) if cls.__name__.startswith("csr") else (None, count))


def _drawn(
    draw: Callable[..., Any], args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> Type:
    """Return the type of what is drawn: a number that is drawn is never a length."""
    if not has_one_type(args, named):
        return UNKNOWN
    return without_length(_probed(draw, args, named, context))


def _by_rule(
    function: Any, args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> Type:
    """Return the type of what a user's rule says of a function: elementwise ones broadcast.

    What has a rule computes and does nothing else: all others are probed.
    """
    operands = (*args, *named.values())
    if not callable(function) or not all(isinstance(each.type, NUMERIC) for each in operands):
        return UNKNOWN
    families = {rule.family for rule in of_users(function)}
    if not families or not operands:
        return UNKNOWN
    if families != {ELEMENTWISE}:
        return _probed(function, args, named, context)
    found: Type = Number("float64")
    for each in operands:
        found = elementwise(np.true_divide, [each.type, found], context)  # type: ignore[list-item]
    return replace(found, boxed=None) if isinstance(found, Number) else found


def _expanded(args: Sequence[Expr]) -> tuple[Expr, ...] | None:
    """Return positional arguments with starred tuples of known length taken apart."""
    found: list[Expr] = []
    for arg in args:
        if arg.op != "starred":
            found.append(arg)
        elif isinstance(arg.args[0].type, Tuple):
            found += (_item(arg.args[0], k) for k in range(len(arg.args[0].type.items)))
        else:
            return None
    return tuple(found)


def _item(expr: Expr, place: int) -> Expr:
    assert isinstance(expr.type, Tuple)
    if expr.op in ("tuple", "list"):
        return expr.args[place]
    known = None if expr.known is None else Known(expr.known.value[place])
    return Expr("subscript", (expr,), place, expr.type.items[place], known)


def _is_probed(function: Any, args: Sequence[Expr], named: Mapping[str, Expr]) -> bool:
    """Tell whether a call may be run: the function only computes, no operand is code of users."""
    if isinstance(function, np.generic | np.ndarray) or not callable(function):
        return False
    if not is_hashable(function) or not may_run(function):
        return False
    return not any(map(_is_code_of_users, (*args, *named.values())))


def _is_code_of_users(arg: Expr) -> bool:
    if arg.op == "function":
        return True
    value = arg.known.value if arg.known is not None else None
    if isinstance(arg.type, Code):
        value = arg.type.value
    return callable(value) and not may_run(value)


# ---------------------------------------------------------------------------- known results


def _result_dtype(args: Sequence[Expr]) -> Typed | None:
    """Return the dtype that values and dtypes give together, as it is known."""
    given = [_dtype_or_number(arg) for arg in args]
    if any(each is None for each in given):  # a dtype may equal None
        return None
    dtype = np.result_type(*given)
    return Other(type(dtype)), Known(dtype)


def _starred_item(arg: Expr, context: Context) -> Expr:
    """Return what stands for each item of a list that is handed over by a star; others as they are."""
    if arg.op != "starred":
        return arg
    held = visible(arg.args[0].type, context)
    return replace(arg, type=held.item if isinstance(held, SequenceType) else UNKNOWN)


def _dtype_or_number(arg: Expr) -> Any:
    """Return the dtype that an argument is, or a number of that which it has; None where none is known."""
    value = arg.type.value if isinstance(arg.type, Code) else arg.known and arg.known.value
    if isinstance(value, type | np.dtype | str):
        return np.dtype(value)
    return _one_of(arg.type) if isinstance(arg.type, Number | Array) and arg.type.dtype else None


def _one_of(type_: Number | Array) -> Any:
    """Return a number of a type; one of Python's takes the dtype of others."""
    one = np.dtype(type_.dtype).type(1)
    return one.item() if isinstance(type_, Number) and not type_.boxed else one


def _known_result(
    function: Callable[..., Any], args: Sequence[Expr], named: Mapping[str, Expr]
) -> Known | None:
    """Return the value of a call of which every operand is known and cheap."""
    operands = (*args, *named.values())
    if any(arg.known is None for arg in operands) or function in (range, zip, enumerate):
        return None
    values = [arg.known.value for arg in args if arg.known is not None]
    options = {name: arg.known.value for name, arg in named.items() if arg.known is not None}
    if not all(_is_simple(value) for value in (*values, *options.values())):
        return None
    if is_costly(function, values) or not _gives_numbers(function):
        return None
    try:
        with np.errstate(all="ignore"):
            found = function(*values, **options)
    except Exception as error:
        raise Fails(error) from None
    return Known(found) if _is_simple(found) else None


def _has_open_axes(named: Mapping[str, Expr]) -> bool:
    """Tell whether the text finds out as it runs how many axes a sum goes along."""
    return named.keys() == {"axis"} and isinstance(named["axis"].type, SequenceType | Unknown)


def _gives_numbers(function: Callable[..., Any]) -> bool:
    """Tell whether a function of known numbers is cheap: not one that makes arrays."""
    if isinstance(function, np.ufunc) or function is np.dtype or isinstance(function, type):
        return True
    return getattr(function, "__module__", "") in (*OF_NUMBERS, "builtins", "_operator")


def _is_simple(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) <= 100 and all(map(_is_simple, value))
    if isinstance(value, str):
        return len(value) <= 1000
    if isinstance(value, type | np.dtype | slice | type(None) | type(Ellipsis)):
        return True
    return isinstance(value, (bool, int, float, complex, np.number, np.bool_, *LIMITS))


# ---------------------------------------------------------------------------- asked of lengths


def _said_of_arguments(
    said: Mapping[str, str], types: Sequence[Type], context: Context
) -> Type | None:
    """Return the type of a call whose row says how it follows from those of the arguments."""
    # np.add.at of values of another shape than that of what it adds to may write beyond memory
    if "like_second" in said and isinstance(types[1], Array | Numeric):
        return types[1]
    if "rank_of_first" in said and isinstance(types[0], Array):
        return replace(types[0], lengths=(None,) * types[0].rank)
    arrays = [each for each in types if isinstance(each, Number | Array)]
    if "stretches" in said and len(arrays) == len(types):
        shape = broadcast([shape_of(each) for each in arrays], context.assumptions)
        return Tuple(tuple(Array(each.dtype, shape) for each in arrays))
    return None


def _asked_of_lengths(
    function: Any, args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> Typed | None:
    """Return the type of what lengths and kinds of the operands decide; None for other calls."""
    if not args or not is_hashable(function):
        return None
    if function in MARKS:
        return args[0].type, None
    said = traits_of(function)
    found = _said_of_arguments(said, [arg.type for arg in args], context)
    if found is not None:
        return found, None
    if "filled" in said and isinstance(args[0].type, SequenceType):
        return _filled(function, args, named), None
    if function is np.sum and isinstance(args[0].type, Array | Numeric) and _has_open_axes(named):
        return Numeric(args[0].type.dtype), None
    if said.get("splits", "uneven") != "uneven":
        split = split_type(function, args, named, context)
        return None if split is None else (split, None)
    if named and function not in (np.reshape, np.transpose):
        return None
    first = args[0].type
    kind = _asked_of_kinds(function, args)
    if kind is not None:
        return kind
    match function:
        case builtins.len:
            return _length_type(first, args[0])
        case np.full_like if isinstance(first, Array) and len(args) == 2:
            return first, None
        case np.fill_diagonal if len(args) == 2:
            _fit_diagonal(first, args[1].type, context.assumptions)
        case np.cross if not context.has_examples:  # of pairs, or of vectors of three
            return Numeric("float64"), None
        case np.result_type | np.promote_types:
            return _result_dtype(args)
        case np.transpose if isinstance(first, Array) and _has_axes_of_run(args, named):
            return Array(first.dtype, (None,) * first.rank), None
        case builtins.str | builtins.repr | builtins.chr if args[0].known is None:
            return Other(str), None
        case builtins.ord if args[0].known is None:
            return Number("int64"), None
        case builtins.list | builtins.tuple:
            return _listed(function, args[0], context)
        case np.arange if 1 < len(args) < 4 and all(map(_is_whole, args)):
            return Array("int64", (count_of_range(args, context.assumptions),)), None
        case builtins.min | builtins.max if len(args) > 1 and None in [a.known for a in args]:
            return joined(tuple(without_length(arg.type) for arg in args)), None
    if function is np.reshape and isinstance(first := _array_of_list(first), NUMERIC):
        shape = args[1:] or tuple(v for k, v in named.items() if k in ("shape", "newshape"))
        return (reshaped(first, shape[:1], context), None) if shape else None
    if "shape_attribute" in said and len(args) == 1:
        if isinstance(first, Array | Number):
            return shape_attribute(first, function.__name__)
        if isinstance(first, Numeric):
            return open_shape(first.dtype, function.__name__)
    return None


def _has_axes_of_run(args: Sequence[Expr], named: Mapping[str, Expr]) -> bool:
    """Tell whether the run gives the axes of np.transpose, in their place or by name."""
    axes = args[1] if len(args) == 2 else named.get("axes")
    return axes is not None and _is_of_run(axes)


def _fit_diagonal(matrix: Type, diagonal: Type, assumed: Assumptions) -> None:
    """Ask that a diagonal be as long as its matrix, as in the examples: a shorter one is begun again."""
    if not (isinstance(matrix, Array) and isinstance(diagonal, Array) and diagonal.rank == 1):
        return
    wanted, given = matrix.lengths[0], diagonal.lengths[0]
    if wanted is not None and given is not None and assumed.resolve(wanted - given) != Length():
        if assumed.agree(wanted, given):
            raise Mismatch(wanted, given)


def _array_of_list(type_: Type) -> Type:
    """Return the type of the array that NumPy makes of a list of numbers; others as they are."""
    match type_:
        case SequenceType(Number(dtype), cls, length) if cls in (list, tuple):
            return Array(dtype, (length,))
    return type_


def _asked_of_kinds(function: Any, args: Sequence[Expr]) -> Typed | None:
    """Return the type of what asks which kind of value its operand is; None for other calls."""
    first = args[0].type
    match function:
        case np.iterable:
            holds = isinstance(first, Tuple | SequenceType) or bool(getattr(first, "lengths", ()))
            is_told = holds or isinstance(first, Array | Number)
            return Number("bool"), Known(holds) if is_told else None
        case np.ma.isMaskedArray | np.ma.is_masked if isinstance(first, Array | Numeric | Number):
            return Number("bool"), Known(False)  # arrays of that class are refused
        case np.ma.getmask if isinstance(first, Array | Numeric | Number):
            return Number("bool", boxed=True), Known(np.ma.nomask)
        case np.iscomplexobj | np.isrealobj if isinstance(first, Array | Numeric | Number):
            return Number("bool"), Known(bool(function(np.empty(0, first.dtype))))
        case np.issubdtype | np.can_cast if None not in (known := [arg.known for arg in args]):
            return Number("bool"), Known(bool(function(*(each.value for each in known if each))))
        case np.isscalar if count_of(first) is not None or isinstance(first, SequenceType | Number):
            return Number("bool"), Known(isinstance(first, Number))
    if (
        has(function, "asks_kind")
        and "sparse" in function.__module__
        and isinstance(first, NUMERIC)
    ):
        return Number("bool"), Known(False)
    return None


def _filled(function: Any, args: Sequence[Expr], named: Mapping[str, Expr]) -> Type:
    """Return the type of np.zeros(shape) and its kin, of a shape of unknown rank.

    np.zeros(np.shape(x)) has the shape of x.
    """
    place = int(traits_of(function)["dtype"])
    kind = named.get("dtype") or (args[place] if len(args) > place else None)
    dtype = "float64"
    if kind is not None:
        if kind.known is None or not isinstance(kind.known.value, type | np.dtype | str):
            return UNKNOWN
        dtype = np.dtype(kind.known.value).name
    elif function is np.full:
        dtype = getattr(args[1].type, "dtype", "") if len(args) > 1 else ""
    owner = _owner_of_shape(args[0])
    return Numeric(dtype, owner.token if owner is not None else None) if dtype else UNKNOWN


def _owner_of_shape(shape: Expr) -> Numeric | None:
    """Return the type of the value whose shape an expression asks for: x.shape, np.shape(x)."""
    asks = shape.op == "attribute" and shape.data == "shape"
    calls = shape.op == "call" and shape.args[0].known == Known(np.shape)
    base = shape.args[0] if asks else shape.args[1] if calls else None
    return base.type if base is not None and isinstance(base.type, Numeric) else None


def _length_type(type_: Type, arg: Expr) -> Typed:
    if isinstance(type_, Number):
        raise Fails(TypeError("a number has no len()"))
    if arg.known is not None and hasattr(arg.known.value, "__len__"):
        return Number("int64"), Known(len(arg.known.value))
    count = count_of(type_)
    return whole_number(count), known_length(count)


def _listed(function: type, arg: Expr, context: Context) -> Typed:
    """Return the type of list(x) or tuple(x)."""
    try:
        known = Known(tuple(arg.known.value)) if function is tuple and arg.known else None
    except TypeError as error:  # of None
        raise Fails(error) from None
    if isinstance(arg.type, Tuple):
        return Tuple(arg.type.items, list if function is list else None), known
    is_range = arg.op == "call" and arg.args[0].known == Known(range) and 1 < len(arg.args) < 5
    count = count_of_range(arg.args[1:], context.assumptions) if is_range else count_of(arg.type)
    length = Known(len(known.value)) if known else known_length(count)
    if function is tuple and length is not None and length.value < 20:
        return Tuple((item_of(arg.type, context),) * length.value), known
    return SequenceType(item_of(arg.type, context), function, count), None


# ---------------------------------------------------------------------------- probed


def _probed(
    function: Any, args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> Type:
    types = [arg.type for arg in (*args, *named.values())]
    if isinstance(function, np.ufunc) and not named and len(args) == function.nin:
        if all(isinstance(t, NUMERIC) for t in types) and function.signature is None:
            return elementwise(function, types, context, exponent(function, args[-1]))  # type: ignore[arg-type]
    along_first = _along_axis(function, args, named, 0)
    if along_first is not None:
        if function is np.squeeze:
            return without_lengths(item_of(types[0], context))
        found = _probed(function, *along_first, context)
        has_one = _has_one_type_along_all_axes(found, function, args, named, context)
        return found if has_one else without_lengths(found)
    if getattr(function, "__name__", "") == "normalize_axis_index":
        return Number("int64")  # which, the text finds out
    first = _at_first(function, args)
    is_open = any(map(is_not, first, args))  # equality leaves out what is known
    if is_open and traits_of(function).get("places") == "1,2":
        return without_lengths(_probed(function, first, named, context))
    args = first
    handed = _operands(args, named, context)
    dropped = traits_of(function).get("drops")
    found = UNKNOWN if handed is None else probe_family(function, *handed, context)
    if found == UNKNOWN or handed is None:
        # float(x) is a float, whatever x is
        return Number(PYTHON_KINDS[function]) if function in PYTHON_KINDS else UNKNOWN
    counts = (*args[1:2], *named.values())
    if isinstance(found, Tuple) and "splits" in traits_of(function) and _is_open(counts):
        return SequenceType(without_lengths(found.items[0]), list)
    is_told = dropped == "any" and _tells_axis(args, named)
    if dropped is not None and not is_told and not _may_drop_axes(dropped, types, context):
        is_array = dropped == "any" and isinstance(types[0], Array)
        return Numeric(types[0].dtype) if is_array else UNKNOWN  # type: ignore[union-attr]
    if dropped == "any" and isinstance(found, Numeric):
        found = replace(found, token=None)  # its axes are those of the array but for some
    if is_content_shaped(function) and any(arg.known is None for arg in args[1:] or args):
        return without_lengths(found)
    if any(isinstance(t, Other) and t.made == Array("float64", (None, None)) for t in types):
        return without_lengths(found)  # spsolve takes matrices that do not fit
    is_real = all(isinstance(t, NUMERIC) and t.dtype[0] != "c" for t in types)
    return _with_maker(of_any_numbers(found, function, is_real), function, *handed)


def _may_drop_axes(dropped: str, types: Sequence[Type], context: Context) -> bool:
    """Tell whether a function drops no axis of length 1 of what it is given, as far as is assumed."""
    return assume_not_one(types[0], (0,) if dropped == "first" else None, context)


def _tells_axis(args: Sequence[Expr], named: Mapping[str, Expr]) -> bool:
    """Tell whether it is known which axis is dropped: np.squeeze(x, axis=0)."""
    axis = named.get("axis", args[1] if len(args) > 1 else None)
    return axis is not None and axis.known is not None and axis.known.value is not None


def _has_one_type_along_all_axes(
    found: Type,
    function: Any,
    args: Sequence[Expr],
    named: Mapping[str, Expr],
    context: Context,
) -> bool:
    """Tell whether a call gives one type along whichever axis: np.roll(u, 1, axis) has the shape of u."""
    whole = args[0].type if args else UNKNOWN
    if not isinstance(whole, Array) or not isinstance(found, Array) or "axes" in named:
        return False
    if found.rank > whole.rank:  # the axis may stand behind all others: np.expand_dims
        return False
    for axis in range(1, whole.rank):
        along = _along_axis(function, args, named, axis)
        try:
            if along is None or _probed(function, *along, context) != found:
                return False
        except (Fails, Mismatch):
            return False
    return True


def _along_axis(
    function: Any, args: Sequence[Expr], named: Mapping[str, Expr], k: int
) -> tuple[Sequence[Expr], Mapping[str, Expr]] | None:
    """Return arguments with axis k for one that the text finds out as it runs.

    With the first axes for an array of some; None where there is none.
    """
    if "axes" in named and (count := _count_of_open(named["axes"])) is not None:
        return args, {**named, "axes": _as_known(named["axes"], tuple(range(count)))}
    if "axis" in named:
        axis = named["axis"]
        return (args, {**named, "axis": _as_known(axis, k)}) if is_open_whole(axis) else None
    if not any(map(is_open_whole, args[1:])):
        return None
    names = names_of(global_("", function))
    place = names.index("axis") if "axis" in names else len(args)
    if place >= len(args) or not is_open_whole(args[place]):
        return None
    return (*args[:place], _as_known(args[place], k), *args[place + 1 :]), named


def _count_of_open(axes: Expr) -> int | None:
    """Return how many axes an array of whole numbers holds; None of what is no such array."""
    match axes.type:
        case Array(dtype, (Length(terms=(), constant=count),)) if dtype[0] in "iu":
            return count if axes.known is None else None
    return None


def _at_first(function: Any, args: Sequence[Expr]) -> tuple[Expr, ...]:
    """Return arguments of which the whole numbers that say which item, or which axis, are 0."""
    places = traits_of(function).get("places", "").split(",")
    return tuple(
        _as_known(arg, 0) if str(place) in places and is_open_whole(arg) else arg
        for place, arg in enumerate(args)
    )


def _is_whole(arg: Expr) -> bool:
    """Tell whether an argument is a whole number, and none that has a dtype of its own."""
    return isinstance(arg.type, Number) and arg.type.dtype == "int64"


def is_open_whole(arg: Expr | Operand) -> bool:
    """Tell whether an argument is a whole number that the text finds out as it runs."""
    return arg.known is None and isinstance(arg.type, Number) and arg.type.dtype[0] in "iu"


def _is_open(counts: Sequence[Expr]) -> bool:
    """Tell whether how many parts there are is found out as the text runs."""
    return any(a.known is None and isinstance(a.type, Number | Numeric | Unknown) for a in counts)


def _as_known(arg: Expr, value: Any) -> Expr:
    return arg.typed(arg.type, Known(value))


def exponent(function: Any, last: Expr) -> Any:
    """Return the exponent of a power where it is a known integer: its sign decides the kind."""
    if has(function, "power") and last.known is not None:
        if type(last.known.value) is int:
            return last.known.value
    return None


def _operands(
    args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> tuple[list[Operand], dict[str, Operand]] | None:
    """Return what is known of the operands of a call; None if no value can be made of one."""
    found = [operand(arg, context) for arg in (*args, *named.values())]
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    return known[: len(args)], dict(zip(named, known[len(args) :], strict=True))


def _is_of_run(axes: Expr) -> bool:
    """Tell whether a probe would take numbers of its own for some that the run gives: an order of axes."""
    return axes.known is None and axes.op not in DISPLAYS


def operand(arg: Expr, context: Context) -> Operand | None:
    """Return what is known of an operand for a probe; None if no value can be made of it."""
    if arg.known is not None and not is_sparse(type(arg.known.value)):
        return Operand(arg.type, arg.known)
    made = made_object(arg, lambda part: operand(part, context))
    if made is not None:
        return made
    if arg.op in DISPLAYS and not any(item.op == "starred" for item in arg.args):
        parts = [operand(item, context) for item in arg.args]
        if any(part is None for part in parts):
            return None
        return Operand(arg.type, None, tuple(p for p in parts if p is not None), DISPLAYS[arg.op])
    type_ = visible(arg.type, context)
    if isinstance(type_, Other) and isinstance(type_.made, Array):
        return Operand(type_)
    return None if isinstance(type_, Unknown | Other | Reference) else Operand(type_)


@cache
def method(name: str) -> Callable[..., Any]:
    """Return the function that calls a method of its first argument."""

    def call(owner: Any, *args: Any, **options: Any) -> Any:
        return getattr(owner, name)(*args, **options)

    return call


# methods of texts that give a text
GIVE_TEXT = frozenset(
    "capitalize casefold center format join ljust lower lstrip removeprefix removesuffix replace "
    "rjust rstrip strip swapcase title upper zfill".split()
)
GIVE_TEXTS = frozenset("split rsplit splitlines".split())
GIVE_PLACE = frozenset("find rfind index rindex count".split())
ARRAY_LATER = frozenset({"compress"})  # np.compress(condition, a), but a.compress(condition)


def _method_type(
    called: Expr, args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> Typed:
    owner, name = called.args[0], called.data
    made = made_object(owner, lambda part: operand(part, context))
    if made is not None and name not in ("rvs", "fit"):
        return _of_made(method(name), made, args, named, context), None
    if name == "solve" and args and _is_factored(owner):
        return visible(args[0].type, context), None
    type_ = visible(owner.type, context)
    if isinstance(type_, NUMERIC) and name == "reshape" and args and not named:
        return reshaped(type_, args, context), None
    if isinstance(type_, Array) and name == "transpose" and len(args) == 1 and _is_of_run(args[0]):
        return Array(type_.dtype, (None,) * type_.rank), None
    if isinstance(type_, NUMERIC) and name == "item" and type_.dtype == "float64":
        return Number("float64"), None
    of_text = _of_text(name) if type_ == Other(str) else UNKNOWN
    if of_text != UNKNOWN and owner.known is None:
        return of_text, None
    cls = _class_of(type_, owner)
    if cls is None or not may_run_method(cls, name) or any(map(_is_code_of_users, args)):
        return UNKNOWN, None
    function = _function_of_arrays(name) if cls is np.ndarray else None
    if function is not None:
        is_open = any(map(is_open_whole, (*args, *named.values())))
        if is_open or "drops" in traits_of(function):
            return _probed(function, (owner, *args), named, context), None
    handed = _operands((owner, *args), named, context)
    if handed is None:
        return of_text, None
    found = probe_family(method(name), *handed, context)
    if found == UNKNOWN:
        return of_text, None
    return without_lengths(found) if name in words("content_shape") else found, None


def _of_text(method: str) -> Type:
    """Return the type of what a method of a text gives whatever the text is; UNKNOWN of others."""
    if method in GIVE_TEXTS:
        return SequenceType(Other(str), list)
    if method in GIVE_PLACE:
        return Number("int64")
    return Other(str) if method in GIVE_TEXT else UNKNOWN


def _function_of_arrays(method: str) -> Callable[..., Any] | None:
    """Return NumPy's function of the name of a method; None where it takes the array elsewhere, or writes to it."""
    row = method_row(method)
    is_other = method in ARRAY_LATER or (row is not None and row.writes_owner)
    return None if is_other else getattr(np, method, None)


def _is_factored(owner: Expr) -> bool:
    """Tell whether an object holds the factors of a sparse matrix, which were found before."""
    cls = owner.type.cls if isinstance(owner.type, Other) else None
    return is_factored(cls) or is_factored(type(value_of(owner)))


def _of_made(
    function: Any, made: Operand, args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> Type:
    """Return the type of what an object of a library gives: it may be another object.

    What one raises for made-up numbers tells nothing: they may be out of its range.
    """
    handed = _operands(args, named, context)
    if handed is None:
        return UNKNOWN
    operands, options = [made, *handed[0]], handed[1]
    try:
        found = probe_family(function, operands, options, context)
    except Fails:
        return UNKNOWN
    return _with_maker(found, function, operands, options)


def _with_maker(
    found: Type, function: Any, operands: Sequence[Operand], options: Mapping[str, Operand]
) -> Type:
    """Return the type of an object of a library with how it was made."""
    if not isinstance(found, Other) or isinstance(found.made, Array) or not is_computing(found.cls):
        return found
    made = made_of(function, [*operands, *options.values()], tuple(options))
    return found if made is None else replace(found, made=Made(made))


def _class_of(type_: Type, owner: Expr) -> type | None:
    """Return the class whose methods a value has; None if its methods are not known."""
    match type_:
        case Array() | Numeric():
            return np.ndarray
        case Number(dtype, True):
            return np.dtype(dtype).type
        case Number(dtype, False):
            return type(np.dtype(dtype).type(1).item())
        case Tuple(_, cls):
            return cls or tuple
        case SequenceType(_, cls) if cls is list:
            return list
        case Other(cls, Array()):
            return cls
    if owner.known is not None and isinstance(owner.known.value, str):
        return str
    return None
