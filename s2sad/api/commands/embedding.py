"""The text of a derivative becomes a part of the script that its function stands in.

What the script has itself is used by its name and not said again: imports, constants, functions.
What it has under the same name and is another thing is refused: one would hide the other.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Collection, Iterator, Mapping
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.api.commands.problems import Refused
from s2sad.ir.errors import NoSource
from s2sad.source import read
from s2sad.source.digest import words_of

MISSING = object()


def own_part(text: str, known: Mapping[str, Any], taken: Collection[str], where: str) -> str:
    """Return what of a text its script lacks; `known` is what the script has above the place.

    `taken` are the names that it binds anywhere outside of its regions. Raises Refused for a name
    that stands for two things.
    """
    tree, lines = ast.parse(text), text.splitlines()
    made = runs(text)
    kept: list[ast.stmt] = []
    for node in tree.body:
        missing = [name for name in bound(node) if not _is_same(name, node, known, made)]
        if missing:
            for name in missing:
                _refuse_clash(name, known, taken, where)
            kept.append(node)
    return _laid_out(kept, lines)


def bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement at the top of a file binds."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((each.asname or each.name.split(".")[0]) for each in names)
        case _:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield inner.id
                elif isinstance(
                    inner, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
                ):
                    yield from bound(inner) if inner is not node else ()


def runs(text: str) -> dict[str, Any]:
    """Return what a text defines."""
    made: dict[str, Any] = {}
    exec(compile(text, "<derivative>", "exec"), made)
    return made


def _is_same(name: str, node: ast.stmt, known: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Tell whether the script has under a name what the text defines there."""
    own = known.get(name, MISSING)
    if own is MISSING:
        return False
    if isinstance(node, ast.FunctionDef):
        return isinstance(own, FunctionType) and _is_function(node, own)
    if isinstance(node, ast.Import):
        return own is made[name] and all(_has(known, each.name) for each in node.names)
    other = made[name]
    return own is other or (type(own) is type(other) and _is_equal(own, other))


def _is_equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=True)
    return bool(one == other)


def _has(known: Mapping[str, Any], module: str) -> bool:
    """Tell whether a dotted module can be reached from what the script imported."""
    first, *more = module.split(".")
    found = known.get(first, importlib.import_module(first))
    for part in more:
        found = getattr(found, part, None)
    return found is not None


def _is_function(node: ast.FunctionDef, own: FunctionType) -> bool:
    try:
        tree = read(own).tree
    except NoSource:
        return False
    return _plain(gast.ast_to_gast(node)) == _plain(tree)


def _plain(tree: Any) -> list[str]:
    """Return the words of a function without its docstring and what decorates it."""
    body = tree.body
    if body and isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant):
        body = body[1:]
    return [tree.name, *words_of(tree.args), *words_of(body)]


def _refuse_clash(name: str, known: Mapping[str, Any], taken: Collection[str], where: str) -> None:
    if name in taken or name in known:
        raise Refused(
            f"{where}: the derivative needs {name} for another thing than the script does\n"
            "  Rename it in the script, or save the derivative to a file of its own: -o FILE."
        )


def _laid_out(nodes: list[ast.stmt], lines: list[str]) -> str:
    """Return statements as they stood, two blank lines around functions."""
    out: list[str] = []
    for node in nodes:
        is_function = isinstance(node, ast.FunctionDef)
        if out and (is_function or out[-1].startswith((" ", "def "))):
            out += ["", ""]
        out += lines[node.lineno - 1 : node.end_lineno]
    if out and out[-1].startswith((" ", "def ")):
        out += ["", ""]
    return "\n".join(out) + "\n" if out else ""
