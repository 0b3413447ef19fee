"""What is known of a function and its derivative is printed: `explain`, `show` and `graph`.

s2sad explain model.py:misfit --checkpoint sqrt          what is kept, and the peak of memory
s2sad show model.py:misfit --after lowering              the function after a stage
s2sad graph model.py:misfit | dot -Tsvg > misfit.svg     the dataflow of its gradient
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import Any

import s2sad
from s2sad.api.commands.making import checkpoint, rules_in_force, wanted
from s2sad.api.commands.output import write_out
from s2sad.api.commands.problems import DONE
from s2sad.api.commands.targets import example, found


def run(options: argparse.Namespace) -> int:
    """Print what is asked for of each target."""
    texts = []
    with contextlib.redirect_stdout(sys.stderr):
        for asked in options.targets:
            with found(asked) as target, rules_in_force(options.rules):
                texts.append(_shown(options, target.function, example(target, options.like)))
    write_out("\n".join(text.rstrip("\n") + "\n" for text in texts))
    return DONE


def _shown(options: argparse.Namespace, function: Any, like: Any) -> str:
    asked = {"wrt": wanted(options.wrt), "like": like}
    if options.command == "show":
        return s2sad.show(function, options.after, mode=options.mode, **asked)
    if options.command == "graph":
        return str(s2sad.grad(function, **asked).graph.dot())
    asked |= {"memory": options.memory, "arrays": options.arrays}
    return str(s2sad.explain(function, checkpoint=checkpoint(options.checkpoint), **asked))
