"""What the rules on contributions ask: where a place is touched next, and what may change places.

u_bar[0] = 0.0; c_bar += t; u_bar[0] += e      next_touching: the third statement
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Variable, root_of
from s2sad.ir.program import Block, Break, Continue, Return, Statement, Store
from s2sad.ir.records import dataclass
from s2sad.ir.walk import statements
from s2sad.optimize.memory import Content, Memory, Tokens, changes_of, read_tokens, touched_by
from s2sad.optimize.slots import Slots
from s2sad.optimize.substitute import Build
from s2sad.reverse.statements import are_apart


@dataclass(frozen=True, slots=True)
class Context:
    """What the rules ask: memory, how to build a node, and which contents are written at all.

    `counts` are the statements that mention a variable.
    """

    memory: Memory
    build: Build
    written: frozenset[Content]
    counts: Mapping[Variable, int]


def may_be_left(block: Block) -> bool:
    """Tell whether a pass of a loop, or the function, may end in a block."""
    return any(isinstance(each, Break | Continue | Return) for each in statements(block))


def line_of(statement: Statement) -> tuple[str, int] | None:
    """Return the line of the user's that a statement belongs to."""
    span = getattr(statement, "span", None)
    return None if span is None else (span.path, span.line)


def span_of(statement: Statement) -> Span | None:
    """Return the place in the user's text that a statement belongs to."""
    return getattr(statement, "span", None)


def content_of(target: Expr, context: Context) -> Tokens:
    """Return the contents of what is stored to."""
    return frozenset(context.memory.contents(target if target.op == "name" else target.args[0]))


def next_touching(slots: Slots, place: int, target: Expr, context: Context) -> int | None:
    """Return where what is stored to is next read or changed, its subscripts unchanged."""
    root = root_of(target)
    own = frozenset({root} if root is not None else ()) | content_of(target, context)
    at = slots.next_touching(place, own)
    if at is None:
        return None
    watched = read_tokens(target, context.memory) - own
    first = slots.after(place)
    changed = first is not None and slots.changes_between(first, at, watched)
    return None if changed else at


def are_independent(first: Statement, second: Statement, context: Context) -> bool:
    """Tell whether two statements may change places."""
    memory = context.memory
    alone = changes_of(first, memory).isdisjoint(touched_by(second, memory))
    return alone and changes_of(second, memory).isdisjoint(touched_by(first, memory))


def goes_elsewhere(zeroed: Store, following: Statement, context: Context) -> bool:
    """Tell whether a store goes to another element of the array, and reads none of it."""
    if not isinstance(following, Store) or following.target.op != "subscript":
        return False
    if zeroed.target.op != "subscript":
        return False
    base, index = zeroed.target.args
    if base != following.target.args[0] or not are_apart(index, following.target.args[1]):
        return False
    reads = read_tokens(following.value, context.memory)
    return reads.isdisjoint(content_of(zeroed.target, context))
