"""The options of a command line become a derivative, and its text.

made_for(options, "model.py:misfit")    Made(..., "misfit_grad", "import numpy...", ...)
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import s2sad
from s2sad import Binomial, Disk, Every, Recompute
from s2sad.api.commands.output import Refused, Usage, say
from s2sad.api.commands.recorded import recorded
from s2sad.api.commands.targets import Target, example, found, parts
from s2sad.api.saved import source_digits, stamped
from s2sad.emit.comments import without_numbers
from s2sad.ir.records import dataclass
from s2sad.source.digest import files_behind


@dataclass(frozen=True, slots=True)
class Made:
    """The text of a derivative, the name of its function, and the files that it was made from.

    `digits` tell what it was made from.
    """

    asked: str
    name: str
    source: str
    digits: str
    sources: tuple[Path, ...]


def made_for(
    options: argparse.Namespace, asked: str, *, saving: bool = False, folder: Path | None = None
) -> Made:
    """Return the derivative that is asked for of one target: as it is shown, or as it is saved."""
    with found(asked, folder) as target:
        return made_of(options, target, folder or Path(), saving=saving)


def made_of(options: argparse.Namespace, target: Target, folder: Path, *, saving: bool) -> Made:
    """Return the derivative that is asked for of a function that was found."""
    rules = None if options.rules is None else folder / options.rules
    with rules_in_force(rules):
        like = example(target, options.like)
        with nullcontext() if options.lines or not saving else without_numbers():
            derivative = derived(options, target, like)
            derivative.refuse_unreachable()
            source = derivative.source
        digits = source_digits(derivative, _syntax(rules))
        if getattr(options, "check", False) and not _agrees(options, target, like):
            raise Refused("the derivative does not agree with differences: nothing is written")
        sources = (*target.sources, *files_behind(target.function))
        return Made(target.asked, derivative.__name__, source, digits, sources)


def whole_text(
    options: argparse.Namespace, made: Made, path: Path, folder: Path | None = None
) -> str:
    """Return the text of a file: the derivative, below how it was made."""
    command = recorded(options, made.asked, path, folder or Path())
    return stamped(made.source, s2sad.__version__, made.digits, command)


def maker_from(
    options: argparse.Namespace, asked: str, folder: Path | None = None
) -> Callable[[Path], str] | None:
    """Return what makes the same text of the function in another file; None for a module's."""
    place, name = parts(asked)
    if not place.endswith(".py"):
        return None
    return lambda file: made_for(options, f"{file}:{name}", saving=True, folder=folder).source


def _syntax(rules: Path | None) -> str:
    """Return a file of rules without its comments."""
    return "" if rules is None else ast.dump(ast.parse(rules.read_text(encoding="utf-8")))


@contextmanager
def rules_in_force(path: Path | None) -> Iterator[None]:
    """Have the rules of a file in force while this runs."""
    if path is None:
        yield
        return
    rules = s2sad.register_rules(path)
    try:
        yield
    finally:
        s2sad.unregister_rules(rules)


def derived(options: argparse.Namespace, target: Target, like: Any) -> Any:
    """Return the derivative that a command line asks for."""
    make, names = _maker(options)
    asked = {name: getattr(options, name) for name in names if name != "checkpoint"}
    if "checkpoint" in names:
        asked["checkpoint"] = checkpoint(options.checkpoint)
    elif getattr(options, "checkpoint", None) or getattr(options, "memory", None):
        name = "--checkpoint" if options.checkpoint else "--memory"
        raise Usage(f"{name} is for reverse mode: forward mode keeps no states")
    return make(target.function, wanted(options.wrt), like=like, **asked)


def _maker(options: argparse.Namespace) -> tuple[Callable[..., Any], tuple[str, ...]]:
    """Return the public function behind a command, and which options it takes."""
    forward = ("arrays", "reassociate")
    reverse = (*forward, "checkpoint", "memory")
    match options.command:
        case "grad" if options.mode == "forward":
            return s2sad.jvp, forward
        case "grad" if options.value:
            return s2sad.value_and_grad, reverse
        case "jacobian":
            return s2sad.jacobian, ("arrays", "mode")
        case "hessian":
            return s2sad.hessian, ("arrays",)
        case "grad" | "value-and-grad" | "vjp":
            return getattr(s2sad, options.command.replace("-", "_")), reverse
    return getattr(s2sad, options.command), forward


def _agrees(options: argparse.Namespace, target: Target, like: Any) -> bool:
    if like is None:
        raise Usage(
            f"--check needs example arguments: give --like, or define {target.name}_example"
        )
    report = s2sad.check_grad(target.function, like, wanted(options.wrt))
    say(str(report))
    return report.ok


def wanted(texts: list[str] | None) -> str | int | tuple[str | int, ...] | None:
    """Return the parameters that all the options --wrt name: one, or a tuple where a comma is."""
    if texts is None:
        return None
    text = ",".join(texts)
    names = tuple(
        int(part) if part.lstrip("-").isdigit() else part
        for part in (each.strip() for each in text.split(","))
        if part
    )
    return names if "," in text or not names else names[0]


NUMBERED: dict[str, Callable[[int], Any]] = {"every": Every, "binomial": Binomial}


def checkpoint(texts: Sequence[str] | None) -> Any:
    """Return what the options --checkpoint ask for: one schedule, or one for each place."""
    if not texts:
        return None
    pairs = [text.rpartition("=") for text in texts]
    if len(pairs) == 1 and not pairs[0][1]:
        return schedule(texts[0])
    if not all(equals for _, equals, _ in pairs):
        raise Usage("--checkpoint is given once, or once for each place: 'line 12=every:50'")
    return {place.strip(): schedule(text) for place, _, text in pairs}


def schedule(text: str) -> Any:
    """Return one schedule; raise Usage for what is none."""
    name, colon, number = text.strip().partition(":")
    if name in NUMBERED and number.strip().isdigit():
        return NUMBERED[name](int(number))
    if name in ("all", "sqrt") and not colon:
        return name
    if name == "recompute" and not colon:
        return Recompute()
    if name == "disk" and number:
        folder, _, every = number.rpartition(":")
        return Disk(folder, int(every)) if folder and every.isdigit() else Disk(number)
    raise Usage(
        f"{text!r} is no schedule: use sqrt, every:50, binomial:20, disk:FOLDER, recompute or all"
    )
