"""Programs as textbooks write them: plain Python on numbers, lists and lists of lists."""

# ruff: noqa: B905, E731, E741, RUF005   programs as they are found, not as a linter would have them
from __future__ import annotations

import math
from dataclasses import dataclass

from tests.programs.entry import Entry


def nn(W1, W2, x):
    h = [math.tanh(sum(w * v for w, v in zip(row, x))) for row in W1]
    o = [sum(w * v for w, v in zip(row, h)) for row in W2]
    m = max(o)
    e = [math.exp(v - m) for v in o]
    s = sum(e)
    return -math.log(e[0] / s)


def kalman(z, q, r):
    x, p = 0.0, 1.0
    ll = 0.0
    for obs in z:
        p += q
        k = p / (p + r)
        ll -= 0.5 * math.log(2 * math.pi * (p + r)) + 0.5 * (obs - x) ** 2 / (p + r)
        x += k * (obs - x)
        p *= 1 - k
    return ll


def gauss(A, b):
    n = len(b)
    M = [row[:] + [bi] for row, bi in zip(A, b)]
    for i in range(n):
        piv = max(range(i, n), key=lambda r: abs(M[r][i]))
        M[i], M[piv] = M[piv], M[i]
        for j in range(i + 1, n):
            f = M[j][i] / M[i][i]
            for k in range(i, n + 1):
                M[j][k] -= f * M[i][k]
    x = [0.0] * n
    for i in reversed(range(n)):
        s = M[i][n]
        for k in range(i + 1, n):
            s -= M[i][k] * x[k]
        x[i] = s / M[i][i]
    return sum(v * v for v in x)


def det(A):
    if len(A) == 1:
        return A[0][0]
    t = 0.0
    for j in range(len(A)):
        minor = [row[:j] + row[j + 1 :] for row in A[1:]]
        t += (-1) ** j * A[0][j] * det(minor)
    return t


def jacobi_eig(A, n):
    A = [row[:] for row in A]
    for _ in range(n):
        for p in range(len(A) - 1):
            for q in range(p + 1, len(A)):
                if abs(A[p][q]) < 1e-12:
                    continue
                th = 0.5 * math.atan2(2 * A[p][q], A[q][q] - A[p][p])
                c, s = math.cos(th), math.sin(th)
                for k in range(len(A)):
                    a, b = A[p][k], A[q][k]
                    A[p][k], A[q][k] = c * a - s * b, s * a + c * b
                for k in range(len(A)):
                    a, b = A[k][p], A[k][q]
                    A[k][p], A[k][q] = c * a - s * b, s * a + c * b
    return A[0][0] - 2 * A[1][1]


def horner_of_a_list(c, x):
    r = 0
    for a in reversed(c):
        r = r * x + a
    return r


def neville(xs, ys, x):
    n = len(xs)
    q = [list(ys)]
    for i in range(1, n):
        q.append(
            [
                ((x - xs[j + i]) * q[i - 1][j] - (x - xs[j]) * q[i - 1][j + 1])
                / (xs[j] - xs[j + i])
                for j in range(n - i)
            ]
        )
    return q[-1][0]


def dtw(a, b):
    n, m = len(a), len(b)
    INF = 100.0
    D = [[INF] * (m + 1) for _ in range(n + 1)]
    D[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i][j] = abs(a[i - 1] - b[j - 1]) + min(D[i - 1][j], D[i][j - 1], D[i - 1][j - 1])
    return D[n][m]


def viterbi(T, E, obs):
    v = [math.log(0.5) + math.log(E[s][obs[0]]) for s in range(2)]
    for o in obs[1:]:
        v = [max(v[p] + math.log(T[p][s]) for p in range(2)) + math.log(E[s][o]) for s in range(2)]
    return max(v)


def forward_hmm(T, E, obs):
    al = [0.5 * E[s][obs[0]] for s in range(2)]
    for o in obs[1:]:
        al = [sum(al[p] * T[p][s] for p in range(2)) * E[s][o] for s in range(2)]
    return math.log(sum(al))


def simpson(a, b, n):
    h = (b - a) / n
    s = math.exp(-a * a) + math.exp(-b * b)
    for i in range(1, n):
        s += (4 if i % 2 else 2) * math.exp(-((a + i * h) ** 2))
    return s * h / 3


@dataclass
class Layer:
    w: list
    b: float

    def __call__(self, x):
        return math.tanh(sum(a * c for a, c in zip(self.w, x)) + self.b)


def mlp_obj(w, b, x):
    ls = [Layer([w * (i + 1), b], b * i) for i in range(3)]
    h = [l(x) for l in ls]
    return sum(h) ** 2


def cube_root_by_newton(a, n):
    x = a
    while True:
        nx = x - (x**3 - a) / (3 * x * x)
        if abs(nx - x) < 1e-13:
            return nx
        x = nx


def stack_calc(x, y):
    st = []
    for tok in "x y + x * y - 2 /".split():
        if tok == "x":
            st.append(x)
        elif tok == "y":
            st.append(y)
        elif tok in "+-*/":
            b = st.pop()
            a = st.pop()
            st.append(
                a + b if tok == "+" else a - b if tok == "-" else a * b if tok == "*" else a / b
            )
        else:
            st.append(float(tok))
    return st[-1]


def game_of_heat(g, k, n):
    for _ in range(n):
        new = [row[:] for row in g]
        for i in range(len(g)):
            for j in range(len(g[0])):
                s = 0.0
                c = 0
                for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    a, b = i + di, j + dj
                    if 0 <= a < len(g) and 0 <= b < len(g[0]):
                        s += g[a][b]
                        c += 1
                new[i][j] = g[i][j] + k * (s - c * g[i][j])
        g = new
    return sum(v * v for r in g for v in r)


def black_scholes(S, K, T, r, v):
    d1 = (math.log(S / K) + (r + v * v / 2) * T) / (v * math.sqrt(T))
    d2 = d1 - v * math.sqrt(T)
    N = lambda z: 0.5 * (1 + math.erf(z / math.sqrt(2)))
    return S * N(d1) - K * math.exp(-r * T) * N(d2)


def binomial_tree(S, K, v, n):
    u = math.exp(v * math.sqrt(1 / n))
    d = 1 / u
    p = (1 - d) / (u - d)
    vals = [max(S * u**j * d ** (n - j) - K, 0.0) for j in range(n + 1)]
    for i in range(n, 0, -1):
        for j in range(i):
            vals[j] = p * vals[j + 1] + (1 - p) * vals[j]
    return vals[0]


def lorenz(x, y, z, s, n):
    tr = []
    for _ in range(n):
        x, y, z = (
            x + 0.01 * s * (y - x),
            y + 0.01 * (x * (28 - z) - y),
            z + 0.01 * (x * y - 8 / 3 * z),
        )
        tr.append((x, y, z))
    return sum(a * c for a, _, c in tr) / n


def corners_exchanged(g, k):
    g = [row[:] for row in g]
    a, b = g[0][0], g[1][1]
    g[0][0], g[1][1] = a * k, b - a
    return g[0][0] * g[1][1]


def rotated_in_passes(g, k):
    g = [row[:] for row in g]
    for p in range(2):
        for k0 in range(2):
            a, b = g[p][k0], g[1][k0]
            g[p][k0], g[1][k0] = a * k, b - a
    return g[0][0] * g[1][1]


def rows_by_copy(g, k):
    g = [row.copy() for row in g]
    g[0][0] *= k
    return g[0][0] * g[1][1]


def rows_by_list(g, k):
    h = [list(row) for row in g]
    h[0][0] *= k
    return h[0][0] * g[0][0]


def stencil_of_rows(g, k):
    for _ in range(2):
        new = [row[:] for row in g]
        for i in range(2):
            s = 0.0
            for di in (1, -1):
                a = i + di
                if 0 <= a < 2:
                    s += g[a][0]
            new[i][0] = s * k
        g = new
    return g[0][0] * g[0][1]


SPREAD = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.3, 0.2, 5.0]]
MOVES, SHOWS = [[0.7, 0.3], [0.4, 0.6]], [[0.9, 0.1], [0.2, 0.8]]
ROWS = [[1.0, 2.0], [3.0, 4.0]]
PROGRAMS = (
    Entry(
        nn,
        ([[0.1, 0.2], [0.3, -0.4]], [[0.5, -0.6], [0.7, 0.8]], [1.0, 2.0]),
        (0, 1, 2),
        like_only=True,
    ),
    Entry(kalman, ([0.1, 0.5, 0.3], 0.1, 0.2), (0, 1, 2), like_only=True),
    Entry(gauss, (SPREAD, [1.0, 2.0, 3.0]), (0, 1), like_only=True),
    Entry(det, (SPREAD,), like_only=True, may_refuse=True),
    Entry(jacobi_eig, ([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 5.0]], 2), like_only=True),
    Entry(horner_of_a_list, ([1.0, 2.0, 3.0], 0.5), (0, 1), like_only=True),
    Entry(neville, ([0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 0.0, 5.0], 1.5), (0, 1, 2), like_only=True),
    Entry(dtw, ([0.1, 0.5, 0.9], [0.2, 0.35, 0.8, 1.0]), (0, 1), like_only=True),
    Entry(viterbi, (MOVES, SHOWS, [0, 1, 1, 0]), (0, 1), like_only=True),
    Entry(forward_hmm, (MOVES, SHOWS, [0, 1, 1, 0]), (0, 1), like_only=True),
    Entry(simpson, (0.1, 1.3, 10), (0, 1)),
    Entry(mlp_obj, (0.3, 0.2, [0.5, 0.7]), (0, 1, 2), like_only=True),
    Entry(cube_root_by_newton, (2.0, 3), (0,)),
    Entry(stack_calc, (1.5, 2.5), (0, 1)),
    Entry(game_of_heat, ([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]], 0.1, 3), (0, 1), like_only=True),
    Entry(black_scholes, (100.0, 95.0, 1.0, 0.05, 0.2), (0, 1, 2, 3, 4)),
    Entry(binomial_tree, (100.0, 95.0, 0.2, 6), (0, 1, 2)),
    Entry(lorenz, (1.0, 1.0, 1.0, 10.0, 20), (0, 1, 2, 3)),
    Entry(corners_exchanged, (ROWS, 0.7), (0, 1), like_only=True),
    Entry(rotated_in_passes, (ROWS, 0.7), (0, 1), like_only=True),
    Entry(rows_by_copy, (ROWS, 0.7), (0, 1), like_only=True),
    Entry(rows_by_list, (ROWS, 0.7), (0, 1), like_only=True),
    Entry(stencil_of_rows, (ROWS, 0.7), (0, 1), like_only=True),
)
