"""Entries of a dict whose key is computed: a branch for each key that the dict has.

v = d[k]                 if k == "a": v = d_a$1 elif k == "b": v = d_b$1 else: raise KeyError(k)
d[k].append(x)           if k == "a": d["a"].append(x) elif ...
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.ir.errors import Unsupported, WritesInside
from s2sad.legacy.lower import atom
from s2sad.legacy.program import Assign, Call, Const, Effect, Expr, If, Merge, Op, Opaque, Ref, Var
from s2sad.legacy.scope import Scope, block_of
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Record
from s2sad.source.trees import nodes_of

MOST = 24  # keys that are told apart


def read(record: Record, node: Any, scope: Scope, nested: bool) -> Expr:
    """Return what a dict has under a key that is computed.

    Raise KeyError, when it runs, for a key that is none of those known here.
    """
    if not _are_plain(records.items(record, scope, node), scope):
        records.constant(node.slice, scope)
    _refuse_nested(nested, node, scope)
    name = scope.called_after
    scope.called_after = "key"
    key = atom(node.slice, scope)
    scope.called_after = name
    return found(record, key, None, node, scope)


def get(record: Record, call: Call, node: Any, scope: Scope, nested: bool) -> Expr | None:
    """Return what `d.get(k, default)` gives for a key that is computed; None for other calls."""
    if len(call.args) != 2 or isinstance(call.args[0], Const):
        return None
    if not _are_plain(records.items(record, scope, node), scope) or scope.record(call.args[1]):
        return None
    _refuse_nested(nested, node, scope)
    return found(record, call.args[0], call.args[1], node, scope)


def found(record: Record, key: Expr, default: Expr | None, node: Any, scope: Scope) -> Var:
    """Return what a dict has under a key, or the default."""
    held = list(records.items(record, scope, node).items())
    named = key if isinstance(key, Var) else scope.temp(key, node)
    return _among(named, held, default, scope.numbers.temp(scope.called_after), node, scope)


def _refuse_nested(nested: bool, node: Any, scope: Scope) -> None:
    if nested:
        raise WritesInside(
            "a dict is read under a computed key inside a test or an expression that may not run",
            scope.span(node),
            "Read it in a statement of its own.",
        )


def _are_plain(held: dict[Any, Expr], scope: Scope) -> bool:
    simple = all(isinstance(key, str | int | float | bool) for key in held)
    return simple and 0 < len(held) <= MOST and not any(map(scope.record, held.values()))


def _among(
    key: Var,
    held: list[tuple[Any, Expr]],
    default: Expr | None,
    result: Var,
    node: Any,
    scope: Scope,
) -> Var:
    (word, value), *others = held
    where = scope.span(node)
    with scope.block() as then:
        first = _given(result, value, node, scope)
    other = None
    with scope.block() as orelse:
        if others:
            other = _among(key, others, default, result, node, scope)
        elif default is not None:
            other = _given(result, default, node, scope)
        else:
            scope.emit(_missing(key, node, scope))
    merged = scope.numbers.next(result.slot)
    merges = (Merge(merged, first, other),)
    test = Op("==", (key, Const(word)))
    number = scope.numbers.key()
    scope.emit(If(test, block_of(then), block_of(orelse), merges, where, number))
    return merged


def _given(result: Var, value: Expr, node: Any, scope: Scope) -> Var:
    made = scope.numbers.next(result.slot)
    scope.emit(Assign((made,), value, scope.span(node)))
    return made


def _missing(key: Var, node: Any, scope: Scope) -> Effect:
    """Return the statement that raises what a dict raises for a key that it has not."""
    raised = _raise("key", node)
    return Effect(
        Opaque(raised, (("key", key),), (), (Ref("KeyError", KeyError),), scope.span(node)),
        scope.span(node),
    )


# ---------------------------------------------------------------------------- changes


def written_out(node: Any, scope: Scope) -> list[Any] | None:
    """Return a statement that changes what stands under a computed key, for each key it may be."""
    if not scope.held.statics or not isinstance(node, gast.AugAssign | gast.Assign | gast.Expr):
        return None
    entry = next(_changed_entries(node, scope), None)
    if entry is None:
        return None
    record = scope.static(entry.value.id)
    keys = records.keys_of(record, scope, node)  # type: ignore[arg-type]
    _refuse_new_key(node, entry, scope)
    if not keys or len(keys) > MOST:
        return None
    out: list[Any] = []
    name = entry.slice
    if not isinstance(name, gast.Name):
        name = gast.Name(f"key%k{scope.numbers.key()}", gast.Store(), None, None)
        scope.locals |= {name.id}
        out.append(_at(gast.Assign([name], entry.slice, None), node))
    made: list[Any] = [_raise(name.id, node)]
    for key in reversed(keys):
        spelled = _at(gast.Constant(key, None), entry)
        read_ = _at(gast.Name(name.id, gast.Load(), None, None), entry)
        test = _at(gast.Compare(read_, [gast.Eq()], [spelled]), node)
        put = _Spelled(gast.dump(entry.value), gast.dump(entry.slice), spelled)
        made = [_at(gast.If(test, [put.visit(copy.deepcopy(node))], made), node)]
    return [*out, *made]


def _changed_entries(node: Any, scope: Scope) -> Iterator[Any]:
    """Yield the entries under computed keys that a statement writes to, or calls a method of."""
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    match node:
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=owner))):
            targets = [owner]
    for part in (part for each in targets if each is not None for part in nodes_of(each)):
        match part:
            case gast.Subscript(value=gast.Name(id=owner), slice=key):
                static = scope.static(owner)
                if isinstance(static, Record) and static.kind is dict:
                    if records.spelled(key, scope) is None:
                        yield part


def _refuse_new_key(node: Any, entry: Any, scope: Scope) -> None:
    """Refuse to store under a key which the dict may not have yet."""
    if not isinstance(node, gast.Assign) or entry not in node.targets:
        return
    spelled = gast.dump(gast.Subscript(entry.value, entry.slice, gast.Load()))
    if not any(gast.dump(part) == spelled for part in nodes_of(node.value)):
        raise Unsupported(
            "a key of this dict is not known here",
            scope.span(entry),
            "Use keys that are written out, or a list. To change what is there: d[k] = d[k] + v.",
        )


class _Spelled(gast.NodeTransformer):  # type: ignore[misc]
    """Spells the key of an entry out."""

    def __init__(self, owner: str, key: str, spelled: Any):
        self.owner, self.key, self.spelled = owner, key, spelled

    def visit_Subscript(self, node: Any) -> Any:
        self.generic_visit(node)
        if (gast.dump(node.value), gast.dump(node.slice)) != (self.owner, self.key):
            return node
        return _at(gast.Subscript(node.value, self.spelled, node.ctx), node)


def _raise(name: str, node: Any) -> Any:
    made = gast.Raise(
        exc=gast.Call(
            func=gast.Name("KeyError", gast.Load(), None, None),
            args=[gast.Name(name, gast.Load(), None, None)],
            keywords=[],
        ),
        cause=None,
    )
    for part in nodes_of(made):
        gast.copy_location(part, node)
    return made


def _at(made: Any, node: Any) -> Any:
    return gast.copy_location(made, node)
