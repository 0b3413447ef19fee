"""Lists that grow under another name than the one their length is asked of.

q = b[1]                q = b[1]
s = len(q) * x          n = len(q)        asked once, where it stands
b[1].append(3.0)        s = n * x
                        b[1].append(3.0)

Where len(q) is asked after that, q has no other value that would tell: it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from s2sad.ir.errors import AliasError, S2sadError, gather
from s2sad.legacy.blocks import map_blocks, map_expressions
from s2sad.legacy.facts import Facts
from s2sad.legacy.liveness import needed_values, walk_live
from s2sad.legacy.memory import (
    HOLDERS,
    NOTHING,
    Known,
    Roots,
    own_memory,
    spread,
    writes_of,
    writes_to_items,
)
from s2sad.legacy.program import (
    Assign,
    Block,
    Break,
    Call,
    Effect,
    Expr,
    Loop,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.scope import Numbers
from s2sad.legacy.storage import roots_of
from s2sad.legacy.traverse import defines, statements, transform, walk

GROWING = ("append", "insert")


def with_lengths_named(
    program: Program, active: frozenset[Var], facts: Facts, numbers: Numbers
) -> Program:
    """Name the lengths that what is active reads, of lists that grow unseen afterwards."""
    lengths = partial(_lengths, facts.of)
    asked = needed_values(program, lengths)
    grown = _grown(program, asked, facts) if asked else {}
    if not grown:
        return program
    naming = _Naming(frozenset(grown), active, numbers)
    body = naming.block(program.body)
    unsure = (var for var in naming.named if facts.of(var).kind != "list")
    found = [*((grown[var], var) for var in unsure), *_asked_again(program, asked, facts)]
    if found:
        raise gather([_refusal(write, var) for write, var in found])
    return replace(program, body=body)


def _lengths(fact: Known, expr: Expr) -> Iterator[Var]:
    """Yield the lists of which an expression reads the length."""
    for part in walk(expr):
        match part:
            case Call(Ref("len"), (Var() as var,)) if not fact(var).is_array:
                yield var


def _grown(program: Program, asked: frozenset[Var], facts: Facts) -> dict[Var, Update | Pop]:
    """Return those of the lists that grow where their names do not say so, with such a write."""
    roots = roots_of(program, facts.of)
    writes = [
        write
        for stmt in statements(program.body)
        for write in writes_of(stmt)
        if _grows(stmt, write, facts)
    ]
    return {var: write for write in writes for var in asked if _meet(write, var, roots)}


def joined_unseen(program: Program, facts: Facts) -> list[S2sadError]:
    """Return a refusal for each `s |= t` after which the length is asked of another name of s.

    It has to be seen before dead code goes: nothing may read what s holds then.
    """
    if not any(_is_joining(stmt, facts) for stmt in statements(program.body)):
        return []
    asked = needed_values(program, partial(_lengths, facts.of))
    found = _asked_again(program, asked, facts)
    return [_refusal(write, var) for write, var in found if _is_joining(write, facts)]


def _is_joining(stmt: Stmt, facts: Facts) -> bool:
    return isinstance(stmt, Update) and _joins(stmt, facts)


def _asked_again(
    program: Program, asked: frozenset[Var], facts: Facts
) -> list[tuple[Update | Pop, Var]]:
    """Return the writes after which a length is read that they have changed unseen."""
    lengths, roots = partial(_lengths, facts.of), roots_of(program, facts.of)
    found: list[tuple[Update | Pop, Var]] = []

    def visit(stmt: Stmt, live: frozenset[Var]) -> None:
        for write in writes_of(stmt):
            if _grows(stmt, write, facts):
                found.extend((write, var) for var in live & asked if _meet(write, var, roots))

    walk_live(program.body, frozenset(lengths(program.result)), visit, lengths)
    return found


def _grows(stmt: Stmt, write: Update | Pop, facts: Facts) -> bool:
    if isinstance(stmt, Effect | Pop):
        return True
    return isinstance(write, Update) and (write.op in GROWING or _joins(write, facts))


def _joins(write: Update, facts: Facts) -> bool:
    """Tell whether `s |= t` may make a list, set or the like longer or shorter where it stands."""
    old, value = facts.of(write.old), facts.expr(write.value)
    if write.index is not None or write.op == "=" or old.is_array or old.is_scalar:
        return False
    if old.kind == "tuple":
        return False  # the name is given another
    return old.kind in HOLDERS or not (value.is_array or value.is_scalar)


def _meet(write: Update | Pop, var: Var, roots: Roots) -> bool:
    if write.old.slot == var.slot:
        return False
    held = roots.get(write.old, NOTHING)
    copied = writes_to_items(write, roots.fact)
    changed = spread(held) if copied else own_memory(held)
    return bool(changed & own_memory(roots.get(var, NOTHING)))


@dataclass(frozen=True, slots=True)
class _Naming:
    """Gives names to the lengths of `grown` lists where what is `active` reads them."""

    grown: frozenset[Var]
    active: frozenset[Var]
    numbers: Numbers
    named: set[Var] = field(default_factory=set)

    def block(self, block: Block) -> Block:
        """Return a block in which the lengths stand before the statements that read them."""
        return tuple(each for stmt in block for each in self.statement(stmt))

    def statement(self, stmt: Stmt) -> Block:
        """Return a statement with the names that it reads before it."""
        stmt = map_blocks(stmt, self.block)
        tested = isinstance(stmt, Loop) and stmt.iterable is None  # not asked again in reverse
        if tested or isinstance(stmt, Break) or self.active.isdisjoint(defines(stmt)):
            return (stmt,)
        names: dict[Call, Var] = {}
        read = map_expressions(stmt, lambda expr: transform(expr, partial(self.part, names)))
        made = (Assign((name,), call, stmt.span) for call, name in names.items())
        return (*made, read)

    def part(self, names: dict[Call, Var], part: Expr) -> Expr:
        """Return the name of a length, anything else as it is."""
        match part:
            case Call(Ref("len"), (Var() as var,)) if var in self.grown:
                self.named.add(var)
                return names.setdefault(part, self.numbers.temp("n"))
        return part


def _refusal(write: Update | Pop, var: Var) -> AliasError:
    written, seen = base(write.old.slot), base(var.slot)
    if is_temp(var.slot):
        problem = f"{written} is written in place while a part of it is still read"
    else:
        problem = f"{written} and {seen} may be one array, and {written} grows here"
    hint = "Its length is asked for after that: ask the list under the name by which it grows."
    return AliasError(problem, write.span, hint)
