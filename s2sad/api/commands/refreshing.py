"""What becomes of a file when its derivative is made again: nothing that somebody wrote is lost.

plan = planned(request, text)
plan.state        "up to date", "out of date", "edited by hand", ...
plan.text         what is to be written, None where the file stays as it is
"""

from __future__ import annotations

import ast
import difflib
import os
import re
from collections.abc import Callable
from pathlib import Path

from s2sad.api.commands.merging import Base, base_of, merged
from s2sad.api.commands.problems import Usage
from s2sad.api.stamp import Stamp, are_of_one_function, is_edited, restamped, split
from s2sad.emit.files import write_file
from s2sad.ir.errors import ArgumentError
from s2sad.ir.records import dataclass

CURRENT, OUTDATED, EDITED = "up to date", "out of date", "edited by hand"
BOTH, MISSING, OTHER = "edited by hand and out of date", "not made yet", "no derivative of s2sad's"
CONFLICTING = "has conflicts that are not resolved"
NO_END = "\\ No newline at end of file"
LONGEST = 200  # bytes in the name of a file: a new one is written beside it first
CONFLICT = re.compile(r"^(<<<<<<<|>>>>>>>) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A file that is to hold a derivative, and what it is made from.

    `force` drops edits. `base` is a file with the text as it was made, or with the function as it
    was then. `again` makes the text from another file with the function.
    """

    path: Path
    sources: tuple[Path, ...] = ()
    force: bool = False
    base: Path | None = None
    again: Callable[[Path], str] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a file is now, and what is to be written to it, None where it stays."""

    asked: Asked
    state: str
    text: str | None = None
    conflicts: int = 0

    def diff(self) -> str:
        """Return what would change, as a unified diff."""
        if self.text is None:
            return ""
        old = _read(self.asked.path) if self.asked.path.exists() else ""
        return difference(os.path.relpath(self.asked.path), old, self.text)


def planned(asked: Asked, text: str, *, merging: bool = True, any_function: bool = True) -> Plan:
    """Return what is to become of a file whose stamped text is now this one.

    Unless it may be that of `any_function`, the derivative of another one is taken for something
    else. Without `merging` what was edited and is out of date is told, and no base is looked for.
    Raises Usage where edits cannot be merged for want of the text as it was made.
    """
    if not asked.path.exists():
        return Plan(asked, MISSING, text)
    whole = _read(asked.path)
    (old, body), (new, made) = split(whole), split(text)
    assert new is not None
    if asked.force:
        return Plan(asked, OTHER if old is None else OUTDATED, _as_before(whole, text))
    if old is None:
        return Plan(asked, CURRENT if body == made else OTHER)
    if not any_function and not are_of_one_function(old, new):
        return Plan(asked, OTHER)
    edited = is_edited(old, body)
    current = old.text == new.text or (
        old.source == new.source
        # what an edited text was is not known here: the same version makes the same of it
        and (old.version == new.version if edited else is_same_code(body, made))
    )
    if not edited:
        return Plan(asked, CURRENT) if current else Plan(asked, OUTDATED, _as_before(whole, text))
    if CONFLICT.search(body):
        return Plan(asked, CONFLICTING)
    if current:
        return Plan(asked, EDITED)
    if not merging:
        return Plan(asked, BOTH)
    return _merge(asked, Base(old, asked.base), whole, new, made)


def _merge(asked: Asked, base: Base, whole: str, new: Stamp, made: str) -> Plan:
    found = base_of(asked.path, base, asked.sources, asked.again)
    if found is None:
        raise Usage(
            f"{asked.path} was edited, and the text as it was made is not in git: "
            "give it by --base FILE, or drop the edits by --force"
        )
    _, body = split(whole)
    text, conflicts = merged(asked.path, body, found, made)
    return Plan(asked, BOTH, _as_before(whole, restamped(text, new)), conflicts)


def is_same_code(one: str, other: str) -> bool:
    """Tell whether two texts differ in comments and blank lines alone."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError):
        return False


def refuse(plan: Plan) -> None:
    """Raise where a plan cannot be carried out, before the first of several is."""
    path = plan.asked.path
    if plan.state == OTHER and plan.text is None:
        raise Usage(
            f"{path} holds something else than a derivative of this function: --force overwrites it"
        )
    if plan.text is not None:
        refuse_place(path)
        for source in plan.asked.sources:
            if path.exists() and source.exists() and path.samefile(source):
                raise Usage(
                    f"{path} is the source that the derivative is made from: name another file"
                )


def refuse_place(path: Path) -> None:
    """Raise Usage for a place that no file can be written to."""
    folder = path.resolve().parent
    if not folder.is_dir():
        raise Usage(f"{path} cannot be written: there is no folder {folder}, make it")
    if path.is_dir():
        raise Usage(f"{path} cannot be written: it is a folder, name a file")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise Usage(f"{path} cannot be written: you have no permission, name another file")
    if len(os.fsencode(path.name)) > LONGEST:
        raise Usage(f"{path} cannot be written: its name is too long")


def write(plan: Plan) -> bool:
    """Carry out a plan; tell whether the file was written. Raises as `refuse` does."""
    refuse(plan)
    if plan.text is None:
        return False
    put(plan.asked.path, plan.text, sources=plan.asked.sources)
    return True


def put(path: Path, text: str, *, force: bool = True, sources: tuple[Path, ...] = ()) -> None:
    """Write a file as `write_file` does; raises Usage."""
    try:
        write_file(path, text, force=force, sources=sources)
    except ArgumentError as error:
        raise Usage(f"{error.problem}. {error.hint}") from None
    except OSError as error:
        raise Usage(
            f"{path} cannot be written ({error.strerror or error}): name a file in a folder of yours"
        ) from None


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error.strerror or error}") from None


def _as_before(whole: str, text: str) -> str:
    """Return a text with the ends of lines that the file has."""
    return text.replace("\n", "\r\n") if "\r\n" in whole else text


def difference(path: str, old: str, new: str) -> str:
    """Return what would change in a file, as a unified diff."""
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    lines = difflib.unified_diff(before, after, path, f"{path} (new)")
    ended = (line if line.endswith("\n") else f"{line}\n{NO_END}\n" for line in lines)
    return "".join(ended)
