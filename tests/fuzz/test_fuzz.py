"""Random programs of a fixed seed: none may be wrong, none may fail inside the package.

A longer campaign: python -m tests.fuzz --seed 1 --count 5000 --jobs 2
"""

from __future__ import annotations

import pytest

from tests.fuzz import campaign
from tests.fuzz.families import FAMILIES

SEED = 20
CHUNK = 10
FEW = 5  # programs of a family, which are long
SHORT = range(0, 20, CHUNK)
LONG = [pytest.param("", start, marks=pytest.mark.slow) for start in range(20, 510, CHUNK)]
LONG += [
    pytest.param(family, start, marks=pytest.mark.slow)
    for family in FAMILIES
    for start in range(FEW, 100, FEW)
]


FAMILY = [("", start) for start in SHORT] + [(family, 0) for family in FAMILIES]


@pytest.mark.parametrize("family, start", [*FAMILY, *LONG])
def test_random_programs_are_right_or_refused(family: str, start: int) -> None:
    results = campaign.run(SEED, FEW if family else CHUNK, start=start, family=family)
    # an iterator may be at its end where its next item is asked for
    faults = ("wrong", "internal") if family else ("wrong", "internal", "invalid")
    bad = [x for x in results if x.score.verdict in faults]
    shown = "\n\n".join(campaign.explain(result, shrunk=False) for result in bad[:2])
    assert not bad, f"{campaign.report(results)}\n{shown}"
    scored = [x for x in results if x.score.verdict in ("right", "refused")]
    right = [x for x in scored if x.score.verdict == "right"]
    least = 0.4 if family else 0.6  # what a family is about is refused in some of its forms
    assert len(right) >= least * len(scored), campaign.report(results)
