"""How type checkers see derivatives: each takes what its function takes.

def f(x: float, n: int = 2) -> float: ...

df = s2sad.grad(f)
df(2.0, n=3)            a float
df("nonsense")          an error of mypy and of pyright

Nothing here runs: what comes back are the classes that these are made of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from s2sad.api.callable import DerivativeFunction
from s2sad.api.sparse import SparseMatrix

P = ParamSpec("P")
X = TypeVar("X")
R = TypeVar("R")
# what a derivative gives, and the function that it is made from
G_co = TypeVar("G_co", covariant=True)
F_co = TypeVar("F_co", bound=Callable[..., Any], covariant=True)


class Derivative(DerivativeFunction, Generic[P, G_co]):
    """A derivative that takes what its function takes."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> G_co: ...  # type: ignore[empty-body]


class Taking(DerivativeFunction, Generic[G_co]):
    """A derivative that takes a seed or tangents behind what its function takes."""

    def __call__(self, *args: Any, **kwargs: Any) -> G_co: ...  # type: ignore[empty-body]


class Gradient(DerivativeFunction, Generic[F_co]):
    """The gradient with respect to the first argument, which is like it."""

    @overload
    def __call__(
        self: Gradient[Callable[Concatenate[X, P], Any]], x: X, /, *args: P.args, **kwargs: P.kwargs
    ) -> X: ...
    @overload
    def __call__(self: Gradient[Callable[P, Any]], *args: P.args, **kwargs: P.kwargs) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...  # type: ignore[misc]


class ValueAndGradient(DerivativeFunction, Generic[F_co]):
    """The value, and the gradient with respect to the first argument."""

    @overload
    def __call__(
        self: ValueAndGradient[Callable[Concatenate[X, P], R]],
        x: X,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> tuple[R, X]: ...
    @overload
    def __call__(
        self: ValueAndGradient[Callable[P, R]], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[R, Any]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...  # type: ignore[misc]


class Sparse(SparseMatrix, Generic[P]):
    """A sparse matrix for arguments of the function's."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Any: ...
