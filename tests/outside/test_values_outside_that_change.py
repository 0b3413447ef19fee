"""What a function reads outside of itself may change: derivatives made before and after follow."""

from __future__ import annotations

import configparser
import functools
import importlib
import random
import sys
import types
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.source.outside import changed, outside
from tests.texts import defined

U = np.array([0.3, 0.7, 1.1])
TEXT = """
import functools
import numpy as np
import s2sad
import settings

K = 2.0
G = np.array([1.0, 2.0, 3.0])
LONG = [2.0] * 100
CFG = {"k": 2.0, "f": np.sin, "deep": {"k": 2.0}}
WS = [2.0, 1.0]
MODE = "square"


class Unit:
    k = 2.0


class Inner:
    def __init__(self, w):
        self.w = w

    def act(self, x):
        return self.w * x * x


class Model:
    def __init__(self):
        self.w = 2.0
        self.inner = Inner(2.0)

    def energy(self, x):
        return self.w * K * np.sum(x * x)


MODEL = Model()


def act(x):
    return x * x


def damped(x):
    return K * x


def make():
    k = 2.0

    def f(x):
        return k * np.sum(x * x)

    def put(v):
        nonlocal k
        k = v

    return f, put


closed, put = make()


def number(x):
    return K * np.sum(x * x)


def array(x):
    return np.sum(G * x * x)


def long_list(x):
    return LONG[0] * np.sum(x * x)


def of_a_dict(x):
    return CFG["k"] * np.sum(x * x) + CFG["deep"]["k"] * np.sum(x)


def function_of_a_dict(x):
    return np.sum(CFG["f"](x))


def of_a_list(x):
    return WS[0] * np.sum(x * x)


def of_a_class(x):
    return Unit.k * np.sum(x * x)


def of_a_module(x):
    return settings.RATE * np.sum(x * x)


def function(x):
    return np.sum(act(x))


def branch(x):
    return np.sum(x * x) if MODE == "square" else np.sum(x)


def in_a_helper(x):
    return np.sum(damped(x) * x)


def builtin(x):
    return abs(np.sum(x * x))


def yields(x):
    for v in x:
        yield K * v * v


def generator(x):
    return sum(yields(x))


def power(k, x):
    return K * np.sum(x**k)


partial = functools.partial(power, 2)
method = MODEL.energy
slope = s2sad.grad(number)


def derivative_inside(x):
    return np.sum(slope(x) * x)


def reverse(x, y, y_bar):
    return K * y_bar * x


@s2sad.custom_derivative(reverse=reverse)
def own(x):
    return 0.5 * K * np.sum(x * x)


def own_derivative(x):
    return own(x)
"""
CHANGES = """
K = 5.0
G[0] = 7.0
LONG[0] = 5.0
CFG["k"] = 5.0
CFG["f"] = np.cos
CFG["deep"]["k"] = 5.0
WS[0] = 5.0
MODE = "sum"
Unit.k = 5.0
settings.RATE = 5.0
MODEL.w = 3.0
put(5.0)


def act(x):
    return x**3


def abs(x):
    return 2.0 * x
"""
NAMES = """number array long_list of_a_dict function_of_a_dict of_a_list of_a_class of_a_module function
branch in_a_helper builtin generator partial method closed derivative_inside own_derivative""".split()


@pytest.fixture
def module(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "outer.py").write_text(TEXT)
    (tmp_path / "settings.py").write_text("RATE = 2.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("outer", "settings"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    made = types.ModuleType("outer")
    made.__file__ = str(tmp_path / "outer.py")
    exec(compile(TEXT, made.__file__, "exec"), made.__dict__)
    monkeypatch.setitem(sys.modules, "outer", made)
    return made


def _change(module: Any, folder: Any) -> None:
    path = folder / "changes.py"
    path.write_text(CHANGES)
    exec(compile(CHANGES, str(path), "exec"), module.__dict__)


def _differences(f: Any) -> np.ndarray:
    step = 1e-6 * np.eye(U.size)
    return np.array([(f(U + e) - f(U - e)) / 2e-6 for e in step])


@pytest.mark.parametrize("name", NAMES)
def test_a_derivative_follows_what_is_read(name: str, module: Any, tmp_path: Any) -> None:
    f = getattr(module, name)
    made = [s2sad.grad(f), s2sad.grad(f, like=(U,))]
    along = s2sad.jvp(f) if name != "own_derivative" else None
    before = _differences(f)
    assert all(np.allclose(df(U), before, rtol=1e-6) for df in made)
    if along:
        along(U, U)
    _change(module, tmp_path)
    after = _differences(f)
    assert not np.allclose(before, after, rtol=1e-3)
    for df in (*made, s2sad.grad(f), s2sad.grad(f, like=(U,))):
        assert np.allclose(df(U), after, rtol=1e-6)
    if along:
        assert np.isclose(along(U, U)[1], after @ U, rtol=1e-6)


# what IPython's %autoreload does: what there is becomes what the file has now
IN_PLACE = {
    "code": ("act", "act.__code__ = cubed.__code__"),
    "own code": ("scaled", "scaled.__code__ = added.__code__"),
    "default": ("scaled", "scaled.__defaults__ = (5.0,)"),
    "default of a helper": ("by_default", "scaled.__defaults__ = (5.0,)"),
    "default by name": ("by_default", "named.__kwdefaults__ = {'c': 5.0}"),
    "class of an object": ("of_an_object", "UNIT.__class__ = Cubic"),
    "base": ("of_an_object", "Square.__bases__ = (Cubes,)"),
    "function of a namespace": ("of_a_namespace", "SPACE.inner.act = np.cos"),
    "attribute of an object in place of its class's": ("of_an_object", "UNIT.scale = 5.0"),
    "attribute of a class in place of its base's": ("of_an_object", "Square.scale = 5.0"),
    "method of an object in place of its class's": ("of_an_object", "UNIT.power = np.sin"),
    "method of a class in place of its base's": ("of_an_object", "Square.power = Cubes.power"),
    "attribute of a class that is read by its name": ("of_a_class", "Square.scale = 5.0"),
}
CHANGED_IN_PLACE = """
import types
import numpy as np

SPACE = types.SimpleNamespace(inner=types.SimpleNamespace(act=np.sin))

def act(x):
    return x * x

def cubed(x):
    return x**3

def scaled(x, c=2.0):
    return c * sum(act(x))

def added(x, c=1.0):
    return sum(c + x**3)

def named(x, *, c=2.0):
    return c * sum(x * x)

def by_default(x):
    return scaled(x) + named(x)

def of_a_namespace(x):
    return sum(SPACE.inner.act(x))

class Squares:
    scale = 2.0

    def power(self, x):
        return x**2

class Cubes:
    scale = 2.0

    def power(self, x):
        return x**3

class Square(Squares):
    def energy(self, x):
        return self.scale * sum(self.power(x))

class Cubic(Cubes):
    def energy(self, x):
        return sum(self.power(x))

UNIT = Square()

def of_an_object(x):
    return UNIT.energy(x)

def of_a_class(x):
    return Square.scale * sum(x**2)
"""


@pytest.mark.parametrize("case", IN_PLACE)
def test_a_derivative_follows_what_is_changed_in_place(case: str) -> None:
    name, change = IN_PLACE[case]
    module = defined(CHANGED_IN_PLACE, "scaled").__globals__
    f = module["scaled" if name == "act" else name]
    df = s2sad.grad(f)
    assert np.allclose(df(U), _differences(f), rtol=1e-6)
    before = _differences(f)
    exec(change, module)
    assert not np.allclose(before, _differences(f), rtol=1e-3)
    own: dict[str, Any] = {}
    exec(df.source, own)
    for each in (df, s2sad.grad(f, like=(U,)), own[df.__name__]):
        assert np.allclose(each(U), _differences(f), rtol=1e-6)


def test_a_derivative_follows_what_a_function_takes() -> None:
    f = defined("def f(x, c):\n    return sum(c * x**2)\n", "f")
    g = defined("def g(c, x):\n    return sum(c * x)\n", "g")
    df = s2sad.grad(f, "x")
    df(U, 2.0)
    f.__code__ = g.__code__
    assert df(3.0, U).tolist() == [3.0, 3.0, 3.0]


def test_of_s2sad_itself_nothing_is_looked_at() -> None:
    assert len(outside(takes_a_derivative)) < 10


def takes_a_derivative(x):
    return np.sum(s2sad.grad(np.sum)(x))


@pytest.mark.parametrize("name", ["number", "array", "of_a_dict", "of_a_list", "of_a_class"])
def test_the_text_follows_too(name: str, module: Any, tmp_path: Any) -> None:
    df = s2sad.grad(getattr(module, name))
    _change(module, tmp_path)
    space: dict[str, Any] = {}
    exec(df.source, space)
    assert np.allclose(space[df.__name__](U), df(U), rtol=1e-12)


def test_second_derivatives_follow(module: Any, tmp_path: Any) -> None:
    along = s2sad.jvp(s2sad.grad(module.number))
    assert np.allclose(along(U, U)[1], 4.0 * U)
    _change(module, tmp_path)
    assert np.allclose(along(U, U)[1], 10.0 * U)


def test_what_is_given_as_an_argument_follows(module: Any) -> None:
    def applied(f: Any, x: Any) -> Any:
        return np.sum(f(x) * x)

    df = s2sad.grad(applied, wrt="x")
    assert np.allclose(df(module.damped, U), 4.0 * U)
    module.K = 5.0
    assert np.allclose(df(module.damped, U), 10.0 * U)


def test_a_gradient_is_not_the_array_of_the_module(module: Any) -> None:
    def weighted(x: Any) -> Any:
        return np.sum(module_array * x)

    module_array = module.G
    s2sad.grad(weighted)(U)[:] = 0.0
    assert np.allclose(module.G, [1.0, 2.0, 3.0])


def test_nothing_is_made_anew_where_nothing_changes(module: Any) -> None:
    df = s2sad.grad(module.in_a_helper)
    text = df.derivative(None)
    df(U)
    df(2.0 * U)
    assert df.derivative(None) is text


def test_the_places_of_a_function_are_those_of_what_it_calls_too(module: Any) -> None:
    names = {name for _, name, _ in outside(module.in_a_helper)}
    assert {"np", "damped", "K"} <= names


def test_installed_packages_are_not_searched() -> None:
    assert outside(np.polynomial.polynomial.polyval) == ()


def test_endless_structures_end(module: Any) -> None:
    ring: dict[str, Any] = {}
    ring["self"] = ring

    def f(x: Any) -> Any:
        return x if ring else None

    places = outside(functools.partial(f))
    assert not changed(places)
    ring["more"] = 1
    assert changed(places)


def test_modules_that_hold_each_other_end() -> None:
    package, part = types.ModuleType("package"), types.ModuleType("package.part")
    package.__file__ = part.__file__ = "package.py"
    package.part, part.package, package.K = part, package, 2.0  # type: ignore[attr-defined]

    def f(x: Any) -> Any:
        return package.part.package.K * x  # type: ignore[attr-defined]

    places = outside(f)
    assert not changed(places)
    package.K = 3.0  # type: ignore[attr-defined]
    assert changed(places)


# ---------------------------------------------------------------- what is left as it is


def draws(x):
    random.seed(3)
    return x ** random.randint(1, 3)


def test_what_keeps_its_state_is_called_where_it_stands() -> None:
    assert s2sad.check_grad(draws, (1.3,))
    assert "random.seed(3)" in s2sad.grad(draws).source


SHARED_DEFAULTS = """
from dataclasses import dataclass

class Box:
    def __init__(self, length):
        self.length = length

    def wrapped(self, d):
        return d - self.length * np.round(d / self.length)

@dataclass(frozen=True)
class Ice:
    A: float = 2.0
    n: int = 3

BOX = Box(3.0)
WEIGHTS = np.ones(2)

def farthest(box, y):
    return box.wrapped(y).max()

def energy(x, y, box=BOX, *, weights=WEIGHTS):
    return np.sum(weights * x**2) * farthest(box, y)

def flow(x, p=Ice()):
    return np.sum(p.A * x**p.n)
"""


def test_settings_are_read_and_followed() -> None:
    settings = configparser.ConfigParser()
    settings.read_dict({"units": {"radius": "8.0", "astronomical": "no"}})

    def scaled(x: float) -> float:
        if settings.getboolean("units", "astronomical"):
            return x * x
        return x * settings.getfloat("units", "radius")

    derivative = s2sad.grad(scaled)
    assert derivative(3.0) == 8.0
    settings.set("units", "radius", "2.5")
    assert derivative(3.0) == 2.5
    settings.set("units", "astronomical", "yes")
    assert derivative(3.0) == 6.0


def test_defaults_that_are_objects_are_followed_and_stand_in_the_file() -> None:
    energy = defined(SHARED_DEFAULTS, "energy")
    x, y = np.array([0.5, 0.8]), np.array([2.0, 2.0])
    gradient = s2sad.grad(energy)
    before = gradient(x, y)
    energy.__globals__["BOX"].length = 1.5
    energy.__globals__["WEIGHTS"][:] = 5.0
    assert np.allclose(before, -2.0 * x) and np.allclose(gradient(x, y), 5.0 * x)
    flow = energy.__globals__["flow"]
    text = s2sad.grad(flow, like=(x,)).source
    space: dict[str, Any] = {}
    exec(text, space)
    assert "p_default = SimpleNamespace(A=2.0, n=3)" in text
    assert np.allclose(space["flow_grad"](x), 6.0 * x**2)


class Coil:
    def __init__(self) -> None:
        self.stiffness = 3.0

    def energy(self, x: np.ndarray) -> float:
        return float(0.5 * self.stiffness * np.sum(x * x))


def test_a_default_whose_class_is_asked_for_stands_in_no_file(tmp_path: Any) -> None:
    """What stands for it in a file would be of another class: its own check would refuse it."""

    def stored(x: np.ndarray, coil: Coil = Coil()) -> float:  # noqa: B008
        return coil.energy(x)

    x = np.array([0.5, 0.8])
    gradient = s2sad.grad(stored, like=(x,))
    assert np.allclose(gradient(x), 3.0 * x)
    assert "__qualname__" in gradient.source
    with pytest.raises(s2sad.ArgumentError, match="coil_default"):
        gradient.save(tmp_path / "stored.py")


def longer_by_one(x, seen=[]):  # noqa: B006
    seen.append(1.0)
    return np.sum(x * x) * len(seen)


def heavier(x, *, weights=np.ones(2)):  # noqa: B008
    weights += 1.0
    return np.sum(weights * x * x)


@pytest.mark.parametrize("derive", [s2sad.grad, lambda f: lambda x: s2sad.hvp(f)(x, x_dot=x)])
def test_defaults_that_are_changed_where_they_stand_are_followed(derive: Any) -> None:
    """A function that changes a default is differentiated as it would run now; and changes none."""
    x = np.array([0.5, 0.8])
    slopes = derive(longer_by_one), derive(heavier)
    for count in range(3):
        for slope, factor in zip(slopes, (count + 1.0, count + 2.0), strict=True):
            assert np.allclose(slope(x), 2.0 * factor * x)
            assert np.allclose(slope(x), 2.0 * factor * x)
        longer_by_one(x)
        heavier(x)
    longer_by_one.__defaults__[0].clear()  # type: ignore[index]
    heavier.__kwdefaults__["weights"][:] = 1.0


LENT = """import sys

class Shown:
    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        return getattr(self.module, name)

MARK = object()
sys.modules[__name__] = Shown(sys.modules[__name__])
"""

LENDING = """from lent import MARK

def f(x, key=None):
    return x if key is MARK else x**3
"""


def test_a_module_may_be_stood_in_for(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lent.py").write_text(LENT)
    (tmp_path / "lending.py").write_text(LENDING)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("lent", "lending"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    lending = importlib.import_module("lending")
    assert s2sad.grad(lending.f)(2.0) == 12.0
    assert s2sad.grad(lending.f)(2.0, lending.MARK) == 1.0
    monkeypatch.delitem(sys.modules, "lending")
    monkeypatch.delitem(sys.modules, "lent")


MISSING = object()


class Spring:
    def __init__(self, rate: float) -> None:
        self.rate = rate


STIFF = Spring(3.0)


def marked(x: float, key: Any = MISSING, other: Any = None) -> float:
    if key is MISSING and other is not MISSING:
        return x * x
    return x**3


def stiff(x: float, spring: Any) -> float:
    return x * spring.rate if spring is STIFF else x * x


def test_an_object_that_holds_nothing_is_told_by_what_it_is() -> None:
    for make in (s2sad.grad, lambda f: lambda *args: s2sad.jvp(f)(*args, x_dot=1.0)[1]):
        slope = make(marked)
        assert slope(2.0, None) == slope(2.0, object()) == slope(2.0, MISSING, MISSING) == 12.0
        assert slope(2.0) == slope(2.0, MISSING) == 4.0


def test_which_object_with_fields_an_argument_is_is_asked_of_the_object_itself() -> None:
    assert s2sad.grad(stiff)(2.0, STIFF) == 3.0
    assert s2sad.grad(stiff)(2.0, Spring(3.0)) == 4.0
    assert s2sad.grad(stiff, like=(2.0, Spring(3.0)))(2.0, STIFF) == 3.0


def test_a_number_that_float_makes_of_a_file_is_a_number(tmp_path: Any) -> None:
    """The remedy of the refusal says so: it was refused again, where the file is read by `with`."""
    kept = tmp_path / "k.txt"
    kept.write_text("2.5 3")

    def scaled(x: np.ndarray) -> float:
        with open(kept) as lines:
            first, last = lines.read().split()
            k = float(first)
            n = int(last)
        return np.sum(x**n) * k

    for made in (s2sad.grad(scaled), s2sad.grad(scaled, like=(U,))):
        assert np.allclose(made(U), 7.5 * U**2)
