"""Which derivatives of a project, saved or in its manifest, are out of date or edited: `check`.

    s2sad check                                    the manifest, and what else the project keeps
    s2sad check misfit_grad.py --diff              what would change

Exit status 1 if one is not as it would be made, a line each; with --write if edits conflict.

    [[tool.s2sad.derivatives]]
    target = "code/model.py:misfit"
    wrt = ["W", "m"]
    mode = "value-and-grad"                 # a command; grad without it
    like = "(np.ones((4, 3)), np.ones(3), np.ones(4))"
    out = "code/misfit_grad.py"

Paths are those from the folder of pyproject.toml, and lead to files in it.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from s2sad.api.commands import COMMANDS
from s2sad.api.commands.making import made_for, maker_from, whole_text
from s2sad.api.commands.output import DONE, REFUSED, Refused, Usage, say, write_out
from s2sad.api.commands.recorded import asked_again, asked_by
from s2sad.api.commands.refreshing import (
    BOTH,
    CURRENT,
    EDITED,
    MISSING,
    OTHER,
    Asked,
    Plan,
    planned,
    refuse,
    write,
)
from s2sad.api.saved import root_of, split
from s2sad.ir.errors import S2sadError
from s2sad.ir.records import dataclass

ELSEWHERE = {"site-packages", "node_modules", "build", "dist", "__pycache__"}
FIRST = b"# Made by s2sad "


def run(options: argparse.Namespace) -> int:
    """Check all derivatives first; write only if all of them could be made."""
    items = list(_items(options.files))
    if options.base is not None and len(items) != 1:
        raise Usage("--base is for one file: name it")
    with contextlib.redirect_stdout(sys.stderr):
        found = [_found(item, options) for item in items]
    for plan in found if options.write else ():
        if isinstance(plan, Plan) and (plan.state != OTHER or plan.text is not None):
            refuse(plan)
    status = DONE
    for item, plan in zip(items, found, strict=True):
        if isinstance(plan, Exception):
            first = str(plan).splitlines()[0]
            fine, told = False, f"cannot be made again: {first}"
        else:
            fine, told = _carried_out(plan, options)
        if told:
            say(f"{item.shown}: {told}")
        status = status if fine else REFUSED
    return status


def _carried_out(plan: Plan, options: argparse.Namespace) -> tuple[bool, str]:
    """Show or write what a plan asks for; tell whether all is well, and what is to be said."""
    if options.diff:
        write_out(plan.diff())
    if options.write and (plan.text is not None or plan.state == EDITED):
        write(plan)
        return plan.conflicts == 0, _written(plan)
    fine = plan.state == CURRENT or (plan.state == EDITED and options.allow_edited)
    return fine, "" if fine and not options.verbose else plan.state


def _written(plan: Plan) -> str:
    if plan.conflicts:
        return f"made anew, {plan.conflicts} of your edits conflict{'s' * (plan.conflicts == 1)}"
    known = {BOTH: "made anew, your edits are kept", MISSING: "made", EDITED: f"{EDITED}, kept"}
    return known.get(plan.state, "made anew")


# ---------------------------------------------------------------------------- which files


@dataclass(frozen=True, slots=True)
class Item:
    """A file to check: by what it says of itself, or by an entry of the manifest."""

    path: Path
    shown: str
    root: Path
    entry: Entry | None = None


def _items(files: list[Path]) -> Iterator[Item]:
    if files:
        for path in files:
            root = root_of(path)
            known = {each.out.resolve(): each for each in entries(root)}
            yield Item(path, str(path), root, known.get(path.resolve()))
        return
    root = root_of(Path("pyproject.toml"))
    listed = entries(root)
    yield from (Item(each.out, os.path.relpath(each.out), root, each) for each in listed)
    outs = {each.out.resolve() for each in listed}
    others = [path for path in _saved(root) if path.resolve() not in outs]
    if not listed and not others:
        raise Usage("there is no saved derivative here: name files, or list them in [tool.s2sad]")
    yield from (Item(path, os.path.relpath(path), root) for path in others)


def _saved(root: Path) -> list[Path]:
    """Return the files of a project that say they were made by s2sad."""
    found = []
    for folder, inner, names in os.walk(root):
        inner[:] = [n for n in inner if not n.startswith(".") and n not in ELSEWHERE]
        inner[:] = [n for n in inner if not (Path(folder) / n / "pyvenv.cfg").exists()]
        found += [Path(folder) / name for name in names if name.endswith(".py")]
    return sorted(path for path in found if _is_saved(path))


def _is_saved(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(FIRST)) == FIRST
    except OSError:
        return False


# ---------------------------------------------------------------------------- one file


def _found(item: Item, options: argparse.Namespace) -> Plan | Exception:
    """Return the plan for one file, or what stands in its way."""
    asked = _options(item)
    try:
        made = made_for(asked, asked.targets[0], saving=True, folder=item.root)
    except (S2sadError, Refused) as problem:
        return problem
    text = whole_text(asked, made, item.path, item.root)
    wanted = Asked(
        item.path,
        made.sources,
        options.force and options.write,
        options.base,
        maker_from(asked, asked.targets[0], item.root),
    )
    return planned(wanted, text, merging=options.write or options.diff)


def _options(item: Item) -> argparse.Namespace:
    """Return the options that a file is made with."""
    if item.entry is not None:
        return asked_by(item.entry.words)
    try:
        whole = item.path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Usage(f"{item.shown} cannot be read: {reason}") from None
    stamp, _ = split(whole)
    if stamp is None:
        raise Usage(f"{item.shown} does not say how it was made: save it by s2sad grad ... -o FILE")
    if not stamp.command:
        raise Usage(f"{item.shown} names no command that makes it: save it again from Python")
    return asked_again(stamp.command)


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
            f"two derivatives of [tool.s2sad] go to {twice.relative_to(root).as_posix()}: give each its own out"
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
