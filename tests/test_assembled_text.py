"""What is assembled by positions that name no element twice is read there, and nothing is asked of them."""

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten
from tests.programs import assembling
from tests.programs.entry import Entry, numbers

LINES = {
    assembling.beam_of_bars: "ke_bar = K_bar[np.ix_(dofs, dofs)]",
    assembling.beam_of_lists: "ke_bar = K_bar[np.ix_(dofs, dofs)]",
    assembling.beam_of_ranges: "K_bar[np.ix_(dofs, dofs)]",
    assembling.beam_of_crossed_positions: "K_bar[dofs[:, None], dofs[None, :]]",
    assembling.displaced: "f_bar[free] += u_back_solve",
    assembling.triangles: "x_bar += 2.0 * A_bar[j, i]",
}


def _body(entry: Entry) -> str:
    source = str(s2sad.grad(entry.function, entry.wrt, like=entry.args).source)
    return source[source.index("# -- reverse sweep") :]


@pytest.mark.parametrize("function", LINES, ids=lambda each: each.__name__)
def test_positions_that_are_all_different_need_no_mask(function):
    (entry,) = (each for each in assembling.PROGRAMS if each.function is function)
    text = _body(entry)
    assert LINES[function] in text, text
    assert "add.at" not in text, text
    assert function is assembling.triangles or "_written_last" not in text, text


def from_both_ends(u, v):
    w = u * 1.0
    for k in range(2):
        w[np.array([k - 1, k, -1])] = v[:3] * u[k]
    return w @ w


def below_zero(u, v):
    w = u * 1.0
    for k in range(2):
        w[k + np.arange(-1, 3)] = v * u[k]
    return w @ w


def met_in_a_pass(u, v):
    w = u * 1.0
    for k in range(2):
        w[[2 * k, k + 1]] += v[:2]
    return w @ w


def moved_below_zero(u, v):
    w = u * 1.0
    for k in range(2):
        w[np.arange(4) - k] *= v
    return w @ w


@pytest.mark.parametrize(
    "function",
    [from_both_ends, below_zero, met_in_a_pass, moved_below_zero],
    ids=lambda each: each.__name__,
)
def test_positions_that_may_be_equal_are_asked(function):
    given = numbers(4), numbers(4, start=0.1)
    df = s2sad.grad(function, ("u", "v"), like=given)
    assert "_written_last(" in df.source, df.source
    expected = differences(function, given, (0, 1), 1.0)
    assert compare(flatten(df(*given), given), expected) is None
