"""Positions that may name an element twice: of what is stored under them the last stays.

u[k] = v        v_bar += u_bar[k] * _written_last(np.shape(u), k)       k an array of integers
u[m] = v        v_bar += u_bar[m]                                       m a mask
"""

from __future__ import annotations

import numpy as np

from s2sad.analysis.containers import is_container
from s2sad.ir.expression import Expr, Variable, global_
from s2sad.ir.types import Array
from s2sad.operators import printed
from s2sad.reverse.contribute import has_positions
from s2sad.reverse.pull import named_index
from s2sad.reverse.world import Code, World

WRITTEN_LAST = global_("_written_last", printed.function("_written_last"))
# what these give names no element twice
DISTINCT = frozenset(
    """
    arange nonzero flatnonzero argsort argwhere tril_indices triu_indices diag_indices
    tril_indices_from triu_indices_from diag_indices_from permutation ix_
    """.split()
)


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


def names_once(index: Expr, world: World) -> bool:
    """Tell whether no element is named twice by an index."""
    parts = index.args if index.op == "tuple" else (index,)
    chosen = [part for part in parts if has_positions(part)]
    return len(chosen) == 1 and all(_is_distinct(part, world) for part in chosen)


def _is_distinct(part: Expr, world: World) -> bool:
    if part.op == "name" and part.data in world.definitions:
        if not world.memory.uses.is_bound_again(part.data):
            return _is_distinct(world.definitions[part.data].value, world)
    if part.op == "list":
        values = [arg.data for arg in part.args if arg.op == "constant"]
        same_sign = all(v >= 0 for v in values) or all(v < 0 for v in values)
        return len(values) == len(part.args) == len(set(values)) and same_sign
    if part.op == "subscript" and part.args[1].op == "constant":
        part = part.args[0]
    if part.known is not None and isinstance(part.known.value, np.ndarray):
        return False
    function = part.args[0] if part.op == "call" else None
    if function is None or function.op != "global":
        return False
    return function.data.text.rpartition(".")[2] in DISTINCT
