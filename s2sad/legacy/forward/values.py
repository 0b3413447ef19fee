"""The tangent of one value: by the rule of what computes it, or part by part."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from s2sad.ir.errors import Span
from s2sad.legacy.activity import flow
from s2sad.legacy.contribute import SHAPE, ZEROS_OF, zero_like
from s2sad.legacy.facts import same_shape
from s2sad.legacy.fields import COPIES, is_field
from s2sad.legacy.forward.state import Tangents
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Stmt, Var
from s2sad.legacy.refusals import missing_rule, no_rule, not_differentiated
from s2sad.legacy.rules import Match, find
from s2sad.legacy.traverse import substitute
from s2sad.legacy.twins import has_twin

ASARRAY = Ref("np.asarray", np.asarray)
TUPLE = Ref("tuple", tuple)
BROADCAST = Ref("np.broadcast_to", np.broadcast_to)


def tangent_of(state: Tangents, target: Var, value: Expr, span: Span) -> Expr:
    """Return the tangent of `target = value`."""
    match value:
        case Var():
            return state.of(value)
        case Op("index", (Var() as owner, key)):
            dot: Expr = state.of(owner)
            if state.facts.of(owner).is_scalar:
                # a number of NumPy's has subscripts, one of Python's none
                dot = Call(ASARRAY, (dot,))
            return Op("index", (dot, key))
        case Attr(owner, name) if state.facts.expr(owner).kind == "record":
            return Attr(substitute(owner, state.of), name)
        case Op("index", (Op("index") | Attr() as owner, Const(str() as key))):
            return Op("index", (substitute(owner, state.of), Const(key)))
        case Call(func, (Attr() | Op("index") as part,)) if func in COPIES:
            if is_field(part, state.facts.expr) or isinstance(part, Op):
                return Call(func, (substitute(part, state.of),))
        case Op("tuple" | "list" as display, args):
            out: list[Stmt] = []
            parts = tuple(part_of(state, arg, out, span) for arg in args)
            state.out += out
            return Op(display, parts)
        case Op("+", (a, b)) if state.facts.of(target).kind == "tuple":
            return Op("+", (_of_tuple(state, a, span), _of_tuple(state, b, span)))
    match_ = find(value, state.facts.expr)
    if match_ is None:
        raise missing_rule(value, span, state.facts.expr)
    if match_.constant:
        return zero_like(target, state.facts.of(target))
    dots = dots_of(state, match_, span)
    if match_.parted:
        return _tuple_of_tangents(state, target, match_.part_tangents(target, dots))
    tangent = match_.tangents(target, dots)
    if tangent is None:
        return zero_like(target, state.facts.of(target))
    return _whole(state, target, tangent)


def _of_tuple(state: Tangents, value: Expr, span: Span) -> Expr:
    """Return the tangents of a tuple as one, which can be joined to others."""
    if isinstance(value, Var) and value not in state.active:
        return Call(TUPLE, (Call(ZEROS_OF, (value,)),))
    dot = _operand_dot(state, value, span)
    # what a loop makes longer began with zeros, which are in a list
    begun = isinstance(value, Var) and state.facts.of(value).shape is None
    return Call(TUPLE, (dot,)) if begun else dot


def is_left_to_twin(state: Tangents, match_: Match, value: Expr) -> bool:
    """Tell whether more varies than a rule is for, and the function has a twin in Python."""
    known = state.facts.expr
    more = {
        name
        for name, operand in match_.operands.items()
        if any(var in state.active for var in flow(operand, known))
    } - match_.differentiable
    return bool(more) and not match_.constant and has_twin(value, known)


def dots_of(state: Tangents, match_: Match, span: Span) -> dict[str, Expr]:
    """Return the tangents of what a rule's operation varies with."""
    dots = {
        name: _operand_dot(state, operand, span)
        for name, operand in match_.operands.items()
        if any(var in state.active for var in flow(operand, state.facts.expr))
    }
    missing = dots.keys() - match_.differentiable
    if missing:
        raise no_rule(match_, sorted(missing), span, state.facts.expr)
    return dots


def _tuple_of_tangents(state: Tangents, target: Var, parts: Mapping[int, Expr]) -> Expr:
    """Return the tangent of a tuple of results that stay together."""
    count = state.facts.of(target).count or max(parts) + 1
    every = (Op("index", (target, Const(i))) for i in range(count))
    zeros = (Call(Ref("_zeros_of", "printed"), (part,)) for part in every)
    return Op("tuple", tuple(parts.get(i, zero) for i, zero in enumerate(zeros)))


def _operand_dot(state: Tangents, operand: Expr, span: Span) -> Expr:
    if isinstance(operand, Var):
        return state.of(operand)
    if isinstance(operand, Op) and operand.op in ("tuple", "list"):
        return Op(operand.op, tuple(part_of(state, arg, state.out, span) for arg in operand.args))
    raise not_differentiated(operand, span)


def part_of(state: Tangents, arg: Expr, out: list[Stmt], span: Span) -> Expr:
    if isinstance(arg, Op) and arg.op == "star":
        raise not_differentiated(arg, span)
    if isinstance(arg, Var):
        return state.or_zero(arg, out, span) if state.facts.of(arg).kind != "str" else arg
    if isinstance(arg, Op) and arg.op in ("tuple", "list", "star"):
        return Op(arg.op, tuple(part_of(state, part, out, span) for part in arg.args))
    return Const(0.0)


def _whole(state: Tangents, target: Var, tangent: Expr) -> Expr:
    """Spread a tangent that is smaller than its value: y = x + c of a float x."""
    fact = state.facts.of(target)
    given = state.facts.expr(tangent, state.known)
    if fact.is_scalar or fact.kind in ("list", "tuple", "dict") or same_shape(fact, given):
        return tangent
    if isinstance(fact.shape, tuple) and isinstance(given.shape, tuple):
        if len(fact.shape) == len(given.shape) and not any(
            d.symbol == "" and d.offset == 1 for d in given.shape
        ):
            return tangent
    return Call(BROADCAST, (tangent, Call(SHAPE, (target,))))
