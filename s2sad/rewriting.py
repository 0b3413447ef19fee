"""The text of a function is rewritten for one way to call it: *args, **kwargs, functions put in.

f(y, *args)  ->  rhs(y, args_1, args_2)         kw.get("h", 0.1)  ->  h, or 0.1 where none is given
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from s2sad.errors import Unsupported
from s2sad.parse import Source, span


@dataclass(frozen=True, slots=True)
class Fit:
    """What a function is called with: functions by parameter, how many more, which keywords."""

    functions: Mapping[str, Any]
    more: int
    keywords: tuple[str, ...]


def rewritten(tree: Any, fit: Fit, name: str, space: dict[str, Any], source: Source) -> Any:
    """Return the definition of the function `name`, which is fitted; put functions into `space`."""
    args = tree.args
    taken = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)} | {*space}
    taken |= {part.arg for part in ast.walk(tree) if isinstance(part, ast.arg)}
    put = {param: _put(value, taken, space) for param, value in fit.functions.items()}
    vararg = args.vararg.arg if args.vararg else ""
    kwarg = args.kwarg.arg if args.kwarg else ""
    more = [_free(f"{vararg}_{i + 1}", taken) for i in range(fit.more)]
    local = taken - {*space}
    keywords = {key: _free(key, local, f"{kwarg}_") for key in fit.keywords}
    rename = _Rewrite(put, vararg, more, kwarg, keywords)
    body = [rename.visit(stmt) for stmt in tree.body]
    if rename.wrong:
        raise Unsupported(
            f"{rename.wrong} is used in a way that is not differentiated",
            span(source, source.tree),
            "Name the arguments in the signature.",
        )
    made = ast.parse(f"def {name}(): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.args, made.body = _parameters(args, put, more, keywords), body
    return made


def _put(function: Any, taken: set[str], space: dict[str, Any]) -> str:
    """Return the name under which a function is known to the rewritten one."""
    own = str(getattr(function, "__name__", "function"))
    wished = own if own.isidentifier() else "function"
    name = wished if space.get(wished) is function else _free(wished, taken)
    space[name] = function
    return name


def _free(wished: str, taken: set[str], prefix: str = "") -> str:
    name, number = wished, 2
    if name in taken and prefix:
        name = wished = f"{prefix}{wished}"
    while name in taken:
        name, number = f"{wished}_{number}", number + 1
    taken.add(name)
    return name


def _parameters(
    args: Any, put: Mapping[str, str], more: list[str], keywords: Mapping[str, str]
) -> Any:
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    if more:
        defaults = [None] * len(plain)  # all of them are given
    pairs = [pair for pair in zip(plain, defaults, strict=True) if pair[0].arg not in put]
    named = list(zip(args.kwonlyargs, args.kw_defaults, strict=True))
    named = [pair for pair in named if pair[0].arg not in put]
    named += [(ast.arg(arg=name), None) for name in keywords.values()]
    return ast.arguments(
        posonlyargs=[],
        args=[*(ast.arg(arg=each.arg) for each, _ in pairs), *map(ast.arg, more)],
        defaults=[default for _, default in pairs if default is not None],
        kwonlyargs=[ast.arg(arg=each.arg) for each, _ in named],
        kw_defaults=[default for _, default in named],
        vararg=None,
        kwarg=None,
    )


def _constant(key: Any) -> object:
    """Return a subscript that is spelled in full, None of any other."""
    try:
        if isinstance(key, ast.Slice):
            ends = (key.lower, key.upper, key.step)
            return slice(*(None if end is None else ast.literal_eval(end) for end in ends))
        return ast.literal_eval(key)
    except ValueError:
        return None


class _Rewrite(ast.NodeTransformer):
    """Puts names in; `wrong` is the name of a parameter that is used otherwise."""

    def __init__(
        self,
        put: Mapping[str, str],
        vararg: str,
        more: list[str],
        kwarg: str,
        keywords: Mapping[str, str],
    ):
        self.put, self.vararg, self.more = put, vararg, more
        self.kwarg, self.keywords = kwarg, keywords
        self.wrong = ""

    def visit_Name(self, node: Any) -> Any:
        """Put a function in for its parameter, and a display for *args."""
        if not isinstance(node.ctx, ast.Load):
            if node.id in (*self.put, self.vararg, self.kwarg):
                self.wrong = node.id
            return node
        if node.id in self.put:
            return ast.Name(self.put[node.id], ast.Load())
        if node.id == self.vararg:
            return ast.Tuple([ast.Name(name, ast.Load()) for name in self.more], ast.Load())
        if node.id == self.kwarg:
            self.wrong = node.id
        return node

    def visit_arg(self, node: Any) -> Any:
        """Refuse what binds a name again in a function inside."""
        if node.arg in (*self.put, self.vararg, self.kwarg):
            self.wrong = node.arg
        return node

    def visit_Subscript(self, node: Any) -> Any:
        """Read one of *args or **kwargs by a constant."""
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        key = _constant(node.slice)
        if owner == self.vararg and isinstance(key, slice):
            return ast.Tuple([ast.Name(name, ast.Load()) for name in self.more[key]], ast.Load())
        if owner == self.vararg and isinstance(key, int):
            if -len(self.more) <= key < len(self.more):
                return ast.Name(self.more[key], ast.Load())
        if owner == self.kwarg and isinstance(key, str) and key in self.keywords:
            return ast.Name(self.keywords[key], node.ctx)
        return self.generic_visit(node)

    def visit_Compare(self, node: Any) -> Any:
        """Answer `"h" in kw`."""
        match node:
            case ast.Compare(ast.Constant(str(key)), [op], [ast.Name(owner)]) if (
                owner == self.kwarg and isinstance(op, ast.In | ast.NotIn)
            ):
                return ast.Constant((key in self.keywords) == isinstance(op, ast.In))
        return self.generic_visit(node)

    def visit_If(self, node: Any) -> Any:
        """Take the side that `if "h" in kw:` settles."""
        test = self.visit(node.test)
        if not isinstance(test, ast.Constant):
            node.test = ast.Constant(None)
            self.generic_visit(node)
            node.test = test
            return node
        side = node.body if test.value else node.orelse
        return [self.visit(stmt) for stmt in side] or ast.Pass()

    def visit_IfExp(self, node: Any) -> Any:
        """Take the side that `a if "h" in kw else b` settles."""
        test = self.visit(node.test)
        if not isinstance(test, ast.Constant):
            return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))
        return self.visit(node.body if test.value else node.orelse)

    def visit_Call(self, node: Any) -> Any:
        """Spread *args and **kwargs into a call; read `kw.get("h", 0.1)` and len(args)."""
        match node:
            case ast.Call(
                ast.Attribute(ast.Name(owner), "get"), [ast.Constant(str(key)), *default], []
            ) if owner == self.kwarg:
                if key in self.keywords:
                    return ast.Name(self.keywords[key], ast.Load())
                return self.visit(default[0]) if default else ast.Constant(None)
            case ast.Call(ast.Name("len"), [ast.Name(owner)], []) if owner == self.vararg:
                return ast.Constant(len(self.more))
        node.args = [part for arg in node.args for part in self._spread(arg)]
        node.keywords = [part for each in node.keywords for part in self._handed(each)]
        return self.generic_visit(node)

    def _spread(self, arg: Any) -> list[Any]:
        match arg:
            case ast.Starred(ast.Name(owner)) if owner == self.vararg:
                return [ast.Name(name, ast.Load()) for name in self.more]
        return [arg]

    def _handed(self, keyword: Any) -> list[Any]:
        match keyword:
            case ast.keyword(None, ast.Name(owner)) if owner == self.kwarg:
                return [
                    ast.keyword(key, ast.Name(name, ast.Load()))
                    for key, name in self.keywords.items()
                ]
        return [keyword]
