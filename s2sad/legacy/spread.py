"""What `*` and `**` stand for in a call is written out, where it is known how many parts that has.

f(t, *args)         f(t, args[0], args[1])          args = (k, c)
g(*row[1:3])        g(row[1], row[2])
np.hypot(*parts)    np.hypot(parts[0], parts[1])
h(x, **p)           h(x, k=p["k"], c=p["c"])        p = {"k": k, "c": c}
model(t, *w)        a, k = w; model(t, a, k)        def model(t, a, k): ...
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from inspect import Parameter
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.legacy.desugar.syntax import with_
from s2sad.legacy.held import Keys
from s2sad.legacy.program import Assign, Const, Expr, Op, Ref, Var
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics.kinds import Function, Record
from s2sad.legacy.statics.parameters import signature
from s2sad.legacy.statics.records import is_constant, keys_of, known_as_name, slot_of
from s2sad.source.plain import makes_records
from s2sad.source.text import resolve_dotted, signature_of
from s2sad.source.trees import nodes_of


def spread(node: Any, scope: Scope) -> Any:
    """Return a call with what `*` and `**` stand for written out, where that is known."""
    if not any(isinstance(each, gast.Starred) for each in node.args) and not any(
        each.arg is None for each in node.keywords
    ):
        return node
    made = copy.copy(node)
    made.args = [part for each in node.args for part in _starred(each, scope)]
    made.keywords = [part for each in node.keywords for part in _keywords(each, scope)]
    return made


def of_ufunc(func: Expr, args: tuple[Expr, ...], node: Any, scope: Scope) -> tuple[Expr, ...]:
    """Return the operands of a function of NumPy's that takes a fixed number: np.hypot(*gradient)."""
    ufunc = func.value if isinstance(func, Ref) else None
    stars = [arg for arg in args if isinstance(arg, Op) and arg.op == "star"]
    if not isinstance(ufunc, np.ufunc) or len(stars) != 1 or not isinstance(stars[0].args[0], Var):
        return args
    at, (whole,) = args.index(stars[0]), stars[0].args
    keys = map(Const, range(ufunc.nin - len(args) + 1))
    parts = [scope.temp(Op("index", (whole, key)), node) for key in keys]
    return (*args[:at], *parts, *args[at + 1 :])


MOST_DEFAULTS = 4  # of which any number may be left out

# ---------------------------------------------------------------- as many as the function takes


def unpacked(node: Any, scope: Scope, atom: Callable[[Any, Scope], Expr]) -> Any:
    """Return a call with what is starred unpacked before: into as many names as are still needed.

    Only a function that cannot do with fewer or more tells how many those are.
    """
    if any(each.arg is None for each in node.keywords):
        return _dicts_computed(node, scope, atom)
    stars = [each for each in node.args if isinstance(each, gast.Starred)]
    if len(stars) != 1:
        return node
    names = _left_to_give(node, scope)
    if not names:
        return node
    at, made = node.args.index(stars[0]), copy.copy(node)
    called = any(isinstance(part, gast.Call) for part in nodes_of(stars[0]))
    before = _held_before if called else _computed
    first = [before(each, scope, atom) for each in node.args[:at]]
    value = atom(stars[0].value, scope)
    if not isinstance(value, Var) or scope.apart(value) is not None:
        whole = with_(stars[0], value=_named(value, stars[0], scope))
        made.args = [*first, whole, *node.args[at + 1 :]]
        return spread(made, scope)
    parts = tuple(map(scope.numbers.temp, names))
    scope.emit(Assign(parts, value, scope.span(node), unpack=True))
    given = [_named(part, stars[0], scope) for part in parts]
    made.args = [*first, *given, *node.args[at + 1 :]]
    return made


def _dicts_computed(node: Any, scope: Scope, atom: Callable[[Any, Scope], Expr]) -> Any:
    """Return a call in which what `**` stands for is computed before, and what comes before that."""
    known = (gast.Name, gast.Subscript)
    made = [
        each for each in node.keywords if each.arg is None and not isinstance(each.value, known)
    ]
    if not made or not scope.opens_here(node):
        return node
    args = [_held_before(each, scope, atom) for each in node.args]
    keywords = [with_(each, value=_held_before(each.value, scope, atom)) for each in node.keywords]
    return spread(with_(node, args=args, keywords=keywords), scope)


def _held_before(arg: Any, scope: Scope, atom: Callable[[Any, Scope], Expr]) -> Any:
    """Return the name of an argument: a call in what stands behind it may change what it reads."""
    kept = isinstance(arg, gast.Name) and scope.slot(arg.id) not in scope.changing
    if kept or isinstance(arg, gast.Constant | gast.Starred | gast.Lambda):
        return arg
    return _named(atom(arg, scope), arg, scope)


def _computed(arg: Any, scope: Scope, atom: Callable[[Any, Scope], Expr]) -> Any:
    """Return an argument that stands before a star; a call in it may change what is starred."""
    if not any(isinstance(part, gast.Call) for part in nodes_of(arg)):
        return arg
    return _named(atom(arg, scope), arg, scope)


def _named(value: Expr, at: Any, scope: Scope) -> Any:
    """Return the name of a value that was computed before."""
    if isinstance(value, Const):
        return gast.copy_location(gast.Constant(value.value, None), at)
    held = value if isinstance(value, Var) else scope.temp(value, at)
    name = known_as_name(held.slot, scope)
    if scope.apart(held) is None:
        scope.held.values[name] = held
    return gast.copy_location(gast.Name(name, gast.Load(), None, None), at)


def _left_to_give(node: Any, scope: Scope) -> list[str]:
    """Return the parameters that a call's one star is for; none where it could be fewer or more."""
    plain = _plain_parameters(node, scope)
    by_default = any(each.default is not Parameter.empty for each in plain)
    if by_default and not getattr(node, "s2sad_all_given", False):
        return []
    at = _place_of_star(node)
    return [each.name for each in plain[at : len(plain) - (len(node.args) - at - 1)]]


def _place_of_star(node: Any) -> int:
    return next(i for i, each in enumerate(node.args) if isinstance(each, gast.Starred))


def _plain_parameters(node: Any, scope: Scope) -> list[Parameter]:
    """Return what a function takes by position, but for what is given by name; none with *args."""
    found = _signature(node.func, scope)
    if found is None:
        return []
    named = {each.arg for each in node.keywords}
    needed = [each for each in found.parameters.values() if each.name not in named]
    plain = [each for each in needed if each.kind is not Parameter.KEYWORD_ONLY]
    known = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return [] if any(each.kind not in known for each in plain) else plain


def by_length(node: Any, scope: Scope) -> Any:
    """Return a call with `*w` of a function with defaults as one for each number that w may hold.

    model(t, *w)    ->    model(t, w[0]) if len(w) == 1 else model(t, *w), which is given all
    """
    stars = [each.value for each in node.args if isinstance(each, gast.Starred)]
    if len(stars) != 1 or any(each.arg is None for each in node.keywords):
        return None
    if getattr(node, "s2sad_all_given", False) or not _is_value(stars[0], scope):
        return None
    plain, at = _plain_parameters(node, scope), _place_of_star(node)
    fewer = sum(each.default is not Parameter.empty for each in plain[at:])
    most = len(plain) - at
    if at != len(node.args) - 1 or not 0 < fewer <= MOST_DEFAULTS or "len" in scope.locals:
        return None
    made = copy.copy(node)
    made.s2sad_all_given = True
    for count in reversed(range(most - fewer, most)):
        items = [_item(stars[0], place) for place in range(count)]
        called = with_(node, args=[*node.args[:at], *items])
        length = gast.Call(gast.Name("len", gast.Load(), None, None), [stars[0]], [])
        test = gast.Compare(length, [gast.Eq()], [gast.Constant(count, None)])
        made = gast.IfExp(test, called, made)
        for part in (length.func, length, test, test.comparators[0], made):
            gast.copy_location(part, node)
    return made


def _is_value(node: Any, scope: Scope) -> bool:
    """Tell whether syntax is the name of a value of the function's own, parts of which are not known."""
    if not isinstance(node, gast.Name) or node.id not in scope.locals:
        return False
    return scope.has(node.id) and scope.static(node.id) is None


def _signature(func: Any, scope: Scope) -> inspect.Signature | None:
    """Return what a function takes that is known where it is called."""
    if isinstance(func, gast.Name) and func.id in scope.locals:
        made = _made_inside(func.id, scope)
        return None if made is None else signature(made.args)
    if isinstance(func, gast.Attribute):
        kind = _class_of(func.value, scope)
        found = inspect.getattr_static(kind, func.attr, None) if kind is not None else None
        if isinstance(found, FunctionType):
            taken = list(signature_of(found).parameters.values())
            return inspect.Signature(taken[1:])
    root = func
    while isinstance(root, gast.Attribute):
        root = root.value
    if not isinstance(root, gast.Name) or root.id in scope.locals:
        return None
    resolved = resolve_dotted(scope.source, func)
    value = None if resolved is None else resolved[1]
    if isinstance(value, FunctionType):
        return signature_of(value)
    return inspect.signature(value) if value is not None and makes_records(value) else None


def _class_of(owner: Any, scope: Scope) -> type | None:
    """Return the class of an object that is taken apart here, or made for one call of a method."""
    match owner:
        case gast.Name(id=name):
            kind = getattr(scope.static(name), "kind", None)
        case gast.Call(func=gast.Name(id=name) as made) if name not in scope.locals:
            kind = (resolve_dotted(scope.source, made) or ("", None))[1]
        case _:
            return None
    return kind if isinstance(kind, type) else None


def _made_inside(name: str, scope: Scope) -> Any:
    """Return the `def` or `lambda` that a name stands for, and nothing but that."""
    static = scope.static(name)
    if isinstance(static, Function):
        return static.node
    made, bound = [], 0
    for part in nodes_of(scope.source.tree):
        match part:
            case gast.FunctionDef(name=own) if own == name:
                made.append(part)
                bound += 1
            case gast.Assign(targets=[gast.Name(id=own)], value=gast.Lambda() as value) if (
                own == name
            ):
                made.append(value)
            case gast.Name(id=own, ctx=gast.Store() | gast.Param()) if own == name:
                bound += 1
    return (
        made[0] if len(made) == bound == 1 and not getattr(made[0], "decorator_list", 0) else None
    )


# ---------------------------------------------------------------- as many as it surely holds


def _starred(arg: Any, scope: Scope) -> list[Any]:
    match arg:
        case gast.Starred(value=gast.Tuple(elts=parts) | gast.List(elts=parts)):
            return [part for each in parts for part in _starred(each, scope)]
        case gast.Starred(value=gast.Subscript(value=gast.Name() as owner, slice=key)):
            places = _places(key)
            return [arg] if places is None else [_item(owner, at) for at in places]
        case gast.Starred(value=gast.Name(id=name)) if scope.static(name) or (
            name in scope.locals and scope.has(name)
        ):
            shown = scope.held.displays.get(scope.value(name)) if scope.has(name) else None
            held = shown if shown is not None else _keys(arg.value, scope)
            if held is not None and shown is None and _is_dict(name, scope):
                return [_constant(key, arg) for key in held]
            if held is not None:
                return [_item(arg.value, at) for at in range(len(held))]
    return [arg]


def _is_dict(name: str, scope: Scope) -> bool:
    """Tell whether a name holds a dict, of which `*` gives the keys."""
    record, slot = scope.static(name), scope.slot(name)
    if isinstance(record, Record):
        return record.kind is dict
    known = scope.held.keyed.get(scope.held.values[slot]) if slot in scope.held.values else None
    return known is not None and known.of_dict


def _constant(key: Any, at: Any) -> Any:
    return gast.copy_location(gast.Constant(key, None), at)


def _places(key: Any) -> range | None:
    """Return the positions of a slice whose ends are written out: `1:3`."""
    if not isinstance(key, gast.Slice) or key.step is not None:
        return None
    first = 0 if key.lower is None else getattr(key.lower, "value", None)
    last = getattr(key.upper, "value", None)
    if type(first) is not int or type(last) is not int or not 0 <= first <= last:
        return None
    return range(first, last)


def _item(owner: Any, key: Any) -> Any:
    place = _constant(key, owner)
    return gast.copy_location(gast.Subscript(value=owner, slice=place, ctx=gast.Load()), owner)


def _keywords(keyword: Any, scope: Scope) -> list[Any]:
    if keyword.arg is not None:
        return [keyword]
    shown = keyword.value
    if isinstance(shown, gast.Dict):
        shown_pairs = _pairs(shown, scope)
        if shown_pairs is None or not all(isinstance(key, str) for key in shown_pairs):
            return [keyword]
        return [gast.keyword(arg=key, value=value) for key, value in shown_pairs.items()]
    keys = _keys(shown, scope)
    if keys is None or not all(isinstance(key, str) for key in keys):
        return [keyword]
    return [gast.keyword(arg=key, value=_item(shown, key)) for key in keys]


def _pairs(shown: Any, scope: Scope) -> dict[Any, Any] | None:
    """Return the pairs of a dict display, those of `**d` in it where the keys of d are known."""
    pairs: dict[Any, Any] = {}
    for key, value in zip(shown.keys, shown.values, strict=True):
        if isinstance(key, gast.Constant):
            pairs[key.value] = value
            continue
        keys = _keys(value, scope) if key is None else None
        if keys is None:
            return None
        pairs |= {each: _item(value, each) for each in keys}
    return pairs


def _keys(node: Any, scope: Scope) -> tuple[Any, ...] | None:
    """Return the keys of a dict, or the places of a tuple; None where they are not known."""
    found = _held(node, scope)
    return None if found is None else tuple(found)


def _held(node: Any, scope: Scope) -> dict[Any, Any] | None:
    """Return what is known of what a dict or tuple holds, by its keys."""
    match node:
        case gast.Name(id=name):
            if name not in scope.locals:
                return _of_module(scope.source.resolve(name))
            return _of_slot(scope.slot(name), scope)
        case gast.Subscript(value=owner, slice=gast.Constant(value=key)):
            if _is_of_module(owner, scope):
                return _of_module(_of_constant(node, scope))
            inner = (_held(owner, scope) or {}).get(key)
            return _of_slot(inner, scope) if isinstance(inner, str) else _by_key(inner)
    return None


def _is_of_module(node: Any, scope: Scope) -> bool:
    while isinstance(node, gast.Subscript):
        node = node.value
    return isinstance(node, gast.Name) and node.id not in scope.locals


def _of_constant(node: Any, scope: Scope) -> Any:
    """Return what stands in a dict of the module under keys that are written out."""
    if isinstance(node, gast.Name):
        return scope.source.resolve(node.id)
    whole, key = _of_constant(node.value, scope), getattr(node.slice, "value", None)
    return whole.get(key) if is_constant(whole) else None


def _of_module(value: Any) -> dict[Any, Any] | None:
    """Return the keys of a dict that is a constant of the module."""
    return dict.fromkeys(value) if is_constant(value) else None


def _of_slot(slot: str, scope: Scope) -> dict[Any, Any] | None:
    record = scope.record(Var(slot, 0))
    if record is not None and record.kind in (dict, list, tuple):
        return {key: slot_of(record, key) for key in keys_of(record, scope, None)}
    return (
        _by_key(scope.held.keyed.get(scope.held.values[slot]))
        if slot in scope.held.values
        else None
    )


def _by_key(keys: Keys | None) -> dict[Any, Any] | None:
    return None if keys is None else dict(keys.items)
