"""What is saved, and when it is taken back: once, before branches, behind the reads of its name.

h_new = h                                   h_term_bar = h_bar * (1.0 - h**2)
h = h_saved.pop()                    ->     h = h_saved.pop()
h_term_bar = h_bar * (1.0 - h_new**2)       W_bar += np.outer(h_term_bar, h)
W_bar += np.outer(h_term_bar, h)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from s2sad.ir.expression import EVERYTHING, Expr, Variable, copied, index_parts, name
from s2sad.ir.program import Block, Function, If, Let, Restore, Save, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import with_value
from s2sad.ir.walk import (
    bind_counts,
    blocks,
    bound,
    in_blocks,
    read_counts,
    read_in,
    read_variables,
    rewritten,
    statements,
    variables,
    with_expressions,
)
from s2sad.optimize.memory import Memory, changes, is_alone, statement_reads, touched_by


def restored_late(function: Function, memory: Memory) -> Function:
    """Return a function that takes values back behind what reads those that they take the place of."""
    late = _Late(memory, read_counts(function.body), bind_counts(function.body))
    body = late.block(function.body)
    return function if body == function.body else replace(function, body=body)


@dataclass(frozen=True, slots=True)
class _Late:
    """How often the variables of a function are read and bound."""

    memory: Memory
    reads: Counter[Variable]
    often: Counter[Variable]

    def block(self, block: Block) -> Block:
        """Return a block in which values are taken back late."""
        body = [in_blocks(each, self.block) for each in block]
        for kept in [s for s in body if isinstance(s, Let) and self.is_second_name(s)]:
            self.take_late(body, kept)
        return tuple(body)

    def is_second_name(self, let: Let) -> bool:
        """Tell whether a statement gives the value of a name a second one: h_new = h."""
        return isinstance(let.target, Variable) and let.value.op == "name" and let.effect.is_pure

    def take_late(self, body: list[Statement], kept: Let) -> None:
        """Move what takes a value back behind the last statement that reads the second name."""
        new, old = kept.target, kept.value.data
        assert isinstance(new, Variable)
        start = body.index(kept)
        places = (k for k in range(start + 1, len(body)) if old in self.touched(body[k]))
        at = next(places, None)
        if at is None or self.often[new] != 1:
            return
        restore = body[at]
        if not isinstance(restore, Restore) or isinstance(restore.target, Expr):
            return
        taken = set(variables(restore.target))
        if old not in taken or any(
            new in read_in(s) for s in statements(tuple(body[start + 1 : at]))
        ):
            return
        last = max((k for k in range(at, len(body)) if new in read_counts((body[k],))), default=at)
        between = body[at + 1 : last + 1]
        if last == at or read_counts(tuple(between))[new] != self.reads[new]:
            return
        # names and the stack alone: what the arrays hold is the same at both places
        if any(not {*taken, restore.stack}.isdisjoint(self.touched(s)) for s in between):
            return
        renamed = rewritten(tuple(between), partial(_renamed, new=new, old=old))
        body[start : last + 1] = [*body[start + 1 : at], *renamed, restore]

    def touched(self, statement: Statement) -> frozenset[object]:
        return touched_by(statement, self.memory) | frozenset(bound(statement))


def _renamed(statement: Statement, new: Variable, old: Variable) -> Statement:
    """Return a statement that reads one name instead of another."""
    return with_expressions(statement, lambda e: with_value(e, new, name(old)))


# ---------------------------------------------------------------------------- arrays of one pass


def restored_as_new(function: Function, memory: Memory) -> Function:
    """Return a function that takes an array back by its name where all of it is put back anyway.

    u = u_saved_2.pop()
    u[...] = u_saved.pop()        ->     u = u_saved.pop()
    """
    every = tuple(statements(function.body))
    used = Counter(s.stack for s in every if isinstance(s, Save | Restore))
    inner = [function.body, *(block for each in every for block in blocks(each))]
    gone: dict[int, Variable] = {}
    for block in inner:
        for array, name_, whole in _taken_and_put_back(block, memory):
            if used[name_.stack] == used[whole.stack] == 2 and is_alone(array, memory, name_.stack):
                gone[id(whole)] = name_.stack
    stacks = frozenset(gone.values())

    def change(statement: Statement) -> Statement | None:
        array = _array_of(statement) if id(statement) in gone else None
        if isinstance(statement, Restore) and array is not None:
            return replace(statement, target=array)
        if isinstance(statement, Save | Restore) and statement.stack in stacks:
            return None
        return None if not stacks.isdisjoint(bound(statement)) else statement

    return replace(function, body=rewritten(function.body, change)) if gone else function


def restored_by_name(function: Function, memory: Memory) -> Function:
    """Return a function that binds an array of its own to the copy of it that it takes back.

    u[...] = u_saved.pop()        ->     u = u_saved.pop()
    """
    every = tuple(statements(function.body))
    used = Counter(s.stack for s in every if isinstance(s, Save | Restore))
    saved = {s.stack: copied(s.value) for s in every if isinstance(s, Save)}
    found: dict[int, Variable] = {}
    for each in every:
        array = _array_of(each)
        if isinstance(each, Restore) and array is not None and used[each.stack] == 2:
            what = saved.get(each.stack)
            is_copy = what is not None and what.op == "name" and what.data == array
            if is_copy and is_alone(array, memory, each.stack):
                found[id(each)] = array

    def change(statement: Statement) -> Statement:
        if isinstance(statement, Restore) and id(statement) in found:
            return replace(statement, target=found[id(statement)])
        return statement

    return replace(function, body=rewritten(function.body, change)) if found else function


def _taken_and_put_back(
    block: Block, memory: Memory
) -> Iterator[tuple[Variable, Restore, Restore]]:
    """Yield arrays with what takes them back, and with what puts all of its elements back before it is read."""
    for place, first in enumerate(block):
        if not isinstance(first, Restore) or not isinstance(first.target, Variable):
            continue
        own = frozenset({first.target, memory.content(first.target)})
        touching = (s for s in block[place + 1 :] if not own.isdisjoint(touched_by(s, memory)))
        second = next(touching, None)
        if isinstance(second, Restore) and _array_of(second) == first.target:
            yield first.target, first, second


def _array_of(statement: Statement) -> Variable | None:
    """Return the array of which all elements are put back: u of u[...]."""
    match statement:
        case Restore(Expr("subscript", (Expr("name", data=variable), index))):
            is_whole = all(p == EVERYTHING or p.data is Ellipsis for p in index_parts(index))
            return variable if is_whole else None
    return None


# ---------------------------------------------------------------------------- both sides of a branch


def saved_before_branches(function: Function, memory: Memory) -> Function:
    """Return a function that saves what both sides of a branch save before it, on one stack.

    if up:                               x_saved.append(x)
        x_saved.append(x)                if up:
        x = f(x)                  ->         x = f(x)
    else:                                else:
        x_saved_2.append(x)                  x = g(x)
        x = g(x)
    """
    every = tuple(statements(function.body))
    used = Counter(s.stack for s in every if isinstance(s, Save | Restore))
    branches = [s for s in every if isinstance(s, If)]
    out = _MovedOut()
    for branch in branches:
        for saves in _saved_twice(branch, memory):
            stacks = tuple(save.stack for save in saves)
            if all(used[stack] == 2 for stack in stacks):
                for other in branches:
                    restores, is_first = _taken_twice(other, stacks, memory)
                    if restores:
                        out.note(branch, saves, True)
                        out.note(other, restores, is_first)
    return replace(function, body=out.block(function.body)) if out.gone else function


@dataclass(slots=True)
class _MovedOut:
    """What moves out of the sides of branches: the first of each pair, before or behind the branch."""

    gone: set[int] = field(default_factory=set)
    before: dict[int, list[Statement]] = field(default_factory=dict)
    after: dict[int, list[Statement]] = field(default_factory=dict)
    stacks: dict[Variable, Variable] = field(default_factory=dict)

    def note(self, branch: If, moved: Sequence[Save | Restore], is_first: bool) -> None:
        """Note that two statements, one of each side of a branch, move out of it as one."""
        self.gone |= set(map(id, moved))
        stack = self.stacks.setdefault(moved[1].stack, moved[0].stack)
        stack = self.stacks.setdefault(moved[0].stack, stack)
        places = self.before if is_first else self.after
        places.setdefault(id(branch), []).append(replace(moved[0], stack=stack))

    def block(self, block: Block) -> Block:
        """Return a block with what moved out of its branches."""
        made: list[Statement] = []
        for each in block:
            if id(each) not in self.gone:
                inner = in_blocks(each, self.block)
                made += (*self.before.get(id(each), ()), inner)
                made += self.after.get(id(each), ())
        return tuple(made)


def _saved_twice(branch: If, memory: Memory) -> Iterator[tuple[Save, Save]]:
    """Yield what both sides save, for each variable that both save as it was before the branch."""
    sides: list[dict[Variable, Save]] = []
    for block in blocks(branch):
        saved: dict[Variable, Save] = {}
        for place, each in enumerate(block):
            if isinstance(each, Save) and each.value.op == "name":
                if statement_reads(each, memory).isdisjoint(changes(block[:place], memory)):
                    saved.setdefault(each.value.data, each)
        sides.append(saved)
    if len(sides) == 2:
        yield from ((sides[0][v], sides[1][v]) for v in sides[0] if v in sides[1])


def _taken_twice(
    branch: If, stacks: tuple[Variable, ...], memory: Memory
) -> tuple[tuple[Restore, ...], bool]:
    """Return how the sides of a branch take back what two stacks hold, and whether it may be before it."""
    found: list[Restore] = []
    is_first = is_last = True
    for block in blocks(branch):
        for place, each in enumerate(block):
            if isinstance(each, Restore) and each.stack in stacks:
                found.append(each)
                names = set(bound(each))
                is_first &= all(names.isdisjoint(touched_by(s, memory)) for s in block[:place])
                is_last &= all(names.isdisjoint(touched_by(s, memory)) for s in block[place + 1 :])
                is_first &= names.isdisjoint(read_variables(branch.test))
    targets = {each.target for each in found if isinstance(each.target, Variable)}
    is_one = len(found) == 2 and len(targets) == 1 and found[0].stack != found[1].stack
    return (tuple(found) if is_one and (is_first or is_last) else ()), is_first
