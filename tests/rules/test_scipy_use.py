"""SciPy as users write it: its names, the imports of emitted files, and programs without SciPy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy
import scipy.signal
import scipy.special
import scipy.special as sc
from scipy import ndimage, special
from scipy.special import expit, logsumexp
from scipy.special import psi as digamma_of

import s2sad
from s2sad.testing.checks import inner, like, shifted

STEP = 1e-3
X = np.array([0.3, 1.1, 2.4])


def by_name(x: Any) -> Any:
    return np.sum(expit(x) * digamma_of(x)) + logsumexp(x, axis=0)


def by_alias(x: Any) -> Any:
    return np.sum(sc.expit(x) * sc.psi(x)) + sc.logsumexp(x, axis=0)


def by_module(x: Any) -> Any:
    return np.sum(special.expit(x) * special.psi(x)) + special.logsumexp(x, 0)


def in_full(x: Any) -> Any:
    return np.sum(scipy.special.expit(x) * scipy.special.psi(x)) + scipy.special.logsumexp(x, 0)


def imported_inside(x: Any) -> Any:
    from scipy.special import expit as squash
    from scipy.special import logsumexp as lse
    from scipy.special import psi

    return np.sum(squash(x) * psi(x)) + lse(x, axis=0)


SPELLINGS = [by_name, by_alias, by_module, in_full, imported_inside]


def agrees_with_differences(
    function: Callable[..., Any], *args: Any, bound: float = 1e-8, modes: float = 1e-11
) -> str:
    """Check both modes of a function's first argument; return the text of its gradient."""
    rng = np.random.default_rng(3)
    x, rest = args[0], args[1:]
    x_dot = like(x, rng)
    steps = [function(shifted(x, k * STEP, x_dot), *rest) for k in (1, -1, 2, -2)]
    expected = (8.0 * (steps[0] - steps[1]) - (steps[2] - steps[3])) / (12.0 * STEP)
    gradient = s2sad.grad(function, like=args)
    found = inner(gradient(*args), x_dot)[0]
    assert abs(found - expected) <= bound * max(1.0, abs(expected)), gradient.source
    _, tangent = s2sad.jvp(function)(*args, x_dot)
    assert np.isclose(tangent, found, rtol=modes, atol=0.1 * modes)
    return str(gradient.source)


@pytest.mark.parametrize("function", SPELLINGS)
def test_every_spelling(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, X)


@pytest.mark.parametrize("function", SPELLINGS)
def test_emitted_file_stands_alone(function: Callable[..., Any]) -> None:
    source = s2sad.grad(function, like=(X,)).source
    assert source.startswith("import numpy as np\nimport scipy.special\n")
    space: dict[str, Any] = {}
    exec(source, space)
    gradient = space[f"{function.__name__}_grad"](X)
    assert np.array_equal(gradient, s2sad.grad(function)(X))


def test_user_keeps_a_name_that_is_a_module_of_scipys() -> None:
    def f(special: Any) -> Any:
        return np.sum(sc.erf(special))

    source = agrees_with_differences(f, X)
    assert "scipy.special.erf" not in source  # only the slope is left
    assert "special_bar" in source or "exp(-(special**2))" in source


def test_slope_names_what_the_user_did_not_import() -> None:
    def f(x: Any) -> Any:
        return np.sum(sc.gammaln(x))

    assert "scipy.special.psi(x)" in agrees_with_differences(f, X)


WITHOUT = """
import sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "scipy":
            raise ImportError(name)

sys.meta_path.insert(0, Nothing())
import numpy as np
import s2sad

def f(x):
    return np.sum(np.tanh(x) ** 2)

print(s2sad.grad(f)(np.array([0.5, 1.0])))
assert not any(name.split(".")[0] == "scipy" for name in sys.modules)
"""


def test_without_scipy(tmp_path: Any) -> None:
    script = tmp_path / "without.py"
    script.write_text(WITHOUT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    t = np.tanh(np.array([0.5, 1.0]))
    assert done.stdout.strip() == str(2.0 * t * (1.0 - t**2))


def filtered_twice(b: Any, x: Any) -> Any:
    return np.sum(scipy.signal.filtfilt(b, [1.0, -0.4], x) ** 2)


def filtered_by_its_pole(a: Any, x: Any) -> Any:
    return np.sum(scipy.signal.filtfilt([0.2, 0.3], [1.0, a], x) ** 2)


def in_sections(g: Any, x: Any) -> Any:
    return np.sum(scipy.signal.sosfilt(np.array([[g, 0.3, 0.2, 1.0, -0.5, 0.1]]), x) ** 2)


@pytest.mark.parametrize(
    ("function", "first"),
    [(filtered_twice, np.array([0.2, 0.3])), (filtered_by_its_pole, -0.3), (in_sections, 0.2)],
)
def test_coefficients_of_filters(function: Any, first: Any) -> None:
    assert s2sad.check_grad(function, (first, np.linspace(0.0, 1.0, 14) ** 2), wrt=(0, 1))


def smoothed_in_sections(x: Any) -> Any:
    sections = scipy.signal.butter(4, 0.2, output="sos")
    return np.sum(scipy.signal.sosfiltfilt(sections, x) ** 2)


def smoothed_by_a_filter_made_here(x: Any) -> Any:
    b, a = scipy.signal.butter(2, 0.3)
    smooth = scipy.signal.filtfilt(b, a, np.concatenate([x, x[::-1]]))
    return np.sum(smooth**2) + smooth[4] * scipy.signal.lfilter(b, a, x)[2]


@pytest.mark.parametrize("function", [smoothed_in_sections, smoothed_by_a_filter_made_here])
def test_filters_that_a_probe_cannot_make_up(function: Any) -> None:
    assert s2sad.check_grad(function, (np.linspace(0.0, 1.0, 30) ** 2,))


def filtered_on(b: Any, x: Any, zi: Any) -> Any:
    total = 0.0
    for k in range(2):
        y, zi = scipy.signal.lfilter(b, [1.0, -0.3], x[2 * k : 2 * k + 2], zi=zi)
        total = total + np.sum(y**2)
    return total * zi[0]


def test_a_filter_goes_on_where_it_was() -> None:
    given = (np.array([0.2, 0.3]), np.array([0.3, -0.4, 0.5, 0.1]), np.array([0.7]))
    assert s2sad.check_grad(filtered_on, given, wrt=("b", "x", "zi"))


def written_by_position(u: Any) -> Any:
    out = np.zeros_like(u)
    ndimage.affine_transform(u, np.eye(2) * 0.9, 0.0, None, out, 1)
    return np.sum(out**2)


def _blurred(u: Any, out: Any) -> None:
    ndimage.gaussian_filter(u, 1.0, output=out)


def _turned(u: Any, out: Any) -> None:
    ndimage.affine_transform(u, np.eye(2) * 0.9, 0.0, None, out, 1)


def written_by_a_helper(u: Any) -> Any:
    out = np.zeros_like(u)
    _blurred(u, out)
    return np.sum(out**2)


def written_by_a_helper_by_position(u: Any) -> Any:
    out = np.zeros_like(u)
    _turned(u, out)
    return np.sum(out**2)


@pytest.mark.parametrize(
    "function", [written_by_position, written_by_a_helper, written_by_a_helper_by_position]
)
def test_an_output_that_is_written_to_is_seen(function: Any) -> None:
    """The gradient was silently 0: SciPy's compiled code fills in what it is given."""
    told = r"write where it is not seen|writes in place to what varies|has no derivative rule"
    with pytest.raises(s2sad.S2sadError, match=told):
        s2sad.grad(function)(np.arange(9.0).reshape(3, 3))
