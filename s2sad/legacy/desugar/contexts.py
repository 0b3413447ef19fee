"""`with` around what is differentiated, where it does not change what it computes.

with np.errstate(all="ignore"):      ->      y = np.log(x)
    y = np.log(x)
"""

from __future__ import annotations

import contextlib
import warnings

import gast
import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar.cutting import LEAVING
from s2sad.legacy.desugar.managers import entered
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.regions import is_region, stopped
from s2sad.legacy.desugar.silent import only_watches
from s2sad.legacy.desugar.syntax import Body, Node, assign, jumps, placed
from s2sad.legacy.desugar.trying import is_trial, tried
from s2sad.legacy.templating import SCRATCH, printed_name
from s2sad.source.trees import nodes_of

# managers that decide what is told of a computation, not what it gives
SILENT = (np.errstate, np.printoptions, warnings.catch_warnings, contextlib.nullcontext)


def unwrapped(stmt: Node, names: Names) -> Body | None:
    """Return the block of a `with` or `try` that is to be differentiated."""
    match stmt:
        case gast.With() if is_region(stmt, names):
            return stopped(stmt, names)
        case gast.With() if names.is_open(stmt) or jumps(stmt.body, LEAVING):
            silent = any(_tells_only(item, stmt, names) for item in stmt.items)
            return (None if silent else entered(stmt, names)) or _with(stmt, names)
        case gast.Try() if not is_trial(stmt) and (names.is_open(stmt) or _leaves(stmt)):
            return tried(stmt, names)
    return None


def _tells_only(item: Node, stmt: Node, names: Names) -> bool:
    """Tell whether a manager only takes the time, prints or logs, and is not read."""
    manager = item.context_expr
    function = names.value(manager.func) if isinstance(manager, gast.Call) else None
    return only_watches(function) and not _is_read(item.optional_vars, stmt, names)


def _with(stmt: Node, names: Names) -> Body:
    out: Body = []
    body = stmt.body
    for item in stmt.items:
        manager = item.context_expr
        function = names.value(manager.func) if isinstance(manager, gast.Call) else None
        if printed_name(function) == SCRATCH:  # around all of a text: its derivative's, too
            out.append(assign(item.optional_vars, manager, manager))
            continue
        if function is contextlib.suppress and len(stmt.items) == 1:
            return [_suppressing(manager, stmt)]
        if _tells_only(item, stmt, names):
            continue
        if function not in SILENT:
            raise Unsupported(
                "a `with` around what is differentiated",
                names.span(manager),
                "Leave what is differentiated outside the `with`.",
            )
        if function is np.errstate:
            _refuse_raising(manager, names)
        if function is warnings.catch_warnings:
            body = [each for each in body if not _is_filter(each, names)]
        if item.optional_vars is not None:
            if function is not contextlib.nullcontext or len(manager.args) != 1:
                raise Unsupported(
                    "`as` of this `with`",
                    names.span(manager),
                    "Leave out the `as`, and give what it names a name before.",
                )
            out.append(assign(item.optional_vars, manager.args[0], manager))
    return [*out, *body]


def _is_read(target: Node | None, stmt: Node, names: Names) -> bool:
    """Tell whether what a `with` gives a name to is read anywhere."""
    if target is None:
        return False
    reads = (part for part in nodes_of(names.source.tree) if isinstance(part, gast.Name))
    return not isinstance(target, gast.Name) or any(
        part.id == target.id and isinstance(part.ctx, gast.Load) for part in reads
    )


def _suppressing(manager: Node, stmt: Node) -> Node:
    """Return `with suppress(E): ...` as a `try` that goes on after E."""
    kinds = placed(gast.Tuple(elts=list(manager.args), ctx=gast.Load()), manager)
    handler = gast.ExceptHandler(type=kinds, name=None, body=[placed(gast.Pass(), stmt)])
    made = gast.Try(body=stmt.body, handlers=[placed(handler, stmt)], orelse=[], finalbody=[])
    return placed(made, stmt)


def _refuse_raising(manager: Node, names: Names) -> None:
    """Refuse what makes an error of a warning: it decides what is computed."""
    for each in (*manager.args, *(keyword.value for keyword in manager.keywords)):
        silent = isinstance(each, gast.Constant) and each.value in ("ignore", "warn", "print")
        if not silent:
            raise Unsupported(
                "np.errstate that may raise is not differentiated",
                names.span(manager),
                "Test for what goes wrong with an `if`, or np.where.",
            )


def _is_filter(stmt: Node, names: Names) -> bool:
    """Tell whether a statement silences warnings, which ends with the `with`."""
    called = stmt.value if isinstance(stmt, gast.Expr) else None
    if not isinstance(called, gast.Call):
        return False
    if names.value(called.func) not in (warnings.simplefilter, warnings.filterwarnings):
        return False
    action = called.args[0] if called.args else called.keywords[0].value
    if isinstance(action, gast.Constant) and action.value != "error":
        return True
    raise Unsupported(
        "warnings that become errors are not differentiated",
        names.span(stmt),
        "Test for what goes wrong with an `if`.",
    )


def _leaves(stmt: Node) -> bool:
    blocks = [stmt.body, stmt.orelse, stmt.finalbody, *(each.body for each in stmt.handlers)]
    return any(jumps(block, LEAVING) for block in blocks)
