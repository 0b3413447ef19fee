"""A derivative is written: `grad` and its family, for several functions in one run.

s2sad grad model.py:misfit --wrt W,m --check -o misfit_grad.py
s2sad jvp model.py:misfit model.py:energy -o derivatives/
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from s2sad.api.commands.making import Made, made_for, maker_from, whole_text
from s2sad.api.commands.output import DONE, REFUSED, Usage, coloured, has_colours, say, write_out
from s2sad.api.commands.refreshing import CONFLICTING, EDITED, Asked, Plan, planned, refuse, write


def run(options: argparse.Namespace) -> int:
    """Derive everything that is asked for, and write it: nothing, where one is refused."""
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
