"""What users call: a function in, its derivative as a function out.

df = s2sad.grad(misfit, wrt=("W", "m"))
W_bar, m_bar = df(W, m, d)
df.save("misfit_grad.py")

Type checkers see of what runs that a derivative takes what its function takes. No two forms take one
call: where a function takes np.ndarray, whose dtype may be any, mypy would not choose.
"""

# what comes back is told to type checkers alone
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, Unpack, overload

from s2sad.api.derive import derivative, either, one_of
from s2sad.api.request import Kept, Matrix, One, Options, Plain, Several, Wrt, public
from s2sad.operators.marks import DERIVES

if TYPE_CHECKING:
    from s2sad.api.typed import Derivative, Gradient, Taking, ValueAndGradient

P = ParamSpec("P")
X = TypeVar("X")
R = TypeVar("R")
A = TypeVar("A")
F = TypeVar("F", bound=Callable[..., Any])


@overload
def grad(function: F, wrt: None = None, **options: Unpack[Plain]) -> Gradient[F]: ...
@overload
def grad(
    function: Callable[P, Any], wrt: Several, **options: Unpack[Plain]
) -> Derivative[P, tuple[Any, ...]]: ...
@overload
def grad(
    function: Callable[P, tuple[Any, A]],
    wrt: Wrt = None,
    *,
    has_aux: Literal[True],
    argnums: Wrt = None,
    **options: Unpack[Kept],
) -> Derivative[P, tuple[Any, A]]: ...
@overload
def grad(function: Callable[P, Any], wrt: One, **options: Unpack[Plain]) -> Derivative[P, Any]: ...
@overload
def grad(
    function: Callable[P, Any], *, argnums: One | Several, **options: Unpack[Plain]
) -> Derivative[P, Any]: ...
@overload
def grad(
    function: Callable[P, Any],
    wrt: Wrt = None,
    *,
    has_aux: bool,
    argnums: Wrt = None,
    **options: Unpack[Kept],
) -> Derivative[P, Any]: ...
@public(Plain)
def grad(function: Any, wrt: Any = None, *, argnums: Any = None, **options: Any) -> Any:
    """Return the gradient of a scalar function, by default with respect to its first argument.

    `wrt` is a name or a position, or a tuple of them, for which a tuple of gradients comes back;
    `argnums` is another name for it; what `*args` and `**kwargs` take is named by position, as "args[0]",
    or by its key. `like` are arguments that the text is made for: what they are counts, not what is
    in them. With `has_aux` the function returns (value, aux), and (gradient, aux) comes back.
    `checkpoint` tells which states of long loops to keep: "sqrt", `Every(50)`, `Binomial(20)`,
    `Disk(folder)`, `Recompute()`, or a dict of these for "line 12" (a loop) or "march" (a function's).
    `memory`, such as "2 GB", chooses a schedule for arguments of the size of `like`.
    `arrays` is the module of the arrays: "numpy", "cupy", or "dispatch", that of the arguments.
    `reassociate` lets sums and products be rounded in another way where that makes the text shorter.
    `rules` are in force for this derivative alone: a text of templates, the Path of a file of them,
    what `rule_for` or `rules_from` gives, or a list of these.

    Returns:
        A function of the same parameters. Of an array of shape s it gives an array of shape s and of the
        same dtype; of a list, dict or object of arrays the same structure. Its unit is that of the
        result over that of the argument.

    Example:
        >>> def energy(x, k=2.0):
        ...     return 0.5 * k * np.sum(x * x)
        >>> df = s2sad.grad(energy)
        >>> df(np.array([1.0, -3.0]), k=4.0)
        array([  4., -12.])
        >>> float(s2sad.grad(energy, wrt=("x", "k"))(np.array([1.0, -3.0]))[1])
        5.0
    """
    return derivative("grad", function, wrt, argnums, **options)


@overload
def value_and_grad(  # type: ignore[overload-overlap]
    function: F, wrt: None = None, **options: Unpack[Plain]
) -> ValueAndGradient[F]: ...
@overload
def value_and_grad(
    function: Callable[P, R], wrt: Several, **options: Unpack[Plain]
) -> Derivative[P, tuple[R, tuple[Any, ...]]]: ...
@overload
def value_and_grad(
    function: Callable[P, R], wrt: One, **options: Unpack[Plain]
) -> Derivative[P, tuple[R, Any]]: ...
@overload
def value_and_grad(
    function: Callable[P, R], *, argnums: One | Several, **options: Unpack[Plain]
) -> Derivative[P, tuple[R, Any]]: ...
@overload
def value_and_grad(
    function: Callable[P, R],
    wrt: Wrt = None,
    *,
    has_aux: bool,
    argnums: Wrt = None,
    **options: Unpack[Kept],
) -> Derivative[P, tuple[R, Any]]: ...
@public(Plain)
def value_and_grad(function: Any, wrt: Any = None, *, argnums: Any = None, **options: Any) -> Any:
    """Return a function that gives (value, gradient), as scipy's minimize(jac=True) wants it.

    With `has_aux` the function returns (value, aux), and ((value, aux), gradient) comes back.

    Returns:
        A function of the same parameters that gives the value beside what `grad` gives.

    Example:
        >>> from scipy.optimize import minimize
        >>> def bowl(x):
        ...     return np.sum((x - 3.0) ** 2)
        >>> value, gradient = s2sad.value_and_grad(bowl)(np.zeros(2))
        >>> float(value), gradient
        (18.0, array([-6., -6.]))
        >>> minimize(s2sad.value_and_grad(bowl), np.zeros(2), jac=True).x.round(6)
        array([3., 3.])
    """
    return derivative("value_and_grad", function, wrt, argnums, **options)


@overload
def vjp(
    function: Callable[Concatenate[X, ...], Any], wrt: None = None, **options: Unpack[Kept]
) -> Taking[X]: ...
@overload
def vjp(
    function: Callable[..., Any], wrt: One | Several, **options: Unpack[Kept]
) -> Taking[Any]: ...
@overload
def vjp(
    function: Callable[..., Any], *, argnums: One | Several, **options: Unpack[Kept]
) -> Taking[Any]: ...
@public(Kept)
def vjp(function: Any, wrt: Any = None, *, argnums: Any = None, **options: Any) -> Any:
    """Return a function that takes `seed`, the adjoint of the result, last and gives adjoints.

    Returns:
        A function of the same parameters and `seed`, which is shaped like the result; what it gives is
        shaped like the arguments of `wrt`: the seed times the Jacobian.

    Example:
        >>> def squares(x):
        ...     return x * x
        >>> s2sad.vjp(squares)(np.array([1.0, 2.0]), seed=np.array([1.0, 10.0]))
        array([ 2., 40.])
    """
    return derivative("vjp", function, wrt, argnums, **options)


@public(Options)
def jvp(
    function: Callable[..., R], wrt: Wrt = None, *, argnums: Wrt = None, **options: Unpack[Options]
) -> Taking[tuple[R, R]]:
    """Return a function that takes a tangent for each of `wrt` last and gives (value, tangent).

    Returns:
        A function of the same parameters and of a tangent for each of `wrt`, by name `x_dot`, shaped
        like x. It gives (value, tangent); the tangent is shaped like the value: the Jacobian times
        the tangents.

    Example:
        >>> def squares(x):
        ...     return x * x
        >>> s2sad.jvp(squares)(np.array([1.0, 2.0]), x_dot=np.array([1.0, 10.0]))
        (array([1., 4.]), array([ 2., 40.]))
    """
    return derivative("jvp", function, wrt, argnums, **options)


@public(Options)
def directional(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    argnums: Wrt = None,
    **options: Unpack[Options],
) -> Taking[Any]:
    """Return a function that takes many directions of each of `wrt` last, all in one sweep.

    Directions are tangents along a first axis: those of x have the shape `(k, *x.shape)`. What comes
    back are the derivatives along each, of shape `(k, *result.shape)`. An operation that has no form
    for many directions is refused with Unsupported: there `jvp` takes one at a time.

    Example:
        >>> def squares(x):
        ...     return x * x
        >>> s2sad.directional(squares)(np.array([1.0, 2.0]), np.eye(2))
        array([[2., 0.],
               [0., 4.]])
    """
    return derivative("directional", function, wrt, argnums, **options)


@overload
def hvp(
    function: Callable[Concatenate[X, ...], Any], wrt: None = None, **options: Unpack[Options]
) -> Taking[X]: ...
@overload
def hvp(
    function: Callable[..., Any], wrt: One | Several, **options: Unpack[Options]
) -> Taking[Any]: ...
@overload
def hvp(
    function: Callable[..., Any], *, argnums: One | Several, **options: Unpack[Options]
) -> Taking[Any]: ...
@public(Options)
def hvp(function: Any, wrt: Any = None, *, argnums: Any = None, **options: Any) -> Any:
    """Return the Hessian of a scalar function times tangents, which are taken last.

    There is one for each of `wrt`, by name `x_dot`, shaped like x. What comes back is like the gradient.
    One sweep forward over reverse.

    Example:
        >>> def quartic(x):
        ...     return np.sum(x**4)
        >>> s2sad.hvp(quartic)(np.array([1.0, 2.0]), x_dot=np.array([1.0, 1.0]))
        array([12., 48.])
    """
    return derivative("hvp", function, wrt, argnums, **options)


@overload
def elementwise_grad(function: F, wrt: None = None, **options: Unpack[Matrix]) -> Gradient[F]: ...
@overload
def elementwise_grad(
    function: Callable[P, Any], wrt: One, **options: Unpack[Matrix]
) -> Derivative[P, Any]: ...
@overload
def elementwise_grad(
    function: Callable[P, Any], *, argnums: One, **options: Unpack[Matrix]
) -> Derivative[P, Any]: ...
@public(Matrix)
def elementwise_grad(function: Any, wrt: Any = None, *, argnums: Any = None, **options: Any) -> Any:
    """Return the derivative of each element of the result by the same element of one argument.

    The function maps each element by itself, as NumPy's ufuncs do: of others this is the sum over
    the rows of the Jacobian. A result of another shape than the argument is refused.

    Example:
        >>> def bump(x):
        ...     return x * np.exp(-x)
        >>> s2sad.elementwise_grad(bump)(np.array([0.0, 1.0]))
        array([1., 0.])
    """
    names = one_of(either(wrt, argnums), "elementwise_grad")
    return derivative("elementwise", function, names, **options)


# a function of the user's may take a derivative inside: see the lowering
for _each in (grad, value_and_grad, vjp, jvp, elementwise_grad, hvp):
    setattr(_each, DERIVES, _each.__name__)
