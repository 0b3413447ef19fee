"""What goes wrong in the rooms: users are answered by the first core, tests see the fault."""

import numpy as np
import pytest

import s2sad
from s2sad.api import by_rooms
from s2sad.ir.errors import NotYet


def misfit(m):
    return np.sum(np.sin(m) ** 2)


M = np.array([0.3, 1.1])
EXPECTED = np.sin(2.0 * M)


def failing_with(error, monkeypatch):
    def answer(question, examples):
        raise error

    monkeypatch.setattr(by_rooms, "answer", answer)


def test_a_fault_of_the_rooms_is_seen_by_tests(monkeypatch):
    failing_with(KeyError("x"), monkeypatch)
    with pytest.raises(KeyError):
        s2sad.grad(misfit)(M)


def test_users_get_the_answer_of_the_first_core_where_the_rooms_fail(monkeypatch):
    monkeypatch.delenv(by_rooms.RAISES_FAULTS)
    failing_with(KeyError("x"), monkeypatch)
    derivative = s2sad.grad(misfit, like=(M,))
    assert derivative.core == "legacy"
    np.testing.assert_allclose(derivative(M), EXPECTED, rtol=1e-14)


def test_what_the_rooms_cannot_do_yet_is_no_fault(monkeypatch):
    failing_with(NotYet("anything"), monkeypatch)
    np.testing.assert_allclose(s2sad.grad(misfit)(M), EXPECTED, rtol=1e-14)
