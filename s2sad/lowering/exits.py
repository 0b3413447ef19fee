"""How blocks are left: return, break, continue, past loops of the program and through inlined calls.

A block is left in no way (None), by an Exit, or in Mixed ways, which a flag tells apart. Where the
loop or function that is left stands in the program, its own word is printed, and the block is DEAD:
once what is run on every way out of a block (`finally`, the end of a `with`) has been run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sad.ir.expression import Expr, constant
from s2sad.ir.program import Break, Continue, Return
from s2sad.lowering import branches, iterables, loops
from s2sad.lowering.branches import FLAG
from s2sad.lowering.machine import (
    EXIT,
    LEFT,
    Machine,
    Scope,
    Slot,
    emit,
    put,
    refusal,
    settled,
    stable,
)
from s2sad.lowering.values import BOOL, INTEGER, Data, Ref, Value, is_late, literal
from s2sad.lowering.ways import DEAD, Body, Exit, Mixed, Orelse, Way, without

# the kinds of scopes that each word leaves: a pass ends where something is to be run at its end
LEFT_BY = {
    "return": ("function",),
    "break": ("loop",),
    "end": ("loop",),
    "continue": ("loop", "pass"),
}
# how a block was left, and the slot that keeps the flag of its ways
Left = tuple[Way, str]


def printed_loops(m: Machine, place: int) -> list[Scope]:
    """Return the loops of the program that stand within a context."""
    return [c for c in m.contexts[place + 1 :] if c.printed and c.kind == "loop"]


def leave(m: Machine, kind: str, value: Value | None = None, at_end: tuple[int, ...] = ()) -> Way:
    """Leave the innermost loop, or the function, of this frame.

    "end" leaves a loop as its iterator does that is at its end: its `else` is run. `at_end` are the
    cells of the iterators that end so.
    """
    place = _place_of(m, kind)
    target, stop = m.contexts[place], stop_of(m, place)
    if kind != "continue":
        _leave_iterators(m, place, at_end)
    inner = printed_loops(m, stop)
    if kind == "return":
        assert value is not None
        if target.printed and stop == place:
            return _returned(m, target, value)
        if m.is_tried:  # a failure of it is handled here
            value = stable(m, value, "result")
        m.heap[m.frame].slots["<result>"] = settled(m, value, "result")
        if inner or stop != place:
            put(m, (m.frame, "<result>"), m.heap[m.frame].slots["<result>"])
    if kind == "break" and target.broken is not None:
        put(m, target.broken, literal(True))
    way = Exit(kind, target)
    return way if inner and kind == "continue" else onward(m, way)


def _leave_iterators(m: Machine, place: int, at_end: tuple[int, ...]) -> None:
    """Note that the iterators of a context, and of all within it, are left on the way."""
    while place and m.contexts[place - 1].kind == "iterator":
        place -= 1
    for context in m.contexts[place:]:
        iterables.mark(m, [cell for cell in context.cells if cell not in at_end], LEFT)


def _returned(m: Machine, target: Scope, value: Value) -> Exit:
    if is_late(value):
        raise refusal(m, "what is gone through later than it is returned")
    if m.making and isinstance(value, Ref) and ("structure", m.heap[value.id].site) in m.choices:
        raise refusal(m, "what is known item by item, as what a function gives")  # it is inlined
    data = settled(m, m.to_data(value), "result")
    assert isinstance(data, Data)
    target.results.append(data)
    emit(m, Return(data.expr, m.span))
    return DEAD


def _place_of(m: Machine, kind: str) -> int:
    wanted = LEFT_BY[kind]
    for place in range(len(m.contexts) - 1, -1, -1):
        target = m.contexts[place]
        if target.frame == m.frame and target.kind in wanted:
            return place
    raise refusal(m, f"{kind} outside of a {wanted[0]}")


def _by_its_word(m: Machine, kind: str, target: Scope) -> Way:
    (target.again if kind == "continue" else target.left).append(m.heap)
    m.block.extend(loops.moves(m, target.carried, m.heap))
    emit(m, Continue(m.span) if kind == "continue" else Break(m.span))
    return DEAD


def _through(m: Machine, way: Exit, loop: Scope) -> Exit:
    """Leave a loop of the program on the way out of what is around it."""
    put(m, FLAG, literal(branches.flag(m, way)))
    loop.left.append(m.heap)
    loop.results.append(way)
    m.block.extend(loops.moves(m, loop.carried, m.heap))
    emit(m, Break(m.span))
    return DEAD


# ---------------------------------------------------------------------------- going on


def guarded(m: Machine, way: Mixed, go_on: Callable[[], Way]) -> Way:
    """Go on where nothing was left."""
    stops = way.ways - {None}
    left: Way = Mixed(stops) if len(stops) > 1 else next(iter(stops))
    sides: list[branches.Side] = [lambda: (go_on(), None), lambda: (left, None)]
    return branches.branch(m, _none_of(m, stops), sides)[0]


def after(m: Machine, way: Way, go_on: Body) -> Way:
    """Go on behind what may have been left."""
    if isinstance(way, Mixed):
        return guarded(m, way, go_on)
    return go_on() if way is None else way


def whole_pass(m: Machine, body: Body) -> Way:
    """Run the body of a pass to its end, where `continue` leads to as well."""
    context = Scope("pass", False, m.frame)
    m.contexts.append(context)
    try:
        return without(body(), Exit("continue", context))
    finally:
        m.contexts.remove(context)


def after_passes(m: Machine, way: Way, context: Scope, orelse: Orelse) -> Way:
    """Return the way out of a loop whose passes were run one by one, or by a generator.

    Its `else` is run where none of them broke it off: outside of the contexts of the loop, of which
    `context` is the first.
    """
    way = without(way, Exit("end", context))

    def run() -> Way:
        place = m.contexts.index(context)
        inner, m.contexts[place:] = m.contexts[place:], []
        try:
            return None if orelse is None else orelse()
        finally:
            m.contexts += inner

    if way is None:
        way = run()
    elif orelse is not None and isinstance(way, Mixed):
        way = guarded(m, way, run)
    return without(way, Exit("break", context))


def with_flag(
    m: Machine, word: str, run: Callable[[Slot], Way], rest: Callable[[], Way], wanted: bool
) -> Way:
    """Run what may set a flag, and then the rest where the flag is as it is wanted."""
    slot = (EXIT, f"{word}_{len(m.heap[EXIT].slots)}")
    put(m, slot, literal(False))
    way = run(slot)
    flag = m.heap[EXIT].slots.get(slot[1])
    if way is DEAD or not isinstance(flag, Data):
        return way

    def onward() -> Way:
        if flag.known is not None:
            return rest() if bool(flag.known.value) == wanted else None
        return branches.where(m, flag.expr if wanted else branches.negated(flag.expr), rest)

    return after(m, way, onward)


def _none_of(m: Machine, stops: frozenset[Any]) -> Expr:
    """Return the test that none of some exits was the way out."""
    codes = [constant(flag, INTEGER) for flag in sorted(branches.flag(m, stop) for stop in stops)]
    if len(codes) == 1:
        return Expr("compare", (_flag_expr(m), codes[0]), ("!=",), BOOL, None, m.span)
    among = Expr("tuple", tuple(codes), None)
    return Expr("compare", (_flag_expr(m), among), ("not in",), BOOL, None, m.span)


def _flag_expr(m: Machine) -> Expr:
    value = m.heap[EXIT].slots["way"]
    assert isinstance(value, Data)
    return value.expr


def onward_all(m: Machine, way: Way) -> Way:
    """After a loop or block that was left: leave what is around it, too."""
    if isinstance(way, Exit):
        return onward(m, way)
    if not isinstance(way, Mixed):
        return way
    for one in sorted(way.ways - {None}, key=lambda each: branches.flag(m, each)):
        place = m.contexts.index(one.context)
        stop = stop_of(m, place)
        if (one.context.printed and stop == place) or printed_loops(m, stop):
            code = constant(branches.flag(m, one), INTEGER)
            test = Expr("compare", (_flag_expr(m), code), ("==",), BOOL, None, m.span)
            branches.where(m, test, lambda one=one: onward(m, one))
            way = Mixed(way.ways - {one})
    return way if way.ways - {None} else None


def onward(m: Machine, way: Way) -> Way:
    """Go on leaving, after a loop or block was left: through the next one, or by its own word."""
    if not isinstance(way, Exit) or way is DEAD:
        return way
    place = m.contexts.index(way.context)
    stop = stop_of(m, place)
    is_printed = way.context.printed and stop == place
    if is_printed and way.kind == "return":
        return _returned(m, way.context, m.heap[way.context.frame].slots["<result>"])
    inner = printed_loops(m, stop)
    if inner and (way.kind != "continue" or way.context.printed):
        return _through(m, way, inner[-1])
    return _by_its_word(m, way.kind, way.context) if is_printed else way


# ---------------------------------------------------------------------------- what is always run


def stop_of(m: Machine, place: int) -> int:
    """Return where it is stopped first on the way out to a context, for what is always run."""
    stops = (k for k, c in enumerate(m.contexts) if c.kind == "stop" and k > place)
    return max(stops, default=place)


def stopped(m: Machine, run: Callable[[], Way]) -> Left:
    """Run a block whose ways out lead to its end first; return how it was left."""
    m.contexts.append(Scope("stop", False, m.frame))
    try:
        way = run()
    finally:
        m.contexts.pop()
    slots = m.heap[EXIT].slots
    kept = f"kept_{len(slots)}"
    if isinstance(way, Mixed):
        slots[kept] = slots[FLAG[1]]
    return way, kept


def gone_on(m: Machine, left: Left) -> Way:
    """Go on leaving once what is always run has been run."""
    way, kept = left
    slots = m.heap[EXIT].slots
    if kept in slots:
        slots[FLAG[1]] = slots.pop(kept)
    return onward_all(m, way)
