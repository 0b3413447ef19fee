"""Filters, transforms, sequences and images: recursions along time and dynamic programming.

Each function returns a scalar; `CASES` has arguments for each, drawn with a generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def deriche(alpha, image):
    """Deriche's recursive smoothing along the rows: a pass each way, then their sum."""
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + 2.0 * alpha * np.exp(-alpha) - np.exp(-2.0 * alpha))
    b1, b2 = 2.0 * np.exp(-alpha), -np.exp(-2.0 * alpha)
    a2, a3 = k * np.exp(-alpha) * (alpha - 1.0), k * np.exp(-alpha) * (alpha + 1.0)
    a4 = -k * np.exp(-2.0 * alpha)
    n = image.shape[1]
    right, left = np.zeros_like(image), np.zeros_like(image)
    right[:, 0] = k * image[:, 0]
    right[:, 1] = k * image[:, 1] + a2 * image[:, 0] + b1 * right[:, 0]
    for j in range(2, n):
        right[:, j] = k * image[:, j] + a2 * image[:, j - 1]
        right[:, j] += b1 * right[:, j - 1] + b2 * right[:, j - 2]
    left[:, -2] = a3 * image[:, -1]
    for j in range(n - 3, -1, -1):
        left[:, j] = a3 * image[:, j + 1] + a4 * image[:, j + 2]
        left[:, j] += b1 * left[:, j + 1] + b2 * left[:, j + 2]
    return np.sum((right + left) ** 2)


def fast_fourier(re, im, passes):
    """Stockham's autosorting Fourier transform of length 2**passes, real and imaginary parts."""
    n = re.shape[0]
    for s in range(passes):
        span = 2**s
        half = n // (2 * span)
        new_re, new_im = np.empty_like(re), np.empty_like(im)
        for p in range(half):
            c, d = math.cos(math.pi * p / half), -math.sin(math.pi * p / half)
            for q in range(span):
                i, j = q + span * p, q + span * (p + half)
                br, bi = re[i] - re[j], im[i] - im[j]
                new_re[q + span * 2 * p] = re[i] + re[j]
                new_im[q + span * 2 * p] = im[i] + im[j]
                new_re[q + span * (2 * p + 1)] = br * c - bi * d
                new_im[q + span * (2 * p + 1)] = br * d + bi * c
        re, im = new_re, new_im
    return np.sum((re**2 + im**2) ** 1.5)


def fourier_by_matrix(x):
    """The energy in each frequency by the definition of the transform."""
    n = x.shape[0]
    angle = 2.0 * np.pi * np.outer(np.arange(n), np.arange(n)) / n
    power = (np.cos(angle) @ x) ** 2 + (np.sin(angle) @ x) ** 2
    return np.sum(np.log(1.0 + power))


def power_spectrum(x):
    """The energy in each frequency by the fast Fourier transform."""
    return np.sum(np.log(1.0 + np.abs(np.fft.rfft(x)) ** 2))


def radial_bins(image, radius, bins):
    """Azimuthal integration: the mean of the pixels in each ring around a centre."""
    means = np.zeros(bins)
    outer = np.max(radius)
    for i in range(bins):
        ring = (radius >= outer * i / bins) & (radius < outer * (i + 1) / bins)
        if np.any(ring):
            means[i] = np.mean(image[ring])
    return np.sum(means**2)


def contour_integral(coefficients, radius, points):
    """Residues: an integral of 1 / p(z) around a circle by the trapezoidal rule, in parts."""
    total_re, total_im = 0.0, 0.0
    for k in range(points):
        angle = 2.0 * math.pi * k / points
        x, y = radius * math.cos(angle), radius * math.sin(angle)
        p, q = coefficients[0], 0.0
        for c in coefficients[1:]:
            p, q = p * x - q * y + c, p * y + q * x
        size = p * p + q * q
        total_re += (x * p + y * q) / size
        total_im += (y * p - x * q) / size
    return (total_re**2 + total_im**2) / points**2


def complex_contour(coefficients, radius, points):
    """Residues by the trapezoidal rule around a circle, in complex numbers."""
    angle = 2.0 * np.pi * np.arange(points) / points
    z = radius * np.exp(1j * angle)
    return np.abs(np.mean(z / np.polyval(coefficients, z))) ** 2


def coloured_escape(width, height, limit, palette):
    """Escape times of z -> z^2 + c, which nothing is differentiated through, pick weights."""
    total = 0.0
    for i in range(height):
        for j in range(width):
            c = complex(-2.0 + 3.0 * j / width, -1.2 + 2.4 * i / height)
            z, n = 0j, 0
            while abs(z) <= 2.0 and n < limit:
                z = z * z + c
                n += 1
            total += palette[n % len(palette)] ** 2
    return total


def with_checksum(data, weights):
    """A cyclic checksum of bytes, all integers, chooses which weight the result is made of."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021) & 0xFFFF if crc & 0x8000 else (crc << 1) & 0xFFFF
    return weights[crc % len(weights)] * np.sum(weights**2)


def best_folding(pairing):
    """Nussinov's recursion with real scores: the largest sum of nested pairs."""
    n = pairing.shape[0]
    best = np.zeros((n, n))
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            top = max(best[i, j - 1], best[i + 1, j])
            top = max(top, best[i + 1, j - 1] + pairing[i, j])
            for k in range(i + 1, j):
                top = max(top, best[i, k] + best[k + 1, j])
            best[i, j] = top
    return best[0, n - 1]


def soft_alignment(a, b, gamma):
    """Dynamic time warping with a soft minimum."""
    n, m = len(a), len(b)
    cost = np.full((n + 1, m + 1), 1e6)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            moves = np.array([cost[i - 1, j - 1], cost[i - 1, j], cost[i, j - 1]])
            low = np.min(moves)
            soft = low - gamma * np.log(np.sum(np.exp((low - moves) / gamma)))
            cost[i, j] = (a[i - 1] - b[j - 1]) ** 2 + soft
    return cost[n, m]


def hidden_markov(start, transition, emission, observed):
    """The forward algorithm in logarithms: the likelihood of what was observed."""
    alpha = start + emission[:, observed[0]]
    for symbol in observed[1:]:
        joint = alpha[:, np.newaxis] + transition
        top = np.max(joint, axis=0)
        alpha = top + np.log(np.sum(np.exp(joint - top), axis=0)) + emission[:, symbol]
    return np.log(np.sum(np.exp(alpha)))


def best_path(start, transition, emission, observed):
    """Viterbi's algorithm: the score of the best path, found again by its back pointers."""
    score = start + emission[:, observed[0]]
    back = []
    for symbol in observed[1:]:
        joint = score[:, None] + transition
        back.append(np.argmax(joint, axis=0))
        score = np.max(joint, axis=0) + emission[:, symbol]
    state = int(np.argmax(score))
    total = emission[state, observed[-1]]
    for t in range(len(back) - 1, -1, -1):
        previous = back[t][state]
        total = total + transition[previous, state] + emission[previous, observed[t]]
        state = previous
    return total + start[state]


def kalman(x, P, F, Q, H, R, measured):
    """A Kalman filter: the negative log-likelihood of what was measured."""
    loss = 0.0
    for z in measured:
        x = F @ x
        P = F @ P @ F.T + Q
        miss = z - H @ x
        S = H @ P @ H.T + R
        gain = P @ H.T @ np.linalg.inv(S)
        x = x + gain @ miss
        P = P - gain @ H @ P
        loss += 0.5 * miss @ np.linalg.solve(S, miss) + 0.5 * np.log(np.linalg.det(S))
    return loss


def smoothed_levels(y, alpha, beta):
    """Holt's double exponential smoothing: squared errors of the forecasts one step ahead."""
    level, trend = y[0], y[1] - y[0]
    error = 0.0
    for value in y[2:]:
        forecast = level + trend
        error += (value - forecast) ** 2
        last = level
        level = alpha * value + (1.0 - alpha) * forecast
        trend = beta * (level - last) + (1.0 - beta) * trend
    return error


def volatility(returns, omega, alpha, beta):
    """The likelihood of a GARCH(1,1) process."""
    variance = np.empty_like(returns)
    variance[0] = np.mean(returns**2)
    for t in range(1, len(returns)):
        variance[t] = omega + alpha * returns[t - 1] ** 2 + beta * variance[t - 1]
    return 0.5 * np.sum(np.log(variance) + returns**2 / variance)


def biquad(b, a, x):
    """A recursive filter of second order, transposed direct form."""
    s1, s2 = 0.0, 0.0
    y = np.zeros_like(x)
    for n in range(len(x)):
        y[n] = b[0] * x[n] + s1
        s1 = b[1] * x[n] - a[0] * y[n] + s2
        s2 = b[2] * x[n] - a[1] * y[n]
    return np.sum(y**2)


def lifted_wavelet(x, levels):
    """Haar's wavelets by lifting, in place: details become odd, means even positions."""
    step = 1
    for _ in range(levels):
        x[step :: 2 * step] -= x[:: 2 * step]
        x[:: 2 * step] += 0.5 * x[step :: 2 * step]
        step *= 2
    return np.sum(np.abs(x) ** 1.5)


def total_variation(image, noisy, weight):
    """Denoising: the misfit to an image and the total variation, smoothed at zero."""
    dx = image[1:, :-1] - image[:-1, :-1]
    dy = image[:-1, 1:] - image[:-1, :-1]
    return 0.5 * np.sum((image - noisy) ** 2) + weight * np.sum(np.sqrt(dx**2 + dy**2 + 1e-3))


def trace_added(A):
    """A diagonal summed through a squashing function in a loop, and added to all."""
    total = 0.0
    for i in range(A.shape[0]):
        total += np.tanh(A[i, i])
    return np.sum((A + total) ** 2)


def clipped_sum(x, y, a, b):
    """Columns clipped to a range, scaled and shifted by their median place."""
    low, high = 0.6, 1.2
    return np.sum(np.clip(x, low, high) * a + np.clip(y, low, high) * b)


def histogram_of_weights(values, places, bins):
    """A weighted histogram, one count at a time."""
    counts = np.zeros(bins)
    for i in range(len(values)):
        if 0 <= places[i] < bins:
            counts[places[i]] += values[i]
    return np.sum(counts**2)


def horner(coefficients, x):
    """A polynomial and its derivative by Horner's rule."""
    p, slope = 0.0, 0.0
    for c in coefficients:
        slope = slope * x + p
        p = p * x + c
    return p * slope


def bisected_root(a, low, high):
    """A root of x^3 + a x - 1 by bisection, then one step of Newton's that carries the slope."""
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        if middle**3 + a * middle > 1.0:
            high = middle
        else:
            low = middle
    x = 0.5 * (low + high)
    return x - (x**3 + a * x - 1.0) / (3.0 * x * x + a)


def simpson(a, b, k, n):
    """Simpson's rule for an oscillating integrand."""
    h = (b - a) / n
    total = math.exp(-a) * math.sin(k * a) + math.exp(-b) * math.sin(k * b)
    for i in range(1, n):
        x = a + i * h
        total += (4.0 if i % 2 else 2.0) * math.exp(-x) * math.sin(k * x)
    return total * h / 3.0


def romberg(a, b, levels):
    """Romberg's table of trapezoidal sums of exp(-x^2), in place."""
    table = np.zeros((levels, levels))
    for i in range(levels):
        n = 2**i
        x = a + (b - a) * np.arange(n + 1) / n
        y = np.exp(-(x**2))
        table[i, 0] = (b - a) / n * (np.sum(y) - 0.5 * (y[0] + y[-1]))
        for j in range(1, i + 1):
            table[i, j] = table[i, j - 1] + (table[i, j - 1] - table[i - 1, j - 1]) / (4.0**j - 1)
    return table[levels - 1, levels - 1]


def natural_spline(x, y, t):
    """The value of a natural cubic spline at t: a tridiagonal solve, then one piece."""
    n = len(x)
    h = x[1:] - x[:-1]
    A = np.eye(n)
    r = np.zeros(n)
    for i in range(1, n - 1):
        A[i, i - 1], A[i, i], A[i, i + 1] = h[i - 1], 2.0 * (h[i - 1] + h[i]), h[i]
        r[i] = 6.0 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    m = np.linalg.solve(A, r)
    k = int(np.searchsorted(x, t)) - 1
    u, v = t - x[k], x[k + 1] - t
    value = (m[k] * v**3 + m[k + 1] * u**3) / (6.0 * h[k])
    return (
        value
        + (y[k] / h[k] - m[k] * h[k] / 6.0) * v
        + (y[k + 1] / h[k] - m[k + 1] * h[k] / 6.0) * u
    )


def draw(rng: np.random.Generator, *shape: int) -> Any:
    """Return positive numbers around one."""
    return rng.uniform(0.4, 1.4, shape)


SEEN = np.array([0, 2, 1, 1])
PLACES = np.array([0, 2, 2, 5, 1])

CASES: dict[Callable[..., Any], Callable[[np.random.Generator], tuple[Any, ...]]] = {
    deriche: lambda g: (0.5, draw(g, 3, 6)),
    fast_fourier: lambda g: (draw(g, 8), draw(g, 8), 3),
    fourier_by_matrix: lambda g: (draw(g, 6),),
    power_spectrum: lambda g: (draw(g, 8),),
    radial_bins: lambda g: (draw(g, 5, 5), np.abs(g.standard_normal((5, 5))), 3),
    contour_integral: lambda g: (draw(g, 4), 2.5, 6),
    complex_contour: lambda g: (draw(g, 4), 2.5, 6),
    coloured_escape: lambda g: (4, 3, 10, draw(g, 4)),
    with_checksum: lambda g: (b"adjoint", draw(g, 5)),
    best_folding: lambda g: (g.standard_normal((6, 6)),),
    soft_alignment: lambda g: (draw(g, 4), draw(g, 3), 0.3),
    hidden_markov: lambda g: (draw(g, 2), draw(g, 2, 2), draw(g, 2, 3), SEEN),
    best_path: lambda g: (draw(g, 3), draw(g, 3, 3), draw(g, 3, 3), SEEN),
    kalman: lambda g: (
        draw(g, 2),
        np.eye(2) + 0.1,
        draw(g, 2, 2),
        np.eye(2),
        draw(g, 2, 2),
        2.0 * np.eye(2),
        draw(g, 3, 2),
    ),
    smoothed_levels: lambda g: (draw(g, 7), 0.4, 0.3),
    volatility: lambda g: (draw(g, 6), 0.1, 0.2, 0.6),
    biquad: lambda g: (draw(g, 3), 0.3 * draw(g, 2), draw(g, 6)),
    lifted_wavelet: lambda g: (draw(g, 8), 3),
    total_variation: lambda g: (draw(g, 4, 5), draw(g, 4, 5), 0.3),
    trace_added: lambda g: (draw(g, 4, 4),),
    clipped_sum: lambda g: (draw(g, 6), draw(g, 6), draw(g, 6), 0.4),
    histogram_of_weights: lambda g: (draw(g, 5), PLACES, 4),
    horner: lambda g: (draw(g, 5), 0.7),
    bisected_root: lambda g: (0.8, 0, 2),
    simpson: lambda g: (0.2, 1.7, 2.0, 6),
    romberg: lambda g: (0.1, 1.2, 4),
    natural_spline: lambda g: (np.array([0.0, 0.8, 1.9, 2.7, 4.0]), draw(g, 5), 2.2),
}
