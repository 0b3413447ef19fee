"""Classes that a function defines for itself, as classes of their own.

class Body:                             Body is a class that is known, as one of the module is
    def __init__(self, m): ...

State = namedtuple("State", "u v")      so is State

That is done where nothing that a class is made of changes from call to call of the function.
"""

from __future__ import annotations
import __future__

import ast
import collections
import copy
import dataclasses
import functools
import typing
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.ir.errors import Span
from s2sad.legacy.program import Assign, Call, Effect, Opaque, Program, Ref, Stmt, Var
from s2sad.legacy.scope import Scope
from s2sad.legacy.traverse import blocks, defines, expressions, reads, statements
from s2sad.source.names import reads_of
from s2sad.source.text import Source
from s2sad.source.trees import below, nodes_of

FUTURE: int = __future__.annotations.compiler_flag
# what may stand above a class or a method of it
DECORATORS = (
    *(dataclasses.dataclass, functools.total_ordering, property, staticmethod, classmethod),
    functools.cached_property,
)
MAKERS = (collections.namedtuple, typing.NamedTuple, dataclasses.make_dataclass)
PLACES = (ast.stmt, ast.excepthandler, ast.match_case)
VALUES = (gast.Constant, gast.Name, gast.Attribute, gast.Tuple, gast.List, gast.UnaryOp)


def defined(node: Any, scope: Scope) -> bool:
    """Let the class that a statement makes be known under its name, and tell whether it is."""
    name = _name_of(node)
    if not name or scope.suffix or not _is_settled(name, node, scope):
        return False
    made = _made(node, name, scope)
    if made is None:
        return False
    scope.imports[name] = made
    scope.locals = scope.locals - {name}
    known = {**scope.source.made, name: made}
    scope.source = dataclasses.replace(
        scope.source, made=known, locals=scope.source.locals - {name}
    )
    return True


def _name_of(node: Any) -> str:
    match node:
        case gast.ClassDef(name=name):
            return str(name)
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call()):
            return str(name)
    return ""


def makes_class(node: Any, source: Source) -> bool:
    """Tell whether a statement makes a class: by `class`, or as namedtuple does."""
    if isinstance(node, gast.ClassDef):
        return True
    match node:
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=func)):
            return any(_global(func, source) is each for each in MAKERS)
    return False


def _global(node: Any, source: Source) -> Any:
    """Return the object that a dotted name of what is outside the function means, or None."""
    words = []
    while isinstance(node, gast.Attribute):
        words.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name) or node.id in source.locals:
        return None
    value = source.resolve(node.id)
    for word in reversed(words):
        value = getattr(value, word, None)
    return value


def classes_read(program: Program, active: frozenset[Var]) -> Iterator[Span]:
    """Yield the places of the classes that a function defines, where one makes what is active."""
    found = {var: stmt.span for stmt in statements(program.body) for var in _classes(stmt)}
    simple = (each for each in statements(program.body) if not blocks(each))
    if any(
        var in found
        for stmt in simple
        if any(each in active for each in defines(stmt)) or _is_function(stmt)
        for expr in expressions(stmt)
        for var in reads(expr)
    ):
        yield from found.values()


def _is_function(stmt: Stmt) -> bool:
    """Tell whether a statement makes a function, which may make objects where it is called."""
    match stmt:
        case Effect(Opaque(gast.FunctionDef())) | Assign(_, Opaque(gast.Lambda())):
            return True
    return False


def _classes(stmt: Stmt) -> Iterator[Var]:
    match stmt:
        case Effect(Opaque(gast.ClassDef(), _, ((_, var),))):
            yield var
        case Assign((var,), Call(Ref(_, maker))) if any(maker is each for each in MAKERS):
            yield var
        case Assign((var,), Opaque(gast.Call(), globals=(*_,) as known)) if any(
            each.value is maker for each in known for maker in MAKERS
        ):
            yield var


# ---------------------------------------------------------------------------- what is settled


def _is_settled(name: str, node: Any, scope: Scope) -> bool:
    """Tell whether the class is the same whenever the function is called, and wherever it is read."""
    source = scope.source
    if not makes_class(node, source):
        return False
    whole = source.tree.body
    bound = [part for stmt in whole for part in nodes_of(stmt) if _binds(part, name)]
    if len(bound) != 1:
        return False
    own = {*reads_of(node)} - {name}
    if any(each in source.locals or each in _cells(source) for each in own):
        return False
    return not isinstance(node, gast.ClassDef) or _is_plain_class(node, source)


def _binds(node: Any, name: str) -> bool:
    """Tell whether a node gives a name something else, by itself."""
    match node:
        case gast.Name(id=found):
            return found == name and not isinstance(node.ctx, gast.Load)
        case gast.ClassDef(name=found) | gast.FunctionDef(name=found):
            return bool(found == name)
        case gast.Nonlocal(names=names) | gast.Global(names=names):
            return name in names
        case gast.alias(name=found, asname=other):
            return name in (found, other)
        case gast.Attribute(value=gast.Name(id=found)):
            return found == name and not isinstance(node.ctx, gast.Load)
    return False


def _cells(source: Source) -> tuple[str, ...]:
    return source.function.__code__.co_freevars


def _is_plain_class(node: Any, source: Source) -> bool:
    """Tell whether all that is run where a class is defined are definitions and constants."""
    if node.keywords or not all(_is_decorator(each, source) for each in node.decorator_list):
        return False
    return all(_is_plain(stmt, source) for stmt in node.body)


def _is_plain(stmt: Any, source: Source) -> bool:
    match stmt:
        case gast.FunctionDef(name="__next__"):
            return False  # its objects are asked by what is copied, never taken apart
        case gast.FunctionDef(decorator_list=above):
            defaults = [*stmt.args.defaults, *filter(None, stmt.args.kw_defaults)]
            known = all(_is_decorator(each, source) for each in above)
            return known and all(map(_is_value, defaults))
        case gast.Pass() | gast.Expr(value=gast.Constant()):
            return True
        case gast.Assign(value=value) | gast.AnnAssign(value=value):
            return value is None or _is_value(value) or _is_field(value, source)
    return False


def _is_value(node: Any) -> bool:
    return all(
        isinstance(part, (*VALUES, gast.expr_context, gast.unaryop)) for part in nodes_of(node)
    )


def _is_field(node: Any, source: Source) -> bool:
    match node:
        case gast.Call(func=func, args=[], keywords=given):
            plain = all(_is_value(each.value) for each in given)
            return _global(func, source) is dataclasses.field and plain
    return False


def _is_decorator(node: Any, source: Source) -> bool:
    if isinstance(node, gast.Attribute) and node.attr in ("setter", "getter"):
        return True
    if isinstance(node, gast.Call):
        return _is_decorator(node.func, source) and all(_is_value(e.value) for e in node.keywords)
    value = _global(node, source)
    return any(value is each for each in DECORATORS) or (
        getattr(value, "__module__", "") == "abc" and value.__name__ == "abstractmethod"
    )


# ---------------------------------------------------------------------------- making


def _made(node: Any, name: str, scope: Scope) -> Any:
    """Return the class; its methods are those of the user's file, line for line."""
    plain = gast.gast_to_ast(copy.deepcopy(node))
    known = {n: value for n, value in scope.source.made.items() if n != name}
    tree = ast.parse(f"def made({', '.join(known)}):\n    return {name}")
    maker = tree.body[0]
    assert isinstance(maker, ast.FunctionDef)
    maker.body.insert(0, plain)
    tree.body.insert(0, _imports(scope.source))
    space: dict[str, Any] = {}
    flags = scope.source.function.__code__.co_flags & FUTURE
    whole = ast.fix_missing_locations(tree)
    code = compile(whole, scope.source.path, "exec", flags=flags, dont_inherit=True)
    try:
        exec(code, scope.source.function.__globals__, space)
        return space["made"](**known)
    except Exception:
        return None  # what it raises comes when the function is called


def _imports(source: Source) -> ast.stmt:
    """Return what a file imports, never to be run: methods of modules are called in another way."""
    found: list[ast.stmt] = [ast.Pass()]
    waiting: list[ast.AST] = [*source.module_tree.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [copy.deepcopy(node)] if getattr(node, "module", "") != "__future__" else []
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += [each for each in below(node) if isinstance(each, PLACES)]
    return ast.If(ast.Constant(False), found, [])
