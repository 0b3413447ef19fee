"""Which values of a forward program have an axis of directions: tangents, and what is made of them."""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.legacy.blocks import all_defines
from s2sad.legacy.callee import Written
from s2sad.legacy.program import (
    Assign,
    Call,
    Expr,
    If,
    Loop,
    Op,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    dot,
)
from s2sad.legacy.traverse import flat_targets, is_nested, statements, value_reads


def carriers(program: Program) -> frozenset[Var]:
    """Return the values of a forward program that have the axis of directions."""
    made = [*(p.var for p in program.params), *(v for s in program.body for v in all_defines(s))]
    many = {var for var in made if var.slot.endswith(dot(""))}
    size = -1
    while size < len(many):
        size = len(many)
        for stmt in statements(program.body):
            many.update(_made_many(stmt, many))
    return frozenset(many)


def _made_many(stmt: Stmt, many: set[Var]) -> Iterable[Var]:
    """Return which values of a statement have the axis, given others that have."""

    def reads_many(expr: Expr) -> bool:
        return any(var in many for var in value_reads(expr))

    match stmt:
        case Assign(targets, Call(Ref(value=Written()))):
            return targets[len(targets) // 2 :]  # its values, then their tangents
        case Assign(targets, Op("tuple" | "list", parts), unpack=True):
            return [t for t, part in zip(targets, parts, strict=False) if reads_many(part)]
        case Assign(targets, value) if reads_many(value):
            return targets
        case Update(new, old, _, _, value) if old in many or reads_many(value):
            return (new,)
        case Pop(target, new, old) if old in many:
            return target, new
        case If(merges=merges):
            return [m.out for m in merges if m.then in many or m.orelse in many]
        case Loop():
            return _of_loop(stmt, many)
    return ()


def _of_loop(loop: Loop, many: set[Var]) -> Iterable[Var]:
    for each in loop.carried:
        if not many.isdisjoint((each.head, each.init, each.end, each.exit)):
            yield from (each.head, each.exit)
    match loop.iterable:
        case Call(Ref("zip"), parts) if is_nested(loop.targets):
            for target, part in zip(loop.targets, parts, strict=True):
                if any(var in many for var in value_reads(part)):
                    yield from flat_targets(target)
