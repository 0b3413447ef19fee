"""The decisions of `checkpoint` are carried out: the forward sweep saves, the reverse restores.

forward                          reverse
x_saved = []                     for x in reversed(x_saved):
while ...:                           a_bar += x_bar / x
    x_saved.append(x)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from s2sad.ir.errors import Span
from s2sad.legacy.aside import items_written, needs_copy
from s2sad.legacy.checkpoint import Decision, Plan, recompute_as
from s2sad.legacy.facts.device import is_held_number
from s2sad.legacy.flags import as_packed
from s2sad.legacy.homes import Path
from s2sad.legacy.own import COPIED, DEEP_COPY
from s2sad.legacy.program import (
    NONE,
    Assign,
    Attr,
    Block,
    Break,
    Call,
    Carried,
    Const,
    Expr,
    If,
    Loop,
    NewStore,
    Op,
    Program,
    Ref,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import defines, may_leave, statements, substitute, walk

COPY = Ref("np.copy", np.copy)


def joined(program: Program, sweep: Block, plan: Plan, result: Expr) -> Program:
    """Return forward and reverse sweep as one Program that returns `result`."""
    forward = _forward(program, plan)
    values = {var: decision.var for var, decision in plan.decisions.items()}

    def there(expr: Expr) -> Expr:
        return substitute(expr, lambda var: values.get(var, var))

    backward = _mirrored(sweep, (), plan, there)
    return replace(program, body=(*forward, *backward), result=there(result))


# ---------------------------------------------------------------- forward


def _forward(program: Program, plan: Plan) -> Block:
    packed = {store_of(plan.decisions[var]): start for var, start in plan.packed.items()}
    start = [stmt for param in program.params for stmt in _stored(plan, param.var, program.span)]
    out: list[Stmt] = start
    for stmt in program.body:
        done = _with_saves((stmt,), plan)
        stores = dict.fromkeys(s.store for s in statements(done) if isinstance(s, Save))
        out += [NewStore(store, stmt.span, packed.get(store, "")) for store in stores]
        out += done
    return tuple(out)


def _with_saves(block: Block, plan: Plan) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, If):
            then, orelse = _with_saves(stmt.then, plan), _with_saves(stmt.orelse, plan)
            out.append(replace(stmt, then=then, orelse=orelse))
        elif isinstance(stmt, Loop):
            heads = [each.head for each in stmt.carried]
            top = [s for head in heads for s in _stored(plan, head, stmt.span)]
            out.append(replace(stmt, body=(*top, *_with_saves(stmt.body, plan))))
        else:
            out.append(stmt)
        for var in defines(stmt):
            saves = _stored(plan, var, stmt.span)
            if saves and isinstance(stmt, If) and may_leave((stmt,)):
                out[:] = _before_each_end(tuple(out), var, plan, stmt.span)
            else:
                out += saves
    return tuple(out)


def _before_each_end(block: Block, var: Var, plan: Plan, span: Span) -> Block:
    """Put `var` aside on every way through a block: what stands behind a break never runs."""
    decision = plan.decisions[var]

    def at_end(block: Block, held: Var | None) -> Block:
        *before, last = block or (None,)
        if isinstance(last, If) and may_leave((last,)):
            way = next((merge for merge in last.merges if merge.out == held), None)
            then = at_end(last.then, held if way is None else way.then)
            orelse = at_end(last.orelse, held if way is None else way.orelse)
            return (*before, replace(last, then=then, orelse=orelse))
        value: Expr = NONE if held is None else held
        if held is not None and needs_copy(plan, var):
            value = _copied(held, plan)
        if var in plan.packed:
            value = as_packed(held, plan.packed[var])
        save = Save(store_of(decision), value, span)
        return (*before, save, last) if isinstance(last, Break) else (*block, save)

    return at_end(block, var)


def _stored(plan: Plan, var: Var, span: Span) -> list[Stmt]:
    """Return the statement that puts `var` aside, if it was decided so."""
    decision = plan.decisions.get(var)
    if decision is None or decision.how not in ("kept", "saved"):
        return []
    value = _copied(var, plan) if needs_copy(plan, var) else var
    if decision.how == "kept":
        return [Assign((decision.var,), value, span)]
    element = recompute_as(plan, var)
    if _is_short_part(element, plan):
        value = substitute(value, lambda name: element if name == var else name)
    value = as_packed(var, plan.packed[var]) if var in plan.packed else value
    return [Save(store_of(decision), value, span)]


def _is_short_part(value: Expr | None, plan: Plan) -> TypeGuard[Expr]:
    """Tell whether a value is an element or a slice, which may as well be read twice."""
    match value:
        case Op("index", (Var(), key)):
            return all(
                isinstance(part, Const)
                or (isinstance(part, Var) and plan.fact(part).kind == "int")
                or (isinstance(part, Op) and part.op in ("tuple", "slice", "+", "-", "u-"))
                for part in walk(key)
            )
    return False


def _copied(var: Var, plan: Plan) -> Expr:
    fact = plan.fact(var)
    if fact.is_scalar or fact.kind in ("str", "none"):
        return var
    if fact.is_object:
        return Call(DEEP_COPY, (var,))
    if fact.begun:
        return Call(COPY, (var,))
    if fact.kind in ("dict", "tuple", "unknown") or (
        fact.kind == "list" and items_written(plan, var)
    ):
        return Call(COPIED, (var,))
    if fact.kind == "list":
        return Call(Ref("list", list), (var,))
    if is_held_number(fact):
        return Op("u+", (var,))
    return Call(Attr(var, "copy")) if fact.is_array else Call(COPY, (var,))


def store_of(decision: Decision) -> str:
    """Return the list on which a saved value is put."""
    return decision.var.slot.replace("~back", "~saved")


# ---------------------------------------------------------------- reverse


def _mirrored(block: Block, path: Path, plan: Plan, there) -> Block:  # type: ignore[no-untyped-def]
    out: list[Stmt] = []
    for stmt in block:
        match stmt:
            case If():
                then = _at_home(stmt.then, (*path, ("then", stmt.key)), plan, there, stmt.span)
                orelse = _at_home(stmt.orelse, (*path, ("else", stmt.key)), plan, there, stmt.span)
                out.append(replace(stmt, test=there(stmt.test), then=then, orelse=orelse))
            case Loop():
                out += _mirrored_loop(stmt, path, plan, there)
            case _:
                out.append(_reading(stmt, there))
    return tuple(out)


def _reading(stmt: Stmt, there) -> Stmt:  # type: ignore[no-untyped-def]
    match stmt:
        case Assign(_, value):
            return replace(stmt, value=there(value))
        case Update(_, _, index, _, value):
            where = None if index is None else there(index)
            return replace(stmt, index=where, value=there(value))
    return stmt


def _at_home(block: Block, path: Path, plan: Plan, there, span: Span) -> Block:  # type: ignore[no-untyped-def]
    """Put what was made at `path` on top of its mirror, in the order it was made."""
    top: list[Stmt] = []
    mine = [var for var in plan.decisions if plan.homes[var].path == path]
    for var in sorted(mine, key=lambda v: plan.homes[v].order):
        decision, stmt = plan.decisions[var], plan.homes[var].stmt
        at = stmt.span if stmt is not None else span
        if decision.how == "saved":
            top.append(Restore(decision.var, store_of(decision), at))
        elif decision.how == "recomputed":
            value = recompute_as(plan, var)
            assert value is not None
            top.append(Assign((decision.var,), there(value), at))
    return (*top, *_mirrored(block, path, plan, there))


def _mirrored_loop(loop: Loop, path: Path, plan: Plan, there) -> list[Stmt]:  # type: ignore[no-untyped-def]
    inside = (*path, ("loop", loop.key))
    body = _at_home(loop.body, inside, plan, there, loop.span)
    assert loop.iterable is not None
    before: list[Stmt] = []
    carried = loop.carried
    top: list[Stmt] = []
    for each, decision in _handed_on(plan, inside):
        start, head, end, last = _handed_slots(decision, plan.decisions[each.head], each)
        exit_there = plan.decisions[each.exit].var
        before.append(Assign((start,), exit_there, loop.span))
        top.append(Assign((decision.var,), head, loop.span))
        head_var = plan.decisions[each.head].var
        body = (*body, Assign((end,), head_var, loop.span))
        carried = (*carried, Carried(head, start, end, last))
    return [
        *before,
        replace(loop, iterable=there(loop.iterable), carried=carried, body=(*top, *body)),
    ]


def _handed_on(plan: Plan, inside: Path) -> list[tuple[Carried, Decision]]:
    found = []
    for var, decision in plan.decisions.items():
        home = plan.homes[var]
        if decision.how != "handed on" or home.path != inside:
            continue
        loops = [h.stmt for h in plan.homes.values() if h.kind == "exit"]
        for stmt in loops:
            if isinstance(stmt, Loop) and ("loop", stmt.key) == inside[-1]:
                found += [(each, decision) for each in stmt.carried if each.end == var][:1]
                break
    return found


def _handed_slots(end: Decision, head: Decision, each: Carried) -> tuple[Var, Var, Var, Var]:
    slot = end.var.slot + "on"
    return Var(slot, 1), Var(slot, 2), Var(slot, 3), Var(slot, 4)


__all__ = ["Mapping", "joined", "store_of"]
