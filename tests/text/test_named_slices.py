"""A slice that has a name reads as one that is written out: nothing is asked of it as the text runs."""

from __future__ import annotations

from typing import Any

import pytest

import s2sad
from tests.programs.arrays.named_slices import PROGRAMS


@pytest.mark.parametrize("entry", PROGRAMS, ids=lambda entry: entry.label)
def test_what_a_slice_chooses_is_added_to(entry):
    text = s2sad.grad(entry.function, wrt=entry.wrt, like=entry.args).source
    helpers = [word for word in ("_sum_to", "add.at", "_written_last") if word in text]
    assert not helpers


def test_ends_in_two_blocks_of_a_loop_are_asked_once():
    entry = next(each for each in PROGRAMS if each.function.__name__ == "heads")
    text = s2sad.grad(entry.function, wrt=entry.wrt, like=entry.args).source
    assert "W.shape[1] < X.shape[1] // h * h" in text
    assert text.count("// h * h") == 1
    made: dict[str, Any] = {}
    exec(text, made)
    with pytest.raises(ValueError, match=r"m >= \(d // h\)\*h"):
        made["heads_grad"](entry.args[0], entry.args[1][:, :5], 3)
