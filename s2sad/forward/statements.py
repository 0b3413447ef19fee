"""Simple statements with their tangents beside them.

x = np.sin(x)         x_dot = np.cos(x) * x_dot           the tangent reads x before it is lost
                      x = np.sin(x)
y = np.exp(x)         y = np.exp(x)
                      y_dot = x_dot * y
xs.append(u)          xs_dot.append(u_dot)
                      xs.append(u)
"""

from __future__ import annotations

import copy
from types import SimpleNamespace

from s2sad.analysis.pointers import written_operands
from s2sad.forward.domains import dotted
from s2sad.forward.push import effect_with_tangents, has_custom, turned
from s2sad.forward.whole import in_rows, moving_arguments, own, separated, whole
from s2sad.forward.world import Code, Dot, World
from s2sad.forward.zeros import as_float, full, zero
from s2sad.ir.expression import (
    Expr,
    Pattern,
    Role,
    Variable,
    calls,
    constant,
    is_own_call,
    name,
    object_of,
)
from s2sad.ir.program import PURE, Block, Copied, Let, RegionOp, Return, Statement
from s2sad.ir.records import replace
from s2sad.ir.renaming import renamed_in
from s2sad.ir.types import Array, Number, Numeric, Tuple, Unknown
from s2sad.ir.walk import mentions, read_variables, variables, with_expressions
from s2sad.operators.guards import is_complex
from s2sad.operators.missing import refused_effect
from s2sad.operators.slopes import is_real
from s2sad.operators.table import has


def turn_let(let: Let, code: Code) -> Block:
    """Return a binding with that of the tangent."""
    value = let.value
    if is_own_call(value) and not has_custom(value, code):
        return _turn_own(let, code)
    if calls(value, SimpleNamespace):
        let = replace(let, effect=PURE)
    if _is_region_op(let):
        return turn_region_op(_region_op(let), code)
    if not let.effect.is_pure and _writes_shadowed(let, code):
        return _turn_written(let, code)
    if isinstance(let.target, Variable):
        return _turn_name(let, let.target, code)
    if let.target is None or not _bound_with_tangent(let.target, code):
        return plain(let, code)
    if value.op != "tuple" and not code.world.is_moving(value):
        return _turn_still(let, code)
    if _is_one_by_one(let) and not code.world.in_try:
        parts = zip(let.target, value.args, strict=True)
        world, span = code.world, let.span
        alone = ((one := Let(v, part, span), Code(world, span, v.name, one)) for v, part in parts)
        return tuple(each for one, own_code in alone for each in turn_let(one, own_code))
    return _turn_pattern(let, code)


def _is_one_by_one(let: Let) -> bool:
    """Tell whether names that are bound at one time may be bound one after the other."""
    target, value = let.target, let.value
    if not isinstance(target, tuple) or not all(isinstance(v, Variable) for v in target):
        return False
    is_display = value.op == "tuple" and not any(part.op == "starred" for part in value.args)
    names = set(target)
    is_apart = names.isdisjoint(read_variables(value)) and len(names) == len(target)
    return is_display and is_apart and len(value.args) == len(target)


def plain(statement: Statement, code: Code) -> Block:
    """Return a statement as it stands, after what has been computed for it."""
    return (*code.before, with_expressions(statement, code.with_values))


def _bound_with_tangent(target: Pattern, code: Code) -> bool:
    return any(map(code.world.has_tangent, variables(target)))


# ---------------------------------------------------------------------------- names


def _turn_name(let: Let, target: Variable, code: Code) -> Block:
    world, value = code.world, let.value
    if not world.has_tangent(target):
        return plain(let, code)
    kept = code.kept()
    code.result, code.result_name = value, kept
    found = code.push(value)
    dot = _lasting(found, let, target, code)
    if is_real(dot) and is_complex(value):
        world.real.add(target)
    else:
        world.real.discard(target)
    if found is not None and target in world.in_rows:
        dot = in_rows(dot)
    if found is None and not world.is_written(target):
        world.zero.add(target)
    else:
        world.zero.discard(target)
    return _in_order(let, target, dot, kept, code)


def _lasting(found: Dot | None, let: Let, target: Variable, code: Code) -> Expr:
    """Return a tangent that can be bound: in the shape of its value, and of its own memory."""
    world, value = code.world, let.value
    if found is None:
        dot = zero(value, code)
    elif not found.full or (_is_widened(target, world) and _is_of_other_kind(found.expr, value)):
        return full(found.expr, value, code)
    else:
        dot = found.expr
    if isinstance(value.type, Number):
        return separated(dot, value, code)
    is_held = isinstance(dot.type, Array | Numeric) and world.is_memory(dot)
    if world.keeps_apart or world.is_written(target) or is_held:
        return separated(dot, value, code)
    return dot


def _is_widened(target: Variable, world: World) -> bool:
    """Tell whether a tangent is complex wherever its value is, be it real by its numbers."""
    return world.is_written(target) or not world.memory.uses.is_bound_at_one_place(target)


def _is_of_other_kind(dot: Expr, value: Expr) -> bool:
    kinds = {getattr(each.type, "dtype", "") for each in (dot, value)}
    return len(kinds - {""}) > 1


def _in_order(let: Let, target: Variable, dot: Expr, kept: Variable, code: Code) -> Block:
    """Return value and tangent in an order in which each reads what it means."""
    world = code.world
    first = (*code.before,)
    primal = replace(let, value=code.with_values(let.value))
    spelled = _spelled(let, target, dot, code)
    tangent = Let(world.dot(target), dot, let.span, spelled=spelled)
    reads_old = mentions(dot, target)
    if code.reads_result and not reads_old:
        renamed = renamed_in(dot, {kept: target})
        return (*first, primal, replace(tangent, value=renamed))
    if code.reads_result or world.in_try:
        if not reads_old:
            return (*first, primal, tangent)
        own_value = replace(primal, target=kept, spelled="=")
        back = Let(target, name(kept, let.value.type), let.span)
        return (*first, own_value, *_after(tangent, back, code))
    return (*first, tangent, primal)


def _after(tangent: Let, primal: Statement, code: Code) -> Block:
    """Return a tangent before its value; within a try, where that may raise, after it."""
    if not code.world.in_try:
        return tangent, primal
    kept = code.world.fresh.variable("new_dot", Role.TERM)
    back = Let(tangent.target, name(kept, tangent.value.type), tangent.span)
    return replace(tangent, target=kept, spelled="="), primal, back


def _spelled(let: Let, target: Variable, dot: Expr, code: Code) -> str:
    """Return how the text says the tangent of `x += e`."""
    if let.spelled not in ("+", "-") or dot.op != "binary" or dot.data != let.spelled:
        return "="
    mine = dot.args[0]
    is_same = mine.op == "name" and mine.data == code.world.dot(target)
    return let.spelled if is_same and not code.world.in_try else "="


# ---------------------------------------------------------------------------- patterns


def _turn_pattern(let: Let, code: Code) -> Block:
    """Return several names that are bound at once, and their tangents at once."""
    world, value = code.world, let.value
    kept = code.kept()
    code.result, code.result_name = value, kept
    dot = own(value, code)
    for variable in variables(let.target):
        world.zero.discard(variable)
    target = dotted(let.target, code, False)
    target, dot = _without_idle(target, dot)
    tangent = Let(target, dot, let.span)
    if code.reads_result:
        own_value = with_expressions(replace(let, target=kept), code.with_values)
        back = Let(let.target, name(kept, value.type), let.span)
        return (*code.before, own_value, *_after(tangent, back, code))
    return (*code.before, *_after(tangent, with_expressions(let, code.with_values), code))


def _without_idle(target: Pattern, dot: Expr) -> tuple[Pattern, Expr]:
    """Leave out of a tuple of tangents those that nobody takes."""
    if not isinstance(target, tuple) or dot.op != "tuple" or len(target) != len(dot.args):
        return target, dot
    pairs = [(t, d) for t, d in zip(target, dot.args, strict=True) if t is not None]
    if len(pairs) == 1:
        return pairs[0]
    parts = tuple(d for _, d in pairs)
    made = Expr("tuple", parts, None, Tuple(tuple(part.type for part in parts)))
    return tuple(t for t, _ in pairs), made


# ---------------------------------------------------------------------------- calls


def _turn_own(let: Let, code: Code) -> Block:
    """Return a call of an own function as that of its tangent."""
    world = code.world
    dots = moving_arguments(let.value, code)
    if not dots:
        return _turn_still(let, code)
    callee, call = turned(let.value, code, dots)
    made = replace(let, value=call, effect=effect_with_tangents(let, call), spelled="=")
    if let.target is None or not callee.both:
        zeros = _zeros_after(let.target, let.value, code)
        return (*code.before, made, *zeros)
    for variable in variables(let.target):
        world.zero.discard(variable)
    dot = dotted(let.target, code, False)
    return (*code.before, replace(made, target=(let.target, dot)))


def _turn_still(let: Let, code: Code) -> Block:
    """Return a binding of what does not vary."""
    zeros = _zeros_after(let.target, let.value, code)
    return (*plain(let, code), *zeros)


def _zeros_after(target: Pattern, value: Expr, code: Code) -> Block:
    """Return the tangents of what does not vary, made when its value is there."""
    if target is None or not _bound_with_tangent(target, code):
        return ()
    if not isinstance(target, Variable):
        parts = (v for v in variables(target) if code.world.has_tangent(v))
        unknown = value.typed(Unknown())
        return tuple(let for v in parts for let in _zeros_after(v, unknown, code))
    code.world.zero.discard(target)
    if not code.world.is_written(target):
        code.world.zero.add(target)
    zeros = zero(name(target, value.type), code)
    return (Let(code.world.dot(target), zeros, code.span),)


def _writes_shadowed(let: Let, code: Code) -> bool:
    """Tell whether a call writes in place to what has a tangent."""
    if _only_reads(let.value.args[0]):
        return False
    return any(_is_shadowed(each, code) for each in written_operands(let))


READING = frozenset({"values", "items", "keys", "get", "copy", "index", "count"})
THROUGH = (sum, list, tuple, dict, next, zip, enumerate, reversed, iter, copy.copy, copy.deepcopy)


# what may give one of several, and out=(None, c)
HOLDING = frozenset({"tuple", "list", "conditional", "and", "or", "starred"})


def _only_reads(function: Expr) -> bool:
    """Tell whether a call takes items, of an iterator or dict, and does the same to tangents."""
    if function.op == "attribute":
        return isinstance(function.args[0].type, Unknown) and function.data in READING
    return any(object_of(function) is each for each in THROUGH)


def _is_shadowed(expr: Expr, code: Code) -> bool:
    """Tell whether what is written has a shadow; what is made for the call has none."""
    while expr.op in ("subscript", "attribute") and expr.args:
        expr = expr.args[0]
    if expr.op in HOLDING:
        return any(_is_shadowed(arg, code) for arg in expr.args)
    return expr.op in ("name", "call") and code.world.is_moving(expr)


def _is_region_op(let: Let) -> bool:
    """Tell whether a call changes a list or dict of which nothing is known: d[k].append(x)."""
    call = let.value
    if let.effect.is_pure or call.op != "call" or call.args[0].op != "attribute" or call.data:
        return False
    is_unknown = isinstance(call.args[0].args[0].type, Unknown)
    return is_unknown and call.args[0].data in SAME | PUTTING | KEYED


def _region_op(let: Let) -> RegionOp:
    function, *args = let.value.args
    return RegionOp(let.target, function.args[0], function.data, tuple(args), let.span)


def _turn_written(let: Let, code: Code) -> Block:
    """Return np.add.at(a, k, v), done to the tangents as well."""
    function, *args = let.value.args
    owner = getattr(object_of(function), "__self__", None)
    is_adding = has(owner, "adds") and len(args) == 3
    if not is_adding or let.value.data or let.target is not None:
        raise refused_effect(let.value, "a call that writes in place", code.span)
    base, index, value = args
    found = code.push(value)
    if found is None:
        return plain(let, code)
    made = (function, whole(base, code), code.value(index), found.expr)
    tangent = replace(let, value=replace(let.value, args=made))
    return (*code.before, *_after(tangent, with_expressions(let, code.with_values), code))


# ---------------------------------------------------------------------------- lists

SAME = frozenset({"del", "clear", "reverse", "popleft", "popitem", "rotate"})
PUTTING = frozenset({"append", "appendleft", "extend", "extendleft", "update"})
KEYED = frozenset({"insert", "setdefault", "pop"})


def turn_region_op(op: RegionOp, code: Code) -> Block:
    """Return what is done to a list or dict, done to its tangent as well."""
    if not code.world.is_moving(op.base):
        return (*plain(op, code), *_zeros_after(op.target, name_of_item(op), code))
    args = _arguments(op, code)
    base = whole(op.base, code)
    for variable in variables(op.target):
        code.world.zero.discard(variable)
    target = dotted(op.target, code, False)
    tangent = RegionOp(target, base, op.method, args, op.span)
    primal = with_expressions(op, code.with_values)
    if code.world.in_try:
        if any(mentions(base, code.world.dot(v)) for v in variables(op.target)):
            raise code.refuse("a list that is bound anew within a try", op.base)
        return (*code.before, primal, tangent)
    return (*code.before, tangent, primal)


def name_of_item(op: RegionOp) -> Expr:
    """Return what a list gives, of which nothing is known."""
    return Expr("subscript", (op.base, constant(0)), None, Unknown())


def _arguments(op: RegionOp, code: Code) -> tuple[Expr, ...]:
    if op.method in SAME:
        return tuple(map(code.value, op.args))
    if op.method in PUTTING:
        return tuple(own(arg, code) for arg in op.args)
    if op.method in KEYED:
        first = tuple(map(code.value, op.args[:1]))
        return (*first, *(own(arg, code) for arg in op.args[1:]))
    raise code.refuse(f"a list that is changed by {op.method}", op.base)


# ---------------------------------------------------------------------------- ends


def turn_return(end: Return, code: Code) -> Block:
    """Return the value of a function with its tangent."""
    if not code.world.returns:
        return plain(end, code)
    value = end.value
    kept = code.kept()
    code.ends = not code.world.keeps_apart
    if code.world.gives_value:
        code.result, code.result_name = value, kept
    dot = own(value, code)
    if not code.world.gives_value:
        return (*code.before, Return(dot, end.span))
    first: Block = tuple(code.before)
    given = code.with_values(value)
    if code.reads_result:
        first = (*first, Let(kept, given, end.span))
        given = name(kept, value.type)
    if isinstance(dot.type, Number | Array) and not code.world.in_try:
        result = code.world.fresh.variable("result_dot", Role.TANGENT)
        first = (*first, Let(result, dot, end.span))
        dot = name(result, dot.type)
    return (*first, Return(both(given, dot), end.span))


def both(value: Expr, dot: Expr) -> Expr:
    """Return a value and its tangent as a tuple."""
    return Expr("tuple", (value, dot), None, Tuple((value.type, as_float(value.type))))


def turn_copied(copied: Copied, code: Code) -> Block:
    """Return a statement of the user's own text; what it writes must not vary."""
    if any(map(code.world.has_tangent, copied.writes)):
        raise copied.fault
    return plain(copied, code)
