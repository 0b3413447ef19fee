"""Every program and kernel runs beside the types of its values: no type contradicts a value."""

import contextlib
import os
import signal
import warnings

import numpy as np
import pytest

from tests.compare import Row, rows
from tests.rooms.twin import Found, run

MOST_SECONDS = 5
PARTS = 6
# whole numbers are held beside floats in one tuple or list: what is taken out is of either kind
OF_TWO_KINDS = {
    "records.whole_numbers_beside_floats_in_pairs",
    "lists_of_several_kinds.a_value_and_its_count",
    "lists_of_several_kinds.one_that_is_repeated",
    "lists_of_several_kinds.the_best_and_its_place",
}
# NumPy's class leaves out coefficients that are 0, and these are of tiny examples: what is lowered keeps all
OF_VALUES = {"polynomials.fitted_to_values"}


class TooLong(BaseException):
    """A row takes longer than a test should."""


def _too_long(*_):
    raise TooLong


def found_of(row: Row) -> Found:
    """Return what became of a row; nothing, where it takes too long."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(MOST_SECONDS)
    try:
        with (
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
            open(os.devnull, "w") as nowhere,
            contextlib.redirect_stdout(nowhere),
        ):
            warnings.simplefilter("ignore")
            return run(row.function, row.args)
    except TooLong:
        return Found(stopped="too long")
    finally:
        signal.alarm(0)


def test_what_is_left_out_are_rows():
    assert {row.label for row in rows()} >= OF_TWO_KINDS | OF_VALUES


@pytest.mark.parametrize("part", range(PARTS))
def test_no_type_contradicts_a_value(part):
    found = {row.label: found_of(row) for row in list(rows())[part::PARTS]}
    left_out = OF_TWO_KINDS | OF_VALUES
    wrong = {k: each.wrong for k, each in found.items() if each.wrong and k not in left_out}
    fails = {label: each.fails for label, each in found.items() if each.fails}
    assert wrong == {}
    assert fails == {}
    assert sum(each.typed for each in found.values()) > 15_000
