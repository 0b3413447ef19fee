"""Members of an Enum choose ways, in saved texts too, which have no class of the user's."""

from enum import Enum, IntEnum

import numpy as np
import pytest

import s2sad
from tests.texts import run


class Act(Enum):
    RELU = 1
    TANH = "tanh"


class Mode(IntEnum):
    SUM = 0
    SQUARES = 1


GAINS = {Act.RELU: 2.0, Act.TANH: 3.0}
LAYERS = [("a", Act.RELU), ("b", Act.TANH)]


def activate(z, act):
    if act is Act.RELU:
        return np.maximum(z, 0.0)
    elif act == Act.TANH:
        return np.tanh(z)
    raise ValueError(act)


def of_one(x, act):
    return np.sum(x**2) if act is Act.RELU else np.sum(np.tanh(x))


def of_several(x, acts):
    total = 0.0
    for act in acts:
        total = total + np.sum(activate(x, act) ** 2)
    return total


def of_some(x, act):
    return np.sum(x**2) if act in (Act.RELU, Act.TANH) else np.sum(np.tanh(x))


def of_integers(x, modes):
    total = 0.0
    for mode in modes:
        total = total + (np.sum(x) if mode is Mode.SUM else np.sum(x**2))
    return total


def of_a_table(x, acts):
    return sum(GAINS[act] * np.sum(x**2) + GAINS.get(act, 1.0) for act in acts)


def of_a_table_of_the_module(x):
    total = 0.0
    for _, act in LAYERS:
        total = total + np.sum(activate(x, act) ** 2)
    return total


X = np.array([0.3, 0.5, -0.2])
BOTH = [Act.RELU, Act.TANH]
CASES = {
    "relu": (of_one, X, Act.RELU),
    "tanh": (of_one, X, Act.TANH),
    "several": (of_several, X, BOTH),
    "some": (of_some, X, Act.TANH),
    "integers": (of_integers, X, [Mode.SUM, Mode.SQUARES]),
    "a table": (of_a_table, X, BOTH),
    "a table of the module": (of_a_table_of_the_module, X),
}


def slope(function, *args):
    sides = [
        [function(x + h * e, *args) for h in (1e-6, -1e-6)]
        for x, e in zip([X] * 3, np.eye(3), strict=True)
    ]
    return np.array([(up - down) / 2e-6 for up, down in sides])


@pytest.mark.parametrize(
    ("function", "x", "rest"), [(f, x, r) for f, x, *r in CASES.values()], ids=CASES
)
def test_members_choose_in_saved_texts(function, x, rest, tmp_path):
    for like in ((x, *rest), None):
        df = s2sad.grad(function, "x", like=like)
        np.testing.assert_allclose(df(x, *rest), slope(function, *rest), atol=1e-8)
        if like:
            df.save(tmp_path / "df.py", force=True)
            saved = run((tmp_path / "df.py").read_text(), f"{function.__name__}_grad")
            np.testing.assert_array_equal(saved(x, *rest), df(x, *rest))


@pytest.mark.parametrize("function", [of_one, of_some])
def test_a_text_without_examples_takes_every_member(function, tmp_path):
    s2sad.grad(function, "x").save(tmp_path / "df.py")
    saved = run((tmp_path / "df.py").read_text(), f"{function.__name__}_grad")
    for act in (*BOTH, None):
        np.testing.assert_allclose(saved(X, act), slope(function, act), atol=1e-8)
