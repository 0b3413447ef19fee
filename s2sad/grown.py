"""Lists that grow under another name after their length was computed with.

q = b[1]
s = len(q) * x          the reverse sweep reads the length again
b[1].append(3.0)        ... when it is another one
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.errors import AliasError, gather
from s2sad.facts import Facts
from s2sad.memory import NOTHING, UNSEEN, Roots, own_memory, spread, writes_of
from s2sad.program import Assign, Call, Effect, Pop, Program, Ref, Stmt, Update, Var, base, is_temp
from s2sad.storage import roots_of
from s2sad.traverse import defines, expressions, statements, walk

GROWING = ("append", "insert")


def refuse_grown(program: Program, active: frozenset[Var], facts: Facts) -> None:
    """Raise where what is differentiated reads the length of a list that grows unseen."""
    asked = set(_lengths(program, active, facts))
    writes = list(_growing(program)) if asked else []
    if not writes:
        return
    roots = roots_of(program, facts.of)
    # an echo says the write under the name of the list, whose value is another one then
    echoed = {
        each.slot
        for stmt in statements(program.body)
        if isinstance(stmt, Assign | Update) and stmt.echo
        for each in defines(stmt)
    }
    pairs = [(write, var) for write in writes for var in asked if var.slot not in echoed]
    problems = [_refusal(write, var) for write, var in pairs if _meet(write, var, roots)]
    if problems:
        raise gather(problems)


def _lengths(program: Program, active: frozenset[Var], facts: Facts) -> Iterator[Var]:
    """Yield the lists of which something active reads the length."""
    for stmt in statements(program.body):
        if any(var in active for var in defines(stmt)):
            for part in (part for expr in expressions(stmt) for part in walk(expr)):
                match part:
                    case Call(Ref("len"), (Var() as var,)) if not facts.of(var).is_array:
                        yield var


def _growing(program: Program) -> Iterator[Update | Pop]:
    for stmt in statements(program.body):
        for write in writes_of(stmt):
            if _grows(stmt, write):
                yield write


def _grows(stmt: Stmt, write: Update | Pop) -> bool:
    return isinstance(stmt, Effect | Pop) or (isinstance(write, Update) and write.op in GROWING)


def _meet(write: Update | Pop, var: Var, roots: Roots) -> bool:
    if write.old.slot == var.slot:
        return False
    held = roots.get(write.old, NOTHING)
    copied = isinstance(write, Update) and write.op == UNSEEN  # it may be what the list holds
    changed = spread(held) if copied else own_memory(held)
    return bool(changed & own_memory(roots.get(var, NOTHING)))


def _refusal(write: Update | Pop, var: Var) -> AliasError:
    written, seen = base(write.old.slot), base(var.slot)
    if is_temp(var.slot):
        problem = f"{written} is written in place while a part of it is still read"
    else:
        problem = f"{written} and {seen} may be one array, and {written} grows here"
    hint = "Its length was computed with: give that a name where it is asked for, n = len(...)."
    return AliasError(problem, write.span, hint)
