"""What is asked for, what the functions that answer it are called, and the answer.

Request(misfit, "forward", ("m",), ...)    ->    misfit_jvp
its matrix, form="jacobian"                ->    misfit_jacobian, which calls misfit_tangent
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from s2sad.emit.constants import constant_text
from s2sad.operators.in_force import Added
from s2sad.operators.schedules import Schedules
from s2sad.types.kinds import Kind, kind_of

# what is computed sweep by sweep, a column or a row at a time
MATRICES = frozenset({"jacobian", "hessian", "laplacian"})
# what is made of the gradient of a function
SECOND = frozenset({"hvp", "hessian", "laplacian"})


# what is known of arguments, by name: a Kind of each
Given = tuple[tuple[str, Kind], ...]


def known_of(bound: Mapping[str, Any]) -> Given:
    """Return what is known of arguments, by parameter name: what a text is made for."""
    return tuple((name, kind_of(value)) for name, value in bound.items())


@dataclass(frozen=True)
class Request:
    """What is asked for: a function, a mode, with respect to what, and what is known."""

    function: Any
    mode: str
    wrt: tuple[str, ...]
    single: bool
    value: bool
    seed: bool
    given: Given | None
    # what is made of the derivative: "hvp", "jacobian", ...; "" is the derivative itself
    form: str = ""
    # the function returns (value, aux), of which only the value is differentiated
    aux: bool = False
    # whether columns or rows are computed is decided by the shapes of arguments and result
    by_shape: bool = False
    # the derivative, if `function` is the text of one
    inner: Any = None
    schedules: Schedules | None = None
    # rules that are in force for this derivative
    rules: tuple[Added, ...] = ()
    # the amount of memory that the schedules were chosen for
    memory: str | float | None = None
    # what else the docstring of the text says
    note: str = ""
    # tangents are those along many directions at once, with an axis of directions in front
    directions: bool = False
    # results may be rounded in another way: sums and products in another order
    reassociate: bool = False
    # the array module of the text: "numpy", "cupy", or "dispatch", that of the arguments
    arrays: str = "numpy"
    # the arguments that `given` was read from
    examples: Mapping[str, Any] | None = field(default=None, compare=False, hash=False)


def name_of(request: Request) -> str:
    """Return the name of the derivative's function."""
    ending = "jvp" if request.mode == "forward" else "grad"
    if request.form:
        ending = "elementwise_grad" if request.form == "elementwise" else request.form
    elif request.seed:
        ending = "vjp"
    elif request.mode == "reverse" and request.value:
        ending = "value_and_grad"
    return f"{identifier(subject(request))}_{ending}"


def subject(request: Request) -> Any:
    """Return the function that a derivative is named after: that of a Hessian, not its gradient."""
    if request.form in SECOND:
        return (request.inner or request.function).request.function
    return request.function


def identifier(function: Any) -> str:
    name = str(function.__name__)
    return name if name.isidentifier() else "f"


# how the message of a text ends that met an object whose operators it does not know
NOT_FOLLOWED = "has operators of its own, which are not followed"


@dataclass(frozen=True)
class Derivative:
    """The text of a derivative, the function to call in it, and what it was made from."""

    source: str
    name: str
    bindings: Mapping[str, object]
    assumptions: frozenset[str]
    # constants that can be changed where they stand, which is where a call reads them; their texts
    live: Mapping[str, tuple[object, str]] = field(default_factory=dict)
    # the parameters that the primal writes to in place
    written: frozenset[str] = frozenset()
    text_of: Callable[[object], str | None] = constant_text

    @property
    def is_outdated(self) -> bool:
        """Whether a list, dict or array whose values the text holds has others by now."""
        return any(self.text_of(value) != text for value, text in self.live.values())
