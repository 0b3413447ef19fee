"""What *args and **kwargs of a function take that is lowered in place: a tuple and a dict of its own.

def total(c, *parts, **kw): ...      total(c, u, v, k=w)

def total(c, parts_1, parts_2, kw_k):
    parts = (parts_1, parts_2)
    kw = {"k": kw_k}
    ...

Where it is not known how many arguments there are, `total(c, *w)`, parts is `tuple(w)`: a parameter like others.
A parameter that is left out, `{}` then, and of which only `**p` is read becomes such a dict too.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from inspect import Parameter
from typing import Any

import gast

from s2sad.legacy.program import Ref
from s2sad.source.fresh import free
from s2sad.source.names import changed_names, locals_of
from s2sad.source.text import Source
from s2sad.source.trees import nodes_of

PLAIN = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class Rest:
    """All that *args takes, of which it is not known how many parts it has."""

    value: Any


def takes_rest(parameters: Iterable[Parameter], count: int, named: Collection[str]) -> str:
    """Return the name of *args, where so many arguments give all parameters before it; else ""."""
    known = list(parameters)
    plain = [each for each in known if each.kind in PLAIN]
    more = [each.name for each in known if each.kind is Parameter.VAR_POSITIONAL]
    given = len(plain) == count and not any(each.name in named for each in plain)
    return more[0] if more and given else ""


def gathered(source: Source, bound: Mapping[str, Any]) -> tuple[Source, dict[str, Any]]:
    """Return a function that names all that one call gives it, and what each parameter is given.

    `bound` are the arguments by parameter; *args is bound to a tuple, **kwargs to a dict.
    """
    vararg, kwarg = _variable(source.tree.args)
    empty = tuple(n for n, v in bound.items() if is_empty(v) and n in only_spread(source.tree))
    if not vararg and not kwarg and not empty:
        return source, dict(bound)
    bound = {name: value for name, value in bound.items() if name not in empty}
    rest = bound.get(vararg)
    if isinstance(rest, Rest):
        source, vararg, bound = _with_rest(source), "", {**bound, vararg: rest.value}
        if not kwarg and not empty:
            return source, bound
    more, keywords = tuple(bound.get(vararg, ())), dict(bound.get(kwarg, {}))
    made, names, keys = _with_names(source, len(more), tuple(keywords), empty)
    given = {name: value for name, value in bound.items() if name not in (vararg, kwarg)}
    given |= dict(zip(names, more, strict=True))
    return made, given | dict(zip(keys, keywords.values(), strict=True))


@lru_cache(maxsize=512)
def _with_rest(source: Source) -> Source:
    """Return the function in which *args is a parameter that is given by name."""
    args, tree = source.tree.args, copy.copy(source.tree)
    tree.args = copy.copy(args)
    tree.args.vararg = None
    tree.args.kwonlyargs = [*args.kwonlyargs, args.vararg]
    tree.args.kw_defaults = [*args.kw_defaults, None]
    return replace(source, tree=tree)


def is_empty(default: Any) -> bool:
    """Tell whether a default, or the reference to one, is `{}`."""
    value = default.value if isinstance(default, Ref) else default
    return type(value) is dict and not value


@lru_cache(maxsize=512)
def only_spread(tree: Any) -> frozenset[str]:
    """Return the parameters of which nothing is read but `f(..., **parameter)`."""
    names = [part for part in nodes_of(tree) if isinstance(part, gast.Name)]
    spread = {id(part.value) for part in nodes_of(tree) if _is_double_star(part)}
    params = {part.id for part in names if isinstance(part.ctx, gast.Param)}
    other = {
        part.id for part in names if not isinstance(part.ctx, gast.Param) and id(part) not in spread
    }
    return frozenset(params - other)


def _is_double_star(part: Any) -> bool:
    return isinstance(part, gast.keyword) and part.arg is None


def _variable(args: Any) -> tuple[str, str]:
    """Return the names of *args and **kwargs; "" for what there is not."""
    return tuple(each.id if each else "" for each in (args.vararg, args.kwarg))  # type: ignore[return-value]


@lru_cache(maxsize=512)
def _with_names(
    source: Source, more: int, keys: tuple[str, ...], empty: tuple[str, ...]
) -> tuple[Source, tuple[str, ...], tuple[str, ...]]:
    """Return the function that takes so many more arguments, and these by name; and their names."""
    tree = source.tree
    vararg, kwarg = _variable(tree.args)
    taken = {part.id for part in nodes_of(tree) if isinstance(part, gast.Name)}
    names = _names([f"{vararg}_{i + 1}" for i in range(more)], taken)
    named = _names([f"{kwarg}_{key}" for key in keys], taken)
    whole = gast.Tuple([_read(name, tree) for name in names], gast.Load())
    parts = gast.Dict([_text(key, tree) for key in keys], [_read(name, tree) for name in named])
    first = [_bound(n, value, tree) for n, value in ((vararg, whole), (kwarg, parts)) if n]
    first += [_bound(name, gast.Dict([], []), tree) for name in empty]
    docstring = int(gast.get_docstring(tree) is not None)
    body = [*tree.body[:docstring], *first, *_by_name(tree.body[docstring:], vararg, names)]
    made = gast.FunctionDef(
        tree.name, _parameters(tree.args, (*names, *named)), body, [], None, None, []
    )
    made = gast.copy_location(made, tree)
    return replace(source, tree=made, locals=source.locals | locals_of(made)), names, named


def _names(wished: list[str], taken: set[str]) -> tuple[str, ...]:
    """Return names that nothing has yet, and take them."""
    found = []
    for each in wished:
        found.append(free(each, taken))
        taken.add(found[-1])
    return tuple(found)


def _by_name(body: list[Any], vararg: str, names: tuple[str, ...]) -> list[Any]:
    """Return statements in which `args[0]` is a name: what is written to it is seen outside.

    They stay as they are where `args` may be something else.
    """
    parts = [part for stmt in body for part in nodes_of(stmt) if isinstance(part, gast.Name)]
    if any(part.id == vararg and not isinstance(part.ctx, gast.Load) for part in parts):
        return body
    put = _Named(vararg, names)
    return [put.visit(copy.deepcopy(stmt)) for stmt in body]


class _Named(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, vararg: str, names: tuple[str, ...]):
        self.vararg, self.names = vararg, names

    def visit_For(self, node: Any) -> Any:
        """Let a loop that writes to what it goes over go over the names."""
        items = {part.id for part in nodes_of(node.target) if isinstance(part, gast.Name)}
        parts = [part for stmt in node.body for part in nodes_of(stmt)]
        called = {getattr(part.func, "id", "") for part in parts if isinstance(part, gast.Call)}
        if items & changed_names(node.body) and not items & called:
            node.iter = self._shown(node.iter)
        return self.generic_visit(node)

    def _shown(self, node: Any) -> Any:
        match node:
            case gast.Name(id=self.vararg):
                names = [_read(name, node) for name in self.names]
                return gast.copy_location(gast.Tuple(names, gast.Load()), node)
            case gast.Call(func=gast.Name(id="zip" | "enumerate" | "reversed")):
                node.args = [self._shown(each) for each in node.args]
        return node

    def visit_Subscript(self, node: Any) -> Any:
        """Put the name in for an item at a place that is written out."""
        self.generic_visit(node)
        match node:
            case gast.Subscript(value=gast.Name(id=self.vararg), slice=key, ctx=gast.Load()):
                place = _place(key)
                if place is not None and -len(self.names) <= place < len(self.names):
                    return _read(self.names[place], node)
        return node


def _place(key: Any) -> int | None:
    """Return the place that a subscript spells."""
    match key:
        case gast.Constant(value=int() as place):
            return int(place)
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() as place)):
            return -int(place)
    return None


def _parameters(args: Any, more: tuple[str, ...]) -> Any:
    """Return the parameters without *args and **kwargs, with what these take by name alone."""
    extra = [gast.Name(name, gast.Param(), None, None) for name in more]
    return gast.arguments(
        args=args.args,
        posonlyargs=args.posonlyargs,
        vararg=None,
        kwonlyargs=[*args.kwonlyargs, *extra],
        kw_defaults=[*args.kw_defaults, *(None for _ in extra)],
        kwarg=None,
        defaults=args.defaults,
    )


def _read(name: str, at: Any) -> Any:
    return gast.copy_location(gast.Name(name, gast.Load(), None, None), at)


def _text(value: str, at: Any) -> Any:
    return gast.copy_location(gast.Constant(value, None), at)


def _bound(name: str, value: Any, at: Any) -> Any:
    target = gast.copy_location(gast.Name(name, gast.Store(), None, None), at)
    made = gast.Assign([target], gast.copy_location(value, at), None)
    return gast.copy_location(made, at)
