# Made by s2sad 0.2.0 (source 80bc4059e6dc, text f867708c4539):
#     s2sad grad examples/lynx_hare.py:misfit --wrt p --like '(np.ones(6), np.ones((21,
#     2)), np.ones(2), 10)' -o examples/lynx_hare_grad.py

from numbers import Real

import numpy as np


def misfit_grad(p, pelts, sign, steps):
    """Gradient of misfit(p, pelts, sign, steps) with respect to p.

    Differentiated in reverse mode by s2sad from lynx_hare.py,
    for float64 arrays p (n,), pelts (m, 2), sign (2,).
    Loop `for year in range(len(pelts))`: keeps nothing.
    Loop `for _ in range(steps)`: keeps one z_new, one z_2, one z_3 and one z per pass.
    """
    if (
        not type(p) is type(pelts) is type(sign) is np.ndarray
        or (p.ndim, pelts.ndim, sign.ndim) != (1, 2, 1)
        or p.dtype.kind + pelts.dtype.kind + sign.dtype.kind != "fff"
        or not isinstance(steps, Real)
        or sign.shape[0] != 2
        or pelts.shape[1] != 2
        or p.shape[0] < 6
    ):
        raise ValueError(
            "made for float arrays p (n,), pelts (m, 2), sign (2,), real number "
            "steps, n >= 6"
        )

    # -- forward sweep ---------------------------------------------------
    q = np.exp(p)
    rates, meets, z = sign * q[0:2], -sign * q[2:4], q[4:6]
    saved = []
    for year in range(len(pelts)):
        for _ in range(steps):
            dt = 1.0 / steps
            k1 = z * (rates + meets * z[::-1])
            z_new = z + 0.5 * dt * k1
            k2 = z_new * (rates + meets * z_new[::-1])
            z_2 = z + 0.5 * dt * k2
            k3 = z_2 * (rates + meets * z_2[::-1])
            z_3 = z + dt * k3
            k4 = z_3 * (rates + meets * z_3[::-1])
            saved.append((z_new, z_2, z_3, z))
            z = z + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    # -- reverse sweep ---------------------------------------------------
    z_bar, meets_bar = np.zeros_like(z), np.zeros_like(meets)
    rates_bar = np.zeros_like(rates)

    for year in reversed(range(len(pelts))):
        for _ in reversed(range(steps)):
            k1_bar = dt / 6.0 * z_bar  # z = step(z, rates, meets, 1.0 / steps)
            z_new, z_2, z_3, z = saved.pop()
            # k4 = slope(z + dt * k3, rates, meets)
            k4_term_bar = k1_bar * z_3
            z_3_bar = k1_bar * (rates + meets * z_3[::-1]) + (k4_term_bar * meets)[::-1]
            meets_bar += k4_term_bar * z_3[::-1]
            k3_bar = 2.0 * k1_bar + dt * z_3_bar
            # k3 = slope(z + 0.5 * dt * k2, rates, meets)
            k3_term_bar = k3_bar * z_2
            z_2_bar = k3_bar * (rates + meets * z_2[::-1]) + (k3_term_bar * meets)[::-1]
            meets_bar += k3_term_bar * z_2[::-1]
            k2_bar = 2.0 * k1_bar + 0.5 * dt * z_2_bar
            # k2 = slope(z + 0.5 * dt * k1, rates, meets)
            k2_term_bar = k2_bar * z_new
            z_term_bar = k2_bar * (rates + meets * z_new[::-1])
            z_new_bar = z_term_bar + (k2_term_bar * meets)[::-1]
            meets_bar += k2_term_bar * z_new[::-1]
            z_bar += z_3_bar + z_2_bar + z_new_bar
            k1_bar += 0.5 * dt * z_new_bar
            # k1 = slope(z, rates, meets)
            k1_term_bar = k1_bar * z
            z_bar += k1_bar * (rates + meets * z[::-1]) + (k1_term_bar * meets)[::-1]
            rates_bar += k4_term_bar + k3_term_bar + k2_term_bar + k1_term_bar
            meets_bar += k1_term_bar * z[::-1]
        # total += 0.5 * np.sum((np.log(z) - pelts[year]) ** 2)
        z_bar += (np.log(z) - pelts[year]) / z

    q_bar = np.zeros_like(q)

    # rates, meets, z = sign * q[0:2], -sign * q[2:4], q[4:6]
    q_bar[4:6] = z_bar
    q_bar[2:4] -= meets_bar * sign
    q_bar[0:2] += rates_bar * sign

    return q_bar * q  # q = np.exp(p)
