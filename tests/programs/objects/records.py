"""Dicts, named tuples, dataclasses and objects that a function makes."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from tests.programs.entry import Entry, numbers

P = namedtuple("P", "a b")


class Q(NamedTuple):
    k: float
    m: float = 2.0


@dataclass
class D:
    k: float
    m: float = 2.0

    def energy(self, x):
        return 0.5 * self.k * x * x


@dataclass(frozen=True)
class State:
    u: np.ndarray
    t: float = 0.0


class Osc:
    def __init__(self, k, m):
        self.k = k
        self.m = m
        self.x = 1.0

    def step(self, dt):
        self.x = self.x - dt * self.k * self.x / self.m
        return self.x

    @property
    def w(self):
        return np.sqrt(self.k / self.m)


class Vector(NamedTuple):
    """Its operators are its own: a + b is no longer tuple."""

    x: float
    y: float = 0.0

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return np.sqrt(self.x**2 + self.y**2)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


class Longer(namedtuple("Longer", "a b")):
    __slots__ = ()

    def __len__(self):
        return 5


class Squared(namedtuple("Squared", "a b")):
    __slots__ = ()

    def __new__(cls, a, b=2.0):
        return super().__new__(cls, a * a, b)


@dataclass
class Ball:
    center: tuple
    radius: float


def operators_of_named_tuples(x):
    a, b = Vector(x[0], x[1]), Vector(x[1], y=2.0)
    c = a + b
    c += 2.0 * -b
    return max(c) * len(c) + c.dot(a) + abs(c * x[2])


def named_tuples_added_in_a_loop(x):
    total = Vector(0.0)
    for v in x:
        total = total + Vector(v, v * v) * v
    return total.dot(total)


def named_tuple_with_a_length_of_its_own(x):
    return len(Longer(x, 2.0)) * x


def named_tuple_made_in_a_way_of_its_own(x):
    return Squared(x).a * x


def whole_numbers_beside_floats_in_tuples(x):
    total = 0.0
    for ball in [Ball((0, 0, 5), 1.0), Ball((x[0], 0, 3), x[2])]:
        total = (
            total * x[1] + ball.radius * ball.center[0] + np.sum((np.asarray(ball.center) - x) ** 2)
        )
    return total


def whole_numbers_beside_floats_in_pairs(x):
    pairs = [((1, 2), 3), ((0.5, x[1]), x[0])]
    total = 1.0
    for (a, b), c in pairs:
        total = total * x[2] + a * b * c
    return total


def a_named_tuple(x):
    p = P(x, 2.0 * x)
    return p.a * p.b


def a_dataclass(x):
    d = D(x)
    return d.energy(3.0) * d.m


def an_oscillator(x):
    o = Osc(x, 2.0)
    for _ in range(3):
        o.step(0.1)
    return o.x * o.w


def a_state(x):
    state = {"u": x, "v": 0.0}
    for _ in range(4):
        state["v"] = state["v"] - 0.1 * state["u"]
        state["u"] = state["u"] + 0.1 * state["v"]
    return state["u"] ** 2


def step(s, k):
    return {"u": s["u"] + 0.1 * s["v"], "v": s["v"] - 0.1 * k * s["u"]}


def a_state_stepped(k):
    s = {"u": 1.0, "v": 0.0}
    for _ in range(4):
        s = step(s, k)
    return s["u"] * s["v"]


def frozen_states(x):
    s = State(np.ones(3) * x)
    for _ in range(3):
        s = State(s.u * 0.9 * x, s.t + 0.1)
    return np.sum(s.u) * s.t


def sums_values(x):
    out = {}
    out["loss"] = np.sum(x * x)
    out["reg"] = np.sum(np.abs(x))
    return sum(out.values())


def goes_through_items(x):
    d = dict(a=x, b=2.0 * x)  # noqa: C408
    tot = 0.0
    for _, v in d.items():
        tot = tot + v * v
    return tot


def made_on_both_sides(x, c):
    if c > 0:
        p = {"a": x, "b": 1.0}
    else:
        p = {"a": x * x, "b": x}
    return p["a"] * p["b"]


Params = namedtuple("Params", ["k", "c", "m"], defaults=(1.0,))


@dataclass
class Vec:
    x: float
    y: float

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, a):
        return Vec(a * self.x, a * self.y)

    __rmul__ = __mul__

    def norm2(self):
        return self.x**2 + self.y**2


@dataclass
class Body:
    pos: Vec
    vel: Vec
    mass: float = 1.0
    hist: list = field(default_factory=list)


class Layer:
    scale = 0.5

    def __init__(self, W, b=None):
        self.W = W
        self.b = np.zeros(W.shape[0]) if b is None else b

    def __call__(self, h):
        return np.tanh(self.scale * (self.W @ h) + self.b)


class Base:
    def __init__(self, a):
        self.a = a

    def value(self, x):
        return self.a * x

    def twice(self, x):
        return 2.0 * self.value(x)


class Derived(Base):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b

    def value(self, x):
        return super().value(x) + self.b * x * x


class Counter:
    def __init__(self):
        self.total = 0.0
        self.n = 0

    def add(self, v):
        self.total += v
        self.n += 1
        return self

    @property
    def mean(self):
        return self.total / self.n


def vectors_add(x):
    v = Vec(x, 2.0) + Vec(1.0, x) * 3.0
    return v.norm2()


def bodies_move(x):
    b = Body(Vec(x, 0.0), Vec(0.0, 1.0))
    for _ in range(5):
        b.pos = b.pos + b.vel * 0.1
        b.vel = b.vel + b.pos * (-0.1 / b.mass)
    return b.pos.norm2() + b.vel.y


def layers_in_a_list(W, x):
    net = [Layer(W), Layer(W * 2.0)]
    h = x
    for layer in net:
        h = layer(h)
    return np.sum(h)


def layers_are_called(W, x):
    l1 = Layer(W)
    l2 = Layer(2.0 * W, x)
    return np.sum(l2(l1(x)))


def a_method_of_the_base(x):
    d = Derived(x, x * x)
    return d.twice(1.5)


def counts_in_an_object(u):
    c = Counter()
    for v in u:
        c.add(v * v)
    return c.mean


def a_dict_in_a_dict(x):
    state = dict(pos=x, vel=1.0, extra={"t": 0.0})  # noqa: C408
    for _ in range(3):
        state["extra"]["t"] += 0.1
        state = {**state, "pos": state["pos"] + 0.1 * state["vel"] * x}
    return state["pos"] ** 2 + state["extra"]["t"] * x


def named_tuple_replaced(x):
    p = Params(k=x, c=0.1)
    q = p._replace(m=x**2)
    k, c, m = q
    return k * c * m + p.m


def rebound_before_a_break(x, n):
    d = {"a": x}
    while n > 0:
        if d["a"] > 2.0:
            break
        d = {"a": d["a"] * 1.5}
        n -= 1
    return d["a"] ** 2


def one_of_two_dicts(x, c):
    p = {"a": x, "b": 1.0}
    q = p
    if c > 0:
        q = {"a": x * x, "b": 2.0}
    q["a"] = q["a"] * 3.0
    return p["a"] + q["a"]


def the_one_before(x):
    p = {"a": x}
    old = p
    for _ in range(3):
        old = p
        p = {"a": p["a"] * x}
    return p["a"] + old["a"]


def sums_in_a_dict(u):
    out = {"sum": 0.0, "sq": 0.0}
    for v in u:
        out["sum"] += v
        out["sq"] += v * v
    n = len(u)
    return out["sq"] / n - (out["sum"] / n) ** 2


def a_dict_comprehension(x):
    grads = {name: val * x for name, val in {"a": 1.0, "b": 2.0}.items()}
    return sum(g**2 for g in grads.values())


def make(x):
    return {"w": x, "z": np.sin(x)}


def use(p, y):
    p["w"] = p["w"] * y
    return p["z"] * y


def made_and_used_elsewhere(x):
    p = make(x)
    r = use(p, 2.0)
    return r + p["w"]


def dicts_in_a_list(x):
    ps = [make(x), make(2.0 * x)]
    return ps[0]["w"] * ps[1]["z"]


def an_array_in_a_dict(u):
    s = {"u": u.copy(), "n": 0}
    for _ in range(3):
        s["u"][1:-1] += 0.1 * (s["u"][2:] - 2 * s["u"][1:-1] + s["u"][:-2])
        s["n"] += 1
    return np.sum(s["u"] ** 2)


def replaced_and_changed(x):
    v = Vec(x, x * x)
    w = replace(v, y=3.0)
    w.x += 1.0
    return v.norm2() * w.norm2()


def asks_for_keys(x):
    try_ = {"a": 1.0}
    if "a" in try_ and "b" not in try_:
        try_["b"] = x
    return try_["b"] * try_.get("c", 2.0)


def a_lambda_sees_a_dict(x):
    p = {"a": x}
    f = lambda t: p["a"] * t  # noqa: E731
    return f(2.0) + f(x)


class St(NamedTuple):
    u: float
    v: float


@dataclass(frozen=True)
class Cfg:
    k: float
    n: int = 3


class Model:
    g = 9.81

    def __init__(self, theta):
        self.theta = theta
        self.calls = 0

    def predict(self, t):
        self.calls += 1
        return self.theta * t + self.g * t**2

    def loss(self, ts):
        total = 0.0
        for t in ts:
            r = self.predict(t) - 1.0
            total += r * r
        return total


def rk4(f, s, dt):
    k1 = f(s)
    k2 = f(St(s.u + 0.5 * dt * k1.u, s.v + 0.5 * dt * k1.v))
    return St(s.u + dt * k2.u, s.v + dt * k2.v)


def runge_kutta_of_tuples(x):
    s = St(x, 0.0)
    for _ in range(5):
        s = rk4(lambda q: St(q.v, -x * q.u), s, 0.1)
    return s.u


def rhs(s, k):
    return St(s.v, -k * s.u)


def a_function_of_a_state(x):
    s = St(1.0, 0.0)
    for _ in range(5):
        ds = rhs(s, x)
        s = St(s.u + 0.1 * ds.u, s.v + 0.1 * ds.v)
    return s.u**2 + s.v**2


def a_model_with_a_loss(u):
    m = Model(u[0])
    return m.loss(u[1:])


def settings(x):
    cfg = Cfg(x)
    y = 1.0
    for _ in range(cfg.n):
        y = y * cfg.k
    return y


def filled_step_by_step(u):
    stats = {}
    stats["mean"] = np.mean(u)
    stats["var"] = np.mean((u - stats["mean"]) ** 2)
    z = (u - stats["mean"]) / np.sqrt(stats["var"] + 1e-3)
    return np.sum(z**3)


def a_cache_by_number(x):
    cache = {}
    h = x
    for i in range(3):
        cache[i] = h
        h = np.sin(h) + cache[i]
    return h


def parameters_by_name(W, x):
    params = {"W1": W, "b1": x, "W2": W.T}
    h = np.tanh(params["W1"] @ x + params["b1"])
    for name in ("W1", "W2"):
        h = np.tanh(params[name] @ h)
    reg = sum(np.sum(p**2) for p in params.values())
    return np.sum(h) + 0.1 * reg


def deep_writes(x):
    m = {"a": x, "b": {"c": x**2}}
    m["b"]["c"] *= 2.0
    m["b"]["d"] = m["a"] + m["b"]["c"]
    return m["b"]["d"] ** 2


def elements_of_a_field(u):
    acc = {"s": np.zeros(3)}
    for i in range(len(u)):
        acc["s"][i % 3] += u[i] ** 2
    return np.prod(acc["s"])


class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)

    def pop(self):
        return self.items.pop()


def a_stack(u):
    s = Stack()
    for v in u:
        s.push(v * v)
    a = s.pop()
    b = s.pop()
    return a * b


class Matrix:
    def __init__(self, a):
        self.a = a

    def __getitem__(self, k):
        return self.a[k]

    def __matmul__(self, o):
        return Matrix(self.a @ o.a)

    def __len__(self):
        return len(self.a)

    @classmethod
    def scaled(cls, a, c):
        return cls(c * a)

    @staticmethod
    def double(m):
        return Matrix(2.0 * m.a)


def a_matrix_class(W):
    m = Matrix(W) @ Matrix(W)
    return m[0, 1] + m[2][0]


def static_and_class_methods(W):
    m = Matrix.double(Matrix(W))
    e = Matrix.scaled(W, 0.5)
    return np.sum((m @ e).a)


def changed_on_one_side(x, c):
    opts = {"scale": 2.0, "tol": 1e-8}
    if c > 0:
        opts["scale"] = x
    return opts["scale"] * x


def a_result_with_a_flag(x):
    res = {"f": x**2, "ok": True}
    if res["ok"]:
        return res["f"]
    return 0.0


def best_so_far(x):
    best = None
    for i in range(3):
        cand = {"v": x * i, "i": i}
        if best is None or cand["v"] > best["v"]:
            best = cand
    return best["v"]


def keys_of_a_loop(x):
    d = {"a": x}
    for k in ["b", "c"]:
        d[k] = d["a"] * 2.0
    return d["b"] + d["c"]


def asserts_and_prints(x):
    d = {"a": x, "b": 2.0}
    assert d["a"] > 0
    print("val %g" % d["b"])  # noqa: UP031
    return d["a"] * d["b"] if d["a"] > 1 else d["b"]


def rows_of_tuples(x):
    pts = [St(x, 1.0), St(2.0 * x, x)]
    tot = 0.0
    for p in pts:
        tot += p.u * p.v
    for i, p in enumerate(pts):
        tot += i * p.u
    return tot


def a_function_in_a_dict(x):
    d = {"f": np.sin, "x": x}
    return d["f"](d["x"])


def swapped_records(x):
    a, b = St(x, 2.0), {"q": x}
    a, c = St(b["q"], a.u), a
    return a.u * a.v + c.v * c.u


def layers_made_in_a_comprehension(W):
    params = [{"W": W * (i + 1.0), "b": W[0]} for i in range(2)]
    h = np.ones(3)
    for p in params:
        h = np.tanh(p["W"] @ h + p["b"])
    return h.sum()


def objects_made_in_a_comprehension(u):
    xs = [Vec(u[i], u[i] ** 2) for i in range(3)]
    return sum(each.x * each.y for each in xs)


def an_activation_in_a_dict(x):
    settings = {"act": np.tanh, "n": 3}
    for _ in range(settings["n"]):
        x = settings["act"](x)
    return x


def shared_arrays(u):
    v = u * 1.0
    d = {"u": v}
    e = {"a": d["u"], "b": 2.0}
    e["a"][0] = 5.0 * v[1]
    v[2] = v[0] * 3.0
    return np.sum(d["u"] ** 2)


def buffers_swap(u):
    old, new = Grid(u * 1.0), Grid(u * 2.0)
    for _ in range(3):
        new.u[1:] = old.u[:-1] * 0.5
        old, new = new, old
    return np.sum(old.u**2) + np.sum(new.u)


def copies_are_apart(u):
    d = {"a": u * 1.0}
    e = dict(d)
    e["a"] = e["a"] * 2.0
    d["a"] += 1.0
    return np.sum(d["a"] * e["a"])


@dataclass
class Grid:
    u: object
    k: float = 1.0


X, U, W = 1.3, numbers(6), numbers(3, 3)

PROGRAMS = (
    Entry(an_oscillator, (X,)),
    Entry(a_state, (X,)),
    Entry(a_state_stepped, (X,)),
    Entry(frozen_states, (X,)),
    Entry(sums_values, (U,)),
    Entry(goes_through_items, (X,)),
    Entry(
        made_on_both_sides,
        (
            X,
            1.0,
        ),
    ),
    Entry(
        made_on_both_sides,
        (
            X,
            -1.0,
        ),
        note="other-side",
    ),
    Entry(a_dataclass, (X,)),
    Entry(a_named_tuple, (X,)),
    Entry(vectors_add, (X,)),
    Entry(bodies_move, (X,)),
    Entry(
        layers_in_a_list,
        (
            W,
            numbers(3),
        ),
    ),
    Entry(
        layers_are_called,
        (
            W,
            numbers(3),
        ),
    ),
    Entry(a_method_of_the_base, (X,)),
    Entry(counts_in_an_object, (U,)),
    Entry(a_dict_in_a_dict, (X,)),
    Entry(named_tuple_replaced, (X,)),
    Entry(
        rebound_before_a_break,
        (
            X,
            4,
        ),
    ),
    Entry(
        one_of_two_dicts,
        (
            X,
            1.0,
        ),
        may_refuse=True,
    ),
    Entry(
        one_of_two_dicts,
        (
            X,
            -1.0,
        ),
        may_refuse=True,
        note="other-side",
    ),
    Entry(the_one_before, (X,), may_refuse=True),
    Entry(sums_in_a_dict, (U,)),
    Entry(a_dict_comprehension, (X,)),
    Entry(made_and_used_elsewhere, (X,)),
    Entry(dicts_in_a_list, (X,)),
    Entry(an_array_in_a_dict, (U,)),
    Entry(replaced_and_changed, (X,)),
    Entry(asks_for_keys, (X,)),
    Entry(a_lambda_sees_a_dict, (X,)),
    Entry(runge_kutta_of_tuples, (X,)),
    Entry(a_function_of_a_state, (X,)),
    Entry(a_model_with_a_loss, (U,)),
    Entry(settings, (X,)),
    Entry(filled_step_by_step, (U,)),
    Entry(a_cache_by_number, (X,)),
    Entry(
        parameters_by_name,
        (
            W,
            numbers(3),
        ),
        may_refuse=True,
    ),
    Entry(deep_writes, (X,)),
    Entry(elements_of_a_field, (U,)),
    Entry(a_stack, (U,)),
    Entry(a_matrix_class, (W,)),
    Entry(static_and_class_methods, (W,)),
    Entry(operators_of_named_tuples, (numbers(3),)),
    Entry(named_tuples_added_in_a_loop, (U,)),
    Entry(named_tuple_with_a_length_of_its_own, (X,), may_refuse=True),
    Entry(named_tuple_made_in_a_way_of_its_own, (X,), may_refuse=True),
    Entry(whole_numbers_beside_floats_in_tuples, (numbers(3),)),
    Entry(whole_numbers_beside_floats_in_pairs, (numbers(3),)),
    Entry(
        changed_on_one_side,
        (
            X,
            1.0,
        ),
    ),
    Entry(
        changed_on_one_side,
        (
            X,
            -1.0,
        ),
        note="other-side",
    ),
    Entry(a_result_with_a_flag, (X,)),
    Entry(best_so_far, (X,), may_refuse=True),
    Entry(keys_of_a_loop, (X,)),
    Entry(asserts_and_prints, (X,)),
    Entry(rows_of_tuples, (X,)),
    Entry(a_function_in_a_dict, (X,)),
    Entry(swapped_records, (X,)),
    Entry(layers_made_in_a_comprehension, (W,)),
    Entry(objects_made_in_a_comprehension, (U,)),
    Entry(an_activation_in_a_dict, (X,)),
    Entry(shared_arrays, (U,)),
    Entry(buffers_swap, (U,)),
    Entry(copies_are_apart, (U,)),
)
