"""Functions for lists, tuples and dictionaries that a right-hand side may call."""

import copy
from types import SimpleNamespace

import numpy as np


def _zeros_of(x, made=None):
    """Return zeros for what x holds, once for each array, in lists for lists."""
    made = {} if made is None else made
    if isinstance(x, np.ndarray):
        zeros = np.zeros(x.shape) if x.dtype.kind in "biu" else np.zeros_like(x)
        return made.setdefault(id(x), zeros)
    if isinstance(x, dict):
        return {key: _zeros_of(part, made) for key, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [_zeros_of(part, made) for part in x]
    if not hasattr(x, "__dict__") or isinstance(x, (type, type(np))):
        return 0.0
    parts = {key: _zeros_of(part, made) for key, part in vars(x).items()}
    return SimpleNamespace(**parts)


def _copied(x):
    """Return what x holds, arrays as copies, so that it is nobody else's."""
    if isinstance(x, dict):
        made = {key: _copied(part) for key, part in x.items()}
        return made if type(x) is dict else type(x)(made)
    if isinstance(x, (list, tuple)):
        parts = [_copied(part) for part in x]
        return _shaped_as(parts, x)
    return x.copy() if hasattr(x, "copy") else x


def _copied_beside(dot, x, made=None):
    """Return a copy of a tangent of x, in which arrays are one where they are in x."""
    made = {} if made is None else made
    if np.isscalar(x):
        return dot
    if id(x) in made:
        if isinstance(x, np.ndarray) and not np.array_equal(made[id(x)], dot):
            raise ValueError("an array that is given twice has two tangents")
        return made[id(x)]
    if isinstance(x, dict):
        copied = {key: _copied_beside(part, x[key], made) for key, part in dot.items()}
    elif isinstance(x, (list, tuple)):
        pairs = zip(dot, x, strict=True)
        parts = [_copied_beside(each, part, made) for each, part in pairs]
        whole = type(x)._make if hasattr(x, "_fields") else tuple
        copied = parts if isinstance(x, list) else whole(parts)
    else:
        copied = copy.deepcopy(dot)
        parts = {} if isinstance(x, np.ndarray) else getattr(dot, "__dict__", {})
        for name, part in parts.items():
            vars(copied)[name] = _copied_beside(part, getattr(x, name), made)
    made[id(x)] = copied
    return copied


def _plus(a, b):
    """Add two adjoints: numbers, arrays, or lists and dictionaries of them."""
    if isinstance(a, dict):
        return {key: _plus(part, b[key]) for key, part in a.items()}
    if isinstance(a, (list, tuple)):
        return [_plus(part, other) for part, other in zip(a, b, strict=True)]
    return a + b


def _with_fields(record, **fields):
    """Return an object like record with other fields."""
    made = copy.copy(record)
    for name, field in fields.items():
        object.__setattr__(made, name, field)
    return made


def _shaped_as(bars, like):
    """Return adjoints in the structure of what they belong to: tuples for tuples."""
    if isinstance(like, dict):
        return {key: _shaped_as(bars[key], part) for key, part in like.items()}
    if not isinstance(like, (list, tuple)):
        return bars
    parts = [_shaped_as(each, part) for each, part in zip(bars, like, strict=True)]
    if isinstance(like, list):
        return parts
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


def _sum_bar(y_bar, values):
    """Return what each of the values that were added up receives."""
    return [_sum_to(1.0 * y_bar, np.shape(value)) for value in values]


def _first_bar(y_bar, values, y):
    """Return y_bar for the first of the values that is y, and zero for the others."""
    bars = [0.0] * len(values)
    bars[values.index(y)] = y_bar
    return bars


def _first_of_tuples_bar(y_bar, values, y):
    """Return y_bar for the first of the tuples that is y, and zeros for the others."""
    bars = _zeros_of(values)
    bars[values.index(y)] = _copied(y_bar)
    return bars


def _rows(y_bar, parts):
    """Return what each part of an array that was made of a list receives."""
    if isinstance(parts, (list, tuple)):
        return [_rows(row, part) for row, part in zip(y_bar, parts, strict=True)]
    return np.copy(y_bar) if np.ndim(y_bar) > 0 else y_bar


def _stretches(y_bar, arrays, axis):
    """Return the stretch of y_bar that each of the joined arrays receives."""
    bars = []
    start = 0
    for array in arrays:
        stop = start + np.shape(array)[axis]
        bars.append(np.take(y_bar, np.arange(start, stop), axis=axis))
        start = stop
    return bars


def _repeated_bar(y_bar, values):
    """Return what each value of a list receives that was repeated."""
    bars = _zeros_of(values)
    for k, bar in enumerate(y_bar):
        bars[k % len(bars)] = _plus(bars[k % len(bars)], bar)
    return bars


def _order(values, key, reverse):
    """Return the positions of values in the order in which sorted() gives them."""
    keys = [value if key is None else key(value) for value in values]
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def _sorted_as(dots, values, key, reverse):
    """Return what belongs to each of the values, in the order of sorted(values)."""
    return [dots[k] for k in _order(values, key, reverse)]


def _unsorted(bars, values, key, reverse):
    """Return what each of the values receives from its place in sorted(values)."""
    out = [0.0] * len(bars)
    for k, bar in zip(_order(values, key, reverse), bars):
        out[k] = bar
    return out


def _integers():
    """Return an empty list of integers that takes eight bytes for each."""
    from array import array

    return array("q")


def _shadow_of(x):
    """Return zeros in place of the numbers that x holds, in places of their own."""
    if isinstance(x, dict):
        return {key: _shadow_of(part) for key, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [_shadow_of(part) for part in x]
    if isinstance(x, np.ndarray):
        return np.zeros(x.shape) if x.dtype.kind in "biu" else np.zeros_like(x)
    if isinstance(x, (float, int, np.generic)):
        return 0.0
    names = [*getattr(x, "__dict__", ()), *getattr(x, "__slots__", ())]
    if not names or isinstance(x, (type, type(np))):
        return None
    return SimpleNamespace(**{name: _shadow_of(getattr(x, name)) for name in names})


def _shadow_of_copy(x, shares=True, seen=None):
    """Return zeros for a deep copy of x; what is held twice has one shadow."""
    seen = {} if seen is None else seen
    if id(x) not in seen or (isinstance(x, np.ndarray) and not shares):
        made = _shadow_of(x)
        if isinstance(x, dict):
            made = {key: _shadow_of_copy(part, shares, seen) for key, part in x.items()}
        elif isinstance(x, (list, tuple)):
            made = [_shadow_of_copy(part, shares, seen) for part in x]
        elif isinstance(made, SimpleNamespace):
            for name in vars(made):
                setattr(made, name, _shadow_of_copy(getattr(x, name), shares, seen))
        seen[id(x)] = made
    return seen[id(x)]


def _add_shadow(total, part, seen=None):
    """Add what a shadow holds to another of the same structure, each part once."""
    seen = set() if seen is None else seen
    if total is None or id(part) in seen:
        return
    seen.add(id(part))
    if isinstance(total, np.ndarray):
        total += part
        return
    if isinstance(total, SimpleNamespace):
        total, part = vars(total), vars(part)
    # a key that was given to one of them after the copy is not in the other
    held = total.keys() & part.keys() if isinstance(total, dict) else range(len(total))
    for key in held:
        if isinstance(total[key], (float, np.generic)):
            total[key] += part[key]
        else:
            _add_shadow(total[key], part[key], seen)


def _add_seed(total, seed):
    """Add what a seed holds to the shadow of the result that it is built like."""
    if total is None or seed is None:
        return
    if isinstance(total, np.ndarray):
        total += seed
        return
    if isinstance(total, SimpleNamespace):
        total = vars(total)
        # of its class, which may have fewer fields than all that it might be of
        seed = {key: getattr(seed, key, None) for key in total}
    for key in total if isinstance(total, dict) else range(len(total)):
        if isinstance(total[key], (float, np.generic)) and seed[key] is not None:
            total[key] += seed[key]
        else:
            _add_seed(total[key], seed[key])


def _gradient_of(bar, x):
    """Return a shadow in the structure of what it is the gradient of."""
    if isinstance(x, dict):
        return {key: _gradient_of(bar[key], part) for key, part in x.items()}
    if isinstance(x, (list, tuple)):
        parts = [_gradient_of(each, part) for each, part in zip(bar, x, strict=True)]
        if isinstance(x, list):
            return parts
        return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    if isinstance(x, (np.ndarray, np.generic, float)):
        return bar
    if not isinstance(bar, SimpleNamespace):
        return x
    made = copy.copy(x)
    for name, part in vars(bar).items():
        object.__setattr__(made, name, _gradient_of(part, getattr(x, name)))
    return made
