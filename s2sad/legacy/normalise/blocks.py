"""Branches merge what their sides leave in a name; loops carry it from pass to pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from s2sad.ir.errors import InternalError, S2sadError, Unsupported
from s2sad.legacy.conditional import settled
from s2sad.legacy.desugar.names import LATE
from s2sad.legacy.drawn import draws
from s2sad.legacy.links import among, connected, forgotten, meet
from s2sad.legacy.lower import (
    atom,
    changes_inside,
    inline,
    lower,
    operand,
    outside,
)
from s2sad.legacy.normalise import late, perhaps
from s2sad.legacy.normalise.statements import every, statement
from s2sad.legacy.program import (
    Attr,
    Break,
    Call,
    Carried,
    Expr,
    If,
    Loop,
    Merge,
    Op,
    Ref,
    Stmt,
    Var,
    base,
)
from s2sad.legacy.revisit import revisited
from s2sad.legacy.scope import Scope, block_of
from s2sad.legacy.statics import joining
from s2sad.legacy.statics.kinds import Record, Row, agreed
from s2sad.legacy.statics.resolving import resolved
from s2sad.legacy.statics.rows import as_test
from s2sad.legacy.statics.special import gone_through
from s2sad.legacy.statics.unread import unread_after
from s2sad.legacy.statics.unrolling import unrolled
from s2sad.legacy.traverse import goes_on_behind_a_break, makes_a_pass, may_leave
from s2sad.source.names import assigned_names, bound_names, rebound_names
from s2sad.source.text import MISSING

ROUNDS = 100  # what is found in one may change the next; each finds more of what is finite


@statement.register
def _(node: gast.If, scope: Scope) -> None:
    node = with_test(node, scope)
    test = outside(node.test, scope)
    taken = settled(test, scope)
    taken = scope.comes_out(test, node) if taken is None else taken
    if taken is not None:
        every(node.body if taken else node.orelse, scope)
        return
    before, links, statics = dict(scope.held.values), scope.held.links, scope.held.statics
    outer = scope.out
    sides, after, held, ways = [], [], [], []
    for body in (node.body, node.orelse):
        scope.held.values, scope.held.links, scope.held.statics = dict(before), links, statics
        with scope.block() as side:
            _side(body, scope, outer)
        sides.append(side)
        after.append(dict(scope.held.values))
        held.append(scope.held.links)
        ways.append(scope.held.statics)
    _join_ways(node, sides, after, ways, scope)
    after = [{s: var for s, var in way.items() if s in before or scope.is_own(s)} for way in after]
    scope.held.links = perhaps.joined(node, _both(sides, after, held), scope)
    scope.held.values = dict(before)
    known = {*ways[0], *ways[1]}
    after = [{s: var for s, var in way.items() if s not in known} for way in after]
    merges = _merges(after[0], after[1], scope)
    for slot in before.keys() - (after[0].keys() & after[1].keys()):
        scope.drop(slot)
    scope.settle(*ways)
    key = scope.numbers.key()
    then, orelse = map(block_of, sides)
    scope.emit(If(test, then, orelse, merges, scope.span(node), key))


def _side(body: list[Any], scope: Scope, outer: list[Stmt]) -> None:
    """Lower one side of a branch; where it is refused, what it made is left for its facts."""
    was_undecided, scope.undecided = scope.undecided, True
    try:
        every(body, scope)
    except S2sadError:
        outer += scope.out
        raise
    finally:
        scope.undecided = was_undecided


def _both(*ways: Any) -> Any:
    """Return what holds at the ends of two ways, each by itself."""
    return tuple(zip(*ways, strict=True))


def _join_ways(node: Any, sides: Any, after: Any, ways: Any, scope: Scope) -> None:
    """Let names that hold one record on one side and one on the other hold a third."""
    if any(may_leave(side) and not isinstance(side[-1], Break) for side in sides):
        return  # some ways end before the end of the side
    unlike = joining.joinable(*ways)
    if len(unlike) < len(joining.unlike(*ways)):
        unread = {scope.slot(name) for name in unread_after(node, scope)}
        fewer = [{s: held for s, held in way.items() if s not in unread} for way in ways]
        if len(more := joining.joinable(*fewer)) > len(unlike):
            unlike, ways[:] = more, fewer
    joints: dict[Any, Any] = {}
    for slot, pair in unlike.items():
        made = joining.home(slot, pair, ways, scope) or joining.joint(slot, pair[0], scope)
        joints.setdefault(pair, made)
    for number in range(2 if joints else 0):
        moves = [(pair[number], made) for pair, made in joints.items() if pair[number] != made]
        held = {slot: joints[pair] for slot, pair in unlike.items()}
        _moved(moves, held, number, (node, sides, after, ways), scope)
    if scope.opened is not None and LATE in scope.opened:
        for slot, number in joining.late(ways, after).items():
            record = ways[number][slot]
            made = joining.joint(slot, record, scope)
            _moved([(record, made)], {slot: made}, number, (node, sides, after, ways), scope)
            ways[1 - number] |= {slot: made, made.place: ways[number][made.place]}


def _moved(moves: Any, held: Any, number: int, join: Any, scope: Scope) -> None:
    """Give records the fields of others at the end of one way, and hold them from there on."""
    node, sides, after, ways = join
    side = sides[number]
    scope.held.values, scope.held.statics = after[number], ways[number]
    outer, scope.out = scope.out, side
    last = [side.pop()] if side and isinstance(side[-1], Break) else []
    joining.copied(moves, scope, scope.span(node))
    side += last
    scope.out = outer
    after[number], ways[number] = scope.held.values, {**scope.held.statics, **held}


def _seen(scope: Scope, before: dict[str, Var]) -> dict[str, Var]:
    """Return the values after a block, those of functions that were lowered into it left out."""
    return {s: var for s, var in scope.held.values.items() if s in before or scope.is_own(s)}


def _merges(then: dict[str, Var], orelse: dict[str, Var], scope: Scope) -> tuple[Merge, ...]:
    merges = []
    for slot in sorted({*then, *orelse}):
        a, b = then.get(slot), orelse.get(slot)
        if a != b:
            merges.append(Merge(scope.renew(slot), a, b))
    return tuple(merges)


@statement.register
def _(node: gast.For, scope: Scope) -> None:
    node = gone_through(node, scope)
    written_out = unrolled(node, scope)
    if written_out is None:
        node = resolved(node, scope)
        written_out = revisited(node, scope)
    if written_out is not None:
        every(written_out, scope)
    else:
        _loop(node, _iterable(node.iter, scope), scope)


def _iterable(node: Any, scope: Scope) -> Expr:
    """Return what a loop goes over; what is made for it gets a name, so that it has an adjoint."""
    if isinstance(node, gast.Subscript | gast.Tuple | gast.List | gast.BinOp | gast.Attribute):
        scope.called_after = "items"
        return atom(node, scope)
    if changes_inside(node, scope):
        # the reversed loop goes over the same again
        scope.called_after = "items"
        made = lower(node, scope, operand)
        return scope.temp(made, node) if draws(made) else made
    iterable = inline(node, scope)
    match iterable:
        case Call(Ref("enumerate" | "zip" | "reversed"), args) if len(args) == len(node.args):
            parts = tuple(_iterable(each, scope) for each in node.args)
            return replace(iterable, args=parts)
    return iterable


@statement.register
def _(node: gast.While, scope: Scope) -> None:
    if changes_inside(node.test, scope):
        # what a test writes is written in the pass that it begins
        begun = gast.If(test=node.test, body=node.body, orelse=[gast.Break()])
        always = gast.copy_location(gast.Constant(True, None), node.test)
        for each in (begun, begun.orelse[0]):
            gast.copy_location(each, node.test)
        node = gast.copy_location(gast.While(test=always, body=[begun], orelse=[]), node)
    _loop(node, None, scope)


def _loop(node: Any, iterable: Expr | None, scope: Scope) -> None:
    inside = [node.target, *node.body] if iterable is not None else node.body
    before, links = dict(scope.held.values), scope.held.links
    slots = _written_slots(inside, scope)
    for name in rebound_names(inside):
        links = forgotten(links, scope.slot(name))
    slots = [*slots, *sorted(connected(links, slots))]
    doubtful = perhaps.begun(scope.held.links, links, before, node, scope)
    statics, joints = scope.held.statics, scope.held.joints
    unread = late.unread(node, scope)
    inlined, temps, begun = scope.numbers.inlined, scope.numbers.temps.copy(), len(scope.out)
    for _ in range(ROUNDS):
        scope.numbers.inlined = inlined  # a function has the same names each time: so do questions
        if len(scope.out) == begun:
            scope.numbers.temps = temps.copy()  # so have the parts of parts
        scope.held.values, scope.held.links = dict(before), doubtful.over(links)
        scope.held.statics = statics
        slots = [slot for slot in slots if slot not in statics]
        heads = {slot: scope.renew(slot) for slot in slots}
        late.note(heads, before, unread, scope)
        start, links = dict(scope.held.values), doubtful.without(scope.held.links)
        test = None if iterable is not None else _test_of(node, scope)
        started = late.Start(statics, joints, heads, before, unread)
        out, targets, again, found = _one_pass(node, iterable, started, scope)
        if found:
            statics, slots = late.with_records(found, statics, slots, scope)
            continue
        if again:
            before, statics = _begun(again, before, statics, scope, node)
            continue
        if perhaps.changed(doubtful, links, before, out, node, scope):
            continue
        # a function lowered in place may write to more than the text shows, and an echo
        kept = {*slots, *statics}
        more = [s for s in start if s not in kept and scope.held.values.get(s) != start[s]]
        held, known = meet(links, scope.held.links), agreed(statics, scope.held.statics)
        known |= _last_items(statics, scope, before, slots)
        if not more and held == links and known == statics:
            break
        slots, links, statics = slots + more, held, known
    else:
        raise Unsupported(
            "what this loop hands on cannot be followed",
            scope.span(node),
            "Give each name one kind of value before the loop and in it.",
        )
    ends = {slot: scope.held.values.get(slot, heads[slot]) for slot in slots}
    scope.held.values = _seen(scope, before)
    if not makes_a_pass(iterable):
        scope.held.links = doubtful.over(links)
    scope.held.links = among(scope.held.links, scope.held.values)
    slots = _handed_on(slots, {s for s in slots if before.get(s) or ends[s] != heads[s]}, scope)
    exits = {slot: scope.renew(slot) for slot in slots}
    carried = tuple(Carried(heads[s], before.get(s), ends[s], exits[s]) for s in slots)
    scope.held.joints = joints
    scope.settle(statics)
    if goes_on_behind_a_break(out):
        raise InternalError(f"line {node.lineno}: something follows a break")
    where, key = scope.span(node), scope.numbers.key()
    scope.emit(Loop(targets, iterable, test, carried, block_of(out), may_leave(out), where, key))


def _written_slots(inside: list[Any], scope: Scope) -> list[str]:
    """Return the slots that a pass may write to: what it only changes has to be there before.

    What is not there belongs to the module, and is refused where it is changed.
    """
    bound = bound_names(inside)
    names = assigned_names(inside, scope.locals)
    held = scope.held.values.keys() | scope.held.statics.keys()
    return [scope.slot(name) for name in names if name in bound or scope.slot(name) in held]


def _handed_on(slots: list[str], given: set[str], scope: Scope) -> list[str]:
    """Return the slots that hold a value behind a loop: what no pass gives one holds none."""
    # what belongs to the module is refused where it is changed
    kept = [s for s in slots if s in given or scope.source.resolve(base(s)) is not MISSING]
    for slot in slots:
        if slot not in kept:
            scope.drop(slot)
    return kept


def _test_of(node: Any, scope: Scope) -> Expr:
    return inline(resolved(as_test(node.test, scope), scope), scope)


def _one_pass(node: Any, iterable: Expr | None, start: late.Start, scope: Scope) -> Any:
    """Lower a pass: return its statements, its targets, and the records that it asks to start with."""
    out: list[Any] = []
    targets = None
    try:
        with scope.block() as out:
            targets = _targets(node.target, scope) if iterable is not None else None
            _note_items(targets, iterable, scope)
            every(node.body, scope)
            found = late.begun(start, scope)
            again = {} if found else _joined_ends(start.statics, start.joints, out, scope, node)
    except joining.LateRecord as asked:
        return out, targets, {}, late.asked_for(asked, start, scope)
    return out, targets, again, found


def _note_items(targets: Any, iterable: Expr | None, scope: Scope) -> None:
    """Note what is known of the items of lists of the module's that a loop goes through."""
    match iterable:
        case Call(Ref("zip"), args) if isinstance(targets, tuple) and len(args) == len(targets):
            for target, each in zip(targets, args, strict=True):
                _note_items(target, each, scope)
        case Call(Ref("enumerate"), (each, *_)) if isinstance(targets, tuple) and len(targets) == 2:
            _note_items(targets[1], each, scope)
        case Call(Ref("reversed"), (each,)):
            _note_items(targets, each, scope)
        case Var() | Ref() | Attr() if isinstance(targets, Var):
            item = scope.on_object(Op("index", (iterable, targets)), scope)
            if item is not MISSING:
                scope.held.objects[targets] = item


def _last_items(
    statics: Any, scope: Scope, before: dict[str, Var], slots: list[str]
) -> dict[str, Row]:
    """Return the items of lists of objects that names hold after the last pass of a loop."""
    return {
        slot: held
        for slot, held in scope.held.statics.items()
        if isinstance(held, Row) and held.at in slots and slot not in before and "%r" not in slot
        if slot not in statics or statics[slot] == held
    }


def _joined_ends(statics: Any, joints: Any, out: Any, scope: Scope, node: Any) -> dict[str, Record]:
    """Give the records of the next pass the fields of those that the pass leaves.

    Where a name holds another record for the first time the loop is to be lowered again: return
    what those names hold where the loop begins.
    """
    unlike = joining.joinable(statics, scope.held.statics)
    if not unlike or may_leave(out):
        return {
            slot: pair[0] for slot, pair in unlike.items() if scope.held.joints.get(slot) != pair[0]
        }
    new = {s: pair[0] for s, pair in unlike.items() if scope.held.joints.get(s) != pair[0]}
    if new:
        return new
    joining.copied([(end, head) for head, end in unlike.values()], scope, scope.span(node))
    held = {slot: pair[0] for slot, pair in unlike.items()}
    scope.held.statics = {**scope.held.statics, **held}
    return {}


def _begun(
    new: dict[str, Record], before: dict[str, Var], statics: Any, scope: Scope, node: Any
) -> tuple[dict[str, Var], Any]:
    """Let names hold records of their own when a loop begins."""
    made = {record: joining.joint(slot, record, scope) for slot, record in new.items()}
    scope.held.values, scope.held.statics = dict(before), statics
    joining.copied(list(made.items()), scope, scope.span(node))
    own = {slot: made[record] for slot, record in new.items()}
    scope.held.joints = {**scope.held.joints, **own}
    return dict(scope.held.values), {**scope.held.statics, **own}


def with_test(node: Any, scope: Scope) -> Any:
    """Return a branch whose test reads fields of records by their names."""
    test = resolved(as_test(node.test, scope), scope)
    if test is node.test:
        return node
    return gast.copy_location(gast.If(test=test, body=node.body, orelse=node.orelse), node)


def _targets(node: Any, scope: Scope) -> Any:
    if isinstance(node, gast.Name):
        return scope.define(node.id)
    if isinstance(node, gast.Tuple | gast.List):
        return tuple(_targets(each, scope) for each in node.elts)
    raise Unsupported(
        "this loop target is not differentiated",
        scope.span(node),
        "Loop with a name, and assign from that in the loop.",
    )
