"""What is saved, and what is not, in the text of both sweeps."""

import numpy as np

from tests.rooms.derive import grad

VECTOR = np.array([0.3, 0.7, 1.1, 0.45])


def newton(a, tol):
    x = a
    while abs(x * x - a) > tol:
        x = 0.5 * (x + a / x)
    return x


def huber(r, delta):
    total = 0.0
    for i in range(len(r)):
        a = abs(r[i])
        if a <= delta:
            total += 0.5 * r[i] ** 2
        else:
            total += delta * (a - 0.5 * delta)
    return total


def smooth(u, c):
    u = u.copy()
    u[1:-1] += c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    u[0] = u[1]
    u[-1] = u[-2]
    return np.sum(u**2)


def steps(u, c):
    for _ in range(4):
        lap = np.roll(u, 1) - 2.0 * u
        u = u + c * np.sin(lap)
    return np.sum(u)


def test_one_value_is_kept_per_pass():
    text = grad(newton, (3.0, 1e-12)).text
    assert text.count(".append(") == 1
    assert "x_saved.append(x)" in text


def test_cheap_values_are_computed_again():
    assert ".append(" not in grad(huber, (VECTOR, 0.5)).text


def test_final_values_are_not_saved():
    text = grad(smooth, (VECTOR, 0.2)).text
    assert "_old" not in text and ".append(" not in text


def test_what_alone_is_read_of_a_state_is_saved_and_its_terms_computed_again():
    text = grad(steps, (VECTOR, 0.2)).text
    assert text.count(".append(") == 1
    assert "lap_saved.append(lap)" in text


def differences(u, c):
    for _ in range(4):
        ahead = np.roll(u, 1) - u
        behind = u - np.roll(u, -1)
        u = u + c * ahead - c**2 * behind
    return np.sum(u)


def pairs(u, c):
    for _ in range(4):
        apart = u[:, None] - u
        u = u + np.sum(c * apart, axis=1)
    return np.sum(u)


def test_the_state_is_saved_in_place_of_several_values_or_of_a_larger_one():
    for function, matrix in ((differences, 0.2), (pairs, np.outer(VECTOR, VECTOR))):
        text = grad(function, (VECTOR, matrix)).text
        assert text.count(".append(") == 1
        assert "u_saved.append(u)" in text
