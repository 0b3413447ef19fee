"""Every template through the whole pipeline: gradients without and with example arguments,
their dtypes, and derivatives of the gradients in both modes."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rule_checks import inner, like, numbers_in, shifted
from rule_programs import Sample, samples
from rule_samples import COMPLEX_OF_REAL

import s2sad
from s2sad.errors import NoRule
from s2sad.rules import load
from s2sad.templating import Rule

STEP = 1e-3
RULES = [rule for rule in load().every if not rule.constant and not rule.file.startswith("again")]
RULES = [rule for rule in RULES if rule.name not in COMPLEX_OF_REAL]
# what a generator draws is another number each time: coverage.py seeds it in the program
RULES = [rule for rule in RULES if not rule.file.startswith(("scipy", "random", "complex"))]
RULES = [rule for rule in RULES if not any("complex" in words for words in rule.marks.values())]
# guards that need example arguments: what is computed depends on them
TELLING = {"scalar", "vector", "matrix", "array", "stacked", "single", "double", "inexact"}
TELLING |= {"precise"}

pytestmark = pytest.mark.filterwarnings("ignore")


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


def wrt_of(sample: Sample) -> Any:
    return sample.wrt if len(sample.wrt) > 1 else sample.wrt[0]


def directions(sample: Sample) -> list[Any]:
    rng = np.random.default_rng(1)
    return [like(sample.args[i], rng) for i in sample.places]


def differences(function: Callable[..., Any], sample: Sample, dots: list[Any]) -> list[Any]:
    """Return the tangents of all results, by differences of fourth order."""

    def at(step: float) -> list[Any]:
        moved = list(sample.args)
        for i, dot in zip(sample.places, dots, strict=True):
            moved[i] = shifted(moved[i], step * STEP, dot)
        return [np.asarray(each) for each in numbers_in(function(*moved))]

    steps = zip(at(1), at(-1), at(2), at(-2), strict=True)
    return [(8.0 * (a - b) - (far_a - far_b)) / (12.0 * STEP) for a, b, far_a, far_b in steps]


def agree(got: Any, expected: Any, bound: float) -> bool:
    pairs = list(zip(numbers_in(got), numbers_in(expected), strict=True))
    scale = max([1.0, *(np.max(np.abs(b), initial=0.0) for _, b in pairs)])
    return all(
        np.shape(a) == np.shape(b)
        and np.all(np.abs(np.asarray(a) - np.asarray(b)) <= bound * scale)
        for a, b in pairs
    )


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_gradient(rule: Rule) -> None:
    for number, sample in enumerate(samples(rule, spellings=1, settings=2)):
        made = s2sad.grad(sample.function, wrt=wrt_of(sample), like=sample.args)
        gradient = made(*sample.args)
        check_dtypes(gradient, sample, made.source)
        if not sample.is_single:
            dots = directions(sample)
            found = sum(
                inner(*pair)[0] for pair in zip(one_each(gradient, sample), dots, strict=True)
            )
            assert agree([found], differences(sample.function, sample, dots), 1e-7), made.source
        if rule.file != "lists.py" and number == 0:
            check_general(rule, sample, gradient)


def check_general(rule: Rule, sample: Sample, gradient: Any) -> None:
    """The text made without example arguments is as right, for every rank."""
    try:
        general = s2sad.grad(sample.function, wrt=wrt_of(sample)).source
    except NoRule:
        assert TELLING & {word for words in rule.marks.values() for word in words}
        return
    space: dict[str, Any] = {}
    exec(general, space)
    found = space[f"{sample.function.__name__}_grad"](*sample.args)
    assert agree(found, gradient, 1e-4 if sample.is_single else 1e-9), general


def check_dtypes(gradient: Any, sample: Sample, source: str) -> None:
    if np.result_type(sample.function(*sample.args)) != "float32":
        return  # the computation itself is wider
    operands = [sample.args[i] for i in sample.places]
    for part, x in zip(numbers_in(gradient), numbers_in(operands), strict=True):
        if isinstance(x, np.ndarray) and x.ndim:
            assert part.dtype == x.dtype, source


def one_each(gradient: Any, sample: Sample) -> Any:
    return gradient if len(sample.wrt) > 1 else (gradient,)


SECOND = [rule for rule in RULES if rule.file != "lists.py"]


def mode_of(rule: Rule) -> str:
    """Return in which mode the gradient of a rule is differentiated: half of them in each."""
    return "forward" if zlib.crc32(name_of(rule).encode()) % 2 else "reverse"


@pytest.mark.parametrize(
    ("rule", "mode"),
    [(rule, mode_of(rule)) for rule in SECOND],
    ids=lambda each: name_of(each) if isinstance(each, Rule) else each,
)
def test_second_order(rule: Rule, mode: str) -> None:
    for sample in samples(rule, spellings=1, settings=1):
        if sample.is_single:
            continue
        gradient = s2sad.grad(sample.function, wrt=wrt_of(sample), like=sample.args)
        dots = directions(sample)
        expected = differences(gradient, sample, dots)
        if mode == "forward":
            made = s2sad.jvp(gradient, wrt=wrt_of(sample), like=sample.args)
            assert agree(made(*sample.args, *dots)[1], expected, 1e-6), made.source
        else:
            check_reverse(gradient, sample, dots, expected)


def check_reverse(gradient: Any, sample: Sample, dots: list[Any], expected: list[Any]) -> None:
    rng = np.random.default_rng(4)
    value = gradient(*sample.args)
    seeds = [like(each, rng) for each in one_each(value, sample)]
    made = s2sad.vjp(gradient, wrt=wrt_of(sample), like=sample.args)
    bars = made(*sample.args, tuple(seeds) if len(seeds) > 1 else seeds[0])
    found = sum(inner(*pair)[0] for pair in zip(one_each(bars, sample), dots, strict=True))
    wanted = sum(inner(*pair)[0] for pair in zip(seeds, expected, strict=True))
    assert abs(found - wanted) <= 1e-6 * max(1.0, abs(wanted)), made.source
