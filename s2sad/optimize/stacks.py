"""Loops that take one saved value in each pass go over the saved values.

    for _ in reversed(range(n)):         for x in reversed(x_saved):
        x = x_saved.pop()                    ...
        ...

The values are taken from the end, as they were put there. It is right only where the loop takes
all of them: it is run once, every pass takes one, and nobody else does.
"""

from __future__ import annotations

from collections import Counter
from operator import is_

from s2sad.ir.expression import Expr, Variable, call, global_, name
from s2sad.ir.program import Block, For, Function, If, Restore, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Sequence
from s2sad.ir.walk import blocks, bound, bound_in, read_in, statements, variables, with_blocks
from s2sad.optimize.memory import Memory, changes, statement_reads
from s2sad.optimize.order import may_be_left


def loop_over_saved(function: Function, memory: Memory) -> Function:
    """Return a function whose outermost loops go over the values that they take."""
    made = tuple(statements(function.body))
    taken = Counter(s.stack for s in made if isinstance(s, Restore))
    if not taken:
        return function
    read = frozenset(v for s in made for v in read_in(s))
    alone = frozenset(stack for stack, often in taken.items() if often == 1 and stack not in read)
    body = _all_over(function.body, alone, memory)
    return function if body is function.body else replace(function, body=body)


def _all_over(block: Block, alone: frozenset[Variable], memory: Memory) -> Block:
    made = tuple(_over(each, alone, memory) for each in block)
    return block if all(map(is_, made, block)) else made


def _over(statement: Statement, alone: frozenset[Variable], memory: Memory) -> Statement:
    if isinstance(statement, If):
        sides = [_all_over(side, alone, memory) for side in blocks(statement)]
        return with_blocks(statement, tuple(sides))
    if not isinstance(statement, For) or may_be_left(statement.body):
        return statement
    read = {v for each in statements(statement.body) for v in read_in(each)}
    if not read.isdisjoint(variables(statement.target)):
        return statement
    found = [
        place
        for place, each in enumerate(statement.body)
        if isinstance(each, Restore)
        and each.stack in alone
        and not isinstance(each.target, Expr)
        and _may_be_first(statement.body, place, memory)
    ]
    return _with_items(statement, found) if 0 < len(found) < 3 else statement


def _may_be_first(body: Block, place: int, memory: Memory) -> bool:
    """Tell whether a value may be taken at the start of a pass."""
    taken = body[place]
    targets = frozenset(bound(taken))
    rest = (*body[:place], *body[place + 1 :])
    if not targets.isdisjoint(bound_in(rest)):
        return False
    before = body[:place]
    reads = frozenset(
        token for each in statements(before) for token in statement_reads(each, memory)
    )
    return targets.isdisjoint(reads | changes(before, memory))


def _with_items(loop: For, found: list[int]) -> For:
    """Return a loop over the stacks from which it took."""
    inside = [loop.body[place] for place in found]
    taken = [each for each in inside if isinstance(each, Restore)]
    targets = tuple(each.target for each in taken if not isinstance(each.target, Expr))
    domains = [_reversed(each.stack) for each in taken]
    body = tuple(each for place, each in enumerate(loop.body) if place not in found)
    if len(taken) == 1:
        return replace(loop, target=targets[0], domain=domains[0], body=body)
    both = call(global_("zip", zip), *domains, type_=Sequence(UNKNOWN, zip))
    return replace(loop, target=targets, domain=both, body=body)


def _reversed(stack: Variable) -> Expr:
    return call(global_("reversed", reversed), name(stack), type_=Sequence(UNKNOWN, reversed))
