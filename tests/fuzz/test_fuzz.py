"""Random programs of a fixed seed: none may be wrong, none may fail inside the package.

A longer campaign: python -m tests.fuzz --seed 1 --count 5000 --jobs 2
"""

from __future__ import annotations

import pytest

from tests.fuzz import campaign

SEED = 20
CHUNK = 10
SHORT = range(0, 20, CHUNK)
LONG = [pytest.param(start, marks=pytest.mark.slow) for start in range(20, 510, CHUNK)]


@pytest.mark.parametrize("start", [*SHORT, *LONG])
def test_random_programs_are_right_or_refused(start: int) -> None:
    results = campaign.run(SEED, CHUNK, start=start)
    bad = [x for x in results if x.score.verdict in ("wrong", "internal", "invalid")]
    shown = "\n\n".join(campaign.explain(result, shrunk=False) for result in bad[:2])
    assert not bad, f"{campaign.report(results)}\n{shown}"
    scored = [x for x in results if x.score.verdict in ("right", "refused")]
    right = [x for x in scored if x.score.verdict == "right"]
    assert len(right) >= 0.6 * len(scored), campaign.report(results)
