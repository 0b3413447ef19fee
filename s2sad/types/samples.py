"""Values of a type for a probe: generic numbers, other ones in each run.

The first two runs have positive distinct numbers below 1 and well conditioned matrices, so that
functions with a domain run; the third has zeros, equal and negative numbers, so that what depends
on content shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from s2sad.ir.records import dataclass
from s2sad.ir.types import Array, Code, Length, Number, Optional, Other, Sequence, Tuple, Type
from s2sad.types.lengths import RUNS

POOL = 4096
HOSTILE = 2  # the run whose numbers are zeros, equal, negative
MOST_ELEMENTS = 1_000_000
# positions of any axis in the first two runs
INTEGERS = ((1, 0, 1, 1, 0, 1, 0), (0, 1, 1, 0, 1, 0, 0), (5, 2, 3, 6, 4, -7, 0))


Floats = np.ndarray[Any, Any]
Content = Callable[[Floats], Floats]


def _ascending(floats: Floats) -> Floats:
    """Return places of a wide grid along the first axis: all arrays have the same range."""
    if not floats.ndim:
        return floats
    return (floats.T * 0.0 + np.linspace(-1e3, 1e3, len(floats))).T


def _shares(floats: Floats) -> Floats:
    """Return shares of a whole, of which as good as nothing is left over."""
    shares: Floats = floats / np.sum(floats, axis=0) * (1.0 - 1e-11)
    return shares


def _heavy(floats: Floats, step: int) -> Floats:
    """Return rows of which the first, or the last, is larger than the others: a diagonal of a band."""
    if not floats.ndim:
        return floats
    weights = 0.05 ** np.arange(len(floats))[::step]
    heavy: Floats = (floats.T * weights).T
    return heavy


# floats as they are drawn, above 1, all 1, ascending, of the sum 1, with a heavy first or last row
CONTENTS: tuple[Content, ...] = (
    *(np.positive, lambda floats: floats + 1.0, np.ones_like, _ascending, _shares),
    *(partial(_heavy, step=1), partial(_heavy, step=-1)),
)


class NoSample(Exception):
    """A type of which no value can be made."""


def _pools() -> tuple[np.ndarray[Any, Any], ...]:
    draw = np.random.default_rng(20).random((RUNS, POOL)) * 0.8 + 0.1
    steps = np.arange(POOL)
    hostile = np.where(steps % 5 == 0, 0.0, np.where(steps % 3 == 0, 1.0, draw[2] * 8 - 4))
    return draw[0], draw[1], hostile


POOLS = _pools()


@dataclass(slots=True)
class Sampler:
    """Values for the run `k` of a probe whose axes have these sizes.

    `content` changes the floats of the first two runs for functions that want others. Where whole
    numbers `are_places`, they are 0 in arrays: that of the first.
    """

    sizes: Mapping[str, int]
    k: int
    content: Content = CONTENTS[0]
    order: str = "C"
    are_places: bool = False
    made: int = 0

    def value(self, type_: Type) -> Any:
        """Return a value of a type."""
        self.made += 1
        match type_:
            case Number():
                return self._number(type_)
            case Array():
                return self._array(type_)
            case Tuple(items, cls):
                values = [self.value(item) for item in items]
                return _as_class(values, cls)
            case Sequence(item, cls, length):
                return self._sequence(item, cls, length)
            case Optional(inner):
                return self.value(inner)
            case Code(value):
                return value
            case Other(cls, Array() as holds):
                assert cls is not None
                return cls(self._array(holds))
            case Other(cls):
                return _of_class(cls)
        raise NoSample(type_)

    def _number(self, type_: Number) -> Any:
        if type_.length is not None:
            found: Any = type_.length.value(self.sizes)
        else:
            found = self._content((), type_.dtype).item()
        boxed = type_.boxed if type_.boxed is not None else self.k == 1
        return np.dtype(type_.dtype).type(found) if boxed else found

    def _array(self, type_: Array) -> Any:
        shape = tuple(0 if n is None else max(0, n.value(self.sizes)) for n in type_.lengths)
        if math.prod(shape) > MOST_ELEMENTS:
            raise NoSample(type_)
        found = self._content(shape, type_.dtype)
        if len(shape) >= 2 and shape[-1] == shape[-2] and found.dtype.kind in "fc":
            if self.k != HOSTILE and self.content is not _ascending:  # places stay in their range
                found = found + np.swapaxes(found, -1, -2).conj()
                found = (found + 4 * shape[-1] * np.eye(shape[-1])).astype(type_.dtype)
        return np.asfortranarray(found) if self.order == "F" else found

    def _content(self, shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
        kind = np.dtype(dtype).kind
        count = math.prod(shape)
        start = 97 * self.made % POOL
        floats = POOLS[self.k][start : start + count]
        if len(floats) < count:
            floats = np.take(POOLS[self.k], np.arange(start, start + count), mode="wrap")
        if kind in "iu":
            row = (0,) if self.are_places and shape else INTEGERS[self.k]
            found = np.take(row, np.arange(self.made, self.made + count), mode="wrap")
        elif kind == "b":
            found = floats > (0.35, 0.6, 0.2)[self.k]
        elif kind == "c":
            found = floats + 1j * floats[::-1]
        else:
            found = floats
        made = found.astype(dtype).reshape(shape)
        if kind in "fc" and self.k != HOSTILE:
            made = np.asarray(self.content(made), dtype)  # of an array without axes: a number
        return made

    def _sequence(self, item: Type, cls: type, length: Length | None) -> Any:
        count = (2, 3, 4)[self.k] if length is None else length.value(self.sizes)
        if cls is range:
            return range(count)
        items = [self.value(item) for _ in range(count)]
        if cls in (list, tuple):
            return cls(items)
        return iter(items)


def _as_class(values: list[Any], cls: type | None) -> Any:
    if cls is None:
        return tuple(values)
    if cls is list:
        return values
    try:
        return cls(*values)
    except TypeError:
        raise NoSample(cls) from None


def _of_class(cls: type | None) -> Any:
    if cls is type(None):
        return None
    if cls is slice:
        return slice(None)
    if cls is type(Ellipsis):
        return Ellipsis
    if cls is str:
        raise NoSample(cls)  # what a text says decides what is done
    raise NoSample(cls)
