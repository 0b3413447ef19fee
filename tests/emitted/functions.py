"""Functions whose derivatives are kept as golden files beside the eight hand-written targets."""

import math

import numpy as np

GRAVITY = 9.81


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def mean_squares(A, x, b):
    r = A @ x - b
    return np.mean(r**2)


def cube(x, scale=2.0):
    return scale * x**3


def slope(a, k=1.0):
    return a * math.sin(k * a)


def both_slopes(x, y):
    u = slope(x)
    v = slope(y)
    return u * v


def relaxed(x, low):
    # the smaller of two starts
    t = x if x > low else low
    for p in range(3):
        for q in range(2):
            t = t * math.sin(t + q)
        t = t + x * p
    return t


def row_products(A, b):
    total = 0.0
    for row in A:
        total += np.dot(row, b) ** 2
    return total


def weighted(values, weights):
    total = 0.0
    for value, weight in zip(values, weights):  # noqa: B905
        total += weight * math.exp(value)
    return total


def logistic(x, r, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def fall(height, drag, dt):
    speed = 0.0
    while height > 0.0:
        speed = speed + dt * (GRAVITY - drag * speed**2)
        height = height - dt * speed
    return speed


def horner(coefficients, x):
    y = 0.0 * x
    for i in range(len(coefficients)):
        y = y * x + coefficients[i]
    return y


def clipped_path(x, steps):
    path = []
    path.append(x)
    for i in range(len(steps)):
        x = x + steps[i] * math.cos(x)
        if x < 0.0:
            x = 0.5 * x
        path.append(x)
    return path[-1] * path[0]


def smoothed(u, passes):
    u = u.copy()
    for _ in range(passes):
        u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
    return np.sum(u * u)


def polar(x, y):
    r = np.sqrt(x**2 + y**2)
    phi = np.arctan2(y, x)
    return r, phi


def epidemic(beta, sigma, gamma, days):
    S, E, I, R = 0.97, 0.02, 0.01, 0.0
    peak = 0.0
    for day in range(days):
        caught, ill, well = beta * S * I, sigma * E, gamma * I
        S, E, I, R = S - caught, E + caught - ill, I + ill - well, R + well
        if I > peak:
            peak = I
    return peak - R
