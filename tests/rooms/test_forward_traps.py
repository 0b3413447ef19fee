"""Where a forward sweep goes wrong: orders, aliases, exits; each the smallest program of its kind."""

import copy
import math

import numpy as np
import pytest

from s2sad.ir.errors import NotYet
from tests.programs.control_flow import assignments
from tests.rooms.forward import judged, jvp

U = np.array([0.35, 0.7, 1.1, 0.45])
W = np.array([0.6, -0.2, 0.3, 0.8])
A = np.arange(12.0).reshape(3, 4) / 13 + 0.2


def overwritten_operand(u):
    u = np.sin(u)
    u = u * u[0]
    return np.sum(u * u)


def overwritten_and_its_value_read(x):
    x = np.exp(x)
    x = np.tanh(x) * x
    return x


def exchanged(u, w):
    u, w = w * 2.0, u
    u, w = w, u * w
    return np.sum(u * w)


def second_name_written(u):
    v = u * 1.0
    w = v
    w[0] = v[1] ** 2
    return np.sum(v * w)


def new_value_of_equal_tangent(u):
    v = u + 1.0
    v[0] = 5.0
    return np.sum(v * u)


def argument_written(u):
    u[1] *= u[0]
    u[2:] += u[:2]
    return np.sum(u * u)


def view_written(A):
    B = A.T * 1.0
    row = B[1]
    row[::2] = row[1] * row[:2][0]
    return np.sum(B * B)


def overlapping(u):
    v = u.copy()
    v[1:] += v[:-1] * v[1:]
    v *= v[::-1]
    return np.sum(v)


def one_array_twice_in_a_list(u):
    v = u * 2.0
    xs = [v, v, u * 1.0]
    xs[0][1] = u[2] ** 2
    xs[1] *= 0.5
    return np.sum(xs[0] * xs[1] * xs[2])


def one_list_thrice(u):
    xs = [[]] * 3
    for k in range(3):
        xs[k].append(u[k] ** 2)
    return sum(sum(x) for x in xs) * u[3]


def constant_in_a_list_written(u):
    v = np.zeros(4)
    xs = [v, u]
    xs[0][2] = u[0] * u[1]
    return np.sum(v * u)


def dict_fields(u):
    d = {"a": u, "b": 2.0}
    d["c"] = d["a"] * d["b"]
    d["b"] = u[0]
    e = d
    e["a"] = d["c"] * d["b"]
    return np.sum(d["a"])


def keys_gone_through(u):
    d = {}
    for k in range(4):
        d[k % 3] = d.get(k % 3, 0.0) + u[k] ** 2
    return sum((k + 1) * v for k, v in d.items()) * d[0]


def writes(p, q):
    p[0] = q[1]
    q[1] *= p[2]
    return p


def array_handed_twice(u):
    v = u * 1.0
    w = writes(v, v)
    w[3] = 2.0
    return np.sum(v * w)


def given_back_new(p):
    return p + 1.0


def result_written(u):
    v = given_back_new(u)
    v[0] = 3.0
    return np.sum(u * v)


def early(u, c):
    if c > 0.5:
        return np.sum(u) * c
    total = 0.0
    for k in range(4):
        if u[k] > 1.0:
            return total * c
        total += u[k] ** 2
    return total


def while_(x):
    n = 0
    while x < 5.0 and n < 20:
        x = x * x + 0.5
        n += 1
    return x * n


def broken_and_continued(u):
    s = 0.0
    for k in range(4):
        if u[k] < 0.4:
            continue
        s = s * u[k] + u[k]
        if s > 1.5:
            break
    return s * s


def tried(x):
    y = x
    try:
        y = x * x
        y = y / (x - x)
    except ZeroDivisionError:
        y = y * 3.0
    return y


def tried_where_only_the_slope_fails(x):
    z = x - x
    try:
        y = z**0.5 + x
    except ZeroDivisionError:
        y = 100.0 * x
    return y


def stretched_constant(u, c):
    y = u * 0.0 + c
    s = np.sum(y) + y[1]
    z = np.ones((3, 4)) - c
    z[0] = u
    return s * np.sum(z)


def stretched_result(w, c):
    return w + c


def whole_part_of_a_result(u, n):
    return u * n, n, len(u)


def infinite_slope_left_out(u):
    v = np.maximum(u - 0.6, 0.0)
    return np.sum(np.sqrt(v) * u)


def infinite_slope_of_a_number(x):
    return np.sqrt(max(x - 5.0, 0.0)) + x


def folded(xs, c):
    if not xs:
        return c
    return xs[0] * folded(xs[1:], c * xs[0]) + c


def complex_inside(u):
    z = u * 1j + u**2
    z[0] = z[1] * 2.0
    return np.sum(np.abs(z) ** 2 * u)


class Body:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt):
        self.x += dt * self.v
        self.v = self.v - dt * self.x


def objects(u, dt):
    bodies = [Body(u * 1.0, u), Body(u, 0.5)]
    bodies.append(bodies[0])
    for body in bodies:
        body.step(dt)
    return np.sum(bodies[0].x * bodies[1].x + bodies[2].v)


TRAPS = [
    (overwritten_operand, (U,), (0,)),
    (overwritten_and_its_value_read, (0.4,), (0,)),
    (exchanged, (U, W), (0, 1)),
    (exchanged, (U, W), (1,)),
    (second_name_written, (U,), (0,)),
    (new_value_of_equal_tangent, (U,), (0,)),
    (argument_written, (U,), (0,)),
    (view_written, (A,), (0,)),
    (overlapping, (U,), (0,)),
    (one_array_twice_in_a_list, (U,), (0,)),
    (one_list_thrice, (U,), (0,)),
    (constant_in_a_list_written, (U,), (0,)),
    (dict_fields, (U,), (0,)),
    (keys_gone_through, (U,), (0,)),
    (array_handed_twice, (U,), (0,)),
    (result_written, (U,), (0,)),
    (early, (U, 0.3), (0, 1)),
    (early, (U, 0.7), (0, 1)),
    (while_, (0.7,), (0,)),
    (broken_and_continued, (U,), (0,)),
    (tried, (0.7,), (0,)),
    (stretched_constant, (U, 0.3), (0, 1)),
    (stretched_constant, (U, 0.3), (1,)),
    (stretched_result, (W, 0.3), (1,)),
    (whole_part_of_a_result, (U, 3), (0,)),
    (infinite_slope_left_out, (U,), (0,)),
    (infinite_slope_of_a_number, (0.7,), (0,)),
    (folded, ([0.7, 0.3, 1.2], 0.4), (0, 1)),
    (complex_inside, (U,), (0,)),
    (objects, (U, 0.1), (0, 1)),
    (assignments.whole_then_popped, (U,), (0,)),
    (assignments.whole_then_unpacked, (U,), (0,)),
    (assignments.whole_then_returned, (U,), (0,)),
    (assignments.nested_targets_of_names, (U,), (0,)),
]


@pytest.mark.parametrize("simpler", [False, True], ids=["plain", "simplified"])
@pytest.mark.parametrize(
    ("function", "args", "wrt"), TRAPS, ids=[f"{f.__name__}-{w}" for f, _, w in TRAPS]
)
def test_a_trap(function, args, wrt, simpler):
    run = jvp(function, args, wrt, simpler)
    assert judged(function, args, wrt, run) is None, run.text


def test_a_slope_that_raises_does_not_choose_a_way():
    run = jvp(tried_where_only_the_slope_fails, (0.7,))
    with np.errstate(all="ignore"):
        value, _ = run(0.7, 1.0)
    assert value == tried_where_only_the_slope_fails(0.7)


def test_tangents_share_no_memory_with_the_users_where_they_are_written():
    run = jvp(argument_written, (U,))
    dot = np.ones(4)
    run(U.copy(), dot)
    assert np.array_equal(dot, np.ones(4))


def test_the_tangent_of_a_stretched_number_has_the_shape_of_the_result():
    value, dot = jvp(stretched_result, (W, 0.3), (1,))(W, 0.3, 1.0)
    assert np.shape(dot) == np.shape(value)


def test_tangents_come_after_the_arguments_in_the_order_asked_for():
    run = jvp(exchanged, (U, W), (1, 0))
    assert run.text.startswith("def exchanged_jvp(u, w, w_dot, u_dot):")


def unknown_function(u):
    return np.sum(np.union1d(u, 2.0 * u))


def test_what_has_no_rule_is_told_with_its_line():
    with pytest.raises(NotYet) as caught:
        jvp(unknown_function, (U,))
    assert caught.value.span is not None


def test_a_rule_that_forgets_an_argument_is_refused(monkeypatch):
    from s2sad.operators.match import Match

    whole = Match.tangents
    monkeypatch.setattr(Match, "tangents", lambda self, given: whole(self, given)[:1])
    with pytest.raises(NotYet, match="forgets"):
        jvp(stretched_constant, (copy.deepcopy(U), 0.3), (0, 1))


def raised_from_another(x):
    try:
        y = math.log(x)
    except ValueError as error:
        raise RuntimeError("no logarithm") from error
    return y * x


def test_an_error_keeps_its_cause():
    run = jvp(raised_from_another, (0.7,))
    assert judged(raised_from_another, (0.7,), (0,), run) is None, run.text
    with pytest.raises(RuntimeError) as caught:
        run(-1.0, 1.0)
    assert isinstance(caught.value.__cause__, ValueError)


def tuples_in_order(u):
    pairs = [(x * x, k) for k, x in enumerate(u)]
    pairs.sort(reverse=True)
    return sum((place + 1) * v * k for place, (v, k) in enumerate(pairs))


def test_what_has_no_tangent_as_it_stands_has_one_as_reverse_mode_takes_it():
    run = jvp(tuples_in_order, (U,))
    assert judged(tuples_in_order, (U,), (0,), run) is None, run.text
