"""Values that are read after their slot has gone to another get a slot of their own.

y = x * x                          y = x * x ; y_own = y
y = np.sin(y@1)           ->       y = np.sin(y)
z = y@1 + y@2                      z = y_own + y

The last resort where `verify` finds something lost: right wherever a value is made before it is
read, and seldom as short as what keeps or computes it again on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeGuard

from s2sad.ir.errors import Span
from s2sad.legacy.blocks import map_expressions
from s2sad.legacy.program import (
    Assign,
    Block,
    Break,
    Call,
    Carried,
    Expr,
    If,
    Loop,
    Merge,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.scope import Numbers
from s2sad.legacy.traverse import defines, flat_targets, statements, substitute

LIST = Ref("list", list)


@dataclass(frozen=True)
class Apart:
    """The values that have a slot of their own, and that slot's value."""

    own: Mapping[Var, Var]
    numbers: Numbers
    lists: frozenset[str] = frozenset()

    def put(self, expr: Expr) -> Expr:
        """Return an expression that reads from the slots of their own."""
        return substitute(expr, lambda var: self.own.get(var, var))

    def kept(self, made: Iterable[Var], span: Span) -> list[Stmt]:
        """Return what puts values aside as soon as they are made."""
        return [Assign((self.own[var],), var, span) for var in made if var in self.own]

    def again(self, var: Var | None, span: Span, out: list[Stmt]) -> Var | None:
        """Put a value back into its old slot, from where a write, merge or loop takes it."""
        if var is None or var not in self.own:
            return var
        back = self.numbers.next(var.slot)
        own: Expr = self.own[var]
        # of a list the length is read, too, which a write may change
        value = Call(LIST, (own,)) if var.slot in self.lists else own
        out.append(Assign((back,), value, span))
        return back


def kept_apart(program: Program, lost: Iterable[Var], numbers: Numbers) -> Program:
    """Return the program in which each of the values `lost` has a slot of its own."""
    own = {var: Var(f"{var.slot}~own{var.version}", 1) for var in dict.fromkeys(lost)}
    lists = (stmt.old.slot for stmt in statements(program.body) if _changes_length(stmt))
    apart = Apart(own, numbers, frozenset(lists))
    start = apart.kept((param.var for param in program.params), program.span)
    body = (*start, *_block(program.body, apart))
    return replace(program, body=body, result=apart.put(program.result))


def _changes_length(stmt: Stmt) -> TypeGuard[Update | Pop]:
    return isinstance(stmt, Pop) or (isinstance(stmt, Update) and stmt.op in ("append", "insert"))


def _block(block: Block, apart: Apart) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        match stmt:
            case If():
                out.append(_branch(stmt, apart))
            case Loop():
                out.append(_loop(stmt, apart, out))
            case Update() | Pop():
                old = apart.again(stmt.old, stmt.span, out)
                assert old is not None
                changed = map_expressions(stmt, apart.put)
                assert isinstance(changed, Update | Pop)
                out.append(replace(changed, old=old))
            case _:
                out.append(map_expressions(stmt, apart.put))
        out += apart.kept(defines(stmt), stmt.span)
    return tuple(out)


def _branch(stmt: If, apart: Apart) -> If:
    then, orelse = list(_block(stmt.then, apart)), list(_block(stmt.orelse, apart))
    merges = []
    for merge in stmt.merges:
        sides = []
        for var, block in ((merge.then, then), (merge.orelse, orelse)):
            last: list[Stmt] = []
            sides.append(apart.again(var, stmt.span, last))
            place = len(block) - (bool(block) and isinstance(block[-1], Break))
            block[place:place] = last
        merges.append(Merge(merge.out, *sides))
    test = apart.put(stmt.test)
    return replace(stmt, test=test, then=tuple(then), orelse=tuple(orelse), merges=tuple(merges))


def _loop(loop: Loop, apart: Apart, before: list[Stmt]) -> Loop:
    body = _block(loop.body, apart)
    carried = []
    for each in loop.carried:
        init = apart.again(each.init, loop.span, before)
        last: list[Stmt] = []
        end = apart.again(each.end, loop.span, last)
        assert end is not None
        carried.append(Carried(each.head, init, end, each.exit))
        body = _with_end(body, each.end, tuple(last))
    targets = list(flat_targets(loop.targets or ()))
    taken = {var.slot for var in targets}
    heads = [each.head for each in loop.carried if each.head.slot not in taken]
    inside = apart.kept((*heads, *targets), loop.span)
    test = loop.test
    if test is not None:  # it reads the heads of a pass that has not begun
        test = substitute(test, lambda var: var if var in heads else apart.own.get(var, var))
    iterable = None if loop.iterable is None else apart.put(loop.iterable)
    whole = (*inside, *body)
    return replace(loop, carried=tuple(carried), body=whole, test=test, iterable=iterable)


def _with_end(body: Block, end: Var, last: Block) -> Block:
    """Put back what a loop hands on where a pass ends, and at each break after it was made."""
    made = next((n for n, stmt in enumerate(body) if end in defines(stmt)), -1)
    return (*body[: made + 1], *_before_breaks(body[made + 1 :], last), *last)


def _before_breaks(block: Block, last: Block) -> Block:
    """Do at each break out of a loop what is done at the end of its passes."""
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, Break):
            out += last
        elif isinstance(stmt, If):
            then, orelse = _before_breaks(stmt.then, last), _before_breaks(stmt.orelse, last)
            stmt = replace(stmt, then=then, orelse=orelse)
        out.append(stmt)
    return tuple(out)


__all__ = ["kept_apart"]
