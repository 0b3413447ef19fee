"""`[[tool.s2sad.derivatives]]` of pyproject.toml: which derivatives a project keeps.

    [[tool.s2sad.derivatives]]
    target = "code/model.py:misfit"
    wrt = ["W", "m"]
    mode = "value-and-grad"                 # a command; grad without it
    like = "(np.ones((4, 3)), np.ones(3), np.ones(4))"
    out = "code/misfit_grad.py"

Paths are those from the folder of pyproject.toml, and lead to files in it.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from s2sad.api.commands import COMMANDS
from s2sad.api.commands.problems import Usage
from s2sad.ir.records import dataclass

FLAGS = ("reassociate", "lines")
TEXTS = ("like", "arrays", "memory", "rules")
KEYS = ("target", "wrt", "mode", "out", "checkpoint", *TEXTS, *FLAGS)
MODES = tuple(name for name, each in COMMANDS.items() if each.module == "derivatives")


@dataclass(frozen=True, slots=True)
class Entry:
    """One derivative of a manifest: the words of its command, and the file that holds it."""

    words: tuple[str, ...]
    out: Path


def entries(root: Path) -> list[Entry]:
    """Return what the manifest of a project asks for; Usage for what is wrong in it."""
    path = root / "pyproject.toml"
    found = [_entry(each, root, number) for number, each in enumerate(_tables(path), 1)]
    outs = [each.out for each in found]
    twice = next((each for each in outs if outs.count(each) > 1), None)
    if twice is not None:
        raise Usage(
            f"two derivatives of [tool.s2sad] go to {_shown(twice, root)}: give each its own out"
        )
    return found


def _tables(path: Path) -> list[Any]:
    try:
        whole = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Usage(f"{path} cannot be read: {error}") from None
    own = whole.get("tool", {}).get("s2sad", {})
    if not isinstance(own, dict):
        raise Usage("[tool.s2sad] is no table: write [[tool.s2sad.derivatives]]")
    for key in own:
        if key != "derivatives":
            raise Usage(
                f"[tool.s2sad] has an unknown key {key!r}: each derivative is a table "
                "[[tool.s2sad.derivatives]]"
            )
    tables = own.get("derivatives", [])
    if not isinstance(tables, list):
        raise Usage("derivatives of [tool.s2sad] is no list: write [[tool.s2sad.derivatives]]")
    return tables


def _entry(table: Any, root: Path, number: int) -> Entry:
    where = f"derivative {number} of [tool.s2sad]"
    if not isinstance(table, dict):
        raise Usage(f"{where} is no table: write [[tool.s2sad.derivatives]]")
    _check_keys(table, where)
    target, mode = _text(table, "target", where), _text(table, "mode", where, "grad")
    if mode not in MODES:
        raise Usage(f"mode of {where} is {mode!r}: it is one of {', '.join(MODES)}")
    out = _inside(root, _text(table, "out", where), where)
    return Entry((mode, target, *_words(table, where)), out)


def _check_keys(table: Mapping[str, Any], where: str) -> None:
    for key in table:
        if key not in KEYS:
            close = difflib.get_close_matches(key, KEYS, 1)
            known = f"did you mean {close[0]}?" if close else f"known are {', '.join(KEYS)}"
            raise Usage(f"{where} has an unknown key {key!r}: {known}")
    for key in ("target", "out"):
        if key not in table:
            raise Usage(f"{where} has no {key}: add it")


def _text(table: Mapping[str, Any], key: str, where: str, default: str = "") -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or not value or "\0" in value:
        raise Usage(f"{key} of {where} is {value!r}: write a text")
    return value


def _words(table: Mapping[str, Any], where: str) -> Iterator[str]:
    """Yield the options of one derivative as a command line has them."""
    for key in ("wrt", "checkpoint"):
        values = table.get(key, [])
        values = [values] if isinstance(values, str) else values
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise Usage(f"{key} of {where} is {table[key]!r}: write a text, or a list of texts")
        if key == "wrt" and values:
            several = "," if isinstance(table[key], list) and len(values) == 1 else ""
            yield f"--wrt={','.join(values)}{several}"
        elif key == "checkpoint":
            yield from (f"--checkpoint={each}" for each in values)
    for key in TEXTS:
        if key in table:
            yield f"--{key}={_text(table, key, where)}"
    for key in FLAGS:
        if table.get(key, False) not in (True, False):
            raise Usage(f"{key} of {where} is {table[key]!r}: write true or false")
        if table.get(key, False):
            yield f"--{key}"


def _inside(root: Path, name: str, where: str) -> Path:
    """Return a path in the project; Usage for one that leads out of it, by a link as well."""
    path = root / name
    try:
        resolved = path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise Usage(f"out of {where} is {name!r}, which is no path: {error}") from None
    if not resolved.is_relative_to(root.resolve()) or resolved == root.resolve():
        raise Usage(f"out of {where} is {name!r}, which lies outside of {root}: name a file in it")
    if path.suffix != ".py":
        raise Usage(f"out of {where} is {name!r}: name a file that ends in .py")
    return path


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
