"""The SciPy surface: special functions, linear algebra, solvers, signals, distributions."""

from __future__ import annotations

from surface_entry import Family


def _each(module: str, calls: str) -> dict[str, str]:
    """Return an entry for each call, under the function's name: `erf(x); beta(x, z)`."""
    shown = (call.strip() for call in calls.split(";"))
    return {f"{module}.{call.partition('(')[0]}": f"{module}.{call}" for call in shown}


SPECIAL: Family = {
    1: _each(
        "scipy.special",
        "erf(x); erfc(x); gamma(z); gammaln(z); digamma(z); psi(z); expit(x); logit(x); ndtr(x);"
        "ndtri(x); i0(x); i1(x); j0(x); j1(x); log_softmax(x); softmax(x); logsumexp(x);"
        "xlogy(x, z); beta(x, z); betaln(x, z); logsumexp(A, axis=1)",
    ),
    2: _each(
        "scipy.special",
        "erfcx(x); erfinv(x); erfcinv(x); loggamma(z); log_expit(x); log_ndtr(x); i0e(x); i1e(x);"
        "y0(z); y1(z); k0(z); k1(z); k0e(z); k1e(z); entr(x); ellipk(x); ellipe(x); log1p(x);"
        "expm1(x); xlog1py(x, z); betainc(1.5, 2.5, x); gammainc(1.5, z); gammaincc(1.5, z);"
        "rel_entr(x, z); huber(0.5, z); pseudo_huber(0.5, z); polygamma(1, z); jv(1, z);"
        "jn(2, z); yn(1, z); yv(1.5, z); iv(1, z); ive(1, z); kv(1, z); spherical_jn(2, z);"
        "eval_legendre(3, x)",
    ),
    3: _each(
        "scipy.special",
        "erfi(x); rgamma(z); exprel(x); dawsn(x); spence(z); expi(z); exp1(z); sindg(x); cosdg(x);"
        "zetac(z); wofz(x).real; fresnel(x)[0]; airy(x)[0]; lambertw(x).real; shichi(x)[0];"
        "sici(x)[0]; factorial(z); betaincinv(1.5, 2.5, x); gammaincinv(1.5, x); kl_div(x, z);"
        "boxcox(z, 0.5); inv_boxcox(z, 0.5); zeta(1.5, z); multigammaln(3.5 * t, 2); kve(1, z);"
        "spherical_yn(2, z); hyp1f1(1.5, 2.5, x); hyp2f1(0.5, 1.5, 2.5, x); expn(2, z);"
        "ellipkinc(x, 0.4); ellipeinc(x, 0.4); eval_chebyt(3, x); eval_hermite(3, x);"
        "lpmv(0, 2, x); sph_harm_y(2, 1, 0.4, x).real; binom(5.5, z); comb(5.5, z); poch(z, 2.0);"
        "stdtr(3.0, x); bdtr(1, 3, x); chdtr(3.0, z); fdtr(3.0, 4.0, z); owens_t(0.5, x);"
        "voigt_profile(x, 0.5, 0.4)",
    ),
}

SYMMETRIC = "A @ A.T + 3.0 * np.eye(3)"
LINALG: Family = {
    1: {
        "scipy.linalg.inv": "scipy.linalg.inv(A)",
        "scipy.linalg.det": "scipy.linalg.det(A)",
        "scipy.linalg.expm": "scipy.linalg.expm(A)",
        "scipy.linalg.solve": (
            "scipy.linalg.solve(A, u)",
            f"scipy.linalg.solve({SYMMETRIC}, B, assume_a='pos')",
        ),
        "scipy.linalg.solve_triangular": (
            "scipy.linalg.solve_triangular(np.tril(A), u, lower=True)",
            "scipy.linalg.solve_triangular(A, B, trans=1)",
        ),
        "scipy.linalg.cholesky": (
            f"scipy.linalg.cholesky({SYMMETRIC})",
            f"scipy.linalg.cholesky({SYMMETRIC}, lower=True)",
        ),
        "scipy.linalg.cho_solve": (
            f"L = scipy.linalg.cholesky({SYMMETRIC}, lower=True)\n"
            "y = scipy.linalg.cho_solve((L, True), u)"
        ),
        "scipy.linalg.cho_factor": (
            f"c = scipy.linalg.cho_factor({SYMMETRIC})\ny = scipy.linalg.cho_solve(c, u)"
        ),
        "scipy.linalg.lu_factor": "lu, q = scipy.linalg.lu_factor(A)\ny = lu * lu",
        "scipy.linalg.lu_solve": "c = scipy.linalg.lu_factor(A)\ny = scipy.linalg.lu_solve(c, u)",
        "scipy.linalg.eigh": f"w_, q = scipy.linalg.eigh({SYMMETRIC})\ny = q * q * w_",
        "scipy.linalg.solve_banded": "scipy.linalg.solve_banded((1, 1), A + np.array([[0.0], [6.0], [0.0]]), u)",
    },
    2: {
        "scipy.linalg.sqrtm": f"scipy.linalg.sqrtm({SYMMETRIC})",
        "scipy.linalg.pinv": "scipy.linalg.pinv(B)",
        "scipy.linalg.lu": (
            "q, l, r = scipy.linalg.lu(A)\ny = l @ r * l",
            "q, r = scipy.linalg.lu(A, permute_l=True)\ny = q * r",
        ),
        "scipy.linalg.qr": (
            "q, r = scipy.linalg.qr(A)\ny = q * r",
            "q, r = scipy.linalg.qr(B, mode='economic')\ny = q @ r * q",
            "scipy.linalg.qr(A, mode='r')[0]",
            "scipy.linalg.qr(B, mode='r')[0]",
        ),
        "scipy.linalg.svd": (
            "q, r, h = scipy.linalg.svd(B, full_matrices=False)\ny = q * q * r",
            "scipy.linalg.svdvals(B)",
        ),
        "scipy.linalg.eig": "w_, q = scipy.linalg.eig(A + 5.0 * np.diag(u))\ny = np.abs(w_)",
        "scipy.linalg.solveh_banded": "scipy.linalg.solveh_banded(A[:2] + np.array([[0.0], [6.0]]), u)",
        "scipy.linalg.solve_sylvester": "scipy.linalg.solve_sylvester(A, A.T, C)",
        "scipy.linalg.block_diag": "scipy.linalg.block_diag(A, B)",
        "scipy.linalg.solve_continuous_lyapunov": "scipy.linalg.solve_continuous_lyapunov(A, C)",
        "scipy.linalg.lstsq": "scipy.linalg.lstsq(B, u)[0]",
        "scipy.linalg.norm": ("scipy.linalg.norm(x)", "scipy.linalg.norm(A, 'fro')"),
    },
    3: {
        "scipy.linalg.logm": f"scipy.linalg.logm({SYMMETRIC})",
        "scipy.linalg.schur": (
            f"h, q = scipy.linalg.schur({SYMMETRIC})\ny = np.diag(h)",
            "h, q = scipy.linalg.schur(A + np.diag(np.array([0.0, 4.0, 9.0])), 'real')\ny = h + q",
        ),
        "scipy.linalg.fractional_matrix_power": (
            f"scipy.linalg.fractional_matrix_power({SYMMETRIC}, 0.3)",
            f"scipy.linalg.fractional_matrix_power({SYMMETRIC}, s)",
        ),
        "scipy.linalg.solve_toeplitz": "scipy.linalg.solve_toeplitz(u + np.array([5, 0, 0]), u)",
        "scipy.linalg.toeplitz": ("scipy.linalg.toeplitz(x)", "scipy.linalg.toeplitz(x, u)"),
        "scipy.linalg.solve_discrete_are": (
            f"scipy.linalg.solve_discrete_are(A, B, {SYMMETRIC}, np.eye(2))"
        ),
        "scipy.linalg.polar": "q, r = scipy.linalg.polar(A)\ny = q * r",
        "scipy.linalg.expm_frechet": "scipy.linalg.expm_frechet(A, C, compute_expm=False)",
        "scipy.linalg.circulant": "scipy.linalg.circulant(x)",
        "scipy.linalg.funm": f"scipy.linalg.funm({SYMMETRIC}, np.exp)",
        "scipy.linalg.hankel": "scipy.linalg.hankel(x)",
        "scipy.linalg.cosm": "scipy.linalg.cosm(A)",
        "scipy.linalg.signm": "scipy.linalg.signm(A)",
    },
}

SAMPLED = "q = np.linspace(0.0, 2.0, 5)\n"
CSR = (
    "S = scipy.sparse.csr_matrix((np.concatenate((z, u)), "
    "(np.array([0, 1, 2, 3, 0, 1, 2]), np.array([0, 1, 2, 3, 1, 2, 3]))), shape=(4, 4))\n"
)
TOOLS: Family = {
    1: {
        "scipy.signal.convolve": "scipy.signal.convolve(v, u)",
        "scipy.signal.fftconvolve": "scipy.signal.fftconvolve(v, u, mode='same')",
        "scipy.signal.lfilter": "scipy.signal.lfilter([0.5, 0.2], [1.0, -0.3], v)",
        "scipy.integrate.trapezoid": SAMPLED + "y = scipy.integrate.trapezoid(v, q)",
        "scipy.integrate.simpson": SAMPLED + "y = scipy.integrate.simpson(v, x=q)",
        "scipy.integrate.odeint": (
            "y = scipy.integrate.odeint(lambda h, q: -s * h, u, np.linspace(0.0, 1.0, 3))"
        ),
        "scipy.integrate.solve_ivp": (
            "y = scipy.integrate.solve_ivp(lambda q, h: -s * h, (0.0, 1.0), u, rtol=1e-9, "
            "atol=1e-10).y[:, -1]"
        ),
        "scipy.integrate.quad": "scipy.integrate.quad(lambda q: np.exp(-s * q), 0.0, t)[0]",
        "scipy.interpolate.interp1d": (SAMPLED + "f = scipy.interpolate.interp1d(q, v)\ny = f(x)"),
        "scipy.interpolate.CubicSpline": (
            SAMPLED + "f = scipy.interpolate.CubicSpline(q, v)\ny = f(x)"
        ),
        "scipy.interpolate.RegularGridInterpolator": (
            "q = np.arange(3.0)\nf = scipy.interpolate.RegularGridInterpolator((q, q), A)\n"
            "y = f(np.array([[s, t]]))"
        ),
        "scipy.ndimage.map_coordinates": "scipy.ndimage.map_coordinates(A, [u, u], order=1)",
        "scipy.ndimage.gaussian_filter": "scipy.ndimage.gaussian_filter(A, 0.8)",
        "scipy.fft.fft": "np.abs(scipy.fft.fft(x))",
        "scipy.fft.dct": "scipy.fft.dct(x)",
        "scipy.optimize.root": "scipy.optimize.root(lambda h: h**3 + h - u, np.ones(3)).x",
        "scipy.optimize.brentq": "scipy.optimize.brentq(lambda h: h**3 + h - s, 0.0, 2.0)",
        "scipy.optimize.fixed_point": (
            "scipy.optimize.fixed_point(lambda h: np.cos(h) * s, 0.5, xtol=1e-12)"
        ),
        "scipy.optimize.minimize": (
            "scipy.optimize.minimize(lambda h: np.sum((h - u)**2 + 0.1 * h**4), np.ones(3), "
            "tol=1e-12).x"
        ),
        "scipy.sparse csr @ x": CSR + "y = S @ x",
        "scipy.sparse.linalg.spsolve(A,x)": CSR + "y = scipy.sparse.linalg.spsolve(S, x)",
        "scipy.sparse.linalg.cg": (
            f"S = scipy.sparse.csr_array({SYMMETRIC})\n"
            "y = scipy.sparse.linalg.cg(S, u, rtol=1e-12)[0]",
        ),
        "scipy.spatial.distance.cdist": "scipy.spatial.distance.cdist(A, C)",
    },
    2: {
        "scipy.signal.convolve2d": "scipy.signal.convolve2d(A, B, mode='same')",
        "scipy.signal.correlate": "scipy.signal.correlate(v, u)",
        "scipy.signal.filtfilt": (
            "scipy.signal.filtfilt([0.5, 0.2], [1.0, -0.3], np.concatenate((v, v, v)))"
        ),
        "scipy.integrate.cumulative_trapezoid": (
            SAMPLED + "y = scipy.integrate.cumulative_trapezoid(v, q, initial=0)"
        ),
        "scipy.interpolate.make_interp_spline": (
            SAMPLED + "f = scipy.interpolate.make_interp_spline(q, v)\ny = f(x)"
        ),
        "scipy.interpolate.PchipInterpolator": (
            SAMPLED + "f = scipy.interpolate.PchipInterpolator(q, v)\ny = f(x)"
        ),
        "scipy.ndimage.convolve": "scipy.ndimage.convolve(A, C)",
        "scipy.ndimage.uniform_filter": "scipy.ndimage.uniform_filter(A, 3)",
        "scipy.ndimage.zoom": "scipy.ndimage.zoom(v, 2, order=1)",
        "scipy.ndimage.laplace": "scipy.ndimage.laplace(A)",
        "scipy.fft.idct": "scipy.fft.idct(x)",
        "scipy.fft.dst": "scipy.fft.dst(x)",
        "scipy.fft.dctn": "scipy.fft.dctn(A)",
        "scipy.optimize.newton": "scipy.optimize.newton(lambda h: h**3 + h - s, 0.5, tol=1e-12)",
        "scipy.sparse.linalg.gmres": (f"{CSR}y = scipy.sparse.linalg.gmres(S, x, rtol=1e-12)[0]"),
        "scipy.sparse.linalg.expm_multiply": "scipy.sparse.linalg.expm_multiply(A, u)",
        "scipy.spatial.distance.pdist": "scipy.spatial.distance.pdist(A)",
    },
    3: {
        "scipy.signal.hilbert": "np.abs(scipy.signal.hilbert(v))",
        "scipy.signal.detrend": "scipy.signal.detrend(v)",
        "scipy.signal.stft": (
            "f, q, Z = scipy.signal.stft(np.concatenate((v, v)), nperseg=4)\ny = np.abs(Z)"
        ),
        "scipy.signal.welch": "f, y = scipy.signal.welch(np.concatenate((v, v)), nperseg=4)",
        "scipy.stats.gaussian_kde": "f = scipy.stats.gaussian_kde(v)\ny = f(x)",
    },
}

STATS: Family = {
    1: _each(
        "scipy.stats",
        "norm.logpdf(x, s, t); norm.pdf(x, s, t); norm.cdf(x, s, t); norm.ppf(x, s, t);"
        "gamma.logpdf(z, t); beta.logpdf(x, t, 2.0); t.logpdf(x, 4.0); poisson.logpmf(k, t);"
        "multivariate_normal.logpdf(u, u * s, np.eye(3));"
        "multivariate_normal.pdf(u, u * s, np.eye(3)); multivariate_normal.logpdf(u, u * s, u * u + 1.0)",
    ),
    2: _each(
        "scipy.stats",
        "norm.logcdf(x, s, t); norm.sf(x, s, t); gamma.cdf(z, 1.5); beta.cdf(x, 1.5, 2.0);"
        "chi2.logpdf(z, t); expon.logpdf(x, scale=t); uniform.logpdf(x, 0.0, t);"
        "laplace.logpdf(x, s, t); logistic.logpdf(x, s, t); cauchy.logpdf(x, s, t);"
        "lognorm.logpdf(z, s); dirichlet.logpdf(np.array([0.2, 0.5, 0.3]), u); "
        "binom.logpmf(k, 5, s); bernoulli.logpmf(i, s); weibull_min.logpdf(z, t)",
    ),
    3: _each("scipy.stats", "truncnorm.logpdf(x, -1.0, 2.0, s, t); vonmises.logpdf(x, t)"),
}
