"""What is gone through beside a generator: its items are taken at their places, pass by pass.

for a, b in zip(u, squares(w)):      the loop of squares; where it yields, b is what it gives, a is u[k]

for y in (s * v for v in x):         y is computed when its turn comes, with s as it is then
    s += y
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator
from typing import Any

from s2sad.ir.expression import Expr, called_object, calls
from s2sad.ir.program import Block, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Number, Other, Reference, Sequence
from s2sad.ir.walk import bound_in, expressions, nodes, read_variables, statements, writes
from s2sad.lowering import branches, evaluation_order, exits, iterables, lazies, ways
from s2sad.lowering.iterables import Callback
from s2sad.lowering.machine import (
    LEFT,
    Machine,
    Slot,
    held,
    mentioned,
    named,
    new_cell,
    put,
    refusal,
    stable,
)
from s2sad.lowering.targets import Targets
from s2sad.lowering.values import Cell, Data, Demand, Lazy, Tup, Value, kept, literal
from s2sad.lowering.ways import Body, Orelse


@dataclass(frozen=True, slots=True)
class ForEach:
    """What a loop does with each item: it goes to a target, and the body is run."""

    target: Targets
    body: Body
    site: Any
    orelse: Orelse = None

    def handed(self, function: Callable[[Value], None]) -> ForEach:
        """Return the loop that hands each item to a function first."""
        return replace(self, target=Callback(function))


def counter(m: Machine, start: Data) -> Slot:
    """Return a slot that counts the passes of a loop over a generator."""
    cell = new_cell(m, Cell("frame", {}, None, None, None, m.heap[m.frame].closure))
    put(m, (cell.id, "count"), start)
    return cell.id, "count"


def count(m: Machine, slot: Slot) -> Data:
    value = m.heap[slot[0]].slots[slot[1]]
    assert isinstance(value, Data)
    return value


def add_one(m: Machine, slot: Slot) -> None:
    more = m.binary("+", count(m, slot), literal(1), None)
    put(m, slot, more)


def run_one(
    m: Machine, lazy: Lazy, lead: int, each: ForEach, loop: Callable[[ForEach], ways.Way]
) -> ways.Way:
    """Run `loop`, which is over one of several, and take the items of the others as it gives its own.

    Those in front of it are asked before it goes on, as Python does: at the end of a pass for the
    next one. Their items are read after its step, unless that may write to them.
    """
    listed: list[Expr] = []
    others = [_beside(m, part, listed) for k, part in enumerate(lazy.parts) if k != lead]
    is_read_first = ("read first", each.site) in m.choices or any(map(_is_computed, others[:lead]))
    slot = counter(m, literal(0))
    led: list[Value] = []
    bodies: list[Block] = []
    enclosing = itertools.takewhile(lambda c: c.kind == "iterator", reversed(m.contexts))
    ended = tuple(cell for context in enclosing for cell in context.cells)

    def end() -> ways.Way:
        return exits.leave(m, "end", at_end=ended)

    def read(k: int) -> Value:
        return stable(m, lazies.item_at(m, others[k], count(m, slot)), "other")

    def keep(k: int) -> None:
        if is_read_first:
            put(m, (slot[0], f"other_{k}"), read(k))

    def taken(behind: dict[int, Value]) -> ways.Way:
        block, mark, kept_items = m.block, len(m.block), m.heap[slot[0]].slots
        in_front = [kept_items.get(f"other_{k}") or read(k) for k in range(lead)]
        add_one(m, slot)
        each.target.assign(m, Tup((*in_front, led[-1], *behind.values())))
        way = exits.whole_pass(m, each.body)
        bodies.append(tuple(block[mark:]))
        return exits.after(m, way, lambda: asked.front(end, keep, lambda: None))

    def one_pass() -> ways.Way:
        found: dict[int, Value] = {}
        return asked.behind(end, lambda k: found.update({k: read(k)}), lambda: taken(found))

    asked = _Asked(m, others, lead, slot)
    inner = replace(each.handed(led.append), body=one_pass)
    mark = len(m.block)
    is_changed = watched(m, listed)
    with held(m, others):
        way = asked.front(each.orelse or (lambda: None), keep, lambda: loop(inner))
    may_write = not is_read_first and _may_write(m.block[mark:], bodies)
    if may_write and any(map(_reads_memory, others[:lead])):
        raise Demand(("read first", each.site))
    if is_changed():
        raise refusal(m, "a generator that reads what changes beside it")
    return way


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for an item in each pass, in front of what is run and behind it, in turn."""

    machine: Machine
    parts: list[Value]
    lead: int
    passed: Slot

    def front(self, end: Body, take: Callable[[int], None], run: Body) -> ways.Way:
        """Ask those in front: take their items and go on, or end where one of them has none."""
        return self._ask(tuple(range(self.lead)), end, take, run)

    def behind(self, end: Body, take: Callable[[int], None], run: Body) -> ways.Way:
        """Ask those behind."""
        return self._ask(tuple(range(self.lead, len(self.parts))), end, take, run)

    def _ask(
        self, places: tuple[int, ...], end: Body, take: Callable[[int], None], run: Body
    ) -> ways.Way:
        if not places:
            return run()
        m, part = self.machine, self.parts[places[0]]

        def onward() -> ways.Way:
            take(places[0])
            return self._ask(places[1:], end, take, run)

        if lazies.is_endless(m, part):
            return onward()
        passed, length = count(m, self.passed), lazies.length(m, part)
        test = Expr("compare", (passed.expr, length.expr), (">=",))
        ends = evaluation_order.operation(m, test, passed, length)
        return branches.decided(m, ends, end, onward)


def _may_write(made: list[Statement], apart: list[Block]) -> bool:
    """Tell whether statements write to memory, apart from some blocks within them."""
    others = {id(statement) for block in apart for statement in statements(block)}
    return any(id(s) not in others and writes(s) for s in statements(tuple(made)))


def _is_computed(over: Value) -> bool:
    """Tell whether the items of something are computed as they are read."""
    if not isinstance(over, Lazy):
        return False
    return over.kind in ("map", "comprehension") or any(map(_is_computed, iterables.sources(over)))


def _reads_memory(over: Value) -> bool:
    """Tell whether the items of something may hang on when they are read."""
    if isinstance(over, Lazy):
        return any(map(_reads_memory, iterables.sources(over)))
    return not (isinstance(over, Data) and calls(over.expr, range))


def _beside(m: Machine, part: Value, listed: list[Expr]) -> Value:
    """Return what is gone through beside a generator: what has items at places.

    What is put into a list for that, before the loop, is noted among those that are `listed`.
    """
    part = kept(part)
    if isinstance(part, Lazy) and lazies.has_places(m, part):
        left = lazies.rest(m, part) if lazies.is_begun_within(m, part) else part
        iterables.spend(m, part, LEFT)
        return left
    if isinstance(part, Lazy) and part.kind == "generator":
        raise refusal(m, "two generators side by side")
    mark, part = len(m.block), m.to_data(part)
    has_no_length = isinstance(part.type, Other | Sequence) and not hasattr(
        part.type.cls, "__len__"
    )
    is_dict = isinstance(part.type, Reference) and not lazies.has_places(m, part)
    if not has_no_length and not is_dict:
        return evaluation_order.name_if_long(m, part, "other")
    part = named(m, m.to_data(m.call_global("list", list, [part])), "other")
    made = statements(tuple(m.block[mark:])) if has_no_length else ()  # of a dict the keys alone
    listed += [expr for statement in made for expr in expressions(statement)]
    return part


# ---------------------------------------------------------------------------- computed as a loop goes

ONE_BY_ONE = (zip, enumerate, map, filter, iter)


def parts(expr: Expr) -> Iterator[Expr]:
    """Yield the generators that are gone through where an expression is."""
    if expr.op == "comprehension" and expr.data == "generator":
        yield expr
    elif expr.op == "conditional":
        yield from (part for side in expr.args[1:] for part in parts(side))
    elif any(called_object(expr) is each for each in ONE_BY_ONE):
        yield from (part for arg in expr.args[1:] for part in parts(arg))


def watched(m: Machine, exprs: Collection[Expr]) -> Callable[[], bool]:
    """Return what tells whether statements made from now on change what some expressions read."""
    read = {variable for expr in exprs for variable in read_variables(expr)}
    found = {
        (place, key): value
        for place, cell in m.heap.items()
        for key, value in cell.slots.items()
        if not read.isdisjoint(mentioned(value))
    }
    block, mark = m.block, len(m.block)

    def is_changed() -> bool:
        cells = ((m.heap.get(place), key, value) for (place, key), value in found.items())
        if any(cell is not None and cell.slots.get(key) is not value for cell, key, value in cells):
            return True
        made = tuple(block[mark:])
        if not read.isdisjoint(bound_in(made)):
            return True
        return any(map(reads_memory, exprs)) and any(map(writes, statements(made)))

    return is_changed


def reads_memory(expr: Expr) -> bool:
    """Tell whether an expression may read memory."""
    return any(node.op == "name" and not isinstance(node.type, Number) for node in nodes(expr))


def opened(value: Value) -> Value:
    """Return generators as what is run pass by pass; other values as they are."""
    holds_one = isinstance(value, Data) and any(parts(value.expr))
    return kept(value) if holds_one else value


def is_pushed(m: Machine, site: Any) -> bool:
    """Tell whether the generators of a loop are run pass by pass."""
    return ("pushed", site) in m.choices


def pushed(m: Machine, site: Any) -> Exception:
    """Return what asks that the generators of a loop be run pass by pass, or else its refusal."""
    if is_pushed(m, site):
        return refusal(m, "a generator that reads what the loop over it changes")
    return Demand(("pushed", site))
