"""Random programs: their derivatives before and after they are made simpler give the same numbers.

python -m tests.rooms.simplified 0 1000 plain|more|lists|numbers|arrays|dicts|records|mixed
"""

import collections
import copy
import sys
import warnings

import numpy as np

from s2sad.ir.errors import NotYet
from s2sad.ir.text import runnable, text
from s2sad.ir.verify import verify
from s2sad.optimize import simplify
from tests.rooms import fuzz_containers  # its programs are kinds of fuzz's
from tests.rooms.derive import derive
from tests.rooms.fuzz import ARGS, made

KINDS = ("plain", "more", "lists", *fuzz_containers.KINDS)


def verdict(seed, kind):
    """Return same, differs, not yet or raises, and the text after."""
    function, args = made(seed, kind)[0], ARGS
    try:
        before = derive(function, copy.deepcopy(args))[0].program
        expected = runnable(before)(*copy.deepcopy(args))
    except (NotYet, ArithmeticError, IndexError, ValueError) as error:
        return "not yet", str(error)
    after = simplify(before)
    try:
        verify(after)
        got = runnable(after)(*copy.deepcopy(args))
    except Exception as error:
        return "raises", f"{type(error).__name__} {error}\n{text(before)}\n{text(after)}"
    same = all(
        np.allclose(a, b, rtol=1e-9, atol=1e-11, equal_nan=True)
        for a, b in zip(_parts(expected), _parts(got), strict=True)
    )
    return ("same" if same else "differs"), f"{text(before)}\n{text(after)}"


def _parts(value):
    return value if isinstance(value, tuple) else (value,)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    tally = collections.Counter()
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        found, why = verdict(number, sys.argv[3])
        tally[found] += 1
        if found in ("differs", "raises"):
            print(number, found, why if tally[found] < 3 else "")
    print(dict(tally))
