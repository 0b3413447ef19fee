"""Stores that read the memory they write, element by element in another order.

v[1:] = v[:-1]        NumPy moves the elements in the order that is right
v[1:5] = v[::2]       refused: NumPy writes v[2] before it reads it, and the result is no one's
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from s2sad.legacy.facts import Fact
from s2sad.legacy.filling import literal, number
from s2sad.legacy.memory import NOTHING, Roots, own_memory, spread
from s2sad.legacy.program import NONE, Assign, Block, Const, Expr, Op, Program, Stmt, Update, Var
from s2sad.legacy.traverse import blocks, defines, is_slice, statements, substitute


@dataclass(frozen=True, slots=True)
class Line:
    """The elements that a subscript keeps along one axis."""

    axis: int
    step: Expr
    start: tuple[Expr, ...]


WHOLE = Line(0, Const(1), (Const(0),))


def overlapping(
    program: Program,
    roots: Roots,
    share: Callable[[Var, Var], bool],
    fact: Callable[[Expr], Fact],
) -> Iterator[Update]:
    """Yield the stores of which NumPy's result depends on the order of elements."""
    made = dict(pair for stmt in statements(program.body) for pair in _made(stmt))
    inner = [block for stmt in statements(program.body) for block in blocks(stmt)]
    for block in (program.body, *inner):
        made |= _said_again(block)
    for stmt in statements(program.body):
        if not (isinstance(stmt, Update) and stmt.op == "=" and isinstance(stmt.value, Var)):
            continue
        if stmt.index is None or stmt.echo or not _is_line(stmt, fact):
            continue
        theirs = spread(roots.get(stmt.value, NOTHING))
        if not (own_memory(roots.get(stmt.old, NOTHING)) & theirs and share(stmt.old, stmt.value)):
            continue
        if not _keeps_order(stmt.old, stmt.index, stmt.value, made):
            yield stmt


def _made(stmt: Stmt) -> Iterator[tuple[Var, Expr]]:
    if isinstance(stmt, Assign) and not stmt.unpack:
        yield stmt.target, stmt.value
    elif isinstance(stmt, Assign) and isinstance(stmt.value, Op) and stmt.value.op == "tuple":
        yield from zip(stmt.targets, stmt.value.args, strict=False)
    elif isinstance(stmt, Update) and (stmt.index is not None or stmt.echo):
        yield stmt.new, stmt.old


def _said_again(block: Block) -> Iterator[tuple[Var, Var]]:
    """Yield the names that an echo gives anew, each with what it was in the statements before."""
    last: dict[str, Var] = {}
    for stmt in block:
        if not isinstance(stmt, Assign | Update):
            last.clear()
        elif isinstance(stmt, Assign) and stmt.echo:
            yield from ((each, last[each.slot]) for each in stmt.targets if each.slot in last)
        last |= {each.slot: each for each in defines(stmt)}


def _is_line(stmt: Update, fact: Callable[[Expr], Fact]) -> bool:
    """Tell whether a store may be along one axis: along more, NumPy looks for overlaps itself."""
    held = fact(stmt.old)
    if held.kind in ("list", "dict") or fact(stmt.value).is_scalar or held.dtype[:3] == "int":
        return False
    assert stmt.index is not None
    slices = sum(isinstance(part, Op) and part.op == "slice" for part in _parts(stmt.index))
    rank = fact(Op("index", (stmt.old, stmt.index))).rank
    return rank == 1 or (rank is None and slices < 2)


def _keeps_order(old: Var, index: Expr, value: Var, made: Mapping[Var, Expr]) -> bool:
    """Tell whether some way to see both as lines of one array shows that they are in order."""
    written = list(_places(old, _line(index), made))
    read = _places(value, WHOLE, made)
    return any(
        owner == other and _in_order(to, source) for other, source in read for owner, to in written
    )


Place = tuple[Expr, Line | None]  # a line of what


def _places(var: Var, line: Line | None, made: Mapping[Var, Expr]) -> Iterator[Place]:
    """Yield what a line of a name is a line of: the name, what it is a part of, and so on."""
    first = _same(var, made)
    yield first, line
    match made.get(first):
        case Op("index", (Var() as owner, key)):
            part = _within(_line(key), line)
            yield from _places(owner, part, made)
            source = _same(owner, made)
            if source in made:  # it may have been made twice, and have two names
                yield substitute(made[source], lambda var: _same(var, made)), part


def _within(part: Line | None, line: Line | None) -> Line | None:
    """Return a line of a part as one of the whole."""
    if part is None or line is None or line == WHOLE:
        return part if line is not None else None
    step = _multiplied(part.step, line.step)
    if line.axis != 0 or step is None:
        return None
    return Line(part.axis, step, (*part.start, *line.start, NONE))


def _multiplied(a: Expr, b: Expr) -> Expr | None:
    if Const(1) in (a, b):
        return b if a == Const(1) else a
    steps = literal(a), literal(b)
    return None if None in steps else number(steps[0] * steps[1])  # type: ignore[operator]


def _same(var: Var, made: Mapping[Var, Expr]) -> Var:
    """Return the first name of what is only renamed."""
    while isinstance(held := made.get(var), Var):
        var = held
    return var


def _line(key: Expr) -> Line | None:
    """Return the one axis that a basic subscript keeps; None where it does not show."""
    parts = _parts(key)
    if parts == (Const(...),):
        return WHOLE
    if any(isinstance(part, Const) and not isinstance(part.value, int) for part in parts):
        return None  # None and ... shift the axes
    kept = next((a for a, part in enumerate(parts) if is_slice(part)), len(parts))
    step: Expr = NONE
    start: list[Expr] = []
    for part in parts:
        lower = part.args[0] if isinstance(part, Op) and part.op == "slice" else part
        start.append(Const(0) if lower == NONE else lower)
    if kept < len(parts):
        step = parts[kept].args[2]  # type: ignore[union-attr]
    else:
        start.append(Const(0))
    return Line(kept, Const(1) if step == NONE else step, tuple(start))


def _parts(key: Expr) -> tuple[Expr, ...]:
    return key.args if isinstance(key, Op) and key.op == "tuple" else (key,)


def _in_order(written: Line | None, read: Line | None) -> bool:
    if written is None or read is None:
        return False
    if (written.axis, written.step) == (read.axis, read.step):
        return True
    if written.axis != read.axis:  # they cross where both begin
        return written.start == read.start and NONE not in written.start
    steps = literal(written.step), literal(read.step)
    # where one goes backwards, NumPy copies first
    return None not in steps and steps[0] * steps[1] < 0  # type: ignore[operator]
