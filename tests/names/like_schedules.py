"""Locals that are called like what the text of a schedule, or of a check, calls or is rid of."""

from __future__ import annotations

import numpy as np


def of_what_is_thrown_away(u, x):
    _ = x
    for _k in range(5):
        _ = np.sin(_) * x + 1.0
        if _ > 1.9:
            break
    return _**2 + u[0]


def of_a_while_that_throws_away(u, x):
    _ = x
    while _ < 5.0:
        _ = np.sin(_) * x + 1.2 + _
    return _**2 + u[0]


def of_what_a_schedule_calls(u, x):
    len, reversed, enumerate, math = x, x * 2.0, x * 3.0, x
    for v in u:
        len, reversed = reversed * v, len + enumerate
        enumerate = np.sin(enumerate + math)
        math = 0.5 * math + reversed
    return len * reversed + enumerate * math


def of_a_length(u, x):
    w = u * x
    len = 0
    for v in u:
        len += 1
        w[len - 1] *= v
        if w[len - 1] < -0.5:
            w = w[:] * 2.0
    return np.sum(w) * len


def of_the_functions_of_the_text(u, x):
    of_the_functions_of_the_text_grad = x
    of_the_functions_of_the_text_loop = u * x
    of_the_functions_of_the_text_step = 0.1
    for k in range(3):
        of_the_functions_of_the_text_loop = (
            np.sin(of_the_functions_of_the_text_loop) * of_the_functions_of_the_text_grad
        )
        of_the_functions_of_the_text_grad = (
            of_the_functions_of_the_text_grad * of_the_functions_of_the_text_loop[k]
            + of_the_functions_of_the_text_step
        )
    return of_the_functions_of_the_text_grad * np.sum(of_the_functions_of_the_text_loop)


def of_what_a_check_calls(u, x):
    isinstance, list, float = x, x, x
    for v in u:
        if v > isinstance:
            isinstance = isinstance * v
        else:
            float = float * v + list * isinstance
        list += float
    return isinstance * float + list
