"""Seeds of results that are lists, tuples and dicts: each part is pulled back, and none is changed."""

import copy

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([0.3, 0.5, 0.2])


def parts_and_an_argument(x):
    y = x * 2
    return {"first": y[0], "whole": y, "given": x}


def a_dict_put_together(x):
    d = {"a": x * 2, "b": x[0]}
    return {**d, "c": x}


def a_written_part(x):
    y = x * 2
    y[0] = x[1]
    return {"y": y, "x": x}


def a_tuple_of_arrays_that_were_listed(x):
    ys = [x * e for e in x]
    return tuple(ys), x * 2


def a_tuple_of_numbers_that_were_listed(x):
    ys = [e * x[0] for e in x]
    return tuple(ys), x * 2


def the_rest_of_a_list(x):
    ys = [x * e for e in x]
    return ys[1:], x * 2


def a_tuple_that_grows(x):
    found = ()
    for i in range(x.shape[0]):
        found += (np.sin(x[i]) * x[0],)
    return found


def a_tuple_of_arrays_that_grows(x):
    found = ()
    for i in range(x.shape[0]):
        found += (x * x[i],)
    return found


def numbers_of_a_generator(x):
    return tuple(np.sin(e) * x[0] for e in x)


def an_array_twice(x):
    w = x * x[0]
    return [w * 2.0] * 2, x[1:] * 2


def pairs_in_a_tuple(x):
    pair = (x[0] * 2.0, x * x[1])
    return [x, pair], ((x[0],), [pair[1], x[2] ** 2])


def seed_like(result, rng):
    if isinstance(result, dict):
        return {key: seed_like(part, rng) for key, part in result.items()}
    if isinstance(result, list | tuple):
        return type(result)(seed_like(part, rng) for part in result)
    return rng.uniform(-1, 1, np.shape(result)) if np.ndim(result) else float(rng.uniform(-1, 1))


def paired(result, seed):
    if isinstance(result, dict):
        return sum(paired(result[key], seed[key]) for key in result)
    if isinstance(result, list | tuple):
        return sum(paired(a, b) for a, b in zip(result, seed, strict=True))
    return np.sum(result * seed)


@pytest.mark.parametrize("like", (True, False), ids=("like", "any"))
@pytest.mark.parametrize(
    "function",
    (
        parts_and_an_argument,
        a_dict_put_together,
        a_written_part,
        a_tuple_of_arrays_that_were_listed,
        a_tuple_of_numbers_that_were_listed,
        the_rest_of_a_list,
        a_tuple_that_grows,
        a_tuple_of_arrays_that_grows,
        numbers_of_a_generator,
        an_array_twice,
        pairs_in_a_tuple,
    ),
)
def test_each_part_is_pulled_back_and_the_seed_is_left_alone(function, like):
    seed = seed_like(function(X), np.random.default_rng(3))
    before = copy.deepcopy(seed)
    expected = oracles.differences(lambda x: paired(function(x), before), (X,), (0,))
    pulled = s2sad.vjp(function, **({"like": (X,)} if like else {}))
    alone = oracles.standalone(pulled.source, pulled.__name__)
    assert oracles.compare(alone(X.copy(), seed), expected) is None
    assert not oracles.changed(oracles.snapshot(before), oracles.snapshot(seed))
