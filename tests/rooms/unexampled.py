"""How many rows have a text that is made without examples, and how many of those are right.

python -m tests.rooms.unexampled [kernels] [table ...] [--row=NAME] [--show]
"""

import collections
import copy
import signal
import sys
import traceback
import warnings

from s2sad.api.answer import answer
from s2sad.api.request import Request
from s2sad.api.rounds import argument_names
from s2sad.ir.errors import NotYet, S2sadError
from s2sad.source.read import read
from tests import oracles
from tests.compare import code_lines
from tests.rooms.derived import Slow, alarm, chosen

SLOW = 30  # seconds


def made(row):
    """Return the text for any arguments."""
    names = argument_names(read(row.function), row.args)
    form = "value_and_grad" if row.mode == "value_and_grad" else "vjp"
    form = "grad" if isinstance(row.seed, float) and row.mode == "grad" else form
    wrt = tuple(names[k] for k in row.wrt)
    name = f"{row.function.__name__}_{form}".replace("<lambda>", "function")
    return answer(Request(row.function, wrt, form, len(wrt) == 1, name=name), None), form


def verdict(row, show=False):
    """Return right, wrong, not yet, refused as it runs, crash or raises; why; and the text."""
    try:
        text, form = made(row)
    except NotYet as error:
        return "not yet", error.reason, None
    except S2sadError as error:
        return "refused", error.problem, None
    except Slow:
        return "slow", "", None
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return "crash", f"{type(error).__name__} {error} {place.filename}:{place.lineno}", None
    if show:
        print(text.source)
    try:
        return *judged(row, text, form), text
    except Slow:
        return "slow", "", text
    except Exception as error:
        if any(message in str(error) for message in text.messages):
            return "made for others", str(error), text
        return "raises", f"{type(error).__name__} {error}", text


def run_alone(text):
    """Return the function of a text that is run by itself."""
    space = {"__name__": "alone"}
    exec(compile(text.source, "<unexampled>", "exec"), space)
    return space[text.name]


def judged(row, text, form):
    """Return right or wrong, and where."""
    seeds = (row.seed,) if form == "vjp" else ()
    result = run_alone(text)(*copy.deepcopy(row.args), *seeds)
    adjoints = result[1] if form == "value_and_grad" else result
    like = tuple(row.args[i] for i in row.wrt)
    numbers = oracles.flatten(adjoints if len(row.wrt) > 1 else (adjoints,), like)
    expected = oracles.differences(row.function, row.args, row.wrt, row.seed)
    fault = oracles.compare(numbers, expected)
    return ("wrong", fault) if fault else ("right", "")


def main(words):
    """Print what is not right, and how many are."""
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGALRM, alarm)
    tally, reasons, lines = collections.Counter(), collections.Counter(), 0
    for row in chosen(words):
        signal.alarm(SLOW)
        found, why, text = verdict(row, "--show" in words)
        signal.alarm(0)
        tally[found] += 1
        if found == "not yet":
            reasons[why[:70]] += 1
        if found != "right":
            print(f"{row.label}: {found} {why[:200]}", flush=True)
        else:
            lines += code_lines(text.source)
    print(dict(tally))
    for reason, count in reasons.most_common(60):
        print(f"{count:5} {reason}")
    print(lines, "lines")


if __name__ == "__main__":
    main(sys.argv[1:])
