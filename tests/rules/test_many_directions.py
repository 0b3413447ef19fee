"""Every rule along many directions at once: the tangents that come one after the other."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import S2sadError
from s2sad.operators.rule import Rule
from s2sad.testing.rows import Sample, samples
from tests.rules.spelled import plain_rules

COUNT = 3
COMPLEX = """def {name}({params}, seed):
{turned}
    {value}
    return np.sum(seed * np.real(y) + 0.3 * seed * np.imag(y))
"""
# each call draws other numbers; those of SciPy are long, and made of the others
LEFT_OUT = ("scipy", "random")
RULES = [r for r in plain_rules() if r.differentiable and not r.file.startswith(LEFT_OUT)]
HOLOMORPHIC = [rule for rule in RULES if rule.holomorphic]


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


def drawn(rule: Rule) -> Iterator[Sample]:
    """Yield samples whose operands are floats and arrays of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in samples(rule, 1, 3):
            operands = [sample.args[place] for place in sample.places]
            if sample.is_single:
                continue
            if all(isinstance(operand, float | np.ndarray) for operand in operands):
                yield sample


def directions(sample: Sample) -> list[Any]:
    """Return COUNT directions of each operand that is differentiated."""
    rng = np.random.default_rng(11)
    shapes = [np.shape(sample.args[place]) for place in sample.places]
    return [rng.uniform(-1.0, 1.0, (COUNT, *shape)) for shape in shapes]


def check(function: Any, sample: Sample) -> bool:
    """Hold many directions against one at a time; tell whether there is a form for many."""
    dots = directions(sample)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            at_once = s2sad.directional(function, wrt=sample.asked, like=sample.args)
            found = at_once(*sample.args, *dots)
            one = s2sad.jvp(function, wrt=sample.asked, like=sample.args)
        except S2sadError:
            return False
        each = [one(*sample.args, *(dot[k] for dot in dots))[1] for k in range(COUNT)]
    np.testing.assert_allclose(found, each, rtol=1e-9, atol=1e-12, err_msg=at_once.source)
    return True


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_many_directions_are_each_of_them(rule: Rule) -> None:
    for sample in drawn(rule):
        check(sample.function, sample)


def turned(sample: Sample) -> Any:
    """Return a sample's function of complex operands: each is turned in the plane first."""
    body = sample.source.splitlines()[1].strip()
    names = list(sample.function.__code__.co_varnames[: len(sample.args) - 1])
    code = COMPLEX.format(
        name=sample.function.__name__,
        params=", ".join(names),
        value=body,
        turned="\n".join(f"    {name} = {name} * (0.8 + 0.6j)" for name in sample.wrt),
    )
    filename = f"<complex {sample.function.__name__}>"
    linecache.cache[filename] = len(code), None, code.splitlines(True), filename
    space = dict(sample.function.__globals__)
    exec(compile(code, filename, "exec"), space)
    return space[sample.function.__name__]


@pytest.mark.parametrize("rule", HOLOMORPHIC, ids=name_of)
def test_many_complex_directions_are_each_of_them(rule: Rule) -> None:
    for sample in drawn(rule):
        check(turned(sample), sample)


def test_most_rules_have_a_form_for_many_directions() -> None:
    """The two tests above compare something."""
    for chosen, at in ((RULES[::25], lambda s: s.function), (HOLOMORPHIC[::12], turned)):
        done = [check(at(sample), sample) for rule in chosen for sample in drawn(rule)]
        assert sum(done) >= 0.4 * len(done), (sum(done), len(done))
