"""Judges all that can be asked of one function: adjoints, tangents, matrices and second derivatives.

    judge(f, case, folder)     # Score("right", ...), or that of the first that is not

Results may be arrays, tuples, dicts, named tuples, dataclasses, and all of these in each other. What is
asked is compared with the matrix of differences of all numbers of the result, in all numbers of the
arguments.
"""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests import oracles
from tests.fuzz.case import Case
from tests.fuzz.limits import quiet, time_limit
from tests.fuzz.score import BADNESS, Changed, Derive, Score, Wrong, judged_stage, s2sad_derive

Ask = Callable[[], None]


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """A function, what it is called with and gives, and its matrix of differences."""

    f: Callable[..., Any]
    args: tuple[Any, ...]
    value: Any
    matrix: np.ndarray
    error: float
    derive: Derive
    rng: np.random.Generator

    def new(self, form: str, wrt: Any = None, **options: Any) -> Any:
        """Return a derivative with respect to all arguments, or to those that are named."""
        wrt = tuple(range(len(self.args))) if wrt is None else wrt
        return self.derive(form, self.f, wrt=wrt, **options)

    def call(self, df: Callable[..., Any], *more: Any) -> Any:
        """Return what a derivative gives; nothing that it is given may be another afterwards."""
        given = copy.deepcopy((*self.args, *more))
        result = df(*given)
        if any(map(oracles.changed, map(plain, (*self.args, *more)), map(plain, given))):
            raise Changed("an argument was written to")
        return result

    def dots(self) -> tuple[Any, ...]:
        """Return numbers in the place of those of the arguments."""
        return tuple(like(each, self.rng) for each in self.args)


def judge(f: Callable[..., Any], case: Case, folder: Path, derive: Derive = s2sad_derive) -> Score:
    """Ask for some of what can be asked of a function, and return the worst of the scores."""
    with quiet():
        with np.errstate(all="raise", under="ignore"):
            value = f(*copy.deepcopy(case.args))
        matrix, error = slopes(lambda *args: numbers(f(*args)), case.args)
        if not error <= 1e-6 * (1.0 + np.max(np.abs(matrix), initial=0.0)):
            return Score("unscorable", "primal")
        rng = np.random.default_rng(len(case.text))
        asked = Asked(f, case.args, value, matrix, 4.0 * error + 1e-6, derive, rng)
        scores = [judged_stage(name, ask) for name, ask in _asks(asked, random.Random(case.label))]
    return max(scores, key=lambda each: BADNESS.index(each.verdict))


def _asks(asked: Asked, rng: random.Random) -> Iterator[tuple[str, Ask]]:
    """Yield what is asked of a function, and its name."""
    value = asked.value
    parts = value if type(value) is tuple else (value,)
    are_arrays = all(isinstance(part, np.ndarray | float) for part in parts)
    yield "vjp", lambda: _adjoints(asked, (0, 1, 2))
    one = (rng.randrange(len(asked.args)),)
    yield "vjp of one", lambda: _adjoints(asked, one)
    yield "jvp", lambda: _tangents(asked)
    yield "directional", lambda: _directions(asked, rng.choice((1, 3)))
    if are_arrays:
        mode = rng.choice((None, "forward", "reverse"))
        yield f"jacobian {mode}", lambda: _matrix(asked, parts, mode)
    if isinstance(value, np.ndarray) and value.ndim:
        yield "sparse", lambda: _sparse(asked)
    if isinstance(value, float) and np.ndim(value) == 0:
        second = (_value_and_gradient, _hessian_product, _tangent_of_gradient, _adjoint_of_gradient)
        for ask in rng.sample((*second, _hessian, _twice), 2):
            yield ask.__name__, lambda ask=ask: ask(asked)


# ---------------------------------------------------------------------------- what is asked


def _adjoints(asked: Asked, wrt: tuple[int, ...]) -> None:
    seed = like(asked.value, asked.rng)
    df = asked.new("vjp", wrt if len(wrt) > 1 else wrt[0])
    bars = asked.call(df, seed)
    bars = bars if len(wrt) > 1 else (bars,)
    columns = _columns(asked.args)
    for place, bar in zip(wrt, bars, strict=True):
        expected = numbers(seed) @ asked.matrix[:, columns[place]]
        _agree(bar, expected.reshape(np.shape(asked.args[place])), asked, f"argument {place}")
    arrays = [each for each in bars if isinstance(each, np.ndarray)]
    for k, each in enumerate(arrays):
        if any(np.shares_memory(each, other) for other in arrays[:k]):
            raise Wrong("two adjoints are one array")


def _tangents(asked: Asked) -> None:
    dots = asked.dots()
    value, tangent = asked.call(asked.new("jvp"), *dots)
    _agree(numbers(value), numbers(asked.value), asked, "value")
    if shapes(tangent) != shapes(asked.value):
        raise Wrong(f"shapes {shapes(tangent)}, expected {shapes(asked.value)}")
    _agree(numbers(tangent), asked.matrix @ numbers(dots), asked, "tangent")


def _directions(asked: Asked, count: int) -> None:
    dots = [asked.dots() for _ in range(count)]
    stacked = [np.stack(each) for each in zip(*dots, strict=True)]
    tangents = leaves(plain(asked.call(asked.new("directional"), *stacked)))
    flat = [np.reshape(each, (count, -1)) for each in tangents]
    expected = np.stack([asked.matrix @ numbers(each) for each in dots])
    if [each.shape[1:] for each in tangents] != shapes(asked.value):
        raise Wrong(f"shapes {[each.shape for each in tangents]}")
    _agree(np.concatenate(flat, axis=1), expected, asked, "directions")


def _matrix(asked: Asked, parts: Sequence[Any], mode: str | None) -> None:
    options = {} if mode is None else {"mode": mode}
    found = asked.call(asked.new("jacobian", **options))
    blocks = found if type(asked.value) is tuple else (found,)
    for rows, part, row in zip(_columns(parts), parts, blocks, strict=True):
        for columns, arg, block in zip(_columns(asked.args), asked.args, row, strict=True):
            shape = np.shape(part) + np.shape(arg)
            expected = asked.matrix[rows, columns].reshape(shape)
            _agree(block, expected, asked, f"block of {shape}")


def _sparse(asked: Asked) -> None:
    df = asked.new("sparse_jacobian", 0)
    columns = _columns(asked.args)[0]
    _agree(asked.call(df).toarray(), asked.matrix[:, columns], asked, "sparse")
    others = tuple(0.7 * each + 0.1 for each in asked.args)  # of the pattern that was found
    matrix, error = slopes(lambda *args: numbers(asked.f(*args)), others)
    moved = dataclasses.replace(asked, args=others, error=max(asked.error, 4.0 * error))
    if error < 1e-6:
        _agree(moved.call(df).toarray(), matrix[:, columns], moved, "sparse, of others")


def _value_and_gradient(asked: Asked) -> None:
    value, (last, first) = asked.call(asked.new("value_and_grad", (2, 0)))
    _agree(value, asked.value, asked, "value")
    columns = _columns(asked.args)
    _agree(np.ravel(first), asked.matrix[0, columns[0]], asked, "argument 0")
    _agree(np.ravel(last), asked.matrix[0, columns[2]], asked, "argument 2")


def _second(asked: Asked) -> tuple[Any, Asked]:
    """Return the gradient, and what is asked of it: its matrix is the Hessian."""
    df = asked.new("grad")
    matrix, error = slopes(lambda *args: numbers(df(*args)), asked.args)
    known = 10.0 * error + 1e-5 * (1.0 + np.max(np.abs(matrix)))
    return df, dataclasses.replace(asked, f=df, value=asked.args, matrix=matrix, error=known)


def _hessian_product(asked: Asked) -> None:
    (_, second), dots = _second(asked), asked.dots()
    found = asked.call(asked.new("hvp"), *dots)
    _agree(numbers(found), second.matrix @ numbers(dots), second, "hvp")


def _tangent_of_gradient(asked: Asked) -> None:
    _tangents(dataclasses.replace(_second(asked)[1], value=_second(asked)[0](*asked.args)))


def _adjoint_of_gradient(asked: Asked) -> None:
    _adjoints(_second(asked)[1], (0, 1, 2))


def _hessian(asked: Asked) -> None:
    found = asked.call(asked.new("hessian"))
    rows = [
        np.concatenate([np.reshape(block, (np.size(arg), -1)) for block in row], axis=1)
        for row, arg in zip(found, asked.args, strict=True)
    ]
    second = _second(asked)[1]
    _agree(np.concatenate(rows), second.matrix, second, "hessian")


def _twice(asked: Asked) -> None:
    second = _second(asked)[1]
    found = asked.call(asked.derive("grad", asked.new("grad", 2), wrt=2))
    _agree(found, second.matrix[-1, -1], second, "grad of grad")


def _agree(found: Any, expected: Any, asked: Asked, what: str) -> None:
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    if found.shape != expected.shape:
        raise Wrong(f"{what}: shape {found.shape}, expected {expected.shape}")
    scale = 1.0 + np.max(np.abs(asked.matrix), initial=0.0)
    if not np.all(np.abs(found - expected) <= 10.0 * asked.error * scale):
        raise Wrong(f"{what}: {found.tolist()}, differences {expected.tolist()}")


# ---------------------------------------------------------------------------- numbers of results


def plain(value: Any) -> Any:
    """Return a value as lists of arrays, whatever it is built of."""
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, each.name)) for each in dataclasses.fields(value)]
    if isinstance(value, dict | list | tuple):
        return [plain(part) for part in (value.values() if isinstance(value, dict) else value)]
    return np.asarray(value, float)


def leaves(value: Any) -> list[np.ndarray]:
    """Return the arrays in lists of lists of them."""
    return [x for part in value for x in leaves(part)] if isinstance(value, list) else [value]


def numbers(value: Any) -> np.ndarray:
    """Return all numbers of a value as one vector."""
    return np.concatenate([np.zeros(0), *map(np.ravel, leaves(plain(value)))])


def shapes(value: Any) -> list[tuple[int, ...]]:
    """Return the shapes of the arrays of a value."""
    return [each.shape for each in leaves(plain(value))]


def like(value: Any, rng: np.random.Generator) -> Any:
    """Return a value that is built alike, of random numbers."""
    if dataclasses.is_dataclass(value) or hasattr(value, "_fields"):
        fields = getattr(value, "_fields", None) or [x.name for x in dataclasses.fields(value)]
        return type(value)(*(like(getattr(value, name), rng) for name in fields))
    if isinstance(value, dict):
        return {key: like(part, rng) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(like(part, rng) for part in value)
    return (
        rng.uniform(-1.0, 1.0, np.shape(value)) if np.ndim(value) else float(rng.uniform(-1.0, 1.0))
    )


def _columns(args: Sequence[Any]) -> list[slice]:
    """Return where the numbers of each argument stand among those of all."""
    ends = np.cumsum([np.size(each) for each in args])
    return [slice(end - np.size(each), end) for each, end in zip(args, ends, strict=True)]


def slopes(g: Callable[..., np.ndarray], args: tuple[Any, ...]) -> tuple[np.ndarray, float]:
    """Return the matrix of slopes of a vector in all numbers of arguments, and how far off it may be."""
    flat = numbers(args)

    def moved(step: np.ndarray) -> np.ndarray:
        with time_limit():
            return g(*oracles.unpack(flat + step, args))

    def matrix(step: float) -> np.ndarray:
        units = step * np.eye(flat.size)
        return np.stack([(moved(e) - moved(-e)) / (2.0 * step) for e in units], axis=-1)

    coarse, middle, fine = (matrix(2e-3 / 2**k) for k in range(3))
    first, second = (4.0 * middle - coarse) / 3.0, (4.0 * fine - middle) / 3.0
    error = float(np.max(np.abs(first - second), initial=0.0))
    return (16.0 * second - first) / 15.0, error
