"""Positions that may name an element twice: of what is stored under them the last stays.

u[k] = v        v_bar += u_bar[k] * _written_last(np.shape(u), k)       k an array of integers
u[m] = v        v_bar += u_bar[m]                                       m a mask
"""

from __future__ import annotations

from s2sad.analysis.containers import is_container
from s2sad.ir.expression import Expr, Variable, global_
from s2sad.ir.program import Function, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array
from s2sad.ir.walk import statements
from s2sad.operators import printed
from s2sad.reverse.indices import has_positions, names_once
from s2sad.reverse.pull import named_index
from s2sad.reverse.world import Code, World
from s2sad.types.assumptions import Along, Different

WRITTEN_LAST = global_("_written_last", printed.function("_written_last"))


def with_different_positions(function: Function, different: Different, world: World) -> World:
    """Return what is known where positions of arguments differ, so that stores write to none twice.

    They are asked for, those alone that a store of what varies needs.
    """
    for store in statements(function.body):
        if isinstance(store, Store) and store.target.op == "subscript":
            index = store.target.args[1]
            if world.is_active(store.value) and has_positions(index):
                different.asked |= _needed(index, different.known, world)
    return replace(world, different=different.asked)


def _needed(index: Expr, known: frozenset[Along], world: World) -> frozenset[Along]:
    """Return what has to be known for an index to name no element twice: nothing where it may."""
    if names_once(index, world) or not names_once(index, replace(world, different=known)):
        return frozenset()
    for each in sorted(known):
        if names_once(index, replace(world, different=known - {each})):
            known -= {each}
    return known


def last_ones(g: Expr, base: Variable, index: Expr, code: Code) -> Expr:
    """Return an adjoint of what is stored under positions without what was written over at once."""
    world = code.world
    if is_container(world.memory.types[base]):
        return g
    if not has_positions(index) or names_once(index, world):
        return g
    calculus = world.calculus
    shape = calculus.numpy("shape", world.read(base))
    kind = Array("bool", g.type.lengths) if isinstance(g.type, Array) else g.type
    last = Expr("call", (WRITTEN_LAST, shape, named_index(index, code)), (), kind)
    return calculus.multiply(g, last)
