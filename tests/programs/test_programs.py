"""Every program of the tables: right by differences, in both modes, by call and by text."""

from __future__ import annotations

import pytest

from tests.programs.control_flow.overwritten_values import ON_THE_HOST
from tests.programs.entry import Entry, assert_good, labels, rows
from tests.programs.table import ALL


@pytest.mark.parametrize("entry", rows([*ALL, *ON_THE_HOST]))
def test_derivative_is_right(entry: Entry) -> None:
    assert_good(entry)


def test_labels_are_unique() -> None:
    assert len(set(labels(ALL))) == len(ALL)
