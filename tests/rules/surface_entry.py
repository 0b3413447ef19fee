"""An entry of the NumPy surface: programs that use it, and what became of their derivatives.

Each program is an expression, or statements that end by setting y, in names such as x (a vector)
or A (a matrix). What depends on what is found by the names that the text uses.
"""

from __future__ import annotations

import linecache
import math
import textwrap
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

import s2sad
from s2sad.ir.errors import InternalError, S2sadError
from s2sad.testing.checks import inner, like, shifted

Family = Mapping[int, Mapping[str, "str | tuple[str, ...]"]]

_RNG = np.random.default_rng(20)
VALUES: Mapping[str, Any] = {
    "x": np.array([0.35, 0.83, 0.21, 0.62]),
    "z": np.array([1.43, 1.12, 1.91, 1.37]),
    "u": np.array([0.7, 1.2, 0.4]),
    "v": np.array([0.3, 1.1, 0.8, 0.5, 1.7]),
    "A": np.array([[2.1, 0.3, -0.4], [0.5, 1.6, 0.2], [-0.3, 0.7, 2.7]]),
    "C": np.array([[0.1, 1.3, -0.4], [-1.5, 0.6, 0.2], [0.3, 0.7, 1.7]]),
    "B": np.array([[0.9, -0.4], [0.3, 1.2], [-0.8, 0.6]]),
    "M": _RNG.uniform(-0.5, 0.5, (2, 3, 3)) + 2.0 * np.eye(3),
    "N": np.array([[1.3, np.nan, 0.4], [0.7, 2.2, -0.9], [0.2, 1.6, np.nan]]),
    "s": 0.7,
    "t": 1.3,
    "p": np.array([0.1, 0.6, 0.9, 0.3]),
    "k": np.array([0, 2, 1, 2]),
    "i": np.array([0, 1, 1, 0]),
    "mask": np.array([True, False, True, True]),
    "n": 2,
}
ACTIVE = frozenset("xzuvABCMNst")
STEP = 1e-3


@dataclass(frozen=True)
class Outcome:
    """What became of one program: right, refused, wrong or internal, and what was said."""

    status: str
    said: str = ""


@dataclass(frozen=True)
class Tiny:
    """A program as a function, with its arguments and the names that are differentiated."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: tuple[str, ...]
    source: str


def tiny(text: str, number: int) -> Tiny:
    """Make a function of a program; its result is a number."""
    text = textwrap.dedent(text).strip()
    lines = text.splitlines() if _sets_y(text) else [f"y = {text}"]
    names = [name for name in VALUES if name in _names(text)]
    name = f"program_{number}"
    body = "\n".join(f"    {line}" for line in lines)
    source = f"def {name}({', '.join(names)}, w):\n{body}\n    return np.sum(w * y)\n"
    filename = f"<surface {number}>"
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    space: dict[str, Any] = {"np": np, "math": math, "scipy": scipy}
    exec(compile(source, filename, "exec"), space)
    args = tuple(
        np.copy(VALUES[n]) if isinstance(VALUES[n], np.ndarray) else VALUES[n] for n in names
    )
    weight = _weight(space[name], args)
    wrt = tuple(name for name in names if name in ACTIVE)
    return Tiny(space[name], (*args, weight), wrt, source)


def _sets_y(text: str) -> bool:
    return "\n" in text or text.startswith("y =")


def _names(text: str) -> frozenset[str]:
    code = compile(text, "<names>", "exec")
    found = set(code.co_names)
    for const in code.co_consts:
        if hasattr(const, "co_names"):
            found |= set(const.co_names)
    return frozenset(found)


class _Shape:
    """Stands for the weights, to learn the shape of what they are multiplied with."""

    __array_ufunc__ = None

    def __mul__(self, other: Any) -> Any:
        self.shape = np.shape(other)
        return np.zeros(self.shape)


def _weight(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    asked = _Shape()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function(*args, asked)
    return np.cos(1.0 + np.arange(math.prod(asked.shape))).reshape(asked.shape)


# ---------------------------------------------------------------------------- outcomes


def outcome(text: str, number: int, second: bool = False) -> Outcome:
    """Differentiate one program in both modes and compare with differences."""
    program = tiny(text, number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fault = _fault(program, second)
        except InternalError as error:
            return Outcome("internal", str(error))
        except S2sadError as error:
            return Outcome("refused", str(error))
        except Exception as error:  # whatever it is, it is ours
            return Outcome("internal", f"{type(error).__name__}: {error}")
    return Outcome("right") if not fault else Outcome("wrong", fault)


def _fault(program: Tiny, second: bool) -> str:
    """Return where a derivative is wrong, '' if it is right."""
    wrt = program.wrt if len(program.wrt) > 1 else program.wrt[0]
    gradient = s2sad.grad(program.function, wrt=wrt, like=program.args)
    rng = np.random.default_rng(3)
    places = [program.function.__code__.co_varnames.index(name) for name in program.wrt]
    dots = [like(program.args[place], rng) for place in places]
    expected = _differences(program.function, program, places, dots)
    bars = gradient(*program.args)
    bars = bars if len(program.wrt) > 1 else (bars,)
    if [np.shape(bar) for bar in bars] != [np.shape(dot) for dot in dots]:
        return f"reverse has shapes {[np.shape(bar) for bar in bars]}\n{gradient.source}"
    got = sum(np.nansum(bar * dot) for bar, dot in zip(bars, dots, strict=True))
    if not np.allclose(got, expected, rtol=1e-7, atol=1e-8):
        return f"reverse {got}, differences {expected}\n{gradient.source}"
    forward = s2sad.jvp(program.function, wrt=wrt, like=program.args)
    got = forward(*program.args, *dots)[1]
    if not np.allclose(got, expected, rtol=1e-7, atol=1e-8):
        return f"forward {got}, differences {expected}\n{forward.source}"
    return _second_fault(gradient, program, wrt, places, dots) if second else ""


def _differences(function: Any, program: Tiny, places: list[int], dots: list[Any]) -> Any:
    def at(step: float) -> Any:
        moved = list(program.args)
        for place, dot in zip(places, dots, strict=True):
            moved[place] = shifted(moved[place], step * STEP, dot)
        return function(*moved)

    return (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * STEP)


def _second_fault(
    gradient: Any, program: Tiny, wrt: Any, places: list[int], dots: list[Any]
) -> str:
    """Return where the derivatives of the gradient are wrong."""
    rng = np.random.default_rng(5)
    weights = [np.asarray(like(program.args[place], rng)) for place in places]

    def along(*args: Any) -> Any:
        bars = gradient(*args)
        bars = bars if len(places) > 1 else (bars,)
        return sum(np.nansum(w * bar) for w, bar in zip(weights, bars, strict=True))

    expected = _differences(along, program, places, dots)
    moved = s2sad.jvp(gradient, wrt=wrt, like=program.args)(*program.args, *dots)[1]
    moved = moved if len(places) > 1 else (moved,)
    got = sum(np.nansum(w * dot) for w, dot in zip(weights, moved, strict=True))
    if not np.allclose(got, expected, rtol=1e-6, atol=1e-7):
        return f"second order, forward over reverse: {got}, differences {expected}"
    product = s2sad.hvp(program.function, wrt=wrt, like=program.args)(*program.args, *dots)
    pairs = zip(moved, product if len(places) > 1 else (product,), strict=True)
    if not all(np.allclose(*pair, rtol=1e-9, atol=1e-10, equal_nan=True) for pair in pairs):
        return f"the product with the Hessian: {product}, forward over reverse {moved}"
    seed = tuple(weights) if len(places) > 1 else weights[0]
    bars = s2sad.vjp(gradient, wrt=wrt, like=program.args)(*program.args, seed)
    bars = bars if len(places) > 1 else (bars,)
    got = sum(inner(*pair)[0] for pair in zip(bars, dots, strict=True))
    if not np.allclose(got, expected, rtol=1e-6, atol=1e-7):
        return f"second order, reverse over reverse: {got}, differences {expected}"
    return ""
