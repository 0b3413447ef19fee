"""A call of one of SciPy's solvers: the user's function in it, its arguments, and the rest.

brentq(f, 0.0, 1.0, args=(k,))    Task(f, args=(k,), given={"a": 0.0, "b": 1.0})
root(f, x0).x                     what is read of an object that a solver gives
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import Parameter
from types import FunctionType

from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref
from s2sad.legacy.solvers.written import misfit_of
from s2sad.source.optional import PREFIX, SOLVERS
from s2sad.source.text import signature_of

FUNCTIONS = ("f", "fun", "func")
# what is read of those that give an object
ATTRIBUTES: Mapping[str, str] = {
    "optimize.root_scalar": "root",
    "optimize.root": "x",
    "optimize.minimize": "x",
    "optimize.minimize_scalar": "x",
    "optimize.least_squares": "x",
    "integrate.solve_ivp": "y",
}
FLOWS = frozenset({"integrate.odeint", "integrate.solve_ivp"})
PLAIN = (Const(None), Const(False), Const(0))
NO_ARGS = Op("tuple", ())


@dataclass(frozen=True, slots=True)
class Task:
    """What is solved: for which function, with which further arguments, and how."""

    name: str
    call: Call
    function: Ref
    args: tuple[Expr, ...]
    given: Mapping[str, Expr]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the function's parameters; none of a compiled one."""
        if not isinstance(self.function.value, FunctionType):
            return ()
        return tuple(signature_of(self.function.value).parameters)

    @property
    def later(self) -> tuple[str, ...]:
        """Return the names of the parameters that `args` is handed on to."""
        start = 2 if self.name in FLOWS else 1
        return self.parameters[start : start + len(self.args)]

    @property
    def shown_args(self) -> Op:
        """Return the further arguments as a tuple."""
        return Op("tuple", self.args)

    def keywords(self, *names: str) -> tuple[tuple[str, Expr], ...]:
        """Return those of the given arguments as keywords."""
        return tuple((name, self.given[name]) for name in names if name in self.given)


def solver_name(call: Expr) -> str:
    """Return the short name of a solver of SciPy's; '' of any other call."""
    text = call.func.text if isinstance(call, Call) and isinstance(call.func, Ref) else ""
    name = text.removeprefix(PREFIX) if text.startswith(PREFIX) else ""
    return name if name in SOLVERS else ""


def takes_args(call: Call) -> bool:
    """Tell whether a call is that of a solver which hands more arguments on."""
    # what curve_fit is given more of goes to the solver that it calls
    takes = solver_name(call) not in ("", "optimize.curve_fit")
    bound = _bound(call) if takes else None
    return bound is not None and isinstance(bound.get("args", NO_ARGS), Op)


def _bound(call: Call) -> dict[str, Expr] | None:
    assert isinstance(call.func, Ref)
    try:
        bound = inspect.signature(call.func.value).bind(*call.args, **dict(call.keywords))
    except TypeError:
        return None
    found = dict(bound.arguments)
    if solver_name(call) == "integrate.solve_ivp":
        found |= found.pop("options", {})
    if solver_name(call) == "optimize.curve_fit":
        found |= found.pop("kwargs", {})
    return found


def task_of(value: Expr) -> Task | None:
    """Return what a value is the solution of; None where it is none that has a derivative."""
    attribute, call = "", value
    if isinstance(value, Attr):
        attribute, call = value.name, value.value
    name = solver_name(call)
    if not name or ATTRIBUTES.get(name, "") != attribute or not isinstance(call, Call):
        return None
    bound = _bound(call) or {}
    function = next((bound.pop(key) for key in FUNCTIONS if key in bound), None)
    args = bound.pop("args", NO_ARGS)
    known = {key: each for key, each in bound.items() if key in SOLVERS[name].split()}
    if not isinstance(function, Ref) or not callable(function.value):
        return None
    if any(each not in PLAIN for key, each in bound.items() if key not in known):
        return None
    parts = args.args if isinstance(args, Op) and args.op == "tuple" else (args,)
    if name == "optimize.curve_fit":
        return _fit(call, function, known)
    task = Task(name, call, function, tuple(parts) if args != Const(None) else (), known)
    return _with_defaults(task)


def _fit(call: Call, function: Ref, given: Mapping[str, Expr]) -> Task | None:
    """Return the task of a fit: half the sum of squares is as small as it can be."""
    known = isinstance(function.value, FunctionType) and not _has_more(function.value)
    if not known or not {"xdata", "ydata"} <= given.keys():
        return None
    weighted = given.get("sigma", Const(None)) != Const(None)
    made = misfit_of(function.value, weighted)
    args = (given["xdata"], given["ydata"], *((given["sigma"],) if weighted else ()))
    return Task("optimize.curve_fit", call, Ref(made.__name__, made), args, given)


def _has_more(function: FunctionType) -> bool:
    """Tell whether a function takes *args, **kwargs or arguments by name alone."""
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return any(each.kind not in kinds for each in signature_of(function).parameters.values())


def _with_defaults(task: Task) -> Task | None:
    """Return a task that hands on all that its function takes; None where a default has no text.

    The derivatives of a function take all by position: nothing may be left out.
    """
    start = 2 if task.name in FLOWS else 1
    left = task.parameters[start + len(task.args) :]
    if not left:
        return task
    given = signature_of(task.function.value).parameters
    values = [given[name].default for name in left]
    if Parameter.empty in values:
        return task  # what is left out is handed over in another way
    if not all(isinstance(value, int | float | str | None) for value in values):
        return None
    return replace(task, args=(*task.args, *map(Const, values)))
