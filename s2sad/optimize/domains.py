"""A loop over positions that only takes items at them goes over the items.

for k in range(len(xs)):                 for x in xs:
    x = xs[k]                    ->          h = h + w * x
    h = h + w * x

for k in reversed(range(len(xs))):       for x, y in zip(reversed(xs), reversed(ys)):
    x, y = xs[k], ys[k]          ->          ...

Items are taken at the head of a pass then. So what holds them is not bound again in the loop, and no
statement before the one that takes an item reads the name that it gets, or writes what it is taken from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from operator import is_
from typing import Any

from s2sad.analysis.exits import may_be_left
from s2sad.ir.expression import Expr, Role, Variable, call, calls, global_, name, positional
from s2sad.ir.program import Block, For, Function, If, Let, Program, Restore, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import UNKNOWN, Array, Length, Tuple
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    expressions,
    name_nodes,
    read_in,
    rewritten,
    statements,
    variables,
    with_blocks,
)
from s2sad.optimize.memory import Memory, changes, memory_of, touched_by


@dataclass(frozen=True, slots=True)
class _Take:
    """A statement `target = base[k]` of a loop's body, with what stands before it."""

    let: Let
    base: Expr
    before: Block


def over_items(function: Function, program: Program) -> Function:
    """Return a function whose loops go over items where their positions are not needed."""
    if not any(map(_takes_items, statements(function.body))):
        return function
    memory = memory_of(function, program)
    reads = _reads_in(function.body)
    inside: Counter[Variable] = Counter()
    for each in statements(function.body):
        if isinstance(each, For) and isinstance(each.target, Variable):
            inside[each.target] += _reads_in(each.body)[each.target]

    def change(each: Statement) -> Statement:
        if not isinstance(each, For) or not isinstance(each.target, Variable):
            return each
        alone = reads[each.target] == inside[each.target]
        return (_over_items(each, each.target, memory) if alone else None) or each

    return replace(function, body=rewritten(function.body, change))


def _takes_items(statement: Statement) -> bool:
    """Tell whether a statement is a loop over positions that takes items at them."""
    if not isinstance(statement, For) or not isinstance(statement.target, Variable):
        return False
    return any(True for _ in _takes(statement.body, statement.target))


def _over_items(loop: For, position: Variable, memory: Memory) -> For | None:
    """Return a loop over items; None where it needs the position, or an item may change."""
    domain, is_reversed = loop.domain, calls(loop.domain, reversed)
    if is_reversed:
        (domain,) = positional(domain)
    length = _length(domain)
    takes = list(_takes(loop.body, position))
    if length is None or not takes or len(takes) != _reads_in(loop.body)[position]:
        return None
    if any(position in bound(each) for each in statements(loop.body)):
        return None
    if not all(_has_length(each.base, length) for each in takes):
        return None
    if not all(_may_be_taken_first(each, loop.body, memory) for each in takes):
        return None
    bases = [_reversed(each.base) if is_reversed else each.base for each in takes]
    made = _going_over(loop, [each.let for each in takes], bases)
    return made if made.body else None


def _going_over(loop: For, taken: Sequence[Let | Restore], domains: Sequence[Expr]) -> For:
    """Return a loop over the items that statements of its body took."""
    gone = {id(each) for each in taken}
    body = tuple(each for each in loop.body if id(each) not in gone)
    targets: Any = tuple(each.target for each in taken)
    if len(taken) == 1:
        return replace(loop, target=targets[0], domain=domains[0], body=body)
    both = call(global_("zip", zip), *domains, type_=SequenceType(UNKNOWN, zip))
    return replace(loop, target=targets, domain=both, body=body)


def _reversed(base: Expr) -> Expr:
    return call(global_("reversed", reversed), base, type_=SequenceType(UNKNOWN, reversed))


def _takes(body: Block, position: Variable) -> Iterator[_Take]:
    """Yield the statements of a body that only take an item at the position."""
    at = name(position)
    for place, each in enumerate(body):
        if not isinstance(each, Let) or each.value.op != "subscript" or each.spelled != "=":
            continue
        base, key = each.value.args
        if base.op == "name" and key.op == at.op and key.data == at.data:
            yield _Take(each, base, body[:place])


def _length(domain: Expr) -> Expr | None:
    """Return xs of range(len(xs)), None of other domains."""
    if not calls(domain, range) or len(positional(domain)) != 1:
        return None
    (count,) = positional(domain)
    is_length = calls(count, len) and len(positional(count)) == 1
    whole = positional(count)[0] if is_length else None
    return whole if whole is not None and whole.op == "name" else None


def _has_length(base: Expr, other: Expr) -> bool:
    """Tell whether an array, a tuple or its shadow surely is as long as what the positions were of."""
    if isinstance(other.type, Tuple):
        is_shadow = base.data.role is Role.ADJOINT and base.data.of == other.data
        return is_shadow or bool(base.data == other.data)
    of = _first_length(base)
    return of is not None and (base.data == other.data or of == _first_length(other))


def _first_length(expr: Expr) -> Length | None:
    return expr.type.lengths[0] if isinstance(expr.type, Array) and expr.type.rank else None


def _may_be_taken_first(take: _Take, body: Block, memory: Memory) -> bool:
    """Tell whether an item is the same at the head of a pass, and nothing reads its name before."""
    names = set(variables(take.let.target))
    whole = memory.content(take.base.data)
    if may_be_left(take.before):
        return False
    if take.base.data in changes(body, memory) or whole in changes(take.before, memory):
        return False
    return _is_untouched(names, take.before, memory)


def _is_untouched(names: Set[Variable], block: Block, memory: Memory) -> bool:
    """Tell whether no statement of a block reads or changes some names."""
    return all(names.isdisjoint(touched_by(each, memory)) for each in block)


def _reads_in(body: Block) -> Counter[Variable]:
    """Return how often each variable is read in a block."""
    every = (expr for each in statements(body) for expr in expressions(each))
    return Counter(node.data for expr in every for node in name_nodes(expr))


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
        each
        for place, each in enumerate(statement.body)
        if isinstance(each, Restore)
        and each.stack in alone
        and not isinstance(each.target, Expr)
        and _may_be_first(statement.body, place, memory)
    ]
    if not 0 < len(found) < 3:
        return statement
    return _going_over(statement, found, [_reversed(name(each.stack)) for each in found])


def _may_be_first(body: Block, place: int, memory: Memory) -> bool:
    """Tell whether a value may be taken at the start of a pass."""
    targets = frozenset(bound(body[place]))
    is_bound_again = not targets.isdisjoint(bound_in((*body[:place], *body[place + 1 :])))
    return not is_bound_again and _is_untouched(targets, body[:place], memory)
