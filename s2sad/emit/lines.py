"""Whether a text names lines of the user's file by their numbers, which change with every comment.

# 8: s = np.tanh(r)        what is shown: in a session, by df.source
# s = np.tanh(r)           what is saved, so that the file stays as it is when line 3 is a new one
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LONGEST = 40
_ARE_SHOWN: ContextVar[bool] = ContextVar("lines have numbers", default=True)


@contextmanager
def without_numbers() -> Iterator[None]:
    """Have texts that are made meanwhile name statements, and no numbers of lines."""
    token = _ARE_SHOWN.set(False)
    try:
        yield
    finally:
        _ARE_SHOWN.reset(token)


def are_numbered() -> bool:
    """Tell whether lines are named by their numbers."""
    return _ARE_SHOWN.get()


def numbered(numbers: str, written: str) -> str:
    """Return a remark on a statement: with the numbers of its lines, where these are shown."""
    return f"# {numbers}: {written}" if are_numbered() else f"# {written}"


def with_lines(file: str, numbers: str) -> str:
    """Return a file with the numbers of lines in it, where these are shown."""
    return f"{file}:{numbers}" if are_numbered() else file


def loop_called(file: str, path: str, line: int) -> str:
    """Return what a loop is called in a sentence: "Loop at line 13", or with its own words."""
    if are_numbered():
        return f"Loop at {f'{file}:' if file else 'line '}{line}"
    head = linecache.getline(path, line).strip().removesuffix(":")
    cut = head if len(head) <= LONGEST else f"{head[:LONGEST].rstrip()}..."
    return f"Loop `{cut}`" + (f" of {file}" if file else "")
