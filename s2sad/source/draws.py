"""The generators that random numbers are drawn from: a look at a function leaves them as they were.

with undrawn([rng]):
    f(rng)              what is drawn afterwards is what would have been drawn without it
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

SOURCES: Final = (np.random.Generator, np.random.RandomState, random.Random)


@contextmanager
def undrawn(held: Iterable[Any]) -> Iterator[None]:
    """Set what is drawn from back in the end: the modules, and the generators among `held`."""
    owners = (function.__self__ for function in (np.random.rand, random.random))  # type: ignore[attr-defined]
    sources = [each for each in (*owners, *held) if _goes_on(each)]
    before = [_state(source) for source in sources]
    try:
        yield
    finally:
        for source, state in zip(sources, before, strict=True):
            _set_state(source, state)


def _goes_on(held: Any) -> bool:
    """Tell whether draws from an object go on from a state that can be asked for."""
    return isinstance(held, SOURCES) and not isinstance(held, random.SystemRandom)


def _state(source: Any) -> Any:
    if isinstance(source, random.Random):
        return source.getstate()
    if isinstance(source, np.random.Generator):
        return source.bit_generator.state
    return source.get_state()


def _set_state(source: Any, state: Any) -> None:
    if isinstance(source, random.Random):
        source.setstate(state)
    elif isinstance(source, np.random.Generator):
        source.bit_generator.state = state
    else:
        source.set_state(state)
