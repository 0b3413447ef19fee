"""Calls of libraries: they stand in the program as they were written, or their twins are lowered.

np.sum(u)          a pure call: part of an expression
np.put(u, i, c)    a call with an effect: the whole right side of a Let
heapq.heappush     replaced by the prelude's own, which is lowered like the user's

np.take(u, k, mode="wrap")     _take_wrapped(u, k, None), which is lowered like the user's own
spline = CubicSpline(t, x)     x_made = x.copy(), since x may be overwritten
spline(0.5)                    CubicSpline(t_made, x_made)(0.5), whose twin is lowered

A twin is lowered where it turned out that the call varies and has no rule of its own. An object whose
calls are lowered so is kept as what it is made of.
"""

from __future__ import annotations

import bisect
import collections
import contextlib
import copy
import functools
import heapq
import inspect
import itertools
import statistics
import types
import typing
from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad.analysis.writes import parted_from_result
from s2sad.ir.errors import NoRule, NotYet, Refused
from s2sad.ir.expression import (
    Expr,
    called_object,
    calls,
    global_,
    is_of_libraries,
    keywords,
    object_of,
    positional,
)
from s2sad.ir.records import replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Other,
    Reference,
    Sequence,
    Tuple,
    Type,
    is_float,
    is_integer,
)
from s2sad.lowering import demands, displays, evaluation_order, functions, reflection
from s2sad.lowering.machine import Machine, flip, iterator, refusal, stable
from s2sad.lowering.memory import as_regions
from s2sad.lowering.typing import assume_last_equal, item_type, typed
from s2sad.lowering.values import (
    TEXT,
    Bound,
    Closure,
    Code,
    Data,
    Lazy,
    Origins,
    Partial,
    Ref,
    Tup,
    Value,
    literal,
    made_again,
    origins_of,
)
from s2sad.operators.binding import names_of
from s2sad.operators.effects import effect as effect_of
from s2sad.operators.effects import is_computing, is_described
from s2sad.operators.filling import fill, with_arrays
from s2sad.operators.find import ENTRIES, Known, find_twin, key_of_twin, unless_read
from s2sad.operators.guards import is_sparse, rank_of
from s2sad.operators.heads import head_of
from s2sad.operators.missing import DECORATED, STOP, no_rule
from s2sad.operators.table import calls_one, has, traits_of
from s2sad.prelude import (
    arrays,
    iterators,
    mappings,
    mixins,
    namespaces,
    operators,
    ordering,
    polynomials,
    queues,
    real_domain,
    sparse_functions,
    sparse_matrices,
)
from s2sad.types import infer, shares

# what asks an object for no method of its own, and what goes through its items alone
OF_FIELDS = (copy.copy, copy.deepcopy, hasattr, getattr, setattr, id, isinstance, callable, print)
OF_ITEMS = (list, tuple, dict, zip, enumerate, reversed, len, iter, next, range, map, filter)
REPLACED: dict[Any, Any] = {
    **{
        getattr(module, name): twin
        for module, own in ((heapq, queues), (itertools, iterators))
        for name, twin in vars(own).items()
        if isinstance(twin, types.FunctionType) and name[0] != "_" and hasattr(module, name)
    },
    filter: iterators.filtered,
    contextlib.suppress: namespaces.suppress,
    inspect.isclass: namespaces.isclass,
    typing.cast: namespaces.cast,
    inspect.isgenerator: iterators.isgenerator,
    functools.reduce: ordering.reduce,
    bisect.bisect: ordering.bisect_right,
    bisect.bisect_left: ordering.bisect_left,
    bisect.insort: ordering.insort,
    bisect.insort_left: ordering.insort_left,
    collections.deque: queues.Deque,
    collections.defaultdict: mappings.DefaultDict,
    collections.OrderedDict: mappings.OrderedDict,
    collections.Counter: mappings.Counter,
    dict.fromkeys: mappings.fromkeys,
    itertools.chain.from_iterable: iterators.from_iterable,
    types.SimpleNamespace: mappings.Namespace,
    np.piecewise: arrays.piecewise,
    np.require: arrays.require,
    **({np.unstack: arrays.unstack} if hasattr(np, "unstack") else {}),  # NumPy 2.1
    statistics.linear_regression: ordering.linear_regression,
    np.poly1d: polynomials.Poly1d,
    np.polynomial.polyutils.as_series: polynomials.as_series,
    **polynomials.SERIES,
    **operators.OPERATORS,
    **mixins.MIXINS,
    **real_domain.OF_EMATH,
    np.broadcast: arrays.broadcast,
    np.vectorize: arrays.Vectorized,
    np.frompyfunc: arrays.from_function,
    np.fromiter: arrays.fromiter,
    np.fromfunction: arrays.fromfunction,
    np.apply_along_axis: arrays.apply_along_axis,
    **arrays.AT,
}


def replaced(m: Machine, obj: Any) -> Any:
    """Return the prelude's own for a function of the standard library; others as they are."""
    if isinstance(obj, types.FunctionType | type | types.ModuleType):
        own = namespaces.as_numpy(obj) or arrays.as_written_out(obj)
        if own is None and ENTRIES in m.context.followed and not _is_in_prelude(m):
            own = sparse_functions.sparse_function(obj)
        if own is not None:
            return own
    try:
        return REPLACED.get(obj, obj)
    except TypeError:  # what cannot be hashed
        return obj


def choices_of_numbers(
    m: Machine, closure: Closure, args: list[Value], kwargs: Mapping[str, Value]
) -> Value | None:
    """Return choices of items of ranges as a list that is made at once, as it is written; None of others.

    They are whole numbers, which do not vary: list(itertools.combinations(range(n), 2)).
    """
    is_own = closure.original is getattr(iterators, closure.name, None)
    function = getattr(itertools, closure.name, None) if is_own else None
    if not has(function, "choices"):
        return None
    ranges = args if function is itertools.product else args[:1]
    counts = [*args[len(ranges) :], *kwargs.values()]
    if not all(map(_is_range, ranges)) or not all(map(_is_known, counts)):
        return None
    made = call(m, global_(f"itertools.{function.__name__}", function), args, kwargs)
    listed = call(m, global_("list", list), [made], {})
    listed = replace(listed, origins=origins_of([*args, *kwargs.values()]))
    return replace(listed, later=lambda: iterator(m, "iter", (listed,)))


def is_list_of_choices(value: Value) -> bool:
    """Tell whether a value is such a list, and has no name yet."""
    is_list = isinstance(value, Data) and calls(value.expr, list)
    return is_list and calls_one(value.expr.args[1], "choices")


def _is_range(value: Value) -> bool:
    return isinstance(value, Data) and isinstance(value.type, Sequence) and value.type.cls is range


def _is_known(value: Value) -> bool:
    return isinstance(value, Data) and value.known is not None


def entries_of(m: Machine, value: Value) -> Value:
    """Return a sparse matrix as its entries where these are lowered so; other values as they are."""
    if ENTRIES not in m.context.followed or not isinstance(value, Data) or _is_in_prelude(m):
        return value
    if not isinstance(value.type, Other) or not is_sparse(value.type.cls):
        return value
    return m.call(m.lift(sparse_matrices.as_entries, None), [value], {}, None)


def in_parts(m: Machine, value: Value) -> Value:
    """Return a list or tuple that is written out as its parts: nobody changes it."""
    is_display = isinstance(value, Data) and value.expr.op in ("list", "tuple")
    if is_display and any(each.op == "starred" for each in value.expr.args):
        return value
    is_list = isinstance(value, Ref) and m.heap[value.id].kind == "list"
    if is_display or is_list or isinstance(value, Tup):
        return Tup(tuple(in_parts(m, part) for part in m.parts_of(value)))
    return value


def _is_in_prelude(m: Machine) -> bool:
    """Tell whether a line of the prelude is run: what it calls is the library itself."""
    closure = m.heap[m.frame].closure
    return closure is not None and sparse_functions.is_of_sparse_module(closure.module)


def call(m: Machine, function: Expr, args: list[Value], kwargs: Mapping[str, Value]) -> Data:
    """Return a call of a library."""
    is_numpy = function.op == "global" and function.data.text.startswith("np.")
    if not kwargs and len(args) == 1 and function.op == "global":
        function, args = _joined(function, args[0])
    is_opaque = function.op == "global" and not is_described(function.data.value)
    if is_opaque and any(isinstance(arg, Lazy) for arg in (*args, *kwargs.values())):
        raise refusal(m, "an iterator, which is handed to what is not followed,")
    if has(object_of(function), "written_out"):
        for arg in (*args, *kwargs.values()):
            _ask_for_items(m, arg)
    try:
        data = [handed_over(m, of_plain_class(m, arg) if is_numpy else arg) for arg in args]
        keywords = {k: handed_over(m, v) for k, v in kwargs.items()}
    except NotYet:
        if is_opaque and any(isinstance(v, Closure) for v in (*args, *kwargs.values())):
            raise _without_rule(m, function) from None
        raise
    _refuse_objects(m, function, [*data, *keywords.values()])
    if len(data) == 1 and not keywords and _gives_back(function, data[0].type):
        return data[0]
    keywords = _without_overwriting(function, data, keywords)
    exprs = (function, *(d.expr for d in data), *(d.expr for d in keywords.values()))
    made = typed(m, Expr("call", exprs, tuple(keywords), span=m.span))
    keep_written(m, made, [*args, *kwargs.values()])
    ask_for_options(m, made, [*data, *keywords.values()])
    return with_effect(m, made, origins_of([*data, *keywords.values()]))


def _ask_for_items(m: Machine, value: Value) -> None:
    """Ask that a list, and the lists in it, be known item by item."""
    if isinstance(value, Data) and not _is_written_out(value.expr):
        demands.demand_structure(m, value)
        demands.demand_open(m, value.origins, "unroll")
    elif isinstance(value, Tup) or (isinstance(value, Ref) and m.heap[value.id].kind == "list"):
        for part in m.parts_of(value):
            _ask_for_items(m, part)


def _is_written_out(expr: Expr) -> bool:
    """Tell whether a value is no list, or one that is written where it is used."""
    if expr.op in ("list", "tuple"):
        return all(map(_is_written_out, expr.args))
    return not isinstance(expr.type, Reference | Sequence)


def _without_overwriting(
    function: Expr, args: list[Data], named: dict[str, Data]
) -> dict[str, Data]:
    """Return options without those that let a new value be overwritten: nobody else holds it."""
    operands = {**dict(zip(names_of(function), args, strict=False)), **named}
    operands["input"] = args[0] if args else literal(None)  # of np.median and its like

    def is_idle(key: str) -> bool:
        kind, found, operand = key.partition("overwrite_")
        return bool(found) and not kind and operand in operands and _is_new(operands[operand])

    return {key: value for key, value in named.items() if not is_idle(key)}


def _is_new(value: Data) -> bool:
    """Tell whether a value is an array that is computed here: np.abs(u - v)."""
    is_made = value.expr.op in ("binary", "unary")
    if value.expr.op == "call" and "out" not in value.expr.data:
        called = object_of(value.expr.args[0])
        is_made = isinstance(called, np.ufunc) and len(positional(value.expr)) <= called.nin
    return is_made and isinstance(value.type, Array | Numeric)


def _gives_back(function: Expr, type_: Type) -> bool:
    """Tell whether a function gives an array of this type as it is: np.asarray, np.atleast_1d."""
    least = traits_of(object_of(function)).get("itself")
    return least is not None and isinstance(type_, Array) and type_.rank >= max(int(least), 1)


def _without_rule(m: Machine, function: Expr) -> NotYet:
    """Return the refusal of a function that has no rule, and is handed one that is no data."""
    error = no_rule(Expr("call", (function,), ()), m.span)
    hint = f"Add a rule (s2sad.register_rules), {STOP}"  # whether it varies is not seen here
    hint = DECORATED if object_of(function) is inspect.signature else hint
    return unless_read(Refused(NoRule(error.problem, m.span, hint)), object_of(function))


def _joined(function: Expr, value: Value) -> tuple[Expr, list[Value]]:
    """Return a call of np.hstack for an array of numbers and of all elements of vectors: [a, *v]."""
    if (
        function.data.value is not np.array
        or not isinstance(value, Data)
        or value.expr.op != "list"
    ):
        return function, [value]
    parts = [part.args[0] if part.op == "starred" else part for part in value.expr.args]
    are_starred = {part.op == "starred" for part in value.expr.args}
    ranks = [1 if part.op == "starred" else 0 for part in value.expr.args]
    fits = all(rank_of(part.type) == rank for part, rank in zip(parts, ranks, strict=True))
    if are_starred != {True, False} or not fits or not all(is_float(part.type) for part in parts):
        return function, [value]
    made = Tuple(tuple(part.type for part in parts))
    whole = replace(value, expr=Expr("tuple", tuple(parts), None, made, None, value.expr.span))
    return global_("np.hstack", np.hstack), [whole]


def keep_written(m: Machine, made: Expr, args: list[Value]) -> None:
    """Ask that a known list be memory of the run where a library may write to it: bisect.insort(xs, x)."""
    effect = effect_of(made)
    for place, value in enumerate(args):
        cell = m.heap[value.id] if isinstance(value, Ref) else None
        if cell is None or cell.kind != "list":
            continue
        is_plain = cell.site is not None and all(
            displays.is_plain(m, part) for part in cell.slots.values()
        )
        if place in effect.writes or (is_plain and (effect.writes or effect.writes_all)):
            flip(m, cell.site, "runtime")


def ask_for_options(m: Machine, made: Expr, args: list[Data]) -> None:
    """Ask for what decides what a call gives: np.pad(x, 2, mode), shift(x, a, order=k), x.reshape(shape)."""
    if made.type != UNKNOWN:
        return
    is_shaped = any(isinstance(arg.type, Array | Numeric) for arg in args)
    is_asked = is_shaped or is_of_libraries(made.args[0])  # iter(xs) takes a list as it is
    for arg in args if is_asked and effect_of(made).is_pure else ():
        if _is_of_whole_numbers(m, arg.type):
            demands.demand_structure(m, arg)
    if any(is_float(arg.type) for arg in args):
        for arg in args:
            if arg.type == TEXT and arg.known is None and demands.can_be_known(m, arg):
                demands.need(m, arg)
            if is_integer(arg.type):
                demands.demand_open(m, arg.origins, "known")


def _is_of_whole_numbers(m: Machine, type_: Type) -> bool:
    """Tell whether a value is a list or tuple of whole numbers, which may be a shape or axes."""
    is_list = isinstance(type_, Reference) and m.memory.of(type_).kind == "list"
    return (is_list or isinstance(type_, Sequence)) and is_integer(item_type(m, type_))


def _refuse_objects(m: Machine, function: Expr, args: list[Data]) -> None:
    """Refuse to hand objects of the user's to what may call their methods: they have none."""
    called = object_of(function)
    if isinstance(called, type) and issubclass(called, BaseException):
        return
    if any(called is one for one in (*OF_FIELDS, *OF_ITEMS)):
        return
    if any(reflection.holds_objects(m, arg.type) for arg in args):
        raise refusal(m, "an object of the user's that a library is handed")


def with_effect(m: Machine, made: Expr, origins: frozenset[Any]) -> Data:
    """Return a call of a library, to be made by a statement if it has an effect."""
    _ask_for_axis(m, made, origins)
    effect = effect_of(made)
    if effect.writes_anything:
        for arg in (*made.args[0].args, *made.args[1:]):
            m.memory.leave_open(arg.type)
    return evaluation_order.made_call(m, made, effect, origins)


def _ask_for_axis(m: Machine, made: Expr, origins: Origins) -> None:
    """Ask for the axis that a function of the program is handed: on it hang all lengths behind it."""
    axis = keywords(made).get("axis")
    if axis is None and len(positional(made)) > 1 and names_of(made.args[0])[1:2] == ("axis",):
        axis = made.args[2]
    if axis is None or axis.op != "name" or axis.known is not None or not is_integer(axis.type):
        return
    asked = {("known", (site, axis.data.name)) for site in m.making[-1:]}
    demands.demand_open(m, origins & asked, "known")


def handed_over(m: Machine, value: Value) -> Data:
    """Return an argument of a library as data; a known list or dict is written as a display."""
    if isinstance(value, Ref):
        cell = m.heap[value.id]
        if cell.kind in ("list", "dict"):
            return _display(m, cell.kind, cell.slots, value)
    if reflection.is_object(m, value):
        for method in ("__array__", "__as_list__", "__as_library__"):
            function = m.find(value, method)
            if function is not None:
                return m.to_data(m.called(function, [], {}, None))
    if isinstance(value, Closure | Bound | Partial):
        return functions.as_data(m, value)
    if isinstance(value, Lazy):
        found = m.at_once(value)
        return m.listed(found) if isinstance(found, Lazy) else m.to_data(found)
    return m.to_data(value)


def of_plain_class(m: Machine, value: Value) -> Value:
    """Return a named tuple as a plain one: NumPy makes an array of either."""
    is_named = isinstance(value, Data) and isinstance(value.type, Tuple) and value.type.cls
    return Tup(tuple(m.parts_of(value))) if is_named else value


def _display(m: Machine, kind: str, slots: dict[Any, Value], value: Ref) -> Data:
    parts = [handed_over(m, part) for part in slots.values()]
    site = ("handed over", str(m.span), value.id)
    if kind == "list":
        made = displays.list_as_data(m, parts, site)
    else:
        made = displays.dict_as_data(m, [literal(key) for key in slots], parts, site)
    return replace(made, origins=frozenset())


CALLED = "__call__"


def called(m: Machine, call: Expr, origins: Origins) -> Value | None:
    """Return what the twin of a call gives; None of a call that stands as it was written."""
    if key_of_twin(call) not in m.context.followed:
        return None
    parted = parted_from_result(call, effect_of(call))
    if parted is not None:
        return _put_into(m, *parted, origins)
    known = Known(as_regions(m.memory, m.context.sized))
    match = find_twin(call, known)
    context = replace(m.context, regions={**m.context.regions, **known.regions})
    for are_shown in (True, False):  # lists that are written out, and those that have a name
        if match is None:
            of_arrays = with_arrays(
                call, lambda e: infer(e, context), lambda _, are_shown=are_shown: are_shown
            )
            match = find_twin(of_arrays, known)
    twin = None if match is None else match.twin
    if match is None or twin is None:
        return None
    filled = (fill(arg, match.bound, lambda e: infer(e, m.context)) for arg in positional(twin))
    closure = reflection.closure_of(m, twin.args[0].data.value)
    found = m.call(closure, [_argument(m, arg, origins) for arg in filled], {}, None)
    return _with_names(m, found, call.type)


def _put_into(m: Machine, out: Expr, call: Expr, origins: Origins) -> Value | None:
    """Store what the twin of a call gives in the array that it was told."""
    found = called(m, typed(m, call), origins)
    if found is None:
        return None
    place = Data(out, origins)
    m.call(m.attribute(place, "__setitem__"), [literal(Ellipsis), found], {}, None)
    return place


def _with_names(m: Machine, value: Value, type_: Type) -> Value:
    """Return what a twin gives with the names that the parts of the call's result have."""
    cls = type_.cls if isinstance(type_, Tuple) else None
    if cls is None or not hasattr(cls, "_fields"):
        return value
    return Tup(tuple(m.parts_of(stable(m, value, "found"))), cls)


def _argument(m: Machine, expr: Expr, origins: Origins) -> Value:
    """Return an argument as a value: what is written out is known."""
    match expr.op:
        case "constant":
            return literal(expr.data)
        case "global":
            return m.lift(expr.data.value, None)
        case "tuple":
            return Tup(tuple(_argument(m, part, origins) for part in expr.args))
    return Data(expr, origins)


def call_library(
    m: Machine, function: Expr, args: list[Value], kwargs: Mapping[str, Value]
) -> Value:
    """Return a call of a library, or what its twin gives: of several arrays a call for each, if it may."""
    if len(args) > 1 and has(object_of(function), "apart"):
        return Tup(tuple(call_library(m, function, [arg], {}) for arg in args))
    made = call(m, function, args, kwargs)
    _assume_added(m, made.expr)
    found = called(m, made.expr, made.origins)
    if found is None:
        found = kept(m, made.expr, args, kwargs)
    return made if found is None else found


def _assume_added(m: Machine, expr: Expr) -> None:
    """Assume that what np.add.at adds to a part is as long as the part, where the examples show it."""
    owner = getattr(called_object(expr), "__self__", None)
    args = expr.args[1:]
    if has(owner, "adds") and len(args) == 3 and isinstance(args[0].type, Array):
        part = typed(m, Expr("subscript", args[:2], None, span=m.span))
        assume_last_equal(m, part.type, args[2].type)


# ---------------------------------------------------------------------------- objects


def kept(m: Machine, made: Expr, args: list[Value], kwargs: Mapping[str, Value]) -> Value | None:
    """Return an object as what it is made of; None of one whose calls stand as they are written."""
    cls = made.type.cls if isinstance(made.type, Other) else None
    if not is_computing(cls) or made.args[0].op != "global" or not _is_followed(m, made, cls):
        return None
    parts = tuple(as_made(m, arg) for arg in args)
    named = {key: as_made(m, arg) for key, arg in kwargs.items()}
    maker = Partial(Code(made.args[0].data.value, made.args[0]), parts, named)
    return Partial(Code(made_again), (maker, literal(CALLED)), {})


def _is_followed(m: Machine, made: Expr, cls: Any) -> bool:
    """Tell whether other lines are lowered for a call of an object, or of a method of it."""
    head = head_of(Expr("call", (made,), ()))
    heads = [key[0] for key in m.context.followed if isinstance(key, tuple)]
    return head in heads or any(k in ("method", "made") and hasattr(cls, word) for k, word in heads)


def as_made(m: Machine, value: Value) -> Value:
    """Return an argument as it is now, whatever is written to it later."""
    data = handed_over(m, value)
    match data.type:
        case Array() if data.expr.op == "name" or shares(data.expr, m.context):
            copy = Expr("attribute", (data.expr,), "copy")
            data = call(m, copy, [], {})
        case Numeric() | Reference():
            data = call(m, global_("np.array", np.array), [data], {})
        case Tuple():
            return Tup(tuple(as_made(m, part) for part in m.parts_of(data)))
        case Array() | Number() | Other():
            pass
        case _:
            raise refusal(m, "what an object is made of, of which nothing is known")
    return stable(m, data, "made")


def called_again(m: Machine, args: list[Value], kwargs: Mapping[str, Value], node: Any) -> Value:
    """Call an object that is kept as what it is made of, or a method of it."""
    maker, word, *given = args
    made = _made(m, maker)
    named = word.known.value if isinstance(word, Data) and word.known is not None else CALLED
    if named == CALLED:
        return call_library(m, made.expr, given, kwargs)
    found = m.call_method(made, named, given, kwargs, node)
    if isinstance(found, Data) and isinstance(found.type, Other) and is_computing(found.type.cls):
        derived = Partial(Code(made_again), (maker, word, *given), kwargs)
        return Partial(Code(made_again), (derived, literal(CALLED)), {})
    return found


def method(owner: Partial, wanted: str) -> Value | None:
    """Return a method of an object that is kept as what it is made of; None of other values."""
    if not isinstance(owner.func, Code) or owner.func.obj is not made_again:
        return None
    return replace(owner, args=(owner.args[0], literal(wanted)))


def _made(m: Machine, maker: Value) -> Data:
    assert isinstance(maker, Partial) and isinstance(maker.func, Code)
    if maker.func.obj is made_again:  # by a method of another one: spline.derivative()
        first, word, *args = maker.args
        assert isinstance(word, Data) and word.known is not None
        return m.to_data(m.call_method(_made(m, first), word.known.value, args, maker.kwargs, None))
    function = m.to_data(maker.func).expr
    return call(m, function, list(maker.args), maker.kwargs)
