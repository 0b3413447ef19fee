"""Functions that a right-hand side may call, printed into each file that uses them."""

import numpy as np


def _sum_to(x, shape):
    """Sum x over what broadcasting from this shape added or stretched."""
    extra = np.ndim(x) - len(shape)
    if extra == 0 and np.shape(x) == tuple(shape):
        return x
    added = tuple(range(extra))
    stretched = tuple(extra + i for i, n in enumerate(shape) if n == 1)
    total = np.sum(x, axis=added + stretched)
    if len(shape) == 0:
        return total
    return np.reshape(total, shape)


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


def _delete_bar(y_bar, arr, obj, axis):
    """Return the adjoint of arr in np.delete(arr, obj, axis)."""
    places = np.arange(np.size(arr) if axis is None else np.shape(arr)[axis])
    return _take_bar(y_bar, arr, np.delete(places, obj), axis)


def _dot_bar_a(y_bar, a, b):
    """Return the adjoint of a in np.dot(a, b), whatever the ranks."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _sum_to(y_bar * b, np.shape(a))
    if np.ndim(b) == 1:
        return y_bar * b if np.ndim(a) == 1 else np.tensordot(y_bar, b, axes=0)
    return np.tensordot(y_bar, np.moveaxis(b, -2, -1), axes=np.ndim(b) - 1)


def _dot_bar_b(y_bar, a, b):
    """Return the adjoint of b in np.dot(a, b), whatever the ranks."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _sum_to(y_bar * a, np.shape(b))
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    rows = list(range(np.ndim(a) - 1))
    back = np.tensordot(a, y_bar, axes=(rows, rows))
    return back if np.ndim(b) == 1 else np.moveaxis(back, 0, -2)


def _matmul_bar_a(y_bar, a, b):
    """Return the adjoint of a in a @ b, whatever the ranks."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * b
    if np.ndim(b) == 1:
        back = np.expand_dims(y_bar, -1) * b
    elif np.ndim(a) == 1:
        back = np.sum(np.expand_dims(y_bar, -2) * b, axis=-1)
    else:
        back = np.matmul(y_bar, np.swapaxes(b, -1, -2))
    return _sum_to(back, np.shape(a))


def _matmul_bar_b(y_bar, a, b):
    """Return the adjoint of b in a @ b, whatever the ranks."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    if np.ndim(a) == 1:
        back = np.expand_dims(a, -1) * np.expand_dims(y_bar, -2)
    elif np.ndim(b) == 1:
        back = np.expand_dims(y_bar, -1) * a
    else:
        back = np.matmul(np.swapaxes(a, -1, -2), y_bar)
    return _sum_to(back, np.shape(b))


def _axes_pair(a, b, axes):
    """Return the axes of a and b that np.tensordot sums over, and those it keeps."""
    if isinstance(axes, int):
        axes = range(np.ndim(a) - axes, np.ndim(a)), range(axes)
    of_a, of_b = ([n] if isinstance(n, int) else list(n) for n in axes)
    of_a = [n % np.ndim(a) for n in of_a]
    of_b = [n % np.ndim(b) for n in of_b]
    rest_a = [n for n in range(np.ndim(a)) if n not in of_a]
    rest_b = [n for n in range(np.ndim(b)) if n not in of_b]
    return of_a, of_b, rest_a, rest_b


def _tensordot_bar_a(y_bar, a, b, axes):
    """Return the adjoint of a in np.tensordot(a, b, axes)."""
    of_a, of_b, rest_a, rest_b = _axes_pair(a, b, axes)
    last = list(range(len(rest_a), np.ndim(y_bar)))
    back = np.tensordot(y_bar, b, axes=(last, rest_b))
    order = rest_a + [of_a[n] for n in np.argsort(of_b)]
    return np.transpose(back, np.argsort(order))


def _tensordot_bar_b(y_bar, a, b, axes):
    """Return the adjoint of b in np.tensordot(a, b, axes)."""
    of_a, of_b, rest_a, rest_b = _axes_pair(a, b, axes)
    first = list(range(len(rest_a)))
    back = np.tensordot(a, y_bar, axes=(rest_a, first))
    order = [of_b[n] for n in np.argsort(of_a)] + rest_b
    return np.transpose(back, np.argsort(order))


def _kron_blocks(y_bar, a, b):
    """Return y_bar of np.kron(a, b) with the axes of a first and those of b last."""
    rank = max(np.ndim(a), np.ndim(b))
    rows = (1,) * (rank - np.ndim(a)) + np.shape(a)
    columns = (1,) * (rank - np.ndim(b)) + np.shape(b)
    split = np.reshape(y_bar, [n for pair in zip(rows, columns) for n in pair])
    blocks = np.transpose(split, [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)])
    return np.reshape(blocks, np.shape(a) + np.shape(b))


def _kron_bar_a(y_bar, a, b):
    """Return the adjoint of a in np.kron(a, b)."""
    return np.tensordot(_kron_blocks(y_bar, a, b), b, axes=np.ndim(b))


def _kron_bar_b(y_bar, a, b):
    """Return the adjoint of b in np.kron(a, b)."""
    return np.tensordot(a, _kron_blocks(y_bar, a, b), axes=np.ndim(a))


def _convolve_whole(y_bar, a, v, mode):
    """Return the adjoint of the full convolution, of which mode keeps the middle."""
    shorter = min(len(a), len(v))
    before = shorter - 1 if mode == "valid" else (shorter - 1) // 2
    return np.pad(y_bar, (before, len(a) + len(v) - 1 - before - len(y_bar)))


def _correlate_whole(y_bar, a, v):
    """Return the adjoint of the full correlation, of which y_bar is the middle."""
    if len(a) >= len(v):
        return _convolve_whole(y_bar, a, v, "same")
    return _convolve_whole(y_bar[::-1], v, a, "same")[::-1]


def _correlate_bar_a(y_bar, a, v):
    """Return the adjoint of a in np.correlate(a, v), swapped where v is longer."""
    if len(a) >= len(v):
        return np.convolve(y_bar, v)
    return np.correlate(v, y_bar[::-1])


def _correlate_bar_v(y_bar, a, v):
    """Return the adjoint of v in np.correlate(a, v), swapped where v is longer."""
    if len(a) >= len(v):
        return np.correlate(a, y_bar)
    return np.convolve(y_bar[::-1], a)


def _inner_bar_a(y_bar, a, b):
    """Return the adjoint of a in np.inner(a, b), whatever the ranks."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _sum_to(y_bar * b, np.shape(a))
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * b
    return np.tensordot(y_bar, b, axes=np.ndim(b) - 1)


def _inner_bar_b(y_bar, a, b):
    """Return the adjoint of b in np.inner(a, b), whatever the ranks."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _sum_to(y_bar * a, np.shape(b))
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    rows = list(range(np.ndim(a) - 1))
    return np.tensordot(y_bar, a, axes=(rows, rows))


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
    hit = a == np.max(a, axis=axis, keepdims=True)
    return hit / np.sum(hit, axis=axis, keepdims=True, dtype=np.result_type(a))


def _others(a, axis):
    """Return, for each element of a, the product of the others along axis."""
    if axis is None:
        return np.reshape(_others(np.ravel(a), 0), np.shape(a))
    line = np.moveaxis(a, axis, 0)
    before = np.ones_like(line)
    after = np.ones_like(line)
    for i in range(1, len(line)):
        before[i] = before[i - 1] * line[i - 1]
        after[-1 - i] = after[-i] * line[-i]
    return np.moveaxis(before * after, 0, axis)


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
    where = list(np.indices(np.shape(places), sparse=True))
    where[axis] = places
    np.add.at(a_bar, tuple(where), y_bar)
    return a_bar


def _put_bar(y_bar, places):
    """Return what y_bar is before it was taken in the order of these places."""
    a_bar = np.zeros_like(y_bar)
    a_bar[places] = y_bar
    return a_bar


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
    every = np.reshape(y_bar, (np.size(q), 1, columns.shape[1]))
    for each, g in zip(np.ravel(q), every):
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
    for each in np.ravel(q):
        lower, upper, along = _quantile_places(columns, each)
        below = np.take_along_axis(dots, lower, 0)
        above = np.take_along_axis(dots, upper, 0)
        rows.append(((1.0 - along) * below + along * above).astype(dots.dtype))
    shape = np.shape(np.sum(a, axis=axis, keepdims=keepdims))
    return np.reshape(np.stack(rows), np.shape(q) + shape)


def _pad_bar(y_bar, array, pad_width):
    """Return the adjoint of array in np.pad(array, pad_width) with a constant."""
    before = np.broadcast_to(pad_width, (np.ndim(array), 2))[:, 0]
    return y_bar[tuple(slice(i, i + n) for i, n in zip(before, np.shape(array)))]


def _trapezoid_weights(x):
    """Return what each of the values at x counts for in np.trapezoid."""
    steps = np.diff(x)
    return 0.5 * (np.pad(steps, (0, 1)) + np.pad(steps, (1, 0)))


def _interp_place(x, xp):
    """Return between which points np.interp finds x, and how far along."""
    i = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    along = (x - xp[i]) / (xp[i + 1] - xp[i])
    return i, np.clip(along, 0.0, 1.0)


def _interp_slope(x, xp, fp):
    """Return the derivative of np.interp(x, xp, fp) in x; 0 beyond the ends."""
    i, _ = _interp_place(x, xp)
    inside = (x >= xp[0]) & (x <= xp[-1])
    return inside * (fp[i + 1] - fp[i]) / (xp[i + 1] - xp[i])


def _interp_spread(y_bar, x, xp):
    """Return what each point of np.interp receives from y_bar."""
    i, along = _interp_place(x, xp)
    lower = _take_bar((1.0 - along) * y_bar, xp, i, 0)
    return lower + _take_bar(along * y_bar, xp, i + 1, 0)


def _interp_moved(v, x, xp):
    """Return the tangent of what the points of np.interp receive, for a moving x."""
    i, _ = _interp_place(x, xp)
    inside = (x >= xp[0]) & (x <= xp[-1])
    rate = inside * v / (xp[i + 1] - xp[i])
    return _take_bar(rate, xp, i + 1, 0) - _take_bar(rate, xp, i, 0)


def _interp_dot(x, xp, point_dot):
    """Return the tangent of np.interp for tangents at its points."""
    i, along = _interp_place(x, xp)
    return (1.0 - along) * point_dot[i] + along * point_dot[i + 1]


def _diff_bar(y_bar, a, axis):
    """Return the adjoint of a in np.diff(a, axis=axis)."""
    back = np.moveaxis(y_bar, axis, 0)
    out = np.moveaxis(np.zeros_like(a), axis, 0)
    out[1:] += back
    out[:-1] -= back
    return np.moveaxis(out, 0, axis)


def _gradient_bar(y_bar, f, steps, axis, edge_order):
    """Return the adjoint of f in np.gradient, with one step or all of them."""
    back = np.moveaxis(y_bar, axis, 0)
    f_bar = np.moveaxis(np.zeros_like(f), axis, 0)
    steps = steps * np.ones(len(back) - 1, f.dtype)
    h = np.reshape(steps, (-1,) + (1,) * (np.ndim(f) - 1))
    a, b, whole = h[:-1], h[1:], h[:-1] + h[1:]
    f_bar[:-2] -= b / (a * whole) * back[1:-1]
    f_bar[1:-1] += (b - a) / (a * b) * back[1:-1]
    f_bar[2:] += a / (b * whole) * back[1:-1]
    f_bar[0] -= back[0] / h[0]
    f_bar[1] += back[0] / h[0]
    f_bar[-2] -= back[-1] / h[-1]
    f_bar[-1] += back[-1] / h[-1]
    if edge_order == 2:
        # each end lies on a parabola: it bends by the second difference
        first, last = back[0] * h[0] / whole[0], back[-1] * h[-1] / whole[-1]
        f_bar[0] -= first / h[0]
        f_bar[1] += first / h[0] + first / h[1]
        f_bar[2] -= first / h[1]
        f_bar[-3] += last / h[-2]
        f_bar[-2] -= last / h[-2] + last / h[-1]
        f_bar[-1] += last / h[-1]
    return np.moveaxis(f_bar, 0, axis)


def _reduceat_bar(y_bar, array, indices):
    """Return the adjoint of array in np.add.reduceat(array, indices)."""
    array_bar = np.zeros_like(array)
    for i in range(len(indices)):
        stop = indices[i + 1] if i + 1 < len(indices) else len(array)
        array_bar[indices[i] : max(stop, indices[i] + 1)] += y_bar[i]
    return array_bar


def _diffs_bar(y_bar, a, n, axis):
    """Return the adjoint of a in np.diff(a, n, axis)."""
    n = min(n, np.shape(a)[axis])
    back = np.moveaxis(y_bar, axis, 0)
    for _ in range(n):
        ends = np.zeros_like(back, shape=(1, *back.shape[1:]))
        back = np.concatenate((ends, back)) - np.concatenate((back, ends))
    return np.moveaxis(back, 0, axis)


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
    reps = reps if isinstance(reps, tuple) else (reps,)
    rank = max(len(reps), len(shape))
    reps = (1,) * (rank - len(reps)) + reps
    sizes = (1,) * (rank - len(shape)) + shape
    split = np.reshape(y_bar, [n for pair in zip(reps, sizes) for n in pair])
    return np.reshape(np.sum(split, axis=tuple(range(0, 2 * rank, 2))), shape)


def _diag_bar(y_bar, v, k):
    """Return the adjoint of v in np.diag(v, k), of stacks in np.diagonal(v, k)."""
    if np.ndim(v) == 1:
        return np.diag(y_bar, k)
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
    return filt_dot[start : start + len(np.trim_zeros(filt, trim))]


def _outer(a, b):
    """Return the sum of the outer products of the columns of a and b."""
    return np.outer(a, b) if np.ndim(a) == 1 else np.dot(a, b.T)


def _take_bar(y_bar, a, indices, axis):
    """Return the adjoint of a in np.take(a, indices, axis)."""
    a_bar = np.zeros_like(a)
    if axis is None:
        np.add.at(a_bar.reshape(-1), indices, y_bar)
    else:
        lead = (slice(None),) * (axis % np.ndim(a))
        np.add.at(a_bar, lead + (indices,), y_bar)
    return a_bar
