"""Questions are answered by the rooms: a text that stands alone and gives the derivative."""

import inspect

import numpy as np
import pytest

import s2sad
from s2sad.api.answer import Question, answer
from s2sad.ir.errors import NotYet
from tests.emitted.cases import cases
from tests.oracles import compare, differences, flatten

FORMS = {"grad": "grad", "value_and_grad": "value_and_grad", "vjp": "vjp"}
CASES = {name: case for name, case in cases().items() if case.mode in FORMS and case.like}


def run_alone(made):
    """Return the function of a text that is run by itself."""
    space = {}
    exec(compile(made.source, "<answer>", "exec"), space)
    return space[made.name]


@pytest.mark.parametrize("name", CASES)
def test_the_golden_functions(name):
    case = CASES[name]
    wrt = (case.wrt,) if isinstance(case.wrt, str) else case.wrt
    bound = dict(zip(inspect.signature(case.function).parameters, case.args, strict=False))
    question = Question(case.function, wrt, FORMS[case.mode], name, isinstance(case.wrt, str))
    try:
        made = answer(question, bound)
    except NotYet as fault:
        pytest.skip(f"not yet: {fault.reason}")
    found = run_alone(made)(*case.args, *case.extra)
    adjoints = found[1] if case.mode == "value_and_grad" else found
    adjoints = (adjoints,) if question.single else adjoints
    seed = case.extra[0] if case.extra else 1.0
    like = tuple(case.args[k] for k in case.positions)
    expected = differences(case.function, case.args, case.positions, seed)
    assert compare(flatten(adjoints, like), expected) is None, made.source


def energy(u, c):
    return c * np.sum(u**2)


def test_the_message_of_the_check_is_known():
    made = answer(Question(energy, ("u",), "grad", "energy_grad"), {"u": np.ones(3), "c": 2.0})
    with pytest.raises(ValueError, match="made for") as raised:
        run_alone(made)(np.ones((2, 2)), 2.0)
    assert {str(raised.value)} == made.messages


def test_one_argument_in_a_tuple_gives_a_tuple():
    made = answer(Question(energy, ("u",), "grad", "g", single=False), {"u": np.ones(3), "c": 2.0})
    found = run_alone(made)(np.ones(3), 2.0)
    assert isinstance(found, tuple) and len(found) == 1


def paused(u, c):
    with s2sad.no_grad():
        scale = np.sum(u)
    return scale * c


def hooked(u, c):
    return np.sum(s2sad.on_adjoint(u, np.negative)) * c


@s2sad.custom_derivative(reverse=lambda u, y, y_bar: y_bar * 7.0)
def own(u):
    return 2.0 * u


def with_its_own(u, c):
    return np.sum(own(u)) * c


@pytest.mark.parametrize("function", [paused, hooked, with_its_own])
def test_what_says_how_it_is_differentiated_is_not_passed_over(function):
    with pytest.raises(NotYet):
        answer(Question(function, ("u",), "grad", "g"), {"u": np.ones(3), "c": 2.0})
