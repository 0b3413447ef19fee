"""Contexts of the standard library that change what is computed under them."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def suppress(*kinds: type[BaseException]) -> Iterator[None]:
    """Leave the block at an exception of these kinds."""
    try:  # noqa: SIM105 - it is what this is made of
        yield
    except kinds:
        pass
