"""Random programs without examples: the text of the derivative is right, or is not made.

python -m tests.rooms.unexampled_fuzz 0 1000 plain|more|lists|wild
"""

import collections
import sys
import warnings

import numpy as np

from s2sad.api.answer import answer
from s2sad.api.pipeline import gradient_of
from s2sad.api.request import Request
from s2sad.api.rounds import argument_names
from s2sad.ir.errors import NotYet
from s2sad.ir.text import runnable
from s2sad.ir.types import Array, Number
from s2sad.source.read import read
from tests.oracles import compare, differences, flatten
from tests.rooms import wild  # noqa: F401  (another kind of programs)
from tests.rooms.fuzz import ARGS, fresh, is_unfit, made


def gradient(function):
    """Return the gradient for any arguments, as its text where that is printed."""
    wrt = tuple(argument_names(read(function), ARGS))
    try:
        text = answer(Request(function, wrt, single=False), None)
    except NotYet:  # some are right, and not printed
        program = gradient_of(Request(function, wrt), None).program
        ranks = [_rank(p.type) for p in program.function.parameters]
        if any(r not in (None, np.ndim(arg)) for r, arg in zip(ranks, ARGS, strict=True)):
            raise NotYet("ranks that are asked for") from None
        return runnable(program), frozenset()
    space = {"__name__": "alone"}
    exec(compile(text.source, "<unexampled>", "exec"), space)
    return space[text.name], text.messages


def _rank(type_):
    """Return the rank that is asked for, None where it may be any."""
    return {Array: getattr(type_, "rank", None), Number: 0}.get(type(type_))


def verdict(seed, kind):
    """Return right, wrong, not yet, made for others, raises or unfit; and why."""
    function, _ = made(seed, kind)
    if is_unfit(function):
        return "unfit", ""
    try:
        run, messages = gradient(function)
    except NotYet as error:
        return "not yet", error.reason
    try:
        found = flatten(run(*fresh(ARGS)), ARGS)
    except Exception as error:
        is_asked = any(message in str(error) for message in messages) or "made for" in str(error)
        return ("made for others" if is_asked else "raises"), f"{type(error).__name__} {error}"
    fault = compare(found, differences(function, ARGS, tuple(range(len(ARGS)))))
    return ("wrong", fault) if fault else ("right", "")


def main(first, last, kind):
    """Print what is wrong, and how many are of which verdict."""
    warnings.filterwarnings("ignore")
    tally, reasons = collections.Counter(), collections.Counter()
    for seed in range(first, last):
        found, why = verdict(seed, kind)
        tally[found] += 1
        reasons[why[:70]] += found == "not yet"
        if found in ("wrong", "raises"):
            print(seed, found, why, flush=True)
    print(dict(tally), reasons.most_common(6))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
