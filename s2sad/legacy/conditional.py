"""Expressions of which only one side is computed: `a if c else b`, `a or b`, `a and b`.

y = f(x) if x > 0 else g(x)     ->      if x > 0: y%1 = f(x) else: y%2 = g(x)
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.lower import Part, atom, inline, lower, operation, outside
from s2sad.legacy.program import NONE, Assign, Const, Expr, If, Merge, Op, Var, is_temp
from s2sad.legacy.scope import Scope, block_of
from s2sad.legacy.statics.kinds import Fields, Function, Table


@lower.register
def _(node: gast.BoolOp, scope: Scope, part: Part) -> Expr:
    # what stands behind the first operand may never run, so nothing is computed before
    name = "and" if isinstance(node.op, gast.And) else "or"
    first, *others = node.values
    if part is not inline and not all(map(_is_test, node.values)):
        return _one_of(node, scope)
    start = inline(first, scope) if part is inline else outside(first, scope)
    return Op(name, (start, *(inline(each, scope) for each in others)))


@lower.register
def _(node: gast.IfExp, scope: Scope, part: Part) -> Expr:
    if part is inline:
        return Op("if", tuple(inline(each, scope) for each in (node.test, node.body, node.orelse)))
    test = outside(node.test, scope)
    taken = None if _gives_several(node, scope) else settled(test, scope)
    if taken is None and (scope.held.statics or _is_of_functions(node, scope)):
        taken = scope.comes_out(test, node)
    if taken is not None:
        return part(node.body if taken else node.orelse, scope)
    return _chosen(test, (node.body, node.orelse), node, scope)


def _gives_several(node: Any, scope: Scope) -> bool:
    """Tell whether a side is a tuple, where only an argument tells which: callers count the results."""
    sides = (node.body, node.orelse)
    return not scope.held.statics and any(isinstance(side, gast.Tuple) for side in sides)


def _is_of_functions(node: Any, scope: Scope) -> bool:
    """Tell whether one side of an expression is a name that stands for a function."""
    sides = [side.id for side in (node.body, node.orelse) if isinstance(side, gast.Name)]
    held = [scope.value(name) for name in sides if scope.has(name)]
    return any(value in scope.held.functions for value in held)


def settled(test: Expr, scope: Scope) -> bool | None:
    """Tell how a test about records, or what these hold, comes out; None where it is not known."""
    if not (scope.held.statics or NONE in scope.held.constants.values()):
        return None
    match test:
        case Const(value):
            return bool(value)
        case Var():
            return _is_true(test, scope)
        case Op("not", (part,)):
            found = settled(part, scope)
            return None if found is None else not found
        case Op("and" | "or" as op, parts):
            every_ = [settled(part, scope) for part in parts]
            if op == "and":
                return False if False in every_ else (None if None in every_ else True)
            return True if True in every_ else (None if None in every_ else False)
        case Op("is" | "is_not" as op, (Var() as left, right)) if right == NONE and (
            isinstance(scope.apart(left), Function)
        ):
            return op == "is_not"
        case Op("is" | "is_not" | "==" | "!=" as op, (left, right)):
            alike = _alike(_constant(left, scope), _constant(right, scope), op)
            return None if alike is None else alike == (op in ("is", "=="))
    return None


# what tells whether an object counts as true
ASKED = ("__bool__", "__len__")


def _is_true(var: Var, scope: Scope) -> bool | None:
    """Tell whether an object counts as true, or what is known to be None or a text."""
    record = scope.record(var)
    if isinstance(scope.apart(var), Function):
        return True
    if record is None:
        known = scope.held.constants.get(var)
        return bool(known.value) if known is not None and _is_word(known.value) else None
    own = any(isinstance(getattr(record.kind, each, None), FunctionType) for each in ASKED)
    if issubclass(record.kind, dict | list | tuple) and not own:
        fields = scope.held.statics.get(record.place)
        return bool(fields.keys) if isinstance(fields, Fields) else None
    asked = any(hasattr(record.kind, each) for each in ASKED)
    return None if asked or issubclass(record.kind, Table) else True


def _constant(part: Expr, scope: Scope) -> Const | None:
    if isinstance(part, Var):
        return scope.held.constants.get(part)
    return part if isinstance(part, Const) else None


def _alike(left: Const | None, right: Const | None, op: str) -> bool | None:
    """Tell whether two are the same, of which one is a text or None; of numbers facts know more."""
    if left is None or right is None:
        return None
    if type(left.value) is type(right.value) is int and op in ("==", "!="):
        return bool(left.value == right.value)
    if not (_is_word(left.value) or _is_word(right.value)):
        return None
    if op in ("is", "is_not") and not (left.value is None or right.value is None):
        return None
    return bool(left.value == right.value)


def _is_word(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_test(node: Any) -> bool:
    """Tell whether syntax gives True or False, whatever it is given."""
    if isinstance(node, gast.BoolOp):
        return all(map(_is_test, node.values))
    if isinstance(node, gast.Call):
        return getattr(node.func, "id", "") in ("isinstance", "bool", "any", "all", "callable")
    negated = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)
    return negated or isinstance(node, gast.Compare)


def _one_of(node: Any, scope: Scope) -> Expr:
    """Return what `a or b` gives: a if a else b."""
    first, *others = node.values
    rest = others[0] if len(others) == 1 else gast.copy_location(gast.BoolOp(node.op, others), node)
    name = scope.called_after
    value = atom(first, scope)
    scope.called_after = name
    taken = _is_true(value, scope) if isinstance(value, Var) else settled(value, scope)
    if taken is not None:
        return value if taken == isinstance(node.op, gast.Or) else operation(rest, scope)
    sides = (value, rest) if isinstance(node.op, gast.Or) else (rest, value)
    return _chosen(value, sides, node, scope)


def _chosen(test: Expr, both: tuple[Any, Any], node: Any, scope: Scope) -> Expr:
    """Return one of two values, each of which is there already or computed if it is chosen."""
    result = scope.numbers.temp(scope.called_after)
    before, sides = _state(scope), []
    for side in both:
        with scope.block() as out:
            value = scope.numbers.next(result.slot)
            made = operation(side, scope) if isinstance(side, gast.AST) else side
            where = scope.span(side if isinstance(side, gast.AST) else node)
            scope.emit(Assign((value,), made, where))
        sides.append((block_of(out), value))
        if _state(scope) != before:
            raise Unsupported(
                "a call on one side of this expression changes what is read after it",
                scope.span(side),
                "Write the two sides as the branches of an `if`.",
            )
    (then, a), (orelse, b) = sides
    merged = scope.numbers.next(result.slot)
    scope.emit(
        If(test, then, orelse, (Merge(merged, a, b),), scope.span(node), scope.numbers.key())
    )
    return merged


def _state(scope: Scope) -> tuple[Any, Any]:
    """Return what the names hold that a call in an expression could change."""
    held = scope.held.values.items()
    own = {slot: var for slot, var in held if scope.is_own(slot) and not is_temp(slot)}
    return own, scope.held.statics
