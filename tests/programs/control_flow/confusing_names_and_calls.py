"""Programs whose names, text or way of calling NumPy could confuse."""

from __future__ import annotations

import math
from math import sin

import numpy
import numpy as np
from numpy import cos as cosine

from tests.programs.entry import Entry, numbers


def invented_names_taken(u, left, passes):
    u_saved = np.sin(u)
    u_bar = u_saved * left
    u_term = np.sum(u_bar * u)
    u_old = u_term * passes
    u_term_bar = 0.0
    for i in range(len(u)):
        u_old = u_old * u[i] + left
        u_term_bar += u_old
        if u_old > 2.0:
            break
    return u_term_bar + u_old


def dotted_names_taken(x, x_dot, x_bar):
    x_adj = x * x_dot
    x_tan = x_adj * x_bar
    return np.sin(x_tan) * x


def greek_names(θ, φ):
    λ = θ * np.sin(φ)
    α_1 = λ * λ + φ
    return α_1 * θ


def three_math_names(x):
    return math.sin(x) * sin(x * x) + cosine(x) + numpy.exp(-x)


def names_of_builtins(x, list, sum):
    max = x * list
    len = max * sum + x
    return len * max


def seed_and_value(seed, value, result):
    out = seed * value
    y = out * result
    return y * seed


def docstring_and_comments(x):
    """Return a number.

    With a text of several lines.
    """
    # a comment of its own
    y = x * x  # a remark behind
    assert y >= 0.0, "squares are not negative"
    return y * np.sin(x)


def functions_of_operators(u, v):
    a = np.add(u, v)
    b = np.multiply(a, u)
    c = np.subtract(b, v)
    d = np.divide(c, np.power(2.0 + v, 2))
    return np.sum(np.negative(d) + np.absolute(v))


def methods(u, A):
    return u.sum() * A.mean() + A.dot(u).sum() + u.dot(u) + A.T.sum(axis=0).sum()


def powers(x, y):
    return x**2 + x**3.0 + x**-1 + x**0.5 + 2.0**y + x**y + x**0 + x**1


def power_of_negative(u):
    return np.sum(u**2 + u**3 + u**4.0)


def keyword_arguments(A, u):
    s = np.sum(a=A, axis=0) + np.roll(u, shift=1)
    return (
        np.sum(s, keepdims=False) + np.mean(A, axis=(0, 1)) + np.sum(np.sum(A, -1, keepdims=True))
    )


def clipped(u, c):
    return np.sum(np.clip(u, -0.4, c) * np.maximum(u, 0.1) + np.minimum(u, c) * u)


def where_branches(u, c):
    return np.sum(np.where(u > 0.0, u * c, np.sin(u)) * np.where(u > 0.3, 1.0, u))


def long_products(u, a, b, c):
    return np.sum(0.5 * a * b * u * c * (u - a) * (u + b) / (2.0 + u * u) - a * (b - (c - u)))


def signs(x, y):
    return -(-x) - -y * -x + +x - (x - (y - x)) - (-(x * y))  # noqa: B002


def numbers_of_all_kinds(x):
    return x * 2 + x / 3 - x * 1e-3 + x * 1_000 * -0.25 + 3 - x * True


def float_and_abs(x, y):
    return float(x) * abs(y) + max(x, y) * min(x, y) + sum([x, y * y])


def matmul_of_ranks(A, B, x):
    return (A @ B @ x) @ A[0, : B.shape[0]][: A.shape[0]] if False else np.sum(A @ B @ x) + x @ x


def outer_and_stack(u, v):
    G = np.outer(u, v)
    return np.sum(np.concatenate([u, v]) ** 2) + np.sum(G * G) + np.sum(np.stack([u, v]) ** 3)


def tuple_unpacking(u):
    a, b = u[0], u[1] * u[2]
    (c, d), e = (a * b, b), a
    return a * b + c * d * e


def augmented_elements(u, c):
    u = u.copy()
    u[0] += c
    u[-1] -= u[0] * u[-1]
    u[1:3] *= c
    u[2] /= 2.0 + u[3]
    u[1] **= 2
    return np.sum(u)


def print_inside(x):
    y = x * x
    print(end="")
    return y * x


def one_letter_loop(u):
    e = 0.0
    for e in u:
        e = e * e
    return e


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def runge_kutta(y, k, dt, n):
    for _ in range(n):
        k1 = -k * y + np.sin(y)
        k2 = -k * (y + 0.5 * dt * k1) + np.sin(y + 0.5 * dt * k1)
        k3 = -k * (y + 0.5 * dt * k2) + np.sin(y + 0.5 * dt * k2)
        k4 = -k * (y + dt * k3) + np.sin(y + dt * k3)
        y = y + dt * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0
    return np.sum(y * y)


def horner(c, x):
    p = 0.0
    for k in range(len(c) - 1, -1, -1):
        p = p * x + c[k]
    return p


def cholesky_like(A):
    L = np.zeros_like(A)
    n = A.shape[0]
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, j] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return np.sum(L**2 * 0.5 + L)


def thomas(a, b, c, d):
    n = len(d)
    c = c.copy()
    d = d.copy()
    c[0] = c[0] / b[0]
    d[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * c[i - 1]
        c[i] = c[i] / m
        d[i] = (d[i] - a[i] * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        d[i] = d[i] - c[i] * d[i + 1]
    return np.sum(d**2)


def array_result(u, c):
    v = np.sin(u) * c
    v[0] = c
    return v


def matrix_result(A, u):
    return np.tanh(A * u) + A


def input_returned(u):
    return u


U = numbers(5)
P = abs(U) + 0.2
A34 = numbers(3, 4)
SPD = 4.0 * np.eye(4) + numbers(4, 4)

PROGRAMS = (
    Entry(invented_names_taken, (U, 0.7, 1.2), (0, 1, 2)),
    Entry(dotted_names_taken, (0.7, 0.4, -0.3), (0, 1, 2)),
    Entry(greek_names, (0.7, 0.4), (0, 1)),
    Entry(three_math_names, (0.7,)),
    Entry(names_of_builtins, (0.7, 0.4, -0.3), (0, 1, 2)),
    Entry(seed_and_value, (0.7, 0.4, -0.3), (0, 1, 2), mode="value_and_grad"),
    Entry(seed_and_value, (0.7, 0.4, -0.3), (0, 1, 2), seed=1.3, mode="vjp", note="vjp"),
    Entry(docstring_and_comments, (0.7,)),
    Entry(functions_of_operators, (U, P), (0, 1)),
    Entry(methods, (numbers(4), A34), (0, 1)),
    Entry(powers, (0.7, 1.4), (0, 1)),
    Entry(power_of_negative, (U,)),
    Entry(power_of_negative, (-0.7,), note="scalar"),
    Entry(keyword_arguments, (A34, numbers(4)), (0, 1)),
    Entry(clipped, (U, 0.35), (0, 1)),
    Entry(where_branches, (U, 0.7), (0, 1)),
    Entry(where_branches, (A34, 0.7), (0, 1), note="matrix"),
    Entry(long_products, (U, 0.7, -0.4, 1.2), (0, 1, 2, 3)),
    Entry(signs, (0.7, 0.4), (0, 1)),
    Entry(numbers_of_all_kinds, (0.7,)),
    Entry(float_and_abs, (0.7, -0.4), (0, 1)),
    Entry(matmul_of_ranks, (numbers(2, 3), numbers(3, 4), numbers(4)), (0, 1, 2)),
    Entry(outer_and_stack, (U, P), (0, 1)),
    Entry(tuple_unpacking, (U,)),
    Entry(augmented_elements, (U, 0.7), (0, 1)),
    Entry(print_inside, (0.7,)),
    Entry(one_letter_loop, (U,)),
    Entry(rosenbrock, (numbers(2),), note="2"),
    Entry(rosenbrock, (numbers(7),), mode="value_and_grad", note="7"),
    Entry(runge_kutta, (0.7, 1.1, 0.1, 3), (0, 1, 2)),
    Entry(runge_kutta, (U, 1.1, 0.1, 3), (0, 1, 2), note="array"),
    Entry(horner, (U, 0.7), (0, 1)),
    Entry(horner, (A34, numbers(4)), (0, 1), seed=numbers(4, start=0.8), mode="vjp", note="rows"),
    Entry(cholesky_like, (SPD @ SPD.T,), may_refuse=True),
    Entry(thomas, (0.3 * U, 2.0 + P, 0.4 * P, U), (0, 1, 2, 3)),
    Entry(array_result, (U, 0.7), (0, 1), seed=P, mode="vjp"),
    Entry(matrix_result, (A34, numbers(4)), (0, 1), seed=numbers(3, 4, start=0.8), mode="vjp"),
    Entry(input_returned, (U,), seed=P, mode="vjp"),
    Entry(input_returned, (0.7,), seed=0.3, mode="vjp", note="scalar"),
)
