"""What is claimed of SciPy's functions is true of what SciPy makes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.sparse.linalg
import scipy.spatial.distance
import scipy.special
import scipy.stats

from s2sad.legacy.facts import Facts, fact_of_value
from s2sad.legacy.facts.scipy_functions import CONTINUOUS, DENSITIES, DISCRETE, PROBABILITIES, TABLE
from s2sad.legacy.facts.scipy_solvers import PARTS
from s2sad.legacy.program import Attr, Expr, Ref, Var
from s2sad.legacy.traverse import transform
from tests.facts import oracle
from tests.facts.oracle import expression, wrong

rng = np.random.default_rng(3)
VALUES: dict[str, Any] = {
    "W": rng.uniform(0.2, 0.8, (3, 4)),
    "T": rng.uniform(0.2, 0.8, (2, 3, 4)),
    "A": rng.uniform(-0.2, 0.2, (4, 4)) + np.diag([1.0, 2.0, 3.0, 4.0]),
    "P": scipy.sparse.csr_matrix(np.diag([1.0, 2.0, 3.0, 4.0])),
    "u": rng.uniform(0.2, 0.8, 4),
    "v": rng.uniform(0.2, 0.8, 4),
    "col": rng.uniform(0.2, 0.8, (3, 1)),
    "h": rng.uniform(0.2, 0.8, 4).astype("float32"),
    "zero": np.array(0.5),
    "s": 0.7,
    "t": np.float64(0.3),
    "n": 2,
    "i": np.array([0, 2, 1, 3]),
}
NAMES = {"np": np, "scipy": scipy}
ANY = ("W", "u", "s", "t", "h", "zero", "u[:0]")

CASES = [f"scipy.special.{name}({x})" for name in ("expit", "gammaln", "erf") for x in ANY]
CASES += [f"scipy.special.{name}(W{o})"
          for name in ("logsumexp", "softmax", "log_softmax")
          for o in ("", ", axis=0", ", axis=1", ", axis=-1", ", 0", ", axis=(0, 1)")]  # fmt: skip
CASES += [f"scipy.special.{name}({x})"
          for name in ("logsumexp", "softmax", "log_softmax") for x in ANY[:-1]]  # fmt: skip
CASES += [f"scipy.special.logsumexp({x}, keepdims=True)" for x in ("W", "u", "T", "s")]
CASES += ["scipy.special.logsumexp(W, b=W)", "scipy.special.logsumexp(T, axis=1, keepdims=True)"]
CASES += [f"scipy.special.polygamma({n}, {x})" for n in ("1", "n", "i") for x in ("u", "s", "h")]
CASES += [f"scipy.special.zeta(2.0, {x})" for x in ANY]
CASES += [f"scipy.special.multigammaln({x} + 3.0, 2)" for x in ANY]
CASES += [f"scipy.special.spherical_{k}n({n}, {x})"
          for k in "jyik" for n in ("1", "n", "i") for x in ("u", "s", "h")]  # fmt: skip
CASES += [f"scipy.special.{f}(col, {x})" for f in ("xlogy", "beta", "jv") for x in ANY[:-1]]

CASES += [f"scipy.special.factorial({x})" for x in ANY]
CASES += [f"scipy.special.comb(5.5, {x})" for x in ANY]
CASES += [f"scipy.linalg.{name}(A)" for name in ("eig", "signm", "polar")]

CASES += ["scipy.integrate.quad(np.sin, 0.0, 1.0)", "scipy.integrate.odeint(np.multiply, u, v)"]
CASES += [f"scipy.optimize.{name}(np.cos, 0.0, 2.0)"
          for name in ("brentq", "brenth", "ridder", "bisect", "toms748")]  # fmt: skip
CASES += ["scipy.optimize.newton(np.cos, s)", "scipy.optimize.fixed_point(np.cos, 0.5)"]
CASES += ["scipy.optimize.fsolve(np.cos, u)", "scipy.integrate.quad_vec(np.sin, 0.0, 1.0)"]
# nothing is known of how many parameters a compiled function has
CASES += ["scipy.optimize.curve_fit(np.multiply, u, u, 1.0)"]
CASES += [f"scipy.fft.{name}({x})" for name in ("dct", "idct", "dst", "idst", "dctn", "idctn",
          "dstn", "idstn") for x in ("W", "u", "h", "W, 3", "W, norm='ortho'")]  # fmt: skip
CASES += [f"scipy.fft.dct({x})" for x in ("W, axis=0", "W, n=6", "W, 2, 3")]
CASES += [f"scipy.signal.{name}({x}{mode})"
          for name in ("convolve", "correlate", "fftconvolve", "oaconvolve")
          for x in ("u, v[:2]", "W, col", "h, u")
          for mode in ("", ", 'same'", ", mode='valid'")]  # fmt: skip
CASES += [f"scipy.signal.{name}(W, col{mode})" for name in ("convolve2d", "correlate2d")
          for mode in ("", ", 'same'", ", mode='valid'")]  # fmt: skip
CASES += [f"scipy.signal.{name}({x})" for name in ("lfilter", "filtfilt")
          for x in ("u[:1], v[:1], W", "u[:1], v[:1], u", "u[:1], v[:1], W, 0")]  # fmt: skip
CASES += ["scipy.signal.sosfilt([[1.0, 0.2, 0.1, 1.0, 0.3, 0.1]], W)"]
CASES += [f"scipy.signal.detrend({x})" for x in ("W", "u", "W, 0", "W, type='constant'")]
CASES += ["scipy.signal.hilbert(u)", "scipy.signal.hilbert(W, axis=0)"]

LA = "scipy.linalg"
CASES += [f"{LA}.{name}(A)" for name in ("inv", "det", "expm", "cosm", "sinm", "tanm", "coshm",
          "sinhm", "tanhm", "logm", "sqrtm", "lu", "lu_factor", "qr", "eigvalsh")]  # fmt: skip
CASES += [f"{LA}.{name}({a})" for name in ("svdvals", "pinv", "norm") for a in ("A", "W", "W.T")]
CASES += [f"{LA}.{name}(A{o})" for name in ("cholesky", "cho_factor")
          for o in ("", ", True", ", lower=True")]  # fmt: skip
CASES += [f"{LA}.{name}(A, {b})" for name in ("solve", "solve_triangular", "lstsq")
          for b in ("u", "W.T", "h")]  # fmt: skip
CASES += [f"{LA}.{name}((A, {other}), {b})" for b in ("u", "W.T")
          for name, other in (("cho_solve", "True"), ("lu_solve", "i"))]  # fmt: skip
CASES += [f"{LA}.svd({a}{o})" for a in ("A", "W") for o in ("", ", full_matrices=False",
          ", compute_uv=False") if (a, o) != ("W", "")]  # fmt: skip
CASES += [f"{LA}.qr(W.T, mode='economic')", f"{LA}.norm(W, axis=0)", f"{LA}.lstsq(W.T, u)"]
CASES += [f"{LA}.eigh(A{o})" for o in ("", ", lower=False", ", eigvals_only=True")]
CASES += [f"{LA}.solve_sylvester(A, W[:, :3], W.T)"]
CASES += [f"{LA}.{name}(A, A)" for name in ("solve_continuous_lyapunov", "solve_lyapunov",
          "solve_discrete_lyapunov")]  # fmt: skip
CASES += [f"{LA}.{name}(A, A[:, :2], np.eye(4), np.eye(2))"
          for name in ("solve_continuous_are", "solve_discrete_are")]  # fmt: skip

CASES += [f"{LA}.expm_frechet(A, A)", f"{LA}.expm_frechet(A, A, compute_expm=False)"]

CASES += [f"{LA}.{name}({c})" for name in ("toeplitz", "hankel", "circulant") for c in ("u", "h")]
CASES += [f"{LA}.toeplitz(u, col[:, 0])", f"{LA}.block_diag(A, W)", f"{LA}.block_diag(A, W, u)"]
CASES += [f"{LA}.solve_toeplitz({c}, {b})" for c in ("u", "(u, v)") for b in ("u", "W.T")]
CASES += [f"{LA}.solve_banded((1, 1), W, {b})" for b in ("u", "W.T")]
CASES += [f"{LA}.solveh_banded(W[1:] + A[1:3] * 9.0, {b})" for b in ("u", "W.T")]
CASES += ["scipy.spatial.distance.cdist(W, W[:2])", "scipy.spatial.distance.pdist(W)"]
CASES += [f"scipy.spatial.distance.squareform({x})" for x in ("col[:, 0]", "A + A.T, checks=False")]

CASES += [f"scipy.interpolate.{name}(np.sort(u), v{m})({x})" for name, m in
          (("interp1d", ""), ("CubicSpline", ""), ("CubicSpline", ", bc_type='natural'"),
           ("CubicHermiteSpline", ", u"), ("PchipInterpolator", ""),
           ("Akima1DInterpolator", ""), ("make_interp_spline", ""), ("BSpline", ", 1"),
           ("InterpolatedUnivariateSpline", ""), ("UnivariateSpline", ", s=0"))
          for x in ("np.sort(u)", "np.sort(u)[1]", "np.sort(u)[:3]")]  # fmt: skip

CASES += [f"scipy.ndimage.{name}({x}, {given})" for x in ("W", "u", "h", "i") for name, given in
          (("gaussian_filter", "1.0"), ("gaussian_filter1d", "1.0"), ("correlate1d", "v"),
           ("convolve1d", "v"), ("uniform_filter", "3"), ("uniform_filter1d", "3"),
           ("zoom", "2"), ("zoom", "1.5"))]  # fmt: skip
CASES += [f"scipy.ndimage.{name}(W, A)" for name in ("correlate", "convolve")]
CASES += [f"scipy.ndimage.laplace({x})" for x in ("W", "u", "W, mode='wrap'")]
CASES += [f"scipy.ndimage.map_coordinates(W, {x})" for x in ("A[:2]", "[u, v]")]

SP = "scipy.sparse"
CASES += [
    f"{SP}.{form}_{kind}(W)" for form in ("csr", "csc", "coo") for kind in ("matrix", "array")
]
CASES += [f"{SP}.diags(u)", f"{SP}.eye(4)", "P", "P.T", "2.0 * P", "P - P"]
CASES += [f"P @ {x}" for x in ("u", "A", "W.T", "P", "h")] + ["W @ P", "P.dot(u)", "P.toarray()"]
CASES += [f"{SP}.linalg.{name}(P, u)" for name in ("spsolve", "cg", "gmres", "bicgstab")]
CASES += [f"{SP}.linalg.spsolve(P, W.T)", f"{SP}.linalg.expm_multiply(P, u)"]

STATS = "scipy.stats"
CASES += [f"{STATS}.multivariate_normal.logpdf({x}, u, A.T @ A)" for x in ("u", "W", "W[:1]", "v")]
CASES += [f"{STATS}.multivariate_normal.logpdf(u, u[:1], np.eye(1))"]
CASES += [f"{STATS}.norm.{m}({x}{o})"
          for m in CONTINUOUS for x in ANY for o in ("", ", 0.1", ", loc=v[0], scale=col[0, 0]")
          if not (x == "W" and "v" in o)]  # fmt: skip
CASES += [f"{STATS}.norm.logpdf({x})" for x in ("col, u", "u, col, 2.0", "s, u", "u, scale=col")]
CASES += [f"{STATS}.{name}.{method}({', '.join(['u'] + ['0.6'] * len(params.split()))})"
          for name, params in DENSITIES.items() for method in CONTINUOUS]  # fmt: skip
CASES += [f"{STATS}.{name}.{method}({', '.join([k] + ['0.6'] * len(params.split()))})"
          for name, params in PROBABILITIES.items() for method in DISCRETE
          for k in ("i", "n")]  # fmt: skip

VARIABLES = {name: Var(name, 0) for name in VALUES}
KNOWN = {Var(name, 0): fact_of_value(value, name) for name, value in VALUES.items()}
LENGTHS = {
    f"{name}.{axis}": length
    for name, value in VALUES.items()
    for axis, length in enumerate(np.shape(value) if isinstance(value, np.ndarray) else ())
}


def methods_apart(part: Expr) -> Expr:
    """Write `stats.norm.pdf` as the method of an object that it is."""
    if isinstance(part, Ref) and part.text.startswith("scipy.stats."):
        owner, _, name = part.text.rpartition(".")
        if owner.count(".") == 2:
            return Attr(Ref(owner, eval(owner, {"scipy": scipy})), name)
    return part


@pytest.mark.parametrize("case", dict.fromkeys(CASES))
@pytest.mark.filterwarnings("ignore")
def test_what_is_claimed_is_true(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "NAMES", NAMES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = eval(case, NAMES, VALUES)
        except (TypeError, ValueError, np.exceptions.AxisError):
            pytest.skip("SciPy does not accept it")
    expr = transform(expression(case, VARIABLES), methods_apart)
    fact = Facts(KNOWN).expr(expr)
    lengths = dict(LENGTHS) | {"#n@0": 2}
    if scipy.sparse.issparse(made):
        assert fact.kind == "sparse"
        return
    assert wrong(fact, made, lengths) == "", (fact, made)
    known = fact.kind != "unknown" or "keepdims" in case or "multivariate" in case
    known = known or "softmax(" in case or (")[1])" in case and "interpolate" in case)
    assert known or "zero" in case or "curve_fit" in case, fact


def test_every_function_of_the_tables_is_among_the_cases() -> None:
    text = " ".join(CASES)
    of_parts = {name.rpartition(".")[0] for name in PARTS}
    named = [name for name in TABLE if name not in of_parts]
    assert not [name for name in named if f"scipy.{name.removesuffix('()')}(" not in text]
