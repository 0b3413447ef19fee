"""The text of a template becomes a Rule: patterns to match and right-hand sides to fill in.

    def tanh(x):                           Rule("tanh", params=("x",),
        y = np.tanh(x)             ->           patterns=(np.tanh(x),),
        x_bar = y_bar * (1.0 - y**2)            lines=(Line("x", y_bar * (1.0 - y**2)),))

Templates are read (reading.py), never run. In a template's expressions every name that is not
NumPy's, SciPy's, math's, a builtin or a printed function is a `Var` of version -1: a parameter, `y`,
`y_bar`, a tangent such as `x_dot`, or the target of an earlier line.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from types import FunctionType
from typing import Any

from s2sad.legacy.program import Expr, Var
from s2sad.source.trees import nodes_of

ELEMENTWISE = "elementwise"  # y_dot: each line with x_dot in place of y_bar, summed
LINEAR = "linear"  # y_dot: the statement with x_dot in place of x, summed
JOINT = "joint"  # y_dot: the statement with every x_dot at once, zeros for the rest
PARTS = "parts"  # several results: y_dot[i] = ..., or, without such lines, as for JOINT
TWIN = "twin"  # differentiated as a printed function which gives the same (twins.py)
CONSTANT = "constant"  # marks a parameter through which no derivative flows
PRINTED_FUNCTION = "printed"  # the value of a Ref to a function of printed.py

# ---------------------------------------------------------------------------- what a rule is


@dataclass(frozen=True, slots=True)
class Line:
    """`target = value`; the target is a local, or the parameter that `value` contributes to.

    `part` says of which of several results a tangent is: `y_dot[1] = ...`.
    """

    target: str
    value: Expr
    local: bool = False
    part: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One template: how some spellings of an operation are differentiated."""

    name: str
    family: str
    params: tuple[str, ...]
    patterns: tuple[Expr, ...]
    lines: tuple[Line, ...] = ()
    tangent: tuple[Line, ...] = ()
    defaults: Mapping[str, Expr] = field(default_factory=dict)
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)  # the largest that it is for
    classes: Mapping[str, tuple[type, ...]] = field(
        default_factory=dict
    )  # of objects (instances.py)
    samples: Mapping[str, tuple[ast.expr, ...]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[ast.expr, ...]] = field(default_factory=dict)
    doc: str = ""
    file: str = ""
    line: int = 0
    holomorphic: bool = False  # holds for complex values as it stands

    @property
    def differentiable(self) -> frozenset[str]:
        """Return the parameters that an adjoint flows to; of twins, those that have shapes."""
        if self.family == TWIN:
            return frozenset(self.shapes)
        return frozenset(line.target for line in self.lines if not line.local)

    @property
    def broadcasts(self) -> frozenset[str]:
        """Return the parameters whose contribution may have a larger shape than they have."""
        return self.differentiable if self.family == ELEMENTWISE else frozenset()

    @property
    def constant(self) -> bool:
        """Tell whether the derivative is zero with respect to every parameter."""
        return not self.differentiable


def local_var(name: str) -> Var:
    """Return what stands for a template's own name in its expressions."""
    return Var(name, -1)


# ---------------------------------------------------------------------------- where they are


@cache
def template_texts() -> Mapping[str, str]:
    """Return the text of every template file by its name, in alphabetical order."""
    found = sorted(_template_folder().iterdir(), key=lambda entry: entry.name)
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in found
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }


def _template_folder() -> Any:
    checkout = Path(__file__).resolve().parent.parent.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "templates").is_dir():
        return checkout / "templates"  # its own, whatever else is installed
    try:
        return files("s2sad.templates")
    except ModuleNotFoundError:
        return Path(__file__).resolve().parent.parent.parent / "templates"


# ---------------------------------------------------------------------------- printed functions

REWRITES = "rewrites"  # what the names of the files with rewrites of expressions start with
PRINTED = "printed"  # what the names of the files with these functions start with
# the derivatives of flows, which are not read but have derivatives as flows do (solvers/again.py)
OF_FLOWS = frozenset({"_solve_ivp_back", "_solve_ivp_ahead", "_odeint_back", "_odeint_ahead"})
# what tells and sets where draws go on from: called as they are, in the order of the text
OF_DRAWS = frozenset({"_random_state", "_set_random_state"})
# what positions are saved in
INTEGERS = "_integers"
# what keeps states in files, likewise
SCRATCH, TO_DISK, FROM_DISK = "_scratch", "_to_disk", "_from_disk"
OF_FILES = frozenset({SCRATCH, TO_DISK, FROM_DISK})


@cache
def _printed() -> Mapping[str, tuple[str, tuple[str, ...]]]:
    texts = (text for file, text in template_texts().items() if file.startswith(PRINTED))
    functions = [each for text in texts for each in _functions(text)]
    own = {node.name for node, _ in functions}
    found = {}
    for node, source in functions:
        named = {n.id for n in nodes_of(node) if isinstance(n, ast.Name)} & own - {node.name}
        found[node.name] = source + "\n", tuple(sorted(named))
    return found


def _functions(text: str) -> Iterator[tuple[ast.FunctionDef, str]]:
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            yield node, "\n".join(lines[node.lineno - 1 : node.end_lineno])


def printed_names() -> tuple[str, ...]:
    """Return the names of the functions that right-hand sides may call."""
    return tuple(_printed())


def printed_name(function: Any) -> str:
    """Return the name of a printed function that stands in emitted text, '' of any other."""
    if not isinstance(function, FunctionType) or function.__name__ not in _printed():
        return ""
    return _printed_name(function)


@lru_cache(maxsize=512)
def _printed_name(function: FunctionType) -> str:
    try:
        text = inspect.getsource(function)
        own = ast.dump(ast.parse(text))
    except (OSError, TypeError, SyntaxError):
        return ""
    printed = ast.dump(ast.parse(printed_source(function.__name__)))
    return function.__name__ if own == printed else ""


def is_of_a_flow(function: Any) -> bool:
    """Tell whether a function is the printed derivative of a flow."""
    return printed_name(function) in OF_FLOWS


def is_of_draws(function: Any) -> bool:
    """Tell whether a function is printed to have passes draw the same again."""
    return printed_name(function) in OF_DRAWS


def is_of_states(function: Any) -> bool:
    """Tell whether a function is printed to keep states of loops, and is called where it stands."""
    return printed_name(function) in OF_DRAWS | OF_FILES


def printed_source(name: str) -> str:
    """Return the text of one printed function."""
    return _printed()[name][0]


def printed_uses(name: str) -> tuple[str, ...]:
    """Return the printed functions that a printed function itself calls."""
    return _printed()[name][1]
