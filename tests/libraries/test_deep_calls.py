"""The code of an installed library is followed, however far it leads."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad

DEEP = 12

LIBRARY = "import numpy as np\n" + "".join(
    textwrap.dedent(f"""
    def level{n}(x):
        a = x * 0.5
        b = np.sin(a) + x
        c = np.cos(a) * np.cos(b)
        d = level{n + 1}(c)
        if n_levels < {n}:
            raise ValueError(n_levels)
        return d + a

    def filled{n}(x):
        x[0] = x[0] * 0.5
        x[1] = x[1] + x[0]
        filled{n + 1}(x)
        x[0] = x[0] * x[1]
        return x

    """)
    for n in range(DEEP)
)
LIBRARY += textwrap.dedent(f"""
    n_levels = {DEEP}

    def level{DEEP}(x):
        return x * x

    def filled{DEEP}(x):
        x[0] = 2.0 * x[0]
""")

OWN = """
import numpy as np
from far_library import level0, level10, filled0
TABLE = level0(0.3)

def near(x):
    return level10(x) * 2.0

def active(x):
    y = x + 1.0
    return level0(y)

def written(u):
    v = u * 1.0
    filled0(v)
    return np.sum(v)

def inactive(x):
    scale = level0(0.3)
    return scale * x * x
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Give a module of the user's that calls an installed library."""
    installed = tmp_path / "site-packages"
    installed.mkdir()
    (installed / "far_library.py").write_text(LIBRARY)
    (tmp_path / "own_of_reach.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(installed))
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        yield importlib.import_module("own_of_reach")
    finally:
        for name in ("far_library", "own_of_reach"):
            sys.modules.pop(name, None)


def slope(f: Any, x: float) -> float:
    return float((f(x + 1e-5) - f(x - 1e-5)) / 2e-5)


def test_what_does_not_vary_need_not_be_followed(own: Any) -> None:
    assert s2sad.grad(own.inactive)(0.7) == pytest.approx(slope(own.inactive, 0.7), rel=1e-6)


def test_what_is_near_is_followed(own: Any) -> None:
    assert s2sad.grad(own.near)(0.7) == pytest.approx(slope(own.near, 0.7), rel=1e-6)


def test_all_of_it_is_followed(own: Any) -> None:
    u = np.array([0.4, 0.9])
    assert s2sad.grad(own.active)(0.7) == pytest.approx(slope(own.active, 0.7), rel=1e-6)
    along = s2sad.grad(own.written)(u) @ np.array([0.3, -0.2])
    assert along == pytest.approx(
        slope(lambda t: own.written(u + t * np.array([0.3, -0.2])), 0.0), rel=1e-6
    )


def test_functions_of_the_users_own_are_followed_however_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far_of_own.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        level0 = importlib.import_module("far_of_own").level0
        assert s2sad.grad(level0)(0.7) == pytest.approx(slope(level0, 0.7), rel=1e-6)
    finally:
        sys.modules.pop("far_of_own", None)
