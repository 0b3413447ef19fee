"""A generator of the user's that surely never ends, as what each pass of a loop over it does.

def powers(x):            begin:  x_ = x; y = x_
    y = x                 value:  y
    while True:           late:   y = y * x_      before the next value, after the body of a pass
        yield y
        y = y * x
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import gast

from s2sad.desugar.names import Names
from s2sad.desugar.renaming import renamed
from s2sad.desugar.syntax import Body, Node, assign, branch, constant, jumps, name
from s2sad.errors import S2sadError
from s2sad.parse import Source, locals_of, reads_of, source_of

# what could leave the generator, or cannot stand in another function
BEYOND = (
    gast.Return, gast.Break, gast.Continue, gast.YieldFrom, gast.Await, gast.Global, gast.Nonlocal,
    gast.FunctionDef, gast.ClassDef, gast.Import, gast.ImportFrom, gast.Try, gast.With,
    gast.NamedExpr,
)  # fmt: skip


def steps(node: Node, names: Names) -> tuple[Body, Body, Node, Body] | None:
    """Return what begins a generator, what each pass does first, its value, and what it does late."""
    source = endless_source(names.value(node.func)) if isinstance(node, gast.Call) else None
    if source is None or source.function.__globals__ is not names.source.function.__globals__:
        return None
    given = _given(source.tree.args, node)
    own = locals_of(source.tree)
    if given is None or any(names.is_local(each) for each in {*reads_of(source.tree)} - own):
        return None
    new = {each: names.fresh(each) for each in sorted(own)}
    begin = [assign(new[param], value, node) for param, value in given]
    prelude, first, value, late = _parts(source.tree)
    moved = [renamed(part, new) for part in (prelude, first, value, late)]
    for part in (part for each in moved for part in _walk(each)):
        gast.copy_location(part, node)
    return [*begin, *moved[0]], moved[1], moved[2], moved[3]


def asked_again(late: Body, names: Names, at: Node) -> tuple[Body, Body]:
    """Return what begins a flag, and what each pass does first by it: what is late comes then."""
    flag = names.fresh("begun")
    before = [branch(name(flag, at), late, [], at), assign(flag, constant(True, at), at)]
    return [assign(flag, constant(False, at), at)], before


def endless_source(function: Any) -> Source | None:
    """Return the source of a generator that yields at one place of its `while True`; None of others."""
    if not isinstance(function, FunctionType) or function.__closure__:
        return None
    if not function.__code__.co_flags & inspect.CO_GENERATOR:
        return None
    try:
        source = source_of(function)
    except S2sadError:
        return None
    return source if _never_ends(source.tree) else None


def _never_ends(tree: Node) -> bool:
    body = tree.body
    parts = [part for stmt in body for part in gast.walk(stmt)]
    yields = [part for part in parts if isinstance(part, gast.Yield)]
    if len(yields) != 1 or any(isinstance(part, BEYOND) for part in parts) or tree.decorator_list:
        return False
    if any(map(_may_write, parts)) or _gives_parts_twice(parts):
        return False
    match body[-1]:
        case gast.While(test=gast.Constant(value=True | 1), body=inner, orelse=[]):
            return any(_is_yield(each) for each in inner)
    return False


def _may_write(part: Node) -> bool:
    """Tell whether a statement writes to what has another name: its place would be the loop's."""
    if isinstance(part, gast.Expr):
        return not _is_yield(part) and not isinstance(part.value, gast.Constant)
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


def _is_yield(stmt: Node) -> bool:
    return (
        isinstance(stmt, gast.Expr)
        and isinstance(stmt.value, gast.Yield)
        and stmt.value.value is not None
    )


def _parts(tree: Node) -> tuple[Body, Body, Node, Body]:
    """Return what stands before the loop, and before the `yield`, what is yielded, and the rest."""
    body = tree.body[1:] if gast.get_docstring(tree) is not None else tree.body
    inner = body[-1].body
    at = next(place for place, each in enumerate(inner) if _is_yield(each))
    return body[:-1], inner[:at], inner[at].value.value, inner[at + 1 :]


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


def _walk(part: Any) -> list[Node]:
    every = part if isinstance(part, list) else [part]
    return [each for node in every for each in gast.walk(node)]


def goes_on(body: Body) -> bool:
    """Tell whether a `continue` leads to the next pass."""
    return jumps(body, gast.Continue)
