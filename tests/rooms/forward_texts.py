"""Texts of tangents by the rooms: each runs alone, is judged by differences, and has its lines
counted beside those of the first core.

python -m tests.rooms.forward_texts [kernels] [table ...] [--row=NAME] [--show] [--alone]
"""

import collections
import copy
import inspect
import logging
import sys
import warnings

import s2sad
from s2sad.api.answer import Question, answer
from tests.compare import code_lines
from tests.rooms.derived import chosen, in_time, outcome
from tests.rooms.emitted import loaded
from tests.rooms.forward import judged

SLOW = 30  # seconds


def answered(function, args, wrt, form="jvp"):
    """Return the answer of the rooms for arguments like these."""
    names = list(inspect.signature(function).parameters)
    bound = dict(zip(names, copy.deepcopy(args), strict=False))
    name = f"{function.__name__}_{form}"
    if not name.isidentifier():
        name = f"f_{form}"
    return answer(Question(function, tuple(names[k] for k in wrt), form, name), bound)


def verdict(row):
    """Return right, wrong, not yet, crash or raises, with why, and the text."""
    return outcome(
        lambda: answered(row.function, row.args, row.wrt),
        lambda made: judged(row.function, row.args, row.wrt, loaded(made.source)[made.name]),
        lambda made: made.source,
    )


def of_first_core(row):
    """Return the text of the first core, "" where it has none."""
    names = list(inspect.signature(row.function).parameters)
    try:
        wrt = tuple(names[k] for k in row.wrt)
        return s2sad.jvp(row.function, wrt, like=copy.deepcopy(row.args)).source
    except Exception:
        return ""


def main(words):
    """Print what is not right, and how many are; lines of both cores, and where more are needed."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    tally, reasons, lines = collections.Counter(), collections.Counter(), []
    for row in chosen(words):
        found, why, text = in_time(SLOW, verdict, row) or ("slow", "", "")
        tally[found] += 1
        if found not in ("right", "not yet"):
            print(f"{row.label}: {found} {why[:200]}", flush=True)
        if found == "not yet":
            reasons[why[:80]] += 1
        if "--show" in words:
            print(text)
        if "--alone" not in words:
            first = in_time(SLOW, of_first_core, row) or ""
            tally["first core has none" if not first else "first core"] += 1
            if "--show" in words:
                print(first)
            if found == "right" and first:
                lines.append((code_lines(text), code_lines(first), row.label))
    print(dict(tally))
    for reason, count in reasons.most_common(20):
        print(f"{count:5} {reason}")
    print(sum(a for a, _, _ in lines), "lines for", sum(b for _, b, _ in lines), len(lines), "rows")
    for ours, theirs, label in sorted(lines, key=lambda each: each[1] - each[0])[:40]:
        print(f"{ours:4} {theirs:4} {label}")


if __name__ == "__main__":
    main(sys.argv[1:])
