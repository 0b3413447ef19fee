"""How much of the kernels and of tests/programs the new rooms differentiate.

python -m tests.rooms.derived [kernels] [table ...] [--row=NAME]
"""

import collections
import copy
import signal
import sys
import traceback
import warnings

from s2sad.api.rounds import argument_names
from s2sad.ir.errors import NotYet, S2sadError
from s2sad.source.read import read
from tests import oracles
from tests.compare import rows
from tests.rooms.derive import grad

SLOW = 60  # seconds


class Slow(BaseException):
    """A row that takes too long."""


def chosen(words):
    """Yield the rows of tables, of all if there is none among the words."""
    tables = [word for word in words if not word.startswith("--")]
    wanted = [word[6:] for word in words if word.startswith("--row=")]
    for row in rows():
        table, label = row.label.split(".", 1)
        if (not tables or table in tables) and (not wanted or label in wanted):
            yield row


def verdict(row):
    """Return right, wrong, not yet, crash or raises, and why."""
    try:
        names = argument_names(read(row.function), row.args)
        form = "value_and_grad" if row.mode == "value_and_grad" else "vjp"
        form = "grad" if isinstance(row.seed, float) and row.mode == "grad" else form
        run = grad(row.function, copy.deepcopy(row.args), [names[k] for k in row.wrt], form)
    except NotYet as error:
        return "not yet", error.reason
    except S2sadError as error:
        return "refused", error.problem
    except (Slow, KeyboardInterrupt):
        return "slow", ""
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return "crash", f"{type(error).__name__} {error} {place.filename}:{place.lineno}"
    try:
        return judged(row, run, form)
    except Slow:
        return "slow", ""
    except Exception as error:
        return "raises", f"{type(error).__name__} {error}"


def judged(row, run, form):
    """Return right or wrong, and where."""
    seeds = (row.seed,) if form == "vjp" else ()
    run.checked(*copy.deepcopy(row.args), *seeds)
    result = run(*copy.deepcopy(row.args), *seeds)
    adjoints = result[1] if form == "value_and_grad" else result
    like = tuple(row.args[i] for i in row.wrt)
    numbers = oracles.flatten(adjoints if len(row.wrt) > 1 else (adjoints,), like)
    expected = oracles.differences(row.function, row.args, row.wrt, row.seed)
    fault = oracles.compare(numbers, expected)
    return ("wrong", fault) if fault else ("right", "")


def alarm(*_):
    raise Slow


def in_time(seconds, find, *given):
    """Return what is found within some seconds, None if it takes longer."""
    signal.signal(signal.SIGALRM, alarm)
    signal.alarm(seconds)
    try:
        return find(*given)
    except Slow:
        return None
    finally:
        signal.alarm(0)


def outcome(make, judge, text_of):
    """Return right, wrong, not yet, refused, slow, crash (making it) or raises, with why, and the text.

    `judge(made)` returns what is wrong with what `make()` gives, None for nothing.
    """
    made = None
    try:
        made = make()
        fault = judge(made)
    except NotYet as error:
        return "not yet", error.reason, ""
    except Slow:
        return "slow", "", ""
    except S2sadError as error:
        return "refused", error.problem, ""
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__} {error} {place.filename.rpartition('/')[2]}:{place.lineno}"
        return ("raises", why, text_of(made)) if made is not None else ("crash", why, "")
    return ("wrong" if fault else "right"), fault or "", text_of(made)


def main(words):
    """Print what is not right, and how many are."""
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGALRM, alarm)
    tally, reasons = collections.Counter(), collections.Counter()
    for row in chosen(words):
        signal.alarm(SLOW)
        found, why = verdict(row)
        signal.alarm(0)
        tally[found] += 1
        if found == "not yet":
            reasons[why[:70]] += 1
        if found != "right":
            print(f"{row.label}: {found} {why[:200]}", flush=True)
    print(dict(tally))
    for reason, count in reasons.most_common(40):
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
