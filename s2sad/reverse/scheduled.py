"""Loops that keep states by a schedule are calls, and so is their reverse.

u, checkpoints = march_loop(u, c, steps)
u_bar, c_bar = march_loop_rev(checkpoints, c, steps, u_bar, 0.0)
"""

from __future__ import annotations

from s2sad.analysis.containers import is_container
from s2sad.analysis.loops import range_of
from s2sad.analysis.terms import is_cheap
from s2sad.ir.expression import Expr, Role, Variable, calls, constant, name, subscript
from s2sad.ir.program import PURE, Effect, Let
from s2sad.ir.records import replace
from s2sad.ir.types import Number, Tuple, Type
from s2sad.ir.walk import bound, read_variables
from s2sad.reverse.contribute import is_zero, shadow, spread
from s2sad.reverse.pull import gathered
from s2sad.reverse.rules import primal_value
from s2sad.reverse.structures import zeros_of
from s2sad.reverse.world import Code, Contribution, Loop

WHOLE = Number("int64")


def turn_scheduled(let: Let, loop: Loop, code: Code) -> bool:
    """Write the reverse of a call of a loop; tell whether it reads values as after it."""
    assert isinstance(let.target, tuple)
    world = code.world
    results = let.target[: len(loop.state)]
    args = let.value.args[1:]
    code.target = results[0].name if results else "loop"
    again = bool(set(bound(let)) & read_variables(let.value))
    arrays = (v for v in results if not is_container(world.memory.types[v]))
    if again or any(world.memory.is_memory(v) and world.memory.is_hard(v) for v in arrays):
        raise code.refuse("a loop by a schedule whose results have two names", let.value)
    outside = tuple(primal_value(args[k], code) for k in loop.outside)
    seeds = [_seed(results[k], loop.types[k], code) for k in loop.received]
    zeros = [_zero(args[k], code) for k in loop.varying_outside]
    left = [_seed(results[k], loop.types[k], code) for k in loop.left]
    handed = (name(let.target[-1]), *outside, _steps(let, loop, code), *seeds, *zeros, *left)
    shadows = [shadow(args[k].data, code) for k in loop.shadowed]
    taken = [args[k] for k in (*loop.received, *loop.varying_outside)]
    head = Expr("function", (), loop.reverse)
    types = tuple(arg.type for arg in taken)
    type_ = types[0] if len(types) == 1 else Tuple(types)
    called = Expr("call", (head, *handed, *shadows), (), type_)
    into = range(len(handed), len(handed) + len(shadows))
    parts = _bound(taken, called, replace(loop.effect, writes=frozenset(into)), code)
    code.state -= set(results)
    found: list[Contribution] = []
    for arg, part in zip(taken, parts, strict=True):
        found += gathered(arg, part, code)
    spread(found, code)
    return True


def _bound(taken: list[Expr], called: Expr, effect: Effect, code: Code) -> tuple[Expr, ...]:
    """Return the adjoints that come back from a loop, each under a name."""
    parts = tuple(_adjoint_of(arg, code) for arg in taken)
    if parts or effect != PURE:
        target = parts if len(parts) != 1 else parts[0]
        code.emit(Let(target or None, called, code.span, effect))
    return tuple(name(v, arg.type) for v, arg in zip(parts, taken, strict=True))


def _adjoint_of(arg: Expr, code: Code) -> Variable:
    """Return the variable for what comes back of an adjoint."""
    read = sorted(read_variables(arg), key=str)
    if not read:
        return code.world.fresh.variable(f"{code.target}_term_bar", Role.TERM)
    is_first = arg.op == "name" and is_zero(arg.data, code)
    return code.world.fresh.variable(f"{read[0].name}_{'' if is_first else 'term_'}bar", Role.TERM)


def _seed(result: Variable, type_: Type, code: Code) -> Expr:
    """Return the adjoint of what a loop hands on: zeros where nobody reads it."""
    world = code.world
    if result in world.active and not is_zero(result, code):
        if world.is_easy(result):
            code.wanted[result] = None
        return world.bar(result)
    return _zero(name(result, type_), code)


def _zero(value: Expr, code: Code) -> Expr:
    if is_container(value.type):
        return zeros_of(value, code.world)
    return code.world.calculus.zeros_like(value)


def _steps(let: Let, loop: Loop, code: Code) -> Expr:
    """Return what the passes went over, as far as they went."""
    assert isinstance(let.target, tuple)
    passes = None if not loop.is_counted else name(let.target[-2], WHOLE)
    if loop.steps is None:
        assert passes is not None
        return range_of(passes)
    over = let.value.args[1:][loop.steps]
    if not (calls(over, range) and all(map(is_cheap, over.args))):
        over = primal_value(over, code)
    if passes is None:
        return over
    nothing = constant(None)
    return subscript(over, Expr("slice", (nothing, passes, nothing)), over.type)
