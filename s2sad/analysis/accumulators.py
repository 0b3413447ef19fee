"""Numbers that become arrays: `x += e` is `x = x + e` where nobody else sees the array of x.

for u in us:                for u in us:
    total += u                  total = total + u

In place it changes an array for all who hold it. Who may hold it is followed along the statements:
another name that is read later, a container, or the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from s2sad.analysis.containers import is_container
from s2sad.analysis.live import Live
from s2sad.analysis.places import Place
from s2sad.analysis.webs import may_be_number
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, calls
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    For,
    Function,
    Let,
    Raise,
    RegionOp,
    Return,
    Statement,
    Store,
    Try,
    While,
)
from s2sad.ir.types import UNKNOWN, Array, Code, Number, Numeric, Other, Type
from s2sad.ir.walk import blocks, bound, expressions, read_variables, rewritten, statements

Infer = Callable[[Expr], Expr]
PLAIN = frozenset({"+", "-", "*", "/", "**"})
ELSEWHERE = Variable("elsewhere")  # a container, the caller or a module: it may look at any time
Pairs = frozenset[frozenset[Variable]]  # two variables whose values may share memory


def rebound_numbers(function: Function, infer: Infer) -> Function:
    """Return a function that rebinds what is a number at first and an array later."""
    stores = (s for s in statements(function.body) if isinstance(s, Store))
    if not any(may_be_number(s.target) for s in stores):
        return function
    handed = (p.variable for p in function.parameters if not isinstance(p.type, Number))
    _Walk(Live(function.body)).block(function.body, _elsewhere(frozenset(), handed), ())

    def change(statement: Statement) -> Statement:
        if not isinstance(statement, Store) or not may_be_number(statement.target):
            return statement
        new = rebound(statement)
        return replace(new, value=infer(new.value))

    return replace(function, body=rewritten(function.body, change))


def rebound(store: Store) -> Let:
    """Return a store to a name as a statement that binds it anew."""
    value = store.value
    if store.op != "=":
        value = Expr("binary", (store.target, value), store.op, store.target.type, None, store.span)
    return Let(store.target.data, value, store.span)


@dataclass(slots=True)
class _Walk:
    """Follows which variables may share memory; refuses what another one would see change.

    `exits` are what holds at the breaks of the loops around, `tried` all that holds in a try.
    """

    live: Live
    exits: list[Pairs] = field(default_factory=list)
    tried: list[Pairs] = field(default_factory=list)

    def block(self, block: Block, pairs: Pairs, place: Place) -> Pairs | None:
        """Return what holds at the end of a block; None if its end is not reached."""
        for position, statement in enumerate(block):
            after = self.statement(statement, pairs, (*place, position))
            if after is None:
                return None
            pairs = after
            self.tried = [each | pairs for each in self.tried]
        return pairs

    def statement(self, statement: Statement, pairs: Pairs, place: Place) -> Pairs | None:
        match statement:
            case Break() | Continue():
                self.exits[-1] |= pairs
                return None
            case Return() | Raise():
                return None
            case For() | While():
                return self.loop(statement, pairs, place)
            case Try():
                self.tried.append(pairs)
                ends = [self.block(statement.body, pairs, (*place, 0))]
                inside = self.tried.pop()
                for k, handler in enumerate(statement.handlers, 1):
                    ends.append(self.block(handler.body, inside, (*place, k)))
                return _met(ends)
            case Store() if may_be_number(statement.target):
                self.refuse_if_seen(statement, pairs, place)
        pairs = _after(statement, pairs)
        inner = blocks(statement)
        ends = [self.block(b, pairs, (*place, k)) for k, b in enumerate(inner)]
        return _met(ends) if ends else pairs

    def loop(self, loop: For | While, pairs: Pairs, place: Place) -> Pairs:
        while True:
            self.exits.append(frozenset())
            end = self.block(loop.body, _after(loop, pairs), (*place, 0)) or frozenset()
            left = self.exits.pop()
            if end | left <= pairs:
                return pairs
            pairs = pairs | end | left

    def refuse_if_seen(self, store: Store, pairs: Pairs, place: Place) -> None:
        for other in _partners(pairs, {store.target.data}):
            if other == ELSEWHERE or self.tried or self.live.after(other, place):
                word = (
                    "number that becomes an array"
                    if store.op in PLAIN
                    else "set that is changed in place"
                )
                raise NotYet(f"a {word} under two names", store.span)


def _met(ends: Iterable[Pairs | None]) -> Pairs | None:
    found = [each for each in ends if each is not None]
    return frozenset().union(*found) if found else None


def _partners(pairs: Pairs, of: Iterable[Variable]) -> frozenset[Variable]:
    """Return the variables that may share memory with some."""
    found = frozenset(of)
    return frozenset().union(*(pair for pair in pairs if pair & found)) - found


def _after(statement: Statement, pairs: Pairs) -> Pairs:
    """Return what holds after a statement, or in the blocks of it."""
    match statement:
        case Store(target=target) if may_be_number(target):
            return _bound(pairs, (target.data,), _referred(rebound(statement).value))
        case Store(target=target, value=value):
            base = target.args[0] if target.args else target
            held = () if isinstance(base.type, Array | Numeric) else tuple(_referred(value))
            return _elsewhere(pairs, (*held, *_referred(base))) if held else pairs
        case RegionOp(base=base, args=args):
            held = tuple(v for arg in args for v in _referred(arg))
            pairs = _elsewhere(pairs, (*held, *_referred(base))) if held else pairs
            return _bound(pairs, bound(statement), _referred(base))
        case Copied():
            reads = {v for expr in statement.reads for v in read_variables(expr)}
            return _bound(_elsewhere(pairs, reads), bound(statement), (ELSEWHERE,))
    found = tuple(v for expr in expressions(statement) for v in _referred(expr))
    if isinstance(statement, Let) and not statement.effect.is_pure:
        pairs = _elsewhere(pairs, found)
    return _bound(pairs, bound(statement), found)


def _elsewhere(pairs: Pairs, held: Iterable[Variable]) -> Pairs:
    """Return what holds once something holds variables that may look at any time."""
    held = frozenset(held)
    every = held | _partners(pairs, held)
    return pairs | {frozenset((v, ELSEWHERE)) for v in every - {ELSEWHERE}}


def _bound(pairs: Pairs, targets: tuple[Variable, ...], found: Iterable[Variable]) -> Pairs:
    """Return what holds once variables are bound to what others may refer to."""
    found = frozenset(found)
    shared = (found | _partners(pairs, found)) - set(targets)
    kept = frozenset(pair for pair in pairs if not pair & set(targets))
    made = {frozenset((t, v)) for t in targets for v in shared}
    if found:
        made |= {frozenset((a, b)) for a in targets for b in targets if a != b}
    return kept | made


# ---------------------------------------------------------------------------- what a value may be


def _referred(expr: Expr) -> Iterator[Variable]:
    """Yield the variables whose memory a value may be, or hold."""
    if isinstance(expr.type, Number | Code) or _is_fixed(expr.type):
        return
    match expr.op:
        case "name":
            yield expr.data
        case "global":
            yield ELSEWHERE
        case "constant" | "compare" | "function":
            return
        case "binary" | "unary" if not _may_be_list(expr):
            return
        case "subscript" | "attribute":
            yield from _referred(expr.args[0])
        case "conditional":
            yield from (v for arm in expr.args[1:] for v in _referred(arm))
        case "call" if _makes_new(expr):
            return
        case "call" if expr.args[0].op == "global":
            yield from (v for arg in expr.args[1:] for v in _referred(arg))
        case _:
            yield from (v for arg in expr.args for v in _referred(arg))


def _is_fixed(type_: Type) -> bool:
    """Tell whether a value is of a class whose objects no operator changes in place: a set is not."""
    cls = type_.cls if isinstance(type_, Other) else None
    return cls is not None and not any(hasattr(cls, word) for word in ("__iadd__", "__ior__"))


def _may_be_list(expr: Expr) -> bool:
    """Tell whether an operation may be one of lists: xs + ys holds what they hold."""
    types = [arg.type for arg in expr.args]
    is_of_numbers = any(isinstance(each, Number | Array | Numeric) for each in types)
    return not is_of_numbers and any(each == UNKNOWN or is_container(each) for each in types)


def _makes_new(made: Expr) -> bool:
    """Tell whether what a call gives is surely no memory that it is handed."""
    function = made.args[0]
    if function.op == "attribute":
        return bool(function.data == "copy") and not is_container(made.type)
    is_total = calls(made, sum) and len(made.args) == 2  # of 0 and the items
    return is_total or (function.op == "global" and isinstance(function.data.value, np.ufunc))
