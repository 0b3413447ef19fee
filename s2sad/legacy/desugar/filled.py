"""Inner functions that call themselves, and what these call, are given what is left out of their calls.

def fib(k, w=0.5):                                      def fib(k, w):
    return x if k < 2 else fib(k - 1) * w      ->           return x if k < 2 else fib(k - 1, 0.5) * w
y = fib(5)                                              y = fib(5, 0.5)

So the function can be taken out of the one around it, with what it reads as further arguments.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, assign, name, own_nodes, placed
from s2sad.legacy.extracted import only_called
from s2sad.source.fresh import free
from s2sad.source.names import reads_of
from s2sad.source.trees import nodes_of


@dataclass(frozen=True)
class Filled:
    """The parameters of a function in their order, and what stands for those left out of a call."""

    params: tuple[str, ...]
    defaults: dict[str, Node]
    held: Body


def with_filled_calls(body: Body, names: Names) -> Body:
    """Return statements in which such functions have no defaults any more."""
    made = [part for part in own_nodes(body) if isinstance(part, gast.FunctionDef)]
    taken = {part.id for s in body for part in nodes_of(s) if isinstance(part, gast.Name)}
    again = [each for each in made if each.name in reads_of(each.body)]
    wanted = {name for each in again for name in reads_of(each.body)}
    found = {
        each.name: _filled(each, names, taken)
        for each in made
        if each.name in wanted and _has_defaults(each.args) and _is_known(each, body)
    }
    if not found:
        return body
    out: Body = []
    for stmt in body:
        made_ = _Filling(found).visit(copy.deepcopy(stmt))
        out += made_ if isinstance(made_, list) else [made_]
    return out


def is_given_once(body: Body, name_: str) -> bool:
    """Tell whether one node of statements gives a name something, however deep."""
    given = [
        part
        for stmt in body
        for part in nodes_of(stmt)
        if (isinstance(part, gast.Name) and part.id == name_ and not _is_read(part))
        or name_ in (getattr(part, "name", None), getattr(part, "asname", None))
        or name_ in getattr(part, "names", ())
    ]
    return len(given) == 1


def _is_read(part: Node) -> bool:
    return isinstance(part.ctx, gast.Load)


def _has_defaults(args: Any) -> bool:
    return bool(args.defaults or any(args.kw_defaults))


def _is_known(made: Node, body: Body) -> bool:
    """Tell whether a function has plain parameters, and is only called, with what shows."""
    args = made.args
    if args.vararg or args.kwarg or made.decorator_list or not is_given_once(body, made.name):
        return False
    calls = [
        part
        for stmt in body
        for part in nodes_of(stmt)
        if isinstance(part, gast.Call) and getattr(part.func, "id", "") == made.name
    ]
    count = len([*args.posonlyargs, *args.args])
    shown = all(
        len(each.args) <= count
        and not any(isinstance(arg, gast.Starred) for arg in each.args)
        and all(keyword.arg for keyword in each.keywords)
        for each in calls
    )
    return shown and all(only_called(stmt, made.name) for stmt in body)


def _filled(made: Node, names: Names, taken: set[str]) -> Filled:
    args = made.args
    plain = [*args.posonlyargs, *args.args]
    given = list(zip(plain[len(plain) - len(args.defaults) :], args.defaults, strict=True))
    given += [
        (arg, each) for arg, each in zip(args.kwonlyargs, args.kw_defaults, strict=True) if each
    ]
    defaults: dict[str, Node] = {}
    held: Body = []
    for arg, value in given:
        if isinstance(value, gast.Constant):
            defaults[arg.id] = value
        else:  # it is evaluated once, where the function is made
            kept = names.fresh(free(f"{arg.id}_default", taken))
            held.append(assign(kept, value, value))
            defaults[arg.id] = name(kept, value)
    params = tuple(arg.id for arg in (*plain, *args.kwonlyargs))
    return Filled(params, defaults, held)


class _Filling(gast.NodeTransformer):  # type: ignore[misc]
    """Takes defaults out of definitions, and puts them into calls."""

    def __init__(self, found: dict[str, Filled]):
        self.found = found

    def visit_FunctionDef(self, node: Any) -> Any:
        node = self.generic_visit(node)
        if node.name not in self.found:
            return node
        args = node.args
        args.args = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        args.posonlyargs, args.kwonlyargs, args.defaults, args.kw_defaults = [], [], [], []
        return [*self.found[node.name].held, node]

    def visit_Call(self, node: Any) -> Any:
        node = self.generic_visit(node)
        known = self.found.get(getattr(node.func, "id", ""))
        if known is None:
            return node
        named = {each.arg for each in node.keywords}
        left = [param for param in known.params[len(node.args) :] if param not in named]
        for param in left:
            if param not in known.defaults:
                continue  # it is missing, as it is in the call
            value = placed(copy.deepcopy(known.defaults[param]), node)
            if known.params[len(node.args)] == param and not node.keywords:
                node.args.append(value)
            else:
                node.keywords.append(gast.keyword(param, value))
        return node
