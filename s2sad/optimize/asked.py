"""What a text asks of the items of lists, in one place: of all before a loop, and at the entry.

for layer in layers:                            if any(W.shape[1] != b.shape[0] for W, b in layers):
    if W.shape[1] != b.shape[0]:       ->           raise ValueError("made for W.shape[1] == b.shape[0]")
        raise ValueError(...)                   for layer in layers: ...
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, TypeGuard

from s2sad.analysis.pass_lengths import MADE_FOR
from s2sad.ir.expression import Expr, Pattern, Variable, call, global_, negated
from s2sad.ir.program import Block, Check, For, If, Program, Raise, Return, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Type
from s2sad.ir.walk import (
    bind_counts,
    expressions,
    name_nodes,
    nodes,
    read_variables,
    statements,
    variables,
)
from s2sad.optimize.items import UNREAD, by_item, counts_of, gone_over, takes_in, together
from s2sad.optimize.memory import changes, memory_of, read_tokens


def asked_before(loop: For, position: Variable, lists: frozenset[Type]) -> tuple[Block, For]:
    """Return what a loop asks of its items alone, asked of all before it, and the loop without that.

    if any(W.shape[0] != b.shape[0] for W, b in zip(Ws[:-1], bs[:-1])):
        raise ValueError("made for W.shape[0] == b.shape[0]")
    """
    counts = counts_of(loop.domain)
    takes = list(takes_in(loop.body, position)) if counts else []
    often = bind_counts(loop.body)
    checks, body = [], list(loop.body)
    for each in loop.body:
        if not takes or not _is_check(each):
            continue
        asked = {node.data for node in name_nodes(each.test)}
        needed = [take for take in takes if not asked.isdisjoint(variables(take.let.target))]
        taken = {v for take in needed for v in variables(take.let.target)}
        by_base = by_item(needed)
        is_known = asked <= taken and all(often[v] == 1 for v in asked)
        if not is_known or not by_base or not all(base.type in lists for base, _ in by_base):
            continue
        domains = gone_over([base for base, _ in by_base], counts, False, lists)
        if domains is not None:
            targets = [_pattern(target, asked) for _, target in by_base]
            checks.append(_asked_of_all(each, targets, together(domains)))
            body.remove(each)
    return tuple(checks), replace(loop, body=tuple(body)) if checks else loop


def _pattern(target: Pattern, asked: Set[Variable]) -> Pattern:
    """Return what an item is taken apart to, without names for what is not asked: W, _."""
    if isinstance(target, tuple):
        return tuple(_pattern(part, asked) for part in target)
    return target if target in asked else UNREAD


def _asked_of_all(check: If, targets: list[Pattern], domain: Expr) -> If:
    """Return a check of all items that a loop goes over."""
    each: Any = targets[0] if len(targets) == 1 else tuple(targets)
    generator = Expr("generator", (domain,), each)
    items = Expr("comprehension", (check.test, generator), "generator", UNKNOWN)
    return replace(check, test=call(global_("any", any), items, type_=check.test.type))


def _is_check(statement: Statement) -> TypeGuard[If]:
    """Tell whether a statement asks for shapes that the text was made for, and raises."""
    return _message_of(statement) is not None


def _message_of(statement: Statement) -> str | None:
    """Return what a check says where it fails; None of another statement."""
    match statement:
        case If(_, (Raise(Expr("call", (_, Expr("constant", data=str() as message)))),), ()):
            return message if message.startswith(MADE_FOR) else None
    return None


def asked_at_entry(program: Program) -> Program:
    """Return a program that asks at its entry what it asks of arguments alone on its way."""
    function = program.function
    if all(_message_of(each) is None for each in function.body):
        return program
    parameters = frozenset(p.variable for p in function.parameters)
    memory = memory_of(function, program)
    checks: list[Check] = []
    body: list[Statement] = []
    may_leave = False
    for each in function.body:
        may_leave |= any(isinstance(s, Return) for s in statements((each,)))
        calls_own = any(node.op == "function" for e in expressions(each) for node in nodes(e))
        message = None if may_leave or calls_own else _message_of(each)
        if message is not None and isinstance(each, If) and read_variables(each.test) <= parameters:
            if read_tokens(each.test, memory).isdisjoint(changes(tuple(body), memory)):
                checks.append(Check(negated(each.test), message, each.span))
                continue
        body.append(each)
    if not checks:
        return program
    made = replace(function, body=tuple(body))
    functions = {**program.functions, program.entry: made}
    return replace(program, functions=functions, checks=(*program.checks, *checks))
