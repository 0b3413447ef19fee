"""The lines of a generator are taken over by the function that goes through it, under new names.

def powers(x):                    in f:    x_ = 0.3
    y = x               ->                 y_ = x_
    ...                                    ...
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.renaming import renamed
from s2sad.legacy.desugar.syntax import Body, Node, assign, own_nodes
from s2sad.source.names import locals_of, reads_of
from s2sad.source.text import MISSING, Source, source_of
from s2sad.source.trees import nodes_of

# what could leave the generator, or cannot stand in another function
BEYOND = (
    gast.Return, gast.YieldFrom, gast.Await, gast.Global, gast.Nonlocal,
    gast.FunctionDef, gast.ClassDef, gast.Import, gast.ImportFrom, gast.Try, gast.With,
    gast.NamedExpr,
)  # fmt: skip


def generator_called(node: Node, names: Names) -> Node | None:
    """Return the syntax of the generator that is called: of the module, or made inside; or None."""
    if not isinstance(node, gast.Call):
        return None
    function = names.value(node.func)
    if function is not MISSING:
        source = _source_of(function)
        return None if source is None else source.tree
    return _made_inside(node.func, names)


def _source_of(function: Any) -> Source | None:
    if not isinstance(function, FunctionType) or function.__closure__:
        return None
    if not function.__code__.co_flags & inspect.CO_GENERATOR:
        return None
    try:
        return source_of(function)
    except S2sadError:
        return None


def _made_inside(func: Node, names: Names) -> Node | None:
    """Return the generator that a name means which is made inside, and only there."""
    if not isinstance(func, gast.Name):
        return None
    every = [part for part in nodes_of(names.source.tree) if _gives(part, func.id)]
    made = [each for each in every if each in names.source.tree.body]
    if len(every) != 1 or len(made) != 1 or not isinstance(made[0], gast.FunctionDef):
        return None
    is_generator = any(isinstance(part, gast.Yield) for part in own_nodes(made[0].body))
    return made[0] if is_generator else None


def _gives(part: Node, name: str) -> bool:
    """Tell whether syntax gives a name something."""
    if isinstance(part, gast.Name):
        return part.id == name and not isinstance(part.ctx, gast.Load)
    return name in (getattr(part, "name", None), getattr(part, "asname", None))


def can_be_moved(tree: Node) -> bool:
    """Tell whether the lines of a generator mean the same in another function."""
    parts = [part for stmt in tree.body for part in gast.walk(stmt)]
    if tree.decorator_list or any(isinstance(part, BEYOND) for part in parts):
        return False
    return not any(map(_may_write, parts)) and not _gives_parts_twice(parts)


def _may_write(part: Node) -> bool:
    """Tell whether a statement writes to what has another name: its place would be the loop's."""
    if isinstance(part, gast.Expr):
        return not is_yield(part) and not isinstance(part.value, gast.Constant)
    is_store = isinstance(part, gast.Subscript | gast.Attribute)
    return is_store and not isinstance(part.ctx, gast.Load)


def _gives_parts_twice(parts: list[Node]) -> bool:
    """Tell whether one name is given what may be a part of an array at two places."""
    named = [
        part.targets[0].id
        for part in parts
        if isinstance(part, gast.Assign) and isinstance(part.targets[0], gast.Name)
        if isinstance(part.value, gast.Subscript | gast.Attribute | gast.Call)
    ]
    return len(named) > len({*named})


def is_yield(stmt: Node) -> bool:
    """Tell whether a statement yields a value, and takes nothing back."""
    return (
        isinstance(stmt, gast.Expr)
        and isinstance(stmt.value, gast.Yield)
        and stmt.value.value is not None
    )


def moved_from(tree: Node, node: Node, names: Names) -> tuple[Body, Body]:
    """Return what gives the parameters of a generator their values, and its lines, for one call."""
    given = given_to(tree, node, names)
    assert given is not None
    new = {each: names.fresh(each) for each in sorted(locals_of(tree))}
    begin = [assign(new[param], value, node) for param, value in given]
    body = tree.body[1:] if gast.get_docstring(tree) is not None else tree.body
    moved = renamed(body, new)
    for part in (part for stmt in moved for part in gast.walk(stmt)):
        gast.copy_location(part, node)
    return begin, moved


def given_to(tree: Node, node: Node, names: Names) -> list[tuple[str, Node]] | None:
    """Return what a call gives each parameter; None where a name would not mean the same there."""
    function = names.value(node.func)
    if function is not MISSING:
        if function.__globals__ is not names.source.function.__globals__:
            return None
        source = source_of(function)
        free = {*reads_of(tree)} - locals_of(tree)
        if any(names.is_local(each) or _differs(each, source, names) for each in free):
            return None
    return _given(tree.args, node)


def _differs(name: str, source: Source, names: Names) -> bool:
    """Tell whether a name of the module means something else in the function at hand."""
    return source.resolve(name) is not names.source.resolve(name)


def _given(args: Any, node: Node) -> list[tuple[str, Node]] | None:
    """Return what each parameter is given; None where that is not as plain as can be."""
    params = [arg.id for arg in (*args.posonlyargs, *args.args)]
    starred = any(isinstance(each, gast.Starred) for each in node.args)
    if args.vararg or args.kwarg or args.kwonlyargs or starred or len(node.args) > len(params):
        return None
    given = list(zip(params, node.args, strict=False))
    given += [(each.arg, each.value) for each in node.keywords]
    names = [param for param, _ in given]
    defaults = dict(zip(params[len(params) - len(args.defaults) :], args.defaults, strict=True))
    left = [param for param in params if param not in names]
    if len({*names}) < len(names) or not {*names} <= {*params} or not {*left} <= {*defaults}:
        return None
    if not all(isinstance(defaults[param], gast.Constant) for param in left):
        return None
    return [*given, *((param, defaults[param]) for param in left)]


def without_unread(body: Body) -> Body:
    """Return statements without the generators made in them that nobody calls any more."""
    read = {
        part.id
        for stmt in body
        for part in nodes_of(stmt)
        if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load)
    }
    return [stmt for stmt in body if not (_is_plain_generator(stmt) and stmt.name not in read)]


def _is_plain_generator(stmt: Node) -> bool:
    if not isinstance(stmt, gast.FunctionDef) or stmt.decorator_list:
        return False
    defaults = (*stmt.args.defaults, *(each for each in stmt.args.kw_defaults if each))
    yields = any(isinstance(part, gast.Yield | gast.YieldFrom) for part in own_nodes(stmt.body))
    return yields and all(isinstance(each, gast.Constant) for each in defaults)
