"""Lowers random programs and runs them against the functions themselves: values and writes.

python -m tests.rooms.lowered_fuzz 0 1000 plain|more|lists|whole|python
"""

import collections
import linecache
import logging
import signal
import sys
import tempfile
import types
import warnings
from pathlib import Path

import numpy as np

from s2sad.ir.text import text
from tests.fuzz import generate
from tests.fuzz.case import loaded
from tests.rooms import random_python
from tests.rooms.fuzz import ARGS, made
from tests.rooms.lowered import Slow, alarm, outcome, perturbed, timed

KINDS = ("plain", "more", "lists")
OF_ROOMS = ARGS


def verdict(seed, kind):
    """Return (verdict, detail, text of the function, program) for the program of a seed."""
    if kind in KINDS:
        function, source = made(seed, kind)
        return _judged(function, OF_ROOMS, source)
    if kind == "python":
        return _of_python(seed)
    case = generate.program(7, seed)
    with tempfile.TemporaryDirectory() as folder, loaded(case, Path(folder)) as function:
        return _judged(function, case.args, case.text)


def _of_python(seed):
    source, name = random_python.program(seed), f"<python{seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    module = types.ModuleType(f"random_python_{seed}")
    module.__file__ = name
    sys.modules[module.__name__] = module
    exec(compile(source, name, "exec"), module.__dict__)
    for args in ((np.array([0.3, 0.7, -0.2, 0.5]), 0.7), (np.array([0.6, -0.1, 0.4, 0.9]), 0.2)):
        found = _judged(module.f, args, source)
        if found[0] not in ("equal", "unfit"):
            break
    return found


def _judged(function, args, source):
    if not _is_fit(function, args):
        return "unfit", "", source, None
    found, detail, program = timed(function, args)
    return found, detail, source, program


def _is_fit(function, args):
    """Tell whether a program ends in time with numbers, here and near to here."""
    signal.signal(signal.SIGVTALRM, alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    rng = np.random.default_rng(1)
    try:
        for now in (args, perturbed(args, rng), perturbed(args, rng)):
            expected, _ = outcome(function, now)
            if expected[0] == "raises" or not np.all(np.isfinite(expected[1])):
                return now is not args and expected[0] == "raises"
        return True
    except Slow:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main(first, last, kind):
    """Print what is not equal among the programs of some seeds."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    tally, reasons = collections.Counter(), collections.Counter()
    for seed in range(first, last):
        found, detail, source, program = verdict(seed, kind)
        tally[found] += 1
        if found == "not yet":
            reasons[detail.rpartition(" ")[0]] += 1
        elif found not in ("equal", "unfit"):
            print(f"--- {seed}: {found} {detail}\n{source}", flush=True)
            print("" if program is None else text(program), flush=True)
    print(dict(tally), reasons.most_common(9))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
