"""Flows: adjoints by the adjoint equation, tangents by the variational one.

y = odeint(f, y0, t, args=(k,))    backwards in time    l' = -l df/dy    k_bar' = -l df/dk

`back` and `ahead` solve these. Both are differentiated again as a flow of state and tangent:
z = (y, m)      z' = (f(y, k), f_y m + f_k k_dot)      m is the tangent of y along m(0) and k_dot
"""

import numpy as np

from s2sad.scipy.primitives import ahead, back, paired, results, tangent_half, with_tangent

# mypy: ignore-errors


def flow_reverse(f, y0, times, *args, y, y_bar):
    """Pull y_bar back through the states of a flow, by the adjoint equation."""
    return results(back(f, y0, times, args, y_bar))


def flow_forward(f, y0, times, *args, y, dots):
    """Tangent of the states of a flow, by the variational equation."""
    return ahead(f, y0, times, args, dots)


def state_and_tangent(push, t, both, args, dots, state_first):
    """Return the slopes of state and tangent, one after the other."""
    y, y_dot = np.split(both, 2)
    if state_first:
        slope, slope_dot = push(y, t, *args, y_dot, *dots)
    else:
        slope, slope_dot = push(t, y, *args, y_dot, *dots)
    return np.concatenate([np.ravel(np.array(slope)), np.ravel(np.array(slope_dot))])


def back_reverse(f, y0, times, *args, y_bar, seeds):
    """Pull adjoints back through what the adjoint equation gives."""
    count = len(seeds)
    y_bar_bar = ahead(f, y0, times, args, seeds)
    start = np.concatenate([y0, seeds[0]])
    weights = paired(f, np.zeros_like(y_bar), y_bar)
    both = back(with_tangent(f), start, times, (*args, *seeds[1:]), weights)
    return (np.split(both[0], 2)[0], *both[1:count], y_bar_bar)


def back_forward(f, y0, times, *args, y_bar, dots):
    """Tangent of what the adjoint equation gives."""
    count = len(dots) - 1
    start = np.concatenate([y0, dots[0]])
    weights = paired(f, dots[count], y_bar)
    both = back(with_tangent(f), start, times, (*args, *dots[1:count]), weights)
    return results((np.split(both[0], 2)[0], *both[1:count]))


def ahead_reverse(f, y0, times, *args, y0_dot, arg_dots, y, y_bar):
    """Pull y_bar back through what the variational equation gives."""
    count = len(arg_dots) + 1
    start = np.concatenate([y0, y0_dot])
    weights = paired(f, np.zeros_like(y_bar), y_bar)
    both = back(with_tangent(f), start, times, (*args, *arg_dots), weights)
    first, second = np.split(both[0], 2)
    return (first, *both[1:count], second, *both[count:])


def ahead_forward(f, y0, times, *args, y0_dot, arg_dots, y, dots):
    """Tangent of what the variational equation gives."""
    count = len(arg_dots) + 1
    start = np.concatenate([y0, y0_dot])
    start_dot = np.concatenate([dots[0], dots[count]])
    rest = (*dots[1:count], *dots[count + 1 :])
    both = ahead(with_tangent(f), start, times, (*args, *arg_dots), (start_dot, *rest))
    return tangent_half(f, both)
