"""What is asked for: its options, what the functions that answer are called, and the answer.

Request(misfit, ("m",), "jvp")      ->    misfit_jvp
its matrix, "jacobian"              ->    misfit_jacobian, which calls misfit_tangent

@public(Kept)
def vjp(function, wrt=None, *, argnums=None, **options)     s2sad.vjp(f, like=..., checkpoint=..., ...)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar

from s2sad.api.display.short import short
from s2sad.api.rules import Rules
from s2sad.emit.comments import Line
from s2sad.emit.constants import constant_text
from s2sad.emit.request import FORWARD, MATRICES
from s2sad.ir.records import dataclass, field
from s2sad.operators.in_force import Added
from s2sad.operators.schedules import Checkpoint, Schedules
from s2sad.types.kinds import kind_of

# what is made of the gradient of a function
SECOND = frozenset({"hvp", "hessian", "laplacian"})
GRADIENTS = ("grad", "value_and_grad")

# what is known of arguments, by name: the kind of each
Given = tuple[tuple[str, Any], ...]


def known_of(bound: Mapping[str, Any]) -> Given:
    """Return what is known of arguments, by parameter name: what a text is made for."""
    return tuple((name, kind_of(value)) for name, value in bound.items())


@dataclass(frozen=True)
class Request:
    """What is asked for: a function, with respect to what, and in which form.

    Forms are "grad", "value_and_grad" and "vjp" in reverse mode, "elementwise" (of each element of
    the result by its own of the argument), too; "jvp", "tangent" (of the result alone) and
    "directional" (along many directions) in forward mode, "hvp" (the Hessian times tangents),
    "hessian" and "laplacian" in both, "jacobian" in that of `mode`; "second" is the second
    derivative by a number. `single` tells that one argument was asked for by itself, whose adjoint
    comes in no tuple.
    """

    function: Any
    wrt: tuple[str, ...]
    form: str = "grad"
    single: bool = True
    mode: str = "reverse"
    # the array module of the text: "numpy", "cupy", or "dispatch", that of the arguments
    arrays: str = "numpy"
    # the function returns (value, aux), of which only the value is differentiated
    aux: bool = False
    given: Given | None = None
    # whether columns or rows are computed is decided by the shapes of arguments and result
    by_shape: bool = False
    # the derivative, if `function` is the text of one
    inner: Any = None
    # those of loops that keep few of their states, and the amount of memory they were chosen for
    schedules: Schedules | None = None
    memory: str | float | None = None
    # rules that are in force for this derivative
    rules: tuple[Added, ...] = ()
    # what else the docstring of the text says
    note: str = ""
    # results may be rounded in another way: sums and products in another order
    reassociate: bool = False
    # the arguments that `given` was read from
    examples: Mapping[str, Any] | None = field(default=None, compare=False, hash=False)
    # a gradient that is taken before, of which this is the tangent
    first: Gradient | None = None
    # no kinks where the function has none: it is differentiated again
    smooth: bool = False
    # the whole numbers that decide what is computed: the text is made for those of the examples
    known: frozenset[str] = frozenset()
    # what its function is called, where that does not follow from the function and the form
    name: str = ""

    def sweeps(self, for_any: bool) -> tuple[str, ...]:
        """Return the forms of a sweep that it can be made of, the first that is supported.

        Directions at once have an axis more than an argument, of which the text has to know the rank.
        """
        if self.form not in MATRICES:
            return (self.form,)
        if self.form != "jacobian":
            return ("hvp",)
        if self.mode == "reverse":
            return ("vjp",)
        return ("tangent",) if for_any else ("directional", "tangent")


@dataclass(frozen=True, slots=True)
class Gradient:
    """A gradient that is differentiated again: "grad" or "value_and_grad", of what, in a tuple or not."""

    wrt: tuple[str, ...]
    single: bool = True
    form: str = "grad"


def mode_of(form: str) -> str:
    """Return the mode of a form; a Jacobian is asked for in either."""
    return "forward" if form in FORWARD | SECOND else "reverse"


def name_of(request: Request) -> str:
    """Return the name of the derivative's function."""
    ending = "elementwise_grad" if request.form == "elementwise" else request.form
    called = str(subject(request).__name__)
    return request.name or f"{called if called.isidentifier() else 'f'}_{ending}"


def subject(request: Request) -> Any:
    """Return the function that a derivative is named after: that of a Hessian, not its gradient."""
    of_gradient = request.form in SECOND and hasattr(request.function, "request")
    return request.function.request.function if of_gradient else request.function


def bottom(function: Any) -> Any:
    """Return the function of the user's that a derivative is one of, of whatever order."""
    return bottom(function.request.function) if hasattr(function, "request") else function


# how the message of a text ends that met an object whose operators it does not know
NOT_FOLLOWED = "has operators of its own, which are not followed"


@dataclass(frozen=True)
class Derivative:
    """The text of a derivative, and the function to call in it.

    `messages` are what it says where it is not made for an argument, `bindings` what no text gives.
    """

    source: str
    name: str
    messages: frozenset[str]
    # the parameters that the primal writes to in place
    written: frozenset[str] = frozenset()
    # classes, and constants that can be changed where they stand, which is where a call reads them;
    # their texts, as `text_of` gives them
    live: Mapping[str, tuple[object, str]] = field(default_factory=dict)
    text_of: Callable[[object], str | None] = constant_text
    bindings: Mapping[str, object] = field(default_factory=dict)
    # those of the source, which know what they belong to
    lines: Sequence[Line] = ()

    @property
    def is_outdated(self) -> bool:
        """Whether a list, dict or array whose values the text holds has others by now."""
        return any(self.text_of(value) != text for value, text in self.live.values())


F = TypeVar("F", bound=Callable[..., Any])

One = str | int
Several = tuple[str | int, ...] | list[str | int]
Wrt = One | Several | None
Like = tuple[Any, ...] | None


class Shared(TypedDict, total=False):
    """What every derivative may be told."""

    like: Like
    rules: Rules


class Matrix(Shared, total=False):
    """What matrices may be told."""

    arrays: str


class Options(Matrix, total=False):
    """What one sweep may be told."""

    reassociate: bool


class Kept(Options, total=False):
    """What reverse mode may be told of the states it keeps."""

    checkpoint: Checkpoint
    memory: str | float | None


class Plain(Kept, total=False):
    """What reverse mode may be told of a function that returns nothing but what varies."""

    has_aux: Literal[False]


RAISES = """
Raises:
    ArgumentError: an argument that is no float, a result that is no scalar where one is asked for, a
        parameter that is not there, or arguments that do not fit.
    NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.
"""
# what stands for an option that is left out, where that is not None
LEFT_OUT = {"arrays": "numpy", "reassociate": False, "has_aux": False}


def public(options: type) -> Callable[[F], F]:
    """Return what makes a function one of those that users call with these options.

    Its signature names them, its docstring what it raises; its errors do not show what it calls.
    """
    asked = options.__annotations__

    def made(function: F) -> F:
        own = inspect.signature(function)
        known = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=LEFT_OUT.get(name))
            for name in asked
        ]
        whole = own.replace(parameters=[*known, *more])

        @functools.wraps(function)
        def called(*args: Any, **keywords: Any) -> Any:
            for name in keywords:
                if name not in whole.parameters:
                    problem = f"got an unexpected keyword argument {name!r}"
                    raise TypeError(f"{function.__name__}() {problem}")
            return function(*args, **keywords)

        shown: Any = short(called)
        shown.__signature__ = whole
        said, example, shows = inspect.cleandoc(function.__doc__ or "").partition("\nExample:")
        shown.__doc__ = f"{said}{RAISES}{example}{shows}"
        return shown  # type: ignore[no-any-return]

    return made
