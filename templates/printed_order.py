"""Functions that right-hand sides of sorting and of quantiles call, printed where they are used."""

import numpy as np


def _sort_bar(y_bar, a, axis):
    """Return the adjoint of a in np.sort(a, axis)."""
    a_bar = np.zeros_like(a)
    np.put_along_axis(a_bar, np.argsort(a, axis=axis, kind="stable"), y_bar, axis)
    return a_bar


def _sort_dot(a, a_dot, axis):
    """Return the tangent of np.sort(a, axis)."""
    return np.take_along_axis(a_dot, np.argsort(a, axis=axis, kind="stable"), axis)


def _along_bar(y_bar, a, places, axis):
    """Return the adjoint of a in np.take_along_axis(a, places, axis)."""
    a_bar = np.zeros_like(a)
    where = list(np.ix_(*map(np.arange, np.shape(a))))
    where[axis] = places
    np.add.at(a_bar, tuple(where), y_bar)
    return a_bar


def _places_flat(a, places):
    """Return the subscript of what np.put(a, places, v) writes to."""
    places = np.add(np.asarray(places), 0)  # flags are positions, too
    return np.unravel_index(np.arange(np.size(a))[places], np.shape(a))


def _places_along(a, places, axis):
    """Return the subscript of what np.put_along_axis(a, places, v, axis) writes to."""
    where = list(np.ix_(*map(np.arange, np.shape(a))))
    where[axis] = places
    return tuple(where)


def _record_places(a, y, axis):
    """Return where each running extreme y of a was met first."""
    line = np.moveaxis(y, axis, 0)
    steps = np.reshape(np.arange(len(line)), (-1,) + (1,) * (np.ndim(line) - 1))
    again = np.concatenate((np.zeros_like(line[:1]), line[1:] == line[:-1]))
    return np.moveaxis(np.maximum.accumulate(steps * (again == 0)), 0, axis)


def _quantile_places(a, q):
    """Return which rows of a the q-quantile lies between, and how far along.

    nan come last; the rows are counted column by column.
    """
    order = np.argsort(a, axis=0, kind="stable")
    last = np.sum(~np.isnan(a), axis=0, keepdims=True) - 1
    lower = np.floor(q * last).astype(int)
    upper = np.minimum(lower + 1, last)
    along = q * last - lower
    lower = np.take_along_axis(order, lower, 0)
    return lower, np.take_along_axis(order, upper, 0), along


def _columns(a, axis):
    """Return a as a matrix, with the axes of a reduction put together as its rows."""
    axes = tuple(range(np.ndim(a))) if axis is None else axis
    axes = axes if isinstance(axes, tuple) else (axes,)
    moved = np.moveaxis(a, axes, tuple(range(len(axes))))
    rows = 1
    for each in axes:
        rows *= np.shape(a)[each]
    return np.reshape(moved, (rows, np.size(a) // rows))


def _uncolumned(columns, a, axis):
    """Undo _columns."""
    axes = tuple(range(np.ndim(a))) if axis is None else axis
    axes = axes if isinstance(axes, tuple) else (axes,)
    front = tuple(range(len(axes)))
    shape = np.shape(np.moveaxis(a, axes, front))
    return np.moveaxis(np.reshape(columns, shape), front, axes)


def _quantile_bar(y_bar, a, q, axis, keepdims):
    """Return the adjoint of a in np.quantile(a, q, axis)."""
    columns = _columns(a, axis)
    a_bar = np.zeros_like(columns)
    levels = np.ravel(np.asarray(q))
    every = np.reshape(np.asarray(y_bar), (levels.size, 1, columns.shape[1]))
    for each, g in zip(levels, every):
        lower, upper, along = _quantile_places(columns, each)
        below, above = (1.0 - along) * g, along * g
        a_bar += _along_bar(below.astype(a_bar.dtype), columns, lower, 0)
        a_bar += _along_bar(above.astype(a_bar.dtype), columns, upper, 0)
    return _uncolumned(a_bar, a, axis)


def _quantile_dot(a, a_dot, q, axis, keepdims):
    """Return the tangent of np.quantile(a, q, axis)."""
    columns = _columns(a, axis)
    dots = _columns(a_dot, axis)
    rows = []
    for each in np.ravel(np.asarray(q)):
        lower, upper, along = _quantile_places(columns, each)
        below = np.take_along_axis(dots, lower, 0)
        above = np.take_along_axis(dots, upper, 0)
        rows.append(((1.0 - along) * below + along * above).astype(dots.dtype))
    shape = np.shape(np.sum(a, axis=axis, keepdims=keepdims))
    return np.reshape(np.stack(rows), np.shape(q) + shape)


def _places_in(moved, a, axis):
    """Return where each element of a lies in moved, which holds the same."""
    ranks = np.argsort(np.argsort(a, axis=axis, kind="stable"), axis=axis)
    return np.take_along_axis(np.argsort(moved, axis=axis, kind="stable"), ranks, axis)


def _quantile_slope(a, q, axis, keepdims):
    """Return the derivative of np.quantile(a, q, axis) by q: the next step."""
    ranked = np.sort(_columns(a, axis), axis=0)
    last = len(ranked) - 1
    lower = min(int(q * last), max(last - 1, 0))
    rise = last * (ranked[min(lower + 1, last)] - ranked[lower])
    return np.reshape(rise, np.shape(np.sum(a, axis=axis, keepdims=keepdims)))
