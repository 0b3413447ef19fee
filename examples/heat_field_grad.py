# Made by s2sad 0.2.0 (source f873c42ace33, text 0b5c3cc8a4d9):
#     s2sad value-and-grad examples/heat_field.py:misfit --wrt m --memory '2 MB' --like
#     '(np.ones((48, 48)), np.ones(10000), np.ones((100, 6, 6)), 0.08, 0.1)' -o
#     examples/heat_field_grad.py

import math
from numbers import Real

import numpy as np

READ = 100
MISFIT_SLOTS = 80


def misfit_step(u, total, t, heat, read, dt, across, down):
    """One pass of the loop at heat_field.py."""
    heat = heat[t]
    right = dt * across * (u[1:] - u[:-1])
    up = dt * down * (u[:, 1:] - u[:, :-1])
    new = u.copy()
    new[:-1] += right
    new[1:] -= right
    new[:, :-1] += up
    new[:, 1:] -= up
    new[:, 0] += dt * heat
    u = new.copy()
    if t % READ == READ - 1:
        total = total + 0.5 * np.sum((u[4::8, 4::8] - read[t // READ]) ** 2)
    return u, total


def misfit_step_rev(
    u, total, t, heat, read, dt, across, down, u_bar, total_bar, across_bar, down_bar
):
    """Pull adjoints back through one pass, from what it began with."""
    # -- forward sweep ---------------------------------------------------
    heat = heat[t]
    right_term = dt * across
    right_difference = u[1:] - u[:-1]
    right = right_term * right_difference
    up_term = dt * down
    up_difference = u[:, 1:] - u[:, :-1]
    up = up_term * up_difference
    new = u.copy()
    new[:-1] += right
    new[1:] -= right
    new[:, :-1] += up
    new[:, 1:] -= up
    new[:, 0] += dt * heat
    u = new
    if t % READ == READ - 1:
        total_term = u[4::8, 4::8] - read[t // READ]

    # -- reverse sweep ---------------------------------------------------
    if t % READ == READ - 1:
        # total = total + 0.5 * np.sum((u[4::8, 4::8] - read[t // READ]) ** 2)
        u_bar[4::8, 4::8] += total_term * total_bar
    new_bar = u_bar.copy()  # u = stepped(u, across, down, heat[t], dt)
    up_bar = new_bar[:, :-1] - new_bar[:, 1:]  # new[:, :-1] += up
    right_bar = new_bar[:-1] - new_bar[1:]  # new[:-1] += right

    # up = dt * down * (u[:, 1:] - u[:, :-1])
    up_term_bar = up_bar * up_term
    down_bar += dt * (up_bar * up_difference)
    new_bar[:, 1:] += up_term_bar
    new_bar[:, :-1] -= up_term_bar

    # right = dt * across * (u[1:] - u[:-1])
    right_term_bar = right_bar * right_term
    across_bar += dt * (right_bar * right_difference)
    new_bar[1:] += right_term_bar
    new_bar[:-1] -= right_term_bar
    return new_bar, total_bar, across_bar, down_bar


def misfit_loop(u, total, heat, read, dt, across, down, steps):
    """Run the loop at heat_field.py, and keep states to run it backwards from.

    Keeps 80 states at a time, by Griewank and Walther's schedule.
    """
    checkpoints, ahead = [], 0
    for number, t in enumerate(steps):
        if number == ahead:
            checkpoints.append((number, u, total))
            ahead += _until_checkpoint(
                len(steps) - number, MISFIT_SLOTS - len(checkpoints) + 1
            )
        elif number == len(steps) - 1:
            # this pass is reversed at once
            checkpoints.append((number, u, total))
        u, total = misfit_step(u, total, t, heat, read, dt, across, down)
    return u, total, checkpoints


def misfit_loop_rev(
    checkpoints,
    heat,
    read,
    dt,
    across,
    down,
    steps,
    u_bar,
    total_bar,
    across_bar,
    down_bar,
):
    """Pull u_bar, total_bar, across_bar, down_bar back through the loop at
    heat_field.py.
    """
    u_bar = u_bar.copy()
    across_bar = across_bar.copy()
    down_bar = down_bar.copy()
    for last in reversed(range(len(steps))):
        start, u, total = checkpoints[-1]
        while start < last:
            ahead = _until_checkpoint(
                last + 1 - start, MISFIT_SLOTS - len(checkpoints) + 1
            )
            stop = min(start + ahead, last)
            for t in steps[start:stop]:
                u, total = misfit_step(u, total, t, heat, read, dt, across, down)
            start = stop
            if start < last:
                checkpoints.append((start, u, total))
        t = steps[last]
        u_bar, total_bar, across_bar, down_bar = misfit_step_rev(
            u,
            total,
            t,
            heat,
            read,
            dt,
            across,
            down,
            u_bar,
            total_bar,
            across_bar,
            down_bar,
        )
        if checkpoints[-1][0] == last:
            checkpoints.pop()
    return u_bar, total_bar, across_bar, down_bar


def _until_checkpoint(passes, slots):
    """Return after how many of `passes` to keep the next state.

    The state at hand is in one of the `slots`. Fewest passes are run again in all
    (Griewank and Walther, 2000).
    """
    if slots == 1 or passes == 1:
        return passes
    again = 1
    while math.comb(slots + again, slots) < passes:
        again += 1
    most = math.comb(slots + again - 1, slots)
    return min(most, passes - math.comb(slots + again - 2, slots - 1))


def misfit_value_and_grad(m, heat, read, dt, rough):
    """Value and gradient of misfit(m, heat, read, dt, rough) with respect to m.

    Differentiated in reverse mode by s2sad from heat_field.py,
    for float64 arrays m (n, k), heat (l,), read (p, q, r), floats dt, rough.
    Loop `for t in range(len(heat))`: keeps states as misfit_loop tells.
    Predicted peak of memory: 1.98 MB for arguments of the size given.
    """
    if (
        not type(m) is type(heat) is type(read) is np.ndarray
        or (m.ndim, heat.ndim, read.ndim) != (2, 1, 3)
        or m.dtype.kind + heat.dtype.kind + read.dtype.kind != "fff"
        or not isinstance(dt, Real)
        or not isinstance(rough, Real)
        or (m.shape[0] + 3) // 8 != read.shape[1]
        or (m.shape[1] + 3) // 8 != read.shape[2]
        or m.shape[0] < 4
        or m.shape[1] < 4
    ):
        raise ValueError(
            "made for float arrays m (n, k), heat (l,), read (p, q, r), real numbers "
            "dt, rough, n >= 4, k >= 4, ((n + 3) // 8) == q, ((k + 3) // 8) == r"
        )

    # -- forward sweep ---------------------------------------------------
    k = np.exp(m)
    across, down = 0.5 * (k[1:] + k[:-1]), 0.5 * (k[:, 1:] + k[:, :-1])
    u = np.zeros_like(m)
    total_term = m[1:] - m[:-1]
    total_difference = m[:, 1:] - m[:, :-1]
    total = 0.5 * rough * (np.sum(total_term**2) + np.sum(total_difference**2))
    u, total, checkpoints = misfit_loop(
        u, total, heat, read, dt, across, down, range(len(heat))
    )
    value = total

    # -- reverse sweep ---------------------------------------------------
    # for t in range(len(heat)):
    u_bar, total_bar, across_bar, down_bar = misfit_loop_rev(
        checkpoints,
        heat,
        read,
        dt,
        across,
        down,
        range(len(heat)),
        np.zeros_like(u),
        1.0,
        np.zeros_like(across),
        np.zeros_like(down),
    )

    # total = 0.5 * rough * (np.sum((m[1:] - m[:-1]) ** 2) + np.sum((m[:, 1:] - m[:,...
    total_term_bar = 0.5 * rough * total_bar
    total_difference_bar = 2.0 * total_term * total_term_bar
    total_difference_bar_2 = 2.0 * total_difference * total_term_bar
    k_bar = np.zeros_like(k)

    # across, down = 0.5 * (k[1:] + k[:-1]), 0.5 * (k[:, 1:] + k[:, :-1])
    k_bar[:, 1:] = 0.5 * down_bar
    k_bar[:, :-1] += 0.5 * down_bar
    k_bar[1:] += 0.5 * across_bar
    k_bar[:-1] += 0.5 * across_bar

    m_bar = k_bar * k  # k = np.exp(m)

    # total = 0.5 * rough * (np.sum((m[1:] - m[:-1]) ** 2) + np.sum((m[:, 1:] - m[:,...
    m_bar[1:] += total_difference_bar
    m_bar[:-1] -= total_difference_bar
    m_bar[:, 1:] += total_difference_bar_2
    m_bar[:, :-1] -= total_difference_bar_2
    return value, m_bar
