"""Branches that no call takes: what is refused there, or would hold something else, does not matter."""

from __future__ import annotations

import inspect
from collections import namedtuple
from typing import NamedTuple

import numpy as np
from scipy import sparse

from tests.programs.entry import Entry, numbers


class Both(NamedTuple):
    a: np.ndarray
    b: float


class Frame:
    def __init__(self, columns, index):
        self.columns, self.index = columns, index


class Series(np.ndarray):
    pass


def hidden(where, u):
    held = u.view(Series)
    held.mask = where
    return held


def deviation(u, ignore=False):
    if isinstance(u, Series):
        middle = np.ma.median
        if ignore:
            u = hidden(np.isnan(u), u)
    elif ignore:
        middle = np.nanmedian
    else:
        middle = np.median
    return middle(np.abs(u - middle(u)))


def deviation_of_two(u, v):
    return deviation(u) * 2.0 + deviation(u * v)


def framed(u, t):
    out = Both(u * t, np.sin(t))
    if isinstance(u, Series):
        out = Frame(out, index=u.index)
    return np.sum(out.a) * out.b


def framed_where_asked(u, framed=False):
    table = np.zeros((len(u), 2))
    table[:, 0] = u
    table[1:, 1] = u[:-1] ** 2
    if framed:
        table = Frame({"u": table}, index=3)
    return np.sum(table * np.cos(table))


def by_option(u, how="plain"):
    if how == "framed":
        kept = Frame({"u": u}, index=3)
        kept.columns["u"].name = how
        u = kept.columns["u"]
    return np.sum(u * u)


def missing_where_needed(x, kind, loss=None):
    if kind in ("orifice", "nozzle"):
        if loss is None:
            raise ValueError("an orifice needs its loss")
        term = x * loss
        x = term * (1.0 - loss * loss)
    for _ in range(3):
        if kind == "wedge":
            if loss is None:
                raise ValueError("a wedge needs its loss")
            x = x - loss * x
        else:
            x = x - 0.1 * x**2
    return x


def of_lists_that_stay_empty(u):
    a, xs, made = 1.0, [], []
    for b in xs:
        a = 0.7 * a + np.tanh(u[0] * b)
    for x, b in zip((0.5 * z for z in u), xs, strict=False):
        a = 0.7 * a + np.tanh(x * b)
    for k, b in enumerate(xs):
        a = 0.7 * a + np.tanh(u[k] * b)
    for _ in range(3):
        made = [np.sin(e) * 0.9 for e in made]
    return np.sum(made[-1] * made[0]) + a if len(made) > 0 else a * np.sum(u)


def changed_item_of_none(u):
    items, x = [], u[0]
    while x > 50.0:
        v = items[-1] * items[0]
        v *= np.tanh(v)
        x = 0.6 * x
    return np.sum(np.sin(u)) * x


def keys_that_are_never_there(u):
    a, d, xs = u[0], {}, []
    try:
        a += 0.1 * np.sum(d["a"])
    except KeyError:
        a *= u[1]
    try:
        a += 0.1 * np.sum(xs.pop())
    except IndexError:
        a *= u[2]
    d = {k: x * 0.9 for k, x in (d | d).items()}
    return np.sum(list(d.values())[-1]) * a if d else a * 1.5


def largest_of_none(u):
    xs, ys = [e for e in u if e > 2.0], u[u > 2.0]
    s = (max(xs) if xs else 1.0) * u[0] + (np.max(ys) if len(ys) else 1.0) * u[1]
    s += (ys.min() if ys.size else u[2]) * (np.mean(ys) if ys.size > 0 else u[3])
    return s + (np.median(ys) if len(ys) else u[4])


def largest_of_some(u):
    xs, ys = [e for e in u if e > 0.0], u[u > 0.0]
    s = (max(xs) if xs else 1.0) * u[0] + (np.max(ys) if len(ys) else 1.0) * u[1]
    return s + (ys.min() if ys.size else u[2]) * (np.mean(ys) if ys.size > 0 else u[3])


class Chain:
    """Holds a matrix that may be a sparse one, as many classes of libraries do."""

    def __init__(self, P):
        if sparse.issparse(P):
            self.P = sparse.csr_matrix(P)
            self.is_sparse = True
        else:
            self.P = np.asarray(P)
            self.is_sparse = False
        sums = self.P.sum(axis=1)
        self.sums = sums.getA1() if self.is_sparse else sums


def of_a_matrix_that_is_filled(p):
    P = np.empty((2, 2))
    P[0, 0], P[0, 1] = p, 1.0 - p
    P[1, 0], P[1, 1] = p * p, np.sin(p)
    chain = Chain(P)
    return np.sum(chain.P**2) + np.sum(chain.sums**2)


def on_each_axis(rule, counts, *ends):
    counts, given = np.atleast_1d(counts), list(map(np.atleast_1d, ends))
    if all(each.size == 1 for each in [counts] + given):  # noqa: RUF005
        return rule(counts[0], *ends)
    for k in range(len(given)):
        if given[k].size == 1:
            given[k] = np.repeat(given[k], counts.size)
    nodes, weights = [], []
    for k in range(counts.size):
        x, w = rule(counts[k], *[each[k] for each in given])
        nodes.append(x)
        weights.append(w)
    return np.column_stack(nodes[:2]), np.kron(*weights[:2])


def trapezoids(n, a, b):
    x, w = np.linspace(a, b, n), (b - a) / (n - 1) * np.ones(n)
    w[0] *= 0.5
    w[-1] *= 0.5
    return x, w


def over_an_axis_by_number(a, b):
    x, w = on_each_axis(trapezoids, 5, a, b)
    return w @ np.sin(x)


def activation(word):
    if word in {"tanh", "hyperbolic"}:
        return np.tanh
    if word not in {"steep", "flat"}:
        raise ValueError(word)
    return lambda x: np.arctan((4.0 if word in {"steep"} else 0.5) * x)


class Neuron:
    def __init__(self, weights, word):
        self.weights, self.act = weights, activation(word)


def of_neurons(u):
    neurons = [Neuron(u, word) for word in ("hyperbolic", "steep", "flat")]
    first, second, third = neurons
    return np.sum(first.act(first.weights)) + np.sum(second.act(u) * third.act(u))


def with_axes(a, ndim, last=True):
    a = np.require(a, dtype=float, requirements=["C"])
    if a.ndim > ndim:
        raise ValueError("too many axes")
    if a.ndim < ndim:
        a = a.reshape(
            a.shape + (1,) * (ndim - a.ndim) if last else (1,) * (ndim - a.ndim) + a.shape
        )
    if len(a.shape) != ndim:
        raise ValueError("not so many axes")
    return a


def of_axes_that_are_added(u):
    column, row = with_axes(u, ndim=2), with_axes(u, ndim=2, last=False)
    return np.sum(np.sin(column * row)) + np.sum(with_axes(column, 2)[:, 0] ** 2)


def at_least(a, ndim, xp=np):
    if a.ndim < ndim:
        return at_least(xp.expand_dims(a, 0), ndim)
    return a


def of_axes_that_are_added_by_recursion(u):
    return np.sum(at_least(u, ndim=3)[0, 0] ** 2) + np.sum(np.cos(at_least(u, 1)))


class Link:
    def __init__(self, gain=2.0):
        self.gain = gain


Setting = namedtuple("Setting", "gain shift")
Setting.__new__.__defaults__ = (0.7,)  # as it was written before `defaults`


def of_a_class_or_its_object(u):
    total = 0.0
    for link in (Link, Link(3.0)):
        made = link() if inspect.isclass(link) else link
        total += np.sum(made.gain * np.sin(u)) + Setting(made.gain).shift * u[0]
    return total


def translation(x):
    """Give the vector of a transform, or the transform of a vector: one name for both in robotics."""
    if x.shape == (4, 4):
        return x[:3, 3]
    made = np.eye(4)
    made[:3, 3] = x
    return made


def there_and_back(pose):
    return np.sum(np.concatenate([translation(pose), pose[0, :3]]) ** 2)


U = numbers(5)
V = np.sort(U) + U**3
PROGRAMS = (
    *(Entry(f, (U,)) for f in (of_lists_that_stay_empty, keys_that_are_never_there)),
    Entry(changed_item_of_none, (U,)),
    *(Entry(f, (U,)) for f in (largest_of_none, largest_of_some)),
    Entry(deviation, (V,)),
    Entry(deviation_of_two, (V, V + 2.0), (0, 1)),
    Entry(framed, (U, 0.7), (0, 1)),
    Entry(framed_where_asked, (U,)),
    Entry(by_option, (U,)),
    Entry(missing_where_needed, (0.7, "plain")),
    Entry(of_a_matrix_that_is_filled, (0.3,)),
    *(Entry(f, (U,)) for f in (of_neurons, of_axes_that_are_added, of_a_class_or_its_object)),
    Entry(of_axes_that_are_added_by_recursion, (U,)),
    Entry(over_an_axis_by_number, (0.3, 1.7), (0, 1)),
    Entry(there_and_back, (numbers(4, 4),), like_only=True),
)
