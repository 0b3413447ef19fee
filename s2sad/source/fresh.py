"""Names that nothing else has: the one that is wished for, or that with a number.

free("w_is_v", {"u", "w_is_v"})      ->      "w_is_v_2"
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import count


def free(wanted: str, taken: Container[str]) -> str:
    """Return the name that is wanted, numbered if it is taken."""
    return next(name for name in numbered(wanted) if name not in taken)


def numbered(wanted: str) -> Iterator[str]:
    """Yield a name, and then the same with 2, 3 and so on behind it."""
    yield wanted
    for number in count(2):
        yield f"{wanted}_{number}"
