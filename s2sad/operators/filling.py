"""A line of a rule is filled in: its holes become what the sweep has for them.

fill(line of `x_bar = y_bar * np.cos(x)`, {"y_bar": g, "x": u}, infer)     g * np.cos(u)

What is not known to be an array is asked for its shape by a function: `a.size` becomes `np.size(a)`.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.expression import Expr, keywords, positional
from s2sad.ir.records import dataclass
from s2sad.ir.types import Other
from s2sad.ir.walk import reads_shape_only
from s2sad.operators.algebra import Algebra, Infer
from s2sad.operators.rule import Line

Holes = Mapping[str, Expr]
NO_HOLES: Holes = {}


def fill(
    line: Line | Expr,
    holes: Holes,
    infer: Infer,
    shapes: Holes = NO_HOLES,
    reassociate: bool = False,
) -> Expr:
    """Return the right side of a line with its holes filled in, built by the algebra.

    Where a value is asked for its shape only, `shapes` may have something cheaper of that shape.
    """
    value = line.value if isinstance(line, Line) else line
    return _Filling(Algebra(infer, reassociate), holes, shapes).filled(value, False)


@dataclass(frozen=True, slots=True)
class _Filling:
    algebra: Algebra
    holes: Holes
    shapes: Holes

    def filled(self, expr: Expr, shape_only: bool) -> Expr:
        if expr.op == "name":
            named = expr.data.name
            cheaper = self.shapes.get(named) if shape_only else None
            return self.holes[named] if cheaper is None else cheaper
        if not expr.args:
            return expr
        only = reads_shape_only(expr)
        places = self._operands(expr)
        args = [self.filled(arg, only and place in places) for place, arg in enumerate(expr.args)]
        if expr.op == "call":
            return self._call(expr, args)
        if expr.op == "slice":
            return Expr("slice", tuple(args), None, Other(slice))
        if expr.op == "starred":
            return expr.with_args(args)
        return self.algebra.node(expr, tuple(args))

    def _operands(self, expr: Expr) -> tuple[int, ...]:
        return (0,) if expr.op == "attribute" else (1,)

    def _call(self, expr: Expr, args: list[Expr]) -> Expr:
        made = expr.with_args(args)
        spread = [part for arg in positional(made) for part in _spread(arg)]
        return self.algebra.call(args[0], *spread, **keywords(made))


def _spread(arg: Expr) -> tuple[Expr, ...]:
    """Return `*(a, b)` as a and b."""
    is_written_out = arg.op == "starred" and arg.args[0].op == "tuple"
    return arg.args[0].args if is_written_out else (arg,)
