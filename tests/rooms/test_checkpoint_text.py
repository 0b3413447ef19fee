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


def test_the_state_is_saved_and_the_term_computed_from_it():
    text = grad(steps, (VECTOR, 0.2)).text
    assert text.count(".append(") == 1
    assert "u_saved.append(u)" in text
