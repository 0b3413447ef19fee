"""An infinite slope is not multiplied where a guard left the value out, or holds it at a level.

np.where(x > 0, np.log(x), 0.0)      x_bar = np.where(x > 0, y_bar / x, 0.0)
np.sqrt(np.maximum(x, 0.0))          np.where(x > 0.0, 0.5 * y_bar / y, 0.0)     of the root
r = np.sqrt(d); r[r == 0] = 1.0      d_bar = np.where(r_bar != 0.0, 0.5 * r_bar / r, 0.0)

There 0 * inf would be nan. An adjoint is *masked* where a test, or a store to a part, made it zero;
a value is *held* where a guard gives it the same number whatever it is computed from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from s2sad.analysis.gaps import factors, guarded_by
from s2sad.analysis.guards import folded
from s2sad.ir.expression import Expr, calls, keywords, positional, text_of_call
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import nodes, read_variables
from s2sad.operators.chosen import divides_numbers, is_choice, zero_by_test
from s2sad.operators.guards import dtype_of, spelled
from s2sad.operators.slopes import is_nowhere_negative, may_be_infinite
from s2sad.operators.spreading import unspread
from s2sad.operators.table import words
from s2sad.reverse.calculus import is_array, is_literal, is_open, number, shape, without_numbers
from s2sad.reverse.world import Code

# where a value is free, and what it is elsewhere
Level = tuple[Expr, float]
# the number that a slope is where a named operand has a level
Slope = Callable[[str, float], Any]
LARGER = words("larger")
SMALLER = words("smaller")
PARTIAL = words("partial")
OVERFLOWING = words("overflows")
OPERATIONS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "**": np.power}
FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def protected(value: Expr, g: Expr, operands: Mapping[str, Expr], slope: Slope, code: Code) -> Expr:
    """Return a contribution, which may be infinite, without what guards leave out.

    `slope(name, level)` gives the factor where that operand has a level.
    """
    for named, operand in operands.items():
        for mask, level in levels(operand, code):
            if not math.isfinite(_at(partial(slope, named), level)):
                is_number = shape(operand) == ()
                test = mask.typed(Number("bool")) if is_number else mask
                value = _chosen(code.value(test), value, code)
    hides = any(_may_be_hidden(operand, g, code) for operand in operands.values())
    if not hides or _is_finite(value, code.world.is_tested(g), code):
        return value
    return _where_it_varies(value, g, code)


def _may_be_hidden(factor: Expr, g: Expr, code: Code) -> bool:
    """Tell whether an adjoint may be zero where a factor is not finite.

    A number is one for all elements: the largest of them, or a test of elements, does not hide it.
    """
    world = code.world
    if shape(factor) != ():
        return world.is_masked(g) if is_array(factor) else world.is_made_zero(g)
    return world.is_tested(g) or world.is_left_out(g, read_variables(factor))


def _may_not_be_in(is_tested: bool) -> Callable[[Expr], bool]:
    """Return what tells whether a value may not be finite in elements that an adjoint leaves out."""
    return _may_not_be_finite if is_tested else _elements_may_not_be_finite


def _is_finite(value: Expr, is_tested: bool, code: Code) -> bool:
    """Tell whether a value is surely finite in the elements that an adjoint leaves out."""
    world = code.world
    is_there = not world.may_be_missing(value)
    return is_there and world.is_finite(value, _may_not_be_in(is_tested), is_tested)


def _elements_may_not_be_finite(value: Expr) -> bool:
    """Tell so, whatever the numbers are; a number that is asked for itself is an element."""
    return _may_not_be_finite(value if shape(value) == () else without_numbers(value))


def _at(slope: Callable[[float], Any], level: float) -> float:
    with np.errstate(all="ignore"):
        try:
            return float(slope(level))
        except (ArithmeticError, ValueError, TypeError, NameError, AttributeError):
            return math.inf


def _chosen(test: Expr, value: Expr, code: Code) -> Expr:
    return _one_of(test, value, number(0.0), code)


def _one_of(test: Expr, value: Expr, otherwise: Expr, code: Code) -> Expr:
    calculus = code.world.calculus
    may_raise = any(map(divides_numbers, nodes(value)))
    of_any_rank = is_open(value) and not may_raise  # zero has its shape then
    if shape(test) != () or of_any_rank or any(map(is_array, (value, otherwise))):
        return calculus.numpy("where", test, value, otherwise)
    return calculus.infer(Expr("conditional", (test, value, otherwise), None))


def _where_it_varies(value: Expr, g: Expr, code: Code) -> Expr:
    """Return a contribution that is zero wherever its adjoint is."""
    if g.op == "unary" and g.data == "-":
        g = g.args[0]
    if calls(g, np.broadcast_to):  # the value is as large without what stretches g
        g, _ = unspread("*", g, value)
    choice = code.world.choice_of(g)
    if choice is None or choice.factor != g:
        held = code.temporary(g)
        value, g = _made_of_name(value, g, held, code), held
        choice = code.world.choice_of(g)
    if choice is None:
        test = code.world.calculus.infer(Expr("compare", (g, number(0.0)), ("!=",)))
        return _chosen(test, value, code)
    if choice.inner is not None:
        plain = _with(value, g, choice.inner, code)
        counts = [sum(map(divides_numbers, nodes(each))) for each in (value, plain)]
        value = value if counts[1] > counts[0] else plain
    left, right = (number(0.0), value) if choice.place else (value, number(0.0))
    test = code.value(choice.test) if choice.is_lasting else choice.test
    return _one_of(test, left, right, code)


def _made_of_name(value: Expr, g: Expr, held: Expr, code: Code) -> Expr:
    """Return what is made of an adjoint, where that has a name.

    2.0 * (a * s)                 d_bar * s, for d_bar = 2.0 * a
    np.where(test, a * s, 0.0)    d_bar * s, for d_bar = np.where(test, a, 0.0)
    """
    made = _with(value, g, held, code)
    if made != value:
        return made
    for part, whole in _alike_around(value, g):
        made = _with(part, whole, held, code)
        if made != part:
            return made
    return value


def _alike_around(value: Expr, g: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield what stands in a value and in an adjoint beside the same factor, or is chosen by the same test."""
    if value.op == g.op == "binary" and value.data == g.data == "*" and is_literal(g.args[0]):
        if value.args[0] == g.args[0]:
            yield value.args[1], g.args[1]
    chosen, whole = zero_by_test(value), zero_by_test(g)
    if chosen is not None and whole is not None and chosen[:2] == whole[:2]:
        yield chosen[2], whole[2]


def _with(expr: Expr, old: Expr, new: Expr, code: Code) -> Expr:
    """Return an expression with an operand in place of another."""
    if expr == old:
        return new
    args = tuple(_with(arg, old, new, code) for arg in expr.args)
    return expr if expr.with_args(args) is expr else code.world.calculus.node(expr, args)


def without_infinite(value: Expr, g: Expr, factors: Iterable[Expr], code: Code) -> Expr:
    """Return g times what is made of factors that may be infinite, but where g is zero."""
    is_tested = code.world.is_tested(g)
    may_not_be_finite = _may_not_be_in(is_tested)
    for each in factors:
        if dtype_of(each) == "bool" or not _may_be_hidden(each, g, code):
            continue
        if _may_hide_overflow(each, g, code) or _may_hide_missing(each, g, code):
            return _where_it_varies(value, g, code)
        if not may_not_be_finite(_written_out(each, code)) and not _is_filled_so(each, code):
            continue
        if not _is_finite(each, is_tested, code):
            return _where_it_varies(value, g, code)
    return value


def without_overflow(value: Expr, g: Expr, factor: Expr, code: Code) -> Expr:
    """Return g times a factor with exponentials, but where a test made g zero: these may be infinite."""
    is_hidden = _may_hide_overflow(factor, g, code) or _may_hide_missing(factor, g, code)
    return _where_it_varies(value, g, code) if is_hidden else value


def _may_hide_overflow(factor: Expr, g: Expr, code: Code) -> bool:
    """Tell whether np.where may have left out an adjoint where a factor is infinite."""
    if not _may_overflow(factor, code):
        return False
    return any(is_choice(n) or code.world.choice_of(n) is not None for n in factors(g))


def _may_hide_missing(factor: Expr, g: Expr, code: Code) -> bool:
    """Tell whether an adjoint leaves out elements of which the function asks whether they are nan."""
    return code.world.may_be_missing(factor) and _may_be_hidden(factor, g, code)


def without_what_is_left_out(value: Expr, g: Expr, factor: Expr, code: Code) -> Expr:
    """Return g multiplied with, or divided by, a factor in place, but where g is zero."""
    if value.data == "*":
        return without_infinite(value, g, (factor,), code)
    return protected(value, g, {"b": factor}, lambda _, level: 1.0 / level, code)


def let_through(value: Expr, g: Expr, code: Code) -> Expr:
    """Return a contribution that tests choose where they were factors: what they stop may be infinite.

    y_bar * (x > 0.0)      np.where(x > 0.0, y_bar, 0.0)
    """
    if not code.world.is_steep(g):
        return value
    if value.op == "unary" and value.data == "-":
        return code.world.calculus.negate(let_through(value.args[0], g, code))
    choice = zero_by_test(value)
    if choice is not None and guarded_by(choice[0]) is not None:
        return value
    if choice is not None:
        left, right = (let_through(arm, g, code) for arm in value.args[-2:])
        if value.op == "conditional":  # computes one of its arms alone
            return value.with_args((value.args[0], left, right))
        return _one_of(value.args[-3], left, right, code)
    if value.op != "binary" or value.data not in ("*", "+", "-"):
        return value
    if is_share(value):
        return _shared_at_a_tie(value.args[0], value.args[1], code)
    left, right = (let_through(arg, g, code) for arg in value.args)
    pairs = ((left, right), (right, left)) if value.data == "*" else ()
    for test, factor in pairs:
        if getattr(test.type, "dtype", "") == "bool" or test.op == "compare":
            return _chosen(test, factor, code)
    for test, factor in pairs:
        is_other = not read_variables(g) <= read_variables(test)
        if code.world.is_masked(test) and is_other and _may_be_steep(factor, test, code):
            return _where_it_varies(value.with_args((left, right)), test, code)
    return value.with_args((left, right))


def is_share(value: Expr) -> bool:
    """Tell whether a value is what an extreme lets through: g * ((a > b) + 0.5 * (a == b))."""
    return value.op == "binary" and value.data == "*" and _is_sum_of_tests(value.args[1])


def are_shares_of_one(first: Expr, second: Expr) -> bool:
    """Tell whether both sides of an extreme get all of an adjoint together."""
    if not (is_share(first) and is_share(second)) or first.args[0] != second.args[0]:
        return False
    (one, half), (other, again) = first.args[1].args, second.args[1].args
    return half == again and one.data == other.data and one.args == other.args[::-1]


def _shared_at_a_tie(value: Expr, weight: Expr, code: Code) -> Expr:
    """Return what an extreme lets through, one half of it at a tie.

    g * ((a > b) + 0.5 * (a == b))      np.where(a >= b, g / (1.0 + (a == b)), 0.0)
    """
    larger, half = weight.args
    calculus, tie = code.world.calculus, half.args[1]
    test = calculus.infer(replace(larger, data=(f"{larger.data[0]}=",)))
    share = calculus.divide(value, calculus.add(number(1.0), tie))
    if not is_array(share):
        return _chosen(test, share, code)
    made = code.temporary(_chosen(test, code.temporary(share), code))
    # what is infinite may be taken, and saturate: it is asked for itself
    code.world.chosen[made.data] = None
    return made


def _may_be_steep(factor: Expr, test: Expr, code: Code) -> bool:
    """Tell whether a factor may not be finite where another one is zero."""
    world = code.world
    is_of_primal = not any(map(world.is_adjoint, read_variables(factor)))
    if shape(factor) == () and is_of_primal and not _may_be_hidden(factor, test, code):
        return False
    return world.is_steep(factor) or not _is_finite(factor, world.is_tested(test), code)


def _is_sum_of_tests(expr: Expr) -> bool:
    """Tell whether an expression weighs by tests: (x > 0.0) + 0.5 * (x == 0.0)."""
    return expr.op == "binary" and expr.data == "+" and expr.args[0].op == "compare"


def _may_not_be_finite(value: Expr) -> bool:
    """Tell whether a value of the primal may be infinite or nan for finite arguments."""
    return may_be_infinite(value) or any(map(_is_partial, nodes(value)))


def _is_partial(node: Expr) -> bool:
    """Tell whether an operation is defined for some numbers only."""
    if node.op == "binary" and node.data == "**":
        base, exponent = node.args
        is_whole = exponent.op == "constant" and isinstance(exponent.data, int)
        return not (is_whole or (spelled(base) or 0) > 0)
    called = text_of_call(node).rpartition(".")[2]
    if called == "sqrt" and is_nowhere_negative(node.args[-1]):
        return False
    return called in PARTIAL


def _may_overflow(value: Expr, code: Code, depth: int = 0) -> bool:
    """Tell whether a value is made of exponentials of what may be large: 0 * inf is nan."""
    if value.op == "name":
        let = code.world.definitions.get(value.data)
        return let is not None and depth <= 2 and _may_overflow(let.value, code, depth + 1)
    if value.op in ("binary", "unary") and value.data != "**":
        parts = value.args[:1] if value.data == "/" else value.args
        return any(_may_overflow(part, code, depth) for part in parts)
    is_open = isinstance(value.type, Array | Numeric)
    called = text_of_call(value).rpartition(".")[2]
    return is_open and called in OVERFLOWING and not _is_nowhere_positive(value.args[1])


def _is_nowhere_positive(expr: Expr) -> bool:
    """Tell whether a value surely is not positive: -(x**2) / s**2, z - np.max(z), -0.5 * np.abs(x)."""
    match expr:
        case Expr("unary", (inner,), "-"):
            return is_nowhere_negative(inner)
        case Expr("binary", (left, right), "*" | "/"):
            pairs = ((left, right), (right, left)) if expr.data == "*" else ((left, right),)
            return any(_is_nowhere_positive(a) and is_nowhere_negative(b) for a, b in pairs)
        case Expr("binary", (left, right), "-"):
            return calls(right, np.max) and left in nodes(right)
        case Expr("constant", data=number_):
            return not isinstance(number_, complex) and number_ <= 0
    return False


def _written_out(expr: Expr, code: Code, depth: int = 0) -> Expr:
    """Return a value with the definitions of the names that it reads in place of them."""
    if expr.op == "name":
        let = code.world.definitions.get(expr.data)
        return expr if let is None or depth > 2 else _written_out(let.value, code, depth + 1)
    return expr.with_args(_written_out(arg, code, depth) for arg in expr.args)


def _is_filled_so(expr: Expr, code: Code) -> bool:
    """Tell whether a value reads memory that may be given what is not finite."""
    memory = [v for v in read_variables(expr) if code.world.memory.is_memory(v)]
    return any(code.world.holds_doubtful(v, _may_not_be_finite, directly=True) for v in memory)


# ---------------------------------------------------------------------------- held values


def levels(expr: Expr, code: Code) -> list[Level]:
    """Return where a value is free of guards, and the level that it has elsewhere."""
    own = read_variables(expr)  # is read as it is at this statement
    return [
        (mask, level)
        for mask, level in _levels(expr, code, 0)
        if math.isfinite(level) and (read_variables(mask) <= own or _is_steady(mask, code))
    ]


def _is_steady(mask: Expr, code: Code) -> bool:
    """Tell whether what a mask reads is still what it was where the guard was asked."""
    return all(map(code.world.memory.is_steady, read_variables(mask)))


DEEPEST = 12


def _levels(expr: Expr, code: Code, depth: int) -> Iterator[Level]:
    world = code.world
    if depth > DEEPEST:
        return
    match expr.op:
        case "name" if expr.data in world.clamps and world.memory.uses.is_bound_again(expr.data):
            for level in sorted(world.clamps[expr.data]):
                yield _compared(expr, "!=", number(level), code), level
        case "name":
            let = world.definitions.get(expr.data)
            if let is not None and not world.memory.uses.is_bound_again(expr.data):
                yield from _of_name(expr, let.value, code, depth + 1)
        case "conditional":
            yield from _of_choice(*expr.args)
        case "unary" if expr.data == "-":
            yield from ((m, -level) for m, level in _levels(expr.args[0], code, depth + 1))
        case "binary":
            yield from _of_binary(expr, code, depth + 1)
        case "call":
            yield from _of_call(expr, code, depth + 1)


def _of_name(expr: Expr, value: Expr, code: Code, depth: int) -> Iterator[Level]:
    """Yield what holds the value of a name; a test that cannot be asked again is asked of the name."""
    for mask, level in _levels(value, code, depth):
        if _is_steady(mask, code):
            yield mask, level
        else:
            yield _compared(expr, "!=", number(level), code), level


def _of_choice(test: Expr, value: Expr, otherwise: Expr) -> Iterator[Level]:
    if is_literal(otherwise):
        yield test, float(otherwise.data)
    if is_literal(value):
        flipped = _flipped(test)
        if flipped is not None:
            yield flipped, float(value.data)


def _flipped(test: Expr) -> Expr | None:
    """Return the test that holds where another does not."""
    if test.op != "compare" or len(test.args) != 2 or test.data[0] not in FLIPPED:
        return None
    return replace(test, data=(FLIPPED[test.data[0]],))


def _of_binary(expr: Expr, code: Code, depth: int) -> Iterator[Level]:
    side = folded(expr)
    if side is not None:
        yield _compared(*side, number(0.0), code), 0.0
    for place in (0, 1):
        part, other = expr.args[place], expr.args[1 - place]
        if expr.data == "*" and getattr(part.type, "dtype", "") == "bool":
            yield part, 0.0
        for mask, level in _levels(part, code, depth):
            moved = _moved(expr.data, level, other, place)
            if moved is not None and shape(expr) in ((), shape(part)):
                yield mask, moved


def _moved(symbol: str, level: float, other: Expr, place: int) -> float | None:
    """Return the level of an operation on a held value."""
    if is_literal(other):
        if symbol not in OPERATIONS or isinstance(other.data, complex):
            return None
        pair = np.array([other.data, level] if place else [level, other.data], dtype=float)
        with np.errstate(all="ignore"):
            return float(OPERATIONS[symbol](*pair))
    if level == 0.0 and (symbol == "*" or (symbol == "/" and not place)):
        return 0.0
    return None


def _of_call(expr: Expr, code: Code, depth: int) -> Iterator[Level]:
    function, args, named = expr.args[0], positional(expr), keywords(expr)
    if function.op == "attribute" and function.data == "clip":
        yield from _bounds((function.args[0], *args), named, code)
    if function.op != "global":
        return
    called = function.data.text.rpartition(".")[2]
    if called == "clip":
        yield from _bounds(args, named, code)
    elif named or (called in ("max", "min") and function.data.value not in (max, min)):
        return  # np.max(u, 0) is that along an axis
    elif called in LARGER | SMALLER and len(args) == 2:
        yield from _of_extreme(called, *args, code)
    elif called in ("max", "min") and len(args) > 2:
        yield from _of_extreme(called, expr, args[-1], code)
    elif called == "heaviside" and len(args) == 2:
        yield _compared(args[0], ">" if is_literal(args[1], 0) else ">=", number(0.0), code), 0.0
    elif called == "where" and len(args) == 3:
        yield from _of_choice(*args)
    elif isinstance(function.data.value, np.ufunc) and len(args) == 1:
        for mask, level in _levels(args[0], code, depth):
            yield mask, _at(function.data.value, level)


def _of_extreme(called: str, a: Expr, b: Expr, code: Code) -> Iterator[Level]:
    symbol = ">" if called in LARGER else "<"
    for free, level in ((a, b), (b, a)):
        value = spelled(level)
        if value is not None:
            test = _compared(free, symbol, level, code)
            yield test if len(called) > 3 else test.typed(Number("bool")), float(value)


def _bounds(args: tuple[Expr, ...], named: Mapping[str, Expr], code: Code) -> Iterator[Level]:
    """Yield what holds a value that is clipped: its bounds by position or by name."""
    given = dict(zip(("a", "min", "max"), args, strict=False))
    given |= {word.removeprefix("a_"): bound for word, bound in named.items() if word != "a"}
    for word, symbol in (("min", ">"), ("max", "<")):
        bound = given.get(word)
        value = None if bound is None else spelled(bound)
        if bound is not None and value is not None and "a" in given:
            yield _compared(given["a"], symbol, bound, code), float(value)


def _compared(a: Expr, symbol: str, b: Expr, code: Code) -> Expr:
    return code.world.calculus.infer(Expr("compare", (a, b), (symbol,)))
