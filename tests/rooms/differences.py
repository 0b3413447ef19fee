"""Gradients judged by Richardson differences of the primal."""

import numpy as np


def fresh(args):
    """Return copies of arguments."""
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


def differences(f, args, k, h):
    """Return the gradient of f by its k-th argument, by differences of three steps."""
    a = np.asarray(args[k], float)
    out = np.zeros(a.shape)
    for i in np.ndindex(a.shape):

        def at(step, i=i):
            b = a.copy()
            b[i] += step
            z = fresh(args)
            z[k] = b if a.shape else float(b)
            return float(f(*z))

        def slope(step, at=at):
            return (at(step) - at(-step)) / (2 * step)

        out[i] = (64 * slope(h / 4) - 20 * slope(h / 2) + slope(h)) / 45
    return out


def judge(f, args, wrt, run):
    """Return right or wrong, and the error; a kink within the step is tried with a smaller one."""
    for h in (1e-3, 1e-5):
        found, why = judged_at(f, args, wrt, run, h)
        if found == "right":
            break
    return found, why


def judged_at(f, args, wrt, run, h):
    got = run(*fresh(args))
    got = got if isinstance(got, tuple) else (got,)
    worst = 0.0
    for k, g in zip(wrt, got, strict=True):
        want = differences(f, args, k, h)
        if np.shape(g) != np.shape(want):
            return "wrong", f"shape {np.shape(g)} for {np.shape(want)}"
        scale = max(1.0, np.abs(want).max(initial=0.0))
        error = np.abs(g - want).max(initial=0.0) / scale
        worst = max(worst, error if np.isfinite(error) else np.inf)
    return ("right" if worst < 1e-6 + 2e-11 / h else "wrong"), f"{worst:.1e}"
