"""Calls of libraries: they stand in the program as they were written.

np.sum(u)          a pure call: part of an expression
np.put(u, i, c)    a call with an effect: the whole right side of a Let
heapq.heappush     replaced by the prelude's own, which is lowered like the user's
"""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import heapq
import itertools
import statistics
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad import prelude
from s2sad.ir.expression import Expr
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Tuple, is_float, is_integer
from s2sad.lowering import demands, displays, evaluation_order, functions, reflection
from s2sad.lowering.machine import Machine, refusal
from s2sad.lowering.typing import typed
from s2sad.lowering.values import (
    TEXT,
    Bound,
    Closure,
    Data,
    Lazy,
    Partial,
    Ref,
    Tup,
    Value,
    literal,
    origins_of,
)
from s2sad.operators.effects import effect as effect_of

# what asks an object for no method of its own, and what goes through its items alone
OF_FIELDS = (copy.copy, copy.deepcopy, hasattr, getattr, setattr, id, isinstance, callable, print)
OF_ITEMS = (list, tuple, dict, zip, enumerate, reversed, len, iter, next, range, map, filter)
REPLACED: dict[Any, Any] = {
    **{
        getattr(module, name): getattr(prelude, name)
        for module in (heapq, itertools)
        for name in prelude.__all__
        if hasattr(module, name)
    },
    contextlib.suppress: prelude.suppress,
    functools.reduce: prelude.reduce,
    collections.deque: prelude.Deque,
    collections.defaultdict: prelude.DefaultDict,
    collections.OrderedDict: prelude.OrderedDict,
    collections.Counter: prelude.Counter,
    dict.fromkeys: prelude.fromkeys,
    itertools.chain.from_iterable: prelude.from_iterable,
    types.SimpleNamespace: prelude.Namespace,
    np.piecewise: prelude.piecewise,
    statistics.linear_regression: prelude.linear_regression,
    np.poly1d: prelude.Poly1d,
    np.polynomial.polyutils.as_series: prelude.as_series,
    **prelude.SERIES,
    **prelude.OPERATORS,
    np.vectorize: prelude.Vectorized,
    np.apply_along_axis: prelude.apply_along_axis,
}


def replaced(obj: Any) -> Any:
    """Return the prelude's own for a function of the standard library; others as they are."""
    if isinstance(obj, types.FunctionType | type):
        own = prelude.as_numpy(obj) or prelude.as_written_out(obj)
        if own is not None:
            return own
    try:
        return REPLACED.get(obj, obj)
    except TypeError:  # what cannot be hashed
        return obj


def call(m: Machine, function: Expr, args: list[Value], kwargs: Mapping[str, Value]) -> Data:
    """Return a call of a library."""
    is_numpy = function.op == "global" and function.data.text.startswith("np.")
    data = [handed_over(m, of_plain_class(m, arg) if is_numpy else arg) for arg in args]
    keywords = {k: handed_over(m, v) for k, v in kwargs.items()}
    _refuse_objects(m, function, [*data, *keywords.values()])
    exprs = (function, *(d.expr for d in data), *(d.expr for d in keywords.values()))
    made = typed(m, Expr("call", exprs, tuple(keywords), span=m.span))
    if made.type == UNKNOWN:
        _ask_for_options(m, [*data, *keywords.values()])
    return with_effect(m, made, origins_of([*data, *keywords.values()]))


def _ask_for_options(m: Machine, args: list[Data]) -> None:
    """Ask for what decides what a call of numbers gives: np.pad(x, 2, mode), shift(x, a, order=k)."""
    if any(is_float(arg.type) for arg in args):
        for arg in args:
            if arg.type == TEXT and arg.known is None and demands.can_be_known(m, arg):
                demands.need(m, arg)
            if is_integer(arg.type):
                demands.demand_open(m, arg.origins, "known")


def _refuse_objects(m: Machine, function: Expr, args: list[Data]) -> None:
    """Refuse to hand objects of the user's to what may call their methods: they have none."""
    called = function.data.value if function.op == "global" else None
    if isinstance(called, type) and issubclass(called, BaseException):
        return
    if any(called is one for one in (*OF_FIELDS, *OF_ITEMS)):
        return
    if any(reflection.holds_objects(m, arg.type) for arg in args):
        raise refusal(m, "an object of the user's that a library is handed")


def with_effect(m: Machine, made: Expr, origins: frozenset[Any]) -> Data:
    """Return a call of a library, to be made by a statement if it has an effect."""
    return evaluation_order.made_call(m, made, effect_of(made), origins)


def handed_over(m: Machine, value: Value) -> Data:
    """Return an argument of a library as data; a known list or dict is written as a display."""
    if isinstance(value, Ref):
        cell = m.heap[value.id]
        if cell.kind in ("list", "dict"):
            return _display(m, cell.kind, cell.slots, value)
    if reflection.is_object(m, value):
        for method in ("__array__", "__as_list__"):
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
