"""However a call of the list is written, its derivative is right; with more keywords, or refused."""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import pytest
from spellings import respelt, with_keywords
from surface import FAMILIES, entries
from surface_entry import Outcome, outcome, tiny

pytestmark = pytest.mark.filterwarnings("ignore")
FEW = 41  # every so many of the programs are tried each time
# what nobody writes
ODD = {
    "np.gradient(x, np.array(object=[0.0, 1.0, 1.5, 3.0]))",
    "np.polyval(p=[1.0, s, 2.0], x=x)",
    "x.astype(np.float64, 'K', 'unsafe', True, False)",
    "scipy.ndimage.map_coordinates(A, [u, u], None, 1)",
    "scipy.optimize.minimize(lambda h: np.sum((h - u) ** 2 + 0.1 * h ** 4), "
    "np.ones(3), (), None, None, None, None, None, (), 1e-12).x",
}
Ways = Callable[[str], Iterator[str]]


def programs(ways: Ways, family: str, few: int = 1) -> Iterator[tuple[int, str]]:
    """Yield priority and text of what NumPy and SciPy accept of some programs."""
    plain = ((p, textwrap.dedent(t).strip()) for p, _, ts in entries(family) for t in ts)
    spelt = dict.fromkeys((found, p) for p, text in plain for found in ways(text))
    for found, priority in islice(spelt, few // 2, None, few):
        if is_accepted(found):
            yield priority, found


def is_accepted(text: str) -> bool:
    """Tell whether a program gives a finite number, which varies with something."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = tiny(text, 0)
            value = made.function(*made.args)
        except Exception:  # whatever NumPy or SciPy says
            return False
    return bool(made.wrt) and np.isrealobj(value) and bool(np.isfinite(value))


def found(text: str) -> Outcome:
    return outcome(text, abs(hash(text)))


def is_told(made: Outcome) -> bool:
    """Tell whether a derivative is right, or refused, or raises an error where it runs."""
    return made.status != "wrong" and "InternalError" not in made.said


@pytest.mark.parametrize("family", FAMILIES)
def test_another_spelling_is_as_right(family: str) -> None:
    for priority, text in programs(respelt, family, FEW):
        made = found(text)
        assert made.status == "right" or (priority == 3 and made.status == "refused"), text


@pytest.mark.parametrize("family", FAMILIES)
def test_a_keyword_is_right_or_refused(family: str) -> None:
    for _, text in programs(with_keywords, family, 3 * FEW):
        assert is_told(found(text)), text


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_other_spelling_is_as_right(family: str) -> None:
    refused = set()
    for priority, text in programs(respelt, family):
        made = found(text)
        assert made.status in ("right", "refused"), text
        if made.status == "refused" and priority < 3:
            refused.add(text)
    assert refused <= ODD


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_keyword_is_right_or_refused(family: str) -> None:
    for _, text in programs(with_keywords, family):
        assert is_told(found(text)), text
