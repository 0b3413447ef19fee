"""Syntax that was copied as it stands is written out where it turns out to be differentiated.

k = [i for i in range(n)]       stays: k does not depend on what is differentiated
y = [c * x for x in u]          is opened: y = [] and a loop that appends to it
"""

from __future__ import annotations

import inspect
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator

import gast

from s2sad.ir.errors import Span
from s2sad.legacy.activity import active_values, flow, varied_values
from s2sad.legacy.behind import CACHED
from s2sad.legacy.calls import gives_record, is_python
from s2sad.legacy.copyable import attribute, words_of
from s2sad.legacy.desugar.factories import gives_function, is_factory
from s2sad.legacy.desugar.iterating import rule_of
from s2sad.legacy.desugar.tables import is_table
from s2sad.legacy.facts import Facts
from s2sad.legacy.normalise import wide
from s2sad.legacy.program import (
    Assign,
    Attr,
    Call,
    Effect,
    Expr,
    Loop,
    Op,
    Opaque,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    is_temp,
)
from s2sad.legacy.traverse import (
    defines,
    expressions,
    flat_targets,
    reads,
    rewrites,
    statements,
    walk,
)
from s2sad.source.names import root_of
from s2sad.source.plain import makes_records
from s2sad.source.trees import nodes_of

CONTAINERS = (dict, deque, defaultdict, OrderedDict, Counter)
CONSUMERS = frozenset("map filter functools.reduce reduce zip enumerate iter next list".split())


def active_places(program: Program, facts: Facts, wrt: tuple[str, ...]) -> frozenset[Span]:
    """Return the places where syntax is to be written out, because it is active."""
    return frozenset(_places(program, facts, wrt))


def _places(program: Program, facts: Facts, wrt: tuple[str, ...]) -> Iterator[Span]:
    active = active_values(program, wrt, facts.expr)
    for stmt in statements(program.body):
        if not _is_returned_dict(stmt, program):
            yield from _of_statement(stmt, active, facts)
    yield from _of_records(program, active, facts)
    yield from _of_objects(program, varied_values(program, wrt, facts.expr))
    for part in walk(program.result):
        if isinstance(part, Opaque):
            yield from _place(part)


def _of_records(program: Program, active: frozenset[Var], facts: Facts) -> Iterator[Span]:
    """Yield where dicts and objects are made that hold something active, or that are given it."""
    stmts = list(statements(program.body))
    slots = {var.slot for var in active}
    for stmt in stmts:
        if any(var in active for var in defines(stmt)) or _takes_active(stmt, active, facts):
            slots |= set(_owners(stmt))
    for stmt in reversed(stmts):  # what is called was read, or given another name, before
        slots |= set(_sources(stmt, slots))
    slots |= {maker for stmt in stmts for maker in _own_makers(stmt, slots)}
    for stmt in stmts:
        yield from _own_factory(stmt, slots)
        if not isinstance(stmt, Assign) or _is_returned_dict(stmt, program):
            continue
        if is_table(stmt, stmts):
            continue
        # what it holds may be written to through it, and be seen under another name
        holds = {var.slot for var in reads(stmt.value)}
        if not slots.isdisjoint({var.slot for var in stmt.targets} | holds):
            yield from _made_here(stmt)
    yield from _own_helpers(stmts, slots)
    yield from _lists_of_called(stmts, active)


def _lists_of_called(stmts: list[Stmt], active: frozenset[Var]) -> Iterator[Span]:
    """Yield where lists are made of functions, or objects, that are given something active."""
    slots = {
        owner
        for stmt in stmts
        if any(var in active for var in defines(stmt))
        for expr in expressions(stmt)
        for part in walk(expr)
        if isinstance(part, Call) and any(var in active for var in reads(part))
        for owner in _called(part.func)
    }
    behind: set[str] = set()
    for stmt in reversed(stmts):
        behind |= set(_sources(stmt, slots | behind))
    for stmt in stmts:
        match stmt:
            case Assign((target, *_), Opaque() as copied) if target.slot in slots | behind:
                if _makes_objects(copied):
                    yield from _place(copied)
    yield from _tables_of_called(stmts, slots, behind)


def _tables_of_called(stmts: list[Stmt], slots: set[str], behind: set[str]) -> Iterator[Span]:
    """Yield where tables and lists of functions are made, and what is `behind` those called.

    That is where functions are made that reach a call through a list, a dict, or a loop.
    """
    for stmt in stmts:
        match stmt:
            case Assign((target, *_), Op("list" | "tuple")) if target.slot in slots | behind:
                yield stmt.span
            case Assign((target, *_), Opaque(gast.ListComp() | gast.DictComp()) as copied):
                if target.slot in slots | behind:
                    yield from _place(copied)
            case Assign((target, *_), Opaque(gast.Lambda()) as copied) if target.slot in behind:
                yield from _place(copied)
            case Effect(Opaque(gast.FunctionDef(), writes=writes) as copied):
                if any(var.slot in behind for _, var in writes):
                    yield from _place(copied)
            case Update(Var(owner), op="append") if owner in slots | behind:
                yield stmt.span


def _called(func: Expr) -> Iterator[str]:
    """Yield the slot of the object that is called, or a method of which is, or of its list."""
    match func:
        case Var(slot) | Op("index", (Var(slot), _)):
            yield slot
        case Attr(owner):
            yield from _called(owner)


def _own_helpers(stmts: list[Stmt], slots: set[str]) -> Iterator[Span]:
    """Yield where functions are made inside that are handed dicts and objects, or give such."""
    records: set[str] = set()
    for stmt in stmts:
        if isinstance(stmt, Assign) and stmt.targets[0].slot in slots:
            if any(_made_here(stmt)) or (
                isinstance(stmt.value, Var) and stmt.value.slot in records
            ):
                records |= {var.slot for var in stmt.targets}
    handed = {
        part.func.slot
        for stmt in stmts
        for expr in expressions(stmt)
        for part in walk(expr)
        if isinstance(part, Call) and isinstance(part.func, Var)
        if any(isinstance(arg, Var) and arg.slot in records for arg in part.args)
    }
    for stmt in stmts:
        match stmt:
            case Effect(Opaque(gast.FunctionDef() as made, writes=writes) as copied):
                names = {var.slot for _, var in writes}
                if names & (handed | slots if _gives_record(made, copied) else handed):
                    yield from _place(copied)
            case Assign((named,), Opaque(gast.Lambda()) as copied) if named.slot in handed:
                yield from _place(copied)


def _gives_record(made: gast.FunctionDef, copied: Opaque) -> bool:
    """Tell whether a function made inside returns a dict, or an object, that it makes."""
    classes = {ref.text for ref in copied.globals if makes_records(ref.value)}
    given = [part.value for part in nodes_of(made) if isinstance(part, gast.Return)]
    parts = [part for value in given for part in getattr(value, "elts", [value])]
    return any(
        isinstance(part, gast.Dict | gast.DictComp)
        or (isinstance(part, gast.Call) and getattr(part.func, "id", "") in classes)
        for part in parts
    )


def _sources(stmt: Stmt, slots: set[str]) -> Iterator[str]:
    """Yield the slots that what a statement gives to one of `slots` was taken from."""
    match stmt:
        case Assign((target, *_), Op("list" | "tuple", args)) if target.slot in slots:
            yield from (arg.slot for arg in args if isinstance(arg, Var))
        case Assign((target, *_), Op("index", (Var(slot), _))) if target.slot in slots:
            yield slot
        case Assign((target, *_), Var(slot)):
            own = "$" in slot or is_temp(slot) or not {*"%$&"}.isdisjoint(target.slot)
            if target.slot in slots and own:
                yield slot
        case Update(Var(owner), op="append", value=Var(slot)) if owner in slots:
            yield slot
        case Loop(targets=targets, iterable=iterable) if iterable is not None:
            if any(target.slot in slots for target in flat_targets(targets)):
                yield from (var.slot for var in reads(iterable))


def _own_makers(stmt: Stmt, slots: set[str]) -> Iterator[str]:
    """Yield the slot of a function made inside that is called to make what is called."""
    match stmt:
        case Assign((target,), Call(Var(maker))) if target.slot in slots:
            yield maker


def _own_factory(stmt: Stmt, slots: set[str]) -> Iterator[Span]:
    """Yield where a function is made inside that makes others, some of which are called."""
    match stmt:
        case Effect(Opaque(gast.FunctionDef() as made, writes=writes) as copied):
            if gives_function(made) and any(var.slot in slots for _, var in writes):
                yield from _place(copied)


def _of_objects(program: Program, varied: frozenset[Var]) -> Iterator[Span]:
    """Yield where objects are made of what varies: their operators say what becomes of it."""
    for stmt in statements(program.body):
        match stmt:
            case Assign(
                _, Opaque(gast.Call(func=gast.Name() | gast.Attribute() as func)) as copied
            ) if isinstance(root_of(func), gast.Name):
                first, *rest = words_of(func)
                known = {ref.text: ref.value for ref in copied.globals}
                made = attribute(known.get(first), tuple(rest))
                if makes_records(made) and any(var in varied for var in reads(copied)):
                    yield from _place(copied)


def _is_returned_dict(stmt: Stmt, program: Program) -> bool:
    """Tell whether a statement makes a dict that the function returns at once, as it stands.

    One whose keys are spelled out is returned in parts.
    """
    match stmt:
        case Assign((target,), Opaque(gast.Dict() as node)) if is_temp(target.slot):
            return target in set(walk(program.result)) and not _is_spelled(node)
    return False


def _is_spelled(node: gast.Dict) -> bool:
    """Tell whether the keys of a dict, and of those in it, are literals."""
    inner = (value for value in node.values if isinstance(value, gast.Dict))
    return all(isinstance(key, gast.Constant) for key in node.keys) and all(map(_is_spelled, inner))


def _takes_active(stmt: Stmt, active: frozenset[Var], facts: Facts) -> bool:
    """Tell whether a statement that is made for its effect reads something active."""
    return isinstance(stmt, Effect) and any(v in active for v in flow(stmt.value, facts.expr))


def _owners(stmt: Stmt) -> Iterator[str]:
    """Yield the slots of which a statement uses attributes, and those that calls are given."""
    for part in (part for expr in expressions(stmt) for part in walk(expr)):
        match part:
            case Attr(Var(slot)):
                yield slot
            case Call(func, args):
                if isinstance(func, Var):
                    yield func.slot
                yield from (arg.slot for arg in args if isinstance(arg, Var))
            case Opaque(_, reads):
                yield from (var.slot for _, var in reads)


def _made_here(stmt: Assign) -> Iterator[Span]:
    value = stmt.value
    if isinstance(value, Opaque) and isinstance(value.node, gast.Dict | gast.Call | gast.DictComp):
        yield from _place(value)
    elif isinstance(value, Call) and isinstance(value.func, Attr):
        if value.func.name == "copy" and type(getattr(value.func.value, "value", None)) is dict:
            yield stmt.span  # of a dict of the module
    elif isinstance(value, Call) and isinstance(value.func, Ref):
        made = value.func.value
        whole = made in CONTAINERS or inspect.ismethod(made) or isinstance(made, CACHED)
        if whole or (is_python(value.func) and (is_factory(made) or gives_record(made, wide))):
            yield stmt.span


def _makes_objects(copied: Opaque) -> bool:
    """Tell whether syntax makes an object, or one for each item: `[Layer(W, b) for W, b in ...]`."""
    made = copied.node.elt if isinstance(copied.node, gast.ListComp) else copied.node
    match made:
        case gast.Call(func=gast.Name(id=maker)):
            return any(ref.text == maker and makes_records(ref.value) for ref in copied.globals)
    return False


def _of_statement(stmt: Stmt, active: frozenset[Var], facts: Facts) -> Iterator[Span]:
    def varies(expr: Expr) -> bool:
        return any(var in active for var in flow(expr, facts.expr))

    if (isinstance(stmt, Loop) and stmt.iterable is not None and varies(stmt.iterable)) or (
        isinstance(stmt, Update) and stmt.new in active and _changes_length(stmt, facts)
    ):
        yield stmt.span
    if _makes_function(stmt):
        return  # it is taken out, or lowered where it is called
    if isinstance(stmt, Effect) and isinstance(stmt.value, Opaque):
        if any(var in active for var in defines(stmt)) and not _writes_array(stmt.value, facts):
            yield from _place(stmt.value)
        return
    if not isinstance(stmt, Loop) and not any(var in active for var in defines(stmt)):
        return
    for expr in expressions(stmt):
        for part in walk(expr):
            if isinstance(part, Opaque) and varies(part):
                yield from _place(part)
            elif isinstance(part, Call) and isinstance(part.func, Ref):
                opened = _goes_through(part) or _compares(part, facts) or _is_starred(part)
                if isinstance(stmt, Assign) and opened:
                    yield stmt.span


def _is_starred(call: Call) -> bool:
    """Tell whether a call of a Python function is given something starred."""
    starred = any(isinstance(each, Op) and each.op == "star" for each in call.args)
    return starred and is_python(call.func)


def _goes_through(call: Call) -> bool:
    """Tell whether a call goes through something at once, as map does, or max with a key."""
    text = call.func.text if isinstance(call.func, Ref) else ""
    words = {word for word, _ in call.keywords}
    ordered = text in ("max", "min", "sorted") and not words.isdisjoint({"key", "default"})
    function = call.func.value if isinstance(call.func, Ref) else None
    return ordered or text in CONSUMERS or rule_of(function) is not None


def _compares(call: Call, facts: Facts) -> bool:
    """Tell whether max or min is asked for one of several tuples."""
    several = isinstance(call.func, Ref) and call.func.text in ("max", "min") and len(call.args) > 1
    return several and any(facts.expr(each).kind == "tuple" for each in call.args)


def _makes_function(stmt: Stmt) -> bool:
    match stmt:
        case Effect(Opaque(gast.FunctionDef())) | Assign(_, Opaque(gast.Lambda())):
            return True
    return False


def _writes_array(copied: Opaque, facts: Facts) -> bool:
    """Tell whether a statement is a call of a method of an array: those of lists are written out."""
    match copied.node:
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr=name))):
            held = dict(copied.reads).get(owner)
            kind = "unknown" if held is None else facts.of(held).kind
            return kind == "array" or (name in ("sort", "partition") and kind != "list")
    return False


def _changes_length(stmt: Update, facts: Facts) -> bool:
    """Tell whether a write is one that adds to a list, or replaces a part of it."""
    given = facts.expr(stmt.value).kind in ("list", "tuple")
    if facts.of(stmt.old).kind != "list" or (given and rewrites(stmt)):
        return False
    if stmt.index is None:
        named = isinstance(stmt.value, Var) and not is_temp(stmt.value.slot)
        return stmt.op == "+" and not (given and named)
    return isinstance(stmt.index, Op) and stmt.index.op == "slice"


def _place(copied: Opaque) -> Iterator[Span]:
    if copied.place is not None:
        yield copied.place
