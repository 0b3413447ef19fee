"""What is measured: emitted derivatives beside hand-written ones, and generated functions."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import primal

import s2sad


@dataclass(frozen=True)
class Case:
    """A primal, the arguments to measure at, and the name of its hand-written derivative."""

    function: Callable[..., Any]
    wrt: tuple[str, ...] | str
    args: tuple[Any, ...]
    written: str
    tangents: tuple[Any, ...] = ()

    @property
    def handwritten(self) -> Callable[..., Any]:
        """The derivative as a careful scientist wrote it."""
        return getattr(importlib.import_module(self.written), self.written)

    def emitted(self) -> Callable[..., Any]:
        """Return the derivative as s2sad writes it, without the callable around it."""
        make = s2sad.jvp if self.tangents else s2sad.grad
        return plain(make(self.function, self.wrt, like=self.args))

    @property
    def all_args(self) -> tuple[Any, ...]:
        """The arguments of the derivative."""
        return (*self.args, *self.tangents)


def plain(df: s2sad.DerivativeFunction) -> Callable[..., Any]:
    """Return the emitted function that a derivative runs."""
    return df.emitted(df.request.given).function


def cases() -> dict[str, Case]:
    """Return the eight targets at sizes where the work is in the arrays or in the loop."""
    rng = np.random.default_rng(0)
    normal = rng.standard_normal
    layers = [(normal((50, 80)), normal(80)), (normal((80, 10)), normal(10))]
    found = (
        Case(
            primal.misfit, ("W", "m"), (normal((300, 200)), normal(200), normal(300)), "misfit_grad"
        ),
        Case(primal.allen_cahn, ("u", "nu"), (normal(2000), 0.3, 0.01, 100), "allen_cahn_grad"),
        Case(primal.smooth, ("u", "c"), (normal(20000), 0.2), "smooth_grad"),
        Case(primal.newton_sqrt, "a", (3.0, 1e-14), "newton_sqrt_grad"),
        Case(primal.huber, ("r", "delta"), (normal(1000), 0.7), "huber_grad"),
        Case(
            primal.mlp_loss, "params", (layers, normal((64, 50)), normal((64, 10))), "mlp_loss_grad"
        ),
        Case(
            primal.first_crossing, ("v", "dt"), (abs(normal(1000)), 1e9, 0.5), "first_crossing_grad"
        ),
        Case(
            primal.pendulum,
            ("theta", "k"),
            (0.5, 0.1, 9.8, 0.01, 1000),
            "pendulum_jvp",
            (0.3, -0.2),
        ),
    )
    return {case.function.__name__: case for case in found}


# ---------------------------------------------------------------------------- generated functions


def straight(count: int) -> str:
    """Return a function of `count` statements, each of which reads the one before."""
    lines = [f"    x{i + 1} = np.sin(x{i}) * {1.0 + i / count!r} + x{i}" for i in range(count)]
    body = "\n".join(lines)
    return f"import numpy as np\n\n\ndef straight(x0):\n{body}\n    return np.sum(x{count})\n"


def nested(depth: int) -> str:
    """Return a function of `depth` blocks inside each other, loops and branches in turn."""
    lines = []
    for i in range(depth):
        head = "for _ in range(1):" if i % 2 else f"if x > -{i + 1}.0:"
        lines += [
            "    " * (i + 1) + head,
            "    " * (i + 2) + f"x = x + 0.5 * np.sin(x) / {i + 1}.0",
        ]
    return "import numpy as np\n\n\ndef nested(x):\n" + "\n".join(lines) + "\n    return x\n"


def written(source: str, folder: Path, name: str) -> ModuleType:
    """Write a module and import it."""
    path = folder / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def logistic(x, r, n):
    """A loop of scalar steps, each of which its reverse needs."""
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def three(x, W, b):
    """A function of three arguments that does next to nothing."""
    return b * b


def burgers(u, nu, dx, dt, nt):
    """Half the square of what viscous flow is after nt steps."""
    u = u.copy()
    for _ in range(nt):
        spread = nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] += dt * (spread - u[1:-1] * (u[2:] - u[:-2]) / (2.0 * dx))
    return 0.5 * np.sum(u**2)
