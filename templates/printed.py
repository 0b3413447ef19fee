"""Functions that a right-hand side may call, printed into each file that uses them."""

import numpy as np


def _sum_to(x, shape):
    """Sum x over what broadcasting from this shape added or stretched."""
    axes = tuple(i for i in range(-np.ndim(x), 0) if i < -len(shape) or shape[i] == 1)
    return np.reshape(np.sum(x, axis=axes) if axes else x, shape)[()]


def _written_last(shape, key):
    """Return where x[key] = y keeps what it writes: of equal positions the last."""
    order = np.zeros(shape, dtype=int)
    count = np.arange(np.size(order[key])).reshape(np.shape(order[key]))
    order[key] = count
    return order[key] == count


def _sinc_slope(x):
    """Return the derivative of np.sinc at x, by its series where |pi x| < 0.5."""
    u = np.pi * x
    small = np.abs(u) < 0.5
    far = np.where(small, 1.0, u)
    w = u * u
    tail = 1.0 / 3991680.0 - w * (1.0 / 518918400.0 - w / 93405312000.0)
    tail = 1.0 / 30.0 - w * (1.0 / 840.0 - w * (1.0 / 45360.0 - w * tail))
    near = u * (w * tail - 1.0 / 3.0)
    away = (far * np.cos(far) - np.sin(far)) / (far * far)
    return np.pi * np.where(small, near, away)


def _i1(x):
    """Return the derivative of np.i0, the Bessel function I1: a mean over angles."""
    half = np.pi / (20.0 + np.ceil(5.0 * np.sqrt(np.max(np.abs(x), initial=0.0))))
    angle = np.arange(0.5 * half, np.pi, half, dtype=np.result_type(x))
    along = np.cos(angle)
    return np.mean(along * np.sinh(np.multiply.outer(x, along)), axis=-1)


def _kaiser_slope(window, beta):
    """Return the derivative of window = np.kaiser(len(window), beta) in beta."""
    middle = 0.5 * (len(window) - 1)
    along = np.sqrt(1.0 - ((np.arange(len(window)) - middle) / max(middle, 0.5)) ** 2)
    return (along * _i1(beta * along) - window * _i1(beta)) / np.i0(beta)


def _delete_bar(y_bar, arr, obj, axis):
    """Return the adjoint of arr in np.delete(arr, obj, axis)."""
    places = np.arange(np.size(arr) if axis is None else np.shape(arr)[axis])
    return _take_bar(y_bar, arr, np.delete(places, obj), axis)


def _insert_places(y, arr, obj, axis):
    """Return where np.insert puts what arr holds along an axis, and what is new."""
    before = np.size(arr) if axis is None else np.shape(arr)[axis]
    count = (np.size(y) if axis is None else np.shape(y)[axis]) - before
    told = np.insert(np.zeros(before, int), obj, np.arange(1, count + 1))
    at = np.argsort(told, kind="stable")
    return at[:before], at[before:]


def _insert_bar(y_bar, arr, obj, axis):
    """Return the adjoint of what np.insert puts into arr, not summed to its shape."""
    new = np.take(y_bar, _insert_places(y_bar, arr, obj, axis)[1], axis)
    return np.moveaxis(new, axis, 0) if np.ndim(obj) == 0 else new


def _centred(a, axis):
    """Return a less its mean along axis, 0 where it is nan."""
    return np.where(np.isnan(a), 0.0, a - np.nanmean(a, axis=axis, keepdims=True))


def _expand(y_bar, a, axis, keepdims):
    """Give y_bar the shape of a, along the axes that a reduction of a took away."""
    if not keepdims:
        axes = tuple(range(np.ndim(a))) if axis is None else axis
        y_bar = np.expand_dims(y_bar, axes)
    return np.full_like(a, y_bar)


def _count(a, axis):
    """Return how many elements of a a reduction along axis puts together."""
    if axis is None:
        return np.size(a)
    count = 1
    for each in axis if isinstance(axis, tuple) else (axis,):
        count *= np.shape(a)[each]
    return count


def _highest(a, axis):
    """Return what each element of a is of its maximum: equal ones share."""
    hit = a == np.max(a, axis=axis, keepdims=True, initial=-np.inf)
    return hit / np.sum(hit, axis=axis, keepdims=True, dtype=np.result_type(a))


def _others(a, axis):
    """Return, for each element of a, the product of the others along axis."""
    if axis is None:
        return np.reshape(_others(np.ravel(a), 0), np.shape(a))
    line = np.moveaxis(a, axis, 0)
    one = np.ones_like(line[:1])
    before = np.cumprod(np.concatenate((one, line[:-1])), axis=0)
    after = np.cumprod(np.concatenate((one, line[:0:-1])), axis=0)[::-1]
    return np.moveaxis(before * after, 0, axis)


def _others_of_axes(a, axis):
    """Return, for each element of a, the product of the others along several axes."""
    whole = range(np.ndim(a)) if axis is None else axis
    axes = (whole,) if isinstance(whole, int) else whole
    places = range(len(axes))
    front = np.moveaxis(a, axes, places)
    others = _others(np.reshape(front, (-1, *front.shape[len(axes) :])), 0)
    return np.moveaxis(np.reshape(others, front.shape), places, axes)


def _cumprod_bar(y_bar, a, y, axis):
    """Return the adjoint of a in y = np.cumprod(a, axis), zeros in a included."""
    if axis is None:
        flat = _cumprod_bar(y_bar, np.ravel(a), y, 0)
        return np.reshape(flat, np.shape(a))
    line = np.moveaxis(a, axis, 0)
    value = np.moveaxis(y, axis, 0)
    back = np.moveaxis(y_bar, axis, 0)
    out = np.zeros_like(line)
    carry = np.zeros_like(line[:1])[0] if len(line) else 0.0
    for i in reversed(range(len(line))):
        carry = carry + back[i]
        out[i] = carry * value[i - 1] if i > 0 else carry
        carry = carry * line[i]
    return np.moveaxis(out, 0, axis)


def _cumprod_dot(a, a_dot, axis):
    """Return the tangent of np.cumprod(a, axis)."""
    if axis is None:
        return _cumprod_dot(np.ravel(a), np.ravel(a_dot), 0)
    line = np.moveaxis(a, axis, 0)
    dot = np.moveaxis(a_dot, axis, 0)
    value = np.cumprod(line, axis=0)
    out = np.zeros_like(value)
    for i in range(len(line)):
        out[i] = out[i - 1] * line[i] + value[i - 1] * dot[i] if i > 0 else dot[i]
    return np.moveaxis(out, 0, axis)


def _put_bar(y_bar, places):
    """Return what y_bar is before it was taken in the order of these places."""
    a_bar = np.zeros_like(y_bar)
    a_bar[places] = y_bar
    return a_bar


def _outer(a, b):
    """Return the sum of the outer products of the columns of a and b."""
    return np.outer(a, b) if np.ndim(a) == 1 else np.dot(a, b.T)


def _take_bar(y_bar, a, indices, axis):
    """Return the adjoint of a in np.take(a, indices, axis)."""
    a_bar = np.zeros_like(a, order="C")
    if axis is None:
        np.add.at(a_bar.reshape(-1), indices, y_bar)
    else:
        lead = (slice(None),) * (axis % np.ndim(a))
        np.add.at(a_bar, lead + (indices,), y_bar)
    return a_bar


def _choose_bar(y_bar, a, choices):
    """Return the adjoint of choices in np.choose(a, choices)."""
    rows = [np.where(a == k, y_bar, 0.0) for k in range(len(choices))]
    return np.stack([_sum_to(row, np.shape(choices)[1:]) for row in rows])


def _are_real(x, kinds="biufU"):
    """Tell whether x is a real number, a word, a plain array or a list of these."""
    if type(x) is np.ndarray or np.isscalar(x):
        return np.asarray(x).dtype.kind in kinds
    return type(x) in (list, tuple) and all(_are_real(each, kinds) for each in x)


def _kind_of(x):
    """Return the kind of numbers of an array or list; "" of one of uneven arrays."""
    try:
        return np.asarray(x).dtype.kind
    except ValueError:
        return ""
