"""Tangents by the rules of the operator table.

u * np.sin(c)      u_dot * np.sin(c) + u * np.cos(c) * c_dot
"""

from __future__ import annotations

from functools import partial

import numpy as np

from s2sad.analysis.strictness import FINITE, with_values
from s2sad.forward.world import Code, Dot
from s2sad.forward.zeros import ZERO, full, is_full, zero
from s2sad.ir.errors import Refused
from s2sad.ir.expression import Expr, Role, called, calls, global_, name, text_of_call
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Optional, Reference, Tuple, Unknown
from s2sad.ir.walk import nodes, operands, rebuilt
from s2sad.operators.algebra import numpy_function
from s2sad.operators.filling import fill, with_arrays
from s2sad.operators.find import find, followed, refuse_unless_followed
from s2sad.operators.match import Match
from s2sad.operators.missing import no_rule, no_slope
from s2sad.operators.rule import ELEMENTWISE, TWIN, Line
from s2sad.operators.slopes import is_steep, may_raise
from s2sad.operators.table import calls_one
from s2sad.types.assumptions import Fails, Mismatch
from s2sad.types.inference import as_numbers


def by_rule(expr: Expr, code: Code) -> Dot | None:
    expr = _as_list(_without_options(expr))
    match = _match(expr, code)
    if match is None or match.rule.family == TWIN:
        error = no_rule(expr, code.span)
        code.world.callees.missing.append(refuse_unless_followed(error, expr))
        for operand in operands(expr):
            code.push(operand)  # more may be missing
        return Dot(code.value(expr))
    missing = match.uncovered(code.world.is_moving)
    if missing:
        raise followed(Refused(no_slope(match, missing, code.span)), expr)
    if match.is_constant:
        return None
    found = _filled(match, expr, code)
    if found is not None:
        found = replace(found, expr=rebuilt(found.expr, partial(_with_methods, code=code)))
    if found is None or not code.world.in_try or not may_raise(match):
        return found
    return replace(found, expr=_without_raising(found.expr, expr, code))


def _match(expr: Expr, code: Code) -> Match | None:
    """Return the rule of an operation, of one with arrays in place of lists if it asks for them."""
    tools = code.world.tools
    found = find(expr, tools.known) or _of_unknown(expr, code)
    if found is not None:
        return found
    plain = with_arrays(expr, partial(_inferred, code=code), code.world.is_moving)
    return find(plain, tools.known)


def _inferred(array: Expr, code: Code) -> Expr:
    """Return an array of a list with its type; without, where lists in it differ in their lengths."""
    try:
        return code.world.tools.infer(array)
    except (Fails, Mismatch):
        return array


def _with_methods(node: Expr, code: Code) -> Expr | None:
    """Return a method of a tangent that may be one of Python's numbers as one of NumPy's."""
    if text_of_call(node) == "np.astype" and isinstance(node.args[1].type, Number):
        kind = "complex128" if node.args[1].type.dtype[0] == "c" else "float64"
        base = code.world.algebra.numpy(kind, node.args[1])
        return node.with_args((node.args[0], base, *node.args[2:]))
    if node.op != "attribute" or hasattr(float, node.data):
        return None
    (base,) = node.args
    is_tangent = base.op == "name" and base.data.role is Role.TANGENT
    is_computed = base.op in ("binary", "unary") and base.span is None
    if not isinstance(base.type, Number) or not (is_tangent or is_computed):
        return None
    kind = "complex128" if base.type.dtype[0] == "c" else "float64"
    return node.with_args((code.world.algebra.numpy(kind, base),))


VIEWS, ONCE = ("values", "items"), ("enumerate", "zip", "reversed", "map")
DIVIDES = {"/": "divide", "**": "power"}


def _without_raising(dot: Expr, expr: Expr, code: Code) -> Expr:
    """Return a tangent within a try: where it is infinite, it does not raise as numbers do."""

    def change(node: Expr) -> Expr | None:
        if text_of_call(node).startswith("math.log"):
            raise code.refuse("a slope that may raise within a try", expr)
        if node.op != "binary" or node.data not in DIVIDES or not isinstance(node.type, Number):
            return None
        if node.type.dtype[0] not in "fc":
            return None
        return code.world.algebra.numpy(DIVIDES[node.data], *node.args)

    return rebuilt(dot, change)


def _without_options(expr: Expr) -> Expr:
    """Return an operation on values that are not None: on None it would raise."""
    if not any(isinstance(arg.type, Optional) for arg in expr.args):
        return expr
    args = [a.typed(a.type.type) if isinstance(a.type, Optional) else a for a in expr.args]
    return replace(expr, args=tuple(args))


def _as_list(expr: Expr) -> Expr:
    """Return max(xs) of what can be gone through alone, or once, as that of a list."""
    function = expr.args[0]
    if expr.op != "call" or function.op != "global" or len(expr.args) < 2:
        return expr
    arg = expr.args[1]
    if arg.op == "comprehension" and arg.data == "generator":
        return expr.with_args((function, replace(arg, data="list"), *expr.args[2:]))
    word = called(arg) if arg.op == "call" else ""
    if word in (VIEWS if arg.args[:1] and arg.args[0].op == "attribute" else ONCE):
        made = Expr("call", (global_("list", list), arg), (), arg.type, None, arg.span)
        return expr.with_args((function, made, *expr.args[2:]))
    return expr


def _of_unknown(expr: Expr, code: Code) -> Match | None:
    """Return the rule of arithmetic on what varies, or of a function of a list of arrays."""
    of_numbers = as_numbers(expr, code.world.is_moving)
    if of_numbers is not expr:
        found = find(of_numbers, code.world.tools.known)
        if found is not None and (expr.op in ("binary", "unary") or found.rule.holomorphic):
            return found
    if expr.op == "call" and len(expr.args) > 1 and isinstance(expr.args[1].type, Reference):
        return _of_list(expr, code)
    return None


def _of_list(expr: Expr, code: Code) -> Match | None:
    """Return the rule of np.mean(np.array(xs)) for np.mean(xs)."""
    function, first, *rest = expr.args
    if function.op != "global" or not function.data.text.startswith("np."):
        return None
    if calls_one(expr, "converts"):
        return None  # it is made of the list itself
    array = _inferred(Expr("call", (numpy_function("array"), first), ()), code)
    if not isinstance(array.type, Array):
        return None
    return find(replace(expr, args=(function, array, *rest)), code.world.tools.known)


def _filled(match: Match, expr: Expr, code: Code) -> Dot | None:
    holes = Holes(match, code)
    given = [p for p in match.rule.params if holes.moves(p)]
    given += [p for p in match.bound if p not in given and holes.moves(p)]
    lines = match.tangents(given)
    if not lines:
        return None
    parts = {line.part for line in lines}
    if parts - {None}:
        return Dot(_several(lines, expr, holes, code))
    total: Expr | None = None
    for line in lines:
        term = _guarded(line, fill(line, holes, code.world.tools.infer), holes)
        term = _left_out(line, term, holes)
        total = term if total is None else _added(total, term, code)
    assert total is not None
    _every_tangent_is_read(given, holes, code, expr)
    if match.rule.family == ELEMENTWISE:
        return Dot(total, is_full(total, expr) or holes.covers_all)
    if isinstance(total.type, Unknown):
        total = total.typed(expr.type)
    return Dot(total, True)


def _added(total: Expr, term: Expr, code: Code) -> Expr:
    """Return the sum of two terms of a rule, over one divisor: (x_dot - y * z_dot) / z of x / z."""
    algebra = code.world.algebra
    both = algebra.add(total, term)
    if both.op == "binary" and both.data in ("+", "-"):
        above, below = zip(*(_quotient(arg) for arg in both.args), strict=True)
        if below[0] is not None and below[0] == below[1]:
            return algebra.divide(algebra.binary(both.data, *above), below[0])
    return both


def _quotient(expr: Expr) -> tuple[Expr, Expr | None]:
    """Return what is divided, and by what, None where nothing is."""
    is_quotient = expr.op == "binary" and expr.data == "/"
    return (expr.args[0], expr.args[1]) if is_quotient else (expr, None)


def _guarded(line: Line, term: Expr, holes: Holes) -> Expr:
    """Return a term that is zero where its tangent is, though the slope is infinite there.

    Only where a guard chose what it is computed from are there such places: 0 * inf is nan.
    """
    code, param = holes.code, _only_moving(line, holes)
    if param is None or not is_steep(line):
        return term
    if not code.world.is_guarded(holes.match.bound[param]) or code.is_finite(term):
        return term
    if _is_one_for_all(line, holes):
        return term
    dot = holes[f"{param}_dot"]
    infer = code.world.tools.infer
    number = next((t for t in (term.type, holes.match.expr.type) if isinstance(t, Number)), None)
    if number is not None:  # the tangent of a number is one, whatever it was computed from
        test = infer(Expr("compare", (dot, ZERO), ("==",)))
        return Expr("conditional", (test, ZERO, term), None, number)
    test = infer(Expr("compare", (dot, ZERO), ("!=",)))
    return code.world.chosen(test, term, ZERO)


def _is_one_for_all(line: Line, holes: Holes) -> bool:
    """Tell whether a slope is of a number with a name that does not vary: no guard leaves that out."""
    others = [named for named in line.reads if not named.endswith("_dot")]
    read = [holes.match.bound.get(named) for named in others]
    return all(
        each is not None
        and each.op == "name"
        and isinstance(each.type, Number)
        and not holes.code.world.is_moving(each)
        for each in read
    )


def _only_moving(line: Line, holes: Holes) -> str | None:
    """Return the operand whose tangent alone an elementwise line reads; None of any other line."""
    dots = [named for named in line.reads if named.endswith("_dot")]
    is_elementwise = holes.match.rule.family == ELEMENTWISE
    return dots[0].removesuffix("_dot") if is_elementwise and len(dots) == 1 else None


def _left_out(line: Line, term: Expr, holes: Holes) -> Expr:
    """Return a term that is zero where an extreme leaves its operand out: the tangent may be infinite there.

    np.maximum(np.sqrt(x), 0.5)      np.where(root == y, root_dot, 0.0)
    """
    code, match, param = holes.code, holes.match, _only_moving(line, holes)
    is_extreme = calls_one(match.expr, "larger", "smaller") or calls(match.expr, np.clip)
    if param is None or not is_extreme:
        return term
    moving = match.bound[param]
    if not isinstance(moving.type, Array) or not _may_move_infinitely(moving, code):
        return term
    both = code.value(moving), code.value(match.expr)
    test = code.world.tools.infer(Expr("compare", both, ("==",)))
    return code.world.chosen(test, term, ZERO)


def _may_move_infinitely(value: Expr, code: Code) -> bool:
    """Tell whether a slope in what a value is computed by may be infinite."""
    whole = with_values(value, code.world.strict().definitions)
    moving = (n for n in nodes(whole) if n.op in ("binary", "call") and code.world.is_moving(n))
    return any(_is_steep_at(node, code) for node in moving)


def _is_steep_at(node: Expr, code: Code) -> bool:
    match = find(node, code.world.tools.known)
    if match is None or match.rule.family != ELEMENTWISE:
        return False
    given = [param for param in match.bound if param in match.differentiable]
    held = {**match.bound, "y": node, **{f"{param}_dot": name(FINITE) for param in given}}
    lines = match.tangents(given)
    return not all(code.is_finite(fill(each, held, code.world.tools.infer)) for each in lines)


def _several(lines: tuple[object, ...], expr: Expr, holes: Holes, code: Code) -> Expr:
    """Return the tangents of several results as a tuple."""
    items = expr.type.items if isinstance(expr.type, Tuple) else ()
    if not items:
        raise code.refuse("several results whose number is not known", expr)
    sums: dict[int, Expr] = {}
    for line in lines:
        term = fill(line, holes, code.world.tools.infer)  # type: ignore[arg-type]
        part = line.part  # type: ignore[attr-defined]
        if part is None:
            raise code.refuse("a rule of several results in one line", expr)
        sums[part] = code.world.algebra.add(sums[part], term) if part in sums else term
    value = code.value(expr)
    parts = []
    for place, item in enumerate(items):
        one = Expr("subscript", (value, Expr("constant", (), place)), None, item)
        parts.append(sums[place] if place in sums else zero(one, code))
    return Expr("tuple", tuple(parts), None, Tuple(tuple(part.type for part in parts)))


def _every_tangent_is_read(given: list[str], holes: Holes, code: Code, expr: Expr) -> None:
    """Refuse a rule that forgets an argument: it would be silently wrong."""
    forgotten = [p for p in given if p not in holes.read]
    if forgotten:
        raise code.refuse(f"the rule of {holes.match.operator} forgets {forgotten[0]}", expr)


class Holes:
    """What the names of a rule stand for; tangents are made as they are asked for."""

    def __init__(self, match: Match, code: Code):
        self.match, self.code = match, code
        self.dots: dict[str, Dot | None] = {}
        self.read: set[str] = set()
        self.seen: set[str] = set()

    def moves(self, param: str) -> bool:
        """Tell whether a parameter has a tangent other than zero."""
        if param not in self.match.bound or param not in self.match.differentiable:
            return False
        if param not in self.dots:
            self.dots[param] = self.code.named(self.code.push(self.match.bound[param]))
        return self.dots[param] is not None

    def __getitem__(self, named: str) -> Expr:
        self.seen.add(named)
        if named in self.match.bound:
            return self.code.value(self.match.bound[named])
        if named == "y":
            return self.code.value(self.match.expr)
        param = named.removesuffix("_dot")
        return self._dot(param)

    def _dot(self, param: str) -> Expr:
        self.read.add(param)
        expr = self.match.bound[param]
        if not self.moves(param):
            return ZERO if isinstance(expr.type, Number) else zero(expr, self.code)
        dot = self.dots[param]
        assert dot is not None
        if dot.full or self.match.rule.family == ELEMENTWISE:
            return dot.expr
        return full(dot.expr, expr, self.code)

    @property
    def covers_all(self) -> bool:
        """Tell whether the lines read all that the result has its shape from."""
        if "y" in self.seen:
            return True
        for param, expr in self.match.bound.items():
            if isinstance(expr.type, Number) or param in self.seen:
                continue
            dot = self.dots.get(param)
            if dot is None or not dot.full or param not in self.read:
                return False
        return True
