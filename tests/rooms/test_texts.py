"""What texts look like: each rule by a function of its own, with its values against differences."""

import inspect

import numpy as np
import pytest

from s2sad.api.answer import answer
from s2sad.api.request import Request
from tests.oracles import compare, differences, flatten, standalone

X = np.array([0.4, 1.3, 0.9, 0.2])
P = np.arange(12.0).reshape(4, 3) / 7.0 + 0.1


def apart(d):
    return np.sum((d[:, None] - d[None, :]) ** 3)


def scaled(W, s):
    return np.sum(np.exp(s)[:, None] * W * W)


def centred(v):
    return np.sum(v**2) - 0.5 * np.sum(v)


def sorted_weights(x, w):
    order = np.argsort(x)
    return np.sum(x[order] ** 2 * w)


def repeated(x, k):
    return np.sum(x[k] ** 2)


def items_beside_a_k(x, k):
    s = 0.1
    for v in x:
        s = s * np.sin(k * v) + k
    return s


def shape_in_names(p, c):
    rows, columns = p.shape
    total = 0.0
    for i in range(rows):
        for j in range(columns):
            total += np.sin(c * p[i, j])
    return total


def numbers_in_names(q):
    a, b, c = q
    return a * np.exp(b * c)


def two_states(beta, days):
    S, E = 0.97, 0.02
    for _ in range(days):
        caught = beta * S * E
        S, E = S - caught, E + caught - 0.1 * E
    return S * E


def crossed(a, n):
    x, y = a, 1.0
    for _ in range(n):
        x, y = y * x, x + a
    return x * y


def one_after_the_other(a, n):
    x, y = a, 1.0
    for _ in range(n):
        x = y * x
        y = x + a
    return x * y


def too_long_for_a_line(speed, density):
    pressure, temperature = (
        0.5 * density * speed**2 + 3.0 * speed * density - density**3 * speed,
        speed**3 / density + 2.0 * density**2 * speed,
    )
    return pressure * temperature * pressure


def stored_part(p, c):
    p = 1.0 * p
    p[:, 1] = p[:, 1] - c * np.sin(p[:, 0])
    return np.sum(p**3)


def stored_parts(p, c):
    p = 1.0 * p
    for _ in range(3):
        p[1:-1, 0] = p[1:-1, 0] * c
        p[:, 1] = p[:, 1] * p[:, 0]
        p[0, 0] = p[1, 0] * p[0, 0]
    return np.sum(p**3)


def pair(x, y):
    return x * y, np.sin(x)


def huber(r, delta):
    total = 0.0
    for i in range(len(r)):
        size = abs(r[i])
        if size <= delta:
            total += 0.5 * r[i] ** 2
        else:
            total += delta * (size - 0.5 * delta)
    return total


def added_on_both_sides(r, delta):
    total = 0.0
    for i in range(len(r)):
        size = r[i] ** 3
        if size <= delta:
            total += size * r[i]
        else:
            total += delta * size
    return total


# function, arguments, wrt, lines that stand in its text, what does not
TEXTS = [
    (apart, (X,), "d", ["np.sum(result_term_bar, axis=1)"], ["keepdims", "zeros_like"]),
    (scaled, (P, X), "W,s", ["[:, None]"], ["expand_dims", "broadcast_to"]),
    (centred, (X,), "v", ["2.0 * v - 0.5"], ["full_like"]),
    (sorted_weights, (X, X + 1.0), "x", ["x_bar[order]"], ["np.add.at"]),
    (repeated, (X, np.array([0, 2, 2])), "x", ["np.add.at("], []),
    (items_beside_a_k, (X, 0.7), "x,k", ["for i in "], ["k_2", "k_old"]),
    (shape_in_names, (P, 0.3), "p,c", ["rows, columns = p.shape\n"], ["parts"]),
    (numbers_in_names, (X[:3],), "q", ["a, b, c = q\n"], ["q[0]"]),
    (
        two_states,
        (0.3, 5),
        "beta",
        ["S, E = 0.97, 0.02\n", "S, E = S - caught, E + caught - 0.1 * E\n"],
        [],
    ),
    (crossed, (0.3, 4), "a", ["x, y = a, 1.0\n", "    x, y = y * x, x + a\n"], ["y_next ="]),
    (one_after_the_other, (0.3, 4), "a", ["x, y = a, 1.0\n", "    x = y * x\n"], []),
    (too_long_for_a_line, (0.3, 0.4), "speed,density", [" pressure = "], ["pressure, temp"]),
    (stored_part, (P, 0.3), "p,c", ["c_bar = p_term_bar @ p_sin\n"], []),
    (stored_parts, (P, 0.9), "p,c", ["p_1_saved.append(", "p_00_saved.append("], ["_saved_2"]),
    (huber, (X - 0.5, 0.3), "r,delta", ["r_bar[i] += delta * np.sign(r[i])"], ["size_bar"]),
    (added_on_both_sides, (X, 0.3), "r,delta", [], ["size_bar = 0.0"]),
]


def answered(function, args, wrt, form="grad"):
    bound = dict(zip(inspect.signature(function).parameters, args, strict=True))
    request = Request(function, tuple(wrt.split(",")), form, False)
    made = answer(request, bound)
    space = {}
    exec(compile(made.source, "<text>", "exec"), space)
    return made.source, space[made.name]


@pytest.mark.parametrize("row", TEXTS, ids=lambda row: row[0].__name__)
def test_text(row):
    function, args, wrt, lines, absent = row
    source, gradient = answered(function, args, wrt)
    code = "\n".join(line.partition("  # ")[0] for line in source.splitlines())
    code = "\n".join(line for line in code.splitlines() if not line.strip().startswith("#")) + "\n"
    assert [line for line in lines if line not in code] == [], source
    assert [part for part in absent if part in code] == [], source
    names = list(inspect.signature(function).parameters)
    positions = tuple(names.index(each) for each in wrt.split(","))
    like = tuple(args[k] for k in positions)
    expected = differences(function, args, positions, 1.0)
    assert compare(flatten(gradient(*args), like), expected) is None, source


def test_a_seed_of_two_numbers_is_asked_by_its_shape():
    source, pull = answered(pair, (0.3, 0.4), "x,y", "vjp")
    assert "if np.shape(seed) != (2,):" in source
    got = pull(0.3, 0.4, (2.0, 3.0))
    assert np.allclose(got, (2.0 * 0.4 + 3.0 * np.cos(0.3), 2.0 * 0.3))
    with pytest.raises(ValueError, match="seed of 2 numbers"):
        pull(0.3, 0.4, 2.0)
    with pytest.raises(ValueError, match="seed of 2 numbers"):
        pull(0.3, 0.4, (1.0, 2.0, 3.0))


def test_items_that_are_not_all_there_are_are_taken_by_their_places() -> None:
    def first_two(u):
        a, b = u[0], u[1]
        return a * b * u[2]

    u = np.array([0.3, 0.4, 0.5])
    source = answer(Request(first_two, ("u",)), {"u": u}).source
    assert "a, b = u[0], u[1]" in source
    found = standalone(source)(u)
    np.testing.assert_allclose(found, [0.2, 0.15, 0.12])
