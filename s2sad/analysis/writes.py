"""Calls that write in place become stores of what they compute.

np.add(a, b, out=y)             y[...] = np.add(a, b)
gaussian_filter(a, s, output=y) y[...] = gaussian_filter(a, s)
np.exp(u, u, where=m)           u[...] = np.where(m, np.exp(u), u)
u.sort()                        u[...] = np.sort(u)
rng.shuffle(u)                  order = rng.permutation(len(u)); u[...] = u[order]
np.copyto(u, 0.0)               u[...] = 0.0
np.put(u, k, c)                 u[k] = c          as templates/writes.py says

np.add.at stays what it is; what is not known here stays a call, which is refused if it varies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from s2sad.analysis.loops import length_of
from s2sad.ir.expression import (
    Expr,
    attribute,
    called_object,
    calls,
    constant,
    global_,
    keywords,
    name,
    object_of,
    positional,
    root_of,
    subscript,
    text_of_call,
)
from s2sad.ir.expression import call as call_of
from s2sad.ir.program import PURE, Effect, Function, Let, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Number, Tuple, Type, is_float
from s2sad.ir.walk import rewritten
from s2sad.operators import printed
from s2sad.operators.algebra import numpy_function
from s2sad.operators.binding import names_of
from s2sad.operators.effects import RESULTS, effect
from s2sad.operators.guards import GUARDS, Guard, is_mask, rank_of
from s2sad.operators.spelling import as_rules_spell
from s2sad.operators.statements import Statements, marks_of
from s2sad.operators.table import calls_one, words
from s2sad.operators.texts import WRITES
from s2sad.operators.trees import literal

Infer = Callable[[Expr], Expr]
# the base that is written, which part of it, and what is put there
Written = tuple[Expr, Expr, Expr]
EVERYTHING = constant(Ellipsis)


def as_stores(function: Function, infer: Infer) -> Function:
    """Return a function in which calls that write in place are stores, as far as they are known."""

    fresh = Fresh.of(function)

    def change(statement: Statement) -> Statement | tuple[Statement, ...]:
        if not isinstance(statement, Let) or statement.value.op != "call":
            return statement
        if statement.effect.is_pure or statement.effect.writes_all:
            return statement
        shuffled = _shuffled(statement, fresh, infer)
        if shuffled is not None:
            return shuffled
        found = _written(statement, infer)
        if found is None:
            return statement
        base, part, value = found
        if not is_place(base):  # nobody else holds it: np.exp(u, out=np.empty_like(u))
            return replace(statement, value=value, effect=PURE)
        store = Store(infer(subscript(base, part)), "=", value, statement.span)
        if statement.target is None:
            return store
        given = constant(None) if _gives_nothing(statement) else base
        return store, replace(statement, value=infer(given), effect=PURE)

    return replace(function, body=rewritten(function.body, change))


def _shuffled(let: Let, fresh: Fresh, infer: Infer) -> tuple[Statement, ...] | None:
    """Return the draw of an order and the store of an array in it, for what shuffles the array."""
    function, *args = let.value.args
    is_one = function.op == "attribute" and function.data == "shuffle"
    if not is_one or let.target is not None or len(args) != 1 or let.value.data:
        return None
    array = args[0]
    if not isinstance(array.type, Array) or not array.type.rank or not is_place(array):
        return None
    if not is_float(array.type):  # it does not vary, and stays as it is written
        return None
    type_ = Array("int64", array.type.lengths[:1])
    drawn = call_of(attribute(function.args[0], "permutation"), length_of(array), type_=type_)
    order = name(fresh.variable("order"), type_)
    value = infer(subscript(array, order))
    store = Store(infer(subscript(array, EVERYTHING)), "=", value, let.span)
    return Let(order.data, drawn, let.span, effect(drawn)), store


def _gives_nothing(let: Let) -> bool:
    """Tell whether what writes gives None: methods, np.copyto; with out= that is given."""
    named = getattr(object_of(let.value.args[0]), "__name__", "")
    return let.effect.writes_owner or named in marks_of(WRITES)


def _written(let: Let, infer: Infer) -> Written | None:
    call = let.value
    function = call.args[0]
    if function.op not in ("global", "attribute") or any(a.op == "starred" for a in call.args):
        return None
    if let.effect.writes_owner:
        return _by_method(call, function.args[0], infer) if function.args else None
    if function.op == "global":
        value = function.data.value
        named = getattr(value, "__name__", "")
        if named in marks_of(WRITES) and getattr(np, named, None) is value:
            return _by_template(named, _given(call), infer)
    return _by_out(call, let.effect, infer)


# ---------------------------------------------------------------------------- out=


def _by_out(call: Expr, effect: Effect, infer: Infer) -> Written | None:
    """Return what a call with `out` writes, by keyword or by position."""
    found = parted_from_result(call, effect)
    if found is None:
        return None
    out, call = found
    is_new = calls_one(out, "filled", "like")
    if not isinstance(out.type, Array) or not (is_place(out) or is_new):
        return None
    function = called_object(call)
    mask = None
    if isinstance(function, np.ufunc):
        if function.nout > 1:
            return None
        named = keywords(call)
        mask = named.pop("where", None)
        call = replace(
            call, args=(call.args[0], *positional(call), *named.values()), data=tuple(named)
        )
    value = infer(call)
    if mask is not None:
        value = infer(Expr("call", (global_("np.where", np.where), mask, value, out), ()))
    if not is_place(out) and value.type != out.type:
        return None
    return out, EVERYTHING, value


def parted_from_result(call: Expr, effect: Effect) -> tuple[Expr, Expr] | None:
    """Return where a call with `out` puts its result, and the call without that."""
    if len(effect.writes) != 1 or text_of_call(call).endswith(".at"):
        return None
    (place,) = effect.writes
    if not _is_result(call, place):
        return None
    out = call.args[1 + place]
    if out.op == "tuple" and len(out.args) == 1:
        out = out.args[0]
    args, named = _without(call, place)
    made = (call.args[0], *args, *named.values())
    return out, Expr("call", made, tuple(named), span=call.span)


def _is_result(call: Expr, place: int) -> bool:
    """Tell whether an argument is `out` or `output`: what is there does not matter to the call."""
    count = len(positional(call))
    if place >= count:
        return call.data[place - count] in RESULTS
    value = called_object(call)
    if isinstance(value, np.ufunc):
        return bool(place >= value.nin)
    return not RESULTS.isdisjoint(names_of(call.args[0])[place : place + 1])


def _without(call: Expr, place: int) -> tuple[list[Expr], dict[str, Expr]]:
    """Return the arguments of a call without one."""
    args, named = list(positional(call)), keywords(call)
    if place >= len(args):
        del named[call.data[place - len(args)]]
    elif place == len(args) - 1:
        args.pop()
        while args and args[-1].op == "constant" and args[-1].data is None:
            args.pop()
    else:
        args[place] = constant(None)
    return args, named


def is_place(expr: Expr) -> bool:
    """Tell whether an expression is a name or a part of one, which can be written again."""
    return root_of(expr) is not None


# ---------------------------------------------------------------------------- methods, functions


def _by_method(call: Expr, base: Expr, infer: Infer) -> Written | None:
    args, method = positional(call), call.args[0].data
    if not isinstance(base.type, Array) or not is_place(base):
        return None
    if method in words("orders"):
        function = numpy_function(method)
        operands = (function, base, *call.args[1:])
        return base, EVERYTHING, infer(Expr("call", operands, call.data))
    if method == "fill" and len(args) == 1 and not call.data:
        return base, EVERYTHING, args[0]
    if method == "put":
        given = {**dict(zip(("a", "ind", "v"), (base, *args), strict=False)), **keywords(call)}
        return _by_template("put", given, infer)
    return None


# ---------------------------------------------------------------------------- templates

Given = Mapping[str, Expr]
MARKS: Mapping[str, Guard] = {
    **GUARDS,
    "flags": lambda expr, _: is_mask(expr),
    "listed": lambda expr, _: expr.op == "name" or _is_list(expr),
}


def _given(call: Expr) -> Given:
    """Return the arguments of a call by the names of its parameters; {} of one that is not known."""
    call = as_rules_spell(call)
    names, args = names_of(call.args[0]), positional(call)
    named = {**dict(zip(names, args, strict=False)), **keywords(call)}
    base = named.get(names[0]) if names and len(named) == len(call.args) - 1 else None
    return named if base is not None and is_place(base) else {}


def _is_list(expr: Expr) -> bool:
    return expr.op == "list" and isinstance(expr.type, Tuple)


def _by_template(named: str, given: Given, infer: Infer) -> Written | None:
    """Return what a function writes, as the first of its templates that fits says."""
    for template, marks in marks_of(WRITES).items():
        is_one = template.startswith(named) and marks.keys() == given.keys()
        if is_one and all(MARKS[word](given[each], {}) for each in marks for word in marks[each]):
            rank = literal(rank_of(next(iter(given.values())).type) or 0)
            (store,) = Writing(WRITES, {**given, "rank": rank}, infer=infer).made(template)
            assert isinstance(store, Store)
            base, part = store.target.args
            return base, part, store.value
    return None


def _untyped(expr: Expr) -> Expr:
    return expr


@dataclass(slots=True)
class Writing(Statements):
    """The store that a template says, with types."""

    infer: Infer = _untyped

    def typed(self, expr: Expr) -> Expr:
        """Return a node with its type; of what has the size np.resize gives it as it is."""
        if expr.op in ("global", "constant"):
            return expr
        if calls(expr, np.resize) and _has_size(*expr.args[1:]):
            return expr.args[1]
        if expr.op == "call" and printed.name_of(called_object(expr)):
            return expr.typed(_positions(expr))
        return self.infer(expr)


def _has_size(value: Expr, size: Expr) -> bool:
    """Tell whether a value is a number, or a vector with so many elements."""
    if isinstance(value.type, Number):
        return True
    lengths = value.type.lengths if isinstance(value.type, Array) else ()
    wanted = size.type.length if isinstance(size.type, Number) else None
    return wanted is not None and lengths == (wanted,)


def _positions(call: Expr) -> Type:
    """Return the type of the positions along each axis that a printed function gives."""
    rank = rank_of(call.args[1].type) or 0
    is_flat = printed.name_of(called_object(call)) == "_places_flat"
    return Tuple((Array("int64", (None,) * (1 if is_flat else rank)),) * rank)


# ---------------------------------------------------------------------------- added at positions


def added_at(let: Let) -> tuple[str, Expr, Expr, Expr] | None:
    """Return sign, base, positions and value of np.add.at and np.subtract.at."""
    value = let.value
    sign = SIGNS.get(text_of_call(value).rpartition("np.")[2])
    if sign is None or len(value.args) != 4 or value.data:
        return None
    base, positions, added = value.args[1:]
    return sign, base, positions, added


SIGNS = {"add.at": "+", "subtract.at": "-"}
