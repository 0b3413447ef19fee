"""A matched rule is filled in: its lines become expressions in the values of one statement.

    x@0 * np.pi, matched by `y = x * z`, wanted: x
    x_bar = y_bar * z        ->        Line("x", q~bar@-1 * np.pi)

What the user left out is left out again: with no axis given, `np.roll(y_bar, -shift, axis)`
becomes `np.roll(u_bar, -1)`. What is not known to be an array is asked for its shape by a
function: `a.size` becomes `np.size(a)`.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.templating import (
    CONSTANT,
    ELEMENTWISE,
    JOINT,
    LINEAR,
    PARTS,
    PRINTED_FUNCTION,
    Line,
    Rule,
    local_var,
)
from s2sad.legacy.traverse import reads, substitute, transform, walk


@dataclass(frozen=True, slots=True)
class Match:
    """A rule and what its parameters stand for in one operation.

    `form` is the operation with its operands replaced by the rule's parameters; `arrays` are
    the parameters whose attributes (`shape`, `T`, ...) can be read for certain, `scalars` those
    that are known to be numbers, `lists` those that are known to be lists or tuples.
    """

    rule: Rule
    bound: Mapping[str, Expr]
    form: Expr
    arrays: frozenset[str] = frozenset()
    scalars: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()

    @property
    def operands(self) -> Mapping[str, Expr]:
        """Return the given parameters that the value may vary with, and what each stands for."""
        marks = self.rule.marks
        return {p: value for p, value in self.bound.items() if CONSTANT not in marks.get(p, ())}

    @property
    def differentiable(self) -> frozenset[str]:
        """Return the given parameters that an adjoint flows to."""
        return self.rule.differentiable & self.bound.keys()

    @property
    def constant(self) -> bool:
        """Tell whether the derivative is zero whatever varies."""
        return self.rule.constant

    def adjoints(
        self, y: Expr, y_bar: Expr, wanted: Container[str], still: frozenset[int] = frozenset()
    ) -> tuple[Line, ...]:
        """Return what each wanted parameter receives, after the locals that this needs.

        Of several results `still` are those that nothing depends on: lines that read only
        their adjoints are left out.
        """
        names = {**self.bound, "y": y, "y_bar": y_bar}
        found: list[Line] = []
        needed: set[str] = set()
        for line in reversed(self.rule.lines):
            if not line.local and still and self._is_still(line, still):
                continue
            if line.target in (needed if line.local else self._given(wanted)):
                needed |= _locals_read(line.value)
                found.append(Line(line.target, self._fill(line.value, names), line.local))
        return tuple(reversed(found))

    def _is_still(self, line: Line, still: frozenset[int]) -> bool:
        parts = _parts_read(self._inlined(line.value))
        return bool(parts) and parts <= still

    @property
    def several(self) -> bool:
        """Tell whether the operation has several results."""
        return self.rule.family == PARTS

    @property
    def parted(self) -> bool:
        """Tell whether the tangents of several results are given one by one."""
        return bool(self.rule.tangent) and self.several

    def part_tangents(self, y: Expr, dots: Mapping[str, Expr]) -> Mapping[int, Expr]:
        """Return the tangents of several results, of those that vary."""
        found: dict[int, Expr] = {}
        for line in self.rule.tangent:
            if line.target in dots and line.part is not None:
                names = {**self.bound, "y": y, f"{line.target}_dot": dots[line.target]}
                value = self._fill(self._inlined(line.value), names)
                found[line.part] = _plus(found.get(line.part), value)
        return found

    def tangents(self, y: Expr, dots: Mapping[str, Expr]) -> Expr | None:
        """Return the tangent of y, given those of some parameters; None where it is zero.

        An elementwise tangent has the shape of what it reads, which may broadcast to y's.
        """
        given = {param: dot for param, dot in dots.items() if param in self.differentiable}
        if not given:
            return None
        if self.rule.family in (JOINT, PARTS) and not self.rule.tangent:
            return self._joint_tangent(given)
        if self.rule.tangent and not self.rule.tangent[0].target:
            return self._whole_tangent(given, y)
        total: Expr | None = None
        for param in self.rule.params:
            if param in given:
                total = _plus(total, self._tangent(param, given[param], y))
        return total

    def line(self, target: str) -> Expr:
        """Return one of the rule's own lines, filled in."""
        value = next(line.value for line in self.rule.lines if line.target == target)
        return self._fill(value, self.bound)

    def _given(self, wanted: Container[str]) -> frozenset[str]:
        return frozenset(param for param in self.bound if param in wanted)

    def _tangent(self, param: str, dot: Expr, y: Expr) -> Expr:
        for line in self.rule.tangent:
            if line.target == param:
                names = {**self.bound, "y": y, f"{param}_dot": dot}
                return self._fill(self._inlined(line.value), names)
        if self.rule.family == ELEMENTWISE:
            line = next(line for line in self.rule.lines if line.target == param)
            return self._fill(self._inlined(line.value), {**self.bound, "y": y, "y_bar": dot})
        assert self.rule.family == LINEAR, f"no tangent for {self.rule.name}"
        return self._fill(self._form_of(param), {**self.bound, param: dot})

    def _form_of(self, param: str) -> Expr:
        """Return the operation as it is done to what may be a number.

        A NumPy number has methods and its tangent, which may be a float, has not.
        """
        surely_array = param in self.arrays and param not in self.scalars
        method = "" if surely_array else _method(self.form, param)
        if not method:
            return self.form
        for pattern in self.rule.patterns:
            if isinstance(pattern, Call) and pattern.func == _function(method):
                return pattern
        if param not in self.scalars:
            return self.form
        as_array = Call(Ref("np.asarray", np.asarray), (local_var(param),))
        return transform(self.form, lambda part: _with_owner(part, param, as_array))

    def _joint_tangent(self, given: Mapping[str, Expr]) -> Expr:
        zeros = {param: self._zero(param) for param in self.differentiable - given.keys()}
        return self._fill(self.form, {**self.bound, **zeros, **given})

    def _whole_tangent(self, given: Mapping[str, Expr], y: Expr) -> Expr:
        """Fill in the one line that reads every tangent."""
        (line,) = self.rule.tangent
        dots = {p: given.get(p) or self._zero(p) for p in self.differentiable}
        # what was left out does not vary
        left_out = {p: Const(0.0) for p in self.rule.differentiable - dots.keys()}
        named = {f"{param}_dot": dot for param, dot in (dots | left_out).items()}
        return self._fill(self._inlined(line.value), {**self.bound, "y": y, **named})

    def _zero(self, param: str) -> Expr:
        value = self.bound[param]
        if param in self.scalars:
            return Const(0.0)
        if param in self.lists or "holder" in self.rule.marks.get(param, ()):
            return Call(Ref("_zeros_of", PRINTED_FUNCTION), (value,))
        return Call(Ref("np.zeros_like", np.zeros_like), (value,))

    def _inlined(self, value: Expr) -> Expr:
        lines = {line.target: line.value for line in self.rule.lines if line.local}

        def replaced(var: Var) -> Expr:
            return self._inlined(lines[var.slot]) if var.slot in lines else var

        return substitute(value, replaced)

    # ------------------------------------------------------------------ filling

    def _fill(self, expr: Expr, names: Mapping[str, Expr]) -> Expr:
        match expr:
            case Var(name, -1):
                return names.get(name, self.rule.defaults.get(name, expr))
            case Attr(Var(name, -1), attribute) if self._is_guess(name, attribute):
                return Call(_ASKED[attribute], (self._fill(expr.value, names),))
            case Attr(value, attribute):
                return Attr(self._fill(value, names), attribute)
            case Call(Ref(_, value) as func, args, ()) if value is PRINTED_FUNCTION:
                # what is printed is called with every argument, whatever the user left out
                return Call(func, tuple(self._fill(arg, names) for arg in args))
            case Call(func, args, keywords):
                filled = [self._fill(arg, names) for arg in self._kept(func, args)]
                kept = ((k, v) for k, v in keywords if not self._omitted(func, k, v))
                named = [(k, self._fill(v, names)) for k, v in kept]
                return Call(self._fill(func, names), _spliced(filled), tuple(named))
            case Op("index", (Var("y" | "y_bar" as name, -1), Const(int() as at))):
                match names[name]:
                    case Op("tuple", parts):
                        return parts[at]
                    case several:
                        return Op("index", (several, Const(at)))
            case Op("+" | "-" as op, (kept, Var() as other)) if self._is_left_out(other, 0):
                return self._fill(kept, names)
            case Op("*" | "/" as op, (kept, Var() as other)) if self._is_left_out(other, 1):
                return self._fill(kept, names)
            case Op(op, parts):
                return folded(op, tuple(self._fill(part, names) for part in parts))
        return expr

    def _is_left_out(self, expr: Expr, neutral: int) -> bool:
        """Tell whether an operand is a default that changes nothing: `x - loc` without loc."""
        return self._absent(expr) and literal(self.rule.defaults[expr.slot]) == neutral  # type: ignore[union-attr]

    def _is_guess(self, name: str, attribute: str) -> bool:
        return name in self.rule.params and name not in self.arrays and attribute in _ASKED

    def _omitted(self, func: Expr, place: str | int, expr: Expr) -> bool:
        """Tell whether an argument that the user left out can be left out here, too."""
        if not self._absent(expr):
            return False
        default = self.rule.defaults.get(expr.slot)  # type: ignore[union-attr]
        return not isinstance(func, Ref) or _has_default(func.value, place, default)

    def _absent(self, expr: Expr) -> bool:
        return (
            isinstance(expr, Var) and expr.slot in self.rule.params and expr.slot not in self.bound
        )

    def _kept(self, func: Expr, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
        while args and self._omitted(func, len(args) - 1, args[-1]):
            args = args[:-1]
        return args


@cache
def _has_default(function: Any, place: str | int, default: Expr | None) -> bool:
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
    if place not in parameters or default is None:
        return True
    own = parameters[place].default
    number = literal(default)
    value = default.value if isinstance(default, Const | Ref) else number
    # of a reduction that was not told, NumPy's own mark
    return own is np._NoValue or own == value


_Y_BAR = Var("y_bar", -1)
_ASKED: Mapping[str, Ref] = {
    "shape": Ref("np.shape", np.shape),
    "size": Ref("np.size", np.size),
    "ndim": Ref("np.ndim", np.ndim),
    "dtype": Ref("np.result_type", np.result_type),
    "T": Ref("np.transpose", np.transpose),
}


def _parts_read(value: Expr) -> frozenset[int | None]:
    """Return of which of several results an expression reads the adjoint; None: of all."""
    parts = [
        key.value
        for part in walk(value)
        if isinstance(part, Op) and part.op == "index" and part.args[0] == _Y_BAR
        for key in part.args[1:]
        if isinstance(key, Const)
    ]
    whole = sum(var == _Y_BAR for var in reads(value)) > len(parts)
    return frozenset([*parts, None] if whole else parts)


def _locals_read(value: Expr) -> set[str]:
    return {var.slot for var in reads(value)}


def _spliced(args: list[Expr]) -> tuple[Expr, ...]:
    """Write `f(*(a, b))` as `f(a, b)`."""
    out: list[Expr] = []
    for arg in args:
        match arg:
            case Op("star", (Op("tuple", parts),)):
                out += parts
            case _:
                out.append(arg)
    return tuple(out)


def _plus(total: Expr | None, term: Expr) -> Expr:
    match term:
        case _ if total is None:
            return term
        case Op("u-", (part,)):
            return Op("-", (total, part))
    return Op("+", (total, term))


# ---------------------------------------------------------------------------- literals

_FOLDS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def literal(expr: Expr) -> int | float | None:
    """Return the number that an expression spells, if it spells one."""
    match expr:
        case Const(bool()):
            return None
        case Const(int() | float() as value):
            return value
        case Op("u-", (Const(int() | float() as value),)) if not isinstance(value, bool):
            return -value
    return None


def number(value: int | float) -> Expr:
    """Spell a number; a negative one as minus a literal, as the parser reads it."""
    return Op("u-", (Const(-value),)) if value < 0 else Const(value)


def folded(op: str, parts: tuple[Expr, ...]) -> Expr:
    """Return an operation, computed if it is arithmetic on literals."""
    values = [literal(part) for part in parts]
    if op in _FOLDS and None not in values:
        return number(_FOLDS[op](*values))
    match op, parts:
        case "index", (Op("tuple", items), Const(int() as at)) if at < len(items):
            return items[at]
    if op == "u-" and values[0] is not None and values[0] < 0:
        return number(-values[0])
    return Op(op, parts)


def _method(form: Expr, param: str) -> str:
    """Return which method or attribute of a parameter an operation is, "" for others."""
    names = (
        each.name
        for each in walk(form)
        if isinstance(each, Attr) and each.value == local_var(param)
    )
    return next(names, "")


def _function(method: str) -> Ref | None:
    """Return the function of NumPy that takes floats, too, and does what a method does."""
    takes_arrays_only = method in ("astype", "T", "mT")
    found = None if takes_arrays_only else getattr(np, method, None)
    return None if found is None else Ref(f"np.{method}", found)


def _with_owner(part: Expr, param: str, owner: Expr) -> Expr:
    if isinstance(part, Attr) and part.value == local_var(param):
        return Attr(owner, part.name)
    return part
