"""What is emitted and what was written by hand are the same gradient, and lines are counted alike."""

import pytest

from tests.benchmarks.experts import CASES
from tests.benchmarks.text import code_lines, difference


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function.__name__)
def test_emitted_adjoints_agree_with_those_written_by_hand(case):
    assert difference(case, case.sizes[0]) < 1e-10


def test_lines_are_those_of_code_as_emitted_texts_are_laid_out():
    source = """import numpy as np

def f(x, y):
    '''A text.'''
    # a comment
    if x.ndim != 1:
        raise ValueError("made for vectors")
    z = np.sin(
        x
    )
    return z + y
"""
    assert code_lines(source) == 3
