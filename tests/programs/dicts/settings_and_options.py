"""Settings and options: dicts of the module, of defaults, and of what **kwargs takes."""

from __future__ import annotations

import operator
import sys
from enum import Enum, IntEnum, auto

import numpy as np

from tests.programs.entry import Entry, numbers

DEFAULTS = {"a": 2.0, "b": 1.5}
CONFIG = {"model": {"a": 2.0, "b": 1.5}, "steps": 3, "act": np.tanh}
NAMES = ["k", "e", "t"]


LIMITS = np.finfo(float)


def kept_from_zero(u, x, eps=LIMITS.eps):
    least = np.maximum(u, np.finfo(float).tiny)
    return np.sum(np.log(least + eps)) * x / (x + LIMITS.eps)


def kept_within_limits(u, x):
    info = np.finfo(u.dtype)
    within = np.clip(u * x, info.min, info.max)
    return np.sum(np.minimum(within, sys.float_info.max) ** 2) / np.iinfo(int).max


FLOATS = {np.dtype(kind).char: kind for kind in (np.float32, np.float64)}


def float_kind(dtype, may_be_complex=False):
    dtype = np.dtype(dtype)
    if not may_be_complex and dtype.kind == "c":
        raise ValueError("complex numbers")
    return FLOATS.get(dtype.char, np.float64)


def in_the_kind_of_a_table(u, x):
    v = np.empty_like(u, dtype=float_kind(u.dtype))
    v[:] = u.astype(float_kind(u.dtype), copy=False) ** 2
    return np.sum(v * x)


def white(dtype):
    try:
        return np.array([1.0, 2.0, 3.0], dtype=dtype)
    except ValueError:
        raise KeyError(f"no {dtype}") from None


def by_a_type_of_items(u, x):
    return np.sum(u[:3] * x / white(dtype=u.dtype))


def number_or_array_by_a_mode(u, x, mode=0):
    if mode == 0:
        return np.sum(u**2) * x
    return u * x if mode == 1 else (u, x)


def by_place_alone(x, a=1.5, /, **options):
    return a * np.sum(x) + options.get("a", 0.0) * np.sum(x**2)


def keyword_of_a_name_by_place(u, x):
    return by_place_alone(u, a=x) + by_place_alone(u, x, a=2.0)


def power(x, a=1.0, b=1.0, c=0.5):
    return x**a * b + c * x


def layer(x, act=np.sin, a=1.0):
    return act(x) * a


def rate(k, e, t, r=1.0):
    return k * np.exp(-e * t) * r


def constants_of_its_own(x, s):
    d = {"a": 2.0, "b": 3.0}
    return power(x, **d) * s


def over_the_defaults(x, s):
    overrides = {"b": s}
    return power(x, **{**DEFAULTS, **overrides})


def joined_with_the_defaults(x, s):
    config = DEFAULTS | {"b": s}
    return power(x, **config)


def copied_with_one_changed(x, s):
    config = dict(DEFAULTS, b=s)
    other = DEFAULTS.copy()
    other.update(c=s)
    return power(x, **config) * power(x, **other)


def filled_and_joined_in_place(x, s):
    config = {}
    config.update(DEFAULTS)
    config |= {"c": s}
    return power(x, **config)


def part_of_a_config(x, s):
    return power(x, **CONFIG["model"], c=s)


def function_of_a_config(x, s):
    config = {"act": CONFIG["act"], "a": s}
    for _ in range(CONFIG["steps"]):
        x = layer(x, **config)
    return x


def spread_of_zipped_names(x, s):
    return rate(**dict(zip(NAMES, (x, s, x * s), strict=True)), r=s)


def by_place_and_by_name(x, s):
    u = np.array([x, s, x * s])
    p = dict(zip(("a", "c"), u, strict=False))
    q = {word: u[k] for k, word in enumerate("ac", 1)}
    return power(**p, x=s) * power(**q, x=x) + np.hypot(*[v * v for v in u[:2]])


def several_in_a_list(x, s):
    options = [{"a": 2.0}, {"b": s}, {}]
    return sum(power(x, **each) for each in options)


def spread_from_what_changes_it(u, s):
    def halved():
        u[0] *= 0.5
        return {"b": s}

    u = u.copy()
    return power(u[0], **halved()) * u[0]


def _or_nothing(x, opts=None):
    opts = opts or {}
    return power(x, **opts)


def _nothing_by_default(x, opts=None):
    opts = {} if opts is None else opts
    return power(x, **opts)


def _or_the_defaults(x, opts=None):
    opts = {**DEFAULTS, **(opts or {})}
    return power(x, **opts)


def _updated(x, opts=None):
    config = dict(DEFAULTS)
    if opts:
        config.update(opts)
    return power(x, **config)


def _keywords_over_defaults(x, **kw):
    kw = {**DEFAULTS, **kw}
    return power(x, **kw)


def _updated_by_keywords(x, **kw):
    p = {"a": 1.5}
    p.update(kw)
    return p["a"] * x + p.get("c", 0.0)


def _keywords_one_by_one(x, **kw):
    total = 0.0
    for k in kw:
        total += kw[k] * x
    return total * len(kw) if kw else x


def with_no_options(x, s):
    return _or_nothing(x) + _nothing_by_default(s) * _or_the_defaults(x) + _updated(s)


def with_options(x, s):
    opts = {"c": s}
    return _or_nothing(x, opts) + _nothing_by_default(s, opts) + _or_the_defaults(x, {"a": s})


def with_options_updated(x, s):
    return _updated(x, {"c": s}) * _updated(s, {"a": x, "b": 2.0})


def without_keywords(x, s):
    return _keywords_over_defaults(x) * _updated_by_keywords(s) + _keywords_one_by_one(x)


def with_keywords(x, s):
    more = _keywords_one_by_one(x, c=s, d=x)
    return _keywords_over_defaults(x, c=s) * _updated_by_keywords(s, c=x) + more


def before_a_call_that_writes(u, s):
    def halved():
        u[0] *= 0.5
        return s, u[0]

    u = u.copy()
    return weighed_by(u[0], *halved()) * u[0]


def before_a_call_that_rebinds(u, s):
    def halved():
        nonlocal s
        s = s * 0.5
        return s, s * u[1]

    return weighed_by(s, *halved()) * u[0]


def weighed_by(x, a, b):
    return x * a + b * b * x


def curve(t, a, b, c=0.0):
    return a * np.exp(-b * t) + c


def line(t, a=1.0, b=1.0, c=0.5, d=0.1):
    return a * np.exp(-b * t) + c * t + d


def fewer_than_all(u, s):
    w = u[:2]
    return np.sum(curve(np.linspace(0.0, 1.0, 4), *w)) * s


def all_of_them(u, s):
    w = u[1:4]
    return np.sum(curve(np.linspace(0.0, 1.0, 4), *w)) * s


def some_by_name(u, s):
    w = u[:1]
    return line(s, *w, d=s) ** 2


def another_number_in_each_pass(u, s):
    total = 0.0
    for k in range(3):
        w = u[:k]
        total += line(s, *w)
    return total


def as_many_as_there_are(u, s):
    w = [q * s for q in u if q > 0.5]
    return line(s, *w)


class Law(Enum):
    LINEAR = 1
    CUBIC = "cubic"

    @property
    def weight(self):
        return 2.0 if self is Law.LINEAR else 3.0

    def of(self, x):
        return x if self == Law.LINEAR else x**3


def by_law(x, law):
    if law is Law.LINEAR:
        return x
    return x**3 * law.weight


def every_member_of_an_enum(x, y):
    return sum(by_law(x, law) * law.weight * y + law.of(x * y) for law in Law)


class Place(IntEnum):
    FIRST = 0
    SECOND = auto()
    THIRD = auto()


def kind_of(place):
    if isinstance(place, Place):
        return "place"
    return "number" if isinstance(place, int) else "word"


def weighed_at(u, place):
    return u[place] * (place + 1)


def places_by_name(u, x):
    v = u.copy()
    v[Place.FIRST] += v[Place.SECOND] * x
    total = sum(v[k] * k.value + weighed_at(v, k) for k in Place) + v[: Place.THIRD].sum()
    total *= len(Place) if kind_of(Place.FIRST) == "place" and Place.FIRST == 0 else x
    return total * weighed_at(u, Place(1)) * {"place": 2.0, "number": x}[kind_of(1)]


class Edge(Enum):
    FIXED = 1
    FLUX = 2
    MIXED = 3


def edges_by_kind(u, edges):
    v = u.copy()
    for _ in range(2):
        for side, edge in edges.items():
            i, k = (0, 1) if side == "left" else (-1, -2)
            match edge:
                case (Edge.FIXED, value):
                    v[i] = value * u[k]
                case (Edge.FLUX, flux):
                    v[i] = v[k] * flux
                case (Edge.MIXED, a, b):
                    v[i] = (v[k] + b) / (1.0 + a * v[k])
    return np.sum(v**2)


def edge_in_a_tuple(u, edge):
    kind, value = edge
    if kind is Edge.FIXED:
        return np.sum(u) * value
    return np.sum(u**2 if kind in (Edge.FLUX, Edge.MIXED) else u) * value


def words_in_tuples(u, steps):
    for word, (is_twice, factor) in steps:
        u = u * factor if word == "scale" else np.sin(u) + factor
        u = u + u**2 if is_twice else u
    return np.sum(u)


EDGES = {"left": (Edge.FLUX, 0.9), "right": (Edge.MIXED, 0.5, 0.2)}
STAGES = (("scale", (True, 0.8)), ("shift", (False, 0.3)))


def layers_by_word(x, layers):
    """Words beside dicts in the items of a list: each item may have another one."""
    for kind, held in layers:
        if kind == "scale":
            x = x * held["w"]
        elif kind == "sine":
            x = np.sin(x)
        else:
            raise KeyError(kind)
    return np.sum(x * x)


def shares_by_letter(p, counts):
    """A dict over letters has these keys, and sums of what it holds are written out."""
    letters = zip("ABO", (p[0], p[1], 1.0 - p[0] - p[1]), strict=True)
    shares = {key: 2.0 * share for key, share in letters}
    found = dict.fromkeys("ABO", 0.0)
    for group, count in counts.items():
        found[group] += count * shares[group] ** 2 * shares["O"]
    return found["A"] * found["B"] / sum(found.values()) ** 2


def factors_by_number(p, layers):
    u = p["u0"]
    for i, layer in enumerate(layers, start=1):
        u = np.sin(u) * p.get(f"k{i}", 1.5) * layer["dt"] + p.get(f"bias_{i:02d}", 0.0)
    return np.sum(u)


def factor_if_there_is_one(p, layers):
    u = p["u0"]
    for i, layer in enumerate(layers):
        k = 1.0
        if f"k{i}" in p:
            k = p[f"k{i}"]
        u = np.sin(u) * k * layer["dt"]
    return np.sum(u)


def factor_by_what_is_computed(p, count):
    """A name for one of numbers and arrays: its shadow would be a number, which nothing is added to."""
    u = p["u0"]
    for _ in range(count):
        k = p["k1" if u[0] > 0.2 else "k2"]
        u = np.sin(u) * k
    return np.sum(u)


MIXED = [("scale", {"w": numbers(4)}), ("sine", {"w": numbers(4)}), ("scale", {"w": numbers(4)})]
FACTORS = {"u0": numbers(4), "k1": 0.8, "k2": 1.3, "bias_02": numbers(4)}
LAYERS = [{"dt": 0.9}, {"dt": 0.6}, {"dt": 1.1}]
XS = (0.6, 0.7), (0, 1)

RATES = [
    {"orders": {"A": 1.0}, "law": "square", "weight": 2.0, "twice": True},
    {"orders": {"A": 3.0}, "law": "cube", "weight": 3.0, "twice": False},
]
SQUARE, CUBE = RATES


def dicts_with_dicts_inside(x):
    """What dicts of a list hold is joined key by key, dicts inside of them too."""
    total = 0.0
    for i, rate in enumerate(RATES):
        law = x[i] ** 2 if rate["law"] == "square" else x[i] ** 3
        total += law * rate["orders"]["A"] * rate["weight"] * (2.0 if rate["twice"] else 1.0)
    return total


def dicts_with_dicts_that_are_given(x, rates):
    total = 0.0
    for i, rate in enumerate(rates):
        law = x[i] ** 2 if rate["law"] == "square" else x[i] ** 3
        total += law * rate["orders"]["A"] * rate["weight"]
    return total


def one_of_two_dicts_with_dicts(x):
    rate = SQUARE if x[0] > 9.0 else CUBE
    return (x[0] ** 2 if rate["law"] == "square" else x[1] ** 3) * rate["orders"]["A"]


REACTIONS = {
    "forward": ({"A": 1, "B": 1}, {"C": 1}),
    "backward": ({"C": 1}, {"A": 1}),
    "paired": ({"B": 2}, {"D": 1}),
}
STEPS = [{"taken": {"A": 1, "B": 2}}, {"taken": {"C": 1}}]


def changed_by_reactions(k):
    """Dicts whose keys differ, in a dict of the module: each pass is written out."""
    state = {"A": 1.0, "B": 0.8, "C": 0.3, "D": 0.0}
    for _ in range(2):
        rates = dict.fromkeys(state, 0.0)
        for speed, (taken, made) in zip(k, REACTIONS.values(), strict=True):
            v = speed
            for name, order in taken.items():
                v = v * state[name] ** order
            for name, order in taken.items():
                rates[name] -= order * v
            for name, count in made.items():
                rates[name] += count * v
        state = {name: held + 0.1 * rates[name] for name, held in state.items()}
    return state["D"] + 2.0 * state["C"] * state["A"]


def orders_of_given_steps(x, steps):
    """Dicts whose keys differ, in the items of a list: each item has its own memory."""
    seen = {}
    total = 0.0
    for i, step in enumerate(steps):
        for name, order in step["taken"].items():
            if name not in seen:
                seen[name] = x[i] ** order
            total += seen[name] * x[0] ** order
    return total


def orders_of_steps(x):
    return orders_of_given_steps(x, STEPS)


ARROWS = "A B:0;B A:1;B C:2"


def rates_by_names(k):
    """Sets of the words of a text, in order: nothing in them varies."""
    names = sorted({s for arrow in ARROWS.split(";") for s in arrow.split(":")[0].split(" ")})
    place = {s: i for i, s in enumerate(names)}
    change = np.zeros((len(names), 3))
    taken = []
    for arrow in ARROWS.split(";"):
        words, number = arrow.split(":")
        before, after = words.split(" ")
        change[place[before], int(number)] -= 1
        change[place[after], int(number)] += 1
        taken.append(place[before])
    state = np.eye(len(names))[0]
    for _ in range(3):
        state = state + 0.1 * change @ (k * state[taken])
    return state[place["C"]] * state[0]


def functions_named_in_a_text(x):
    return sum(getattr(np, word)(x[0]) for word in "sin cos exp".split()) * x[1]


OPERATIONS = {"+": operator.add, "*": operator.mul, "/": operator.truediv}


def postfix(x):
    stack = []
    for word in "a b * c + a /".split():
        if word in OPERATIONS:
            second, first = stack.pop(), stack.pop()
            stack.append(OPERATIONS[word](first, second))
        else:
            stack.append(x["abc".index(word)])
    return stack.pop()


PROGRAMS = (
    Entry(rates_by_names, (numbers(3),)),
    Entry(functions_named_in_a_text, (numbers(2),)),
    Entry(postfix, (numbers(3),)),
    Entry(changed_by_reactions, (numbers(3),)),
    Entry(orders_of_given_steps, (numbers(2), STEPS), like_only=True),
    Entry(orders_of_steps, (numbers(2),)),
    Entry(dicts_with_dicts_inside, (numbers(2),)),
    Entry(dicts_with_dicts_that_are_given, (numbers(2), RATES), like_only=True),
    Entry(one_of_two_dicts_with_dicts, (numbers(2),)),
    *(
        Entry(function, *XS)
        for function in (
            *(constants_of_its_own, over_the_defaults, joined_with_the_defaults),
            *(copied_with_one_changed, filled_and_joined_in_place, part_of_a_config),
            *(function_of_a_config, several_in_a_list, by_place_and_by_name, with_no_options),
            *(
                every_member_of_an_enum,
                with_options,
                with_options_updated,
                without_keywords,
                with_keywords,
            ),
        )
    ),
    *(
        Entry(function, (numbers(6), 0.7), (0, 1))
        for function in (*(fewer_than_all, all_of_them, some_by_name, another_number_in_each_pass),)
    ),
    *(Entry(f, (numbers(6), 0.7), (0, 1)) for f in (kept_from_zero, kept_within_limits)),
    Entry(in_the_kind_of_a_table, (numbers(6), 0.7), (0, 1)),
    Entry(places_by_name, (numbers(6), 0.7), (0, 1)),
    Entry(by_a_type_of_items, (numbers(6), 0.7), (0, 1)),
    Entry(number_or_array_by_a_mode, (numbers(6), 0.7, 0), (0, 1), like_only=True),
    Entry(as_many_as_there_are, (numbers(6), 0.7), (0, 1), may_refuse=True),
    Entry(spread_of_zipped_names, *XS, may_refuse=True),
    Entry(before_a_call_that_writes, (numbers(2), 0.7), (0, 1), may_refuse=True),
    Entry(before_a_call_that_rebinds, (numbers(2), 0.7), (0, 1)),
    Entry(spread_from_what_changes_it, (numbers(2), 0.7), (0, 1), may_refuse=True),
    Entry(keyword_of_a_name_by_place, (numbers(6), 0.7), (0, 1)),
    Entry(edges_by_kind, (numbers(6), EDGES), like_only=True),
    Entry(edge_in_a_tuple, (numbers(4), (Edge.FLUX, 0.7)), like_only=True),
    Entry(words_in_tuples, (numbers(4), STAGES), like_only=True),
    Entry(layers_by_word, (numbers(4), MIXED), (0, 1), like_only=True),
    Entry(shares_by_letter, (np.array([0.3, 0.2]), {"A": 40.0, "B": 20.0, "O": 30.0})),
    Entry(factors_by_number, (FACTORS, LAYERS)),
    Entry(factor_if_there_is_one, (FACTORS, LAYERS)),
    Entry(factor_by_what_is_computed, (FACTORS, 3), may_refuse=True),
)
