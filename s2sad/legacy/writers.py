"""NumPy functions that write to their first argument become stores, however they are called.

np.copyto(u, v, where=m)               u[...] = np.where(m, v, u)
np.putmask(u, m, c)                    u[...] = np.where(m, c, u)
np.fill_diagonal(A, c)                 A[np.diag_indices(min(A.shape), A.ndim)] = c
np.put(A, places, c)                   A[_places_flat(A, places)] = c
np.place(u, m, c)                      u[np.not_equal(m, 0)] = c
np.put_along_axis(A, places, v, 1)     A[_places_along(A, places, 1)] = v

Where an array is put, NumPy takes as much of it as there are places, and begins again at its end:
np.put(A, places, v)                   A[...] = np.resize(v, np.shape(places))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from s2sad.legacy.echo import written
from s2sad.legacy.links import IS_ARRAY, Asked, Question
from s2sad.legacy.lower import atom, inline
from s2sad.legacy.program import Attr, Call, Const, Expr, Ref, Update, Var
from s2sad.legacy.scope import Scope
from s2sad.legacy.templating import PRINTED_FUNCTION

WHERE = Ref("np.where", np.where)
SHAPE = Ref("np.shape", np.shape)
DIAGONAL = Ref("np.diag_indices", np.diag_indices)
SHORTEST = Ref("min", min)
LEN = Ref("len", len)
TRUE = Ref("np.flatnonzero", np.flatnonzero)
NOT_EQUAL = Ref("np.not_equal", np.not_equal)
RESIZE = Ref("np.resize", np.resize)
FLAT = Ref("_places_flat", PRINTED_FUNCTION)
ALONG = Ref("_places_along", PRINTED_FUNCTION)
# what is written to, what is written, and what else can be given
PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "np.copyto": ("dst", "src", "casting", "where"),
    "np.fill_diagonal": ("a", "val"),
    "np.put": ("a", "ind", "v"),
    "np.place": ("arr", "mask", "vals"),
    "np.putmask": ("a", "mask", "values"),
    "np.put_along_axis": ("arr", "indices", "values", "axis"),
}
Given = Mapping[str, Any]


def given(text: str, call: Any) -> Given | None:
    """Return the arguments of such a function by name; None of any other, or in another form."""
    names = PARAMETERS.get(text, ())
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if not names or not keywords.keys() <= {*names[len(call.args) :]} - {"casting"}:
        return None
    if len(call.args) > len(names) or any(isinstance(each, gast.Starred) for each in call.args):
        return None
    found = {**dict(zip(names, call.args, strict=False)), **keywords}
    return found if len(found) >= 2 and "casting" not in found else None


def copied(text: str, found: Given, node: Any, scope: Scope) -> Expr:
    """Return what np.copyto or np.putmask leaves in its first argument."""
    target, values, where = (
        ("dst", "src", "where") if text == "np.copyto" else ("a", "values", "mask")
    )
    value = atom(found[values], scope)
    if where not in found:
        return value
    old = atom(found[target], scope)
    if text == "np.putmask":
        value = _again_and_again(value, Call(SHAPE, (old,)), node, scope)
    return scope.temp(Call(WHERE, (atom(found[where], scope), value, old)), node)


def store(text: str, found: Given, node: Any, scope: Scope) -> bool:
    """Store to some places of a local; tell whether it was one, and all was given."""
    target = found.get(PARAMETERS[text][0])
    if not (isinstance(target, gast.Name) and scope.has(target.id)):
        return False
    known = _places(text, found, node, scope)
    if known is None:
        return False
    places, count = known
    last = {"np.fill_diagonal": "val", "np.put": "v", "np.place": "vals"}.get(text, "values")
    value = atom(found[last], scope)
    if count is not None:
        value = _again_and_again(value, count, node, scope)
    slot, old = scope.slot(target.id), scope.value(target.id)
    scope.emit(Update(scope.renew(slot), old, places, "=", value, scope.span(node)))
    written(scope, slot, node)
    return True


def _again_and_again(value: Expr, shape: Expr, node: Any, scope: Scope) -> Expr:
    """Return as much of an array as there are places, begun again at its end; a number as it is."""
    if not isinstance(value, Var):
        return value
    question = Question(scope.span(node), value.slot, IS_ARRAY)
    if scope.ask(Asked(question, value)) == "number":
        return value
    return scope.temp(Call(RESIZE, (value, shape)), node)


def _places(text: str, found: Given, node: Any, scope: Scope) -> tuple[Expr, Expr | None] | None:
    """Return the subscript of what is written to, and how many places these are; None where
    something is not given.
    """
    if text == "np.place" and "vals" in found:
        mask = _mask(found["mask"], node, scope)
        return mask, Call(LEN, (Call(TRUE, (mask,)),))
    parts = [atom(found[name], scope) for name in PARAMETERS[text] if name in found]
    match text, parts:
        case "np.fill_diagonal", [a, _]:
            count = Call(SHORTEST, (Attr(a, "shape"),))
            return scope.temp(Call(DIAGONAL, (count, Attr(a, "ndim"))), node), count
        case "np.put", [a, places, _]:
            return scope.temp(Call(FLAT, (a, places)), node), Call(SHAPE, (places,))
        case "np.put_along_axis", [arr, places, _, axis]:
            return scope.temp(Call(ALONG, (arr, places, axis)), node), None
    return None


def _mask(node: Any, call: Any, scope: Scope) -> Expr:
    """Return a mask of truth values: what np.place is given may hold numbers, which are no places."""
    if isinstance(node, gast.Compare):
        return inline(node, scope)  # which is seen to be a mask
    return scope.temp(Call(NOT_EQUAL, (atom(node, scope), Const(0))), call)
