"""A pass that is run again must do nothing more the second time.

for t in range(n):
    u = step(u)
    rows.write(t)                    refused: it would be written twice
    print(t)                         told by passes that run for the first time
"""

from __future__ import annotations

import builtins
import logging
import warnings
from dataclasses import replace
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError, Unsupported
from s2sad.legacy.blocks import all_reads, map_blocks
from s2sad.legacy.calls import is_python
from s2sad.legacy.copyable import attribute, words_of
from s2sad.legacy.drawn import draws as draws_at_all
from s2sad.legacy.facts import UNKNOWN
from s2sad.legacy.normalise import normalise
from s2sad.legacy.origins import METHODS_THAT_COPY
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Ref,
    Stmt,
    Var,
    is_temp,
)
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.schedules.draws import Draws, drawn_from, draws_of, without_draws
from s2sad.legacy.templating import PRINTED_FUNCTION
from s2sad.legacy.through import VIEWS
from s2sad.legacy.tidy import is_pure
from s2sad.legacy.traverse import expressions, reads, statements, transform, walk
from s2sad.source.names import root_of
from s2sad.source.trees import nodes_of

# what these do besides, as np.copyto and np.random do, is told elsewhere
LIBRARIES = ("numpy", "scipy")
LEVELS = ("debug", "info", "warning", "error", "critical")
# what says something and computes nothing, as the methods of loggers do
TELLING = (print, warnings.warn, *(getattr(logging, kind) for kind in LEVELS))
# methods of dicts and texts that change nothing
ASKING = frozenset("get keys values items startswith endswith lower upper strip split join".split())


def refuse_acting(loop: Loop, draws: Draws) -> None:
    """Raise where a pass of a loop does more than compute, or draw what can be drawn again."""
    drawn = _drawn_on_the_way(loop.body)
    for stmt in (*statements(loop.body), replace(loop, body=())):
        if _acts(stmt, draws) or (tells(stmt) and not drawn.isdisjoint(all_reads(stmt))):
            raise Unsupported(
                "this line does more than compute, or may do so, and a checkpointed loop runs it twice",
                stmt.span,
                "Hand on numbers, arrays and lists; write to files after the loop; let generators be arguments, shown by like=.",
            )


def _drawn_on_the_way(block: Block) -> set[Var]:
    """Return the temporaries that are drawn, or made of such: with what is told they would go."""
    found: set[Var] = set()
    for stmt in statements(block):
        if isinstance(stmt, Assign) and all(is_temp(var.slot) for var in stmt.targets):
            if draws_at_all(stmt.value) or not found.isdisjoint(reads(stmt.value)):
                found |= {*stmt.targets}
    return found


def tells(stmt: Stmt) -> bool:
    """Tell whether a statement only prints, logs or warns: passes that run again leave it out."""
    match stmt:
        case Effect(Call(func, args, keywords)) if _is_telling(func):
            given = (*args, *(value for _, value in keywords))
            return not any(draws_at_all(each) or _expression_acts(each) for each in given)
    return False


def _is_telling(func: Expr) -> bool:
    match func:
        case Ref(_, function):
            logs = isinstance(getattr(function, "__self__", None), logging.Logger)
            return logs or function in TELLING
        case Attr(Ref(_, owner)):
            return isinstance(owner, logging.Logger)
    return False


def untold(block: Block) -> Block:
    """Return a block without what it tells."""
    kept = (stmt for stmt in block if not tells(stmt))
    return tuple(map_blocks(stmt, untold) for stmt in kept)


def told_where(first: Var, block: Block) -> Block:
    """Return a block that tells what it tells only where `first` holds."""

    def one(stmt: Stmt) -> Stmt:
        if isinstance(stmt, If) and all(map(tells, stmt.then)) and not stmt.orelse:
            return replace(stmt, test=Op("and", (first, stmt.test)))
        if tells(stmt):
            return If(first, (stmt,), (), (), stmt.span)
        return map_blocks(stmt, lambda inner: told_where(first, inner))

    return tuple(map(one, block))


def _acts(stmt: Stmt, draws: Draws) -> bool:
    if tells(stmt):
        return False
    if isinstance(stmt, Effect) and not _is_check(stmt.value):
        if not draws.is_drawn_again(stmt.value):
            return True
    return any(_expression_acts(without_draws(expr, draws)) for expr in expressions(stmt))


def _is_check(value: Expr) -> bool:
    match value:
        case Call(Ref(_, made)):
            return isinstance(made, str) and made == PRINTED_FUNCTION
        case Opaque(node):
            # what is tried has been found to do no more than to give values
            return isinstance(node, gast.Assert | gast.Pass | gast.Raise | gast.Try)
    return False


def _expression_acts(expr: Expr) -> bool:
    return not is_pure(transform(expr, _asked)) or any(map(_part_acts, walk(expr)))


def _asked(part: Expr) -> Expr:
    """Return what a method that only asks is given, in place of its call."""
    match part:
        case Call(Attr(owner, name), args) if name in ASKING:
            return Op("tuple", (owner, *args))
    return part


def _part_acts(part: Expr) -> bool:
    if isinstance(part, Call) and isinstance(part.func, Ref) and is_python(part.func):
        return not _is_of_library(part.func.value) and _function_acts(part.func.value)
    return isinstance(part, Opaque) and any(
        _copied_call_acts(node, part) for node in nodes_of(part.node) if isinstance(node, gast.Call)
    )


def _is_of_library(function: Any) -> bool:
    return (function.__module__ or "").startswith(LIBRARIES)


def _copied_call_acts(node: Any, copied: Opaque) -> bool:
    """Tell whether a call inside copied syntax may do more than compute."""
    known = {ref.text: ref.value for ref in copied.globals}
    named = isinstance(root_of(node.func), gast.Name)
    if not named or words_of(node.func)[0] not in {*known, *vars(builtins)}:
        return getattr(node.func, "attr", "") not in METHODS_THAT_COPY | VIEWS | ASKING
    words = words_of(node.func)
    value = attribute(known.get(words[0], getattr(builtins, words[0], None)), words[1:])
    if isinstance(value, FunctionType) and not _is_of_library(value):
        return _function_acts(value)
    return "random" in words or words[0] in ("print", "input", "open", "next", "setattr", "exec")


@by_rules(meanwhile=lambda function: False)  # one that calls itself does no more than its body
def _function_acts(function: Any) -> bool:
    """Tell whether a function of the user's may do more than compute."""
    try:
        body: Block = normalise(function).body
    except (S2sadError, RecursionError):
        return True
    draws = draws_of(body, lambda _: UNKNOWN)
    return bool(drawn_from(body, draws)) or any(_acts(stmt, draws) for stmt in statements(body))
