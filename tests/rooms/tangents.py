"""How much of tests/programs, the kernels and random programs the forward room differentiates.

python -m tests.rooms.tangents [kernels] [table ...] [--row=NAME] [--show] [--simpler]
python -m tests.rooms.tangents --random 0 500 plain|more|lists [--reverse]
python -m tests.rooms.tangents --older 0 500 0

With --reverse the tangents are held against the adjoints of the reverse room, not differences.
"""

import collections
import logging
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

import numpy as np

from s2sad.ir.errors import NotYet, S2sadError
from tests import oracles
from tests.fuzz import generate
from tests.fuzz.case import loaded
from tests.rooms import lowered
from tests.rooms.derived import Slow, chosen, in_time
from tests.rooms.forward import judged, jvp, paired
from tests.rooms.fuzz import ARGS, is_unfit, made

SLOW = 30  # seconds
SHOWN = ("wrong", "crash", "raises")


def verdict(function, args, wrt, simpler=False, paired_=False):
    """Return right, wrong, not yet, crash or raises; why; and the text."""
    try:
        run = jvp(function, args, wrt, simpler)
    except NotYet as error:
        line = "" if error.span is None else error.span.line
        return "not yet", f"{error.reason} {line}", ""
    except S2sadError as error:
        kind = "crash" if type(error).__name__ == "InternalError" else "refused"
        return kind, error.problem, ""
    except Slow:
        return "slow", "", ""
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__} {error} {place.filename.rpartition('/')[2]}:{place.lineno}"
        return "crash", told, ""
    try:
        fault = (paired if paired_ else judged)(function, args, wrt, run)
    except Slow:
        return "slow", "", run.text
    except Exception as error:
        if is_lowered_differently(function, args):
            return "lowering", "", run.text
        return "raises", f"{type(error).__name__} {error}", run.text
    if fault and is_lowered_differently(function, args):
        return "lowering", fault, run.text
    return ("wrong" if fault else "right"), fault or "", run.text


def is_lowered_differently(function, args):
    """Tell whether it is the primal that is lowered to another program, not the tangent."""
    return lowered.judge(function, args)[0] == "differs"


def timed(*given):
    """Return a verdict within some seconds."""
    return in_time(SLOW, verdict, *given) or ("slow", "", "")


def programs(words):
    """Yield (label, function, arguments, wrt) for rows, or random programs of some seeds."""
    if "--random" in words:
        first, last, kind = words[words.index("--random") + 1 :][:3]
        for seed in range(int(first), int(last)):
            function, _ = made(seed, kind)
            if not is_unfit(function):
                yield str(seed), function, ARGS, (0, 1, 2)
    elif "--older" in words:
        first, last, seed = words[words.index("--older") + 1 :][:3]
        yield from older_programs(int(first), int(last), int(seed))
    else:
        for row in chosen(words):
            yield row.label, row.function, row.args, row.wrt


def older_programs(first, last, seed):
    """Yield the programs of tests/fuzz whose derivatives differences can judge."""
    for number in range(first, last):
        case = generate.program(seed, number)
        with tempfile.TemporaryDirectory() as folder, loaded(case, Path(folder)) as function:
            if is_judged(function, case):
                yield str(number), function, case.args, case.wrt


def is_judged(function, case):
    """Tell whether differences can judge the derivatives of a program."""
    try:
        with np.errstate(all="ignore"):
            expected = oracles.differences(function, case.args, case.wrt, case.seed)
        size = oracles.largest(function, case.args)
    except FloatingPointError:
        return False
    return bool(expected.scorable.all()) and size <= oracles.LARGEST


def main(words):
    """Print what is not right, and how many are."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    tally, reasons = collections.Counter(), collections.Counter()
    for label, function, args, wrt in programs(words):
        found, why, text = timed(function, args, wrt, "--simpler" in words, "--reverse" in words)
        tally[found] += 1
        if found in ("not yet", "crash", "refused"):
            reasons[f"{found}: {why.rpartition(' ')[0][:80]}"] += 1
        if found in SHOWN or ("--all" in words and found != "right"):
            print(f"{label}: {found} {why[:200]}", flush=True)
        if "--show" in words:
            print(text)
    print(dict(tally))
    for reason, count in reasons.most_common(50):
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
