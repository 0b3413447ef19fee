"""Statement by statement through a Program, its branches and its loops, tangents beside values."""

from __future__ import annotations

from s2sad.ir.errors import S2sadError, gather, placed
from s2sad.legacy.callee import Callees
from s2sad.legacy.facts import Facts
from s2sad.legacy.forward.assignments import assign, unpack
from s2sad.legacy.forward.state import Tangents, still
from s2sad.legacy.forward.writes import update
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Carried,
    Effect,
    Expr,
    If,
    Loop,
    Merge,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    dot,
)
from s2sad.legacy.refusals import not_differentiated
from s2sad.legacy.scope import Numbers
from s2sad.legacy.solvers.ends import between
from s2sad.legacy.traverse import flat_targets, is_nested, rewrites, statements


def tangent_program(
    program: Program, facts: Facts, active: frozenset[Var], numbers: Numbers, callees: Callees
) -> tuple[Block, Tangents]:
    """Return the statements of `program` with those of its tangents."""
    moving, active = active, _with_carriers(program.body, active)
    for var in active:  # tangents have the versions of their values; new ones come after
        slot = dot(var.slot)
        numbers.versions[slot] = max(numbers.versions[slot], numbers.versions[var.slot])
    state = Tangents(facts, active, numbers, callees, moving)
    for param in program.params:
        if param.var in active - moving:
            still(state, param.var, program.span)
    state.problems += between(program, moving, facts.expr)
    _walk(state, program.body)
    if state.problems:
        raise gather(state.problems)
    return tuple(state.out), state


def _with_carriers(block: Block, active: frozenset[Var]) -> frozenset[Var]:
    """Add what a loop or a branch hands on as an active value: there its tangent is zero.

    So a tangent is made where its value is, and never after a break.
    """
    found = set(active)
    size = -1
    while size < len(found):
        size = len(found)
        for stmt in statements(block):
            if isinstance(stmt, If):
                for merge in stmt.merges:
                    if merge.out in found:
                        found.update(side for side in (merge.then, merge.orelse) if side)
            elif isinstance(stmt, Loop):
                for each in stmt.carried:
                    if each.head in found or each.exit in found:
                        found.update((each.head, each.end, each.exit))
                        found.update((each.init,) if each.init else ())
            elif isinstance(stmt, Pop | Update) and stmt.new in found and not _forgets(stmt):
                found.add(stmt.old)
    return frozenset(found)


def _forgets(stmt: Pop | Update) -> bool:
    return isinstance(stmt, Update) and rewrites(stmt)


def _walk(state: Tangents, block: Block) -> None:
    for stmt in block:
        try:
            _forward(state, stmt)
        except S2sadError as problem:
            state.problems += placed(problem, stmt.span).problems


def _forward(state: Tangents, stmt: Stmt) -> None:
    match stmt:
        case Assign(unpack=True):
            unpack(state, stmt)
        case Assign():
            assign(state, stmt)
        case Update():
            update(state, stmt)
        case Pop(target, new, old, _, index):
            state.emit(stmt)
            if old in state.active:
                made = state.or_zero(target, [], stmt.span)
                left = state.or_zero(new, [], stmt.span)
                state.emit(Pop(made, left, state.of(old), stmt.span, index))
            elif target in state.active:
                still(state, target, stmt.span)
        case Effect():
            if isinstance(stmt.value, Opaque) and any(
                var in state.moving for _, var in stmt.value.writes
            ):
                raise not_differentiated(stmt.value, stmt.span)
            state.emit(stmt)
            if isinstance(stmt.value, Opaque):
                for _, var in stmt.value.writes:
                    if var in state.active:
                        still(state, var, stmt.span)
        case If():
            _branch(state, stmt)
        case Loop():
            _loop(state, stmt)
        case _:
            state.emit(stmt)


def _branch(state: Tangents, stmt: If) -> None:
    outer = state.out
    sides: list[list[Stmt]] = []
    for block in (stmt.then, stmt.orelse):
        state.out = []
        _walk(state, block)
        sides.append(state.out)
    state.out = outer
    merges = list(stmt.merges)
    for merge in stmt.merges:
        if merge.out in state.active:
            then = state.or_zero(merge.then, sides[0], stmt.span) if merge.then else None
            orelse = state.or_zero(merge.orelse, sides[1], stmt.span) if merge.orelse else None
            merges.append(Merge(state.of(merge.out), then, orelse))
    state.emit(If(stmt.test, tuple(sides[0]), tuple(sides[1]), tuple(merges), stmt.span, stmt.key))


def _loop(state: Tangents, stmt: Loop) -> None:
    carried = list(stmt.carried)
    outer, state.out = state.out, []
    if not _goes_over_active(state, stmt):
        for target in flat_targets(stmt.targets):
            if target in state.active:
                still(state, target, stmt.span)
    _walk(state, stmt.body)
    body, state.out = state.out, outer
    for each in stmt.carried:
        if each.head in state.active or each.exit in state.active:
            init = state.or_zero(each.init, state.out, stmt.span) if each.init else None
            end = state.or_zero(each.end, body, stmt.span)
            heads = (state.of(each.head), init, end, state.of(each.exit))
            carried.append(Carried(*heads))
    targets, iterable = _items_and_dots(state, stmt)
    state.emit(
        Loop(
            targets,
            iterable,
            stmt.test,
            tuple(carried),
            tuple(body),
            stmt.breaks,
            stmt.span,
            stmt.key,
        )
    )


def _goes_over_active(state: Tangents, loop: Loop) -> bool:
    return isinstance(loop.iterable, Var) and loop.iterable in state.active


def _items_and_dots(state: Tangents, loop: Loop) -> tuple[object, Expr | None]:
    """Return what a loop over an active list iterates over: items and their tangents."""
    owner = loop.iterable
    if not isinstance(owner, Var) or not _goes_over_active(state, loop):
        return loop.targets, owner

    def dots(targets: object) -> object:
        if is_nested(targets):
            return tuple(dots(part) for part in targets)
        assert isinstance(targets, Var)
        return state.of(targets)

    return (loop.targets, dots(loop.targets)), Call(Ref("zip", zip), (owner, state.of(owner)))
