"""Temporaries go back into the expressions they came from.

    x%1 = 2.0 * x ; y = np.sin(x%1)             ->   y = np.sin(2.0 * x)
    t~bar = 0.5 * x~bar ; x~bar' = t~bar        ->   x~bar' = 0.5 * x~bar

A temporary moves to its only use when nothing in between changes what it reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from s2sad.blocks import (
    all_defines,
    all_reads,
    all_updates,
    map_blocks,
    map_expressions,
    pinned,
    renamed,
)
from s2sad.branches import conditional, sunk
from s2sad.copies import constants_put_in, postponed, without_idle_copies
from s2sad.memory import NOTHING, Roots
from s2sad.program import (
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
    Restore,
    Stmt,
    Update,
    Var,
    is_temp,
)
from s2sad.readded import given_at_once
from s2sad.tidy import is_pure
from s2sad.traverse import SHAPE_ATTRIBUTES, WHOLE, expressions, reads, substitute, walk
from s2sad.zeros import zeroed_late

WINDOW = 40
SIZE = 14


@dataclass
class Nesting:
    """What is known while one program is nested."""

    roots: Roots
    uses: Counter[Var]
    pinned: frozenset[Var]
    size: int = SIZE


def nested(program: Program, roots: Roots) -> Program:
    """Return the program with temporaries moved into the expressions that use them."""
    program = given_at_once(postponed(without_idle_copies(program)))
    program = constants_put_in(conditional(zeroed_late(program)))
    state = Nesting(roots, _uses(program), pinned(program.body))
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


# ---------------------------------------------------------------- one block


def _nest_block(block: Block, state: Nesting) -> Block:
    out: list[Stmt] = [map_blocks(stmt, lambda inner: _nest_block(inner, state)) for stmt in block]
    position = len(out) - 1
    while position >= 0:
        stmt = out[position]
        if _movable(stmt, state) and _move(out, position, state):
            del out[position]
        position -= 1
    return tuple(out)


def _movable(stmt: Stmt, state: Nesting) -> bool:
    if not isinstance(stmt, Assign) or stmt.unpack or len(stmt.targets) != 1:
        return False
    target = stmt.target
    invented = is_temp(target.slot) or "~" in target.slot
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
            return name in SHAPE_ATTRIBUTES
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
    if isinstance(stmt, If | Loop):
        return _size(value) <= 4
    if isinstance(stmt, Update) and target == stmt.value and stmt.index is None:
        return _size(value) <= state.size + 6
    size = _size(value) + max((_size(expr) for expr in expressions(stmt)), default=0)
    return size <= state.size + 4


def _is_reverse(stmt: Stmt) -> bool:
    match stmt:
        case Assign(targets):
            return any("~" in var.slot for var in targets)
        case Update(new):
            return "~" in new.slot
    return False


def _size(expr: Expr) -> int:
    return sum(
        1 for part in walk(expr) if not isinstance(part, Const | Ref) and not _is_short(part)
    )


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


# ---------------------------------------------------------------- x_bar = T


def adopted(program: Program) -> Program:
    """Return the program in which a value computed only to be renamed has its name at once."""
    new: dict[Var, Var] = {}
    body = _adopt_block(program.body, new, pinned(program.body))
    if not new:
        return program

    def last(var: Var) -> Var:
        while var in new:
            var = new[var]
        return var

    body = renamed(body, last)
    result = substitute(program.result, last)
    return replace(program, body=body, result=result)


def _adopt_block(block: Block, new: dict[Var, Var], pinned: frozenset[Var]) -> Block:
    out: list[Stmt] = [map_blocks(stmt, lambda b: _adopt_block(b, new, pinned)) for stmt in block]
    copies = {place: pair for place, stmt in enumerate(out) if (pair := _copy(stmt))}
    # the last one first; of several names the one that it is called after before all others
    for place in sorted(copies, key=lambda at: (not _is_called_after(*copies[at]), -at)):
        source, target = copies[place]
        if source in pinned or source in new:
            continue
        start = _definition(out, place, source)
        if start is None or not _name_is_idle(out, start, place, target.slot):
            continue
        if _later_uses_fit(out, place, source, target.slot):
            new[source] = target
            stmt = out[place]
            assert isinstance(stmt, Assign)
            out[place] = replace(stmt, value=target)
    return tuple(stmt for stmt in out if not _copies_itself(stmt))


def _copy(stmt: Stmt) -> tuple[Var, Var] | None:
    """Return a temporary of a derivative and the name that a statement gives it, if it does."""
    match stmt:
        case Assign((target,), Var() as source, unpack=False):
            if _derivative_temp(source) and "~" in target.slot:
                return source, target
    return None


def _is_called_after(source: Var, target: Var) -> bool:
    """Tell whether a temporary is called after a name: E_term_bar after E_bar."""
    name, _, rest = source.slot.partition("%")
    return target.slot == name + rest.lstrip("0123456789")


def _derivative_temp(var: Var) -> bool:
    return ("~bar" in var.slot or "~dot" in var.slot) and is_temp(var.slot)


def _copies_itself(stmt: Stmt) -> bool:
    return isinstance(stmt, Assign) and not stmt.unpack and stmt.value == stmt.target


def _definition(out: list[Stmt], before: int, var: Var) -> int | None:
    for position in range(before - 1, max(-1, before - WINDOW), -1):
        stmt = out[position]
        if isinstance(stmt, Assign) and var in stmt.targets:
            return position
        if var in all_defines(stmt):
            return None
    return None


def _name_is_idle(out: list[Stmt], start: int, stop: int, slot: str) -> bool:
    # the defining statement itself may still read the old value
    if any(var.slot == slot for var in all_defines(out[start])):
        return False
    return not any(
        var.slot == slot
        for stmt in out[start + 1 : stop]
        for var in (*all_reads(stmt), *all_defines(stmt))
    )


def _later_uses_fit(out: list[Stmt], position: int, source: Var, slot: str) -> bool:
    changed = False
    for stmt in out[position + 1 :]:
        uses = source in set(all_reads(stmt))
        defines_slot = any(var.slot == slot for var in all_defines(stmt))
        if uses and (changed or (defines_slot and isinstance(stmt, If | Loop))):
            return False
        changed = changed or defines_slot
    return True


Change = Callable[[Expr], Expr]
__all__ = ["Change", "Restore", "adopted", "nested"]
