"""A rule and what its parameters stand for in one operation; its lines as they hold there.

    np.roll(u, 1)   matched by   y = np.roll(a, shift, axis)
    adjoints({"a"})        a_bar = np.roll(y_bar, -shift)          no axis: it was left out
    tangents({"a"})        y_dot = np.roll(a_dot, shift)

The lines keep their holes: `fill` puts in what the sweep has for them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, global_
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Number, Numeric, Reference, Sequence, Tuple
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators import printed
from s2sad.operators.binding import form_of
from s2sad.operators.guards import is_display, is_scalar, literal, value_of
from s2sad.operators.modules import MISSING
from s2sad.operators.rule import CONSTANT, ELEMENTWISE, JOINT, LINEAR, PARTS, TWIN, Line, Rule, hole
from s2sad.operators.trees import literal as number


@dataclass(frozen=True, slots=True)
class Match:
    """A rule, the operation that it was found for, and what its parameters stand for in it.

    `operator` is what the operation is called in a message: "np.roll", "*", ".T".
    """

    operator: str
    rule: Rule
    bound: Mapping[str, Expr]
    expr: Expr
    pattern: Expr | None = None
    form_made: Expr | None = None  # of a rule that is made to measure

    @property
    def form(self) -> Expr:
        """Return the operation with the rule's parameters in place of its operands."""
        if self.pattern is None:
            return self.form_made if self.form_made is not None else self.expr
        return form_of(self.rule, self.pattern, self.expr)

    @property
    def differentiable(self) -> frozenset[str]:
        """Return the parameters of the operation that an adjoint flows to."""
        return self.rule.differentiable & self.bound.keys()

    @property
    def broadcasts(self) -> frozenset[str]:
        """Return the parameters whose contribution may have a larger shape than they have."""
        return self.rule.broadcasts & self.bound.keys()

    @property
    def is_constant(self) -> bool:
        """Tell whether the derivative is zero whatever varies."""
        return self.rule.is_constant

    def uncovered(self, is_active: Callable[[Expr], bool]) -> tuple[str, ...]:
        """Return the parameters that vary and that the rule has no derivative for.

        A sweep that goes on in spite of one is silently wrong.
        """
        if self.rule.is_constant:
            marked = [p for p in self.bound if self.rule.is_marked(p, CONSTANT)]
            return tuple(p for p in marked if is_active(self.bound[p]))
        known = (*self.rule.differentiable, *self.flat)
        return tuple(p for p in self.bound if p not in known and is_active(self.bound[p]))

    @property
    def flat(self) -> tuple[str, ...]:
        """Return the parameters through which no derivative flows, whatever they are."""
        is_step = self.rule.is_constant
        return tuple(p for p in self.bound if is_step or self.rule.is_marked(p, CONSTANT))

    # ------------------------------------------------------------------ reverse mode

    def adjoints(
        self, wanted: Container[str], still: frozenset[int] = frozenset()
    ) -> tuple[Line, ...]:
        """Return what each wanted parameter receives, after the locals that this needs.

        Of several results `still` are those that nothing depends on: lines that read only their
        adjoints are left out.
        """
        found: list[Line] = []
        needed: set[str] = set()
        for line in reversed(self._lines):
            if not line.is_local and still and self._reads_only(line, still):
                continue
            given = needed if line.is_local else wanted
            if line.target in given and (line.is_local or line.target in self.bound):
                needed |= line.reads.keys()
                found.append(line)
        return tuple(reversed(found))

    @property
    def twin(self) -> Expr | None:
        """Return the call of a printed function that gives the same, for a rule that has a twin."""
        if self.rule.family != TWIN:
            return None
        return next(line.value for line in self._lines if line.target == "twin")

    @property
    def square(self) -> Expr | None:
        """Return the square of y, where a rule says it: that of a norm has no kink at 0."""
        squares = (line.value for line in self._lines if line.target == "y_squared")
        return next(squares, None)

    @property
    def _lines(self) -> tuple[Line, ...]:
        return trimmed(self.rule, self.rule.lines, frozenset(self.bound))

    def _reads_only(self, line: Line, still: frozenset[int]) -> bool:
        parts = _parts_read(self._inlined(line.value))
        return bool(parts) and parts <= still

    def _inlined(self, value: Expr) -> Expr:
        """Return an expression with the rule's locals written out."""
        return put(value, {line.target: line.value for line in self._lines if line.is_local})

    # ------------------------------------------------------------------ forward mode

    def tangents(self, given: Container[str]) -> tuple[Line, ...]:
        """Return the terms of the tangent of y, given those of some parameters; () if it is zero.

        Each is a line for y_dot that reads `x_dot`: their sum is the tangent. Of several results
        `part` says which one a term is of. An elementwise term may broadcast to y's shape.
        """
        moving = [p for p in self.rule.params if p in self.differentiable and p in given]
        if not moving:
            return ()
        if self.rule.family in (JOINT, PARTS) and not self.rule.tangent:
            return (Line("y_dot", self._joint(moving)),)
        if self.rule.tangent and not self.rule.tangent[0].target:
            return (Line("y_dot", self._whole(moving)),)
        return tuple(term for param in moving for term in self._terms(param))

    def _terms(self, param: str) -> Iterator[Line]:
        own = [line for line in self._tangent_lines if line.target == param]
        for line in own:
            yield replace(line, target="y_dot", value=self._inlined(line.value))
        if own or self.rule.family == PARTS:
            return
        dot = hole(f"{param}_dot")
        if self.rule.family == ELEMENTWISE:
            line = next(line for line in self._lines if line.target == param)
            yield Line("y_dot", put(self._inlined(line.value), {"y_bar": dot}))
            return
        assert self.rule.family == LINEAR, f"{self.rule.name} has no tangent"
        yield Line("y_dot", put(self._form_for(param), {param: dot}))

    @property
    def _tangent_lines(self) -> tuple[Line, ...]:
        return trimmed(self.rule, self.rule.tangent, frozenset(self.bound))

    def _form_for(self, param: str) -> Expr:
        """Return the operation as it is done to a tangent, which may be a float without methods."""
        form = self.form
        method = _method_of(form, param)
        may_be_number = isinstance(self.bound[param].type, Number | Numeric)
        if not method or not may_be_number:
            return form
        as_function = getattr(np, method, MISSING)
        for pattern in self.rule.patterns:
            named = pattern.args[0] if pattern.op == "call" else pattern
            if named.op == "global" and named.data.value is as_function:
                return _trimmed(self.rule, pattern, frozenset(self.bound))
        as_array = Expr("call", (global_("np.asarray", np.asarray), hole(param)), ())
        return rebuilt(form, lambda node: _with_owner(node, param, as_array))

    def _joint(self, moving: list[str]) -> Expr:
        dots = {param: hole(f"{param}_dot") for param in moving}
        zeros = {param: self._zero(param) for param in self.differentiable - dots.keys()}
        return put(self.form, {**zeros, **dots})

    def _whole(self, moving: list[str]) -> Expr:
        """Return the one line that reads every tangent."""
        (line,) = self._tangent_lines
        still = self.differentiable - {*moving}
        zeros = {f"{param}_dot": self._zero(param) for param in still}
        left_out = self.rule.differentiable - self.bound.keys()
        zeros |= {f"{param}_dot": number(0.0) for param in left_out}
        return put(self._inlined(line.value), zeros)

    def _zero(self, param: str) -> Expr:
        """Return a tangent of zero for a parameter, as an expression with holes."""
        value = self.bound[param]
        if is_scalar(value):
            return number(0.0)
        held = isinstance(value.type, Tuple | Sequence | Reference)
        if held or is_display(value) or self.rule.is_marked(param, "holder"):
            return self._zeros_of(param)
        return Expr("call", (global_("np.zeros_like", np.zeros_like), hole(param)), ())

    def _zeros_of(self, param: str) -> Expr:
        """Return zeros for a list or tuple: they come as a list."""
        zeros = global_("_zeros_of", printed.function("_zeros_of"))
        made = Expr("call", (zeros, hole(param)), ())
        is_tuple = isinstance(self.bound[param].type, Tuple)
        return Expr("call", (global_("tuple", tuple), made), ()) if is_tuple else made


def put(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return an expression of a rule with some of its holes replaced, and those in these as well."""
    if not values:
        return expr

    def change(node: Expr) -> Expr | None:
        if node.op != "name" or node.data.name not in values:
            return None
        named = node.data.name
        rest = {key: value for key, value in values.items() if key != named}
        return put(values[named], rest)

    return rebuilt(expr, change)


def _method_of(form: Expr, param: str) -> str:
    """Return which method or attribute of a parameter an operation is, "" of others."""
    owned = (n for n in nodes(form) if n.op == "attribute" and n.args[0] == hole(param))
    return next((str(node.data) for node in owned), "")


def _with_owner(node: Expr, param: str, owner: Expr) -> Expr | None:
    if node.op == "attribute" and node.args[0] == hole(param):
        return node.with_args((owner,))
    return None


def _parts_read(value: Expr) -> frozenset[int | None]:
    """Return of which of several results an expression reads the adjoint; None: of all."""
    bar = hole("y_bar")
    parts = [
        node.args[1].data
        for node in nodes(value)
        if node.op == "subscript" and node.args[0] == bar and node.args[1].op == "constant"
    ]
    whole = sum(node == bar for node in nodes(value)) > len(parts)
    return frozenset([*parts, None] if whole else parts)


# ---------------------------------------------------------------------------- what was left out


@cache
def trimmed(rule: Rule, lines: tuple[Line, ...], bound: frozenset[str]) -> tuple[Line, ...]:
    """Return lines of a rule as they hold where only some parameters are given.

    What the user left out is left out again: with no axis given, `np.roll(y_bar, -shift, axis)`
    is `np.roll(y_bar, -shift)`, and `x - loc` without a loc is x.
    """
    return tuple(replace(line, value=_trimmed(rule, line.value, bound)) for line in lines)


def _trimmed(rule: Rule, expr: Expr, bound: frozenset[str]) -> Expr:
    absent = frozenset(rule.defaults) - bound
    if not absent:
        return expr
    return _Trimming(rule.defaults, absent).trimmed(expr)


@dataclass(frozen=True, slots=True)
class _Trimming:
    """Leaves parameters out of an expression, or puts in what they are by default."""

    defaults: Mapping[str, Expr]
    absent: frozenset[str]

    def trimmed(self, expr: Expr) -> Expr:
        """Return an expression without what is absent."""
        if expr.op == "name":
            return self.defaults[expr.data.name] if self._is_absent(expr) else expr
        if expr.op == "call":
            return self._call(expr)
        if expr.op == "binary" and self._is_neutral(expr.args[1], expr.data):
            return self.trimmed(expr.args[0])
        return expr.with_args(map(self.trimmed, expr.args))

    def _is_absent(self, expr: Expr) -> bool:
        return expr.op == "name" and expr.data.name in self.absent

    def _is_neutral(self, expr: Expr, symbol: str) -> bool:
        """Tell whether an operand is a default that changes nothing: `x - loc` without loc."""
        neutral = {"+": 0, "-": 0, "*": 1, "/": 1}.get(symbol)
        if neutral is None or not self._is_absent(expr):
            return False
        return literal(self.defaults[expr.data.name]) == neutral

    def _call(self, expr: Expr) -> Expr:
        function = expr.args[0]
        count = len(expr.args) - len(expr.data)
        args, named = list(expr.args[1:count]), zip(expr.data, expr.args[count:], strict=True)
        if function.op == "global" and printed.name_of(function.data.value):
            return expr.with_args(map(self.trimmed, expr.args))  # called with every argument
        while args and self._may_be_omitted(function, len(args) - 1, args[-1]):
            args.pop()
        kept = {key: v for key, v in named if not self._may_be_omitted(function, key, v)}
        operands = map(self.trimmed, (function, *args, *kept.values()))
        return Expr("call", tuple(operands), tuple(kept), expr.type)

    def _may_be_omitted(self, function: Expr, place: str | int, expr: Expr) -> bool:
        """Tell whether an argument that the user left out can be left out here as well."""
        if not self._is_absent(expr):
            return False
        default = self.defaults[expr.data.name]
        return function.op != "global" or _takes(function.data.value, place, default)


@cache
def _takes(function: Any, place: str | int, default: Expr) -> bool:
    """Tell whether a function takes `default` for what it is not given at a place."""
    if place == 0:
        return False
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    names = list(parameters)
    if isinstance(place, int):
        place = names[place] if place < len(names) else ""
    if place not in parameters:
        return True
    own = parameters[place].default
    value = literal(default) if literal(default) is not None else value_of(default)
    if default.op == "tuple":
        value = tuple(map(literal, default.args))
    # of a reduction that was not told, NumPy's own mark
    return own is np._NoValue or bool(own == value)
