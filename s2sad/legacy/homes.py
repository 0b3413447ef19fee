"""Where each value of the forward sweep is made, and whether it is still there at the end.

A home is the path of keys of the branches and loops around a definition. The reverse sweep has a
block of the same path, its mirror, and there the value has to be had again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeGuard

from s2sad.legacy.memory import Inside, Old, Root, Roots, changed_by, writes_of, written_memory
from s2sad.legacy.program import Assign, Block, If, Loop, Op, Pop, Program, Stmt, Update, Var
from s2sad.legacy.traverse import defines, flat_targets

# ("loop", key), ("then", key) or ("else", key)
Step = tuple[str, int]
Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """Where a value is made: `order` counts definitions, `stmt` is None for parameters, for
    loop targets, and for the values at the head of a loop (`kind` tells which)."""

    path: Path
    order: int
    kind: str
    stmt: Stmt | None

    @property
    def loops(self) -> Path:
        """Return the loops around the definition."""
        return tuple(step for step in self.path if step[0] == "loop")


def homes(program: Program) -> dict[Var, Home]:
    """Return the home of every value of the forward sweep."""
    found: dict[Var, Home] = {}

    def add(var: Var, path: Path, kind: str, stmt: Stmt | None) -> None:
        found[var] = Home(path, len(found), kind, stmt)

    def visit(block: Block, path: Path) -> None:
        for stmt in block:
            if isinstance(stmt, If):
                visit(stmt.then, (*path, ("then", stmt.key)))
                visit(stmt.orelse, (*path, ("else", stmt.key)))
                for merge in stmt.merges:
                    add(merge.out, path, "merge", stmt)
            elif isinstance(stmt, Loop):
                inside = (*path, ("loop", stmt.key))
                for each in stmt.carried:
                    add(each.head, inside, "head", stmt)
                for target in flat_targets(stmt.targets):
                    add(target, inside, "target", stmt)
                visit(stmt.body, inside)
                for each in stmt.carried:
                    add(each.exit, path, "exit", stmt)
            else:
                for var in defines(stmt):
                    add(var, path, "plain", stmt)

    for param in program.params:
        add(param.var, (), "param", None)
    visit(program.body, ())
    return found


def order_made(program: Program) -> dict[Var, int]:
    """Return the order in which the text makes its values.

    What only one side of a branch makes counts as live before that branch: it is not there yet.
    """
    return {var: home.order for var, home in homes(program).items()}


# ---------------------------------------------------------------- what is still there


def slot_writes(program: Program) -> dict[str, list[tuple[int, Path]]]:
    """Return for each slot the places at which it is given a value, in order of the text.

    Places are numbered as in `homes`; a branch's merge and a loop's exit give no new value.
    """
    return _writes(homes(program), lambda home: True)


def shape_writes(program: Program, roots: Roots) -> dict[str, list[tuple[int, Path]]]:
    """Return for each slot the places at which it may get another shape: not those of elements."""
    return _writes(homes(program), lambda home: not _writes_element(home.stmt, roots))


def _writes_element(stmt: Stmt | None, roots: Roots) -> bool:
    in_part = isinstance(stmt, Update) and stmt.index is not None
    return in_part and not _changes_length(stmt, roots)


def _writes(
    places: dict[Var, Home], counts: Callable[[Home], bool]
) -> dict[str, list[tuple[int, Path]]]:
    writes: dict[str, list[tuple[int, Path]]] = {}
    for var, home in places.items():
        if home.kind not in ("merge", "exit", "head") and counts(home):
            writes.setdefault(var.slot, []).append((home.order, home.path))
    return writes


def memory_writes(program: Program, roots: Roots) -> dict[Root, list[int]]:
    """Return for each root the places at which memory of it is written.

    Where that is memory of an earlier pass, the place is also among those of `Old(root)`.
    """
    places = homes(program)
    found: dict[Root, list[int]] = {}
    for var, home in places.items():
        for write in () if home.stmt is None else writes_of(home.stmt):
            if write.new == var:
                for root in written_memory(write, roots):
                    found.setdefault(plain(root), []).append(home.order)
                    if isinstance(root, Old):
                        found.setdefault(root, []).append(home.order)
    return found


def length_writes(program: Program, roots: Roots) -> dict[Root, list[int]]:
    """Return where memory gets another length where it stands: lists that grow or shrink."""
    found: dict[Root, list[int]] = {}
    for var, home in homes(program).items():
        stmt = home.stmt
        if stmt is None or isinstance(stmt, If | Loop):
            continue
        for write in [stmt] if _changes_length(stmt, roots) else changed_by(stmt):
            if write.new == var:
                for root in written_memory(write, roots):
                    found.setdefault(plain(root), []).append(home.order)
    return found


def _changes_length(stmt: Stmt | None, roots: Roots) -> TypeGuard[Update | Pop]:
    if not isinstance(stmt, Update):
        return isinstance(stmt, Pop)
    sliced = isinstance(stmt.index, Op) and stmt.index.op == "slice"
    of_list = roots.fact(stmt.old).kind == "list" or (
        isinstance(stmt.value, Op) and stmt.value.op == "list" and stmt.index is None
    )
    return stmt.op in ("append", "insert") or (of_list and (stmt.index is None or sliced))


def plain(root: Root) -> Root:
    """Return the definition behind a root, whatever the pass."""
    if isinstance(root, Inside):
        root = root.root
    return root.root if isinstance(root, Old) else root


def in_other_branch(a: Path, b: Path) -> bool:
    """Tell whether two places exclude each other: the two sides of one branch."""
    for (kind_a, key_a), (kind_b, key_b) in zip(a, b, strict=False):
        if key_a == key_b and kind_a != kind_b:
            return "loop" not in (s[0] for s in a[: _common(a, b)])
        if (kind_a, key_a) != (kind_b, key_b):
            return False
    return False


def _common(a: Path, b: Path) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def definitions(block: Block) -> Iterator[Assign]:
    """Yield every assignment of a block and of its inner blocks."""
    for stmt in block:
        if isinstance(stmt, Assign):
            yield stmt
        elif isinstance(stmt, If):
            yield from definitions(stmt.then)
            yield from definitions(stmt.orelse)
        elif isinstance(stmt, Loop):
            yield from definitions(stmt.body)
