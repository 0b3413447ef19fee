"""Functions of NumPy, SciPy and Python that are read from their source where they are installed.

"scipy.signal._waveforms:chirp": (U, 1.3, 2.0, 3.1)      a function and arguments to be derived at

No rule answers for them: each is given to s2sad itself.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import scipy.optimize

import s2sad
from tests import oracles

X = 0.37
U = np.array([0.71, 0.24, 1.32, 0.93, 0.55])
V = np.array([0.42, 1.14, 0.63, 0.87, 1.21])
P = np.array([0.1, 0.25, 0.4, 0.05, 0.2])
A = np.array([[2.3, 0.4, 0.7], [0.2, 1.9, 0.5], [0.6, 0.1, 2.8]])
S = (A + A.T) / 2.0
C = np.array([0.4, -1.2, 0.9])
W = C * 0.1
EYE = np.eye(3)
KNOTS = np.sort(np.concatenate([U, V]))
ORDER = np.arange(4)
LOW, HIGH = np.zeros(5), 1.1 * np.ones(5)
SIGNS = np.array([1.0, -1.0, 1.0, -1.0, 1.0])

FUNCTIONS: dict[str, tuple[Any, ...]] = {
    # numpy
    "numpy.lib._function_base_impl:_i0_1": (X,),
    "numpy.lib._function_base_impl:_i0_2": (9.3,),
    "numpy.lib._function_base_impl:_chbevl": (X, [0.3, -0.2, 0.5]),
    "numpy.polynomial.chebyshev:_cseries_to_zseries": (C,),
    "numpy.polynomial.chebyshev:_zseries_to_cseries": (U,),
    "numpy.polynomial.chebyshev:_zseries_mul": (U, C),
    "numpy.polynomial.chebyshev:chebder": (U,),
    "numpy.polynomial.chebyshev:chebgrid2d": (U, V, A),
    "numpy.polynomial.chebyshev:chebval": (X, C),
    "numpy.polynomial.chebyshev:chebweight": (X,),
    "numpy.polynomial.hermite:_normed_hermite_n": (X, 4),
    "numpy.polynomial.hermite:hermval": (X, C),
    "numpy.polynomial.hermite:hermweight": (X,),
    "numpy.polynomial.hermite_e:_normed_hermite_e_n": (X, 4),
    "numpy.polynomial.hermite_e:hermeval": (X, C),
    "numpy.polynomial.hermite_e:hermeweight": (X,),
    "numpy.polynomial.laguerre:lagval": (X, C),
    "numpy.polynomial.laguerre:lagweight": (X,),
    "numpy.polynomial.legendre:leggrid2d": (U, V, A),
    "numpy.polynomial.legendre:legint": (U,),
    "numpy.polynomial.legendre:legval": (X, C),
    "numpy.polynomial.polynomial:polyder": (C,),
    "numpy.polynomial.polynomial:polyval": (X, C),
    "numpy.polynomial.polynomial:polyvalfromroots": (X, C),
    "numpy.polynomial.polyutils:mapdomain": (U, (0.0, 2.0), (-1.0, 1.0)),
    "numpy.polynomial.polyutils:mapparms": ((0.2, 1.3), (-1.0, 1.0)),
    # scipy.constants, scipy.integrate, scipy.interpolate
    "scipy.constants._constants:convert_temperature": (12.0, "Celsius", "Kelvin"),
    "scipy.constants._constants:lambda2nu": (12.0,),
    "scipy.integrate._bvp:stacked_matmul": (np.stack([A, S]), np.stack([S, A])),
    "scipy.integrate._ivp.common:norm": (U,),
    "scipy.integrate._ivp.radau:predict_factor": (0.3, 0.2, 0.7, 0.6),
    "scipy.integrate._quadrature:_basic_simpson": (U, 0, 3, None, 0.3, -1),
    "scipy.integrate._quadrature:_cumulative_simpson_equal_intervals": (U, np.full(4, 0.3)),
    "scipy.integrate._quadrature:_cumulative_simpson_unequal_intervals": (U, V[:4]),
    "scipy.integrate._quadrature:simpson": (U,),
    "scipy.interpolate._bsplines:_coeff_of_divided_diff": (U,),
    "scipy.interpolate._bsplines:_diff_dual_poly": (1, 2, 0.6, 1, KNOTS),
    "scipy.interpolate._bsplines:_dual_poly": (1, 2, KNOTS, 0.6),
    "scipy.interpolate._fitpack_repro:fprati": (0.3, 1.2, 0.7, 0.4, 1.9, -0.5),
    "scipy.interpolate._fitpack_repro:prodd": (U, 0, 3, 1),
    # scipy.linalg, scipy.ndimage
    "scipy.linalg._expm_frechet:_diff_pade3": (A, S, EYE),
    "scipy.linalg._expm_frechet:_diff_pade5": (A, S, EYE),
    "scipy.linalg._expm_frechet:_diff_pade7": (A, S, EYE),
    "scipy.linalg._expm_frechet:_diff_pade9": (A, S, EYE),
    "scipy.linalg._matfuncs_inv_ssq:_briggs_helper_function": (1.7, 3),
    "scipy.linalg._matfuncs_inv_ssq:_fractional_power_pade_constant": (3, 0.4),
    "scipy.linalg._matfuncs_inv_ssq:_fractional_power_superdiag_entry": (0.7, 1.3, 0.4, 0.6),
    "scipy.linalg._matfuncs_inv_ssq:_logm_superdiag_entry": (0.7, 1.3, 0.4),
    "scipy.linalg._solvers:_solve_discrete_lyapunov_bilinear": (A * 0.2, S),
    "scipy.linalg._solvers:_solve_discrete_lyapunov_direct": (A * 0.2, S),
    "scipy.linalg._special_matrices:companion": (U,),
    "scipy.ndimage._filters:_gaussian_kernel1d": (0.8, 0, 3),
    # scipy.optimize
    "scipy.optimize._linprog_ip:_do_step": (U, C, V, 0.3, 0.4, U, C, V, 0.1, 0.2, 0.5),
    "scipy.optimize._linprog_ip:_get_step": (U, -V, V, -U, 0.3, -0.2, 0.5, -0.4, 0.9),
    "scipy.optimize._linprog_ip:_indicators": (A, C, U[:3], 0.3, V[:3], C, U[:3], 0.4, 0.6),
    "scipy.optimize._lsq.common:CL_scaling_vector": (U, SIGNS, LOW, HIGH + 1.0),
    "scipy.optimize._lsq.common:build_quadratic_1d": (A, C, U[:3]),
    "scipy.optimize._lsq.common:evaluate_quadratic": (A, C, U[:3]),
    "scipy.optimize._lsq.common:intersect_trust_region": (W, U[:3], 2.0),
    "scipy.optimize._lsq.common:minimize_quadratic_1d": (1.3, -0.7, -1.0, 1.0),
    "scipy.optimize._lsq.common:reflective_transformation": (U, LOW, HIGH),
    "scipy.optimize._minpack_py:_del2": (0.3, 0.9, 0.5),
    "scipy.optimize._minpack_py:_relerr": (0.3, 0.9),
    "scipy.optimize._optimize:rosen": (U,),
    "scipy.optimize._optimize:rosen_der": (U,),
    "scipy.optimize._optimize:vecnorm": (U,),
    "scipy.optimize._trustregion_exact:gershgorin_bounds": (S,),
    "scipy.optimize._trustregion_constr.qp_subproblem:box_intersections": (U, V, LOW - 1.0, HIGH),
    "scipy.optimize._trustregion_constr.qp_subproblem:sphere_intersections": (W, U[:3], 2.0),
    "scipy.optimize._tstutils:aps01_f": (X,),
    "scipy.optimize._tstutils:aps02_f": (X,),
    "scipy.optimize._tstutils:aps03_f": (X, 1.2, 0.7),
    "scipy.optimize._tstutils:aps04_f": (X, 4, 0.7),
    "scipy.optimize._tstutils:aps09_f": (X, 5),
    "scipy.optimize._tstutils:aps12_f": (X, 5),
    "scipy.optimize._tstutils:aps13_f": (X,),
    "scipy.optimize._tstutils:aps15_f": (X, 5),
    "scipy.optimize._tstutils:f2": (X,),
    "scipy.optimize._tstutils:fun4": (X,),
    "scipy.optimize._zeros_py:_compute_divided_differences": (U[:3], V[:3]),
    "scipy.optimize._zeros_py:_interpolated_poly": (U[:3], V[:3], 0.4),
    "scipy.optimize._zeros_py:_inverse_poly_zero": (0.1, 0.4, 0.7, 1.2, -0.5, -0.2, 0.3, 0.9),
    "scipy.optimize._zeros_py:_newton_quadratic": ([0.2, 0.9], [-0.4, 0.6], 1.4, 1.9, 2),
    "scipy.optimize._zeros_py:_secant": ([0.3, 0.9], [-0.2, 0.7]),
    # scipy.signal, scipy.spatial
    "scipy.signal._filter_design:_arc_jac_sc1": (0.3, 0.4),
    "scipy.signal._filter_design:_hz_to_erb": (440.0,),
    "scipy.signal._filter_design:_pow10m1": (X,),
    "scipy.signal._fir_filter_design:kaiser_atten": (21, 0.3),
    "scipy.signal._fir_filter_design:kaiser_beta": (43.0,),
    "scipy.signal._spline_filters:_coeff_smooth": (0.3,),
    "scipy.signal._spline_filters:_hc": (ORDER, 0.3, 0.5, 0.7),
    "scipy.signal._spline_filters:_hs": (ORDER, 0.3, 0.5, 0.7),
    "scipy.signal._waveforms:_sweep_poly_phase": (U, C),
    "scipy.signal._waveforms:chirp": (U, 1.3, 2.0, 3.1),
    "scipy.signal._waveforms:gausspulse": (X * 1e-3,),
    "scipy.signal._waveforms:sweep_poly": (U, C),
    "scipy.signal.windows._windows:exponential": (7, None, 2.0),
    "scipy.signal.windows._windows:gaussian": (7, 2.0),
    "scipy.signal.windows._windows:general_gaussian": (7, 1.5, 2.0),
    "scipy.signal.windows._windows:tukey": (7, 0.4),
    "scipy.spatial._geometric_slerp:_geometric_slerp": (EYE[0], EYE[1], np.array([0.2, 0.4])),
    "scipy.spatial.distance:chebyshev": (U, V),
    "scipy.spatial.distance:cityblock": (U, V),
    "scipy.spatial.distance:correlation": (U, V),
    "scipy.spatial.distance:jensenshannon": (P, V),
    "scipy.spatial.distance:mahalanobis": (C, U[:3], S),
    "scipy.spatial.transform._rotation_spline:_angular_acceleration_nonlinear_term": (A, S),
    "scipy.spatial.transform._rotation_spline:_compute_angular_rate": (A, S),
    "scipy.spatial.transform._rotation_spline:_create_skew_matrix": (A,),
    # scipy.special, scipy.stats
    "scipy.special._logsumexp:softmax": (U,),
    "scipy.special._spfun_stats:multigammaln": (3.7, 2),
    "scipy.stats._continuous_distns:_argus_phi": (0.8,),
    "scipy.stats._continuous_distns:_log_sum": (0.3, 0.7),
    "scipy.stats._continuous_distns:_pow1pm1": (0.3, 0.7),
    "scipy.stats._covariance:_dot_diag": (A, C),
    "scipy.stats._distn_infrastructure:_kurtosis": (U,),
    "scipy.stats._distn_infrastructure:_moment": (U, 3),
    "scipy.stats._distn_infrastructure:_skew": (U,),
    "scipy.stats._levy_stable:_Phi_Z0": (0.7, 0.4),
    "scipy.stats._morestats:_log_mean": (U, 0),
    "scipy.stats._mstats_basic:_moment": (U, 2, 0),
    "scipy.stats._multivariate:_lnB": (U,),
    "scipy.stats._qmc:scale": (A / 3.0, [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]),
    "scipy.stats._sampling:argus_pdf": (0.6, 0.8),
    "scipy.stats._sampling:burr_pdf": (0.6, 2.8, 1.2),
    "scipy.stats._sampling:crystalball_pdf": (0.8, 1.4, 2.5),
    "scipy.stats._sampling:geninvgauss_mode": (2.8, 1.2),
    "scipy.stats._sampling:geninvgauss_pdf": (0.6, 2.8, 1.2),
    "scipy.stats._sampling:wald_pdf": (0.8,),
    "scipy.stats._sensitivity_analysis:f_ishigami": (A,),
    # the standard library
    "colorsys:hls_to_rgb": (0.3, 0.4, 0.7),
    "colorsys:hsv_to_rgb": (0.3, 0.7, 0.4),
    "colorsys:rgb_to_hls": (0.35, 0.7, 0.4),
    "colorsys:rgb_to_hsv": (0.3, 0.7, 0.4),
    "colorsys:rgb_to_yiq": (0.3, 0.7, 0.4),
    "colorsys:yiq_to_rgb": (0.5, 0.1, 0.2),
}

# methods of the distributions of scipy.stats, which the distribution itself is no argument of
METHODS: dict[str, tuple[Any, ...]] = {
    "alpha._pdf": (0.7, 1.3),
    "anglit._cdf": (0.7,),
    "argus._logpdf": (0.7, 1.3),
    "argus._pdf": (0.7, 1.3),
    "bradford._ppf": (0.4, 1.3),
    "burr._logsf": (0.7, 1.3, 1.75),
    "burr12._cdf": (0.7, 1.3, 1.75),
    "burr12._logpdf": (0.7, 1.3, 1.75),
    "cauchy._sf": (0.7,),
    "dweibull._pdf": (0.7, 1.3),
    "expon._ppf": (0.4,),
    "exponnorm._logpdf": (0.7, 1.3),
    "exponpow._isf": (0.7, 1.3),
    "exponweib._logpdf": (0.7, 1.3, 1.75),
    "fatiguelife._logpdf": (0.7, 1.3),
    "fatiguelife._pdf": (0.7, 1.3),
    "fisk._cdf": (0.7, 1.3),
    "foldcauchy._pdf": (0.7, 1.3),
    "genexpon._logpdf": (0.7, 1.3, 1.75, 2.2),
    "genlogistic._ppf": (0.4, 1.3),
    "gompertz._cdf": (0.7, 1.3),
    "gumbel_l._logpdf": (0.7,),
    "gumbel_l._pdf": (0.7,),
    "gumbel_r._logpdf": (0.7,),
    "halfcauchy._ppf": (0.4,),
    "hypsecant._pdf": (0.7,),
    "invgauss._logpdf": (0.7, 1.3),
    "invweibull._pdf": (0.7, 1.3),
    "johnsonsu._pdf": (0.7, 1.3, 1.75),
    "kappa3._cdf": (0.7, 1.3),
    "laplace_asymmetric._cdf": (0.7, 1.3),
    "levy._pdf": (0.7,),
    "logistic._cdf": (0.7,),
    "loglaplace._ppf": (0.4, 1.3),
    "lomax._logpdf": (0.7, 1.3),
    "maxwell._logpdf": (0.7,),
    "mielke._pdf": (0.7, 1.3, 1.75),
    "moyal._pdf": (0.7,),
    "norm._logcdf": (0.7,),
    "powerlaw._sf": (0.7, 1.3),
    "powerlognorm._ppf": (0.4, 1.3, 1.75),
    "powernorm._logpdf": (0.7, 1.3),
    "rayleigh._logpdf": (0.7,),
    "semicircular._pdf": (0.7,),
    "truncexpon._pdf": (0.7, 1.3),
    "weibull_min._logpdf": (0.7, 1.3),
}
ROWS = {**FUNCTIONS, **{f"scipy.stats:{name}": args for name, args in METHODS.items()}}


def found(name: str) -> Any:
    """Return the function of a row, or a method of the object that it belongs to."""
    module, _, path = name.partition(":")
    value: Any = importlib.import_module(module)
    for part in path.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", ROWS)
def test_a_function_is_right_as_its_authors_wrote_it(name: str) -> None:
    function, args = found(name), ROWS[name]
    before = oracles.snapshot(args)
    report = s2sad.check_grad(function, args)
    assert report, str(report)
    assert not oracles.changed(before, args)


@pytest.mark.parametrize("x", [U, U[:2], V - 1.0, np.linspace(-1.0, 2.0, 30)], ids=len)
def test_the_gradient_of_rosen_is_rosen_der(x: Any) -> None:
    """SciPy looks up the module of its arrays, and promotes them, before it calculates."""
    rosen = scipy.optimize.rosen
    np.testing.assert_allclose(s2sad.grad(rosen)(x), scipy.optimize.rosen_der(x), rtol=1e-13)
    value, gradient = s2sad.value_and_grad(rosen)(x)
    assert value == rosen(x)
    np.testing.assert_array_equal(gradient, s2sad.grad(rosen, like=(x,))(x))
    product = s2sad.jvp(scipy.optimize.rosen_der)(x, np.sin(x))[1]
    np.testing.assert_allclose(product, scipy.optimize.rosen_hess_prod(x, np.sin(x)), rtol=1e-12)
    single = s2sad.grad(rosen)(x.astype(np.float32))
    assert single.dtype == np.float32


def test_a_hundred_functions_of_numpy_and_scipy_are_read() -> None:
    """Rules are for other functions: those here are found where they are installed."""
    own = [name for name in ROWS if name.startswith(("numpy", "scipy"))]
    codes = {getattr(found(name), "__func__", found(name)).__code__ for name in own}
    assert len(codes) >= 100
