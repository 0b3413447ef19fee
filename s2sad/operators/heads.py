"""What an operation is looked up by: its function, its symbol, the name of its method.

np.sin(u)     ("function", id of np.sin)        u.sum()    ("method", "sum")
u * w         ("binary", "*")                   u.T        ("attribute", "T")
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.operators import printed
from s2sad.operators.in_force import original
from s2sad.operators.modules import MISSING, PLAIN, identity, resolved
from s2sad.operators.texts import spelled_out
from s2sad.source.optional import MODULES as SCIPY
from s2sad.source.optional import loaded

Head = tuple[str, Hashable]
CALLED: Head = ("called", "")  # of patterns that call a parameter
OPERATOR: Head = ("operator", "")  # of texts whose symbol is not read


def head_of(expr: Expr) -> Head | None:
    """Return what an operation is looked up by; None of what is no operation."""
    match expr.op:
        case "call":
            return _head_of_call(expr.args[0])
        case "binary" | "unary" | "attribute":
            return expr.op, expr.data
        case "compare":
            return "compare", expr.data[0] if len(expr.data) == 1 else expr.data
    return None


def _head_of_call(function: Expr) -> Head | None:
    match function.op:
        case "global":
            return head_of_function(function.data.value)
        case "function" if function.known is not None:
            return head_of_function(function.known.value)
        case "attribute":
            return "method", function.data
        case "name":
            return CALLED
        case "call":
            made = function.args[0]
            if made.op == "global":
                return "object", identity(made.data.value)
            return ("made", made.data) if made.op == "attribute" else None
    return None


def head_of_function(function: Any) -> Head:
    """Return what a function is looked up by: a printed one by its name, in whatever text."""
    name = printed.name_of(function)
    return ("printed", name) if name else ("function", identity(original(function)))


# ---------------------------------------------------------------------------- from the text

_SPELLED = "    y = "
NAMED = frozenset({*PLAIN, *SCIPY, "scipy"})


def heads_in(text: str, words: str) -> Iterator[Head]:
    """Yield the heads of the spellings in a text of templates, without reading it in full.

    `words` are what EACH says above it. OPERATOR is the head of all that has no plain name.
    """
    modules = loaded()
    for spelling in _spellings(text):
        for each in spelled_out(spelling, words):
            yield _head_in(each, modules)


def _spellings(text: str) -> Iterator[str]:
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith(_SPELLED):
            while line.count("(") > line.count(")"):
                line += " " + next(lines).strip()
            yield line.removeprefix(_SPELLED)


@cache
def _head_in(spelling: str, modules: tuple[str, ...]) -> Head:
    """Return the head of a spelling, as far as these modules are there; of each it is asked twice."""
    match ast.parse(spelling, mode="eval").body:
        case ast.Attribute(attr=named):
            return "attribute", named
        case ast.Call(func=ast.Name(id=named)):
            found = resolved(named)
            if named in printed.names():
                return "printed", named
            return CALLED if found is MISSING else ("function", identity(found))
        case ast.Call(func=ast.Attribute(value=owner, attr=named) as function):
            dotted = spelling[: function.end_col_offset]
            found, holder = resolved(dotted), resolved(spelling[: owner.end_col_offset])
            is_named = dotted.partition(".")[0] in NAMED and "(" not in dotted
            if is_named and (isinstance(holder, ModuleType | np.ufunc) or found is MISSING):
                return "function", identity(found)
            return "method", named  # of an object of a module, too: stats.norm.pdf
    return OPERATOR
