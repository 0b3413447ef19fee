"""A loop that asks for its schedule itself: an ordinary loop when the function runs.

for t in s2sad.checkpointed(range(nt), slots=20): ...
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import gast

from s2sad.ir.errors import ArgumentError, Unsupported
from s2sad.legacy.desugar.syntax import with_
from s2sad.operators.schedules import Schedule, asked, checkpointed
from s2sad.source.text import Source, resolve_dotted, span
from s2sad.source.trees import nodes_of


def plain_loop(stmt: Any, source: Source) -> Any | None:
    """Return a loop over the steps themselves, None where `checkpointed` is not called."""
    if not isinstance(stmt, gast.For) or not _is_mark(stmt.iter, source):
        return None
    if len(stmt.iter.args) != 1:
        raise Unsupported(
            "checkpointed takes what is gone over",
            span(source, stmt.iter),
            "Write: for k in s2sad.checkpointed(range(n), slots=20).",
        )
    return with_(stmt, iter=stmt.iter.args[0])


@lru_cache(maxsize=512)
def marks(source: Source) -> Mapping[int, Schedule]:
    """Return the schedules of the loops of a function that ask for them, by their lines."""
    loops = (node for node in nodes_of(source.tree) if isinstance(node, gast.For))
    return {
        span(source, loop).line: _schedule(loop.iter, source)
        for loop in loops
        if _is_mark(loop.iter, source)
    }


def _is_mark(node: Any, source: Source) -> bool:
    if not isinstance(node, gast.Call):
        return False
    found = resolve_dotted(source, node.func)
    return found is not None and found[1] is checkpointed


def _schedule(call: Any, source: Source) -> Schedule:
    given = {each.arg: _number(each.value, source) for each in call.keywords}
    try:
        return asked(given.pop("slots", None), given.pop("every", None))
    except ArgumentError as error:
        raise ArgumentError(error.problem, span(source, call)) from None


def _number(node: Any, source: Source) -> Any:
    """Return a number that is written out, or a constant of the module."""
    if isinstance(node, gast.Constant):
        return node.value
    found = resolve_dotted(source, node) if isinstance(node, gast.Name | gast.Attribute) else None
    if found is None:
        raise Unsupported(
            "slots= and every= of checkpointed are known when the derivative is made",
            span(source, node),
            "Write a number, or a constant of the module.",
        )
    return found[1]
