"""Printed functions, for a derivative that is differentiated again: most are linear in g.

What `_dot_bar_a(g, a, b)` gives is defined by <it, v> = <g, dot(v, b)> for every v: so g receives
np.dot(y_bar, b), and b what it would receive from np.dot(y_bar, b). The others are alike.
"""

FAMILY = "linear"
HOLOMORPHIC = """
sum_to_of_scalar sum_to expand dot_bar_a dot_bar_b matmul_bar_a matmul_bar_b inner_bar_a
inner_bar_b tensordot_bar_a tensordot_bar_b kron_bar_a kron_bar_b outer_of_columns
take_bar along_bar put_bar pad_bar diff_bar repeat_bar tile_bar diag_bar diagonal_bar
trace_bar rows_bar stretches sum_bar first_bar
"""

# ---------------------------------------------------------------------------- shapes


def sum_to_of_scalar(x: scalar, shape: sample(())):
    y = _sum_to(x, shape)
    x_bar = y_bar


def sum_to(x: shapes((3,), (2, 3), (2, 3)), shape: sample((), (3,), (1, 3), (2, 1))):
    y = _sum_to(x, shape)
    x_bar = np.full_like(x, y_bar)


def expand(
    g: shapes((), (2,)),
    a: (constant, shapes((4,), (3, 2))),
    axis: sample(0),
    keepdims: sample(False),
):
    y = _expand(g, a, axis, keepdims)
    g_bar = np.sum(y_bar, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------------------- products


def dot_bar_a(
    g: shapes((), (3,), (2,), (2, 4)),
    a: (constant, shapes((3,), (3,), (2, 3), (2, 3))),
    b: shapes((3,), (), (3,), (3, 4)),
):
    y = _dot_bar_a(g, a, b)
    g_bar = np.dot(y_bar, b)
    b_bar = _dot_bar_b(g, y_bar, b)


def dot_bar_b(
    g: shapes((), (3,), (2,), (2, 4)),
    a: shapes((3,), (3,), (2, 3), (2, 3)),
    b: (constant, shapes((3,), (), (3,), (3, 4))),
):
    y = _dot_bar_b(g, a, b)
    g_bar = np.dot(a, y_bar)
    a_bar = _dot_bar_a(g, a, y_bar)


def matmul_bar_a(
    g: shapes((), (2,), (2, 4), (5, 2, 4)),
    a: (constant, shapes((3,), (2, 3), (2, 3), (2, 3))),
    b: shapes((3,), (3,), (3, 4), (5, 3, 4)),
):
    y = _matmul_bar_a(g, a, b)
    g_bar = np.matmul(y_bar, b)
    b_bar = _matmul_bar_b(g, y_bar, b)


def matmul_bar_b(
    g: shapes((), (2,), (2, 4), (5, 2, 4)),
    a: shapes((3,), (2, 3), (2, 3), (5, 2, 3)),
    b: (constant, shapes((3,), (3,), (3, 4), (3, 4))),
):
    y = _matmul_bar_b(g, a, b)
    g_bar = np.matmul(a, y_bar)
    a_bar = _matmul_bar_a(g, a, y_bar)


def inner_bar_a(
    g: shapes((), (3,), (2, 4)),
    a: (constant, shapes((3,), (3,), (2, 3))),
    b: shapes((3,), (), (4, 3)),
):
    y = _inner_bar_a(g, a, b)
    g_bar = np.inner(y_bar, b)
    b_bar = _inner_bar_b(g, y_bar, b)


def inner_bar_b(
    g: shapes((), (3,), (2, 4)),
    a: shapes((3,), (3,), (2, 3)),
    b: (constant, shapes((3,), (), (4, 3))),
):
    y = _inner_bar_b(g, a, b)
    g_bar = np.inner(a, y_bar)
    a_bar = _inner_bar_a(g, a, y_bar)


def tensordot_bar_a(
    g: shapes((2, 4)), a: (constant, shapes((2, 3))), b: shapes((3, 4)), axes: sample(1)
):
    y = _tensordot_bar_a(g, a, b, axes)
    g_bar = np.tensordot(y_bar, b, axes)
    b_bar = _tensordot_bar_b(g, y_bar, b, axes)


def tensordot_bar_b(
    g: shapes((2, 4)), a: shapes((2, 3)), b: (constant, shapes((3, 4))), axes: sample(1)
):
    y = _tensordot_bar_b(g, a, b, axes)
    g_bar = np.tensordot(a, y_bar, axes)
    a_bar = _tensordot_bar_a(g, a, y_bar, axes)


def kron_bar_a(
    g: shapes((6,), (4, 9)), a: (constant, shapes((2,), (2, 3))), b: shapes((3,), (2, 3))
):
    y = _kron_bar_a(g, a, b)
    g_bar = np.kron(y_bar, b)
    b_bar = _kron_bar_b(g, y_bar, b)


def kron_bar_b(
    g: shapes((6,), (4, 9)), a: shapes((2,), (2, 3)), b: (constant, shapes((3,), (2, 3)))
):
    y = _kron_bar_b(g, a, b)
    g_bar = np.kron(a, y_bar)
    a_bar = _kron_bar_a(g, a, y_bar)


def outer_of_columns(a: shapes((3,), (3, 2)), b: shapes((3,), (3, 2))):
    y = _outer(a, b)
    a_bar = np.dot(y_bar, b)
    b_bar = np.dot(y_bar.T, a)


def cofactors(a: (regular, shapes((3, 3), (2, 3, 3)))):
    y = _cofactors(a)
    a_bar = _cofactors_bar(y_bar, a, y)
    y_dot = np.swapaxes(
        _cofactors_bar(np.swapaxes(a_dot, -1, -2), np.swapaxes(a, -1, -2), np.swapaxes(y, -1, -2)),
        -1,
        -2,
    )


# ---------------------------------------------------------------------------- places


def take_bar(
    g: shapes((3,), (2, 2)),
    a: (constant, shapes((4,), (3, 2))),
    indices: sample([0, 0, 1], [0, 2]),
    axis: sample(0),
):
    y = _take_bar(g, a, indices, axis)
    g_bar = np.take(y_bar, indices, axis)


def sort_bar(g: shapes((4,)), a: (constant, distinct, shapes((4,))), axis: sample(0, -1)):
    y = _sort_bar(g, a, axis)
    g_bar = _sort_dot(a, y_bar, axis)


def sort_dot(a: (constant, distinct, shapes((4,))), v: shapes((4,)), axis: sample(0, -1)):
    y = _sort_dot(a, v, axis)
    v_bar = _sort_bar(y_bar, a, axis)


def along_bar(
    g: shapes((3,), (3, 2)),
    a: (constant, shapes((4,), (3, 2))),
    places: (constant, places, shapes((3,), (3, 2))),
    axis: sample(0),
):
    y = _along_bar(g, a, places, axis)
    g_bar = np.take_along_axis(y_bar, places, axis)


def put_bar(g: shapes((3,)), places: (constant, sample([2, 0, 1]))):
    y = _put_bar(g, places)
    g_bar = np.take(y_bar, places)


def quantile_bar(
    g: shapes((), (2,)),
    a: (constant, distinct, shapes((4,), (3, 2))),
    q: sample(0.3),
    axis: sample(0),
    keepdims: sample(False),
):
    y = _quantile_bar(g, a, q, axis, keepdims)
    g_bar = _quantile_dot(a, y_bar, q, axis, keepdims)


def quantile_dot(
    a: (constant, distinct, shapes((4,), (3, 2))),
    v: shapes((4,), (3, 2)),
    q: sample(0.3, [0.2, 0.7]),
    axis: sample(0),
    keepdims: sample(False, True),
):
    y = _quantile_dot(a, v, q, axis, keepdims)
    v_bar = _quantile_bar(y_bar, a, q, axis, keepdims)


def poly_bar(g: shapes((4,)), zeros: (distinct, shapes((3,)))):
    y = _poly_bar(g, zeros)
    g_bar = _poly_dot(zeros, y_bar)
    zeros_bar = _poly_twice(g, zeros, y_bar)
    y_dot = _poly_bar(g_dot, zeros)
    y_dot = _poly_twice(g, zeros, zeros_dot)


def pad_bar(g: shapes((6,), (5, 4)), array: (constant, shapes((4,), (3, 2))), pad_width: sample(1)):
    y = _pad_bar(g, array, pad_width)
    g_bar = np.pad(y_bar, pad_width)


def diff_bar(g: shapes((3,), (2, 2)), a: (constant, shapes((4,), (3, 2))), axis: sample(0)):
    y = _diff_bar(g, a, axis)
    g_bar = np.diff(y_bar, axis=axis)


def repeat_bar(
    g: shapes((6,), (6, 2)),
    a: (constant, shapes((3,), (3, 2))),
    repeats: sample(2),
    axis: sample(0),
):
    y = _repeat_bar(g, a, repeats, axis)
    g_bar = np.repeat(y_bar, repeats, axis)


def tile_bar(g: shapes((6,)), shape: sample((3,)), reps: sample(2)):
    y = _tile_bar(g, shape, reps)
    g_bar = np.tile(y_bar, reps)


def diag_bar(g: shapes((3, 3), (3,)), v: (constant, shapes((3,), (3, 4))), k: sample(0)):
    y = _diag_bar(g, v, k)
    g_bar = np.diag(y_bar, k)


def diagonal_bar(
    g: shapes((3,), (2,)),
    a: (constant, shapes((3, 3), (2, 3))),
    offset: sample(0),
    axis1: sample(0),
    axis2: sample(1),
):
    y = _diagonal_bar(g, a, offset, axis1, axis2)
    g_bar = np.diagonal(y_bar, offset, axis1, axis2)


def trace_bar(
    g: shapes(()),
    a: (constant, shapes((3, 3), (2, 3))),
    offset: sample(0, 1),
    axis1: sample(0),
    axis2: sample(1),
):
    y = _trace_bar(g, a, offset, axis1, axis2)
    g_bar = np.trace(y_bar, offset, axis1, axis2)


# ---------------------------------------------------------------------------- interpolation


def interp_spread(
    g: shapes((5,), ()),
    x: (spread, shapes((5,), ())),
    xp: (increasing, shapes((4,))),
):
    y = _interp_spread(g, x, xp)
    g_bar = _interp_dot(x, xp, y_bar)
    x_bar = g * _interp_slope(x, xp, y_bar)
    xp_bar = -_interp_spread(g * _interp_slope(x, xp, y_bar), x, xp)
    y_dot = _interp_spread(g_dot, x, xp)
    y_dot = _interp_moved(g * x_dot, x, xp)
    y_dot = -_interp_moved(g * _interp_dot(x, xp, xp_dot), x, xp)


def interp_slope(x: (spread, shapes((5,), ())), xp: (increasing, shapes((4,))), fp: shapes((4,))):
    """On a point the slope is that to its right; beyond the ends it is 0."""
    y = _interp_slope(x, xp, fp)
    x_bar = 0.0 * y_bar
    xp_bar = -_interp_moved(y_bar * y, x, xp)
    fp_bar = _interp_moved(y_bar, x, xp)
    y_dot = 0.0 * x_dot
    y_dot = -(y * _interp_slope(x, xp, xp_dot))
    y_dot = _interp_slope(x, xp, fp_dot)


# ---------------------------------------------------------------------------- lists


def rows_bar(g: shapes((3,)), parts: (constant, numbers)):
    y = _rows(g, parts)
    g_bar = np.array(y_bar)


def stretches(g: shapes((6,)), arrays: (constant, vectors), axis: sample(0)):
    y = _stretches(g, arrays, axis)
    g_bar = np.concatenate(y_bar, axis)


def sum_bar(g: shapes(()), values: (constant, numbers)):
    y = _sum_bar(g, values)
    g_bar = sum(y_bar)


def first_bar(
    g: shapes(()), values: (constant, several), hit: (constant, sample(float(values[1])))
):
    y = _first_bar(g, values, hit)
    g_bar = y_bar[values.index(hit)]
