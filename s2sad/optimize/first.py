"""What is added first to zeros is what is there: the rules that leave zeros out.

x_bar = np.zeros_like(x); x_bar += e        x_bar = e
u_bar[1:] = 0.0; u_bar[1:] += e             u_bar[1:] = e
x_bar = zeros; x_bar[1:] += a; x_bar += e   x_bar = e; x_bar[1:] += a

Each is one of the rules that put contributions together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from s2sad.analysis.terms import elementwise_operands
from s2sad.checkpoint.passes import Counter, are_different_in_passes, counters
from s2sad.ir.expression import Expr, Variable, call, calls, copy_of, index_parts, root_of
from s2sad.ir.program import Block, For, Function, If, Let, Statement, Store, While
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import blocks, bound_in, in_blocks, rewritten
from s2sad.operators.algebra import numpy_function
from s2sad.operators.guards import is_none, spelled
from s2sad.optimize.added import ADDED, Added, added_first, contribution, is_zero, kind_of, negative
from s2sad.optimize.displays import zeros_at
from s2sad.optimize.memory import Memory, Tokens, read_tokens, touched_by
from s2sad.optimize.order import Context, Slots, content_of, next_touching, span_of
from s2sad.optimize.substitute import is_scatter
from s2sad.reverse.contribute import is_read_only
from s2sad.reverse.statements import are_apart


def first_contribution(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar = zeros; ...; x_bar += e` is `...; x_bar = e`; so it is of `u_bar[k] = 0.0`."""
    start = slots[place]
    first = contribution(start)
    if first is None or first.op != "=" or not is_zero(first.value):
        return False
    assert isinstance(start, Let | Store)
    at = next_touching(slots, place, first.target)
    added = None if at is None else contribution(slots[at])
    if at is None or added is None or added.op not in ADDED:
        return False
    is_let = isinstance(start, Let)  # types may say more of a name in one place than in the other
    if added.target != first.target and (not is_let or added.target.data != first.target.data):
        return False
    own = {first.target.data} if is_let else content_of(first.target, context.memory)
    if not read_tokens(added.value, context.memory).isdisjoint(own):
        return False
    plain = added_first(added, context)
    value = _owned(plain, first, context) if is_let else plain
    if value is None:
        return False
    slots.replace(at, replace(start, value=value, span=span_of(slots[at])))
    slots.remove(place)
    return True


def whole_first(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar = zeros; x_bar[1:] += a; ...; x_bar += e` is `...; x_bar = e; x_bar[1:] += a`."""
    start, zeros = slots[place], zeros_at(slots[place])
    first = contribution(start)
    if zeros is None or first is None or not isinstance(start, Let):
        return False
    parts, own = [], content_of(zeros, context.memory) | {zeros.data}
    at = slots.next_touching(place, own)
    while at is not None and (reads := _reads_of_part(slots[at], zeros, own, context)) is not None:
        parts.append((at, reads))
        at = slots.next_touching(at, own)
    added = None if at is None else contribution(slots[at])
    if at is None or added is None or not parts or added.op not in ADDED:
        return False
    if added.target.op != "name" or added.target.data != zeros.data:
        return False
    if any(slots.changes_between(k + 1, at, reads) for k, reads in parts):
        return False
    value = _owned(added_first(added, context), first, context)
    if value is None or not read_tokens(value, context.memory).isdisjoint(own):
        return False
    moved = {place, at, *(k for k, _ in parts)}
    places = [k for k in range(place, at + 1) if slots.statements[k] is not None]
    made = [slots[k] for k in places if k not in moved]
    made += [replace(start, value=value, span=span_of(slots[at])), *(slots[k] for k, _ in parts)]
    slots.remove(place)
    for k, each in zip(places[1:], made, strict=True):
        slots.replace(k, each)
    return True


def _reads_of_part(
    statement: Statement, whole: Expr, own: Tokens, context: Context
) -> Tokens | None:
    """Return what a statement reads that adds to a part of an array, and reads none of that."""
    if is_scatter(statement):
        _, base, index, value = statement.value.args
    else:
        added = contribution(statement)
        if added is None or added.op not in ADDED or added.target.op != "subscript":
            return None
        (base, index), value = added.target.args, added.value
    reads = read_tokens(index, context.memory) | read_tokens(value, context.memory)
    is_part = base.op == "name" and base.data == whole.data and reads.isdisjoint(own)
    return reads if is_part else None


def _owned(value: Expr, first: Added, context: Context) -> Expr | None:
    """Return what is added first as a value of its own; None if it is not of the whole shape."""
    if (filled := _filled(first.value, value)) is not None:
        return filled
    if not _is_same_kind(first.value, value):
        return None
    shared, root = context.memory.contents(value), root_of(first.target)
    if isinstance(value.type, Array) and (shared or is_read_only(value)):
        held = {None if root is None else context.memory.content(root), *shared}
        if not context.written.isdisjoint(held):
            return copy_of(value)
    return value


def _filled(zeros: Expr, value: Expr) -> Expr | None:
    """Return an array of one number, which is added to zeros: np.full_like(u, c)."""
    is_number = isinstance(value.type, Number) and value.type.dtype == "float64"
    if not is_number or not calls(zeros, np.zeros_like) or len(zeros.args) != 2:
        return None
    if not isinstance(zeros.type, Array) or zeros.type.dtype != "float64":
        return None
    if spelled(value) == 1:
        return call(numpy_function("ones_like"), zeros.args[1], type_=zeros.type)
    return call(numpy_function("full_like"), zeros.args[1], value, type_=zeros.type)


def _is_same_kind(zero: Expr, value: Expr) -> bool:
    """Tell whether a value has the shape and kind of numbers of the zeros it is added to."""
    whole, added = kind_of(zero), kind_of(value)
    if isinstance(added, Array) and isinstance(whole, Array):
        if None not in added.lengths and added == whole:
            return True
        is_alike = (added.dtype, added.rank) == (whole.dtype, whole.rank)
        return is_alike and _is_made_of_one(zero, value)
    if isinstance(added, Number) and isinstance(whole, Number):
        return added.dtype == whole.dtype == "float64"
    return False


def _is_made_of_one(zeros: Expr, value: Expr) -> bool:
    """Tell whether a value is computed element by element of what zeros are made like, and of numbers."""
    if not calls(zeros, np.zeros_like) or len(zeros.args) != 2 or zeros.args[1].op != "name":
        return False
    arrays = [leaf for leaf in _leaves(value) if not isinstance(leaf.type, Number)]
    return bool(arrays) and all(
        leaf.op == "name" and leaf.data == zeros.args[1].data for leaf in arrays
    )


def _leaves(value: Expr) -> Iterator[Expr]:
    """Yield what a value is computed of element by element."""
    operands = elementwise_operands(value)
    yield from (leaf for each in operands for leaf in _leaves(each)) if operands else (value,)


def first_in_passes(slots: Slots, place: int, context: Context) -> bool:
    """`x_bar = zeros; for k ...: x_bar[k] += e` is `...: x_bar[k] = e`: each pass has its element."""
    zeros = zeros_at(slots[place])
    at = None if zeros is None else next_touching(slots, place, zeros)
    loop = None if at is None else slots[at]
    if zeros is None or at is None or not isinstance(loop, For):
        return False
    adding = _alone_in_passes(zeros, loop, {}, context)
    if adding is None:
        return False
    added = contribution(adding)
    if added is None or added.op not in ADDED:
        return False
    value = added_first(added, context)
    if not _is_same_kind(adding.target, value):
        return False
    put = replace(adding, op="=", value=value)
    (made,) = rewritten((loop,), lambda each: put if each is adding else each)
    return slots.replace(at, made)


def _alone_in_passes(
    whole: Expr, statement: Statement, known: dict[Variable, Counter], context: Context
) -> Store | None:
    """Return the one store to an array in a loop, if each pass stores to an element of its own."""
    own = {whole.data} | content_of(whole, context.memory)
    touching = [
        each
        for block in blocks(statement)
        for each in block
        if not own.isdisjoint(touched_by(each, context.memory))
    ]
    if len(touching) != 1 or isinstance(statement, While):
        return None
    if isinstance(statement, For):
        counted = dict(counters(statement))
        if not counted or not bound_in(statement.body).isdisjoint(counted):
            return None
        known = known | counted
    match touching[0]:
        case For() | If() as inner:
            return _alone_in_passes(whole, inner, known, context)
        case Store(Expr("subscript", (base, index))) as store if base == whole:
            reads = read_tokens(store.value, context.memory) | read_tokens(index, context.memory)
            is_alone = reads.isdisjoint(own) and are_different_in_passes(index, known)
            return store if is_alone else None
    return None


def with_parts_assigned(function: Function, memory: Memory) -> Function:
    """Return a function that assigns what it adds first to a part of zeros: P_bar[:, 1] = e."""

    def assigned(block: Block) -> Block:
        made = tuple(in_blocks(each, assigned) for each in block)
        slots = Slots(made, memory)
        for place in range(len(made)):
            zeros = zeros_at(made[place])
            if zeros is not None:
                _assign_parts(slots, place, zeros)
        return slots.block()

    return replace(function, body=assigned(function.body))


def _assign_parts(slots: Slots, place: int, zeros: Expr) -> None:
    """Assign what is added to parts of zeros, one after the other, and store no zeros to such."""
    own = content_of(zeros, slots.memory) | {zeros.data}
    touched: list[Expr] = []
    at = next_touching(slots, place, zeros)
    while at is not None:
        match slots[at]:
            case Store(Expr("subscript", (base, index)) as target, op, value) as store:
                reads = read_tokens(value, slots.memory) | read_tokens(index, slots.memory)
                if base != zeros or not reads.isdisjoint(own):
                    return
                lasts = not slots.changes_between(place + 1, at, read_tokens(index, slots.memory))
                is_first = all(
                    are_apart(index, each) or (lasts and _ends_before_other(index, each))
                    for each in touched
                )
                first = negative(value) if op == "-" else value
                if op in ADDED and first is not None and is_first and _fills(target, value):
                    slots.replace(at, replace(store, op="=", value=first))
                if op == "=" and is_first and is_zero(value):
                    slots.remove(at)
                else:
                    touched.append(index)
            case _:
                return
        at = next_touching(slots, at, zeros)


def _ends_before_other(a: Expr, b: Expr) -> bool:
    """Tell whether along one axis a slice ends before the position that the other takes: :n and n."""
    parts = index_parts(a), index_parts(b)
    is_plain = all(p.op == "slice" or isinstance(p.type, Number) for p in (*parts[0], *parts[1]))
    pairs = zip(*parts, strict=False)
    return is_plain and any(_ends_before(c, d) or _ends_before(d, c) for c, d in pairs)


def _ends_before(part: Expr, position: Expr) -> bool:
    is_number = isinstance(position.type, Number) and position.type.dtype[:1] == "i"
    is_plain = part.op == "slice" and is_none(part.args[0]) and is_none(part.args[2])
    return is_number and is_plain and part.args[1] == position


def _fills(target: Expr, value: Expr) -> bool:
    """Tell whether a part of zeros to which a value is added is that value, stretched at most."""
    kinds = kind_of(target), kind_of(value)
    return all(isinstance(t, Array | Number) and t.dtype == "float64" for t in kinds)
