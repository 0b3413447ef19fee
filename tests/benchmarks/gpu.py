"""Times of gradients on a GPU: s2sad's CuPy text, fused and as it would be without kernels, beside
JAX and PyTorch where they are installed, and beside adjoints written by hand.

    python -m tests.benchmarks.gpu >> tests/benchmarks/gpu.md        needs CuPy and a GPU
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from types import FunctionType
from typing import Any

import numpy as np

import s2sad
from tests.benchmarks.experts import CASES, Case

REPEATS = 50
SIZE = 2  # of the three of each function that has an adjoint written by hand


def chain(u, v):
    a = np.tanh(u) * v + 0.5 * u
    b = np.exp(-a * a) / (1.0 + u * u)
    return np.sum(a * b + np.sin(b) * np.cos(a))


def perceptron(W1, b1, W2, b2, x, y):
    h = np.tanh(x @ W1 + b1)
    r = h @ W2 + b2 - y
    return np.mean(r * r)


def stencil(u, steps):
    for _ in range(steps):
        lap = (
            np.roll(u, 1, axis=0)
            + np.roll(u, -1, axis=0)
            + np.roll(u, 1, axis=1)
            + np.roll(u, -1, axis=1)
            - 4.0 * u
        )
        u = u + 0.1 * (lap + u - u**3)
    return np.sum(u * u)


def attention(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[1])
    e = np.exp(s - np.max(s, axis=1, keepdims=True))
    return np.sum((e / np.sum(e, axis=1, keepdims=True)) @ v)


def cases() -> dict[Callable[..., Any], tuple[Any, ...]]:
    """Return what is timed: functions with arguments of the host."""
    r = np.random.default_rng(0)
    layer, batch = r.normal(size=(1024, 1024)) / 32.0, r.normal(size=(4096, 1024))
    return {
        chain: (r.normal(size=10**7), r.normal(size=10**7)),
        perceptron: (layer, np.zeros(1024), layer.copy(), np.zeros(1024), batch, batch.copy()),
        stencil: (r.normal(size=(2048, 2048)), 20),
        attention: tuple(r.normal(size=(2048, 256)) for _ in range(3)),
    }


def timed(run: Callable[[], Any], wait: Callable[[], Any], repeats: int = 0) -> float:
    """Return the least time of a call in milliseconds, after two calls that warm up."""
    best = float("inf")
    for number in range((repeats or REPEATS) + 2):
        start = time.perf_counter()
        run()
        wait()
        if number >= 2:
            best = min(best, time.perf_counter() - start)
    return 1e3 * best


def of_cupy(function: Any, args: Any) -> tuple[float, float]:
    """Return the times of the text as it is, and with `fuse` that does nothing."""
    import cupy

    on_device = [cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in args]
    wait = cupy.cuda.Device().synchronize
    text = s2sad.grad(function, like=args, arrays="cupy").source
    found = []
    for source in (text, text.replace("@fuse()\n", "")):
        space: dict[str, Any] = {}
        exec(compile(source, "<text>", "exec"), space)
        gradient = space[f"{function.__name__}_grad"]
        found.append(timed(lambda: gradient(*on_device), wait))  # noqa: B023
    return found[0], found[1]


def of_jax(function: Any, args: Any) -> float | None:
    """Return JAX's time, compiled; None where it is not installed or has no GPU."""
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    if jax.default_backend() != "gpu":
        return None
    static = tuple(i for i, a in enumerate(args) if isinstance(a, int))
    space = {**function.__globals__, "np": jnp}
    moved = type(function)(function.__code__, space)
    gradient = jax.jit(jax.grad(moved), static_argnums=static)
    on_device = [jnp.asarray(a) if isinstance(a, np.ndarray) else a for a in args]
    return timed(lambda: gradient(*on_device).block_until_ready(), lambda: None)


def of_torch(function: Any, args: Any) -> float | None:
    """Return PyTorch's time, eager; None where it is not installed, has no GPU or not the names."""
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    moved = type(function)(function.__code__, {**function.__globals__, "np": _Torch(torch)})
    tensors = [torch.as_tensor(a, device="cuda") if isinstance(a, np.ndarray) else a for a in args]
    tensors[0].requires_grad_(True)
    try:
        return timed(
            lambda: torch.autograd.grad(moved(*tensors), tensors[0]), torch.cuda.synchronize
        )
    except (TypeError, RuntimeError, AttributeError):
        return None


def beside_an_expert(case: Case, size: int) -> tuple[float, float | None]:
    """Return the times of the emitted gradient and of the hand-written one with CuPy's names; None
    where that one does what CuPy does not."""
    import cupy

    args = case.args(case.sizes[size])
    on_device = [cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in args]
    wait = cupy.cuda.Device().synchronize
    gradient = s2sad.grad(case.function, wrt=case.wrt, like=args, arrays="cupy")
    space: dict[str, Any] = {**case.adjoint.__globals__, "np": cupy}
    for name, value in case.adjoint.__globals__.items():
        if isinstance(value, FunctionType) and value.__module__ == case.adjoint.__module__:
            space[name] = FunctionType(value.__code__, space, name, value.__defaults__)
    emitted = timed(lambda: gradient(*on_device), wait, 5)
    try:
        return emitted, timed(lambda: space[case.adjoint.__name__](*on_device), wait, 5)
    except (TypeError, ValueError, AttributeError, NotImplementedError):
        return emitted, None


class _Torch:
    """PyTorch's functions under the keywords of NumPy's."""

    def __init__(self, torch: Any):
        self._torch = torch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._torch, name)

    def sqrt(self, x: Any) -> Any:
        return x**0.5

    def roll(self, x: Any, shift: int, axis: int) -> Any:
        return self._torch.roll(x, shift, axis)

    def max(self, x: Any, axis: int, keepdims: bool) -> Any:
        return self._torch.amax(x, axis, keepdims)


def machine() -> str:
    """Return the device and the versions that the times are of."""
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    found = [f"NumPy {np.__version__}", f"CuPy {cupy.__version__}"]
    for package in ("jax", "torch"):
        if find_spec(package) is not None:
            found.append(f"{package} {version(package)}")
    return f"{name}; {', '.join(found)}. The least of {REPEATS} calls, in float64."


def main() -> None:
    """Print the table."""
    print(f"\n{machine()}\n")
    print("| case | s2sad, fused | s2sad, not fused | JAX | PyTorch |")
    print("|---|---|---|---|---|")
    for function, args in cases().items():
        times = [*of_cupy(function, args), of_jax(function, args), of_torch(function, args)]
        cells = ["-" if each is None else f"{each:.2f} ms" for each in times]
        print(f"| {function.__name__} | {' | '.join(cells)} |")
    print("\n| function | s2sad | by hand | ratio |\n|---|---|---|---|")
    ratios = []
    for case in CASES:
        emitted, by_hand = beside_an_expert(case, SIZE)
        ratio = emitted / by_hand if by_hand else None
        ratios += [ratio] if ratio else []
        cells = [f"{by_hand:.2f} ms", f"{ratio:.2f}"] if by_hand and ratio else ["-", "-"]
        print(f"| {case.function.__name__} | {emitted:.2f} ms | {' | '.join(cells)} |")
    print(f"| geometric mean of {len(ratios)} | | | {np.exp(np.mean(np.log(ratios))):.2f} |")


if __name__ == "__main__":
    main()
