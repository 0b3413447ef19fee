"""A derivative is written: `grad` and its family, for several functions in one run.

s2sad grad model.py:misfit --wrt W,m --check -o misfit_grad.py
s2sad jvp model.py:misfit model.py:energy -o derivatives/
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from s2sad.api.commands.making import made_for
from s2sad.api.commands.output import DONE, coloured, has_colours, write_out


def run(options: argparse.Namespace) -> int:
    """Derive everything that is asked for, and write it: nothing, where one is refused."""
    with contextlib.redirect_stdout(sys.stderr):
        saving = options.output not in (None, Path("-"))
        made = [made_for(options, asked, saving=saving) for asked in options.targets]
    if not saving:
        source = "\n\n".join(each.source for each in made)
        write_out(coloured(source) if has_colours(sys.stdout) else source)
        return DONE
    from s2sad.api.commands.refreshing import saved

    return saved(options, made)
