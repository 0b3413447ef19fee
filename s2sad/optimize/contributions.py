"""Puts together what is added to one adjoint: one rule, one way to say it shorter.

x_bar = np.zeros_like(x); x_bar += e        x_bar = e                   first_contribution
x_bar = a; x_bar += b; x_bar -= c           x_bar = a + b - c           merged
u_bar[1:] = 0.0; u_bar[1:] += e             u_bar[1:] = e               first_contribution
p_bar = zeros; p_bar[1] += b; ...           p_bar = np.array([a, b])    written_out
p_bar = zeros; p_bar[1:] += b; ...          np.hstack([a, b])       written_out
u_bar[1:] = c * u_bar[1:]                   u_bar[1:] *= c              in_place
u_bar[1:] = u_bar[1:].copy()                                            same_again
u = u + e                                   u += e                      augmented
x_bar = zeros; x_bar[1:] += a; x_bar += e   x_bar = e; x_bar[1:] += a   whole_first
u_bar = zeros; for k ...: u_bar[k] += e     for k ...: u_bar[k] = e     first_in_passes
u_bar[0] = 0.0; c_bar += t                  c_bar += t; u_bar[0] = 0.0  later_zero

Each rule looks at a statement and at what follows it in its block, and tells whether it has changed
the block. A statement moves only past statements that neither read nor change what it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Set

import numpy as np

from s2sad.checkpoint.ownership import own_copy
from s2sad.ir.expression import Expr, Role, Variable, calls, root_of
from s2sad.ir.program import Block, Function, If, Let, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.spelling import expression
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Number, Numeric, Type
from s2sad.ir.walk import blocks, in_blocks, read_variables, with_blocks, with_statements
from s2sad.operators.chosen import is_choice
from s2sad.optimize.added import (
    ADDED,
    Added,
    contribution,
    is_slot,
    is_zero,
    is_zeroing,
    kind_of,
    mentions,
    normal,
)
from s2sad.optimize.displays import written_out, zeros_at
from s2sad.optimize.first import first_contribution, first_in_passes, whole_first
from s2sad.optimize.liveness import may_be_cut_short
from s2sad.optimize.memory import Content, Memory, Tokens, changes, is_alone, read_tokens
from s2sad.optimize.numbering import is_of_derivative
from s2sad.optimize.order import (
    Context,
    Slots,
    are_independent,
    content_of,
    goes_elsewhere,
    line_of,
    next_touching,
    span_of,
)
from s2sad.optimize.substitute import LINE, Build, copied_place
from s2sad.optimize.zeroed import nothing_added

IN_PLACE = ("+", "-", "*", "/")
SHORT = 44  # columns of what may stand beside the contribution of another line

Rule = Callable[[Slots, int, Context], bool]


def put_together(function: Function, memory: Memory, build: Build) -> Function:
    """Return a function with the table of rules applied until none changes anything."""
    written = frozenset(t for t in changes(function.body, memory) if isinstance(t, Content))
    context = Context(memory, build, written, Counter(mentions(function.body)))
    body = _rewritten(function.body, context)
    return function if body is function.body else replace(function, body=body)


def _rewritten(block: Block, context: Context) -> Block:
    made = tuple(
        each if may_be_cut_short(each) else in_blocks(each, lambda b: _rewritten(b, context))
        for each in block
    )
    slots = Slots(made, context.memory)
    place: int | None = slots.after(-1)
    while place is not None:
        if any(rule(slots, place, context) for rule in _rules_of(slots[place])):
            place = slots.after(-1) if (before := slots.before(place)) is None else before
        else:
            place = slots.after(place)
    return with_statements(block, slots.block())


# ---------------------------------------------------------------------------- the rules


def merged(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar = a; ...; x_bar += b` is `x_bar = a + b; ...` on one short line."""
    first = contribution(slots[place])
    if first is None or is_zero(first.value):
        return False
    at = _next_sum(slots, place, first, context)
    second = None if at is None else contribution(slots[at])
    if at is None or second is None or second.op not in ADDED or second.target != first.target:
        return False
    second = normal(second)
    if _is_of_others(first, slots[at], context):
        return False
    waits = line_of(slots[at]) != line_of(slots[place])
    is_in_place = isinstance(slots[at], Store)
    if waits and not _may_wait(slots[place], first, second, is_in_place, context):
        return False
    moved = read_tokens((first if waits else second).value, context.memory)
    new = (
        None
        if slots.changes_between(place + waits, at, moved)
        else _sum(slots[place], first, second, context)
    )
    is_renamed = first.op == "=" and first.value.op == "name"  # takes a line for nothing
    most = len(simple(slots[at])) + LINE if is_renamed else LINE
    if new is None or (len(simple(new)) > most and not _is_one_choice(new, second)):
        return False
    kept, left = (at, place) if waits else (place, at)
    slots.replace(kept, replace(new, span=span_of(slots[kept])))
    slots.remove(left)
    return True


def _is_one_choice(sum_: Statement, second: Added) -> bool:
    """Tell whether two choices by one test have become one."""
    added = contribution(sum_)
    return added is not None and all(map(_choice_in, (added.value, second.value)))


def _choice_in(value: Expr) -> Expr | None:
    """Return the choice that a contribution is, or that its elements are summed of."""
    whole = value.args[1] if calls(value, np.sum) and len(value.args) == 2 else value
    return whole if is_choice(whole) else None


def _are_by_one_test(first: Expr, second: Expr) -> bool:
    one, other = _choice_in(first), _choice_in(second)
    return one is not None and other is not None and one.args[1] == other.args[1]


def _next_sum(slots: Slots, place: int, first: Added, context: Context) -> int | None:
    """Return where an adjoint is next touched; who reads what it is a name for may stand between."""
    if first.op == "=" and first.target.op == "name":
        at = slots.next_touching(place, frozenset({first.target.data}))
        own = content_of(first.target, context.memory)
        if at is None:
            return None
        if isinstance(slots[at], Let) and not slots.changes_between(place + 1, at, own):
            return at
    at = next_touching(slots, place, first.target)
    if first.op in ADDED and isinstance(kind_of(first.target), Number):
        while at is not None and _adds_elsewhere(slots[at], first.target, context):
            at = next_touching(slots, at, first.target)
    if at is None or not slots.changes_between(place + 1, at, _index_of(first.target, context)):
        return at
    return None


def _index_of(target: Expr, context: Context) -> Tokens:
    """Return what the position of a place is read from."""
    is_element = target.op == "subscript"
    return read_tokens(target.args[1], context.memory) if is_element else frozenset()


def _adds_elsewhere(statement: Statement, element: Expr, context: Context) -> bool:
    """Tell whether a statement adds to a place of the array of an element, and reads nothing of it.

    Such additions may change places, should both be of one element.
    """
    added = contribution(statement) if isinstance(statement, Store) else None
    if added is None or added.op not in ADDED or added.target == element:
        return False
    if element.op != "subscript" or added.target.op != "subscript":
        return False
    (base, index), own = added.target.args, content_of(element, context.memory)
    reads = read_tokens(added.value, context.memory) | read_tokens(index, context.memory)
    return base == element.args[0] and reads.isdisjoint(own)


def _may_wait(
    statement: Statement, first: Added, second: Added, is_in_place: bool, context: Context
) -> bool:
    """Tell whether a contribution may wait for that of another line: it says little.

    It is the first one, or a number's, or names alone, or chosen by the test of the other.
    """
    is_number = first.op in ADDED and isinstance(kind_of(first.target), Number)
    is_whole = first.target.op == "name" and (
        (isinstance(statement, Let) and first.op == "=")
        or (first.op in ADDED and _is_of_names(first.value))
    )
    is_little = (is_number or is_whole) and len(expression(first.value)) <= SHORT
    is_chosen = first.target.op == "name" and _are_by_one_test(first.value, second.value)
    if not (is_little or is_chosen):
        return False
    own = content_of(first.target, context.memory) if is_in_place else frozenset()
    read = read_tokens(second.value, context.memory)
    return read.isdisjoint({root_of(first.target), *own})


def _is_of_names(value: Expr) -> bool:
    """Tell whether a value is a name, or the sum of some."""
    is_sum = value.op == "binary" and value.data in ADDED
    return value.op == "name" or (is_sum and all(map(_is_of_names, value.args)))


def _is_of_others(first: Added, second: Statement | None, context: Context) -> bool:
    """Tell whether what is added to in place is other memory: A_bar[k], B_bar.reshape(-1)."""
    in_place = isinstance(second, Store) and first.op == "=" and first.target.op == "name"
    if not in_place or not context.memory.sites(first.value):
        return False
    if first.value.op != "name":
        return first.value.op in ("subscript", "attribute", "call")
    mine = context.memory.content(first.target.data)
    sharing = {v for v in context.memory.found.points_to if context.memory.content(v) == mine}
    return context.counts[first.value.data] > 2 or not sharing <= {
        first.target.data,
        first.value.data,
    }


def _sum(statement: Statement, first: Added, second: Added, context: Context) -> Statement | None:
    """Return one statement that makes two contributions."""
    if not _adds_alike(first.value, second.value):
        return None
    terms, op = (copied_place(first.value) or first.value, second.value), second.op
    whole_op = first.op
    if first.op == "-" and second.op == "+":  # x -= a; x += b is x += b - a
        terms, op, whole_op = terms[::-1], "-", "+"
    elif first.op == "-":
        op = "+"
    value = context.build(Expr("binary", terms, op, first.value.type))
    return _adding(statement, Added(first.target, whole_op, value))


def _adding(statement: Statement, added: Added) -> Statement:
    """Return a statement with another contribution to the same adjoint."""
    if isinstance(statement, Store):
        return replace(statement, value=added.value, op=added.op)
    assert isinstance(statement, Let)
    if added.op == "=":
        return replace(statement, value=added.value)
    whole = replace(statement.value, args=(added.target, added.value), data=added.op)
    return replace(statement, value=whole, spelled=added.op if statement.spelled != "=" else "=")


def _adds_alike(first: Expr, second: Expr) -> bool:
    """Tell whether a sum of two values is what one after the other adds: no axis is stretched."""
    one, other = kind_of(first), kind_of(second)
    if isinstance(one, Number) and isinstance(other, Number):
        return True
    if isinstance(one, Numeric):  # `x = x + e` makes new memory
        return isinstance(other, Numeric | Number) and one.dtype == other.dtype
    if one == Array("float64", ()):
        return False  # the sum of an array without axes is a number, to which nothing can be stored
    if isinstance(one, Array) and isinstance(other, Number):
        return one.dtype == other.dtype == "float64"
    return isinstance(one, Array) and one == other


def same_again(slots: Slots, place: int, context: Context) -> bool:
    """`u_bar[k] = u_bar[k]` is nothing; the copy that a slot of a container gets is other memory."""
    match slots[place]:
        case Store(target, "=", value) if is_of_derivative(target):
            again = value == target or (not is_slot(target) and copied_place(value) == target)
            if not again or not isinstance(target.type, Array | Number):
                return False
        case Let(Variable() as target, Expr("name", _, other)) if target == other:
            pass
        case _:
            return False
    slots.remove(place)
    return True


def in_place(slots: Slots, place: int, context: Context) -> bool:
    """`u_bar[k] = u_bar[k] * c` is `u_bar[k] *= c`; so is a number's `c_bar = c_bar + e`."""
    statement = slots[place]
    match statement:
        case Store(target, "=", Expr("binary", (left, right), op)) if is_of_derivative(target):
            if is_slot(target):
                return False
            if op in ("*", "/", "+", "-") and target in (left, copied_place(left)):
                return slots.replace(place, replace(statement, op=op, value=right))
            if op in ("*", "+") and target in (right, copied_place(right)):
                return slots.replace(place, replace(statement, op=op, value=left))
        case Let(Variable() as target, Expr("binary", (left, _), op) as value, spelled="="):
            is_adjoint = target.role not in (Role.PRIMAL, Role.PLACE, Role.TANGENT)
            is_number = isinstance(value.type, Number) and is_adjoint
            again = left.op == "name" and left.data == target
            if is_number and again and op in IN_PLACE:
                return slots.replace(place, replace(statement, spelled=op))
    return False


def augmented(slots: Slots, place: int, context: Context) -> bool:
    """`u = u + e` is `u += e` again, which the user wrote: u was a value while the sweeps were made.

    No other name, and no container, may refer to the array.
    """
    match slots[place]:
        case Let(Variable() as target, Expr("binary", (left, _), op) as value, span) as let:
            again = left.op == "name" and left.data == target and let.spelled == "="
            was_augmented = span is not None and value.span == span  # its operator is all of it
            if again and was_augmented and op in IN_PLACE and _is_whole(value.type, left.type):
                if is_alone(target, context.memory):
                    return slots.replace(place, replace(let, spelled=op))
    return False


def _is_whole(type_: Type, before: Type) -> bool:
    """Tell whether an array has axes, and surely the shape and kind that it had before."""
    is_known = isinstance(type_, Array) and bool(type_.lengths) and None not in type_.lengths
    return is_known and type_ == before


def signed(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar += -e` is `x_bar -= e`; so is `x_bar += -2.0 * e`."""
    new = subtracting(slots[place])
    return new is not slots[place] and slots.replace(place, new)


def subtracting(statement: Statement) -> Statement:
    """Return a statement that subtracts what it adds the negative of, and the other way round."""
    added = contribution(statement)
    positive = None if added is None else normal(added)
    if positive is None or positive is added:
        return statement
    return _adding(statement, positive)


def later_zero(slots: Slots, place: int, context: Context) -> bool:
    """`u_bar[0] = 0.0; c_bar += t` is the other way round: what is read goes first."""
    start, at = slots[place], slots.after(place)
    if not is_zeroing(start) or not is_of_derivative(start.target) or at is None:
        return False
    following = slots[at]
    if not isinstance(following, Let | Store) or is_zeroing(following):
        return False
    if line_of(following) != line_of(start):
        return False
    if not are_independent(start, following, context.memory) and not goes_elsewhere(
        start, following, context.memory
    ):
        return False
    slots.replace(place, following)
    slots.replace(at, start)
    return True


def into_sides(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar = 0.0` before a branch whose sides both add to it first goes into both.

    Where one side alone adds to it, it goes there, with what follows and adds nothing without it.
    """
    start, zeros = slots[place], zeros_at(slots[place])
    if zeros is None or not isinstance(start, Let):
        return False
    variable = zeros.data
    at = next_touching(slots, place, zeros)
    branch = None if at is None else slots[at]
    if at is None or not isinstance(branch, If) or variable in read_variables(branch.test):
        return False
    if slots.changes_between(place + 1, at, read_tokens(start.value, context.memory)):
        return False
    mentioned = [variable in set(mentions(side)) for side in blocks(branch)]
    free, sunk = _behind(slots, at, variable, context) if sum(mentioned) == 1 else ([], [])
    if sunk:
        behind = tuple(slots[k] for k in sunk)
        left_out = tuple(own for each in behind for own in _as_own(each))
        sides = [
            (start, *side, *behind) if m else (*side, *left_out)
            for m, side in zip(mentioned, blocks(branch), strict=True)
        ]
    else:
        both = [Slots((start, *side), context.memory) for side in blocks(branch)]
        if not all(first_contribution(side, 0, context) for side in both):
            return False
        sides = [side.block() for side in both]
    made = [*(slots[k] for k in free), with_blocks(branch, tuple(sides))]
    for k in (place, *free, *sunk):
        slots.remove(k)
    for k, each in zip((at, *free), made, strict=True):
        slots.replace(k, each)
    return True


def _as_own(statement: Statement) -> Iterator[Statement]:
    """Yield what a sum that adds nothing still makes: x_bar = x_bar + e is an array of its own."""
    added = contribution(statement)
    if isinstance(statement, Let) and added is not None and added.op in ADDED:
        if not isinstance(added.target.type, Number):
            yield replace(statement, value=own_copy(added.target), spelled="=")


def _behind(
    slots: Slots, at: int, variable: Variable, context: Context
) -> tuple[list[int], list[int]]:
    """Return what may stand before a branch, and what adds nothing if it is not taken, if that is all."""
    zero, free, sunk = {variable}, [], []
    place = slots.after(at)
    while place is not None:
        each = slots[place]
        added = contribution(each)
        if added is not None and is_linear(added.value, zero):
            if added.op == "=" and added.target.op == "name":
                zero.add(added.target.data)
            elif added.op not in ADDED or not zero.isdisjoint(read_variables(added.target)):
                break
            sunk.append(place)
        elif (
            not isinstance(each, Let)
            or not each.effect.is_pure
            or not all(are_independent(each, slots[k], context.memory) for k in (at, *sunk))
        ):
            break
        else:
            free.append(place)
        place = slots.after(place)
    often = Counter(mentions((slots[at], *(slots[k] for k in sunk))))
    if not sunk or any(context.counts[v] != often[v] + (v == variable) for v in zero):
        return [], []
    return [k for k in free if k < sunk[-1]], sunk


def is_linear(value: Expr, zero: Set[Variable]) -> bool:
    """Tell whether a value is a multiple of what may be zero: zero where that is."""
    match value:
        case Expr("name", _, data):
            return data in zero
        case Expr("unary", (inner,), "-"):
            return is_linear(inner, zero)
        case Expr("binary", (left, right), "*" | "@"):
            return is_linear(left, zero) or is_linear(right, zero)
        case Expr("binary", (left, _), "/"):
            return is_linear(left, zero)
        case Expr("binary", (left, right), "+" | "-"):
            return is_linear(left, zero) and is_linear(right, zero)
    return False


OF_PRIMALS: tuple[Rule, ...] = (same_again, augmented)
RULES: tuple[Rule, ...] = (
    same_again,
    signed,
    in_place,
    first_contribution,
    first_in_passes,
    written_out,
    whole_first,
    into_sides,
    merged,
    nothing_added,
    later_zero,
)


def _rules_of(statement: Statement) -> tuple[Rule, ...]:
    match statement:
        case Let(Variable() as target):
            is_users = target.role in (Role.PRIMAL, Role.PLACE, Role.SAVED)
            return OF_PRIMALS if is_users else RULES
        case Store(target) if is_of_derivative(target):
            return RULES
    return ()
