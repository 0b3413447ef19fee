"""Classic numerical kernels, as a scientist would write them: reverse, forward and differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles
from tests.kernels import geometry, learning, linear_algebra, physics, signals, stencils, structures

Kernel = Callable[..., Any]

KERNELS: dict[Kernel, Callable[[np.random.Generator], tuple[Any, ...]]] = {
    **stencils.CASES,
    **linear_algebra.CASES,
    **learning.CASES,
    **geometry.CASES,
    **physics.CASES,
    **signals.CASES,
    **structures.CASES,
}
SLOW = frozenset(
    {
        geometry.bundle_adjustment,
        geometry.skinned_hand,
        learning.gaussian_mixture,
        learning.memory_cell,
        learning.memory_sequence,
        learning.residual_block,
        learning.small_lenet,
        linear_algebra.jacobi_rotations,
        physics.bodies,
        physics.double_pendulum,
        physics.lorenz,
        physics.springs,
        signals.contour_integral,
        signals.deriche,
        signals.fast_fourier,
        signals.kalman,
        signals.natural_spline,
        signals.soft_alignment,
        stencils.alternating_directions,
        stencils.driven_cavity,
        stencils.vertical_advection,
    }
)


def rows() -> list[Any]:
    """Return the kernels as parameters of a test, those that take longer marked."""
    return [
        pytest.param(kernel, id=kernel.__name__, marks=[pytest.mark.slow] if kernel in SLOW else [])
        for kernel in KERNELS
    ]


def floats(function: Kernel, args: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the names of the arguments that a kernel can be differentiated with respect to."""
    names = function.__code__.co_varnames[: len(args)]
    return tuple(name for name, arg in zip(names, args, strict=True) if holds_floats(arg))


def holds_floats(arg: Any) -> bool:
    """Tell whether every number in an argument is a float."""
    if isinstance(arg, list | tuple):
        return bool(arg) and all(map(holds_floats, arg))
    return isinstance(arg, float) or (isinstance(arg, np.ndarray) and arg.dtype.kind == "f")


def inner(left: Any, right: Any) -> float:
    """Return the sum of the products of two gradients of one structure."""
    if isinstance(left, list | tuple):
        return sum(inner(a, b) for a, b in zip(left, right, strict=True))
    assert np.shape(left) == np.shape(right)
    return float(np.sum(np.multiply(left, right)))


@pytest.mark.parametrize("kernel", rows())
def test_kernel(kernel: Kernel) -> None:
    """Reverse, forward and differences agree, and the text says the same where it stands alone."""
    args = KERNELS[kernel](np.random.default_rng(7))
    before = oracles.snapshot(args)
    report = s2sad.check_grad(kernel, args)
    assert report, str(report)
    for row in report.rows:
        size = max(abs(row.reverse), abs(row.differences))
        assert abs(row.reverse - row.differences) <= 1e-6 * size, str(report)
        assert abs(row.reverse - row.forward) <= 1e-6 * size, str(report)

    derivative = s2sad.grad(kernel, floats(kernel, args), like=args)
    alone = oracles.standalone(derivative.source, derivative.__name__)
    here, there = derivative(*args), alone(*args)
    assert inner(here, here) == inner(here, there) == inner(there, there)
    assert not oracles.changed(before, args)
    assert not oracles.shares_memory(there, args)


def test_every_kernel_has_a_docstring_of_its_own() -> None:
    texts = [kernel.__doc__ for kernel in KERNELS]
    assert all(texts) and len(set(texts)) == len(texts)
