"""The adjoints of writes in place: elements, whole arrays, and lists.

u@1 = u@0[0] := q        q~bar += u~bar[0] ; u~bar[0] = 0
"""

from __future__ import annotations

import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.legacy.activity import flow
from s2sad.legacy.contribute import CONTAINERS, ZEROS_OF, reduced, zero_like
from s2sad.legacy.facts import Fact, same_shape
from s2sad.legacy.filling import literal, number
from s2sad.legacy.program import (
    Assign,
    Attr,
    Call,
    Const,
    Effect,
    Expr,
    Op,
    Opaque,
    Pop,
    Ref,
    Update,
    Var,
    bar,
    base,
)
from s2sad.legacy.refusals import not_differentiated
from s2sad.legacy.reverse.assignments import is_basic, pull_back
from s2sad.legacy.reverse.sweep import Sweep, contribute, whole, writable
from s2sad.legacy.traverse import rewrites, walk

WHERE = Ref("np.where", np.where)
GRID = Ref("np.s_", np.s_)
WRITTEN_LAST = Ref("_written_last", "printed")


def update_back(sweep: Sweep, stmt: Update) -> None:
    if stmt.new not in sweep.active:
        sweep.bars.pop(stmt.new.slot, None)
        return
    if stmt.op in ("append", "insert"):
        _append(sweep, stmt)
    elif stmt.index is None:
        _update_whole(sweep, stmt)
    else:
        _update_element(sweep, stmt)
    if stmt.old.slot in sweep.bars:
        # the adjoint may be the same as after the write; before it, only the old value exists
        sweep.shapes[stmt.old.slot] = stmt.old


def _update_whole(sweep: Sweep, stmt: Update) -> None:
    """`x op= e` has the adjoint of x = x op e, whether it writes or rebinds."""
    if stmt.op in "+-" and sweep.facts.of(stmt.old).kind not in ("list", "tuple"):
        seed = sweep.bars.get(stmt.new.slot)
        if seed is None:
            return
        if stmt.old not in sweep.active:
            sweep.bars.pop(stmt.new.slot)
        value: Expr = seed if stmt.op == "+" else Op("u-", (seed,))
        if isinstance(stmt.value, Var):
            value = reduced(value, sweep.facts.of(stmt.value), sweep.facts.of(stmt.new), stmt.value)
            contribute(sweep, stmt.value, value, stmt.span)
        _grown(sweep, stmt)
        return
    seed = sweep.take(stmt.new)
    if seed is not None:
        value = Op(stmt.op, (stmt.old, stmt.value))
        pull_back(sweep, stmt.new, value, seed, stmt.span)


def _grown(sweep: Sweep, stmt: Update) -> None:
    """A scalar that became an array (`total += x`): its adjoint is summed again."""
    seed = sweep.bars.get(stmt.old.slot)
    if seed is None or stmt.old not in sweep.active:
        return
    value = reduced(seed, sweep.facts.of(stmt.old), sweep.facts.of(stmt.new), stmt.old)
    if value is not seed:
        made = sweep.new_bar(stmt.old)
        sweep.emit(Assign((made,), value, stmt.span))
        sweep.bars[stmt.old.slot] = made


def _update_element(sweep: Sweep, stmt: Update) -> None:
    seed = sweep.bars.get(stmt.new.slot)
    if seed is None or stmt.index is None:
        return
    if rewrites(stmt) and sweep.facts.of(stmt.old).kind == "list":
        # the list that is written in may have another length
        sweep.bars.pop(stmt.new.slot)
        contribute(sweep, stmt.value, seed, stmt.span)
        return
    seed = writable(sweep, stmt.old, seed, stmt.span, stmt.index)
    given = _given(sweep, stmt, seed)
    # what an array gives to a part of itself comes back after that part has lost its adjoint
    late = isinstance(stmt.value, Var) and stmt.value.slot == stmt.new.slot
    if given is not None and not late:
        contribute(sweep, stmt.value, given, stmt.span)
    seed = sweep.bars[stmt.new.slot]
    if stmt.op == "=":
        made = sweep.new_bar(stmt.old)
        sweep.emit(Update(made, seed, stmt.index, "=", _nothing(sweep, stmt, seed), stmt.span))
        sweep.bars[stmt.old.slot] = made
    if given is not None and late:
        contribute(sweep, stmt.value, given, stmt.span)
    if stmt.old not in sweep.active:
        sweep.bars.pop(stmt.old.slot)


def _given(sweep: Sweep, stmt: Update, seed: Var) -> Expr | None:
    """Return what the value that is written receives; None where it is not active."""
    if not isinstance(stmt.value, Var) or stmt.value not in sweep.active:
        return None
    assert stmt.index is not None
    part: Expr = Op("index", (seed, stmt.index))
    if stmt.op != "add.at" and not is_basic(sweep, stmt.index):
        part = _of_the_last(sweep, stmt, part)
    if stmt.value.slot == stmt.new.slot:
        part = sweep.temp(base(stmt.new.slot), part, stmt.span)
    if stmt.op == "=" and sweep.facts.of(stmt.old).kind in CONTAINERS:
        return part  # nothing is spread
    held = sweep.fact(Op("index", (stmt.old, stmt.index)))
    g = reduced(part, sweep.facts.of(stmt.value), held, stmt.value)
    return Op("u-", (g,)) if stmt.op == "-" else g


def _nothing(sweep: Sweep, stmt: Update, seed: Var) -> Expr:
    """Return the zero that an element's adjoint becomes: of a list's item, with its structure."""
    if sweep.facts.of(stmt.old).kind not in CONTAINERS or stmt.index is None:
        return Const(0.0)
    if sweep.fact(Op("index", (stmt.old, stmt.index))).is_scalar:
        return Const(0.0)
    if sweep.facts.of(stmt.old).kind == "dict" and sweep.facts.of(stmt.old).items:
        return _nothing_of_key(sweep, stmt, stmt.index, seed)
    was = Op("index", (stmt.old, stmt.index))
    alike = _are_alike(sweep.fact(was), sweep.fact(stmt.value))
    return Call(ZEROS_OF, (Op("index", (seed, stmt.index)) if alike else was,))


def _are_alike(was: Fact, now: Fact) -> bool:
    """Tell whether zeros of what is written to a list are zeros of what was there."""
    arrays = was.is_array and now.is_array
    return arrays and same_shape(was, now) and was.dtype == now.dtype


def _nothing_of_key(sweep: Sweep, stmt: Update, key: Expr, seed: Var) -> Expr:
    """Return zeros of what a dict had under a key before it was written to."""
    known = key if isinstance(key, Const) else sweep.fact(key).value
    owner = sweep.facts.of(stmt.old)
    if known is None or not owner.keys:
        error = Unsupported(
            "a write to an argument under a key that is not known is not differentiated",
            stmt.span,
            "Make a new dict: new = {}; then new[key] = ...",
        )
        error.certain = False
        raise error
    had = known.value in owner.keys
    return Call(ZEROS_OF, (Op("index", (stmt.old if had else seed, key)),))


def _of_the_last(sweep: Sweep, stmt: Update, part: Expr) -> Expr:
    """Return the adjoint of what is written at positions that may repeat: the last write counts."""
    if not sweep.facts.of(stmt.old).is_array:
        error = Unsupported(
            "a write at positions that may be an array is not differentiated",
            stmt.span,
            "A position may be there twice. Loop over the positions, or write with a mask.",
        )
        error.certain = False
        raise error
    assert stmt.index is not None
    sliced = any(isinstance(each, Op) and each.op == "slice" for each in walk(stmt.index))
    key = Op("index", (GRID, stmt.index)) if sliced else stmt.index
    last = Call(WRITTEN_LAST, (Attr(stmt.old, "shape"), key))
    return Call(WHERE, (last, part, Const(0.0)))


# ---------------------------------------------------------------- lists


def _append(sweep: Sweep, stmt: Update) -> None:
    seed = sweep.bars.get(stmt.new.slot)
    if seed is None:
        return
    if isinstance(stmt.value, Op) and stmt.value.op in ("tuple", "list"):
        _append_display(sweep, stmt, stmt.value, seed)
        return
    if isinstance(stmt.value, Const):
        _dropped(sweep, stmt, seed)
        return
    if not isinstance(stmt.value, Var):
        raise not_differentiated(stmt.value, stmt.span)
    item = sweep.numbers.next(bar(stmt.value.slot))
    sweep.known[item] = sweep.facts.of(stmt.value)
    left = sweep.new_bar(stmt.old)
    if stmt.value.slot not in sweep.bars:
        sweep.emit(Pop(item, left, seed, stmt.span, stmt.index))
        if stmt.value in sweep.active:
            sweep.bars[stmt.value.slot] = item
            sweep.shapes[stmt.value.slot] = stmt.value
    else:
        moved = sweep.numbers.temp(base(stmt.value.slot))
        sweep.known[moved] = sweep.facts.of(stmt.value)
        sweep.emit(Pop(moved, left, seed, stmt.span, stmt.index))
        contribute(sweep, stmt.value, moved, stmt.span)
    sweep.bars[stmt.old.slot] = left
    if stmt.old not in sweep.active:
        sweep.bars.pop(stmt.old.slot)


def _append_display(sweep: Sweep, stmt: Update, value: Op, seed: Var) -> None:
    """`pairs.append((x, y))`: what the pair's adjoint holds goes to x and y."""
    for part in value.args:
        if not isinstance(part, Var) and any(v in sweep.active for v in flow(part, sweep.fact)):
            raise not_differentiated(part, stmt.span)
    moved = _dropped(sweep, stmt, seed)
    for position, part in enumerate(value.args):
        contribute(sweep, part, Op("index", (moved, Const(position))), stmt.span)


def _dropped(sweep: Sweep, stmt: Update, seed: Var) -> Var:
    """Take the last item off the adjoint of a list, and return it."""
    moved, left = sweep.numbers.temp("item"), sweep.new_bar(stmt.old)
    sweep.known[moved] = sweep.fact(stmt.value)
    sweep.emit(Pop(moved, left, seed, stmt.span, stmt.index))
    sweep.bars[stmt.old.slot] = left
    if stmt.old not in sweep.active:
        sweep.bars.pop(stmt.old.slot)
    return moved


def pop_back(sweep: Sweep, stmt: Pop) -> None:
    seed = sweep.take(stmt.target)
    if stmt.old not in sweep.active:
        return
    old = whole(sweep, stmt.new, stmt.span)
    value: Expr = seed if seed is not None else zero_like(stmt.target, sweep.facts.of(stmt.target))
    made = sweep.new_bar(stmt.old)
    where = _place_before(stmt.index)
    op = "append" if where is None else "insert"
    sweep.emit(Update(made, old, where, op, value, stmt.span))
    sweep.bars[stmt.old.slot] = made


def _place_before(index: Expr | None) -> Expr | None:
    """Return where to insert what was taken from `index`; None where it was the last."""
    at = None if index is None else literal(index)
    if at is None or at >= 0:
        return index
    return None if at == -1 else number(at + 1)


def effect_back(sweep: Sweep, stmt: Effect) -> None:
    if isinstance(stmt.value, Opaque):
        for name, var in stmt.value.writes:
            if var in sweep.active and sweep.bars.pop(var.slot, None) is not None:
                raise not_differentiated(stmt.value, stmt.span, name)
            sweep.bars.pop(var.slot, None)
