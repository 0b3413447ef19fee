"""What does not vary is changed in place by statements that are copied as they stand."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def shuffled(u):
    v = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    y = np.sum(u * v)
    np.random.default_rng(1).shuffle(v)
    return y * v[0] + np.sum(u * v)


def partitioned(u):
    v = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    y = np.sum(u * v)
    v.partition(2)
    return y * v[0] + np.sum(u * v)


def put(u):
    v = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    y = u * v
    np.put(v, [0], 9.0)
    return np.sum(y * y * v)


def put_in_every_pass(u):
    v = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    s = 0.0
    for i in range(3):
        s = s + np.sum(u * v * s) + u[i]
        np.put(v, [i], 9.0)
    return s


def put_on_one_side(u, c):
    v = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    y = u * v
    if c > 0.0:
        np.put(v, [1], 9.0)
    return np.sum(y * y * v) * c


def put_at_flags(u, w):
    v = w * 1.0
    np.put(v, [True, False, True, False, True], u)
    return np.sum(v * v * u)


def put_by_a_method(u):
    v = np.ones(5)
    y = u * v
    v.__setitem__(0, 7.0)
    return np.sum(y * y * v)


def put_in_a_view(u):
    v = np.ones(5)
    y = u * v
    w = v[1:]
    np.put(w, [0], 7.0)
    return np.sum(y * y * v)


def resized(u):
    v = np.ones(4)
    y = np.sum(u[:4] * v) * v.shape[0]
    v.resize((2, 2), refcheck=False)
    return y * v.shape[0] * y


def updated(u):
    d = {"a": 2.0}
    y = u[0] * d["a"]
    d.update(a=5.0)
    return y * y * d["a"]


def argument_is_put(u, v):
    y = u * v
    np.put(v, [0], 9.0)
    return np.sum(y * y * v)


def argument_is_shuffled(u, v):
    np.random.default_rng(0).shuffle(v)
    return np.sum(u * v)


def _change(v):
    np.put(v, [0], 5.0)


def argument_is_changed_by_a_helper(u, v):
    y = u * v
    _change(v)
    return np.sum(y * y * v)


def argument_is_changed_under_another_name(u, v):
    w = v
    np.put(w, [0], 5.0)
    return np.sum(u * v)


# ---------------------------------------------------------------- by way of what holds it


def changed_in_a_list(u):
    vs = [np.ones(5), np.ones(5)]
    y = np.sum(vs[0] * u)
    np.put(vs[0], [0], 9.0)
    return y * np.sum(vs[0] * u**2)


def changed_in_a_dict(u):
    d = {"v": np.ones(5)}
    y = np.sum(d["v"] * u)
    np.put(d["v"], [0], 9.0)
    return y * np.sum(d["v"] * u**2)


def by_name_and_in_a_part(u):
    v = np.ones(5)
    y = np.sum(v * u)
    np.put(a=v[1:], ind=[0], v=9.0)
    z = np.sum(v * u)
    np.copyto(dst=v, src=3.0)
    return y * z * np.sum(v * u**2)


def changed_in_a_comprehension(u):
    v = np.ones(5)
    y = np.sum(v * u)
    [np.put(v, [i], i) for i in range(4)]
    return y * np.sum(v * u**2)


class Weights:
    def __init__(self):
        self.v = np.ones(5)
        self.all = [np.ones(5)]

    def put(self):
        np.put(self.v, [0], 5.0)

    def sort(self):
        self.v.sort()
        self.v[1] = 7.0


def changed_in_an_object(u):
    w = Weights()
    y = np.sum(w.v * u)
    w.put()
    z = np.sum(w.v * u)
    w.sort()
    return y * z * np.sum(w.v * u**2)


def in_a_list_of_an_argument(u, weights):
    v = weights.all[0]
    v += 1.0
    return np.sum(v * u)


def joined_is_squared(u):
    both = np.r_[u, 2.0 * u]
    both *= both
    return np.sum(both * both)


def joined_by_a_helper(u):
    def pairs(v):
        made = np.c_[v, 3.0 * v]
        made[0] *= 3.0
        return made

    return np.sum(pairs(u) ** 3)


U = abs(numbers(5))
IN_HOLDERS = (
    changed_in_a_list,
    changed_in_a_dict,
    by_name_and_in_a_part,
    changed_in_a_comprehension,
)
# of NumPy alone, other modules draw other numbers: tests/loops/test_lazy_iterators.py
OF_NUMPY = (shuffled, argument_is_shuffled, resized)
OF_ONE = (partitioned, put, put_in_every_pass, put_by_a_method, updated)
NEW = (joined_is_squared, joined_by_a_helper)
OF_TWO = (argument_is_put, put_at_flags, argument_is_changed_by_a_helper)


def shuffled_in_each_pass(u):
    rng, v, s = np.random.default_rng(5), np.sin(u), 0.0
    w = v
    for k in range(4):
        rng.shuffle(v)
        s = s + w[0] * v[k] ** 2
        v[1] *= v[2] * rng.random()
    rng.shuffle(w[1:])
    return s * w[3] + v[1]


def copied_under_its_own_name(u):
    w, z = np.asarray(u), u
    s = z[0]
    z = z.copy()
    z[...] = w
    return s * np.sum(z * u)


def by_methods_of_brackets(u):
    w, d = u * 1.0, {}
    s = 0.0
    for k in range(3):
        w.__setitem__(k, u[k] * w.__getitem__(k + 1))
        d.__setitem__(k, w[k])
        s += w.__len__() * d.__getitem__(k)
    return s + np.sum(w)


PROGRAMS = (
    *(Entry(function, (U,)) for function in (*OF_ONE, *IN_HOLDERS, *NEW)),
    *(Entry(f, (U,)) for f in (copied_under_its_own_name, by_methods_of_brackets)),
    Entry(shuffled_in_each_pass, (U,)),
    *(Entry(function, (U, numbers(5, start=0.55))) for function in OF_TWO),
    Entry(put_on_one_side, (U, 0.7), (0, 1)),
    Entry(put_on_one_side, (U, -0.7), (0, 1), note="other"),
    Entry(put_in_a_view, (U,), may_refuse=True),
    Entry(argument_is_changed_under_another_name, (U, numbers(5)), may_refuse=True),
)
