"""What extremes, clips and masks leave out, and what passes save: texts as an expert writes them, and right.

Each row: a function, its arguments (the derivative is that with respect to all), words that the text has, words that
it has nowhere, and how often it chooses. Where a value is left out, it is infinite in one element.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([0.3, -0.7, 1.1, 0.9])
Y = np.array([0.5, 0.8, -1.2, 2.0])
ZERO = np.array([0.5, 0.0, -1.2, 2.0])
B = np.linspace(-0.6, 1.4, 12).reshape(3, 4)


def limited(x: Any, y: Any) -> Any:
    """In the second element the quotient is minus infinity, and taken: the sum is finite without it."""
    return np.sum(np.maximum(np.sin(x) / y**2, x) ** 2)


def newton(x: Any, y: Any) -> Any:
    h = x
    for _ in range(3):
        charge = h - y / (2.0 + h**2)
        slope = 1.0 + y / (1.5 + h**2) ** 2
        h = h - np.clip(charge / slope / y, -0.4, 0.4)
    return np.sum(h**2)


def burned(x: Any, y: Any) -> Any:
    used = np.minimum(x**2 / y**2, x * x)
    rate = np.sqrt(used + 1.0)
    return np.sum(rate * x)


def flux(x: Any, y: Any) -> Any:
    return np.sum(np.minimum(x[:-1], y[1:]) ** 3)


def with_a_mask(x: Any, y: Any) -> Any:
    total = 0.0
    for k in range(3):
        x = x + 0.1 * y * np.cos(x)
        over = x > 0.6
        runoff = np.zeros_like(x)
        runoff[over] = x[over] - 0.6
        x[over] = 0.6
        total += (k + 1) * np.sum(runoff * y)
    return total + np.sum(x**2)


def split_steps(x: Any, y: Any) -> Any:
    for _ in range(3):
        x = x - 0.3 * (x - np.roll(x, 1))
        rate = y * x / (1.0 + x**2)
        x -= 0.1 * rate
        x[x < 0.2] = 0.1
    return np.sum(x**2)


def elbo(x: Any, y: Any) -> Any:
    fit = -np.sum(np.logaddexp(0.0, x) * y, axis=1)
    shift = -0.5 * np.sum(1.0 + x - y**2 - np.exp(x), axis=1)
    return -np.mean(fit - shift)


def two_laws(x: Any, y: Any) -> Any:
    size = np.abs(x)
    rho = np.where(size < 0.8, 0.5 * x**2, 0.8 * size)
    return np.sum(rho * y) + np.sum(y**2)


def walls(x: Any, y: Any) -> Any:
    u = x.copy()
    for _ in range(3):
        u[0, :] = 0.5
        u[-1, :] = u[-2, :]
        u[:, 0] = u[:, 1]
        lap = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += y * lap
    return np.sum(u**2)


def angles(x: Any, y: Any) -> Any:
    E = x
    for _ in range(2):
        E = E - (E - 0.2 * y * np.sin(E) - x) / (1.0 - 0.2 * y * np.cos(E))
    return np.sum(E**2)


def kept_in_a_list(x: Any, y: Any) -> Any:
    kept = []
    for _ in range(3):
        x = x + 0.1 * y * np.sin(x)
        kept.append(x)
        x *= np.cos(x)
        x[x > 0.5] = 0.4
    return np.sum(x**2) + np.sum(kept[0] * kept[1] * y)


@dataclass(frozen=True)
class Row:
    """What is asked of a text."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    choices: int | None = None
    wrt: tuple[str, ...] = ("x", "y")


ROWS = {
    "an extreme of a quotient by what does not vary is weighed": Row(
        limited, (X, Y), ("+ 0.5 * (result_term == x)",), (), 1, ("x",)
    ),
    "both sides of an extreme share at a tie what one line computes": Row(
        burned, (X, Y), ("/ (1.0 + (used_ratio == used_term))",), ("0.5 * (",), 3, ("x",)
    ),
    "the other side of an extreme gets the rest": Row(
        flux, (X, Y), ("= result_term_bar - ",), (), 0
    ),
    "what one mask of a pass chooses is equally long": Row(
        with_a_mask, (X, Y), ("_bar[over] = runoff_bar[over]",), ("_sum_to", "np.shape")
    ),
    "an array of one pass is taken back as a new one": Row(
        split_steps, (X, Y), (), ("x[...]", "x[chosen] = x", "[chosen].copy()")
    ),
    "a mean of sums is one number for all": Row(
        elbo, (B, B + 0.4), ("1.0 / len(x)",), ("full_like", ".size", "None]")
    ),
    "two choices by one test are one": Row(two_laws, (X, Y), (), ("size_bar",), 2),
    "what is computed of parts is saved in place of the parts": Row(
        walls,
        (np.linspace(0.1, 0.9, 20).reshape(4, 5) ** 2, 0.1),
        ("in reversed(lap_saved)",),
        ("[0, :].copy()",),
    ),
    "a sine and a cosine stand on one line": Row(angles, (X, Y), ("= np.sin(E), np.cos(E)",)),
    "an array that a list holds is put back in place": Row(kept_in_a_list, (X, Y), ("[...] = ",)),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_text(row: Row) -> None:
    """The text is short, and its numbers are those of differences."""
    wrt = row.wrt if len(row.wrt) > 1 else row.wrt[0]
    derivative = s2sad.grad(row.function, wrt, like=row.args)
    found = derivative(*row.args)
    found = found if isinstance(found, tuple) else (found,)
    count = len(row.wrt)
    expected = oracles.differences(row.function, row.args, tuple(range(count)), 1.0)
    assert not oracles.compare(oracles.flatten(found, row.args[:count]), expected)
    text = str(derivative.source)
    body = text[text.index("# -- reverse sweep") :]
    assert all(words in text for words in row.present), text
    assert not any(words in text for words in row.absent), text
    assert row.choices is None or body.count("np.where(") <= row.choices, text


def saturated(x: Any, y: Any) -> Any:
    return np.sum(np.tanh(np.minimum(x / y, x)) * x)


def saturated_within(x: Any, y: Any) -> Any:
    rate = np.tanh(x / y)
    return np.sum(np.clip(rate * x / (2.0 + y), -5.0, 0.2))


@pytest.mark.parametrize("function", [limited, newton, burned, saturated, saturated_within])
def test_what_is_left_out_may_be_infinite(function: Callable[..., Any]) -> None:
    """A quotient by zero that an extreme or a clip leaves out leaves no nan behind."""
    with np.errstate(all="ignore"):
        x = -np.abs(X) if function is limited else X
        found = s2sad.grad(function, "x", like=(x, ZERO))(x, ZERO)
        for k in range(len(x)):
            step = 1e-6 * (np.arange(len(x)) == k)
            slope = (function(x + step, ZERO) - function(x - step, ZERO)) / 2e-6
            assert np.isclose(found[k], slope, rtol=1e-5, atol=1e-7)


def largest_share(x: Any, n: Any) -> Any:
    return np.max(np.maximum(x, 0.0) / n)


def two_shares(x: Any, n: Any) -> Any:
    shares = np.maximum(x - np.sum(x) / n, 0.0) / n
    return shares[0] * shares[3]


@pytest.mark.parametrize("mode", ["grad", "jvp"])
@pytest.mark.parametrize("function", [largest_share, two_shares])
def test_what_divides_all_elements_is_never_zero(function: Callable[..., Any], mode: str) -> None:
    """Where one of them is read, the result is not finite where the number is zero."""
    text = str(getattr(s2sad, mode)(function, "x", like=(X, 2.0)).source)
    assert " != 0.0" not in text and " == 0.0 else" not in text, text


def at_least_five(x: Any, y: Any) -> Any:
    return max(np.sum(x / y), 5.0) + np.sum(x)


def test_the_larger_of_two_leaves_the_other_out() -> None:
    """A sum of quotients by zero that `max` leaves out leaves no nan behind."""
    x = -np.abs(X)
    with np.errstate(all="ignore"):
        assert np.array_equal(s2sad.grad(at_least_five, "x", like=(x, Y))(x, ZERO**2), np.ones(4))


def turned(x: Any, y: Any) -> Any:
    unit = x / np.linalg.norm(x)
    return np.sum(np.cross(unit[:3], y[:3]) ** 2)


def of_two_elements(x: Any, y: Any) -> Any:
    unit = x / np.linalg.norm(x)
    return np.sum(unit[:2] ** 2)


@pytest.mark.parametrize("function", [turned, of_two_elements])
def test_a_norm_that_divides_is_not_asked_for(function: Callable[..., Any]) -> None:
    """However much of the quotient is read, and by whatever shows its elements."""
    assert "== 0.0" not in str(s2sad.grad(function, "x", like=(X, Y)).source)
