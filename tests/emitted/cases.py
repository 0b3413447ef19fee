"""What is kept as golden files: a function, the derivative asked for, and arguments.

cases()["misfit_grad"].source()      the text, as tests/emitted/misfit_grad.py holds it
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import s2sad
from tests.emitted import functions

HERE = Path(__file__).resolve().parent
WRITTEN = HERE.parent / "benchmarks" / "handwritten"


@dataclass(frozen=True)
class Case:
    """One golden file; `like` tells whether the text is made for the arguments."""

    function: Callable[..., Any]
    mode: str
    wrt: tuple[str, ...] | str
    args: tuple[Any, ...]
    like: bool = True
    # what the derivative takes besides: a seed, or tangents
    extra: tuple[Any, ...] = ()
    target: bool = False

    @property
    def positions(self) -> tuple[int, ...]:
        """The positions of the arguments with respect to which is differentiated."""
        names = self.function.__code__.co_varnames
        return tuple(names.index(name) for name in self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of these arguments."""
        return (self.wrt,) if isinstance(self.wrt, str) else self.wrt

    def derivative(self) -> Any:
        """Return the derivative that is asked for."""
        make = getattr(s2sad, self.mode)
        return make(self.function, self.wrt, like=self.args if self.like else None)

    def source(self) -> str:
        """Return the text of the derivative."""
        return str(self.derivative().source)


def handwritten() -> Any:
    """Return the module of the eight functions that have hand-written derivatives."""
    if str(WRITTEN) not in sys.path:
        sys.path.append(str(WRITTEN))
    return importlib.import_module("primal")


def cases() -> dict[str, Case]:
    """Return every golden file by its name."""
    made = {**_targets(), **_others()}
    endings = [f"{case.function.__name__}_{case.mode}" for case in made.values()]
    assert all(name.startswith(end) for name, end in zip(made, endings, strict=True))
    return made


def _targets() -> dict[str, Case]:
    normal = np.random.default_rng(0).standard_normal
    primal = handwritten()
    layers = [(normal((3, 5)), normal(5)), (normal((5, 2)), normal(2))]
    rows: tuple[tuple[str, Any, Any, tuple[Any, ...]], ...] = (
        ("misfit", "grad", ("W", "m"), (normal((4, 3)), normal(3), normal(4))),
        ("allen_cahn", "grad", ("u", "nu"), (normal(9), 0.3, 0.05, 7)),
        ("smooth", "grad", ("u", "c"), (normal(9), 0.2)),
        ("newton_sqrt", "grad", "a", (3.0, 1e-14)),
        ("huber", "grad", ("r", "delta"), (normal(9), 0.7)),
        ("mlp_loss", "grad", "params", (layers, normal((6, 3)), normal((6, 2)))),
        ("first_crossing", "grad", ("v", "dt"), (abs(normal(9)), 2.5, 0.5)),
        ("pendulum", "jvp", ("theta", "k"), (0.5, 0.1, 9.8, 0.01, 50)),
    )
    return {
        f"{name}_{mode}": Case(
            getattr(primal, name), mode, wrt, args, True, (0.3, -0.2)[: 2 * (mode == "jvp")], True
        )
        for name, mode, wrt, args in rows
    }


def _others() -> dict[str, Case]:
    normal = np.random.default_rng(1).standard_normal
    f, A, x = functions, normal((4, 3)), normal(3)
    return {
        "rosenbrock_grad": Case(f.rosenbrock, "grad", "x", (normal(6),)),
        "mean_squares_grad": Case(f.mean_squares, "grad", ("A", "x"), (A, x, normal(4))),
        "mean_squares_grad_generic": Case(
            f.mean_squares, "grad", ("A", "x"), (A, x, normal(4)), like=False
        ),
        "cube_vjp": Case(f.cube, "vjp", "x", (x,), like=False, extra=(normal(3),)),
        "both_slopes_value_and_grad": Case(f.both_slopes, "value_and_grad", ("x", "y"), (0.3, 1.2)),
        "both_slopes_jvp": Case(f.both_slopes, "jvp", ("x", "y"), (0.3, 1.2), extra=(0.5, -0.7)),
        "relaxed_grad": Case(f.relaxed, "grad", ("x", "low"), (0.7, 0.2)),
        "row_products_grad": Case(f.row_products, "grad", ("A", "b"), (A, x)),
        "weighted_grad": Case(f.weighted, "grad", ("values", "weights"), (x, normal(3))),
        "logistic_value_and_grad": Case(f.logistic, "value_and_grad", ("x", "r"), (0.3, 3.1, 9)),
        "fall_grad": Case(f.fall, "grad", "drag", (3.0, 0.2, 0.07)),
        "horner_grad": Case(f.horner, "grad", ("coefficients", "x"), (normal(4), 0.7)),
        "horner_vjp": Case(
            f.horner, "vjp", ("coefficients", "x"), (normal(4), x), extra=(normal(3),)
        ),
        "clipped_path_grad": Case(
            f.clipped_path, "grad", ("x", "steps"), (0.5, np.array([0.3, -2.0, 0.4]))
        ),
        "epidemic_grad": Case(f.epidemic, "grad", ("beta", "sigma", "gamma"), (0.8, 0.4, 0.2, 30)),
        "smoothed_grad": Case(f.smoothed, "grad", "u", (normal((5, 4)), 3)),
        "polar_vjp": Case(f.polar, "vjp", ("x", "y"), (1.2, 0.4), extra=((0.7, -0.3),)),
        "polar_jvp": Case(f.polar, "jvp", ("x", "y"), (x, normal(3)), extra=(normal(3), x)),
    }
