"""Zeros that nobody reads are not stored: where a loop goes from element to element.

for i in reversed(range(1, n)):         for i in reversed(range(1, n)):
    g = x_bar[i] / d[i]                     g = x_bar[i] / d[i]
    x_bar[i] = 0.0                ->        x_bar[i - 1] -= c[i] * g
    x_bar[i - 1] -= c[i] * g            r_bar = x_bar[0]
r_bar = x_bar[0]

What each pass makes anew is gone behind it. Positions are compared as they are where it is decided what is saved: what runs after the store, in
this pass, in later ones and behind the loop, touches other elements.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterator, Mapping

from s2sad.analysis.linear import START
from s2sad.checkpoint.needs import Content, surely_apart
from s2sad.checkpoint.passes import (
    Counter,
    Facts,
    after_loop,
    are_apart_in_passes,
    counters,
    is_length,
    of_earlier_pass,
    steady_bounds,
    told_by,
)
from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import Block, For, Function, If, Let, Return, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array
from s2sad.ir.walk import (
    bind_counts,
    blocks,
    bound,
    bound_in,
    expressions,
    nodes,
    read_in,
    read_variables,
    rewritten,
)
from s2sad.ir.walk import statements as every
from s2sad.optimize.added import is_zero
from s2sad.optimize.memory import (
    Memory,
    Tokens,
    is_alone,
    statement_changes,
    statement_reads,
    touched_by,
)

# the statement that holds a block, the block, and what of it runs after a store, the innermost first
Around = tuple[tuple[Statement | None, Block, Block], ...]
Known = Mapping[Variable, Counter]


def without_dead_resets(function: Function, memory: Memory) -> Function:
    """Return a function that stores no zeros into adjoints which it does not read."""
    given = {memory.content(p.variable) for p in function.parameters}
    lengths = dict(_lengths(function))
    dead = {
        id(store)
        for store, around in _resets(function.body, ())
        if given.isdisjoint(memory.contents(store.target.args[0]))
        and _is_dead(store.target, around, lengths, memory, function.body)
    }
    body = rewritten(function.body, lambda s: None if id(s) in dead else s)
    return replace(function, body=body) if dead else function


def _resets(
    block: Block, outside: Around, owner: Statement | None = None
) -> Iterator[tuple[Store, Around]]:
    """Yield the stores of zero to parts of adjoints, with the blocks around."""
    for place, each in enumerate(block):
        around = ((owner, block, block[place + 1 :]), *outside)
        match each:
            case Store(Expr("subscript", (Expr("name", type=Array(), data=base), _)), "=", value):
                if base.role is Role.ADJOINT and is_zero(value):
                    yield each, around
            case For() | If():
                for inner in blocks(each):
                    yield from _resets(inner, around, each)


def _lengths(function: Function) -> Iterator[tuple[Variable, Counter]]:
    """Yield the names of lengths, which are bound once: they are not negative."""
    often = bind_counts(function.body)
    for each in function.body:
        match each:
            case Let(Variable() as variable, value) if (
                is_length(value.type) and often[variable] == 1
            ):
                yield variable, Counter(True, START)


def _is_dead(target: Expr, around: Around, lengths: Known, memory: Memory, body: Block) -> bool:
    """Tell whether nothing that runs after a store touches the element."""
    need = Content(("reset",), target.args[0].data, target.args[1])
    for level, (owner, block, rest) in enumerate(around):
        counted = {v: c for loop, _, _ in around[level:] for v, c in _counters(loop)}
        known = {**lengths, **counted}
        if not _leaves_alone(rest, need, known, memory):
            return False
        if isinstance(owner, For):
            if _is_of_pass(target.args[0].data, block, memory, body):
                return True
            own = frozenset(bound(owner))
            need = of_earlier_pass(need, own | bound_in(block), own)
            if not _leaves_alone(block, need, known, memory):
                return False
            need = after_loop(need, own, known)
    return True


def _is_of_pass(array: Variable, block: Block, memory: Memory, body: Block) -> bool:
    """Tell whether each pass makes an array of its own before it does anything with it: no other reads it."""
    content = memory.content(array)
    own: Tokens = frozenset({array} if content is None else {array, content})
    first = next((each for each in block if not own.isdisjoint(touched_by(each, memory))), None)
    if not isinstance(first, Let) or first.target != array or array in read_in(first):
        return False
    return is_alone(array, memory) and _touching(block, own, memory) == _touching(body, own, memory)


def _touching(block: Block, tokens: Tokens, memory: Memory) -> int:
    """Return how many statements read or change something themselves."""
    own = ((statement_reads(s, memory), statement_changes(s, memory)) for s in every(block))
    return sum(not (tokens.isdisjoint(a) and tokens.isdisjoint(b)) for a, b in own)


def _counters(loop: Statement | None) -> Iterator[tuple[Variable, Counter]]:
    """Yield the counter of a loop that nothing in its passes binds again."""
    if isinstance(loop, For):
        often = Counts(v for each in every((loop,)) for v in bound(each))
        for variable, counter in counters(loop):
            fixed = steady_bounds(counter, often.keys())
            if often[variable] == 1 and fixed is not None:
                yield variable, fixed


def _leaves_alone(
    block: Block, need: Content, known: Known, memory: Memory, facts: Facts = ()
) -> bool:
    """Tell whether no statement of a block reads, stores or hands on the elements."""
    if need.variable is None or need.index is None:  # all of it
        return False
    whole = {need.variable, memory.content(need.variable)}
    for each in block:
        if whole.isdisjoint(touched_by(each, memory)):
            continue
        if not isinstance(each, For | If | Let | Store | Return):
            return False
        if not _touches_others_only(each, need, known, facts):
            return False
        if not blocks(each):
            continue
        if not read_variables(need.index).isdisjoint(bound_in((each,))):
            return False
        inside = {**known, **dict(_counters(each))}
        for arm, inner in enumerate(blocks(each)):
            told = told_by(each.test, not arm) if isinstance(each, If) else ()
            bound_here = bound_in(inner) | frozenset(bound(each))
            more = tuple(f for f in (*facts, *told) if f.variables.isdisjoint(bound_here))
            if not _leaves_alone(inner, need, inside, memory, more):
                return False
    return True


def _touches_others_only(statement: Statement, need: Content, known: Known, facts: Facts) -> bool:
    """Tell whether what a statement itself says of an array are other elements, each by its position."""
    every_node = (n for expr in expressions(statement) for n in nodes(expr))
    parts = [node for node in every_node if _is_of(node, need.variable)]
    places = [Store(node, "=", node) for node in parts if node.op == "subscript"]
    is_by_parts = len(parts) == 2 * len(places) and (bool(parts) or bool(blocks(statement)))
    return is_by_parts and all(
        surely_apart(need, place) or are_apart_in_passes(need, place, known, facts)
        for place in places
    )


def _is_of(expr: Expr, variable: Variable | None) -> bool:
    """Tell whether an expression is a variable, or a part of it."""
    base = expr.args[0] if expr.op == "subscript" else expr
    return base.op == "name" and base.data == variable
