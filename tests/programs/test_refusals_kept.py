"""What a refused program is told of stands in one file, and was read: see refusals.py."""

from __future__ import annotations

import pytest

from tests.programs.refusals import kept, named, told

KEPT, NAMED = kept(), named()


@pytest.mark.parametrize("name", KEPT)
def test_a_refusal_is_the_one_that_was_read(name: str) -> None:
    assert told(NAMED[name]) == KEPT[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NAMED.keys() - KEPT.keys()))
def test_what_is_not_in_the_file_goes_through(name: str) -> None:
    assert told(NAMED[name]) == ""
