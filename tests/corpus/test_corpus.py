"""Functions of libraries go through the transformer: a text, or a refusal that names its place.

The whole corpus: python -m tests.corpus --jobs 2
"""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest

import s2sad
from s2sad.ir.errors import InternalError, Unsupported
from tests.corpus import campaign, planted
from tests.corpus.finding import ROOTS, functions, wrt_of
from tests.corpus.judging import MODES, Outcome, judged

SEED = 2
DRAWN = 24
# what is quickly imported, and of all kinds: numbers, texts, classes, files, arrays
PART = """
_pydecimal ast colorsys fractions functools heapq random shlex statistics textwrap
numpy.lib numpy.linalg numpy.polynomial scipy.integrate._quadrature scipy.optimize._linesearch
""".split()


def told(outcomes: list[Outcome]) -> str:
    return "\n".join(
        f"{x.name} {x.mode}: {x.verdict}, {x.seconds:.2f} s\n{x.detail}" for x in outcomes
    )


def test_a_part_of_the_corpus() -> None:
    drawn = campaign.chosen(functions(PART), SEED, DRAWN)
    assert len(drawn) == DRAWN
    outcomes = campaign.run(drawn)
    assert not [x for x in outcomes if x.is_wrong], told([x for x in outcomes if x.is_wrong])
    # both happen, or nothing was looked at
    assert {x.verdict for x in outcomes} == {"made", "refused"}


@pytest.mark.slow
@pytest.mark.parametrize("root", ROOTS)
def test_the_corpus(root: str) -> None:
    outcomes = campaign.run(campaign.chosen(functions([root]), SEED, None))
    assert not [x for x in outcomes if x.is_wrong], told([x for x in outcomes if x.is_wrong])


# what a conversion copies of a matrix is the matrix still; a value that syntax copied as it stands
# writes to keeps its name
ONCE_WRONG = ("scipy.sparse._bsr:_bsr_base.tocsr", "scipy.sparse._construct:_eye")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ONCE_WRONG)
def test_what_was_wrong_once_is_not_wrong(name: str, mode: str) -> None:
    function = functions([name.partition(":")[0]])[name]
    outcome = judged(name, function, mode)
    assert not outcome.is_wrong, outcome.detail


# ---------------------------------------------------------------- finding


def test_functions_and_methods_of_a_module_are_found() -> None:
    found = functions(["tests.corpus.planted"])
    assert {
        "tests.corpus.planted:square",
        "tests.corpus.planted:Kept.scaled",
        "tests.corpus.planted:Kept.doubled",
    } <= set(found)
    assert not any(name.startswith("tests.corpus.planted:np") for name in found)
    assert found["tests.corpus.planted:Kept.doubled"] is planted.Kept.doubled


def test_what_varies_is_the_first_argument_that_is_no_object() -> None:
    assert wrt_of(planted.Kept.scaled) == "factor"
    assert wrt_of(planted.square) == "x"
    assert wrt_of(planted.nothing) is None
    assert "tests.corpus.planted:nothing" not in campaign.chosen(
        functions(["tests.corpus.planted"]), 0, None
    )


def test_what_has_a_window_or_prints_is_left_alone() -> None:
    before = set(sys.modules)
    assert functions(["this", "antigravity", "turtle"]) == {}
    assert {"this", "antigravity", "turtle"} - before == {"this", "antigravity", "turtle"}


# ---------------------------------------------------------------- judging


def outcome_of(function: types.FunctionType, mode: str = "vjp") -> Outcome:
    return judged("planted", function, mode, limit=0.5)


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
def test_texts_and_refusals_are_told_apart(mode: str) -> None:
    assert outcome_of(planted.square, mode).verdict == "made"
    refused = outcome_of(planted.joined, mode)
    assert refused.verdict == "refused" and "planted.py" in refused.detail
    assert planted.called == []


@pytest.mark.parametrize(
    "error, verdict",
    [
        (InternalError("out of step"), "internal"),
        (KeyError("x"), "internal"),
        (RecursionError(), "internal"),
        (Unsupported("this is refused, nobody knows where"), "nowhere"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_is_wrong_is_seen(error: Exception, verdict: str, monkeypatch: Any) -> None:
    def fails(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(s2sad, "vjp", fails)
    assert outcome_of(planted.square).verdict == verdict
    assert outcome_of(planted.square).is_wrong


def test_what_never_ends_is_stopped(monkeypatch: Any) -> None:
    def goes_on(*_: Any) -> Any:
        while True:
            try:
                sum(range(1000))
            except Exception:
                continue

    monkeypatch.setattr(s2sad, "vjp", goes_on)
    assert outcome_of(planted.square).verdict == "endless"


def test_the_report_counts_and_names() -> None:
    outcomes = [
        Outcome("a:f", "vjp", "made", 0.2),
        Outcome("a:g", "vjp", "internal", 0.1, "KeyError: 'x' (lower)"),
        Outcome("a:h", "jvp", "refused", 1.7, "no rule for 12 of them"),
    ]
    shown = campaign.report(outcomes)
    assert "made 1  refused 1  nowhere 0  internal 1  endless 0  slow 1   (of 3)" in shown
    assert "KeyError: _ (lower)   (e.g. a:g vjp)" in shown
    assert "1.70 s  jvp  a:h" in shown
    assert [x.is_slow for x in outcomes] == [False, False, True]
