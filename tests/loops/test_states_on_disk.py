"""States of a loop in files: the same gradients, and nothing is left behind."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.loops.test_schedules import CASES, HEAT, counted, function, leaves, peak
from tests.programs.entry import numbers
from tests.texts import defined

ARGS = (numbers(9), 0.3, 0.05, 11)
# one hands on a list, the other nothing but numbers, which stay in memory
LEFT_OUT = {"lists", "mixed"}


def files(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


@pytest.mark.parametrize("name", [name for name in CASES if name not in LEFT_OUT])
def test_gradients_are_those_of_states_in_memory(name: str, tmp_path: Path) -> None:
    source, wrt, args = CASES[name]
    f = function(source)
    made = s2sad.grad(f, wrt, like=args, checkpoint=s2sad.Disk(tmp_path, every=3))
    assert "with _scratch(" in made.source
    others = s2sad.grad(f, wrt, like=args, checkpoint=s2sad.Every(3))(*args)
    for a, b in zip(leaves(made(*args)), leaves(others), strict=True):
        assert type(a) is type(b) and np.array_equal(a, b)
    assert files(tmp_path) == []


def test_files_are_written_and_read_once(tmp_path: Path) -> None:
    made = s2sad.grad(function(HEAT), like=ARGS, checkpoint=s2sad.Disk(str(tmp_path)))
    space, calls = counted(made.source, "heat")
    seen = []
    step = space["heat_step_rev"]
    space["heat_step_rev"] = lambda *args: [seen.append(len(files(tmp_path))), step(*args)][1]
    space["heat_grad"](*ARGS)
    # of 11 passes a state every third, and those between once more from there
    assert calls["step"] <= 2 * 11 and calls["step_rev"] == 11
    assert seen == [4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]  # the directory is one of them
    assert files(tmp_path) == []


def test_the_peak_is_that_of_the_states_between_two_files(tmp_path: Path) -> None:
    u = np.linspace(0.0, 1.0, 5000)
    made = s2sad.grad(function(HEAT), like=ARGS, checkpoint=s2sad.Disk(tmp_path, every=8))
    own = peak(made, u, 0.3, 0.01, 1)
    for n in (40, 120):
        assert peak(made, u, 0.3, 0.01, n) - own <= (8 + 2) * u.nbytes
    told = s2sad.explain(function(HEAT), like=(u, 0.3, 0.01, 120), checkpoint=made_of(tmp_path))
    assert told.peak == pytest.approx(peak(made, u, 0.3, 0.01, 120), rel=0.2)
    (row,) = (row for row in told.rows if row.how == "on disk")
    assert row.size.formula == "(nt / 8) * 8 * len(u)" and row.size.number == 15 * u.nbytes


def made_of(folder: Path) -> s2sad.Disk:
    return s2sad.Disk(folder, every=8)


PAIR = """
def pair(u, a, n):
    both, s = (u, a * u), 0.0
    for t in range(n):
        x, y = both
        both = x + 0.1 * np.sin(y), y * np.cos(x) - 0.01 * t
        s = s + x[0] * y[1]
    return s * np.sum(both[0] * both[1])
"""


@pytest.mark.parametrize("again", [s2sad.jvp, s2sad.vjp], ids=["forward", "reverse"])
def test_texts_with_files_are_differentiated_again(again: Any, tmp_path: Path) -> None:
    f, args = function(PAIR), (numbers(4), 0.7, 7)
    made = s2sad.grad(f, like=args, checkpoint=s2sad.Disk(tmp_path, every=3))
    assert np.allclose(made(*args), s2sad.grad(f, like=args)(*args), rtol=1e-13)
    along = np.cos(args[0])
    up, down = (s2sad.grad(f)(args[0] + h * along, *args[1:]) for h in (1e-6, -1e-6))
    second = again(made, "u", like=args)
    found = second(*args, along)
    found = found[1] if again is s2sad.jvp else found
    assert np.allclose(found, (up - down) / 2e-6, rtol=1e-6, atol=1e-7)
    assert files(tmp_path) == []
    assert second.source.count("with _scratch(") == 1
    with pytest.raises(TypeError):
        second(args[0], args[1], 2.5, along)
    assert files(tmp_path) == []


# ---------------------------------------------------------------- what goes wrong

FAILING = """
def failing(u, n, bad):
    for t in range(n):
        if t == bad:
            raise ValueError("no further")
        u = np.sin(u) * u
    if bad == -1:
        raise ValueError("behind the loop")
    return np.sum(u)
"""


@pytest.mark.parametrize("bad", [0, 5, -1])
def test_nothing_is_left_behind_by_an_error(bad: int, tmp_path: Path) -> None:
    made = s2sad.grad(defined(FAILING), checkpoint=s2sad.Disk(tmp_path, every=2))
    assert np.all(np.isfinite(made(numbers(4), 6, -2)))
    with pytest.raises(ValueError, match=r"no further|behind the loop") as caught:
        made(numbers(4), 6, bad)
    assert files(tmp_path) == [] and caught.traceback


def test_a_directory_that_is_not_there_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "missing"
    made = s2sad.grad(function(HEAT), checkpoint=s2sad.Disk(folder))
    with pytest.raises(FileNotFoundError, match=r"states of a loop go to .*missing.*no directory"):
        made(*ARGS)
    assert files(tmp_path) == []


def test_a_full_directory_is_told_and_left_empty(tmp_path: Path) -> None:
    made = s2sad.grad(function(HEAT), like=ARGS, checkpoint=s2sad.Disk(tmp_path))
    made(*ARGS)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="a state of a loop cannot be written to"):
            made(np.linspace(0.0, 1.0, 500), *ARGS[1:])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert files(tmp_path) == []


def test_what_cannot_be_written_to_files_is_refused(tmp_path: Path) -> None:
    source, wrt, args = CASES["lists"]
    disk = s2sad.Disk(tmp_path, every=2)
    with pytest.raises(
        s2sad.Unsupported, match="seen holds several values, and only arrays and numbers"
    ):
        s2sad.grad(function(source), wrt, like=args, checkpoint=disk)
    with pytest.raises(s2sad.Unsupported, match=r"not known before(.|\n)*every=100"):
        s2sad.grad(function(CASES["while"][0]), checkpoint=s2sad.Disk(tmp_path))(2.0, 1e-9)


@pytest.mark.parametrize("given", [("",), (7,), ("here", 0), ("here", 2.5)], ids=str)
def test_what_is_no_directory_and_no_number_of_passes(given: Any) -> None:
    with pytest.raises(s2sad.ArgumentError, match="Disk takes"):
        s2sad.Disk(*given)
