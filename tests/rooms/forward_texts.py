"""Texts of tangents by the rooms: each runs alone, is judged by differences, and has its lines
counted beside those of the first core.

python -m tests.rooms.forward_texts [kernels] [table ...] [--row=NAME] [--show] [--alone]
"""

import collections
import copy
import inspect
import logging
import signal
import sys
import traceback
import warnings

import s2sad
from s2sad.api.answer import Question, answer
from s2sad.ir.errors import NotYet, S2sadError
from tests.compare import code_lines
from tests.rooms.derived import Slow, alarm, chosen
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
    made = None
    try:
        made = answered(row.function, row.args, row.wrt)
        run = loaded(made.source)[made.name]
        fault = judged(row.function, row.args, row.wrt, run)
    except NotYet as error:
        return "not yet", error.reason, ""
    except Slow:
        return "slow", "", ""
    except S2sadError as error:
        return "refused", error.problem, ""
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__} {error} {place.filename.rpartition('/')[2]}:{place.lineno}"
        return ("raises", why, made.source) if made is not None else ("crash", why, "")
    return ("wrong" if fault else "right"), fault or "", made.source


def of_first_core(row):
    """Return the text of the first core, "" where it has none."""
    names = list(inspect.signature(row.function).parameters)
    try:
        wrt = tuple(names[k] for k in row.wrt)
        return s2sad.jvp(row.function, wrt, like=copy.deepcopy(row.args)).source
    except Exception:
        return ""


def timed(find, row):
    """Return what is found of a row within some seconds."""
    signal.signal(signal.SIGALRM, alarm)
    signal.alarm(SLOW)
    try:
        return find(row)
    except Slow:
        return None
    finally:
        signal.alarm(0)


def main(words):
    """Print what is not right, and how many are; lines of both cores, and where more are needed."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    tally, reasons, lines = collections.Counter(), collections.Counter(), []
    for row in chosen(words):
        found, why, text = timed(verdict, row) or ("slow", "", "")
        tally[found] += 1
        if found not in ("right", "not yet"):
            print(f"{row.label}: {found} {why[:200]}", flush=True)
        if found == "not yet":
            reasons[why[:80]] += 1
        if "--show" in words:
            print(text)
        if "--alone" not in words:
            first = timed(of_first_core, row) or ""
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
