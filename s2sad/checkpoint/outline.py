"""A loop seen from outside: what it hands from pass to pass, and what its passes read.

for t in range(n):          found (u,)      written (u,)      outside (c,)      target t
    u[1:] += c * u[:-1]

What passes write in place is part of the state: a step copies it. A view of it that was named
before the loop is named again in the step, and after the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.dataflow import Live
from s2sad.analysis.exits import leaves_pass
from s2sad.analysis.memory import Memory, definition
from s2sad.analysis.places import Place, bound_at_breaks, exposed, is_within, placed
from s2sad.analysis.pointers import Sites, stored_base
from s2sad.analysis.tuples import is_exchange
from s2sad.checkpoint.needs import viewed
from s2sad.checkpoint.passes import is_output
from s2sad.ir.errors import NotYet, Unsupported
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    For,
    Function,
    If,
    Let,
    Raise,
    Return,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import dataclass
from s2sad.ir.walk import blocks, bound, bound_in, expressions, read_in, read_variables, statements

Names = frozenset[Variable]
NOBODY: Names = frozenset()
NOWHERE: Sites = frozenset()


@dataclass(frozen=True, slots=True)
class Outline:
    """What crosses the border of a loop.

    `found` is the part of the state that a pass finds, `left` that which only the code behind the
    loop reads, of which it surely reads `awaited`; `outside` is read and never bound, `unbound` is
    what may have no value before the loop. `written` is that part of the state which is
    written in place, `deep` that of which passes write to what it holds; `views` are the names of
    parts of it, in the order in which they are made.
    """

    loop: For | While
    found: tuple[Variable, ...]
    left: tuple[Variable, ...]
    awaited: Names
    outside: tuple[Variable, ...]
    unbound: tuple[Variable, ...]
    written: Names
    deep: Names
    views: tuple[Let, ...]
    breaks: bool

    @property
    def state(self) -> tuple[Variable, ...]:
        """Return all that is handed from pass to pass, or on from the last one."""
        return (*self.found, *self.left)

    @property
    def target(self) -> Variable | None:
        """Return what tells one pass from another."""
        is_one = isinstance(self.loop, For) and isinstance(self.loop.target, Variable)
        return self.loop.target if is_one else None  # type: ignore[union-attr, return-value]

    @property
    def is_counted(self) -> bool:
        """Tell whether it is not known before how often the loop runs."""
        return self.breaks or isinstance(self.loop, While)


def outlined(function: Function, memory: Memory, place: Place) -> Outline:
    """Return a loop as seen from outside; NotYet where its body cannot be a function."""
    places = dict(placed(function.body))
    loop = places[place]
    assert isinstance(loop, For | While)
    live = Live(function.body)
    own = bound_in((loop,))
    behind = frozenset(v for v in memory.types if live.after(v, place))
    read, handed = _found(loop, own & behind)
    exposed = read | handed
    _refuse_acting(loop)
    touching = _touching(loop, exposed | behind, memory)
    views = tuple(_views(touching - own, own, places, place, memory))
    named = frozenset(v for view in views for v in bound(view))
    inside = frozenset(v for view in views for v in read_variables(view.value))
    written = (touching & (exposed | inside)) - named
    crossing = (exposed | inside | (own & behind)) - named
    before = _surely_bound(function, place)
    changed = (own & crossing) | written
    found = changed & (exposed | before | written)
    if not found.isdisjoint(bound(loop)):
        raise NotYet(
            "a schedule for a loop whose number has a value before and behind it", loop.span
        )
    others = (touching & behind) - named - crossing
    if others:
        raise NotYet("memory that a loop writes under another name", loop.span)
    _refuse_shared(changed, (crossing | behind) - named, places, place, memory)
    deep = _written_inside(written, loop, memory)
    order = _in_order(function, loop, views)
    outside = crossing - changed - frozenset(bound(loop))
    unbound = (outside | found) - before
    refuse_unbound(unbound & read & own, loop)
    if any(v.name == "_" for v in crossing):
        raise NotYet("a state of a loop that is called as what is thrown away", loop.span)
    return Outline(
        loop,
        tuple(v for v in order if v in found),
        tuple(v for v in order if v in changed - found),
        _surely_read_behind(function, place),
        tuple(v for v in order if v in outside),
        tuple(v for v in order if v in unbound),
        written,
        deep,
        views,
        any(map(leaves_pass, loop.body)),
    )


def _in_order(
    function: Function, loop: For | While, views: tuple[Let, ...]
) -> tuple[Variable, ...]:
    """Return variables as they come in the text: what the loop binds or writes to comes first."""
    found: dict[Variable, None] = {}
    for statement in (*statements(loop.body), *views):
        found.update(dict.fromkeys(bound(statement)))
        if isinstance(statement, Store):
            found.update(dict.fromkeys(read_variables(stored_base(statement))))
    found.update(dict.fromkeys(p.variable for p in function.parameters))
    for statement in statements(function.body):
        found.update(dict.fromkeys(bound(statement)))
    for expr in (e for s in (*statements((loop,)), *views) for e in expressions(s)):
        found.update(dict.fromkeys(sorted(read_variables(expr), key=str)))
    return tuple(found)


def _refuse_acting(loop: For | While) -> None:
    """Refuse passes that do more than compute: they would do it again."""
    for statement in statements(loop.body):
        if isinstance(statement, Copied):
            raise NotYet("a schedule for passes with what is left as it is", statement.span)
        if isinstance(statement, Let) and not is_output(statement):
            effect = statement.effect
            if effect.prints or effect.writes_all:
                raise NotYet("a schedule for passes that do more than compute", statement.span)


def writes_history(loop: For | While) -> bool:
    """Tell whether a loop writes nothing of an array but what its pass is the place of.

    for t in range(n):
        u[t + 1] = u[t] + dt * f(u[t])
    """
    moving = set(bound(loop)) if isinstance(loop, For) else set()
    stored: dict[Variable, list[Expr]] = {}
    for statement in statements(loop.body):
        if isinstance(statement, Let) and not moving.isdisjoint(read_variables(statement.value)):
            moving |= set(bound(statement))
        elif isinstance(statement, Store) and stored_base(statement).op == "name":
            stored.setdefault(stored_base(statement).data, []).append(statement.target)
    inside = bound_in(loop.body)
    return any(
        all(t.op == "subscript" and moving & read_variables(t.args[1]) for t in targets)
        for base, targets in stored.items()
        if base not in inside
    )


# ---------------------------------------------------------------------------- names


def _found(loop: For | While, behind: Names) -> tuple[Names, Names]:
    """Return what a pass may read before it binds it, and what it may hand on as it found it."""
    own = frozenset(bound(loop))
    test = frozenset(read_in(loop)) if isinstance(loop, While) else NOBODY
    early, sure = exposed(loop.body)
    at_breaks = bound_at_breaks(loop.body)
    return test | (early - own), behind - own - (at_breaks if sure is None else at_breaks & sure)


def _surely_bound(function: Function, place: Place) -> Names:
    """Return what is surely bound before a statement."""
    names = frozenset(p.variable for p in function.parameters)
    block, path = function.body, place
    while True:
        names |= exposed(block[: path[0]])[1] or NOBODY
        if len(path) == 1:
            return names
        statement = block[path[0]]
        names |= frozenset(bound(statement))
        block, path = blocks(statement)[path[1]], path[2:]


def _surely_read_behind(function: Function, place: Place) -> Names:
    """Return what is read on every way from a loop on, as far as the blocks around it go."""
    read: Names = NOBODY
    own: Names = NOBODY
    block, path = function.body, place
    rests = [block[path[0] + 1 :]]
    while len(path) > 1:
        statement = block[path[0]]
        if isinstance(statement, For | While):
            rests.clear()  # a pass may be the last one
        block, path = blocks(statement)[path[1]], path[2:]
        rests.append(block[path[0] + 1 :])
    for rest in reversed(rests):
        found, own, goes_on = _surely_read(rest, own)
        read |= found
        if not goes_on:
            break
    return read


def _surely_read(block: Block, own: Names) -> tuple[Names, Names, bool]:
    """Return what a block surely reads before it binds it, what it may bind, and whether it goes on."""
    read: Names = NOBODY
    for statement in block:
        values = [e for e in expressions(statement) if not isinstance(statement, While)]
        read |= frozenset(v for e in values for v in _surely_read_in(e)) - own
        if isinstance(statement, If):
            parts = [_surely_read(b, own) for b in blocks(statement)]
            read |= parts[0][0] & parts[1][0]
            if not all(part[2] for part in parts):
                return read, own, False
        if isinstance(statement, Return | Raise | Break | Continue):
            return read, own, False
        own |= bound_in((statement,))
    return read, own, True


def _surely_read_in(expr: Expr) -> Names:
    """Return the variables that an expression reads whatever is computed."""
    if expr.op == "name":
        return frozenset((expr.data,))
    if expr.op in ("conditional", "and", "or", "bool"):
        return _surely_read_in(expr.args[0])
    if expr.op in ("comprehension", "lambda"):
        return NOBODY
    return NOBODY.union(*map(_surely_read_in, expr.args))


def refuse_unbound(names: Names, loop: For | While) -> None:
    """Refuse what only passes bind and that has to have a value before the first one."""
    for variable in sorted(names, key=str):
        raise Unsupported.refused(
            f"{variable.name} has no value before this loop, which is to be checkpointed",
            loop.span,
            f"Give {variable.name} a value before the loop.",
        )


# ---------------------------------------------------------------------------- memory


def _touching(loop: For | While, names: Names, memory: Memory) -> Names:
    """Return the variables of memory that passes write to, and that is there before the pass."""
    sites = _written_in(loop.body, memory)
    return frozenset(v for v in names if memory.reach(v) & sites)


def _written_in(block: Block, memory: Memory) -> Sites:
    """Return the memory that the statements of a block write to."""
    return NOWHERE.union(*(memory.written_by(each) for each in statements(block)))


def _inner(variable: Variable, memory: Memory) -> Sites:
    """Return what a variable holds, but for what it is itself."""
    own = memory.points_to.get(variable, NOWHERE)
    return memory.inside(NOWHERE.union(*(memory.items.get(site, NOWHERE) for site in own)))


def _written_inside(state: Names, loop: For | While, memory: Memory) -> Names:
    """Return the containers of which passes write to what they hold: a pass copies them deeply."""
    sites = _written_in(loop.body, memory)
    return frozenset(v for v in state if _inner(v, memory) & sites)


def _views(
    names: Names, own: Names, places: dict[Place, Statement], place: Place, memory: Memory
) -> Iterator[Let]:
    """Yield the statements before a loop that name parts of what it writes to: v = u[1:-1]."""
    for variable in sorted(names, key=lambda v: memory.uses.bound.get(v, ())):
        at = memory.uses.bound.get(variable, ())
        let = definition(variable, places) if len(at) == 1 else None
        if let is None or not isinstance(let.target, Variable) or let.value.op == "name":
            continue
        is_before = at[0] < place and is_within(place, at[0][:-1])
        is_steady = not any(
            v in own or memory.uses.is_bound_again(v) for v in read_variables(let.value)
        )
        if is_before and is_steady and viewed(let.value).op == "name":
            yield let


def _exchanged_apart(
    loop: For | While, places: dict[Place, Statement], place: Place, memory: Memory
) -> Names:
    """Return names that passes bind to each other's arrays alone, and that begin apart: u, v = v, u."""
    exchanges = [s for s in statements(loop.body) if isinstance(s, Let) and is_exchange(s)]
    names = {v for each in exchanges for v in bound(each)}
    others = (s for s in statements(loop.body) if s not in exchanges)
    names -= {v for each in others for v in bound(each)}
    seen: set[object] = set()
    for variable in names:
        begun = _begun(variable, places, place, memory)
        if begun & seen:
            return NOBODY
        seen |= begun
    return frozenset(names)


def _begun(
    variable: Variable, places: dict[Place, Statement], place: Place, memory: Memory
) -> set[object]:
    """Return what memory a variable may have before a loop."""
    found: set[object] = set()
    if variable in memory.uses.parameters:
        found.add(("parameter", variable))
    for at, statement in places.items():
        if is_within(at, place) or variable not in bound(statement):
            continue
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return set(memory.points_to.get(variable, NOWHERE))  # a number has no memory
        is_new = not memory.is_reference(statement.value)
        found |= {("made", at, 0)} if is_new else memory.sites(statement.value)
    return found


def _refuse_shared(
    state: Names, all_names: Names, places: dict[Place, Statement], place: Place, memory: Memory
) -> None:
    """Refuse memory of a state that has another name, or is part of it, and is written from the loop on.

    A state that no pass has changed is what the loop found, which keeps its other names:
    r = u * 1.0; v = r; for k in range(0): r = np.sin(r)
    """
    loop = places[place]
    assert isinstance(loop, For | While)
    within = _written_in(loop.body, memory)
    behind = _written_behind(places, place, memory)
    apart = _exchanged_apart(loop, places, place, memory)
    for variable in sorted(state, key=str):
        own = memory.points_to.get(variable, NOWHERE)
        shared = _inner(variable, memory) & behind
        for other in all_names - {variable}:
            if {variable, other} <= apart:
                continue
            both = memory.reach(variable) & memory.reach(other) & (within | behind)
            if own & both & memory.points_to.get(other, NOWHERE):
                raise NotYet("memory that a loop knows under two names", loop.span)
            shared |= both
        if shared:
            raise NotYet("memory of a loop that a container holds", loop.span)


def _written_behind(places: dict[Place, Statement], place: Place, memory: Memory) -> Sites:
    """Return the memory that statements which may run after a loop write to."""
    around = [block for block in memory.uses.loops if is_within(place, block)]
    again = min(around, key=len, default=None)
    return NOWHERE.union(
        *(
            memory.written_by(statement)
            for at, statement in places.items()
            if (at > place or (again is not None and is_within(at, again)))
            and not is_within(at, place)
        )
    )
