"""Functions that count their calls are refused; what remembers, or keeps a record, goes through."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences

X = np.array([0.3, 0.5, 0.7])
number = 0
numbers = itertools.count()
TABLE = None
KNOWN: dict[int, int] = {}
CALLS: list[int] = []


class Counted:
    made = 0

    def __init__(self):
        Counted.made += 1

    @classmethod
    def tick(cls):
        cls.made += 1
        return cls.made


def tick():
    global number
    number += 1
    return number


def ticked():
    return 2 * tick()


def next_number():
    return next(numbers)


def longer(v, seen=[]):  # noqa: B006
    seen.append(1)
    return v * len(seen)


def counted_by_attribute(v):
    counted_by_attribute.calls = counted_by_attribute.calls + 1
    return v * counted_by_attribute.calls


counted_by_attribute.calls = 0


def remembered(k):
    if k not in KNOWN:
        KNOWN[k] = k + 1
    return KNOWN[k]


def made_at_first(k):
    global TABLE
    if TABLE is None:
        TABLE = [2, 1, 0]
    return TABLE[k]


def recorded(k):
    CALLS.append(k)
    return k


def by_a_global(x):
    return tick() * x[0] + tick() * x[1]


def behind_another(x):
    return ticked() * x[0] + ticked() * x[1]


def by_a_position(x):
    n = tick() % 3
    return x[n] ** 2


def for_its_effect(x):
    tick()
    return x[number % 3] ** 2


def by_an_iterator(x):
    return x[next_number() % 3] * x[next_number() % 3]


def by_a_default(x):
    return longer(x[0]) + longer(x[1])


def by_an_attribute(x):
    return counted_by_attribute(x[0]) * counted_by_attribute(x[1])


def by_a_class(x):
    return Counted.tick() * x[0] + Counted.tick() * x[1]


def by_objects_made(x):
    Counted()
    y = x[Counted.made % 3]
    Counted()
    return y * x[Counted.made % 3]


def by_what_remembers(x):
    return x[remembered(0)] * x[remembered(1)] * x[remembered(0)]


def by_what_is_made_at_first(x):
    return x[made_at_first(0)] * x[made_at_first(1)] ** 2


def by_what_is_recorded(x):
    return x[recorded(0)] * x[recorded(1)] ** 2


def by_a_default_that_is_given(x):
    return longer(x[0], []) + longer(x[1], []) * x[2]


def _ranked(x):
    return np.add(np.sort(x)[:2], 1.0) * np.mean(x)


def by_functions_called_like_methods(x):
    """np.sort and np.add change nothing, though a list's methods of these names do."""
    return np.sum(_ranked(x) ** 2)


COUNTING = [
    by_a_global,
    behind_another,
    by_a_position,
    for_its_effect,
    by_an_iterator,
    by_a_default,
    by_an_attribute,
    by_a_class,
    by_objects_made,
]
LASTING = [
    by_what_remembers,
    by_what_is_made_at_first,
    by_what_is_recorded,
    by_a_default_that_is_given,
    by_functions_called_like_methods,
]


@pytest.mark.parametrize("made", [s2sad.grad, s2sad.jvp], ids=["grad", "jvp"])
@pytest.mark.parametrize("function", COUNTING, ids=lambda function: function.__name__)
def test_is_refused(function, made):
    with pytest.raises(s2sad.S2sadError) as refusal:
        made(function)(X, X) if made is s2sad.jvp else made(function)(X)
    assert refusal.value.page


@pytest.mark.parametrize("made", [s2sad.grad, s2sad.jvp], ids=["grad", "jvp"])
@pytest.mark.parametrize("function", COUNTING, ids=lambda function: function.__name__)
def test_is_refused_with_examples(function, made):
    with pytest.raises(s2sad.S2sadError):
        made(function, like=(X,))


@pytest.mark.parametrize("function", LASTING, ids=lambda function: function.__name__)
def test_goes_through(function):
    assert compare(s2sad.grad(function)(X), differences(function, (X,), [0])) is None


# ---------------------------------------------------------------- what another function reads

STATE = np.ones(3)
RATES = [1.0]


class Settings:
    rate = 1.0


def state():
    return STATE[0] * RATES[0] * Settings.rate


def filled():
    STATE.fill(3.0)


def added_under_another_name():
    s = STATE[:2]
    s += 1.0


def raised():
    RATES[0] += 1.0


def set_by_a_method():
    RATES.__setitem__(0, 6.0)


def set_in_the_class():
    Settings.rate = 4.0


def run_as_text():
    exec("RATES[0] = 7.0")


def fill_between(x):
    y = x[0] * state()
    filled()
    return y * state()


def fill_between_reads(x):
    y = x[0] * STATE[0]
    filled()
    return y * STATE[0]


def second_name_between(x):
    y = x[0] * state()
    added_under_another_name()
    return y * state()


def raised_in_passes(x):
    y = x[0]
    for _ in range(2):
        raised()
        y = y * state()
    return y


def raised_in_passes_and_read(x):
    y = x[0]
    for _ in range(2):
        y = y * RATES[0]
        raised()
    return y


def method_between(x):
    y = x[0] * state()
    set_by_a_method()
    return y * state()


def class_before(x):
    set_in_the_class()
    return x[0] * Settings.rate


def text_between(x):
    y = x[0] * state()
    run_as_text()
    return y * state()


REFUSED = r"depends on how often it was called|reads names that the text does not show"


@pytest.mark.parametrize(
    "function",
    [
        fill_between,
        fill_between_reads,
        second_name_between,
        raised_in_passes,
        raised_in_passes_and_read,
        method_between,
        text_between,
    ],
)
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
def test_what_a_call_changes_of_the_module_is_not_read(function, make):
    with pytest.raises(s2sad.Unsupported, match=REFUSED):
        make(function).source  # noqa: B018


def test_what_a_class_is_given_in_each_call_is_read():
    rate = Settings.rate
    assert np.allclose(s2sad.grad(class_before)(X), [4.0, 0.0, 0.0])
    assert Settings.rate == rate


# ---------------------------------------------------------------- objects that change themselves


class Counter:
    def __init__(self):
        self.count = 1.0

    def step(self):
        self.count += 1.0
        return self.count


COUNTER = Counter()


def stepped(v):
    COUNTER.step()
    return v * COUNTER.count


def by_a_method_of_an_object(x):
    y = stepped(x[0])
    return y * stepped(x[1])


def set_in_the_namespace(v):
    globals()["LEVEL"] = LEVEL + 1.0
    return v * LEVEL


LEVEL = 1.0


def by_the_namespace(x):
    y = set_in_the_namespace(x[0])
    return y * set_in_the_namespace(x[1])


@pytest.mark.parametrize("like", [None, (X,)], ids=["any", "like"])
@pytest.mark.parametrize("made", [s2sad.grad, s2sad.jvp], ids=["grad", "jvp"])
@pytest.mark.parametrize("function", [by_a_method_of_an_object, by_the_namespace])
def test_what_lasts_is_not_counted_in(function, made, like):
    with pytest.raises(s2sad.S2sadError):
        made(function, like=like).source  # noqa: B018


class Numbered:
    made = 0

    def __init__(self, x):
        Numbered.made += 1
        self.name, self.x, self.place = f"no. {Numbered.made}", x, Numbered.made


class Derived(Numbered):
    def __init__(self, x):
        super().__init__(x)
        type(self).made += 1


def of_numbered(x):
    every = [Numbered(v) for v in x]
    return sum(each.x**2 for each in every) * Numbered(x[0]).x


def by_their_places(x):
    first, second = Numbered(x[0]), Numbered(x[1])
    return first.x * first.place + second.x


def by_a_count(x):
    return Numbered(x[0]).x * Numbered.made


def by_an_object(x):
    first = Numbered(x[0])
    first.made = 3
    return first.x * first.made


def in_a_derived_class(x):
    return Derived(x[0]).x * Derived.made


def test_objects_that_a_class_counts():
    gradient = s2sad.grad(of_numbered)
    made = Numbered.made
    first = gradient(X)
    assert Numbered.made == made
    assert compare(first, differences(of_numbered, (X,), [0])) is None
    assert np.array_equal(gradient(X), first)
    assert "place" not in s2sad.grad(of_numbered, like=(X,)).source


@pytest.mark.parametrize("made", [s2sad.grad, s2sad.jvp], ids=["grad", "jvp"])
@pytest.mark.parametrize(
    "function", [by_their_places, by_a_count, by_an_object, in_a_derived_class]
)
def test_count_of_a_class_that_is_asked_for_is_refused(function, made):
    with pytest.raises(s2sad.S2sadError, match="made, which belongs to the module, is changed"):
        made(function, like=(X,)).source  # noqa: B018
