"""Order, identity and iterators: lowered programs do what Python does, or are not lowered yet."""
# ruff: noqa: B007, B023, B905, C417, E731, F821, F841, RUF007

import warnings
from dataclasses import asdict, dataclass, field

import numpy as np
import pytest

from tests.rooms.lowered import judge

A = np.array([0.3, -0.4, 0.7])


class Point:
    """An object with two numbers."""

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def moved(self, d):
        self.x = self.x + d
        return self.x

    def size(self):
        return self.x * self.y


class Lazy:
    """An object with a field that is set when it is asked for."""

    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        return 2.0


# ------------------------------------------------------------------ iterators are consumed once


def map_summed_twice(u):
    squares = map(lambda v: v * v, u)
    return sum(squares) + 10.0 * sum(squares)


def zip_summed_twice(u):
    pairs = zip(u, u[1:])
    return sum(a * b for a, b in pairs) + 10.0 * sum(a for a, b in pairs)


def generator_summed_twice(u):
    g = (v * v for v in u)
    return sum(g) + 10.0 * sum(g)


def generator_searched_then_summed(u):
    g = (v for v in u)
    found = u[1] in g
    return sum(g) * (2.0 if found else 3.0)


def map_searched_then_summed(u):
    g = map(abs, u)
    found = abs(u[1]) in g
    return sum(g) * (2.0 if found else 3.0)


def map_under_two_names(u):
    g = map(lambda v: v * v, u)
    h = g
    return sum(g) + 10.0 * sum(h)


def map_listed_twice(u):
    g = map(lambda v: v * v, u)
    a, b = list(g), list(g)
    return sum(a) + 3.0 * len(b)


def enumerate_twice(u):
    e = enumerate(u)
    a = sum(i * v for i, v in e)
    b = sum(v for _, v in e)
    return a + 10.0 * b


def iterator_left_in_the_middle(u):
    it = iter(u)
    s = 0.0
    for v in it:
        s = s + v
        if v < 0:
            break
    return s + 10.0 * sum(it)


def map_left_in_the_middle(u):
    it = map(lambda v: 2 * v, u)
    s = 0.0
    for v in it:
        s = s + v
        if v < 0:
            break
    return s + 10.0 * sum(it)


def generator_left_in_the_middle(u):
    it = (2 * v for v in u)
    s = 0.0
    for v in it:
        s = s + v
        if v < 0:
            break
    return s + 10.0 * sum(it)


def next_then_sum(u):
    it = iter(u)
    first = next(it)
    return first + 10.0 * sum(it)


def next_of_map(u):
    it = map(lambda v: v * v, u)
    first = next(it)
    return first + 10.0 * sum(it)


def any_then_sum(u):
    it = (v for v in u)
    found = any(v < 0 for v in it)
    return sum(it) + (1.0 if found else 0.0)


def generator_reads_late(u):
    c = u[0]
    g = (v * c for v in u)
    c = u[1]
    return sum(g)


def map_reads_late(u):
    c = u[0]
    g = map(lambda v: v * c, u)
    c = u[1]
    return sum(g)


def list_read_late(u):
    xs = [u[0], u[1]]
    g = (v * 2 for v in xs)
    xs.append(u[2])
    return sum(g)


def array_read_late(u):
    w = u.copy()
    g = (v * 2 for v in w)
    w[0] = 5.0
    return sum(g)


def generator_handed_over(u):
    g = (v * v for v in u)
    return _total(g) + 10.0 * _total(g)


def _total(values):
    s = 0.0
    for v in values:
        s = s + v
    return s


def map_in_a_loop(u):
    g = map(lambda v: v * v, u)
    s = 0.0
    for _ in range(2):
        s = s + sum(g) + 1.0
    return s


def zip_in_a_branch(u):
    g = zip(u, u)
    if u[0] > 0:
        s = sum(a * b for a, b in g)
    else:
        s = 0.0
    return s + 10.0 * sum(a for a, _ in g)


def reversed_twice(u):
    r = reversed(u)
    return sum(v * v for v in r) + 10.0 * sum(r)


def dict_views_twice(u):
    d = {"a": u[0], "b": u[1]}
    vs = d.values()
    s = sum(vs)
    d["a"] = u[2]
    return s + 10.0 * sum(vs)


def items_twice(u):
    d = {"a": u[0], "b": u[1]}
    it = iter(d.values())
    return next(it) + 10.0 * sum(it)


def yields_some(u):
    if u[0] > 0:
        yield u[0]
    yield u[1]


def unpacked_yields_of_some(u):
    parts = tuple(yields_some(u))
    return len(parts) * 10.0 + parts[0]


def sum_of_yields_of_some(u):
    return sum(yields_some(u))


# ------------------------------------------------------------------ order


def read_before_it_is_set(u):
    x = u[0]
    return x * 10.0 + (x := u[1]) + x


def argument_changed_by_the_next(u):
    w = u.copy()
    return _pair(w[0], _set_first(w), w[0])


def _set_first(w):
    w[0] = 3.0
    return w[1]


def _pair(a, b, c):
    return a + 10.0 * b + 100.0 * c


def display_before_a_change(u):
    w = u.copy()
    xs = [w[0] * 2.0, _set_first(w), w[0]]
    return xs[0] + 10.0 * xs[1] + 100.0 * xs[2]


def dict_before_a_change(u):
    w = u.copy()
    d = {"a": w[0], "b": _set_first(w), "c": w[0]}
    return d["a"] + 10.0 * d["b"] + 100.0 * d["c"]


def method_before_an_argument(u):
    p = Point(u[0], u[1])
    return p.x + 10.0 * p.moved(u[2]) + 100.0 * p.x


def parts_read_before_the_body(u):
    a, b = u[0], u[1]
    s = 0.0
    for f, v in ((np.sin, a), (np.cos, a * b), (np.sin, b)):
        s = s + f(v)
        a = a + 1.0
        b = b + a
    return s + a * b


def items_read_before_the_body(u):
    w = u.copy()
    s = 0.0
    for f, v in ((np.sin, w[0]), (np.cos, w[0] * 2.0), (np.sin, w[1])):
        s = s + f(v)
        w[0] = w[0] + 1.0
        w[1] = s
    return s


def comparison_that_stops(u):
    w = u.copy()
    s = 1.0 if w[0] < 0.0 < _set_first(w) else 2.0
    return s * np.sum(w)


def comparison_that_goes_on(u):
    w = u.copy()
    s = 1.0 if -9.0 < w[0] < _set_first(w) < w[0] else 2.0
    return s * np.sum(w)


def either_changes(u):
    w = u.copy()
    s = w[0] > 0 or _set_first(w) > 0
    return np.sum(w) + (1.0 if s else 0.0)


def aug_reads_first(u):
    w = u.copy()
    w[0] += _set_first(w)
    return np.sum(w)


def swap_by_items(u):
    w = u.copy()
    i = 0
    i, w[i] = 1, 5.0
    return w[0] + 10.0 * w[1]


def index_evaluated_once(u):
    p = Point(u[0], u[1])
    w = np.zeros(9)
    w[int(p.moved(1.0) > 0)] += 2.0
    return np.sum(w * np.arange(9.0)) + p.x


def chained_targets(u):
    a = b = u.copy()
    a[0] = 9.0
    return np.sum(b)


def defaults_of_their_pass(u):
    fs = []
    for k in range(3):
        fs.append(lambda v, k=k: v * u[k])
    return fs[0](1.0) + 10.0 * fs[1](1.0) + 100.0 * fs[2](1.0)


def closures_read_the_last(u):
    fs = []
    for k in range(3):
        fs.append(lambda v: v * u[k])
    return fs[0](1.0) + 10.0 * fs[1](1.0)


def one_of_two_defaults(u):
    if u[0] > 0:
        f = _scaled(2.0)
    else:
        f = _scaled(3.0)
    return f(u[1])


def _scaled(c):
    return lambda v, c=c: v * c


def _power(n):
    def run(v):
        return v**n

    return run


SQUARE, CUBE = _power(2), _power(3)


def one_of_two_made_outside(u):
    f = SQUARE if u[0] > 0 else CUBE
    g = CUBE if u[0] > 0 else SQUARE
    return f(u[1]) + 10.0 * g(u[2])


def method_changes_in_a_loop(u):
    a, b = Point(u[0], u[1]), Point(u[1], u[2])
    f, s = a.size, 0.0
    for _ in range(2):
        s = 10.0 * s + f()
        f = b.size
    return s


def function_changes_in_a_loop(u):
    f, s = np.sin, u[0]
    for _ in range(3):
        s = f(s) + 1.0
        f = np.cos
    return s


# ------------------------------------------------------------------ two names of one thing


def list_under_two_names(u):
    xs = [u[0]]
    ys = xs
    ys.append(u[1])
    xs[0] = 4.0
    return sum(ys) + 10.0 * len(xs)


def dict_under_two_names(u):
    d = {"a": u[0]}
    e = d
    e["b"] = u[1]
    d["a"] = 3.0
    return sum(e.values()) + 10.0 * len(d)


def object_under_two_names(u):
    p = Point(u[0], u[1])
    q = p
    q.moved(u[2])
    return p.x * q.size()


def object_in_two_lists(u):
    p = Point(u[0], u[1])
    xs, ys = [p], [p, Point(u[1], u[2])]
    for q in ys:
        q.moved(1.0)
    return xs[0].x + 10.0 * ys[1].x


def list_of_functions_under_two_names(u):
    fs = [np.sin]
    gs = fs
    gs.append(np.cos)
    return sum(f(u[0]) for f in fs) + 10.0 * len(gs)


def one_of_two_lists(u):
    xs, ys = [u[0]], [u[1]]
    zs = xs if u[0] > 0 else ys
    zs.append(5.0)
    return sum(xs) + 10.0 * sum(ys)


def row_of_an_array(u):
    w = np.outer(u, u)
    r = w[0]
    r += 1.0
    r = r * 2.0
    return np.sum(w) + np.sum(r)


def default_list_grows(u):
    return _grown(u[0]) + 10.0 * _grown(u[1])


def _grown(x, seen=None):
    seen = seen or []
    seen.append(x)
    return sum(seen)


def kept_in_a_field(u):
    p = Point(u.copy(), u[1])
    w = p.x
    w *= 2.0
    p.y = w
    p.y[0] = 7.0
    return np.sum(p.x)


# ------------------------------------------------------------------ on one way alone


def field_on_one_way(u):
    p = Point(u[0], u[1])
    if u[0] > 0:
        p.z = 3.0
    return p.x * (p.z if hasattr(p, "z") else 5.0)


def field_or_another(u):
    p = Point(u[0], u[1])
    if u[0] > 0:
        p.z = 3.0
    return p.x * getattr(p, "z", 5.0)


def field_later(u):
    p = Point(u[0], u[1])
    s = getattr(p, "z", 5.0)
    p.z = u[1]
    return s * p.z


def field_of_a_class_that_answers(u):
    p = Lazy(u[0])
    s = p.z
    p.z = u[1]
    return s + 10.0 * p.z


def key_on_one_way(u):
    d = {"a": u[0]}
    if u[0] > 0:
        d["b"] = u[1]
    return sum(d.values()) + 10.0 * len(d) + (100.0 if "b" in d else 200.0)


def keywords_on_one_way(u):
    d = {"a": u[0]}
    if u[0] > 0:
        d["b"] = u[1]
    return _with_defaults(**d)


def _with_defaults(a, b=7.0):
    return a + 10.0 * b


def key_later(u):
    d = {"a": u[0]}
    s = d.get("b", 5.0)
    d["b"] = u[1]
    return s + 10.0 * d["b"]


def key_removed(u):
    d = {"a": u[0], "b": u[1]}
    del d["a"]
    return sum(d.values()) + 10.0 * len(d) + d.get("a", 3.0)


def name_on_one_way(u):
    if u[0] > 0:
        x = u[0]
    else:
        y = u[1]
    return x if u[0] > 0 else y


def name_of_a_pass(u):
    s = 0.0
    for k in range(3):
        if k > 0:
            s = s + last
        last = u[k]
    return s + last


def name_after_no_pass(u):
    x = 4.0
    for x in u[u > 10.0]:
        pass
    return x * u[0]


def name_of_a_handler(u):
    try:
        x = u[1]
        x = u[9]
    except IndexError:
        x = x * 2.0
    return x


# ------------------------------------------------------------------ objects and classes


@dataclass
class Named:
    """A dataclass whose display is made anew for each object."""

    x: float
    seen: list = field(default_factory=list)
    other: dict = field(default_factory=dict)


class Rounded:
    """An object that builtins ask."""

    def __init__(self, n):
        self.n = n

    def __round__(self, digits=0):
        return self.n * 3.0 + digits

    def __eq__(self, other):
        return self.n > other.n

    __hash__ = None


def builtins_ask_objects(u):
    return round(Rounded(u[0])) + round(Rounded(u[1]), 2)


def objects_that_are_equal_are_not_one(u):
    p, q = Point(u[0], u[1]), Point(u[0], u[1])
    return (2.0 if p == q else 3.0) + (20.0 if q in [p] else 30.0)


def objects_that_say_what_equal_is(u):
    p, q = Rounded(u[0]), Rounded(u[1])
    return (2.0 if p == q else 3.0) + (20.0 if q in [p] else 30.0)


def displays_of_fields_are_their_own(u):
    p, q = Named(u[0]), Named(u[1])
    p.seen.append(u[2])
    p.other["a"] = u[1]
    return len(p.seen) + 10.0 * len(q.seen) + 100.0 * len(q.other)


def taken_apart_deeply(u):
    p = Named(u[0], [u[1]], {"a": u[2]})
    d = asdict(p)
    p.seen[0] = 9.0
    p.other["a"] = 7.0
    return d["seen"][0] + 10.0 * d["other"]["a"]


def _class_of(c):
    class Local:
        def __init__(self, x):
            self.x = x

        def scaled(self):
            return self.x * c

    return Local


def classes_made_twice(u):
    first, second = _class_of(u[0]), _class_of(u[1])
    p, q = first(u[2]), second(u[2])
    return p.scaled() + 10.0 * q.scaled()


def _object_of(c, x):
    class Local:
        def __init__(self, x):
            self.x = x

        def scaled(self):
            return self.x * c

    return Local(x)


def objects_of_classes_made_twice(u):
    p, q = _object_of(u[0], u[2]), _object_of(u[1], u[2])
    return p.scaled() + 10.0 * q.scaled()


def functions_call_each_other(u):
    c = u[0]

    def even(n, x):
        return x if n == 0 else odd(n - 1, x * c)

    def odd(n, x):
        return -x if n == 0 else even(n - 1, x + c)

    return even(5, u[1])


def functions_made_on_some_ways(u):
    s = 0.0
    for k, x in enumerate(u):
        if abs(x) > 0.5 or k == 0:
            f = lambda t, c=x: t * c
        if k > 0:
            s = s + f(2.0)
    return s


def functions_of_an_earlier_pass(u):
    s, f = 0.0, np.sin
    for k, x in enumerate(u):
        if k == 0:
            f = lambda t, c=x: t * c
        if k > 1:
            s = s + f(2.0)
    return s


def methods_of_an_earlier_pass(u):
    s = 0.0
    for k, x in enumerate(u):
        p = Point(x, 2.0)
        if k == 0:
            f = p.size
        if k > 1:
            s = s + f()
    return s


def functions_of_the_pass_before(u):
    s = 0.0
    for k, x in enumerate(u):
        if k > 0:
            s = 10.0 * s + f(2.0)
        f = lambda t, c=x: t * c
    return s


def functions_made_in_two_loops(u):
    s = 0.0
    for x in u:
        if x > 0.2:
            for y in u:
                f = lambda t, c=x * y: t * c
        for y in u:
            s = s + y
            f = lambda t, c=y: t * c
    return s + f(3.0)


def arm_that_would_raise(u):
    b = u[0]
    return np.sum(u @ b if b > 9.0 else u * b)


def function_that_counts(u):
    n = 0

    def f(x):
        nonlocal n
        n = n + 1
        return x * n

    return f(u[0]) + 10.0 * f(u[0])


ROWS = [
    value
    for name, value in list(globals().items())
    if callable(value)
    and getattr(value, "__module__", "") == __name__
    and not isinstance(value, type)
    and not name.startswith("_")
    and name not in ("yields_some", "SQUARE", "CUBE")
]


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("function", ROWS)
def test_the_program_does_what_python_does(function, sign):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        verdict, detail, _ = judge(function, (sign * A,))
    assert verdict in ("equal", "not yet"), detail
