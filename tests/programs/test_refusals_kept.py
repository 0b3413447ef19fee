"""What a refused program is told of stands in one file, and was read: see refusals.py."""

from __future__ import annotations

import pytest

from tests.programs.refusals import kept, named, told

KEPT, NAMED = kept(), named()


@pytest.mark.parametrize("name", KEPT)
def test_a_refusal_is_the_one_that_was_read(name: str) -> None:
    assert told(NAMED[name]) in ("", KEPT[name])  # that it goes through is for its row to judge


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NAMED))
def test_the_file_holds_what_is_refused(name: str) -> None:
    assert told(NAMED[name]) == KEPT.get(name, "")
