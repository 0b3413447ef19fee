"""How many rows have their gradients differentiated again, judged by differences of the gradient.

python -m tests.rooms.seconds [kernels] [table ...] [--row=NAME] [--show]
"""

import collections
import copy
import logging
import sys
import warnings

import numpy as np

from s2sad.api.pipeline import tangent_of
from s2sad.api.request import Request
from s2sad.api.rounds import argument_names
from s2sad.ir.text import runnable, text
from s2sad.ir.verify import verify
from s2sad.optimize import simplify
from s2sad.source.read import read
from tests import oracles
from tests.rooms.derive import grad
from tests.rooms.derived import chosen, in_time, outcome
from tests.rooms.forward import direction

SLOW = 30  # seconds


def product(function, args, wrt, single=False):
    """Return the Hessian of a function times tangents as a function, with its text."""
    names = argument_names(read(function), args)
    asked = Request(function, tuple(names[k] for k in wrt), "hvp", single)
    made = tangent_of(asked, copy.deepcopy(args))
    program = verify(simplify(made.program, made.context))
    run = runnable(program)
    run.text = text(program)
    return run


def judged(function, args, wrt, run):
    """Return None where a product agrees with differences of the gradient, else what is wrong."""
    names = argument_names(read(function), args)
    wanted = [names[k] for k in wrt]
    gradient = grad(function, copy.deepcopy(args), wanted)
    rng = np.random.default_rng(3)
    dots = direction(args, wrt, rng)
    found = run(*copy.deepcopy(args), *copy.deepcopy(dots))
    like = tuple(args[k] for k in wrt)
    single = len(wrt) == 1
    weights = rng.normal(size=oracles.pack(like).size)
    start, step = oracles.pack(like), oracles.pack(dots)

    def along(t):
        now = list(args)
        for k, part in zip(wrt, oracles.unpack(start + t * step, like), strict=True):
            now[k] = part
        adjoints = gradient(*copy.deepcopy(now))
        return float(oracles.flatten((adjoints,) if single else adjoints, like) @ weights)

    slope, error = oracles.slope(along, along(0.0), 1.0)
    estimate = oracles.Estimate(np.array([slope]), np.array([error]))
    found = found if isinstance(found, tuple) or not single else (found,)
    got = float(oracles.flatten(found, like) @ weights)
    return oracles.compare(np.array([got]), estimate)


def verdict(row):
    """Return right, wrong, not yet, crash or raises, with why, and the text."""
    if not isinstance(row.seed, float):
        return "no number", "", ""
    return outcome(
        lambda: product(row.function, row.args, row.wrt),
        lambda run: judged(row.function, row.args, row.wrt, run),
        lambda run: run.text,
    )


def main(words):
    """Print what is not right, and how many are."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    tally, reasons = collections.Counter(), collections.Counter()
    for row in chosen(words):
        found, why, written = in_time(SLOW, verdict, row) or ("slow", "", "")
        tally[found] += 1
        if found in ("wrong", "crash", "raises", "refused", "slow"):
            print(f"{row.label}: {found} {why[:200]}", flush=True)
        reasons[why[:80]] += found == "not yet"
        if "--show" in words:
            print(written)
    print(dict(tally))
    for reason, count in reasons.most_common(20):
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
