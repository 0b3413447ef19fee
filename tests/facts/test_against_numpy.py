"""What is claimed of every NumPy function in the tables is true of what NumPy makes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from s2sad.legacy.facts import Facts, fact_of_value
from s2sad.legacy.facts.expressions import FUNCTIONS
from s2sad.legacy.program import Var
from tests.facts.cases import CASES, VALUES
from tests.facts.oracle import NAMES, expression, wrong

VARIABLES = {name: Var(name, 0) for name in VALUES}
KNOWN = {Var(name, 0): fact_of_value(value, name) for name, value in VALUES.items()}
LENGTHS = {
    f"{name}.{axis}": length
    for name, value in VALUES.items()
    for axis, length in enumerate(np.shape(value) if isinstance(value, np.ndarray) else ())
}
# of these the kind is rightly not known


def truth(case: str) -> Any:
    """Return what Python and NumPy make of an expression."""
    fresh = {name: v.copy() if isinstance(v, np.ndarray) else v for name, v in VALUES.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(case, {**NAMES, **fresh})


def runs(case: str) -> bool:
    """Tell whether NumPy accepts the expression at all (np.floor of float16, ...)."""
    try:
        truth(case)
    except (TypeError, ValueError, np.exceptions.AxisError):
        return False
    return True


@pytest.mark.parametrize("case", dict.fromkeys(CASES))
def test_the_kind_is_known_and_what_is_claimed_is_true(case: str) -> None:
    if not runs(case):
        pytest.skip("NumPy does not accept it")
    fact = Facts(KNOWN).expr(expression(case, VARIABLES))
    lengths = dict(LENGTHS) | {f"#{name}@0": int(VALUES[name]) for name in ("n", "k")}
    assert fact.kind != "unknown" or "np.i0" in case
    assert wrong(fact, truth(case), lengths) == "", fact


def test_every_function_of_the_tables_is_among_the_cases() -> None:
    text = " ".join(CASES)
    elsewhere = {"zip", "enumerate", "reversed", "ndindex", "iter", "deepcopy"}
    elsewhere |= {"variance", "pvariance"}  # what they give is known of whole lists only
    missing = {f.__name__ for f in FUNCTIONS if f.__name__ not in text} - elsewhere
    assert not missing
