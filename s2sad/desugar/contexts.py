"""`with` and `try` around what is differentiated, where they do not change what it computes.

with np.errstate(all="ignore"):      ->      y = np.log(x)
    y = np.log(x)
"""

from __future__ import annotations

import contextlib
import warnings

import gast
import numpy as np

from s2sad.desugar.names import Names
from s2sad.desugar.syntax import Body, Node, assign, jumps
from s2sad.errors import Unsupported

# managers that decide what is told of a computation, not what it gives
SILENT = (np.errstate, np.printoptions, warnings.catch_warnings, contextlib.nullcontext)
LEAVING = (gast.Return, gast.Break, gast.Continue)


def unwrapped(stmt: Node, names: Names) -> Body | None:
    """Return the block of a `with` or `try` that is to be differentiated."""
    match stmt:
        case gast.With() if names.is_open(stmt) or jumps(stmt.body, LEAVING):
            return _with(stmt, names)
        case gast.Try() if names.is_open(stmt) or _leaves(stmt):
            return _try(stmt, names)
    return None


def _with(stmt: Node, names: Names) -> Body:
    out: Body = []
    for item in stmt.items:
        manager = item.context_expr
        function = names.value(manager.func) if isinstance(manager, gast.Call) else None
        if function not in SILENT:
            raise Unsupported(
                "a `with` around what is differentiated",
                names.span(manager),
                "Leave what is differentiated outside the `with`.",
            )
        if item.optional_vars is not None:
            if function is not contextlib.nullcontext or len(manager.args) != 1:
                raise Unsupported("`as` of this `with`", names.span(manager))
            out.append(assign(item.optional_vars, manager.args[0], manager))
    return [*out, *stmt.body]


def _leaves(stmt: Node) -> bool:
    blocks = [stmt.body, stmt.orelse, stmt.finalbody, *(each.body for each in stmt.handlers)]
    return any(jumps(block, LEAVING) for block in blocks)


def _try(stmt: Node, names: Names) -> Body:
    if any(not _always_raises(handler.body) for handler in stmt.handlers):
        raise Unsupported(
            "a `try` that goes on after an error is not differentiated",
            names.span(stmt),
            "Test for what goes wrong with an `if` first.",
        )
    if stmt.finalbody and jumps([*stmt.body, *stmt.orelse], LEAVING):
        raise Unsupported(
            "leaving a `try` that has a `finally` is not differentiated",
            names.span(stmt),
            "Leave after the `finally`.",
        )
    return [*stmt.body, *stmt.orelse, *stmt.finalbody]


def _always_raises(body: Body) -> bool:
    return bool(body) and isinstance(body[-1], gast.Raise)
