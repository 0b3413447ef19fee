"""A function whose tree was rewritten: it runs, and its lines are still those of the user's file.

made = remade(tree, {"np": np}, source)
source_of(made).tree      the rewritten tree
"""

from __future__ import annotations

import ast
import zlib
from types import FunctionType
from typing import Any

import gast

from s2sad.errors import Unsupported
from s2sad.parse.scopes import locals_of
from s2sad.parse.source import Source, given_source, span


def remade(tree: ast.FunctionDef, space: dict[str, Any], source: Source) -> FunctionType:
    """Return the function of a tree that was made from that of `source`, with globals `space`."""
    refuse_nonlocal(tree, source)
    tree = ast.fix_missing_locations(tree)
    tree.decorator_list = []
    # the name of a file that is none: what is made stands nowhere, so that it is never imported
    filename = f"<made {tree.name} {zlib.crc32(ast.dump(tree).encode()):x}>"
    exec(compile(ast.Module([tree], []), filename, "exec", dont_inherit=True), space)
    made: FunctionType = space[tree.name]
    own = gast.ast_to_gast(tree)
    # no text: a copy of it is printed from the tree
    given_source(
        made,
        Source(
            made,
            own,
            source.path,
            own.lineno,
            "\n",
            source.comments,
            locals_of(own),
            source.module_tree,
        ),
    )
    return made


def namespace(function: FunctionType) -> dict[str, Any]:
    """Return what a function sees by name: globals, and what functions around it hold by now."""
    names, cells = function.__code__.co_freevars, function.__closure__ or ()
    found = dict(function.__globals__)
    for name, cell in zip(names, cells, strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue  # it has none yet
    return found


def refuse_nonlocal(tree: Any, source: Source) -> None:
    """Refuse a function that keeps something in the function around it: no copy would."""
    free = source.function.__code__.co_freevars
    for part in ast.walk(tree):
        if isinstance(part, ast.Nonlocal | gast.Nonlocal) and set(part.names) & {*free}:
            raise Unsupported(
                f"{source.tree.name} changes {part.names[0]}, which belongs to the function around it",
                span(source, part),
                f"Give it {part.names[0]} as an argument, and return the new value.",
            )
