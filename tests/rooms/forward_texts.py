"""Texts of tangents: each runs by itself, is judged by differences, and has its lines counted.

python -m tests.rooms.forward_texts [kernels] [table ...] [--row=NAME] [--show]
"""

import collections
import copy
import inspect
import logging
import sys
import warnings

from s2sad.api.answer import answer
from s2sad.api.request import Request
from tests.compare import code_lines
from tests.rooms.derived import chosen, in_time, outcome
from tests.rooms.emitted import loaded
from tests.rooms.forward import judged

SLOW = 30  # seconds


def answered(function, args, wrt, form="jvp"):
    """Return the answer for arguments like these."""
    names = list(inspect.signature(function).parameters)
    bound = dict(zip(names, copy.deepcopy(args), strict=False))
    name = f"{function.__name__}_{form}"
    if not name.isidentifier():
        name = f"f_{form}"
    return answer(Request(function, tuple(names[k] for k in wrt), form, name=name), bound)


def verdict(row):
    """Return right, wrong, not yet, crash or raises, with why, and the text."""
    return outcome(
        lambda: answered(row.function, row.args, row.wrt),
        lambda made: judged(row.function, row.args, row.wrt, loaded(made.source)[made.name]),
        lambda made: made.source,
    )


def main(words):
    """Print what is not right, and how many are, and how many lines their texts have."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    tally, reasons, lines = collections.Counter(), collections.Counter(), 0
    for row in chosen(words):
        found, why, text = in_time(SLOW, verdict, row) or ("slow", "", "")
        tally[found] += 1
        if found not in ("right", "not yet"):
            print(f"{row.label}: {found} {why[:200]}", flush=True)
        reasons[why[:80]] += found == "not yet"
        lines += code_lines(text) if found == "right" else 0
        if "--show" in words:
            print(text)
    print(dict(tally))
    for reason, count in reasons.most_common(20):
        print(f"{count:5} {reason}")
    print(lines, "lines")


if __name__ == "__main__":
    main(sys.argv[1:])
