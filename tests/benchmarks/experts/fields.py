"""Fields on grids: stencils, convolution, waves of fluid, images."""

import numpy as np

from tests.benchmarks.experts.case import Case


def convolution(x, k, y):
    z = np.zeros(len(x) - len(k) + 1)
    for i in range(len(z)):
        for j in range(len(k)):
            z[i] += x[i + j] * k[j]
    return np.sum((z - y) ** 2)


def convolution_adjoint(x, k, y):
    z = np.zeros(len(x) - len(k) + 1)
    for i in range(len(z)):
        for j in range(len(k)):
            z[i] += x[i + j] * k[j]
    z_bar = 2.0 * (z - y)
    x_bar = np.zeros_like(x)
    k_bar = np.zeros_like(k)
    for i in range(len(z)):
        for j in range(len(k)):
            x_bar[i + j] += z_bar[i] * k[j]
            k_bar[j] += z_bar[i] * x[i + j]
    return x_bar, k_bar


def diffusion(u, D, h):
    q = 0.5 * (D[1:] + D[:-1]) * (u[1:] - u[:-1]) / h
    r = (q[1:] - q[:-1]) / h - u[1:-1] ** 3
    return 0.5 * np.sum(r**2)


def diffusion_adjoint(u, D, h):
    mean = 0.5 * (D[1:] + D[:-1])
    slope = (u[1:] - u[:-1]) / h
    q = mean * slope
    r = (q[1:] - q[:-1]) / h - u[1:-1] ** 3
    q_bar = np.zeros_like(q)
    q_bar[1:] = r / h
    q_bar[:-1] -= r / h
    u_bar = np.zeros_like(u)
    u_bar[1:-1] = -3.0 * u[1:-1] ** 2 * r
    g = q_bar * mean / h
    u_bar[1:] += g
    u_bar[:-1] -= g
    D_bar = np.zeros_like(D)
    g = 0.5 * q_bar * slope
    D_bar[1:] = g
    D_bar[:-1] += g
    return u_bar, D_bar


def burgers(u, nu, dt, dx, n):
    u = u.copy()
    for _ in range(n):
        f = 0.5 * u**2
        lap = (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] += dt * (nu * lap - (f[2:] - f[:-2]) / (2.0 * dx))
    return np.sum(u**2)


def burgers_adjoint(u, nu, dt, dx, n):
    u = u.copy()
    us = []
    for _ in range(n):
        us.append(u.copy())
        f = 0.5 * u**2
        lap = (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] += dt * (nu * lap - (f[2:] - f[:-2]) / (2.0 * dx))
    u_bar = 2.0 * u
    nu_bar = 0.0
    for u in reversed(us):
        g = dt * u_bar[1:-1]
        lap = (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        nu_bar += g @ lap
        lap_bar = nu * g / dx**2
        f_bar = g / (2.0 * dx)
        u_bar[2:] += lap_bar - f_bar * u[2:]
        u_bar[1:-1] -= 2.0 * lap_bar
        u_bar[:-2] += lap_bar + f_bar * u[:-2]
    return u_bar, nu_bar


def heat(u, k, n):
    for _ in range(n):
        v = u.copy()
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + k[1:-1, 1:-1] * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        u = v
    return np.sum(u**2)


def heat_adjoint(u, k, n):
    us = []
    for _ in range(n):
        us.append(u)
        v = u.copy()
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + k[1:-1, 1:-1] * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        u = v
    u_bar = 2.0 * u
    k_bar = np.zeros_like(k)
    for u in reversed(us):
        g = u_bar[1:-1, 1:-1].copy()
        k_bar[1:-1, 1:-1] += g * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        g *= k[1:-1, 1:-1]
        u_bar[2:, 1:-1] += g
        u_bar[:-2, 1:-1] += g
        u_bar[1:-1, 2:] += g
        u_bar[1:-1, :-2] += g
        u_bar[1:-1, 1:-1] -= 4.0 * g
    return u_bar, k_bar


def warp(dx, dy, image, goal):
    x = np.arange(image.shape[1]) + dx
    y = np.arange(image.shape[0])[:, None] + dy
    i = np.clip(np.floor(y).astype(int), 0, image.shape[0] - 2)
    j = np.clip(np.floor(x).astype(int), 0, image.shape[1] - 2)
    s = y - i
    t = x - j
    top = (1.0 - t) * image[i, j] + t * image[i, j + 1]
    bottom = (1.0 - t) * image[i + 1, j] + t * image[i + 1, j + 1]
    r = (1.0 - s) * top + s * bottom - goal
    return 0.5 * np.sum(r**2)


def warp_adjoint(dx, dy, image, goal):
    x = np.arange(image.shape[1]) + dx
    y = np.arange(image.shape[0])[:, None] + dy
    i = np.clip(np.floor(y).astype(int), 0, image.shape[0] - 2)
    j = np.clip(np.floor(x).astype(int), 0, image.shape[1] - 2)
    s = y - i
    t = x - j
    a, b = image[i, j], image[i, j + 1]
    c, d = image[i + 1, j], image[i + 1, j + 1]
    top = (1.0 - t) * a + t * b
    bottom = (1.0 - t) * c + t * d
    r = (1.0 - s) * top + s * bottom - goal
    dx_bar = r * ((1.0 - s) * (b - a) + s * (d - c))
    dy_bar = r * (bottom - top)
    return dx_bar, dy_bar


def grid(normal, n):
    return normal((n, n)), 0.05 + 0.1 * np.tanh(normal((n, n))) ** 2, 10


CASES = (
    Case(
        convolution,
        convolution_adjoint,
        ("x", "k"),
        lambda normal, n: (normal(n), normal(3), normal(n - 2)),
        (10, 100, 2000),
    ),
    Case(
        diffusion,
        diffusion_adjoint,
        ("u", "D"),
        lambda normal, n: (normal(n), 1.0 + normal(n) ** 2, 0.5),
        (20, 1000, 100_000),
    ),
    Case(
        burgers,
        burgers_adjoint,
        ("u", "nu"),
        lambda normal, n: (normal(n), 0.1, 1e-3, 0.1, 50),
        (20, 1000, 20_000),
    ),
    Case(heat, heat_adjoint, ("u", "k"), grid, (8, 60, 300)),
    Case(
        warp,
        warp_adjoint,
        ("dx", "dy"),
        lambda normal, n: tuple(normal((n, n)) for _ in range(4)),
        (8, 60, 300),
    ),
)
