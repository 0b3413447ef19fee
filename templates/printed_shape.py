"""Functions that right-hand sides of reshaping call, printed where they are used."""

import numpy as np


def _pad_bar(y_bar, array, pad_width):
    """Return the adjoint of array in np.pad(array, pad_width) with a constant."""
    before = np.broadcast_to(np.asarray(pad_width), (np.ndim(array), 2))[:, 0]
    inside = tuple(slice(i, i + n) for i, n in zip(before, np.shape(array)))
    return y_bar[inside].copy()


def _repeat_bar(y_bar, a, repeats, axis):
    """Return the adjoint of a in np.repeat(a, repeats, axis), of one number."""
    shape = np.shape(a)
    if axis is None:
        rows = np.reshape(y_bar, (np.size(a), repeats))
        return np.reshape(np.sum(rows, axis=1), shape)
    axis = axis % len(shape)
    split = np.reshape(y_bar, shape[: axis + 1] + (repeats,) + shape[axis + 1 :])
    return np.sum(split, axis=axis + 1)


def _repeat_places(a, repeats, axis):
    """Return which element along axis each of np.repeat(a, repeats, axis) is."""
    count = np.size(a) if axis is None else np.shape(a)[axis]
    return np.repeat(np.arange(count), repeats)


def _tile_bar(y_bar, shape, reps):
    """Return the adjoint of what np.tile repeated `reps` times from this shape."""
    reps = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    rank = max(len(reps), len(shape))
    reps = (1,) * (rank - len(reps)) + reps
    sizes = (1,) * (rank - len(shape)) + shape
    split = np.reshape(y_bar, [n for pair in zip(reps, sizes) for n in pair])
    return np.reshape(np.sum(split, axis=tuple(range(0, 2 * rank, 2))), shape)


def _diag_bar(y_bar, v, k):
    """Return the adjoint of v in np.diag(v, k), of stacks in np.diagonal(v, k)."""
    if np.ndim(v) == 1:
        return np.diag(y_bar, k).copy()
    v_bar = np.zeros_like(v)
    i = np.arange(np.shape(y_bar)[-1])
    v_bar[i + max(0, -k), i + max(0, k)] = np.moveaxis(y_bar, -1, 0)
    return v_bar


def _diagonal_bar(y_bar, a, offset, axis1, axis2):
    """Return the adjoint of a in np.diagonal(a, offset, axis1, axis2)."""
    a_bar = np.zeros_like(a)
    moved = np.moveaxis(a_bar, (axis1, axis2), (0, 1))
    i = np.arange(np.shape(y_bar)[-1])
    moved[i + max(0, -offset), i + max(0, offset)] = np.moveaxis(y_bar, -1, 0)
    return a_bar


def _trace_bar(y_bar, a, offset, axis1, axis2):
    """Return the adjoint of a in np.trace(a, offset, axis1, axis2)."""
    a_bar = np.zeros_like(a)
    moved = np.moveaxis(a_bar, (axis1, axis2), (0, 1))
    i = np.arange(np.shape(np.diagonal(a, offset, axis1, axis2))[-1])
    moved[i + max(0, -offset), i + max(0, offset)] = y_bar
    return a_bar


def _trim_bar(y_bar, filt, trim):
    """Return the adjoint of filt in np.trim_zeros(filt, trim)."""
    start = np.argmax(filt != 0.0) if "f" in trim.lower() else 0
    return np.pad(y_bar, (start, len(filt) - start - len(y_bar)))


def _trim_dot(filt, filt_dot, trim):
    """Return the tangent of np.trim_zeros(filt, trim)."""
    start = np.argmax(filt != 0.0) if "f" in trim.lower() else 0
    return filt_dot[start : start + len(np.trim_zeros(filt, trim))].copy()


def _cast_bar(y_bar, a, y):
    """Return the adjoint of a in y = a.astype(dtype): 0 through whole numbers."""
    if y.dtype.kind in "biu":
        return np.zeros(np.shape(a))
    if y.dtype.kind != "f":
        raise TypeError("made for a dtype of floats")
    return np.array(y_bar, np.result_type(a))


def _cast_dot(a_dot, y):
    """Return the tangent of y = a.astype(dtype): 0 of whole numbers."""
    if y.dtype.kind in "biu":
        return np.zeros(y.shape)
    if y.dtype.kind != "f":
        raise TypeError("made for a dtype of floats")
    return np.array(a_dot, y.dtype)
