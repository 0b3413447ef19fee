"""What reads an adjoint that one side of a branch alone adds to goes into that side.

a_bar = 0.0                                     if t:
if t:                                               ...
    ...                                         else:
else:                                               a_bar = 0.0
    a_bar += delta                                  a_bar += delta
r_bar[i] += a_bar * np.sign(r[i])                   r_bar[i] += a_bar * np.sign(r[i])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Block, Function, If, Let, Statement
from s2sad.ir.walk import blocks, bound, expressions, read_variables, statements, with_blocks
from s2sad.optimize.contributions import ADDED, contribution, is_zero
from s2sad.optimize.memory import Memory, read_tokens
from s2sad.optimize.order import held
from s2sad.optimize.slots import Slots


def uses_into_sides(function: Function, memory: Memory) -> Function:
    """Return a function in which nothing is added where a branch left an adjoint zero."""
    sides = _Sides(memory, Counter(_mentions(function.body)))
    body = sides.block(function.body)
    return replace(function, body=body) if sides.has_changed else function


def _mentions(block: Block) -> Iterator[Variable]:
    """Yield each variable once for each statement that reads or binds it."""
    for each in statements(block):
        read = (read_variables(e) for e in expressions(each))
        yield from frozenset(bound(each)).union(*read)


@dataclass(slots=True)
class _Sides:
    memory: Memory
    counts: Counter[Variable]
    has_changed: bool = False

    def block(self, block: Block) -> Block:
        slots = Slots(block, self.memory)
        place = slots.first()
        while place is not None:
            if self.moved(slots, place):
                self.has_changed = True
            place = slots.after(place)
        return tuple(
            with_blocks(each, tuple(self.block(b) for b in blocks(each))) for each in slots.block()
        )

    def moved(self, slots: Slots, place: int) -> bool:
        """Move a zero and the one use of what is added to it into the side that adds."""
        start = slots[place]
        if not isinstance(start, Let) or not isinstance(start.target, Variable):
            return False
        if start.spelled != "=" or not is_zero(start.value):
            return False
        variable = start.target
        at = slots.next_touching(place, held(variable, self.memory))
        use = None if at is None else slots.after(at)
        if at is None or use is None or not isinstance(slots[at], If):
            return False
        if slots.changes_between(place + 1, at, read_tokens(start.value, self.memory)):
            return False
        adding = self.adding_side(slots[at], variable)
        if adding is None or not self.is_only_use(slots[at], slots[use], variable):
            return False
        sides = list(blocks(slots[at]))
        sides[adding] = (start, *sides[adding], slots[use])
        slots.replace(at, with_blocks(slots[at], tuple(sides)))
        slots.remove(place)
        slots.remove(use)
        return True

    def adding_side(self, branch: Statement, variable: Variable) -> int | None:
        """Return which side of a branch mentions a variable, if one alone does."""
        assert isinstance(branch, If)
        if variable in read_variables(branch.test):
            return None
        found = [k for k, side in enumerate(blocks(branch)) if variable in set(_mentions(side))]
        return found[0] if len(found) == 1 else None

    def is_only_use(self, branch: Statement, use: Statement, variable: Variable) -> bool:
        """Tell whether a statement adds nothing where an adjoint is zero, and is all that reads it."""
        added = contribution(use)
        if added is None or added.op not in ADDED or not is_linear(added.value, variable):
            return False
        if variable in read_variables(added.target):
            return False
        inside = Counter(_mentions((branch,)))[variable]
        return self.counts[variable] == inside + 2


def is_linear(value: Expr, variable: Variable) -> bool:
    """Tell whether a value is a multiple of a variable: zero where it is."""
    match value:
        case Expr("name", _, data):
            return bool(data == variable)
        case Expr("unary", (inner,), "-"):
            return is_linear(inner, variable)
        case Expr("binary", (left, right), "*"):
            return is_linear(left, variable) or is_linear(right, variable)
        case Expr("binary", (left, _), "/"):
            return is_linear(left, variable)
        case Expr("binary", (left, right), "+" | "-"):
            return is_linear(left, variable) and is_linear(right, variable)
    return False
