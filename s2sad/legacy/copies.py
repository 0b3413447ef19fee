"""Names that hold nothing of their own disappear.

u_bar@2 = u_bar@1                       (gone: u_bar@1 is there under this name)

t = y_bar                               c_bar += y_bar
y_bar = t * x                 ->        x_bar += y_bar * y
x_bar += t * y                          y_bar = y_bar * x

loss_bar = 1.0                          for r in reversed(r_saved):
for r in reversed(r_saved):   ->            r_bar = 2.0 * r
    r_bar = 2.0 * r * loss_bar
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from s2sad.legacy.accumulate import is_derivative
from s2sad.legacy.blocks import (
    all_defines,
    all_reads,
    map_blocks,
    pinned,
    put_in,
    renamed,
    without,
)
from s2sad.legacy.numerals import value_of
from s2sad.legacy.program import (
    Assign,
    Block,
    Const,
    Expr,
    If,
    Loop,
    Opaque,
    Program,
    Stmt,
    Update,
    Var,
    is_temp,
)
from s2sad.legacy.tidy import settled
from s2sad.legacy.traverse import defines, expressions, reads, statements, substitute, walk

WINDOW = 8


def without_idle_copies(program: Program) -> Program:
    """Return the program without assignments of a value to the name that it has."""
    same = {
        stmt.target: stmt.value
        for stmt in statements(program.body)
        if isinstance(stmt, Assign) and not stmt.unpack and isinstance(stmt.value, Var)
        if stmt.target.slot == stmt.value.slot
    }
    if not same:
        return program

    def first(var: Var) -> Var:
        while var in same:
            var = same[var]
        return var

    body = renamed(without(program.body, same), first)
    return replace(program, body=body, result=substitute(program.result, first))


def without_handed_copies(program: Program) -> Program:
    """Return a primal in which what is handed to a function lowered into it keeps its name.

    t = x                              y = a * np.sin(x)
    y = a * np.sin(t)        ->

    That is so where neither name is ever given another value.
    """
    made = Counter(param.var.slot for param in program.params)
    made.update(var.slot for stmt in program.body for var in all_defines(stmt))
    same: dict[Var, Var] = {}
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Var() as value, unpack=False):
                handed = "&" in target.slot and not is_temp(value.slot)
                if handed and made[target.slot] == made[value.slot] == 1:
                    same[target] = same.get(value, value)
    if not same:
        return program

    def first(var: Var) -> Var:
        return same.get(var, var)

    body = renamed(without(program.body, same), first)
    return replace(program, body=body, result=substitute(program.result, first))


# ---------------------------------------------------------------- adjoints that are a number


def spelled_out(sweep: Program) -> Program:
    """Return a sweep in which an adjoint that stays the number it is first is that number."""
    sweep = settled(without_idle_copies(sweep))
    named: dict[Var, Expr] = {}
    kept = {*pinned(sweep.body), *reads(sweep.result), *_copied_with(sweep.body)}
    for stmt in statements(sweep.body):
        if isinstance(stmt, Assign) and is_derivative(stmt) and stmt.target not in kept:
            value = named.get(stmt.value, stmt.value) if isinstance(stmt.value, Var) else stmt.value
            if _is_seed(value) and not stmt.unpack:
                named[stmt.target] = value
    return replace(sweep, body=put_in(sweep.body, named)) if named else sweep


def constants_put_in(program: Program) -> Program:
    """Return the program in which 2 * np.pi is written where it is meant, and has no name."""
    kept = {*pinned(program.body), *reads(program.result), *_copied_with(program.body)}
    same: dict[Var, Expr] = {}
    for stmt in statements(program.body):
        if isinstance(stmt, Assign) and not stmt.unpack and is_temp(stmt.target.slot):
            plain = not is_derivative(stmt) and stmt.target not in kept
            value = substitute(stmt.value, lambda var: same.get(var, var))
            if plain and _is_constant(value):
                same[stmt.target] = value
    return replace(program, body=put_in(without(program.body, same), same)) if same else program


def _is_constant(value: Expr) -> bool:
    """Tell whether a value is made of a few literals and np.pi."""
    return value_of(value) is not None and len([*walk(value)]) <= 6


def _is_seed(value: Expr) -> bool:
    # zeros stay: what nothing was contributed to has a name
    return isinstance(value, Const) and isinstance(value.value, float) and value.value != 0.0


def _copied_with(block: Block) -> Iterator[Var]:
    """Yield the values that syntax which is copied as it stands reads by their names."""
    for stmt in statements(block):
        for expr in expressions(stmt):
            copied = (part for part in walk(expr) if isinstance(part, Opaque))
            yield from (var for part in copied for var in reads(part))


# ---------------------------------------------------------------- copies of what is written next


def postponed(program: Program) -> Program:
    """Return the program in which an adjoint is rewritten after the uses of its copy."""
    uses: Counter[Var] = Counter(reads(program.result))
    for stmt in program.body:
        uses.update(all_reads(stmt))
    return replace(program, body=_postponed(program.body, uses))


def _postponed(block: Block, uses: Counter[Var]) -> Block:
    out = [map_blocks(stmt, lambda inner: _postponed(inner, uses)) for stmt in block]
    for place in range(len(out) - 3, -1, -1):
        stmt = out[place]
        if not isinstance(stmt, Assign) or stmt.unpack or not is_derivative(stmt):
            continue
        if isinstance(stmt.value, Var) and stmt.target.slot != stmt.value.slot:
            _postpone(out, place, stmt.target, stmt.value.slot, uses)
    return tuple(out)


def _postpone(out: list[Stmt], place: int, copy: Var, slot: str, uses: Counter[Var]) -> None:
    """Move the statement that rewrites `slot` behind the last use of its `copy`."""
    written, last, seen = None, None, 0
    for number in range(place + 1, min(len(out), place + WINDOW)):
        stmt = out[number]
        if isinstance(stmt, If | Loop):
            return
        if any(var.slot == slot for var in defines(stmt)):
            if written is not None or last == number:
                return
            written = number
        seen += sum(var == copy for var in all_reads(stmt))
        if seen == uses[copy]:
            last = number
            break
    if written is None or last is None or last <= written:
        return
    if _may_move(out[written], out[written + 1 : last + 1]):
        out.insert(last, out.pop(written))


def _may_move(stmt: Stmt, behind: list[Stmt]) -> bool:
    """Tell whether a statement gives the same after others, and they the same before it."""
    if not isinstance(stmt, Assign | Update) or not is_derivative(stmt):
        return False
    mine = {var.slot for var in defines(stmt)}
    read = {var.slot for expr in expressions(stmt) for var in reads(expr)}
    for other in behind:
        if not isinstance(other, Assign | Update) or not is_derivative(other):
            return False
        made = {var.slot for var in defines(other)}
        used = {var.slot for expr in expressions(other) for var in reads(expr)}
        if made & (mine | read) or used & mine:
            return False
    return True
