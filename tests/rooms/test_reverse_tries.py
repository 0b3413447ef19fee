"""A try is run on trial; what failed and what did not have the derivatives of their ways."""

import contextlib
import math
from contextlib import contextmanager

import numpy as np
import pytest

from s2sad.ir.errors import NotYet
from tests.rooms.derive import grad, is_float
from tests.rooms.differences import fresh, judge


def root_or_square(x):
    try:
        y = math.log(x)
    except ValueError:
        y = x * x
    return y * x


def returned(x):
    try:
        if x > 2.0:
            return x**3
        return math.sqrt(x) * x
    except ValueError as error:
        return x * x * len(error.args)


def in_a_loop(x):
    s = 0.0
    for k in range(4):
        try:
            y = math.log(x - k)
        except ValueError:
            continue
        s += y * s + x
    return s


def raised_again(x):
    try:
        try:
            y = math.log(x)
        except ValueError:
            raise KeyError("no logarithm") from None
    except KeyError:
        y = x
    return x * y


def set_on_the_way_out(x):
    try:
        try:
            y = math.log(x)
        finally:
            x = x * 2.0
    except ValueError:
        y = x
    return x * y


def either_of_two(u, x):
    held = [u[0], u[1] * x]
    try:
        y = held[int(x)] / (x - 1.0)
    except IndexError:
        y = x * u[2]
    except ZeroDivisionError:
        y = u[1] * u[1]
    return y * x


def seen_by_the_handler(x):
    y = 0.0
    try:
        y = x * 2.0
        y = math.log(x)
    except ValueError:
        y = y * x
    return y


def changes_an_array(u, x):
    v = u * 1.0
    try:
        v[0] = x
        v[1] = math.log(x)
    except ValueError:
        v[1] = 0.0
    return np.sum(v * u)


def stores_until_one_fails(u, x, n):
    v = u * x
    for k in range(n):
        try:
            v[k] = x * k + v[0]
            x = x * v[1]
            v[k + 1] += x * x
        except IndexError as error:
            x = x + len(str(error)) * v[2]
    return np.sum(v * v) * x


def stores_to_a_list_and_a_dict(u, n):
    xs, d = [u[0], u[1]], {}
    try:
        d["a"] = u[0] * u[2]
        xs[n] = u[2] * d["a"]
        d["b"] = xs[n] * u[1]
    except IndexError:
        d["b"] = u[2] * d["a"]
        xs[0] = u[2] * u[2]
    return xs[0] * xs[1] + d["a"] * d["b"]


def counts_what_it_tries(x, settings):
    tried = []
    y = x
    try:
        y = x * x
        tried.append("scale")
        y = y * settings["scale"]
    except KeyError:
        y = y * len(tried)
    return y * x


def suppressed_in_a_loop(x):
    y = x
    for _ in range(5):
        with contextlib.suppress(ValueError):
            y = y * 1.1
            if y > 3.0:
                break
            y = y + math.sqrt(y - 1.5)
        y = y * 0.9
    return y


def grows_a_list(x):
    xs = [1.0]
    try:
        xs.append(x * x)
        xs.append(math.sqrt(x - 10.0))
    except ValueError:
        xs.append(3.0 * x)
    return sum(xs) * x


@contextmanager
def doubled(held):
    yield
    held.append(2.0)


def left_in_its_block(x):
    held = [x]
    for _ in range(3):
        with doubled(held):
            if x > 1.0:
                break
            x = x * 1.5
    return x * sum(held)


ARRAY = np.array([0.3, 0.5, 0.7])
CASES = [
    *((f, (x,)) for f in (root_or_square, returned, in_a_loop, raised_again) for x in (2.5, -1.5)),
    *((left_in_its_block, (x,)) for x in (0.5, 1.5)),
    *((either_of_two, (ARRAY, x)) for x in (0.4, 1.5, 3.0)),
    *((f, (x,)) for f in (seen_by_the_handler, suppressed_in_a_loop) for x in (2.2, 0.5)),
    *((changes_an_array, (ARRAY, x)) for x in (0.5, -0.5)),
    *((stores_until_one_fails, (ARRAY, 1.3, n)) for n in (2, 4)),
    *((stores_to_a_list_and_a_dict, (ARRAY, n)) for n in (1, 2)),
    (grows_a_list, (0.5,)),
    *((counts_what_it_tries, (1.3, d)) for d in ({"scale": 2.0}, {})),
]


@pytest.mark.parametrize(("f", "args"), CASES)
def test_both_ways_of_a_try(f, args):
    try:
        run = grad(f, args)
    except NotYet as error:
        pytest.skip(f"not yet: {error.reason}")
    run.checked(*fresh(args))
    floats = tuple(k for k, arg in enumerate(args) if is_float(arg))
    found, why = judge(f, args, floats, run)
    assert found == "right", why


def test_a_try_that_leaves_something_is_refused():
    with pytest.raises(NotYet, match="a try that"):
        grad(set_on_the_way_out, (0.5,))
