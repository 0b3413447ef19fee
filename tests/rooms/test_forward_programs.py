"""The forward room on a fixed sample of the tables of programs and on random programs."""

import warnings

import numpy as np
import pytest

from tests.compare import rows
from tests.rooms.fuzz import ARGS, is_unfit, made
from tests.rooms.tangents import timed

EVERY = 23  # one row in so many
LEAST = 0.8  # how many of the sample are right; none may be wrong
GOOD = {"right", "not yet", "lowering", "refused"}
# it takes more than half a minute to read
SLOW = {"kernels.adaptive_decay"}


@pytest.fixture(autouse=True)
def quiet():
    """Let infinite slopes be no warnings."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def test_a_sample_of_rows_is_right_or_not_yet():
    sample = [row for row in list(rows())[::EVERY] if row.label not in SLOW]
    found = {row.label: timed(row.function, row.args, row.wrt) for row in sample}
    bad = {label: (v, why) for label, (v, why, _) in found.items() if v not in GOOD}
    assert not bad
    right = sum(verdict == "right" for verdict, _, _ in found.values())
    assert right >= LEAST * len(found)


@pytest.mark.parametrize("kind", ["plain", "more", "lists"])
@pytest.mark.parametrize("seed", range(1000, 1012))
def test_a_random_program_is_right(seed, kind):
    function, text = made(seed, kind)
    if is_unfit(function):
        pytest.skip("raises, or too large to be judged")
    verdict, why, derived = timed(function, ARGS, (0, 1, 2))
    assert verdict == "right", f"{why}\n{text}\n{derived}"
