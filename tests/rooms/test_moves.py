"""Arrays that are handed from one name to another: right by differences, and without needless copies."""

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences

U = np.array([0.3, -0.7, 1.1, 0.4, 0.9])


def buffered(u, n):
    for _ in range(n):
        v = u.copy()
        v[1:-1] += 0.3 * u[1:-1] * (u[2:] - u[:-2])
        u = v
    return np.sum(u**2)


def with_a_view(u, n):
    total = 0.0
    for _ in range(n):
        v = u.copy()
        w = v[1:]
        v[0] = u[1] * u[2]
        u = v
        u[1] = u[0] * 2.0
        total += w[0] * w[1]
    return total + np.sum(u**3)


def read_under_both_names(u, n):
    total = 0.0
    for _ in range(n):
        v = u * 1.5
        v[1] = u[0] ** 2
        u = v
        u[2] = u[1] * u[0]
        total += v[2]
    return total


def read_under_its_old_name_after_a_break(u, n):
    v = u * 2.0
    for k in range(n):
        v[0] = v[0] * u[1]
        w = v
        w[1] = 0.5 * w[0]
        if k == 1:
            break
        v = u * 3.0
    return np.sum(v**2)


def read_in_the_next_pass(u, n):
    v = u * 2.0
    w = u
    for _ in range(n):
        v[0] = v[1] * u[2]
        w = v
        w[1] = w[0] * 0.7
    return np.sum(w * v)


def handed_on_twice(u, n):
    for _ in range(n):
        v = u.copy()
        v[1:] += u[:-1] ** 2
        w = v
        w[0] = w[1] * 0.5
        u = w
    return np.sum(u**2)


def on_one_side(u, n):
    for k in range(n):
        v = u.copy()
        v[1] = u[0] * u[2]
        if k % 2:
            u = v
    return np.sum(u**2)


def of_an_argument(u, n):
    v = u
    for _ in range(n):
        w = v
        v = w * 1.5
        v[0] = w[1] ** 2
    return np.sum(v) + np.sum(u**2)


def exchanged(u, n):
    v = u * 2.0
    w = u.copy()
    for _ in range(n):
        w[1:] = v[:-1] * v[1:]
        t = v
        v = w
        w = t
    return np.sum(v**2) + np.sum(w)


def rotated(u, n):
    before, now = u * 1.0, u * 0.9
    total = 0.0
    for _ in range(n):
        after = np.zeros_like(now)
        after[1:-1] = 2.0 * now[1:-1] - before[1:-1] + 0.3 * now[2:] * now[:-2]
        before = now
        now = after
        total += now[1] ** 2
    return total


def rotated_and_written(u, n):
    before, now = u * 1.0, u * 0.9
    for _ in range(n):
        after = now * before
        after[1:] += before[1:] ** 2
        before = now
        now = after
        before[0] = now[1] * now[2]
        now[2] *= 0.5
    return np.sum(now**2) + np.sum(before)


def rotated_in_threes(u, n):
    a, b, c = u * 1.0, u * 0.9, u * 0.8
    for k in range(n):
        a[0] = b[1] * c[2]
        d = a
        a = b
        b = c
        c = d
        if k == 1:
            c[1] = a[0] ** 2
    return np.sum(a * b) + np.sum(c**2)


def made_anew(u, n):
    m = len(u)
    for _ in range(n):
        old = np.sin(u)
        u = np.zeros(m)
        u[0] = old[0]
        for i in range(1, m):
            u[i] = old[i] * u[i - 1] + old[i - 1]
    return np.sum(u**2)


def two_made_anew(u, n):
    v = u * 0.7
    for _ in range(n):
        s, w = u @ v, u
        u = np.empty(len(u))
        v = v.copy()
        u[:] = s * 0.3
        v[1:] *= u[:-1]
        v[0] = w[1]
        u[2] = v[1] * w[0]
    return np.sum(u * v)


def made_anew_and_listed(u, n):
    kept = []
    for _ in range(n):
        u = u.copy()
        u[1:] += 0.3 * u[:-1] ** 2
        kept.append(u)
    return sum(np.sum(each) for each in kept) + np.sum(kept[0] * u)


def made_anew_within(u, n):
    for _ in range(n):
        first = u[0]
        u = np.zeros(len(u))
        for j in range(2):
            before = u[1]
            u = u.copy()
            u[j] = first + 0.5 * before
            u[1] += 0.3 * u[j] ** 2
    return np.sum(u**2)


@pytest.mark.parametrize(
    "function",
    [
        made_anew,
        two_made_anew,
        made_anew_and_listed,
        made_anew_within,
        rotated,
        rotated_and_written,
        rotated_in_threes,
        buffered,
        with_a_view,
        read_under_both_names,
        read_under_its_old_name_after_a_break,
        read_in_the_next_pass,
        handed_on_twice,
        on_one_side,
        of_an_argument,
        exchanged,
    ],
)
def test_gradient(function):
    for passes in (3, 1):
        slopes = differences(function, (U, passes), (0,))
        assert compare(s2sad.grad(function)(U.copy(), passes), slopes) is None


def test_two_buffers_are_neither_copied_twice_nor_saved_twice():
    text = s2sad.grad(buffered, like=(U, 3)).source
    assert "        u = v\n" in text
    assert "    v_bar = 2.0 * u  # " in text
    assert text.count(".append(") == 1


def test_products_of_the_user_are_computed_in_their_order():
    text = s2sad.grad(buffered, like=(U, 3)).source
    assert "v[1:-1] += 0.3 * u[1:-1] * (u[2:] - u[:-2])\n" in text


def test_what_is_rotated_has_adjoints_that_are_values():
    text = s2sad.grad(rotated, like=(U, 3)).source
    assert "        before = now\n" in text
    assert "        now = after\n" in text
    assert ".copy()" not in text
    assert text.count(".append(") == 1
