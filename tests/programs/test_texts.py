"""The emitted text of every program: alone, repeatable, narrow, and right for other ranks too."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import S2sadError
from tests import oracles
from tests.fuzz.case import Case
from tests.fuzz.score import score_function
from tests.programs import primal
from tests.programs.arrays import shapes_of_adjoints
from tests.programs.control_flow import (
    confusing_names_and_calls,
    loops_and_exits,
    overwritten_values,
)
from tests.programs.entry import Entry, labels, numbers, rows
from tests.programs.table import ALL

ROOT = Path(__file__).resolve().parents[2]
FIRST = tuple({each.function.__name__: each for each in ALL if not each.gap}.values())


def emitted(entry: Entry, **options: Any) -> str:
    """Return the text of a row's gradient, or the refusal that stands for it."""
    mode = entry.mode if np.ndim(entry.seed) else "grad"
    try:
        return str(getattr(s2sad, mode)(entry.function, wrt=entry.wrt, **options).source)
    except S2sadError as error:
        return f"# refused: {error.problem}"[:80].rstrip() + "\n"


@pytest.mark.parametrize("entry", rows(FIRST))
def test_text_is_narrow_and_imports_only_numpy(entry: Entry) -> None:
    for options in ({}, {"like": entry.args}):
        text = emitted(entry, **options)
        assert oracles.imports(text) <= oracles.ALLOWED_IMPORTS
        # only what a user wrote wider than that may be wider
        wide = [line for line in text.splitlines() if len(line) >= 89 and '"' not in line]
        assert not wide
        assert text.endswith("\n") and "\t" not in text and " \n" not in text
        ast.parse(text)


# ---------------------------------------------------------------------------- other ranks

RANKS = (
    (
        confusing_names_and_calls.power_of_negative,
        ((0.7,), (numbers(5),), (numbers(3, 4),), (np.array(0.4),)),
    ),
    (shapes_of_adjoints.one_name_many_places, ((0.7,), (numbers(5),), (numbers(2, 3, 2),))),
    (
        shapes_of_adjoints.broadcast_vector_over_rows,
        (
            (numbers(3, 4), numbers(4)),
            (numbers(3, 4), numbers(3, 1)),
            (numbers(4), numbers(3, 4)),
            (0.3, numbers(3, 4)),
            (numbers(3, 4), 0.3),
            (numbers(1), numbers(4)),
            (0.3, 0.4),
        ),
    ),
    (
        primal.misfit,
        (
            (numbers(4, 3), numbers(3), numbers(4)),
            (numbers(4, 3), numbers(3), 0.3),
            (numbers(4, 3), numbers(3), numbers(2, 4)),
            (numbers(3), numbers(3), numbers(4)),
            (numbers(4, 3), numbers(3, 2), numbers(4, 2)),
            (numbers(4, 3), numbers(3, 2), numbers(2)),
        ),
    ),
    (primal.smooth, ((numbers(6), 0.2), (numbers(6, 3), 0.2), (numbers(6, 3), numbers(3)))),
    (
        primal.allen_cahn,
        (
            (numbers(6), 0.3, 0.05, 3),
            (numbers(6), numbers(6), 0.05, 2),
            (numbers(4, 3), 0.3, 0.05, 2),
        ),
    ),
    (primal.pendulum, ((0.5, 0.1, 9.8, 0.01, 4), (0.5, 0.1, 9.8, 0.01, 0))),
    (primal.newton_sqrt, ((3.0, 1e-12), (np.float64(3.0), 1e-12), (np.array(3.0), 1e-12))),
    (
        shapes_of_adjoints.broadcast_scalar_to_array,
        ((0.7, numbers(5)), (numbers(5), 0.7), (0.7, 0.4)),
    ),
    (
        confusing_names_and_calls.where_branches,
        ((numbers(5), 0.7), (numbers(3, 4), 0.7), (numbers(3, 4), numbers(4))),
    ),
    (
        confusing_names_and_calls.runge_kutta,
        ((0.7, 1.1, 0.1, 2), (numbers(5), 1.1, 0.1, 2), (0.7, numbers(5), 0.1, 2)),
    ),
    (
        confusing_names_and_calls.horner,
        ((numbers(5), 0.7), (numbers(5), numbers(3)), (numbers(5, 3), 0.7)),
    ),
    (overwritten_values.restored_then_read, ((numbers(6),), (numbers(6, 3),))),
    (
        loops_and_exits.early_return,
        ((numbers(5), 0.7), (numbers(3, 4), -0.7), (0.4, 0.7), (0.4, -0.7)),
    ),
)
RANKED = [(f, args) for f, many in RANKS for args in many]


def _ranks(args: tuple[Any, ...]) -> str:
    return "-".join("x".join(map(str, np.shape(x))) or "s" for x in args)


@pytest.mark.parametrize("f,args", RANKED, ids=[f"{f.__name__}-{_ranks(a)}" for f, a in RANKED])
def test_one_function_at_several_ranks(f: Any, args: tuple[Any, ...]) -> None:
    """The generic text and the specialised call are right for whatever rank they meet."""
    value = f(*oracles.snapshot(args))
    # below its tolerance a Newton iteration would not end
    wrt = (0,) if f is primal.newton_sqrt else (0, 1)[: len(args)]
    seed = 1.0 if np.ndim(value) == 0 else numbers(*np.shape(value), start=0.1)
    mode = "grad" if np.ndim(value) == 0 else "vjp"
    found = score_function(f, Case(f.__name__, "", args, wrt, seed, mode))
    assert found.verdict == "right", found


def test_one_derivative_object_meets_many_ranks() -> None:
    """Calls specialise one after the other and do not disturb each other."""
    df = s2sad.grad(shapes_of_adjoints.broadcast_vector_over_rows, wrt=(0, 1))
    many = dict(RANKS)[shapes_of_adjoints.broadcast_vector_over_rows]
    for args in (*many, *reversed(many)):
        known = oracles.differences(shapes_of_adjoints.broadcast_vector_over_rows, args, (0, 1))
        assert oracles.compare(oracles.flatten(df(*args), args), known) is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gradient_has_the_dtype_of_its_argument(dtype: Any) -> None:
    u = numbers(5).astype(dtype)
    u_bar = s2sad.grad(confusing_names_and_calls.power_of_negative)(u)
    assert u_bar.dtype == dtype
    np.testing.assert_allclose(u_bar, 2 * u + 3 * u**2 + 4 * u**3, rtol=1e-5)


# ---------------------------------------------------------------------------- second order

TWICE = (
    Entry(confusing_names_and_calls.rosenbrock, (numbers(5),)),
    Entry(overwritten_values.restored_then_read, (numbers(5),)),
    Entry(overwritten_values.two_loops_saving_one_scalar, (0.7, 3)),
    Entry(loops_and_exits.newton_with_break, (2.5,)),
    Entry(primal.smooth, (numbers(6), 0.2)),
    Entry(primal.huber, (numbers(6), 0.7)),
    Entry(primal.newton_sqrt, (3.0, 1e-12)),
    Entry(primal.allen_cahn, (numbers(6), 0.3, 0.05, 3)),
    # at a level of 1.0 the fourth sum would lie within rounding of it
    Entry(primal.first_crossing, (abs(numbers(6)), 0.9, 0.5)),
    Entry(primal.first_crossing, (abs(numbers(6)), 9.0, 0.5), note="never"),
)


@pytest.mark.parametrize("entry", TWICE, ids=labels(TWICE))
def test_saved_file_can_be_differentiated_again(entry: Entry, tmp_path: Path) -> None:
    df = s2sad.grad(entry.function, wrt=entry.wrt[0], like=entry.args)
    name = df.__name__
    gradient = oracles.standalone(df.source, name)
    seed = 1.0 if np.ndim(entry.args[0]) == 0 else numbers(*np.shape(entry.args[0]), start=0.9)
    path = tmp_path / f"{name}.py"
    df.save(path)
    space: dict[str, Any] = {"__name__": f"saved_{name}"}
    exec(compile(path.read_text(), str(path), "exec"), space)
    case = Case("twice", "", entry.args, entry.wrt, seed, "vjp")
    found = score_function(space[name], case)
    assert found.verdict == "right", found
    np.testing.assert_allclose(gradient(*entry.args), space[name](*entry.args))
