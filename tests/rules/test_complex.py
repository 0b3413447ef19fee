"""What is said to hold for complex values: dL = Re(z_bar dz), in both modes and by differences."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.linalg  # the rules of a module are read once it is imported
import scipy.signal
import scipy.special  # noqa: F401

from s2sad.ir.expression import Expr
from s2sad.ir.walk import nodes
from s2sad.operators.find import Known, find
from s2sad.operators.match import Match
from s2sad.operators.modules import MISSING
from s2sad.operators.rule import ELEMENTWISE, Rule
from s2sad.testing.checks import adjoint, is_name, numbers_in, shifted, structure, tangent
from s2sad.testing.evaluate import Values
from s2sad.testing.rows import of_any_rank
from s2sad.testing.samples import Case, cases
from tests.rules.spelled import COMPLEX_OF_REAL, plain_rules

STEP = 1e-3
# of a real matrix with complex eigenvalues beside complex ones SciPy's own solution is wrong
WHOLE = frozenset({"solve_sylvester"})
# to the other quadrants, where roots and logarithms have another branch
BRANCHES = tuple(np.exp(1j * angle) for angle in (1.2, 2.3, -2.3, -1.2))


def is_about_complex(rule: Rule) -> bool:
    words = {word for marked in rule.marks.values() for word in marked}
    return "complex" in words


def _is_eig(rule: Rule) -> bool:
    return rule.name == "eig" and rule.file.startswith("scipy")


RULES = [rule for rule in plain_rules() if rule.holomorphic or is_about_complex(rule)]
OWN = ("complex.py", "again_fft.py")
RULES += [rule for rule in plain_rules() if rule.file in OWN and rule not in RULES]
RULES += [rule for rule in plain_rules() if rule.name in COMPLEX_OF_REAL and rule not in RULES]
RULES = [rule for rule in RULES if not rule.file.startswith("scipy") and rule.file != "lists.py"]
OF_SCIPY = [r for r in plain_rules() if r.file.startswith("scipy") and r.holomorphic]
OF_SCIPY += [r for r in plain_rules() if r.file.startswith("scipy") and is_about_complex(r)]
OF_SCIPY += [r for r in plain_rules() if r.file == "scipy_special_complex.py" or _is_eig(r)]
OF_SCIPY = list({(r.file, r.name): r for r in OF_SCIPY}.values())
# SciPy draws the signs of its eigenvectors: test_complex_programs.py asks what they leave alone
OF_SCIPY = [rule for rule in OF_SCIPY if rule.name != "eigh_of_complex"]
RULES += [*OF_SCIPY, *(r for r in plain_rules() if r.name == "hilbert")]


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


def exists(pattern: Expr) -> bool:
    values = (node.data.value for node in nodes(pattern) if node.op == "global")
    return all(value is not MISSING for value in values)


def turned(case: Case, names: tuple[str, ...], by: complex = 1.0) -> Case:
    """Return the case with some of its operands complex, turned in the plane by a factor."""
    rng = np.random.default_rng(5)
    env = {name: by * _turned(v, rng) if name in names else v for name, v in case.env.items()}
    return Case(case.expr, env, case.varying, f"{names} {case.label}", case.hidden, case.options)


def _turned(value: Any, rng: Any) -> Any:
    return (value + 0.4j * rng.standard_normal(np.shape(value))) if _is_float(value) else value


def _is_float(value: Any) -> bool:
    return not isinstance(value, list | tuple) and np.result_type(value).kind == "f"


def tried(rule: Rule, pattern: Expr) -> Iterator[Case]:
    """Yield cases in double precision, all operands complex, then one of several."""
    count = 0
    elsewhere = BRANCHES if rule.family == ELEMENTWISE and rule.holomorphic else ()
    for case in cases(rule, pattern, thorough=False):
        names = tuple(name for name in case.varying if _is_float(case.env[name]))
        every = () if is_about_complex(rule) else ((),)
        some = [] if rule.name in WHOLE else [names[:1], names[-1:], *every]
        for chosen in dict.fromkeys([names, *some]):
            if count < 24:
                count += 1
                yield turned(case, chosen)
                yield from (turned(case, chosen, by) for by in elsewhere if chosen)


@pytest.mark.parametrize("rule", RULES, ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_complex(rule: Rule) -> None:
    pattern = next(pattern for pattern in rule.patterns if exists(pattern))
    checked = 0
    for case in tried(rule, pattern):
        value = _value(case)
        if value is None or not all(np.all(np.isfinite(each)) for each in numbers_in(value)):
            continue
        values = Values(case.values)
        expr = values.typed(case.expr)
        known = Known(values.regions)
        for match in (find(expr, known), find(of_any_rank(expr), known)):
            if match is not None and match.rule is rule:
                checked += 1
                check(match, case, value)
                break
    assert checked, "never tried"


def _value(case: Case) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Values(case.values).value(case.expr)
        except (TypeError, ValueError, AttributeError, IndexError, np.linalg.LinAlgError):
            return None


def check(match: Match, case: Case, value: Any) -> None:
    rng = np.random.default_rng(11)
    y_bar = draw(value, rng)
    env = {**case.values, "y": value, "y_bar": y_bar}
    for param in case.varying:
        slots = {p for p in match.differentiable if is_name(match.bound[p], param)}
        if not slots:
            continue
        x = case.env[param]
        x_bar = adjoint(match, env, slots, param)
        assert structure(x_bar) == structure(x), case.label
        x_dot = draw(x, rng)
        y_dot = tangent(match, {**env, "x_dot": x_dot}, slots, value)
        reverse, forward = product(x_bar, x_dot), product(y_bar, y_dot)
        scale = 1.0 + abs(reverse) + abs(forward)
        assert abs(reverse.real - forward.real) <= 1e-10 * scale, f"{param}, {case.label}"
        differences_agree(case, param, x_dot, y_dot)


def draw(value: Any, rng: Any) -> Any:
    """Draw something of the shape of a value, complex where it is."""
    if isinstance(value, list | tuple):
        return tuple(draw(part, rng) for part in value)
    drawn = rng.standard_normal(np.shape(value))
    if np.result_type(value).kind == "c":
        drawn = drawn + 1j * rng.standard_normal(np.shape(value))
    return drawn if isinstance(value, np.ndarray) else drawn[()]


def product(a: Any, b: Any) -> complex:
    pairs = zip(numbers_in(a), numbers_in(b), strict=True)
    return complex(sum(np.sum(x * z) for x, z in pairs))


def differences_agree(case: Case, param: str, x_dot: Any, y_dot: Any) -> None:
    # vectors that hardly tell their turn move fast: shorter steps are nearer
    found = (_differ(case, param, x_dot, y_dot, step) for step in (STEP, 0.25 * STEP))
    assert min(found) <= 1e-7, f"{param}: wrong, {case.label}"


def _differ(case: Case, param: str, x_dot: Any, y_dot: Any, size: float) -> float:
    def along(step: float) -> Any:
        moved = {**case.values, param: shifted(case.env[param], step * size, x_dot)}
        return [np.asarray(each) for each in numbers_in(Values(moved).value(case.expr))]

    worst = 0.0
    steps = zip(*(along(k) for k in (1, -1, 2, -2)), numbers_in(y_dot), strict=True)
    for right, left, far_right, far_left, got in steps:
        expected = (8.0 * (right - left) - (far_right - far_left)) / (12.0 * size)
        scale = np.max(np.abs(expected), initial=1.0)
        worst = max(worst, float(np.max(np.abs(got - expected), initial=0.0) / scale))
    return worst
