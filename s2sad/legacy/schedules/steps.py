"""The loops of a primal for which a schedule was asked are derived as steps and called.

The first try is without schedules: it tells which loops save values in their passes. A loop that
saves none needs no schedule, and none is refused for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from s2sad.emit.lines import with_lines
from s2sad.legacy.blocks import all_reads
from s2sad.legacy.callee import Callees, Written
from s2sad.legacy.checkpoint import Plan
from s2sad.legacy.docstrings import file_name
from s2sad.legacy.facts import Fact
from s2sad.legacy.facts.fact import python_int
from s2sad.legacy.homes import memory_writes, plain
from s2sad.legacy.memory import NOTHING, own_memory, spread
from s2sad.legacy.prepare import indexed
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import NONE, Assign, Call, Loop, Param, Pop, Program, Ref, Var, bar, base
from s2sad.legacy.returned import memory, shared_arguments
from s2sad.legacy.schedules.disk import goes_to_disk, refuse_files
from s2sad.legacy.schedules.histories import writes_history
from s2sad.legacy.schedules.marked import marks
from s2sad.legacy.schedules.outline import (
    Outline,
    Steps,
    Swept,
    called_loop,
    exchanged,
    found_by_passes,
    loops_of,
    outlined,
    step_program,
    steps_run,
    unused,
    with_function,
    written_adjoints,
)
from s2sad.legacy.storage import roots_of
from s2sad.legacy.tidy import settled, without_dead_code
from s2sad.legacy.traverse import blocks, expressions, flat_targets, makes_a_pass, reads, statements
from s2sad.operators.schedules import All, Binomial, Disk, Recompute, Schedule, Schedules
from s2sad.source.text import source_of

if TYPE_CHECKING:
    from s2sad.legacy.derive import Derived


def scheduled_loops(
    primal: Primal, plan: Plan | None, callees: Callees
) -> list[tuple[Loop, Schedule]]:
    """Return the loops that save values in their passes and have a schedule, not those in them."""
    marked = marks(source_of(primal.function))
    asked = callees.schedules or Schedules()
    if plan is None or not (marked or callees.schedules):
        return []
    callees.loops |= {loop.span for loop in loops_of(primal.program.body)}
    saving = set(_saving(plan))
    found: dict[int, tuple[Loop, Schedule]] = {}
    inside: set[int] = set()
    for loop in loops_of(primal.program.body):
        schedule = asked.of(loop.span, marked)
        if isinstance(schedule, All):
            continue
        if schedule is asked.everywhere and writes_history(loop, primal.facts.of):
            continue
        if loop.key in saving and loop.key not in inside and schedule is not None:
            found[loop.key] = loop, schedule
            inside |= {inner.key for inner in loops_of(loop.body)}
    return list(found.values())


def _saving(plan: Plan) -> Iterator[int]:
    """Yield the keys of the loops in whose passes something is saved."""
    for var, decision in plan.decisions.items():
        if decision.how == "saved":
            yield from (key for _, key in plan.homes[var].loops)


def with_steps(primal: Primal, loops: list[tuple[Loop, Schedule]], callees: Callees) -> Primal:
    """Return the primal that calls a function for each of `loops`, which are derived as steps."""
    primal = replace(primal, program=settled(primal.program))
    keys = {loop.key for loop, _ in loops}
    primal = _begun(_by_position(primal, keys), keys)
    live = {loop.key: loop for loop in loops_of(without_dead_code(primal.program).body)}
    present = {loop.key: loop for loop in loops_of(primal.program.body)}
    found: list[tuple[Steps, Assign]] = []
    for loop, schedule in loops:
        if loop.key not in live:
            continue
        outline = outlined(primal, present[loop.key], live[loop.key].carried)
        if not outline.varying:
            continue
        made = _derived(primal, outline, schedule, callees)
        call = called_loop(outline, made.swept, primal)
        found.append((made, call))
        program = exchanged(primal.program, present[loop.key], call)
        primal = replace(primal, program=program)
    return _with_copies(primal, found, callees)


def _by_position(primal: Primal, keys: set[int]) -> Primal:
    """Return the primal whose loops over differentiated lists read each item by its position."""
    for loop in list(loops_of(primal.program.body)):
        if loop.key in keys and not primal.active.isdisjoint(flat_targets(loop.targets)):
            made = indexed(loop, primal.numbers)
            items = made.body[: len(made.body) - len(loop.body)]
            known = {var: primal.facts.of(var) for var in flat_targets(loop.targets)}
            known |= {var: python_int() for var in flat_targets(made.targets)}
            facts = primal.facts.with_(known)
            for stmt in items:
                if isinstance(stmt, Assign) and stmt.target not in known:
                    facts = facts.with_({stmt.target: facts.expr(stmt.value)})
            active = primal.active | {stmt.target for stmt in items if isinstance(stmt, Assign)}
            program = exchanged(primal.program, loop, made)
            primal = replace(primal, program=program, facts=facts, active=active)
    return primal


def _begun(primal: Primal, keys: set[int]) -> Primal:
    """Return the primal in which what only some passes bind is None before their loop.

    Where no pass has bound one, what is computed with it is an error, or not a number.
    """
    for loop in list(loops_of(primal.program.body)):
        unbound = _unbound(loop, primal) if loop.key in keys else []
        first = {head: primal.numbers.next(head.slot) for head in unbound}
        if first:
            carried = (replace(c, init=first.get(c.head, c.init)) for c in loop.carried)
            starts = (Assign((var,), NONE, loop.span) for var in first.values())
            begun = replace(loop, carried=tuple(carried))
            program = exchanged(primal.program, loop, *starts, begun)
            facts = primal.facts.with_(dict.fromkeys(first.values(), Fact("none", value=NONE)))
            primal = replace(primal, program=program, facts=facts)
    return primal


def _unbound(loop: Loop, primal: Primal) -> list[Var]:
    """Return the numbers that passes may find unbound, and what only a branch asks for then."""
    read = found_by_passes(loop)
    left = set() if makes_a_pass(loop.iterable) else _read_in_branches(primal.program, loop)
    return [
        each.head
        for each in loop.carried
        if each.init is None
        and (primal.facts.of(each.head).is_scalar if each.head in read else each.exit in left)
    ]


def _read_in_branches(program: Program, loop: Loop) -> set[Var]:
    """Return the values that are read after a loop, but not on all ways on from it."""
    program = without_dead_code(program)
    for block in (program.body, *(b for stmt in statements(program.body) for b in blocks(stmt))):
        keys = [stmt.key if isinstance(stmt, Loop) else -1 for stmt in block]
        if loop.key in keys:
            after = block[keys.index(loop.key) + 1 :]
            at_once = {var for stmt in after for expr in expressions(stmt) for var in reads(expr)}
            found = {var for stmt in after for var in all_reads(stmt)}
            return found - at_once - {*reads(program.result)}
    return set()


def _with_copies(primal: Primal, found: list[tuple[Steps, Assign]], callees: Callees) -> Primal:
    """Return the primal whose loops copy the states they keep, where their memory is written."""
    roots = roots_of(primal.program, primal.facts.of)
    popped = (s.old for s in statements(primal.program.body) if isinstance(s, Pop))
    written = {*memory_writes(primal.program, roots)}
    written |= {plain(root) for old in popped for root in own_memory(roots.get(old, NOTHING))}
    for made, call in found:
        if any(plain(root) in written for root in spread(roots.get(call.targets[-1], NOTHING))):
            made = made.with_copies()
            copying = replace(call, value=with_function(call.value, made.swept))
            primal = replace(primal, program=exchanged(primal.program, call, copying))
        callees.steps.append(made)
    return primal


def _derived(primal: Primal, outline: Outline, schedule: Schedule, callees: Callees) -> Steps:
    name, function = primal.program.name, primal.function
    forward = _step(primal, outline)
    backward = _step_reverse(primal, outline, callees)
    span = outline.loop.span
    about = f"One pass of the loop at {with_lines(file_name(span.path), str(span.line))}."
    if outline.first is not None:
        about = f"{about[:-1]}; what it tells is told the `first` time."
    more = _test(outline, primal, callees)
    step = Written(callees.fresh(f"{name}_step"), function, about=about)
    about = "Pull adjoints back through one pass, from what it began with."
    step_rev = Written(callees.fresh(f"{name}_step_rev"), function, about=about)
    # what comes back may be what went in: a state, or what it is made of
    count = len(outline.found) + len(outline.outside) + (outline.loop.iterable is not None)
    back = _shared_by_reverse(outline, backward)
    mixed = not _are_apart(outline, backward)
    reverse = Written(callees.fresh(f"{name}_loop_rev"), function, back, mixed=mixed)
    swept = Swept(
        callees.fresh(f"{name}_loop"),
        function,
        frozenset(range(count)),
        mixed=True,
        outline=outline,
        reverse=reverse,
    )
    slots = ""
    if isinstance(schedule, Binomial | Recompute):
        slots = callees.fresh(f"{name.upper()}_SLOTS")
    made = Steps(outline, schedule, swept, step, forward, step_rev, backward, slots, more)
    return _with_files(made, primal, callees)


def _with_files(made: Steps, primal: Primal, callees: Callees) -> Steps:
    """Return a loop's functions, told where its states are kept if that is in files."""
    states = [(base(each.head.slot), made.step_derived.known(each.head)) for each in made.kept]
    refuse_files(made.outline, made.schedule, states)
    if not isinstance(made.schedule, Disk) or not any(goes_to_disk(fact) for _, fact in states):
        return made
    constant = callees.fresh(f"{primal.program.name.upper()}_FOLDER")
    taken = [each.swept.folder[1] for each in callees.steps if each.swept.folder]
    folder = constant, unused(primal.program, "scratch", taken)
    return replace(made, swept=replace(made.swept, folder=folder))


def _shared_by_reverse(outline: Outline, backward: Derived) -> frozenset[int]:
    """Return the positions of arguments in whose memory adjoints may live: see `reverse_call`."""
    params = backward.program.params
    found = {params[n].var for n in shared_arguments(backward.program, backward.known)}
    states = {each.head for each in outline.state}
    first = 2 + len(outline.outside)
    written = written_adjoints(backward)  # which the loop begins by copying
    bars = enumerate(seed.slot for _, seed in seeds_of(outline))
    shared = {first + n for n, slot in bars if slot not in written}
    if found & states:
        shared.add(0)
    if found & set(outline.targets):
        shared.add(first - 1)
    shared |= {1 + n for n, var in enumerate(outline.outside) if var in found}
    return frozenset(shared)


def _are_apart(outline: Outline, backward: Derived) -> bool:
    """Tell whether no two adjoints that a pass gives lie in one memory: see `_step_reverse`."""
    owned = {param.var for param in backward.program.params if param.owned}
    back = seeds_of(outline)[: len(wrt_of(outline))]
    return all(seed in owned or backward.known(seed).is_scalar for _, seed in back)


def _test(outline: Outline, primal: Primal, callees: Callees) -> tuple[Written, Derived] | None:
    """Return the function that tells whether a while loop goes on."""
    from s2sad.legacy.derive import Derived, trimmed

    if outline.test is None:
        return None
    span = outline.loop.span
    params = tuple(Param(var) for var in (*(c.head for c in outline.found), *outline.outside))
    program = Program("more", params, (), outline.test, span)
    where = with_lines(file_name(span.path), str(span.line))
    about = f"Tell whether the loop at {where} goes on."
    name = callees.fresh(f"{primal.program.name}_goes_on")
    written = Written(name, primal.function, about=about)
    return written, Derived(trimmed(program, {}), primal.facts.of)


def _step(primal: Primal, outline: Outline) -> Derived:
    from s2sad.legacy.derive import Derived, consistent, trimmed

    program = step_program(outline, "step", forward=True)
    done = consistent(program, primal.facts.of, primal.numbers)
    return Derived(trimmed(done, {}), primal.facts.of)


def _step_reverse(primal: Primal, outline: Outline, callees: Callees) -> Derived:
    """Return the reverse of a pass, which may write to what it is handed of adjoints.

    That is so where nothing else comes back in the same memory: the next pass writes there again.
    """
    back = seeds_of(outline)[: len(wrt_of(outline))]
    seeds = [seed for _, seed in back]
    owned = frozenset(seed for var, seed in back if primal.facts.of(var).is_array)
    before = callees.noted()
    while True:
        derived = _reversed_step(primal, outline, callees, owned)
        shared = owned & _shared(derived, seeds)
        if not shared:
            return derived
        callees.go_back(before)
        before = callees.noted()
        owned -= shared


def _reversed_step(
    primal: Primal, outline: Outline, callees: Callees, owned: frozenset[Var]
) -> Derived:
    from s2sad.legacy.derive import Form, reverse

    program = step_program(outline, primal.program.name)
    adjoints = seeds_of(outline)
    wrt = tuple(var.slot for var in wrt_of(outline))
    facts = primal.facts.with_({seed: primal.facts.of(var) for var, seed in adjoints})
    inner = replace(primal, program=program, facts=facts, wrt=wrt)
    extra = tuple(Param(seed, owned=seed in owned) for _, seed in adjoints)
    form = Form(single=len(wrt) == 1, trim=True, step=True)
    derived = reverse(inner, program.name, adjoints, extra, callees, form)
    derived.checks = {}  # the function itself makes them, once
    return derived


def _shared(derived: Derived, seeds: list[Var]) -> frozenset[Var]:
    """Return the adjoints that come back in memory of another argument or another result."""
    from s2sad.legacy.derive import results_of

    program = derived.program
    roots = roots_of(program, derived.known)
    results = results_of(program)
    memories = [memory(result, roots) for result in results]
    params = {param.var for param in program.params}
    found = set()
    for number, (seed, mine) in enumerate(zip(seeds, memories, strict=True)):
        others = frozenset().union(*(m for n, m in enumerate(memories) if n != number))
        if any(part in others or isinstance(part, Ref) for part in mine) or mine & params - {seed}:
            found.add(seed)
    return frozenset(found)


def seeds_of(outline: Outline) -> list[tuple[Var, Var]]:
    """Return what a pass leaves with the adjoints that come in: those from outside are added to.

    What is bound anew in each pass comes last: nothing of it goes back.
    """
    ends = [(each.end, Var(bar(each.head.slot), 0)) for each in outline.received]
    ends += [(var, Var(bar(var.slot), 0)) for var in outline.varying_outside]
    return ends + [(each.end, Var(bar(each.head.slot), 0)) for each in outline.left]


def wrt_of(outline: Outline) -> tuple[Var, ...]:
    """Return the values whose adjoints a reversed pass gives, in this order."""
    return (*(each.head for each in outline.received), *outline.varying_outside)


def reverse_call(swept: Swept, kept: Var, bars: tuple[Var, ...]) -> Call:
    """Return the call that runs a loop backwards."""
    outline, reverse = swept.outline, swept.reverse
    assert outline is not None and reverse is not None
    handed = (*outline.outside, steps_run(outline))
    return Call(Ref(reverse.name, reverse), (kept, *handed, *bars))
