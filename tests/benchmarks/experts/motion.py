"""Motion: differential equations by steps, bodies, epidemics, reactions."""

import numpy as np

from tests.benchmarks.experts.case import Case


def slope(y, A):
    return A @ y - y**3


def rk4(y, A, h, n):
    for _ in range(n):
        k1 = slope(y, A)
        k2 = slope(y + 0.5 * h * k1, A)
        k3 = slope(y + 0.5 * h * k2, A)
        k4 = slope(y + h * k3, A)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(y**2)


def slope_rev(y, A, k_bar, A_bar):
    A_bar += np.outer(k_bar, y)
    return k_bar @ A - 3.0 * y**2 * k_bar


def rk4_adjoint(y, A, h, n):
    saved = []
    for _ in range(n):
        k1 = slope(y, A)
        y2 = y + 0.5 * h * k1
        k2 = slope(y2, A)
        y3 = y + 0.5 * h * k2
        k3 = slope(y3, A)
        y4 = y + h * k3
        saved.append((y, y2, y3, y4))
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + slope(y4, A))
    y_bar = 2.0 * y
    A_bar = np.zeros_like(A)
    for y1, y2, y3, y4 in reversed(saved):
        k_bar = h / 6.0 * y_bar
        y4_bar = slope_rev(y4, A, k_bar, A_bar)
        y3_bar = slope_rev(y3, A, 2.0 * k_bar + h * y4_bar, A_bar)
        y2_bar = slope_rev(y2, A, 2.0 * k_bar + 0.5 * h * y3_bar, A_bar)
        y1_bar = slope_rev(y1, A, k_bar + 0.5 * h * y2_bar, A_bar)
        y_bar = y_bar + y4_bar + y3_bar + y2_bar + y1_bar
    return y_bar, A_bar


def van_der_pol(x, v, mu, h, n):
    for _ in range(n):
        a = mu * (1.0 - x * x) * v - x
        v = v + h * a
        x = x + h * v
    return 0.5 * (x * x + v * v)


def van_der_pol_adjoint(x, v, mu, h, n):
    saved = []
    for _ in range(n):
        saved.append((x, v))
        a = mu * (1.0 - x * x) * v - x
        v = v + h * a
        x = x + h * v
    x_bar, v_bar, mu_bar = x, v, 0.0
    for x, v in reversed(saved):
        v_bar += h * x_bar
        a_bar = h * v_bar
        w = 1.0 - x * x
        mu_bar += a_bar * w * v
        x_bar -= a_bar * (2.0 * mu * x * v + 1.0)
        v_bar += a_bar * mu * w
    return x_bar, v_bar, mu_bar


def sir(beta, gamma, well, ill, data, h):
    loss = 0.0
    for k in range(len(data)):
        new = beta * well * ill
        well = well - h * new
        ill = ill + h * (new - gamma * ill)
        loss += (ill - data[k]) ** 2
    return loss


def sir_adjoint(beta, gamma, well, ill, data, h):
    saved = []
    for _ in range(len(data)):
        saved.append((well, ill))
        new = beta * well * ill
        well = well - h * new
        ill = ill + h * (new - gamma * ill)
    beta_bar = gamma_bar = well_bar = ill_bar = 0.0
    for k in reversed(range(len(data))):
        ill_bar += 2.0 * (ill - data[k])
        well, ill = saved.pop()
        new_bar = h * (ill_bar - well_bar)
        gamma_bar -= h * ill_bar * ill
        ill_bar -= h * gamma * ill_bar
        beta_bar += new_bar * well * ill
        well_bar += new_bar * beta * ill
        ill_bar += new_bar * beta * well
    return beta_bar, gamma_bar, well_bar, ill_bar


def nbody(x, m):
    energy = 0.0
    for i in range(len(m) - 1):
        d = x[i + 1 :] - x[i]
        r = np.sqrt(np.sum(d**2, axis=1) + 0.01)
        energy -= m[i] * np.sum(m[i + 1 :] / r)
    return energy


def nbody_adjoint(x, m):
    x_bar = np.zeros_like(x)
    m_bar = np.zeros_like(m)
    for i in range(len(m) - 1):
        d = x[i + 1 :] - x[i]
        r = np.sqrt(np.sum(d**2, axis=1) + 0.01)
        q = m[i + 1 :] / r
        m_bar[i] -= np.sum(q)
        m_bar[i + 1 :] -= m[i] / r
        d_bar = (m[i] * q / r**2)[:, None] * d
        x_bar[i + 1 :] += d_bar
        x_bar[i] -= np.sum(d_bar, axis=0)
    return x_bar, m_bar


def reactions(k, c, h, n):
    for _ in range(n):
        r1 = k[0] * c[0]
        r2 = k[1] * c[1] * c[2]
        r3 = k[2] * c[1] ** 2
        c = c + h * np.array([r2 - r1, r1 - r2 - r3, r3])
    return np.sum(c**2)


def reactions_adjoint(k, c, h, n):
    cs = []
    for _ in range(n):
        cs.append(c)
        r1 = k[0] * c[0]
        r2 = k[1] * c[1] * c[2]
        r3 = k[2] * c[1] ** 2
        c = c + h * np.array([r2 - r1, r1 - r2 - r3, r3])
    c_bar = 2.0 * c
    k_bar = np.zeros_like(k)
    for c in reversed(cs):
        b0, b1, b2 = h * c_bar
        r1_bar = b1 - b0
        r2_bar = b0 - b1
        r3_bar = b2 - b1
        k_bar[0] += r1_bar * c[0]
        k_bar[1] += r2_bar * c[1] * c[2]
        k_bar[2] += r3_bar * c[1] ** 2
        c_bar[0] += r1_bar * k[0]
        c_bar[1] += r2_bar * k[1] * c[2] + 2.0 * r3_bar * k[2] * c[1]
        c_bar[2] += r2_bar * k[1] * c[1]
    return k_bar, c_bar


def system(normal, n):
    return 0.1 * normal(n), normal((n, n)) / n - np.eye(n), 0.05, 20


CASES = (
    Case(rk4, rk4_adjoint, ("y", "A"), system, (4, 40, 300)),
    Case(
        van_der_pol,
        van_der_pol_adjoint,
        ("x", "v", "mu"),
        lambda normal, n: (0.5, 0.3, 1.2, 0.01, n),
        (10, 300, 10_000),
    ),
    Case(
        sir,
        sir_adjoint,
        ("beta", "gamma", "well", "ill"),
        lambda normal, n: (0.8, 0.3, 0.99, 0.01, 0.1 * normal(n) ** 2, 0.1),
        (10, 300, 10_000),
    ),
    Case(
        nbody,
        nbody_adjoint,
        ("x", "m"),
        lambda normal, n: (normal((n, 3)), 1.0 + normal(n) ** 2),
        (5, 50, 400),
    ),
    Case(
        reactions,
        reactions_adjoint,
        ("k", "c"),
        lambda normal, n: (np.array([0.4, 0.7, 0.3]), np.array([1.0, 0.2, 0.1]), 0.01, n),
        (10, 200, 3000),
    ),
)
