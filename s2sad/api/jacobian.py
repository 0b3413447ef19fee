"""What users call for a whole matrix of derivatives: a Jacobian, a Hessian, sparse or not.

J = s2sad.jacobian(residual)
J(u)                            an array of shape result.shape + u.shape
"""

# what comes back is told to type checkers alone
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, Unpack

from s2sad.api.derive import derivative, either, one_of
from s2sad.api.request import Matrix, One, Shared, Wrt, public
from s2sad.ir.errors import Unsupported
from s2sad.operators.marks import DERIVES

if TYPE_CHECKING:
    from s2sad.api.typed import Derivative, Sparse

P = ParamSpec("P")
R = TypeVar("R")


@public(Matrix)
def jacobian(
    function: Callable[P, Any],
    wrt: Wrt = None,
    *,
    mode: Literal["forward", "reverse"] | None = None,
    argnums: Wrt = None,
    **options: Unpack[Matrix],
) -> Derivative[P, Any]:
    """Return a function that gives the Jacobian, of shape result.shape + argument.shape.

    Of a tuple of arguments (`wrt`) there is a tuple of Jacobians, of a tuple of results a tuple of
    what there is for each. `mode` is "forward" (a sweep for each column), "reverse" (a sweep for
    each row), or None: what takes fewer sweeps. Lists and dicts are refused with ArgumentError.

    Example:
        >>> def pair(x):
        ...     return np.array([x[0] * x[1], x[1] ** 2])
        >>> s2sad.jacobian(pair)(np.array([2.0, 3.0]))
        array([[3., 2.],
               [0., 6.]])
    """
    return derivative("jacobian", function, wrt, argnums, mode=mode, **options)


@public(Matrix)
def hessian(
    function: Callable[P, Any], wrt: Wrt = None, *, argnums: Wrt = None, **options: Unpack[Matrix]
) -> Derivative[P, Any]:
    """Return a function that gives the Hessian of a scalar function: argument.shape twice.

    Of a tuple of arguments there is a tuple of tuples of blocks. One sweep forward over reverse for
    each element of the arguments.

    Example:
        >>> def product(x):
        ...     return x[0] ** 2 * x[1]
        >>> s2sad.hessian(product)(np.array([2.0, 3.0]))
        array([[6., 4.],
               [4., 0.]])
    """
    return derivative("hessian", function, wrt, argnums, **options)


@public(Matrix)
def laplacian(
    function: Callable[P, R], wrt: Wrt = None, *, argnums: Wrt = None, **options: Unpack[Matrix]
) -> Derivative[P, R]:
    """Return a function that gives the sum of the second derivatives of a scalar function.

    It is a number, the trace of the Hessian.

    Example:
        >>> def wave(x):
        ...     return np.sum(np.cos(x))
        >>> float(s2sad.laplacian(wave)(np.zeros(3)))
        -3.0
    """
    return derivative("laplacian", function, wrt, argnums, **options)


@public(Shared)
def sparse_jacobian(
    function: Callable[P, Any],
    wrt: One | None = None,
    *,
    argnums: One | None = None,
    **options: Unpack[Shared],
) -> Sparse[P]:
    """Return a function that gives the Jacobian as a `scipy.sparse.csr_array`.

    Its shape is (result.size, argument.size). Once the pattern is known for arguments of some
    shapes, a call takes a sweep for each colour of its columns, and one more that checks it.

    Example:
        >>> def differences(u):
        ...     return u[1:] ** 2 - u[:-1]
        >>> s2sad.sparse_jacobian(differences)(np.array([1.0, 2.0, 3.0])).toarray()
        array([[-1.,  4.,  0.],
               [ 0., -1.,  6.]])
    """
    names = one_of(either(wrt, argnums), "sparse_jacobian")
    tangent = derivative("tangent", function, names, **options)
    return _sparse(tangent, function, names, **options)


@public(Shared)
def sparse_hessian(
    function: Callable[P, Any],
    wrt: One | None = None,
    *,
    argnums: One | None = None,
    **options: Unpack[Shared],
) -> Sparse[P]:
    """Return a function that gives the Hessian of a scalar function as a `csr_array`.

    Its shape is (argument.size, argument.size); a call takes a sweep for each colour, and one that
    checks the pattern.

    Example:
        >>> def chain(u):
        ...     return np.sum((u[1:] - u[:-1]) ** 2)
        >>> s2sad.sparse_hessian(chain)(np.array([1.0, 2.0, 4.0])).toarray()
        array([[ 2., -2.,  0.],
               [-2.,  4., -2.],
               [ 0., -2.,  2.]])
    """
    names = one_of(either(wrt, argnums), "sparse_hessian")
    products = derivative("hvp", function, names, **options)
    return _sparse(products, products.request.function, names, **options)


def _sparse(tangent: Any, function: Any, wrt: Wrt, **options: Unpack[Shared]) -> Any:
    """Return a matrix by its tangents, along many directions at once where there is such a form."""
    from s2sad.api.sparse import SparseMatrix

    try:
        many = derivative("directional", function, wrt, **options)
    except Unsupported:
        many = None
    return SparseMatrix(tangent, many)


# a function of the user's may take a derivative inside: see the lowering
for _each in (jacobian, hessian):
    setattr(_each, DERIVES, _each.__name__)
