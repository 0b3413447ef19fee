"""A line of a rule is filled in: its holes become what the sweep has for them, lists become arrays.

fill(line of `x_bar = y_bar * np.cos(x)`, {"y_bar": g, "x": u}, infer)     g * np.cos(u)

What is not known to be an array is asked for its shape by a function: `a.size` becomes `np.size(a)`.

np.maximum.reduce([u, v])    np.maximum.reduce(np.array([u, v]))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from s2sad.ir.expression import Expr, call, global_, keywords, object_of, positional, text_of_call
from s2sad.ir.records import dataclass
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Tuple
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import reads_shape_only
from s2sad.operators.algebra import Algebra, Infer
from s2sad.operators.guards import is_display
from s2sad.operators.hooks.making import has_star
from s2sad.operators.rule import Line


class Holes(Protocol):
    """What the names of a line stand for: a dict, or what makes it as it is asked for."""

    def __getitem__(self, named: str, /) -> Expr: ...


ShapeOf = Callable[[str, bool], Expr | None]


def fill(
    line: Line | Expr, holes: Holes, infer: Infer, shape_of: ShapeOf = lambda *_: None
) -> Expr:
    """Return the right side of a line with its holes filled in, built by the algebra.

    Where a value is asked for its shape only, `shape_of` may give something cheaper of that shape;
    its second argument tells whether the kind of its numbers counts, too.
    """
    value = line.value if isinstance(line, Line) else line
    filling = _Filling(Algebra(infer), holes, shape_of)
    found = filling.filled(value, False)
    return filling.number(value, found) if isinstance(line, Line) and line.is_local else found


@dataclass(frozen=True, slots=True)
class _Filling:
    algebra: Algebra
    holes: Holes
    shape_of: ShapeOf

    def filled(self, expr: Expr, shape_only: bool, of_kind: bool = True) -> Expr:
        if expr.op == "name":
            named = expr.data.name
            cheaper = self.shape_of(named, of_kind) if shape_only else None
            return self.holes[named] if cheaper is None else cheaper
        if not expr.args:
            return expr
        only = reads_shape_only(expr)
        of_kind = expr.op != "attribute"
        asked = 1 if of_kind else 0
        args = [self.filled(arg, only and k == asked, of_kind) for k, arg in enumerate(expr.args)]
        if expr.op == "call":
            return self._call(expr, args)
        if expr.op == "slice":
            return Expr("slice", tuple(args), None, Other(slice))
        if expr.op == "binary":
            args = [self.number(*pair) for pair in zip(expr.args, args, strict=True)]
        if expr.op == "starred":
            return expr.with_args(args)
        return self.algebra.node(expr, tuple(args))

    def number(self, hole: Expr, arg: Expr) -> Expr:
        """Return an operand of an operator, an array in place of a list that the user wrote."""
        is_list = hole.op == "name" and (arg.op == "list" or (arg.op == "global" and _is_list(arg)))
        return self.algebra.call(ARRAY, arg) if is_list else arg

    def _call(self, expr: Expr, args: list[Expr]) -> Expr:
        made = expr.with_args(args)
        spread = [part for arg in positional(made) for part in _spread(arg)]
        return self.algebra.call(args[0], *spread, **keywords(made))


def _spread(arg: Expr) -> tuple[Expr, ...]:
    """Return `*(a, b)` as a and b."""
    is_written_out = arg.op == "starred" and arg.args[0].op == "tuple"
    return arg.args[0].args if is_written_out else (arg,)


ARRAY = global_("np.array", np.array)


def with_arrays(
    expr: Expr, infer: Callable[[Expr], Expr], may_vary: Callable[[Expr], bool]
) -> Expr:
    """Return a call with an array for each list that is written out, and for all that do not vary."""
    if expr.op == "binary":
        return beside_array(expr, infer)
    text = text_of_call(expr)
    if not text:
        return expr
    function, *args = expr.args
    is_numpy = text.startswith("np.") and text != "np.array"

    def as_array(arg: Expr) -> Expr:
        is_shown = is_numpy and is_display(arg) and not has_star(arg)
        is_given = _is_list(arg) or (is_shown and arg.op == "list")
        if not (is_shown if may_vary(arg) else is_given):
            return arg
        made = infer(call(ARRAY, arg))
        may_be_none = is_shown or isinstance(arg.type, Reference)
        return arg if may_be_none and not isinstance(made.type, Array) else made

    return expr.with_args((function, *map(as_array, args)))


def beside_array(expr: Expr, infer: Callable[[Expr], Expr]) -> Expr:
    """Return an operation with an array for what NumPy makes one of: w of x * w, a list or tuple."""
    if not any(isinstance(a.type, Numeric) or makes_array(a, expr.data) for a in expr.args):
        return expr
    lists = (Reference, SequenceType, Tuple)
    made = [infer(call(ARRAY, a)) if isinstance(a.type, lists) else a for a in expr.args]
    return expr.with_args(
        m if isinstance(m.type, Array) else a for m, a in zip(made, expr.args, strict=True)
    )


def makes_array(operand: Expr, symbol: str) -> bool:
    """Tell whether NumPy makes an array of a list beside an operand; by "*" numbers repeat lists."""
    is_number = isinstance(operand.type, Number) and operand.type.boxed is True and symbol != "*"
    return isinstance(operand.type, Array) or is_number


def _is_list(arg: Expr) -> bool:
    if isinstance(arg.type, SequenceType):
        return arg.type.cls in (list, tuple)
    return isinstance(arg.type, Reference) or isinstance(object_of(arg), list | tuple)
