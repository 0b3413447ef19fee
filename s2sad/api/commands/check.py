"""Which saved derivatives are out of date, or were edited by hand; `--write` makes them again.

    s2sad check                                    the manifest, and what else the project keeps
    s2sad check misfit_grad.py --diff              what would change

Exit status 1 if one is not as it would be made, a line each; with --write if edits conflict.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from s2sad.api.commands.making import made_for, maker_from, whole_text
from s2sad.api.commands.manifest import Entry, entries
from s2sad.api.commands.output import say, write_out
from s2sad.api.commands.problems import DONE, REFUSED, Refused, Usage
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
from s2sad.api.stamp import root_of, split
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
        if not isinstance(plan, Exception):
            _refuse(plan)
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


def _refuse(plan: Plan) -> None:
    if plan.state != OTHER or plan.text is not None:
        refuse(plan)


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
    yield from (Item(each.out, _shown(each.out), root, each) for each in listed)
    outs = {each.out.resolve() for each in listed}
    others = [path for path in _saved(root) if path.resolve() not in outs]
    if not listed and not others:
        raise Usage("there is no saved derivative here: name files, or list them in [tool.s2sad]")
    yield from (Item(path, _shown(path), root) for path in others)


def _shown(path: Path) -> str:
    return os.path.relpath(path)


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
