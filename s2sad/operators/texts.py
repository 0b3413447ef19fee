"""The files of templates as text: which are rules, twins, rewrites, loops or printed functions.

texts()["elementwise.py"]     the text of templates/elementwise.py
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

PRINTED, REWRITES, TWINS = "printed", "rewrites", "twins"
LOOPS = "loops.py"


@cache
def texts() -> Mapping[str, str]:
    """Return the text of every file of templates by its name, in alphabetical order."""
    found = sorted(_folder().iterdir(), key=lambda entry: str(entry.name))
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in found
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }


def _folder() -> Path:
    """Return the folder of templates: a checkout's own, else the one that is installed."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "templates").is_dir():
        return checkout / "templates"
    return package / "templates"


def rule_files() -> tuple[str, ...]:
    """Return the files that hold rules; twins are looked at where no other rule fits."""
    others = (PRINTED, REWRITES, TWINS, LOOPS)
    plain = [file for file in texts() if not file.startswith(others)]
    return (*plain, *(file for file in texts() if file.startswith(TWINS)))
