"""A program as differentiation wants it: one structured function of webs, with its memory.

prepared(program, tools) -> Prepared(function, memory)
"""

from __future__ import annotations

from collections.abc import Callable

from s2sad.analysis.callees import refuse_marked_memory
from s2sad.analysis.calls import inlined, with_literals
from s2sad.analysis.comprehensions import refuse_kept_generators, with_own_names
from s2sad.analysis.contexts import with_plain_contexts
from s2sad.analysis.entry_copies import entry_copies
from s2sad.analysis.fields import opened_tuples, with_fields_as_names
from s2sad.analysis.layout import assumed_in_rows, copied_where_last_read
from s2sad.analysis.lists import named_items
from s2sad.analysis.lists_of_parts import with_lists_of_parts
from s2sad.analysis.loops import over_ranges
from s2sad.analysis.made_objects import filled_at_once, with_objects_in_place
from s2sad.analysis.memory import Memory, memory, types_of
from s2sad.analysis.module_state import remembered_in
from s2sad.analysis.moves import (
    OUTSIDE,
    unpacked_once,
    with_moves_as_copies,
    with_passes_apart,
    with_written_apart,
)
from s2sad.analysis.openings import Opening, with_users_names
from s2sad.analysis.pointers import NOTHING, Shares
from s2sad.analysis.positions import (
    refuse_uncertain_views,
    with_flat_as_vectors,
    with_positions_as_values,
    with_steady_positions,
)
from s2sad.analysis.realness import imaginary_views, refuse_imaginary_views, with_imaginary_stores
from s2sad.analysis.retype import retyped, with_present_types
from s2sad.analysis.several import with_results_apart, with_results_named
from s2sad.analysis.stores import (
    copied_at_entry,
    rebound_numbers,
    refuse_unknown_lists,
    refuse_written_globals,
    to_names,
    to_values,
    with_values_in_slots,
)
from s2sad.analysis.tuples import in_order, taken_apart
from s2sad.analysis.webs import webs, without_copies
from s2sad.analysis.writes import as_stores
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Block, Function, Let, Program
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Join, Numeric, Regions
from s2sad.ir.walk import bind_counts, statements
from s2sad.operators.algebra import Algebra

Infer = Callable[[Expr], Expr]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A function ready to be differentiated, and what its variables refer to.

    `openings` are the parameters of the user's that are tuples, dicts or objects, and what the
    function takes in their place; `written` are the parameters that the user's function writes to.
    """

    function: Function
    memory: Memory
    openings: tuple[Opening, ...] = ()
    written: frozenset[Variable] = frozenset()


def prepared(
    program: Program, infer: Infer, shares: Shares, join: Join, regions: Regions
) -> Prepared:
    """Return a program's entry function as differentiation wants it."""

    def remembered(function: Function) -> Memory:
        return memory(function, types_of(function, join), shares, regions)

    function = refuse_kept_generators(inlined(with_own_names(program), infer))
    function = with_plain_contexts(with_flat_as_vectors(as_stores(function, infer)))
    function = rebound_numbers(with_positions_as_values(function, infer), infer, shares)
    function = retyped(webs(function), infer, join)
    function, openings = _opened(function, program, infer, remembered, regions)
    function = named_items(rebound_numbers(function, infer, shares), regions, infer)
    function = over_ranges(function, regions)
    function = taken_apart(with_results_named(function), regions)
    function = retyped(function, infer, join)
    function = with_present_types(function)
    refuse_unknown_lists(function, regions)
    function = to_names(with_imaginary_stores(function, {}, infer))
    function = _with_lists_of_parts(filled_at_once(_split(function)), remembered, regions)
    found = remembered(function)
    changed = with_imaginary_stores(function, imaginary_views(function, found), infer)
    if changed is not function:
        function, found = _split_again(to_names(changed), function, found, remembered)
    refuse_written_globals(
        function, found, remembered_in(program)
    )  # before `b += c` is `b = b + c`
    changed = with_passes_apart(function, found)
    function, found = _split_again(changed, function, found, remembered)
    written = _written_parameters(function, found)
    changed = to_values(with_steady_positions(function, found), found, infer)
    function, found = _split_again(changed, function, found, remembered)
    changed = copied_where_last_read(function, found)
    function, found = _split_again(changed, function, found, remembered)
    in_rows = assumed_in_rows(function, found)
    changed = copied_at_entry(function, found)
    function, found = _split_again(changed, function, found, remembered)
    changed = with_results_apart(unpacked_once(function, found), found)
    changed = with_moves_as_copies(changed, found, remembered)
    function, found = _split_again(changed, function, found, remembered)
    changed = with_written_apart(function, found, remembered)
    function, found = _split_again(changed, function, found, remembered)
    changed = with_values_in_slots(function, found)
    function, found = _split_again(changed, function, found, remembered)
    placed = with_objects_in_place(function, found)
    if placed is not function:
        function = retyped(placed, infer, join)
        found = remembered(function)
    refuse_uncertain_views(function, found)
    refuse_imaginary_views(function, found)
    refuse_marked_memory(function, lambda expr: bool(found.sites(expr) & found.written))
    found = replace(found, in_rows=in_rows, copies=entry_copies(function, found))
    return Prepared(function, found, openings, written)


def _split_again(
    changed: Function, before: Function, found: Memory, remembered: Callable[[Function], Memory]
) -> tuple[Function, Memory]:
    """Return a function that was changed, of webs again, and its memory; the one before if it was not."""
    if changed is before:
        return before, found
    function = _split(changed)
    return function, remembered(function)


def prepared_again(
    ready: Prepared, body: Block, shares: Shares, join: Join, regions: Regions
) -> Prepared:
    """Return a function that was ready with another body, and what its variables refer to."""
    function = _split(replace(ready.function, body=body))
    found = memory(function, types_of(function, join), shares, regions)
    found = replace(found, in_rows=ready.memory.in_rows, copies=entry_copies(function, found))
    return replace(ready, function=function, memory=found)


def _written_parameters(function: Function, memory: Memory) -> frozenset[Variable]:
    """Return the parameters that are written to; an array's name may be that of what a pass makes anew."""
    found = set()
    for parameter in function.parameters:
        sites = memory.points_to.get(parameter.variable, NOTHING)
        if isinstance(parameter.type, Array | Numeric):
            is_written = any(site[0] in OUTSIDE for site in sites & memory.stored)
        else:
            is_written = bool(sites & memory.written)
        if is_written:
            found.add(parameter.variable)
    return frozenset(found)


def _opened(
    function: Function,
    program: Program,
    infer: Infer,
    remembered: Callable[[Function], Memory],
    regions: Regions,
) -> tuple[Function, tuple[Opening, ...]]:
    """Return a function whose objects, dicts and tuples are names, as far as they can be."""
    has_fields = any(region.kind == "fields" for region in regions.values())
    openings: tuple[Opening, ...] = ()
    while True:
        function, tuples = opened_tuples(function)
        openings += tuples
        if openings:
            function, openings = with_users_names(taken_apart(function, regions), openings)
        if not has_fields:
            return function, openings
        before = function = filled_at_once(_split(taken_apart(function, regions)))
        function, fields = with_fields_as_names(
            function, remembered(function), regions, program.facts["arguments"]
        )
        openings += fields
        if function is before:
            return function, openings
        function = _with_known_classes(function, infer)


def _with_known_classes(function: Function, infer: Infer) -> Function:
    """Return a function without the branches that texts decide: the classes of objects that are names by now."""
    often = bind_counts(function.body)
    texts = {
        s.target: s.value
        for s in statements(function.body)
        if isinstance(s, Let) and isinstance(s.target, Variable) and often[s.target] == 1
        if s.value.op == "constant" and isinstance(s.value.data, str)
    }
    return replace(function, body=with_literals(function.body, texts, Algebra(infer)))


def _with_lists_of_parts(
    function: Function, remembered: Callable[[Function], Memory], regions: Regions
) -> Function:
    """Return a function without lists of tuples and of objects, as far as lists of parts can stand for them."""
    changed = with_lists_of_parts(function, regions)
    if changed is function:
        return function
    function, _ = with_fields_as_names(
        _split(taken_apart(changed, regions)), remembered(changed), regions, {}
    )
    return _split(function)


def _split(function: Function) -> Function:
    """Return a function of webs, without second names."""
    return without_copies(in_order(webs(function)))
