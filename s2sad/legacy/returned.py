"""What a derivative returns is the caller's: no gradient is an argument, a constant, or another.

return v                        return v.copy()
u_bar = v_bar                   u_bar = v_bar.copy()
return u_bar, v_bar             return u_bar, v_bar

Who scales a gradient in place must not find an argument scaled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.facts import Fact
from s2sad.legacy.facts.device import is_held_number
from s2sad.legacy.memory import Old, Root, Roots, spread
from s2sad.legacy.origins import origin
from s2sad.legacy.own import COPIED, DEEP_COPY
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.storage import defined_in, roots_of
from s2sad.legacy.traverse import expressions, statements, walk

RESULT = Var("result", -1)
Known = Callable[[Var], Fact]


@dataclass
class _Returned:
    """A derivative whose results are made its own, one after the other."""

    program: Program
    known: Known
    numeric: frozenset[str]
    foreign: frozenset[Root]
    taken: set[Root] = field(default_factory=set)
    roots: Roots = field(init=False)

    def __post_init__(self) -> None:
        self.roots = roots_of(self.program, self.known)

    def shared(self, value: Expr) -> frozenset[Root]:
        """Return the memory of a result that belongs to somebody else."""
        mine = memory(value, self.roots)
        return frozenset(
            root
            for root in mine
            if root in self.foreign or root in self.taken or isinstance(root, Ref)
        )


def own_results(
    program: Program,
    known: Known,
    values: int = 0,
    numeric: frozenset[str] = frozenset(),
    arguments: bool = True,
) -> Program:
    """Return a derivative whose results, but for the first `values`, share memory with nothing.

    Those first ones are the primal's own results, which may be its arguments. `numeric` are the
    slots that hold numbers or arrays where nothing else is known. The memory of arguments is
    nobody else's where `arguments` is false, as in a function that only the file itself calls.
    """
    foreign = frozenset(param.var for param in program.params) if arguments else frozenset()
    state = _Returned(program, known, numeric, foreign)
    given_back = memory(program.result, state.roots)
    program = replace(program, body=_items_apart(state, program.body, given_back, frozenset()))
    if program != state.program:
        state = _Returned(program, known, numeric, foreign)
    whole = program.result
    parts = whole.args if isinstance(whole, Op) and whole.op == "tuple" and values else (whole,)
    for part in parts[:values]:
        state.taken |= memory(part, state.roots)
    own = tuple(_own(state, part) for part in parts[values:])
    result = Op("tuple", (*parts[:values], *own)) if values else own[0]
    return replace(state.program, result=result)


def memory(value: Expr, roots: Roots) -> frozenset[Root]:
    """Return the memory that a result may live in, that of what it holds included."""
    return _now(spread(origin(value, RESULT, roots))) - {RESULT}


def _now(roots: frozenset[Root]) -> frozenset[Root]:
    """Return memory without telling in which pass it was made."""
    return frozenset(root.root if isinstance(root, Old) else root for root in roots)


def _own(state: _Returned, value: Expr) -> Expr:
    if isinstance(value, Op) and value.op in ("tuple", "list"):
        return replace(value, args=tuple(_own(state, part) for part in value.args))
    if isinstance(value, Var) and state.known(value).is_scalar:
        return _own_number(state, value)
    shared = state.shared(value)
    if shared and isinstance(value, Var):
        body = _copied_where_bound(state, state.program.body, value, shared)
        state.program = replace(state.program, body=body)
        state.roots = roots_of(state.program, state.known)
        shared = state.shared(value)
    if shared:
        return copied(state, value, value)
    state.taken |= memory(value, state.roots)
    return value


def _own_number(state: _Returned, value: Var) -> Expr:
    """Return a number, made anew where it is the array without axes that another result is."""
    params = frozenset(param.var for param in state.program.params)
    mine = memory(value, state.roots) - params
    if mine & state.taken:
        return Op("u+", (value,))
    state.taken |= mine
    return value


def _items_apart(
    state: _Returned, block: Block, result: frozenset[Root], made: frozenset[Var]
) -> Block:
    """Copy what a loop puts on a list that is returned, where another pass may put it there, too.

    `result` is the memory of what is returned, `made` what the innermost loop makes in each pass.
    """

    def one(stmt: Stmt) -> Stmt:
        match stmt:
            case Loop(body=body):
                inside = frozenset(defined_in(body))
                return replace(stmt, body=_items_apart(state, body, result, inside))
            case Update(op="append", value=Var() as item) if made:
                lasting = spread(state.roots.get(item, frozenset())) - made
                if result & _now(lasting):
                    return replace(stmt, value=copied(state, item, item))
        return map_blocks(stmt, lambda inner: _items_apart(state, inner, result, made))

    return tuple(map(one, block))


def _copied_where_bound(
    state: _Returned, block: Block, result: Var, shared: frozenset[Root]
) -> Block:
    """Copy where what is returned is bound to shared memory, but not once a pass of a loop."""

    def one(stmt: Stmt) -> Stmt:
        match stmt:
            case Assign((target,), value) if target.slot == result.slot and not stmt.unpack:
                if memory(value, state.roots) & shared and not state.known(target).is_scalar:
                    return replace(stmt, value=copied(state, value, target))
            case If():
                return map_blocks(
                    stmt, lambda inner: _copied_where_bound(state, inner, result, shared)
                )
        return stmt

    return tuple(map(one, block))


def copied(state: _Returned, value: Expr, like: Expr) -> Expr:
    """Return a copy of a result of any kind; of a number, nothing needs to be copied."""
    fact = state.known(like) if isinstance(like, Var) else Fact("unknown")
    if is_held_number(fact):
        return Op("u+", (value,))
    if fact.is_array:
        # what is asked for as 1.0 is a number, though what it belongs to is an array
        number = fact.rank == 0 or (fact.rank is None and _is_adjoint(like))
        return Op("u+", (value,)) if number else Call(Attr(value, "copy"))
    names = {base(part.slot) for part in (like, value) if isinstance(part, Var)}
    if fact.is_object:
        return Call(DEEP_COPY, (value,))
    if fact.kind in ("list", "tuple", "dict") or not names & state.numeric:
        return Call(COPIED, (value,))
    return Op("u+", (value,))


def _is_adjoint(like: Expr) -> bool:
    return isinstance(like, Var) and like.slot.endswith("~bar")


def shared_arguments(program: Program, known: Known) -> frozenset[int]:
    """Return the positions of the parameters in whose memory a function's results may live."""
    found = memory(program.result, roots_of(program, known))
    return frozenset(n for n, param in enumerate(program.params) if param.var in found)


def numeric_slots(program: Program) -> frozenset[str]:
    """Return the names of the user's that are calculated with: they hold no list."""
    found = set()
    for stmt in statements(program.body):
        for expr in expressions(stmt):
            for part in walk(expr):
                # a part of a list has a name after the list's, and is none itself
                found |= {base(v.slot) for v in _calculated(part) if not is_temp(v.slot)}
    return frozenset(found)


def _calculated(expr: Expr) -> Iterator[Var]:
    match expr:
        case Op("+" | "-" | "*" | "/" | "**" | "@" | "u-", args):
            yield from (arg for arg in args if isinstance(arg, Var))
        case Op("<" | ">" | "<=" | ">=", (Var() as var, Const(int() | float()))):
            yield var
        case Call(Ref(_, function), args) if isinstance(function, np.ufunc):
            yield from (arg for arg in args if isinstance(arg, Var))
