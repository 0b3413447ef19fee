"""Arguments that are named tuples, dataclasses and plain objects: gradients have their structure."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2sad
from tests import oracles
from tests.programs.applied import notebook_idioms
from tests.programs.objects import operators_of_objects
from tests.programs.objects.records import Body, D, Derived, Layer, Model, Osc, P, Vec


class Side(Enum):
    CALL = 1
    PUT = -1


@dataclass
class Contract:
    strike: float
    side: Side = Side.CALL

    def worth(self, x):
        if self.side is Side.PUT:
            x = 2 * x
        return self.side.value * np.sin(self.strike * x)


def test_members_of_an_enumeration_differ_from_object_to_object():
    def of_all(x):
        total = 0.0
        for each in [Contract(1.0), Contract(2.0, Side.PUT), Contract(0.3, Side.PUT)]:
            total += each.worth(x)
        for _, each in {"a": Contract(1.5), "b": Contract(0.5, Side.PUT)}.items():
            total += each.worth(x) ** 2
        return total

    assert s2sad.check_grad(of_all, (0.4,))
    assert "value" not in s2sad.grad(of_all, like=(0.4,)).source.split("forward sweep")[1]


@dataclass
class Grid:
    u: Any
    c: float
    n: int = 3
    name: str = "g"


class Pair(NamedTuple):
    first: Vec
    rest: Any


def product(p):
    return p.a * p.b


def by_place(p, t):
    a, b = p
    return a * b + p[0] * t


def a_method(d):
    return d.energy(3.0) * d.m


def changes_itself(o):
    for _ in range(3):
        o.step(0.1)
    return o.x * o.w


def nested(b):
    for _ in range(3):
        b.pos = b.pos + b.vel * 0.1
    return b.pos.norm2() * b.mass


def called(layer, x):
    return np.sum(layer(x))


def inherits(d):
    return d.twice(1.5)


def fits(m, ts):
    return m.loss(ts)


def writes_to_a_field(g):
    for _ in range(g.n):
        g.u[1:] += g.c * g.u[:-1]
    return np.sum(g.u**2)


def writes_through_a_name(g):
    v = g.u
    v *= g.c
    return np.sum(g.u * g.u)


def helper(g, k):
    return g.c * np.sum(g.u) * k


def hands_it_on(g, k):
    return helper(g, k) + k


def asks_what_it_is(g):
    return np.dot(g.u, g.u) * g.c if isinstance(g, Grid) and g.name == "g" else 0.0


def tuple_of_objects(p):
    return p.first.norm2() * np.sum(np.sin(p.rest))


def grid():
    return Grid(np.array([1.0, 2.0, 3.0]), 0.5)


class Motion(NamedTuple):
    x: Any
    v: Any


def renewed_in_each_pass(s, k):
    for _ in range(3):
        x = s.x - 0.1 * k * s.v
        s = s._replace(x=x, v=s.v + 0.1 * x)
    return np.sum(s.x**2) + np.sum(s.x * s.v)


def renewed_on_one_side(s, k):
    if k > 1.0:
        s = Motion(s.x * k, s.v)
    return np.sum(s.x * s.v)


def a_second_name_that_is_renewed(s, k):
    t = s
    while np.sum(t.x) < 3.0:
        t = Motion(t.x + k * t.v, t.v * 1.5)
    return np.sum(t.x * s.v) + k


def renewed_and_handed_on(s, k):
    for _ in range(2):
        s = Motion(s.x * k, s.x + s.v)
        k = k + of_a_motion(s)
    return k


def of_a_motion(s):
    return np.sum(s.x * s.v) / (1.0 + np.sum(s.x) ** 2)


MOVED = Motion(np.array([0.3, -0.2]), np.array([0.9, 1.1]))

CASES = [
    (renewed_in_each_pass, (MOVED, 1.3)),
    (renewed_in_each_pass, (Motion(0.3, 0.9), 1.3)),
    (renewed_on_one_side, (MOVED, 1.3)),
    (renewed_on_one_side, (MOVED, 0.3)),
    (a_second_name_that_is_renewed, (MOVED, 0.7)),
    (renewed_and_handed_on, (MOVED, 0.4)),
    (product, (P(1.5, 2.0),)),
    (by_place, (P(1.5, 2.0), 1.0)),
    (a_method, (D(1.5),)),
    (changes_itself, (Osc(1.5, 2.0),)),
    (nested, (Body(Vec(1.0, 2.0), Vec(0.5, 0.25)),)),
    (called, (Layer(0.3 * np.ones((2, 3))), np.array([0.1, 0.2, 0.3]))),
    (inherits, (Derived(1.2, 0.7),)),
    (fits, (Model(1.2), np.array([0.5, 1.0]))),
    (writes_to_a_field, (grid(),)),
    (writes_through_a_name, (grid(),)),
    (hands_it_on, (grid(), 2.0)),
    (asks_what_it_is, (grid(),)),
    (tuple_of_objects, (Pair(Vec(0.3, 0.4), np.array([0.1, 0.9])),)),
]


def fields(value: Any) -> dict[str, Any]:
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    return dict(vars(value)) if hasattr(value, "__dict__") else {}


def moved(value: Any, toward: Any, step: float) -> Any:
    """Return an object like `value`, each float of it moved along those of `toward`."""
    if isinstance(value, float | np.ndarray):
        return value + step * toward
    parts = {k: moved(v, fields(toward)[k], step) for k, v in fields(value).items()}
    if hasattr(value, "_replace"):
        return value._replace(**parts)
    made = copy.copy(value)
    if parts:
        made.__dict__.update(parts)
    return made


def dot(a: Any, b: Any) -> float:
    if isinstance(a, float | np.ndarray):
        return float(np.sum(a * b))
    return sum(dot(part, fields(b)[key]) for key, part in fields(a).items())


def direction(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, float | np.ndarray):
        return rng.normal(size=np.shape(value)) if np.shape(value) else float(rng.normal())
    parts = {key: direction(part, rng) for key, part in fields(value).items()}
    if hasattr(value, "_replace"):
        return value._replace(**parts)
    made = copy.copy(value)
    if parts:
        made.__dict__.update(parts)
    return made


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda x: getattr(x, "__name__", ""))
@pytest.mark.parametrize("known", [True, False], ids=["like", "any"])
def test_gradient_has_the_structure_of_the_argument(
    function: Callable[..., float], args: tuple[Any, ...], known: bool
) -> None:
    before = copy.deepcopy(args)
    df = s2sad.grad(function, like=args) if known else s2sad.grad(function)
    found = df(*args)
    assert repr(shown(args)) == repr(shown(before))
    assert type(found) is type(args[0])
    toward = direction(args[0], np.random.default_rng(0))

    def along(step: float) -> float:
        first = copy.deepcopy(args[0])
        return function(moved(first, toward, step), *copy.deepcopy(args[1:]))

    wanted = (along(1e-5) - along(-1e-5)) / 2e-5
    assert dot(toward, found) == pytest.approx(wanted, rel=1e-7, abs=1e-9)
    tangent = s2sad.jvp(function, like=args)(*args, toward)[1]
    assert tangent == pytest.approx(dot(toward, found), rel=1e-12)
    if known:
        alone = oracles.standalone(df.source, df.__name__)(*args)
        assert dot(toward, alone) == pytest.approx(dot(toward, found), rel=1e-15)


def shown(value: Any) -> Any:
    """Return an object, or a tuple of such, as nested dicts that can be compared."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return [shown(part) for part in value]
    return {k: shown(v) for k, v in fields(value).items()} or value


def test_a_gradient_shares_no_memory_with_its_argument() -> None:
    g = grid()
    found = s2sad.grad(asks_what_it_is)(g)
    found.u[:] = 0.0
    assert np.all(g.u == [1.0, 2.0, 3.0])


def test_another_class_is_another_derivative() -> None:
    df = s2sad.grad(inherits)
    assert df(Derived(1.2, 0.7)).b == pytest.approx(2 * 1.5 * 1.5)
    assert df(Other(3.0)).a == pytest.approx(1.5)


class Other:
    def __init__(self, a):
        self.a = a

    def twice(self, x):
        return self.a * x


@pytest.mark.parametrize("function", operators_of_objects.OF_THE_MODULE)
def test_layers_of_the_module(function: Any) -> None:
    assert s2sad.check_grad(function, (operators_of_objects.U,))


def test_another_layer_is_seen() -> None:
    df = s2sad.grad(operators_of_objects.layers_of_the_module)
    before = df(operators_of_objects.U)
    kept = operators_of_objects.CHAIN.layers[1]
    operators_of_objects.CHAIN.layers[1] = np.cos
    try:
        assert not np.allclose(df(operators_of_objects.U), before)
        assert s2sad.check_grad(
            operators_of_objects.layers_of_the_module, (operators_of_objects.U,)
        )
    finally:
        operators_of_objects.CHAIN.layers[1] = kept
    assert np.array_equal(df(operators_of_objects.U), before)


def test_what_super_has_may_be_a_property() -> None:
    class Above:
        def __init__(self, k: Any) -> None:
            self.k = k

        @property
        def half(self) -> Any:
            return self.k / 2.0

    class Below(Above):
        @property
        def half(self) -> Any:
            return super().half + 1.0

    def f(u: Any) -> Any:
        return Below(u[0]).half * u[1]

    u = operators_of_objects.U
    np.testing.assert_allclose(s2sad.grad(f)(u)[:2], [u[1] / 2.0, u[0] / 2.0 + 1.0])


def test_members_of_an_enum_choose_a_way() -> None:
    """Their class stands in no file: a saved text asks for a member by its name."""
    u = np.array([0.3, -0.4, 0.8])
    found = s2sad.grad(notebook_idioms.chosen_by_a_member)(u)
    np.testing.assert_allclose(found, 3.0 * u**2 * np.sum(u) + np.sum(u**3), rtol=1e-12)
    made: dict[str, Any] = {}
    exec(s2sad.grad(notebook_idioms.of_a_kind, like=(u,)).source, made)
    np.testing.assert_allclose(made["of_a_kind_grad"](u), 3.0 * u**2, rtol=1e-15)
    np.testing.assert_allclose(made["of_a_kind_grad"](u, notebook_idioms.Kind.CUBIC), 3.0 * u**2)
    with pytest.raises(ValueError, match=r"made for kind=Kind\.CUBIC"):
        made["of_a_kind_grad"](u, notebook_idioms.Kind.LINEAR)


class Joint:
    """A joint of a chain, which knows the joint above it."""

    def __init__(self, length, above=None):
        self.length = length
        self.below = []
        self.above = above
        if above is not None:
            above.below.append(self)


def reach(angle, joint):
    return joint.length * np.sin(angle) * angle


def lengthened(angle, joint):
    joint.length = angle * angle
    return joint.above.below[0].length


def test_objects_that_are_met_again_in_their_fields_are_read() -> None:
    base = Joint(2.0)
    tip = Joint(1.5, base)
    slope = np.sin(0.4) + 0.4 * np.cos(0.4)
    for joint in (base, tip):
        df = s2sad.grad(reach, "angle")
        assert df(0.4, joint) == pytest.approx(joint.length * slope)
        assert s2sad.grad(reach, "angle", like=(0.4, joint))(0.4, joint) == df(0.4, joint)
    with pytest.raises(s2sad.S2sadError):
        s2sad.grad(lengthened, "angle")(0.4, tip)
    assert tip.length == 1.5


class Ring:
    def __init__(self, k):
        self.k = k
        self.next = self

    def force(self, x):
        return self.k * x**2


def around(ring, x):
    total = 0.0
    for _ in range(3):
        total = total + np.sum(ring.force(x)) * ring.next.k
        ring = ring.next
    return total


@pytest.mark.parametrize("with_examples", [True, False])
@pytest.mark.parametrize("length", [1, 2])
def test_objects_that_hold_each_other_are_read(length, with_examples):
    first = Ring(2.0)
    if length == 2:
        first.next = Ring(3.0)
        first.next.next = first
    x = np.array([0.3, -0.7])
    df = s2sad.grad(around, "x", like=(first, x) if with_examples else None)
    slopes = [np.imag(around(first, x + 1e-30j * e)) / 1e-30 for e in np.eye(2)]
    assert df(first, x) == pytest.approx(slopes, rel=1e-12)


class Linear:
    k = 2.0

    def value(self, x):
        return self.k * x


class Squared(Linear):
    def value(self, x):
        return super().value(x) ** 2


SQUARED = Squared()


def test_super_in_a_method_of_an_object_of_the_module():
    x = np.array([0.3, -0.7])
    assert np.allclose(s2sad.grad(lambda x: np.sum(SQUARED.value(x)))(x), 8.0 * x)


@dataclass(frozen=True)
class Law:
    slope: float
    lift: np.ndarray
    name: str = "straight"


@dataclass
class Counted:
    slope: float

    def __post_init__(self) -> None:
        self.count = 1


def along(law: Any, x: np.ndarray) -> Any:
    return np.sum(law.slope * x**2)


def test_the_gradient_of_a_dataclass_is_replaced_in_it() -> None:
    x = np.arange(3.0)
    made = s2sad.grad(along, like=(Law(2.0, x), x))
    assert "return dataclasses.replace(law, slope=law_slope_bar, lift=" in str(made.source)
    assert made(Law(2.0, x), x).slope == 5.0
    assert s2sad.hvp(along, like=(Law(2.0, x), x))(Law(2.0, x), x, Law(1.0, x)).slope == 0.0


def test_no_line_of_its_class_is_run() -> None:
    x = np.arange(3.0)
    made = s2sad.grad(along, like=(Counted(2.0), x))
    assert "dataclasses.replace" not in str(made.source)
    assert made(Counted(2.0), x).slope == 5.0
