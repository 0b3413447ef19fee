"""Seeds and directions that hold whole numbers, or none: a saved text asks for floats, or is right."""

import copy
from contextlib import suppress

import numpy as np
import pytest

import s2sad
from s2sad.api.answer import answer
from s2sad.api.request import Request
from s2sad.ir.errors import NotYet, S2sadError

X, DIRECTION = np.array([0.3, 0.8, 1.1]), np.array([1, 1, 0])


def copied(t):
    u = t.copy()
    u[0] = u[1] / 3
    return u


def copied_by_array(t):
    u = np.array(t)
    u[0] *= 0.3
    return u


def reversed_copy(t):
    u = t[::-1].copy()
    u[0] += 0.3 * u[1]
    return u


def summed(t):
    u = t + t[::-1]
    u[0] = u[1] / 3
    return u


def itself(t):
    t[0] = t[1] / 3
    return t * 1


def rolled(t):
    u = np.roll(t, 1)
    u[0] = u[1] / 3
    return u


def joined(t):
    u = np.concatenate([t, t])
    u[0] = u[1] / 3
    return u


def zeros(t):
    u = np.zeros_like(t)
    for i in range(3):
        u[i] = t[i] / 3
    return u


def chosen(t):
    u = np.where(t > 0.5, t, 0)
    u[1] = u[2] / 3
    return u


def reshaped(t):
    u = t.reshape(3, 1) + 0
    u[0, 0] = u[1, 0] / 3
    return u


def recurrence(t):
    u = t.copy()
    for i in range(1, 3):
        u[i] += 0.3 * u[i - 1]
    return u


def through_a_function(t):
    return copied(t)


def cost(t):
    return np.sum(copied(t) ** 2 / 3)


def cost_of_recurrence(t):
    u = t.copy()
    for i in range(1, 3):
        u[i] += 0.3 * u[i - 1]
    return np.sum(u**2) / 3


def two(t):
    u = t.copy()
    u[0] = u[1] / 3
    return u, np.sum(u)


def by_names(t):
    u = t.copy()
    u[0] = u[1] / 3
    return {"u": u, "s": np.sum(u)}


def through_a_list(t):
    rows = [t[0], t[1]]
    u = np.array(rows)
    u[0] = u[1] / 3
    return u


def added_at(t):
    u = t.copy()
    np.add.at(u, [0, 0], 0.3 * t[1])
    return u


FUNCTIONS = (
    *(copied, copied_by_array, reversed_copy, summed, itself, rolled, joined, zeros, chosen),
    *(reshaped, recurrence, through_a_function, cost, cost_of_recurrence, two, by_names),
    through_a_list,
    added_at,
)
FORMS = ("jvp", "vjp", "directional", "hvp")


def seed_of(function, form):
    if form == "directional":
        return np.array([DIRECTION, 2 * DIRECTION])
    if form != "vjp":
        return DIRECTION
    value = function(X.copy())
    if isinstance(value, dict):
        return {key: ones(part) for key, part in value.items()}
    return tuple(map(ones, value)) if isinstance(value, tuple) else ones(value)


def ones(value):
    return np.resize([1, 2, 0, 3], value.shape) if np.ndim(value) else 1


def as_floats(seed):
    if isinstance(seed, dict):
        return {key: as_floats(part) for key, part in seed.items()}
    if isinstance(seed, tuple):
        return tuple(map(as_floats, seed))
    return seed.astype(float) if isinstance(seed, np.ndarray) else float(seed)


def flat(value):
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple):
        return np.concatenate([flat(part) for part in value])
    return np.ravel(np.asarray(value, float))


def texts_of(function, form):
    """Yield the texts for any arguments, for examples, and that of the rooms alone."""
    for like in (None, (X,)):
        with suppress(S2sadError):
            derivative = getattr(s2sad, form)(function, like=like)
            yield derivative.source, derivative.__name__
    with suppress(NotYet):
        yield answer(Request(function, ("t",), form, name="D"), {"t": X}).source, "D"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_whole_numbers_are_asked_about_or_right(function, form):
    if form == "hvp" and function not in (cost, cost_of_recurrence):
        return
    seed = seed_of(function, form)
    for source, name in texts_of(function, form):
        space: dict = {}
        exec(source, space)
        expected = flat(space[name](X.copy(), as_floats(seed)))
        try:
            found = flat(space[name](X.copy(), copy.deepcopy(seed)))
        except ValueError as error:
            assert "made for" in str(error)
        else:
            np.testing.assert_allclose(found, expected, err_msg=source)


@pytest.mark.parametrize("seed", [[], {}, set(), int, slice(1), np.datetime64("2020-01-01"), ...])
def test_a_seed_and_a_direction_are_numbers(seed):
    f = lambda x: 2.0 * x  # noqa: E731
    for derivative in (s2sad.vjp(f), s2sad.jvp(f)):
        with pytest.raises(s2sad.ArgumentError, match=r"not a number|not built like|has shape"):
            derivative(1.5, seed)


@pytest.mark.parametrize("argument", [np, 10**400, None, "a", [10**400]])
def test_an_argument_is_a_number(argument):
    with pytest.raises(s2sad.ArgumentError):
        s2sad.grad(lambda x: 2.0 * x)(argument)


def test_options_are_no_arrays():
    for option in ("arrays", "checkpoint"):
        with pytest.raises(s2sad.ArgumentError, match=r"schedule|arrays="):
            s2sad.grad(np.sum, **{option: np.ones(2)})
