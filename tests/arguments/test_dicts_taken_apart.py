"""Dicts that are arguments, taken apart by their keys where a function makes other dicts of them."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.programs.dicts.dicts_of_parameters import P, defaults_below, descended_in_place
from tests.programs.dicts.dicts_of_parameters import written_through_a_second_dict as written

A, B = P["a"], P["b"]


def test_the_text_asks_for_the_keys_that_it_was_made_for() -> None:
    source = s2sad.grad(defaults_below, like=(P, 0.7)).source
    space: dict[str, Any] = {}
    exec(source, space)
    made = space["defaults_below_grad"]
    assert made(P, 0.7).keys() == P.keys()
    for other in ({"b": B, "a": A}, {"a": A}, {**P, "d": A}):
        with pytest.raises(ValueError, match="made for params with the keys a, b"):
            made(other, 0.7)


def test_other_keys_get_a_text_of_their_own() -> None:
    gradient = s2sad.grad(descended_in_place)
    first = gradient(P, 0.7)
    turned = gradient({"b": B, "a": A}, 0.7)
    assert list(turned) == ["b", "a"]
    for key in P:
        np.testing.assert_allclose(first[key], turned[key])
    assert gradient({"a": A}, 0.7).keys() == {"a"}


def test_arrays_that_are_written_to_are_not_given_twice() -> None:
    gradient = s2sad.grad(written)
    with pytest.raises(s2sad.ArgumentError, match="are one array, and params"):
        gradient({"a": A, "b": A}, 0.7)
    before = {key: value.copy() for key, value in P.items()}
    bars = gradient(P, 0.7)
    for key, value in P.items():
        np.testing.assert_array_equal(value, before[key])
        assert not np.shares_memory(bars[key], value)


def test_adjoints_of_two_keys_are_two_arrays() -> None:
    def twice(params: Any) -> Any:
        both = {**params, "c": params["a"] + params["b"]}
        return np.sum(both["c"])

    bars = s2sad.grad(twice)(P)
    bars["a"] += 1.0
    np.testing.assert_array_equal(bars["b"], np.ones(2))


def test_as_many_passes_as_a_rounded_number_read_a_dict() -> None:
    """What is rounded was taken for one pass: it is 1 for each of the numbers that types are read off."""

    def dosed(k: float, doses: dict[int, float], times: np.ndarray[Any, Any]) -> float:
        held = 1.0
        for step in range(1, round(times[-1]) + 1):
            held = held * np.exp(-k)
            if step in doses:
                held = held + doses[step]
        return held

    args = (0.3, {2: 1.0, 4: 0.5}, np.array([1.0, 5.0]))
    k, e = args[0], np.exp(-args[0])
    assert s2sad.grad(dosed, "k", like=args)(*args) == pytest.approx(-5 * e**5 - 3 * e**3 - 0.5 * e)
    assert s2sad.grad(dosed, "k")(k, {3: 1.0}, np.array([4.0])) == pytest.approx(-4 * e**4 - e)


def recurrent(p: dict[str, Any], xs: Any) -> Any:
    h = np.zeros(len(p["bias"]))
    for x in xs:
        h = np.tanh(p["weights"] @ x + p["state"] @ h + p["bias"] * p["gain"] + p["other"])
    return h @ h


def test_a_long_dict_of_adjoints_can_be_saved_and_differentiated_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    sizes = {"weights": (3, 2), "state": (3, 3), "bias": 3, "gain": 3, "other": 3}
    p = {key: rng.normal(size=size) for key, size in sizes.items()}
    args = p, rng.normal(size=(4, 2))
    made = s2sad.grad(recurrent, "p", like=args)
    found, plain = made(*args), s2sad.grad(recurrent, "p")(*args)
    assert list(found) == list(p) and all(np.array_equal(found[key], plain[key]) for key in p)
    assert s2sad.check_grad(recurrent, args, "p")
    assert s2sad.hvp(recurrent, "p", like=args)(*args, p)["gain"].shape == (3,)
    made.save(tmp_path / "recurrent_of_keys.py")
    monkeypatch.syspath_prepend(tmp_path)
    saved = importlib.import_module("recurrent_of_keys").recurrent_grad
    again = s2sad.jvp(saved, "p", like=args)(*args, p)[1]
    np.testing.assert_allclose(again["state"], s2sad.hvp(recurrent, "p")(*args, p)["state"])
