"""The adjoint of a function: its statements with their reverse, as if nothing were lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np

from s2sad.analysis.activity import activity, sources_of_parts
from s2sad.analysis.containers import is_container
from s2sad.analysis.gaps import Reads, counters_in, is_all
from s2sad.analysis.guards import clamps, not_surely_finite, perhaps_missing
from s2sad.analysis.memory import Memory, gives_new_values, returned
from s2sad.analysis.places import placed
from s2sad.analysis.pointers import Sites, stored_base
from s2sad.analysis.shifts import shifts
from s2sad.analysis.strictness import Strictness, strictness
from s2sad.ir.errors import NotYet, Refused
from s2sad.ir.expression import Expr, Role, Variable, calls, constant
from s2sad.ir.program import Function, Let, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Number, Reference, Regions, Type
from s2sad.ir.walk import bound, closed, rebuilt, statements
from s2sad.operators.missing import is_set, of_set
from s2sad.reverse.calculus import Calculus, shape
from s2sad.reverse.contribute import is_zero
from s2sad.reverse.control import turn_block
from s2sad.reverse.from_zero import FromZero, from_zero
from s2sad.reverse.indices import has_mask, has_positions
from s2sad.reverse.positions import with_different_positions
from s2sad.reverse.rules import TableRules
from s2sad.reverse.shadows import has_shadow
from s2sad.reverse.structures import ZEROS, gradient_of, is_list_of_values, region_of, zeros_of
from s2sad.reverse.sweep import Adjoint, Step, Steps
from s2sad.reverse.world import Callees, Code, Doubtful, Stored, World
from s2sad.types.assumptions import Different


def adjoint(
    function: Function,
    wrt: tuple[Variable, ...],
    memory: Memory,
    regions: Regions,
    calculus: Calculus,
    rules: TableRules,
    seed_name: str = "",
    with_value: bool = False,
    callees: Callees | None = None,
    aux: Expr | None = None,
    seed_names: tuple[str, ...] = (),
    handed: tuple[Variable, ...] = (),
    different: Different | None = None,
    leaves_out: tuple[bool, bool] = (False, False),
) -> tuple[Adjoint, World]:
    """Return both sweeps of a structured function.

    The function returns a number; with a seed of a name, whatever the seed is the adjoint of; with
    `seed_names` a tuple, of whose parts the adjoints come in one by one. `aux` is what it gives
    beside that. Positions of arguments that are `different` are asked to be where something is stored. Of containers that are `handed` through to the result the seeds are the shadows. It `leaves_out` elements of the seed, or by a test all of it.
    """
    callees = callees or Callees({})
    active = _active(function, (*wrt, *handed), memory, regions, callees)
    fresh = Fresh.of(function)
    seed = fresh.variable(seed_name, Role.SAVED) if seed_name else None
    seeds = _seeds(function, seed_names, handed, fresh)
    value = fresh.variable("value" if with_value else "aux", Role.SAVED)
    strict = cache(partial(_strictness, function, memory, leaves_out))
    world = World(
        memory,
        active,
        regions,
        calculus,
        rules,
        fresh,
        _doubtful(function, memory, strict),
        _definitions(function),
        _unpacked(function),
        seed,
        seeds,
        value if with_value or aux is not None else None,
        clamps(function),
        _shadowed(active, memory),
        stored=_stored(function, memory),
        reads=Reads(counters_in(function.body)),
        callees=callees,
        shifts=shifts(function),
        missing=perhaps_missing(function),
        aux=aux,
        gives_value=with_value,
        is_inactive_as_number=from_zero(function, memory, FromZero(active, regions, callees)),
        bars=_known_bars(memory, seeds, handed, fresh),
        masked={seed} if seed and leaves_out[0] else set(),
        tested={seed} if seed and leaves_out[1] else set(),
        strict=strict,
    )
    world = with_different_positions(function, different or Different(), world)
    return Adjoint(_steps(function, wrt, world), tuple(world.gradient(v).data for v in wrt)), world


def _steps(function: Function, wrt: tuple[Variable, ...], world: World) -> Steps:
    """Return the steps of both sweeps, that of the result first."""
    _refuse_without_adjoint(function, world)
    turned = turn_block(function.body, (), frozenset(), world)
    start = _result_step(wrt, turned.state, world)
    return (start, *_parameter_steps(function, world), *_results(wrt, world), *turned.steps)


def _known_bars(
    memory: Memory, seeds: Mapping[Variable, Type], handed: tuple[Variable, ...], fresh: Fresh
) -> dict[Variable, Variable]:
    """Return the adjoints that come in, and those of copies of arguments, which are theirs, too."""
    found = {seed.of: seed for seed in seeds if seed.of is not None}
    for copy, argument in memory.copies.items():
        if argument not in handed and memory.is_hard(copy) == memory.is_hard(argument):
            bar = fresh.variable(f"{argument.name}_bar", Role.ADJOINT, copy)
            found |= {copy: bar, argument: bar}
    return found


def _refuse_without_adjoint(function: Function, world: World) -> None:
    """Refuse a function without a result, and items that vary out of a set: which is first is not known."""
    if returned(function) is None:
        raise NotYet("a function without a result", function.span)
    for statement in statements(function.body):
        match statement:
            case RegionOp(Variable(), taken_from) | Let(_, Expr("subscript", (taken_from, _))):
                if is_set(taken_from) and world.is_active(taken_from):
                    raise Refused(of_set(taken_from, statement.span))


def _definitions(function: Function) -> dict[Variable, Let]:
    """Return the statement that binds each variable, the last where there are several."""
    return {
        variable: s
        for _, s in placed(function.body)
        if isinstance(s, Let) and (isinstance(s.target, Variable) or gives_new_values(s))
        for variable in bound(s)
    }


def _unpacked(function: Function) -> dict[Variable, tuple[Let, int]]:
    """Return, of the variables that one value is unpacked to, the statement and the place."""
    return {
        variable: (each, place)
        for each in statements(function.body)
        if isinstance(each, Let) and isinstance(each.target, tuple)
        for place, variable in enumerate(each.target)
        if isinstance(variable, Variable)
    }


def _parts(function: Function) -> tuple[Expr, ...]:
    """Return the parts of a result that is a tuple."""
    end = returned(function)
    return () if end is None else end.value.args


def _active(
    function: Function,
    moving: tuple[Variable, ...],
    memory: Memory,
    regions: Regions,
    callees: Callees,
) -> frozenset[Variable]:
    """Return the variables that are active where some move: of results, part by part."""
    sources = sources_of_parts(callees.functions, memory, regions)
    return activity(function.body, memory, frozenset(moving), regions, sources=sources)


def _seeds(
    function: Function, names: tuple[str, ...], handed: tuple[Variable, ...], fresh: Fresh
) -> dict[Variable, Type]:
    """Return what the adjoints of the parts of a result come in, each with its type."""
    found: dict[Variable, Type] = {}
    for called, part in zip(names, _parts(function), strict=bool(names)):
        is_handed = part.op == "name" and part.data in handed
        found[fresh.variable(called, Role.ADJOINT, part.data if is_handed else None)] = part.type
    whole = {seed.of for seed in found} & {p.variable for p in function.parameters}
    if not whole >= set(handed):
        raise NotYet("a container that a pass of a loop takes apart", function.span)
    return found


def _stored(function: Function, memory: Memory) -> Stored:
    masked = _stored_under_masks(function, memory, has_mask)
    chosen = _stored_under_masks(function, memory, has_positions)
    return Stored(masked | chosen, masked, _stored_in_part(function, memory))


def _stored_under_masks(
    function: Function, memory: Memory, is_chosen: Callable[[Expr], bool]
) -> Sites:
    """Return the memory of which a store chooses elements: r[r == 0.0] = 1.0, r[[0, 2]] = 1.0."""
    every = (s for s in statements(function.body) if isinstance(s, Store))
    stores = (s for s in every if s.op not in ("+", "-"))  # what is added to leaves adjoints alone
    parts = [s for s in stores if s.target.op == "subscript"]
    indices = ((s, s.target.args[1]) for s in parts)
    chosen = (s for s, index in indices if is_chosen(index))
    nothing: Sites = frozenset()
    return nothing.union(*(memory.sites(stored_base(s)) for s in chosen))


def _stored_in_part(function: Function, memory: Memory) -> Sites:
    """Return the memory that a store writes over in part: y[0] = 0.0."""
    every = (s for s in statements(function.body) if isinstance(s, Store))
    parts = (
        s
        for s in every
        if s.op == "=" and s.target.op == "subscript" and not is_all(s.target.args[1])
    )
    nothing: Sites = frozenset()
    return nothing.union(*(memory.sites(stored_base(s)) for s in parts))


def _doubtful(function: Function, memory: Memory, strict: Callable[[], Strictness]) -> Doubtful:
    def simplified(value: Expr, statement: Statement, of_numbers: bool) -> Expr:
        return strict().simplified(value, statement, of_numbers)

    return cache(partial(not_surely_finite, function, memory, simplified))


def _strictness(function: Function, memory: Memory, leaves_out: tuple[bool, bool]) -> Strictness:
    """Return what is strict in a function that gives one number, all of which is wanted."""
    end = returned(function)
    if any(leaves_out) or end is None or shape(end.value) != ():
        return Strictness()
    return strictness(function.body, memory)


def _shadowed(active: frozenset[Variable], memory: Memory) -> Sites:
    """Return the hard memory that has a shadow: what is active, all it holds and is held by."""
    nothing: Sites = frozenset()
    found = nothing.union(*(memory.points_to.get(v, nothing) for v in active)) & memory.hard
    return closed(found, lambda held: memory.inside(memory.around(held)) & memory.hard)


def _parameter_steps(function: Function, world: World) -> Steps:
    """Return the steps that make the shadows of hard memory that arguments are."""
    handed = {seed.of for seed in world.seeds}
    own = (p.variable for p in function.parameters if p.variable not in handed)
    hard = [v for v in own if has_shadow(v, world)]
    return tuple(Step(Let(world.bar(v).data, _shadow(v, world), function.span)) for v in hard)


def _shadow(variable: Variable, world: World) -> Expr:
    """Return the zeros that the shadow of an argument begins with, row by row where it has to lie so."""
    zeros = zeros_of(world.read(variable), world)
    if variable not in world.memory.in_rows or not is_container(zeros.type):
        return zeros
    if calls(zeros, ZEROS.data.value):
        raise NotYet("what is reshaped of such an argument", zeros.span)

    def in_rows(node: Expr) -> Expr | None:
        if not calls(node, np.zeros_like):
            return None
        return replace(node, args=(*node.args, constant("C")), data=("order",))

    return rebuilt(zeros, in_rows)


def _results(wrt: tuple[Variable, ...], world: World) -> Steps:
    """Return the steps that keep the gradients of hard arguments: the shadows they have at entry."""
    made = []
    for variable in wrt:
        if not has_shadow(variable, world):
            continue
        bar = world.bar(variable)
        if is_container(bar.type) and not (world.seeds or _is_plain(bar.type, world)):
            bar = gradient_of(bar, world.read(variable), world)
        elif variable not in world.memory.uses.bound:
            continue
        kept = world.fresh.variable(f"{variable.name}_grad", Role.TERM)
        world.gradients[variable] = kept
        made.append(Step(old=(Let(kept, bar),)))
    return tuple(made)


def _is_plain(type_: Type, world: World) -> bool:
    """Tell whether a shadow is made as a gradient is: lists and dicts of numbers and arrays."""
    region = region_of(type_, world)
    if region is None or (region.kind == "fields" and region.cls is not dict):
        return False
    held = [region.item] if region.kind != "fields" else list(region.fields.values())
    return all(
        isinstance(t, Number | Array) or (isinstance(t, Reference) and _is_plain(t, world))
        for t in held
    )


def _result_step(wrt: tuple[Variable, ...], state: frozenset[Variable], world: World) -> Step:
    """Return the step that lets the gradient of what does not matter be zero."""
    code = Code(world, set(state))
    for variable in wrt:
        if has_shadow(variable, world):
            continue
        if world.is_hard(variable) or is_zero(variable, code):
            held = world.read(variable)
            zeros = world.calculus.zeros_like(held)
            if is_list_of_values(variable, world):
                zeros = zeros_of(held, world)
            elif is_container(held.type):
                zeros = zeros_of(held, world)
                zeros = zeros if world.seeds else gradient_of(zeros, held, world)
            code.emit(Let(world.bar(variable).data, zeros))
    return Step(old=tuple(code.lines))
