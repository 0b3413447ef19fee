"""What inference says of an expression is true of its value, and says as much as it should."""

import numpy as np
import pytest
from scipy.signal import _sigtools, convolve2d

from s2sad.ir.expression import Known
from s2sad.ir.types import Number, Numeric, Other
from s2sad.types import Context, Fails, shares, type_of
from s2sad.types.allowed import may_run
from s2sad.types.calling import Operand, key_of
from s2sad.types.families import probe_family
from s2sad.types.lengths import MOST_AXES, candidates, derived, sizes_of, sizes_with_derived
from tests.rooms.typed import MODULES, contradiction, told, typed

DRAW = np.random.default_rng(0)
EXAMPLES = {
    "u": DRAW.random(10),
    "v": DRAW.random(10),
    "w": DRAW.random(6),
    "A": DRAW.random((10, 6)),
    "B": DRAW.random((6, 4)),
    "S": DRAW.random((10, 10)) + 10 * np.eye(10),
    "n": 10,
    "k": 3,
    "c": 0.5,
    "rows": np.array([1, 2, 0]),
    "mask": DRAW.random(10) > 0.5,
    "z": DRAW.random(10) + 1j,
    "T": DRAW.random((2, 3, 4)),
    "Ws": [DRAW.random((3, 4)), DRAW.random((4, 2))],
}
TYPES = """
u * c                             float64[u.0]
u + v                             float64[u.0]
A * w                             float64[A.0, w.0]
A @ B                             float64[A.0, B.1]
A.T @ u                           float64[A.1]
np.sum(A, axis=0)                 float64[A.1]
np.sum(A)                         float64*
A.mean(axis=1, keepdims=True)     float64[A.0, 1]
u[1:-1]                           float64[u.0 - 2]
u[1:] - u[:-1]                    float64[u.0 - 1]
u[::2]                            float64[((u.0 + 1) // 2)]
A[None, :, 1:3]                   float64[1, A.0, 2]
A[rows, 1:]                       float64[rows.0, A.1 - 1]
u[mask]                           float64[None]
u[k:]                             float64[u.0 - k]
np.zeros((n, A.shape[1]))         float64[n, A.1]
np.linspace(0, c, n + 1)          float64[n + 1]
np.zeros(round(c))                float64[None]
np.concatenate([u, v, w])         float64[u.0 + v.0 + w.0]
np.concatenate((u[1:], v[:1]))    float64[u.0]
np.array([u[0], u[1], c])         float64[3]
np.linalg.solve(S, u)             float64[u.0]
np.linalg.qr(np.ones((4, T.shape[1])))[0]      float64[4, T.1]
np.convolve(np.ones(5), w, "same")             float64[w.0]
scipy.signal.convolve2d(A, B, "valid")         float64[A.0 - B.0 + 1, A.1 - B.1 + 1]
scipy.signal.convolve2d(B, A, "same")          float64[B.0, B.1]
np.linalg.eigh(S)                 EighResult(float64[S.0], float64[S.0, S.0])
np.linalg.eig(S)                  EigResult(complex128[S.0], complex128[S.0, S.0])
np.fft.rfft(u)                    complex128[((u.0) // 2) + 1]
u.reshape(2, -1)                  float64[2, ((u.0) // 2)]
A.reshape(-1)                     float64[A.0*A.1]
np.reshape(c, ())                 float64[]
np.reshape(np.sum(u), ())         float64*
np.asarray(np.sum(u))             float64[]
u[..., 0]                         float64[]
np.reshape(c, ()) * 2.0           float64*
np.reshape(c, ())[()]             float64*
np.unique(u)                      float64[None]
np.convolve(u, w)                 float64[u.0 + w.0 - 1]
np.kron(A, B)                     float64[A.0*B.0, A.1*B.1]
np.take(u, rows)                  float64[rows.0]
np.cross(T[0, :, 0], T[1, :, 0])  float64[3]
np.split(u, 2)                    list(float64[((u.0) // 2)], float64[((u.0) // 2)])
Ws[0] @ Ws[1]                     float64[None, None]
np.array(Ws)                      float64[None, None, None]
A.shape[0] - 1                    int64=A.shape[0] - 1
len(u)                            int64=u.shape[0]
np.prod(A.shape)                  int64*=A.shape[0]*A.shape[1]
2**n                              int64
c if n > 3 else 1                 float64
np.random.rand(3)                 float64[3]
math.sqrt(c)                      float64
"""
ROWS = [line.rsplit("  ", 1) for line in TYPES.strip().splitlines()]


def spelled(type_):
    """Return a type as the table spells it."""
    return told(type_).replace("]]", "]").replace("].", ".")


@pytest.mark.parametrize(("text", "expected"), [(a.strip(), b.strip()) for a, b in ROWS])
def test_type_of_an_expression(text, expected):
    expr, context = typed(text, **EXAMPLES)
    assert _plain(told(expr.type)) == _plain(expected)
    if not text.startswith("np.array(Ws)"):
        value = eval(text, {**MODULES, **EXAMPLES})
        assert contradiction(expr.type, value, context) == ""


def _plain(text):
    return text.replace(".shape[", ".").replace("]", "").replace("[", "(")


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("u[1:]", (0,)),
        ("u * 2", ()),
        ("u[mask]", ()),
        ("A.T", (0,)),
        ("u.copy()", ()),
        ("A.ravel()", (0,)),
        ("np.ravel(A)", (1,)),
        ("np.diag(S)", (1,)),
        ("np.where(mask, u, v)", ()),
        ("np.real(u)", (1,)),
        ("np.asarray(u)", (1,)),
        ("u.astype(float, copy=False)", (0,)),
        ("u if n > 3 else v", (1, 2)),
        ("(u, c, v)", (0, 2)),
        ("np.broadcast_to(u, (3, 10))", (1,)),
    ],
)
def test_view_or_copy(text, positions):
    assert shares(*typed(text, **EXAMPLES)) == positions


@pytest.mark.parametrize(
    "text", ["u + w", "u @ w", "A.reshape(7, 3)", "u.reshape(3, -1)", "len(c)"]
)
def test_what_python_refuses(text):
    with pytest.raises(Fails):
        typed(text, **EXAMPLES)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("u.ndim == 1", True),
        ("2 * 3 + 1", 7),
        ("u.dtype", np.dtype(float)),
    ],
)
def test_what_is_known(text, value):
    assert typed(text, **EXAMPLES)[0].known.value == value


@pytest.mark.parametrize("text", ["c > 0.3", "n > 3", "u.shape[0] > 2", "u[0] < 1.0"])
def test_no_example_decides_a_test(text):
    assert typed(text, **EXAMPLES)[0].known is None


def test_arrays_with_operators_of_their_own_are_no_arrays():
    made = (np.ma.masked_array([1.0, 2.0], [True, False]), np.matrix([[1.0]]), np.rec.array([1.0]))
    for value in made:
        assert type_of(value, "u", Context()) == Other(type(value))


def test_compiled_code_of_scipy_is_not_run_on_samples() -> None:
    """It trusts whoever calls it: an `out` of another shape is written past its end."""
    assert may_run(convolve2d)
    assert not may_run(_sigtools._correlateND)


@pytest.mark.parametrize("count", range(1, MOST_AXES + 1))
def test_no_two_lengths_of_results_grow_alike_from_run_to_run(count: int) -> None:
    rows = [sizes_with_derived(row) for row in sizes_of(count)]
    seen = {}
    for length in {*candidates(count), *derived(count)}:
        first, *others = (length.value(row) for row in rows)
        growth = tuple(value - first for value in others)
        assert any(growth), length
        assert growth not in seen, (length, seen[growth])
        seen[growth] = length


def test_shapes_of_which_nothing_is_known_are_never_taken_for_one():
    """An operand is gone when the next one is met: what stands for its shape must not come again."""
    context, turned = Context(), []
    for _ in range(50):
        operands = Operand(Numeric("float64")), Operand(Number("int64"))
        turned.append(probe_family(np.roll, operands, {}, context).token)
    assert None not in turned
    assert len(set(turned)) == 50


def test_known_values_without_a_hash_stay_apart_when_they_are_gone():
    made = (Operand(Other(set), Known({k})) for k in range(50))
    assert len({key_of(each) for each in made}) == 50
