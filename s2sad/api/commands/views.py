"""What is known of a function and its derivative is printed: `explain`, `show` and `graph`.

s2sad explain model.py:misfit --checkpoint sqrt          what is kept, and the peak of memory
s2sad show model.py:misfit --after lowering              the function after a stage
s2sad graph model.py:misfit | dot -Tsvg > misfit.svg     the dataflow of its gradient
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Any

from s2sad.api.commands.output import write_out
from s2sad.api.commands.problems import DONE

ROOMS = "lowering, analysis, reverse or forward, checkpoint, optimize, emit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command whose parser this is."""
    command = parser.get_default("command")
    parser.usage = f"s2sad {command} TARGET... [options]"
    add = parser.add_argument
    add("targets", metavar="TARGET", nargs="+", help="FILE.py:function or module:function")
    add("--wrt", metavar="NAMES", action="append", help="parameters: W,m (default: the first)")
    if command == "show":
        add("--after", metavar="STAGE", required=True, help=ROOMS)
        add("--mode", metavar="MODE", choices=("reverse", "forward"), default="reverse")
    if command == "explain":
        add("--checkpoint", metavar="SCHEDULE", action="append", help="sqrt, every:50, all, ...")
        add("--memory", metavar="AMOUNT", help="choose a schedule: '2 GB'")
        add("--arrays", metavar="MODULE", default="numpy", help="numpy, cupy, or dispatch")
    add("--like", metavar="EXPR", help="example arguments: '(np.ones(3), 2.0)', or none")
    add("--rules", metavar="FILE.py", type=Path, help="templates of rules that are used as well")


def run(options: argparse.Namespace) -> int:
    """Print what is asked for of each target."""
    from s2sad.api.commands.making import rules_in_force
    from s2sad.api.commands.targets import example, found

    texts = []
    with contextlib.redirect_stdout(sys.stderr):
        for asked in options.targets:
            with found(asked) as target, rules_in_force(options.rules):
                texts.append(_shown(options, target.function, example(target, options.like)))
    write_out("\n".join(text.rstrip("\n") + "\n" for text in texts))
    return DONE


def _shown(options: argparse.Namespace, function: Any, like: Any) -> str:
    import s2sad
    from s2sad.api.commands.making import checkpoint, wanted

    asked = {"wrt": wanted(options.wrt), "like": like}
    if options.command == "show":
        return s2sad.show(function, options.after, mode=options.mode, **asked)
    if options.command == "graph":
        return str(s2sad.grad(function, **asked).graph.dot())
    asked |= {"memory": options.memory, "arrays": options.arrays}
    return str(s2sad.explain(function, checkpoint=checkpoint(options.checkpoint), **asked))
