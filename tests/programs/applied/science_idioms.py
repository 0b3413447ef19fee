"""What the sciences write: lattices with masks, factors whose signs are settled, guarded roots."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from tests.programs.entry import Entry, numbers

OPPOSITE = [0, 2, 1]


def attended(scores, values):
    weights = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return np.sum(((weights @ values) / np.sum(weights, axis=1, keepdims=True)) ** 2)


def bounced_back(f, tau, wall):
    """Lattice Boltzmann: what is taken by a mask or by a list is a copy."""
    f = f * 1.0
    total = 0.0
    for _ in range(3):
        for q in range(3):
            f[q] = np.roll(f[q], q - 1)
        inner = f[:, wall]
        back = inner[OPPOSITE, :]
        rho = np.sum(f, axis=0)
        f += (rho * np.array([[0.5], [0.25], [0.25]]) - f) / tau
        f[:, wall] = back
        total += np.sum(rho[~wall] ** 2)
    return total


def rotated_onto(P, Q):
    """Kabsch: of the arrays that a factorisation gives one is written to, the others are not."""
    U, S, Vt = np.linalg.svd(P.T @ Q)
    R = Vt.T @ U.T
    if np.linalg.det(R) < 0:
        Vt[-1] *= -1
        R = Vt.T @ U.T
    return np.sum((P @ R.T - Q) ** 2) + S[0]


def full_truncation(v0, kappa, xi, Z):
    """Heston: a variance that fell below 0 counts as 0, and its root has no slope there."""
    log_s, v = np.zeros(Z.shape[1]), np.full(Z.shape[1], v0)
    for z in Z:
        up = np.maximum(v, 0.0)
        log_s += np.sqrt(up * 0.1) * z - 0.05 * up
        v += kappa * (0.04 - up) * 0.1 + xi * np.sqrt(up * 0.1) * z[::-1]
    return np.mean(np.exp(log_s) ** 2)


def waves_of_a_dict(h, u):
    """Shallow water: functions that are made inside are handed dicts and objects, and give such."""

    def rate(a):
        return a.gravity * 0.5

    c = SimpleNamespace(gravity=9.81)
    state = {"h": h.copy(), "hu": h * u}

    def flux(s):
        v = s["hu"] / s["h"]
        return {"h": s["hu"], "hu": s["hu"] * v + rate(c) * s["h"] ** 2}

    for _ in range(2):
        F = flux(state)
        speed = np.max(np.abs(state["hu"] / state["h"]) + np.sqrt(c.gravity * state["h"]))
        new = {}
        for k in state:
            q, f = state[k], F[k]
            mean = 0.5 * (np.roll(q, -1) + np.roll(q, 1))
            new[k] = mean - 0.2 / speed * (np.roll(f, -1) - np.roll(f, 1))
        state = new
    return np.sum(state["hu"] ** 2 / state["h"])


def make_midpoint(f):
    def step(y, t, h):
        return y + h * f(y + 0.5 * h * f(y, t), t + 0.5 * h)

    return step


def stepped_by_what_was_made(theta, y):
    """A function made inside is handed to one of the module's that makes a third."""
    a, b = theta

    def rate(y, t):
        return np.array([a * y[0] - y[0] * y[1], b * y[0] * y[1] - y[1] * np.cos(t)])

    step = make_midpoint(rate)
    for i in range(2):
        for j in range(2):
            y = step(y, 0.1 * (2 * i + j), 0.1)
    return y[0] * y[1]


def with_ones(weights, *args):
    """A recurrent net's: what is joined are the arguments that there are, and ones."""
    joined = np.hstack(args + (np.ones((args[0].shape[0], 1)),))  # noqa: RUF005
    return np.dot(joined, weights)


def recurrent(params, inputs):
    state = np.repeat(params["start"], inputs.shape[1], axis=0)
    outputs = [with_ones(params["predict"], state)]
    for given in inputs:
        state = np.tanh(with_ones(params["change"], given, state))
        outputs.append(with_ones(params["predict"], state))
    return sum(np.sum(out * given) for out, given in zip(outputs[1:], inputs, strict=True))


def layers_of_a_vector(weights, x):
    """The outputs of the last layer are read after the loop: each layer has a length of its own."""
    for m, n in ((1, 4), (4, 3), (3, 1)):
        W = weights[: m * n].reshape(m, n)
        weights = weights[m * n :]
        outputs = x @ W
        x = np.exp(-(outputs**2))
    return np.sum(outputs**2)


def penalised(layers):
    """Weights and biases are views of one rank, joined in several ways."""
    flat = np.concatenate([np.ravel(p) for layer in layers for p in layer])
    halves = np.hstack([W.ravel() for W, _ in layers] + [b for _, b in layers])
    rows = np.concatenate([np.r_[W.ravel(), b] for W, b in layers])
    return flat @ flat + np.sum(np.sin(halves)) + rows @ np.cos(rows)


def on_a_grid(shift, turn, image, order=1):
    """Places of a grid by brackets."""
    y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]].astype(float)
    rows = np.cos(turn) * y - np.sin(turn) * x + shift
    return np.sum((rows - image) ** 2) / order


def on_an_open_grid(a, image):
    n, m = image.shape
    rows, columns = np.ogrid[:n, 1 : m + 1]
    return np.sum(np.sin(a * rows) * columns * image) + np.sum(np.mgrid[0:n] * a**2)


def volumes(nodes, kappa, simplices):
    """Finite elements: a row of ones above as many corners as a list of positions has."""
    total = 0.0
    for e, (i, j, k) in enumerate(simplices):
        B = np.vstack([np.ones(3), nodes[[i, j, k]].T])
        total += kappa[e] * np.linalg.det(B) ** 2
    return total


def weighted(v):
    left, here = np.roll(v, 1), v * v
    shares = [d / (1.0 + b) ** 2 for d, b in zip((0.1, 0.6), (left**2, here), strict=True)]
    return sum(shares)


def advected(u):
    """WENO: a sum of a list may be the number 0, and what is computed of it has no known shape."""
    for _ in range(2):
        u = u + weighted(u) - np.roll(weighted(u), 1)
    return np.sum(u**2)


PAIRS = [(numbers(3, 4), numbers(4)), (numbers(4, 2, start=0.3), numbers(2))]
NET = {"start": numbers(1, 3), "change": numbers(6, 3), "predict": numbers(4, 2)}
WALL = np.array([False, True, False, True, False])


def haversine(angle):
    return (1.0 - np.cos(angle)) / 2.0


def separation(lon, lat, lon_1, lat_1, degrees=True):
    if degrees:
        lon, lat = np.radians(lon), np.radians(lat)
        lon_1, lat_1 = np.radians(lon_1), np.radians(lat_1)
    separation_rad = 2 * np.arcsin(
        np.sqrt(haversine(lat - lat_1) + np.cos(lat) * np.cos(lat_1) * haversine(lon - lon_1))
    )
    return np.degrees(separation_rad) if degrees else separation_rad


def predator_and_prey(y, p):
    a, b, c, d = p
    return np.array([a * y[0] - b * y[0] * y[1], -c * y[1] + d * y[0] * y[1]])


class RungeKutta:
    """A method by its tableau, for a right side that it is given."""

    def __init__(self, slope, order=4):
        tables = {
            2: ([[], [0.5]], [0.0, 1.0]),
            4: ([[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6]),
        }
        self.slope = slope
        self.rows, self.weights = tables[order]

    def step(self, y, h, *args):
        slopes = []
        for row in self.rows:
            change = 0
            for a, k in zip(row, slopes, strict=True):
                change = change + a * k
            slopes.append(self.slope(y + h * change, *args))
        return y + h * sum(b * k for b, k in zip(self.weights, slopes, strict=True))

    def solve(self, y, times, *args):
        found = [y]
        for k in range(len(times) - 1):
            found.append(self.step(found[-1], times[k + 1] - times[k], *args))
        return np.array(found)


def fitted_by_a_solver(y, p, data):
    times = np.linspace(0.0, 1.0, 3)
    path = RungeKutta(predator_and_prey).solve(y, times, p)
    other = RungeKutta(predator_and_prey, order=2).solve(y, times, p)
    return np.sum((path - data) ** 2) + np.sum(other[-1])


def stepped_by_a_solver(y, p):
    solver = RungeKutta(predator_and_prey)
    for _ in range(2):
        y = solver.step(y, 0.1, p)
    return np.sum(y * y)


class Holder:
    def __init__(self, function):
        self.function = function
        self.pairs = [[0.0, 0.5], [1.0, 2.0]]


def function_of_a_holder(u):
    held = Holder(np.tanh if u.ndim > 1 else predator_and_prey)
    slopes = []
    for _ in range(2):
        slopes.append(held.function(u, np.ones(4)))
    return np.sum(slopes[0] * slopes[1])


PROGRAMS = (
    Entry(attended, (numbers(3, 4), numbers(4, 2)), (0, 1)),
    Entry(separation, (0.37, 0.58, 0.79, 1.0), (0, 1, 2, 3)),
    Entry(full_truncation, (0.04, 1.5, 2.3, 2.0 * numbers(4, 5)), (0, 1, 2)),
    Entry(bounced_back, (1.0 + 0.2 * numbers(3, 5), 0.8, WALL), (0, 1), like_only=True),
    Entry(rotated_onto, (numbers(4, 3), -numbers(4, 3, start=0.7)), (0, 1)),
    Entry(
        waves_of_a_dict,
        (2.0 + 0.1 * numbers(5), 0.3 * numbers(5, start=0.6)),
        (0, 1),
        may_refuse=True,
    ),
    Entry(recurrent, (NET, numbers(4, 3, 2, start=0.2)), (0, 1), like_only=True),
    Entry(layers_of_a_vector, (numbers(19), numbers(2, 1)), (0, 1), like_only=True),
    Entry(on_a_grid, (0.3, 0.2, numbers(4, 5)), (0, 1, 2), like_only=True),
    Entry(
        volumes,
        (numbers(4, 2), numbers(2, start=1.2), np.array([[0, 1, 2], [1, 3, 2]])),
        (0, 1),
        like_only=True,
    ),
    Entry(advected, (numbers(4),)),
    Entry(on_an_open_grid, (0.7, numbers(3, 4)), (0, 1)),
    Entry(penalised, (PAIRS,), (0,), like_only=True),
    Entry(stepped_by_what_was_made, (numbers(2), numbers(2, start=0.6)), (0, 1)),
    Entry(
        fitted_by_a_solver,
        (numbers(2), numbers(4, start=0.6), numbers(3, 2)),
        (0, 1),
        like_only=True,
    ),
    Entry(stepped_by_a_solver, (numbers(2), numbers(4, start=0.6)), (0, 1), like_only=True),
    Entry(function_of_a_holder, (numbers(2),), like_only=True),
)
