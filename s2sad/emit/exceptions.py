"""An exception class of the user's, as the file of a derivative defines it.

class Diverged(Exception):                       class Diverged(Exception):
    '''What a step raises.'''                        def __init__(self, message, step=None):
    def __init__(self, message, step=None):              super().__init__(message)
        super().__init__(message)                        self.step = step
        self.step = step

Docstrings and annotations are left out. A class that reads names of its module has no text, but for
its own and those of its bases.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from textwrap import indent
from types import FunctionType
from typing import Any

import gast

from s2sad.emit.constants import constant_text
from s2sad.ir.errors import NoSource
from s2sad.source.plain import PLACED
from s2sad.source.read import read


def exception_text(cls: type, bases: list[str]) -> str | None:
    """Return the definition of an exception class, whose bases are called so; None where there is none."""
    own = {word: value for word, value in vars(cls).items() if word not in PLACED}
    named = {cls.__name__: cls} | dict(zip(bases, cls.__bases__, strict=True))
    members = [_member(word, value, named) for word, value in own.items()]
    if None in members:
        return None
    head = f"class {cls.__name__}({', '.join(bases)}):"
    return "\n".join([head, *(map(str, members) if members else ["    pass"])]).rstrip()


def _member(word: str, value: Any, named: Mapping[str, type]) -> str | None:
    """Return a line or a method of a class, indented: of the module it may name the class and its bases."""
    if not isinstance(value, FunctionType):
        written = constant_text(value)
        return None if written is None else f"    {word} = {written}"
    try:
        tree = gast.gast_to_ast(read(value).tree)
    except NoSource:
        return None
    code = value.__code__
    given = {name: value.__globals__[name] for name in code.co_names if name in value.__globals__}
    is_known = all(
        named.get(name, 0) is each for name, each in given.items() if not _is_builtin(name)
    )
    if not is_known or set(code.co_freevars) - {"__class__"} or tree.decorator_list:
        return None
    return indent(ast.unparse(_Bare().visit(tree)), "    ") + "\n"


def _is_builtin(name: str) -> bool:
    return hasattr(builtins, name)


class _Bare(ast.NodeTransformer):
    """Leaves out docstrings and annotations."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.body = node.body[ast.get_docstring(node) is not None :] or [ast.Pass()]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node
