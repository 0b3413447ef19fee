r'''Lines become a docstring, whatever stands in them.

docstring(["Gradient of f(x).", "", "... by s2sad from a\b.py:3."])    ->    """Gradient of f(x).
                                                                             ... from a\\b.py:3.
'''

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def docstring(lines: Sequence[str]) -> list[str]:
    """Return the lines of a docstring, indented as in a function."""
    known = [_escaped(line) for line in lines]
    if len(known) == 1:
        return [f'    """{known[0]}"""']
    if not known:
        return []
    return [f'    """{known[0]}', *(f"    {line}".rstrip() for line in known[1:]), '    """']


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace('"""', r"\"\"\"")


def file_name(path: str) -> str:
    """Return the last part of a path, in one line that can be printed and encoded."""
    name = Path(path).name
    shown = (char if char.isprintable() else _code(char) for char in name)
    return "".join(shown)


def _code(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
