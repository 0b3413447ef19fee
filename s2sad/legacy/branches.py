"""Branches become as short as they can: one expression, or no statement that adds a zero.

if c:                              if c:
    a_bar = 0.0                        pass
else:                     ->       else:
    a_bar = y_bar                      a_bar = y_bar
r_bar += s * a_bar                     r_bar += s * a_bar

if c: t = a                        t = a if c else b
else: t = b
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from s2sad.legacy.blocks import all_defines, all_reads, map_blocks
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Const,
    Expr,
    If,
    Merge,
    Op,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    is_temp,
)
from s2sad.legacy.traverse import reads, substitute, walk

LARGEST = 24
FOLLOWING = 4


@dataclass
class Counts:
    """How often each value is read, and the last version of each slot."""

    uses: Counter[Var]
    versions: Counter[str]

    def fresh(self, slot: str) -> Var:
        """Return a new value of a slot."""
        self.versions[slot] += 1
        return Var(slot, self.versions[slot])


def _counts(program: Program) -> Counts:
    counts = Counts(Counter(reads(program.result)), Counter())
    variables = [param.var for param in program.params]
    for stmt in program.body:
        counts.uses.update(all_reads(stmt))
        variables += all_defines(stmt)
    for var in variables:
        counts.versions[var.slot] = max(counts.versions[var.slot], var.version)
    return counts


# ---------------------------------------------------------------- zeros on one side


def sunk(program: Program) -> Program:
    """Return the program in which what adds nothing after one side of a branch is in the other."""
    counts = _counts(program)
    return replace(program, body=_sunk(program.body, counts))


def _sunk(block: Block, counts: Counts) -> Block:
    out = [map_blocks(stmt, lambda inner: _sunk(inner, counts)) for stmt in block]
    for place in range(len(out) - 2, -1, -1):
        branch = out[place]
        if isinstance(branch, If):
            for merge in branch.merges:
                done = _sink_one(out, place, merge, counts)
                if done:
                    break
    return tuple(out)


def _sink_one(out: list[Stmt], place: int, merge: Merge, counts: Counts) -> bool:
    """Sink the contributions made of one merged adjoint; tell whether it was done."""
    branch = out[place]
    assert isinstance(branch, If)
    zero_then = _is_zero_in(branch.then, merge.then)
    if "~bar" not in merge.out.slot or zero_then == _is_zero_in(branch.orelse, merge.orelse):
        return False
    users = _users(out, place, merge.out, counts)
    if users is None:
        return False
    here = {m.out: (m.orelse if zero_then else m.then) for m in branch.merges}
    merges = {m.out: m for m in branch.merges if m.out != merge.out}
    more = tuple(_inside(stmt, here, merges, counts, zero_then) for stmt in users)
    if zero_then:
        branch = replace(branch, orelse=(*branch.orelse, *more))
    else:
        branch = replace(branch, then=(*branch.then, *more))
    out[place : place + 1 + len(users)] = [replace(branch, merges=tuple(merges.values()))]
    return True


def _is_zero_in(block: Block, var: Var | None) -> bool:
    """Tell whether `var` is a zero that this side of the branch made."""
    for stmt in block:
        if isinstance(stmt, Assign) and stmt.targets == (var,):
            match stmt.value:
                case Const(0.0) | Call(Ref("np.zeros_like")):
                    return True
    return False


def _users(out: list[Stmt], place: int, var: Var, counts: Counts) -> list[Update] | None:
    """Return the statements behind the branch that hold all uses of `var`, if all may move."""
    found: list[Update] = []
    for stmt in out[place + 1 : place + 1 + FOLLOWING]:
        if not isinstance(stmt, Update) or not _adds_a_multiple(stmt, var):
            return None
        found.append(stmt)
        if len(found) == counts.uses[var]:
            return found
    return None


def _adds_a_multiple(stmt: Update, var: Var) -> bool:
    """Tell whether a statement adds what is zero where `var` is."""
    own = sum(read == var for read in (*reads(stmt.value), *reads(stmt.index or Const(None))))
    return (
        stmt.op in ("+", "-")
        and "~" in stmt.new.slot
        and stmt.new.slot != var.slot
        and own == 1
        and _is_multiple(stmt.value, var)
    )


def _is_multiple(expr: Expr, var: Var) -> bool:
    match expr:
        case Var():
            return expr == var
        case Op("*", (a, b)):
            return _is_multiple(a, var) or _is_multiple(b, var)
        case Op("/", (a, _)):
            return _is_multiple(a, var)
        case Op("u-", (a,)):
            return _is_multiple(a, var)
        case Op("+" | "-", (a, b)):
            return _is_multiple(a, var) and _is_multiple(b, var)
        case Call(Ref("np.sum" | "np.roll" | "np.reshape"), (a, *_)):
            return _is_multiple(a, var)
        case Attr(a, "T"):
            return _is_multiple(a, var)
    return False


def _inside(
    stmt: Update,
    here: dict[Var, Var | None],
    merges: dict[Var, Merge],
    counts: Counts,
    zero_then: bool,
) -> Update:
    """Return the statement as it reads on its side of the branch, and merge what it makes."""

    def on_side(var: Var) -> Expr:
        return here.get(var) or var

    old = on_side(stmt.old)
    other = merges.pop(stmt.old, None)
    before = stmt.old if other is None else (other.then if zero_then else other.orelse)
    assert isinstance(old, Var)
    made = counts.fresh(stmt.new.slot)
    merges[stmt.new] = Merge(stmt.new, *((before, made) if zero_then else (made, before)))
    here[stmt.new] = made
    index = None if stmt.index is None else substitute(stmt.index, on_side)
    return replace(stmt, new=made, old=old, index=index, value=substitute(stmt.value, on_side))


# ---------------------------------------------------------------- conditional expressions


def conditional(program: Program) -> Program:
    """Return the program in which a branch that only picks a temporary is an expression."""
    counts = _counts(program)
    return replace(program, body=_picked(program.body, counts.uses))


def _picked(block: Block, uses: Counter[Var]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        stmt = map_blocks(stmt, lambda inner: _picked(inner, uses))
        out.append(_as_expression(stmt, uses) or stmt)
    return tuple(out)


def _as_expression(stmt: Stmt, uses: Counter[Var]) -> Stmt | None:
    match stmt:
        case If(test, (Assign() as first,), (Assign() as second,), (Merge(out, a, b),)):
            if first.targets != (a,) or second.targets != (b,):
                return None
            if uses[first.target] + uses[second.target] != 2:
                return None
            if "~" in out.slot or not (is_temp(out.slot) or _written_so(stmt)):
                return None
            value = Op("if", (test, first.value, second.value))
            if first.unpack or second.unpack or sum(1 for part in walk(value)) > LARGEST:
                return None
            return Assign((out,), value, stmt.span)
    return None


def _written_so(stmt: If) -> bool:
    written = stmt.span.text()
    return " if " in written and " else " in written and not written.startswith(("if ", "elif "))


__all__ = ["conditional", "sunk"]
