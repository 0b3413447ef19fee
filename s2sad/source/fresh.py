"""Names that nothing else has: the one that is wished for, or that with a number.

free("w_is_v", {"u", "w_is_v"})      ->      "w_is_v_2"
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import count
from typing import Any


def free(wanted: str, taken: Container[str]) -> str:
    """Return the name that is wanted, numbered if it is taken."""
    return next(name for name in numbered(wanted) if name not in taken)


def numbered(wanted: str) -> Iterator[str]:
    """Yield a name, and then the same with 2, 3 and so on behind it."""
    yield wanted
    for number in count(2):
        yield f"{wanted}_{number}"


def wishes(words: tuple[str, ...], value: Any, module: str) -> Iterator[str]:
    """Yield names for an object, the user's own first, then with that of its module."""
    # a lambda has no name that a text can give
    short = "_".join(word if word.isidentifier() else "inner" for word in words)
    yield short
    last = str(getattr(value, "__module__", None) or module).rpartition(".")[2]
    if last.isidentifier() and not last.startswith("__"):
        yield f"{last}_{short}"


def candidates(wished: tuple[str, ...]) -> Iterator[str]:
    """Yield the names that are wished for, then the first of them with numbers."""
    yield from wished
    yield from numbered(wished[0])
