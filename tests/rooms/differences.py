"""Gradients judged by Richardson differences of the primal."""

import copy

import numpy as np


def fresh(args):
    """Return copies of arguments."""
    return [copy.deepcopy(a) if not np.isscalar(a) else a for a in args]


def leaves(value, path=()):
    """Yield the path of each float or float array that an argument holds."""
    if isinstance(value, float | np.floating):
        yield path
    elif isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            yield path
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list | tuple):
        for key, part in enumerate(value):
            yield from leaves(part, (*path, key))
    elif is_object(value):
        for key in names(value):
            yield from leaves(getattr(value, key), (*path, "." + key))


def is_object(value):
    """Tell whether a value is an object with fields."""
    return bool(names(value)) and not callable(value) and not isinstance(value, str | int | complex)


def names(value):
    """Return the names of the fields of an object."""
    found = [*getattr(value, "__dict__", ()), *getattr(value, "__slots__", ())]
    return [name for name in found if hasattr(value, name)]


def part(value, path):
    """Return the part of a value at a path."""
    for key in path:
        is_field = isinstance(key, str) and not isinstance(value, dict)
        value = getattr(value, key[1:]) if is_field else value[key]
    return value


def with_part(value, path, new):
    """Return a copy of a value with another part at a path."""
    if not path:
        return new
    key, rest = path[0], path[1:]
    inner = with_part(part(value, (key,)), rest, new)
    if isinstance(value, tuple):
        parts = [inner if k == key else each for k, each in enumerate(value)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    made = copy.copy(value)
    if isinstance(value, list | dict):
        made[key] = inner
    else:
        object.__setattr__(made, key[1:], inner)
    return made


def differences(f, args, k, h, path=()):
    """Return the gradient of f by a part of its k-th argument, by differences of three steps."""
    a = np.asarray(part(args[k], path), float)
    out = np.zeros(a.shape)
    for i in np.ndindex(a.shape):

        def at(step, i=i):
            b = a.copy()
            b[i] += step
            z = fresh(args)
            z[k] = with_part(z[k], path, b if a.shape else float(b))
            return float(f(*z))

        def slope(step, at=at):
            return (at(step) - at(-step)) / (2 * step)

        out[i] = (64 * slope(h / 4) - 20 * slope(h / 2) + slope(h)) / 45
    return out


def jumps(f, args):
    """Tell whether a function jumps where it is: a test of two values equal up to rounding.

    Such a function has no derivative there, and differences of any step may go over the jump.
    """
    random = np.random.default_rng(0)
    here = f(*fresh(args))
    for _ in range(20):
        beside = [a + 1e-13 * random.standard_normal(np.shape(a)) for a in args]
        if abs(f(*beside) - here) > 1e-8 * max(1.0, abs(here)):
            return True
    return False


def judge(f, args, wrt, run):
    """Return right or wrong, and the error; a kink within the step is tried with a smaller one."""
    for h in (1e-3, 1e-5):
        found, why = judged_at(f, args, wrt, run, h)
        if found == "right":
            break
    return found, why


def judged_at(f, args, wrt, run, h):
    got = run(*fresh(args))
    got = got if len(wrt) > 1 else (got,)
    worst = 0.0
    for k, whole in zip(wrt, got, strict=True):
        if type(whole) is not type(args[k]) and not np.isscalar(args[k]):
            return "wrong", f"{type(whole).__name__} for {type(args[k]).__name__}"
        for path in leaves(args[k]):
            g = part(whole, path)
            want = differences(f, args, k, h, path)
            if np.shape(g) != np.shape(want):
                return "wrong", f"shape {np.shape(g)} for {np.shape(want)}"
            scale = max(1.0, np.abs(want).max(initial=0.0))
            error = np.abs(g - want).max(initial=0.0) / scale
            worst = max(worst, error if np.isfinite(error) else np.inf)
    return ("right" if worst < 1e-6 + 2e-11 / h else "wrong"), f"{worst:.1e}"
