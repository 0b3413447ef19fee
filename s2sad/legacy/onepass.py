"""Iterators are gone through once: where the text asks one twice, the sweeps would see other items.

it = zip(u, v)
for a, b in it:             the second loop goes on where the first one ended; a derivative, which
    if a > b: break         makes a list of what a loop goes through, would not
for a, b in it: ...
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import gast

from s2sad.ir.errors import S2sadError, Unsupported, gather
from s2sad.legacy.blocks import all_defines
from s2sad.legacy.facts import Fact
from s2sad.legacy.generators import is_generator
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Program,
    Ref,
    Stmt,
    Var,
    base,
)
from s2sad.legacy.traverse import expressions, statements, walk

ONE_PASS = (iter, zip, enumerate, map, filter, reversed)
ASKING = frozenset({"is", "is_not", "not"})


def refuse_second_passes(program: Program, fact: Callable[[Var], Fact]) -> None:
    """Raise where an iterator is asked in two places, or in a loop that it was made before."""
    given = {param.var for param in program.params if _is_iterator(fact(param.var))}
    held = _iterators(program, given)
    if not held:
        return
    seen: Counter[Var] = Counter()
    problems: list[S2sadError] = []
    for stmt, inside in _with_loops(program.body, frozenset()):
        for var in _asked(stmt) & held:
            seen[var] += 1
            if seen[var] == 2 or (seen[var] == 1 and var in inside):
                problems.append(_refusal(var, stmt))
    if problems:
        raise gather(problems)


def _refusal(var: Var, stmt: Stmt) -> S2sadError:
    return Unsupported(
        f"{base(var.slot)} is an iterator, and is gone through here and elsewhere",
        stmt.span,
        f"Make a list of it: {base(var.slot)} = list(...), and take the items by their positions.",
    )


def _with_loops(block: Block, outer: frozenset[Var]) -> Iterator[tuple[Stmt, frozenset[Var]]]:
    """Yield each statement with the values that were there before a loop around it began."""
    known: set[Var] = set()
    for stmt in block:
        yield stmt, outer
        if isinstance(stmt, Loop):
            yield from _with_loops(stmt.body, outer | known)
        elif isinstance(stmt, If):
            for side in (stmt.then, stmt.orelse):
                yield from _with_loops(side, outer)
        known.update(all_defines(stmt))


def _asked(stmt: Stmt) -> set[Var]:
    """Return the values that a statement may take items of, but for what is copied and says so."""
    if isinstance(stmt, If):
        return set(_parts(stmt.test))
    if isinstance(stmt, Loop):
        return {var for expr in (stmt.iterable, stmt.test) if expr for var in _parts(expr)}
    return {var for expr in expressions(stmt) for var in _parts(expr)}


def _parts(expr: Expr) -> Iterator[Var]:
    if isinstance(expr, Op) and expr.op in ASKING:
        return
    yield from (part for part in walk(expr) if isinstance(part, Var))


# ---------------------------------------------------------------------------- what is one


def _is_iterator(fact: Fact) -> bool:
    return hasattr(fact.made_of, "__next__")


def _iterators(program: Program, given: set[Var]) -> frozenset[Var]:
    """Return the values that are iterators, whatever name they go on to."""
    found = set(given)
    size = -1
    while size < len(found):
        size = len(found)
        for stmt in statements(program.body):
            match stmt:
                case Assign(targets, Op("tuple", parts), unpack=True):
                    pairs = zip(targets, parts, strict=False)
                    found.update(new for new, part in pairs if _makes(part) or part in found)
                case Assign((target,), value) if _makes(value) or value in found:
                    found.add(target)
                case Effect(Opaque(reads=reads, writes=writes)):
                    held = {name for name, var in reads if var in found}
                    found.update(new for name, new in writes if name in held)
                case If(merges=merges):
                    found.update(m.out for m in merges if m.then in found or m.orelse in found)
                case Loop(carried=carried):
                    ways = [each for each in carried if each.init in found or each.end in found]
                    found.update(var for each in ways for var in (each.head, each.exit))
    return frozenset(found)


def _makes(value: Any) -> bool:
    match value:
        case Opaque(gast.GeneratorExp()):
            return True
        case Call(Ref(_, function)):
            known = isinstance(function, type) and function.__module__ == itertools.__name__
            return known or is_generator(function) or any(function is each for each in ONE_PASS)
    return False
