"""Functions that are chosen while a function runs, and functions that functions make."""

from __future__ import annotations

import functools
import math

import numpy as np

from tests.programs.entry import Entry, numbers


def one_or_the_other(x, y):
    g = np.sin if x > y else np.cos
    return g(x * y)


def chosen_by_a_branch(x, c):
    if c:
        f = math.exp
    else:
        f = math.sin
    return f(x) * x


def called_at_once(x, y):
    return (pair if x > 0 else np.add)(x, y) * (np.sin if y < 0 else np.tanh)(x)


def pair(x, y, s=1.0):
    return x * y * s


def table_of_its_own(x, y, name):
    ops = {"tanh": np.tanh, "sin": np.sin, "sq": lambda t: t * t}
    return ops[name](x) * ops["sq"](y)


def entry_or_another(x, y, kind):
    table = {"a": np.sin, "b": np.cos}
    f = table.get(kind, np.tanh)
    return f(x) * y


def inner_functions_by_key(x, y, kind):
    def lin(t):
        return t * y

    def quad(t):
        return t * t

    f = {"lin": lin, "quad": quad}[kind]
    return f(x) + f(y)


def each_in_its_turn(x, y):
    fs = [np.sin, np.cos, lambda t: t**3]
    s = 0.0
    for f in fs:
        s += f(x) * y
    return s


def by_its_position(x, y):
    fs = (np.sin, np.cos)
    s = 0.0
    for k in range(4):
        s += fs[k % 2](x * k) * y
    return s


def rows_of_weights(x, y):
    layers = [(x, np.tanh), (y, lambda t: t), (x * y, np.sin)]
    h = 1.0
    for w, act in layers:
        h = act(w * h)
    return h


def items_of_a_table(x, y):
    acts = {"s": np.sin, "c": np.cos}
    total = 0.0
    for name, f in acts.items():
        total += f(x) * (1 if name == "s" else y)
    return total


def chosen_in_a_comprehension(x, y):
    fs = [np.sin, np.cos]
    vals = [f(x * y) for f in fs]
    return vals[0] * vals[1]


def whole_on_one_way(x, y):
    v = 1 if y > 1.0 else x
    if isinstance(v, int):
        return 3.0 * x * v + y
    return v * x * y


def class_of_what_is_whole_on_one_way(x, y):
    v = 1 if y > 1.0 else x
    return 3.0 * x + y if type(v) is int else x * v * y


def whole_before_the_first_pass(x, y):
    total, once = 0, 0.0
    for k in range(3):
        if isinstance(total, int):
            once = once + 3.0 * x
        total = total + x * k
    return once + total * y


def two_definitions(x, y, kind):
    if kind == "a":

        def f(t):
            return t * y
    else:

        def f(t):
            return t * t + y

    return f(x) * f(y)


def lambdas_on_each_way(x, y, kind):
    if kind == "a":
        rhs = lambda v: -x * v  # noqa: E731
    elif kind == "b":
        rhs = lambda v: x * v * v  # noqa: E731
    else:
        raise ValueError(kind)
    for _ in range(3):
        y = y + 0.1 * rhs(y)
    return y


def perhaps_none(x, y, c):
    f = None
    if c > 3:
        f = np.sin
    r = x * y
    if f is not None:
        r = f(r)
    return r


def another_in_each_pass(x, y, n):
    f = np.sin
    for k in range(n):
        x = f(x) + y
        f = np.cos if k % 2 else np.sin
    return x


def integrate(f, y, n):
    for i in range(n):
        y = y + 0.1 * f(0.1 * i, y)
    return y


def handed_on(x, y, c):
    rhs = np.multiply if c else np.add
    return integrate(rhs, y, 3) * x


def handed_on_at_once(x, y, c):
    def falling(t, v):
        return -x * v + t

    def growing(t, v):
        return x * v * v

    return integrate(falling if c else growing, y, 3)


def first_step(x, y):
    return x + 0.1 * y, y - 0.1 * x


def other_step(x, y):
    return x * y, y


def steps_of_pairs(x, y, c):
    step = first_step if c else other_step
    for _ in range(3):
        x, y = step(x, y)
    return x * y


# ---------------------------------------------------------------------------- made by functions


def scaled_by(k):
    def scaled(t):
        return t * k

    return scaled


def made_here(x, y):
    def make(a):
        def inner(b):
            return a * b

        return inner

    f = make(x)
    return f(y) * make(y)(x)


def keeps_what_it_was_made_with(x, y):
    f = scaled_by(x)
    x = x * 2
    return f(y) * x


def keeps_the_array(u, x):
    w = u.copy()
    f = scaled_by(w)
    w = w * x
    w[0] = 3.0
    return np.sum(f(2.0) * w)


def sees_what_is_written(u, x):
    u = u.copy()
    f = scaled_by(u)
    u[1] = x
    return np.sum(f(2.0) ** 2)


def counter(a):
    n = 0

    def step(v):
        nonlocal a, n
        a = a * v
        n += 1
        return a + n

    return step


def two_counters(x, y):
    c, d = counter(x), counter(y)
    r = c(2.0) + d(x)
    for i in range(3):
        r += c(y) * i
    return r * c(1.0) + d(y)


def counter_in_branches(x, y):
    c = counter(x)
    if y > 1:
        c(2.0)
        z = c(y)
    else:
        z = c(1.0)
    return z * c(x)


def buffer_of(n, a):
    w = np.zeros(n)

    def put(i, v):
        w[i] += v * a
        return w

    return put


def buffer_behind_a_function(x, y):
    put = buffer_of(3, x)
    put(0, y)
    put(1, x)
    w = put(0, x * y)
    return np.sum(w**2)


def made_in_each_pass(x, y):
    s = 0.0
    for k in range(3):
        f = scaled_by(x + k)
        s += f(y)
    return s


def twice(f):
    def g(t):
        return f(f(t))

    return g


def made_of_made(x, y):
    f = twice(twice(scaled_by(x)))
    return f(y)


def compose(f, g):
    return lambda t: f(g(t))


def composed(x, y):
    h = compose(np.sin, lambda t: t * y)
    return h(x) * compose(np.exp, np.tanh)(y)


def heun(rhs, h):
    def step(t, v):
        k1 = rhs(t, v)
        k2 = rhs(t + h, v + h * k1)
        return v + h / 2 * (k1 + k2)

    return step


def made_solver(u, x):
    step = heun(lambda t, v: -x * v + t, 0.1)
    for n in range(3):
        u = step(0.1 * n, u)
    return np.sum(u)


def decay(k):
    def rhs(t, y):
        return -k * y + t

    return rhs


def made_and_handed_on(x, y):
    rhs = decay(x)
    return integrate(rhs, y, 3) + integrate(decay(y), x, 2)


def comprehension_on_one_way(u):
    return sum([x * x for x in u]) if u[0] > 0.0 else 0.0


def two_inside(x, y):
    def outer():
        z = x

        def bump(d):
            nonlocal z
            z += d
            return z

        def get():
            return z * y

        bump(1.0)
        return get

    g = outer()
    return g() * g()


def tables_in_the_call_of_a_loop(x, y):
    total = x * y
    for word, f in {"sin": np.sin, "tanh": np.tanh, "square": lambda t: t * t}.items():
        total += f(x) * len(word)
    for i, (w, f) in enumerate([(x, np.cos), (y, np.sin), (2.0, np.tanh)]):
        total = total * w + f(y) * i
    for _, f in sorted({"b": np.sin, "a": np.exp}.items()):
        total = f(total * 0.1)
    return total * sum(f(x) for f in [np.sin, np.exp])


def neighbours_that_are_there(u):
    s = u[5] * u[0] if len(u) > 5 else u[1]
    for k in range(len(u)):
        s += (u[k + 1] if k + 1 < len(u) else 0.5) * u[k]
        s *= u[k + 2] if k < len(u) - 2 and u[k] < 9.0 else 1.1
    return s


def entries_that_are_there(u):
    s, d, kept = 0.0, {}, u[u > 5.0]
    for k in range(len(u)):
        d[k // 2] = u[k] * u
        s += np.sum(d[1]) if 1 in d else 0.5 * u[k]
        s *= kept[0] * s if np.any(kept > 0.0) else u[k]
    return s + (d[7][0] if 7 in d and 1 in d else np.sum(d[0]) if 0 in d else u[0])


def items_that_are_there(u):
    xs = []
    if u[0] > u[1]:
        xs.append(u[0])
    return u[2] * (xs[0] * u[1] if u[0] > u[1] else u[2] * u[1])


def functions_of_a_comprehension(x, y):
    powers = [lambda t, j=j: t**j * x for j in range(1, 4)]
    late = [lambda t: t * (j + y) for j in range(3)]  # noqa: B023
    named = {j: (lambda t, j=j: np.sin(j * t)) for j in (1, 2)}
    scaled = [functools.partial(np.multiply, v) for v in (x, y)]
    weighted = [(lambda t, j=j: t * j, j) for j in range(3)]
    s = sum(f(y) for f in powers) * powers[-1](x) + late[0](x)
    s += named[2](x * y) + sum(f(x) for f in scaled)
    return s * sum(f(y) * j for f, j in weighted)


class Sine:
    scale = 1.3
    power = 2

    def of(self, x):
        return self.scale * np.sin(x) ** self.power


class Cube(Sine):
    scale = 0.4

    def of(self, x):
        return self.scale * x**3 + self.power


class Square(Sine):
    def of(self, x):
        return self.scale * x**2 + self.power


def one_of_three_classes(u):
    s = 0.0
    for v in u:
        if v > 0.5:
            law = Sine()
        elif v > 0.2:
            law = Cube()
        else:
            law = Square()
        law.power = 3
        s += law.of(v) * law.scale
    return s


def one_of_three_functions(x, y):
    if x > y:
        f = np.sin
    elif x + y > 1.5:
        f = np.cos
    else:
        f = np.tanh
    s, k = 0.0, 0
    while k < 2:
        g = np.exp if k * x > 0.5 else f
        s += g(x * y)
        k += 1
    return s


def one_class_within_a_branch(x, y):
    s = 0.0
    if x > 2.0 * y:
        law = Sine()
        s += law.of(x)
    else:
        law = Cube() if y > 1.0 else Square()
        law.power = 3
        s += law.of(y)
    return s * x


def of_the_pass_before(x, y):
    law, s = Sine(), 0.0
    for k in range(3):
        s += law.of(x * k)
        law = Sine() if y * k > 0.5 else Cube()
    return s


def of_the_last_pass(x, y):
    law, s = Sine(), 0.0
    for k in range(3):
        law = Sine() if y * k > 0.5 else Cube()
        s += law.of(x * k)
    return s * law.of(y)


XY = (0.7, 1.3), (0, 1)


def halves_that_change_places(x, n):
    for k in range(n):
        a, b = (x[:, ::2], x[:, 1::2]) if k % 2 == 0 else (x[:, 1::2], x[:, ::2])
        y = np.empty_like(x)
        y[:, k % 2 :: 2] = np.tanh(a)
        y[:, 1 - k % 2 :: 2] = b * np.exp(-a)
        x = y
    return np.sum(x**2)


def one_of_two_lengths(x, n):
    part = x[n:].reshape(-1, 1) if n < 2 else np.outer(x, x)
    start = np.cumsum(x) if n > 1 else x[:2]
    return np.sum(part**2) * np.sum(start**3)


def lists_of_functions_changed(x):
    fs = [np.sin, np.cos] + [np.exp]  # noqa: RUF005
    fs.extend([np.tanh])
    fs.insert(-1, np.arctan)
    gs = fs.copy() * 2
    fs.reverse()
    gs[1:3] = [np.sqrt]
    del gs[0], gs[-2:]
    s = fs.pop(0)(x) * fs.pop()(2.0 * x)
    for k, f in enumerate(fs + gs):
        s += (k + 1) * f(x)
    fs.clear()
    return s * (len(gs) + len(fs))


def dicts_of_functions_changed(x):
    d = {"a": np.sin, "b": np.cos, "c": np.exp}
    s = d.pop("a")(x) * d.pop("z", np.tanh)(x)
    s += d.setdefault("a", np.sqrt)(x) if d.setdefault("e") is None else 0.0
    del d["c"]
    return s * d["b"](x) * len(d)


def functions_that_are_not_there(x):
    fs, d, s = [np.sin], {"a": np.sin}, 1.0
    try:
        s *= fs.pop(3)(x)
    except IndexError:
        s *= x
    try:
        del fs[3]
    except IndexError:
        s *= x
    try:
        s *= d.pop("b")(x)
    except KeyError:
        s *= x
    try:
        del d["b"]
    except KeyError:
        s *= x
    return s * fs[0](x)


def functions_until_none_is_left(x):
    fs, s = [np.sin, np.cos, np.exp], 0.0
    while fs:
        s = s * x + fs.pop()(x)
    return s


PROGRAMS = (
    Entry(halves_that_change_places, (numbers(3, 4), 3)),
    Entry(one_of_two_lengths, (numbers(5), 1)),
    Entry(one_of_two_lengths, (numbers(5), 2), note="outer"),
    Entry(one_or_the_other, *XY),
    Entry(one_or_the_other, (1.4, 0.3), (0, 1), note="sin"),
    Entry(chosen_by_a_branch, (0.7, 1)),
    Entry(called_at_once, *XY),
    Entry(table_of_its_own, (0.7, 1.3, "tanh"), (0, 1)),
    Entry(entry_or_another, (0.7, 1.3, "b"), (0, 1)),
    Entry(entry_or_another, (0.7, 1.3, "z"), (0, 1), note="neither"),
    Entry(inner_functions_by_key, (0.7, 1.3, "quad"), (0, 1)),
    Entry(each_in_its_turn, *XY),
    Entry(by_its_position, *XY),
    Entry(rows_of_weights, *XY),
    Entry(items_of_a_table, *XY),
    Entry(chosen_in_a_comprehension, *XY),
    Entry(whole_on_one_way, (2.0, 1.3), (0, 1)),
    Entry(whole_on_one_way, (2.0, 0.7), (0, 1), note="float"),
    Entry(class_of_what_is_whole_on_one_way, (2.0, 1.3), (0, 1)),
    Entry(whole_before_the_first_pass, (2.0, 1.3), (0, 1)),
    Entry(two_definitions, (0.7, 1.3, "b"), (0, 1)),
    Entry(lambdas_on_each_way, (0.7, 1.3, "b"), (0, 1)),
    Entry(perhaps_none, (0.7, 1.3, 1), (0, 1)),
    Entry(perhaps_none, (0.7, 1.3, 5), (0, 1), note="sin"),
    Entry(another_in_each_pass, (0.7, 1.3, 4), (0, 1), may_refuse=True),
    Entry(handed_on, (0.7, 1.3, 0), (0, 1)),
    Entry(handed_on_at_once, (0.7, 1.3, 1), (0, 1)),
    Entry(steps_of_pairs, (0.7, 1.3, 0), (0, 1)),
    Entry(made_here, *XY),
    Entry(keeps_what_it_was_made_with, *XY),
    Entry(keeps_the_array, (numbers(5), 0.7), (0, 1)),
    Entry(sees_what_is_written, (numbers(5), 0.7), (0, 1)),
    Entry(two_counters, *XY),
    Entry(counter_in_branches, *XY),
    Entry(buffer_behind_a_function, *XY),
    Entry(made_in_each_pass, *XY),
    Entry(made_of_made, *XY),
    Entry(composed, *XY),
    Entry(made_solver, (numbers(5), 0.7), (0, 1)),
    Entry(made_and_handed_on, *XY),
    Entry(comprehension_on_one_way, (numbers(4) + 2.0,)),
    Entry(two_inside, *XY),
    Entry(tables_in_the_call_of_a_loop, *XY, may_refuse=True),
    Entry(neighbours_that_are_there, (numbers(4),)),
    Entry(entries_that_are_there, (numbers(4),)),
    Entry(items_that_are_there, (numbers(4),)),
    Entry(functions_of_a_comprehension, *XY),
    Entry(one_of_three_classes, (numbers(6),)),
    Entry(one_of_three_functions, *XY),
    Entry(one_of_three_functions, (0.3, 0.9), (0, 1), note="tanh"),
    Entry(one_class_within_a_branch, *XY),
    Entry(one_class_within_a_branch, (0.7, 0.9), (0, 1), note="square"),
    Entry(of_the_pass_before, *XY, may_refuse=True),
    Entry(of_the_last_pass, *XY, may_refuse=True),
    Entry(lists_of_functions_changed, (0.7,)),
    Entry(dicts_of_functions_changed, (0.7,)),
    Entry(functions_that_are_not_there, (0.7,)),
    Entry(functions_until_none_is_left, (0.7,)),
)
