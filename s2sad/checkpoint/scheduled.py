"""The loops of a function that save values in their passes become calls, if a schedule is asked for.

for t in range(n):         ->      u, checkpoints = march_loop(u, c, range(n))
    u = u + c * f(u)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from s2sad.analysis.containers import is_container
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import Place, placed
from s2sad.analysis.prepare import Prepared
from s2sad.analysis.retype import present
from s2sad.checkpoint.drawing import STATE_TYPE, sources_of, with_states
from s2sad.checkpoint.kept import Kept, Names, copied, loop, loop_back, step, varying_step
from s2sad.checkpoint.outline import Outline, outlined, refuse_unbound, writes_history
from s2sad.checkpoint.passes import has_output
from s2sad.checkpoint.planner import Plan
from s2sad.ir.errors import NotYet, Span, Unsupported
from s2sad.ir.expression import Expr, Variable, call, constant, global_, name, root_of
from s2sad.ir.program import (
    Block,
    Effect,
    For,
    Function,
    Let,
    Raise,
    RegionOp,
    Return,
    Statement,
    Store,
    Try,
    While,
)
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Regions,
    Sequence,
    Site,
    Tuple,
    Type,
)
from s2sad.ir.walk import blocks, bound, bound_in, read_variables, statements, with_blocks
from s2sad.operators import printed
from s2sad.operators.schedules import All, Disk, Schedule, Schedules
from s2sad.reverse.sweep import Path, Steps, walk
from s2sad.reverse.world import Callees, Loop

WHOLE = Number("int64")
INERT = (STATE_TYPE, Other(set), Other(str), Other(type(None)))  # states without adjoints
DerivedStep = Callable[[Function, Kept], Function]  # the derivative of a pass
Loops = list[tuple[Place, Schedule]]
Marks = Mapping[tuple[str, int], Schedule]  # by file and line


def loop_spans(function: Function) -> Iterator[Span]:
    """Yield where the loops of a function stand."""
    for statement in statements(function.body):
        if isinstance(statement, For | While) and statement.span is not None:
            yield statement.span


def returned_names(function: Function) -> tuple[Variable, ...]:
    """Return the variables that a function of which the result is a display gives back."""
    end = function.body[-1]
    assert isinstance(end, Return)
    return tuple(part.data for part in end.value.args)


def scheduled_loops(
    function: Function,
    steps: Steps,
    plan: Plan,
    asked: Schedules,
    marks: Marks,
    active: frozenset[Variable],
) -> Loops:
    """Return the outermost loops that save values in their passes and have a schedule.

    `marks` are the schedules that loops ask for themselves.
    """
    saving = _saving(steps, plan)
    everywhere = asked.everywhere

    def found(block: Block, inside: Place) -> Iterator[tuple[Place, Schedule]]:
        for position, statement in enumerate(block):
            place = (*inside, position)
            schedule = _schedule_of(statement, asked, marks, saving)
            if schedule is everywhere and not _may_vary(statement, active):
                schedule = None  # it finds positions, or the like: nothing that is handed on has an adjoint
            if schedule is not None:
                yield place, schedule
                continue
            for branch, inner in enumerate(blocks(statement)):
                yield from found(inner, (*place, branch))

    return list(found(function.body, ()))


def _schedule_of(
    statement: Statement, asked: Schedules, marks: Marks, saving: frozenset[Span]
) -> Schedule | None:
    """Return the schedule that a loop asks for; None of what is no loop, or saves nothing."""
    span = statement.span
    if not isinstance(statement, For | While) or span is None or span not in saving:
        return None
    own = {line: each for (path, line), each in marks.items() if path == span.path}
    schedule = asked.of(span, own)
    if schedule is asked.everywhere and writes_history(statement):
        return None  # each of its states would hold all of it
    return None if isinstance(schedule, All) else schedule


def _may_vary(loop: Statement, active: frozenset[Variable]) -> bool:
    """Tell whether passes of a loop bind, or write to, what varies."""
    written = (each.target for each in statements((loop,)) if isinstance(each, Store))
    changed = (each.base for each in statements((loop,)) if isinstance(each, RegionOp))
    roots = (root_of(each) for each in (*written, *changed))
    return not active.isdisjoint(bound_in((loop,)).union(v for v in roots if v is not None))


def _saving(steps: Steps, plan: Plan) -> frozenset[Span]:
    """Return the loops in whose passes something is saved."""
    saved: set[Path] = {*plan.lost, *plan.overwritten, *plan.inverted}
    saved |= {path for (path, _), each in plan.again.items() if any(r.value is None for r in each)}
    found: set[Span] = set()
    for path, each in walk(steps):
        loop_, size = each.statement, len(path)
        if isinstance(loop_, For | While) and loop_.span is not None:
            if any(p[:size] == path and len(p) > size for p in saved):
                found.add(loop_.span)
    return frozenset(found)


def with_loops(
    ready: Prepared,
    loops: Loops,
    active: frozenset[Variable],
    again: Callable[[Block], Prepared],
    derived_step: DerivedStep,
    callees: Callees,
) -> tuple[Prepared, dict[str, Kept]]:
    """Return a function in which loops are calls, and these loops by the functions that run them.

    The functions that are called are made.
    """
    body, moved = with_states(ready.function, frozenset(place for place, _ in loops), active)
    if body != ready.function.body:
        ready = again(body)
        loops = [(moved[place], each) for place, each in loops]
    function = ready.function
    fresh = Fresh.of(function)
    found = {
        place: _named(outlined(function, ready.memory, place), each, ready.memory, active, callees)
        for place, each in loops
    }
    folders = {p: fresh.variable("scratch") for p, kept in found.items() if kept.filed}
    lets = {p: _call(kept, fresh, folders.get(p)) for p, kept in found.items()}
    calls: dict[Place, tuple[Let, ...]] = {place: (let,) for place, let in lets.items()}
    begun = [_folder(found[place], scratch) for place, scratch in folders.items()]
    begun += _unbound(found.values())
    moves: dict[Place, Block] = {place: kept.outline.views for place, kept in found.items()}
    made = again((*begun, *_replaced(function.body, calls, moves, ())))
    before = dict(calls)
    for place, kept in found.items():
        let = _call_in(made, kept)
        shared = _exchanged(_shared(kept, let, made), kept, ready.memory)
        if shared:
            found[place] = kept = replace(kept, copied=shared)
            calls[place] = _copying(lets[place], shared, fresh)
        if set(bound(let)) & read_variables(let.value):
            calls[place], moves[place] = _moved(calls[place], kept, fresh)
        _make(kept, derived_step, callees)
    if calls != before:
        made = again((*begun, *_replaced(function.body, calls, moves, ())))
    return made, {kept.names.run: kept for kept in found.values()}


def _named(
    outline: Outline,
    schedule: Schedule,
    memory: Memory,
    active: frozenset[Variable],
    callees: Callees,
) -> Kept:
    """Return a loop with the names of its functions."""
    _refuse_types(outline, memory, active)
    if isinstance(schedule, Disk):
        _refuse_files(outline, memory)
    called = outline.loop.span.function if outline.loop.span is not None else "f"
    types = memory.types
    in_place = frozenset(v for v in outline.outside if _keeps_shadow(types[v], memory.regions))
    kept = Kept(outline, schedule, types, active, in_place=in_place)
    if not kept.received and not kept.left:
        raise NotYet("a schedule for a loop that hands on nothing that varies", outline.loop.span)
    endings = ("step", "step_rev", "loop", "loop_rev")
    kept = replace(kept, names=Names(*(callees.named(f"{called}_{each}") for each in endings)))
    for each in (kept.names.step, kept.names.step_back, kept.names.run, kept.names.back):
        callees.made[each] = Function(each, (), ())
    target = outline.target
    state = outline.state
    first = len(outline.found)
    callees.loops[kept.names.run] = Loop(
        kept.names.back,
        state,
        tuple(memory.types[v] for v in state),
        tuple(state.index(v) for v in kept.received),
        tuple(state.index(v) for v in kept.left),
        tuple(range(first, first + len(outline.outside))),
        tuple(first + outline.outside.index(v) for v in kept.varying_outside),
        tuple(first + outline.outside.index(v) for v in kept.shadowed),
        None if isinstance(outline.loop, While) else first + len(outline.outside),
        outline.is_counted,
        _effect_of(outline.loop),
    )
    if isinstance(outline.loop, For) and (target is None or target in active):
        raise NotYet("a schedule for a loop over what is no range", outline.loop.span)
    return kept


def _refuse_types(outline: Outline, memory: Memory, active: frozenset[Variable]) -> None:
    """Refuse states, and adjoints, of what is no number, no array, and no container of them."""
    span = outline.loop.span
    for variable in (*outline.state, *outline.outside):
        type_ = present(memory.types[variable])
        is_known = isinstance(type_, Number | Array) or is_container(type_) or type_ in INERT
        is_either = isinstance(type_, Numeric) and variable not in outline.written
        if not (is_known or is_either) and (variable in active or variable in outline.state):
            raise NotYet(f"a schedule for a loop whose {variable} is no array", span)
    for variable in outline.left:
        type_ = memory.types[variable]
        is_open = isinstance(type_, Numeric) or (isinstance(type_, Array) and None in type_.lengths)
        if variable in active and is_open:
            refuse_unbound(frozenset((variable,)), outline.loop)


def _keeps_shadow(type_: Type, regions: Regions) -> bool:
    """Tell whether passes add to the shadow of a container: a tuple of arrays is taken apart in each."""
    return not _is_taken_apart(type_) and _is_of_arrays(type_, regions)


def _is_taken_apart(type_: Type) -> bool:
    """Tell whether a value is a tuple of arrays and numbers, or of such tuples."""
    if not isinstance(type_, Tuple) or type_.cls is list:
        return False
    return all(_is_taken_apart(each) or not is_container(each) for each in type_.items)


def _is_of_arrays(type_: Type, regions: Regions, seen: tuple[Site, ...] = ()) -> bool:
    """Tell whether a container holds arrays, and no number that varies."""
    match type_:
        case Optional(inner):
            return _is_of_arrays(inner, regions, seen)
        case Reference(site) if site in seen:
            return True
        case Reference(site) if site in regions:
            region, seen = regions[site], (*seen, site)
            held = tuple(region.fields.values()) if region.kind == "fields" else (region.item,)
        case Tuple(items):
            held = items
        case Sequence(item):
            held = (item,)
        case _:
            return False
    parts = (each for each in held if not isinstance(each, Array | Other))
    return all(_is_of_arrays(each, regions, seen) for each in parts)


def _refuse_files(outline: Outline, memory: Memory) -> None:
    """Refuse states that hold more than one array, where arrays go to files."""
    for variable in outline.found:
        if is_container(memory.types[variable]):
            raise Unsupported.refused(
                f"{variable.name} holds several values, and only arrays and numbers are kept in files",
                outline.loop.span,
                "Make it an array before the loop, and store to its items; or take a schedule in memory.",
            )


def _folder(kept: Kept, scratch: Variable) -> Let:
    """Return the statement that makes the directory for the files of a loop."""
    assert isinstance(kept.schedule, Disk)
    named = kept.names.run.removesuffix("_loop").upper()
    folder = global_(f"{named}_FOLDER", kept.schedule.folder).typed(Other(str))
    make = global_("_scratch", printed.function("_scratch"))
    return Let(scratch, call(make, folder, type_=Other(str)), effect=Effect(prints=True))


def _unbound(found: Iterable[Kept]) -> Iterator[Let]:
    """Yield the statements that give a value to what may have none before a loop: to be handed on."""
    types = {v: kept.types[v] for kept in found for v in kept.outline.unbound}
    for variable, type_ in types.items():
        yield Let(variable, constant(None, type_))


def _call(kept: Kept, fresh: Fresh, scratch: Variable | None) -> Let:
    """Return the statement that stands for a loop."""
    outline, types = kept.outline, kept.types
    args = tuple(name(v, types[v]) for v in (*outline.found, *outline.outside))
    if isinstance(outline.loop, For):
        args = (*args, outline.loop.domain)
    if scratch is not None:
        args = (*args, name(scratch, Other(str)))
    targets, kinds = [*outline.state], [types[v] for v in outline.state]
    if outline.is_counted:
        targets.append(fresh.variable("passes"))
        kinds.append(WHOLE)
    targets.append(fresh.variable("checkpoints"))
    type_ = Tuple((*kinds, UNKNOWN))
    called = Expr("call", (Expr("function", (), kept.names.run), *args), (), type_)
    return Let(tuple(targets), called, outline.loop.span, _effect_of(outline.loop))


def _effect_of(loop: For | While) -> Effect:
    """Return what a call of a loop does beside what it hands on: it may draw, or tell something."""
    return Effect(draws=bool(sources_of(loop.body)), prints=has_output(loop.body))


def _copying(let: Let, shared: frozenset[Variable], fresh: Fresh) -> tuple[Let, ...]:
    """Return the call of a loop that is handed copies of what the function goes on to write to."""
    copies: list[Let] = []
    args: list[Expr] = []
    for arg in let.value.args:
        made = copied(arg) if arg.op == "name" and arg.data in shared else arg
        if made != arg and is_container(arg.type):
            own = fresh.variable(arg.data.name)
            copies.append(Let(own, made))
            made = name(own, arg.type)
        args.append(made)
    return (*copies, replace(let, value=let.value.with_args(args)))


def _moved(lets: tuple[Let, ...], kept: Kept, fresh: Fresh) -> tuple[tuple[Let, ...], Block]:
    """Return the call of a loop that gives new names to what it hands on, and what moves it back.

    A variable that is bound on one way alone has one name on both sides of the call.
    """
    *copies, let = lets
    assert isinstance(let.target, tuple)
    state, types = kept.outline.state, kept.types
    new = tuple(fresh.variable(v.name) for v in state)
    moves = (Let(v, name(n, types[v])) for v, n in zip(state, new, strict=True))
    target = (*new, *let.target[len(state) :])
    return (*copies, replace(let, target=target)), (*moves, *kept.outline.views)


def _call_in(made: Prepared, kept: Kept) -> Let:
    """Return the statement that calls a loop."""
    every = (s for _, s in placed(made.function.body) if isinstance(s, Let))
    head = Expr("function", (), kept.names.run)
    (let,) = (s for s in every if s.value.args[:1] == (head,))
    return let


def _shared(kept: Kept, let: Let, made: Prepared) -> frozenset[Variable]:
    """Return the part of the state whose memory the function writes to outside of the loop."""
    assert isinstance(let.target, tuple)
    memory = made.memory

    def is_changed(variable: Variable) -> bool:
        if is_container(memory.types[variable]):  # that it has a shadow does not change it
            return bool(memory.points_to[variable] & memory.stored)
        return memory.is_memory(variable)

    args = [arg.data for arg in let.value.args[1:] if arg.op == "name"]
    pairs = zip(kept.outline.state, let.target, strict=False)
    found = {v for v, result in pairs if is_changed(result)}
    own = zip(kept.outline.found, args, strict=False)
    return frozenset(found | {v for v, arg in own if is_changed(arg)})


def _exchanged(shared: frozenset[Variable], kept: Kept, memory: Memory) -> frozenset[Variable]:
    """Return a part of the state with what takes turns with it: u, v = v, u."""
    sites = frozenset().union(*(memory.points_to.get(v, frozenset()) for v in shared))
    turns = (v for v in kept.outline.found if memory.points_to.get(v, frozenset()) & sites)
    return shared | frozenset(turns)


def _make(kept: Kept, derived_step: DerivedStep, callees: Callees) -> None:
    """Make the functions of a loop."""
    callees.made[kept.names.step] = step(kept)
    callees.made[kept.names.step_back] = derived_step(varying_step(kept), kept)
    callees.made[kept.names.run] = loop(kept)
    callees.made[kept.names.back] = loop_back(kept)


def _replaced(
    block: Block,
    calls: Mapping[Place, tuple[Let, ...]],
    moves: Mapping[Place, Block],
    inside: Place,
) -> Block:
    """Return a block with calls in the place of loops, and names given again behind them."""
    made: list[Statement] = []
    for position, statement in enumerate(block):
        place = (*inside, position)
        if place in calls:
            made += [*calls[place], *moves[place]]
        elif blocks(statement):
            inner = enumerate(blocks(statement))
            bodies = tuple(_replaced(b, calls, moves, (*place, k)) for k, b in inner)
            if isinstance(statement, Try) and bodies[0] != statement.body:
                _refuse_going_on(statement)
            made.append(with_blocks(statement, bodies))
        else:
            made.append(statement)
    return tuple(made)


def _refuse_going_on(tried: Try) -> None:
    """Refuse a handler that goes on: what the passes before the error bound is lost with the call."""
    if not all(handler.body and isinstance(handler.body[-1], Raise) for handler in tried.handlers):
        raise NotYet("a schedule for a loop in a try that goes on after an error", tried.span)
