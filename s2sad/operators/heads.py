"""What an operation is looked up by: its function, its symbol, the name of its method.

np.sin(u)     ("function", id of np.sin)        u.sum()    ("method", "sum")
u * w         ("binary", "*")                   u.T        ("attribute", "T")
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.operators import printed
from s2sad.operators.in_force import original
from s2sad.operators.modules import MISSING, PLAIN, identity, loaded, resolved
from s2sad.operators.texts import Row, spelled_out
from s2sad.source.optional import MODULES as SCIPY

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
_CALL = re.compile(r"([A-Za-z_][\w.]*)\(")
_MEMBER = re.compile(r"\.(\w+)(\(?)")
_BRACKET = re.compile(r"[()]")
_ATTRIBUTE = re.compile(r"[A-Za-z_]\w*\.(\w+)")


def heads_in(text: str, rows: tuple[Row, ...]) -> Iterator[Head]:
    """Yield the heads of the spellings in a text of templates, without reading it in full.

    `rows` are those that `each` stands for. OPERATOR is the head of all that has no plain name.
    """
    modules = loaded()
    for spelling in _spellings(text):
        for each in spelled_out(spelling, rows):
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
    if attribute := _ATTRIBUTE.fullmatch(spelling):
        return "attribute", attribute[1]
    call = _CALL.match(spelling)
    if call is None:
        return OPERATOR
    end = _end_of_brackets(spelling, call.end())
    return _head_of_name(call[1]) if end == len(spelling) else _head_of_rest(spelling, end)


def _head_of_name(dotted: str) -> Head:
    """Return the head of a call of what stands under a name."""
    first, _, rest = dotted.partition(".")
    if first in PLAIN or first in SCIPY or first == "scipy":
        found, holder = resolved(dotted), resolved(dotted.rpartition(".")[0])
        if isinstance(holder, ModuleType | np.ufunc) or found is MISSING:
            return "function", identity(found)
        return "method", dotted.rpartition(".")[2]  # of an object of a module: stats.norm.pdf
    if rest:
        return "method", rest
    if first in printed.names():
        return "printed", first
    found = resolved(first)
    return CALLED if found is MISSING else ("function", identity(found))


def _head_of_rest(spelling: str, start: int) -> Head:
    """Return the head of what is done to the result of a call: `f(x).method(y)`, `f(x).name`."""
    member = _MEMBER.match(spelling, start)
    if member is None:
        return OPERATOR
    if not member[2]:
        return ("attribute", member[1]) if member.end() == len(spelling) else OPERATOR
    end = _end_of_brackets(spelling, member.end())
    return ("method", member[1]) if end == len(spelling) else _head_of_rest(spelling, end)


def _end_of_brackets(text: str, start: int) -> int:
    """Return the place behind the bracket that closes what is opened just before `start`."""
    depth = 1
    for bracket in _BRACKET.finditer(text, start):
        depth += 1 if bracket[0] == "(" else -1
        if not depth:
            return bracket.end()
    return len(text)
