"""Names that nothing reads once a branch is through: nobody else holds what they hold by then.

for v in u:
    trial = Point(v)
    if trial.x > best.x:
        best = trial            after the branch `best` alone holds that point
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.legacy.scope import Scope
from s2sad.source.trees import nodes_of

LOOPS = (gast.For, gast.While)
LATER = (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.GeneratorExp)


def unread_after(node: Any, scope: Scope) -> frozenset[str]:
    """Return the locals of a function that are not read behind a branch, nor in a later pass."""
    tree = scope.source.tree
    ends = [_end(part) for part in nodes_of(node) if getattr(part, "end_lineno", None)]
    if not ends or not all(hasattr(each, "lineno") for each in (node, *_loops(tree))):
        return frozenset()
    end = max(ends)  # what follows an exit may stand in the branch by now
    around = [loop for loop in _loops(tree) if _start(loop) <= _start(node) <= _end(loop)]
    inner = max(around, key=_start, default=None)
    given, read, kept = _uses(tree)
    found = set()
    for name in given - kept:
        places = [each for each in read if each[0] == name]
        before = [at for _, at in places if not around or at < min(map(_start, around))]
        inside = [at for _, at in places if inner is not None and _start(inner) <= at <= end]
        if len(before) + len(inside) < len(places) or (
            not around and any(at > end for at in before)
        ):
            continue
        if inner is None or not inside or _is_bound_first(name, inner):
            found.add(name)
    return frozenset(found)


def _uses(tree: Any) -> tuple[set[str], list[tuple[str, Any]], set[str]]:
    """Return the names that are given values, where names are read, and those read at any time."""
    nodes = list(nodes_of(tree))
    names = [each for each in nodes if isinstance(each, gast.Name)]
    given = {each.id for each in names if isinstance(each.ctx, gast.Store)}
    loads = [each for each in names if not isinstance(each.ctx, gast.Store)]
    placed = [each for each in loads if hasattr(each, "lineno")]
    moved = _behind_loops(tree)
    read = [(each.id, moved.get(id(each), _start(each))) for each in placed]
    later = [each for each in nodes if isinstance(each, LATER) and each is not tree]
    kept = {n.id for each in later for n in nodes_of(each) if isinstance(n, gast.Name)}
    # a name in syntax that was made of other syntax has no place: it may stand anywhere
    kept |= {each.id for each in loads if not hasattr(each, "lineno")}
    return given, read, kept


def _behind_loops(tree: Any) -> dict[int, tuple[int, int]]:
    """Return where names are read that a `return` in a loop gives: it is written behind the loop."""
    moved: dict[int, tuple[int, int]] = {}
    for loop in sorted(_loops(tree), key=_start, reverse=True):
        for given in (each for each in nodes_of(loop) if isinstance(each, gast.Return)):
            line, column = _end(loop)
            moved |= {id(each): (line, column + 1) for each in nodes_of(given)}
    return moved


def _loops(tree: Any) -> Iterator[Any]:
    return (each for each in nodes_of(tree) if isinstance(each, LOOPS))


def _is_bound_first(name: str, loop: Any) -> bool:
    """Tell whether each pass of a loop gives a name a value before anything reads it."""
    if isinstance(loop, gast.For) and _gives(loop.target, name):
        return True
    if isinstance(loop, gast.While) and _mentions(loop.test, name):
        return False
    first = next((stmt for stmt in loop.body if _mentions(stmt, name)), None)
    if not isinstance(first, gast.Assign | gast.AnnAssign) or first.value is None:
        return False
    targets = first.targets if isinstance(first, gast.Assign) else [first.target]
    return not _mentions(first.value, name) and any(_gives(each, name) for each in targets)


def _gives(target: Any, name: str) -> bool:
    if isinstance(target, gast.Tuple | gast.List):
        return any(_gives(each, name) for each in target.elts)
    return isinstance(target, gast.Name) and target.id == name


def _mentions(node: Any, name: str) -> bool:
    return any(isinstance(each, gast.Name) and each.id == name for each in nodes_of(node))


def _start(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: Any) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset
