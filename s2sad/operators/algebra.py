"""Expressions of derivatives are built by constructors, simplified while they are built.

    c.multiply(number(1.0), g)       g
    c.total(c.multiply(g, u))        g @ u     of vectors known to be of one length

Only derivative code is made here: what the user wrote is never rewritten.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import reduce
from math import isfinite
from typing import Any

import numpy as np

from s2sad.ir.expression import (
    Expr,
    attribute,
    called_object,
    calls,
    constant,
    global_,
    keywords,
    positional,
    subscript,
)
from s2sad.ir.records import dataclass
from s2sad.ir.types import Array, Number, Other, Tuple, is_float
from s2sad.operators import printed
from s2sad.operators.chosen import arm_within
from s2sad.operators.guards import dtype_of, literal, rank_of, spelled
from s2sad.operators.modules import identity
from s2sad.operators.rewrites import ANY, LATE, PLAIN, fitting
from s2sad.operators.spreading import (
    are_sums_of_one_shape,
    expanded,
    filled_with,
    keeps_elements,
    unexpanded,
    unspread,
)
from s2sad.operators.table import traits_of
from s2sad.operators.trees import literal as number

Infer = Callable[[Expr], Expr]
FOLDS = {"+": operator.add, "-": operator.sub, "*": operator.mul}
# of what may be a number an attribute is asked for by a function
ASKED: Mapping[str, Expr] = {
    "shape": global_("np.shape", np.shape),
    "size": global_("np.size", np.size),
    "ndim": global_("np.ndim", np.ndim),
    "dtype": global_("np.result_type", np.result_type),
    "T": global_("np.transpose", np.transpose),
}


@dataclass(frozen=True, slots=True)
class Algebra:
    """How expressions are made: `infer` gives a node its type from the types of its operands.

    With `reassociate` results may be rounded in another way than the rules spell them.
    """

    infer: Infer
    reassociate: bool = False

    # ------------------------------------------------------------------ arithmetic

    def add(self, a: Expr, b: Expr) -> Expr:
        """Return a + b; a zero that is written out is left out."""
        if spelled(a) == 0 and is_float(b.type):
            return b
        if spelled(b) == 0 and is_float(a.type):
            return a
        if a != b and _have_one_kind(a, b) and _are_equal_products(a, b):
            return self.multiply(number(2.0), a)
        if a.op == "binary" and a.data == "+" and _are_alike(a.args[1], b):
            return self.add(a.args[0], self.multiply(number(2.0), b))
        return self._with_common_factors("+", a, b) or self.binary("+", a, b)

    def subtract(self, a: Expr, b: Expr) -> Expr:
        """Return a - b."""
        if spelled(b) == 0 and is_float(a.type):
            return a
        if a.op == "binary" and a.data == "-" and a.args[1] == b and is_float(b.type):
            return self.subtract(a.args[0], self.multiply(number(2.0), b))
        is_negative = spelled(a) == 0 and is_float(b.type)
        if is_negative:
            return self.negate(b)
        return self._with_common_factors("-", a, b) or self.binary("-", a, b)

    def _with_common_factors(self, symbol: str, a: Expr, b: Expr) -> Expr | None:
        """Return c * (x + y) of c * x + c * y, and p - c * (x + y) of p - c * x - c * y."""
        if a.op == "unary" and a.data == "-":
            if symbol == "+":
                return self._with_common_factors("-", b, a.args[0])
            made = self._with_common_factors("+", a.args[0], b)
            return None if made is None else self.negate(made)
        if a.op == "binary" and a.data in ("+", "-"):
            made = self._with_common_factors("+" if symbol == a.data else "-", a.args[1], b)
            return None if made is None else self.node(a, (a.args[0], made))
        shared, *rests = parted(factors_of(a), factors_of(b))
        if not shared or not all(rests):
            return None
        x, y = (reduce(self.multiply, rest) for rest in rests)
        inner, outer = self.node(Expr("binary", (), symbol), (x, y)), reduce(self.multiply, shared)
        is_first = next(each for each in factors_of(a) if spelled(each) is None) in shared
        return self.multiply(outer, inner) if is_first else self.multiply(inner, outer)

    def multiply(self, a: Expr, b: Expr) -> Expr:
        """Return a * b; literals come first, 1 * b is b."""
        return self.binary("*", a, b)

    def divide(self, a: Expr, b: Expr) -> Expr:
        """Return a / b; of literals above and below one is left, if it is exact."""
        above = spelled(a.args[0]) if a.op == "binary" and a.data == "*" else None
        below = spelled(b)
        if isinstance(above, float) and isinstance(below, float) and below:
            if (8.0 * above / below).is_integer():
                return self.multiply(number(above / below), a.args[1])
        alone = spelled(a)
        if isinstance(alone, float) and type(below) in (int, float) and below:
            if (8.0 * alone / below).is_integer():
                return number(alone / below)
        return self.binary("/", a, b)

    def negate(self, a: Expr) -> Expr:
        """Return -a."""
        value = spelled(a)
        if value is not None:
            return number(-value)
        return self.made(Expr("unary", (a,), "-"))

    def binary(self, symbol: str, a: Expr, b: Expr) -> Expr:
        """Return a binary operation; one on literals is carried out."""
        a, b = unspread(symbol, a, b)
        if symbol in ("+", "-") and are_sums_of_one_shape(a, b):
            function, first, shape = a.args
            return self.call(function, self.binary(symbol, first, b.args[1]), shape)
        values = [spelled(a), spelled(b)]
        if symbol in FOLDS and None not in values:
            return number(folded(symbol, *values))
        if self.reassociate and symbol == "/" and None not in values and 0 not in values:
            return number(operator.truediv(*values))
        if symbol == "*":
            a, b = _as_a_float(a, b), _as_a_float(b, a)
            factor = spelled(a)
            if factor is not None and (made := self._with_first_literal(factor, b)) is not None:
                return made
        if symbol == "*" and -1.0 in values:
            other = b if values[0] == -1.0 else a
            if is_float(other.type):
                return self.negate(other)
        return self.made(Expr("binary", (a, b), symbol))

    def _with_first_literal(self, factor: Any, expr: Expr) -> Expr | None:
        """Return what is multiplied by a factor where it begins with a literal: (c * d) * a / b."""
        if expr.op != "binary" or expr.data not in ("*", "/"):
            return None
        first, second = expr.args
        literal_ = spelled(first)
        if literal_ is None:
            made = self._with_first_literal(factor, first)
        else:
            made = number(folded("*", factor, literal_))
        return None if made is None else self.node(expr, (made, second))

    # ------------------------------------------------------------------ parts

    def attribute(self, base: Expr, named: str) -> Expr:
        """Return an attribute of a value; what may be a number is asked by a function."""
        if named in ("T", "mT") and rank_of(base.type) in (0, 1):
            return base if named == "T" else self.made(attribute(base, named))
        if rank_of(base.type) == 0 and named in _OF_NUMBERS:
            made = _OF_NUMBERS[named]
            return Expr("tuple", (), None, Tuple(())) if made == () else number(made)
        if named in ASKED and not isinstance(base.type, Array | Other):
            return self.call(ASKED[named], base)
        return self.made(attribute(base, named))

    def squeezed(self, base: Expr, index: Expr, axes: Sequence[int]) -> Expr:
        """Return a value without axes of length one, which an index leaves out."""
        if base.op == "unary" and base.data == "-":
            return self.negate(self.squeezed(base.args[0], index, axes))
        found = self._without_axes(base, axes)
        return self.part(base, index) if found is None else found

    def _without_axes(self, base: Expr, axes: Sequence[int]) -> Expr | None:
        """Return what had no such axes before it was given them, with the arithmetic around it."""
        if base.op != "binary" or base.data == "@":
            found = unexpanded(base, axes)
            return None if found is None else self.made(found)
        ranks = {rank_of(each.type) for each in base.args} - {0}
        a, b = (e if rank_of(e.type) == 0 else self._without_axes(e, axes) for e in base.args)
        is_whole = ranks == {rank_of(base.type)}
        return self.binary(base.data, a, b) if a and b and is_whole else None

    def part(self, base: Expr, index: Expr) -> Expr:
        """Return a part of a value; an item of a tuple that is written out is that item."""
        at = literal(index)
        if base.op in ("tuple", "list") and isinstance(at, int):
            if -len(base.args) <= at < len(base.args) and all(
                arg.op != "starred" for arg in base.args
            ):
                return base.args[at]
        if calls(base, np.full_like) and not base.data and keeps_elements(index):
            return self.call(base.args[0], self.part(base.args[1], index), base.args[2])
        return self.made(subscript(base, index))

    # ------------------------------------------------------------------ calls

    def call(self, function: Expr, *args: Expr, **named: Expr) -> Expr:
        """Return a call; what gives back what it is handed is left out."""
        made = Expr("call", (function, *args, *named.values()), tuple(named))
        simple = self._simple(made)
        return self.made(made) if simple is None else simple

    def numpy(self, text: str, *args: Expr, **named: Expr) -> Expr:
        """Return a call of a function of NumPy: numpy("linalg.inv", A)."""
        return self.call(numpy_function(text), *args, **named)

    def total(self, g: Expr) -> Expr:
        """Return the sum of all elements; of a product of two arrays of one shape a dot product."""
        if g.op == "unary" and g.data == "-":
            return self.negate(self.total(g.args[0]))
        if g.op == "binary" and g.data == "*":
            product = self._total_of_product(*g.args)
            if product is not None:
                return product
        if g.op == "binary" and g.data == "/" and rank_of(g.args[1].type) == 0:
            return self.divide(self.total(g.args[0]), g.args[1])
        return self.numpy("sum", g)

    def _total_of_product(self, a: Expr, b: Expr) -> Expr | None:
        if rank_of(a.type) == 0:
            return self.multiply(a, self.total(b))
        if rank_of(b.type) == 0:
            return self.multiply(self.total(a), b)
        are_floats = dtype_of(a)[:1] == dtype_of(b)[:1] == "f"
        if not are_floats or not have_one_shape(a, b):
            return None
        return self.binary("@", a, b) if rank_of(a.type) == 1 else self.numpy("vdot", a, b)

    def _simple(self, call: Expr) -> Expr | None:
        """Return what a call comes down to where it gives a number that it is handed."""
        function, args = called_object(call), positional(call)
        if function is None or call.data:
            return None
        kind = _SIMPLE.get(identity(function), "")
        if kind == "chosen" and len(args) == 3:
            arms = tuple(filled_with(each, args[0]) for each in args[1:])
            if arms == tuple(args[1:]):
                sides = zip(arms, (True, False), strict=True)
                arms = tuple(arm_within(arm, args[0], holds, self.node) for arm, holds in sides)
            return None if arms == tuple(args[1:]) else self.numpy("where", args[0], *arms)
        if kind == "expanded" and len(args) == 2:
            made = expanded(*args)
            return None if made is None else self.part(*made.args)
        if kind == "filled" and len(args) == 2 and rank_of(args[0].type) == 0:
            return args[1] if dtype_of(args[0]) == dtype_of(args[1]) else None
        if kind == "spread" and len(args) == 2 and rank_of(args[0].type) == 0:
            return args[0] if args[1].op == "tuple" and not args[1].args else None
        if kind == "differences" and len(args) == 3:
            return self._differences(*args)
        if kind in ("left", "right") and len(args) == 3:
            return self._of_matrices(kind, *args)
        known = [each for each in map(_known_whole_numbers, args) if each is not None]
        if kind == "positions" and len(known) == len(args):
            return self._positions(function(*known))
        return None

    def _of_matrices(self, side: str, g: Expr, a: Expr, b: Expr) -> Expr | None:
        """Return the adjoint of a factor of a @ b, stacks of matrices that nothing stretches."""
        operand, other = (a, b) if side == "left" else (b, a)
        ranks = [rank_of(each.type) or 0 for each in (operand, other, g)]
        if min(ranks) < 2 or ranks[2] < 3:
            return None
        turned = self.attribute(other, "T")
        if ranks[1] > 2:
            turned = self.numpy("swapaxes", other, *LAST)
        if _are_stacked_alike(operand, g):
            return self.binary("@", g, turned) if side == "left" else self.binary("@", turned, g)
        if side == "left" or ranks[0] > 2 or not _are_stacked_alike(other, g):
            return None
        axes = Expr("tuple", tuple(map(number, range(ranks[1] - 1))))
        return self.numpy("tensordot", a, g, Expr("tuple", (axes, axes)))

    def _differences(self, g: Expr, a: Expr, axis: Expr) -> Expr | None:
        """Return the adjoint of a in np.diff(a, axis=axis) where its rank is known."""
        rank, at = rank_of(a.type), literal(axis)
        if not rank or not isinstance(at, int):
            return None
        if _is_surely_precise(a) and _is_one_longer(a, g, at):
            zero = number(0.0)
            along = {} if at in (-1, rank - 1) else {"axis": axis}
            return self.negate(self.numpy("diff", g, **along, prepend=zero, append=zero))
        if rank > 1:
            return None
        padded = self.negate(self.numpy("diff", self.numpy("pad", g, number(1))))
        ends = constant(None), self.attribute(a, "size"), constant(None)
        return self.part(padded, Expr("slice", ends, None, Other(slice)))

    def _positions(self, found: Any) -> Expr | None:
        """Return a few whole numbers that are known as the tuple that writes them out."""
        if np.ndim(found) != 1 or np.size(found) > MOST_POSITIONS:
            return None
        return self.infer(Expr("tuple", tuple(number(int(each)) for each in found)))

    # ------------------------------------------------------------------ the table

    def made(self, expr: Expr) -> Expr:
        """Return an expression after the rewrites that fit, with its type."""
        outside = self._scale_outside(expr)
        if outside is not None:
            return outside
        found = fitting(expr, ANY if self.reassociate else PLAIN)
        if found is None:
            return self.infer(expr)
        rewrite, bound = found
        return self.rebuilt(rewrite.after, bound)

    def written_out(self, expr: Expr) -> Expr | None:
        """Return what stands at last for an expression of a derivative; None where it stays as it is."""
        found = fitting(expr, LATE) if expr.op == "call" and expr.span is None else None
        return None if found is None else self.rebuilt(found[0].after, found[1])

    def _scale_outside(self, expr: Expr) -> Expr | None:
        """Return c * np.linalg.solve(A, b) of np.linalg.solve(A, c * b): signs and literals stand outside."""
        place = _linear_in(expr)
        if place is None:
            return None
        operand = expr.args[place]
        match operand:
            case Expr("unary", (inner,), "-") if is_float(inner.type):
                return self.negate(self.made(_with_arg(expr, place, inner)))
            case Expr("binary", (scale, inner), "*") if is_float(inner.type):
                if isinstance(spelled(scale), float):
                    return self.multiply(scale, self.made(_with_arg(expr, place, inner)))
        return None

    def rebuilt(self, expr: Expr, holes: Mapping[str, Expr]) -> Expr:
        """Return an expression of the table with its names filled in, by these constructors."""
        if expr.op == "name":
            return holes[expr.data.name]
        return self.node(expr, tuple(self.rebuilt(arg, holes) for arg in expr.args))

    def node(self, expr: Expr, args: tuple[Expr, ...]) -> Expr:
        """Return a node of the kind of `expr` over operands that have been built."""
        match expr.op:
            case "global":
                return expr
            case "constant":
                return expr
            case "binary" if expr.data in ("+", "-"):
                return self.add(*args) if expr.data == "+" else self.subtract(*args)
            case "binary" if expr.data == "/":
                return self.divide(*args)
            case "binary":
                return self.binary(expr.data, *args)
            case "unary" if expr.data == "-":
                return self.negate(args[0])
            case "attribute":
                return self.attribute(args[0], expr.data)
            case "subscript":
                return self.part(*args)
            case "call":
                made = expr.with_args(args)
                return self.call(args[0], *positional(made), **keywords(made))
        return self.made(Expr(expr.op, args, expr.data))


def folded(symbol: str, a: Any, b: Any) -> Any:
    """Return what literals come to, as it is written by hand: 0.9 of 3.0 * 0.3."""
    value = FOLDS[symbol](a, b)
    if type(value) is not float or not {type(a), type(b)} <= {int, float} or not isfinite(value):
        return value
    decimal = float(FOLDS[symbol](Decimal(repr(a)), Decimal(repr(b))))
    return decimal if len(repr(decimal)) < len(repr(value)) else value


def _linear_in(expr: Expr) -> int | None:
    """Return which part of a call is the operand that its function is linear in."""
    place = traits_of(called_object(expr)).get("linear")
    return None if place is None or int(place) >= len(positional(expr)) else int(place) + 1


def _with_arg(expr: Expr, place: int, arg: Expr) -> Expr:
    return expr.with_args((*expr.args[:place], arg, *expr.args[place + 1 :]))


def numpy_function(text: str) -> Expr:
    """Return a function of NumPy: numpy_function("linalg.inv") is np.linalg.inv."""
    value: Any = np
    for word in text.split("."):
        value = getattr(value, word)
    return global_(f"np.{text}", value)


def have_one_shape(a: Expr, b: Expr) -> bool:
    """Tell whether two arrays surely have one shape."""
    if not (isinstance(a.type, Array) and isinstance(b.type, Array)):
        return False
    return a.type.lengths == b.type.lengths and None not in a.type.lengths


def _have_one_kind(a: Expr, b: Expr) -> bool:
    if isinstance(a.type, Number) and isinstance(b.type, Number):
        return dtype_of(a) == dtype_of(b) == "float64"
    return is_float(a.type) and dtype_of(a) == dtype_of(b) and have_one_shape(a, b)


def _are_alike(a: Expr, b: Expr) -> bool:
    """Tell whether floats are added twice, one after the other."""
    if a == b:
        return is_float(b.type)
    return _have_one_kind(a, b) and _are_equal_products(a, b)


def _are_equal_products(a: Expr, b: Expr) -> bool:
    """Tell whether two products have the same factors, in whatever order: x * (y * z), y * x * z."""
    left, right = factors_of(a), factors_of(b)
    if len(left) < 2 or len(left) != len(right):
        return False
    for each in left:
        if each not in right:
            return False
        right.remove(each)
    return True


def _as_a_float(factor: Expr, other: Expr) -> Expr:
    """Return a whole literal that multiplies floats as a float: literals are put together."""
    value = spelled(factor)
    return number(float(value)) if isinstance(value, int) and is_float(other.type) else factor


def factors_of(expr: Expr) -> list[Expr]:
    """Return the factors of a product; a sign is one, too."""
    if expr.op != "binary" or expr.data != "*":
        return [expr]
    return [factor for arg in expr.args for factor in factors_of(arg)]


def parted(left: Sequence[Expr], right: Sequence[Expr]) -> tuple[list[Expr], ...]:
    """Return the factors that two products of floats have in common, and what each has beside them."""
    if not all(map(_is_double, (*left, *right))):
        return [], [], []
    shared, rest, beside = [], [], list(right)
    for each in left:
        if each in beside:
            beside.remove(each)
            shared.append(each)
        else:
            rest.append(each)
    return shared, rest, beside


def _is_double(factor: Expr) -> bool:
    """Tell whether a factor is of float64, or one number that is multiplied with such."""
    return dtype_of(factor) == "float64" or (
        rank_of(factor.type) == 0 and dtype_of(factor)[:1] in ("f", "i")
    )


def _known_whole_numbers(expr: Expr) -> Any:
    """Return the whole number, or the few of them, that an expression is known to be."""
    if expr.op == "tuple" and expr.known is None:
        parts = tuple(literal(arg) for arg in expr.args)
        return None if None in parts else parts
    return None if expr.known is None else expr.known.value


def _is_surely_precise(expr: Expr) -> bool:
    """Tell whether an array has double precision, real or complex: zeros of doubles leave it so."""
    return isinstance(expr.type, Array) and dtype_of(expr) in ("float64", "complex128")


def _is_one_longer(a: Expr, b: Expr, axis: int) -> bool:
    """Tell whether an array has surely one element more than another along an axis."""
    ours, theirs = (getattr(each.type, "lengths", None) for each in (a, b))
    if not ours or not theirs or len(ours) != len(theirs):
        return False
    one, other = ours[axis], theirs[axis]
    return one is not None and other is not None and one == other + 1


def _are_stacked_alike(a: Expr, b: Expr) -> bool:
    """Tell whether two stacks surely have as many matrices, laid out in one way."""
    mine, other = (e.type.lengths[:-2] if isinstance(e.type, Array) else None for e in (a, b))
    return mine == other and mine is not None and None not in mine


# axes of an array
MOST_POSITIONS = 32
LAST = (number(-1), number(-2))
_OF_NUMBERS: Mapping[str, Any] = {"shape": (), "size": 1, "ndim": 0}
_SIMPLE: Mapping[object, str] = {
    identity(np.full_like): "filled",
    identity(np.broadcast_to): "spread",
    identity(np.expand_dims): "expanded",
    identity(np.where): "chosen",
    identity(printed.function("_matmul_bar_a")): "left",
    identity(printed.function("_matmul_bar_b")): "right",
    identity(printed.function("_diff_bar")): "differences",
    identity(np.argsort): "positions",
    identity(np.mod): "positions",
}
