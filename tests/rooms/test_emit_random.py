"""Texts of random derivatives run alone, give the same numbers, and are laid out as black does."""

import pytest

from tests.rooms.emitted import verdict

MANY = 10


@pytest.mark.parametrize("kind", ["plain", "more", "lists"])
def test_random_texts_run_alone(kind):
    found = {seed: verdict(seed, kind) for seed in range(3000, 3000 + MANY)}
    bad = {seed: why for seed, (told, why) in found.items() if told not in ("same", "not yet")}
    assert not bad
    assert sum(told == "same" for told, _ in found.values()) >= 0.9 * MANY
