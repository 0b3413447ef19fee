"""Blocks, branches and loops with the tangents of what is in them; which tangents are zero where.

for x in xs:            for x, x_dot in zip(xs, xs_dot):
    s += x * x              s_dot += 2.0 * x * x_dot
                            s += x * x
"""

from __future__ import annotations

from s2sad.analysis.contexts import is_quiet
from s2sad.analysis.exits import is_left
from s2sad.analysis.loops import domain_item
from s2sad.forward.domains import beside
from s2sad.forward.order import values_first
from s2sad.forward.statements import plain, turn_copied, turn_let, turn_region_op, turn_return
from s2sad.forward.stores import root_of, turn_store
from s2sad.forward.whole import own, whole
from s2sad.forward.world import Code, World
from s2sad.forward.zeros import zero
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Pattern, Role, Variable, name
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    For,
    If,
    Let,
    Note,
    Raise,
    RegionOp,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.records import replace
from s2sad.ir.types import Sequence, Type, Unknown
from s2sad.ir.walk import bound, bound_in, read_variables, variables, written_to

LEAVES = (Return, Raise, Break, Continue)


def turn_block(block: Block, world: World) -> Block:
    """Return a block with the tangents of its statements."""
    made: list[Statement] = []
    for statement in block:
        made += turn(statement, world)
        if isinstance(statement, LEAVES):
            break
    return values_first(made)


def turn(statement: Statement, world: World) -> Block:
    """Return a statement with its tangent."""
    code = Code(world, getattr(statement, "span", None), target_of(statement), statement)
    match statement:
        case Let():
            return turn_let(statement, code)
        case Store():
            return turn_store(statement, code)
        case RegionOp():
            return turn_region_op(statement, code)
        case Save():
            return turn_save(statement, code)
        case Restore():
            return turn_restore(statement, code)
        case Return():
            return turn_return(statement, code)
        case Copied():
            return turn_copied(statement, code)
        case If():
            return _turn_if(statement, world)
        case For():
            return _turn_for(statement, code)
        case While():
            return _turn_while(statement, world)
        case Try():
            return _turn_try(statement, world)
        case With():
            return _turn_with(statement, world)
        case Break() | Continue() | Raise() | Note():
            return plain(statement, code)
    raise NotYet(f"this `{type(statement).__name__.lower()}`", code.span)


def target_of(statement: Statement) -> str:
    """Return the name of what a statement binds or writes, after which its terms are called."""
    found = written_to(statement)
    return "result" if found is None else found.name


def _turn_if(branch: If, world: World) -> Block:
    before = set(world.zero)
    ends: list[set[Variable]] = []
    arms = []
    for arm in (branch.body, branch.orelse):
        _now_zero(before, world)
        arms.append(turn_block(arm, world))
        if not is_left(arm):
            ends.append(set(world.zero))
    _now_zero(set.intersection(*ends) if ends else before, world)
    return (replace(branch, body=arms[0], orelse=arms[1]),)


def _now_zero(found: set[Variable], world: World) -> None:
    world.zero.clear()
    world.zero.update(found)


def _turn_while(loop: While, world: World) -> Block:
    still = world.zero - bound_in(loop.body)
    _now_zero(still, world)
    body = turn_block(loop.body, world)
    _now_zero(still, world)
    return (replace(loop, body=body),)


def _turn_for(loop: For, code: Code) -> Block:
    world = code.world
    paired, target, _ = beside(loop.domain, loop.target, code)
    given = {v.of for v in variables(target) if v.role == Role.TANGENT}
    still = world.zero - bound_in(loop.body) - set(variables(loop.target))
    _now_zero(still, world)
    start = tuple(
        Let(world.dot(v), zero(_item(v, loop, code), code), loop.span)
        for v in variables(loop.target)
        if world.has_tangent(v) and v not in given
    )
    outer, world.gone_through = world.gone_through, world.gone_through | read_variables(paired)
    body = turn_block(loop.body, world)
    world.gone_through = outer
    _now_zero(still, world)
    return (*code.before, replace(loop, target=target, domain=paired, body=(*start, *body)))


def _item(variable: Variable, loop: For, code: Code) -> Expr:
    """Return an item of a domain that does not vary."""
    type_ = item_type(loop.target, loop.domain, variable, code)
    return name(variable, Unknown() if type_ is None else type_)


def item_type(target: Pattern, domain: Expr, variable: Variable, code: Code) -> Type | None:
    """Return the type of what a variable is bound to in each pass, None where it is not known."""
    if target != variable:
        return None
    made = domain.type
    return made.item if isinstance(made, Sequence) else domain_item(domain, code.world.regions)


def _turn_with(statement: With, world: World) -> Block:
    """Return a block under a context, which may catch what is raised in it."""
    outer, still = world.in_try, world.zero - bound_in(statement.body)
    world.in_try = outer or not is_quiet(statement.context)
    body = turn_block(statement.body, world)
    if world.in_try:
        _now_zero(still & world.zero, world)
    world.in_try = outer
    return (replace(statement, body=body),)


def _turn_try(statement: Try, world: World) -> Block:
    inside = bound_in(statement.body).union(
        *(bound_in(h.body) for h in statement.handlers), bound(statement)
    )
    still = world.zero - inside
    outer = world.in_try
    _now_zero(set(still), world)
    world.in_try = True
    body = turn_block(statement.body, world)
    world.in_try = outer
    handlers = []
    for handler in statement.handlers:
        _now_zero(set(still), world)
        handlers.append(replace(handler, body=turn_block(handler.body, world)))
    _now_zero(still, world)
    return (replace(statement, body=body, handlers=tuple(handlers)),)


# ---------------------------------------------------------------------------- what is saved


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
        base, *index = target.args  # none of a field
        place = target.with_args((whole(base, code), *map(code.value, index)))
    tangent = Restore(place, world.dot(restore.stack), restore.span)
    return (*code.before, tangent, *plain(restore, replace(code, before=[])))
