"""Bodies, springs, chaos, chance and prices: states stepped in time.

Each function returns a scalar; `CASES` has arguments for each, drawn with a generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def pulls(mass, pos, gravity, softening):
    """The accelerations of all bodies by all others."""
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inverse = (dx**2 + dy**2 + dz**2 + softening**2) ** -1.5
    ax = gravity * (dx * inverse) @ mass
    ay = gravity * (dy * inverse) @ mass
    az = gravity * (dz * inverse) @ mass
    return np.hstack((ax, ay, az))


def bodies(mass, pos, vel, steps, dt, gravity, softening):
    """Bodies under gravity by kick, drift and kick; their energy at the end."""
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = pulls(mass, pos, gravity, softening)
    for _ in range(steps):
        vel += 0.5 * dt * acc
        pos += dt * vel
        acc = pulls(mass, pos, gravity, softening)
        vel += 0.5 * dt * acc
    return 0.5 * np.sum(mass * vel**2) + np.sum(pos * acc)


def bodies_by_pairs(mass, pos, vel, dt, steps):
    """The same with a loop over pairs, forces added to both in place."""
    n = len(mass)
    for _ in range(steps):
        force = np.zeros_like(pos)
        for i in range(n):
            for j in range(i + 1, n):
                gap = pos[j] - pos[i]
                pull = mass[i] * mass[j] * gap / (np.dot(gap, gap) + 0.1) ** 1.5
                force[i] += pull
                force[j] -= pull
        vel = vel + dt * force / mass[:, None]
        pos = pos + dt * vel
    return np.sum(pos**2)


def lennard_jones(pos, epsilon, sigma):
    """The energy of a cluster of atoms, with a cut-off."""
    energy = 0.0
    for i in range(len(pos)):
        for j in range(i):
            r2 = np.sum((pos[i] - pos[j]) ** 2)
            if r2 > 9.0 * sigma**2:
                continue
            s6 = (sigma**2 / r2) ** 3
            energy += 4.0 * epsilon * (s6**2 - s6)
    return energy


def springs(pos, links, lengths, stiffness, dt, steps):
    """Points joined by springs: a list of pairs with their lengths at rest."""
    vel = np.zeros_like(pos)
    for _ in range(steps):
        acc = np.zeros_like(pos)
        for (i, j), rest in zip(links, lengths, strict=True):
            gap = pos[j] - pos[i]
            far = np.sqrt(np.dot(gap, gap))
            pull = stiffness * (far - rest) * gap / far
            acc[i] += pull
            acc[j] -= pull
        vel = vel + dt * acc
        pos = pos + dt * vel
    return np.sum(pos**2) + np.sum(vel**2)


def convection(state, sigma, rho, beta):
    """Lorenz' three equations."""
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def energy_of_all(springs, x):
    """The energy of springs, summed by a generator."""
    return sum(0.5 * k * (x - rest) ** 2 for k, rest in springs)


def lorenz(state, sigma, rho, beta, dt, steps):
    """Lorenz' system by the classic Runge-Kutta method."""
    for _ in range(steps):
        k1 = convection(state, sigma, rho, beta)
        k2 = convection(state + 0.5 * dt * k1, sigma, rho, beta)
        k3 = convection(state + 0.5 * dt * k2, sigma, rho, beta)
        k4 = convection(state + dt * k3, sigma, rho, beta)
        state = state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(state**2)


def logistic_lyapunov(r, x, n):
    """The Lyapunov exponent of the logistic map."""
    total = 0.0
    for _ in range(n):
        x = r * x * (1.0 - x)
        total += math.log(abs(r * (1.0 - 2.0 * x)))
    return total / n


def adaptive_decay(rate, y, tolerance):
    """Euler steps whose length follows an estimate of the error, until time one."""
    t, h = 0.0, 0.2
    while t < 1.0:
        if t + h > 1.0:
            h = 1.0 - t
        whole = y - h * rate * y * y
        half = y - 0.5 * h * rate * y * y
        twice = half - 0.5 * h * rate * half * half
        if abs(twice - whole) > tolerance:
            h = 0.5 * h
            continue
        t += h
        y = 2.0 * twice - whole
        h = 1.3 * h
    return y


def neural_flow(x, W, b, V, dt, steps):
    """A differential equation whose right-hand side is a network, by Euler's method."""
    path = [x]
    for _ in range(steps):
        path.append(path[-1] + dt * V @ np.tanh(W @ path[-1] + b))
    total = 0.0
    for each in path[1:]:
        total += np.sum(each**2)
    return total


def double_pendulum(angles, speeds, dt, steps):
    """Two rods of equal length and mass by symplectic Euler, tuples unpacked."""
    a, b = angles
    u, v = speeds
    for _ in range(steps):
        d = a - b
        c, s = math.cos(d), math.sin(d)
        den = 2.0 - c * c
        du = (-s * (c * u * u + v * v) - 19.62 * math.sin(a) + 9.81 * c * math.sin(b)) / den
        dv = (s * (2.0 * u * u + c * v * v) + 19.62 * (c * math.sin(a) - math.sin(b))) / den
        u, v = u + dt * du, v + dt * dv
        a, b = a + dt * u, b + dt * v
    return 0.5 * (u * u + v * v) - math.cos(a) - math.cos(b)


def metropolis(mean, spread, proposals, thresholds):
    """A Metropolis chain whose draws are given: the mean of the states it went through."""
    x = mean + spread
    total = 0.0
    for move, u in zip(proposals, thresholds, strict=True):
        y = x + spread * move
        if -0.5 * ((y - mean) / spread) ** 2 + 0.5 * ((x - mean) / spread) ** 2 > np.log(u):
            x = y
        total += x * x
    return total / len(proposals)


def ising_field(spins, field, coupling, rounds):
    """Mean-field magnetisation of a lattice, with neighbours on a torus, in place."""
    for _ in range(rounds):
        near = np.roll(spins, 1, 0) + np.roll(spins, -1, 0)
        near += np.roll(spins, 1, 1) + np.roll(spins, -1, 1)
        spins[:, :] = np.tanh(coupling * near + field)
    return np.mean(spins)


def normal_cdf(x):
    """The distribution function of the normal distribution."""
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def option_price(spot, strike, rate, sigma, T):
    """A European call by Black and Scholes."""
    d1 = (math.log(spot / strike) + (rate + 0.5 * sigma**2) * T) / (sigma * math.sqrt(T))
    d2 = d1 - sigma * math.sqrt(T)
    return spot * normal_cdf(d1) - strike * math.exp(-rate * T) * normal_cdf(d2)


def binomial_tree(spot, strike, rate, sigma, T, n):
    """An American put on a binomial tree, rolled back in place."""
    dt = T / n
    up = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(rate * dt) - 1.0 / up) / (up - 1.0 / up)
    prices = spot * up ** (2.0 * np.arange(n + 1) - n)
    value = np.maximum(strike - prices, 0.0)
    for level in range(n - 1, -1, -1):
        prices = spot * up ** (2.0 * np.arange(level + 1) - level)
        kept = np.exp(-rate * dt) * (p * value[1:] + (1.0 - p) * value[:-1])
        value = np.maximum(kept, strike - prices)
    return value[0]


def asian_paths(spot, sigma, rate, draws, strike):
    """The mean pay-off of an Asian option over paths whose draws are given."""
    paths, steps = draws.shape
    dt = 1.0 / steps
    steps_log = (rate - 0.5 * sigma**2) * dt + sigma * math.sqrt(dt) * draws
    prices = spot * np.exp(np.cumsum(steps_log, axis=1))
    return np.exp(-rate) * np.mean(np.maximum(np.mean(prices, axis=1) - strike, 0.0))


def epidemic(beta, gamma, state, days):
    """Susceptible, infected, recovered: the peak of the infected."""
    s, i, r = state
    peak = i
    for _ in range(days):
        new, well = beta * s * i, gamma * i
        s, i, r = s - new, i + new - well, r + well
        peak = max(peak, i)
    return peak + 0.1 * r


def transport_slab(sigma, source, weights, angles, passes):
    """Discrete ordinates through a slab: sweeps to the right and left, source iteration."""
    n = len(sigma)
    flux = np.zeros(n)
    for _ in range(passes):
        new = np.zeros(n)
        for w, mu in zip(weights, angles, strict=True):
            psi = 0.0
            order = range(n) if mu > 0 else range(n - 1, -1, -1)
            for i in order:
                psi = (abs(mu) * psi + 0.5 * (flux[i] * 0.5 + source[i])) / (abs(mu) + sigma[i])
                new[i] += w * psi
        flux = new
    return np.sum(flux**2)


def molecules_on_a_lattice(f, omega, steps):
    """Lattice Boltzmann on a line: collide towards equilibrium, then stream both ways."""
    for _ in range(steps):
        rho = f[0] + f[1] + f[2]
        u = (f[2] - f[0]) / rho
        f[0] += omega * (rho * (1.0 / 6.0 - 0.5 * u + 0.5 * u**2) - f[0])
        f[1] += omega * (rho * (2.0 / 3.0 - u**2) - f[1])
        f[2] += omega * (rho * (1.0 / 6.0 + 0.5 * u + 0.5 * u**2) - f[2])
        f[0] = np.roll(f[0], -1)
        f[2] = np.roll(f[2], 1)
    return np.sum(f[1] * f[2])


def self_energies(G, D, H, neighbours):
    """Scattering: self energies gather products of Green's functions over energies and phonons."""
    momenta, energies, atoms, n, _ = G.shape
    sigma = np.zeros_like(G)
    for k in range(momenta):
        for e in range(energies):
            for q in range(D.shape[0]):
                for w in range(D.shape[1]):
                    for a in range(atoms):
                        for b in range(neighbours.shape[1]):
                            if e - w >= 0:
                                other = neighbours[a, b]
                                left = H[a, b] @ G[(k - q) % momenta, e - w, other]
                                sigma[k, e, a] += D[q, w, a, b] * (left @ H[a, b].T)
    return np.sum(sigma**2)


def orbit_by_kepler(mean_anomaly, eccentricity):
    """Kepler's equation by Newton's method until it settles."""
    E = mean_anomaly
    while abs(E - eccentricity * math.sin(E) - mean_anomaly) > 1e-12:
        slope = 1.0 - eccentricity * math.cos(E)
        E = E - (E - eccentricity * math.sin(E) - mean_anomaly) / slope
    return (1.0 - eccentricity) ** 2 * math.cos(E) + math.sin(E)


def draw(rng: np.random.Generator, *shape: int) -> Any:
    """Return positive numbers around one."""
    return rng.uniform(0.4, 1.4, shape)


LINKS = [(0, 1), (1, 2), (2, 0)]
NEAR = np.array([[1], [0]])

CASES: dict[Callable[..., Any], Callable[[np.random.Generator], tuple[Any, ...]]] = {
    bodies: lambda g: (draw(g, 3, 1), draw(g, 3, 3), draw(g, 3, 3), 2, 0.05, 1.0, 0.2),
    bodies_by_pairs: lambda g: (draw(g, 3), draw(g, 3, 2), draw(g, 3, 2), 0.1, 2),
    lennard_jones: lambda g: (2.0 * draw(g, 4, 3), 0.7, 0.8),
    springs: lambda g: (draw(g, 3, 2), LINKS, [0.9, 1.1, 0.7], 2.0, 0.1, 2),
    energy_of_all: lambda g: ([(1.0, 0.2), (0.7, -0.1)], 0.3),
    lorenz: lambda g: (draw(g, 3), 10.0, 28.0, 8.0 / 3.0, 0.01, 3),
    logistic_lyapunov: lambda g: (3.7, 0.3, 4),
    adaptive_decay: lambda g: (1.2, 0.9, 2e-3),
    neural_flow: lambda g: (draw(g, 2), draw(g, 3, 2), draw(g, 3), draw(g, 2, 3), 0.1, 3),
    double_pendulum: lambda g: ((0.7, 1.1), (0.2, -0.3), 0.02, 4),
    metropolis: lambda g: (0.4, 0.8, g.standard_normal(6), g.uniform(0.3, 0.7, 6)),
    ising_field: lambda g: (draw(g, 3, 4), draw(g, 3, 4), 0.3, 3),
    option_price: lambda g: (100.0, 105.0, 0.03, 0.2, 0.7),
    binomial_tree: lambda g: (100.0, 104.0, 0.05, 0.3, 1.0, 5),
    asian_paths: lambda g: (100.0, 0.2, 0.03, g.standard_normal((6, 4)), 98.0),
    epidemic: lambda g: (1.5, 0.4, (0.9, 0.1, 0.0), 8),
    transport_slab: lambda g: (
        draw(g, 4),
        draw(g, 4),
        np.array([0.6, 0.4]),
        np.array([0.7, -0.4]),
        2,
    ),
    molecules_on_a_lattice: lambda g: (draw(g, 3, 5), 0.8, 2),
    self_energies: lambda g: (
        draw(g, 2, 2, 2, 2, 2),
        draw(g, 1, 2, 2, 1),
        draw(g, 2, 1, 2, 2),
        NEAR,
    ),
    orbit_by_kepler: lambda g: (0.8, 0.3),
}
