"""Results that are taken apart by position or by name get a name each.

    t = np.linalg.eigh(A)              t%1, t%2 = np.linalg.eigh(A)
    w = t[0] ; V = t.eigenvectors      w = t%1 ; V = t%2

So each has an adjoint of its own; a tuple that is used as a whole stays one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from s2sad.legacy import solvers
from s2sad.legacy.blocks import all_reads, map_blocks, map_everywhere, renamed
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Const,
    Expr,
    Op,
    Program,
    Ref,
    Stmt,
    Var,
    base,
)
from s2sad.legacy.rules import Match, find
from s2sad.legacy.scope import Numbers
from s2sad.legacy.traverse import reads, statements, substitute, transform
from s2sad.source.optional import PREFIX

FIELDS: Mapping[int, tuple[str, ...]] = {
    id(np.linalg.eigh): ("eigenvalues", "eigenvectors"),
    id(np.linalg.eig): ("eigenvalues", "eigenvectors"),
    id(np.linalg.qr): ("Q", "R"),
    id(np.linalg.slogdet): ("sign", "logabsdet"),
    id(np.linalg.svd): ("U", "S", "Vh"),
}
# of functions that have twins, which give tuples of as many
OF_TWINS: Mapping[str, tuple[str, ...]] = {
    f"{PREFIX}stats.pearsonr": ("statistic", "pvalue"),
    f"{PREFIX}stats.linregress": ("slope", "intercept", "rvalue", "pvalue", "stderr"),
}

Ask = Callable[[Expr], Fact]


def apart(program: Program, active: frozenset[Var], numbers: Numbers, fact: Ask) -> Program:
    """Return the program with a name for each of several results that are read one by one."""
    for stmt, count in [*_candidates(program, active, fact), *_quads(program, active)]:
        program = _one_apart(program, stmt, count, numbers)
    return program


def _quads(program: Program, active: frozenset[Var]) -> Iterator[tuple[Assign, int]]:
    for stmt in statements(program.body):
        if isinstance(stmt, Assign) and not stmt.unpack and stmt.target in active:
            if solvers.has_several(stmt.value):
                yield stmt, 2


def _candidates(
    program: Program, active: frozenset[Var], fact: Ask
) -> Iterator[tuple[Assign, int]]:
    for stmt in statements(program.body):
        if not (isinstance(stmt, Assign) and not stmt.unpack and stmt.target in active):
            continue
        if isinstance(stmt.value, Call) and fact(stmt.target).kind in ("tuple", "list", "unknown"):
            if names := _of_a_twin(stmt.value):
                yield stmt, len(names)
                continue
            match_ = find(stmt.value, fact)
            if match_ is None or not match_.several:
                continue
            count = _count(stmt, match_, fact) or _unpacked(program, stmt.target)
            if count:
                yield stmt, count


def _of_a_twin(call: Call) -> tuple[str, ...]:
    return OF_TWINS.get(call.func.text, ()) if isinstance(call.func, Ref) else ()


def _count(stmt: Assign, match_: Match, fact: Ask) -> int:
    """Return how many results there are, 0 where the text does not tell."""
    if fact(stmt.target).kind == "tuple":
        return fact(stmt.target).count
    match match_.bound.get("indices_or_sections"):
        case Const(int() as sections):
            return sections
        case Op("list" | "tuple", places):
            return len(places) + 1
    return 0


def _unpacked(program: Program, whole: Var) -> int:
    """Return into how many names a value is unpacked, 0 if it is not."""
    for stmt in statements(program.body):
        if isinstance(stmt, Assign) and stmt.unpack and stmt.value == whole:
            return len(stmt.targets)
    return 0


def _one_apart(program: Program, stmt: Assign, count: int, numbers: Numbers) -> Program:
    whole = stmt.target
    parts = tuple(numbers.temp(base(whole.slot)) for _ in range(count))
    names = _fields(stmt.value)

    def part(expr: Expr) -> Expr:
        match expr:
            case Op("index", (owner, Const(int() as at))) if (
                owner == whole and -count <= at < count
            ):
                return parts[at]
            case Attr(owner, name) if owner == whole and name in names:
                return parts[names.index(name)]
            case Call(Ref(text), args) if text.startswith(PREFIX) and whole in args:
                # a factor and its like, which its rule takes apart: cho_solve(factor, b)
                shown = tuple(Op("tuple", parts) if arg == whole else arg for arg in args)
                return replace(expr, args=shown)
        return expr

    def unpacked(inner: Stmt) -> Stmt:
        if isinstance(inner, Assign) and inner.targets == (whole,):
            return replace(inner, targets=parts, unpack=True)
        if isinstance(inner, Assign) and inner.unpack and inner.value == whole:
            return replace(inner, value=Op("tuple", parts))
        return map_blocks(inner, over)

    def over(block: Block) -> Block:
        return tuple(map(unpacked, block))

    body = over(map_everywhere(program.body, lambda expr: transform(expr, part)))
    done = _named(replace(program, body=body, result=transform(program.result, part)), parts)
    left = {var for stmt in done.body for var in all_reads(stmt)} | set(reads(done.result))
    return program if whole in left else done


def _named(program: Program, parts: tuple[Var, ...]) -> Program:
    """Give the parts the names that they are handed to at once: `w, V = np.linalg.eigh(A)`."""
    new: dict[Var, Var] = {}

    def over(block: Block) -> Block:
        out: list[Stmt] = []
        for stmt in block:
            names = _handed_on(out[-1], stmt, parts) if out else ()
            new.update(zip(parts, names, strict=False))
            if not names:
                out.append(map_blocks(stmt, over))
        return tuple(out)

    def name(var: Var) -> Var:
        return new.get(var, var)

    body = over(program.body)
    return replace(program, body=renamed(body, name), result=substitute(program.result, name))


def _handed_on(made: Stmt, stmt: Stmt, parts: tuple[Var, ...]) -> tuple[Var, ...]:
    """Return the names that all the parts get right behind the statement that makes them."""
    match made, stmt:
        case Assign(targets=first), Assign(targets=names, value=Op("tuple", items), unpack=True):
            if first == items == parts and len({var.slot for var in names}) == len(parts):
                return names
    return ()


def _fields(value: Expr) -> tuple[str, ...]:
    match value:
        case Call(Ref(_, function)):
            return FIELDS.get(id(function)) or _of_a_twin(value)
    return ()
