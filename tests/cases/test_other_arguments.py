"""A saved text is called with what it was not made for, all kinds of it: it raises, or gives what a new text gives."""

import copy
import inspect
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import S2sadError
from tests import oracles
from tests.compare import Row, rows
from tests.fuzz.limits import quiet, time_limit

STEP, MOST = 67, 12  # each row so many after the last, and so many other arguments of each
ROWS = [row for row in list(rows())[7::STEP] if row.mode == "grad"]
Path = tuple[tuple[str, Any], ...]


def reached(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield what a value is and holds, each with the keys and fields that lead to it."""
    yield path, value
    held: dict[Any, Any] = {}
    if isinstance(value, list | tuple):
        held = {("item", k): part for k, part in enumerate(value)}
    elif isinstance(value, dict):
        held = {("item", key): part for key, part in value.items()}
    elif hasattr(value, "__dict__") and not callable(value):
        held = {("field", name): part for name, part in vars(value).items()}
    for key, part in held.items():
        yield from reached(part, (*path, key))


def put(value: Any, path: Path, new: Any) -> Any:
    """Return a copy of a value with another part at the end of a path."""
    if not path:
        return new
    (how, key), rest = path[0], path[1:]
    if how == "field":
        made = copy.copy(value)
        object.__setattr__(made, key, put(getattr(value, key), rest, new))
        return made
    if isinstance(value, tuple):
        parts = [put(part, rest, new) if k == key else part for k, part in enumerate(value)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    made = copy.copy(value)
    made[key] = put(value[key], rest, new)
    return made


def others(value: Any) -> Iterator[Any]:
    """Yield what may stand where a value stood: of another kind, length, order or class."""
    match value:
        case bool():
            yield from (not value, int(value))
        case float() | np.floating():
            yield from (
                np.array(float(value)),
                np.full(2, value),
                None,
                int(value) or 1,
                value + 1j,
            )
        case int():
            yield from (float(value), value + 1, None, np.array(value), np.full(2, value))
        case np.ndarray():
            yield from (
                value.tolist(),
                np.asfortranarray(value),
                value.astype("float32"),
                value[None],
            )
            yield from (np.round(3 * value).astype(int), value + 0.25j, tuple(value.tolist()))
            yield from (value[:1].copy(), value[:-1].copy(), np.concatenate([value, value[:1]]))
        case list() | tuple() if not hasattr(value, "_fields"):
            yield from (tuple(value) if isinstance(value, list) else list(value), value[:-1])
            yield from (value[::-1], value + value[-1:], type(value)([*value[:1] * 2, *value[2:]]))
        case dict():
            yield from (dict(reversed(value.items())), {**value, "more": 1.0})
        case None:
            yield from (1.5, np.ones(2))
        case str():
            yield value + "x"


def tried(row: Row) -> list[tuple[Any, ...]]:
    """Return other arguments of a row: one part is another, or is what another part is."""
    found = [(path, value) for path, value in reached(row.args) if path]
    made = []
    for path, value in found:
        with quiet():
            made += [put(row.args, path, new) for new in _made(others(value))]
        for other, same in found:
            is_inside = path[: len(other)] == other or other[: len(path)] == path
            if type(same) is type(value) and not is_inside and np.iterable(same):
                made.append(put(row.args, path, same))
    random.Random(3).shuffle(made)
    return made[:MOST]


def _made(values: Iterator[Any]) -> Iterator[Any]:
    try:
        yield from values
    except (TypeError, ValueError, OverflowError, IndexError):  # of what has no axes, no order
        return


def numbers(value: Any) -> np.ndarray:
    """Return the numbers in what a derivative gives."""
    leaves = [
        np.ravel(each).astype(complex)
        for _, each in reached(value)
        if np.isscalar(each) or isinstance(each, np.ndarray)
    ]
    return np.concatenate(leaves) if leaves else np.zeros(0)


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> np.ndarray | None:
    """Return the numbers that a call gives, None where it raises."""
    try:
        with quiet(), time_limit():
            return numbers(function(*copy.deepcopy(args)))
    except Exception:
        return None


@pytest.mark.parametrize("row", ROWS, ids=[row.label for row in ROWS])
def test_a_saved_text_is_right_for_other_arguments_or_raises(row: Row) -> None:
    names = list(inspect.signature(row.function).parameters)
    wrt = tuple(names[k] for k in row.wrt)
    try:
        derivative = s2sad.grad(row.function, wrt, like=row.args)
        derivative.refuse_unreachable()
    except S2sadError:
        pytest.skip("no text of its own")
    alone = oracles.standalone(derivative.source, derivative.__name__)
    assert outcome(alone, row.args) is not None
    for args in tried(row):
        found = outcome(alone, args)
        new = None if found is None else outcome(s2sad.grad(row.function, wrt), args)
        if new is not None and (np.any(found) or np.any(new)):  # zeros may be a number
            np.testing.assert_allclose(found, new, rtol=1e-4, atol=1e-6, err_msg=f"for {args}")
