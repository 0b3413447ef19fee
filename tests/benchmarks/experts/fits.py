"""Fits: a function of a few parameters is compared with data."""

import numpy as np

from tests.benchmarks.experts.case import Case


def decay_fit(p, t, y):
    A, tau, omega = p
    decay = np.exp(-t / tau)
    r = A * decay * np.cos(omega * t) - y
    return np.sum(r**2)


def decay_fit_adjoint(p, t, y):
    A, tau, omega = p
    decay = np.exp(-t / tau)
    c = np.cos(omega * t)
    r_bar = 2.0 * (A * decay * c - y)
    g = r_bar * decay
    gc = g * c
    A_bar = np.sum(gc)
    tau_bar = A * (gc @ t) / tau**2
    omega_bar = -A * ((g * np.sin(omega * t)) @ t)
    return np.array([A_bar, tau_bar, omega_bar])


def logistic_regression(w, b, X, y, lam):
    z = X @ w + b
    return np.sum(np.logaddexp(0.0, z) - y * z) + 0.5 * lam * np.sum(w**2)


def logistic_regression_adjoint(w, b, X, y, lam):
    z = X @ w + b
    z_bar = 1.0 / (1.0 + np.exp(-z)) - y
    w_bar = z_bar @ X + lam * w
    b_bar = np.sum(z_bar)
    return w_bar, b_bar


def gaussian_process(theta, x, y):
    scale, ell, noise = theta
    d2 = (x[:, None] - x[None, :]) ** 2
    E = np.exp(-0.5 * d2 / ell**2)
    K = scale * E + noise * np.eye(len(x))
    alpha = np.linalg.solve(K, y)
    return 0.5 * (y @ alpha) + 0.5 * np.linalg.slogdet(K)[1]


def gaussian_process_adjoint(theta, x, y):
    scale, ell, noise = theta
    d2 = (x[:, None] - x[None, :]) ** 2
    E = np.exp(-0.5 * d2 / ell**2)
    K = scale * E + noise * np.eye(len(x))
    K_inv = np.linalg.inv(K)
    alpha = K_inv @ y
    K_bar = 0.5 * (K_inv - np.outer(alpha, alpha))
    E_bar = K_bar * E
    scale_bar = np.sum(E_bar)
    ell_bar = scale * np.vdot(E_bar, d2) / ell**3
    noise_bar = np.trace(K_bar)
    return np.array([scale_bar, ell_bar, noise_bar])


def mixture(mu, log_s, log_w, x):
    z = (x[:, None] - mu) / np.exp(log_s)
    a = log_w - log_s - 0.5 * z**2
    m = np.max(a, axis=1, keepdims=True)
    density = m[:, 0] + np.log(np.sum(np.exp(a - m), axis=1))
    return np.sum(density) - len(x) * np.log(np.sum(np.exp(log_w)))


def mixture_adjoint(mu, log_s, log_w, x):
    s = np.exp(log_s)
    z = (x[:, None] - mu) / s
    a = log_w - log_s - 0.5 * z**2
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    a_bar = e / np.sum(e, axis=1, keepdims=True)
    total = np.sum(a_bar, axis=0)
    z_bar = -a_bar * z
    mu_bar = -np.sum(z_bar, axis=0) / s
    log_s_bar = -total - np.einsum("ij,ij->j", z_bar, z)
    w = np.exp(log_w)
    log_w_bar = total - len(x) * w / np.sum(w)
    return mu_bar, log_s_bar, log_w_bar


def wilson(L, x, y):
    s = x @ L.T
    q = x / s
    log_gamma = 1.0 - np.log(s) - q @ L
    r = log_gamma - y
    return 0.5 * np.sum(r**2)


def wilson_adjoint(L, x, y):
    s = x @ L.T
    q = x / s
    r = 1.0 - np.log(s) - q @ L - y
    q_bar = -r @ L.T
    s_bar = -(r + q_bar * q) / s
    return s_bar.T @ x - q.T @ r


def spline(c, t, y):
    i = np.floor(t).astype(int)
    s = t - i
    left = (1.0 - s) ** 3 * c[i] + (3.0 * s**3 - 6.0 * s**2 + 4.0) * c[i + 1]
    right = (-3.0 * s**3 + 3.0 * s**2 + 3.0 * s + 1.0) * c[i + 2] + s**3 * c[i + 3]
    r = (left + right) / 6.0 - y
    return np.sum(r**2)


def spline_adjoint(c, t, y):
    i = np.floor(t).astype(int)
    s = t - i
    w0 = (1.0 - s) ** 3
    w1 = 3.0 * s**3 - 6.0 * s**2 + 4.0
    w2 = -3.0 * s**3 + 3.0 * s**2 + 3.0 * s + 1.0
    w3 = s**3
    r = (w0 * c[i] + w1 * c[i + 1] + w2 * c[i + 2] + w3 * c[i + 3]) / 6.0 - y
    g = r / 3.0
    c_bar = np.zeros_like(c)
    np.add.at(c_bar, i, g * w0)
    np.add.at(c_bar, i + 1, g * w1)
    np.add.at(c_bar, i + 2, g * w2)
    np.add.at(c_bar, i + 3, g * w3)
    return c_bar


def points(normal, n):
    return np.linspace(0.0, 4.0, n), normal(n)


def regression(normal, n):
    X = normal((n, 10))
    return normal(10), 0.3, X, (normal(n) > 0.0).astype(float), 0.1


def densities(normal, n):
    return normal(5), 0.2 * normal(5), 0.3 * normal(5), normal(n)


def liquids(normal, n):
    x = np.exp(normal((n, 4)))
    return np.exp(0.3 * normal((4, 4))), x / np.sum(x, axis=1)[:, None], normal((n, 4))


def curve(normal, n):
    return normal(23), np.linspace(0.0, 19.99, n), normal(n)


CASES = (
    Case(
        decay_fit,
        decay_fit_adjoint,
        ("p",),
        lambda normal, n: (np.array([1.3, 2.1, 3.0]), *points(normal, n)),
        (20, 1000, 100_000),
    ),
    Case(
        logistic_regression,
        logistic_regression_adjoint,
        ("w", "b"),
        regression,
        (20, 1000, 50_000),
    ),
    Case(
        gaussian_process,
        gaussian_process_adjoint,
        ("theta",),
        lambda normal, n: (np.array([1.3, 0.7, 0.5]), *points(normal, n)),
        (10, 60, 300),
        mirrors=False,
    ),
    Case(mixture, mixture_adjoint, ("mu", "log_s", "log_w"), densities, (20, 1000, 30_000)),
    Case(wilson, wilson_adjoint, ("L",), liquids, (20, 1000, 30_000)),
    Case(spline, spline_adjoint, ("c",), curve, (20, 1000, 50_000)),
)
