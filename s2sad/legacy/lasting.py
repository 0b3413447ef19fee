"""Elements that no later pass of a loop writes again are read where they are: nothing is saved.

for i in range(1, n):                      for i in reversed(range(1, n)):
    y[i] = a * y[i - 1] + x[i]     ->          a_bar += y_bar[i] * y[i - 1]

What is read of `y` at the start of pass i is y[i - 1]; this pass and those after it write y[i] and
what comes after that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from s2sad.legacy.filling import literal
from s2sad.legacy.homes import Home, Path
from s2sad.legacy.memory import Roots, writes_of, written_memory
from s2sad.legacy.program import (
    Block,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Pop,
    Program,
    Ref,
    Update,
    Var,
)
from s2sad.legacy.traverse import expressions, statements, value_reads, walk

# which axis a subscript counts along the passes, and how far from the loop's target
Ways = Mapping[int, int]


@dataclass(frozen=True)
class Passes:
    """A loop over a range: its target, the way it goes (1 or -1), and the target's least value."""

    target: Var
    way: int
    lowest: int


def lasting(
    program: Program, sweep: Block, roots: Roots, homes: Mapping[Var, Home], var: Var
) -> Var | None:
    """Return the value that still has, at the end, all that is read of `var`; None if unsure."""
    home = homes[var]
    outer = _outermost(home)
    passes = _passes(program, outer)
    held = roots.get(var, frozenset())
    last = _last(homes, roots, var)
    if passes is None or last is None or len(held) != 1:
        return None
    (made,) = held
    if not isinstance(made, Var) or made not in homes or homes[made].path:
        return None
    read = [_ways(key, passes) for key in _keys_read(program, sweep, var)]
    for write, at in _writes(program, roots, homes, var):
        if at is None or not _leaves_alone(write, var, read, passes, at, home):
            return None
    return last if read else None


def _outermost(home: Home) -> Path:
    """Return the path of the outermost loop around a definition; empty if there is none."""
    for count, (kind, _) in enumerate(home.path, 1):
        if kind == "loop":
            return home.path[:count]
    return ()


def _last(homes: Mapping[Var, Home], roots: Roots, var: Var) -> Var | None:
    """Return the last value of the same name, if that is the same array all the way."""
    later = {v: home for v, home in homes.items() if v.slot == var.slot}
    last = max(later, key=lambda v: homes[v].order)
    same = all(roots.get(v) == roots.get(var) for v in later)
    # a name that is given to several parts of the memory holds another in each pass
    given = [home for home in later.values() if not _hands_on(home)]
    once = len(given) == 1 and not given[0].path
    return last if same and once and not homes[last].path else None


def _hands_on(home: Home) -> bool:
    """Tell whether a value is the array that its name held before, written to or not."""
    return home.kind != "target" and isinstance(home.stmt, Update | If | Loop)


def _writes(
    program: Program, roots: Roots, homes: Mapping[Var, Home], var: Var
) -> Iterator[tuple[Update | Pop, Home | None]]:
    """Yield every write to the memory of a value, and where it stands."""
    memory = roots.get(var, frozenset())
    for stmt in statements(program.body):
        for write in writes_of(stmt):
            if written_memory(write, roots) & memory:
                yield write, homes.get(write.new)


def _leaves_alone(
    write: Update | Pop, var: Var, read: list[Ways], passes: Passes, at: Home, home: Home
) -> bool:
    """Tell whether a write, in this pass and later ones, spares what is read of a value."""
    outer = _outermost(home)
    if at.path[: len(outer)] != outer:
        return at.order < home.order  # it has run before the loop
    if not isinstance(write, Update) or write.index is None or write.old.slot != var.slot:
        return False
    # what stands before the value in one pass runs behind it only in the passes that follow
    once = len(at.loops) == 1 or len(home.loops) == 1 or at.loops[1] != home.loops[1]
    spare = 0 if once and at.order <= home.order else 1
    written = _ways(write.index, passes)
    return all(
        any(passes.way * (written[axis] - ways[axis]) >= spare for axis in ways.keys() & written)
        for ways in read
    )


def _keys_read(program: Program, sweep: Block, var: Var) -> Iterator[Expr]:
    """Yield the subscripts under which a value is read; None, as a key, where it is read whole."""
    for block in (program.body, sweep):
        for stmt in statements(block):
            # what a write goes to is not read by it
            for expr in expressions(stmt)[isinstance(stmt, Update) :]:
                times = sum(each == var for each in value_reads(expr))
                keys = [
                    part.args[1]
                    for part in walk(expr)
                    if isinstance(part, Op) and part.op == "index" and part.args[0] == var
                ]
                if times:
                    yield from keys if len(keys) >= times else [Const(None)]


# ---------------------------------------------------------------- loops and subscripts


def _passes(program: Program, outer: Path) -> Passes | None:
    if not outer:
        return None
    for stmt in statements(program.body):
        if isinstance(stmt, Loop) and stmt.key == outer[-1][1] and isinstance(stmt.targets, Var):
            found = _range(stmt.iterable)
            return None if found is None else Passes(stmt.targets, *found)
    return None


def _range(iterable: Expr | None) -> tuple[int, int] | None:
    """Return which way a range goes and its least number, if that is not negative."""
    match iterable:
        case Call(Ref("reversed"), (inner,), ()):
            found = _range(inner)
            return None if found is None else (-found[0], found[1])
        case Call(Ref("range"), (_,), ()):
            return 1, 0
        case Call(Ref("range"), (first, second, *rest), ()):
            step = literal(rest[0]) if rest else 1
            if not isinstance(step, int) or step == 0:
                return None
            edge = literal(first) if step > 0 else literal(second)
            if not isinstance(edge, int):
                return None
            lowest = edge if step > 0 else edge + 1
            return (1 if step > 0 else -1, lowest) if lowest >= 0 else None
    return None


def _ways(key: Expr, passes: Passes) -> Ways:
    """Return which axes a subscript counts along the passes of a loop, and how far ahead."""
    found: dict[int, int] = {}
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    for axis, part in enumerate(parts):
        counted = affine(part)
        if counted is not None and counted[0] == passes.target:
            if passes.lowest + counted[1] >= 0:
                found[axis] = counted[1]
        elif not isinstance(part, Op) or part.op != "slice":
            break  # it may take more than one axis, or none
    return found


def affine(key: Expr) -> tuple[Var | None, int] | None:
    """Return a subscript as a name plus a constant."""
    match key:
        case Const(int() as value) if not isinstance(value, bool):
            return None, value
        case Op("u-", (Const(int() as value),)) if not isinstance(value, bool):
            return None, -value
        case Var():
            return key, 0
        case Op("+", (Var() as var, Const(int() as value))):
            return var, value
        case Op("-", (Var() as var, Const(int() as value))):
            return var, -value
    return None
