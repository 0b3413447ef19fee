"""NumPy functions that write to their first argument become stores, however they are called.

np.copyto(u, v, where=m)               u[...] = np.where(m, v, u)
np.fill_diagonal(A, c)                 A[np.diag_indices_from(A)] = c
np.put(A, places, v)                   A[np.unravel_index(places, np.shape(A))] = v
np.place(u, m, v)                      u[m] = v
np.put_along_axis(A, places, v, 1)     A[_places_along(A, places, 1)] = v
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from s2sad.echo import written
from s2sad.lower import atom, inline
from s2sad.program import Call, Expr, Ref, Update
from s2sad.scope import Scope
from s2sad.templating import PRINTED_FUNCTION

WHERE = Ref("np.where", np.where)
SHAPE = Ref("np.shape", np.shape)
UNRAVELLED = Ref("np.unravel_index", np.unravel_index)
DIAGONAL = Ref("np.diag_indices_from", np.diag_indices_from)
ALONG = Ref("_places_along", PRINTED_FUNCTION)
# what is written to, what is written, and what else can be given
PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "np.copyto": ("dst", "src", "casting", "where"),
    "np.fill_diagonal": ("a", "val"),
    "np.put": ("a", "ind", "v"),
    "np.place": ("arr", "mask", "vals"),
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


def copied(found: Given, node: Any, scope: Scope) -> Expr:
    """Return what np.copyto leaves in its first argument."""
    value = atom(found["src"], scope)
    if "where" not in found:
        return value
    chosen = Call(WHERE, (atom(found["where"], scope), value, atom(found["dst"], scope)))
    return scope.temp(chosen, node)


def store(text: str, found: Given, node: Any, scope: Scope) -> bool:
    """Store to some places of a local; tell whether it was one, and all was given."""
    target = found.get(PARAMETERS[text][0])
    if not (isinstance(target, gast.Name) and scope.has(target.id)):
        return False
    places = _places(text, found, node, scope)
    if places is None:
        return False
    last = {"np.fill_diagonal": "val", "np.put": "v", "np.place": "vals"}.get(text, "values")
    value = atom(found[last], scope)
    slot, old = scope.slot(target.id), scope.value(target.id)
    scope.emit(Update(scope.renew(slot), old, places, "=", value, scope.span(node)))
    written(scope, slot, node)
    return True


def _places(text: str, found: Given, node: Any, scope: Scope) -> Expr | None:
    """Return the subscript of what is written to; None where something is not given."""
    if text == "np.place":
        return inline(found["mask"], scope)  # which is seen to be a mask
    parts = [atom(found[name], scope) for name in PARAMETERS[text] if name in found]
    match text, parts:
        case "np.fill_diagonal", [a, _]:
            return scope.temp(Call(DIAGONAL, (a,)), node)
        case "np.put", [a, places, _]:
            return scope.temp(Call(UNRAVELLED, (places, Call(SHAPE, (a,)))), node)
        case "np.put_along_axis", [arr, places, _, axis]:
            return scope.temp(Call(ALONG, (arr, places, axis)), node)
    return None
