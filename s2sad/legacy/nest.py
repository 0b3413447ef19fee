"""Temporaries go back into the expressions they came from.

    x%1 = 2.0 * x ; y = np.sin(x%1)             ->   y = np.sin(2.0 * x)
    t~bar = 0.5 * x~bar ; x~bar' = t~bar        ->   x~bar' = 0.5 * x~bar

A temporary moves to its only use when nothing in between changes what it reads.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TypeGuard

from s2sad.legacy.blocks import (
    all_defines,
    all_reads,
    all_updates,
    map_blocks,
    map_expressions,
    pinned,
)
from s2sad.legacy.branches import conditional, sunk
from s2sad.legacy.copies import constants_put_in, postponed, without_idle_copies
from s2sad.legacy.memory import NOTHING, Roots
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
    Opaque,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.readded import given_at_once
from s2sad.legacy.tidy import is_pure
from s2sad.legacy.traverse import (
    SHAPE_ATTRIBUTES,
    WHOLE,
    children,
    expressions,
    reads,
    substitute,
    walk,
)
from s2sad.legacy.zeros import zeroed_late

WINDOW = 40
SIZE, NAMED = 18, 12  # of an expression that takes in a part; a value that has a name of the user's


@dataclass
class Nesting:
    """What is known while one program is nested."""

    roots: Roots
    uses: Counter[Var]
    pinned: frozenset[Var]
    renamed: frozenset[str]  # what is computed again and cannot have its name, which another has


def nested(program: Program, roots: Roots) -> Program:
    """Return the program with temporaries moved into the expressions that use them."""
    program = given_at_once(postponed(without_idle_copies(program)))
    program = constants_put_in(conditional(zeroed_late(program)))
    state = Nesting(roots, _uses(program), pinned(program.body), _renamed(program.body))
    body = _nest_block(program.body, state)
    return sunk(_returned(replace(program, body=body)))


def _returned(program: Program) -> Program:
    """Return the program that returns x_bar[::-1] without giving it a name first."""
    match program.body[-1:], program.result:
        case (Assign((target,), Op("index", (Var() as owner, key)), unpack=False),), result:
            if result == target and "~" in target.slot and not any(reads(key)):
                last = Op("index", (owner, key))
                return replace(program, body=program.body[:-1], result=last)
    return program


def _uses(program: Program) -> Counter[Var]:
    uses: Counter[Var] = Counter(reads(program.result))
    uses.update(reads(program.result))  # what is returned stays a name
    for stmt in program.body:
        uses.update(all_reads(stmt))
    return uses


def _renamed(block: Block) -> frozenset[str]:
    """Return the slots of values that are computed again beside another value of their name."""
    again = {var.slot for stmt in block for var in all_defines(stmt) if "~back" in var.slot}
    names = Counter(base(slot) for slot in again if not is_temp(slot))
    return frozenset(slot for slot in again if names[base(slot)] > 1)


# ---------------------------------------------------------------- one block


def _nest_block(block: Block, state: Nesting) -> Block:
    out: list[Stmt] = [map_blocks(stmt, lambda inner: _nest_block(inner, state)) for stmt in block]
    # first the parts of a value into its line, then the value: what is long stays in one piece
    for whole in (False, True):
        _nest_tangents(out, state, whole)
        position = len(out) - 1
        while position >= 0:
            if _movable(out[position], state, whole) and _move(out, position, state):
                del out[position]
            position -= 1
    return tuple(out)


def _nest_tangents(out: list[Stmt], state: Nesting, whole: bool) -> None:
    """Move tangents into their uses, the parts of parts first: where one is long, it ends there."""
    left = {stmt.target for stmt in out if _is_tangent(stmt) and _movable(stmt, state, whole)}
    while left:
        before = len(left)
        for position in range(len(out) - 1, -1, -1):
            stmt = out[position]
            if _is_tangent(stmt) and stmt.target in left and left.isdisjoint(reads(stmt.value)):
                left.remove(stmt.target)
                if _move(out, position, state):
                    del out[position]
        if len(left) == before:
            return


def _is_tangent(stmt: Stmt) -> TypeGuard[Assign]:
    return isinstance(stmt, Assign) and "~dot" in stmt.target.slot


def _movable(stmt: Stmt, state: Nesting, whole: bool) -> bool:
    """Tell whether a statement gives a name to a part, or to a `whole` that the user has named."""
    if not isinstance(stmt, Assign) or stmt.unpack or len(stmt.targets) != 1:
        return False
    target = stmt.target
    invented = is_temp(target.slot) or (whole and "~" in target.slot)
    return invented and target not in state.pinned and state.uses[target] > 0


def _move(out: list[Stmt], position: int, state: Nesting) -> bool:
    """Move the temporary defined at `position` into its uses; tell whether it was done."""
    stmt = out[position]
    assert isinstance(stmt, Assign)
    target, value = stmt.target, stmt.value
    if state.uses[target] > 1 and not _repeatable(value, state.uses[target], target):
        later = out[position + 1 :]
        as_factor = _is_filled(value) or _is_turned(value)
        if not (as_factor and _only_multiplied(later, target, state)):
            return False
    places = _places(out, position, target, state.uses[target])
    if places is None or not _undisturbed(out, position, places[-1], value, state):
        return False
    if not is_pure(value) and places != [position + 1]:
        return False
    if not all(_fits(out[place], target, value, state) for place in places):
        return False
    for place in places:
        out[place] = _with(out[place], target, value)
    _recount(state, target, value)
    return True


def _recount(state: Nesting, target: Var, value: Expr) -> None:
    times = state.uses.pop(target)
    for var in reads(value):
        state.uses[var] += times - 1


def _repeatable(value: Expr, times: int, target: Var) -> bool:
    """Tell whether an expression may be written several times: a name, constant or element."""
    match value:
        case Var() | Const() | Ref():
            return True
        case Attr(Var(), name):
            return name == "T" or name in SHAPE_ATTRIBUTES
        case Op("index", (Var(), key)):
            plain_key = not any(isinstance(part, Call | Opaque) for part in walk(key))
            return times <= 2 and plain_key and "~" in target.slot
    return False


def _is_filled(value: Expr) -> bool:
    match value:
        case Call(Ref("np.full_like"), (Var(), Const()), ()):
            return True
    return False


def _is_turned(value: Expr) -> bool:
    """Tell whether a value is another one with its sign turned: `-=` says it as well."""
    return isinstance(value, Op) and value.op == "u-" and isinstance(value.args[0], Var)


def _only_multiplied(later: list[Stmt], target: Var, state: Nesting) -> bool:
    """Tell whether a value is only a factor or divided: a spread number then becomes a number."""
    found = 0
    for stmt in later:
        for expr in expressions(stmt):
            for part in walk(expr):
                if isinstance(part, Op) and part.op in ("*", "/"):
                    factors = part.args if part.op == "*" else part.args[:1]
                    found += sum(arg == target for arg in factors)
    return found == state.uses[target]


def _places(out: list[Stmt], position: int, target: Var, times: int) -> list[int] | None:
    """Return the later statements of this block that hold all uses of `target`."""
    found: list[int] = []
    seen = 0
    for place in range(position + 1, min(len(out), position + WINDOW)):
        here = _own_uses(out[place], target)
        if here:
            found.append(place)
            seen += here
        if seen >= times:
            return found if seen == times else None
    return None


def _own_uses(stmt: Stmt, target: Var) -> int:
    """Count uses in a statement; in a branch they count, in a loop's body they forbid moving."""
    count = sum(1 for var in all_reads(stmt) if var == target)
    if isinstance(stmt, Loop) and count:
        own = [stmt.iterable] if stmt.iterable is not None else []
        outside = sum(1 for expr in own for var in reads(expr) if var == target)
        return outside if outside == count else -1_000_000
    return count


def _undisturbed(out: list[Stmt], start: int, stop: int, value: Expr, state: Nesting) -> bool:
    """Tell whether what `value` reads is the same at `stop` as at `start`."""
    read = set(reads(value))
    slots = {var.slot for var in read}
    memory = frozenset(root for var in read for root in state.roots.get(var, NOTHING))
    for place in range(start + 1, stop + 1):
        stmt = out[place]
        last_plain = place == stop and not isinstance(stmt, If | Loop)
        if last_plain:
            continue  # a statement reads before it writes
        for var in all_defines(stmt):
            if var.slot in slots:
                return False
        for update in all_updates(stmt):
            if memory & state.roots.get(update.old, NOTHING):
                return False
    return True


def _fits(stmt: Stmt, target: Var, value: Expr, state: Nesting) -> bool:
    if isinstance(value, Var | Const | Ref) or _is_filled(value):
        return True
    if "~" not in target.slot and is_temp(target.slot) and not _is_reverse(stmt):
        return True  # the user's own expression
    if "~back" in target.slot and _is_again(stmt):
        return True  # again the user's own
    if isinstance(stmt, If | Loop):
        return _size(value) <= (NAMED if target.slot in state.renamed else 4)
    if isinstance(stmt, Update) and target == stmt.value:
        return _size(value) + (_size(stmt.index) if stmt.index else 0) <= SIZE + 2
    size = _size(value) + max((_size(expr) for expr in expressions(stmt)), default=0)
    named = not is_temp(target.slot) and target.slot not in state.renamed
    return size <= (NAMED if named and _size(value) > 2 else SIZE)


def _is_again(stmt: Stmt) -> bool:
    """Tell whether a statement computes again what the user's own did."""
    return isinstance(stmt, Assign) and all("~back" in var.slot for var in stmt.targets)


def _is_reverse(stmt: Stmt) -> bool:
    match stmt:
        case Assign(targets):
            return any("~" in var.slot for var in targets)
        case Update(new):
            return "~" in new.slot
    return False


def _size(expr: Expr) -> int:
    match expr:
        case Const() | Ref():
            return 0
        case Op("index", (owner, key)) if not any(isinstance(p, Var | Call) for p in walk(key)):
            return 1 + _size(owner)  # a key that is made of numbers takes little room
    own = 0 if _is_short(expr) else 1
    return own + sum(map(_size, children(expr)))


def _is_short(part: Expr) -> bool:
    """Tell whether a part takes little room: the axes that a key takes whole."""
    match part:
        case Op("tuple", (first, *_)):
            return first == WHOLE
    return part == WHOLE


def _with(stmt: Stmt, target: Var, value: Expr) -> Stmt:
    def put(expr: Expr) -> Expr:
        return substitute(expr, lambda var: value if var == target else var)

    stmt = map_expressions(stmt, put)
    return map_blocks(stmt, lambda block: tuple(_with(inner, target, value) for inner in block))
