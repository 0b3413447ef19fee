"""A pass that draws random numbers draws the same ones again: where it draws from is part of its state.

for t in range(n):                     drawn = _random_state(rng)
    u = u + rng.normal(size=n)         for t in range(n):
                                           _set_random_state(rng, drawn)
                                           u = u + rng.normal(size=n)
                                           drawn = _random_state(rng)

Generators that a pass makes of a seed draw alike each time.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import numpy as np

from s2sad.analysis.places import Place
from s2sad.ir.errors import NotYet, Span, Unsupported
from s2sad.ir.expression import Expr, Variable, call, called_object, calls, global_, name, object_of
from s2sad.ir.program import Block, Effect, For, Function, Let, Statement, While
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import UNKNOWN, Other, Sequence
from s2sad.ir.walk import blocks, bound, bound_in, statements, with_blocks
from s2sad.operators import printed
from s2sad.source.draws import SOURCES

STATE, SET_STATE = "_random_state", "_set_random_state"
DRAWS = Effect(draws=True)
# modules that draw, by what their functions are methods of
MODULES: Mapping[int, Expr] = {
    id(np.random.rand.__self__): global_("np.random", np.random),  # type: ignore[attr-defined]
    id(random.random.__self__): global_("random", random),  # type: ignore[attr-defined]
}
MAKERS = (np.random.default_rng, *SOURCES)
# what a loop draws from, each with the variable for its state
Drawn = tuple[tuple[Expr, Variable], ...]


class StateOfDraws:
    """The class of the states of what is drawn from, as types say it."""


STATE_TYPE = Other(StateOfDraws)


def with_states(
    function: Function, places: frozenset[Place], active: frozenset[Variable]
) -> tuple[Block, Mapping[Place, Place]]:
    """Return the body of a function whose loops hand on the states of what they draw from.

    A name that varies is bound in a pass, not by the loop. With the body comes where the loops at
    `places` stand in it.
    """
    fresh = Fresh.of(function)
    moved: dict[Place, Place] = {}

    def block(old: Block, inside: Place, now: Place) -> Block:
        made: list[Statement] = []
        for position, statement in enumerate(old):
            place = (*inside, position)
            if place in places:
                drawn = _drawn(statement, fresh)
                made += (_read(source, state) for source, state in drawn)
                moved[place] = (*now, len(made))
                made.append(_with_passes(_counted_apart(statement, active, fresh), drawn))
            else:
                here = (*now, len(made))
                inner = enumerate(blocks(statement))
                bodies = tuple(block(b, (*place, k), (*here, k)) for k, b in inner)
                made.append(with_blocks(statement, bodies))
        return tuple(made)

    return block(function.body, (), ()), moved


def without_last_states(body: Block) -> Block:
    """Return a pass that does not tell from where the next one draws."""
    return tuple(
        s for s in body if not (isinstance(s, Let) and calls(s.value, printed.function(STATE)))
    )


def sources_of(body: Block) -> tuple[Expr, ...]:
    """Return what a pass sets back before it draws."""
    back = printed.function(SET_STATE)
    lets = (s for s in body if isinstance(s, Let))
    return tuple(let.value.args[1] for let in lets if calls(let.value, back))


def drawn_as_before(body: Block, sources: tuple[Expr, ...], fresh: Fresh) -> Block:
    """Return a block after which draws go on from where they stood before it."""
    kept = tuple((source, fresh.variable("after")) for source in sources)
    *most, end = body
    return (*(_read(*each) for each in kept), *most, *(_set_back(*each) for each in kept), end)


def _counted_apart(loop: Statement, active: frozenset[Variable], fresh: Fresh) -> Statement:
    """Return a loop whose target does not vary: what varies before it is bound to it in each pass."""
    if not isinstance(loop, For) or loop.target not in active:
        return loop
    assert isinstance(loop.target, Variable)
    own = fresh.variable(loop.target.name)
    item = name(own, loop.domain.type.item if isinstance(loop.domain.type, Sequence) else UNKNOWN)
    return replace(loop, target=own, body=(Let(loop.target, item, loop.span), *loop.body))


def _with_passes(loop: Statement, drawn: Drawn) -> Statement:
    """Return a loop whose passes draw from where their states say, and hand on where they end."""
    assert isinstance(loop, For | While)
    begun = (_set_back(source, state) for source, state in drawn)
    ended = (_read(source, state) for source, state in drawn)
    return replace(loop, body=(*begun, *loop.body, *ended))


def _read(source: Expr, state: Variable) -> Let:
    value = call(global_(STATE, printed.function(STATE)), source, type_=STATE_TYPE)
    return Let(state, value, effect=DRAWS)


def _set_back(source: Expr, state: Variable) -> Let:
    head = global_(SET_STATE, printed.function(SET_STATE))
    return Let(None, call(head, source, name(state, STATE_TYPE)), effect=DRAWS)


# ---------------------------------------------------------------------------- sources


def _drawn(loop: Statement, fresh: Fresh) -> Drawn:
    """Return what the passes of a loop draw from, but for what they make themselves."""
    assert isinstance(loop, For | While)
    inside = bound_in(loop.body)
    found: dict[Expr, Variable] = {}
    for let in statements(loop.body):
        if isinstance(let, Let) and let.effect.draws and not _is_made_of_seed(let.value):
            source = _behind(_source(let), inside, loop.body)
            if source is not None and source not in found:
                found[source] = fresh.variable("drawn")
    return tuple(found.items())


def _source(let: Let) -> Expr:
    """Return what a statement draws from."""
    head = let.value.args[0] if let.value.op == "call" else let.value
    if head.op == "attribute" and _is_source(head.args[0]):
        return head.args[0]
    owner = getattr(object_of(head), "__self__", None)
    if id(owner) in MODULES:
        return MODULES[id(owner)]
    raise _refused(let.span)


def _is_source(expr: Expr) -> bool:
    cls = expr.type.cls if isinstance(expr.type, Other) else None
    return expr.op == "name" and isinstance(cls, type) and issubclass(cls, SOURCES)


def _behind(source: Expr, inside: frozenset[Variable], body: Block) -> Expr | None:
    """Return what a name of a generator stands for; None for one that the pass makes of a seed."""
    while source.op == "name" and source.data in inside:
        lets = [s for s in statements(body) if source.data in bound(s)]
        (let,) = lets if len(lets) == 1 else (None,)
        if not isinstance(let, Let) or let.target != source.data:
            raise _refused(lets[0].span)
        if _is_made_of_seed(let.value):
            return None
        if let.value.op != "name":
            raise _refused(let.span)
        source = let.value
    return source


def _is_made_of_seed(value: Expr) -> bool:
    """Tell whether a call makes a generator that draws alike each time."""
    is_made = any(called_object(value) is each for each in MAKERS)
    return is_made and len(value.args) > 1 and value.args[1].data is not None


def _refused(span: Span | None) -> NotYet:
    return Unsupported.refused(
        "this line does more than compute, or may do so, and a checkpointed loop runs it twice",
        span,
        "Hand on numbers, arrays and lists; write to files after the loop; "
        "let generators be arguments, shown by like=.",
    )
