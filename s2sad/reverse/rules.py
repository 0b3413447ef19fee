"""The rules of the operator table as the reverse sweep uses them; the logistic function through its result.

y = np.linalg.solve(A, b)      b_bar = np.linalg.solve(A.T, y_bar)
                               A_bar = -np.outer(b_bar, y)

y = 1 / (1 + exp(-x))        x_bar += y_bar * y * (1 - y)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from s2sad.analysis.gaps import with_zero
from s2sad.analysis.terms import is_cheap, word_of
from s2sad.ir.errors import Refused
from s2sad.ir.expression import Expr, called_object, calls, global_, text_of_call
from s2sad.ir.records import dataclass, replace
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Length, Number, Numeric, Other, Type, Unknown, is_float
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators import printed
from s2sad.operators.filling import fill
from s2sad.operators.find import Known, find, followed
from s2sad.operators.guards import dtype_of
from s2sad.operators.match import Match
from s2sad.operators.missing import no_slope
from s2sad.operators.modules import PLAIN
from s2sad.operators.precision import is_of_double_alone
from s2sad.operators.rule import PARTS, TWIN, Line
from s2sad.operators.slopes import is_steep
from s2sad.operators.table import calls_one
from s2sad.reverse.calculus import (
    have_one_shape,
    is_array,
    is_known,
    is_literal,
    is_open,
    number,
    shape,
)
from s2sad.reverse.contribute import stretched
from s2sad.reverse.distinct import smallest
from s2sad.reverse.fitting import fit, full, like, spread_openly
from s2sad.reverse.guards import (
    Slope,
    are_shares_of_one,
    is_share,
    let_through,
    protected,
    without_infinite,
    without_overflow,
)
from s2sad.reverse.world import Code
from s2sad.types.inference import as_numbers

SUM_TO = global_("_sum_to", printed.function("_sum_to"))
Pulled = list[tuple[Expr, Expr]]
ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})
AROUND = frozenset({"+", "-"})


@dataclass(frozen=True, slots=True)
class TableRules:
    """Derivative rules found in the operator table, with what is known of lists and objects.

    It `presumes` where lengths are guessed: one that a constant has may be what another turns out
    to be.
    """

    infer: Callable[[Expr], Expr]
    known: Known
    is_shown: Callable[[Expr], bool]
    presumes: bool = False

    def pull(self, expr: Expr, g: Expr, code: Code) -> Pulled | None:
        """Return the operands of an operation with their adjoints; None without a rule."""
        active = code.world.is_active
        match = find(expr, self.known)
        if match is None and expr.op != "call":
            match = find(as_numbers(expr, active), self.known)
        if match is None or match.rule.family == TWIN:
            return None
        missing = match.uncovered(active)
        if missing:
            raise followed(Refused(no_slope(match, missing, code.span)), expr)
        wanted = frozenset(p for p in match.differentiable if active(match.bound[p]))
        lines = match.adjoints(wanted, _still(g))
        adjoint = self._adjoint(match, lines, g, code)
        # what parts of the result give that nobody reads is zero, too
        unread = wanted - {line.target for line in lines} if g.op == "tuple" else frozenset()
        flat: Pulled = [(match.bound[p], number(0.0)) for p in (*match.flat, *sorted(unread))]
        return self._filled(match, lines, Holes(match, adjoint, code)) + flat

    def _adjoint(self, match: Match, lines: tuple[Line, ...], g: Expr, code: Code) -> Expr:
        """Return the adjoint as the lines read it: of the result's shape, named if it is shared."""
        if match.rule.family == PARTS and g.op == "tuple":
            return g
        if match.broadcasts and not any(_combines_elements(line.value) for line in lines):
            if not _is_arithmetic(match.expr):
                g = spread_openly(g, match.expr, tuple(match.bound.values()), code)
        else:
            g = full(g, match.expr, code)
        uses = sum(line.reads.get("y_bar") is not None for line in lines)
        return _shared(match.expr, g, code) if uses > 1 else g

    def _filled(self, match: Match, lines: tuple[Line, ...], holes: Holes) -> Pulled:
        found: Pulled = []
        code = holes.code
        shares: list[Expr] = []  # what the first side of an extreme gets, and its name
        for line in lines:
            value = fill(line, holes, self.infer, holes.shape_of)
            if (match.expr, match.expr.span) in code.world.divisors:
                value = rebuilt(value, with_zero)
            if match.expr.data == "**":
                value = rebuilt(value, partial(_lowered, code=code))
            if line.is_local:
                holes.locals[line.target] = code.temporary(value, f"{code.target}_{line.target}")
                continue
            operand = match.bound[line.target]
            is_late = is_given(match.expr, code)
            is_spread = line.target in match.broadcasts and is_open(operand) and not is_late
            if is_spread and is_of_double_alone(value, self.infer):
                value = fill(line, _of_whole_adjoint(holes, operand), self.infer, holes.shape_of)
            value = let_through(value, holes.adjoint, code)
            if shares and are_shares_of_one(shares[0], value):
                value = code.world.calculus.subtract(holes.adjoint, shares[1])
            elif len(lines) == 2 and is_share(value) and have_one_shape(value, match.expr):
                shares = [value, code.temporary(value)]
                value = shares[1]
            is_apart = line.target in match.broadcasts and not _combines_elements(line.value)
            is_elementwise = is_apart or shape(holes.adjoint) == ()
            if is_elementwise and is_steep(line):
                slope = slope_of(match, line)
                value = protected(value, holes.adjoint, varying(match), slope, code)
            elif is_elementwise:
                computed = set(_computed_with(line.value))
                computed &= {named for named, content in line.reads.items() if content}
                read = [each for named, each in match.bound.items() if named in computed]
                value = without_infinite(value, holes.adjoint, read, code)
                if "y" in computed:
                    value = without_overflow(value, holes.adjoint, match.expr, code)
            if line.target not in match.broadcasts:
                found.append((operand, self._in_shape(match, value, operand, code)))
                continue
            value = one_number(value, match.expr)
            if not is_late:
                value = fit(value, match.expr, operand, code)
            found.append((operand, value))
        return found

    def _in_shape(self, match: Match, value: Expr, operand: Expr, code: Code) -> Expr:
        """Return what a rule gives an operand, which has the operand's own shape."""
        value = _summed_as_known(value, operand, code)
        if not _is_of_lengths(value):
            self._refuse_other_shape(match, value, operand, code)
        value = one_number(value, operand)
        is_asked = is_open(operand) and shape(value) != ()
        if is_asked or isinstance(value.type, Unknown) or _is_less_known(value, operand):
            return value.typed(_in_shape_of(operand.type, value))
        return value

    def _refuse_other_shape(self, match: Match, value: Expr, operand: Expr, code: Code) -> None:
        """Refuse a rule whose contribution surely has another shape than its operand."""
        mine, wanted = shape(value), shape(operand)
        if not is_known(mine) or not is_known(wanted) or have_one_shape(value, operand):
            return
        if mine is None or wanted is None:
            return
        differ = (_surely_differ(a, b, self.presumes) for a, b in zip(mine, wanted, strict=False))
        if len(mine) != len(wanted) or any(differ):
            raise code.refuse(f"the rule of {match.operator} gives another shape", match.expr)

    def sum_to(self, g: Expr, target_shape: Expr, operand: Expr) -> Expr:
        """Return g summed to a shape that is known as the text runs."""
        return Expr("call", (SUM_TO, g, target_shape), (), _in_shape_of(operand.type, g))


def _summed_as_known(value: Expr, operand: Expr, code: Code) -> Expr:
    """Return what a rule sums to a shape, summed over the axes that it was stretched along, if these are known."""
    whole = value.args[1] if calls(value, SUM_TO.data.value) else None
    if whole is None or not all(map(is_known, (shape(whole), shape(operand)))):
        return value
    return fit(whole, whole, operand, code)


def _shared(expr: Expr, g: Expr, code: Code) -> Expr:
    """Return an adjoint that several operands use: it gets a name if it is more than a name."""
    if g.op == "subscript" and is_cheap(g):
        return g
    if expr.op == "binary" and expr.data in AROUND and g.op == "unary":
        plain = g.args[0]
        if plain.op == "binary" and plain.data == "*" and _is_scaled_name(*plain.args):
            return g  # the factor goes outside what is made of it
        return code.world.calculus.negate(code.temporary(plain))
    return code.temporary(g, word=word_of(expr))


def _is_scaled_name(factor: Expr, scaled: Expr) -> bool:
    return shape(factor) == () and scaled.op == "name"


def _lowered(expr: Expr, code: Code) -> Expr | None:
    """Return e - 1 of `e - (e != 0)`, k of a k + 1: but one of many, or a whole number, may be 0.

    Then it stays, as 0 * x**0 is 0.
    """
    match expr:
        case Expr("binary", (e, Expr("compare", (again, _), ("!=",))), "-") if e == again:
            may_be_zero = is_array(e) or dtype_of(e)[:1] in ("i", "u")
            if may_be_zero and (smallest(e, code.world) or 0) <= 0:
                return None
            match e:
                case Expr("binary", (k, Expr("constant", data=1)), "+") if dtype_of(k) == dtype_of(
                    e
                ):
                    return k
            return code.world.calculus.subtract(e, number(1))
    return None


def is_given(expr: Expr, code: Code) -> bool:
    """Tell whether the adjoints of an operation are summed to its operands where they are given to these."""
    return code.wide is not None or _is_arithmetic(expr)


def _is_arithmetic(expr: Expr) -> bool:
    return expr.op in ("binary", "unary") and expr.data in ARITHMETIC


def _combines_elements(value: Expr) -> bool:
    """Tell whether a line of an elementwise rule takes elements together, so that it needs all of y_bar."""
    return any(calls_one(node, "combines") for node in nodes(value))


def _computed_with(value: Expr) -> Iterator[str]:
    """Yield the names that a rule reads but by asking which is larger: what is infinite does no harm there."""
    if value.op == "name":
        yield value.data.name
    for arg in () if value.op == "compare" else value.args:
        yield from _computed_with(arg)


def _in_shape_of(type_: Type, g: Expr) -> Type:
    """Return the type of an adjoint in the shape of a value: it is complex where it was before.

    What a printed function gives is taken for complex where it is given what is.
    """
    parts = nodes(g) if isinstance(g.type, Unknown) else (g,)
    kinds = [dtype for each in parts if (dtype := getattr(each.type, "dtype", "")).startswith("c")]
    if kinds and isinstance(type_, Number | Array | Numeric):
        return replace(type_, dtype=kinds[0])
    return type_


def _is_less_known(value: Expr, operand: Expr) -> bool:
    """Tell whether less is known of the lengths of a contribution than of its operand's."""
    mine, wanted = value.type, operand.type
    if not isinstance(mine, Array) or not isinstance(wanted, Array) or mine.dtype != wanted.dtype:
        return False
    return mine.rank == wanted.rank and (None in mine.lengths or _is_of_lengths(value))


def _is_of_lengths(value: Expr) -> bool:
    """Tell whether a printed function is called, whose operands have lengths that fit each other.

    A probe gives each of them a length of its own, and what it finds may be none that ever is.
    """
    return bool(printed.name_of(called_object(value)))


def _still(g: Expr) -> frozenset[int]:
    """Return which of several results nothing depends on: their adjoints are zero."""
    if g.op != "tuple":
        return frozenset()
    are_zero = (is_literal(part, 0) or calls(part, np.zeros_like) for part in g.args)
    return frozenset(k for k, is_zero in enumerate(are_zero) if is_zero)


def one_number(value: Expr, operand: Expr) -> Expr:
    """Return the number that a contribution has everywhere: it is spread where it has to be.

    np.full_like(a, y_bar / a.size)     y_bar / a.size
    """
    called, args = text_of_call(value), value.args[1:]
    if value.data:
        return value
    if called == "np.full_like" and len(args) == 2 and shape(args[1]) == ():
        return args[1] if is_float(args[1].type) and is_float(operand.type) else value
    return number(1.0) if called == "np.ones_like" and len(args) == 1 else value


def _of_whole_adjoint(holes: Holes, operand: Expr) -> Holes:
    """Return holes whose adjoint is no number, but an array of the precision of the result."""
    whole = holes.match.expr
    shaped = like(operand if have_one_shape(operand, whole) else whole, holes.code)
    made = Holes(holes.match, stretched(holes.adjoint, shaped, holes.code), holes.code)
    made.locals.update(holes.locals)
    return made


def varying(match: Match) -> dict[str, Expr]:
    """Return the operands at whose levels a slope may be infinite."""
    return {p: match.bound[p] for p in match.differentiable}


def slope_of(match: Match, line: Line) -> Slope:
    """Return what gives the factor of a line where one operand has a level.

    Raises what Python raises where the line reads other operands, too.
    """

    def slope(named: str, level: float) -> Any:
        space: dict[str, Any] = {**PLAIN, "y_bar": 1.0}
        if match.expr.data == "**":  # infinite where the base is zero, if at all
            space |= dict.fromkeys(match.bound, 0.5)
        space[named] = np.float64(level)
        space["y"] = eval(expression(match.form), space)
        return eval(expression(line.value), space)

    return slope


def _surely_differ(a: Length | None, b: Length | None, presumes: bool) -> bool:
    """Tell whether two lengths differ, or one alone is told; else the operation asks that they agree."""
    told = [length for length in (a, b) if length is not None and length.is_literal]
    if presumes and len(told) == 1:
        return told[0] == Length((), 1)
    return a != b and bool(told)


class Holes:
    """What the names of a rule stand for; values of the primal are kept as they are asked for."""

    def __init__(self, match: Match, adjoint: Expr, code: Code):
        self.match, self.adjoint, self.code = match, adjoint, code
        self.locals: dict[str, Expr] = {}

    def __getitem__(self, named: str) -> Expr:
        if named in self.locals:
            return self.locals[named]
        if named == "y":
            return self.code.value(self.match.expr)
        if named == "y_bar":
            return self.adjoint
        return primal_value(self.match.bound[named], self.code)

    def shape_of(self, named: str, of_kind: bool = True) -> Expr | None:
        """Return what has the shape of a name, and its kind of numbers, cheaper than its value."""
        operand = self.match.expr if named == "y" else self.match.bound.get(named)
        if operand is None or (named != "y" and _has_parts(operand)):
            return None
        return like(operand, self.code, of_kind)


def _has_parts(operand: Expr) -> bool:
    return isinstance(operand.type, Other) or operand.op in ("tuple", "list")


def primal_value(expr: Expr, code: Code) -> Expr:
    """Return an operand as the reverse sweep reads it; of a display, each part."""
    if expr.op in ("tuple", "list", "slice", "starred"):
        return expr.with_args(primal_value(arg, code) for arg in expr.args)
    return code.value(expr)


def adjoint_of_exponent(expr: Expr, g: Expr, code: Code) -> Expr:
    """Return the adjoint of z: -g * y * (1 - y)."""
    calculus, y = code.world.calculus, code.value(expr)
    rest = calculus.subtract(number(1.0), y)
    return calculus.negate(calculus.multiply(calculus.multiply(g, y), rest))
