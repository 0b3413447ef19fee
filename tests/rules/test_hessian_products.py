"""Products with Hessians of what is linear in the result of one function: constants are handed back.

The reverse sweep then calls what a rule prints with constants alone, and with arrays of which it
reads the shape.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import surface  # noqa: F401 (imports the modules of SciPy)
from surface_entry import Tiny, tiny

import s2sad
from s2sad.testing.checks import like

PROGRAMS = (
    "np.gradient(x)",
    "np.gradient(A, 0.3, axis=1)",
    "gx, gy = np.gradient(A)\ny = gx[0]",
    "np.gradient(x, np.array([0.0, 1.0, 1.5, 3.0]))",
    "np.prod(M, axis=(0, -1))",
    "np.delete(A, [0, 2], axis=1)",
    "np.add.reduceat(x, [0, 2])",
    "scipy.special.fresnel(x)[0]",
    "r, q = scipy.special.fresnel(x)\ny = r - q",
    "scipy.special.sici(x)[0]",
    "scipy.special.owens_t(0.5, x)",
    "scipy.ndimage.convolve(A, C)",
    "scipy.ndimage.uniform_filter(A, 3)",
)


def differences(gradient: Any, program: Tiny, places: list[int], dots: list[Any]) -> list[Any]:
    def at(step: float) -> list[Any]:
        moved = list(program.args)
        for place, dot in zip(places, dots, strict=True):
            moved[place] = moved[place] + step * dot
        found = gradient(*moved)
        return list(found) if len(places) > 1 else [found]

    near, far = zip(at(1e-3), at(-1e-3), strict=True), zip(at(2e-3), at(-2e-3), strict=True)
    return [(8.0 * (a - b) - (c - d)) / 12e-3 for (a, b), (c, d) in zip(near, far, strict=True)]


@pytest.mark.parametrize("with_examples", (True, False))
@pytest.mark.parametrize("text", PROGRAMS)
def test_the_product_with_a_hessian(text: str, with_examples: bool) -> None:
    program = tiny(text, PROGRAMS.index(text))
    wrt = program.wrt if len(program.wrt) > 1 else program.wrt[0]
    rng = np.random.default_rng(4)
    places = [program.function.__code__.co_varnames.index(name) for name in program.wrt]
    dots = [like(program.args[place], rng) for place in places]
    how = {"like": program.args} if with_examples else {}
    found = s2sad.hvp(program.function, wrt=wrt, **how)(*program.args, *dots)
    gradient = s2sad.grad(program.function, wrt=wrt, like=program.args)
    expected = differences(gradient, program, places, dots)
    for a, b in zip(found if len(places) > 1 else [found], expected, strict=True):
        assert np.shape(a) == np.shape(b)
        assert np.allclose(a, b, rtol=1e-7, atol=1e-7)
