"""Long derivations say what they do on standard error, and nothing on standard output."""

from __future__ import annotations

import io
import sys
import threading

import numpy as np
import pytest

import s2sad
from s2sad.api.display import progress
from s2sad.lowering import lower as lowering_module
from tests.texts import defined


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def slow(monkeypatch):
    """Have derivations wait in the room of lowering until something was said, or nothing is."""
    said = threading.Event()
    monkeypatch.delenv("S2SAD_QUIET")
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.01)
    return said


def wait_in(module, said):
    """Return a function whose stack passes through a room: it waits there."""
    space = {"__name__": module, "said": said}
    exec("def work():\n    said.wait(5)", space)
    return space["work"]


class Telling(io.StringIO):
    """A stream that tells when something is written to it."""

    def __init__(self, said):
        super().__init__()
        self.said = said

    def write(self, text):
        done = super().write(text)
        if "saved" in text:
            self.said.set()
        return done


def test_what_is_done_is_said_on_standard_error(slow, monkeypatch, capsys):
    stream = Telling(slow)
    monkeypatch.setattr(sys, "stderr", stream)
    with progress.deriving("f_grad"):
        wait_in("s2sad.checkpoint.plan", slow)()
    assert "s2sad: deriving f_grad: deciding what is saved (" in stream.getvalue()
    assert capsys.readouterr().out == ""


def test_the_room_that_was_entered_first_is_named(slow):
    frames = []

    def look():
        frames.append(sys._getframe())

    inner = {"__name__": "s2sad.types.inference", "look": look}
    exec("def infer():\n    look()", inner)
    outer = {"__name__": "s2sad.lowering.lower", "infer": inner["infer"]}
    exec("def lower():\n    infer()", outer)
    outer["lower"]()
    assert progress.stage_of(frames[0]) == "reading what it does"
    assert progress.stage_of(None) == "at work"


def test_a_terminal_has_one_line_that_goes_away():
    stream = Terminal()
    progress._show(iter(["one", "two"]), stream)
    assert stream.getvalue() == "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K"


def test_elsewhere_a_line_is_said_once():
    stream = io.StringIO()
    progress._show(iter(["s2sad: a (2 s)", "s2sad: a (3 s)", "s2sad: b (4 s)"]), stream)
    assert stream.getvalue() == "s2sad: a (2 s)\ns2sad: b (4 s)\n"


def test_short_derivations_and_quiet_ones_say_nothing(monkeypatch, capsys):
    f = defined("def f(x):\n    return np.sum(np.sin(x))")
    monkeypatch.setattr(progress, "AFTER", 600.0)
    monkeypatch.delenv("S2SAD_QUIET")
    s2sad.grad(f, like=(np.ones(3),))
    monkeypatch.setenv("S2SAD_QUIET", "1")
    monkeypatch.setattr(progress, "AFTER", 0.0)
    s2sad.grad(f, like=(np.ones(4),))
    out = capsys.readouterr()
    assert (out.out, out.err) == ("", "")


def test_the_rooms_are_those_of_the_house():
    from tests.test_house import ROOMS

    assert {*progress.STAGES} <= {*ROOMS}
    assert lowering_module.__name__.split(".")[1] in progress.STAGES
