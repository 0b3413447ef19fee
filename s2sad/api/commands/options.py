"""What commands take: each option is described once, and each command names its own.

add_options(parser, "debug")        TARGET --wrt NAMES --like EXPR
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

MADE = "--like --rules --lines -o --base --force"
ONE_SWEEP = f"targets --wrt --arrays --reassociate --check {MADE}"
BACK = f"targets --wrt --checkpoint --memory --arrays --reassociate --check {MADE}"
MATRIX = f"targets --wrt --arrays {MADE}"

# the options of each command, in the order of its help
TAKEN = {
    "grad": f"{BACK} --mode --value",
    "value-and-grad": BACK,
    "vjp": BACK,
    "jvp": ONE_SWEEP,
    "jacobian": f"{MATRIX} --mode",
    "hessian": MATRIX,
    "hvp": f"{MATRIX} --reassociate",
    "directional": f"{MATRIX} --reassociate",
    "explain": "targets --wrt --checkpoint --memory --arrays --like --rules",
    "show": "targets --after --wrt --mode --like --rules",
    "graph": "targets --wrt --like --rules",
    "check": "saved --diff --write --base --force --allow-edited",
    "verify": "target derivative --wrt --like --rules --seed",
    "embed": "scripts --dry --diff --force",
    "help": "refusal",
    "report": "target --page --wrt --like --rules --open --force",
    "debug": "target --wrt --like",
    "why": "target names --like",
}
# what an option is for a command that does not say it
USUAL = {"grad": {"mode": "reverse"}, "show": {"mode": "reverse"}}


def _option(metavar: str, told: str, *words: str, **how: Any) -> tuple[tuple[str, ...], Any]:
    """Return the words of an option, where it is not called as below, and what `argparse` is told."""
    named = {"metavar": metavar} if metavar else {"action": "store_true"}
    return words, {**named, "help": told, **how}


FUNCTION = "FILE.py:function or module:function"
OPTIONS = {
    "target": _option("TARGET", FUNCTION),
    "targets": _option("TARGET", FUNCTION, nargs="+"),
    "derivative": _option("DERIVATIVE", FUNCTION),
    "names": _option("NAME", "parameters of the function", nargs="+"),
    "saved": _option("FILE", "saved derivatives (default: all)", "files", nargs="*", type=Path),
    "scripts": _option("FILE", "scripts with markers", "files", nargs="+", type=Path),
    "refusal": _option("REFUSAL", "the name of a page, or a message", nargs="*"),
    "--wrt": _option("NAMES", "parameters: W,m (default: the first)", action="append"),
    "--like": _option("EXPR", "example arguments: '(np.ones(3), 2.0)', or none"),
    "--rules": _option("FILE.py", "templates of rules that are used as well", type=Path),
    "--mode": _option("MODE", "reverse or forward", choices=("reverse", "forward")),
    "--value": _option("", argparse.SUPPRESS),  # value-and-grad
    "--checkpoint": _option(
        "SCHEDULE", "which states of loops to keep: sqrt, every:50, all, ...", action="append"
    ),
    "--memory": _option("AMOUNT", "choose a schedule: '2 GB'"),
    "--arrays": _option(
        "MODULE",
        "of the text: numpy, cupy, or dispatch",
        choices=("numpy", "cupy", "dispatch"),
        default="numpy",
    ),
    "--reassociate": _option("", "round sums in another way if shorter"),
    "--check": _option("", "compare with differences first"),
    "--lines": _option("", "name lines by their numbers in a file, too"),
    "-o": _option("OUT", "a file to write, a folder, or -", "-o", "--output", type=Path),
    "--page": _option("FILE.html", "- is the output", "-o", "--output", type=Path, required=True),
    "--open": _option("", "show it in a browser"),
    "--base": _option("FILE", "an edited file as it was made, to merge with", type=Path),
    "--force": _option("", "overwrite what differs: edits are dropped"),
    "--after": _option(
        "STAGE",
        "lowering, analysis, reverse or forward, checkpoint, optimize, emit",
        required=True,
    ),
    "--diff": _option("", "show what would change"),
    "--write": _option("", "make anew what is out of date, edits are kept"),
    "--dry": _option("", "write nothing: tell what would change", "--check"),
    "--allow-edited": _option("", "edits that are up to date are no problem"),
    "--seed": _option("N", "of the random directions (default: 0)", type=int, default=0),
    "--verbose": _option("", "say what is done", "-v", "--verbose"),
    "--quiet": _option("", "say errors alone", "-q", "--quiet"),
}


def add_options(parser: argparse.ArgumentParser, command: str) -> None:
    """Add the options of a command to what reads it, and those of all."""
    usage = [f"s2sad {command}"]
    for name in TAKEN[command].split():
        words, how = OPTIONS[name]
        parser.add_argument(*(words or (name,)), **how)
        if not name.startswith("-") or how.get("required"):
            usage.append(_shown(words or (name,), how))
    parser.usage = " ".join([*usage, "[options]"])
    parser.set_defaults(**USUAL.get(command, {}))
    loudness = parser.add_mutually_exclusive_group()
    for name in ("--verbose", "--quiet"):
        words, how = OPTIONS[name]
        loudness.add_argument(*words, **how)


def _shown(words: tuple[str, ...], how: dict[str, Any]) -> str:
    """Return how the usage shows what has to be said, or may be without a word of its own."""
    named = f"{how['metavar']}{'...' if 'nargs' in how else ''}"
    if words[0].startswith("-"):
        return f"{words[0]} {named}"
    return f"[{named}]" if how.get("nargs") == "*" else named
