"""Derivatives in the user's own script, between markers, are refreshed in place: `embed`.

    # s2sad: grad misfit --wrt W,m
    # s2sad: end

`s2sad embed script.py` writes misfit_grad between the two, from what stands above them; all else
stays as it is, to the byte. `--check` tells what is out of date or edited, exit status 1.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import linecache
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from s2sad.api.commands.embedding import Region, bound, lines_of, own_part, regions, shown_end
from s2sad.api.commands.making import made_of
from s2sad.api.commands.output import DONE, REFUSED, Refused, Usage, say, write_out
from s2sad.api.commands.recorded import asked_by
from s2sad.api.commands.refreshing import difference, is_same_code, put, refuse_place
from s2sad.api.commands.targets import import_errors, own_imports, placed, target_in
from s2sad.api.saved import digits
from s2sad.ir.records import dataclass
from s2sad.types.structure import within_module


def run(options: argparse.Namespace) -> int:
    """Refresh all scripts, or none where something is wrong in one."""
    with contextlib.redirect_stdout(sys.stderr):
        scripts = [_refreshed(path, options.force) for path in options.files]
    status = DONE
    for script in scripts:
        for line, state in script.states:
            say(f"{script.path}:{line}: {state}")
        edited = any(state == EDITED for _, state in script.states)
        if options.diff:
            write_out(difference(str(script.path), script.old, script.new))
        if edited or (script.states and (options.check or options.diff)):
            status = REFUSED
    if options.check or options.diff or status != DONE:
        return status
    changed = [script for script in scripts if script.new != script.old]
    for script in changed:
        refuse_place(script.path)
    for script in changed:
        put(script.path, script.new)
        say(f"wrote {script.path}")
    return status


EDITED = "edited by hand: --force drops the edits"


@dataclass(frozen=True, slots=True)
class Script:
    """A script as it is and as it is to be, and what was found at which line."""

    path: Path
    old: str
    new: str
    states: tuple[tuple[int, str], ...]


# ---------------------------------------------------------------------------- one script


def _refreshed(path: Path, force: bool) -> Script:
    """Return a script with its derivatives made again, one after the other."""
    lines = lines_of(path)
    found = regions(path, lines)
    taken = _taken(path, lines, found)
    new, done, states = list[str](), 0, list[tuple[int, str]]()
    defined: dict[str, str] = {}
    for region in found:
        new += lines[done : region.start]
        old = lines[region.start : region.end]
        state, body = _made(path, region, new, old, taken, force)
        _refuse_other(path, region, "".join(body[:-1]), defined)
        if state:
            states.append((region.start, state))
        new += body
        done = region.end + 1
    new += lines[done:]
    return Script(path, "".join(lines), "".join(new), tuple(states))


def _made(
    path: Path, region: Region, above: list[str], old: list[str], taken: set[str], force: bool
) -> tuple[str, list[str]]:
    """Return what is to be said of a region, and its lines with the last marker."""
    ending = "\r\n" if above[-1].endswith("\r\n") else "\n"
    text, source = _derived(path, region, "".join(above), taken)
    before = "".join(old).replace("\r\n", "\n")
    edited = bool(region.text) and digits(before) != region.text
    made = [f"{line}{ending}" for line in text.splitlines()]
    made.append(shown_end(source, digits(text)) + ending)
    same = [*old, shown_end(region.source, region.text) + ending]
    if edited and not force:
        return EDITED, same
    current = before == text or (region.source == source and is_same_code(before, text))
    if region.source and current and not edited:
        return "", same
    return ("out of date" if region.source else "not made yet"), made


def _derived(path: Path, region: Region, above: str, taken: set[str]) -> tuple[str, str]:
    """Return the text for a region without what the script has, and the digits of its source."""
    where = f"{path}:{region.start}"
    if len(region.words) < 2:
        raise Usage(f"{where}: the marker names no function: write # s2sad: grad f")
    try:
        options = asked_by((region.words[0], f"{path}:{region.words[1]}", *region.words[2:]))
    except Usage as problem:
        raise Usage(f"{where}: {problem}; a marker is written # s2sad: grad f") from None
    if options.output is not None:
        raise Usage(f"{where}: a marker has no -o: the derivative stands below it")
    with _module(path, above) as module:
        target = target_in(module, str(path), region.words[1])
        with within_module(module.__name__):
            made = made_of(options, target, path.parent, saving=True)
        all_known = vars(module)
        # what another region defines is said again: each stands by itself
        own = all_known if "*" in taken else {n: all_known[n] for n in taken & all_known.keys()}
        return own_part(made.source, own, taken, where), made.digits


@contextlib.contextmanager
def _module(path: Path, above: str) -> Iterator[ModuleType]:
    """Have the module that a part of a script defines, as if its file ended there."""
    name = str(path.resolve())
    text = above.removeprefix("\ufeff")
    with own_imports():
        module = ModuleType(placed(path))
        module.__file__, module.__package__ = name, module.__name__.rpartition(".")[0]
        # without a time, what is known of the file is not looked for on the disk
        linecache.cache[name] = len(text), None, text.splitlines(True), name
        try:
            with import_errors(str(path)):
                sys.modules.setdefault(module.__name__, module)
                exec(compile(text, name, "exec"), vars(module))
            yield module
        finally:
            linecache.cache.pop(name, None)


def _taken(path: Path, lines: list[str], found: list[Region]) -> set[str]:
    """Return the names that a script binds outside of its regions."""
    outside = list(lines)
    for region in found:
        outside[region.start : region.end] = ["\n"] * (region.end - region.start)
    try:
        tree = ast.parse("".join(outside).removeprefix("\ufeff"))
    except SyntaxError as error:
        raise Usage(f"{path}:{error.lineno} is not Python: {error.msg}") from None
    return {name for node in tree.body for name in bound(node)}


def _refuse_other(path: Path, region: Region, body: str, defined: dict[str, str]) -> None:
    """Refuse a function that another region defines in another way: the last would hide it."""
    try:
        tree = ast.parse(body)
    except SyntaxError:
        return  # edited: it is told
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            dump = ast.dump(node)
            if defined.setdefault(node.name, dump) != dump:
                raise Refused(
                    f"{path}:{region.start}: two derivatives need {node.name} for two things\n"
                    "  Save one of them to a file of its own: -o FILE."
                )
