"""Random programs with aliases, loops and branches: gradients right, every read as it was."""

import pytest

from tests.rooms.fuzz import verdict

MANY = 15


@pytest.mark.parametrize("kind", ["plain", "more", "lists"])
def test_random_programs(kind):
    found = {seed: verdict(seed, kind) for seed in range(MANY)}
    bad = {k: v for k, v in found.items() if v[0] not in ("right", "unfit", "not yet")}
    assert not bad
    right = sum(v[0] == "right" for v in found.values())
    assert right >= 0.9 * MANY
