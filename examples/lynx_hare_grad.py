# Made by s2sad 0.2.0 (source 80bc4059e6dc, text 856e09aa04a8):
#     s2sad grad examples/lynx_hare.py:misfit --wrt p --like '(np.ones(6), np.ones((21,
#     2)), np.ones(2), 10)' -o examples/lynx_hare_grad.py

import numpy as np


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


def slope(z, rates, meets):
    return z * (rates + meets * z[::-1])


def step(z, rates, meets, dt):
    k1 = slope(z, rates, meets)
    k2 = slope(z + 0.5 * dt * k1, rates, meets)
    k3 = slope(z + 0.5 * dt * k2, rates, meets)
    k4 = slope(z + dt * k3, rates, meets)
    return z + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def slope_rev(z, rates, meets, out_bar):
    """Pull out_bar back through slope(z, rates, meets)."""
    # -- forward sweep ---------------------------------------------------
    result_term = z[::-1]
    result_term_2 = meets * result_term
    result_term_3 = rates + result_term_2

    # -- reverse sweep ---------------------------------------------------
    # return z * (rates + meets * z[::-1])
    z_bar = _sum_to(out_bar * result_term_3, z.shape)
    result_term_bar = _sum_to(out_bar * z, result_term_3.shape)
    rates_bar = _sum_to(result_term_bar, rates.shape)
    result_term_bar = _sum_to(result_term_bar, result_term_2.shape)
    meets_bar = _sum_to(result_term_bar * result_term, meets.shape)
    z_bar[::-1] += _sum_to(result_term_bar * meets, result_term.shape)
    return z_bar, rates_bar, meets_bar


def step_rev(z, rates, meets, dt, out_bar):
    """Pull out_bar back through step(z, rates, meets, dt)."""
    if z.shape[0] != meets.shape[0]:
        raise ValueError("made for z and meets of equal length")
    if z.shape[0] != rates.shape[0]:
        raise ValueError("made for z and rates of equal length")

    # -- forward sweep ---------------------------------------------------
    k1 = slope(z, rates, meets)
    k2_term = 0.5 * dt
    k2_term_2 = z + k2_term * k1
    k2 = slope(k2_term_2, rates, meets)
    k3_term = z + k2_term * k2
    k3 = slope(k3_term, rates, meets)

    # -- reverse sweep ---------------------------------------------------
    # return z + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    z_bar = out_bar
    k1_bar = dt / 6.0 * out_bar
    k3_bar = 2.0 * k1_bar
    k2_bar = 2.0 * k1_bar

    # k4 = slope(z + dt * k3, rates, meets)
    k4_bar, rates_bar, meets_bar = slope_rev(z + dt * k3, rates, meets, k1_bar)
    z_bar = z_bar + k4_bar
    k3_bar += dt * k4_bar

    # k3 = slope(z + 0.5 * dt * k2, rates, meets)
    k3_term_bar, rates_term_bar, meets_term_bar = slope_rev(
        k3_term, rates, meets, k3_bar
    )
    rates_bar += rates_term_bar
    meets_bar += meets_term_bar
    z_bar = z_bar + k3_term_bar
    k2_bar += k2_term * k3_term_bar

    # k2 = slope(z + 0.5 * dt * k1, rates, meets)
    k2_term_bar, rates_term_bar, meets_term_bar = slope_rev(
        k2_term_2, rates, meets, k2_bar
    )
    rates_bar += rates_term_bar
    meets_bar += meets_term_bar
    z_bar = z_bar + k2_term_bar
    k1_bar += k2_term * k2_term_bar

    # k1 = slope(z, rates, meets)
    z_term_bar, rates_term_bar, meets_term_bar = slope_rev(z, rates, meets, k1_bar)
    z_bar = z_bar + z_term_bar
    rates_bar += rates_term_bar
    meets_bar += meets_term_bar
    return z_bar, rates_bar, meets_bar


def misfit_grad(p, pelts, sign, steps):
    """Gradient of misfit(p, pelts, sign, steps) with respect to p.

    Differentiated in reverse mode by s2sad from lynx_hare.py,
    for float64 arrays p (n,), pelts (m, k), sign (p,).
    Loop `for year in range(len(pelts))`: keeps one z and one log_z per pass.
    Loop `for _ in range(steps)`: keeps one z per pass.
    """
    if p.ndim != 1:
        raise ValueError("made for p of rank 1")
    if pelts.ndim != 2:
        raise ValueError("made for pelts of rank 2")
    if sign.ndim != 1:
        raise ValueError("made for sign of rank 1")

    # -- forward sweep ---------------------------------------------------
    q = np.exp(p)
    rates_term = q[0:2]
    meets_term = q[2:4]
    rates, meets, z = sign * rates_term, -sign * meets_term, q[4:6]
    z_saved = []
    log_z_saved = []
    z_saved_2 = []
    for year in range(len(pelts)):
        z_saved.append(z)
        log_z_saved.append(np.log(z))
        for _ in range(steps):
            z_saved_2.append(z)
            z = step(z, rates, meets, 1.0 / steps)

    # -- reverse sweep ---------------------------------------------------
    z_bar = np.zeros_like(z)
    rates_bar = np.zeros_like(rates)
    meets_bar = np.zeros_like(meets)

    for year in reversed(range(len(pelts))):
        z = z_saved.pop()
        log_z = log_z_saved.pop()
        for _ in reversed(range(steps)):
            z_new = z_saved_2.pop()
            # z = step(z, rates, meets, 1.0 / steps)
            z_bar, rates_term_bar, meets_term_bar = step_rev(
                z_new, rates, meets, 1.0 / steps, z_bar
            )
            rates_bar += rates_term_bar
            meets_bar += meets_term_bar
        # total += 0.5 * np.sum((np.log(z) - pelts[year]) ** 2)
        z_bar += _sum_to(log_z - pelts[year], log_z.shape) / z

    q_bar = np.zeros_like(q)

    # rates, meets, z = sign * q[0:2], -sign * q[2:4], q[4:6]
    q_bar[4:6] += z_bar
    q_bar[2:4] -= _sum_to(meets_bar * sign, meets_term.shape)
    q_bar[0:2] += _sum_to(rates_bar * sign, rates_term.shape)
    p_bar = q_bar * q                # q = np.exp(p)
    return p_bar
