"""Numbers that become arrays: `x += e` is `x = x + e` where nobody else sees the array of x.

for u in us:                for u in us:
    total += u                  total = total + u

In place it changes an array for all who hold it. Who may hold it is followed along the statements:
another name that is read later, a container, or the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set

from s2sad.analysis.dataflow import Live
from s2sad.analysis.places import Place, placed
from s2sad.analysis.pointers import Pointers, Shares, Sites
from s2sad.analysis.points_to import generators
from s2sad.analysis.sharing_names import ELSEWHERE, SharingNames, Sources
from s2sad.analysis.webs import may_be_number
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Copied, For, Function, Let, RegionOp, Statement, Store, Try
from s2sad.ir.records import replace
from s2sad.ir.types import Number, Other, Type
from s2sad.ir.walk import bound, expressions, read_in, rewritten, statements, variables

Infer = Callable[[Expr], Expr]
NOBODY = Variable("_")
PLAIN = frozenset({"+", "-", "*", "/", "**"})


def rebound_numbers(function: Function, infer: Infer, shares: Shares) -> Function:
    """Return a function that rebinds what is a number at first and an array later."""
    stores = (s for s in statements(function.body) if isinstance(s, Store))
    lets = {id(s): (s, rebound(s)) for s in stores if may_be_number(s.target)}
    if not lets:
        return function

    def bound_anew(statement: Statement) -> Statement:
        return lets[id(statement)][1] if id(statement) in lets else statement

    made = replace(function, body=rewritten(function.body, bound_anew))
    _refuse_seen(made, {id(let): store for store, let in lets.values()}, shares)
    inferred = {id(let): replace(let, value=infer(let.value)) for _, let in lets.values()}
    return replace(made, body=rewritten(made.body, lambda s: inferred.get(id(s), s)))


def _refuse_seen(function: Function, stores: Mapping[int, Store], shares: Shares) -> None:
    """Refuse a store, which is a binding now, whose memory another name would have seen change."""
    handed = (p.variable for p in function.parameters if not isinstance(p.type, Number))
    sources = _named_by(function, shares)
    shared = SharingNames(function.body, sources, handed)
    live = Live(function.body)
    tries = (s for s in statements(function.body) if isinstance(s, Try))
    tried = {id(s) for each in tries for s in statements(each.body)}
    loops: dict[Place, Set[Variable]] = {}  # what each goes through: it is read in each pass
    for place, statement in placed(function.body):
        if isinstance(statement, For):
            loops[place] = frozenset(sources(NOBODY, statement, True))
        store = stores.get(id(statement))
        if store is None or _is_fixed(store.target.type):
            continue
        around = (read for at, read in loops.items() if place[: len(at)] == at)
        gone_through = frozenset().union(*around) - {ELSEWHERE}
        is_seen = store.target.data in gone_through
        for other in shared.sharers(store.target.data, statement):
            is_seen |= other == ELSEWHERE or id(statement) in tried
            is_seen |= other in gone_through or live.after(other, place)
        if is_seen:
            number = "number that becomes an array"
            word = number if store.op in PLAIN else "set that is changed in place"
            raise NotYet(f"a {word} under two names", store.span)


def rebound(store: Store) -> Let:
    """Return a store to a name as a statement that binds it anew."""
    value = store.value
    if store.op != "=":
        value = Expr("binary", (store.target, value), store.op, store.target.type, None, store.span)
    return Let(store.target.data, value, store.span)


def _named_by(function: Function, shares: Shares) -> Sources:
    """Return what tells by names what is bound may be, or hold: what they refer to is not known yet."""
    every = {v for s in statements(function.body) for v in (*bound(s), *read_in(s))}
    names: dict[Variable, Sites] = {v: frozenset({("name", v)}) for v in every}
    pointers = Pointers(names, {}, shares)
    for statement in statements(function.body):
        for each in (g for expr in expressions(statement) for g in generators(expr)):
            names |= dict.fromkeys(variables(each.data), pointers.reached(each.args[0]))

    def sources(_: Variable, statement: Statement, holds: bool) -> Iterator[Variable]:
        if isinstance(statement, Copied) and not holds:
            yield ELSEWHERE
        is_taken = isinstance(statement, RegionOp) and not holds
        for expr in expressions(statement)[:1] if is_taken else expressions(statement):
            for kind, found in pointers.reached(expr):
                yield found if kind == "name" and isinstance(found, Variable) else ELSEWHERE

    return sources


def _is_fixed(type_: Type) -> bool:
    """Tell whether a value is of a class whose objects no operator changes in place: a set is not."""
    cls = type_.cls if isinstance(type_, Other) else None
    return cls is not None and not any(hasattr(cls, word) for word in ("__iadd__", "__ior__"))
