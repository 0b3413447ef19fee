"""Functions that right-hand sides of products call; what a derivative uses is printed in its file."""

import numpy as np


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
    if np.ndim(b) == 1:
        return np.expand_dims(y_bar, -1) * b
    rows = np.expand_dims(y_bar, -2) if np.ndim(a) == 1 else y_bar
    return _sum_to(rows @ np.swapaxes(b, -1, -2), np.shape(a))


def _matmul_bar_b(y_bar, a, b):
    """Return the adjoint of b in a @ b, whatever the ranks."""
    if np.ndim(b) == 1:
        return np.tensordot(y_bar, a, np.ndim(y_bar))
    rows = np.expand_dims(y_bar, -2) if np.ndim(a) == 1 else y_bar
    return _sum_to(np.swapaxes(np.atleast_2d(a), -1, -2) @ rows, np.shape(b))


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
    if mode in ("full", 2):
        before = 0
    else:
        before = shorter - 1 if mode in ("valid", 0) else (shorter - 1) // 2
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


def _cross_bar(y_bar, b, a):
    """Return the adjoint of a in np.cross(a, b) of vectors of two or three elements."""
    if np.shape(a)[-1] == np.shape(b)[-1] == 2:
        turned = np.stack((np.take(b, 1, -1), -np.take(b, 0, -1)), axis=-1)
        return _sum_to(np.expand_dims(y_bar, -1) * turned, np.shape(a))
    return _sum_to(np.cross(b, y_bar)[..., : np.shape(a)[-1]], np.shape(a))
