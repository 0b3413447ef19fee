"""A function whose tree was rewritten: it runs, and its lines are still those of the user's file.

made = remade(tree, {"np": np}, source)
read(made).tree      the rewritten tree
"""

from __future__ import annotations

import ast
import zlib
from types import CellType, FunctionType
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.ir.records import replace
from s2sad.source.read import GIVEN, Source
from s2sad.source.trees import nodes_of


def remade(
    tree: ast.FunctionDef,
    space: dict[str, Any],
    source: Source,
    seen: dict[str, Any] | None = None,
) -> FunctionType:
    """Return the function of a tree that was made from that of `source`, with globals `space`.

    It sees the globals and cells of that function, whatever they hold by then, or those of `seen`.
    What `space` has besides, or under another meaning, it holds itself.
    """
    refuse_nonlocal(tree, source)
    tree = ast.fix_missing_locations(tree)
    tree.decorator_list = []
    made = _function(tree, space, source.function, seen)
    given = replace(source, function=made, tree=gast.ast_to_gast(tree), name=made.__name__)
    made.__dict__[GIVEN] = given  # no text: a copy of it is printed from the tree
    return made


def _function(
    tree: ast.FunctionDef,
    space: dict[str, Any],
    function: FunctionType,
    seen: dict[str, Any] | None,
) -> FunctionType:
    seen = function.__globals__ if seen is None else seen
    read = {part.id for part in nodes_of(tree) if isinstance(part, ast.Name)}
    if "super" in read:  # which asks for the class around, by a name that the text does not have
        read.add("__class__")
    own = sorted(n for n in read & space.keys() if n not in seen or seen[n] is not space[n])
    # the name of a file that is none: what is made stands nowhere, so that it is never imported
    filename = f"<made {tree.name} {zlib.crc32(ast.dump(tree).encode()):x}>"
    held: dict[str, Any] = {}
    # a file whose annotations are not evaluated may name in them what it never imports
    flags = function.__code__.co_flags & annotations.compiler_flag
    exec(compile(_around(tree, own), filename, "exec", flags, dont_inherit=True), seen, held)
    made: FunctionType = held[AROUND](*(space[name] for name in own))
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    code = made.__code__.replace(co_name=tree.name, co_qualname=tree.name)
    closure = [
        _same_cell(cells.get(name), cell)
        for name, cell in zip(code.co_freevars, made.__closure__ or (), strict=True)
    ]
    again = FunctionType(code, seen, tree.name, made.__defaults__, tuple(closure))
    again.__kwdefaults__, again.__annotations__ = made.__kwdefaults__, made.__annotations__
    return again


AROUND = "_around_what_is_made"


def _around(tree: ast.FunctionDef, own: list[str]) -> ast.Module:
    """Return a function that takes the names `own` and returns the function of a tree."""
    inner = f"{AROUND}_made"  # not under its own name, which may mean another function in it
    made = ast.FunctionDef(**{**dict(ast.iter_fields(tree)), "name": inner})
    given = ast.arguments([], [ast.arg(name) for name in own], None, [], [], None, [])
    result = ast.Return(ast.Name(inner, ast.Load()))
    fields = {**dict(ast.iter_fields(tree)), "name": AROUND, "args": given, "returns": None}
    whole = ast.FunctionDef(**{**fields, "body": [ast.copy_location(made, tree), result]})
    return ast.fix_missing_locations(ast.Module([ast.copy_location(whole, tree)], []))


def _same_cell(old: CellType | None, new: CellType) -> CellType:
    """Return the cell of the function that was remade, where the new one holds what it holds."""
    try:
        return old if old is not None and old.cell_contents is new.cell_contents else new
    except ValueError:
        return new


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
    for part in nodes_of(tree):
        if isinstance(part, ast.Nonlocal | gast.Nonlocal) and set(part.names) & {*free}:
            raise Unsupported(
                f"{source.name} changes {part.names[0]}, which belongs to the function around it",
                source.span(part),
                f"Give it {part.names[0]} as an argument, and return the new value.",
            )
