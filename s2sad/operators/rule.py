"""What a template says: the spellings of an operation and the lines of its derivative.

    def tanh(x):                           Rule("tanh", params=("x",),
        y = np.tanh(x)             ->           patterns=(np.tanh(x),),
        x_bar = y_bar * (1.0 - y**2)            lines=(Line("x", y_bar * (1.0 - y**2)),))

Every name in the expressions of a rule is a hole: a parameter, `y`, `y_bar`, a tangent such as
`x_dot`, or the target of an earlier line.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from s2sad.ir.expression import Expr, Variable, name
from s2sad.ir.records import dataclass, field
from s2sad.ir.walk import reads
from s2sad.operators.custom import Custom

ELEMENTWISE = "elementwise"  # y_dot: each line with x_dot in place of y_bar, summed
LINEAR = "linear"  # y_dot: the operation with x_dot in place of x, summed
JOINT = "joint"  # y_dot: the operation with every x_dot at once, zeros for the rest
PARTS = "parts"  # several results: y_dot[i] = ..., or, without such lines, as for JOINT
TWIN = "twin"  # differentiated as a printed function that gives the same
CONSTANT = "constant"  # also the mark of a parameter through which no derivative flows


@dataclass(frozen=True, slots=True)
class Line:
    """`target = value`; the target is a local, or the parameter that `value` contributes to.

    `part` says of which of several results a tangent is: `y_dot[1] = ...`.
    """

    target: str
    value: Expr
    is_local: bool = False
    part: int | None = None

    @property
    def reads(self) -> Mapping[str, bool]:
        """Return the holes that the line reads: False where it asks a value for its shape only."""
        found: dict[str, bool] = {}
        for variable, content in reads(self.value):
            found[variable.name] = found.get(variable.name, False) or content
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One template: how some spellings of an operation are differentiated."""

    name: str
    family: str
    params: tuple[str, ...]
    patterns: tuple[Expr, ...] = ()
    lines: tuple[Line, ...] = ()
    tangent: tuple[Line, ...] = ()
    defaults: Mapping[str, Expr] = field(default_factory=dict)
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)  # the largest that it is for
    classes: Mapping[str, tuple[type, ...]] = field(default_factory=dict)
    samples: Mapping[str, tuple[ast.expr, ...]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[ast.expr, ...]] = field(default_factory=dict)
    doc: str = ""
    file: str = ""
    line: int = 0
    holomorphic: bool = False  # holds for complex values as it stands
    pair: Custom | None = None  # of a rule that two functions are

    @property
    def differentiable(self) -> frozenset[str]:
        """Return the parameters that an adjoint flows to; of a twin, those that have shapes."""
        if self.family == TWIN:
            return frozenset(self.shapes)
        return frozenset(line.target for line in self.lines if not line.is_local)

    @property
    def broadcasts(self) -> frozenset[str]:
        """Return the parameters whose contribution may have a larger shape than they have."""
        return self.differentiable if self.family == ELEMENTWISE else frozenset()

    @property
    def is_constant(self) -> bool:
        """Tell whether the derivative is zero with respect to every parameter."""
        return not self.differentiable

    def is_marked(self, param: str, word: str) -> bool:
        """Tell whether a parameter has a word in its annotation."""
        return word in self.marks.get(param, ())


def hole(named: str) -> Expr:
    """Return what stands for a value in the expressions of a rule."""
    return name(Variable(named))
