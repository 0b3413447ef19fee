"""Puts together what is added to one adjoint: one rule, one way to say it shorter.

x_bar = np.zeros_like(x); x_bar += e        x_bar = e                   first_contribution
x_bar = a; x_bar += b; x_bar -= c           x_bar = a + b - c           merged
u_bar[1:] = 0.0; u_bar[1:] += e             u_bar[1:] = e               first_contribution
p_bar = zeros; p_bar[1] += b; ...           p_bar = np.array([a, b])    written_out
p_bar = zeros; p_bar[1:] += b; ...          np.hstack([a, b])       written_out
u_bar[1:] = c * u_bar[1:]                   u_bar[1:] *= c              in_place
u_bar[1:] = u_bar[1:].copy()                                            same_again
u_bar[0] = 0.0; c_bar += t                  c_bar += t; u_bar[0] = 0.0  later_zero

Each rule looks at a statement and at what follows it in its block, and tells whether it has changed
the block. A statement moves only past statements that neither read nor change what it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from operator import is_
from typing import Any, TypeGuard

import numpy as np

from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import Expr, Role, Variable, call, constant, copy_of, global_, name
from s2sad.ir.program import Block, Function, If, Let, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.spelling import expression
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Length, Number, Numeric, Type
from s2sad.ir.walk import blocks, bound, read_in, read_variables, statements, with_blocks
from s2sad.operators.chosen import is_choice
from s2sad.operators.table import calls_one
from s2sad.optimize.memory import Content, Memory, changes, read_tokens
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
from s2sad.optimize.substitute import LINE, Build, copied_place, is_scatter
from s2sad.reverse.contribute import is_read_only

ADDED = ("+", "-")
SHORT = 44  # columns of what may stand beside the contribution of another line
MOST_ITEMS = 8  # of an array that is written out
NONE = constant(None)

Rule = Callable[[Slots, int, Context], bool]


def put_together(function: Function, memory: Memory, build: Build) -> Function:
    """Return a function with the table of rules applied until none changes anything."""
    written = frozenset(t for t in changes(function.body, memory) if isinstance(t, Content))
    context = Context(memory, build, written, Counter(mentions(function.body)))
    body = _rewritten(function.body, context)
    return function if body is function.body else replace(function, body=body)


def _rewritten(block: Block, context: Context) -> Block:
    made = tuple(
        with_blocks(each, tuple(_rewritten(inner, context) for inner in blocks(each)))
        for each in block
    )
    slots = Slots(made, context.memory)
    place: int | None = slots.after(-1)
    while place is not None:
        if any(rule(slots, place, context) for rule in _rules_of(slots[place])):
            place = slots.after(-1) if (before := slots.before(place)) is None else before
        else:
            place = slots.after(place)
    new = slots.block()
    return block if len(new) == len(block) and all(map(is_, new, block)) else new


# ---------------------------------------------------------------------------- contributions


@dataclass(frozen=True, slots=True)
class Added:
    """`target op= value` of an adjoint: of a name, or of a place in an array."""

    target: Expr
    op: str
    value: Expr


def contribution(statement: Statement | None) -> Added | None:
    """Return what a statement adds to an adjoint, or assigns to it."""
    match statement:
        case Let(Variable() as target, value, _, effect, spelled) if effect.is_pure:
            if target.role in (Role.PRIMAL, Role.PLACE, Role.SAVED):
                return None
            if spelled in ADDED:
                return Added(name(target, value.type), spelled, value.args[1])
            if spelled == "=" and _is_sum_with(value, target):
                return Added(name(target, value.type), value.data, value.args[1])
            return Added(name(target, value.type), "=", value) if spelled == "=" else None
        case Store(target, op, value) if op in ("=", *ADDED) and is_of_derivative(target):
            return None if _is_slot(target) else Added(target, op, value)
    return None


def _normal(added: Added) -> Added:
    """Return a contribution that adds no negative: `+= -e` is `-= e`."""
    value = _without_sign(added.value) if added.op in ADDED else None
    return added if value is None else Added(added.target, "-" if added.op == "+" else "+", value)


def _without_sign(value: Expr) -> Expr | None:
    """Return what a value is the negative of, where its first factor has a sign."""
    match value:
        case Expr("unary", (inner,), "-"):
            return inner
        case Expr("constant", _, float() as number) if number < 0.0:
            return replace(value, data=-number)
        case Expr("binary", (first, other), "*" | "/"):
            positive = _without_sign(first)
            return None if positive is None else value.with_args((positive, other))
    return None


def _is_sum_with(value: Expr, target: Variable) -> bool:
    is_sum = value.op == "binary" and value.data in ADDED
    return is_sum and value.args[0].op == "name" and value.args[0].data == target


def _is_slot(target: Expr) -> bool:
    """Tell whether a place holds memory that others may hold: `p.v = p.v + e` makes new memory."""
    if target.op == "name" or isinstance(target.type, Number):
        return False
    return not isinstance(target.args[0].type, Array | Numeric)


def is_zero(expr: Expr) -> bool:
    """Tell whether an expression is zero, in all its elements."""
    if expr.op == "constant":
        return type(expr.data) in (int, float) and expr.data == 0
    return calls_one(expr, "zeros")


def _is_zeroing(statement: Statement) -> TypeGuard[Store]:
    return isinstance(statement, Store) and statement.op == "=" and is_zero(statement.value)


# ---------------------------------------------------------------------------- the rules


def first_contribution(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar = zeros; ...; x_bar += e` is `...; x_bar = e`; so it is of `u_bar[k] = 0.0`."""
    start = slots[place]
    first = contribution(start)
    if first is None or first.op != "=" or not is_zero(first.value):
        return False
    assert isinstance(start, Let | Store)
    at = next_touching(slots, place, first.target, context)
    added = None if at is None else contribution(slots[at])
    if at is None or added is None or added.op not in ADDED:
        return False
    is_let = isinstance(start, Let)  # types may say more of a name in one place than in the other
    if added.target != first.target and (not is_let or added.target.data != first.target.data):
        return False
    own = {first.target.data} if is_let else content_of(first.target, context)
    if not read_tokens(added.value, context.memory).isdisjoint(own):
        return False
    plain = _added_first(added, context)
    value = _owned(plain, first, context) if is_let else plain
    if value is None:
        return False
    slots.replace(at, replace(start, value=value, span=span_of(slots[at])))
    slots.remove(place)
    return True


def _added_first(added: Added, context: Context) -> Expr:
    value = added.value
    negative = Expr("unary", (value,), "-", value.type, None, value.span)
    return value if added.op == "+" else context.build(negative)


def _owned(value: Expr, first: Added, context: Context) -> Expr | None:
    """Return what is added first as a value of its own; None if it is not of the whole shape."""
    if not _is_same_kind(first.value, value):
        return None
    shared = context.memory.contents(value)
    if isinstance(value.type, Array) and (shared or is_read_only(value)):
        held = {context.memory.content(first.target.data), *shared}
        if not context.written.isdisjoint(held):
            return copy_of(value)
    return value


def _is_same_kind(zero: Expr, value: Expr) -> bool:
    """Tell whether a value has the shape and kind of numbers of the zeros it is added to."""
    whole, added = kind_of(zero), kind_of(value)
    if isinstance(added, Array) and isinstance(whole, Array):
        return None not in added.lengths and added == whole
    if isinstance(added, Number) and isinstance(whole, Number):
        return added.dtype == whole.dtype == "float64"
    return False


def kind_of(expr: Expr) -> Type:
    """Return the type of an expression; that of a literal is its own."""
    if expr.op == "constant" and isinstance(expr.data, float):
        return Number("float64")
    return expr.type


def merged(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar = a; ...; x_bar += b` is `x_bar = a + b; ...` on one short line."""
    first = contribution(slots[place])
    if first is None or is_zero(first.value):
        return False
    at = _next_sum(slots, place, first, context)
    second = None if at is None else contribution(slots[at])
    if at is None or second is None or second.op not in ADDED or second.target != first.target:
        return False
    second = _normal(second)
    if _is_of_others(first, slots[at], context):
        return False
    waits = line_of(slots[at]) != line_of(slots[place])
    is_in_place = isinstance(slots[at], Store)
    if waits and not _may_wait(slots[place], first, second, is_in_place, context):
        return False
    moved = read_tokens((first if waits else second).value, context.memory)
    new = (
        None
        if slots.changes_between(place, at, moved)
        else _sum(slots[place], first, second, context)
    )
    if new is None or (len(simple(new)) > LINE and not _is_one_choice(new, second)):
        return False
    kept, left = (at, place) if waits else (place, at)
    slots.replace(kept, replace(new, span=span_of(slots[kept])))
    slots.remove(left)
    return True


def _is_one_choice(sum_: Statement, second: Added) -> bool:
    """Tell whether two choices by one test have become one."""
    added = contribution(sum_)
    return added is not None and is_choice(added.value) and is_choice(second.value)


def _next_sum(slots: Slots, place: int, first: Added, context: Context) -> int | None:
    """Return where an adjoint is next touched; who reads what it is a name for may stand between."""
    if first.op == "=" and first.target.op == "name":
        at = slots.next_touching(place, frozenset({first.target.data}))
        own = content_of(first.target, context)
        if at is None:
            return None
        if isinstance(slots[at], Let) and not slots.changes_between(place + 1, at, own):
            return at
    return next_touching(slots, place, first.target, context)


def _may_wait(
    statement: Statement, first: Added, second: Added, is_in_place: bool, context: Context
) -> bool:
    """Tell whether a contribution may wait for that of another line: it says little.

    It is the first one, or a number's, or names alone.
    """
    is_number = isinstance(statement, Let) and (
        first.op == "=" or isinstance(kind_of(first.target), Number)
    )
    is_plain = is_number or (first.op in ADDED and _is_of_names(first.value))
    if not is_plain or first.target.op != "name" or len(expression(first.value)) > SHORT:
        return False
    own = frozenset({first.target.data})
    if is_in_place:
        own |= content_of(first.target, context)
    return read_tokens(second.value, context.memory).isdisjoint(own)


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


def scattered(slots: Slots, place: int, context: Context) -> bool:
    """`np.add.at(x_bar, i, a); ...; np.add.at(x_bar, i, b)` is `...; np.add.at(x_bar, i, b + a)`."""
    call_of = slots[place]
    assert isinstance(call_of, Let)
    (add, base, index, value), at = call_of.value.args, place
    own = content_of(base, context) | read_variables(base)
    moved = read_tokens(index, context.memory) | read_tokens(value, context.memory)
    while moved.isdisjoint(own) and (next_at := slots.next_touching(at, own)) is not None:
        at, following = next_at, slots[next_at]
        if not is_scatter(following) or following.value.args[1] != base:
            return False
        second = following.value.args[3]
        if not read_tokens(second, context.memory).isdisjoint(own):
            return False
        if following.value.args[2] != index:
            continue
        if slots.changes_between(place, at, moved) or not _adds_alike(second, value):
            return False
        whole = context.build(Expr("binary", (second, value), "+", second.type))
        new = replace(following, value=following.value.with_args((add, base, index, whole)))
        if len(simple(new)) > LINE:
            return False
        slots.remove(place)
        return slots.replace(at, new)
    return False


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
    """`u_bar[k] = u_bar[k]` is nothing."""
    match slots[place]:
        case Store(target, "=", value) if is_of_derivative(target):
            again = target in (value, copied_place(value))
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
            if _is_slot(target):
                return False
            if op in ("*", "/", "+", "-") and target in (left, copied_place(left)):
                return slots.replace(place, replace(statement, op=op, value=right))
            if op in ("*", "+") and target in (right, copied_place(right)):
                return slots.replace(place, replace(statement, op=op, value=left))
        case Let(Variable() as target, Expr("binary", (left, _), op) as value, spelled="="):
            is_adjoint = target.role not in (Role.PRIMAL, Role.PLACE, Role.TANGENT)
            is_number = isinstance(value.type, Number) and is_adjoint
            again = left.op == "name" and left.data == target
            if is_number and again and op in ("+", "-", "*", "/"):
                return slots.replace(place, replace(statement, spelled=op))
    return False


def signed(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar += -e` is `x_bar -= e`; so is `x_bar += -2.0 * e`."""
    statement = slots[place]
    added = contribution(statement)
    normal = None if added is None else _normal(added)
    if normal is None or normal is added:
        return False
    return slots.replace(place, _adding(statement, normal))


def later_zero(slots: Slots, place: int, context: Context) -> bool:
    """`u_bar[0] = 0.0; c_bar += t` is the other way round: what is read goes first."""
    start, at = slots[place], slots.after(place)
    if not _is_zeroing(start) or not is_of_derivative(start.target) or at is None:
        return False
    following = slots[at]
    if not isinstance(following, Let | Store) or _is_zeroing(following):
        return False
    if line_of(following) != line_of(start):
        return False
    if not are_independent(start, following, context) and not goes_elsewhere(
        start, following, context
    ):
        return False
    slots.replace(place, following)
    slots.replace(at, start)
    return True


def into_sides(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar = 0.0` before a branch whose sides both add to it first goes into both.

    Where one side alone adds to it, it goes there, with what follows and adds nothing without it.
    """
    start, zeros = slots[place], _zeros_at(slots[place])
    if zeros is None or not isinstance(start, Let):
        return False
    variable = zeros.data
    at = next_touching(slots, place, zeros, context)
    branch = None if at is None else slots[at]
    if at is None or not isinstance(branch, If) or variable in read_variables(branch.test):
        return False
    if slots.changes_between(place + 1, at, read_tokens(start.value, context.memory)):
        return False
    mentioned = [variable in set(mentions(side)) for side in blocks(branch)]
    free, sunk = _behind(slots, at, variable, context) if sum(mentioned) == 1 else ([], [])
    if sunk:
        added = [(start, *side, *(slots[k] for k in sunk)) for side in blocks(branch)]
        sides = [a if m else s for a, m, s in zip(added, mentioned, blocks(branch), strict=True)]
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


def mentions(block: Block) -> Iterator[Variable]:
    """Yield each variable once for each statement that reads or binds it."""
    for each in statements(block):
        yield from {*bound(each), *read_in(each)}


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
            or not all(are_independent(each, slots[k], context) for k in (at, *sunk))
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


def written_out(slots: Slots, place: int, context: Context) -> bool:
    """`p_bar = zeros; p_bar[1] += b; p_bar[0] += a` is `p_bar = np.array([a, b])`.

    With slices among them, that are all of it, too: `p_bar = np.hstack([a, b])`.
    """
    start, whole = slots[place], _zeros_at(slots[place])
    kind = None if whole is None else whole.type
    if whole is None or not isinstance(kind, Array) or kind.dtype != "float64":
        return False
    terms, parts = _parts_of(slots, place, whole, kind, context)
    function = _joining(parts, kind)
    if function is None or not isinstance(start, Let):
        return False
    last = terms[-1][0]
    for at, added in terms:
        ends = read_tokens(added.target, context.memory) - content_of(whole, context)
        if slots.changes_between(at, last, ends | read_tokens(added.value, context.memory)):
            return False
    display = Expr("list", tuple(parts))
    whole = call(global_(f"np.{function.__name__}", function), display, type_=kind)
    new = replace(start, value=whole, span=span_of(slots[last]))
    # what an array is made of has a line of its own where the statement takes three
    if len(expression(display) if function is np.array else simple(new)) > LINE:
        return False
    for at in (place, *(at for at, _ in terms[:-1])):
        slots.remove(at)
    return slots.replace(last, new)


def _zeros_at(statement: Statement) -> Expr | None:
    """Return the adjoint that a statement begins with zeros, typed as these."""
    first = contribution(statement) if isinstance(statement, Let) else None
    return first.target if first is not None and first.op == "=" and is_zero(first.value) else None


def _parts_of(
    slots: Slots, place: int, target: Expr, kind: Array, context: Context
) -> tuple[list[tuple[int, Added]], list[Expr]]:
    """Return what is added to parts of an array, and the parts in the end if they are all of it."""
    found: dict[Any, tuple[Any, Expr]] = {}
    terms: list[tuple[int, Added]] = []
    parts: list[Expr] = []
    at = next_touching(slots, place, target, context)
    while at is not None and not (parts and line_of(slots[at]) != line_of(slots[terms[-1][0]])):
        added = contribution(slots[at])
        ends = None if added is None else _ends_of(added, target, kind)
        if added is None or ends is None or found.get(ends[0], (ends[1],))[0] != ends[1]:
            break
        start, end = ends
        value = _added_first(added, context)
        if start in found:
            whole = Expr("binary", (found[start][1], added.value), added.op, added.value.type)
            value = context.build(whole)
        found[start] = (end, value)
        terms.append((at, added))
        parts = _end_to_end(found, kind)
        at = next_touching(slots, at, target, context)
    return terms, parts


def _ends_of(added: Added, target: Expr, whole: Array) -> tuple[Any, Any] | None:
    """Return where a part of an array starts and ends that something of its kind is added to."""
    if added.op not in ADDED or added.target.op != "subscript" or added.target.args[0] != target:
        return None
    index, kind = added.target.args[1], kind_of(added.value)
    if target.data in read_variables(added.value):
        return None
    if index.op == "slice":
        ends = [e if (n := literal_position(e)) is None else n for e in index.args]
        start, end, step = (None if each == NONE else each for each in ends)
        match kind:
            case Array(lengths=known) if kind == added.target.type and step is None:
                return None if None in known else (start or 0, end)
        return None
    position = literal_position(index)
    if not isinstance(index.type, Number) or not _is_item(kind, whole):
        return None
    return (index, None) if position is None else (position, position + 1 or None)


def _is_item(kind: Type, whole: Array) -> bool:
    rest = whole.lengths[1:]
    is_number = isinstance(kind, Number) and kind.dtype == "float64"
    return kind == Array("float64", rest) if rest else is_number


def _end_to_end(found: Mapping[Any, tuple[Any, Expr]], whole: Array) -> list[Expr]:
    """Return parts in their order, if they are all of an array, each once."""
    at, left, parts, total = 0, dict(found), list[Expr](), Length()
    while at in left:
        at, part = left.pop(at)
        parts.append(part)
        total = total + (1 if _is_item(kind_of(part), whole) else part.type.lengths[0])
    return parts if not left and total == whole.lengths[0] else []


def _joining(parts: Sequence[Expr], whole: Array) -> Callable[..., Any] | None:
    """Return what makes an array of its parts: of a few items; of numbers and vectors, or rows."""
    if all(_is_item(kind_of(each), whole) for each in parts):
        return np.array if 2 <= len(parts) <= MOST_ITEMS else None
    are_arrays = len(parts) > 1 and all(each.op != "constant" for each in parts)  # for a device
    return {1: np.hstack, 2: np.vstack}.get(whole.rank) if are_arrays else None


RULES: tuple[Rule, ...] = (
    same_again,
    signed,
    in_place,
    first_contribution,
    written_out,
    into_sides,
    merged,
    later_zero,
)


def _rules_of(statement: Statement) -> tuple[Rule, ...]:
    match statement:
        case Let(Variable() as target):
            is_users = target.role in (Role.PRIMAL, Role.PLACE, Role.SAVED)
            return (same_again,) if is_users else RULES
        case Let(None) if is_scatter(statement):
            return (scattered,)
        case Store(target) if is_of_derivative(target):
            return RULES
    return ()
