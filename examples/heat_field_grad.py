# Made by s2sad 0.2.0 (source 914551bbb96a, text a8f92e492fd8):
#     s2sad value-and-grad examples/heat_field.py:misfit --wrt m --memory '2 MB' --like
#     '(np.ones((48, 48)), np.ones(10000), np.ones((100, 6, 6)), 0.08, 0.1)' -o
#     examples/heat_field_grad.py

import math

import numpy as np

READ = 100


def _sum_to(x, shape):
    """Sum x over what broadcasting from this shape added or stretched."""
    if np.shape(x) == shape:
        return x
    extra = np.ndim(x) - len(shape)
    added = tuple(range(extra))
    stretched = tuple(extra + i for i, n in enumerate(shape) if n == 1)
    total = np.sum(x, axis=added + stretched)
    if len(shape) == 0:
        return total
    return np.reshape(total, shape)


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


def stepped(u, across, down, heat, dt):
    right = dt * across * (u[1:] - u[:-1])
    up = dt * down * (u[:, 1:] - u[:, :-1])
    new = u.copy()
    new[:-1] += right
    new[1:] -= right
    new[:, :-1] += up
    new[:, 1:] -= up
    new[:, 0] += dt * heat
    return new


def stepped_rev(u, across, down, dt, out_bar):
    """Pull out_bar back through stepped(u, across, down, heat, dt)."""
    # -- forward sweep ---------------------------------------------------
    right_term = dt * across
    right_term_2 = u[1:] - u[:-1]
    right = right_term * right_term_2
    up_term = dt * down
    up_term_2 = u[:, 1:] - u[:, :-1]
    up = up_term * up_term_2

    # -- reverse sweep ---------------------------------------------------
    up_bar = -_sum_to(out_bar[:, 1:], up.shape)  # new[:, 1:] -= up
    up_bar += _sum_to(out_bar[:, :-1], up.shape)  # new[:, :-1] += up
    right_bar = -_sum_to(out_bar[1:], right.shape)  # new[1:] -= right
    right_bar += _sum_to(out_bar[:-1], right.shape)  # new[:-1] += right
    u_bar = out_bar.copy()           # new = u.copy()

    # up = dt * down * (u[:, 1:] - u[:, :-1])
    up_term_bar = _sum_to(up_bar * up_term, up_term_2.shape)
    u_bar[:, :-1] -= up_term_bar
    u_bar[:, 1:] += up_term_bar
    down_bar = dt * _sum_to(up_bar * up_term_2, up_term.shape)

    # right = dt * across * (u[1:] - u[:-1])
    right_term_bar = _sum_to(right_bar * right_term, right_term_2.shape)
    u_bar[:-1] -= right_term_bar
    u_bar[1:] += right_term_bar
    across_bar = dt * _sum_to(right_bar * right_term_2, right_term.shape)
    return u_bar, across_bar, down_bar


def misfit_step(u, total, t, heat, across, down, dt, read):
    """One pass of the loop at heat_field.py."""
    u = stepped(u, across, down, heat[t], dt)
    if t % READ == READ - 1:
        total = total + 0.5 * np.sum((u[4::8, 4::8] - read[t // READ]) ** 2)
    return u, total


def misfit_step_rev(
    u, t, heat, across, down, dt, read, u_bar, total_bar, across_bar, down_bar
):
    """Pull adjoints back through one pass, from what it began with."""
    # -- forward sweep ---------------------------------------------------
    u_old = u
    u = stepped(u, across, down, heat[t], dt)
    if t % READ == READ - 1:
        total_term = u[4::8, 4::8]
        total_term_2 = total_term - read[t // READ]

    # -- reverse sweep ---------------------------------------------------
    if t % READ == READ - 1:
        # total = total + 0.5 * np.sum((u[4::8, 4::8] - read[t // READ]) ** 2)
        u_bar[4::8, 4::8] += _sum_to(total_bar * total_term_2, total_term.shape)

    # u = stepped(u, across, down, heat[t], dt)
    u_bar, across_term_bar, down_term_bar = stepped_rev(u_old, across, down, dt, u_bar)
    across_bar += across_term_bar
    down_bar += down_term_bar
    return u_bar, total_bar, across_bar, down_bar


MISFIT_SLOTS = 92


def misfit_loop(u, total, heat, across, down, dt, read, steps):
    """Run the loop at heat_field.py, and keep states to run it backwards from.

    Keeps 92 states at a time, by Griewank and Walther's schedule.
    """
    checkpoints, ahead = [], 0
    for number, t in enumerate(steps):
        if number == ahead:
            checkpoints.append((number, u, total))
            ahead += _until_checkpoint(
                len(steps) - number, MISFIT_SLOTS - len(checkpoints) + 1
            )
        elif number == len(steps) - 1:
            checkpoints.append((number, u, total))  # reversed at once
        u, total = misfit_step(u, total, t, heat, across, down, dt, read)
    return u, total, checkpoints


def misfit_loop_rev(
    checkpoints,
    heat,
    across,
    down,
    dt,
    read,
    steps,
    u_bar,
    total_bar,
    across_bar,
    down_bar,
):
    """Pull adjoints back through the loop."""
    across_bar = across_bar.copy()
    down_bar = down_bar.copy()
    u_bar = u_bar.copy()
    for last in reversed(range(len(steps))):
        start, u, total = checkpoints[-1]
        while start < last:
            ahead = _until_checkpoint(
                last + 1 - start, MISFIT_SLOTS - len(checkpoints) + 1
            )
            stop = min(start + ahead, last)
            for t in steps[start:stop]:
                u, total = misfit_step(u, total, t, heat, across, down, dt, read)
            start = stop
            if start < last:
                checkpoints.append((start, u, total))
        t = steps[last]
        u_bar, total_bar, across_bar, down_bar = misfit_step_rev(
            u, t, heat, across, down, dt, read, u_bar, total_bar, across_bar, down_bar
        )
        if checkpoints[-1][0] == last:
            checkpoints.pop()
    return u_bar, total_bar, across_bar, down_bar


def misfit_value_and_grad(m, heat, read, dt, rough):
    """Value and gradient of misfit(m, heat, read, dt, rough) with respect to m.

    Differentiated in reverse mode by s2sad from heat_field.py,
    for float64 arrays m (m, n), heat (k,), read (p, q, r), floats dt, rough.
    Loop `for t in range(len(heat))`: keeps states as misfit_loop tells.
    Predicted peak of memory: 1.99 MB for arguments of the size given.
    """
    if m.ndim != 2 or m.dtype.kind in "biu":
        raise ValueError("made for m of rank 2, of floats")
    if heat.ndim != 1:
        raise ValueError("made for heat of rank 1")
    if read.ndim != 3:
        raise ValueError("made for read of rank 3")

    # -- forward sweep ---------------------------------------------------
    k = np.exp(m)
    across, down = 0.5 * (k[1:] + k[:-1]), 0.5 * (k[:, 1:] + k[:, :-1])
    u = np.zeros_like(m)
    total_term = 0.5 * rough
    total_term_2 = m[1:] - m[:-1]
    total_term_3 = m[:, 1:] - m[:, :-1]
    total = total_term * (np.sum(total_term_2**2) + np.sum(total_term_3**2))
    u, total, checkpoints = misfit_loop(
        u, total, heat, across, down, dt, read, range(len(heat))
    )

    # -- reverse sweep ---------------------------------------------------
    # for t in range(len(heat)):
    u_bar, total_bar, across_bar, down_bar = misfit_loop_rev(
        checkpoints,
        heat,
        across,
        down,
        dt,
        read,
        range(len(heat)),
        np.zeros_like(u),
        1.0,
        np.zeros_like(across),
        np.zeros_like(down),
    )

    # total = 0.5 * rough * (np.sum((m[1:] - m[:-1]) ** 2) + np.sum((m[:, 1:] - m[:,...
    total_term_bar = total_bar * total_term
    total_term_bar_2 = 2.0 * total_term_bar * total_term_3
    m_bar = np.zeros_like(m)
    m_bar[:, :-1] -= total_term_bar_2
    m_bar[:, 1:] += total_term_bar_2
    total_term_bar = 2.0 * total_term_bar * total_term_2
    m_bar[:-1] -= total_term_bar
    m_bar[1:] += total_term_bar

    # across, down = 0.5 * (k[1:] + k[:-1]), 0.5 * (k[:, 1:] + k[:, :-1])
    down_term_bar = 0.5 * down_bar
    k_bar = np.zeros_like(k)
    k_bar[:, :-1] += down_term_bar
    k_bar[:, 1:] += down_term_bar
    across_term_bar = 0.5 * across_bar
    k_bar[:-1] += across_term_bar
    k_bar[1:] += across_term_bar
    m_bar += k_bar * k               # k = np.exp(m)
    return total, m_bar
