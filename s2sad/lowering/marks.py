"""What users, or the prelude, say of values on their way.

y = s2sad.on_adjoint(x, clipped)      the hook is a function of the program, too
with s2sad.no_grad():                 scale = s2sad.stop_gradient(np.max(x))
    scale = np.max(x)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from s2sad.ir.errors import S2sadError, Unsupported
from s2sad.ir.expression import Expr, Variable, call, calls, global_, is_own_call, root_of
from s2sad.ir.program import (
    Block,
    For,
    If,
    Let,
    RegionOp,
    Return,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.records import replace
from s2sad.ir.types import Number, Other, Reference, Tuple, Unknown, is_float
from s2sad.ir.walk import bound_in, read_variables, rewritten, statements
from s2sad.lowering import custom, reflection
from s2sad.lowering.machine import Heap, Machine, refusal
from s2sad.lowering.values import Closure, Code, Data, Tup, Value
from s2sad.operators.marks import hooked, no_grad, stopped

HINT = "Give them in their order, without names."


def on_adjoint(m: Machine, args: list[Value], kwargs: Mapping[str, Value], node: Any) -> Value:
    """Return a value whose adjoint goes through a hook."""
    if len(args) != 2 or kwargs:
        raise Unsupported("s2sad.on_adjoint takes 2 arguments by position", m.span, HINT)
    value, hook = args
    if not isinstance(value, Data):
        raise refusal(m, "on_adjoint of what is no number or array")
    return Data(hooked(value.expr, _hook(m, hook, value)).at(m.span), value.origins)


def _hook(m: Machine, hook: Value, value: Data) -> Expr:
    """Return a hook as the program names it."""
    if isinstance(hook, Code):
        return reflection.code_expr(m, hook)
    if not isinstance(hook, Closure):
        raise Unsupported(
            "the hook of on_adjoint is not known when the derivative is made",
            m.span,
            "Name a function of the module.",
        )
    if not custom.is_plain(value.type):
        raise refusal(m, "on_adjoint of a value of which the kind is not known")
    made = custom.made_for(m, hook, hook.name, [custom.named("bar", custom.varying(value.type))])
    if made is None or made.free or not replace(made.effect, prints=False, raises=False).is_pure:
        raise refusal(m, f"{hook.name}, which is no function of the adjoint alone")
    return Expr("function", (), made.name)


# ---------------------------------------------------------------------------- regions


def region(m: Machine, args: list[Value], kwargs: Mapping[str, Value], node: Any) -> Value:
    """Return the manager of a region without gradients, which does nothing as it runs."""
    if args or kwargs:
        raise Unsupported("no_grad takes nothing", m.span, "Write: with s2sad.no_grad():")
    return Data(call(global_("s2sad.no_grad", no_grad)).at(m.span))


def is_region(manager: Expr) -> bool:
    """Tell whether a `with` is a region without gradients."""
    return calls(manager, no_grad)


def without_gradients(m: Machine, body: Block, before: Heap) -> Block:
    """Return the statements of a region, each value that they name marked as constant."""
    own = bound_in(body)
    made = rewritten(body, lambda statement: _stopped(m, statement, own))
    _refuse_other_values(m, before, own)
    return made


def _stopped(m: Machine, statement: Statement, own: frozenset[Variable]) -> Statement:
    match statement:
        case Let() if statement.effect.is_pure:
            if statement.spelled == "=":
                return replace(statement, value=_constant(m, statement.value))
            value = statement.value.with_args(_constant(m, a) for a in statement.value.args)
            return replace(statement, value=value)
        case Let(target=None) if not (statement.effect.writes or statement.effect.writes_owner):
            return statement
        case Store() if root_of(statement.target) in own:
            return replace(statement, value=_constant(m, statement.value))
        case RegionOp(method="append" | "insert"):
            return replace(statement, args=tuple(_constant(m, a) for a in statement.args))
        case If() | For() | While() | With() | Try():
            return statement
    raise refused(statement)


def refused(statement: Any) -> S2sadError:
    """Return what is said of a change to what may come from around a region."""
    return Unsupported(
        "this changes, in a region without gradients, what may come from around it",
        statement.span,
        "Give what is computed there a name of its own, and change things outside of it.",
    )


def _constant(m: Machine, expr: Expr) -> Expr:
    """Return a value that counts as constant, each of a display by itself."""
    if expr.op in ("tuple", "list"):
        return expr.with_args(_constant(m, arg) for arg in expr.args)
    if expr.op == "constant" or (isinstance(expr.type, Number) and not is_float(expr.type)):
        return expr
    if isinstance(expr.type, Reference | Other | Tuple):
        raise refusal(m, "a region without gradients that makes more than numbers and arrays")
    return stopped(expr)


def _refuse_other_values(m: Machine, before: Heap, own: frozenset[Variable]) -> None:
    """Refuse a region that hands on a value from around it under no name of its own."""
    for place, cell in m.heap.items():
        earlier = before[place].slots if place in before else {}
        for key, value in cell.slots.items():
            if value is not earlier.get(key) and any(v not in own for v in _varying(value)):
                raise refusal(m, "a region without gradients that hands on what it was given")


def _varying(value: Value) -> Iterator[Variable]:
    """Yield the variables of a value that may vary."""
    if isinstance(value, Tup):
        for part in value.parts:
            yield from _varying(part)
    elif isinstance(value, Data) and (is_float(value.type) or isinstance(value.type, Unknown)):
        yield from read_variables(value.expr)


# ---------------------------------------------------------------------------- numbers of one kind


def of_one_kind(m: Machine, args: list[Value], kwargs: Mapping[str, Value], node: Any) -> Value:
    """Return a number that is a float on every way, or on none."""
    expr = m.to_data(args[0]).expr
    if is_own_call(expr) and expr.args[0].data in m.functions:
        body = m.functions[expr.args[0].data].body
        ends = [s.value for s in statements(body) if isinstance(s, Return)]
    else:
        body, ends = tuple(m.block), [expr]
    found = {kind for end in ends for kind in _kinds(end, body)}
    if len(found) > 1:
        raise refusal(m, "a function of elements or rows that gives whole numbers on some ways")
    return args[0]


def _kinds(expr: Expr, block: Block) -> Iterator[bool]:
    """Yield whether a value is a whole number, on each way."""
    if expr.op == "conditional":
        for arm in expr.args[1:]:
            yield from _kinds(arm, block)
        return
    if expr.op == "name":
        for statement in statements(block):
            if isinstance(statement, Let) and statement.target == expr.data:
                if statement.value != expr:
                    yield _is_whole(statement.value)
    yield _is_whole(expr)


def _is_whole(expr: Expr) -> bool:
    return isinstance(expr.type, Number) and expr.type.dtype[0] in "iub"
