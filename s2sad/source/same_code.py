"""Definitions that IPython's autoreload compiled by themselves, away from their lines.

edited(nodes, code)        those that give this code as a statement, or in a class, of their own
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable
from types import CodeType

from s2sad.source.codes import FUTURE, Definition, alike, compiled, same_place


def edited(nodes: Iterable[Definition], code: CodeType) -> list[Definition]:
    """Return the definitions that give this code by themselves, away from their lines."""
    return [node for node in nodes if _moved_alike(node, code)]


def _moved_alike(node: Definition, code: CodeType) -> bool:
    """Tell whether a definition gives this code as a statement, or in a class, of its own."""
    if isinstance(node, ast.Lambda):
        return False
    plain = ast.unparse(node)
    in_class = "class Holder:\n" + textwrap.indent(plain, "    ")
    flags = code.co_flags & FUTURE
    return any(
        same_place(each, code) and alike(each, code)
        for text in (plain, in_class)
        for each in compiled(text, flags)
    )
