"""Tangents along many directions at once, compared with those along one after the other.

python -m tests.rooms.directions [kernels] [table ...] [--row=NAME] [--show]
python -m tests.rooms.directions --random 0 500 plain|more|lists
python -m tests.rooms.directions --rules
"""

import collections
import copy
import logging
import sys
import traceback
import warnings

import numpy as np

from s2sad.api.pipeline import tangent_of
from s2sad.api.request import Request
from s2sad.api.rounds import argument_names
from s2sad.ir.errors import NotYet, S2sadError
from s2sad.ir.text import runnable, text
from s2sad.ir.verify import verify
from s2sad.optimize import simplify
from s2sad.source.read import read
from tests.rooms.derived import Slow, in_time
from tests.rooms.forward import called
from tests.rooms.tangents import programs
from tests.rules import test_many_directions as every

SLOW = 30  # seconds
COUNT = 3


def made(function, args, wrt, form):
    """Return the tangent of a function as a function, with its text."""
    names = argument_names(read(function), args)
    asked = Request(function, tuple(names[k] for k in wrt), form)
    found = tangent_of(asked, copy.deepcopy(args))
    program = verify(simplify(found.program, found.context))
    run = runnable(program)
    run.text = text(program)
    return run


def judged(function, args, wrt, run):
    """Return None where many directions agree with one after the other, else what is wrong."""
    rng = np.random.default_rng(5)
    many = [_directions(args[k], rng) for k in wrt]
    if any(each is None for each in many):
        return "not one array"
    single = made(function, args, wrt, "tangent")
    given = copy.deepcopy(many)
    found = called(run, copy.deepcopy(args), given)
    if not all(map(np.array_equal, given, many)):
        return "a tangent of the user's is changed"
    for k in range(COUNT):
        dots = [_dot(each[k], args[n]) for each, n in zip(many, wrt, strict=True)]
        expected = called(single, copy.deepcopy(args), dots)
        fault = _other(_one(found, expected, k), expected)
        if fault:
            return fault
    return None


def _directions(arg, rng):
    if isinstance(arg, float | np.floating):
        return rng.normal(size=COUNT)
    if isinstance(arg, np.ndarray) and arg.dtype.kind in "fc":
        found = rng.normal(size=(COUNT, *arg.shape))
        return found + 1j * rng.normal(size=found.shape) if arg.dtype.kind == "c" else found
    return None


def _dot(dot, arg):
    """Return one direction of an argument, of its kind."""
    return np.asarray(dot) if isinstance(arg, np.ndarray) else dot.item()


def _one(found, like, k):
    """Return one direction of a result, structured as that along one alone."""
    if isinstance(like, tuple | list):
        return [_one(f, e, k) for f, e in zip(found, like, strict=True)]
    if isinstance(like, dict):
        return {key: _one(found[key], e, k) for key, e in like.items()}
    return None if like is None else np.asarray(found)[k]


def _other(found, expected):
    if isinstance(expected, tuple | list):
        pairs = zip(found, expected, strict=True)
        return next((fault for f, e in pairs if (fault := _other(f, e))), None)
    if isinstance(expected, dict):
        return next((f for k, e in expected.items() if (f := _other(found[k], e))), None)
    if expected is None:
        return None
    if np.shape(found) != np.shape(expected):
        return f"shape {np.shape(found)} for {np.shape(expected)}"
    same = np.allclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True)
    return None if same else f"{found!r} for {expected!r}"[:200]


def verdict(function, args, wrt):
    """Return right, wrong, not yet, crash or raises, with why, and the text."""
    run = None
    try:
        run = made(function, args, wrt, "directional")
        fault = judged(function, args, wrt, run)
    except NotYet as error:
        line = "" if error.span is None else error.span.line
        return "not yet", f"{error.reason} {line}", ""
    except Slow:
        return "slow", "", ""
    except S2sadError as error:
        return "refused", error.problem, ""
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__} {error} {place.filename.rpartition('/')[2]}:{place.lineno}"
        return ("raises", why, run.text) if run is not None else ("crash", why, "")
    if fault == "not one array":
        return "not one array", "", ""
    return ("wrong" if fault else "right"), fault or "", run.text


def timed(*given):
    """Return a verdict within some seconds."""
    return in_time(SLOW, verdict, *given) or ("slow", "", "")


def ruled():
    """Yield (label, function, arguments, wrt) for samples of every rule, real and complex."""
    for rule in every.RULES:
        for sample in every.drawn(rule):
            yield every.name_of(rule), sample.function, sample.args, sample.places
            if rule.holomorphic:
                label = f"{every.name_of(rule)} complex"
                yield label, every.turned(sample), sample.args, sample.places


def main(words):
    """Print what is not right, and how many are."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    tally, reasons, each = collections.Counter(), collections.Counter(), 0
    asked = ruled() if "--rules" in words else programs(words)
    for label, function, args, wrt in asked:
        found, why, written = timed(function, args, wrt)
        tally[found] += 1
        each += "np.array([" in written
        if found in ("wrong", "crash", "raises", "refused", "slow"):
            print(f"{label}: {found} {why[:200]}", flush=True)
        reasons[why.rpartition(" ")[0][:80]] += found == "not yet"
        if found == "not yet" and "--all" in words:
            print(f"{label}: {found} {why[:200]}", flush=True)
        if "--show" in words:
            print(written)
    print(dict(tally), each, "with a loop over directions")
    for reason, count in reasons.most_common(20):
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
