"""A loop over positions that only takes items at them goes over the items.

for k in range(len(xs)):                 for x in xs:
    x = xs[k]                    ->          h = h + w * x
    h = h + w * x

for k in reversed(range(len(xs))):       for x, y in zip(reversed(xs), reversed(ys)):
    x, y = xs[k], ys[k]          ->          ...

for k in range(len(xs) - 1):             for x in xs[:-1]:
    x = xs[k]                    ->          ...

Items are taken at the head of a pass then. So what holds them is not bound again in the loop, and no
statement before the one that takes an item reads the name that it gets, or writes what it is taken from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from typing import Any

from s2sad.analysis.exits import may_be_left
from s2sad.analysis.loops import turned_back
from s2sad.ir.expression import Expr, Variable, call, calls, global_, name, positional
from s2sad.ir.program import Block, For, Function, If, Let, Program, Restore, Save, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import Type
from s2sad.ir.walk import (
    bound,
    bound_in,
    in_blocks,
    read_counts,
    read_in,
    rewritten,
    statements,
    variables,
    with_statements,
)
from s2sad.operators.guards import is_written_out
from s2sad.optimize.items import (
    Take,
    backwards,
    by_item,
    counts_of,
    filled_before,
    gone_over,
    steady_lists,
    takes_in,
    together,
    with_parts,
)
from s2sad.optimize.memory import Memory, changes, memory_of, touched_by


def over_items(function: Function, program: Program) -> Function:
    """Return a function whose loops go over items where their positions are not needed."""
    if not any(map(_takes_items, statements(function.body))):
        return function
    memory = memory_of(function, program)
    reads = read_counts(function.body)
    lists = steady_lists(function, program)
    inside: Counter[Variable] = Counter()
    for each in statements(function.body):
        if isinstance(each, For) and isinstance(each.target, Variable):
            inside[each.target] += read_counts(each.body)[each.target]

    def change(each: Statement) -> Statement:
        if not isinstance(each, For) or not isinstance(each.target, Variable):
            return each
        position = each.target
        loop = with_parts(each, lists)
        alone = reads[position] == inside[position]
        steady = lists | filled_before(loop, position, memory)
        found = _over_items(loop, position, memory, steady) if alone else None
        return found or _numbered(loop, position, memory, steady) or loop

    return replace(function, body=rewritten(function.body, change))


def _takes_items(statement: Statement) -> bool:
    """Tell whether a statement is a loop over positions that takes items at them."""
    if not isinstance(statement, For) or not isinstance(statement.target, Variable):
        return False
    return any(True for _ in takes_in(statement.body, statement.target))


def _over_items(
    loop: For, position: Variable, memory: Memory, lists: frozenset[Type]
) -> For | None:
    """Return a loop over items; None where it needs the position, or an item may change."""
    domain, is_reversed = loop.domain, calls(loop.domain, reversed)
    if is_reversed:
        (domain,) = positional(domain)
    elif (back := turned_back(domain)) is not None:
        domain, is_reversed = back, True
    counts = counts_of(domain)
    takes = list(takes_in(loop.body, position))
    if not counts or not takes or len(takes) != read_counts(loop.body)[position]:
        return None
    if any(position in bound(each) for each in statements(loop.body)):
        return None
    found = gone_over([each.base for each in takes], counts, is_reversed, lists)
    if found is None or not all(_may_be_taken_first(each, loop.body, memory) for each in takes):
        return None
    return _over_their_items(loop, takes, found)


def _numbered(loop: For, position: Variable, memory: Memory, lists: frozenset[Type]) -> For | None:
    """Return a loop over items and their numbers where it was the user's own: for k, x in enumerate(xs)."""
    counts = counts_of(loop.domain)
    takes = [each for each in takes_in(loop.body, position) if _is_of_head(each, loop)]
    if not counts or not takes or position in bound_in(loop.body):
        return None
    found = gone_over([each.base for each in takes], counts, False, lists)
    if found is None or not all(_may_be_taken_first(each, loop.body, memory) for each in takes):
        return None
    made = _over_their_items(loop, takes, found)
    if made is None:
        return None
    numbered = call(global_("enumerate", enumerate), made.domain)
    return replace(made, target=(position, made.target), domain=numbered)


def _over_their_items(loop: For, takes: Sequence[Take], domains: Sequence[Expr]) -> For | None:
    """Return a loop over the items that it takes, each of whose bases has a domain."""
    by_base = by_item(takes)
    if by_base is None:
        return None
    bases = [each.base for each in takes]
    own = [domains[bases.index(base)] for base, _ in by_base]
    made = _going_over(loop, [each.let for each in takes], own, [to for _, to in by_base])
    return made if made.body else None


def _is_of_head(take: Take, loop: For) -> bool:
    """Tell whether the head of the user's own loop takes an item."""
    return take.let.span is not None and take.let.span == loop.span


def _going_over(
    loop: For, taken: Sequence[Let | Restore], domains: Sequence[Expr], targets: Sequence[Any]
) -> For:
    """Return a loop over the items that statements of its body took."""
    gone = {id(each) for each in taken}
    body = tuple(each for each in loop.body if id(each) not in gone)
    if len(targets) == 1:
        return replace(loop, target=targets[0], domain=domains[0], body=body)
    targets = tuple(targets)
    return replace(loop, target=targets, domain=together(domains), body=body)


def _may_be_taken_first(take: Take, body: Block, memory: Memory) -> bool:
    """Tell whether an item is the same at the head of a pass, and nothing reads its name before."""
    names = set(variables(take.let.target))
    if may_be_left(take.before):
        return False
    if is_written_out(take.base):
        return _is_untouched(names, take.before, memory)
    whole = memory.content(take.base.data)
    if take.base.data in changes(body, memory) or whole in changes(take.before, memory):
        return False
    return _is_untouched(names, take.before, memory)


def _is_untouched(names: Set[Variable], block: Block, memory: Memory) -> bool:
    """Tell whether no statement of a block reads or changes some names."""
    return all(names.isdisjoint(touched_by(each, memory)) for each in block)


# ---------------------------------------------------------------------------- saved values


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
    return with_statements(block, (_over(each, alone, memory) for each in block))


def _over(statement: Statement, alone: frozenset[Variable], memory: Memory) -> Statement:
    if isinstance(statement, If):
        return in_blocks(statement, lambda side: _all_over(side, alone, memory))
    if not isinstance(statement, For) or may_be_left(statement.body):
        return statement
    read = {v for each in statements(statement.body) for v in read_in(each)}
    if not read.isdisjoint(variables(statement.target)):
        return statement
    # what a pass itself saves is not there before the loop
    alone -= {each.stack for each in statements(statement.body) if isinstance(each, Save)}
    found = [
        each
        for place, each in enumerate(statement.body)
        if isinstance(each, Restore)
        and each.stack in alone
        and not isinstance(each.target, Expr)
        and _may_be_first(statement.body, place, memory)
    ]
    if not 0 < len(found) < 3:
        return statement
    domains = [backwards(name(each.stack)) for each in found]
    return _going_over(statement, found, domains, [each.target for each in found])


def _may_be_first(body: Block, place: int, memory: Memory) -> bool:
    """Tell whether a value may be taken at the start of a pass."""
    targets = frozenset(bound(body[place]))
    is_bound_again = not targets.isdisjoint(bound_in((*body[:place], *body[place + 1 :])))
    return not is_bound_again and _is_untouched(targets, body[:place], memory)
