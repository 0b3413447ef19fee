"""What two statements of one block compute alike, and not cheaply, is computed once.

x_bar = np.cos(x) * np.cos(x)      ->      cos_x = np.cos(x)
                                           x_bar = cos_x * cos_x

Values are numbered, so equal expressions are equal values. Nothing is kept for longer than it is
read anyway, but from the first statement of the sweep to the last one that computes it.
"""

from __future__ import annotations

import math
from bisect import insort
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from operator import itemgetter
from types import BuiltinFunctionType

import numpy as np

from s2sad.legacy.accumulate import is_derivative
from s2sad.legacy.alike import exactly, is_repeatable
from s2sad.legacy.blocks import all_defines, all_reads, map_blocks, map_expressions, renamed
from s2sad.legacy.filling import literal
from s2sad.legacy.memory import (
    NOTHING,
    Inside,
    Known,
    Old,
    Part,
    Root,
    own_memory,
    spread,
    writes_of,
)
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Expr,
    Op,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    bar,
    base,
    dot,
    is_temp,
)
from s2sad.legacy.scope import Numbers
from s2sad.legacy.storage import roots_of
from s2sad.legacy.tidy import is_pure
from s2sad.legacy.traverse import (
    defines,
    expressions,
    reads,
    statements,
    substitute,
    transform,
    walk,
)

CHEAP = frozenset(
    {np.add, np.subtract, np.multiply, np.divide, np.negative, np.positive, np.abs, np.sign}
    | {np.square, np.conjugate, np.maximum, np.minimum, np.isnan, np.isinf}
)

# what goes through whole arrays, and gives new ones or numbers
THROUGH_ARRAYS = frozenset(
    {np.sum, np.mean, np.prod, np.max, np.min, np.dot, np.outer, np.where, np.roll, np.inner}
    | {np.linalg.norm, np.linalg.inv, np.linalg.det, np.linalg.solve}
)

Key = tuple[int, int]  # a statement of the block, and where it stands among those put before it
LAST = 1 << 30


def computed_once(program: Program, numbers: Numbers, fact: Known) -> Program:
    """Return the program in which no block computes a costly expression twice."""
    made = Counter(var.slot for stmt in program.body for var in all_defines(stmt))
    again = frozenset(slot for slot, times in made.items() if times > 1)
    body, same = _without_twins(program.body, again)
    written = _written(program, fact) if same else frozenset()
    if any(each in written for pair in same.items() for each in pair):
        # two objects: what is written to the one is not seen in the other
        body, same = _without_twins(program.body, again | {var.slot for var in written})
    result = substitute(program.result, lambda var: same.get(var, var))
    return replace(program, body=_shared(body, numbers), result=result)


def _written(program: Program, fact: Known) -> frozenset[Var]:
    """Return the values whose memory is written to under whichever name, as items of lists too."""
    roots = roots_of(program, fact)
    found: set[Root] = set()
    for write in (each for stmt in statements(program.body) for each in writes_of(stmt)):
        mine = roots.get(write.old, NOTHING)
        stored = isinstance(write, Pop) or write.op in ("=", "append", "insert")
        found |= own_memory(mine) if stored else spread(mine)
    return frozenset(var for root in found for var in [_made_by(root)] if var is not None)


def _made_by(root: Root) -> Var | None:
    while isinstance(root, Old | Part | Inside):
        root = root.root
    return root if isinstance(root, Var) else None


def is_costly(expr: Expr) -> bool:
    """Tell whether an expression takes longer than what is done with it: exp, cos, x**3."""
    match expr:
        case Call(Ref(value=np.ufunc(signature=None) as function), args, ()):
            return function not in CHEAP and bool(args) and is_pure(expr)
        case Call(Ref(value=BuiltinFunctionType() as function), args, ()):
            return function.__module__ == math.__name__ and bool(args)
        case Call(Ref(value=function), _, _) if _goes_through_arrays(function):
            return is_pure(expr)
        case Op("@", _):
            return is_pure(expr)
        case Op("==", (left, right)):
            return literal(left) is literal(right) is None and is_pure(expr)
        case Op("**", (_, exponent)):
            return literal(exponent) not in (2, -1, None) and is_pure(expr)
    return False


def _goes_through_arrays(function: object) -> bool:
    return isinstance(function, Hashable) and function in THROUGH_ARRAYS


# ---------------------------------------------------------------- names of one value


def _without_twins(block: Block, written: frozenset[str]) -> tuple[Block, dict[Var, Var]]:
    """Return a block without temporaries that hold what another holds, and which that is."""
    first: dict[Hashable, Var] = {}
    same: dict[Var, Var] = {}
    out: list[Stmt] = []
    for each in block:
        (stmt,) = renamed((each,), lambda var: same.get(var, var))
        target = _pure_temp(stmt, written)
        if target is not None and isinstance(stmt, Assign):
            known = first.setdefault(exactly(stmt.value), target)
            if known != target:
                same[target] = known
                continue
        out.append(map_blocks(stmt, lambda inner: _inside(inner, written, same)))
    return tuple(out), same


def _inside(block: Block, written: frozenset[str], same: dict[Var, Var]) -> Block:
    """Return a block inside another without twins; which they are is told the one around it."""
    body, twins = _without_twins(block, written)
    same.update(twins)
    return body


def _pure_temp(stmt: Stmt, written: frozenset[str]) -> Var | None:
    """Return the temporary that a statement gives a value which could be computed elsewhere."""
    match stmt:
        case Assign((target,), Op() | Call() as value, unpack=False) if is_temp(target.slot):
            return target if target.slot not in written and is_repeatable(value) else None
    return None


# ---------------------------------------------------------------- expressions


class _Places:
    """The statements of a block under keys in their order, and where what stands in them.

    A statement put before that of key (k, LAST) has a key (k, n): none is moved, so that the
    work grows with the length of the block and not with its square.
    """

    def __init__(self, block: list[Stmt]) -> None:
        self.statements: dict[Key, Stmt] = {(k, LAST): stmt for k, stmt in enumerate(block)}
        self.before: Counter[int] = Counter()
        self.costly: dict[Expr, list[Key]] = {}
        self.values: dict[Expr, list[Key]] = {}
        self.readers: dict[Var, list[Key]] = {}
        for key, stmt in self.statements.items():
            for expr in _costly_in(stmt):
                self.costly.setdefault(expr, []).append(key)
            for var in all_reads(stmt):
                self.readers.setdefault(var, []).append(key)
            if isinstance(stmt, Assign) and not stmt.unpack:
                self.values.setdefault(stmt.value, []).append(key)

    def of(self, expr: Expr) -> list[Key]:
        """Return where an expression stands; one inside of another may have gone with it."""
        found = dict.fromkeys(self.costly[expr])
        return [key for key in found for e in _costly_in(self.statements[key]) if e == expr]

    def reads_from(self, first: Key, var: Var) -> bool:
        """Tell whether a value is read at a place or later."""
        later = (key for key in reversed(self.readers.get(var, ())) if key >= first)
        return any(var in all_reads(self.statements[key]) for key in later)

    def put_before(self, key: Key, stmt: Stmt) -> None:
        self.statements[key[0], self.before[key[0]]] = stmt
        self.before[key[0]] += 1


def _shared(block: Block, numbers: Numbers) -> Block:
    out = _Places([map_blocks(stmt, lambda inner: _shared(inner, numbers)) for stmt in block])
    for expr in out.costly:
        places = out.of(expr)
        if places:
            _named(out, places, expr, numbers)
    return tuple(stmt for _, stmt in sorted(out.statements.items(), key=itemgetter(0)))


def _costly_in(stmt: Stmt) -> Iterator[Expr]:
    """Yield the costly expressions of a derivative statement, or of what is computed again.

    What is nothing but such an expression has a name already.
    """
    if not isinstance(stmt, Assign | Update):
        return
    again = any("~back" in var.slot for var in defines(stmt))
    for expr in expressions(stmt) if again or is_derivative(stmt) else ():
        for part in walk(expr):
            if is_costly(part) and not (again and part is stmt.value):
                yield part


def _named(out: _Places, places: list[Key], expr: Expr, numbers: Numbers) -> None:
    """Give an expression that is computed some times a name, and put that in at its places."""
    first = out.statements[places[0]]
    target = first.target if isinstance(first, Assign) else first.new  # type: ignore[union-attr]
    there = _alive(out, places[0], expr)
    if there is None and len(places) == 1:
        return
    held = there or _new_name(target, expr, numbers)
    for at in dict.fromkeys(places):
        out.statements[at] = map_expressions(
            out.statements[at], lambda e: transform(e, lambda part: held if part == expr else part)
        )
        insort(out.readers.setdefault(held, []), at)
    if there is None:
        out.put_before(places[0], Assign((held,), expr, first.span))


def _new_name(target: Var, expr: Expr, numbers: Numbers) -> Var:
    """Return a name for a part of what `target` is given: that of an adjoint or tangent, if it reads one."""
    made = numbers.temp(base(target.slot))
    read = [var.slot for var in reads(expr)]
    for kind in (bar, dot):
        if any(kind("") in slot for slot in read):
            return numbers.next(kind(made.slot))
    return made


def _alive(out: _Places, first: Key, expr: Expr) -> Var | None:
    """Return a value that is the expression and is read at its first place, or later.

    What a pass of the reverse sweep computes again for itself may as well be read there once more.
    """
    for key in out.values.get(expr, ()):
        match out.statements[key]:
            case Assign((target,), value) if key < first and value == expr:
                if "~back" in target.slot or out.reads_from(first, target):
                    return target
    return None
