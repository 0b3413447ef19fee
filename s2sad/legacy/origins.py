"""Which memory the result of an expression may live in.

a[1:]                the memory of a
np.sin(a)            memory of its own
f(a)                 what a function of the user's hands back, else its own
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType

import gast
import numpy as np

from s2sad.legacy.calls import arguments, is_python
from s2sad.legacy.handed import handed_back
from s2sad.legacy.memory import (
    HOLDERS,
    NOTHING,
    READ_ONLY,
    Inside,
    Part,
    Root,
    Roots,
    held_inside,
    items_of,
    spread,
)
from s2sad.legacy.program import (
    Attr,
    Call,
    Const,
    Expr,
    Op,
    Opaque,
    Ref,
    Var,
)
from s2sad.legacy.templating import printed_name
from s2sad.legacy.through import VIEWS
from s2sad.legacy.traverse import SHAPE_ATTRIBUTES, reads, walk
from s2sad.source.optional import PREFIX
from s2sad.source.plain import held_by_class

VIEW_ATTRIBUTES = frozenset({"T", "mT", "real", "imag", "flat", "base", "data"})
IMMUTABLE = (int, float, complex, str, bytes, np.generic, type(None))
SCALAR_FUNCTIONS = frozenset({"len", "float", "int", "bool", "range", "str"})
NEW_OF_ARRAYS = frozenset({"abs", "round", "pow", "divmod"})
# functions printed into the file that may give back what they are given
MAY_RETURN_ARGUMENT = frozenset({"_sum_to", "_shaped_as"})
# syntax that gives a new holder
DISPLAYS = (gast.List, gast.Set, gast.Dict, gast.ListComp, gast.SetComp, gast.DictComp)
# what gives new holders, of the same items
HOLDING = frozenset({"list", "tuple", "reversed", "enumerate", "zip", "sorted"})
METHODS_THAT_COPY = frozenset(
    "copy sum mean prod max min std var dot flatten cumsum cumprod clip round all any argmax "
    "argmin argsort repeat take trace tolist item nonzero tobytes ptp searchsorted "
    "astype".split()
)


def origin(value: Expr, target: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory that the result of an expression may live in."""
    known = _of_list(value, target, roots)
    if known is not None:
        return known
    match value:
        case Var():
            return roots.get(value, NOTHING)
        case Const():
            return NOTHING
        case Ref(_, held):
            return NOTHING if _holds_nothing(held) else frozenset({value})
        case Op("index", (owner, key)):
            copies = _is_fancy(key, roots)
            return frozenset({target}) if copies else _shared_by(owner, target, roots)
        case Op("if", (_, a, b)):
            return origin(a, target, roots) | origin(b, target, roots)
        case Op("tuple" | "list" | "star" | "and" | "or", args):
            parts = (held_inside(origin(arg, target, roots)) for arg in args)
            return frozenset({target}).union(*parts)
        case Op(_, args):
            # a list joined of others is new, and holds their items
            held = (root for arg in args for root in origin(arg, target, roots))
            return frozenset({target, *(root for root in held if isinstance(root, Inside))})
        case Attr(owner, name):
            if _is_of_object(owner, roots):
                mine = shared_by_parts(owner, roots)  # a field of an argument is the caller's
                return mine | {Inside(Part(root)) for root in mine if isinstance(root, Var)}
            return _shared_by(owner, target, roots) if _may_be_part(owner, name, roots) else NOTHING
        case Call():
            return _call_origin(value, target, roots)
        case Opaque(node):
            shared = shared_by_parts(value, roots)
            held = held_inside(shared) | {target}  # what is copied may be a list of what it reads
            return held if isinstance(node, DISPLAYS) else held | shared
    return shared_by_parts(value, roots) | {target}


def _of_list(value: Expr, target: Var, roots: Roots) -> frozenset[Root] | None:
    """Return the memory of what is made of a list, where it is known to be one."""
    match value:
        case Op("index", (owner, Op("slice"))) if _is_list(owner, roots):
            return _same_items([owner], target, roots)
        case Op("index", (Var() as owner, _)) if roots.fact(owner).kind in HOLDERS:
            return items_of(owner, roots)
        case Call(Ref("list" | "tuple" | "sorted"), (owner,)) if _is_list(owner, roots):
            return _same_items([owner], target, roots)
        case Op("+", (a, b)) if _is_list(a, roots) and _is_list(b, roots):
            return _same_items([a, b], target, roots)
        case Op("*", (a, b)) if _is_list(a, roots) and not _is_array(b, roots):
            return _same_items([a], target, roots)
        case Op("*", (a, b)) if _is_list(b, roots) and not _is_array(a, roots):
            return _same_items([b], target, roots)
    return None


def _is_list(value: Expr, roots: Roots) -> bool:
    """Tell whether a value is known to hold items: a list, tuple or dict, or a display of such."""
    match value:
        case Ref(_, held):
            return isinstance(held, list | tuple | dict)
        case Op(op):
            return op in ("list", "tuple")
    return isinstance(value, Var) and roots.fact(value).kind in HOLDERS


def _is_array(value: Expr, roots: Roots) -> bool:
    return isinstance(value, Var) and roots.fact(value).is_array


def _same_items(owners: Iterable[Expr], target: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory of a new list that holds the items of others."""
    held = (root for each in owners for root in held_inside(_items(each, target, roots)))
    return frozenset({target, *held})


def _items(owner: Expr, target: Var, roots: Roots) -> frozenset[Root]:
    if isinstance(owner, Var):
        return items_of(owner, roots)
    return _shared_by(owner, target, roots) - {target}


def _may_be_part(owner: Expr, name: str, roots: Roots) -> bool:
    """Tell whether an attribute may be memory of its owner: a view of an array, a field."""
    of_array = isinstance(owner, Var) and roots.fact(owner).is_array
    return name in VIEW_ATTRIBUTES or not (of_array or name in SHAPE_ATTRIBUTES)


def _is_of_object(owner: Expr, roots: Roots) -> bool:
    while isinstance(owner, Attr):
        owner = owner.value
    return isinstance(owner, Var) and roots.fact(owner).kind == "record"


def _shared_by(owner: Expr, target: Var, roots: Roots) -> frozenset[Root]:
    # an unnamed owner (a nested expression) may be a view as well
    return spread(origin(owner, target, roots))


def shared_by_parts(value: Expr, roots: Roots) -> frozenset[Root]:
    """Return the memory of all that an expression reads, objects of the module included."""
    objects = frozenset(root for ref in _refs(value) for root in _of_module(ref))
    own = frozenset(root for var in _held_in(value, roots) for root in roots.get(var, NOTHING))
    return objects | spread(own)


def _refs(value: Expr) -> Iterator[Ref]:
    for part in walk(value):
        yield from part.globals if isinstance(part, Opaque) else ()
        if isinstance(part, Ref):
            yield part


def _of_module(ref: Ref) -> Iterator[Root]:
    """Yield the memory that a name of the module gives: of a class that of all its objects."""
    if isinstance(ref.value, type):
        held = held_by_class(ref.value)
        yield from (Inside(Ref(f"{ref.text}.{name}", each)) for name, each in held)
    elif _is_object(ref):
        yield ref


def _held_in(value: Expr, roots: Roots) -> Iterator[Var]:
    """Yield the values whose memory an expression may give: not x in np.asarray(x.shape)."""
    match value:
        case Attr(owner, name) if name in SHAPE_ATTRIBUTES and not _is_of_object(owner, roots):
            return
        case Call(Ref("np.asarray" | "np.array"), (Attr() as first, *_)):
            yield from _held_in(first, roots)
        case _:
            yield from reads(value)


def _is_object(ref: Ref) -> bool:
    return not isinstance(ref.value, (*IMMUTABLE, ModuleType)) and not callable(ref.value)


def _holds_nothing(held: object) -> bool:
    """Tell whether an object has no memory that could be shared: a number, a dtype (np.eye's float)."""
    if isinstance(held, type):
        return held.__module__ == "builtins" or issubclass(held, np.generic)
    return isinstance(held, (*IMMUTABLE, np.dtype))


def _is_fancy(key: Expr, roots: Roots) -> bool:
    """Tell whether a subscript surely copies: a list or an array of positions, or a mask."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    return any(_is_positions(part, roots) for part in parts)


def _is_positions(part: Expr, roots: Roots) -> bool:
    match part:
        case Var():
            fact = roots.fact(part)
            # one position that is an array of rank 0 gives a view
            return fact.kind == "list" or (fact.is_array and bool(fact.rank))
        case Ref(_, held):
            return isinstance(held, list) or (isinstance(held, np.ndarray) and held.ndim > 0)
        case Op(name):
            return name == "list"
    return False


def _call_origin(call: Call, target: Var, roots: Roots) -> frozenset[Root]:
    match call.func:
        case Attr(_, "_replace"):  # of a gradient: every number in it is given
            fields = (origin(field, target, roots) for _, field in call.keywords)
            return frozenset({target}).union(*fields)
        case Attr(owner, "copy") if _may_hold(owner, roots):
            return held_inside(_shared_by(owner, target, roots)) | {target}
        case Attr(owner, name):
            return (
                _shared_by(owner, target, roots) | {target}
                if _may_view(name) or _may_not_copy(call)
                else frozenset({target})
            )
        case Ref("np.array") if not _may_not_copy(call):
            return frozenset({target})
        case Ref("np.asarray") if call.args and _is_listed(call.args[0]):
            return frozenset({target})
        case Ref("np.einsum") if _has_one_operand(call):
            return shared_by_parts(call, roots) | {target}  # a diagonal or a transpose is a view
        case Ref(text, value):
            shares = getattr(value, "shares", None)
            if shares is not None:  # the derivative of a called function says so itself
                return _union(call, shares, target, roots) | {target}
            if text in SCALAR_FUNCTIONS:
                return NOTHING
            if (
                text in NEW_OF_ARRAYS
                or value is copy.deepcopy
                or (text == "sum" and len(call.args) == 1)
            ):
                return frozenset({target})
            if text == "np.broadcast_to":
                return _of_first(call, target, roots) | {READ_ONLY}
            if text == "np.diag" and _is_of_vector(call, roots):
                return frozenset({target})
            if text in ("np.diag", "np.diagonal", "np.linalg.diagonal"):
                return _of_first(call, target, roots) | {target, READ_ONLY}
            if text == "_sum_to":
                return _of_first(call, target, roots)
            if text == "_shaped_as":
                return _of_first(call, target, roots) | {target}
            known = text.split(".")[0] in ("np", "math") and not isinstance(
                value, FunctionType | type
            )
            known = known or (text.startswith(PREFIX) and not isinstance(value, type))
            if known and text.rpartition(".")[2] not in VIEWS:
                return frozenset({target})
            if value is np.ndarray and len(call.args) == 1 and _takes_no_buffer(call):
                return frozenset({target})
            named = isinstance(value, FunctionType) and printed_name(value)
            if value == "printed" or named:
                given = call.args if text in MAY_RETURN_ARGUMENT else ()
                shared = (spread(origin(arg, target, roots)) for arg in given)
                return frozenset({target}).union(*shared)
            if text in HOLDING or value is copy.copy:
                held = (held_inside(spread(origin(arg, target, roots))) for arg in call.args)
                return frozenset({target}).union(*held)
            if is_python(call.func):
                return _python_origin(call, target, roots)
    return shared_by_parts(call, roots) | {target}


def _is_of_vector(call: Call, roots: Roots) -> bool:
    """Tell whether np.diag makes a matrix: what it gives of one is a view."""
    first = call.args[0] if call.args else None
    return isinstance(first, Var) and roots.fact(first).rank == 1


def _union(call: Call, positions: Iterable[int], target: Var, roots: Roots) -> frozenset[Root]:
    parts = (spread(origin(call.args[n], target, roots)) for n in positions)
    return frozenset[Root]().union(*parts)


def _takes_no_buffer(call: Call) -> bool:
    return all(name in ("shape", "dtype", "order") for name, _ in call.keywords)


def _of_first(call: Call, target: Var, roots: Roots) -> frozenset[Root]:
    return spread(origin(call.args[0], target, roots)) if call.args else NOTHING


def _python_origin(call: Call, target: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory that the result of a Python function may live in."""
    assert isinstance(call.func, Ref)
    handed = handed_back(call.func.value)
    try:
        given = arguments(call)
    except TypeError:
        handed = None
    if handed is None:
        return shared_by_parts(call, roots) | {target}
    objects = (name for name in handed.whole if isinstance(name, Ref))
    whole = [given[name] for name in handed.whole if isinstance(name, str) and name in given]
    shared = spread(frozenset[Root](objects).union(*(origin(v, target, roots) for v in whole)))
    lists = [given[name] for name in handed.held if name in given and _is_list(given[name], roots)]
    # it may be what it shares, or hold that
    return shared | held_inside(shared) | _same_items(lists, target, roots)


def _is_listed(value: Expr) -> bool:
    return isinstance(value, Ref) and isinstance(value.value, list | tuple)


def _may_hold(owner: Expr, roots: Roots) -> bool:
    """Tell whether a copy of something is that of a list or dict, and holds the same items."""
    match owner:
        case Ref(_, value):
            return isinstance(value, list | dict)
        case Var():
            fact = roots.fact(owner)
            outer = any(isinstance(root, Ref) for root in spread(roots.get(owner, NOTHING)))
            return fact.kind in HOLDERS or (outer and fact.kind == "unknown")
    return any(isinstance(part, Ref) and _is_object(part) for part in walk(owner))


def _may_view(name: str) -> bool:
    return name not in METHODS_THAT_COPY


def _may_not_copy(call: Call) -> bool:
    """Tell whether a call asks for a copy only where there has to be one: astype(..., copy=False)."""
    return any(name == "copy" and value != Const(True) for name, value in call.keywords) or (
        isinstance(call.func, Attr) and call.func.name == "astype" and len(call.args) > 4
    )


def _has_one_operand(call: Call) -> bool:
    if call.args and isinstance(call.args[0], Const):
        return len(call.args) == 2
    return len(call.args) < 4  # operands and lists of their axes in turn
