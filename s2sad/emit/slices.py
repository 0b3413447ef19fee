"""A slice with a name, whose ends the analyses took one by one, is that slice again.

part_start = k * size
part_stop = (k + 1) * size              part = slice(k * size, (k + 1) * size)
y[part_start:part_stop] += g    ->      y[part] += g
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise

from s2sad.emit.comments import place_of, source_of
from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Variable, call, global_, name
from s2sad.ir.program import Block, Function, Let, Statement
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Other
from s2sad.ir.walk import bind_counts, blocks, in_blocks, nodes_in, statements, with_nodes
from s2sad.operators.guards import is_none

START, STOP = "_start", "_stop"
Ends = tuple[Variable, Variable]


def with_slices(function: Function) -> Function:
    """Return a function in which a slice has its name where both its ends have one."""
    pairs = dict(_pairs(function))
    if not pairs:
        return function
    body = with_nodes(function.body, partial(_by_name, pairs=pairs))
    return replace(function, body=_bound_at_once(body, pairs))


def _pairs(function: Function) -> Iterator[tuple[Ends, Variable]]:
    """Yield the ends that are bound one after the other and read together alone, with a name for the slice."""
    every = tuple(nodes_in(function.body))
    together = Counter(ends for ends in map(_ends, every) if ends is not None)
    reads = Counter(node.data for node in every if node.op == "name")
    often, bound = bind_counts(function.body), Counter(_bound_together(function.body))
    fresh = Fresh.of(function)
    for ends, count in together.items():
        if all(reads[v] == count and often[v] == bound[ends] > 0 for v in ends):
            yield ends, fresh.variable(ends[0].name.removesuffix(START))


def _ends(expr: Expr) -> Ends | None:
    """Return the names of both ends of a slice of one word: part_start:part_stop."""
    match expr:
        case Expr("slice", (Expr("name", data=start), Expr("name", data=stop), step)):
            word = start.name.removesuffix(START)
            is_one = start.name == word + START and stop.name == word + STOP
            return (start, stop) if is_one and word and is_none(step) else None
    return None


def _bound_together(block: Block) -> Iterator[Ends]:
    """Yield the pairs of names that two statements next to each other bind."""
    for each in (block, *(inner for s in statements(block) for inner in blocks(s))):
        for first, second in pairwise(each):
            match first, second:
                case Let(Variable() as start, _, span), Let(Variable() as stop, _, other):
                    if span == other and not _is_written(start, span):
                        yield start, stop


def _is_written(variable: Variable, span: Span | None) -> bool:
    """Tell whether the user's own line has the name of a variable."""
    place = place_of(span)
    return place is None or variable.name in source_of(place)


def _by_name(expr: Expr, pairs: Mapping[Ends, Variable]) -> Expr | None:
    ends = _ends(expr)
    variable = None if ends is None else pairs.get(ends)
    return None if variable is None else name(variable, Other(slice))


def _bound_at_once(block: Block, pairs: Mapping[Ends, Variable]) -> Block:
    """Return a block that binds the slice in place of its ends."""
    made: list[Statement] = []
    for each in block:
        match made[-1:], each:
            case [Let(Variable() as start, first)], Let(Variable() as stop, second, span):
                variable = pairs.get((start, stop))
                if variable is not None:
                    whole = call(global_("slice", slice), first, second, type_=Other(slice))
                    made[-1] = Let(variable, whole, span)
                    continue
        made.append(in_blocks(each, partial(_bound_at_once, pairs=pairs)))
    return tuple(made)
