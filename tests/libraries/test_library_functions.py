"""Calls of NumPy's and SciPy's own functions, one a line, with arguments to differentiate them at.

Rules answer for many of them. Those that are read as they stand are in test_library_source.py.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.spatial.distance
import scipy.special
import scipy.stats
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

import s2sad
from s2sad.ir.errors import InternalError, S2sadError
from tests import oracles

X = 0.37
U = np.array([0.71, 0.24, 1.32, 0.93, 0.55])
V = np.array([0.42, 1.14, 0.63, 0.87, 1.21])
P = np.array([0.1, 0.25, 0.4, 0.05, 0.2])
A = np.array([[2.3, 0.4, 0.7], [0.2, 1.9, 0.5], [0.6, 0.1, 2.8]])
S = np.array([[2.3, 0.4, 0.7], [0.4, 1.9, 0.5], [0.7, 0.5, 2.8]])
C = np.array([0.4, -1.2, 0.9])
D = np.array([[0.4, -1.2, 0.9], [0.3, 0.8, -0.5]])
K = np.arange(5)

CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    # read as they stand, as no rule is for them
    "rosen": (lambda x: scipy.optimize.rosen(x**2), (U,)),
    "rosen_der": (lambda x: scipy.optimize.rosen_der(x), (U,)),
    "chirp": (lambda t: scipy.signal.chirp(t, 1.0, 1.0, 3.0), (U,)),
    "sawtooth": (lambda t: scipy.signal.sawtooth(3.0 * t, 0.5), (U,)),
    # numpy.polynomial
    "polyval": (lambda x, c: polynomial.polyval(x, c), (X, C)),
    "polyvalfromroots": (lambda x, r: polynomial.polyvalfromroots(x, r), (X, C)),
    "polyder": (lambda a: polynomial.polyder(a), (U,)),
    "polyint": (lambda a: polynomial.polyint(a), (U,)),
    "polyline": (lambda a, b: polynomial.polyline(a, b), (X, 0.6)),
    "polyvander": (lambda x: polynomial.polyvander(x, 3), (U,)),
    "polyadd": (lambda a, b: polynomial.polyadd(a, b), (C, U)),
    "polydiv": (lambda a, b: polynomial.polydiv(a, b)[0], (U, C)),
    "polyfromroots": (lambda r: polynomial.polyfromroots(r), (C,)),
    "polyfit": (lambda x, y: polynomial.polyfit(x, y, 2), (U, V)),
    "chebmul": (lambda a, b: chebyshev.chebmul(a, b), (C, U)),
    "chebcompanion": (lambda c: chebyshev.chebcompanion(c), (U,)),
    "legmul": (lambda a, b: legendre.legmul(a, b), (C, U)),
    "leg2poly": (lambda c: legendre.leg2poly(c), (U,)),
    "legfit": (lambda x, y: legendre.legfit(x, y, 2), (U, V)),
    "hermdiv": (lambda a, b: hermite.hermdiv(a, b)[0], (U, C)),
    "hermepow": (lambda c: hermite_e.hermepow(c, 3), (C,)),
    "lagfromroots": (lambda r: laguerre.lagfromroots(r), (C,)),
    "lagcompanion": (lambda c: laguerre.lagcompanion(c), (U,)),
    "chebval": (lambda x, c: chebyshev.chebval(x, c), (X, C)),
    "chebder": (lambda a: chebyshev.chebder(a), (U,)),
    "chebint": (lambda a: chebyshev.chebint(a), (U,)),
    "chebvander": (lambda x: chebyshev.chebvander(x, 3), (U,)),
    "chebweight": (lambda x: chebyshev.chebweight(x), (X,)),
    "legval": (lambda x, c: legendre.legval(x, c), (X, C)),
    "legder": (lambda a: legendre.legder(a), (U,)),
    "legint": (lambda a: legendre.legint(a), (U,)),
    "legvander": (lambda x: legendre.legvander(x, 3), (U,)),
    "hermval": (lambda x, c: hermite.hermval(x, c), (X, C)),
    "hermder": (lambda a: hermite.hermder(a), (U,)),
    "hermint": (lambda a: hermite.hermint(a), (U,)),
    "hermvander": (lambda x: hermite.hermvander(x, 3), (U,)),
    "hermweight": (lambda x: hermite.hermweight(x), (X,)),
    "hermeval": (lambda x, c: hermite_e.hermeval(x, c), (X, C)),
    "hermeder": (lambda a: hermite_e.hermeder(a), (U,)),
    "hermeint": (lambda a: hermite_e.hermeint(a), (U,)),
    "hermeweight": (lambda x: hermite_e.hermeweight(x), (X,)),
    "lagval": (lambda x, c: laguerre.lagval(x, c), (X, C)),
    "lagder": (lambda a: laguerre.lagder(a), (U,)),
    "lagint": (lambda a: laguerre.lagint(a), (U,)),
    "lagweight": (lambda x: laguerre.lagweight(x), (X,)),
    # numpy
    "math.prod of two": (lambda a, b: math.prod([a, b]), (X, 0.6)),
    "math.prod": (lambda a: math.prod(a), (U,)),
    "math.fsum of an array": (lambda a: math.fsum(a), (U,)),
    "math.dist": (lambda a, b: math.dist(a, b), (U, V)),
    "np.trapezoid": (lambda y, x: np.trapezoid(y, x), (V, np.sort(U))),
    "np.polyval": (lambda c, x: np.polyval(c, x), (C, X)),
    "np.polymul": (lambda a, b: np.polymul(a, b), (C, U)),
    "np.polyadd": (lambda a, b: np.polyadd(a, b), (C, U)),
    "np.polyder": (lambda a: np.polyder(a), (U,)),
    "np.polyint": (lambda a: np.polyint(a), (U,)),
    "np.poly": (lambda r: np.poly(r), (C,)),
    "np.polyfit": (lambda x, y: np.polyfit(x, y, 2), (U, V)),
    "np.average": (lambda a, w: np.average(a, weights=w), (U, V)),
    "np.cov": (lambda a: np.cov(a), (A,)),
    "np.corrcoef": (lambda a: np.corrcoef(a), (A,)),
    "np.gradient": (lambda a: np.gradient(a), (U,)),
    "np.diff": (lambda a: np.diff(a, 2), (U,)),
    "np.ediff1d": (lambda a: np.ediff1d(a), (U,)),
    "np.interp": (lambda x, f: np.interp(x, np.linspace(0.0, 2.0, 5), f), (U, V)),
    "np.sinc": (lambda x: np.sinc(x), (U,)),
    "np.unwrap": (lambda x: np.unwrap(4.0 * x), (U,)),
    "np.median": (lambda x: np.median(x), (U,)),
    "np.percentile": (lambda x: np.percentile(x, 30.0), (U,)),
    "np.quantile": (lambda x: np.quantile(x, 0.7), (U,)),
    "np.ptp": (lambda x: np.ptp(x), (U,)),
    "np.vander": (lambda x: np.vander(x, 4), (U,)),
    "np.kron": (lambda a, b: np.kron(a, b), (A, D)),
    "np.cross": (lambda a, b: np.cross(a, b), (C, A[0])),
    "np.tensordot": (lambda a, b: np.tensordot(a, b, 1), (D, A)),
    "np.convolve": (lambda a, b: np.convolve(a, b), (U, C)),
    "np.correlate": (lambda a, b: np.correlate(a, b), (U, C)),
    "np.block": (lambda a: np.block([[a, 2.0 * a], [a.T, a]]), (A,)),
    "np.pad": (lambda a: np.pad(a, 2), (U,)),
    "np.pad edge": (lambda a: np.pad(a, 2, mode="edge"), (U,)),
    "np.pad reflect": (lambda a: np.pad(a, 2, mode="reflect"), (U,)),
    "np.rot90": (lambda a: np.rot90(a), (D,)),
    "np.tile": (lambda a: np.tile(a, 2), (D,)),
    "np.linspace": (lambda a, b: np.linspace(a, b, 5), (X, 1.2)),
    "np.logspace": (lambda a, b: np.logspace(a, b, 5), (X, 1.2)),
    "np.geomspace": (lambda a, b: np.geomspace(a, b, 5), (X, 1.2)),
    "np.nan_to_num": (lambda a: np.nan_to_num(a), (U,)),
    "np.nansum": (lambda a: np.nansum(a), (U,)),
    "np.nanmean": (lambda a: np.nanmean(a), (U,)),
    "np.nanvar": (lambda a: np.nanvar(a), (U,)),
    "np.nanstd": (lambda a: np.nanstd(a), (U,)),
    "np.nanmax": (lambda a: np.nanmax(a), (U,)),
    "np.triu": (lambda a: np.triu(a), (A,)),
    "np.diagflat": (lambda a: np.diagflat(a), (U,)),
    "np.fliplr": (lambda a: np.fliplr(a), (D,)),
    "np.histogram with weights": (lambda w: np.histogram(U, 3, weights=w)[0], (V,)),
    "np.insert": (lambda a: np.insert(a, 2, 0.5), (U,)),
    "np.delete": (lambda a: np.delete(a, 2), (U,)),
    "np.append": (lambda a, b: np.append(a, b), (U, V)),
    "np.select": (lambda a: np.select([a > 1.0, a > 0.5], [a, a**2], 0.0), (U,)),
    "np.i0": (lambda a: np.i0(a), (U,)),
    "np.linalg.norm": (lambda a: np.linalg.norm(a), (A,)),
    "np.linalg.matrix_power": (lambda a: np.linalg.matrix_power(a, 5), (A,)),
    "np.linalg.multi_dot": (lambda a, b: np.linalg.multi_dot([a, b, b]), (D, A)),
    "np.linalg.cond": (lambda a: np.linalg.cond(a), (A,)),
    "np.linalg.pinv": (lambda a: np.linalg.pinv(a), (A,)),
    "np.linalg.tensorsolve": (lambda a, b: np.linalg.tensorsolve(a, b), (A, C)),
    "np.linalg.tensorinv": (lambda a: np.linalg.tensorinv(a, 1), (A,)),
    "np.linalg.lstsq": (lambda a, b: np.linalg.lstsq(a, b)[0], (A, C)),
    "np.linalg.vecdot": (lambda a, b: np.linalg.vecdot(a, b), (U, V)),
    "np.linalg.vector_norm": (lambda a: np.linalg.vector_norm(a), (U,)),
    "np.linalg.matrix_norm": (lambda a: np.linalg.matrix_norm(a), (A,)),
    # scipy.optimize
    # scipy.special
    "multigammaln": (lambda a: scipy.special.multigammaln(a, 2), (3.7,)),
    "softmax": (lambda x: scipy.special.softmax(x), (U,)),
    "log_softmax": (lambda x: scipy.special.log_softmax(x), (U,)),
    "logsumexp": (lambda x: scipy.special.logsumexp(x), (U,)),
    "polygamma": (lambda x: scipy.special.polygamma(1, x), (1.3,)),
    "digamma": (lambda x: scipy.special.digamma(x), (1.3,)),
    "sinc": (lambda x: scipy.special.sinc(x), (U,)),
    "spherical_jn": (lambda x: scipy.special.spherical_jn(2, x), (1.3,)),
    "eval_legendre": (lambda x: scipy.special.eval_legendre(3, x), (X,)),
    # scipy.integrate
    "trapezoid": (lambda y: scipy.integrate.trapezoid(y, dx=0.3), (U,)),
    "cumulative_trapezoid": (lambda y: scipy.integrate.cumulative_trapezoid(y), (U,)),
    "simpson": (lambda y: scipy.integrate.simpson(y), (U,)),
    "simpson at points": (lambda y, x: scipy.integrate.simpson(y, x=x), (U, np.sort(V))),
    # scipy.signal
    "detrend": (lambda x: scipy.signal.detrend(x), (U,)),
    "windows.lanczos": (lambda a: a * scipy.signal.windows.lanczos(7), (1.7,)),
    "convolve": (lambda a, b: scipy.signal.convolve(a, b, method="direct"), (U, C)),
    # scipy.linalg
    "toeplitz": (lambda c: scipy.linalg.toeplitz(c), (U,)),
    "circulant": (lambda c: scipy.linalg.circulant(c), (U,)),
    "hankel": (lambda c: scipy.linalg.hankel(c), (U,)),
    "block_diag": (lambda a, b: scipy.linalg.block_diag(a, b), (A, D)),
    "linalg.norm": (lambda a: scipy.linalg.norm(a), (A,)),
    "expm": (lambda a: scipy.linalg.expm(a), (A,)),
    "solve_toeplitz": (lambda c, b: scipy.linalg.solve_toeplitz(c, b), (S[0] + C * 0.1, C)),
    # scipy.stats
    "norm.logpdf": (lambda x: scipy.stats.norm.logpdf(x), (U,)),
    "norm.pdf": (lambda x: scipy.stats.norm.pdf(x, 0.2, 1.3), (U,)),
    "expon.logpdf": (lambda x: scipy.stats.expon.logpdf(x), (U,)),
    "multivariate_normal.logpdf": (
        lambda x: scipy.stats.multivariate_normal.logpdf(x, C, S),
        (A[0],),
    ),
    # scipy.spatial.distance
    # scipy.interpolate, and the standard library
    "math.fsum": (lambda a, b: math.fsum([a, b]), (X, 0.6)),
}

REFUSED: dict[str, tuple[str, Callable[..., Any], tuple[Any, ...]]] = {
    "polyval2d": (
        "polyval2d",
        lambda x, y: polynomial.polyval2d(x, y, D),
        (X, 0.6),
    ),
    "np.union1d": (
        "numpy.union1d",
        lambda a: np.union1d(a, [2.0, 3.0]),
        (U,),
    ),
}
SLOW = frozenset(
    {
        "chebder",
        "chebmul",
        "hermdiv",
        "lagfromroots",
        "legfit",
        "legmul",
        "chebint",
        "chebval",
        "chebvander",
        "chebweight",
        "hankel",
        "hermder",
        "hermeder",
        "hermeint",
        "hermeval",
        "hermint",
        "hermval",
        "hermvander",
        "lagder",
        "lagint",
        "lagval",
        "legder",
        "legint",
        "legval",
        "legvander",
        "np.geomspace",
        "np.kron",
        "np.logspace",
        "np.tensordot",
        "np.unwrap",
        "polyder",
        "polyint",
        "polyline",
        "polyval",
        "polyvalfromroots",
        "polyvander",
        "simpson at points",
        "solve_toeplitz",
    }
)


# NumPy's lines of them are not followed: an empty list by default that is filled with numbers,
# parts that may be numbers or rows
GAPS = frozenset(
    """
    polyint chebint legint hermint hermeint lagint
    polyfit legfit legmul leg2poly hermdiv hermepow lagfromroots
    """.split()
)


def rows() -> list[Any]:
    """Return the calls as parameters of a test, those that take longer marked."""
    return [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [], id=name)
        for name in CALLS
    ]


@pytest.mark.parametrize("name", rows())
def test_library_function(name: str) -> None:
    """Reverse, forward and differences agree, and arguments stay as they are."""
    function, args = CALLS[name]
    before = oracles.snapshot(args)
    try:
        report = s2sad.check_grad(function, args)
    except S2sadError as refused:
        assert name in GAPS and not isinstance(refused, InternalError), refused
        return
    assert report, str(report)
    assert not oracles.changed(before, args)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_library_function(name: str) -> None:
    words, function, args = REFUSED[name]
    with pytest.raises(S2sadError) as caught:
        s2sad.check_grad(function, args)
    assert not isinstance(caught.value, InternalError), caught.value
    assert words in str(caught.value)


@pytest.mark.parametrize("along", [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
def test_what_is_trimmed_is_trimmed_by_its_own_end(along: list[float]) -> None:
    """Not by zeros at the end of its adjoint or tangent."""
    x, longer = np.array(along), np.append(along, [0.0, 0.0])
    np.testing.assert_array_equal(s2sad.vjp(polynomial.polyadd, "c1")(C, U, longer), x)
    np.testing.assert_array_equal(s2sad.jvp(polynomial.polyadd, "c1")(C, U, x)[1], longer)


def through_a_matrix(u):
    n = len(u)
    laplacian = scipy.sparse.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(n, n)).toarray()
    return np.sum((laplacian @ u) ** 2)


def test_what_varies_with_nothing_is_not_read() -> None:
    assert s2sad.check_grad(through_a_matrix, (np.array([0.4, 1.3, -0.7, 0.2]),))


def test_a_function_without_a_name_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "framed_signal.py").write_text(
        "import decimal\nimport numpy as np\n\n\n"
        "def rounded(n):\n"
        "    return int(decimal.Decimal(n).quantize(decimal.Decimal('1')))\n\n\n"
        "def framed(x, n, window=lambda n: np.ones((n,)) + 0.5):\n"
        "    n = rounded(n)\n"
        "    w = window(n)\n"
        "    total = np.zeros((len(x),))\n"
        "    for i in range(2):\n"
        "        total[:] = total + w + 1e-15\n"
        "    return np.sum(x**2 / total)\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    framed = importlib.import_module("framed_signal").framed
    made = s2sad.grad(framed, "x", like=(U, 5))
    space: dict[str, Any] = {}
    exec(made.source, space)
    assert np.allclose(space["framed_grad"](U, 5), 2.0 * U / 3.0)
