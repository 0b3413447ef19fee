"""Many directions in one sweep give what one after the other gives; zeros have their axis, too."""

import numpy as np
import pytest

from s2sad.ir.errors import NotYet
from tests.rooms.derived import rows
from tests.rooms.directions import judged, made
from tests.rooms.forward_texts import answered

U, W, A = np.array([0.3, -0.7, 1.1, 0.4]), np.linspace(0.2, 0.9, 4), np.linspace(-1, 1, 12)
A = A.reshape(3, 4)
NAMES = """
allen_cahn misfit mlp_loss heat_in_a_box gesummv mvt cholesky lorenz attention limited_diffusion
unpacked_in_loop written_by_another_name written_between
"""
ROWS = [row for row in rows() if row.label.partition(".")[2] in NAMES.split()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.label)
def test_rows(row):
    try:
        run = made(row.function, row.args, row.wrt, "directional")
    except NotYet as fault:
        pytest.skip(fault.reason)
    assert judged(row.function, row.args, row.wrt, run) in (None, "not one array"), run.text


def broadcast(u, c, A):
    return c * A + u, np.sum(A * u, axis=1), A.T * c, c * c


def products(u, A, c):
    return A @ u, u @ A.T, np.dot(A, u), np.outer(u, c * u), u @ u, A.T @ (A @ u), np.vdot(u, u * c)


def along_axes(u, A):
    return (
        np.sum(A),
        np.mean(A, 0),
        np.cumsum(A, axis=-1),
        np.roll(u, 1),
        np.diff(A, axis=0),
        A.T.sum(),
    )


def joined(u, c):
    return (
        np.stack([u, 2.0 * u]),
        np.concatenate([u, u * c]),
        np.array([c, 0.0, c * c]),
        np.hstack([u, u]),
    )


def filled(u, c):
    v = np.full_like(u, c)
    v[1:3] = c * c
    v[0] += u[-1]
    return v, np.full((2, 3), c)


def laid_out(A, c):
    return (
        A.reshape(2, 6) * c,
        A.ravel(),
        np.expand_dims(A, 1),
        np.broadcast_to(A[0], (5, 4)),
        A[:, None, 1:],
    )


def chosen(u, c):
    v = np.where(u > 0.0, u * c, 0.0)
    return np.maximum(v, 0.1), u[u > 0.0], u[np.array([2, 0])], np.sqrt(np.maximum(u, 0.0))


def gone_through(u, c):
    total, kept = 0.0, 1.0
    for k, x in enumerate(u):
        total += k * x * c
        kept = total
        total += x
    return total, kept


def numbers_stay(u):
    """first is a number: what is stored later does not change it."""
    u = u * 1.0
    first = u[0]
    u[0] = 5.0 * u[1]
    rows = [u[1]]
    u[1] = first
    return first * rows[0] * np.sum(u)


def added_to(u, c):
    x = c
    y = x
    x += u[0]
    return x * y


def inside(x, c):
    return x * c


def calls(u, c):
    return inside(u, c) + inside(u, 2.0), inside(c, c)


def diagonals(A, c):
    return (
        np.diag(A[:, :3]),
        np.trace(A),
        np.tril(A) * c,
        np.linalg.norm(A),
        np.linalg.det(A[:, :3] + 2 * np.eye(3)),
    )


CASES = [
    (broadcast, (U, 0.7, A)),
    (products, (U, A, 0.7)),
    (along_axes, (U, A)),
    (joined, (U, 0.7)),
    (filled, (U, 0.7)),
    (laid_out, (A, 0.7)),
    (chosen, (U, 0.7)),
    (gone_through, (U, 0.7)),
    (numbers_stay, (U,)),
    (added_to, (U, 0.7)),
    (calls, (U, 0.7)),
    (diagonals, (A, 0.7)),
    (broadcast, (U * 1j, 0.7, A + 0.2j * A)),
    (products, (U + 0.3j * W, A * (1 - 0.5j), 0.7)),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_operations(function, args):
    wrt = tuple(range(len(args)))
    run = made(function, args, wrt, "directional")
    assert judged(function, args, wrt, run) is None, run.text


def test_some_arguments_alone():
    run = made(broadcast, (U, 0.7, A), (1,), "directional")
    assert judged(broadcast, (U, 0.7, A), (1,), run) is None, run.text


def test_the_text_asks_for_directions():
    made_ = answered(broadcast, (U, 0.7, A), (0, 1), "directional")
    space = {}
    exec(compile(made_.source, "<answer>", "exec"), space)
    run = space[made_.name]
    dots = np.ones((2, 4)), np.ones(2)
    assert run(U, 0.7, A, *dots)[0].shape == (2, 3, 4)
    for wrong in ((np.ones(4), np.ones(2)), (np.ones((2, 4)), 1.0), (np.ones((2, 4)), np.ones(3))):
        with pytest.raises(ValueError, match="made for") as raised:
            run(U, 0.7, A, *wrong)
        assert str(raised.value) in made_.messages


def test_an_operation_without_a_form_goes_through_the_directions():
    run = made(diagonals, (A, 0.7), (0, 1), "directional")
    assert "for A_dot_k in A_dot" in run.text
