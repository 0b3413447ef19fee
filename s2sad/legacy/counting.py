"""Functions whose value depends on how often they were called are not called at will.

def tick():                 the sweeps would call it once for two calls, or twice for one
    global n
    n += 1
    return n

What only keeps a record (`CALLS.append(k)`), or remembers what it gave (`CACHE[k] = v`), goes through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dis import get_instructions
from types import FunctionType, ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import S2sadError, Unsupported, gather
from s2sad.legacy.handed_over import refuse_handed_over
from s2sad.legacy.program import (
    Attr,
    Block,
    Call,
    Effect,
    Expr,
    If,
    Loop,
    Opaque,
    Program,
    Ref,
    Stmt,
)
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.through import roots, with_owners
from s2sad.legacy.traverse import blocks, expressions, statements, walk
from s2sad.legacy.unseen import KEEPERS, with_called
from s2sad.legacy.written import shown_writes
from s2sad.source.installed import is_installed
from s2sad.source.names import changed_names, is_bound, locals_of
from s2sad.source.outside import globals_in, is_of_s2sad
from s2sad.source.text import Source, resolve_dotted, source_of
from s2sad.source.trees import nodes_of

# calls that take something away, and give it
TAKING = frozenset("next heappop pop popleft popitem".split())


def refuse_counting(program: Program, function: Any) -> None:
    """Raise where the value is used of a function that counts its calls, or of what it changes."""
    refuse_handed_over(function, program)
    every = [*statements(program.body)]
    known = frozenset(name for stmt in every for name in _read_names(expressions(stmt)))
    known |= frozenset(_read_names((program.result,)))
    asked = frozenset(name for stmt in every for name in _read_by_called(stmt))
    problems = [
        _refusal(called, stmt)
        for stmt in every
        for called, is_asked in _called(stmt)
        if (is_asked and counts(called))
        or changed_outside(called) & known
        or given_outside(called) & known
        or written_outside(called) & asked
    ]
    problems += _written_when_read(program.body, set())
    if problems:
        raise gather(problems)


def _written_when_read(block: Block, before: set[str]) -> list[S2sadError]:
    """Return a refusal for each call that writes to what has been read of the module before."""
    found: list[S2sadError] = []
    for stmt in block:
        names = {name for each in statements((stmt,)) for name in _read_names(expressions(each))}
        if isinstance(stmt, Loop):
            before |= names  # by an earlier pass
        for inner in blocks(stmt):
            found += _written_when_read(inner, before)
        if not isinstance(stmt, Loop | If):
            found += [_refusal(f, stmt) for f, _ in _called(stmt) if written_outside(f) & before]
        before |= names
    return found


def _read_by_called(stmt: Stmt) -> Iterator[str]:
    """Yield the names that functions read whose values a statement uses, if they write to others."""
    for called, is_asked in _called(stmt):
        for each in with_called(called, {}) if is_asked else ():
            yield from read_outside(each) - _written(each)


def _read_names(every: Iterable[Expr]) -> Iterator[str]:
    """Yield the names of the module whose values, or whose attributes, expressions read."""
    for part in (part for expr in every for part in walk(expr)):
        for ref in part.globals if isinstance(part, Opaque) else (part,):
            if isinstance(ref, Ref) and ("." in ref.text or not callable(ref.value)):
                yield ref.text.partition(".")[0]
        match part:
            case Attr(Ref(text)):
                yield text.partition(".")[0]
            case Opaque(node):
                owners = (p.value for p in nodes_of(node) if isinstance(p, gast.Attribute))
                yield from (owner.id for owner in owners if isinstance(owner, gast.Name))


def _refusal(function: FunctionType, stmt: Stmt) -> S2sadError:
    return Unsupported(
        f"what {function.__qualname__} gives depends on how often it was called",
        stmt.span,
        "Give it what it counts as an argument, and let it return that.",
    )


def _called(stmt: Stmt) -> Iterator[tuple[FunctionType, bool]]:
    """Yield the functions that a statement calls, and whether that is for their values."""
    match stmt:
        case Effect(Opaque(gast.Expr(), globals=known)):
            yield from ((each, False) for ref in known for each in _python(ref.value))
            return
        case Effect(Call(Ref(_, value), args, keywords)):
            yield from ((each, False) for each in _python(value))
            parts: tuple[Expr, ...] = (*args, *(value for _, value in keywords))
        case _:
            parts = tuple(expressions(stmt))
    for part in (each for expr in parts for each in walk(expr)):
        match part:
            case Call(Ref(_, value)):
                yield from ((each, True) for each in _python(value))
            case Opaque(globals=known):
                yield from ((each, True) for ref in known for each in _python(ref.value))


def _python(value: Any) -> Iterator[FunctionType]:
    """Yield the function that runs where a value is called, if it is one of the user's."""
    found = value.__init__ if isinstance(value, type) else value  # type: ignore[misc]
    if isinstance(found, FunctionType) and not (
        is_installed(found) or is_of_s2sad(found.__module__)
    ):
        yield found


# ---------------------------------------------------------------------------- what counts


@by_rules()
def counts(function: FunctionType) -> bool:
    """Tell whether a function reads what it has changed of what is not its own."""
    return any(map(_reads_what_it_changes, with_called(function, {})))


@by_rules()
def changed_outside(function: FunctionType) -> frozenset[str]:
    """Return the names that are not a function's own, and of whose values it makes others."""
    called = with_called(function, {})
    return frozenset(name for each in called for _, name in _changes(each))


@by_rules()
def written_outside(function: FunctionType) -> frozenset[str]:
    """Return the names that are not a function's own, and to whose objects it writes."""
    return frozenset[str]().union(*map(_written, with_called(function, {})))


@by_rules()
def given_outside(function: FunctionType) -> frozenset[str]:
    """Return the names of the module that a function gives values, and of classes whose fields."""
    return frozenset(
        name
        for each in with_called(function, {})
        for name in _written(each)
        if isinstance(_held(name, each), type) or name in _declared(each)
    )


def read_outside(function: FunctionType) -> frozenset[str]:
    """Return the names of what a function reads that is not its own, and can be changed."""
    names = globals_in(function.__code__) | {*function.__code__.co_freevars}
    return frozenset(name for name in names if _may_change(_held(name, function)))


def _may_change(held: Any) -> bool:
    return isinstance(held, type) or not (callable(held) or isinstance(held, ModuleType))


def _held(name: str, function: FunctionType) -> Any:
    return function.__globals__.get(name)


def _written(function: FunctionType) -> frozenset[str]:
    """Return the names outside that a function itself writes to, be it under another name."""
    try:
        tree = source_of(function).tree
    except S2sadError:
        return frozenset()
    if any(map(_writes_anything, nodes_of(tree))):
        return frozenset(
            name for name in function.__globals__ if _may_change(_held(name, function))
        )
    shown = {*changed_names([tree.body]), *(name for _, name in _changes(function))}
    outer = (with_owners(shown, [tree], _owners) - locals_of(tree)) | _declared(function)
    return frozenset(name for name in outer if _may_change(_held(name, function)))


def _owners(value: Any) -> Iterable[str]:
    """Return the names of whose memory a value is a part; a copy of a list or dict is its own."""
    match value:
        case gast.Call(func=gast.Name(id="dict" | "list" | "set" | "sorted" | "tuple")):
            return ()
        case gast.Call(func=gast.Attribute(attr="array" | "copy" | "deepcopy")):
            return ()
        case gast.DictComp() | gast.ListComp() | gast.SetComp():
            return ()
    return roots(value)


def _writes_anything(node: Any) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="exec")):
            return True
        case gast.Subscript(value=gast.Call(func=gast.Name(id="globals")), ctx=gast.Store()):
            return True
    return False


def _declared(function: FunctionType) -> frozenset[str]:
    """Return the names of its module that a function gives values."""
    stored = (each.argval for each in get_instructions(function) if each.opname == "STORE_GLOBAL")
    return frozenset(stored)


def _changes(function: FunctionType) -> list[tuple[Any, str]]:
    try:
        source = source_of(function)
    except S2sadError:
        return []
    own = locals_of(source.tree)
    return [
        (node, name)
        for node in nodes_of(source.tree)
        for name in (*_changed(node), *_changed_by_method(node, function))
        if name not in own and not _is_of_numpy(node, source)
    ]


def _changed_by_method(node: Any, function: FunctionType) -> Iterator[str]:
    """Yield the name of an object of the module whose own method, which is called, changes it."""
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
            method = getattr(type(_held(name, function)), attr, None)
            if isinstance(method, FunctionType) and not is_installed(method):
                first = next(iter(method.__code__.co_varnames), "")
                if first and first in shown_writes(method):
                    yield name


def _is_of_numpy(node: Any, source: Source) -> bool:
    """Tell whether a node calls a function of NumPy's that is called like a list's: np.sort(x)."""
    func = node.func if isinstance(node, gast.Call) else None
    if not isinstance(func, gast.Attribute) or not isinstance(func.value, gast.Name):
        return False
    found = resolve_dotted(source, func.value)
    return found is not None and found[1] is np


def _reads_what_it_changes(function: FunctionType) -> bool:
    changes = _changes(function)
    if not changes:
        return False
    tree = source_of(function).tree
    if any(_takes(node) for node, _ in changes):
        return True
    inside = {id(part) for node, _ in changes for part in nodes_of(node)}
    read = {
        part.id
        for part in nodes_of(tree)
        if isinstance(part, gast.Name) and not is_bound(part) and id(part) not in inside
    }
    return any(name in read for _, name in changes)


def _changed(node: Any) -> Iterator[str]:
    """Yield the names of what a node makes of what it was before: a count, a longer list."""
    match node:
        case gast.AugAssign(target=target):
            yield from roots(target)
        case gast.Assign(targets=[gast.Name() | gast.Attribute() as target], value=value):
            read = {part.id for part in nodes_of(value) if isinstance(part, gast.Name)}
            yield from (name for name in roots(target) if name in read)
        case gast.Call(func=gast.Attribute(value=owner, attr=attr)) if attr in KEEPERS:
            yield from roots(owner)
        case gast.Call(func=gast.Name(id=name), args=[first, *_]) if name in TAKING:
            yield from roots(first)


def _takes(node: Any) -> bool:
    func = getattr(node, "func", None)
    return getattr(func, "attr", getattr(func, "id", "")) in TAKING
