"""How type checkers see grad and its family: a derivative takes what its function takes.

def f(x: float, n: int = 2) -> float: ...

df = s2sad.grad(f)
df(2.0, n=3)            a float
df("nonsense")          an error of mypy and of pyright

Nothing here runs: the functions themselves stand in `s2sad.api.grad`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import (
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    TypedDict,
    TypeVar,
    Unpack,
    overload,
)

from s2sad.api.callable import DerivativeFunction
from s2sad.api.derive import Like, Rules
from s2sad.api.parameters import Wrt
from s2sad.api.sparse import SparseMatrix
from s2sad.operators.schedules import Checkpoint

P = ParamSpec("P")
X = TypeVar("X")
R = TypeVar("R")
A = TypeVar("A")
F = TypeVar("F", bound=Callable[..., Any])
# what a derivative gives, and the function that it is made from
G_co = TypeVar("G_co", covariant=True)
F_co = TypeVar("F_co", bound=Callable[..., Any], covariant=True)

One = str | int
Several = tuple[str | int, ...] | list[str | int]


class Options(TypedDict, total=False):
    """What every derivative may be told."""

    like: Like
    arrays: str
    rules: Rules
    reassociate: bool


class Kept(Options, total=False):
    """What reverse mode may be told of the states it keeps."""

    checkpoint: Checkpoint
    memory: str | float | None


class Plain(Kept, total=False):
    """What reverse mode may be told of a function that returns nothing but what varies."""

    has_aux: Literal[False]


class Matrix(TypedDict, total=False):
    """What the matrices may be told."""

    like: Like
    argnums: Wrt
    arrays: str
    rules: Rules


# ---------------------------------------------------------------------------- what comes back


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


# ---------------------------------------------------------------------------- functions
# no two forms take one call: where a function takes np.ndarray, whose dtype may be any, mypy would
# not choose


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
def grad(*args: Any, **options: Any) -> Any: ...


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
def value_and_grad(*args: Any, **options: Any) -> Any: ...


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
def vjp(*args: Any, **options: Any) -> Any: ...


def jvp(  # type: ignore[empty-body]
    function: Callable[..., R], wrt: Wrt = None, *, argnums: Wrt = None, **options: Unpack[Options]
) -> Taking[tuple[R, R]]: ...


def directional(  # type: ignore[empty-body]
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    argnums: Wrt = None,
    **options: Unpack[Options],
) -> Taking[Any]: ...


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
def hvp(*args: Any, **options: Any) -> Any: ...


def jacobian(  # type: ignore[empty-body]
    function: Callable[P, Any],
    wrt: Wrt = None,
    *,
    mode: Literal["forward", "reverse"] | None = None,
    **options: Unpack[Matrix],
) -> Derivative[P, Any]: ...


def hessian(  # type: ignore[empty-body]
    function: Callable[P, Any], wrt: Wrt = None, **options: Unpack[Matrix]
) -> Derivative[P, Any]: ...


def laplacian(  # type: ignore[empty-body]
    function: Callable[P, R], wrt: Wrt = None, **options: Unpack[Matrix]
) -> Derivative[P, R]: ...


def sparse_jacobian(  # type: ignore[empty-body]
    function: Callable[P, Any],
    wrt: One | None = None,
    *,
    like: Like = None,
    argnums: One | None = None,
    rules: Rules = None,
) -> Sparse[P]: ...


def sparse_hessian(  # type: ignore[empty-body]
    function: Callable[P, Any],
    wrt: One | None = None,
    *,
    like: Like = None,
    argnums: One | None = None,
    rules: Rules = None,
) -> Sparse[P]: ...


@overload
def elementwise_grad(
    function: F, wrt: None = None, *, like: Like = None, arrays: str = "numpy", rules: Rules = None
) -> Gradient[F]: ...
@overload
def elementwise_grad(
    function: Callable[P, Any],
    wrt: One,
    *,
    like: Like = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> Derivative[P, Any]: ...
@overload
def elementwise_grad(
    function: Callable[P, Any],
    *,
    argnums: One,
    like: Like = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> Derivative[P, Any]: ...
def elementwise_grad(*args: Any, **options: Any) -> Any: ...
