"""The text of a function is rewritten for one way to call it: *args, **kwargs, functions put in.

f(y, *args)  ->  rhs(y, args_1, args_2)         kw.get("h", 0.1)  ->  h, or 0.1 where none is given

What is no function and given once for all is assigned first: a = 1.5.
"""

from __future__ import annotations

import ast
import copy
import functools
import math
from collections.abc import Mapping
from types import MethodType
from typing import Any

from s2sad.ir.errors import Unsupported
from s2sad.source.fit import AS_IT_IS, Fit, Partial
from s2sad.source.fresh import free
from s2sad.source.read import Source
from s2sad.source.trees import nodes_of


def rewritten(tree: Any, fit: Fit, name: str, space: dict[str, Any], source: Source) -> Any:
    """Return the definition of the function `name`, which is fitted; put functions into `space`."""
    tree = _with_methods_above(tree, fit, space)
    fit, args = fit.for_text(tree), tree.args
    taken = {part.id for part in nodes_of(tree) if isinstance(part, ast.Name)} | {*space}
    taken |= {part.arg for part in nodes_of(tree) if isinstance(part, ast.arg)}
    put = {param: _put(value, param, taken, space) for param, value in fit.functions.items()}
    before = [_given(param, value, taken, space) for param, value in fit.constants.items()]
    defaults = {p: _constant_node(v, p, taken, space) for p, v in fit.defaults.items()}
    more, keywords = _more_names(args, fit, taken, space)
    bound = {
        param: _bound_names(param, value, taken)
        for param, value in fit.functions.items()
        if isinstance(value, Partial)
    }
    vararg, kwarg = _variable(args, fit)
    if vararg and _needs_whole(tree, vararg):
        # *args is bound anew, or read by a position that varies: it is a tuple of its own
        whole = ast.Tuple([ast.Name(each, ast.Load()) for each in more], ast.Load())
        before.append(ast.Assign([ast.Name(vararg, ast.Store())], whole))
        vararg = ""
    if bound:
        space[_PARTIAL] = functools.partial
    parts = (keywords, bound, fit.empty)
    if kwarg and _is_refused(_Rewrite(put, vararg, more, kwarg, *parts), tree, kwarg):
        # **kwargs is used as the one dict that it is
        before.append(ast.Assign([ast.Name(kwarg, ast.Store())], _shown(keywords)))
        kwarg = ""
    rename = _Rewrite(put, vararg, more, kwarg, *parts)
    body = rename.block(tree.body)
    if rename.wrong:
        raise Unsupported(
            f"{rename.wrong} is used in a way that is not differentiated",
            source.span(rename.where),
            "Use it by position or key, or name the arguments in the signature.",
        )
    made = ast.copy_location(ast.parse(f"def {name}(): pass").body[0], tree)
    assert isinstance(made, ast.FunctionDef)
    gone = {*put, *fit.constants, *fit.empty}
    extra = (name for names, keys in bound.values() for name in (*names, *keys.values()))
    made.args = _parameters(args, gone, more, [*keywords.values(), *extra], defaults)
    if fit.more == AS_IT_IS:
        made.args.vararg, made.args.kwarg = args.vararg, args.kwarg
    at = int(ast.get_docstring(tree) is not None)
    placed = [ast.copy_location(each, tree.body[0]) for each in before]
    made.body = [*body[:at], *placed, *body[at:]]
    return made


def _with_methods_above(tree: Any, fit: Fit, space: dict[str, Any]) -> Any:
    """Return a method whose object is put in, with names for the methods that `super()` gives."""
    first = next((arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)), "")
    if first not in fit.functions:
        return tree
    return _Above(first, fit.functions[first], space).visit(copy.deepcopy(tree))


class _Above(ast.NodeTransformer):
    def __init__(self, first: str, given: Any, space: dict[str, Any]):
        self.first, self.given, self.space = first, given, space

    def visit_Attribute(self, node: Any) -> Any:
        """Put in a name for what is called."""
        self.generic_visit(node)
        match node.value:
            case ast.Call(ast.Name("super"), [], []):
                around = self.space.get("__class__")
            case ast.Call(ast.Name("super"), [ast.Name(named), ast.Name(self.first)], []):
                around = self.space.get(named)
            case _:
                return node
        if not isinstance(around, type) or not isinstance(self.given, around):
            return node
        method = getattr(super(around, self.given), node.attr, None)
        if not isinstance(method, MethodType):
            return node
        name = _free(f"{node.attr}_above", {*self.space})
        self.space[name] = method
        return ast.copy_location(ast.Name(name, node.ctx), node)


def _more_names(
    args: Any, fit: Fit, taken: set[str], space: Mapping[str, Any]
) -> tuple[list[str], dict[str, str]]:
    """Return the names of what *args takes, and of what **kwargs takes by its key."""
    vararg, kwarg = _variable(args, fit)
    local = taken - {*space}
    wished = [f"{vararg}_{i + 1}" for i in range(fit.more)]
    own = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    for i, each in enumerate(fit.names[: fit.more]):
        wished[i] = each if each not in local | own else wished[i]
    more = [each if each in fit.names else _free(each, taken) for each in wished]
    local |= {*more}
    taken |= local
    return more, {key: _free(key, local, f"{kwarg}_") for key in fit.keywords}


_PARTIAL = "functools_partial"


def _bound_names(param: str, value: Partial, taken: set[str]) -> tuple[list[str], dict[str, str]]:
    """Return what the arguments that a function has been given are called: parameters, too."""
    names = [_free(f"{param}_{i + 1}", taken) for i in range(value.count)]
    return names, {key: _free(key, taken, f"{param}_") for key in value.keywords}


def _variable(args: Any, fit: Fit) -> tuple[str, str]:
    """Return the names of *args and **kwargs, where they are to be replaced."""
    if fit.more == AS_IT_IS:
        return "", ""
    return args.vararg.arg if args.vararg else "", args.kwarg.arg if args.kwarg else ""


def _needs_whole(tree: Any, name: str) -> bool:
    """Tell whether *args is used as the one tuple that it is."""
    for part in nodes_of(tree):
        match part:
            case ast.Name(found, ast.Store()) if found == name:
                return True
            case ast.Subscript(ast.Name(found), key) if found == name and _constant(key) is None:
                return True
    return False


def _is_refused(rename: _Rewrite, tree: Any, name: str) -> bool:
    """Tell whether a function uses a name in a way that names of parts cannot stand for."""
    rename.block(copy.deepcopy(tree.body))
    return rename.wrong == name


def _shown(keywords: Mapping[str, str]) -> Any:
    """Return the display of what **kwargs takes."""
    keys: list[ast.expr | None] = [ast.Constant(key) for key in keywords]
    return ast.Dict(keys, [ast.Name(each, ast.Load()) for each in keywords.values()])


def _put(value: Any, param: str, taken: set[str], space: dict[str, Any]) -> str:
    """Return the name under which a function, or another object, is known to the rewritten one."""
    own = str(getattr(value, "__name__", param))
    wished = own if own.isidentifier() else "function"
    value = value.function if isinstance(value, Partial) else value
    name = wished if space.get(wished) is value else _free(wished, taken - {param})
    space[name] = value
    return name


def _given(param: str, value: Any, taken: set[str], space: dict[str, Any]) -> Any:
    """Return the assignment of what a parameter is given once for all."""
    node = _constant_node(value, param, taken, space)
    return ast.Assign([ast.Name(param, ast.Store())], node)


def _constant_node(value: Any, param: str, taken: set[str], space: dict[str, Any]) -> Any:
    if value is None or isinstance(value, bool | int | str) or _is_plain_float(value):
        return ast.parse(repr(value), mode="eval").body
    name = _free(f"{param}_given", taken)
    space[name] = value
    return ast.Name(name, ast.Load())


def _is_plain_float(value: Any) -> bool:
    return type(value) is float and math.isfinite(value)


def _free(wished: str, taken: set[str], prefix: str = "") -> str:
    name = free(f"{prefix}{wished}" if wished in taken else wished, taken)
    taken.add(name)
    return name


def _parameters(
    args: Any,
    gone: set[str],
    more: list[str],
    last: list[str],
    given: Mapping[str, Any],
) -> Any:
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    if more:
        defaults = [None] * len(plain)  # all of them are given
    pairs = [pair for pair in zip(plain, defaults, strict=True) if pair[0].arg not in gone]
    # what has been given by name, and all behind it, is given by name from then on
    first = next((i for i, (arg, _) in enumerate(pairs) if arg.arg in given), len(pairs))
    named = [*pairs[first:], *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    named = [(arg, given.get(arg.arg, d)) for arg, d in named if arg.arg not in gone]
    named += [(ast.arg(arg=name), None) for name in last]
    pairs = pairs[:first]
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
    """Puts names in; `wrong` is the name of a parameter that is used otherwise, at `where`."""

    def __init__(
        self,
        put: Mapping[str, str],
        vararg: str,
        more: list[str],
        kwarg: str,
        keywords: Mapping[str, str],
        bound: Mapping[str, tuple[list[str], dict[str, str]]],
        empty: frozenset[str],
    ):
        self.put, self.vararg, self.more = put, vararg, more
        self.kwarg, self.keywords = kwarg, keywords
        self.bound, self.empty = bound, empty
        self.wrong, self.where = "", None

    def _refuse(self, name: str, node: Any) -> None:
        self.wrong, self.where = name, node

    def visit_Name(self, node: Any) -> Any:
        """Put a function in for its parameter, and a display for *args."""
        if not isinstance(node.ctx, ast.Load):
            if node.id in (*self.put, self.vararg, self.kwarg):
                self._refuse(node.id, node)
            return node
        if node.id in self.bound:
            given = self._with_given(ast.Name(self.put[node.id], ast.Load()), node.id, [], [])
            return ast.Call(
                ast.Name(_PARTIAL, ast.Load()), [given.func, *given.args], given.keywords
            )
        if node.id in self.put:
            return ast.Name(self.put[node.id], ast.Load())
        if node.id == self.vararg:
            return ast.Tuple([ast.Name(name, ast.Load()) for name in self.more], ast.Load())
        if node.id == self.kwarg:
            self._refuse(node.id, node)
        return node

    def visit_arg(self, node: Any) -> Any:
        """Refuse what binds a name again in a function inside."""
        if node.arg in (*self.put, self.vararg, self.kwarg):
            self._refuse(node.arg, node)
        return node

    def visit_Subscript(self, node: Any) -> Any:
        """Read one of *args or **kwargs by a constant."""
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if not owner:
            return self.generic_visit(node)
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
        return self.block(node.body if test.value else node.orelse) or ast.Pass()

    def block(self, body: list[Any]) -> list[Any]:
        """Return statements rewritten: of a branch that is settled its side is left."""
        found = (self.visit(stmt) for stmt in body)
        return [part for each in found for part in (each if isinstance(each, list) else [each])]

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
            case ast.Call(
                ast.Attribute(ast.Name(owner), "items" | "values" | "keys" as view), [], []
            ) if owner == self.kwarg:
                return self._view(view)
            case ast.Call(ast.Name("len"), [ast.Name(owner)], []) if owner == self.vararg:
                return ast.Constant(len(self.more))
        node.args = [part for arg in node.args for part in self._spread(arg)]
        node.keywords = [part for each in node.keywords for part in self._handed(each)]
        if isinstance(node.func, ast.Name) and node.func.id in self.bound:
            put = ast.Name(self.put[node.func.id], ast.Load())
            node = self._with_given(put, node.func.id, node.args, node.keywords)
        return self.generic_visit(node)

    def _with_given(self, function: Any, param: str, args: Any, keywords: Any) -> Any:
        """Return a call of a function with what it has been given before."""
        names, keys = self.bound[param]
        before = [ast.Name(name, ast.Load()) for name in names]
        told = {each.arg for each in keywords}
        held = [
            ast.keyword(key, ast.Name(name, ast.Load()))
            for key, name in keys.items()
            if key not in told
        ]
        return ast.Call(function, [*before, *args], [*keywords, *held])

    def _view(self, view: str) -> Any:
        """Return what `kw.items()` and the like go through, as a display."""
        keys = [ast.Constant(key) for key in self.keywords]
        values = [ast.Name(name, ast.Load()) for name in self.keywords.values()]
        pairs = [ast.Tuple([k, v], ast.Load()) for k, v in zip(keys, values, strict=True)]
        shown: dict[str, list[Any]] = {"keys": [*keys], "values": [*values], "items": [*pairs]}
        return ast.Tuple(shown[view], ast.Load())

    def _spread(self, arg: Any) -> list[Any]:
        match arg:
            case ast.Starred(ast.Name(owner)) if owner == self.vararg:
                return [ast.Name(name, ast.Load()) for name in self.more]
        return [arg]

    def _handed(self, keyword: Any) -> list[Any]:
        match keyword:
            case ast.keyword(None, ast.Name(owner)) if owner == self.kwarg:
                named = self.keywords.items()
                return [ast.keyword(key, ast.Name(name, ast.Load())) for key, name in named]
            case ast.keyword(None, ast.Name(owner)) if owner in self.empty:
                return []
        return [keyword]
