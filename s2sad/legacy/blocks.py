"""What a statement as a whole reads and defines, its inner blocks included; and rewriting all."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace

from s2sad.legacy.program import (
    Assign,
    Block,
    Carried,
    Effect,
    Expr,
    If,
    Loop,
    Merge,
    Node,
    Opaque,
    Pop,
    Save,
    Stmt,
    Update,
    Var,
    once,
)
from s2sad.legacy.traverse import (
    blocks,
    defines,
    expressions,
    flat_targets,
    reads,
    renamed_targets,
    statements,
    substitute,
)


def all_reads(stmt: Stmt) -> tuple[Var, ...]:
    """Return every value that a statement or its inner blocks read, hand on or merge."""
    return _all_reads(stmt) if isinstance(stmt, Node) else ()


def own_reads(stmt: Stmt) -> list[Var]:
    """Return every value that a statement itself reads, hands on or merges, not those of its blocks."""
    found = [var for expr in expressions(stmt) for var in reads(expr)]
    if isinstance(stmt, If):
        found += [side for merge in stmt.merges for side in (merge.then, merge.orelse) if side]
    elif isinstance(stmt, Loop):
        found += [side for each in stmt.carried for side in (each.init, each.end) if side]
    return found


@once("kept_reads")
def _all_reads(stmt: Stmt) -> tuple[Var, ...]:
    found = own_reads(stmt)
    for block in blocks(stmt):
        for inner in block:
            found += all_reads(inner)
    return tuple(found)


def all_defines(stmt: Stmt) -> Iterator[Var]:
    """Yield every value that a statement or its inner blocks define."""
    yield from defines(stmt)
    if isinstance(stmt, Loop):
        yield from flat_targets(stmt.targets)
        yield from (each.head for each in stmt.carried)
    for block in blocks(stmt):
        for inner in block:
            yield from all_defines(inner)


def all_updates(stmt: Stmt) -> Iterator[Update | Pop]:
    """Yield every write in place of a statement or its inner blocks."""
    if isinstance(stmt, Update | Pop):
        yield stmt
    for block in blocks(stmt):
        for inner in block:
            yield from all_updates(inner)


def pinned(block: Block) -> frozenset[Var]:
    """Return the values that keep their place: merged, carried, written in place, popped from."""
    found: set[Var] = set()
    for stmt in statements(block):
        match stmt:
            case Update(_, old) | Pop(_, _, old):
                found.add(old)
            case Effect(Opaque(_, before, after)):
                written = {name for name, _ in after}
                found.update(var for name, var in before if name in written)
            case If(merges=merges):
                found.update(v for m in merges for v in (m.then, m.orelse) if v)
            case Loop(carried=carried):
                found.update(v for c in carried for v in (c.init, c.end) if v)
    return frozenset(found)


def map_expressions(stmt: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    """Return the statement with `change` applied to its own expressions (not to `old` values)."""
    match stmt:
        case Assign(_, value) | Effect(value) | Save(_, value):
            new = change(value)
            return stmt if new is value else replace(stmt, value=new)
        case Update(_, _, index, _, value):
            where = None if index is None else change(index)
            new = change(value)
            same = new is value and where is index
            return stmt if same else replace(stmt, index=where, value=new)
        case Pop(index=index) if index is not None:
            return replace(stmt, index=change(index))
        case If(test):
            new = change(test)
            return stmt if new is test else replace(stmt, test=new)
        case Loop(_, iterable, test):
            over = None if iterable is None else change(iterable)
            held = None if test is None else change(test)
            same = over is iterable and held is test
            return stmt if same else replace(stmt, iterable=over, test=held)
    return stmt


def map_blocks(stmt: Stmt, change: Callable[[Block], Block]) -> Stmt:
    """Return the statement with `change` applied to its inner blocks."""
    match stmt:
        case If(_, then, orelse):
            ways = change(then), change(orelse)
            same = _is_same(then, ways[0]) and _is_same(orelse, ways[1])
            return stmt if same else replace(stmt, then=ways[0], orelse=ways[1])
        case Loop(body=body):
            new = change(body)
            return stmt if _is_same(body, new) else replace(stmt, body=new)
    return stmt


def _is_same(block: Block, other: Block) -> bool:
    """Tell whether two blocks hold the very same statements."""
    return len(block) == len(other) and all(map(operator.is_, block, other))


def map_everywhere(block: Block, change: Callable[[Expr], Expr]) -> Block:
    """Return the block with `change` applied to every expression in it."""
    return tuple(
        map_blocks(map_expressions(stmt, change), lambda inner: map_everywhere(inner, change))
        for stmt in block
    )


def without(block: Block, gone: Container[Var]) -> Block:
    """Return the block without the assignments of the values in `gone`."""
    left = (s for s in block if not (isinstance(s, Assign) and s.targets[0] in gone))
    return tuple(map_blocks(stmt, lambda inner: without(inner, gone)) for stmt in left)


def put_in(block: Block, same: Mapping[Var, Expr]) -> Block:
    """Return the block with what each value in `same` is in its place."""
    return map_everywhere(block, lambda expr: substitute(expr, lambda var: same.get(var, var)))


def renamed(block: Block, new: Callable[[Var], Var]) -> Block:
    """Return the block with every value, read or defined, renamed by `new`."""

    def expr(value: Expr) -> Expr:
        return substitute(value, new)

    def maybe(var: Var | None) -> Var | None:
        return None if var is None else new(var)

    def one(stmt: Stmt) -> Stmt:
        stmt = map_blocks(map_expressions(stmt, expr), lambda inner: tuple(map(one, inner)))
        match stmt:
            case Assign():
                return replace(stmt, targets=tuple(new(var) for var in stmt.targets))
            case Update():
                return replace(stmt, new=new(stmt.new), old=new(stmt.old))
            case Pop():
                return replace(stmt, target=new(stmt.target), new=new(stmt.new), old=new(stmt.old))
            case If():
                merges = tuple(
                    Merge(new(m.out), maybe(m.then), maybe(m.orelse)) for m in stmt.merges
                )
                return replace(stmt, merges=merges)
            case Loop():
                carried = tuple(
                    Carried(new(c.head), maybe(c.init), new(c.end), new(c.exit))
                    for c in stmt.carried
                )
                targets = stmt.targets
                if targets is not None:
                    targets = renamed_targets(targets, new)
                return replace(stmt, carried=carried, targets=targets)
            case Effect(Opaque(writes=writes) as copied) if writes:
                told = tuple((name, new(var)) for name, var in writes)
                return replace(stmt, value=replace(copied, writes=told))
        if hasattr(stmt, "target"):
            return replace(stmt, target=new(stmt.target))  # a Restore
        return stmt

    return tuple(map(one, block))
