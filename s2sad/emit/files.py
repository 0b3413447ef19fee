"""A text becomes a file, whole or not at all, and never in the place of what is not its own.

write_file(Path("f_grad.py"), text, sources=[Path("model.py")])
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path

from s2sad.ir.errors import ArgumentError


def write_file(path: Path, text: str, *, force: bool = False, sources: Iterable[Path] = ()) -> Path:
    """Write a text to a file as UTF-8 and return its path.

    A file that holds something else is overwritten with `force` alone, and a file of `sources`,
    which the text was made from, never: ArgumentError. OSError where it cannot be written; what
    stood there is then as it was.
    """
    if any(_is_same_file(path, source) for source in sources):
        raise ArgumentError(
            f"{path} is the source that this is made from: it is not overwritten",
            hint="Name another file.",
        )
    if not path.exists() or path.is_file():
        if not force and path.exists() and path.read_bytes() != text.encode():
            raise ArgumentError(
                f"{path} holds something else than what would be written",
                hint="It was edited, or made from another version or with other options. "
                "force=True (--force on the command line) overwrites it.",
            )
        _replace(path.resolve(), text)
    else:  # a pipe or a device takes text as it comes
        path.write_text(text, encoding="utf-8")
    return path


def _is_same_file(path: Path, source: Path) -> bool:
    try:
        return path.samefile(source)
    except OSError:
        return False


def _replace(path: Path, text: str) -> None:
    """Put a whole file in the place of another, with the rights of that."""
    new = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with open(new, "x", encoding="utf-8", newline="") as file:
            file.write(text)
        if path.exists():
            new.chmod(path.stat().st_mode & 0o777)
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
