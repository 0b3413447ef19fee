"""What the sweeps of a gradient save and take back, with its tangents beside it.

u_saved.append(u)        u_dot_saved.append(u_dot)
                         u_saved.append(u)
u = u_saved.pop()        u_dot = u_dot_saved.pop()
                         u = u_saved.pop()
"""

from __future__ import annotations

from s2sad.forward.statements import plain
from s2sad.forward.stores import root_of
from s2sad.forward.whole import own, whole
from s2sad.forward.world import Code
from s2sad.forward.zeros import zero
from s2sad.ir.expression import Expr, Role, Variable, name
from s2sad.ir.program import Block, Let, Restore, Save
from s2sad.ir.records import replace
from s2sad.ir.types import Unknown


def turn_save(save: Save, code: Code) -> Block:
    """Return what is saved, after its tangent."""
    world = code.world
    if not world.has_tangent(save.stack):
        return plain(save, code)
    world.zero.discard(save.stack)
    tangent = Save(world.dot(save.stack), own(save.value, code), save.span)
    return (*code.before, tangent, replace(save, value=code.with_values(save.value)))


def turn_restore(restore: Restore, code: Code) -> Block:
    """Return what is taken back, after its tangent; as many are taken as were saved."""
    world, target = code.world, restore.target
    if isinstance(target, Expr):
        return _turn_put_back(restore, target, code)
    assert isinstance(target, Variable)  # values are put together once both sweeps are written
    if not world.has_tangent(restore.stack):
        if not world.has_tangent(target):
            return (restore,)
        zeros = zero(name(target, Unknown()), code)
        return restore, Let(world.dot(target), zeros, restore.span)
    dot = world.fresh.variable("saved_dot", Role.TERM)
    if world.has_tangent(target):
        world.zero.discard(target)
        dot = world.dot(target)
    return Restore(dot, world.dot(restore.stack), restore.span), restore


def _turn_put_back(restore: Restore, target: Expr, code: Code) -> Block:
    """Return elements that are put back, after those of the tangent."""
    world, root = code.world, root_of(target)
    is_moving = root is not None and world.has_tangent(root)
    if not world.has_tangent(restore.stack):
        if is_moving:
            raise code.refuse("elements without tangents that are put back", target)
        return plain(restore, code)
    place: Variable | Expr = world.fresh.variable("saved_dot", Role.TERM)
    if is_moving:
        base, index = target.args
        place = target.with_args((whole(base, code), code.value(index)))
    tangent = Restore(place, world.dot(restore.stack), restore.span)
    return (*code.before, tangent, *plain(restore, replace(code, before=[])))
