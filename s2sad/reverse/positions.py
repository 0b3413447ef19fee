"""Positions that may name an element twice: of what is stored under them the last stays.

u[k] = v        v_bar += u_bar[k] * _written_last(np.shape(u), k)       k an array of integers
u[m] = v        v_bar += u_bar[m]                                       m a mask
"""

from __future__ import annotations

from s2sad.analysis.containers import is_container
from s2sad.ir.expression import Expr, Variable, global_
from s2sad.ir.types import Array
from s2sad.operators import printed
from s2sad.reverse.indices import has_positions, names_once
from s2sad.reverse.pull import named_index
from s2sad.reverse.world import Code

WRITTEN_LAST = global_("_written_last", printed.function("_written_last"))


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
