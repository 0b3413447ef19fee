"""Stores that differentiation can take: to names, and to values where nobody shares the memory.

A[i][j] = e             row = A[i]
                        row[j] = e
u += c                  u = u + c           no other name refers to u's array
def f(u): u[0] = c      u_2 = u.copy()      the user's argument is not written
                        u_2[0] = c

A number that becomes an array, total += u, is total = total + u where nobody else sees the array: who may
hold it is followed along the statements, be it another name that is read later, a container, or the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set

import numpy as np

from s2sad.analysis.activity import may_vary
from s2sad.analysis.containers import is_container, is_cut, is_display, is_held, is_made, parts_of
from s2sad.analysis.dataflow import Live
from s2sad.analysis.loops import item_type
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import Place, placed
from s2sad.analysis.pointers import NOTHING, Pointers, Shares, Sites, stored_base
from s2sad.analysis.points_to import generators
from s2sad.analysis.sharing_names import ELSEWHERE, SharingNames, Sources
from s2sad.analysis.webs import may_be_number
from s2sad.analysis.writes import added_at
from s2sad.ir.errors import NotYet, Unsupported
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    call,
    calls,
    copy_of,
    deep_copy_of,
    global_,
    name,
    text_of_call,
)
from s2sad.ir.program import Block, Copied, For, Function, Let, RegionOp, Statement, Store, Try
from s2sad.ir.records import replace
from s2sad.ir.remedies import counted
from s2sad.ir.renaming import Fresh, with_variables
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Regions, Tuple, Type
from s2sad.ir.walk import (
    bound,
    expressions,
    in_blocks,
    nodes,
    read_counts,
    read_in,
    rewritten,
    statements,
    variables,
)
from s2sad.operators.missing import refuse_set
from s2sad.source.owners import is_own

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
    pointers = Pointers(names, {}, shares, NOTHING)
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


KNOWN_LISTS = frozenset(
    {"name", "subscript", "attribute", "conditional", "global", "set", "starred"}
)
Infer = Callable[[Expr], Expr]


def _no_container(target: Expr, statement: Store) -> NotYet:
    """Return the refusal of a store into what is no array, no list and no dict."""
    key = target.args[1].known if target.op == "subscript" else None
    if key is None or not isinstance(key.value, str):
        return NotYet("a store into what is no array and no list", statement.span)
    hint = "Of an array with named fields keep each in an array of its own, or all in a dict."
    problem = f'a store under "{key.value}" into what is no dict is not differentiated'
    return Unsupported.refused(problem, statement.span, hint)


def to_names(function: Function) -> Function:
    """Return a function whose stores go to parts of names; numbers are rebound, not stored to."""
    fresh = Fresh.of(function)

    def named(place: Expr, word: str, statement: Statement) -> tuple[Let, Expr]:
        kept = fresh.variable(_place_name(place, word), Role.PLACE)
        return Let(kept, place, statement.span), name(kept, place.type, place.span)

    def change(statement: Statement) -> Statement | tuple[Statement, ...]:
        if isinstance(statement, Let):
            added = added_at(statement)
            if added is None or added[1].op == "name":
                return statement
            first, base = named(added[1], _word_of(added[1]), statement)
            args = (statement.value.args[0], base, *added[2:])
            return first, replace(statement, value=statement.value.with_args(args))
        if not isinstance(statement, Store):
            return statement
        target = statement.target
        if target.op == "name" and is_container(target.type):
            raise NotYet("a list that is repeated or joined in place", statement.span)
        if target.op == "name" and isinstance(target.type, Numeric):
            raise NotYet("a change in place of what may be a number", statement.span)
        if target.op == "name":
            return rebound(statement) if isinstance(target.type, Number) else statement
        base = target.args[0]
        if not isinstance(base.type, Array | Numeric) and not is_container(base.type):
            raise _no_container(target, statement)
        if is_container(base.type) and statement.op != "=" and is_held(target.type):
            if not isinstance(target.type, Array):
                raise NotYet("a change of an item that is no array", statement.span)
            # the item changes in place, and stays where it is
            first, item = named(target, "row", statement)
            return first, replace(statement, target=item)
        if base.op == "name":
            return statement
        first, base = named(base, _word_of(base), statement)
        return first, replace(statement, target=target.with_args((base, *target.args[1:])))

    return replace(function, body=rewritten(function.body, change))


def refuse_unknown_lists(function: Function, regions: Regions) -> None:
    """Refuse lists of what may vary that are made or cut as no statement of the core says."""
    for statement in statements(function.body):
        for expr in expressions(statement):
            heads = {id(node.args[0]) for node in nodes(expr) if node.op == "call"}
            for node in nodes(expr):
                if calls(node, iter) or calls(node, next):
                    raise NotYet("an iterator that is asked for its items", node.span)
                if node.op == "attribute" and _is_missing(node, regions) and id(node) not in heads:
                    raise NotYet("a method as a value", node.span or statement.span)
                is_list = is_container(node.type) and not isinstance(node.type, Tuple)
                if is_list and may_vary(node.type, regions) and _reads_what_varies(node, regions):
                    if node.op not in KNOWN_LISTS and not is_made(node):
                        maker = text_of_call(node) or node.op
                        refuse_set(node, node.span or statement.span)
                        raise NotYet(f"a list made by {maker}", node.span or statement.span)
                    if _mixes(node, regions):
                        raise NotYet("a list of numbers that may be given arrays", node.span)
        if isinstance(statement, Store) and is_cut(statement.target):
            raise NotYet("a store to a slice of a list", statement.span)


def _reads_what_varies(expr: Expr, regions: Regions) -> bool:
    """Tell whether something that may vary is read: no item of sorted(set("GATTACA")) does."""
    return any(not node.args and may_vary(node.type, regions) for node in nodes(expr))


def _mixes(node: Expr, regions: Regions) -> bool:
    """Tell whether a list that may hold arrays is made of one of numbers: it has shadows of numbers.

    What a display writes out is an item of it, and no source of items.
    """
    if is_display(node):
        sources = [each.args[0] for each in node.args if each.op == "starred"]
    else:
        sources = [*node.args, *(node.args[0].args if node.op == "call" else ())]
    of_numbers = any(isinstance(item_type(each.type, regions), Number) for each in sources)
    return of_numbers and isinstance(item_type(node.type, regions), Numeric)


def _is_missing(node: Expr, regions: Regions) -> bool:
    """Tell whether an object has no field of the name that is read: its class has it."""
    base = node.args[0].type
    if not isinstance(base, Reference) or base.site not in regions:
        return False
    region = regions[base.site]
    is_object = region.kind == "fields" and region.cls not in (dict, list, tuple)
    return is_object and is_own(region.cls) and node.data not in region.fields


def to_values(function: Function, memory: Memory, infer: Infer) -> Function:
    """Return a function in which `x += e` is `x = x + e` where no other name refers to x's array."""
    found = [s for s in statements(function.body) if isinstance(s, Store)]
    chosen = set()
    for variable in memory.points_to:
        is_array = isinstance(memory.types.get(variable), Array) and memory.is_memory(variable)
        if variable.name and is_array and not memory.is_shared(variable):
            mine = [s for s in found if memory.sites(stored_base(s)) & memory.points_to[variable]]
            if mine and all(_is_whole(s, variable, infer) for s in mine):
                chosen.add(variable)

    def change(statement: Statement) -> Statement:
        if isinstance(statement, Store) and statement.target.op == "name":
            if statement.target.data in chosen:
                return replace(rebound(statement), value=infer(rebound(statement).value))
        return statement

    return replace(function, body=rewritten(function.body, change)) if chosen else function


def _is_whole(store: Store, variable: Variable, infer: Infer) -> bool:
    """Tell whether a store updates the whole of an array, and keeps its kind."""
    if store.target.op != "name" or store.target.data != variable or store.op not in PLAIN:
        return False
    type_ = infer(rebound(store).value).type
    mine = store.target.type
    return isinstance(type_, Array) and isinstance(mine, Array) and type_ == mine


def with_values_in_slots(function: Function, memory: Memory) -> Function:
    """Return a function in which `item = e; b.x = item` is `b.x = e` where the array is a value."""
    counts = read_counts(function.body)

    def with_value(store: Store, before: Statement) -> Store:
        is_slot = is_container(stored_base(store).type) and store.op == "="
        if not is_slot or store.value.op != "name" or not isinstance(before, Let):
            return store
        item: Variable = store.value.data
        is_it = before.target == item and before.effect.is_pure and counts[item] == 1
        is_value = isinstance(before.value.type, Array) and not memory.is_memory(item)
        return replace(store, value=before.value) if is_it and is_value else store

    def block(every: Block) -> Block:
        made: list[Statement] = []
        for each in every:
            each = in_blocks(each, block)
            if made and isinstance(each, Store):
                value, each = each.value, with_value(each, made[-1])
                del made[len(made) - (each.value is not value) :]
            made.append(each)
        return tuple(made)

    body = block(function.body)
    return function if body == function.body else replace(function, body=body)


def copied_at_entry(function: Function, memory: Memory) -> Function:
    """Return a function that writes to copies of its arguments."""
    stored = {site[1] for site in memory.stored if site[0] == "parameter"}
    written = [p for p in function.parameters if p.variable in stored]
    if not written:
        return function
    fresh = Fresh.of(function)
    renamed = {p.variable: fresh.variable(p.variable.name) for p in written}
    copies = tuple(
        Let(renamed[p.variable], _copy(name(p.variable, p.type), memory), function.span)
        for p in written
    )
    body = tuple(with_variables(s, renamed) for s in function.body)
    return replace(function, body=(*copies, *body))


def _copy(value: Expr, memory: Memory) -> Expr:
    if is_container(value.type):
        kinds = {type(type_) for _, type_ in parts_of(value.type, memory.regions)}
        is_of_values = kinds <= {Array, Number} and memory.holds_values(value)
        return copy_of(value) if is_of_values and memory.is_list(value) else deep_copy_of(value)
    if isinstance(value.type, Numeric):  # a number has no copy()
        return call(global_("np.array", np.array), value, type_=value.type)
    return copy_of(value)


def refuse_written_globals(function: Function, memory: Memory, remembered: Set[str]) -> None:
    """Refuse functions that write to objects of a module, but for dicts that remember."""
    for site in memory.stored:
        if site[0] == "global" and site[1] not in remembered:
            raise counted(str(site[1]), function.span)


def _word_of(base: Expr) -> str:
    """Return what a part of memory is: a row, or another view."""
    if base.op == "attribute" and base.data == "flat":
        return "flat"
    return "row" if base.op == "subscript" else "view"


def _place_name(place: Expr, word: str) -> str:
    """Return what a part of memory is called: D_row of D[i]."""
    while place.args:
        place = place.args[0]
    return f"{place.data.name}_{word}" if place.op == "name" else word
