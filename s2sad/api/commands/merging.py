"""Edits of a derivative are kept when it is made anew: a three-way merge, as git does it.

base_of(path, base, ...)               the text as it was made, found by its digits
merged(path, edited, base, new)        the text with both changes, and how many conflicts
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from s2sad.api.commands.output import say
from s2sad.api.commands.problems import Refused, Usage
from s2sad.api.stamp import Stamp, digits, split
from s2sad.ir.errors import S2sadError
from s2sad.ir.records import dataclass

COMMITS = 100  # how far back a base is looked for
Again = Callable[[Path], str]


@dataclass(frozen=True, slots=True)
class Base:
    """The text as it was made is to be found: `stamp` says its digits, `file` may hold it."""

    stamp: Stamp
    file: Path | None = None


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


def base_of(path: Path, base: Base, sources: tuple[Path, ...], again: Again | None) -> str | None:
    """Return the text of a file as it was made; None where it is not found.

    It is looked for in the file that is given, in the history of the file itself, and by making it
    from its sources as they were: `again` does that with the file of the function that it is given. Only a text whose digits are those of the stamp is one.
    """
    if base.file is not None:
        return _in_file(base, sources, again)
    return next(_matching(base.stamp, _made_before(path, sources, again)), None)


def _matching(stamp: Stamp, texts: Iterator[str]) -> Iterator[str]:
    return (text for text in texts if digits(text) == stamp.text)


def _in_file(base: Base, sources: tuple[Path, ...], again: Again | None) -> str:
    """Return the text that a file holds, or the one that is made from it."""
    file = base.file
    assert file is not None
    try:
        whole = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Usage(f"--base {file} cannot be read: {reason}") from None
    for text in _matching(base.stamp, _from_file(split(whole)[1], whole, sources, again)):
        return text
    raise Usage(
        f"--base {file} is not what this was made from: its text has the digits "
        f"{digits(split(whole)[1])}, not {base.stamp.text}"
    )


def _from_file(
    text: str, whole: str, sources: tuple[Path, ...], again: Again | None
) -> Iterator[str]:
    yield text
    if again is None or not sources:
        return
    with tempfile.TemporaryDirectory() as folder:
        beside, own = sources[0].resolve().parent, sources[0].name
        for each in beside.iterdir():
            if each.name != own:  # what lies beside the function is as it is now
                (Path(folder) / each.name).symlink_to(each)
        (Path(folder) / own).write_text(whole, encoding="utf-8")
        yield from _tried(again, Path(folder) / own)


def _tried(again: Again, file: Path) -> Iterator[str]:
    try:
        yield again(file)
    except (S2sadError, Refused, Usage):
        return


# ---------------------------------------------------------------------------- in git


def _made_before(path: Path, sources: tuple[Path, ...], again: Again | None) -> Iterator[str]:
    """Yield the texts that git has, the latest first, then those that are made from what it has."""
    top = _top(path)
    if top is None:
        return
    for commit in _commits(top, (path,)):
        name = path.resolve().relative_to(top).as_posix()
        shown = _git(top, "show", f"{commit}:{name}")
        if shown.returncode == 0:
            yield split(shown.stdout.decode("utf-8", "replace"))[1]
    inside = tuple(each for each in sources if each.resolve().is_relative_to(top))
    if again is None or not inside:
        return
    for commit in _commits(top, inside):
        say(f"making {path} as of {commit[:12]}", if_verbose=True)
        with _checked_out(top, commit) as folder:
            yield from _tried(again, folder / inside[0].resolve().relative_to(top))


def _top(path: Path) -> Path | None:
    """Return the folder of the repository that a file lies in."""
    done = _git(path.resolve().parent, "rev-parse", "--show-toplevel")
    return Path(done.stdout.decode().strip()).resolve() if done.returncode == 0 else None


def _commits(top: Path, paths: tuple[Path, ...]) -> list[str]:
    names = [path.resolve().relative_to(top).as_posix() for path in paths]
    done = _git(top, "log", f"-{COMMITS}", "--format=%H", "--", *names)
    return done.stdout.decode().split() if done.returncode == 0 else []


class _checked_out:
    """A folder with the files of a commit, beside the repository and not in it."""

    def __init__(self, top: Path, commit: str):
        self.folder = tempfile.TemporaryDirectory()
        packed = _git(top, "archive", commit).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(self.folder.name, filter="data")

    def __enter__(self) -> Path:
        return Path(self.folder.name)

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", "-C", str(folder), *words], capture_output=True)
    except FileNotFoundError:
        raise Usage(
            "edits are merged by git, which is not installed: drop them by --force"
        ) from None
