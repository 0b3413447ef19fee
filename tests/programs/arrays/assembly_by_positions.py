"""What is assembled by positions: finite elements, trusses, springs, graphs, tables of costs.

Some positions are all different for sure, some are equal, some name an element from both ends.
"""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers

BAR = np.array(
    [[1.0, 0.0, -1.0, 0.0], [0.0, 2.0, 0.0, -2.0], [-1.0, 0.0, 1.0, 0.0], [0.0, -2.0, 0.0, 2.0]]
)


def beam_of_bars(E, x):
    n = len(E)
    K = np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        ke = E[e] / (x[e + 1] - x[e]) * BAR
        dofs = np.arange(2 * e, 2 * e + 4)
        K[np.ix_(dofs, dofs)] += ke
    return np.sum(K**2)


def beam_of_lists(E, x):
    n = len(E)
    K = np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        ke = E[e] / (x[e + 1] - x[e]) * BAR
        dofs = [2 * e, 2 * e + 1, 2 * e + 2, 2 * e + 3]
        K[np.ix_(dofs, dofs)] += ke
    return np.sum(K**2)


def beam_of_ranges(E, x):
    n = len(E)
    K = np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        ke = E[e] / (x[e + 1] - x[e]) * BAR
        dofs = list(range(2 * e, 2 * e + 4))
        K[np.ix_(dofs, dofs)] += ke
    return np.sum(K**2)


def beam_of_crossed_positions(E, x):
    n = len(E)
    K = np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        ke = E[e] / (x[e + 1] - x[e]) * BAR
        dofs = np.array([2 * e, 2 * e + 1, 2 * e + 2, 2 * e + 3])
        K[dofs[:, None], dofs[None, :]] += ke
        last = 2 * e + np.arange(4)
        K[last[:, None], last] *= 1.5
    return np.sum(K**2)


def overlapping_itself(E, x):
    """Positions that name an element twice: from both ends, or because 2 * e is e + 1."""
    n = len(E)
    K = np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        ke = E[e] / (x[e + 1] - x[e]) * BAR
        dofs = [2 * e, e + 1, 2 * e + 2, e + 3]
        K[np.ix_(dofs, dofs)] += ke
        ends = np.array([e - 1, e, e + 1, -1])
        K[ends, 0] = x[:4] * E[e]
        K[1, np.arange(4) - 2] *= E
    return np.sum(K**2)


def ring_from_the_end(u, c):
    """k - 1 of the first pass is the last element, which is named a second time."""
    w = u * 1.0
    for k in range(2):
        w[np.arange(k - 1, k + len(u) - 1)] = c * u
        w[np.arange(-1, len(u))] = np.append(c, c[0]) * u[k]
    return w @ w


def displaced(E, f, fixed):
    n = len(E)
    K = np.zeros((n + 1, n + 1))
    for e in range(n):
        K[e : e + 2, e : e + 2] += E[e] * np.array([[1.0, -1.0], [-1.0, 1.0]])
    free = np.setdiff1d(np.arange(n + 1), fixed)
    u = np.zeros(n + 1)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free])
    rest = np.delete(np.arange(n + 1), fixed)
    u[rest] *= f[rest]
    return u @ f


def with_given_ends(E, f, ends, fixed):
    n = len(f)
    K = np.diag(E) + 0.3
    free = np.delete(np.arange(n), fixed)
    u = np.zeros(n)
    u[fixed] = ends
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free] - K[np.ix_(free, fixed)] @ u[fixed])
    return u @ f


def listed_free(E, f, fixed):
    n = len(f)
    K = np.diag(E) + 0.3
    free = [i for i in range(n) if i not in fixed]
    u = np.zeros(n)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free])
    odd = np.array([2 * i + 1 for i in range(n // 2)])
    u[odd] *= E[odd]
    shifted = [i - 1 for i in range(n)]
    u[shifted] *= E
    both = [i for i in range(2) for j in range(2)]
    u[both] = E * f[0]
    return u @ f


def free_of_a_set(f, fixed):
    n = len(f)
    free = sorted(set(range(n)) - set(fixed))
    u = np.zeros(n)
    u[free] = f[free] ** 2
    return u @ f


def grown_positions(x, y):
    """A list that grows afterwards chooses more; one of two lists chooses others."""
    p = [i for i in range(3) if i != 1]
    s = np.sum(x[p] * y[p])
    p.append(0)
    u = x * 1.0
    u[p] = y[:3] * s
    return u @ u


def chosen_twice(x, y):
    """Of what is chosen by positions one may be stretched over all, and one is not the other."""
    p = np.flatnonzero(x > 0.5)
    q = np.flatnonzero(x > -9.0)
    s = np.sum(np.exp(x[p]) * y[q]) + np.sum(x[p] * y[p])
    m = x > 0.5
    return s + np.sum(y[m] * q) + np.sum(x[q] * y[q])


def counted_down(x, y):
    u = x * 1.0
    u[np.arange(len(x) - 1, -1, -1)] = x * y
    u[np.arange(len(x) - 1, -3, -2)] = y[:3]
    u[np.arange(len(x))[1::2]] *= 3.0
    u[np.unique(np.array([3, 1, 3]))] += x[:2] * y[0]
    u[np.unique(np.array([3, -1, 3]))] = y[1:3]
    u[np.flatnonzero(x > 0.0) // 2] = 2.0 * x[x > 0.0]
    u[np.sort(np.argsort(x)[:2])] = y[:2]
    return u @ u + u[1]


def triangles(x):
    A = np.zeros((3, 3))
    i, j = np.triu_indices(3)
    A[i, j] = x
    A[j, i] = x * 2.0
    A[np.diag_indices(3)] *= x[:3]
    A[i, 1] = x
    return np.sum(A**3)


def by_rows(E, conn):
    K = np.zeros((5, 5))
    for e in range(len(conn)):
        ke = E[e] ** 2 * np.array([[1.0, -1.0], [-1.0, 2.0]])
        K[np.ix_(conn[e], conn[e])] += ke
    return np.sum(K**2)


def truss(A, x, conn):
    K = np.zeros((2 * len(x), 2 * len(x)))
    for e in range(len(conn)):
        i, j = conn[e]
        d = x[j] - x[i]
        L = np.sqrt(d @ d + 0.1)
        c, s = d / L
        B = np.array([-c, -s, c, s])
        dofs = np.array([2 * i, 2 * i + 1, 2 * j, 2 * j + 1])
        K[np.ix_(dofs, dofs)] += A[e] / L * np.outer(B, B)
    return np.sum(K**2)


def listed_bars(A, x, bars):
    """Nodes of one bar differ, of a list of pairs as of a table."""
    K = np.zeros((2 * len(x), 2 * len(x)))
    for area, (i, j) in zip(A, bars, strict=True):
        d = x[j] - x[i]
        k = area / np.sqrt(d @ d) * np.outer(d, d)
        dofs = [2 * i, 2 * i + 1, 2 * j, 2 * j + 1]
        K[np.ix_(dofs, dofs)] += np.block([[k, -k], [-k, k]])
    return np.sum(K**3)


def chained_pairs(E, pairs):
    K = np.zeros((6, 6))
    for e, (i, j) in enumerate(pairs):
        K[np.ix_([i, j], [i, j])] += E[e] ** 2 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return np.sum(K**3)


def chained_nodes(E, conn):
    """Nodes of two rows may be equal, and so may be those in blocks that meet."""
    K = np.zeros((12, 12))
    last = 0
    for e in range(len(conn)):
        i, j = conn[e, 0], conn[e, 1]
        K[np.ix_([i, j], [i, j])] += E[e] * BAR[:2, :2]
        other = conn[len(conn) - 1 - e, 0]
        K[[i, other], 0] += E[e] ** 2 * BAR[2, :2]
        K[[i, last], 1] += E[e] ** 2 * BAR[1, 1:3]
        last = j
        meeting = [2 * i, 2 * i + 2, 2 * j, 2 * j + 2]
        K[np.ix_(meeting, meeting)] += E[e] * BAR
    return np.sum(K**2)


def gathered_nodes(E, conn):
    K = np.zeros((5, 5))
    for row, k in zip(conn, E, strict=True):
        K[np.ix_(row, row)] += k**2 * BAR[:2, :2]
    for e, (i, j) in enumerate(conn):
        K[[i, j], [j, i]] *= E[e]
    return np.sum(K**2)


def solved_for(E, f, free):
    K = np.diag(E) + 0.1
    u = np.zeros(len(f))
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free])
    u[free[1:]] *= f[free[:-1]]
    return u @ f


def by_columns(x, edges):
    u = x * 1.0
    u[edges[:, 0]] = x[edges[:, 1]] ** 2
    u[2 * edges[:2, 1]] *= x[:2]
    return u @ u


def moved_in_place(x, v, order):
    """Positions that are written to are no longer those that were asked for."""
    order = order.copy()
    u = x * 1.0
    u[order] = v
    order[0] = order[1]
    u[order] = v * x[: len(v)]
    return u @ u


E4, X5 = 1.5 + 0.5 * numbers(4), np.arange(5.0) + 0.1 * numbers(5)
LINE = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
PROGRAMS = [
    *(
        Entry(each, (E4, X5), (0, 1))
        for each in (
            beam_of_bars,
            beam_of_lists,
            beam_of_ranges,
            beam_of_crossed_positions,
            overlapping_itself,
        )
    ),
    Entry(ring_from_the_end, (numbers(4), numbers(4, start=0.1)), (0, 1)),
    Entry(displaced, (E4, numbers(5), np.array([0, 2])), (0, 1)),
    Entry(with_given_ends, (1.5 + E4, numbers(4), numbers(2), np.array([0, 2])), (0, 1, 2)),
    Entry(
        with_given_ends,
        (1.5 + E4, numbers(4), numbers(2), [3, 0]),
        (0, 1, 2),
        note="list",
        like_only=True,
    ),
    Entry(listed_free, (1.5 + E4, numbers(4), [0, 2]), (0, 1), like_only=True),
    Entry(listed_free, (1.5 + E4, numbers(4), np.array([0, 2])), (0, 1), note="array"),
    Entry(free_of_a_set, (numbers(4), [0, 2]), like_only=True),
    Entry(grown_positions, (numbers(4), numbers(4, start=0.1)), (0, 1)),
    Entry(chosen_twice, (np.array([0.1, 0.7, 0.2, 0.4]), numbers(4)), (0, 1)),
    Entry(counted_down, (numbers(4), numbers(4, start=0.1)), (0, 1)),
    Entry(triangles, (numbers(6),)),
    Entry(by_rows, (E4, LINE)),
    Entry(by_rows, (E4, np.array([[0, 1], [2, 2], [4, -1], [3, 0]])), note="equal"),
    Entry(truss, (E4, numbers(5, 2), LINE), (0, 1)),
    Entry(
        truss,
        (E4, numbers(5, 2), np.array([[0, 1], [2, 2], [4, -1], [3, 0]])),
        (0, 1),
        note="equal",
    ),
    Entry(listed_bars, (E4, numbers(5, 2), [(0, 1), (1, 2), (2, 3), (4, 3)]), (0, 1)),
    Entry(
        listed_bars, (E4, numbers(5, 2), [[0, 1], [1, 2], [2, 3], [4, 3]]), (0, 1), note="of-lists"
    ),
    Entry(chained_pairs, (E4, [(0, 1), (1, 2), (2, 2), (4, 3)]), note="equal"),
    Entry(chained_nodes, (E4, LINE)),
    Entry(gathered_nodes, (E4, LINE)),
    Entry(solved_for, (1.0 + E4, numbers(4), np.array([0, 2, 3])), (0, 1)),
    Entry(solved_for, (1.0 + E4, numbers(4), np.array([-1, 0, 2])), (0, 1), note="from-the-end"),
    Entry(by_columns, (numbers(5), np.array([[3, 1], [0, 2], [4, 0]]))),
    Entry(by_columns, (numbers(5), np.array([[3, 1], [0, 1], [3, 1]])), note="equal"),
    Entry(moved_in_place, (numbers(5), numbers(3), np.array([4, 0, 2])), (0, 1)),
]
