"""Which values must hold others by key, as what is done with them shows.

h @ params[name]["W"]      params[name] is a dict, so params holds dicts
for layer in layers:       layers is a list of dicts
    h = h @ layer["W"]

kept.append(x)             kept is a list
u[1:, :] = v               u is an array
cell(x, p)                 p is a dict, if cell reads p["W"]
seen.add(k)                seen is no array

Where nothing is known of an argument, it would be taken for an array otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType

import gast
import numpy as np

from s2sad.legacy.calls import arguments, is_python
from s2sad.legacy.facts.changing import changed_values
from s2sad.legacy.facts.fact import UNKNOWN, Fact, object_of
from s2sad.legacy.following import followed
from s2sad.legacy.program import (
    Assign,
    Attr,
    Call,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.traverse import expressions, statements, walk

ARRAY = Fact("array")
DICT, LIST, OBJECT = Fact("dict", items=(UNKNOWN,)), Fact("list"), object_of(object)
OF_DICTS = frozenset({"items", "keys", "values"})
FOUND_BY_KEY = frozenset({"get", "setdefault"})
OF_OTHERS = frozenset({*dir(np.ndarray), *dir(list), *dir(dict), *dir(str), *dir(float)})
IDENTITY = frozenset({"is", "is_not", "==", "!="})
OF_KIND = (Ref("isinstance", isinstance), Ref("type", type))


def holders(program: Program, known: Mapping[Var, Fact]) -> dict[Var, Fact]:
    """Return the values of unknown kind that are used as dicts, or as lists of such."""
    stmts = list(statements(program.body))
    found: dict[Var, Fact] = {}
    listed = dict(pair for stmt in stmts for pair in _listed(stmt))
    for stmt in stmts:
        for expr in expressions(stmt):
            for part in walk(expr):
                _note(_by_key(part, known), found)
                _note(_by_function(part), found)
        if isinstance(stmt, Update):
            _note(_by_slices(stmt.old, stmt.index), found)
        _note(_own_keys(stmt, listed), found)
        _note(_growing(stmt), found)
        _note(_changing(stmt), found)
    while found:
        more = {var: fact for stmt in stmts for var, fact in _of_holders(stmt, found)}
        if more.keys() <= found.keys():
            break
        found = {**more, **found}
    asked = asked_what_they_are(program)
    return {
        var: fact for var, fact in found.items() if var not in asked and _is_open(known.get(var))
    }


def asked_what_they_are(program: Program) -> frozenset[Var]:
    """Return the values that `if options is None` and its like ask about: they may be that."""
    parts = (
        part
        for stmt in statements(program.body)
        for expr in expressions(stmt)
        for part in walk(expr)
        if isinstance(part, Op | Call) and _asks(part)
    )
    return frozenset(arg for part in parts for arg in part.args if isinstance(arg, Var))


def _asks(part: Op | Call) -> bool:
    return part.op in IDENTITY if isinstance(part, Op) else part.func in OF_KIND


def _growing(stmt: Stmt) -> Iterator[tuple[Var, Fact]]:
    match stmt:
        case Update(_, old, _, "append" | "insert") | Pop(_, _, old):
            yield old, LIST


def _changing(stmt: Stmt) -> Iterator[tuple[Var, Fact]]:
    """`seen.add(k)`: what has a method that neither arrays nor lists have is none of them."""
    if not isinstance(stmt, Effect) or not isinstance(stmt.value, Opaque):
        return
    called = getattr(stmt.value.node, "value", None)
    match called:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr=name)):
            if name not in OF_OTHERS:
                held = (dict(each).get(owner) for each in (stmt.value.reads, stmt.value.writes))
                yield from ((var, OBJECT) for var in held if var is not None)


def _note(pairs: Iterable[tuple[Var, Fact]], found: dict[Var, Fact]) -> None:
    for var, fact in pairs:
        if found.get(var) not in (DICT, ARRAY):  # which say more
            found[var] = fact


def _is_open(fact: Fact | None) -> bool:
    return (
        fact is not None
        and fact.kind == "unknown"
        and not (fact.dtype or fact.made_of)
        and fact.rank is None
    )


def _by_key(part: Expr, known: Mapping[Var, Fact]) -> Iterator[tuple[Var, Fact]]:
    match part:
        case Op("index", (owner, key)) if _is_text(key, known):
            yield from _is(owner, DICT)
        case Call(Attr(owner, name), ()) if name in OF_DICTS:
            yield from _is(owner, DICT)
        case Call(Attr(owner, name), (_, *_)) if name in FOUND_BY_KEY:
            yield from _is(owner, DICT)
        case Op("index", (owner, key)):
            yield from _by_slices(owner, key)


def _by_function(part: Expr) -> Iterator[tuple[Var, Fact]]:
    """`cell(x, p)` where the function reads p["W"]: p is a dict."""
    match part:
        case Call(Ref(_, FunctionType() as function)) if is_python(part.func):
            try:
                bound = arguments(part)
            except (TypeError, ValueError):
                return
            handed = {name: e for name, e in bound.items() if isinstance(e, Var)}
            used = _dicts_of(function) if handed else ()
            yield from ((handed[name], DICT) for name in used if name in handed)


@by_rules(meanwhile=lambda function: ())
def _dicts_of(function: FunctionType) -> tuple[str, ...]:
    """Return the parameters that a called function uses as dicts."""
    from s2sad.legacy.normalise import wide  # which imports what stands before it

    program = followed(function, wide)
    if program is None:
        return ()
    params = {param.var: Fact("unknown") for param in program.params}
    found = holders(program, params)
    return tuple(var.slot for var in params if found.get(var) == DICT)


def _by_slices(owner: Expr, key: Expr | None) -> Iterator[tuple[Var, Fact]]:
    """`u[1:, :]` and `u[:, None]` are parts of an array: lists and dicts have none like these."""
    if isinstance(owner, Var) and isinstance(key, Op) and key.op == "tuple":
        if any(isinstance(part, Op) and part.op == "slice" for part in key.args):
            yield owner, ARRAY


def _is(owner: Expr, fact: Fact) -> Iterator[tuple[Var, Fact]]:
    """Yield what an expression reads that holds others: `layers` of `layers[0]`."""
    while isinstance(owner, Op) and owner.op == "index":
        if fact == ARRAY:
            return  # its owner may be a list, or an array of an axis more
        owner, fact = owner.args[0], LIST
    if isinstance(owner, Var):
        yield owner, fact


def _is_text(key: Expr, known: Mapping[Var, Fact]) -> bool:
    if isinstance(key, Const):
        return isinstance(key.value, str)
    return isinstance(key, Var) and key in known and known[key].kind == "str"


def _listed(stmt: Stmt) -> Iterator[tuple[Var, Var]]:
    """Yield what is a list of the items, or keys, of another value, with that."""
    match stmt:
        case Assign((target,), Call(Ref("list" | "sorted"), (Var() as owner, *_))):
            yield target, owner


def _own_keys(stmt: Stmt, listed: Mapping[Var, Var]) -> Iterator[tuple[Var, Fact]]:
    """`for k in x: ... x[k]`: what is read by what it is gone through with is a dict."""
    if not isinstance(stmt, Loop) or not isinstance(stmt.iterable, Var):
        return
    owner = listed.get(stmt.iterable, stmt.iterable)
    for inner in statements(stmt.body):
        for expr in expressions(inner):
            for part in walk(expr):
                if part == Op("index", (owner, stmt.targets)):
                    yield owner, DICT


def _of_holders(stmt: Stmt, found: Mapping[Var, Fact]) -> Iterator[tuple[Var, Fact]]:
    """Yield what holds, or is, what is known to hold others."""
    match stmt:
        case Assign((target,), value) if target in found and not stmt.unpack:
            for part in _either(value):
                yield from _is(part, found[target])
        case Effect(Opaque() as copied):
            for new, old in changed_values(copied):
                yield from _same((new, old), found)
        case Update(new, old) | Pop(_, new, old):
            yield from ((old, found[new]) for _ in (1,) if new in found)
            yield from ((new, found[old]) for _ in (1,) if old in found)
        case If(merges=merges):
            for merge in merges:
                yield from _same((merge.out, merge.then, merge.orelse), found)
        case Loop(targets, iterable, _, carried):
            if isinstance(iterable, Var) and found.get(targets, ARRAY) != ARRAY:
                yield iterable, LIST
            for each in carried:
                yield from _same((each.head, each.init, each.end, each.exit), found)


def _either(value: Expr) -> Iterator[Expr]:
    if isinstance(value, Op) and value.op == "if":
        yield from (part for arm in value.args[1:] for part in _either(arm))
    else:
        yield value


def _same(held: tuple[Var | None, ...], found: Mapping[Var, Fact]) -> Iterator[tuple[Var, Fact]]:
    """Yield what is handed on as what it is elsewhere; an array may be none on another way."""
    known = (found[var] for var in held if var is not None and var in found)
    fact = next((each for each in known if each != ARRAY), None)
    if fact is not None:
        yield from ((var, fact) for var in held if var is not None)
