"""The programs of tests/fuzz, differentiated by the rooms alone, with the replay run too.

python -m tests.rooms.older 0 500 [seed]
"""

import collections
import contextlib
import signal
import sys
import tempfile
import traceback
import warnings
from copy import deepcopy
from pathlib import Path

import numpy as np

from s2sad.api.rounds import argument_names
from s2sad.ir.errors import NotYet, S2sadError
from s2sad.source.read import read
from tests import oracles
from tests.fuzz import generate
from tests.fuzz.case import loaded
from tests.rooms.derive import grad

SLOW = 20  # seconds


class Slow(BaseException):
    """A program that takes too long."""


def verdict(f, case):
    """Return right, wrong, not yet, crash, raises, slow or unfit, and why."""
    with np.errstate(all="ignore"):
        expected = oracles.differences(f, case.args, case.wrt, case.seed)
        if not expected.scorable.all() or oracles.largest(f, case.args) > oracles.LARGEST:
            return "unfit", ""
        names = argument_names(read(f), case.args)
        is_plain = isinstance(case.seed, float) and case.seed == 1.0
        form = "grad" if is_plain else "vjp"
        seeds = () if is_plain else (case.seed,)
        try:
            run = grad(f, deepcopy(case.args), [names[k] for k in case.wrt], form)
        except NotYet as error:
            return "not yet", error.reason
        except S2sadError as error:
            return "refused", error.problem
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            return "crash", f"{type(error).__name__} {error} {place.filename}:{place.lineno}"
        try:
            run.checked(*deepcopy(case.args), *seeds)
            given = deepcopy(case.args)
            adjoints = run(*given, *seeds)
        except Exception as error:
            return "raises", f"{type(error).__name__} {error}"
    like = tuple(case.args[i] for i in case.wrt)
    numbers = oracles.flatten(adjoints if len(case.wrt) > 1 else (adjoints,), like)
    fault = oracles.compare(numbers, expected)
    return ("wrong", fault) if fault else ("right", "")


def alarm(*_):
    raise Slow


def main(first, last, seed):
    """Print what is not right among the programs of some numbers."""
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGALRM, alarm)
    tally, reasons = collections.Counter(), collections.Counter()
    for number in range(first, last):
        found, why = "unfit", ""
        case = generate.program(seed, number)
        with tempfile.TemporaryDirectory() as folder, contextlib.suppress(FloatingPointError):
            signal.alarm(SLOW)
            try:
                with loaded(case, Path(folder)) as f:
                    found, why = verdict(f, case)
            except Slow:
                found = "slow"
            signal.alarm(0)
        tally[found] += 1
        reasons[why[:70]] += found == "not yet"
        if found not in ("right", "unfit", "not yet", "refused"):
            print(number, found, str(why)[:200], flush=True)
    print(dict(tally))
    for reason, count in reasons.most_common(12):
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
