"""Syntax becomes simpler syntax: what is left are plain assignments, branches and loops.

return sum(x * x for x in u)       ->       total = 0
                                            for x in u:
                                                total = total + x * x
                                            return total

One rule a module, each from one statement to several. What can be copied as it stands, because
nothing that is differentiated depends on it, is left alone: only what `names` opens is changed.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from s2sad.ir.errors import S2sadError, gather
from s2sad.legacy.desugar import acting
from s2sad.legacy.desugar.contexts import unwrapped
from s2sad.legacy.desugar.decorated import without_decorators
from s2sad.legacy.desugar.filled import with_filled_calls
from s2sad.legacy.desugar.lacking import instead
from s2sad.legacy.desugar.lists import changed, is_plain_pop
from s2sad.legacy.desugar.loops import simple
from s2sad.legacy.desugar.matching import branches
from s2sad.legacy.desugar.names import ALL, EVERYTHING, Names
from s2sad.legacy.desugar.order import ordered
from s2sad.legacy.desugar.settled import known
from s2sad.legacy.desugar.syntax import Body, Node, with_
from s2sad.legacy.desugar.taken import without_unread
from s2sad.legacy.desugar.targets import single
from s2sad.legacy.desugar.uncached import without_caches
from s2sad.legacy.schedules.marked import plain_loop

Rule = Callable[[Node, Names], Body | None]


def _unmarked(stmt: Node, names: Names) -> Body | None:
    loop = plain_loop(stmt, names.source)
    return None if loop is None else [loop]


RULES: tuple[Rule, ...] = (
    _unmarked,
    branches,
    instead,
    known,
    unwrapped,
    changed,
    simple,
    ordered,
    single,
)


def desugared(body: Body, names: Names) -> Body:
    """Return the statements of a function in simpler syntax; all problems in one error."""
    body = without_decorators(without_caches(body, names), names)
    body = with_filled_calls(body, names)
    return without_unread(_every(body, names))


def _every(body: Body, names: Names) -> Body:
    out: Body = []
    problems: list[S2sadError] = []
    for stmt in body:
        try:
            out += _one(stmt, names)
        except S2sadError as problem:
            problems += problem.problems
    if problems:
        raise gather(problems)
    return out


def _one(stmt: Node, names: Names) -> Body:
    if is_plain_pop(stmt, names) or acting.is_plain(stmt, names):
        return [stmt]
    names.at = stmt
    for rule in RULES:
        made = rule(stmt, names)
        if made is not None:
            return _every(made, names)
    if isinstance(stmt, gast.If | gast.For | gast.While):
        blocks = {key: _every(getattr(stmt, key), names) for key in ("body", "orelse")}
        return [with_(stmt, **blocks)]
    return [stmt]


__all__ = ["ALL", "EVERYTHING", "Names", "desugared"]
