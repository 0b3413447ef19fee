"""Small functions whose values the tests of facts look at."""

# ruff: noqa: B007, F841 (the values are looked at, not used)

from __future__ import annotations

from typing import Any

import numpy as np


def slices(u, v):
    a = u[2:]
    b = u[1:-1]
    c = u[:-2]
    d = a - 2.0 * b + c
    e = u[:2]
    f = v[::2]
    g = v[::2] + f
    h = b[1:]


def made(x, n):
    a = np.zeros(len(x))
    b = np.zeros(x.shape[0])
    c = np.zeros(x.shape)
    d = np.zeros_like(x)
    e = np.empty(x.size)
    f = np.zeros((3, 3))
    g = np.zeros(n)
    h = np.ones(n) + g
    m = len(x)
    i = np.zeros(m - 2)
    j = i + x[1:-1]
    k = np.zeros(n + 1)[1:] + g
    p = np.zeros(2 * n) + np.zeros(2 * n)


def misfit(W, m, d):
    r = np.dot(W, m) - d
    s = np.tanh(r)
    return 0.5 * np.sum(s * s)


def trimmed(u, v):
    return u[1:-1] * v[2:]


def crossed(u, v):
    return u[1:] * v


def spread(col, row):
    return col * row


def with_constant(u):
    return u * np.ones(4)


def less_constant(u):
    return u - np.array([1.0, 2.0, 3.0, 4.0])


def with_constant_perhaps(u, c):
    if c > 2.0:
        u = less_constant(u)
    return u


def calls_with_constant(u, c):
    return c * less_constant(u)


def written(u, A, v):
    A[0] = v
    u[1:-1] += v[:-2]


def by_shape(u, v):
    if len(u) == len(v):
        y = u * v
    else:
        y = u * v[0]
    return y


def by_value(u, v):
    if u[0] > 0.0:
        y = u * v
    else:
        y = u
    return y


def stepped(u, f, nt):
    for t in range(nt):
        u = u + 0.1 * f
    return np.sum(u)


def implied(A, u, nt):
    for t in range(nt):
        total = np.sum(np.dot(A, u))
    return np.sum(u)


def smooth(u, c):
    a = u[1:-1] + u[2:] - u[:-2]
    b = np.sin(u) + 1.0
    u[1:-1] += c * a
    d = u * b
    e = u[0]
    f = np.zeros_like(u)
    g = np.zeros(u.shape)
    h = u + c


def doubled(x):
    y = unheard_of(x)
    return y * y + np.sin(y)


def unheard_of(x: Any) -> Any:
    return x.whatever()


def elements(r, W, k):
    a = r[k]
    b = W[k]
    c = W[k, 0]
    d = abs(a) + 1
    e = float(a)
    f = r[[0, 1]]
    g = r[r > 0.0]
    h = W[:, None, k]
    for x in r:
        i = x
    for x in W:
        j = x


def counted(x, n):
    total = 0
    for i in range(n):
        total += x[i] ** 2
    power = 1
    while power < n:
        power = power * 2
    mixed = 0.0
    if n > 2:
        mixed = x
    return total


def late(n):
    for i in range(n):
        for j in range(n):
            k = i + j
        last = float(k)
    return last


def grown(x, n):
    for i in range(n):
        x = np.concatenate((x, np.zeros(1)))
    y = x + x
    return y


def swapped(a, b, n):
    for i in range(n):
        a, b = b, a
    return a


def carried(x, n):
    before = np.zeros(0)
    for i in range(n):
        now = np.zeros(i)
        gap = now + before
        before = now
    return x


def transposed(A, n):
    for i in range(n):
        A = A.T
    return A


def layer(x, W, b):
    return np.tanh(x @ W + b)


def mlp_loss(params, x, y):
    for W, b in params:
        x = layer(x, W, b)
    return np.mean((x - y) ** 2)


def nested_lists(n, x):
    saved = []
    for i in range(n):
        saved.append((x[:i], i))
    last, number = saved[-1]
    out = saved.pop()
    rows = [x, x + 1.0]
    row = rows[n]


def outside(u, v):
    y = inside(u, v)
    return y + u


def inside(x, y):
    if np.ndim(x) == 0:
        return x
    return x * y


def recursive(x, n):
    if n == 0:
        return x
    return recursive(x, n - 1)


def scoped(n, k, s):
    x = np.zeros(n)
    y = np.ones(k)
    if s > 0.0:
        s = np.dot(x, y)
    z = x + y
    return s
