"""What users call: a function in, its derivative as a function out.

df = s2sad.grad(misfit, wrt=("W", "m"))
W_bar, m_bar = df(W, m, d)
df.save("misfit_grad.py")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from s2sad.api.callable import DerivativeFunction
from s2sad.api.derive import (
    Like,
    Rules,
    derivative,
    kept_in_part,
    of_gradient,
    request_for,
    scheduled,
)
from s2sad.api.display.short import short
from s2sad.api.parameters import Wrt, bound_examples, either, one_of
from s2sad.api.request import Request, known_of
from s2sad.api.results import mode_for, result_of
from s2sad.api.texts import text_for
from s2sad.ir.errors import NotYet, Unsupported
from s2sad.ir.records import replace
from s2sad.ir.remedies import refusal
from s2sad.operators.marks import DERIVES
from s2sad.operators.schedules import Checkpoint

if TYPE_CHECKING:
    from s2sad.api.display.explanation import Explanation
    from s2sad.api.sparse import SparseMatrix


@short
def grad(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    argnums: Wrt = None,
    has_aux: bool = False,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
    arrays: str = "numpy",
    rules: Rules = None,
    reassociate: bool = False,
) -> DerivativeFunction:
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

    Raises:
        ArgumentError: an argument that is no float, a result that is no scalar, a parameter that is
            not there, or arguments that do not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def energy(x, k=2.0):
        ...     return 0.5 * k * np.sum(x * x)
        >>> df = s2sad.grad(energy)
        >>> df(np.array([1.0, -3.0]), k=4.0)
        array([  4., -12.])
        >>> float(s2sad.grad(energy, wrt=("x", "k"))(np.array([1.0, -3.0]))[1])
        5.0
    """
    names = either(wrt, argnums)
    options = {"rules": rules, "aux": has_aux, "arrays": arrays, "reassociate": reassociate}
    return kept_in_part(function, names, like, checkpoint, memory, **options)


@short
def value_and_grad(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    argnums: Wrt = None,
    has_aux: bool = False,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
    arrays: str = "numpy",
    rules: Rules = None,
    reassociate: bool = False,
) -> DerivativeFunction:
    """Return a function that gives (value, gradient), as scipy's minimize(jac=True) wants it.

    With `has_aux` the function returns (value, aux), and ((value, aux), gradient) comes back.

    Returns:
        A function of the same parameters that gives the value beside what `grad` gives.

    Raises:
        ArgumentError: an argument that is no float, a result that is no scalar, a parameter that is
            not there, or arguments that do not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

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
    names = either(wrt, argnums)
    options = {"rules": rules, "aux": has_aux, "arrays": arrays, "reassociate": reassociate}
    options["form"] = "value_and_grad"
    return kept_in_part(function, names, like, checkpoint, memory, **options)


@short
def vjp(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    argnums: Wrt = None,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
    arrays: str = "numpy",
    rules: Rules = None,
    reassociate: bool = False,
) -> DerivativeFunction:
    """Return a function that takes `seed`, the adjoint of the result, last and gives adjoints.

    Returns:
        A function of the same parameters and `seed`, which is shaped like the result; what it gives is
        shaped like the arguments of `wrt`: the seed times the Jacobian.

    Raises:
        ArgumentError: an argument that is no float, a parameter that is not there, or arguments that do
            not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def squares(x):
        ...     return x * x
        >>> s2sad.vjp(squares)(np.array([1.0, 2.0]), seed=np.array([1.0, 10.0]))
        array([ 2., 40.])
    """
    names = either(wrt, argnums)
    options = {"rules": rules, "form": "vjp", "arrays": arrays, "reassociate": reassociate}
    return kept_in_part(function, names, like, checkpoint, memory, **options)


@short
def jvp(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    argnums: Wrt = None,
    arrays: str = "numpy",
    rules: Rules = None,
    reassociate: bool = False,
) -> DerivativeFunction:
    """Return a function that takes a tangent for each of `wrt` last and gives (value, tangent).

    Returns:
        A function of the same parameters and of a tangent for each of `wrt`, by name `x_dot`, shaped
        like x. It gives (value, tangent); the tangent is shaped like the value: the Jacobian times
        the tangents.

    Raises:
        ArgumentError: an argument that is no float, a parameter that is not there, or arguments that do
            not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def squares(x):
        ...     return x * x
        >>> s2sad.jvp(squares)(np.array([1.0, 2.0]), x_dot=np.array([1.0, 10.0]))
        (array([1., 4.]), array([ 2., 40.]))
    """
    names = either(wrt, argnums)
    options: dict[str, Any] = {"rules": rules, "arrays": arrays, "reassociate": reassociate}
    return derivative(function, names, like, form="jvp", **options)


@short
def directional(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    argnums: Wrt = None,
    arrays: str = "numpy",
    rules: Rules = None,
    reassociate: bool = False,
) -> DerivativeFunction:
    """Return a function that takes many directions of each of `wrt` last, all in one sweep.

    Directions are tangents along a first axis: those of x have the shape `(k, *x.shape)`. What comes
    back are the derivatives along each, of shape `(k, *result.shape)`. An operation that has no form
    for many directions is refused with Unsupported: there `jvp` takes one at a time.

    Raises:
        ArgumentError: an argument that is no float, a parameter that is not there, or arguments that do
            not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def squares(x):
        ...     return x * x
        >>> s2sad.directional(squares)(np.array([1.0, 2.0]), np.eye(2))
        array([[2., 0.],
               [0., 4.]])
    """
    names = either(wrt, argnums)
    options: dict[str, Any] = {"rules": rules, "arrays": arrays, "reassociate": reassociate}
    return derivative(function, names, like, form="directional", **options)


@short
def hvp(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    argnums: Wrt = None,
    arrays: str = "numpy",
    rules: Rules = None,
    reassociate: bool = False,
) -> DerivativeFunction:
    """Return the Hessian of a scalar function times tangents, which are taken last.

    There is one for each of `wrt`, by name `x_dot`, shaped like x. What comes back is like the gradient.
    One sweep forward over reverse.

    Raises:
        ArgumentError: an argument that is no float, a result that is no scalar, a parameter that is
            not there, or arguments that do not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def quartic(x):
        ...     return np.sum(x**4)
        >>> s2sad.hvp(quartic)(np.array([1.0, 2.0]), x_dot=np.array([1.0, 1.0]))
        array([12., 48.])
    """
    return of_gradient(function, either(wrt, argnums), like, "hvp", rules, arrays, reassociate)


@short
def jacobian(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    mode: str | None = None,
    like: Like = None,
    argnums: Wrt = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> DerivativeFunction:
    """Return a function that gives the Jacobian, of shape result.shape + argument.shape.

    Of a tuple of arguments (`wrt`) there is a tuple of Jacobians, of a tuple of results a tuple of
    what there is for each. `mode` is "forward" (a sweep for each column), "reverse" (a sweep for
    each row), or None: what takes fewer sweeps. Lists and dicts are refused with ArgumentError.

    Raises:
        ArgumentError: an argument that is no float, a parameter that is not there, or arguments that do
            not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def pair(x):
        ...     return np.array([x[0] * x[1], x[1] ** 2])
        >>> s2sad.jacobian(pair)(np.array([2.0, 3.0]))
        array([[3., 2.],
               [0., 6.]])
    """
    names = either(wrt, argnums)
    chosen = "forward" if mode is None else mode
    options: dict[str, Any] = {"mode": chosen, "arrays": arrays, "rules": rules}
    request = request_for(function, names, None, "jacobian", by_shape=mode is None, **options)
    if like is None:
        return DerivativeFunction(request)
    bound = bound_examples(function, request.wrt, like)
    arguments = {name: bound[name] for name in request.wrt}
    result = mode_for(request, arguments, result_of(function, bound))
    known = known_of(bound)
    return DerivativeFunction(replace(request, mode=result, given=known, examples=bound))


@short
def hessian(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    argnums: Wrt = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> DerivativeFunction:
    """Return a function that gives the Hessian of a scalar function: argument.shape twice.

    Of a tuple of arguments there is a tuple of tuples of blocks. One sweep forward over reverse for
    each element of the arguments.

    Raises:
        ArgumentError: an argument that is no float, a result that is no scalar, a parameter that is
            not there, or arguments that do not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def product(x):
        ...     return x[0] ** 2 * x[1]
        >>> s2sad.hessian(product)(np.array([2.0, 3.0]))
        array([[6., 4.],
               [4., 0.]])
    """
    return of_gradient(function, either(wrt, argnums), like, "hessian", rules, arrays)


@short
def laplacian(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    argnums: Wrt = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> DerivativeFunction:
    """Return a function that gives the sum of the second derivatives of a scalar function.

    It is a number, the trace of the Hessian.

    Raises:
        ArgumentError: an argument that is no float, a result that is no scalar, a parameter that is
            not there, or arguments that do not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def wave(x):
        ...     return np.sum(np.cos(x))
        >>> float(s2sad.laplacian(wave)(np.zeros(3)))
        -3.0
    """
    return of_gradient(function, either(wrt, argnums), like, "laplacian", rules, arrays)


@short
def sparse_jacobian(
    function: Callable[..., Any],
    wrt: str | int | None = None,
    *,
    like: Like = None,
    argnums: str | int | None = None,
    rules: Rules = None,
) -> SparseMatrix:
    """Return a function that gives the Jacobian as a `scipy.sparse.csr_array`.

    Its shape is (result.size, argument.size). Once the pattern is known for arguments of some
    shapes, a call takes a sweep for each colour of its columns, and one more that checks it.

    Raises:
        ArgumentError: an argument or a result that is no array.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def differences(u):
        ...     return u[1:] ** 2 - u[:-1]
        >>> s2sad.sparse_jacobian(differences)(np.array([1.0, 2.0, 3.0])).toarray()
        array([[-1.,  4.,  0.],
               [ 0., -1.,  6.]])
    """
    names = one_of(either(wrt, argnums), "sparse_jacobian")
    tangent = derivative(function, names, like, form="tangent", rules=rules)
    return _sparse(tangent, function, names, like, rules)


def _sparse(
    tangent: DerivativeFunction, function: Callable[..., Any], wrt: Wrt, like: Like, rules: Rules
) -> SparseMatrix:
    """Return a matrix by its tangents, along many directions at once where there is such a form."""
    from s2sad.api.sparse import SparseMatrix

    try:
        many = directional(function, wrt, like=like, rules=rules)
    except Unsupported:
        many = None
    return SparseMatrix(tangent, many)


@short
def sparse_hessian(
    function: Callable[..., Any],
    wrt: str | int | None = None,
    *,
    like: Like = None,
    argnums: str | int | None = None,
    rules: Rules = None,
) -> SparseMatrix:
    """Return a function that gives the Hessian of a scalar function as a `csr_array`.

    Its shape is (argument.size, argument.size); a call takes a sweep for each colour, and one that
    checks the pattern.

    Raises:
        ArgumentError: an argument that is no array, a result that is no scalar.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def chain(u):
        ...     return np.sum((u[1:] - u[:-1]) ** 2)
        >>> s2sad.sparse_hessian(chain)(np.array([1.0, 2.0, 4.0])).toarray()
        array([[ 2., -2.,  0.],
               [-2.,  4., -2.],
               [ 0., -2.,  2.]])
    """
    names = one_of(either(wrt, argnums), "sparse_hessian")
    products = of_gradient(function, names, like, "hvp", rules)
    return _sparse(products, products.request.function, names, like, rules)


@short
def elementwise_grad(
    function: Callable[..., Any],
    wrt: str | int | None = None,
    *,
    like: Like = None,
    argnums: str | int | None = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> DerivativeFunction:
    """Return the derivative of each element of the result by the same element of one argument.

    The function maps each element by itself, as NumPy's ufuncs do: of others this is the sum over
    the rows of the Jacobian. A result of another shape than the argument is refused.

    Raises:
        ArgumentError: an argument that is no float, a parameter that is not there, or arguments that do
            not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def bump(x):
        ...     return x * np.exp(-x)
        >>> s2sad.elementwise_grad(bump)(np.array([0.0, 1.0]))
        array([1., 0.])
    """
    names = one_of(either(wrt, argnums), "elementwise_grad")
    return derivative(function, names, like, form="elementwise", rules=rules, arrays=arrays)


@short
def explain(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> Explanation:
    """Return what the gradient keeps, saves and computes again for arguments, and its peak.

    Printed it is a table; `rows` and `peak` (in bytes, None where a loop's passes are not known
    before it runs, or no `like` is given) are for programs. What the arguments take is left out.
    For a text of another array module, `waits` are the lines that wait for the device.

    Raises:
        ArgumentError: an argument that is no float, a parameter that is not there, or arguments that do
            not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def steps(u):
        ...     for _ in range(100):
        ...         u = u + 0.1 * np.sin(u)
        ...     return np.sum(u)
        >>> s2sad.explain(steps, like=(np.ones(1000),)).peak > 100 * 8000
        True
        >>> s2sad.explain(steps, like=(np.ones(1000),), checkpoint="sqrt").peak < 40 * 8000
        True
    """
    request = request_for(function, wrt, like, rules=rules, arrays=arrays)
    request = scheduled(request, like, checkpoint, memory)
    bound = None if like is None else bound_examples(request.function, request.wrt, like)
    found = _explained(request, bound)
    from s2sad.api.display.why import tests_alone

    return replace(found, notes=tests_alone(request.function, request.wrt, bound))


def _explained(request: Request, bound: Mapping[str, Any] | None) -> Explanation:
    """Return what the gradient that the rooms write keeps."""
    from s2sad.api.display.explanation import explained, measured

    try:
        return explained(measured(request, bound))
    except NotYet as fault:
        raise refusal(fault) from None


@short
def show(
    function: Callable[..., Any],
    after: str,
    *,
    wrt: Wrt = None,
    mode: str = "reverse",
    like: Like = None,
    rules: Rules = None,
) -> str:
    """Return the function as it stands after a room on its way to its derivative.

    Rooms are "lowering", "analysis", "reverse", "checkpoint", "optimize" and "emit", which gives the
    text of the derivative; with `mode="forward"` they are "lowering", "forward", "optimize" and
    "emit". What comes back is a file that runs: of the function until its derivative is made.

    Raises:
        ArgumentError: a room that there is not.
        Unsupported: a function that the rooms do not take so far.

    Example:
        >>> def squares(x):
        ...     return np.sum(x * x)
        >>> print(s2sad.show(squares, "optimize", like=(np.ones(3),)))
        def squares_grad(x):
            # reverse sweep
            x_bar = 2.0 * x
            return x_bar
        <BLANKLINE>
    """
    form = "jvp" if mode == "forward" else "grad"
    request = request_for(function, wrt, like, form, mode=mode, rules=rules)
    if after == "emit":
        return text_for(request, request.examples).source
    from s2sad.api.stages import stage

    return stage(request, after)


# a function of the user's may take a derivative inside: see the lowering
for _each in (grad, value_and_grad, vjp, jvp, elementwise_grad, hvp, jacobian, hessian):
    setattr(_each, DERIVES, _each.__name__)
