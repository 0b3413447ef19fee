"""An adjoint pulled back through an expression, down to the variables that it is made of.

y = c * np.sin(u)       c_bar += np.sum(sin_u * y_bar)
                        u_bar += c * y_bar * np.cos(u)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from s2sad.analysis.common_subexpressions import COMPUTED
from s2sad.analysis.containers import is_container, is_field_step, step_of
from s2sad.analysis.gaps import is_all
from s2sad.analysis.terms import exponent_of_logistic, is_cheap, is_elementwise
from s2sad.ir.errors import Refused
from s2sad.ir.expression import EVERYTHING, Expr, calls, index_parts, is_own_call
from s2sad.ir.types import Array, Number, Numeric, Other, Tuple, Unknown
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import nodes, operands, read_variables
from s2sad.operators.chosen import is_choice
from s2sad.operators.effects import is_made_by_library
from s2sad.operators.filling import with_arrays
from s2sad.operators.find import refuse_unless_followed
from s2sad.operators.hooks import is_bracket
from s2sad.operators.marks import is_hooked
from s2sad.operators.missing import by_key_that_varies, no_rule
from s2sad.operators.precision import is_coarser, refined
from s2sad.operators.slopes import is_root
from s2sad.operators.spreading import SYMBOLS, unstretched
from s2sad.operators.table import calls_one
from s2sad.reverse.calculus import (
    have_one_shape,
    is_array,
    is_literal,
    is_loose,
    is_open,
    number,
    shape,
)
from s2sad.reverse.contribute import add_into, in_kind, signed
from s2sad.reverse.custom import hooked_adjoint, pull_own_call
from s2sad.reverse.fitting import fit, full, have_same_shape, like, spread_openly
from s2sad.reverse.guards import protected, without_infinite
from s2sad.reverse.indices import has_array, new_axes
from s2sad.reverse.items import pull_items
from s2sad.reverse.rules import ARITHMETIC, adjoint_of_exponent, is_given
from s2sad.reverse.shares import adjoint_of_shares
from s2sad.reverse.world import Code, Contribution


def gathered(expr: Expr, g: Expr, code: Code) -> list[Contribution]:
    """Return what an adjoint of an expression contributes to the variables in it."""
    outer, code.found = (code.found, code.repeated), []
    code.repeated = {part: [] for part in repeated(expr, code)}
    pull(expr, g, code)
    while code.repeated:  # those that others are parts of come first
        part, adjoints = next(iter(code.repeated.items()))
        del code.repeated[part]
        for adjoint in _added_up(adjoints, code):
            pull(part, adjoint, code)
    found, (code.found, code.repeated) = code.found, outer
    return found


def repeated(expr: Expr, code: Code) -> list[Expr]:
    """Return what is computed more than once in an expression and varies, the largest first."""
    counts = Counter(node for node in nodes(expr) if _is_computed(node))
    sizes = {part: sum(1 for _ in nodes(part)) for part, n in counts.items() if n > 1}
    active = [part for part in sizes if code.world.is_active(part)]
    return sorted(active, key=lambda part: -sizes[part])


def _is_computed(node: Expr) -> bool:
    """Tell whether to pull an adjoint back through an operation takes more than to say it."""
    return node.op == "call" or (node.op == "binary" and node.data in COMPUTED)


def _added_up(adjoints: list[Expr], code: Code) -> list[Expr]:
    """Return the sum of adjoints of one value; those of other shapes stay apart."""
    calculus, made = code.world.calculus, adjoints[:1]
    for adjoint in adjoints[1:]:
        if have_one_shape(made[-1], adjoint) or shape(made[-1]) == shape(adjoint) == ():
            symbol, term = signed(adjoint, code)
            is_less = symbol == "-"
            made[-1] = (calculus.subtract if is_less else calculus.add)(made[-1], term)
        else:
            made.append(adjoint)
    return made


def pull(expr: Expr, g: Expr, code: Code, wide: Expr | None = None) -> None:
    """Add to `code.found` what the adjoint g of an expression contributes.

    g has the shape of `wide`, where arithmetic stretches the expression to that.
    """
    if is_literal(g, 0) or not code.world.is_active(expr) or id(expr) in code.world.shifts:
        return
    if wide is None and expr in code.repeated:
        code.repeated[expr].append(g)
        return
    outer, code.wide = code.wide, wide
    _pull(expr, g, code)
    code.wide = outer


def _pull(expr: Expr, g: Expr, code: Code) -> None:
    if is_coarser(g, expr):
        g = refined(g, expr)
    g = in_kind(g, expr, code)
    if is_own_call(expr):
        for operand, adjoint in pull_own_call(expr, g, code):
            pull(operand, adjoint, code)
        return
    is_held = expr.op in ("name", "subscript", "tuple")
    if isinstance(expr.type, Tuple | SequenceType) and not is_held:
        if g.op == "tuple":  # the adjoints of several results
            _pull_by_rule(expr, g, code)
            return
        if expr.op == "call" and expr.args[0].op == "global":
            _pull_missing(expr, code)
            return
        raise code.refuse("a tuple that is computed as the text runs", expr)
    if expr.op == "binary":
        expr = with_arrays(expr, code.world.calculus.infer, code.world.is_active)
        g = spread_openly(g, expr, expr.args, code)
    match expr.op:
        case "name":
            code.found.append((expr.data, (), g))
        case "subscript" if is_bracket(expr.args[0]):
            _pull_by_rule(expr, g, code)
        case "subscript":
            _pull_part(expr, g, code)
        case "attribute" if is_container(expr.args[0].type):
            _pull_part(expr, g, code)
        case "binary" if any(_has_own_operators(arg, code) for arg in expr.args):
            _pull_by_rule(expr, g, code)
        case "binary" if _is_power_of_ratio(expr, code):
            _pull_power_of_ratio(expr, g, code)
        case "binary" if expr.data in SYMBOLS:
            g = g if is_open(expr) else unstretched(g)
            (_pull_divide if expr.data == "/" else _pull_by_rule)(expr, g, code)
        case "conditional":
            _pull_conditional(expr, g, code)
        case "call" if is_hooked(expr):
            pull(expr.args[1], hooked_adjoint(expr, g, code), code)
        case "attribute" if _is_flat_number(expr):
            pull(expr.args[0], code.world.calculus.total(g) if shape(g) else g, code)
        case _:
            _pull_by_rule(expr, g, code)


def _has_own_operators(operand: Expr, code: Code) -> bool:
    """Tell whether an operand may be an object, a matrix that is read; what varies is numbers."""
    if operand.op in ("binary", "unary"):  # (-1) ** k may be a whole number, or none
        return any(_has_own_operators(arg, code) for arg in operand.args)
    if isinstance(operand.type, Unknown):
        return not code.world.is_active(operand)
    return isinstance(operand.type, Other)


def _pull_by_rule(expr: Expr, g: Expr, code: Code) -> None:
    """Pull back through an operation by its rule: every active operand has to be in it."""
    more: list[Expr] = []
    if pull_items(expr, g, code, full, more):
        for start in more:
            pull(start, fit(g, expr, start, code), code)
        return
    found = code.world.rules.pull(expr, g, code)
    if found is None:
        plain = with_arrays(expr, code.world.calculus.infer, code.world.is_active)
        found = code.world.rules.pull(plain, g, code)
    if found is None:
        _pull_missing(expr, code)
        return
    reached = {part for operand, _ in found for part in (operand, *_displayed(operand))}
    for arg in operands(expr):
        if any(_left_out(arg, reached, code)):
            raise code.without_rule(operation(expr), "one of its arguments", expr)
    for operand, adjoint in found:
        if is_given(expr, code):
            _give(expr, operand, adjoint, code)
        elif not is_literal(adjoint, 0):
            pull(operand, adjoint, code)


def _pull_missing(expr: Expr, code: Code) -> None:
    """Note that an operation has no rule, and go on as if it had one: others may be missing."""
    by_key = code.by_key(expr)
    if by_key:
        raise Refused(by_key)
    error = refuse_unless_followed(no_rule(expr, code.span), expr)
    code.world.callees.missing.append(error)
    for operand in operands(expr):
        if code.world.is_active(operand):
            pull(operand, operand, code)


def _displayed(operand: Expr) -> tuple[Expr, ...]:
    """Return what a rule takes for an array: a display, what the entries of a matrix are made of."""
    return operand.args[1:2] if calls_one(operand, "displays") else ()


def _left_out(arg: Expr, reached: set[Expr], code: Code) -> Iterator[Expr]:
    """Yield what varies in an argument, or in what it holds as a display, of which a rule says nothing."""
    if arg in reached or not code.world.is_active(arg):
        return
    # a rule that takes what an operand is made of has taken it: np.abs(z) ** 2, z.real**2 + z.imag**2
    is_computed = arg.op in ("call", "attribute", "binary")
    is_seen_through = is_computed and not reached.isdisjoint(nodes(arg)[1:])
    if arg.op in ("list", "tuple", "starred") or is_made_by_library(arg) or is_seen_through:
        for part in arg.args[arg.op == "call" :]:
            yield from _left_out(part, reached, code)
    else:
        yield arg


def operation(expr: Expr) -> str:
    """Return what an operation is called in a message."""
    if expr.op == "call":
        function = expr.args[0]
        return str(function.data.text if function.op == "global" else function.data)
    return str(expr.data)


def _is_whole(expr: Expr) -> bool:
    """Tell whether a subscript takes all of an array: a[...], a[:], or a[()] of one without axes."""
    if expr.op != "subscript" or not isinstance(expr.args[0].type, Array | Numeric):
        return False
    index = expr.args[1]
    is_ellipsis = index.op == "constant" and index.data is Ellipsis
    is_whole = index == EVERYTHING and isinstance(expr.args[0].type, Array)
    return is_ellipsis or is_whole or (index.op == "tuple" and not index.args)


def _pull_part(expr: Expr, g: Expr, code: Code) -> None:
    if expr.args[0].op == "global":
        raise Refused(by_key_that_varies(expr, code.span))
    if expr.args[0].op in ("tuple", "list"):
        raise code.refuse("a part of a display at a position that is not known", expr)
    axes = new_axes(expr) if expr.op == "subscript" else ()
    is_plain = is_array(expr) and isinstance(expr.args[0].type, Array)
    if axes and is_plain and not _is_memory(expr.args[0], code):
        pull(expr.args[0], _without_axes(full(g, expr, code), axes, code), code)
        return
    if _is_whole(expr) and not _is_memory(expr.args[0], code):
        pull(expr.args[0], g, code)
        return
    if is_plain and is_all(expr.args[1]) and not _is_memory(expr.args[0], code):
        turned = code.world.calculus.part(full(g, expr, code), expr.args[1])
        pull(expr.args[0], g if shape(g) == () else turned, code)
        return
    path: list[Expr] = []
    base, chosen = expr, False
    while (step := step_of(base)) is not None and not _may_lack_axes(base, code):
        in_array = not is_container(base.args[0].type)
        if path and not in_array and step.op == "slice" and is_container(base.type):
            raise code.refuse("a part of a part of a list or tuple", expr)
        chosen = chosen or (base is not expr and in_array and has_array(step))
        path.insert(0, step)
        base = base.args[0]
    if base.op == "name" and not chosen:
        steps = tuple(s if is_field_step(s) else named_index(s, code) for s in path)
        code.found.append((base.data, steps, g))
        return
    base = expr.args[0]
    if is_container(base.type):
        if base.op == "call" and not is_own_call(base):
            raise Refused(refuse_unless_followed(no_rule(base, code.span), base))
        raise code.refuse("a part of a container that has no name", expr)
    calculus = code.world.calculus
    part = code.temporary(calculus.zeros_like(like(base, code)), f"{code.target}_part_bar")
    index = named_index(expr.args[1], code)
    code.world.note(part.data, g, (index,))
    add_into(part, (index,), g, code)
    pull(base, part, code)


def _may_lack_axes(expr: Expr, code: Code) -> bool:
    """Tell whether what a part is taken of may have no axes: its adjoint may be a number, then."""
    base = expr.args[0]
    if expr.op != "subscript" or _is_memory(base, code):
        return _is_flat_number(expr)
    if isinstance(base.type, Array):
        return not base.type.lengths
    parts = index_parts(expr.args[1])
    takes_none = all(p.op == "constant" and p.data in (None, Ellipsis) for p in parts)
    return isinstance(base.type, Numeric) and takes_none


def _is_flat_number(expr: Expr) -> bool:
    """Tell whether an expression is the one element of a number: s.flat of a sum s."""
    if expr.op != "attribute" or expr.data != "flat":
        return False
    base = expr.args[0]
    return isinstance(base.type, Number) or (base.op == "call" and shape(base) == ())


def _is_memory(base: Expr, code: Code) -> bool:
    return any(code.world.memory.is_memory(v) for v in read_variables(base))


def _without_axes(g: Expr, axes: tuple[int, ...], code: Code) -> Expr:
    """Return an adjoint without the axes that a subscript added."""
    last = max(axes)
    parts = [number(0) if axis in axes else EVERYTHING for axis in range(last + 1)]
    index = parts[0] if len(parts) == 1 else Expr("tuple", tuple(parts))
    return code.world.calculus.squeezed(g, index, axes)


def named_index(index: Expr, code: Code) -> Expr:
    """Return a subscript that can be read in the reverse sweep; what is costly is named."""
    if index.op == "tuple":
        return index.with_args(named_index(part, code) for part in index.args)
    if index.op == "slice" or is_cheap(index):
        return index
    return code.value(index)


def _pull_conditional(expr: Expr, g: Expr, code: Code) -> None:
    calculus = code.world.calculus
    test, value, otherwise = expr.args
    test = code.value(test).typed(Number("bool", None))  # one truth, whatever it compares
    if shape(g) != shape(expr):
        g = full(g, expr, code) if is_array(expr) else g
    is_any = is_open(g) or is_open(expr)
    zero = calculus.zeros_like(g) if is_any else number(0.0)
    for arm in (value, otherwise):
        if not code.world.is_active(arm):
            continue
        taken = g if is_any else fit(g, expr, arm, code)  # a zero is not summed to a shape
        pair = (taken, zero) if arm is value else (zero, taken)
        chosen = calculus.infer(Expr("conditional", (test, *pair), None))
        if is_array(expr):
            chosen = Expr("conditional", (test, *pair), None, taken.type)
        pull(arm, fit(chosen, expr, arm, code) if is_any else chosen, code)


# ---------------------------------------------------------------------------- arithmetic


def _give(expr: Expr, operand: Expr, g: Expr, code: Code) -> None:
    """Pull an operand's adjoint back; of arithmetic of any rank it is summed at the end alone.

    _sum_to(_sum_to(g, shape(t)) * y, shape(z)) is _sum_to(g * y, shape(z)).
    """
    if not is_loose(expr) or not _is_arithmetic_of_any_rank(operand) or shape(g) == ():
        pull(operand, fit(g, expr, operand, code), code)
    else:
        stretched = None if have_same_shape(expr, operand, code) else expr
        pull(operand, g, code, code.wide or stretched)


def _is_arithmetic_of_any_rank(expr: Expr) -> bool:
    match expr.op:
        case "binary":
            return is_loose(expr) and expr.data in ARITHMETIC
        case "unary":
            return is_loose(expr) and expr.data in "+-"
    return expr.op == "call" and is_loose(expr) and is_elementwise(expr)


def _pull_divide(expr: Expr, g: Expr, code: Code) -> None:
    exponent = exponent_of_logistic(expr)
    if exponent is not None:
        pull(exponent, adjoint_of_exponent(expr, g, code), code)
        return
    shares = adjoint_of_shares(expr, g, code)
    if shares is not None:
        pull(*shares, code)
        return
    left, right = expr.args
    calculus, active = code.world.calculus, code.world.is_active
    is_steep = not is_literal(right)
    power = None if is_open(expr) else _power_in(right)
    if power is not None and active(left) and active(power):
        g = code.temporary(g)
    if is_steep and is_choice(g.args[0] if g.op == "unary" else g):
        g = code.temporary(g)
    plain = calculus.divide(g, code.value(right))
    quotient = plain
    if is_steep:
        quotient = protected(plain, g, {"b": right}, _over, code)
    if not active(right):
        _give(expr, left, quotient, code)
        return
    if active(left):
        if quotient is plain:
            quotient = plain = code.temporary(plain, word="numerator")
        _give(expr, left, quotient, code)
    product = whole = calculus.negate(calculus.multiply(plain, code.value(expr)))
    if is_steep:
        product = protected(product, g, {"b": right}, _over, code)
        divisor = _defined(right, code)
        is_norm = _is_norm(divisor, left)
        if product is whole and not is_norm:
            product = without_infinite(whole, g, (left,), code)
        may_hide = code.world.is_made_zero if is_norm else code.world.is_masked
        if product is whole and left in divisor.args and not may_hide(g):
            # all is nan where it is 0
            code.world.divisors.add((divisor, divisor.span))
    if product is whole and power is not None:
        _pull_power_below(expr, power, g, code)
    else:
        _give(expr, right, product, code)


def _pull_power_below(expr: Expr, power: Expr, g: Expr, code: Code) -> None:
    """Pull back to r in y = x / (2.0 * r**3), whose slope is -3.0 * y / r: no power of r is needed again."""
    calculus = code.world.calculus
    base, degree = power.args
    term = fit(calculus.multiply(g, code.value(expr)), expr, power, code)
    slope = calculus.divide(term, code.value(base))
    pull(base, calculus.multiply(number(-float(degree.data)), slope), code)


def _is_power_of_ratio(expr: Expr, code: Code) -> bool:
    """Tell whether a value is (s / r) ** 6, and r alone varies."""
    match expr:
        case Expr("binary", (Expr("binary", (above, _), "/"), degree), "**"):
            is_known = is_literal(degree) and degree.data > 2 and not is_open(expr)
            return is_known and not code.world.is_active(above)
    return False


def _pull_power_of_ratio(expr: Expr, g: Expr, code: Code) -> None:
    """Pull back to r in y = (s / r) ** 6, whose slope is -6.0 * y / r: no other power is needed."""
    calculus = code.world.calculus
    (above, below), degree = expr.args[0].args, expr.args[1]
    g = code.temporary(g) if is_choice(g.args[0] if g.op == "unary" else g) else g
    term = calculus.multiply(number(-float(degree.data)), calculus.multiply(g, code.value(expr)))
    plain = calculus.divide(term, code.value(below))
    slope = protected(plain, g, {"b": below}, _over, code)
    if slope is plain:
        slope = without_infinite(plain, g, (above,), code)
    _give(expr, below, slope, code)


def _power_in(divisor: Expr) -> Expr | None:
    """Return r**3 of a divisor that is a power by a literal, or a multiple of one: 2.0 * r**3."""
    if divisor.op == "binary" and divisor.data == "*" and is_literal(divisor.args[0]):
        return _power_in(divisor.args[1])
    is_power = divisor.op == "binary" and divisor.data == "**" and is_literal(divisor.args[1])
    return divisor if is_power and divisor.args[1].data > 1 else None


def _defined(divisor: Expr, code: Code) -> Expr:
    """Return what computes a divisor that has a name, or new axes: np.linalg.norm(x) of n[:, None]."""
    world = code.world
    while divisor.op == "subscript" and new_axes(divisor):
        divisor = divisor.args[0]
    let = world.definitions.get(divisor.data) if divisor.op == "name" else None
    return divisor if let is None or world.memory.is_memory(divisor.data) else let.value


def _is_norm(divisor: Expr, value: Expr) -> bool:
    """Tell whether a number is the norm of a value: infinite where an element is, 0 where all are."""
    if shape(divisor) != () or value not in nodes(divisor):
        return False
    return is_root(divisor) or (calls(divisor, np.linalg.norm) and len(divisor.args) == 2)


def _over(_: str, level: float) -> float:
    """Return the slope of a quotient where the divisor has a level."""
    return 1.0 / level
