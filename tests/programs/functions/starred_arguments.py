"""What is starred in a call is unpacked into what the function needs: f(*w), model(t, *p)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tests.programs.entry import Entry, numbers

TIMES = np.linspace(0, 1, 4)


def line(x, y, z):
    return x * y + z


def pair(a, b):
    return a * b, a - b


def model(t, amplitude, k, *, c=1.0):
    return c * amplitude * np.exp(-k * t)


@dataclass
class Params:
    a: float
    b: float

    def value(self, t, q):
        return self.a * t + self.b * q


class Point(NamedTuple):
    x: float
    y: float


def all_of_an_array(w):
    return line(*w)


def all_of_a_list(w):
    return line(*w) ** 2


def behind_and_before_others(p):
    r = model(TIMES, *p, c=2.0) - 1.0
    return np.sum(r**2)


def into_a_dataclass(w):
    p = Params(*w)
    return p.a * p.b**2


def into_a_named_tuple(w):
    p = Point(*w)
    return p.x * p.y**2


def into_a_method(w, v):
    return Params(*w).value(*v)


def into_an_inner_function(w, k):
    def inner(a, b):
        return k * a * b**2

    return inner(*w)


def into_a_lambda_in_a_loop(w, k):
    h = lambda a, b: k * a * b**2  # noqa: E731
    s = 0.0
    for i in range(3):
        s += h(*(w * i))
    return s


def the_rest_of_it(w):
    return line(w[0], *w[1:])


def what_a_call_gives(w):
    return line(1.0, *pair(*w))


def each_row(rows):
    return sum(line(*row) for row in rows)


def spread_in_a_test(w):
    if line(*w) > 0:
        return line(*w) ** 2
    return 0.0


def on_one_side(w):
    return line(*w) if w[0] > -10 else 0.0


def residuals(p, x, y):
    a, b = p
    return y - a * np.exp(b * x)


def arguments_in_a_tuple(p, args):
    return np.sum(residuals(p, *args) ** 2)


def apply(fn, p):
    return fn(*p)


def of_a_function_that_is_handed_on(p):
    return apply(line, p)


def written_to_after_it_was_spread(w):
    u = w.copy()
    r = line(*u)
    u[0] = r
    return line(*u) * r


def step(a, b):
    return np.array([a * b, a + b])


def a_state_that_goes_round(x0):
    x = x0
    for _ in range(3):
        x = step(*x)
    return x[0] * x[1]


def raised(w):
    w[0] += 1.0
    return w[1]


def behind_what_changes_it(w):
    u = w.copy()
    return line(raised(u), *u)


def before_what_changes_it(w):
    u = w.copy()
    return line(*u, raised(u))


def said(log, v):
    log.append(v)


def behind_what_gives_nothing(w):
    log = []
    return line_without_first(said(log, w[0]), *w) * len(log)


def line_without_first(_, a, b):
    return a * b


def positive(fn):
    def wrapper(*args):
        args = [np.logaddexp(0, a) for a in args]
        return fn(*args)

    return wrapper


@positive
def weighed(a, b):
    return a * b**2


def of_a_wrapper_that_rebinds_them(a, b):
    return weighed(a, b)


def decayed(t, height, rate=0.7, floor=0.2):
    return height * np.exp(-rate * t) + floor


def defaults_behind_a_list(t, p):
    return np.sum(decayed(t, *p) ** 2) + np.sum(decayed(t, *p[:1], floor=0.1))


TWO, THREE = (numbers(2),), (numbers(3),)


def comprehension_into_numpy(x, y):
    doubled = [2.0 * each for each in (x, y)]
    product = np.outer(*doubled)
    left, right = np.broadcast_arrays(*[each**2 for each in doubled])
    return np.sum(product**2) + np.sum(np.where(x > y, *doubled) * left * right)


def folded(a, axes):
    front = np.moveaxis(a, axes, range(len(axes)))
    return np.prod(np.reshape(front, (-1, *front.shape[len(axes) :])), axis=0)


def of_a_shape_behind_axes(u):
    return np.sum(folded(u, (0, 2)) ** 2)


def as_floats(x, scale=1.0):
    return np.asarray(x) * scale


def module_and_arrays(*arrays):
    arrays = tuple(as_floats(x) for x in arrays)
    return np, *arrays


def beside_a_module(u, w):
    xp, a, b = module_and_arrays(u, w)
    return xp.sum(xp.sin(a) * b)


def beside_a_module_in_a_list(u, w):
    both = [as_floats(x, 2.0) for x in (u, w)]
    xp, a, b = [np, *both]
    return xp.sum(xp.sin(a) * b)


def mask_and_axis(x):
    if x.ndim == 1:
        return x > 0.2, 0
    return np.any(x > 0.2, axis=0), 1


def chosen_along(x):
    mask, axis = mask_and_axis(x)
    return x if mask.all() else x.compress(mask, axis=axis)


def along_the_axis_of_a_helper(u, w):
    return np.sum(chosen_along(u) ** 2) * chosen_along(w).sum()


PROGRAMS = (
    Entry(beside_a_module, (numbers(3), numbers(3, start=0.1)), (0, 1)),
    Entry(beside_a_module_in_a_list, (numbers(3), numbers(3, start=0.1)), (0, 1)),
    Entry(along_the_axis_of_a_helper, (numbers(3), numbers(4, start=0.1)), (0, 1), like_only=True),
    Entry(of_a_shape_behind_axes, (numbers(2, 3, 2),)),
    Entry(comprehension_into_numpy, (numbers(3), numbers(3, start=0.4)), (0, 1)),
    Entry(all_of_an_array, THREE),
    Entry(all_of_a_list, ([0.3, 0.4, 0.5],), like_only=True),
    Entry(defaults_behind_a_list, (numbers(3), [0.3, 0.4]), (0, 1), like_only=True),
    Entry(behind_and_before_others, TWO),
    Entry(into_a_dataclass, TWO),
    Entry(into_a_named_tuple, TWO),
    Entry(into_a_method, (numbers(2), numbers(2)), (0, 1)),
    Entry(into_an_inner_function, (numbers(2), 0.3), (0, 1)),
    Entry(into_a_lambda_in_a_loop, (numbers(2), 0.3), (0, 1)),
    Entry(the_rest_of_it, THREE),
    Entry(what_a_call_gives, TWO),
    Entry(each_row, (numbers(2, 3),)),
    Entry(spread_in_a_test, THREE),
    Entry(on_one_side, THREE),
    Entry(arguments_in_a_tuple, (numbers(2), (numbers(3), numbers(3)))),
    Entry(of_a_function_that_is_handed_on, THREE),
    Entry(written_to_after_it_was_spread, THREE),
    Entry(a_state_that_goes_round, TWO),
    Entry(behind_what_changes_it, TWO),
    Entry(before_what_changes_it, TWO),
    Entry(behind_what_gives_nothing, TWO),
    Entry(of_a_wrapper_that_rebinds_them, (0.4, 0.3), (0, 1)),
)
