"""A write in place is only left where the derivative owns the memory and nobody else reads it.

u_bar = v                        u_bar = v.copy()
u_bar[0] += q_bar        ->      u_bar[0] += q_bar

x_bar = s_bar                    x_bar = s_bar
x_bar += e               ->      x_bar = x_bar + e       where s_bar is still read
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile

import numpy as np

from s2sad.ir.errors import InternalError
from s2sad.legacy.assume import is_check
from s2sad.legacy.blocks import map_blocks, map_expressions, renamed
from s2sad.legacy.calls import is_mixed
from s2sad.legacy.conflicts import Share, apart_by_flag, seen_by
from s2sad.legacy.facts import Fact
from s2sad.legacy.facts.device import is_held_number
from s2sad.legacy.facts.holding import asked_what_they_are
from s2sad.legacy.homes import order_made
from s2sad.legacy.liveness import needed_values, walk_live
from s2sad.legacy.memory import (
    NOTHING,
    READ_ONLY,
    UNCHANGING,
    Part,
    Roots,
    adds_to_item,
    changed_by,
    own_memory,
    spread,
    writes_of,
    written_memory,
)
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.scope import Numbers
from s2sad.legacy.silence import silenced
from s2sad.legacy.storage import roots_of
from s2sad.legacy.together import pairs_of
from s2sad.legacy.traverse import is_path, reads, statements, substitute, value_reads, walk

Known = Callable[[Var], Fact]
LIST = Ref("list", list)
COPIED = Ref("_copied", "printed")
SHAPED_AS = Ref("_shaped_as", "printed")
DEEP_COPY = Ref("copy.deepcopy", copy.deepcopy)
ROUNDS = 30


def owned(program: Program, fact: Known, numbers: Numbers) -> Program:
    """Return the program with copies, and sums out of place, where a write would be seen."""
    for number in range(ROUNDS):
        program = silenced(program, fact)
        roots = roots_of(program, fact)
        wrong = _wrong_writes(program, roots, pairs_of(program, fact).may_share, fact)
        if not wrong:
            return replace(program, body=_as_written(program.body, fact))
        if number < ROUNDS // 2:
            program = _mended(program, wrong, roots, fact, numbers)
        else:  # a copy right before the write is always enough
            body = _copied_before(program.body, wrong, fact, numbers)
            program = replace(program, body=body)
    raise InternalError("a write in place could not be separated from what it shares")


def _as_written(block: Block, fact: Known) -> Block:
    """Write `u[i] = u[i] * c` as the user did, `u[i] *= c`, but where that writes to an item."""

    def one(stmt: Stmt) -> Stmt:
        match stmt:
            case Update(_, old, index, "=", Op(op, (Op("index", (owner, key)), value))):
                same = (owner, key) == (old, index) and f"{op}=" in stmt.span.text()
                if same and not adds_to_item(replace(stmt, op=op), fact):
                    return replace(stmt, op=op, value=value)
        return map_blocks(stmt, lambda inner: _as_written(inner, fact))

    return tuple(map(one, block))


Wrong = dict[Var, frozenset[object]]


def _wrong_writes(program: Program, roots: Roots, share: Share, fact: Known) -> Wrong:
    """Return the updates (by the value they make) that are seen elsewhere, with the memory."""
    params = [param.var for param in program.params if not param.owned]
    foreign: frozenset[object] = frozenset([*params, *map(Part, params)])
    needed = needed_values(program)
    made, apart = order_made(program), apart_by_flag(program)
    found: Wrong = {}

    def visit(stmt: Stmt, live: frozenset[Var]) -> None:
        for write in changed_by(stmt):  # what it shares with others was refused before
            if fact(write.old).kind in UNCHANGING:
                continue
            theirs = {root for root in written_memory(write, roots) if root in foreign}
            if theirs:
                found[write.new] = frozenset(theirs)
        if not isinstance(stmt, Update | Pop) or getattr(stmt, "silent", False):
            return
        mine = written_memory(stmt, roots)
        shared: set[object] = {r for r in mine if r in foreign or isinstance(r, Ref)}
        live = frozenset(var for var in live if made.get(var, -1) < made[stmt.new])
        for other in seen_by(stmt, live & needed, apart):
            if share(stmt.old, other):
                shared |= mine & spread(roots.get(other, NOTHING))
        if shared:
            found[stmt.new] = frozenset(shared)

    walk_live(program.body, frozenset(reads(program.result)), visit, value_reads)
    return found


def _mended(program: Program, wrong: Wrong, roots: Roots, fact: Known, numbers: Numbers) -> Program:
    out_of_place = _items_apart(program.body, wrong, fact, numbers)
    if out_of_place is None:
        out_of_place = _summed_apart(program.body, wrong)
    if out_of_place is not None:
        return replace(program, body=out_of_place)
    shared = frozenset(root for roots_ in wrong.values() for root in roots_)
    asked = asked_what_they_are(program)  # one that may be None is not copied at once
    params = [param.var for param in program.params if param.var in shared - asked]
    copied = _copied_bindings(program.body, shared, wrong, roots, fact, numbers)
    if copied is not None:
        return replace(program, body=copied)
    for param in params:
        return _own_param(program, param, fact, numbers)
    body = _copied_before(program.body, wrong, fact, numbers)
    return replace(program, body=body)


# ---------------------------------------------------------------- x_bar = x_bar + e


def _summed_apart(block: Block, wrong: Wrong) -> Block | None:
    """Turn whole updates into assignments; None if there are none."""
    changed = False

    def one(stmt: Stmt) -> Stmt:
        nonlocal changed
        if isinstance(stmt, Update) and stmt.new in wrong and stmt.index is None:
            if stmt.op != "append":
                changed = True
                return Assign((stmt.new,), Op(stmt.op, (stmt.old, stmt.value)), stmt.span)
        return map_blocks(stmt, lambda inner: tuple(map(one, inner)))

    out = tuple(map(one, block))
    return out if changed else None


def _items_apart(block: Block, wrong: Wrong, fact: Known, numbers: Numbers) -> Block | None:
    """Turn sums in items of lists into new items; None if there are none."""
    changed = False

    def one(stmt: Stmt) -> Block:
        nonlocal changed
        if isinstance(stmt, Update) and stmt.new in wrong and adds_to_item(stmt, fact):
            changed = True
            item = numbers.temp("item")
            total = Op(stmt.op, (Op("index", (stmt.old, stmt.index)), stmt.value))  # type: ignore[arg-type]
            made = Assign((item,), total, stmt.span)
            return made, replace(stmt, op="=", value=item)
        return (map_blocks(stmt, over),)

    def over(inner: Block) -> Block:
        return tuple(each for stmt in inner for each in one(stmt))

    out = over(block)
    return out if changed else None


# ---------------------------------------------------------------- copies


def _copied_bindings(
    block: Block,
    shared: frozenset[object],
    wrong: Wrong,
    roots: Roots,
    fact: Known,
    numbers: Numbers,
) -> Block | None:
    """Copy where what is written is bound to shared memory; else where the other reader is."""
    written = _leading_to(block, wrong)
    for wanted in (lambda var: var in written, lambda var: "~" in var.slot):
        changed = False

        def one(stmt: Stmt) -> Block:
            nonlocal changed
            if isinstance(stmt, Assign) and stmt.unpack and is_mixed(stmt.value):
                theirs = [t for t in stmt.targets if wanted(t) and shared & roots[t]]  # noqa: B023
                changed = changed or bool(theirs)
                return _copied_parts(stmt, theirs, fact, numbers)
            if isinstance(stmt, Pop) and wanted(stmt.target):  # noqa: B023
                if shared & spread(roots.get(stmt.target, NOTHING)):
                    changed = True
                    return _copied_item(stmt, fact, numbers)
            if isinstance(stmt, Assign) and not stmt.unpack and wanted(stmt.target):  # noqa: B023
                if _shares(stmt, shared, roots, fact):
                    changed = True
                    return (replace(stmt, value=copy_of(stmt.value, fact, stmt.target)),)
            return (map_blocks(stmt, over),)

        def over(inner: Block) -> Block:
            return tuple(each for stmt in inner for each in one(stmt))

        out = over(block)
        if changed:
            return out
    return None


def _leading_to(block: Block, wrong: Wrong) -> frozenset[Var]:
    """Return the values that become, by writes, branches and passes, what is written to."""
    before: dict[Var, list[Var | None]] = {}
    for stmt in statements(block):
        for write in writes_of(stmt):
            before[write.new] = [write.old]
        if isinstance(stmt, If):
            before |= {merge.out: [merge.then, merge.orelse] for merge in stmt.merges}
        elif isinstance(stmt, Loop):
            before |= {each.head: [each.init, each.end] for each in stmt.carried}
            before |= {each.exit: [each.init, each.end] for each in stmt.carried}
    found: set[Var] = set()
    waiting: list[Var | None] = list(wrong)
    while waiting:
        var = waiting.pop()
        if var is not None and var not in found:
            found.add(var)
            waiting += before.get(var, ())
    return frozenset(found)


def _copied_item(stmt: Pop, fact: Known, numbers: Numbers) -> Block:
    """Copy what is taken out of a list, once and where it is taken."""
    taken = numbers.next(stmt.target.slot)
    known = fact(stmt.target).kind != "unknown"
    copy = copy_of(taken, fact, stmt.target) if known else Call(COPIED, (taken,))
    copied = Assign((stmt.target,), copy, stmt.span)
    return replace(stmt, target=taken), copied


def _copied_parts(stmt: Assign, parts: list[Var], fact: Known, numbers: Numbers) -> Block:
    """Copy some of the values that one call gives: its results may share memory."""
    given = {part: numbers.next(part.slot) for part in parts}
    targets = tuple(given.get(target, target) for target in stmt.targets)
    copies = (
        Assign((part,), copy_of(value, fact, part), stmt.span) for part, value in given.items()
    )
    return (replace(stmt, targets=targets), *copies)


def _shares(stmt: Assign, shared: frozenset[object], roots: Roots, fact: Known) -> bool:
    """Tell whether an assignment makes another name of shared memory, which a copy would not."""
    memory, value = roots.get(stmt.target, NOTHING), stmt.value
    # a copy of a list holds the same items
    is_list = fact(stmt.target).kind == "list" or (isinstance(value, Call) and value.func == LIST)
    mine = (own_memory(memory) if is_list else spread(memory)) & shared
    read = frozenset(root for var in reads(value) for root in spread(roots.get(var, NOTHING)))
    read |= {part for part in walk(value) if isinstance(part, Ref)}
    if isinstance(value, Call) and READ_ONLY in mine:
        return True  # made by the call itself
    return bool(mine & read)


def copy_of(value: Expr, fact: Known, like: Var) -> Expr:
    """Return a copy of an array, of a list, or of what may be either."""
    known = fact(like)
    if known.kind in ("list", "tuple"):  # the adjoint of a tuple is a list
        return Call(COPIED if _holds_lists(known) else LIST, (value,))
    if known.is_object:
        return Call(DEEP_COPY, (value,))
    if known.kind == "dict":
        return Call(COPIED, (value,))
    if is_held_number(known):
        return Op("u+", (value,))
    if known.is_array:
        return Call(Attr(value, "copy"))
    if isinstance(value, Call) and value.func == SHAPED_AS:  # it may be a list
        return Call(COPIED, (value,))
    return Call(Ref("np.copy", np.copy), (value,))


def _holds_lists(known: Fact) -> bool:
    """Tell whether a list holds lists of numbers, of which one may be written to where it stands."""
    rows = known.kind == "list" and all(item.kind == "list" for item in known.items)
    return rows and any(item.items and item.items[0].is_scalar for item in known.items)


def _own_param(program: Program, param: Var, fact: Known, numbers: Numbers) -> Program:
    """Begin the derivative with a copy of an argument that it writes to."""
    mine = numbers.next(param.slot)
    begun = list(takewhile(lambda stmt: is_check(stmt) or _is_kept(stmt), program.body))
    checks = tuple(filter(is_check, begun))  # they ask what the caller gave
    rest = (*(stmt for stmt in begun if not is_check(stmt)), *program.body[len(begun) :])
    body = renamed(rest, lambda var: mine if var == param else var)
    result = substitute(program.result, lambda var: mine if var == param else var)
    start = Assign((mine,), _copy_of_param(program, param, fact), program.span)
    return replace(program, body=(*checks, start, *body), result=result)


def _copy_of_param(program: Program, param: Var, fact: Known) -> Expr:
    seen = statements(program.body)
    unseen = any(write.old.slot == param.slot for stmt in seen for write in changed_by(stmt))
    # what a copied statement is given may as well be None, a function, or an object
    unsure = unseen and fact(param).kind == "unknown"
    return Call(DEEP_COPY, (param,)) if unsure else copy_of(param, fact, param)


def _is_kept(stmt: Stmt) -> bool:
    """Tell whether a statement keeps an argument for the reverse sweep."""
    return isinstance(stmt, Assign) and "~" in stmt.targets[0].slot


def _copied_before(block: Block, wrong: Wrong, fact: Known, numbers: Numbers) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, Update | Pop) and stmt.new in wrong:
            mine = numbers.next(stmt.old.slot)
            adds = isinstance(stmt, Pop) or stmt.op in ("append", "insert")
            is_list = adds or fact(stmt.old).kind == "list"
            like = stmt.new if fact(stmt.old).kind == "unknown" else stmt.old
            inside = isinstance(stmt, Update) and is_path(stmt.index)
            whole = Call(COPIED if inside else LIST, (stmt.old,))
            value = whole if is_list or inside else copy_of(stmt.old, fact, like)
            out += [Assign((mine,), value, stmt.span), _written_to(stmt, mine)]
        elif isinstance(stmt, Effect):
            out += _on_copies(stmt, wrong, fact, numbers)
        else:
            out.append(map_blocks(stmt, lambda inner: _copied_before(inner, wrong, fact, numbers)))
    return tuple(out)


def _on_copies(stmt: Effect, wrong: Wrong, fact: Known, numbers: Numbers) -> Iterator[Stmt]:
    """Yield what a copied statement writes to as copies, and the statement that writes to those."""
    mine = {
        write.old: numbers.next(write.old.slot) for write in changed_by(stmt) if write.new in wrong
    }
    for old, copied in mine.items():
        unknown = fact(old).kind == "unknown"  # a text, or None, stays what it is
        value = Call(DEEP_COPY, (old,)) if unknown else copy_of(old, fact, old)
        yield Assign((copied,), value, stmt.span)
    yield map_expressions(stmt, lambda expr: substitute(expr, lambda var: mine.get(var, var)))


def _written_to(stmt: Update | Pop, mine: Var) -> Stmt:
    """Return the write to a copy; what the statement reads of the original is in the copy too."""
    written = map_expressions(
        stmt, lambda expr: substitute(expr, lambda var: mine if var == stmt.old else var)
    )
    assert isinstance(written, Update | Pop)
    return replace(written, old=mine)
