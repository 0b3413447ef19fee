"""Which of the user's objects a copy of their text can stand for, and what that text evaluates.

copyable(damped)            the source of a function that reads its module and writes nothing there
bound_inside(tree)          {"x", "rate"}: what its own names hide
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import FunctionType, ModuleType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.marks import MARKS
from s2sad.legacy.program import Attr, Const, Opaque
from s2sad.source.installed import imports_own, is_installed
from s2sad.source.names import locals_of, root_of
from s2sad.source.outside import wrapped_by
from s2sad.source.text import MISSING, Source, source_of
from s2sad.source.trees import nodes_of


def is_own(value: Any) -> bool:
    """Tell whether a module or class is the user's, so that what is in it is looked for there."""
    if is_own_module(value):
        return True
    if not isinstance(value, type):
        return False
    module = sys.modules.get(value.__module__)
    return module is None or not (is_installed(module) or value.__module__ == "builtins")


def is_own_module(value: Any) -> bool:
    """Tell whether something is a module of the user's."""
    return isinstance(value, ModuleType) and not is_installed(value)


def emitted(value: Any) -> Any:
    """Return the function that a derivative runs in place of the derivative."""
    if type(value).__name__ != "DerivativeFunction":
        return value
    try:
        return value.emitted(None).function
    except S2sadError:
        return value


def is_mark(value: Any) -> bool:
    """Tell whether a function only marks what it gives back, so that any file may have it."""
    return any(value is mark for mark in MARKS)


def is_tool(value: Any) -> bool:
    """Tell whether a module or function is s2sad's own, which no file may need."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return str(name).partition(".")[0] == "s2sad"


def copyable(value: Any) -> Source | None:
    """Return the source of a function that a copy of its text would replace, None of others."""
    if is_mark(value):
        return source_of(value)
    plain = value if isinstance(value, FunctionType) else wrapped_by(value)
    if is_tool(value) or is_tool(plain):
        return None
    if not isinstance(plain, FunctionType) or is_installed(plain):
        return None
    try:
        source = source_of(plain)
    except S2sadError:
        return None
    held = sys.modules.get(plain.__module__)
    if plain is not value and attribute(held, plain.__qualname__.split(".")) is not value:
        return None
    if plain is not value and not source.tree.decorator_list:
        return None
    # what writes to its module or closure does so in one place only
    writes = any(isinstance(part, gast.Global) for part in nodes_of(source.tree))
    writes |= any(
        isinstance(part, gast.Nonlocal) and set(part.names) & set(plain.__code__.co_freevars)
        for part in nodes_of(source.tree)
    )
    if writes or imports_own(source.tree) or _matches_by_name(source):
        return None
    return source


def _matches_by_name(source: Source) -> bool:
    """Tell whether a pattern asks for a constant of a module, whose own name would catch all."""
    values = (part.value for part in nodes_of(source.tree) if isinstance(part, gast.MatchValue))
    dotted = (words_of(value)[:1] for value in values if isinstance(value, gast.Attribute))
    return any(is_own_module(source.resolve(*root)) for root in dotted)


def bound_inside(tree: Any) -> set[str]:
    """Return every name that a function or one inside it binds."""
    found: set[str] = set(locals_of(tree))
    for part in nodes_of(tree):
        if isinstance(part, gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda):
            found |= locals_of(part)
        elif isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load):
            found.add(part.id)
    return found


def not_evaluated(tree: Any) -> set[int]:
    """Return the syntax that says of which type something is, and is left out or never run."""
    found = [getattr(tree, "returns", None), getattr(tree, "args", None)]
    if not isinstance(tree, gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda):
        found = []
    found += [part.annotation for part in nodes_of(tree) if isinstance(part, gast.AnnAssign)]
    return {id(part) for each in found if each is not None for part in nodes_of(each)}


def words_of(node: Any) -> tuple[str, ...]:
    """Return the words of a dotted name."""
    words: list[str] = []
    root = root_of(node)
    while node is not root:
        words.append(node.attr)
        node = node.value
    return (root.id, *reversed(words))


def attribute(value: Any, words: Iterable[str]) -> Any:
    """Return what a dotted name reads from a value, MISSING where there is nothing."""
    for word in words:
        value = getattr(value, word, MISSING)
    return value


def attributes_in(part: Any) -> set[str]:
    """Return the names of the attributes that an expression reads, or a syntax tree."""
    match part:
        case Attr(_, name):
            return {name}
        case Opaque(tree) | (gast.AST() as tree):
            return {node.attr for node in nodes_of(tree) if isinstance(node, gast.Attribute)}
    return set()


def words_in(part: Any) -> set[str]:
    """Return the texts that an expression is written with, or a syntax tree."""
    match part:
        case Const(str(text)):
            return {text}
        case Opaque(tree) | (gast.AST() as tree):
            found = (node.value for node in nodes_of(tree) if isinstance(node, gast.Constant))
            return {text for text in found if isinstance(text, str)}
    return set()


def attributes_of(function: Any) -> set[str]:
    """Return the names of what a function was given as attributes of its own."""
    return {name for name in vars(function) if not name.startswith("__")}
