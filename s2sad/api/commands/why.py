"""Where a zero derivative is cut off is said: `why`.

s2sad why model.py:f k
"""

from __future__ import annotations

import argparse

from s2sad import why
from s2sad.api.commands.output import write_out
from s2sad.api.commands.problems import DONE
from s2sad.api.commands.targets import example, found


def run(options: argparse.Namespace) -> int:
    """Say where each of the parameters is cut off."""
    with found(options.target) as target:
        like = example(target, options.like)
        told = [str(why(target.function, name, like=like)) for name in options.names]
    write_out("\n".join(told) + "\n")
    return DONE
