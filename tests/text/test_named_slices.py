"""A slice that has a name reads as one that is written out: nothing is asked of it as the text runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests.programs.arrays.named_slices import PROGRAMS


@pytest.mark.parametrize("entry", PROGRAMS, ids=lambda entry: entry.label)
def test_what_a_slice_chooses_is_added_to(entry):
    text = s2sad.grad(entry.function, wrt=entry.wrt, like=entry.args).source
    helpers = [word for word in ("_sum_to", "add.at", "_written_last") if word in text]
    assert not helpers


def test_a_slice_has_its_name_again_and_is_not_saved():
    entry = next(each for each in PROGRAMS if each.function.__name__ == "heads")
    text = s2sad.grad(entry.function, wrt=entry.wrt, like=entry.args).source
    assert text.count("head = slice(i * width, (i + 1) * width)") == 2
    assert "X_bar += scores_bar @ W[:, head].T" in text and "head_st" not in text


def test_ends_that_are_yours_stay():
    def parts(x: Any, n: int) -> Any:
        total = 0.0
        for k in range(n):
            part_start = 2 * k
            part_stop = part_start + 2
            total += np.sum(x[part_start:part_stop] ** 2)
        return total

    text = s2sad.grad(parts, like=(np.arange(6.0), 3)).source
    assert "slice(" not in text and "x[part_start:part_stop]" in text


def test_ends_that_are_arguments_stay():
    def part(x: Any, part_start: int, part_stop: int) -> Any:
        return np.sum(x[part_start:part_stop] ** 2)

    made = s2sad.grad(part, like=(np.arange(6.0), 1, 3))
    assert "x[part_start:part_stop]" in made.source
    np.testing.assert_array_equal(made(np.arange(6.0), 1, 3), [0.0, 2.0, 4.0, 0.0, 0.0, 0.0])


def test_ends_in_two_blocks_of_a_loop_are_asked_once():
    entry = next(each for each in PROGRAMS if each.function.__name__ == "heads")
    text = s2sad.grad(entry.function, wrt=entry.wrt, like=entry.args).source
    assert "W.shape[1] < X.shape[1] // h * h" in text
    assert text.count("// h * h") == 1
    made: dict[str, Any] = {}
    exec(text, made)
    with pytest.raises(ValueError, match=r"m >= \(d // h\)\*h"):
        made["heads_grad"](entry.args[0], entry.args[1][:, :5], 3)
