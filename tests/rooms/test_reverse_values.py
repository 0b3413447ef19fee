"""Values that may be None, whole numbers that become floats, items asked by position, dicts of the library."""

from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten
from tests.rooms.derive import grad

U = np.array([0.3, 0.5, -0.7, 0.2])


def nearest(u, c):
    best = None
    for x in u:
        d = (x - c) ** 2
        if best is None or d < best:
            best = d
    return best * c if best is not None else c


def begun_by_an_array(u, c):
    total = None
    for k in range(3):
        y = np.sin(k * u) * c
        total = y if total is None else total + y
    return np.sum(total**2) if total is not None else c


def begun_again_and_written(u, c):
    best, s = None, 0.0
    for k in range(4):
        if k == 2:
            best = None
        if best is None:
            best = u * c
        else:
            best[0] *= c
        s = s + np.sum(best * u)
    return s


def read_where_it_is_there(u, c):
    last, s = None, c
    for x in u:
        s = s + (0.0 if last is None else last * x * c)
        last = x * s
    return s


def counted_from_a_whole_number(u, c):
    d = {}
    for k in range(6):
        d[k % 2] = d.get(k % 2, 0) + u[k % 4] * c
    total = 0
    for v in d.values():
        total = total + v**2
    value = total
    return value * c


def asked_by_position(u, c):
    weights = (c, 2.0 * c, c * u[0])
    s = 0.0
    for k in range(6):
        s = s + weights[k % 3] * u[k % 4]
    return s


def lists_gone_over_together(u, c):
    means, squares = [], []
    for x in u:
        for kept, value in zip((means, squares), (x * c, x * x), strict=True):
            kept.append(value)
    return means[0] * squares[1] + means[-1]


def blocks_in_rows(u, c):
    made = np.block([[np.outer(u, u), u[:, None]], [u * c, np.array([c])]])
    joined = np.vstack([made, [c, u[0], 1.0, u[1] * c, 0.5]])
    return np.sum(joined**3)


def sums_under_keys(u, c):
    d = defaultdict(float)
    for k, x in zip("abac", u, strict=True):
        d[k] += x * c
    d["b"] = d["b"] * d["z"] + d["a"]
    s = 0.0
    for v in d.values():
        s = s + v * v
    return s + len(d)


def arrays_under_keys(u, c):
    d = defaultdict(lambda: np.zeros(2))
    d["x"] += u[:2] * c
    d["y"][0] += u[3] ** 2
    d["x"] += u[1:3]
    return np.sum(d["x"] ** 2) + np.sum(d["y"])


def counted(u, c):
    n = Counter()
    n["a"] += u[0] * c
    n["b"] += u[1] * n["a"]
    n["a"] += u[2]
    return n["a"] * n["b"] + n["nobody"]


def moved_to_the_end(u, c):
    d = OrderedDict()
    d["a"] = u[0] * c
    d["b"] = u[1]
    d.move_to_end("a")
    s = 0.0
    for v in d.values():
        s = s * 0.5 + v * v
    return s


def a_window(u, c):
    q = deque(maxlen=2)
    s = 0.0
    for x in u:
        q.append(x * c)
        s = s + q[0] * q[-1] * len(q)
    return s


FUNCTIONS = [
    nearest,
    begun_by_an_array,
    begun_again_and_written,
    read_where_it_is_there,
    counted_from_a_whole_number,
    asked_by_position,
    lists_gone_over_together,
    blocks_in_rows,
    sums_under_keys,
    arrays_under_keys,
    counted,
    moved_to_the_end,
    a_window,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients(function):
    run = grad(function, (U, 0.8), ["u", "c"])
    run.checked(U.copy(), 0.8)
    found = flatten(run(U.copy(), 0.8), (U, 0.8))
    assert compare(found, differences(function, (U, 0.8), (0, 1), 1.0)) is None, run.text


def stepped(G, x):
    for i in range(1, len(G)):
        G[i][0], G[i - 1][1] = G[i - 1][1], G[i][0] * x
    return sum(a * b for a, b in G)


def of_rows(u, x):
    return stepped([[v, v * x] for v in u], x)


def test_rows_in_a_list_that_are_exchanged():
    run = grad(of_rows, (U, 0.8), ["u", "x"])
    assert (
        compare(flatten(run(U, 0.8), (U, 0.8)), differences(of_rows, (U, 0.8), (0, 1), 1.0)) is None
    )


def by_keyword(x, *, scale=2.0, squared=True):
    return np.sum(x * x if squared else x) * scale


def test_keyword_only_parameters():
    derivative = s2sad.grad(by_keyword, wrt="x", like=(U,))
    assert np.allclose(derivative(U, scale=3.0), 6.0 * U)
    assert "*, scale=2.0, squared=True" in derivative.source
