"""Solvers written in loops, filters, and what is assembled and solved."""

import numpy as np

from tests.benchmarks.experts.case import Case


def kalman(x, P, A, Q, R, H, z):
    x = A @ x
    P = A @ P @ A.T + Q
    r = z - H @ x
    S = H @ P @ H.T + R
    w = np.linalg.solve(S, r)
    return 0.5 * (r @ w) + 0.5 * np.linalg.slogdet(S)[1]


def kalman_adjoint(x, P, A, Q, R, H, z):
    AP = A @ P
    r = z - H @ (A @ x)
    S = H @ (AP @ A.T + Q) @ H.T + R
    S_inv = np.linalg.inv(S)
    w = S_inv @ r
    S_bar = 0.5 * (S_inv - np.outer(w, w))
    P_bar = H.T @ S_bar @ H
    A_bar = 2.0 * P_bar @ AP - np.outer(w @ H, x)
    return A_bar, P_bar, S_bar


def hmm(A, B, start, seen):
    a = start * B[:, seen[0]]
    c = np.sum(a)
    a = a / c
    total = np.log(c)
    for k in range(1, len(seen)):
        a = (a @ A) * B[:, seen[k]]
        c = np.sum(a)
        a = a / c
        total = total + np.log(c)
    return -total


def hmm_adjoint(A, B, start, seen):
    c = start @ B[:, seen[0]]
    a = start * B[:, seen[0]] / c
    saved = [(a, c)]
    for k in range(1, len(seen)):
        a = (a @ A) * B[:, seen[k]]
        c = np.sum(a)
        a = a / c
        saved.append((a, c))
    A_bar = np.zeros_like(A)
    B_bar = np.zeros_like(B)
    a_bar = np.zeros_like(a)
    for k in reversed(range(1, len(seen))):
        a, c = saved.pop()
        a_bar = (a_bar - a_bar @ a - 1.0) / c
        before = saved[-1][0]
        B_bar[:, seen[k]] += a_bar * (before @ A)
        p_bar = a_bar * B[:, seen[k]]
        A_bar += np.outer(before, p_bar)
        a_bar = A @ p_bar
    a, c = saved.pop()
    a_bar = (a_bar - a_bar @ a - 1.0) / c
    B_bar[:, seen[0]] += a_bar * start
    start_bar = a_bar * B[:, seen[0]]
    return A_bar, B_bar, start_bar


def tridiagonal(a, b, c, d):
    n = len(d)
    p = np.zeros(n)
    q = np.zeros(n)
    p[0] = c[0] / b[0]
    q[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * p[i - 1]
        p[i] = c[i] / m
        q[i] = (d[i] - a[i] * q[i - 1]) / m
    for i in range(n - 2, -1, -1):
        q[i] = q[i] - p[i] * q[i + 1]
    return np.sum(q**2)


def tridiagonal_adjoint(a, b, c, d):
    n = len(d)
    p = np.zeros(n)
    q = np.zeros(n)
    p[0] = c[0] / b[0]
    q[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * p[i - 1]
        p[i] = c[i] / m
        q[i] = (d[i] - a[i] * q[i - 1]) / m
    x = q.copy()
    for i in range(n - 2, -1, -1):
        x[i] = x[i] - p[i] * x[i + 1]
    q_bar = 2.0 * x
    p_bar = np.zeros(n)
    for i in range(n - 1):
        p_bar[i] = -q_bar[i] * x[i + 1]
        q_bar[i + 1] -= q_bar[i] * p[i]
    a_bar = np.zeros_like(a)
    b_bar = np.zeros_like(b)
    c_bar = np.zeros_like(c)
    d_bar = np.zeros_like(d)
    for i in range(n - 1, 0, -1):
        m = b[i] - a[i] * p[i - 1]
        d_bar[i] = q_bar[i] / m
        c_bar[i] = p_bar[i] / m
        m_bar = -d_bar[i] * q[i] - c_bar[i] * p[i]
        b_bar[i] = m_bar
        a_bar[i] = -d_bar[i] * q[i - 1] - m_bar * p[i - 1]
        q_bar[i - 1] -= d_bar[i] * a[i]
        p_bar[i - 1] -= m_bar * a[i]
    d_bar[0] = q_bar[0] / b[0]
    c_bar[0] = p_bar[0] / b[0]
    b_bar[0] = -d_bar[0] * q[0] - c_bar[0] * p[0]
    return a_bar, b_bar, c_bar, d_bar


def cholesky(A, W):
    n = A.shape[0]
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - L[j, :j] @ L[j, :j])
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
    return np.sum(W * L)


def cholesky_adjoint(A, W):
    n = A.shape[0]
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - L[j, :j] @ L[j, :j])
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
    L_bar = W.copy()
    A_bar = np.zeros_like(A)
    for j in reversed(range(n)):
        for i in reversed(range(j + 1, n)):
            g = L_bar[i, j] / L[j, j]
            A_bar[i, j] = g
            L_bar[j, j] -= g * L[i, j]
            L_bar[i, :j] -= g * L[j, :j]
            L_bar[j, :j] -= g * L[i, :j]
        g = 0.5 * L_bar[j, j] / L[j, j]
        A_bar[j, j] = g
        L_bar[j, :j] -= 2.0 * g * L[j, :j]
    return A_bar


def beam(EI, f, h):
    n = len(EI)
    element = np.array(
        [
            [12.0, 6.0 * h, -12.0, 6.0 * h],
            [6.0 * h, 4.0 * h**2, -6.0 * h, 2.0 * h**2],
            [-12.0, -6.0 * h, 12.0, -6.0 * h],
            [6.0 * h, 2.0 * h**2, -6.0 * h, 4.0 * h**2],
        ]
    )
    K = np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        K[2 * e : 2 * e + 4, 2 * e : 2 * e + 4] += EI[e] / h**3 * element
    u = np.linalg.solve(K[2:, 2:], f)
    return np.sum(u[::2] ** 2)


def beam_adjoint(EI, f, h):
    n = len(EI)
    element = np.array(
        [
            [12.0, 6.0 * h, -12.0, 6.0 * h],
            [6.0 * h, 4.0 * h**2, -6.0 * h, 2.0 * h**2],
            [-12.0, -6.0 * h, 12.0, -6.0 * h],
            [6.0 * h, 2.0 * h**2, -6.0 * h, 4.0 * h**2],
        ]
    )
    K = np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        K[2 * e : 2 * e + 4, 2 * e : 2 * e + 4] += EI[e] / h**3 * element
    u = np.linalg.solve(K[2:, 2:], f)
    u_bar = np.zeros_like(u)
    u_bar[::2] = 2.0 * u[::2]
    f_bar = np.linalg.solve(K[2:, 2:].T, u_bar)
    K_bar = np.zeros_like(K)
    K_bar[2:, 2:] = -np.outer(f_bar, u)
    EI_bar = np.empty_like(EI)
    for e in range(n):
        part = K_bar[2 * e : 2 * e + 4, 2 * e : 2 * e + 4]
        EI_bar[e] = np.vdot(part, element) / h**3
    return EI_bar


def filtered(normal, n):
    A = np.eye(n) + 0.1 * normal((n, n))
    m = max(1, n // 2)
    H = normal((m, n))
    return normal(n), np.eye(n), A, 0.1 * np.eye(n), np.eye(m), H, normal(m)


def chain(normal, n):
    A, B = np.exp(normal((4, 4))), np.exp(normal((4, 6)))
    return A / np.sum(A, axis=1)[:, None], B, np.full(4, 0.25), np.arange(n) * 7 % 6


def banded(normal, n):
    return normal(n), 4.0 + normal(n) ** 2, normal(n), normal(n)


def definite(normal, n):
    B = normal((n, n))
    return B @ B.T + n * np.eye(n), normal((n, n))


CASES = (
    Case(kalman, kalman_adjoint, ("A", "Q", "R"), filtered, (4, 20, 100), mirrors=False),
    Case(hmm, hmm_adjoint, ("A", "B", "start"), chain, (10, 200, 2000)),
    Case(tridiagonal, tridiagonal_adjoint, ("a", "b", "c", "d"), banded, (10, 200, 5000)),
    Case(cholesky, cholesky_adjoint, ("A",), definite, (5, 20, 60)),
    Case(
        beam,
        beam_adjoint,
        ("EI",),
        lambda normal, n: (1.0 + normal(n) ** 2, normal(2 * n), 0.5),
        (4, 30, 150),
    ),
)
