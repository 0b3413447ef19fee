"""Turns a primal and its arguments into numbers that a derivative must agree with.

    expected = differences(f, (u, 0.3), wrt=(0,), seed=1.0)
    fault = compare(flatten(u_bar, u), expected)      # None, or a sentence: where it is wrong

Nothing here knows how s2sad works: central differences, the dot product of the two modes,
untouched arguments, and emitted text that runs alone.
"""

from __future__ import annotations

import ast
import copy
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np

import s2sad

Args = tuple[Any, ...]

RELATIVE = 1e-6
ABSOLUTE = 1e-7
UNSCORABLE = 1e-4
# beside a number of this size nothing is left of what differences are made of
LARGEST = 1e7
# a result that rounding moves this far is decided by rounding
ROUNDED = 1e-6
# an odd length, so that steps never fall in with a grid in the data
TINY = 1.0e-6
STEPS = tuple(4.173e-3 / 2**k for k in range(7))


class Mismatch(AssertionError):
    """A result whose structure or shape is not that of what it belongs to."""


# ---------------------------------------------------------------------------- flat vectors


def is_inexact(value: Any) -> bool:
    """Tell whether a value is a float, or an array of floats."""
    return isinstance(value, float | np.floating) or (
        isinstance(value, np.ndarray) and np.issubdtype(value.dtype, np.floating)
    )


def leaves(value: Any) -> Iterator[Any]:
    """Yield the floats and float arrays inside nested lists, tuples and dicts."""
    if is_inexact(value):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from leaves(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from leaves(part)


def pack(value: Any) -> np.ndarray:
    """Return all floats inside `value` as one flat vector."""
    parts = [np.ravel(np.asarray(leaf, dtype=float)) for leaf in leaves(value)]
    flat: np.ndarray = np.concatenate([np.zeros(0), *parts])
    return flat


def unpack(flat: np.ndarray, like: Any) -> Any:
    """Return a fresh copy of `like` that holds the floats of `flat`."""
    rest = list(np.asarray(flat, dtype=float))
    rest.reverse()
    return _refill(rest, like)


def _refill(rest: list[float], like: Any) -> Any:
    if isinstance(like, np.ndarray) and is_inexact(like):
        taken = [rest.pop() for _ in range(like.size)]
        return np.array(taken, dtype=like.dtype).reshape(like.shape)
    if is_inexact(like):
        return type(like)(rest.pop())
    if isinstance(like, list | tuple):
        return type(like)(_refill(rest, part) for part in like)
    if isinstance(like, dict):
        return {key: _refill(rest, part) for key, part in like.items()}
    return copy.deepcopy(like)


def flatten(adjoint: Any, like: Any, where: str = "adjoint") -> np.ndarray:
    """Return an adjoint of `like` as a flat vector; raise Mismatch where its shapes differ."""
    if is_inexact(like):
        if np.shape(adjoint) != np.shape(like):
            raise Mismatch(f"{where}: shape {np.shape(adjoint)}, expected {np.shape(like)}")
        return np.ravel(np.asarray(adjoint, dtype=float))
    if isinstance(like, dict):
        like, adjoint = list(like.values()), [adjoint[key] for key in like]
    if not isinstance(like, list | tuple):
        return np.zeros(0)
    if not isinstance(adjoint, list | tuple) or len(adjoint) != len(like):
        raise Mismatch(f"{where}: {type(adjoint).__name__} does not mirror {len(like)} parts")
    pairs = enumerate(zip(adjoint, like, strict=True))
    return np.concatenate(
        [np.zeros(0), *(flatten(a, part, f"{where}[{i}]") for i, (a, part) in pairs)]
    )


# ---------------------------------------------------------------------------- differences


@dataclass(frozen=True, slots=True)
class Estimate:
    """Derivatives found by differences and how far off they may be; inf: not to be scored."""

    value: np.ndarray
    error: np.ndarray

    @property
    def scorable(self) -> np.ndarray:
        """Tell which entries are known well enough to judge by."""
        known: np.ndarray = self.error <= UNSCORABLE * np.maximum(1.0, np.abs(self.value))
        return known


def differences(f: Callable[..., Any], args: Args, wrt: Sequence[int], seed: Any = 1.0) -> Estimate:
    """Return the adjoints of args[wrt] for `seed` (the gradient, for 1.0), as one flat vector."""
    like = tuple(args[i] for i in wrt)
    flat = pack(like)
    value, error = np.zeros(flat.size), np.zeros(flat.size)
    centre = _scalar_value(f, args, seed)
    for k in range(flat.size):
        direction = np.zeros(flat.size)
        direction[k] = 1.0
        line = _line(f, args, wrt, seed, flat, direction)
        value[k], error[k] = slope(line, centre, max(1.0, abs(flat[k])))
    return Estimate(value, error)


def _line(
    f: Callable[..., Any],
    args: Args,
    wrt: Sequence[int],
    seed: Any,
    flat: np.ndarray,
    direction: np.ndarray,
) -> Callable[[float], float]:
    like = tuple(args[i] for i in wrt)

    def along(step: float) -> float:
        moved = unpack(flat + step * direction, like)
        shifted = list(args)
        for i, value in zip(wrt, moved, strict=True):
            shifted[i] = value
        return _scalar_value(f, tuple(shifted), seed)

    return along


def _scalar_value(f: Callable[..., Any], args: Args, seed: Any) -> float:
    result = f(*copy.deepcopy(args))
    return float(inner(seed, result))


def rounding(f: Callable[..., Any], args: Args) -> float:
    """Return how far a result moves where it is computed in extended precision, relative to 1.

    0 where it cannot be. What moves far is chaotic: rounding decides where it ends, and its
    differences say nothing of its derivative.
    """
    try:
        wide, plain = f(*map(_extended, copy.deepcopy(args))), f(*copy.deepcopy(args))
        moved = np.max(np.abs(np.asarray(wide, float) - plain), initial=0.0)
    except Exception:  # NumPy has no such linear algebra, for one
        return 0.0
    return float(moved / (1.0 + np.max(np.abs(plain), initial=0.0)))


def _extended(value: Any) -> Any:
    """Return an argument in extended precision."""
    if isinstance(value, np.ndarray):
        return value.astype(np.longdouble) if value.dtype == np.float64 else value
    if isinstance(value, list | tuple):
        return type(value)(map(_extended, value))
    if isinstance(value, dict):
        return {key: _extended(part) for key, part in value.items()}
    return np.longdouble(value) if isinstance(value, float) else value


def reads_unfilled(f: Callable[..., Any], args: Args) -> bool:
    """Tell whether a result depends on what np.empty holds before it is filled."""
    results = []
    for held in (0.25, 1.75):

        def filled(*given: Any, held: float = held, **named: Any) -> Any:
            zeros = np.zeros_like if isinstance(given[0], np.ndarray) else np.zeros
            made = zeros(*given, **named)
            made[...] = np.asarray(held).astype(made.dtype)
            return made

        with mock.patch.multiple(np, empty=filled, empty_like=filled):
            results.append(pack(f(*copy.deepcopy(args))))
    return not np.array_equal(*results, equal_nan=True)


def is_determined(f: Callable[..., Any], args: Args) -> bool:
    """Tell whether differences of a function say something of its derivative."""
    return (
        not reads_unfilled(f, args) and rounding(f, args) <= ROUNDED and largest(f, args) <= LARGEST
    )


def largest(f: Callable[..., Any], args: Args) -> float:
    """Return the largest number that a local name of f's file holds while f runs."""
    code = getattr(f, "__code__", None)
    found = [0.0]

    def size(value: Any) -> float:
        known = is_inexact(value) and np.size(value)
        return float(np.max(np.abs(value))) if known else 0.0

    def line(frame: types.FrameType, event: str, _: Any) -> Any:
        found.extend(map(size, list(frame.f_locals.values())))
        found[:] = [max(found)]
        return line

    def called(frame: types.FrameType, event: str, _: Any) -> Any:
        ours = code is not None and frame.f_code.co_filename == code.co_filename
        return line if ours else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        f(*copy.deepcopy(args))
    finally:
        sys.settrace(before)
    return found[0]


def inner(left: Any, right: Any) -> float:
    """Return the sum of the products of two results of one structure."""
    if isinstance(right, dict):
        left, right = [left[key] for key in right], list(right.values())
    if isinstance(right, list | tuple):
        return float(sum(inner(a, b) for a, b in zip(left, right, strict=True)))
    if left is None or right is None:  # a result beside numbers
        return 0.0
    return float(np.sum(np.asarray(left) * np.asarray(right)))


def slope(line: Callable[[float], float], centre: float, scale: float) -> tuple[float, float]:
    """Return line'(0) and an estimate of its error, by Richardson extrapolation."""
    best = (0.0, np.inf)
    ups: list[float] = []
    downs: list[float] = []
    for k, step in enumerate(STEPS):
        try:
            ups.append(line(step * scale))
            downs.append(line(-step * scale))
        except TimeoutError:
            raise
        except Exception:  # the primal does not run there: smaller steps may stay inside
            ups.append(np.nan)
            downs.append(np.nan)
        if k >= 2:
            best = min(best, _extrapolate(ups, downs, scale), key=lambda pair: pair[1])
        if k >= 3 and best[1] < 1e-9 * max(1.0, abs(best[0])):
            break
    if _has_kink(ups, downs, centre, scale, best[0]) or not _holds_close_by(line, best[0], scale):
        return best[0], np.inf
    return best


def _holds_close_by(line: Callable[[float], float], found: float, scale: float) -> bool:
    """Tell whether a tiny step finds the slope, too: a kink may be nearer than the smallest of STEPS."""
    step = TINY * scale
    try:
        up, down = line(step), line(-step)
    except TimeoutError:
        raise
    except Exception:
        return False
    rounding = 100.0 * np.finfo(float).eps * max(abs(up), abs(down), 1e-3) / step
    return bool(abs((up - down) / (2.0 * step) - found) <= 1e-6 * max(1.0, abs(found)) + rounding)


def _extrapolate(ups: list[float], downs: list[float], scale: float) -> tuple[float, float]:
    last = len(ups) - 1
    steps = [STEPS[k] * scale for k in (last - 2, last - 1, last)]
    raw = [(ups[-3 + k] - downs[-3 + k]) / (2.0 * steps[k]) for k in range(3)]
    once = [(4.0 * raw[k + 1] - raw[k]) / 3.0 for k in range(2)]
    twice = (16.0 * once[1] - once[0]) / 15.0
    size = max(abs(ups[-1]), abs(downs[-1]), 1e-3)
    rounding = 4.0 * np.finfo(float).eps * size / steps[2]
    error = max(abs(twice - once[0]), abs(once[1] - once[0])) + rounding
    return (float(twice), float(error)) if np.isfinite(error) else (0.0, np.inf)


def _has_kink(
    ups: list[float], downs: list[float], centre: float, scale: float, found: float
) -> bool:
    # at a kink the slopes of the two sides keep their distance however small the step
    bends = [
        abs(up - 2.0 * centre + down) / (STEPS[k] * scale)
        for k, (up, down) in enumerate(zip(ups, downs, strict=True))
    ]
    return bool(bends[-1] > 1e-6 * max(1.0, abs(found)) and bends[-1] > 0.75 * bends[-2])


def compare(got: np.ndarray, expected: Estimate) -> str | None:
    """Return None where `got` agrees with the differences wherever they can be trusted."""
    if got.shape != expected.value.shape:
        return f"{got.size} numbers where {expected.value.size} were expected"
    allowed = ABSOLUTE + RELATIVE * np.abs(expected.value) + 10.0 * expected.error
    wrong = expected.scorable & ~(np.abs(got - expected.value) <= allowed)
    if not wrong.any():
        return None
    k = int(np.argmax(wrong))
    return f"entry {k} of {got.size}: got {got[k]!r}, differences {expected.value[k]!r}"


# ---------------------------------------------------------------------------- other judges


def dot_product_gap(seed: Any, tangent: Any, adjoints: np.ndarray, dots: np.ndarray) -> float:
    """Return |<seed, tangent> - <adjoints, dots>| relative to the size of what is summed."""
    forward = inner(seed, tangent)
    backward = float(adjoints @ dots)
    size = max(1.0, abs(forward), float(np.abs(adjoints) @ np.abs(dots)))
    return abs(forward - backward) / size


def snapshot(args: Any) -> Any:
    """Return a copy of arguments to compare with after a call."""
    return copy.deepcopy(args)


def changed(before: Any, after: Any) -> bool:
    """Tell whether anything inside nested arguments differs, the types included."""
    if type(before) is not type(after):
        return True
    if isinstance(before, np.ndarray):
        same_kind = before.dtype == after.dtype and before.shape == after.shape
        return not (same_kind and np.array_equal(before, after, equal_nan=before.dtype.kind == "f"))
    if isinstance(before, list | tuple):
        return len(before) != len(after) or any(map(changed, before, after))
    if isinstance(before, dict):
        return list(before) != list(after) or any(changed(before[k], after[k]) for k in before)
    return bool(before != after and not (before != before and after != after))


def shares_memory(result: Any, args: Any) -> bool:
    """Tell whether any array of a result lies in the memory of an argument."""
    mine = [leaf for leaf in leaves(result) if isinstance(leaf, np.ndarray)]
    theirs = [leaf for leaf in leaves(args) if isinstance(leaf, np.ndarray)]
    return any(np.shares_memory(a, b) for a in mine for b in theirs)


ALLOWED_IMPORTS = frozenset(
    {
        "copy",
        "dataclasses",
        "numpy",
        "scipy",  # where the function itself calls it
        "math",
        "sys",
        "__future__",
        "cmath",
        "operator",
        "functools",
        "array",
        "types",
    }
    # what lines of the user's that are copied may need
    | {
        "bisect",
        "builtins",
        "collections",
        "heapq",
        "itertools",
        "numbers",
        "statistics",
        "time",
        "warnings",
    }
)


def imports(source: str) -> set[str]:
    """Return the top-level modules that a text imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or ".").split(".")[0])
    return found


def right_or_refused(function: Callable[..., Any], args: tuple[Any, ...], like: Any = None) -> None:
    """Fail if the gradient with respect to the first argument is wrong; an alias may be refused."""
    expected = differences(function, args, (0,))
    try:
        found = s2sad.grad(function, like=like)(*copy.deepcopy(args))
    except s2sad.AliasError:
        return
    assert compare(flatten(found, args[0]), expected) is None


def standalone(source: str, name: str | None = None) -> Callable[..., Any]:
    """Run emitted text in an empty namespace and return the derivative that it defines.

    Without a name it is the last function of the text.
    """
    foreign = imports(source) - ALLOWED_IMPORTS
    if foreign:
        raise AssertionError(f"the emitted text imports {sorted(foreign)}")
    space: dict[str, Any] = {"__name__": "emitted_alone"}
    exec(compile(source, "<emitted text>", "exec"), space)
    if name is None or name not in space:
        tree = ast.parse(source)
        name = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    found = space[name]
    assert isinstance(found, types.FunctionType), name
    return found
