"""A statement becomes part of a Program; what is not known is copied, which needs it to be inactive."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch
from typing import Any

import gast

from s2sad.ir.errors import GoesFar, S2sadError, Unsupported, gather, placed
from s2sad.legacy.desugar.syntax import own_nodes
from s2sad.legacy.lower import opaque, writes_inside
from s2sad.legacy.program import Break, Effect, Opaque, Var
from s2sad.legacy.reach import go_through
from s2sad.legacy.scope import Scope, static_as_value
from s2sad.legacy.statics import computed, functions, records, special, tables
from s2sad.legacy.statics.defined import defined
from s2sad.legacy.statics.kinds import Record
from s2sad.legacy.statics.resolving import resolved
from s2sad.source.names import assigned_names, reads_of
from s2sad.source.surely import surely_bound

# what runs one of its parts, or none
_WAYS = (gast.Try, gast.With, gast.For, gast.While, gast.If, gast.Match)


def every(body: list[Any], scope: Scope) -> None:
    problems: list[S2sadError] = []
    go_through(len(body))
    for node in body:
        written: list[tuple[Record, Any]] | None = [] if isinstance(node, gast.Assign) else None
        try:
            scope.at = scope.span(node)
            if scope.opens_here(node) and defined(node, scope):
                continue
            by_key = tables.written_out(node, scope)
            if by_key is None:
                by_key = computed.written_out(node, scope) or special.asked(node, scope)
            if by_key is not None:
                every(by_key, scope)
                continue
            node = resolved(node, scope, written)
            scope.changing = functions.changing(node, scope)
            statement(node, scope)
            for record, key in written or ():
                records.added(record, key, scope, node)
        except GoesFar:
            raise  # to see what else is in the way would take as long again
        except S2sadError as problem:
            problems += placed(problem, scope.span(node)).problems
            for name in assigned_names([node]):
                if not scope.has(name):
                    scope.define(name)
    if problems:
        raise gather(problems)


@singledispatch
def statement(node: Any, scope: Scope) -> None:
    """Lower one statement; what is not known is copied, which needs it to be inactive."""
    jumps = (gast.Return, gast.Break, gast.Continue)
    if any(isinstance(part, jumps) for part in own_nodes(node)) and not isinstance(
        node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef
    ):
        what = type(node).__name__.lower()
        raise Unsupported(
            f"return, break or continue inside `{what}` is not differentiated",
            scope.span(node),
            "Leave after it: let it set a name, and test that.",
        )
    copy_statement(node, scope, assigned_names([node]))


def copy_statement(node: Any, scope: Scope, names: Iterable[str]) -> None:
    """Copy a statement as it stands; the names whose objects it changes hold something new."""
    copied = _calls_itself(opaque(node, scope, is_followed=True))
    if not isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
        names = [*names, *sorted(writes_inside(node, scope))]
    names = list(dict.fromkeys(names))
    kept = _kept_perhaps(node, names, copied.reads, scope)
    writes = tuple((name, scope.define(name)) for name in names)
    copied = replace(copied, reads=(*copied.reads, *kept), writes=writes)
    scope.emit(Effect(copied, scope.span(node)))


def _calls_itself(copied: Opaque) -> Opaque:
    """Return a definition without the read of its own name, which is not what was there before.

    Its defaults and decorators read that; nothing else does.
    """
    node = copied.node
    if not isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
        return copied
    if node.name in reads_of([node.args, *node.decorator_list]):
        return copied
    seen = tuple((name, var) for name, var in copied.reads if name != node.name)
    return replace(copied, reads=seen)


def _kept_perhaps(
    node: Any, names: Iterable[str], reads: Iterable[tuple[str, Var]], scope: Scope
) -> list[tuple[str, Var]]:
    """Return the values that names have before a statement which may give them others, or not."""
    if not isinstance(node, _WAYS):
        return []
    settled = {*(name for name, _ in reads), *surely_bound([node])}
    kept = [name for name in names if name not in settled and scope.has(name)]
    for name in kept:
        static = scope.static(name)
        if static is not None:
            raise static_as_value(static, scope.span(node))
    return [(name, scope.value(name)) for name in kept]


@statement.register
def _(node: gast.FunctionDef, scope: Scope) -> None:
    if functions.stands_alone(node, scope):
        statement.dispatch(object)(node, scope)
    else:
        scope.hold(node.name, functions.made(node, node.name, scope))


@statement.register
def _(node: gast.Pass, scope: Scope) -> None:
    place = getattr(node, "s2sad_read_at", None)
    if place is not None:
        scope.read_at[place + scope.suffix] = dict(scope.held.values), len(scope.out)


@statement.register
def _(node: gast.Global, scope: Scope) -> None:
    return  # what it gives to its module is the derivative's own: the module sees nothing of that


@statement.register
def _(node: gast.Nonlocal, scope: Scope) -> None:
    return  # its names stand for the slots of the function around it


@statement.register
def _(node: gast.Break, scope: Scope) -> None:
    scope.emit(Break(scope.span(node)))


@statement.register
def _(node: gast.Delete, scope: Scope) -> None:
    if not all(isinstance(target, gast.Name) for target in node.targets):
        statement.dispatch(object)(node, scope)  # of an element
        return
    for target in node.targets:
        scope.drop(scope.slot(target.id))
