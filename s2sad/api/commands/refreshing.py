"""A file whose derivative is made again: edits are merged, and nothing that somebody wrote is lost.

plan = planned(request, text)
plan.state        "up to date", "out of date", "edited by hand", ...
plan.text         what is to be written, None where the file stays as it is

base_of(asked, stamp)                  the text as it was made, found by its digits
merged(path, edited, base, new)        the text with both changes, and how many conflicts
"""

from __future__ import annotations

import argparse
import ast
import difflib
import io
import os
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from s2sad.api.commands.making import Made, maker_from, whole_text
from s2sad.api.commands.output import DONE, REFUSED, Refused, Usage, say
from s2sad.api.saved import Stamp, are_of_one_function, digits, is_edited, restamped, split
from s2sad.emit.files import write_file
from s2sad.ir.errors import ArgumentError, S2sadError
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
    found = base_of(asked, old)
    if found is None:
        raise Usage(
            f"{asked.path} was edited, and the text as it was made is not in git: "
            "give it by --base FILE, or drop the edits by --force"
        )
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


def write(plan: Plan) -> None:
    """Carry out a plan that was not refused."""
    if plan.text is not None:
        put(plan.asked.path, plan.text, sources=plan.asked.sources)


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


COMMITS = 100  # how far back a base is looked for


def merged(path: Path, edited: str, base: str, new: str) -> tuple[str, int]:
    """Return a text with what was edited and what is new, and the number of conflicts in it."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, text in (("edited", edited), ("base", base), ("new", new)):
            place = Path(folder) / name
            place.write_bytes(text.encode("utf-8", "surrogateescape"))
            names.append(str(place))
        labels = (f"{path.name} (edited)", f"{path.name} (as it was made)", f"{path.name} (new)")
        marks = [word for label in labels for word in ("-L", label)]
        done = _git(Path(folder), "merge-file", "-p", *marks, *names)
    if done.returncode < 0 or done.returncode > 127:
        raise Refused(f"{path} cannot be merged: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode("utf-8", "surrogateescape"), done.returncode


def base_of(asked: Asked, stamp: Stamp) -> str | None:
    """Return the text of a file as it was made; None where it is not found.

    It is looked for in the file that is given, in the history of the file itself, and by making it
    from its sources as they were. Only a text whose digits are those of the stamp is one.
    """
    if asked.base is not None:
        return _in_file(asked, asked.base, stamp)
    return next(_matching(stamp, _made_before(asked)), None)


def _matching(stamp: Stamp, texts: Iterator[str]) -> Iterator[str]:
    return (text for text in texts if digits(text) == stamp.text)


def _in_file(asked: Asked, file: Path, stamp: Stamp) -> str:
    """Return the text that a file holds, or the one that is made from it."""
    try:
        whole = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Usage(f"--base {file} cannot be read: {reason}") from None
    for text in _matching(stamp, _from_file(asked, whole)):
        return text
    raise Usage(
        f"--base {file} is not what this was made from: its text has the digits "
        f"{digits(split(whole)[1])}, not {stamp.text}"
    )


def _from_file(asked: Asked, whole: str) -> Iterator[str]:
    yield split(whole)[1]
    if asked.again is None or not asked.sources:
        return
    beside, own = asked.sources[0].resolve().parent, asked.sources[0].name
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / beside.name  # which may be a package
        folder.mkdir(exist_ok=True)
        for each in beside.iterdir():
            if each.name != own:  # what lies beside the function is as it is now
                (folder / each.name).symlink_to(each)
        (folder / own).write_text(whole, encoding="utf-8")
        yield from _tried(asked.again, folder / own)


def _tried(again: Callable[[Path], str], file: Path) -> Iterator[str]:
    try:
        yield again(file)
    except (S2sadError, Refused, Usage):
        return


# ---------------------------------------------------------------------------- in git


def _made_before(asked: Asked) -> Iterator[str]:
    """Yield the texts that git has, the latest first, then those that are made from what it has."""
    path, top = asked.path, _top(asked.path)
    if top is None:
        return
    for commit in _commits(top, (path,)):
        name = path.resolve().relative_to(top).as_posix()
        shown = _git(top, "show", f"{commit}:{name}")
        if shown.returncode == 0:
            yield split(shown.stdout.decode("utf-8", "replace"))[1]
    inside = tuple(each for each in asked.sources if each.resolve().is_relative_to(top))
    if asked.again is None or not inside:
        return
    for commit in _commits(top, inside):
        say(f"making {path} as of {commit[:12]}", if_verbose=True)
        with _checked_out(top, commit) as folder:
            yield from _tried(asked.again, folder / inside[0].resolve().relative_to(top))


def _top(path: Path) -> Path | None:
    """Return the folder of the repository that a file lies in."""
    done = _git(path.resolve().parent, "rev-parse", "--show-toplevel")
    return Path(done.stdout.decode().strip()).resolve() if done.returncode == 0 else None


def _commits(top: Path, paths: tuple[Path, ...]) -> list[str]:
    names = [path.resolve().relative_to(top).as_posix() for path in paths]
    done = _git(top, "log", f"-{COMMITS}", "--format=%H", "--", *names)
    return done.stdout.decode().split() if done.returncode == 0 else []


# nothing of an archive goes elsewhere; Python 3.11.4 is the first that is told so
WITHIN: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


@contextmanager
def _checked_out(top: Path, commit: str) -> Iterator[Path]:
    """Give a folder with the files of a commit, beside the repository and not in it."""
    packed = io.BytesIO(_git(top, "archive", commit).stdout)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=packed) as archive:
            archive.extractall(folder, **WITHIN)
        yield Path(folder)


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", "-C", str(folder), *words], capture_output=True)
    except FileNotFoundError:
        raise Usage(
            "edits are merged by git, which is not installed: drop them by --force"
        ) from None


# ---------------------------------------------------------------------------- what was derived


def saved(options: argparse.Namespace, made: list[Made]) -> int:
    """Write each derivative to its file: nothing, where one is refused."""
    paths = _places(options.output, made)
    if options.base is not None and len(paths) > 1:
        raise Usage("--base is for one file: name one target")
    plans = [_planned(options, each, path) for each, path in zip(made, paths, strict=True)]
    for plan in plans:
        refuse(plan)
    for plan in plans:
        write(plan)
        say(_written(plan))
    fails = any(plan.conflicts or plan.state == CONFLICTING for plan in plans)
    return REFUSED if fails else DONE


def _planned(options: argparse.Namespace, made: Made, path: Path) -> Plan:
    again = maker_from(options, made.asked)
    asked = Asked(path, made.sources, options.force, options.base, again)
    return planned(asked, whole_text(options, made, path), any_function=False)


def _places(output: Path, made: list[Made]) -> list[Path]:
    """Return the file of each text: the one that was named, or in a folder those of their names."""
    if not output.is_dir():
        if len(made) > 1:
            raise Usage(f"several derivatives do not go into one file: make the folder {output}")
        return [output]
    paths = [output / f"{each.name}.py" for each in made]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        raise Usage(f"two derivatives would be written to {twice}: write them one by one")
    return paths


def _written(plan: Plan) -> str:
    """Return what was done to a file, in words."""
    if plan.conflicts:
        return f"wrote {plan.asked.path}: {plan.conflicts} of your edits conflict with what is new"
    if plan.state == CONFLICTING:
        return f"{plan.asked.path} {CONFLICTING}: it is as it was"
    if plan.text is None:
        kept = ", and the edits are kept (--force drops them)" if plan.state == EDITED else ""
        return f"{plan.asked.path} is up to date{kept}"
    edits = ", with your edits" if plan.state.startswith("edited") else ""
    return f"wrote {plan.asked.path}{edits}"
