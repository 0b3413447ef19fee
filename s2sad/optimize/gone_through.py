"""What a loop alone goes through stands in its head, where it is a field, an entry or an item.

whens = s.when
amounts = s.amount                          ->      for when, amount in zip(s.when, s.amount):
for when, amount in zip(whens, amounts):
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from functools import partial

from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import Block, For, Function, Let, Program, Statement
from s2sad.ir.records import replace
from s2sad.ir.renaming import with_value
from s2sad.ir.text import headed
from s2sad.ir.walk import (
    bind_counts,
    blocks,
    in_blocks,
    name_nodes,
    nodes,
    read_counts,
    with_statements,
)
from s2sad.optimize.memory import Memory, changes, memory_of, statement_reads
from s2sad.optimize.substitute import LINE, is_place


def places_gone_through(function: Function, program: Program) -> Function:
    """Return a function whose loops go through fields where these are, without names for them."""
    once = _read_once(function.body)
    memory = memory_of(function, program)
    body = _gone_through(function.body, once=once, memory=memory)
    return function if body is function.body else replace(function, body=body)


def _read_once(block: Block) -> frozenset[Variable]:
    """Return the variables that are read once after each statement that binds them, in its block."""
    pairs = list(_reads_of_bound(block))
    reads, bound_often = read_counts(block), bind_counts(block)
    paired = Counter(variable for variable, often in pairs if often == 1)
    return frozenset(v for v, n in paired.items() if n == reads[v] == bound_often[v])


def _reads_of_bound(block: Block) -> Iterator[tuple[Variable, int]]:
    """Yield each variable that a statement binds, with how often the rest of its block reads it."""
    rest: Counter[Variable] = Counter()
    for statement in reversed(block):
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            yield statement.target, rest[statement.target]
        for inner in blocks(statement):
            yield from _reads_of_bound(inner)
        rest.update(read_counts((statement,)))


def _gone_through(block: Block, once: Set[Variable], memory: Memory) -> Block:
    inside = partial(_gone_through, once=once, memory=memory)
    made: list[Statement] = [in_blocks(each, inside) for each in block]
    for place in reversed(range(len(made))):
        let = made[place]
        if not isinstance(let, Let) or not isinstance(let.target, Variable):
            continue
        if not _is_of_a_loop(let.target, let, once):
            continue
        for later, loop in enumerate(made[place + 1 :], place + 1):
            if isinstance(loop, For) and _reads(loop.domain, let.target):
                between = (*made[place + 1 : later], *loop.body)
                domain = with_value(loop.domain, let.target, let.value)
                moved = replace(loop, domain=domain)
                fits = len(next(headed(moved, {}))[0]) <= LINE
                if fits and statement_reads(let, memory).isdisjoint(changes(between, memory)):
                    made[later] = moved
                    del made[place]
                break
    return with_statements(block, made)


def _is_of_a_loop(target: Variable, let: Let, once: Set[Variable]) -> bool:
    """Tell whether a statement names a field, an item, a tuple, or what a call gives, that is read once."""
    is_part = let.value.op in ("attribute", "subscript") and is_place(let.value)
    is_ours = target.role is Role.TERM and let.effect.is_pure and target in once
    return (is_part or let.value.op in ("call", "tuple")) and is_ours


def _reads(domain: Expr, variable: object) -> bool:
    """Tell whether what a loop goes through has a name, outside of what is made for each pass."""
    every = [n for n in nodes(domain) if n.op == "comprehension"]
    return not every and any(n.data == variable for n in name_nodes(domain))
