"""What every rule is held against: the other mode, differences, shapes, dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, called_object
from s2sad.operators import printed
from s2sad.operators.filling import fill
from s2sad.operators.match import Match
from s2sad.operators.rule import Line
from s2sad.testing.evaluate import Values, is_generator
from s2sad.testing.samples import Case

STEP = 1e-3
# printed functions that may give back what they are handed, or hold it as the primal does
MAY_RETURN_ARGUMENT = frozenset({"_sum_to", "_shaped_as", "_sorted_as"})


def primal(case: Case, env: Any) -> Any:
    """Return the value, or None where NumPy itself refuses the call."""
    try:
        return Values(env).value(case.expr)
    except (TypeError, ValueError, AttributeError, IndexError, np.linalg.LinAlgError):
        return None


def check(match: Match, case: Case, value: Any, blind: bool = False) -> None:
    """Check one match of a case; a blind one knew nothing of the operands, dtypes included."""
    if match.is_constant:
        if match.rule.name != "uninitialised":
            check_constant(case, value)
        return
    if match.twin is not None:  # it is read: what it computes has rules, and tests, of its own
        return
    if not all(np.all(np.isfinite(each)) for each in numbers_in(value)):
        return
    single = any(np.result_type(v) == "float32" for v in numbers_in([*case.env.values(), value]))
    rng = np.random.default_rng(11)
    y_bar = like(value, rng)
    env = {**case.values, "y": value, "y_bar": y_bar}
    for param in case.varying:
        slots = {p for p in match.differentiable if is_name(match.bound[p], param)}
        if slots:
            x_bar = adjoint(match, env, slots, param)
            check_shape(x_bar, case, param)
            if not blind:
                check_dtype(x_bar, value, case, param)
            x_dot = like(case.env[param], rng)
            y_dot = tangent(match, {**env, "x_dot": x_dot}, slots, value)
            both_modes_agree(x_bar, x_dot, y_bar, y_dot, case, param, single)
            if not single:
                differences_agree(case, param, x_dot, y_dot)


def is_name(expr: Expr, called: str) -> bool:
    return expr.op == "name" and expr.data.name == called


def check_constant(case: Case, value: Any) -> None:
    """Check that a value does not move with its floating-point operands."""
    nudged = {name: nudge(each) for name, each in case.env.items()}
    moved = primal(case, {**case.options, **nudged})
    if isinstance(value, np.ndarray | float | int | np.generic | tuple):
        assert np.array_equal(np.asarray(moved), np.asarray(value)), f"it varies, {case.label}"


def nudge(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return value
    if np.result_type(value).kind != "f":
        return value
    moved = value + 1e-9
    return np.asarray(moved) if isinstance(value, np.ndarray) else moved


def numbers_in(value: Any) -> list[Any]:
    """Return the numbers and arrays in lists of lists."""
    if isinstance(value, list | tuple):
        return [each for part in value for each in numbers_in(part)]
    return [] if is_generator(value) else [value]


def inner(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the inner product of two values of one structure, and its size before it cancels."""
    pairs = list(zip(numbers_in(a), numbers_in(b), strict=True))
    return sum(np.sum(x * z) for x, z in pairs), sum(np.sum(np.abs(x * z)) for x, z in pairs)


def like(value: Any, rng: Any) -> Any:
    """Draw something of the kind, shape and dtype of a value; arrays are read-only."""
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple)(like(part, rng) for part in value)
    drawn = rng.standard_normal(np.shape(value))
    if isinstance(value, float) and not isinstance(value, np.floating):
        return float(drawn)
    drawn = np.asarray(drawn, dtype=np.result_type(value))
    if not isinstance(value, np.ndarray):
        return drawn[()]
    drawn.flags.writeable = False
    return drawn


class _Lines:
    """The lines of a rule with the values of one call."""

    def __init__(self, match: Match, env: Any) -> None:
        self.values = Values(env)
        own = {name: self.values.named(name) for name in ("y", "y_bar")}
        self.holes = {**match.bound, **own}

    def value(self, line: Line) -> Any:
        """Return the value of a line, which is a local of the lines after it."""
        made = fill(line, self.holes, self.values.infer)
        value = self.values.value(made)
        check_memory(made, value, self.values.env)
        if line.is_local:
            self.values.env[line.target] = value
            self.holes[line.target] = self.values.named(line.target)
        return value


def adjoint(match: Match, env: Any, slots: Any, param: str) -> Any:
    """Return what the parameter receives, summed to its shape where the reverse pass would."""
    lines, total = _Lines(match, env), None
    for line in match.adjoints(slots):
        value = lines.value(line)
        if line.is_local:
            continue
        if line.target in match.rule.broadcasts:
            value = printed.function("_sum_to")(value, np.shape(env[param]))
        total = value if total is None else printed.function("_plus")(total, value)
    assert total is not None, f"{match.rule.name}: nothing for {param}"
    return total


def check_memory(expr: Expr, made: Any, env: Any) -> None:
    """What a printed function gives is taken for its own: it shares memory with nothing given."""
    text = printed.name_of(called_object(expr))
    if text and text not in MAY_RETURN_ARGUMENT:
        held = [each for each in arrays_in(list(env.values())) if each.ndim]
        parts = [each for each in arrays_in([made]) if each.ndim]
        shared = any(np.may_share_memory(part, each) for part in parts for each in held)
        assert not shared, f"{text} gives back memory of what it is given"


def arrays_in(value: Any) -> list[Any]:
    return [each for each in numbers_in(value) if isinstance(each, np.ndarray)]


def tangent(match: Match, env: Any, slots: Any, value: Any) -> Any:
    lines = _Lines(match, env)
    lines.holes |= {f"{name}_dot": lines.values.named("x_dot") for name in slots}
    found: dict[int | None, Any] = {}
    for line in match.tangents(slots):
        term = lines.value(line)
        before = found.get(line.part)
        found[line.part] = term if before is None else printed.function("_plus")(before, term)
    assert found, f"{match.rule.name}: no tangent"
    if None in found:
        return found[None]
    return tuple(found.get(at, np.zeros_like(part)) for at, part in enumerate(value))


def check_shape(x_bar: Any, case: Case, param: str) -> None:
    shape = structure(x_bar)
    assert shape == structure(case.env[param]), f"{param}_bar has shape {shape}: {case.label}"


def structure(value: Any) -> Any:
    """Return the shape of a value; of lists and tuples, the list of the shapes in them."""
    if isinstance(value, list | tuple):
        return [structure(part) for part in value]
    return np.shape(value)


def check_dtype(x_bar: Any, value: Any, case: Case, param: str) -> None:
    """An adjoint has its argument's dtype, or that of the computation where it is wider."""
    x = case.env[param]
    everything = numbers_in([*case.env.values(), value])
    numbers = [v for v in everything if np.result_type(v).kind != "b"]
    if isinstance(x, list | tuple):
        for part, x_part in zip(numbers_in(x_bar), numbers_in(x), strict=True):
            known = (np.result_type(x_part), np.result_type(*numbers))
            assert type(part) is float or np.result_type(part) in known, case.label
        return
    allowed = (np.result_type(x), np.result_type(*numbers))
    if isinstance(x, np.ndarray) and x.ndim:
        assert x_bar.dtype in allowed, f"{param}_bar is {x_bar.dtype}: {case.label}"


def both_modes_agree(
    x_bar: Any, x_dot: Any, y_bar: Any, y_dot: Any, case: Case, param: str, single: bool
) -> None:
    reverse, forward = inner(x_bar, x_dot), inner(y_bar, y_dot)
    scale = reverse[1] + forward[1] + 1e-30
    bound = 1e-4 if single else 1e-12
    assert abs(reverse[0] - forward[0]) <= bound * scale, f"{param}: modes differ, {case.label}"


def differences_agree(case: Case, param: str, x_dot: Any, y_dot: Any) -> None:
    def along(step: float) -> Any:
        moved = shifted(case.env[param], step, x_dot)
        made = numbers_in(Values({**case.values, param: moved}).value(case.expr))
        return [np.asarray(each) for each in made]

    steps = zip(*(along(k * STEP) for k in (1, -1, 2, -2)), numbers_in(y_dot), strict=True)
    for right, left, far_right, far_left, got in steps:
        expected = (8.0 * (right - left) - (far_right - far_left)) / (12.0 * STEP)
        scale = np.max(np.abs(expected), initial=1.0)
        found = np.broadcast_to(got, np.shape(expected))
        assert np.all(np.abs(found - expected) <= 1e-8 * scale), f"{param}: wrong, {case.label}"


def shifted(x: Any, step: float, x_dot: Any) -> Any:
    if isinstance(x, list | tuple):
        return type(x)(shifted(part, step, dot) for part, dot in zip(x, x_dot, strict=True))
    moved = x + step * x_dot
    return np.asarray(moved) if isinstance(x, np.ndarray) else moved
