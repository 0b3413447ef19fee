"""Finite differences on grids: smoothing, waves, transport and flow, most of them written in place.

Each function returns a scalar; `CASES` has arguments for each, drawn with a generator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def jacobi_line(sweeps, u, w):
    """Jacobi smoothing of a line: the mean of three neighbours, two buffers in turn."""
    for _ in range(sweeps):
        w[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3.0
        u[1:-1] = (w[:-2] + w[1:-1] + w[2:]) / 3.0
    return np.sum(u**2)


def jacobi_plane(sweeps, u, w):
    """Jacobi smoothing of a plane: the mean of a five-point star, two buffers in turn."""
    for _ in range(sweeps):
        w[1:-1, 1:-1] = 0.2 * (
            u[1:-1, 1:-1] + u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        )
        u[1:-1, 1:-1] = 0.2 * (
            w[1:-1, 1:-1] + w[:-2, 1:-1] + w[2:, 1:-1] + w[1:-1, :-2] + w[1:-1, 2:]
        )
    return np.sum(u * np.sin(u))


def heat_in_a_box(steps, kappa, T):
    """Explicit Euler steps of the heat equation in three dimensions."""
    for _ in range(steps):
        inner = T[1:-1, 1:-1, 1:-1]
        lap = T[2:, 1:-1, 1:-1] + T[:-2, 1:-1, 1:-1] - 6.0 * inner
        lap += T[1:-1, 2:, 1:-1] + T[1:-1, :-2, 1:-1]
        lap += T[1:-1, 1:-1, 2:] + T[1:-1, 1:-1, :-2]
        T[1:-1, 1:-1, 1:-1] = inner + kappa * lap
    return np.sum(T**2)


def gauss_seidel(sweeps, u, f):
    """Gauss-Seidel relaxation of Poisson's equation, point by point in the order of the rows."""
    rows, columns = u.shape
    for _ in range(sweeps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])
    return np.sum(u**2)


def nine_points_in_place(sweeps, u):
    """Seidel's nine-point mean with the part of a row that does not recur taken at once."""
    n = u.shape[0]
    for _ in range(sweeps):
        for i in range(1, n - 1):
            u[i, 1:-1] += u[i - 1, :-2] + u[i - 1, 1:-1] + u[i - 1, 2:]
            u[i, 1:-1] += u[i, 2:] + u[i + 1, :-2] + u[i + 1, 1:-1] + u[i + 1, 2:]
            for j in range(1, n - 1):
                u[i, j] += u[i, j - 1]
                u[i, j] /= 9.0
    return np.sum(u**2)


def over_relaxation(sweeps, omega, u, f):
    """Successive over-relaxation in red and black: slices of step two."""
    for _ in range(sweeps):
        for first in range(2):
            for i in range(1, u.shape[0] - 1):
                j = 1 + (i + first) % 2
                star = u[i - 1, j:-1:2] + u[i + 1, j:-1:2] + u[i, j - 1 : -2 : 2] + u[i, j + 1 :: 2]
                u[i, j:-1:2] += omega * (0.25 * (star - f[i, j:-1:2]) - u[i, j:-1:2])
    return np.sum(u**2)


def limited_diffusion(q, mu):
    """Fourth-order horizontal diffusion whose fluxes up the gradient are cut off."""
    lap = 4.0 * q[1:-1, 1:-1] - (q[:-2, 1:-1] + q[2:, 1:-1] + q[1:-1, :-2] + q[1:-1, 2:])
    fx = lap[1:, 1:-1] - lap[:-1, 1:-1]
    fx = np.where(fx * (q[2:-1, 2:-2] - q[1:-2, 2:-2]) > 0.0, 0.0, fx)
    fy = lap[1:-1, 1:] - lap[1:-1, :-1]
    fy = np.where(fy * (q[2:-2, 2:-1] - q[2:-2, 1:-2]) > 0.0, 0.0, fy)
    new = q[2:-2, 2:-2] - mu * (fx[1:] - fx[:-1] + fy[:, 1:] - fy[:, :-1])
    return np.sum(new**2)


def alternating_directions(steps, r, u):
    """Peaceman-Rachford: each half step is implicit along one axis, by double sweeps."""
    n = u.shape[0]
    v = u.copy()
    gain, shift = np.zeros_like(u), np.zeros_like(u)
    for _ in range(steps):
        gain[:, 0] = 0.0
        shift[:, 0] = u[:, 0]
        for j in range(1, n - 1):
            pivot = 1.0 + 2.0 * r - r * gain[1:-1, j - 1]
            gain[1:-1, j] = r / pivot
            known = u[1:-1, j] + r * (u[:-2, j] - 2.0 * u[1:-1, j] + u[2:, j])
            shift[1:-1, j] = (known + r * shift[1:-1, j - 1]) / pivot
        for j in range(n - 2, 0, -1):
            v[1:-1, j] = gain[1:-1, j] * v[1:-1, j + 1] + shift[1:-1, j]
        gain[0, :] = 0.0
        shift[0, :] = v[0, :]
        for i in range(1, n - 1):
            pivot = 1.0 + 2.0 * r - r * gain[i - 1, 1:-1]
            gain[i, 1:-1] = r / pivot
            known = v[i, 1:-1] + r * (v[i, :-2] - 2.0 * v[i, 1:-1] + v[i, 2:])
            shift[i, 1:-1] = (known + r * shift[i - 1, 1:-1]) / pivot
        for i in range(n - 2, 0, -1):
            u[i, 1:-1] = gain[i, 1:-1] * u[i + 1, 1:-1] + shift[i, 1:-1]
    return np.sum(u**2)


def staggered_waves(pulse, ex, ey, hz):
    """Yee's scheme for Maxwell's equations in a plane: fields on a staggered grid, in place."""
    for t in range(len(pulse)):
        ey[0, :] = pulse[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return np.sum(hz**2) + np.sum(ex * ey)


def leapfrog_waves(steps, c, u):
    """The wave equation by leapfrog: three levels in time, names that move on."""
    old, now = u.copy(), u.copy()
    for _ in range(steps):
        new = np.zeros_like(u)
        new[1:-1] = 2.0 * now[1:-1] - old[1:-1]
        new[1:-1] += c**2 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        old = now
        now = new
    return np.sum(now**2)


def swapped_buffers(steps, c, u):
    """Explicit diffusion between two buffers whose names are swapped after each step."""
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u, v = v, u
    return np.sum(u**2)


def burgers_upwind(steps, dt, u):
    """Burgers' equation on a ring, upwind: the side that is looked at depends on the sign."""
    for _ in range(steps):
        left, right = u - np.roll(u, 1), np.roll(u, -1) - u
        u = u - dt * (np.maximum(u, 0.0) * left + np.minimum(u, 0.0) * right)
    return np.sum(u**2)


def lax_friedrichs_shallow_water(steps, dt, h, q):
    """Shallow water on a ring by Lax and Friedrichs: depth and discharge side by side."""
    for _ in range(steps):
        flux = q**2 / h + 4.9 * h**2
        dq, df = np.roll(q, -1) - np.roll(q, 1), np.roll(flux, -1) - np.roll(flux, 1)
        h_new = 0.5 * (np.roll(h, -1) + np.roll(h, 1)) - 0.5 * dt * dq
        q = 0.5 * (np.roll(q, -1) + np.roll(q, 1)) - 0.5 * dt * df
        h = h_new
    return np.sum(h * q**2)


def vertical_advection(w, u, tendency, dt):
    """Implicit advection through the levels of columns: a tridiagonal system a column (Thomas)."""
    levels = u.shape[2]
    c, d = np.zeros_like(u), np.zeros_like(u)
    for k in range(levels):
        up = 0.25 * (w[1:, :, k + 1] + w[:-1, :, k + 1])
        if k == 0:
            c[:, :, k] = up * dt
            b = 1.0 - up * dt
            d[:, :, k] = (u[:, :, k] + dt * tendency[:, :, k]) / b
            c[:, :, k] = c[:, :, k] / b
        else:
            a = -0.25 * dt * (w[1:, :, k] + w[:-1, :, k])
            above = up * dt if k < levels - 1 else 0.0
            b = 1.0 - above - a
            pivot = 1.0 / (b - a * c[:, :, k - 1])
            c[:, :, k] = above * pivot
            d[:, :, k] = (u[:, :, k] + dt * tendency[:, :, k] - a * d[:, :, k - 1]) * pivot
    for k in range(levels - 2, -1, -1):
        d[:, :, k] -= c[:, :, k] * d[:, :, k + 1]
    return np.sum(d**2)


def pressure_source(b, rho, dt, u, v, h):
    """Write the right-hand side of the pressure equation of an incompressible flow into b."""
    ux = (u[1:-1, 2:] - u[1:-1, :-2]) / (2.0 * h)
    vy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2.0 * h)
    uy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2.0 * h)
    vx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2.0 * h)
    b[1:-1, 1:-1] = rho * ((ux + vy) / dt - ux**2 - 2.0 * uy * vx - vy**2)


def relax_pressure(p, b, h, sweeps):
    """Relax the pressure in place; no flux through three walls, zero at the lid."""
    for _ in range(sweeps):
        old = p.copy()
        p[1:-1, 1:-1] = 0.25 * (
            old[1:-1, 2:] + old[1:-1, :-2] + old[2:, 1:-1] + old[:-2, 1:-1] - h**2 * b[1:-1, 1:-1]
        )
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0.0


def driven_cavity(steps, u, v, p, dt, rho, nu):
    """Flow in a box under a moving lid: advection, diffusion and pressure, a step at a time."""
    h = 2.0 / (u.shape[0] - 1)
    b = np.zeros_like(u)
    for _ in range(steps):
        pressure_source(b, rho, dt, u, v, h)
        relax_pressure(p, b, h, 2)
        un, vn = u.copy(), v.copy()
        uc, vc = un[1:-1, 1:-1], vn[1:-1, 1:-1]
        u[1:-1, 1:-1] = (
            uc
            - dt / h * (uc * (uc - un[1:-1, :-2]) + vc * (uc - un[:-2, 1:-1]))
            - dt / (2.0 * rho * h) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu
            * dt
            / h**2
            * (un[1:-1, 2:] + un[1:-1, :-2] + un[2:, 1:-1] + un[:-2, 1:-1] - 4 * uc)
        )
        v[1:-1, 1:-1] = (
            vc
            - dt / h * (uc * (vc - vn[1:-1, :-2]) + vc * (vc - vn[:-2, 1:-1]))
            - dt / (2.0 * rho * h) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu
            * dt
            / h**2
            * (vn[1:-1, 2:] + vn[1:-1, :-2] + vn[2:, 1:-1] + vn[:-2, 1:-1] - 4 * vc)
        )
        u[0, :], u[:, 0], u[:, -1] = 0.0, 0.0, 0.0
        u[-1, :] = 1.0
        v[0, :], v[-1, :], v[:, 0], v[:, -1] = 0.0, 0.0, 0.0, 0.0
    return np.sum(u**2) + np.sum(v**2) + np.sum(p**2)


def channel_until_steady(u, force, nu, dt, tolerance):
    """Flow through a periodic channel between two walls, stepped until it changes no more."""
    change, steps = 1.0, 0
    while change > tolerance:
        un = u.copy()
        u[1:-1, :] = un[1:-1, :] + dt * (
            force
            + nu * (un[2:, :] - 2.0 * un[1:-1, :] + un[:-2, :])
            - un[1:-1, :] * (un[1:-1, :] - np.roll(un, 1, axis=1)[1:-1, :])
        )
        u[0, :] = 0.0
        u[-1, :] = 0.0
        change = (np.sum(u) - np.sum(un)) / np.sum(u)
        steps += 1
    return np.sum(u**2) / steps


def crank_nicolson(steps, r, u):
    """Crank and Nicolson's steps of the heat equation, with a dense solve."""
    n = u.shape[0]
    second = np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1) - 2.0 * np.eye(n)
    ahead, behind = np.eye(n) - 0.5 * r * second, np.eye(n) + 0.5 * r * second
    for _ in range(steps):
        u = np.linalg.solve(ahead, behind @ u)
    return np.sum(u**4)


def reaction_diffusion(steps, feed, kill, a, b):
    """Gray and Scott's two reacting species on a torus."""
    for _ in range(steps):
        la = np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1) - 4.0 * a
        lb = np.roll(b, 1, 0) + np.roll(b, -1, 0) + np.roll(b, 1, 1) + np.roll(b, -1, 1) - 4.0 * b
        eaten = a * b * b
        a += 0.16 * la - eaten + feed * (1.0 - a)
        b += 0.08 * lb + eaten - (feed + kill) * b
    return np.sum(a * b)


def semi_lagrangian(steps, c, q):
    """Transport on a ring: values from where the air came from, between two grid points."""
    n = q.shape[0]
    grid = np.arange(n)
    for _ in range(steps):
        origin = grid - c
        cell = np.floor(origin)
        part = origin - cell
        left = cell.astype(int) % n
        q = (1.0 - part) * q[left] + part * q[(left + 1) % n]
    return np.sum(q**3)


def draw(rng: np.random.Generator, *shape: int) -> Any:
    """Return positive numbers around one."""
    return rng.uniform(0.4, 1.4, shape)


CASES: dict[Callable[..., Any], Callable[[np.random.Generator], tuple[Any, ...]]] = {
    jacobi_line: lambda g: (2, draw(g, 7), draw(g, 7)),
    jacobi_plane: lambda g: (2, draw(g, 5, 4), draw(g, 5, 4)),
    heat_in_a_box: lambda g: (2, 0.1, draw(g, 4, 4, 5)),
    gauss_seidel: lambda g: (2, draw(g, 4, 5), draw(g, 4, 5)),
    nine_points_in_place: lambda g: (2, draw(g, 4, 4)),
    over_relaxation: lambda g: (2, 1.3, draw(g, 5, 7), draw(g, 5, 7)),
    limited_diffusion: lambda g: (draw(g, 7, 6, 2), draw(g, 3, 2, 2)),
    alternating_directions: lambda g: (2, 0.3, draw(g, 5, 5)),
    staggered_waves: lambda g: (draw(g, 3), draw(g, 4, 5), draw(g, 4, 5), draw(g, 4, 5)),
    leapfrog_waves: lambda g: (3, 0.6, draw(g, 6)),
    swapped_buffers: lambda g: (3, 0.2, draw(g, 6)),
    burgers_upwind: lambda g: (3, 0.1, draw(g, 6) - 0.9),
    lax_friedrichs_shallow_water: lambda g: (2, 0.05, draw(g, 5), draw(g, 5)),
    vertical_advection: lambda g: (draw(g, 3, 2, 4), draw(g, 2, 2, 3), draw(g, 2, 2, 3), 0.3),
    driven_cavity: lambda g: (2, draw(g, 5, 5), draw(g, 5, 5), draw(g, 5, 5), 0.02, 1.1, 0.1),
    channel_until_steady: lambda g: (draw(g, 4, 3), 1.0, 0.4, 0.2, 0.02),
    crank_nicolson: lambda g: (3, 0.4, draw(g, 5)),
    reaction_diffusion: lambda g: (2, 0.04, 0.06, draw(g, 4, 3), draw(g, 4, 3)),
    semi_lagrangian: lambda g: (3, 0.37, draw(g, 5)),
}
