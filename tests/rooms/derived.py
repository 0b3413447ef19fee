"""How much of the kernels and of tests/programs these rooms differentiate.

python -m tests.rooms.derived kernels [name ...]
python -m tests.rooms.derived flow turned ...
"""

import collections
import importlib
import inspect
import signal
import sys
import traceback
import warnings

import numpy as np

from s2sad.ir.errors import NotYet
from tests.kernels.test_kernels import KERNELS
from tests.rooms.derive import grad, is_float
from tests.rooms.differences import fresh, judge

SLOW = 60  # seconds


class Slow(Exception):
    """A row that takes too long."""


def kernels():
    """Yield the kernels with their arguments."""
    for kernel, made in KERNELS.items():
        args = made(np.random.default_rng(7))
        plain = all(isinstance(a, float | int | np.ndarray) for a in args)
        wrt = tuple(k for k, a in enumerate(args) if plain and is_float(a))[:3]
        yield "kernels", kernel.__name__, kernel, args, wrt


def rows(table):
    """Yield the rows of a table of tests/programs that ask for the gradient of a number."""
    for entry in getattr(importlib.import_module(f"tests.programs.{table}"), "PROGRAMS", ()):
        if entry.mode == "grad" and isinstance(entry.seed, float):
            yield table, entry.label, entry.function, entry.args, entry.wrt


def verdict(function, args, wrt):
    """Return right, wrong, not yet, crash or raises, and why."""
    if not all(isinstance(a, float | int | np.ndarray) for a in args):
        return "not yet", "arguments"
    names = list(inspect.signature(function).parameters)
    if len(names) != len(args):
        return "not yet", "parameters"
    try:
        run = grad(function, fresh(args), [names[k] for k in wrt])
    except NotYet as error:
        return "not yet", error.reason
    except (Slow, KeyboardInterrupt):
        return "slow", ""
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return "crash", f"{type(error).__name__} {error} {place.filename}:{place.lineno}"
    try:
        run.checked(*fresh(args))
        return judge(function, args, wrt, run)
    except Slow:
        return "slow", ""
    except Exception as error:
        return "raises", f"{type(error).__name__} {error}"


def alarm(*_):
    raise Slow


def main(tables):
    """Print what is not right, and how many are."""
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGALRM, alarm)
    tally, reasons = collections.Counter(), collections.Counter()
    for table in tables:
        for _, label, function, args, wrt in kernels() if table == "kernels" else rows(table):
            signal.alarm(SLOW)
            found, why = verdict(function, args, wrt)
            signal.alarm(0)
            tally[found] += 1
            if found == "not yet":
                reasons[why[:70]] += 1
            if found != "right":
                print(f"{table}.{label}: {found} {why[:200]}", flush=True)
    print(dict(tally))
    for reason, count in reasons.most_common(30):
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
