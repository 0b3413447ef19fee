"""Every rule through the whole pipeline: gradients without and with example arguments, their
dtypes and memory, and derivatives of the gradients in both modes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.api.grad import grad, jvp, value_and_grad, vjp
from s2sad.ir.errors import ArgumentError, NoRule, Unsupported
from s2sad.operators.rule import TWIN, Rule
from s2sad.testing.checks import inner, like, numbers_in, shifted
from s2sad.testing.rows import Sample, samples

STEP = 1e-3
# guards that need example arguments: what is computed depends on them
TELLING = {"scalar", "vector", "matrix", "array", "stacked", "single", "double", "inexact"}
TELLING |= {"precise"}
Examples = tuple[tuple[Any, ...], ...]


def check_gradient(rule: Rule, examples: Examples = ()) -> None:
    """Hold gradients of calls of a rule against differences."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, sample in enumerate(samples(rule, 1, 2, examples)):
            _check_gradient(rule, sample, first=number == 0)


def _check_gradient(rule: Rule, sample: Sample, first: bool) -> None:
    made = value_and_grad(sample.function, wrt=sample.asked, like=sample.args)
    value, gradient = made(*sample.args)
    assert _is_value(rule, value, sample), made.source
    _check_dtypes(gradient, sample, made.source)
    _check_memory(gradient, sample, made.source)
    if not sample.is_single:
        dots = _directions(sample)
        found = sum(inner(*pair)[0] for pair in zip(sample.each(gradient), dots, strict=True))
        assert _agree([found], _differences(sample.function, sample, dots), 1e-7), made.source
    if rule.file != "lists.py" and first:
        _check_general(rule, sample, gradient)


def _is_value(rule: Rule, value: Any, sample: Sample) -> bool:
    """Tell whether a value is the function's: to the last digit, but for twins, which round otherwise."""
    expected = sample.function(*sample.args)
    if rule.family != TWIN:
        return np.array_equal(value, expected, equal_nan=True)
    bound = 1e-5 if sample.is_single else 1e-12
    return bool(np.allclose(value, expected, rtol=bound, atol=bound, equal_nan=True))


def _check_general(rule: Rule, sample: Sample, gradient: Any) -> None:
    """The text made without example arguments is as right, for every rank."""
    try:
        general = grad(sample.function, wrt=sample.asked)
        source = general.source
    except ArgumentError:  # it was tried with ranks and kinds of its own choice
        return
    except (NoRule, Unsupported) as error:  # examples may help
        assert TELLING & {w for words in rule.marks.values() for w in words} or not error.certain
        return
    try:
        found = general.emitted(None).function(*sample.args)
    except ValueError as error:
        assert str(error).startswith("made for"), source  # it asks for numbers, or for ranks
        found = general(*sample.args)
    assert _agree(found, gradient, 1e-4 if sample.is_single else 1e-9), source
    _check_memory(found, sample, source)


def _check_dtypes(gradient: Any, sample: Sample, source: str) -> None:
    if np.result_type(sample.function(*sample.args)) != "float32":
        return  # the computation itself is wider
    operands = [sample.args[i] for i in sample.places]
    for part, x in zip(numbers_in(gradient), numbers_in(operands), strict=True):
        if isinstance(x, np.ndarray) and x.ndim:
            assert part.dtype == x.dtype, source


def _check_memory(gradient: Any, sample: Sample, source: str) -> None:
    """No gradient shares memory with an argument or with another gradient."""
    parts = [part for part in numbers_in([gradient]) if isinstance(part, np.ndarray)]
    held = [part for part in numbers_in(list(sample.args)) if isinstance(part, np.ndarray)]
    for number, part in enumerate(parts):
        others = (*held, *parts[:number])
        assert not any(np.may_share_memory(part, other) for other in others), source


def check_second_order(rule: Rule, mode: str, examples: Examples = ()) -> None:
    """Hold derivatives of the gradient, in one mode, against differences of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in samples(rule, 1, 1, examples):
            if not sample.is_single:
                _check_second_order(sample, mode)


def _check_second_order(sample: Sample, mode: str) -> None:
    gradient = grad(sample.function, wrt=sample.asked, like=sample.args)
    dots = _directions(sample)
    expected = _differences(gradient, sample, dots)
    if mode == "reverse":
        _check_reverse(gradient, sample, dots, expected)
        return
    made = jvp(gradient, wrt=sample.asked, like=sample.args)
    assert _agree(made(*sample.args, *dots)[1], expected, 1e-6), made.source


def _check_reverse(gradient: Any, sample: Sample, dots: list[Any], expected: list[Any]) -> None:
    rng = np.random.default_rng(4)
    value = gradient(*sample.args)
    seeds = [like(each, rng) for each in sample.each(value)]
    made = vjp(gradient, wrt=sample.asked, like=sample.args)
    bars = made(*sample.args, tuple(seeds) if len(seeds) > 1 else seeds[0])
    found = sum(inner(*pair)[0] for pair in zip(sample.each(bars), dots, strict=True))
    wanted = sum(inner(*pair)[0] for pair in zip(seeds, expected, strict=True))
    assert abs(found - wanted) <= 1e-6 * max(1.0, abs(wanted)), made.source


# ---------------------------------------------------------------------------- numbers


def _directions(sample: Sample) -> list[Any]:
    rng = np.random.default_rng(1)
    return [like(sample.args[i], rng) for i in sample.places]


def _differences(function: Callable[..., Any], sample: Sample, dots: list[Any]) -> list[Any]:
    """Return the tangents of all results, by differences of fourth order."""

    def at(step: float) -> list[Any]:
        moved = list(sample.args)
        for i, dot in zip(sample.places, dots, strict=True):
            moved[i] = shifted(moved[i], step * STEP, dot)
        return [np.asarray(each) for each in numbers_in(function(*moved))]

    steps = zip(at(1), at(-1), at(2), at(-2), strict=True)
    return [(8.0 * (a - b) - (far_a - far_b)) / (12.0 * STEP) for a, b, far_a, far_b in steps]


def _agree(got: Any, expected: Any, bound: float) -> bool:
    pairs = list(zip(numbers_in(got), numbers_in(expected), strict=True))
    scale = max([1.0, *(np.max(np.abs(b), initial=0.0) for _, b in pairs)])
    return all(
        np.shape(a) == np.shape(b)
        and np.all(np.abs(np.asarray(a) - np.asarray(b)) <= bound * scale)
        for a, b in pairs
    )
