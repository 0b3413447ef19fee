"""Statements: each is run once, and what is computed becomes statements of the program.

A block returns how it was left; see `exits`. Where a test is not known both sides are run. A
statement whose values do not join is split: the rest of its block is run on both sides.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import cache
from typing import Any

import gast

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, constant, global_
from s2sad.ir.expression import call as call_of
from s2sad.ir.program import If, Raise, While
from s2sad.lowering import (
    attempts,
    augment,
    branches,
    classes,
    copied,
    demands,
    evaluation_order,
    exits,
    loops,
    matching,
    peeling,
    places,
    ways,
)
from s2sad.lowering import evaluate as evaluating
from s2sad.lowering.machine import (
    Machine,
    Scope,
    Slot,
    closure_at,
    emit,
    forked,
    named,
    place_of,
    refusal,
    settled,
    site_of,
)
from s2sad.lowering.targets import Target, words_of
from s2sad.lowering.values import Data, Unjoinable, Value, is_atomic, kept, literal
from s2sad.source.trees import read_in_loops_alone

Way = ways.Way
LONGEST = 200  # passes of a loop that is unrolled


def block(m: Machine, statements: list[Any], is_whole: bool = False) -> Way:
    """Run statements in order; return how they are left.

    What `is_whole` reaches to the end of a function, or of a pass of a loop: nothing follows that
    reads what two ways leave in one name.
    """
    while statements:
        node, rest, way = statements[0], statements[1:], None
        if isinstance(node, gast.If):
            test = _tested(m, node)
            if (
                m.leaving is None and test.known is not None
            ):  # the side that is run, and what follows
                statements = [*(node.body if test.known.value else node.orelse), *rest]
                continue
            if m.leaving is None:
                way, done = _if(m, node, test.expr, rest, is_whole)
                if done:
                    return way
        else:
            done, way = _statement(m, node, statements, is_whole)
            if done:
                return way
        if m.leaving is not None:
            way, m.leaving = m.leaving, None
        if isinstance(way, ways.Mixed) and rest:
            return exits.guarded(m, way, lambda rest=rest: block(m, rest))
        if way is not None:
            return way
        statements = rest
    return None


def _statement(m: Machine, node: Any, onward: list[Any], is_whole: bool) -> tuple[bool, Way]:
    """Run a statement; return (whether all that follows was run, too, way out)."""
    # what is not gone back to needs no snapshot, which takes time with all that was made before
    state = snapshot(m) if m.copies or _has_choices(node) else None
    try:
        return False, simple(m, node)
    except Unjoinable as fault:
        if isinstance(node, gast.Match) and state is not None and (onward[1:] or is_whole):
            rewind(m, state)
            return True, matching.run(m, node, onward[1:], is_whole)
        if state is None or fault.key is None or fault.key[1] != m.frame or fault.test is None:
            raise
        rewind(m, state)
        return True, _split(m, fault.key, fault.test, onward, is_whole)
    except NotYet as fault:
        if state is None or not m.copies or m.needs_values:
            raise
        rewind(m, state)
        copied.copy_statement(m, node, fault)
        return False, None


@functools.lru_cache(maxsize=4096)
def _has_choices(node: Any) -> bool:
    """Tell whether a conditional expression stands in a statement, or it is a `match`."""
    return any(isinstance(n, gast.IfExp | gast.Match) for n in gast.walk(node))


def simple(m: Machine, node: Any) -> Way:
    """Run a statement that is no `if`; return how it is left."""
    place_of(m, node)
    match node:
        case gast.Expr():
            if not isinstance(node.value, gast.Constant):
                evaluation_order.as_statement(m, m.evaluate_whole(node.value))
            return None
        case gast.Assign():
            return _assign(m, node)
        case gast.AugAssign():
            return augment.augment(m, node)
        case gast.AnnAssign():
            if node.value is not None:
                m.assign(node.target, m.evaluate_whole(node.value))
            return None
        case gast.Return():
            return _return(m, node)
        case gast.Break():
            return exits.leave(m, "break")
        case gast.Continue():
            return exits.leave(m, "continue")
        case gast.For():
            return _for(m, node)
        case gast.While():
            return _while(m, node)
        case gast.Pass() | gast.Global() | gast.Nonlocal():
            return None
    return _rarer(m, node)


def _rarer(m: Machine, node: Any) -> Way:
    match node:
        case gast.FunctionDef():
            return classes.define_function(m, node)
        case gast.ClassDef():
            return classes.define_class(m, node)
        case gast.Import() | gast.ImportFrom():
            return classes.define_imports(m, node)
        case gast.Delete():
            for target in node.targets:
                places.delete(m, target)
            return None
        case gast.Raise():
            return attempts.run_raise(m, node)
        case gast.Assert():
            return _assert(m, node)
        case gast.Try():
            return attempts.run_try(m, node)
        case gast.With():
            return attempts.run_with(m, node)
        case gast.Match():
            return matching.run(m, node)
    raise refusal(m, f"this {evaluating.SYNTAX.get(type(node), 'statement')}")


# ---------------------------------------------------------------------------- going back


State = tuple[Any, ...]


def snapshot(m: Machine) -> State:
    """Return the state, to come back to."""
    contexts = [(c, list(c.left), list(c.again), list(c.results)) for c in m.contexts]
    return forked(m.heap), m.block, list(m.block), set(m.used), m.frame, contexts, m.span


def rewind(m: Machine, state: State) -> None:
    """Go back to a state."""
    m.heap, m.block, statements, m.used, m.frame, contexts, m.span = state
    m.block[:] = statements
    for context, left, again, results in contexts:
        context.left[:], context.again[:], context.results[:] = left, again, results
    m.contexts = [context for context, *_ in contexts]


def _split(m: Machine, key: Any, test: Expr, statements: list[Any], is_whole: bool) -> Way:
    """Run statements on either side of a test whose sides give values that do not join."""

    def side(holds: bool) -> tuple[Way, None]:
        m.forced[key] = holds
        try:
            return block(m, statements, is_whole), None
        finally:
            del m.forced[key]

    return branches.branch(m, test, [lambda: side(True), lambda: side(False)], is_whole)[0]


# ---------------------------------------------------------------------------- branches


def _tested(m: Machine, node: Any) -> Data:
    """Return what decides a branch."""
    place_of(m, node)
    test = m.tested(node.test)
    place_of(m, node)
    return test


def _if(m: Machine, node: Any, test: Expr, rest: list[Any], is_whole: bool) -> tuple[Way, bool]:
    """Run a branch; return (way out, whether the rest of the block was run in it)."""
    state = snapshot(m)
    try:
        return _both(m, test, node, rest)
    except Unjoinable:
        if not rest and not is_whole:
            raise
        rewind(m, state)
        return _apart(m, test, node, rest, is_whole), True


def _apart(m: Machine, test: Expr, node: Any, rest: list[Any], is_whole: bool) -> Way:
    """Run the rest on each side of a branch whose sides leave values that do not join."""

    def side(body: list[Any]) -> tuple[Way, None]:
        return block(m, [*body, *rest], is_whole), None

    sides: list[branches.Side] = [lambda: side(node.body), lambda: side(node.orelse)]
    return branches.branch(m, test, sides, is_whole)[0]


def _both(m: Machine, test: Expr, node: Any, rest: list[Any]) -> tuple[Way, bool]:
    """Run both sides; the rest is run inside where the other side leaves a block unprinted."""
    rests: list[Way] = []
    leaves = [_leaves(m, body) for body in (node.body, node.orelse)]

    def side(body: list[Any], other: bool) -> tuple[Way, None]:
        way = block(m, body)
        if rest and way is None and other:
            way = block(m, rest)
            rests.append(way)
        return way, None

    sides: list[branches.Side] = [
        lambda: side(node.body, leaves[1]),
        lambda: side(node.orelse, leaves[0]),
    ]
    after, _ = branches.branch(m, test, sides)
    return after, bool(rests)


def _leaves(m: Machine, body: list[Any]) -> bool:
    """Tell whether a block ends in a return, break or continue that is not printed as one."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, gast.If) and last.orelse:
        return _leaves(m, last.body) and _leaves(m, last.orelse)
    words = {gast.Return: "return", gast.Break: "break", gast.Continue: "continue"}
    kinds = exits.LEFT_BY.get(words.get(type(last), ""), ())
    for place in range(len(m.contexts) - 1, -1, -1):
        context = m.contexts[place]
        if context.frame == m.frame and context.kind in kinds:
            stop = exits.stop_of(m, place)
            passed = bool(exits.printed_loops(m, stop))
            is_printed = context.printed and stop == place
            return not is_printed and (isinstance(last, gast.Continue) or not passed)
    return False


# ---------------------------------------------------------------------------- plain statements


def _assign(m: Machine, node: Any) -> Way:
    target = node.targets[0]
    is_unpacked = any(isinstance(each, gast.Tuple | gast.List) for each in node.targets)
    whole = _as_list(node.value) if is_unpacked else node.value
    m.binding = whole, words_of(target)
    value = m.evaluate_whole(whole)
    place_of(m, node)
    if m.leaving is not None:
        return None
    value = kept(value)
    if len(node.targets) > 1 and isinstance(value, Data):
        if value.pending is not None or not is_atomic(value.expr):
            value = named(m, value, getattr(target, "id", "value"))
    for target in node.targets:
        m.assign(target, value)
    return None


@cache
def _as_list(node: Any) -> Any:
    """Return a generator that is unpacked, and so gone through at once, as a list."""
    if not isinstance(node, gast.GeneratorExp):
        return node
    return gast.copy_location(gast.ListComp(node.elt, node.generators), node)


def _return(m: Machine, node: Any) -> Way:
    value: Value = literal(None) if node.value is None else m.evaluate_whole(node.value)
    place_of(m, node)
    if m.leaving is not None:
        return None
    return exits.leave(m, "return", settled(m, value, "result"))


def _assert(m: Machine, node: Any) -> Way:
    """Make `if not test: raise AssertionError`; an assertion that is known to hold is left out."""
    test = m.tested(node.test)
    if test.known is not None and test.known.value:
        return None
    message = None if node.msg is None else evaluation_order.without_statements(m, node.msg)
    args = () if message is None else (m.to_data(message).expr,)
    error = call_of(global_("AssertionError", AssertionError), *args)
    if test.known is not None:
        emit(m, Raise(error, m.span))
        return ways.DEAD
    emit(m, If(branches.negated(test.expr), (Raise(error, m.span),), (), m.span))
    return None


# ---------------------------------------------------------------------------- loops


def _orelse(m: Machine, node: Any) -> Callable[[], Way] | None:
    return (lambda: block(m, node.orelse)) if node.orelse else None


def _for(m: Machine, node: Any) -> Way:
    over = m.evaluate(node.iter)
    place_of(m, node)
    site = site_of(m, node)

    def body() -> Way:
        return block(m, node.body, is_whole=True)

    if len(node.body) == 1 and isinstance(node.body[0], gast.Assign | gast.AugAssign):
        demands.ask_for_passes(m, over, site)
    _forget_target(m, node)
    way = m.loop(over, Target(node.target), body, site, _orelse(m, node))
    _forget_target(m, node)
    return way


def _forget_target(m: Machine, node: Any) -> None:
    """Forget what a loop goes over by names that its body alone reads: no loop hands it on."""
    dead = read_in_loops_alone(closure_at(m).node)
    for part in gast.walk(node.target):
        if isinstance(part, gast.Name) and part.id in dead:
            m.heap[m.frame].slots.pop(part.id, None)


def _while(m: Machine, node: Any) -> Way:
    """Make a loop, or unroll it where its test must be known."""
    site = site_of(m, node)
    if ("unroll", site) in m.choices:
        return _unrolled_while(m, node)
    start = evaluation_order.without_statements(m, node.test, m.tested)
    assert start is None or isinstance(start, Data)
    if start is not None and start.known is not None and not start.known.value:
        return block(m, node.orelse) if node.orelse else None

    if peeling.is_peeled(m, site) and not node.orelse and start is not None:
        return peeling.run(m, start, lambda: block(m, node.body, True), lambda: _printed(m, node))
    return _printed(m, node)


def _printed(m: Machine, node: Any) -> Way:
    """Make a loop of the program."""

    def loop(broken: Slot | None) -> Way:
        found: dict[str, Any] = {}

        def run(context: Scope) -> Way:
            return _while_pass(m, node, context, found)

        return loops.printed(
            m,
            site_of(m, node),
            run,
            lambda made: While(found["test"], tuple(made), m.span),
            lambda: bool(found["endless"]),
            broken,
        )

    return loops.with_else(m, loop, _orelse(m, node))


def _while_pass(m: Machine, node: Any, context: Scope, found: dict[str, Any]) -> Way:
    mark = len(m.block)
    test = m.tested(node.test)
    place_of(m, node)
    found["endless"] = test.known is not None and bool(test.known.value)
    found["test"] = test.expr if test.known is None else constant(bool(test.known.value))
    if len(m.block) > mark and not found["endless"]:
        found["test"] = constant(True)
        loops.leave_unless(m, context, test.expr)
    return block(m, node.body, is_whole=True)


def _unrolled_while(m: Machine, node: Any) -> Way:
    context = Scope("loop", False, m.frame)
    for _ in range(LONGEST):
        test = m.tested(node.test)
        if test.known is None:
            demands.demand_open(m, test.origins, "unroll", "known")
            raise refusal(m, "a while that must be known, and is not")
        if not test.known.value:
            return block(m, node.orelse) if node.orelse else None
        m.contexts.append(context)
        try:
            way = block(m, node.body, is_whole=True)
        finally:
            m.contexts.pop()
        if way == ways.Exit("break", context):
            return None
        way = ways.without(way, ways.Exit("continue", context))
        if isinstance(way, ways.Mixed):
            raise refusal(m, "an unrolled while that is left on some way")
        if way is not None:
            return way
    raise refusal(m, "a long while that must be known")
