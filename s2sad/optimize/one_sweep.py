"""A loop whose passes know nothing of each other is run once: each pass forward, and back at once.

for k in range(n):                       for k in reversed(range(n)):
    g = np.ones(3)                           g = np.ones(3)
    g[0] = a * x[k]                          g[0] = a * x[k]
    g_saved.append(g)              ->        w = np.linalg.solve(A, g)
...                                          ...
for k in reversed(range(n)):
    g = g_saved.pop()
    w = np.linalg.solve(A, g)

So it is where the forward sweep computes nothing in the loop but what the reverse sweep reads of the
same pass, and nothing that it computes of changes in between. Nothing is kept from pass to pass then.
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.analysis.exits import may_be_left
from s2sad.analysis.pass_lengths import MADE_FOR
from s2sad.analysis.places import exposed
from s2sad.ir.expression import Expr, Role, Variable, calls, name
from s2sad.ir.program import (
    Block,
    For,
    Function,
    If,
    Let,
    Raise,
    Restore,
    Save,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.walk import bound, bound_in, read_in, statements, variables
from s2sad.optimize.memory import Memory, Pushed, changes, statement_reads

COMPUTES = Let | Store | Save | For | If | While


def with_passes_at_once(function: Function, memory: Memory) -> Function:
    """Return a function whose loops go forward and back in one pass where that is the same."""
    body = function.body
    for place, loop in enumerate(body):
        if not isinstance(loop, For):
            continue
        for later, back in enumerate(body[place + 1 :], place + 1):
            if isinstance(back, For) and _is_back(loop, back):
                others = (*body[:place], *body[place + 1 : later], *body[later + 1 :])
                after = body[place + 1 : later]
                known = (p.variable for p in function.parameters)
                if not _is_apart(loop, back, others, after, known, memory):
                    break
                both = replace(back, body=_once(loop.body, back.body, memory, Fresh.of(function)))
                made = (*body[:place], *after, both, *body[later + 1 :])
                return with_passes_at_once(replace(function, body=made), memory)
    return function


def _is_asked(statement: Statement) -> bool:
    """Tell whether a statement raises where the text was not made for what it is handed."""
    match statement:
        case Raise(Expr("call", (_, Expr("constant", data=str() as message)))):
            return message.startswith(MADE_FOR)
    return False


def _is_back(loop: For, back: For) -> bool:
    """Tell whether a loop goes through the passes of another one, from the last to the first."""
    is_reversed = calls(back.domain, reversed) and back.domain.args[1] == loop.domain
    return is_reversed and back.target == loop.target


def _is_apart(
    loop: For,
    back: For,
    others: Block,
    between: Block,
    parameters: Iterable[Variable],
    memory: Memory,
) -> bool:
    """Tell whether no pass reads what another one, or a statement in between, leaves."""
    inside, outside = statements(loop.body), statements(others)
    if may_be_left(loop.body) or may_be_left(back.body) or not all(map(_computes, inside)):
        return False
    stacks = {each.stack for each in inside if isinstance(each, Save)}
    taken = {each.stack for each in statements(back.body) if isinstance(each, Restore)}
    own = bound_in(loop.body) | frozenset(variables(loop.target))
    read = {v for each in outside for v in read_in(each)}
    popped = {each.stack for each in outside if isinstance(each, Save | Restore)}
    if not stacks <= taken or not read.isdisjoint(own | stacks) or popped & stacks:
        return False
    if not exposed(loop.body)[0].isdisjoint(bound_in(loop.body)):
        return False
    pushed = {Pushed(stack) for stack in stacks}
    written = changes(loop.body, memory) - own - pushed
    held = {*parameters, *read, *(v for each in outside for v in bound(each))}
    if any(memory.content(each) in written for each in held - own - stacks):
        return False
    found = {token for each in statements((loop,)) for token in statement_reads(each, memory)}
    changed = changes(between, memory) | changes((back,), memory)
    return (found - own - written - pushed).isdisjoint(changed)


def _computes(statement: Statement) -> bool:
    is_pure = not isinstance(statement, Let) or statement.effect.is_pure
    return (isinstance(statement, COMPUTES) and is_pure) or _is_asked(statement)


def _once(forward: Block, reverse: Block, memory: Memory, fresh: Fresh) -> Block:
    """Return a pass without what it saves and takes back, or computes again.

    What is taken back under another name is that name's from there on. What is saved of a name that
    changes in between has a name of its own.
    """
    body = (*forward, *reverse)
    gone: set[int] = set()
    named: dict[int, Let] = {}
    for place, each in enumerate(body):
        for later, back in enumerate(body[place + 1 :], place + 1):
            between = body[place + 1 : later]
            match each, back:
                case Save(stack, value), Restore(Variable() as target, other) if stack == other:
                    changed = bound_in(between)
                    gone |= {id(each), id(back)}
                    if value.op == "name" and value.data not in changed:
                        if target != value.data:
                            named[id(back)] = Let(target, value, back.span)
                    elif target not in changed | {
                        v for s in statements(between) for v in read_in(s)
                    }:
                        named[id(each)] = Let(target, value, back.span)
                    else:
                        old = fresh.variable(f"{target.name}_old", Role.SAVED, target)
                        named[id(each)] = Let(old, value, back.span)
                        named[id(back)] = Let(target, name(old, value.type), back.span)
    made = (named.get(id(s), s) for s in body if id(s) not in gone or id(s) in named)
    return _without_again(tuple(made), memory)


def _without_again(body: Block, memory: Memory) -> Block:
    """Return a block without what gives a name the value that it has by a statement before."""
    gone: set[int] = set()
    for place, each in enumerate(body):
        if not isinstance(each, Let) or not isinstance(each.target, Variable):
            continue
        reads = statement_reads(each, memory)
        if each.target in reads or not each.effect.is_pure:
            continue
        needs = {each.target, memory.content(each.target), *reads}
        for at, later in enumerate(body[place + 1 :], place + 1):
            if at in gone:
                continue
            if isinstance(later, Let) and (later.target, later.value) == (each.target, each.value):
                gone.add(at)
            elif not needs.isdisjoint(changes((later,), memory)):
                break
    return tuple(each for place, each in enumerate(body) if place not in gone)
