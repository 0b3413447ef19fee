"""Functions that are handed on: under names, in tables, as partial objects, lambdas and methods.

newton(lambda x: x * x - c, lambda x: 2 * x, 1.0)
"""

from __future__ import annotations

import functools
import operator

import numpy as np

from tests.programs.entry import Entry, numbers

U = numbers(5)


def bent(a, x, b=2.0):
    return a * x**2 + b * np.sin(x)


def apply(f, x):
    return f(x) * x


HALF_BENT = functools.partial(bent, 1.5, b=0.3)


def partial_of_module(x):
    return HALF_BENT(x) * x


def partial_inside(x):
    h = functools.partial(bent, x)
    return h(0.4) + h(x, b=x)


def partial_by_name(x):
    h = functools.partial(bent, 1.5, b=x)
    return h(x)


def partial_mapped(u):
    return sum(map(functools.partial(bent, 2.0), u))


def partial_handed_on(x):
    return apply(functools.partial(bent, x, b=0.4), x)


def partial_then_changed(x):
    h = functools.partial(bent, x)
    x = x * x
    return h(0.4) * x


def partial_of_array_then_written(u):
    v = u.copy()
    h = functools.partial(np.dot, v)
    v[0] = 2.0
    return h(u)


def another_name(x):
    f = np.sin
    return f(x) * x


def another_name_of_own(x):
    f = bent
    return f(1.0, x) * x


TABLE = {"sin": np.sin, "square": lambda t: t * t}
CHAIN = [np.sin, np.exp, np.tanh]


def from_a_table(x):
    return TABLE["sin"](x) * TABLE["square"](x)


def looked_up(x, kind):
    return TABLE[kind](x) * x


def looked_up_later(x, kind="square"):
    f = TABLE[kind]
    return f(x) * looked_up(2.0 * x, kind)


BENDS = {"soft": lambda t: np.tanh(t) * t, "hard": lambda t: np.maximum(t, 0.1) ** 2}


def bent_by(x, how):
    return BENDS[how](x) + x


def looked_up_among_lambdas(x, how="soft"):
    return BENDS[how](x) * bent_by(2.0 * x, how) * bent_by(x, "hard")


def looked_up_by_texts(x):
    return looked_up(x, "sin") + looked_up(x, kind="square")


def attribute_of_a_module(u, name):
    return np.sum(getattr(np, name)(u) * u)


def transposed_by_name(u):
    pairs = [(a, a * a) for a in u]
    xs, ys = zip(*pairs)  # noqa: B905
    return sum(x * y for x, y in zip(xs, ys))  # noqa: B905


def one_after_another(x):
    y = x
    for f in CHAIN:
        y = f(y) * x
    return y


def of_a_display(x):
    y = x
    for f in (lambda t: t * x, np.sin, lambda t: t + x):
        y = f(y)
    return y


def composed(*functions):
    def inner(x):
        for f in functions:
            x = f(x)
        return x

    return inner


SIN_EXP = composed(np.sin, np.exp)


def calls_composed(x):
    return SIN_EXP(x) * x


@functools.lru_cache
def cached(x, n):
    return x**n


def calls_cached(x):
    return cached(x, 3) * x


class Box:
    rate = 0.7

    @staticmethod
    def plain(x, y):
        return x * np.sin(y)

    @classmethod
    def constant(cls, x):
        return 3.0 * x**2


def calls_class(x):
    return Box.constant(x) * Box.plain(x, x)


def display_starred(x):
    return bent(*(1.0, x)) + bent(*[x, 0.5], b=x) + np.multiply(*(x, x))


def list_starred(x):
    args = [x, x * x]
    return bent(*args)


def starred_keywords(x):
    return bent(1.0, x=x, b=x)


def lambda_of_a_name(x):
    c = x * x
    h = apply(lambda t: t * c, x)
    c = 2.0 * c
    return h + apply(lambda t: t * c, x)


def lambda_in_a_loop(x):
    total = 0.0
    for k in range(3):
        total = total + apply(lambda t: t * k * x, x)  # noqa: B023
    return total


def lambda_in_a_comprehension(u):
    return sum(apply(lambda t: t * v, v) for v in u)  # noqa: B023


def function_made_inside(x):
    def f(t):
        return t * np.sin(x)

    return apply(f, f(x))


def both(f, h, x):
    return f(h(x))


def two_lambdas(x):
    return both(lambda t: t * x, lambda t: t + x, x)


def nested(f, x):
    return apply(f, x) + apply(lambda s: f(s) * x, x)


def lambda_goes_on(x):
    return nested(lambda t: t * t * x, x)


def functions_of_a_list(x):
    fs = [np.sin, np.cos]
    return fs[0](x) * fs[-1](x)


def operators_as_functions(u):
    return functools.reduce(operator.mul, u) + operator.add(u[0], operator.neg(u[1]))


def keeps_count(f):
    n = 0

    @functools.wraps(f)
    def inner(*args):
        nonlocal n
        n += 1
        return f(*args) * 1.0

    return inner


@keeps_count
def counted_square(x):
    return x * x


def calls_counted(x):
    return counted_square(x) * x


def in_rows(f, a):
    rows = a.reshape(-1, a.shape[1:][-1])
    return np.sum(f(rows)) * len(a.shape[:-1])


def shapes_are_sliced(u):
    return in_rows(np.sin, np.outer(u, u))


def hinge(x):
    return x * x if x > 0.0 else -0.5 * x


HINGES = np.vectorize(hinge)


def for_each_number(u):
    return np.sum(HINGES(u) * u) + np.sum(np.vectorize(hinge)(np.outer(u, u)))


def for_each_pair(u):
    return np.sum(np.vectorize(lambda a, b: a * b + np.sin(a))(u[:, None], u))


def for_each_of_three(u, c):
    return np.sum(np.vectorize(lambda a, b, c: a * b + np.sin(c) if a > c else c)(u[:, None], u, c))


def weighed(p, q, r, s, t, share=0.5):
    return p * q + np.exp(-r) * s * share if t > 0.3 else p


WEIGHED = np.vectorize(weighed)


def for_each_of_six(u, c):
    return np.sum(WEIGHED(u, c, u * u, 0.3, u, share=c * u) * u)


def for_each_of_four_by_name(u, c):
    @np.vectorize
    def curve(x, height, width, floor):
        return floor + height * np.exp(-((x / width) ** 2))

    return np.sum(curve(u, c, floor=u * u, width=2.0))


def chosen_by_kind(x):
    """A function hands back functions: one for numbers, one for arrays."""
    if np.isscalar(x):
        return np.sin, 2.0
    return np.cos, 3.0


def of_its_kind(u, c):
    f, scale = chosen_by_kind(u[0] * c)
    g, other = chosen_by_kind(u)
    return scale * f(c) * np.sum(g(u)) ** other


def raises_what_is_made_before(u, c):
    error = ValueError("%g is too large" % c)  # noqa: UP031
    if c > 3.0:
        raise error
    return np.sum(u) * c**2


def for_each_with_what_is_around(u, c):
    return np.vectorize(lambda a: a * c if a > c else c)(u).sum()


def takes_the_first_type(u):
    return np.sum(np.vectorize(lambda a: 0 if a < 0.0 else a * a)(u))


AS_FLOATS = np.vectorize(lambda a: 0 if a < 0.0 else a * a, otypes=[float])


def floats_that_are_told(u):
    products = np.vectorize(lambda a, b: a * b, otypes="d")(u[:, None], u)
    return np.sum(AS_FLOATS(u) ** 2) + np.sum(products * np.vectorize(hinge, [float])(u))


def ufuncs_of_functions(u, c):
    smooth = np.frompyfunc(lambda a: a * c if a > c else a * a, 1, 1)
    outer = np.frompyfunc(lambda a, b: a * b + np.sin(a), 2, 1)
    return float(np.sum(smooth(u))) + np.sum(outer(u[:, None], u))


NORMS_OF_ROWS = np.vectorize(lambda row: np.sqrt(np.sum(row**2)), signature="(n)->()")


def for_each_row(a):
    scaled = np.vectorize(lambda r, q: r * np.dot(r, q), signature="(n),(n)->(n)")(a, a[0])
    return np.sum(np.sin(scaled)) + np.sum(NORMS_OF_ROWS(a) ** 3)


def whole_numbers_of_some_rows(a):
    return np.sum(1.5 * np.apply_along_axis(lambda r: 0 if r[0] < 0.0 else r[1] * r[2], 1, a))


def vectors_of_iterators(u):
    squares = np.fromiter((v * v for v in u), float)
    return np.dot(np.fromiter(map(np.sin, u), np.float64, count=len(squares)), squares)


def first_name(a):
    n = 0
    if a > 0.5:
        n = a * a
    return n


def takes_the_type_of_a_name(u):
    return np.sum(np.vectorize(first_name)(u))


def along_rows(a):
    return np.sum(np.apply_along_axis(lambda r: r * r[0], 1, a) * np.arange(9.0).reshape(3, 3))


def along_columns(a):
    weights = np.arange(9.0).reshape(3, 3)
    return np.sum(np.apply_along_axis(lambda r: r * r[0], 0, a) * weights)


def sums_along(a):
    return np.sum(np.apply_along_axis(np.sum, 0, a) ** 2)


def along_the_middle(a):
    first = np.apply_along_axis(lambda r: r[:2] * r[-1], 1, a)
    return np.sum(first**2) + np.sum(np.apply_along_axis(hinge_of_sum, -1, a) ** 2)


def hinge_of_sum(r):
    return hinge(np.sum(r))


def newton(f, slope, x, n=3):
    for _ in range(n):
        x = x - f(x) / slope(x)
    return x


def root(c):
    return newton(lambda x: x * x - c, lambda x: 2 * x, 1.0)


def rk4(f, y, t, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def flow(u, k):
    y = u
    for i in range(3):
        y = rk4(lambda t, y: -k * y + np.sin(t), y, 0.1 * i, 0.1)
    return np.sum(y * y)


def chosen(x):
    f = np.sin if x > 0 else np.cos
    return f(x) * x


def default_of_a_lambda(x, a=2.0):
    return apply(lambda t, a=a: t * a, x)


def starred_after_a_store(x):
    args = [x, 0.3]
    args[1] = x * x
    return bent(*args)


def operators_that_write(u):
    total = functools.reduce(operator.iadd, [u * u[k] for k in range(3)], np.zeros(len(u)))
    kept = total
    product = kept * u
    operator.imul(total, u)
    operator.setitem(total, 1, u[0] * u[1])
    total = operator.itruediv(total, 2.0)
    return np.sum(kept * product)


ENDS = operator.itemgetter(0, -1)
TOTAL = operator.methodcaller("sum", axis=0)
POWERS_OF_TWO = functools.partial(np.power, 2.0)


def getters_of_module(u):
    first, last = ENDS(u)
    return first * last + TOTAL(POWERS_OF_TWO(u))


def getter_mapped(u):
    rows = [u, u * u[0]]
    return sum(map(operator.itemgetter(1), rows)) * u[0]


OF_A_NUMBER = (
    *(partial_of_module, partial_inside, partial_by_name, partial_handed_on, another_name),
    *(another_name_of_own, from_a_table, one_after_another, of_a_display, calls_composed),
    *(calls_cached, calls_class, display_starred, list_starred, starred_keywords),
    *(lambda_of_a_name, lambda_in_a_loop, function_made_inside, two_lambdas, lambda_goes_on),
    *(root, functions_of_a_list),
)
REFUSABLE = (
    chosen,
    calls_counted,
    default_of_a_lambda,
    starred_after_a_store,
    partial_then_changed,
)


def divided_by_each(u, x):
    u[1] *= (x + 1.0) * 0.75
    for z in u:
        x /= 1.5 + np.cos(u[-1] * np.tanh(z)) ** 2
    return u * x


def a_literal_that_is_divided(w, x):
    for _ in range(3):
        u = divided_by_each(w, x)
        w = divided_by_each(np.sin(w[:]), 1.0)
    return x + np.sum(w) + np.sum(u)


class Glass:
    def __init__(self, depth, index):
        self.depth, self.index = depth, index


def functions_made_of_items(u, x):
    waves = [lambda t, a=a: np.sin(a * t) for a in u]
    panes = [Glass(d, lambda t, k=k: x + k * t) for k, d in enumerate(u)]
    by_number = {k: lambda t, a=a, b=b: a * b * t for k, (a, b) in enumerate(zip(u, u * x))}  # noqa: B905
    waved = sum(f(x) for f in waves) * waves[-1](0.5)
    return waved + sum(p.depth * p.index(0.3) for p in panes) + by_number[1](x)


PROGRAMS = (
    Entry(operators_that_write, (U,)),
    Entry(functions_made_of_items, (U, 0.4), wrt=(0, 1), like_only=True),
    Entry(a_literal_that_is_divided, (numbers(4), np.float64(0.3)), (0, 1)),
    *(Entry(function, (0.7,)) for function in OF_A_NUMBER),
    *(Entry(function, (0.7,), may_refuse=True) for function in REFUSABLE),
    Entry(partial_mapped, (U,)),
    Entry(lambda_in_a_comprehension, (U,)),
    Entry(partial_of_array_then_written, (U,), may_refuse=True),
    Entry(flow, (U, 0.4), wrt=(0, 1)),
    Entry(looked_up, (0.7, "sin")),
    Entry(looked_up, (0.7, "square"), note="square"),
    Entry(looked_up_among_lambdas, (0.7,)),
    Entry(looked_up_later, (0.7,)),
    Entry(looked_up_later, (0.7, "sin"), note="sin"),
    Entry(looked_up_by_texts, (0.7,)),
    Entry(attribute_of_a_module, (U, "tanh")),
    Entry(transposed_by_name, (U,)),
    Entry(for_each_number, (U,)),
    Entry(for_each_pair, (U,)),
    *(
        Entry(function, (U, 0.1), wrt=(0, 1))
        for function in (
            *(for_each_of_three, for_each_of_four_by_name, for_each_of_six),
            *(of_its_kind, raises_what_is_made_before),
        )
    ),
    Entry(floats_that_are_told, (U,)),
    Entry(for_each_with_what_is_around, (U, 0.1), wrt=(0, 1)),
    Entry(ufuncs_of_functions, (U, 0.1), wrt=(0, 1)),
    Entry(for_each_row, (numbers(3, 3),)),
    Entry(whole_numbers_of_some_rows, (numbers(3, 3) - 0.5,), may_refuse=True),
    Entry(vectors_of_iterators, (U,)),
    Entry(takes_the_first_type, (U,), may_refuse=True),
    Entry(takes_the_type_of_a_name, (U,), may_refuse=True),
    *(Entry(function, (numbers(3, 3),)) for function in (along_rows, along_columns, sums_along)),
    Entry(along_the_middle, (numbers(2, 3, 4),)),
    Entry(shapes_are_sliced, (U,)),
    Entry(operators_as_functions, (U,)),
    Entry(getters_of_module, (U,)),
    Entry(getter_mapped, (U,)),
)
