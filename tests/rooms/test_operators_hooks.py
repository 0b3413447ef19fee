"""Rules made to measure for displays and sums of products, held against differences."""

import ast
from types import SimpleNamespace

import numpy as np
import pytest

from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators.find import Known, find
from s2sad.operators.reading import Text
from s2sad.operators.trees import Reader
from s2sad.testing.evaluate import Values
from tests.rooms.operator_slopes import Slopes, check

DRAW = np.random.default_rng(3).standard_normal
VALUES = {
    "s": 0.7,
    "t": np.float64(-0.4),
    "u": DRAW(3),
    "v": DRAW(4),
    "w": DRAW(3),
    "A": DRAW((3, 2)),
    "B": DRAW((3, 4)),
    "C": DRAW((5, 2)),
    "D": DRAW((3, 2)),
    "E": DRAW((2, 3, 2)),
    "F": DRAW((2, 1, 2)),
    "G": DRAW((1, 3, 2)),
    "H": DRAW((1, 2)),
    "J": DRAW((2, 3)),
    "K": DRAW((2, 2, 3)),
    "S": DRAW((3, 3)),
    "R": DRAW((3, 3)),
    "p": DRAW(2),
    "q": DRAW(2),
    "i": np.array([0, 2, 1]),
    "far": np.array([0, 1, 7]),
    "m": np.array([True, False, False]),
    "n": np.array([True, True, False]),
    "empty": DRAW(0),
    "times": 3,
    "nothing": None,
}


def typed(text):
    """Return an operation on VALUES, with the types of what they are, and these values."""
    read = Reader(Text("here"), frozenset(VALUES)).expression(ast.parse(text, mode="eval").body)
    names = {node.data.name for node in nodes(read) if node.op == "name"}
    values = Values({name: VALUES[name] for name in names})
    made = rebuilt(
        read,
        lambda node: values.named(node.data.name) if node.op == "name" else _typed(node, values),
    )
    return made, values


def _typed(node, values):
    try:
        return values.infer(node)
    except Exception:  # what cannot be evaluated by itself, or is refused
        return None


RIGHT = """
np.array([s, t, 1.0])
np.array((s, 2.0), dtype=float)
np.array([[s, 0.0], [t, s]])
np.array([u, w])
np.asarray([s, t])
np.stack((u, w))
np.stack([u, w, u], axis=1)
np.stack([A, D], axis=-1)
np.stack([A, D], axis=-2)
np.concatenate((u, v))
np.concatenate((u, empty, v, w))
np.concatenate(([s], u, [t, 1.0], v))
np.concatenate((u, (s, t)), axis=0)
np.concatenate([A, C])
np.concatenate([A, B], axis=1)
np.concatenate([A, B, A], axis=-1)
np.concatenate([E, F], axis=-2)
np.concatenate([u])
np.vstack((u, w))
np.vstack((A, C))
np.vstack((A, p, C))
np.vstack((p, q, A))
np.hstack((s, u, 1.0, v))
np.hstack((A, B))
np.column_stack((u, w))
np.column_stack((A, B))
np.column_stack((u, A, w))
np.dstack((u, w))
np.dstack((A, D))
np.dstack((u, G))
np.block([A, B])
np.block([[A, B], [D, B]])
np.block([[s, u], [p, q]])
np.block([[J], [u]])
np.r_[u, s, v]
np.r_[1.0, u]
np.r_[A, C]
np.c_[u, w]
np.c_[A, u, B]
np.linalg.multi_dot([A, J])
np.linalg.multi_dot([A, J, B])
np.linalg.multi_dot((u, A, J))
np.linalg.multi_dot((u, A, J, w))
np.linalg.multi_dot([C, J, A, p])
max(s, t, -0.1)
min(s, t, -0.1)
max(t, t, s)
max([s, t, 0.1])
min((s, t))
sum([s, t, s])
np.select([m, n], [u, w])
np.select([m, n], (u, 2.0), v[:3])
np.select((n,), [s], w)
np.choose(i, (u, w, s))
np.choose(i, [u, 1.0, u])
np.choose(far, [u, w], mode="clip")
np.choose(far, [u, w], mode="wrap")
np.einsum("ij,jk->ik", A, J)
np.einsum("ij,jk", A, J)
np.einsum("ij->ji", A)
np.einsum("ij->", A)
np.einsum("ij->j", A)
np.einsum("ii->i", S)
np.einsum("ii", S)
np.einsum("...ii", S)
np.einsum("...ii->...", S)
np.einsum("ii...->...", K)
np.einsum("i,i,i->", u, w, u)
np.einsum("i,i,i->", u, w, u, optimize=True)
np.einsum("i,j->ij", u, p)
np.einsum("kij,ij->k", E, A)
np.einsum("...j,j->...", E, p)
np.einsum("i...,ij...->j...", u, A)
np.einsum("i...,i...->...", S, R)
np.einsum("i...j,j->i...", E, p)
np.einsum("ij,kl->", A, J)
np.einsum("iij->j", K)
np.einsum("ij,ij->ij", A, H)
np.einsum("ij,ij->i", A, D)
np.tensordot(A, J, 1)
np.tensordot(A, D)
np.tensordot(u, B, axes=1)
np.tensordot(u, v, axes=0)
np.tensordot(E, K, axes=([0, 2], [1, 0]))
np.tensordot(E, B, axes=(1, 0))
np.tensordot(S, R, axes=((-1,), (-1,)))
np.linalg.tensordot(E, A, axes=([1, 2], [0, 1]))
np.dot(E, p)
np.dot(J, E)
np.inner(E, D)
(s, u)
[u, w]
(u, s) + (w,)
[s] + [t, s]
[s, t] * times
times * [u]
""".strip().splitlines()

REFUSED = """
np.array([s, t], dtype=int)
np.array([s, t], ndmin=2)
np.array([nothing, t])
np.stack([u, w], axis=times)
np.concatenate([A, C], out=B)
np.concatenate([[[s]], A])
np.hstack((u, A))
np.dstack((u, E, nothing))
np.block([[A, E]])
np.block([A, [B]])
np.linalg.multi_dot([E, A])
np.linalg.multi_dot([A, u, A])
np.linalg.multi_dot([A, J], out=S)
np.einsum("ij,jk->ik", A)
np.einsum(A, 0)
np.einsum("i->i", u, dtype=float)
np.einsum("i->i", u, out=w)
np.select(m, u)
np.choose(u, (u, w))
np.choose(i, (u, w, s), out=w)
np.r_["0,2", u]
np.r_[A, u]
np.r_[0:3, s]
max(u, w, v)
max([s, t], default=0.0)
np.array([*A])
np.stack([*A])
np.concatenate([*A])
np.vstack([*A])
np.hstack([*A])
sum([*u])
max([*u])
""".strip().splitlines()


@pytest.mark.parametrize("text", RIGHT)
def test_right(text):
    operation, values = typed(text)
    match = find(operation, Known(values.regions))
    assert match is not None and not match.is_constant
    assert check(Slopes(SimpleNamespace(expr=operation, env=values.env), match, values.regions))


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text):
    operation, values = typed(text)
    match = find(operation, Known(values.regions))
    assert match is None, match.rule.name


def test_a_sum_over_known_lengths_is_a_product():
    operation, _ = typed('np.einsum("ij,jk->ik", A, J)')
    lines = find(operation).adjoints({"part_0", "part_1"})
    assert [line.value.data for line in lines] == ["@", "@"]
