"""A derivative is written: `grad` and its family, for several functions in one run.

s2sad grad model.py:misfit --wrt W,m --check -o misfit_grad.py
s2sad jvp model.py:misfit model.py:energy -o derivatives/
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from s2sad.api.commands.output import coloured, has_colours, say, write_out
from s2sad.api.commands.problems import DONE, REFUSED, Usage

if TYPE_CHECKING:
    from s2sad.api.commands.making import Made
    from s2sad.api.commands.refreshing import Plan

REVERSE = ("grad", "value-and-grad", "vjp")
CHECKED = (*REVERSE, "jvp")
ARRAYS = ("numpy", "cupy", "dispatch")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command whose parser this is."""
    command = parser.get_default("command")
    parser.usage = f"s2sad {command} TARGET... [options]"
    add = parser.add_argument
    add("targets", metavar="TARGET", nargs="+", help="FILE.py:function or module:function")
    add("--wrt", metavar="NAMES", action="append", help="parameters: W,m (default: the first)")
    if command in ("grad", "jacobian"):
        default = "reverse" if command == "grad" else None
        add(
            "--mode",
            metavar="MODE",
            choices=("reverse", "forward"),
            default=default,
            help="reverse or forward",
        )
    if command == "grad":
        add("--value", action="store_true", help=argparse.SUPPRESS)  # value-and-grad
    if command in REVERSE:
        add(
            "--checkpoint",
            metavar="SCHEDULE",
            action="append",
            help="which states of loops to keep: sqrt, every:50, all, ...",
        )
        add("--memory", metavar="AMOUNT", help="choose a schedule: '2 GB'")
    add(
        "--arrays",
        metavar="MODULE",
        choices=ARRAYS,
        default="numpy",
        help="of the text: numpy, cupy, or dispatch",
    )
    if command not in ("hessian", "jacobian"):
        add("--reassociate", action="store_true", help="round sums in another way if shorter")
    if command in CHECKED:
        add("--check", action="store_true", help="compare with differences first")
    add("--like", metavar="EXPR", help="example arguments: '(np.ones(3), 2.0)', or none")
    add("--rules", metavar="FILE.py", type=Path, help="templates of rules that are used as well")
    add("--lines", action="store_true", help="name lines by their numbers in a file, too")
    add("-o", "--output", metavar="OUT", type=Path, help="a file to write, a folder, or -")
    add("--base", metavar="FILE", type=Path, help="an edited file as it was made, to merge with")
    add("--force", action="store_true", help="overwrite what differs: edits are dropped")


def run(options: argparse.Namespace) -> int:
    """Derive everything that is asked for, and write it: nothing, where one is refused."""
    from s2sad.api.commands.making import made_for  # with it comes all that derives
    from s2sad.api.commands.refreshing import CONFLICTING, refuse, write

    with contextlib.redirect_stdout(sys.stderr):
        saving = options.output not in (None, Path("-"))
        made = [made_for(options, asked, saving=saving) for asked in options.targets]
    if not saving:
        source = "\n\n".join(each.source for each in made)
        write_out(coloured(source) if has_colours(sys.stdout) else source)
        return DONE
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


# ---------------------------------------------------------------------------- writing


def _planned(options: argparse.Namespace, made: Made, path: Path) -> Plan:
    from s2sad.api.commands.making import maker_from, whole_text
    from s2sad.api.commands.refreshing import Asked, planned

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
    from s2sad.api.commands.refreshing import CONFLICTING, EDITED

    if plan.conflicts:
        return f"wrote {plan.asked.path}: {plan.conflicts} of your edits conflict with what is new"
    if plan.state == CONFLICTING:
        return f"{plan.asked.path} {CONFLICTING}: it is as it was"
    if plan.text is None:
        kept = ", and the edits are kept (--force drops them)" if plan.state == EDITED else ""
        return f"{plan.asked.path} is up to date{kept}"
    edits = ", with your edits" if plan.state.startswith("edited") else ""
    return f"wrote {plan.asked.path}{edits}"
