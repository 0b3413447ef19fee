"""A saved text asks for whatever it relies on: called with the opposite it raises, or it is right."""

import copy
import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([0.3, -0.7, 1.1, 0.4])
MASK = np.array([True, False, True, True])
TWICE = np.array([1, 1, 2])


def selected(x, m):
    return np.sum(x[m] ** 2)


def doubled_in_place(x, m):
    y = x.copy()
    y[m] *= 2.0
    return np.sum(y**2)


def of_a_kind(x, w):
    if isinstance(w, int):
        return np.sum(x) * w
    return np.sum(x**2) * w


def elements(x, _):
    s = 0.0
    for i in range(len(x)):
        s += np.sqrt(np.abs(x[i]))
    return s


def first_two(x, _):
    return np.sin(x[0]) * x[1] ** 2


def rank(x, w):
    return np.sum(w * x) if np.ndim(w) else w * np.sum(x**2)


def option(x, mode):
    return np.sum(x**2) if mode == "square" else np.sum(np.abs(x))


def none(x, w):
    return np.sum(x**2) if w is None else np.sum(w * x)


def of_a_list(x, w):
    return np.sum(x) * w[0] if isinstance(w, list) else np.sum(x**2) * w[0]


def of_an_inner_list(x, w):
    return np.sum(x) * 3.0 if isinstance(w["p"], list) else np.sum(x**2) * w["p"][0]


def of_lists_in_a_list(x, rows):
    total = 0.0
    for row in rows:
        total = total + (np.sum(x) * row[0] if isinstance(row, list) else np.sum(x**2) * row[1])
    return total


def of_a_field_or_two(x, w):
    return np.sum(x**2) * getattr(w, "scale", 2.0) + (np.sum(x) if hasattr(w, "scale") else 0.0)


def of_a_range(x, w):
    return np.sum(x) * len(w) if isinstance(w, range) else np.sum(x**2) * w[0]


def of_pairs(x, w):
    return np.sum(np.outer(x, x)[w] ** 2)


FACTS = (
    ("a mask", selected, MASK, TWICE),
    ("a mask that is written through", doubled_in_place, MASK, TWICE),
    ("one position", selected, 1, [1, 1, 2]),
    ("positions", selected, TWICE, MASK),
    ("an integer", of_a_kind, 2, 2.5),
    ("a float", of_a_kind, 2.5, 2),
    ("a number", rank, 2.0, X),
    ("an array", rank, X, 2.0),
    ("an option", option, "square", "other"),
    ("None", none, None, X),
    ("no None", none, X, None),
    ("a list", of_a_list, [1.0, 2.0], (1.0, 2.0)),
    ("a list, no array", of_a_list, [1.0, 2.0], X),
    ("a tuple", of_a_list, (1.0, 2.0), [1.0, 2.0]),
    ("no field", of_a_field_or_two, None, SimpleNamespace(scale=3.0)),
    ("a field", of_a_field_or_two, SimpleNamespace(scale=3.0), None),
    ("a range", of_a_range, range(2), [0, 1]),
    ("no range", of_a_range, [0, 1], range(2)),
    ("a place of two axes", of_pairs, (0, 1), [0, 1]),
    ("a list in a dict", of_an_inner_list, {"p": [1.0]}, {"p": (1.0,)}),
    ("lists in a list", of_lists_in_a_list, [[1.0, 2.0]], [(1.0, 2.0)]),
    ("tuples in a list", of_lists_in_a_list, [(1.0, 2.0)], [[1.0, 2.0]]),
)


@pytest.mark.parametrize("fact, function, made, called", FACTS, ids=[f[0] for f in FACTS])
def test_a_text_with_examples_asks_for(fact, function, made, called):
    derivative = s2sad.grad(function, 0, like=(X, made))
    alone = oracles.standalone(derivative.source, derivative.__name__)
    expected = oracles.differences(function, (X, made), (0,))
    assert oracles.compare(alone(X.copy(), made), expected) is None
    try:
        found = alone(X.copy(), called)
    except (ValueError, TypeError, AttributeError) as error:
        assert str(error)
        return
    expected = oracles.differences(function, (X, called), (0,))
    assert oracles.compare(np.asarray(found), expected) is None, derivative.source


def shape_of_an_array(x):
    return 2.0 * x if np.array(x).shape == () else np.sum(x**2)


def length_at_least_one(x):
    return 2.0 * x if len(np.atleast_1d(x)) == 1 else np.sum(x**2)


def size_of_two(x):
    return 2.0 * x if np.append(x, 1.0).size == 2 else np.sum(x**2)


def size_of_a_result(x):
    y = np.sin(x)
    return 2.0 * x if y.size == 1 else np.sum(x**2)


@pytest.mark.parametrize(
    "function", (shape_of_an_array, length_at_least_one, size_of_two, size_of_a_result)
)
def test_a_text_for_a_number_asks_for_one_where_its_shape_decides(function):
    derivative = s2sad.grad(function, like=(1.5,))
    alone = oracles.standalone(derivative.source, derivative.__name__)
    assert alone(1.5) == 2.0
    with pytest.raises(ValueError, match="made for"):
        alone(np.array([3.0, 4.0]))


def cut_to_real(x, c):
    return np.real(np.sum(x) * c)


def of_two_numbers(c, k):
    return abs(c) * k if k > 0.5 else k


def of_items(x, c):
    return np.sum(x) * abs(c[0]) + c[1]


def of_many(x, c):
    return np.sum(x) * sum(abs(k) for k in c)


def of_a_field(x, d):
    return np.sum(x) * abs(d["c"])


def in_place(x, c):
    s = c
    for q in x:
        s *= q
    return s * c


def summed_at_the_end(t, h):
    return np.sum(t * h) * t


def in_turns(t, h):
    def terms(q):
        for _ in range(3):
            yield q
            q += t * h

    s = 0.0
    for term in terms(h):
        s += term
        t = t * s
    return s + t


KINDS = [
    *((cut_to_real, (X, 2.0), (X, each)) for each in (2j, np.complex64(2j), X)),
    *((cut_to_real, (X, 2), (X, each)) for each in (2j, X)),
    (of_two_numbers, (0.7, 0.8), (0.7, 0.8j)),
    (of_two_numbers, (0.7, 0.8), (np.complex64(0.7j), 0.8)),
    (of_items, (X, (2.0, 3)), (X, (2.0, 3j))),
    (of_items, (X, [2.0, 3.0]), (X, [2j, 3.0])),
    (of_many, (X, [2.0, 3.0, 4.0]), (X, [2.0, 3.0, 4j])),
    (of_many, (X, (2.0,) * 6), (X, (2.0,) * 5 + (2j,))),
    (of_a_field, (X, {"c": 2.0}), (X, {"c": 2j})),
    (in_place, (X, 2.0), (X, np.array(2.0))),
    (in_place, (X, 2), (X, np.array(2.0))),
    (in_turns, (0.7, 0.3), (0.7, np.array(0.3))),
    (summed_at_the_end, (0.7, 0.3), (0.7, X)),
    (summed_at_the_end, (0.7, 0.3), (X, 0.3)),
]


@pytest.mark.parametrize("form", ("grad", "jvp"))
@pytest.mark.parametrize("function, made, given", KINDS)
def test_a_text_for_numbers_asks_for_real_ones(function, made, given, form):
    derivative = getattr(s2sad, form)(function, 0, like=made)
    alone = oracles.standalone(derivative.source, derivative.__name__)
    more = (made[0],) if form == "jvp" else ()
    alone(*copy.deepcopy(made), *more)
    with pytest.raises(ValueError, match=r"made for .*real"):
        alone(*given, *more)


@pytest.mark.parametrize("like", (None, (X, 0)), ids=("any", "like"))
@pytest.mark.parametrize("function", (elements, first_two))
def test_integers_where_floats_were_given(function, like):
    derivative = s2sad.grad(function, 0, like=like)
    alone = oracles.standalone(derivative.source, derivative.__name__)
    np.testing.assert_array_equal(alone(X.copy(), 0), derivative(X, 0))
    for integers in (np.array([1, 2, 3, 4]), [1, 2, 3, 4]):
        try:
            found = alone(integers, 0)
        except (ValueError, AttributeError) as error:
            assert "made for" in str(error) or "list" in str(error)
        else:
            np.testing.assert_allclose(found, derivative(np.array(integers, float), 0))


def put_into_copies(x, n):
    y = np.full(3, n)
    y[0] = x[0]
    return 2.0 * y[0]


def put_into_pairs(x, p):
    y = np.array([p["a"], p["b"]])
    y[0] = x[0]
    return 2.0 * y[0]


def put_into_lists(x, p):
    y = np.array(p)
    y[0] = x[0]
    return 2.0 * y[0]


def put_into_arrays_like(x, u):
    y = np.zeros_like(u)
    y[0] = x[0]
    return 2.0 * y[0]


WHOLE = [
    (put_into_copies, 3.0, 3),
    (put_into_pairs, {"a": 3.0, "b": 1.0}, {"a": 3, "b": 1}),
    (put_into_lists, [3.0, 1.0], [3, 1]),
    (put_into_lists, (3.0,) * 6, (3,) * 6),
    (put_into_arrays_like, X, np.arange(4)),
]


@pytest.mark.parametrize("like", (False, True), ids=("any", "like"))
@pytest.mark.parametrize("function, made, given", WHOLE)
def test_what_would_be_cut_off_is_asked_for_though_the_store_is_gone(function, made, given, like):
    derivative = s2sad.grad(function, 0, like=(X, made) if like else None)
    alone = oracles.standalone(derivative.source, derivative.__name__)
    np.testing.assert_array_equal(alone(X.copy(), made), [2.0, 0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match=r"made for .*float"):
        alone(X.copy(), given)


def of_an_array_of_a_list(x, c):
    y = np.array(x)
    return np.sum(y[1:] * c) + 0.5 * y[0]


def test_a_text_for_a_list_of_floats_asks_for_floats_where_adjoints_are_made_like_them():
    derivative = s2sad.grad(of_an_array_of_a_list, 0, like=([1.0, 2.0], 0.5))
    alone = oracles.standalone(derivative.source, derivative.__name__)
    np.testing.assert_array_equal(alone([1.0, 2.0], 0.5), [0.5, 0.5])
    with pytest.raises(ValueError, match="made for floats in x"):
        alone([1, 2], 0.5)


def first_of_both(a, b):
    a[0] = a[0] * 2.0
    return a[0] * b[0]


def entry_of_both(a, b):
    a["k"] = a["k"] * 2.0
    return a["k"] * b["k"]


def field_of_both(a, b):
    a.x = a.x * 2.0
    return a.x * b.x


@pytest.mark.parametrize(
    "function, make",
    [
        (first_of_both, lambda: [3.0, 1.0]),
        (entry_of_both, lambda: {"k": 3.0}),
        (field_of_both, lambda: SimpleNamespace(x=3.0)),
    ],
)
def test_a_text_that_writes_asks_that_two_arguments_are_not_one(function, make):
    derivative = s2sad.grad(function, 0, like=(make(), make()))
    alone = oracles.standalone(derivative.source, derivative.__name__)
    alone(make(), make())
    both = make()
    with pytest.raises(ValueError, match="a that is not b"):
        alone(both, both)


def calls_itself(x, n):
    return x if n < 0.5 else np.sin(calls_itself(x, n - 1)) * x + n


@pytest.mark.parametrize("n", (3, 3.0))
def test_a_whole_number_that_counts_calls_is_no_float(n):
    derivative = s2sad.grad(calls_itself, 0)
    alone = oracles.standalone(derivative.source, derivative.__name__)
    expected = oracles.differences(calls_itself, (2.0, n), (0,))
    assert oracles.compare(np.atleast_1d(alone(2.0, n)), expected) is None
    with pytest.raises(ValueError, match=r"made for .*floats x"):
        alone(2, n)


def clipped(x, _):
    s = 0.0
    for q in x:
        if q < 0:
            q = 0.0
        s += math.sqrt(q)
    return s


def of_complex_parts(x, _):
    z = x[:2] + 1j * x[2:]
    return np.sum(np.abs(z * z))


def by_words(x, names):
    return sum(x[i] * len(name) for i, name in enumerate(names))


def of_keys(x, n):
    d = {}
    for i, q in enumerate(x):
        d[i % n] = d.get(i % n, 0.0) + q * q
    return sum(k * d[k] for k in d)


def that_cancels(x, c):
    y = -x + x
    return np.sum(y) + c


@pytest.mark.parametrize("like", (False, True), ids=("any", "like"))
@pytest.mark.parametrize(
    "function, more",
    [
        (clipped, 0),
        (of_complex_parts, 0),
        (by_words, ["a", "bb"]),
        (of_keys, 3),
        (that_cancels, 2.0),
    ],
)
def test_a_text_is_right_alone(function, more, like):
    derivative = s2sad.grad(function, 0, like=(X, more) if like else None)
    found = oracles.standalone(derivative.source, derivative.__name__)(X.copy(), more)
    assert np.shape(found) == X.shape
    expected = oracles.differences(function, (X, more), (0,))
    assert oracles.compare(found, expected) is None, derivative.source


class Model:
    """An object of which more than its fields decides what a function computes."""

    k = 2.0
    power = 2
    is_square = True
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    table: ClassVar = {"a": 2.0}

    def __init__(self, a=2.0, mode="square", flag=True, none=None):
        self.a, self.mode, self.flag, self.none = a, mode, flag, none

    @property
    def twice(self):
        return 2.0 * self.a

    @staticmethod
    def scaled(x):
        return 3.0 * x

    def part(self, x):
        return self.a * np.sum(x**2)

    def __call__(self, x):
        return np.sum(x**3)

    def __mul__(self, x):
        return 7.0 * x


class Other(Model):
    """A model that answers all otherwise."""

    k = 5.0
    power = 3
    is_square = False
    weights = np.array([4.0, 3.0, 2.0, 1.0])
    table: ClassVar = {"a": 3.0}

    @property
    def twice(self):
        return 3.0 * self.a

    @staticmethod
    def scaled(x):
        return 4.0 * x

    def part(self, x):
        return self.a * np.sum(x**3)

    def __call__(self, x):
        return np.sum(x**4)

    def __mul__(self, x):
        return 8.0 * x


def class_attribute(x, m):
    return m.k * np.sum(x**2)


def class_flag(x, m):
    return np.sum(x**2) if m.is_square else np.sum(x**3)


def class_integer(x, m):
    return np.sum(x**m.power)


def class_array(x, m):
    return np.sum(m.weights * x**2)


def class_dict(x, m):
    return m.table["a"] * np.sum(x**2)


def by_name(x, m):
    return getattr(m, "k", 1.0) * np.sum(x**2)


def absent_name(x, m):
    return np.sum(x**2) if hasattr(m, "extra") else np.sum(x**3)


def default_of_a_name(x, m):
    return getattr(m, "extra", 2.0) * np.sum(x**2)


def read_property(x, m):
    return m.twice * np.sum(x**2)


def method(x, m):
    return m.part(x)


def static_method(x, m):
    return np.sum(m.scaled(x) ** 2)


def operator(x, m):
    return np.sum((m * x) ** 2)


def called(x, m):
    return m(x)


def by_isinstance(x, m):
    return np.sum(x**2) if isinstance(m, Other) else np.sum(x**3)


def compared_class(x, m):
    return np.sum(x**2) if type(m) is Other else np.sum(x**3)


def text_of_object(x, m):
    return np.sum(x**2) if m.mode == "square" else np.sum(x**3)


def flag_of_object(x, m):
    return np.sum(x**2) if m.flag else np.sum(x**3)


def none_of_object(x, m):
    return np.sum(x**2) if m.none is None else np.sum(x**3)


def of_an_inner_object(x, m):
    return m.a.k * np.sum(x**2)


def of_all_items(x, models):
    total = 0.0
    for each in models:
        total = total + each.k * np.sum(x**2)
    return total


def of_a_key(x, d):
    return np.sum(x**2) if d["mode"] == "square" else np.sum(x**3)


def of_a_place(x, t):
    return np.sum(x**2) if t[0] else np.sum(x**3)


def with_own_value(model):
    model.k = 5.0
    return model


def with_own(**values):
    """Return a model that has values of its own in place of what its class gives, or beside it."""
    model = Model()
    vars(model).update(values)
    return model


# a class of another module that has the name of the first
NAMESAKE = type("Model", (Other,), {"__module__": "elsewhere"})

OF_CLASSES = (class_attribute, class_flag, class_integer, class_array, class_dict, by_name)
OF_CLASSES += (read_property, method, static_method, operator, called, by_isinstance)
OF_CLASSES += (compared_class,)
OF_OBJECTS = [(f, Model(), Other()) for f in OF_CLASSES] + [
    (class_attribute, Other(), Model()),
    (read_property, Model(), NAMESAKE()),
    (method, Model(), NAMESAKE()),
    (called, Model(), NAMESAKE()),
    (class_attribute, Model(), with_own_value(Model())),
    (by_name, Model(), with_own_value(Model())),
    (class_flag, Model(), with_own(is_square=False)),
    (class_integer, Model(), with_own(power=3)),
    (class_array, Model(), with_own(weights=np.ones(4))),
    (class_dict, Model(), with_own(table={"a": 3.0})),
    (method, Model(), with_own(part=lambda x: np.sum(x**3))),
    (static_method, Model(), with_own(scaled=lambda x: 4.0 * x)),
    (absent_name, Model(), with_own(extra=1.0)),
    (default_of_a_name, Model(), with_own(extra=1.0)),
    (text_of_object, Model(), Model(mode="cube")),
    (flag_of_object, Model(), Model(flag=False)),
    (flag_of_object, Model(flag=False), Model()),
    (none_of_object, Model(), Model(none=1.0)),
    (of_an_inner_object, Model(Model()), Model(Other())),
    (of_all_items, [Model(), Model()], [Model(), Other()]),
    (of_all_items, (Model(), Model()), (Model(), Other())),
    (of_a_key, {"mode": "square"}, {"mode": "cube"}),
    (of_a_place, (True, 1.0), (False, 1.0)),
]


@pytest.mark.parametrize("form", ("grad", "jvp", "hvp"))
@pytest.mark.parametrize("function, made, other", OF_OBJECTS)
def test_a_text_asks_for_what_it_takes_from_objects(function, made, other, form):
    """Whatever an object gives beside numbers stands in the text: it is asked for at the entry."""
    derivative = getattr(s2sad, form)(function, 0, like=(X, made))
    alone = oracles.standalone(derivative.source, derivative.__name__)
    more = () if form == "grad" else (np.array([0.2, -0.1, 0.5, 1.0]),)
    expected = getattr(s2sad, form)(function, 0)(X, made, *more)
    np.testing.assert_allclose(np.hstack(alone(X, made, *more)), np.hstack(expected))
    with pytest.raises(ValueError, match="made for"):
        alone(X, other, *more)


@pytest.mark.parametrize("form", ("grad", "hvp"))
@pytest.mark.parametrize("function, made, other", OF_OBJECTS)
def test_a_derivative_for_one_object_is_right_or_refused_for_another(function, made, other, form):
    derivative = getattr(s2sad, form)(function, 0, like=(X, made))
    more = () if form == "grad" else (np.array([0.2, -0.1, 0.5, 1.0]),)
    expected = getattr(s2sad, form)(function, 0)(X, other, *more)
    try:
        found = derivative(X, other, *more)
    except s2sad.ArgumentError as error:
        assert "made for" in str(error)
    else:
        np.testing.assert_allclose(found, expected)


def test_options_that_no_code_reads_are_free():
    """A name that an object carries beside what is computed does not make a text refuse it."""
    alone = oracles.standalone(s2sad.grad(method, 0, like=(X, Model())).source, "method_grad")
    np.testing.assert_allclose(alone(X, Model(mode="cube", flag=False)), 4.0 * X)


@dataclass(frozen=True)
class Ice:
    """Nothing but fields: any object that has them will do."""

    A: float = 2.0
    n: int = 3


def flow(x, p):
    return np.sum(p.A * x**p.n)


def test_an_object_that_is_nothing_but_its_fields_is_not_asked_for_its_class():
    text = s2sad.grad(flow, 0, like=(X, Ice())).source
    assert "__class__" not in text
    expected = 5.0 * 2 * X
    found = oracles.standalone(text, "flow_grad")(X, SimpleNamespace(A=5.0, n=2))
    np.testing.assert_allclose(found, expected)


def taken_from_behind(x, W, v, left):
    rest = list(v)
    a = 0.1
    for _ in range(4):
        a = 0.5 * a + 0.2 * rest.pop() * len(rest)
    u = 0.5 * np.cos(np.sin(np.hypot(v, 1.0 + v)) ** 2)
    for _ in range(len(v) - 1, 0, -1):
        a = math.tanh(max(x, a))
    return (v - 2.0 * u) + (x - 2.0 * a)


def test_a_seed_that_is_summed_to_its_own_shape_is_not_written_to():
    space = {}
    exec(str(s2sad.vjp(taken_from_behind, wrt=(0, 1, 2, 3)).source), space)
    v, seed = np.array([-1.0, 1.0, -0.5, -1.2, -1.3]), np.linspace(-0.5, 0.6, 5)
    kept = seed.copy()
    adjoints = space["taken_from_behind_vjp"](-0.6, np.ones((3, 5)), v, 0.8, seed)
    assert np.array_equal(seed, kept)
    expected = s2sad.vjp(taken_from_behind, wrt=2)(-0.6, np.ones((3, 5)), v, 0.8, seed)
    assert np.allclose(adjoints[2], expected, rtol=1e-12)


def root_that_is_changed_under_another_name(x, c):
    root = np.maximum(x, 0.0) ** 0.5
    moved = root
    moved -= c * x
    return moved * root


def root_that_is_changed_in_a_helper(x, c):
    return grown(np.sqrt(np.clip(x, 0.0, 5.0)), c) * np.sqrt(x)


def grown(start, c):
    now = start
    for _ in range(2):
        now += c * start
    return now


@pytest.mark.parametrize(
    "function", (root_that_is_changed_under_another_name, root_that_is_changed_in_a_helper)
)
@pytest.mark.parametrize("x", (0.1, np.array([0.1, 2.0])), ids=("number", "array"))
def test_the_tangent_of_a_number_is_not_changed_for_its_other_names(function, x):
    """np.where gives an array without axes, which `x_dot += y_dot` would change where it stands."""
    tangent = s2sad.jvp(function, 0)
    alone = oracles.standalone(tangent.source, tangent.__name__)
    total = np.sum(alone(x, 2.0, np.ones_like(x) if np.ndim(x) else 1.0)[1])
    expected = oracles.differences(lambda t: np.sum(function(x + t, 2.0)), (0.0,), (0,))
    assert oracles.compare(np.atleast_1d(total), expected) is None


def reduced(xs, ys):
    found = xs[0]
    for x, y in zip(xs, ys, strict=True):
        found = 0.5 * found * y + math.sin(x)
    return found


def test_lists_are_given_where_vectors_of_one_length_may_be():
    xs, ys = [0.3, 1.2, -0.4], [1.0, 0.5, 2.0]
    derivative, tangent = s2sad.grad(reduced, (0, 1)), s2sad.jvp(reduced, (0, 1))
    alone = oracles.standalone(derivative.source, derivative.__name__)
    along = oracles.standalone(tangent.source, tangent.__name__)
    expected = oracles.differences(reduced, (np.array(xs), np.array(ys)), (0, 1))
    gradients = np.concatenate([np.asarray(each) for each in alone(xs, ys)])
    assert oracles.compare(gradients, expected) is None
    dots = [0.2, 0.1, -0.7], [1.0, 0.3, 0.4]
    assert np.isclose(along(xs, ys, *dots)[1], gradients @ np.concatenate(dots), rtol=1e-9)


def of_spectra(x, w):
    return np.sum(np.abs(np.fft.rfft(x) * np.fft.rfft(w)) ** 2)


def of_every_second(x, w):
    return np.sum(x[::2] * w[::2]) ** 2


def of_halves(x, w):
    return np.sum(np.repeat(x[: len(x) // 2] * w[: len(w) // 2], 3) ** 2)


def of_a_spectrum_of_four(x, w):
    return np.sum(np.abs(np.fft.rfft(x)) * np.array([1.0, 2.0, 3.0, 4.0])) * w[0]


@pytest.mark.parametrize(
    "function", (of_spectra, of_every_second, of_halves, of_a_spectrum_of_four)
)
def test_what_lengths_are_halved_to_is_asked_for(function):
    """One of them may be 1 where it is called, and is stretched then."""
    x, w = np.arange(1.0, 7.0) / 5, np.cos(np.arange(6.0))
    for derive in (s2sad.grad, s2sad.value_and_grad):
        derivative = derive(function, (0, 1), like=(x, w))
        alone = oracles.standalone(derivative.source, derivative.__name__)
        alone(x, w)
        for args in ((x, w[:1]), (x[:1], w), (x[:1], w[:1])):
            try:
                found = alone(*args)
            except ValueError as error:
                assert "made for" in str(error)
                continue
            found = found[1] if derive is s2sad.value_and_grad else found
            expected = oracles.differences(function, args, (0, 1))
            assert oracles.compare(oracles.flatten(found, args), expected) is None
