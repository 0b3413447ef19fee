"""Loops over the parts of a record, or over its keys, are written out pass by pass.

for k, v in d.items():          k = "u"; v = d_u$1; total = total + v
    total = total + v           k = "v"; v = d_v$1; total = total + v
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.desugar.factories import gives_function, is_factory
from s2sad.desugar.syntax import own_nodes
from s2sad.errors import Unsupported
from s2sad.parse import reads_of, resolve_dotted
from s2sad.plain import makes_records
from s2sad.program import Const, Expr, Var
from s2sad.scope import Scope, is_words
from s2sad.statics import records
from s2sad.statics.abreast import abreast, row_length
from s2sad.statics.kinds import Function, Record
from s2sad.statics.ordered import order_of
from s2sad.trees import nodes_of


def unrolled(node: Any, scope: Scope) -> list[Any] | None:
    """Return a loop over the parts of a record, or over its keys, written out."""
    leaves = (gast.Break, gast.Continue, gast.Return)
    left = node.orelse or any(isinstance(part, leaves) for part in own_nodes(node.body))
    passes, together = _passes(node, scope), abreast(node, scope) or _side_by_side(node, scope)
    if passes is None and together is None and not left:
        passes = _of_functions(node, scope) or _of_options(node, scope)
    if passes is None and together is None:
        return None
    if left:
        raise Unsupported(
            "a loop over the parts of what is made here cannot be left",
            scope.span(node),
            "Write it as branches, or without break, continue and return.",
        )
    if passes is None:
        return together
    out: list[Any] = []
    for key, value in passes:
        out += _bound(node.target, key, value, node)
        out += _with_key(node, key, value is None)
    return out


def _functions_in(body: list[Any]) -> Iterator[Any]:
    nodes = (part for stmt in body for part in nodes_of(stmt))
    return (part for part in nodes if isinstance(part, gast.Lambda | gast.FunctionDef))


# a key, and the slot or the syntax of the value where that is gone through
Pass = tuple[Any, Any]


def _passes(node: Any, scope: Scope) -> list[Pass] | None:
    """Return what a loop goes through, pass by pass, where that is known."""
    through, order = order_of(node.iter, scope)
    record, what = _gone_through(through, scope)
    if record is not None:
        keys = records.keys_of(record, scope, node)
        if order is not None:
            known = order(keys, what) if record.kind is dict else None
            if known is None:
                return None
            keys = tuple(known)
        if what == "reversed":
            keys, what = keys[::-1], "values"
        slots = [
            None if what == "keys" else records.known_as_name(records.slot_of(record, key), scope)
            for key in keys
        ]
        keys = tuple(range(len(keys))) if what == "counted" else keys
        return [(key if what != "values" else None, s) for key, s in zip(keys, slots, strict=True)]
    known = _known_items(node.iter, scope)
    if known and len(known) <= UNROLLED and (_is_key(node, scope) or _collects(node, scope)):
        return [(key, None) for key in known]
    return None


def _of_functions(node: Any, scope: Scope) -> list[Pass] | None:
    """Return the passes of a loop that calls each item of a list: which function that is is known."""
    at, back = node.iter, False
    match at:
        case gast.Call(func=gast.Name(id="reversed"), args=[inner]):
            at, back = inner, True
    count = _functions_at(at, scope)
    names = {part.id for part in nodes_of(node.target) if isinstance(part, gast.Name)}
    if count is None or not any(names & _called_in(stmt) for stmt in node.body):
        return None
    places = range(count)[::-1] if back else range(count)
    keys = (gast.copy_location(gast.Constant(place, None), at) for place in places)
    return [(None, gast.copy_location(gast.Subscript(at, key, gast.Load()), at)) for key in keys]


def _of_options(node: Any, scope: Scope) -> list[Pass] | None:
    """Return the passes of a loop over options, texts among them, that calls are given: 1, "fro"."""
    shown = gast.Tuple | gast.List | gast.Name
    if not isinstance(node.target, gast.Name) or not isinstance(node.iter, shown):
        return None
    known = _known_items(node.iter, scope) or []
    texts = any(isinstance(each, str) for each in known)
    given = any(node.target.id in _called_in(stmt) for stmt in node.body)
    given = given or any(node.target.id in _named_in(stmt) for stmt in node.body)
    return [(key, None) for key in known] if texts and given and len(known) <= UNROLLED else None


def _named_in(stmt: Any) -> set[str]:
    """Return the names that are handed to a call under another name: ord=o."""
    calls = [part for part in nodes_of(stmt) if isinstance(part, gast.Call)]
    values = [each.value for call in calls for each in call.keywords]
    return {each.id for each in values if isinstance(each, gast.Name)}


def _functions_at(iterable: Any, scope: Scope) -> int | None:
    """Return how many stand in a list of functions that is the function's own; None for others."""
    if not isinstance(iterable, gast.Name) or iterable.id not in scope.locals:
        return None
    static = scope.static(iterable.id)
    if _is_row(static):
        slots = [records.slot_of(static, key) for key in records.keys_of(static, scope, iterable)]  # type: ignore[arg-type]
        held = [scope.apart(Var(slot, 0)) for slot in slots]
        return len(held) if any(isinstance(each, Function) for each in held) else None
    if static is not None or not scope.has(iterable.id):
        return None
    shown = scope.held.displays.get(scope.value(iterable.id))
    if shown is None or len(shown) > UNROLLED:
        return None
    return len(shown) if all(scope.on_value(each, scope) for each in shown) else None


def _called_in(stmt: Any) -> set[str]:
    """Return the names that are called somewhere, or handed to a call."""
    calls = [part for part in nodes_of(stmt) if isinstance(part, gast.Call)]
    parts = [each for call in calls for each in (call.func, *call.args)]
    return {each.id for each in parts if isinstance(each, gast.Name)}


def _side_by_side(node: Any, scope: Scope) -> list[Any] | None:
    """Return `for k, v in zip("ab", u)`, and with enumerate, written out where k is a key."""
    target, iterable = node.target, node.iter
    if not isinstance(target, gast.Tuple | gast.List):
        return None
    listed = [_functions_at(part, scope) for part in getattr(iterable, "args", ())]
    if not any(listed) and not _is_key(node, scope):
        return None
    match iterable:
        case gast.Call(func=gast.Name(id="zip"), args=parts) if parts:
            pass
        case gast.Call(func=gast.Name(id="enumerate"), args=[part], keywords=[]):
            count = len(_known_items(part, scope) or ()) or listed[0] or 0
            listed = [count, *listed]
            numbers = [gast.copy_location(gast.Constant(n, None), part) for n in range(count)]
            parts = [gast.copy_location(gast.Tuple(numbers, gast.Load()), part), part]
        case _:
            return None
    known = [_known_items(part, scope) for part in parts]
    counts = [len(each) for each in known if each is not None] + [n for n in listed if n]
    if len(parts) != len(target.elts) or not counts or not 0 < min(counts) <= UNROLLED:
        return None
    first: list[Any] = []
    for at, part in enumerate(parts):
        if not known[at] and isinstance(part, gast.Tuple | gast.List):
            parts[at] = _with_name(part, first, scope)
    if not all(each or isinstance(p, gast.Name) for each, p in zip(known, parts, strict=True)):
        return None
    return first + [
        stmt
        for place in range(min(counts))
        for stmt in _side_by_side_pass(node, list(zip(parts, known, strict=True)), place)
    ]


def _with_name(shown: Any, first: list[Any], scope: Scope) -> Any:
    """Give a display a name of its own, in a statement before the loop."""
    name = f"items%k{scope.numbers.key()}"
    scope.locals |= {name}
    first.append(
        _assign(gast.copy_location(gast.Name(name, gast.Store(), None, None), shown), shown)
    )
    return gast.copy_location(gast.Name(name, gast.Load(), None, None), shown)


def _side_by_side_pass(node: Any, parts: list[Any], place: int) -> list[Any]:
    """Return one pass: what is known is put in for its name, the rest read at its place."""
    out, body = [], copy.deepcopy(node.body)
    for target, (part, known) in zip(node.target.elts, parts, strict=True):
        at = gast.copy_location(gast.Constant(place, None), part)
        value = gast.copy_location(gast.Subscript(part, at, gast.Load()), part)
        if known is not None:
            value = gast.copy_location(gast.Constant(known[place], None), part)
            if isinstance(target, gast.Name) and target.id not in _changing(body):
                body = list(map(_Spelled(target.id, known[place]).visit, body))
        out.append(_assign(copy.deepcopy(target), value))
    return [*out, *body]


def _changing(body: list[Any]) -> set[str]:
    """Return the names that a body gives values, and those that functions made in it read later."""
    parts = (part for stmt in body for part in nodes_of(stmt) if isinstance(part, gast.Name))
    stored = {part.id for part in parts if not isinstance(part.ctx, gast.Load)}
    return stored | {name for made in _functions_in(body) for name in reads_of(made)}


UNROLLED = 24  # passes that are written out where each uses a key of its own


def _known_items(iterable: Any, scope: Scope) -> list[Any] | None:
    if isinstance(iterable, gast.Constant) and isinstance(iterable.value, str):
        return list(iterable.value)
    if isinstance(iterable, gast.Name) and iterable.id in scope.locals and scope.has(iterable.id):
        text = scope.held.constants.get(scope.value(iterable.id))
        if text is not None and isinstance(text.value, str):
            return list(text.value)
        shown = scope.held.displays.get(scope.value(iterable.id), ())
        return (
            [each.value for each in shown if isinstance(each, Const)] if _all_known(shown) else None
        )
    if isinstance(iterable, gast.Name) and iterable.id not in scope.locals:
        words = scope.source.resolve(iterable.id)
        return list(words) if is_words(words) else None
    if isinstance(iterable, gast.Tuple | gast.List):
        found = [records.literal(each) for each in iterable.elts]
        return None if None in found else found
    match iterable:
        case gast.Call(func=gast.Name(id="range"), args=args) if args:
            ends = [_whole_number(each, scope) for each in args]
            return list(range(*ends)) if all(isinstance(each, int) for each in ends) else None
    return None


def _whole_number(node: Any, scope: Scope) -> Any:
    """Return a number that is written out, or is the length of a list of objects."""
    match node:
        case gast.Call(func=gast.Name(id="len"), args=[part]) if "len" not in scope.locals:
            return row_length(part, scope)
    return records.literal(node)


def _all_known(shown: tuple[Expr, ...]) -> bool:
    return bool(shown) and all(isinstance(each, Const) for each in shown)


def _collects(node: Any, scope: Scope) -> bool:
    """Tell whether the body of a loop puts dicts, objects or functions that it makes on a list."""
    made = {part.name for part in _functions_in(node.body) if hasattr(part, "name")}
    for part in (part for stmt in node.body for part in nodes_of(stmt)):
        match part:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append"), args=[arg])):
                if scope.opens(part) and _is_function(arg, made, scope):
                    return True
        match part:
            case gast.Call(func=gast.Attribute(attr="append"), args=[gast.Dict()]):
                return True
            case gast.Call(
                func=gast.Attribute(attr="append"), args=[gast.Call(func=gast.Name() as called)]
            ):
                found = (
                    resolve_dotted(scope.source, called) if called.id not in scope.locals else None
                )
                if found is not None and makes_records(found[1]):
                    return True
    return False


def _is_function(arg: Any, made: set[str], scope: Scope) -> bool:
    """Tell whether syntax gives a function: a lambda, one made under a name, a partial object."""
    match arg:
        case gast.Name(id=name):
            return name in made
        case gast.Call(func=func):
            found = resolve_dotted(scope.source, func)
            value = None if found is None else found[1]
            return value is functools.partial or is_factory(value) or _makes_one(func, scope)
    return isinstance(arg, gast.Lambda)


def _makes_one(func: Any, scope: Scope) -> bool:
    """Tell whether a function that is made inside, and called here, makes another one."""
    static = scope.static(func.id) if isinstance(func, gast.Name) else None
    return isinstance(static, Function) and static.node and gives_function(static.node)


def _is_key(node: Any, scope: Scope) -> bool:
    """Tell whether the target of a loop is a key with which its body looks into a record."""
    named = {p.id for p in nodes_of(node.target) if isinstance(p, gast.Name)}
    for part in (part for stmt in node.body for part in nodes_of(stmt)):
        match part:
            case gast.Subscript(
                value=gast.Name(id=owner), slice=gast.Name() | gast.JoinedStr() as key
            ):
                pass
            case gast.Call(
                func=gast.Name(id="getattr" | "setattr" | "hasattr"),
                args=[gast.Name(id=owner), gast.Name() | gast.JoinedStr() as key, *_],
            ):
                pass
            case _:
                continue
        keys = {p.id for p in nodes_of(key) if isinstance(p, gast.Name)}
        if keys and keys <= named and isinstance(scope.static(owner), Record):
            return True
    return False


def _gone_through(iterable: Any, scope: Scope) -> tuple[Record | None, str]:
    """Return the record that a loop goes through, and what of it: keys, values, or both."""
    fields = getattr(iterable, "s2sad_fields", None)
    if fields is not None:  # of `vars(o).items()`
        return fields  # type: ignore[no-any-return]
    match iterable:
        case gast.Name():
            static, what = scope.static(iterable.id), ""
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=what), args=[]):
            static = scope.static(name) if what in ("keys", "values", "items") else None
        case gast.Call(func=gast.Name(id="enumerate"), args=[gast.Name(id=name)], keywords=[]):
            static, what = scope.static(name), "counted"
            return (static, what) if _is_row(static) else (None, "")  # type: ignore[return-value]
        case gast.Call(func=gast.Name(id="reversed"), args=[gast.Name(id=name)]):
            static, what = scope.static(name), "reversed"
            return (static, what) if _is_row(static) else (None, "")  # type: ignore[return-value]
        case gast.Call(func=gast.Name(id="list" | "tuple"), args=[inner], keywords=[]):
            return _gone_through(inner, scope)
        case _:
            return None, ""
    if _is_row(static):
        return static, "values"  # type: ignore[return-value]
    if isinstance(static, Record) and static.kind is dict:
        return static, what or "keys"
    return None, ""


def _is_row(static: Any) -> bool:
    return isinstance(static, Record) and issubclass(static.kind, tuple | list)


def _bound(target: Any, key: Any, slot: Any, node: Any) -> list[Any]:
    """Return the statements that give the targets of a pass their values."""
    spelled = gast.copy_location(gast.Constant(key, None), node.iter)
    if slot is None:
        return [_assign(target, spelled)]
    value = slot
    if isinstance(slot, str):
        value = gast.copy_location(gast.Name(slot, gast.Load(), None, None), node.iter)
    if key is None:
        return [_assign(target, value)]
    if isinstance(target, gast.Tuple | gast.List):
        return [_assign(target.elts[0], spelled), _assign(target.elts[1], value)]
    pair = gast.copy_location(gast.Tuple([spelled, value], gast.Load()), node.iter)
    return [_assign(target, pair)]


def _assign(target: Any, value: Any) -> Any:
    return gast.copy_location(gast.Assign([target], value, None), target)


def _with_key(node: Any, key: Any, alone: bool) -> list[Any]:
    """Return the body with the name of the key replaced by the key itself."""
    target = node.target
    named = target.elts[0] if isinstance(target, gast.Tuple | gast.List) else target
    body: list[Any] = copy.deepcopy(node.body)
    if key is None or not isinstance(named, gast.Name) or not (alone or named is not target):
        return body
    return body if named.id in _changing(body) else list(map(_Spelled(named.id, key).visit, body))


class _Spelled(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, name: str, key: Any):
        self.name, self.key = name, key

    def visit_Name(self, node: Any) -> Any:
        if node.id != self.name:
            return node
        return gast.copy_location(gast.Constant(self.key, None), node)
