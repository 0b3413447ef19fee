"""A function and a stage become texts that a test can put side by side.

same(structured(\"\"\"
    def f(x):
        if x > 0.0:
            return x
        return -x
\"\"\"), \"\"\"
    def f(x): ...
\"\"\")
"""

from __future__ import annotations

import ast
import importlib.util
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import gast

from s2sad.legacy.exits import structure
from s2sad.legacy.printing import text
from s2sad.legacy.program import (
    Assign,
    Block,
    Break,
    Carried,
    Effect,
    Expr,
    If,
    Loop,
    Merge,
    NewStore,
    Op,
    Opaque,
    Pop,
    Program,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import substitute
from s2sad.source.names import assigned_names

HEAD = "import math\n\nimport numpy as np\n\n\n"
_count = itertools.count()
_folder = tempfile.TemporaryDirectory(prefix="s2sad_texts_")


def defined(source: str, name: str | None = None) -> Callable[..., Any]:
    """Return the (last, or named) function of a text, from a file as a user's would be."""
    source = dedent(source).strip("\n")
    module_name = f"texts_{next(_count)}"
    path = Path(_folder.name) / f"{module_name}.py"
    path.write_text(HEAD + source + "\n")
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    last = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)][-1]
    found = getattr(module, name or last)
    assert callable(found)
    return found


def run(source: str, name: str) -> Callable[..., Any]:
    """Return a function of a text that is run as it stands."""
    space: dict[str, Any] = {"__name__": "run_as_it_stands"}
    exec(compile(source, "<text>", "exec"), space)
    found = space[name]
    assert callable(found)
    return found


def structured(source: str) -> str:
    """Return a function with its early exits turned into branches, as Python text."""
    tree = gast.parse(dedent(source))
    function = tree.body[0]
    args = function.args
    taken = {arg.id for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    function.body = structure(function.body, taken | set(assigned_names(function.body)))
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(tree)))


def plain(source: str) -> str:
    """Return a text as `ast.unparse` would print it: for comparing two texts."""
    return ast.unparse(ast.parse(dedent(source)))


# ---------------------------------------------------------------- programs


def dump(program: Program) -> str:
    """Return a program in a few words a line, with every version."""
    head = f"{program.name}({', '.join(_var(param.var) for param in program.params)})"
    return "\n".join([head, *_lines(program.body, "  "), f"  return {shown(program.result)}"])


def lines(source: str) -> str:
    """Return an expected dump without its indentation."""
    return dedent(source).strip("\n")


def shown(expr: Expr | None) -> str:
    """Return an expression with the version of every value."""
    if expr is None:
        return "-"
    if isinstance(expr, Opaque):
        return f"<{ast.unparse(gast.gast_to_ast(expr.node))}>"
    return text(substitute(expr, lambda var: Var(_var(var), 0)), str)


def _var(var: Var | None) -> str:
    return "-" if var is None else f"{var.slot}@{var.version}"


def _lines(block: Block, indent: str) -> Iterator[str]:
    for stmt in block:
        yield from _statement(stmt, indent)


def _statement(stmt: Stmt, indent: str) -> Iterator[str]:
    match stmt:
        case If(test, then, orelse, merges):
            yield f"{indent}if {shown(test)}"
            yield from _lines(then, indent + "  ")
            if orelse:
                yield f"{indent}else"
                yield from _lines(orelse, indent + "  ")
            yield from (f"{indent}{_merge(merge)}" for merge in merges)
        case Loop(targets, iterable, test, carried, body):
            if iterable is None:
                yield f"{indent}while {shown(test)}"
            else:
                yield f"{indent}for {_targets(targets)} in {shown(iterable)}"
            yield from (f"{indent}  {_carried(each)}" for each in carried)
            yield from _lines(body, indent + "  ")
        case _:
            yield indent + _one_line(stmt)


def _one_line(stmt: Stmt) -> str:
    match stmt:
        case Assign(targets, value):
            return f"{', '.join(map(_var, targets))} = {shown(value)}"
        case Update(new, old, index, op, value):
            place = shown(old if index is None else Op("index", (old, index)))
            return f"{_var(new)} = {place} {op.strip('=')}= {shown(value)}"
        case Pop(target, new, old):
            return f"{_var(target)}, {_var(new)} = {_var(old)}.pop"
        case Effect(value):
            return shown(value)
        case Save(store, value):
            return f"save {store} {shown(value)}"
        case Restore(target, store):
            return f"{_var(target)} = restore {store}"
        case NewStore(store):
            return f"store {store}"
        case Break():
            return "break"
    raise TypeError(stmt)


def _merge(merge: Merge) -> str:
    return f"{_var(merge.out)} = {_var(merge.then)} | {_var(merge.orelse)}"


def _carried(each: Carried) -> str:
    return f"{_var(each.head)} = {_var(each.init)} .. {_var(each.end)} -> {_var(each.exit)}"


def _targets(targets: Any) -> str:
    if isinstance(targets, Var):
        return _var(targets)
    return f"({', '.join(map(_targets, targets))})"
