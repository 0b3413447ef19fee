"""Loops are made ready to run backwards: their passes can be counted and their items indexed.

What one operation makes gets a name before it is unpacked, so that it has an adjoint.

    for row in A: ...            ->      for k in range(len(A)): row = A[k] ...
    while test: ...              ->      passes = 0 ; while test: passes += 1 ...
    if u[i] > 1: u[i] = 1        ->      test = u[i] > 1 ; if test: u[i] = 1        (in a loop)
    x, y = A @ b                 ->      item = A @ b ; x, y = item

Counters that the reverse sweep does not read disappear again as dead code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy.blocks import all_defines
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import (
    NONE,
    Assign,
    Attr,
    Block,
    Call,
    Carried,
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
)
from s2sad.legacy.rules import find
from s2sad.legacy.scope import Numbers
from s2sad.legacy.traverse import (
    flat_targets,
    is_nested,
    reads,
    renamed_targets,
    substitute,
    value_reads,
)

Own = frozenset[Any] | None
RANGE = Ref("range", range)
LEN = Ref("len", len)
LIST = Ref("list", list)
SEQUENCE_FUNCTIONS = frozenset({"range", "reversed", "enumerate", "zip"})


def prepare(
    program: Program,
    numbers: Numbers,
    fact: Callable[[Expr], Fact],
    active: Callable[[Expr], bool],
) -> Program:
    """Return the program with loops that can be run backwards; `active` tells what varies."""
    return replace(program, body=_block(program.body, numbers, fact, active, None))


def _block(block: Block, numbers: Numbers, fact: Any, active: Any, around: Own) -> Block:
    """Return a block made ready; `around` are the values that the loop around it makes."""
    out: list[Stmt] = []
    for stmt in block:
        match stmt:
            case If():
                then = _block(stmt.then, numbers, fact, active, around)
                orelse = _block(stmt.orelse, numbers, fact, active, around)
                test = _named_test(stmt, numbers, fact, around, out)
                out.append(replace(stmt, test=test, then=then, orelse=orelse))
            case Loop():
                own = frozenset(all_defines(stmt))
                inner = replace(stmt, body=_block(stmt.body, numbers, fact, active, own))
                out += _loop(inner, numbers, fact, active, around)
            case Assign(unpack=True) if active(stmt.value) and _is_one(stmt.value, fact):
                whole = numbers.temp("item")
                out.append(Assign((whole,), stmt.value, stmt.span))
                out.append(replace(stmt, value=whole))
            case _:
                out.append(stmt)
    return tuple(out)


def _named_test(branch: If, numbers: Numbers, fact: Any, around: Own, out: list[Stmt]) -> Expr:
    """Give a test a name where it reads arrays that the loop writes: it is saved instead of them."""
    written = {var.slot for var in around or ()}
    arrays = [var for var in value_reads(branch.test) if fact(var).kind in ("array", "list")]
    if not written.intersection(var.slot for var in arrays) or isinstance(branch.test, Var):
        return branch.test
    test = numbers.temp("test")
    out.append(Assign((test,), branch.test, branch.span))
    return test


def _is_one(value: Expr, fact: Any) -> bool:
    """Tell whether what is unpacked is one object that an operation makes, as in `x, y = A @ b`."""
    match value:
        case Op(op):
            return op not in ("tuple", "list")
        case Call() | Attr():
            found = find(value, fact)
            return found is not None and not found.several
    return False


def _loop(loop: Loop, numbers: Numbers, fact: Any, active: Any, around: Own) -> list[Stmt]:
    before: list[Stmt] = []
    if isinstance(loop.iterable, Var) and fact(loop.iterable).kind == "dict":
        return _over_keys(loop, numbers)
    own = around is None or loop.iterable in around
    if own and _over_list(loop, fact) and active(loop.iterable) and not loop.breaks:
        loop = _own_iterable(_with_targets_assigned(loop, numbers, active), numbers, before)
        return [*before, loop]  # its items get their adjoints one by one, in a list
    if loop.iterable is not None and active(loop.iterable):
        loop = _own_iterable(loop, numbers, before)
        if any(fact(var).is_object for var in reads(loop.iterable)):  # type: ignore[arg-type]
            raise _not_by_position(loop.span)  # a set, or what never ends
        loop = indexed(loop, numbers)
    elif loop.iterable is not None and not _repeatable(loop.iterable, fact):
        items = numbers.temp("items")
        before.append(Assign((items,), Call(LIST, (loop.iterable,)), loop.span))
        loop = replace(loop, iterable=items)
    loop = _with_targets_assigned(loop, numbers, active)
    if loop.iterable is None or loop.breaks:
        start, loop = _counted(loop, numbers)
        before.append(start)
    return [*before, loop]


def _with_targets_assigned(loop: Loop, numbers: Numbers, active: Any) -> Loop:
    """Give items to names that vary before the loop in its body, so that these are overwritten."""
    varying = {each.head.slot for each in loop.carried if active(each.exit)}
    taken = flat_targets(loop.targets) if loop.iterable is not None else ()
    new = {var: numbers.temp(base(var.slot)) for var in taken if var.slot in varying}
    if not new:
        return loop
    first = tuple(Assign((var,), item, loop.span) for var, item in new.items())
    targets = renamed_targets(loop.targets, lambda var: new.get(var, var))
    return replace(loop, targets=targets, body=(*first, *loop.body))


def _over_keys(loop: Loop, numbers: Numbers) -> list[Stmt]:
    """Go over the keys that a dict has before the first pass."""
    keys = numbers.temp("keys")
    before: list[Stmt] = [Assign((keys,), Call(LIST, (loop.iterable,)), loop.span)]  # type: ignore[arg-type]
    loop = replace(loop, iterable=keys)
    if loop.breaks:
        start, loop = _counted(loop, numbers)
        before.append(start)
    return [*before, loop]


def _own_iterable(loop: Loop, numbers: Numbers, before: list[Stmt]) -> Loop:
    """Keep what is iterated over under a name of its own, where the body rebinds its name."""
    rebound = {each.head.slot for each in loop.carried}
    iterable = loop.iterable
    assert iterable is not None
    new: dict[Var, Var] = {}
    for var in dict.fromkeys(reads(iterable)):
        if var.slot in rebound:
            new[var] = numbers.temp("items")
            before.append(Assign((new[var],), var, loop.span))
    return replace(loop, iterable=substitute(iterable, lambda var: new.get(var, var)))


def _over_list(loop: Loop, fact: Any) -> bool:
    iterable = loop.iterable
    if not isinstance(iterable, Var):
        return False
    kind = fact(iterable).kind
    # what is unpacked item by item is a list, where nothing else is known
    return kind in ("list", "tuple") or (kind == "unknown" and is_nested(loop.targets))


def _repeatable(iterable: Expr, fact: Any) -> bool:
    """Tell whether an iterable gives the same items when it is evaluated a second time."""
    match iterable:
        case Call(Ref(text), args):
            return text in SEQUENCE_FUNCTIONS and (
                text == "range" or all(_repeatable(arg, fact) for arg in args)
            )
        case Var() | Ref() | Op("tuple" | "list" | "index", _):
            return fact(iterable).kind in ("array", "list", "tuple", "str")
    return False


# ---------------------------------------------------------------- items by position


def indexed(loop: Loop, numbers: Numbers) -> Loop:
    """Return a loop over positions that reads its items, so that each has an adjoint."""
    position = numbers.temp("k")
    length, items = _items(loop.iterable, loop.targets, position, loop.span)
    reads_: list[Stmt] = []
    for target, value in items:
        _store(target, value, loop.span, numbers, reads_)
    iterable = Call(RANGE, (length,))
    return replace(loop, targets=position, iterable=iterable, body=(*reads_, *loop.body))


def _items(
    iterable: Any, targets: Any, position: Var, span: Span
) -> tuple[Expr, list[tuple[Any, Expr]]]:
    match iterable:
        case Var() | Ref(_, list() | tuple() | np.ndarray() | range()) | Call(Ref("range")):
            return Call(LEN, (iterable,)), [(targets, Op("index", (iterable, position)))]
        case Call(Ref("enumerate"), (inner,), ()) if is_nested(targets):
            length, items = _items(inner, targets[1], position, span)
            return length, [(targets[0], position), *items]
        case Call(Ref("enumerate") as func, (inner,), (("start", start),)):
            return _items(Call(func, (inner, start)), targets, position, span)
        case Call(Ref("enumerate"), (inner, start), ()) if is_nested(targets):
            length, items = _items(inner, targets[1], position, span)
            return length, [(targets[0], Op("+", (position, start))), *items]
        case Call(Ref("reversed"), (Var() as inner,), ()):
            back = Op("-", (Op("-", (Call(LEN, (inner,)), Const(1))), position))
            return Call(LEN, (inner,)), [(targets, Op("index", (inner, back)))]
        case Call(Ref("zip"), args) if is_nested(targets) and len(args) == len(targets):
            lengths, items = [], []
            for arg, target in zip(args, targets, strict=True):
                length, more = _items(arg, target, position, span)
                lengths.append(length)
                items += more
            if len(lengths) > 1:
                return Call(Ref("min", min), tuple(lengths)), items
            return lengths[0], items
    raise _not_by_position(span)


def _not_by_position(span: Span) -> Unsupported:
    """Return the refusal of a loop over what has no positions."""
    error = Unsupported(
        "a loop over this is not differentiated",
        span,
        "Give what is iterated over a name, and loop over that or over range(len(...)).",
    )
    error.certain = False
    return error


def _store(target: Any, value: Expr, span: Span, numbers: Numbers, out: list[Stmt]) -> None:
    if isinstance(target, Var):
        out.append(Assign((target,), value, span))
        return
    item = numbers.temp("item")
    out.append(Assign((item,), value, span))
    for number, part in enumerate(target):
        _store(part, Op("index", (item, Const(number))), span, numbers, out)


# ---------------------------------------------------------------- counted passes


def _counted(loop: Loop, numbers: Numbers) -> tuple[Stmt, Loop]:
    """Return `passes = 0` and the loop that counts its passes."""
    slot = numbers.temp("passes").slot
    start, head, end, exit_ = (numbers.next(slot) for _ in range(4))
    count = Update(end, head, None, "+", Const(1), loop.span)
    carried = (*loop.carried, Carried(head, start, end, exit_))
    zero = Assign((start,), Const(0), loop.span)
    return zero, replace(loop, carried=carried, body=(count, *loop.body))


def passes_of(loop: Loop) -> Var | None:
    """Return the number of passes that a counted loop ran, known after it."""
    for each in loop.carried:
        if each.head.slot.startswith("passes%"):
            return each.exit
    return None


def backwards(loop: Loop) -> Expr:
    """Return what the reversed loop iterates over."""
    passes = passes_of(loop)
    if loop.iterable is None:
        assert passes is not None
        return Call(Ref("reversed", reversed), (Call(RANGE, (passes,)),))
    iterable = loop.iterable
    if isinstance(iterable, Call) and isinstance(iterable.func, Ref):
        if iterable.func.text in SEQUENCE_FUNCTIONS - {"range"}:
            iterable = Call(LIST, (iterable,))
    if passes is not None:
        iterable = Op("index", (iterable, Op("slice", (NONE, passes, NONE))))
    return Call(Ref("reversed", reversed), (iterable,))
