"""The functions whose derivatives the other files of this folder hold."""

import numpy as np


def misfit(W, m, d):
    r = np.dot(W, m) - d
    s = np.tanh(r)
    return 0.5 * np.sum(s * s)


def allen_cahn(u, nu, dt, nt):
    for t in range(nt):
        lap = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
        u = u + dt * (nu * lap + u - u**3)
    return 0.5 * np.sum(u**2)


def smooth(u, c):
    u = u.copy()
    u[1:-1] += c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    u[0] = u[1]
    u[-1] = u[-2]
    return np.sum(u**2)


def newton_sqrt(a, tol):
    x = a
    while abs(x * x - a) > tol:
        x = 0.5 * (x + a / x)
    return x


def huber(r, delta):
    total = 0.0
    for i in range(len(r)):
        a = abs(r[i])
        if a <= delta:
            total += 0.5 * r[i] ** 2
        else:
            total += delta * (a - 0.5 * delta)
    return total


def layer(x, W, b):
    return np.tanh(x @ W + b)


def mlp_loss(params, x, y):
    for W, b in params:
        x = layer(x, W, b)
    return np.mean((x - y) ** 2)


def pendulum(theta, omega, k, dt, n):
    for _ in range(n):
        omega = omega - dt * k * np.sin(theta)
        theta = theta + dt * omega
    return theta


def first_crossing(v, level, dt):
    x = 0.0
    for t in range(len(v)):
        x = x + dt * v[t]
        if x > level:
            return x * x
    return x


# ruff: noqa: B007
