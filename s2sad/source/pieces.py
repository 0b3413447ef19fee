"""The part of a file around a function, so that a long file is not read for a short one.

piece_around(text, code)    ->    "import numpy as np\\n\\n\\nclass A:\\n    def f(self): ..."

A piece is the statement of the file's top level in which the code stands, and the imports of the
file: methods of what is imported are called in another way. All stand on the lines where they
stood. It is found by looks: whoever reads it checks that it holds the code, and reads the whole
file where it does not.
"""

from __future__ import annotations

import ast
import functools
import io
import re
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType

from s2sad.source.codes import codes_in

_INSIDE = frozenset(" \t\f\r\n#)]}")  # what a line inside or between statements begins with
_MAY_IMPORT = re.compile(r"(import|from|if|try)\b")
_GOES_ON = re.compile(r"(elif|else|except|finally)\b")


def piece_around(text: str, code: CodeType) -> str:
    """Return the statement of the top level in which the code seems to stand, and the imports."""
    lines = lines_of(text)
    first = min(code.co_firstlineno, len(lines)) - 1
    while first > 0 and lines[first][0] in _INSIDE:
        first -= 1
    last = max(_last_lines(code))
    while last < len(lines) and lines[last][0] in _INSIDE:
        last += 1
    kept = ["\n"] * len(lines)
    for begin, end in (*_imports(text), (max(first, 0), last)):
        kept[begin:end] = lines[begin:end]
    return "".join(kept).rstrip() + "\n"


@functools.lru_cache(maxsize=64)
def _imports(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the imports of a file stand, those under a test or a try with what is there."""
    lines = lines_of(text)
    begins = [at for at, line in enumerate(lines) if line[0] not in _INSIDE]
    begins = [at for at in begins if not _GOES_ON.match(lines[at])]
    parts = pairwise([*begins, len(lines)])
    return tuple(part for part in parts if _holds_import(lines[slice(*part)]))


def _holds_import(lines: tuple[str, ...]) -> bool:
    """Tell whether lines import something; those of a string may only look like it."""
    if not _MAY_IMPORT.match(lines[0]) or not any("import" in line for line in lines):
        return False
    try:
        return bool(ast.parse("".join(lines)))
    except SyntaxError:
        return False


@functools.lru_cache(maxsize=64)
def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text as the compiler counts them: a form feed ends none."""
    return tuple(io.StringIO(text))


def _last_lines(code: CodeType) -> Iterator[int]:
    yield code.co_firstlineno
    for each in (code, *codes_in(code)):
        yield from (end for _, end, _, _ in each.co_positions() if end is not None)
