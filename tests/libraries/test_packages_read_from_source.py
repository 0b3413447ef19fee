"""Functions of packages: what they call in their own package is read like the user's code."""

import importlib
import sys
import textwrap
from dataclasses import astuple

import numpy as np
import pytest

import s2sad
from tests.oracles import slope

PACKAGE = """
from dataclasses import astuple, dataclass

import numpy as np

ANGLES = [0.0, 0.5, 1.0, 2.0]
FACTORS = [1.0, 1.5, 1.7, 1.2]


class Spheroid:
    models = {"long": {"a": 2.0, "b": 1.5}}

    def __init__(self, a, b):
        self.a = a
        self.eccentricity = np.sqrt(1.0 - (b / a) ** 2)

    @classmethod
    def from_name(cls, name):
        return cls(cls.models[name]["a"], cls.models[name]["b"])


def radius(x, spheroid=None):
    if spheroid is None:
        spheroid = Spheroid.from_name("long")
    return spheroid.a / np.sqrt(1 - (spheroid.eccentricity * np.sin(x)) ** 2)


def position(key, table):
    low, high = 0, len(table)
    while low < high:
        middle = low + ((high - low) >> 1)
        if key >= table[middle]:
            low = middle + 1
        else:
            high = middle
    return low - 1


def factor(x):
    k = position(x, ANGLES)
    if k < 0:
        raise ValueError("no factor for %s" % x)
    return FACTORS[k] + (FACTORS[k + 1] - FACTORS[k]) * (x - ANGLES[k]) / (ANGLES[k + 1] - ANGLES[k])


def check(options, **chosen):
    for name, option in chosen.items():
        if option not in options:
            raise ValueError(f"{name} is none of {options}")


def complement(b):
    return 1 - b


def checked(x, kind="steep"):
    check({"steep", "flat"}, kind=kind)
    return np.where((x > 0.5) & complement(kind == "flat"), x**3, np.sin(x))


def vector(v, length):
    return v.astype(float) if len(v) == length else None


def halved(v):
    v = vector(v, 3)
    if v[0] > 100.0:
        return None
    return v / 2.0


SCALARS = (int, np.integer, float, np.floating)


class Smoother:
    def __init__(self, gain):
        self.gain = gain
        self.level = 0.0

    def update(self, value):
        self.level += self.gain * (value - self.level)
        return self.level


@dataclass
class Lab:
    l: float
    a: float
    b: float = 0.5


class Mean:
    def of(self, values, weights):
        return np.sum(values * weights) / np.sum(weights)


class Bell:
    def __init__(self, width):
        self.width = width

    def __eq__(self, other):
        return self.width == other.width

    def __call__(self, x, y):
        return np.exp(-self.width * np.sum((x - y) ** 2))


def lab(x):
    return Lab(np.sqrt(x), x**2)


class Searched:
    def __init__(self, function, steps=4):
        self.function, self.steps = function, steps

    def from_(self, x):
        for _ in range(self.steps):
            x = x - 0.1 * self.function(x)
        return x


def squares(v):
    if isinstance(v, SCALARS):
        v = [v]
    return np.asarray(v) ** 2
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package as pip installs it."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "spheroids_of_tests.py").write_text(textwrap.dedent(PACKAGE))
    monkeypatch.syspath_prepend(str(folder))
    yield importlib.import_module("spheroids_of_tests")
    del sys.modules["spheroids_of_tests"]


@pytest.mark.parametrize("name", ["radius", "factor", "checked"])
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_function_of_a_package_is_differentiated(package, name, mode):
    """It makes objects of the package and calls functions whose effect is not known."""
    function = getattr(package, name)
    expected, _ = slope(lambda h: function(0.7 + h), function(0.7), 1.0)
    if mode == "reverse":
        assert s2sad.grad(function)(0.7) == pytest.approx(expected, rel=1e-8)
    else:
        assert s2sad.jvp(function, "x")(0.7, x_dot=1.0)[1] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(("name", "slope_at_one"), [("halved", 0.5), ("squares", 2.0)])
def test_what_a_function_of_a_package_gives_is_found(package, name, slope_at_one):
    """A result that may be None was taken to vary with nothing; tuples of classes are asked for."""
    function = getattr(package, name)
    v, seed = np.ones(3), np.array([1.0, -2.0, 3.0])
    np.testing.assert_allclose(s2sad.vjp(function, like=(v,))(v, seed), slope_at_one * seed)
    tangent = s2sad.jvp(function, like=(v,))(v, seed)[1]
    np.testing.assert_allclose(tangent, slope_at_one * seed)


def test_a_users_function_calls_a_function_of_a_package(package):
    """What that makes of its own classes is read as well."""

    def squared(x):
        return package.radius(x) ** 2

    expected, _ = slope(lambda h: squared(0.7 + h), squared(0.7), 1.0)
    assert s2sad.grad(squared)(0.7) == pytest.approx(expected, rel=1e-8)


def test_a_users_function_makes_objects_of_a_package(package):
    """Only functions were read; a function that such an object was handed had no rule."""

    def smoothed(gain, values):
        smoother = package.Smoother(gain)
        total = 0.0
        for value in values:
            total += smoother.update(value)
        return total

    def searched(a, x):
        return package.Searched(lambda y: a * np.sin(y), steps=3).from_(x)

    values = np.array([1.0, 0.5, 2.0])
    expected, _ = slope(lambda h: smoothed(0.3 + h, values), smoothed(0.3, values), 1.0)
    assert s2sad.grad(smoothed, "gain")(0.3, values) == pytest.approx(expected, rel=1e-8)
    expected, _ = slope(lambda h: searched(0.7 + h, 0.4 + h), searched(0.7, 0.4), 1.0)
    assert sum(s2sad.grad(searched, ("a", "x"))(0.7, 0.4)) == pytest.approx(expected, rel=1e-8)


def test_a_dataclass_of_a_package_is_taken_apart(package):
    """The astuple of what was not known yet was a mistake of s2sad's own; __init__ had no source."""

    def weighed(x):
        lightness, a, b = astuple(package.lab(x))
        return lightness * a + b

    assert s2sad.grad(weighed)(0.3) == pytest.approx(2.5 * 0.3**1.5, rel=1e-12)


def test_an_object_of_a_package_that_cannot_be_a_key_is_called(package):
    """A class that says when two are equal has no hash: it was a mistake of s2sad's own."""
    bell = package.Bell(0.7)

    def near(x, y):
        return bell(x, y)

    x, y = np.array([0.3, 0.8]), np.array([0.5, 0.1])
    found = s2sad.jvp(near, like=(x, y))(x, y, np.array([1.0, 0.0]))[1]
    assert found == pytest.approx(-2.0 * 0.7 * (x - y)[0] * bell(x, y), rel=1e-12)
    assert s2sad.grad(near)(x, y)[0] == pytest.approx(found, rel=1e-12)


WEIGHTS = np.array([1.0, 2.0])


def test_an_object_of_a_package_is_handed_an_array_of_the_module(package):
    """A class that is not read yet could write to it: so it was taken to."""

    def mean(x):
        return package.Mean().of(np.array([x, x**2]), WEIGHTS)

    assert s2sad.grad(mean)(0.3) == pytest.approx((1.0 + 4.0 * 0.3) / 3.0, rel=1e-12)


def test_a_method_of_an_object_of_a_package_is_read(package):
    """An object that is made before was taken to be changed by its method: so it was refused."""
    mean = package.Mean()

    def weighed(x):
        return mean.of(np.array([x, x**2]), WEIGHTS)

    assert s2sad.grad(weighed)(0.3) == pytest.approx((1.0 + 4.0 * 0.3) / 3.0, rel=1e-12)
    assert s2sad.jvp(weighed)(0.3, 1.0)[1] == pytest.approx((1.0 + 4.0 * 0.3) / 3.0, rel=1e-12)


def test_a_package_makes_objects_of_another(package, tmp_path):
    """What a call of a package leads to is read through as many packages as it goes."""
    text = """
        import spheroids_of_tests as spheroids

        def level(gain):
            smoother = spheroids.Smoother(gain)
            return smoother.update(1.0) + smoother.update(0.5)
    """
    (tmp_path / "site-packages" / "levels_of_tests.py").write_text(textwrap.dedent(text))
    levels = importlib.import_module("levels_of_tests")

    def doubled(gain):
        return 2.0 * levels.level(gain)

    assert s2sad.grad(doubled)(0.3) == pytest.approx(2.0 * (1.0 + 0.5 + 1.0 - 0.6), rel=1e-12)


def test_whole_numbers_stand_beside_floats_in_a_tuple():
    """A loop goes over them; a map makes arrays of other kinds of them."""

    def polynomial(x):
        total = 0.0
        for c in (1, 2.0, 3):
            total = total * x + c
        return total

    def product(s, t, p=0):
        s, t, p = map(np.asanyarray, (s, t, p))
        return s * t + s**0.5 * p

    assert s2sad.grad(polynomial)(2.0) == 6.0
    assert s2sad.grad(product, ("s", "t"))(4.0, 3.0) == (3.0, 4.0)


@pytest.mark.parametrize("point", [2.0, np.float64(2.0), np.array(2.0)])
def test_an_array_without_axes_is_made_of_a_number(point):
    """Its adjoint may be a plain float, of which no element is taken."""

    def scaled(x):
        x = np.asanyarray(x)
        return x / 4.0

    assert s2sad.grad(scaled)(point) == 0.25
    assert s2sad.vjp(scaled)(point, 2.0) == 0.5
