"""What texts of tangents rely on they ask for; precision and the user's own arrays are kept."""

from typing import NamedTuple

import numpy as np
import pytest

import s2sad

RNG = np.random.default_rng(5)


def of_rooms(make, function, args, **options):
    """Return a derivative that the rooms wrote."""
    made = make(function, like=args, **options)
    return made


def through_a_view(A, c):
    v = A.ravel()
    v[0] = c * c
    return np.sum(A * A) + np.sum(v)


def test_a_text_asks_for_arrays_in_one_piece_where_a_view_would_be_a_copy() -> None:
    A = RNG.normal(size=(2, 3))
    derivative = of_rooms(s2sad.jvp, through_a_view, (A, 0.3), wrt="c")
    space: dict = {}
    exec(derivative.source, space)
    with pytest.raises(ValueError, match="one piece"):
        space["through_a_view_jvp"](np.asfortranarray(A), 0.3, 1.0)
    with pytest.raises(s2sad.ArgumentError, match="one piece"):
        derivative(np.asfortranarray(A), 0.3, 1.0)
    assert derivative(A, 0.3, 1.0)[1] == pytest.approx(4 * 0.3**3 + 2 * 0.3)


def product_through_a_view(A, c):
    B = A * c
    v = B.ravel()
    v[0] = 0.0
    return np.sum(B * B)


def test_a_tangent_in_columns_is_as_one_in_rows() -> None:
    A, A_dot = RNG.normal(size=(2, 2, 3))
    derivative = s2sad.jvp(product_through_a_view, ("A", "c"), like=(A, 0.3))
    in_rows = derivative(A, 0.3, A_dot, 0.7)[1]
    assert derivative(A, 0.3, np.asfortranarray(A_dot), 0.7)[1] == pytest.approx(in_rows)
    rest = A.ravel()[1:] @ (0.3 * A_dot.ravel()[1:] + 0.7 * A.ravel()[1:])
    assert in_rows == pytest.approx(2 * 0.3 * rest)


def test_a_tangent_has_the_digits_of_its_value() -> None:
    def model(w, x):
        return np.sum((w + x) * 0.1)

    w, x = np.ones(3, np.float32), RNG.normal(size=3)
    derivative = of_rooms(s2sad.jvp, model, (w, x), wrt="w")
    assert derivative(w, x, w)[1] == 0.1 + 0.1 + 0.1


def kept(x, W, b):
    states = []
    for _ in range(2):
        x = np.tanh(W @ x + b)
        states.append(x)
    return states[0] * states[-1]


def test_what_a_list_holds_is_not_written_where_the_list_is() -> None:
    x = RNG.normal(size=3)
    derivative = of_rooms(s2sad.jvp, kept, (x, np.eye(3), x), wrt=("x", "b"))
    _, dot = derivative(x, np.eye(3), x, x, x)  # one array twice: nothing is written to
    step = 1e-6
    up, down = (kept(x + s * x, np.eye(3), x + s * x) for s in (step, -step))
    assert dot == pytest.approx((up - down) / (2 * step), rel=1e-6)


def written_by_name(u, v):
    xs = [u, v]
    ys = xs
    ys.append(u * v)
    xs[0][0] = 2.0
    return np.sum(u * v) + np.sum(ys[2])


def test_arrays_that_are_written_through_a_list_are_told() -> None:
    u = RNG.normal(size=3)
    derivative = s2sad.jvp(written_by_name, ("u", "v"), like=(u, u + 1.0))
    with pytest.raises(s2sad.ArgumentError, match="one array"):
        derivative(u, u, u, u)


def two(x, k):
    return np.outer(x * k, x), np.sum(np.sin(x))


MATRICES = [
    (lambda *a, **k: s2sad.jacobian(*a, mode="forward", **k), ("x", "k")),
    (lambda *a, **k: s2sad.jacobian(*a, mode="reverse", **k), ("x", "k")),
    (lambda *a, **k: s2sad.jacobian(*a, mode="forward", **k), ("k",)),
    (lambda *a, **k: s2sad.jacobian(*a, mode="reverse", **k), ("x",)),
]


@pytest.mark.parametrize("make, wrt", MATRICES)
def test_a_jacobian_of_several_results_has_a_block_for_each(make, wrt) -> None:
    x, k = RNG.normal(size=3), 0.7
    found = of_rooms(make, two, (x, k), wrt=wrt)(x, k)
    steps = {"x": np.eye(3) * 1e-20j, "k": [1e-20j]}
    for place, part in enumerate(found):
        for block, name in zip(part, wrt, strict=True):
            columns = [
                np.imag(two(*((x + s, k) if name == "x" else (x, k + s)))[place]) / 1e-20
                for s in steps[name]
            ]
            wanted = np.stack(columns, axis=-1) if name == "x" else columns[0]
            assert block == pytest.approx(wanted) and np.shape(block) == np.shape(wanted)


def energy(A, c):
    return np.sum(np.exp(A) * c * c)


def test_a_hessian_of_a_matrix_has_its_axes_twice() -> None:
    A, c = RNG.normal(size=(2, 3)), 0.6
    (AA, Ac), (cA, cc) = of_rooms(s2sad.hessian, energy, (A, c), wrt=("A", "c"))(A, c)
    wanted = np.zeros((2, 3, 2, 3))
    for place in np.ndindex(2, 3):
        wanted[place + place] = np.exp(A[place]) * c * c
    assert np.allclose(AA, wanted) and np.allclose(cc, 2.0 * np.sum(np.exp(A)))
    assert np.allclose(Ac, 2.0 * c * np.exp(A)) and np.allclose(cA, Ac)
    total = of_rooms(s2sad.laplacian, energy, (A, c), wrt=("A", "c"))(A, c)
    assert total == pytest.approx(np.sum(np.exp(A)) * (c * c + 2.0))


def each(t, k):
    if k > 0.0:
        return np.where(t > 0.5, t * k, t**2)
    return 3.0 * t


@pytest.mark.parametrize("k", [0.7, -0.7])
def test_slopes_of_elements_are_those_of_each_by_its_own(k) -> None:
    t = np.array([0.1, 0.4, 0.8])
    found = of_rooms(s2sad.elementwise_grad, each, (t, k))(t, k)
    assert found == pytest.approx(np.imag(each(t + 1e-20j, k)) / 1e-20)


WEIGHTS = np.array([1.0, 2.0, 3.0])


def weighed(x):
    return np.sum(WEIGHTS * x * x)


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp, s2sad.hvp])
def test_an_array_of_the_module_is_read_where_it_stands(make) -> None:
    x = np.array([0.5, 1.0, 2.0])
    derivative = of_rooms(make, weighed, (x,))
    along = () if make is s2sad.grad else (x,)
    before = WEIGHTS.copy()
    try:
        for WEIGHTS[1] in (5.0, 7.0):
            wanted = {"grad": 2 * WEIGHTS * x, "jvp": 2 * WEIGHTS @ x**2, "hvp": 2 * WEIGHTS * x}
            found = derivative(x, *along)
            found = found[1] if make is s2sad.jvp else found
            assert found == pytest.approx(wanted[make.__name__])
            assert f"WEIGHTS = np.array([1.0, {WEIGHTS[1]}, 3.0])" in derivative.source
    finally:
        WEIGHTS[:] = before


def changed_by_the_function(x):
    w = WEIGHTS
    w += x
    return np.sum(w * x)


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
def test_an_array_of_the_module_is_not_changed(make) -> None:
    x, before = np.array([0.5, 1.0, 2.0]), WEIGHTS.copy()
    with pytest.raises(s2sad.Unsupported, match="depends on how often it was called"):
        make(changed_by_the_function, like=(x,))
    assert np.array_equal(before, WEIGHTS)


class Turn(NamedTuple):
    sine: float
    scale: float = 2.0

    def length(self):
        return self.sine * self.sine + self.scale


def turned(x):
    turns = [Turn(np.sin(a)) for a in x]
    return turns[0].length() * turns[1].scale * turns[2].sine


class Diverged(ValueError):
    """Too far out."""


def bounded(x):
    if x[0] > 1.0:
        raise Diverged("too far")
    return Turn(np.sum(x * x), 3.0)


def test_classes_are_the_users_own_where_the_derivative_is_called() -> None:
    x = np.array([0.5, 1.0, 2.0])
    derivative = of_rooms(s2sad.jvp, bounded, (x,))
    assert type(derivative(x, x)[0]) is Turn
    with pytest.raises(Diverged):
        derivative(x + 1.0, x)
    space: dict = {}
    exec(derivative.source, space)
    assert tuple(space["bounded_jvp"](x, x)[0]) == tuple(bounded(x))
    with pytest.raises(ValueError, match="too far"):
        space["bounded_jvp"](x + 1.0, x)


def test_named_tuples_are_classes_of_the_text() -> None:
    x, step = np.array([0.5, 1.0, 2.0]), 1e-6
    derivative = of_rooms(s2sad.jvp, turned, (x,))
    slope = (turned(x + step) - turned(x - step)) / (2 * step)
    assert derivative(x, np.ones(3))[1] == pytest.approx(slope, rel=1e-7)
    assert 'namedtuple("Turn", "sine scale", defaults=[2.0])' in derivative.source
