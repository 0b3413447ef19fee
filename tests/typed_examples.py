"""What type checkers say of calls: a line that ends in `# error` is one, and all others are none."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import s2sad

Vector = NDArray[np.float64]


def cube(x: float, n: int = 3) -> float:
    return x**n


def misfit(W: Vector, m: Vector, scale: float = 1.0) -> float:
    return scale * float(np.sum((W @ m) ** 2))


def with_aux(x: float) -> tuple[float, str]:
    return x * x, "squared"


def plain(x: np.ndarray, k: float) -> float:  # type: ignore[type-arg, unused-ignore]
    return float(np.sum(x) * k)


df = s2sad.grad(cube)
assert_type(df(2.0), float)
assert_type(df(2.0, 3), float)
assert_type(df(2.0, n=3), float)
df(x=2.0)
df("nonsense")  # error
df(2.0, 3, 4)  # error
df(2.0, m=3)  # error
df()  # error
assert_type(df.source, str)
df.save("cube_grad.py")

W, m = np.eye(3), np.ones(3)
assert_type(s2sad.grad(misfit)(W, m), Vector)
assert_type(s2sad.grad(misfit, ("W", "m"))(W, m, scale=2.0), tuple[Any, ...])
s2sad.grad(misfit, "m")(W, m, 2.0)
s2sad.grad(misfit, "m")(W, m, "nonsense")  # error
s2sad.grad(misfit, argnums=1)(W)  # error
s2sad.grad(misfit, like=(W, m), arrays="cupy")
s2sad.grad(misfit, lik=(W, m))  # error
s2sad.grad(3.0)  # error

assert_type(s2sad.value_and_grad(cube)(2.0), tuple[float, float])
assert_type(s2sad.value_and_grad(misfit, "m")(W, m), tuple[float, Any])
assert_type(s2sad.value_and_grad(misfit, ("W", "m"))(W, m)[0], float)
s2sad.value_and_grad(cube)("nonsense")  # error
assert_type(s2sad.grad(with_aux, has_aux=True)(2.0)[1], str)

assert_type(s2sad.grad(df)(2.0), float)
assert_type(s2sad.vjp(cube)(2.0, seed=1.0), float)
assert_type(s2sad.jvp(cube)(2.0, x_dot=1.0), tuple[float, float])
assert_type(s2sad.hvp(misfit)(W, m, W_dot=W), Vector)
s2sad.hessian(cube)(2.0)
s2sad.hessian(cube)("nonsense")  # error
s2sad.jacobian(misfit, "m", mode="sideways")  # error
s2sad.sparse_jacobian(misfit)(W)  # error
assert_type(s2sad.elementwise_grad(cube)(2.0), float)
s2sad.grad(lambda x: x * x)(3.0)

s2sad.grad(plain)("nonsense", 2.0)  # error
assert s2sad.grad(plain)(m, 2.0).shape == m.shape
s2sad.value_and_grad(plain)(m)  # error
s2sad.grad(plain, "k")("nonsense", 2.0)  # error
assert s2sad.vjp(plain)(m, 2.0, seed=1.0).shape == m.shape
s2sad.elementwise_grad(plain)(m)  # error
