"""Functions whose value depends on how often they were called are not called at will.

def tick():                 the sweeps would call it once for two calls, or twice for one
    global n
    n += 1
    return n

What only keeps a record (`CALLS.append(k)`), or remembers what it gave (`CACHE[k] = v`), goes through.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.added import by_rules
from s2sad.errors import S2sadError, Unsupported, gather
from s2sad.handed_over import refuse_handed_over
from s2sad.installed import is_installed
from s2sad.outside import is_of_s2sad
from s2sad.parse import Source, is_bound, locals_of, resolve_dotted, source_of
from s2sad.program import Attr, Call, Effect, Expr, Opaque, Program, Ref, Stmt
from s2sad.through import roots
from s2sad.traverse import expressions, statements, walk
from s2sad.trees import nodes_of
from s2sad.unseen import KEEPERS, with_called

# calls that take something away, and give it
TAKING = frozenset("next heappop pop popleft popitem".split())


def refuse_counting(program: Program, function: Any) -> None:
    """Raise where the value is used of a function that counts its calls, or keeps it elsewhere."""
    refuse_handed_over(function, program)
    known = frozenset(_read_names(program))
    problems = [
        _refusal(called, stmt)
        for stmt in statements(program.body)
        for called, is_asked in _called(stmt)
        if (is_asked and counts(called)) or changed_outside(called) & known
    ]
    if problems:
        raise gather(problems)


def _read_names(program: Program) -> Iterator[str]:
    """Yield the names of the module whose values, or whose attributes, a Program reads."""
    every = (expr for stmt in statements(program.body) for expr in expressions(stmt))
    for part in (part for expr in (*every, program.result) for part in walk(expr)):
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


def _changes(function: FunctionType) -> list[tuple[Any, str]]:
    try:
        source = source_of(function)
    except S2sadError:
        return []
    own = locals_of(source.tree)
    return [
        (node, name)
        for node in nodes_of(source.tree)
        for name in _changed(node)
        if name not in own and not _is_of_numpy(node, source)
    ]


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
