"""Shapes and orders of elements change, values do not: linear, the tangent is the call itself."""

FAMILY = "linear"
HOLOMORPHIC = """
copy array reshape reshape_to_several reshape_by_columns reshape_several_by_columns
ravel ravel_by_columns squeeze squeeze_several expand_dims windows windows_along
atleast_1d_scalar atleast_nd atleast_nd_vector atleast_nd_matrix
transposed transposed_number transposed_vector transpose
transpose_axes transpose_several
swapaxes moveaxis rollaxis rollaxis_before matrix_transpose roll roll_any flip flipud
fliplr rot90 repeat tile repeat_each resize array_of_rank array_of_rank_of_scalar
"""

# ---------------------------------------------------------------------------- reshaping


def reshape(a, shape: sample((np.size(a),), (np.size(a), 1), -1)):
    y = np.reshape(a, shape)
    y = a.reshape(shape)
    a_bar = np.reshape(y_bar, a.shape)


def reshape_to_several(a, *shape: sample((-1, 1), (1, np.size(a)))):
    y = a.reshape(*shape)
    a_bar = np.reshape(y_bar, a.shape)


def ravel(a):
    y = np.ravel(a)
    y = a.ravel()
    y = a.flatten()
    y = np.squeeze(a)
    y = a.squeeze()
    a_bar = np.reshape(y_bar, a.shape)


def reshape_by_columns(a, shape: sample((np.size(a),), (np.size(a), 1), -1), order: columns):
    y = np.reshape(a, shape, order)
    y = a.reshape(shape, order=order)
    a_bar = np.reshape(y_bar, a.shape, order="F")


def reshape_several_by_columns(a, *shape: sample((-1, 1), (1, np.size(a))), order: columns):
    y = a.reshape(*shape, order=order)
    a_bar = np.reshape(y_bar, a.shape, order="F")


def ravel_by_columns(a, order: columns):
    y = np.ravel(a, order)
    y = a.ravel(order)
    y = a.flatten(order)
    a_bar = np.reshape(y_bar, a.shape, order="F")


def squeeze(a: (array, shapes((1, 3), (1,))), axis: (integer, sample(0))):
    y = np.squeeze(a, axis)
    y = a.squeeze(axis)
    a_bar = np.expand_dims(y_bar, axis)


def squeeze_several(a: shapes((1, 3, 1), (1,)), axis: sample((0, 2), None)):
    y = np.squeeze(a, axis)
    y = a.squeeze(axis)
    a_bar = np.reshape(y_bar, a.shape)


def expand_dims(a, axis: sample(0, -1)):
    y = np.expand_dims(a, axis)
    a_bar = np.reshape(y_bar, a.shape)


def trim_zeros(filt: (vector, shapes((4,))), trim: sample("fb", "f") = "fb"):
    y = np.trim_zeros(filt, trim)
    filt_bar = _trim_bar(y_bar, filt, trim)
    y_dot = _trim_dot(filt, filt_dot, trim)


def windows(x: (vector, shapes((5,))), window_shape: (integer, sample(2, 3))):
    y = np.lib.stride_tricks.sliding_window_view(x, window_shape)
    places = np.lib.stride_tricks.sliding_window_view(np.arange(x.size), window_shape)
    x_bar = _take_bar(y_bar, x, places, None)


def windows_along(
    x: shapes((4, 5), (4, 3)), window_shape: sample((2, 2), (2, 3)), axis: sample((0, 1)) = None
):
    y = np.lib.stride_tricks.sliding_window_view(x, window_shape, axis)
    every = np.reshape(np.arange(x.size), x.shape)
    places = np.lib.stride_tricks.sliding_window_view(every, window_shape, axis)
    x_bar = _take_bar(y_bar, x, places, None)


def unwrap(
    p: (spread, shapes((5,), (3, 2))),
    discont: sample(4.0) = None,
    axis: (integer, sample(0, -1)) = -1,
    *,
    period: sample(1.0) = 2.0 * np.pi,
):
    y = np.unwrap(p, discont, axis, period=period)
    p_bar = y_bar
    y_dot = p_dot


def atleast_1d_scalar(a: scalar):
    y = np.atleast_1d(a)
    a_bar = y_bar[0]


def atleast_nd(a):
    y = np.atleast_1d(a)
    y = np.atleast_2d(a)
    y = np.atleast_3d(a)
    y = np.ascontiguousarray(a)
    y = np.asfortranarray(a)
    a_bar = np.reshape(y_bar, a.shape)


def atleast_nd_vector(a: (vector, shapes((3,), (0,)))):
    y = np.atleast_1d(a)
    y = np.ascontiguousarray(a)
    y = np.asfortranarray(a)
    a_bar = y_bar


def atleast_nd_matrix(a: (matrix, shapes((2, 3), (0, 2)))):
    y = np.atleast_1d(a)
    y = np.atleast_2d(a)
    y = np.ascontiguousarray(a)
    y = np.asfortranarray(a)
    a_bar = y_bar


# ---------------------------------------------------------------------------- axes


def transposed(a):
    y = a.T
    y = a.transpose()
    a_bar = y_bar.T


def transposed_number(a: scalar):
    y = a.T
    y = a.transpose()
    a_bar = y_bar


def transposed_vector(a: (vector, shapes((3,), (0,)))):
    y = a.T
    y = a.transpose()
    a_bar = y_bar


def transpose(a, axes: none = None):
    y = np.transpose(a, axes)
    a_bar = np.transpose(y_bar)


def transpose_axes(a: shapes((3, 2, 4)), axes: sample((2, 0, 1), (-1, 0, 1))):
    y = np.transpose(a, axes)
    y = a.transpose(axes)
    a_bar = np.transpose(y_bar, np.argsort(np.mod(axes, a.ndim)))


def transpose_several(a: shapes((3, 2)), *axes: sample((1, 0), (0, 1))):
    y = a.transpose(*axes)
    a_bar = np.transpose(y_bar, np.argsort(np.mod(axes, a.ndim)))


def swapaxes(a: shapes((3, 2), (2, 3, 2)), axis1: sample(0), axis2: sample(1, -1)):
    y = np.swapaxes(a, axis1, axis2)
    y = a.swapaxes(axis1, axis2)
    a_bar = np.swapaxes(y_bar, axis1, axis2)


def moveaxis(
    a: shapes((3, 2), (2, 3, 2)), source: sample(0, (0, 1)), destination: sample(1, (1, 0))
):
    y = np.moveaxis(a, source, destination)
    a_bar = np.moveaxis(y_bar, destination, source)


def rollaxis(a: shapes((3, 2), (2, 3, 2)), axis: sample(0, 1, -1), start: zero = 0):
    y = np.rollaxis(a, axis, start)
    a_bar = np.moveaxis(y_bar, 0, axis)


def rollaxis_before(
    a: shapes((3, 2), (2, 3, 2)), axis: (natural, sample(0, 1)), start: (natural, sample(1, 2))
):
    y = np.rollaxis(a, axis, start)
    a_bar = np.moveaxis(y_bar, start - (axis < start), axis)


def matrix_transpose(a: shapes((3, 2), (2, 3, 2))):
    y = np.matrix_transpose(a)
    y = np.linalg.matrix_transpose(a)
    y = a.mT
    a_bar = np.swapaxes(y_bar, -1, -2)


# ---------------------------------------------------------------------------- order


def roll(a, shift: (integer, sample(1, -2)), axis=None):
    y = np.roll(a, shift, axis)
    a_bar = np.roll(y_bar, -shift, axis=axis)


def roll_any(a, shift: sample(1, (2,)), axis=None):
    y = np.roll(a, shift, axis)
    a_bar = np.roll(y_bar, np.negative(shift), axis=axis)


def flip(m, axis=None):
    y = np.flip(m, axis)
    m_bar = np.flip(y_bar, axis)


def flipud(m: shapes((3, 2), (2, 3))):
    y = np.flipud(m)
    m_bar = np.flipud(y_bar)


def fliplr(m: shapes((3, 2), (2, 3))):
    y = np.fliplr(m)
    m_bar = np.fliplr(y_bar)


def rot90(
    m: shapes((3, 2), (2, 3), (2, 3, 2)),
    k: (integer, sample(1, -1, 2)) = 1,
    axes: sample((1, 0)) = (0, 1),
):
    y = np.rot90(m, k, axes)
    m_bar = np.rot90(y_bar, -k, axes)


# ---------------------------------------------------------------------------- copies


def repeat(a, repeats: (integer, sample(2, 0)), axis=None):
    y = np.repeat(a, repeats, axis)
    y = a.repeat(repeats, axis)
    a_bar = _repeat_bar(y_bar, a, repeats, axis)


def tile(A, reps: sample(2, (2, 3))):
    y = np.tile(A, reps)
    A_bar = _tile_bar(y_bar, A.shape, reps)


def repeat_each(a: shapes((3,), (3, 2)), repeats: sample([1, 0, 2]), axis: sample(0) = None):
    y = np.repeat(a, repeats, axis)
    y = a.repeat(repeats, axis)
    a_bar = _take_bar(y_bar, a, _repeat_places(a, repeats, axis), axis)


def resize(a: shapes((4,), (3, 2)), new_shape: sample(6, (2, 4), 3)):
    y = np.resize(a, new_shape)
    a_bar = _take_bar(y_bar, a, np.resize(np.arange(a.size), new_shape), None)


def copy(a):
    y = np.copy(a)
    y = a.copy()
    a_bar = y_bar


def real_of_real(a):
    y = np.real(a)
    y = np.conj(a)
    y = np.conjugate(a)
    y = np.real_if_close(a)
    y = a.conj()
    y = a.conjugate()
    y = a.real
    a_bar = y_bar


def array(a, dtype: none = None, copy: sample(True, None) = True, order: sample(None, "C") = None):
    y = np.array(a, dtype, copy=copy)
    y = np.asarray(a, dtype, order=order, copy=copy)
    y = np.asanyarray(a, dtype)
    y = np.asarray_chkfinite(a, dtype)
    y = a.view()
    a_bar = y_bar


def float_array(
    a,
    dtype: (double_type, sample(float, "float64")),
    copy: sample(True) = True,
    order: sample(None, "C") = None,
):
    y = a.astype(dtype, copy=copy)
    y = np.astype(a, dtype, copy=copy)
    y = np.asarray(a, dtype, order=order, copy=copy)
    y = np.array(a, dtype, copy=copy)
    y = np.ascontiguousarray(a, dtype)
    a_bar = y_bar


def number_of_one(a: shapes((1,), (1, 1), ())):
    y = a.item()
    a_bar = np.full_like(a, y_bar)


def number_at(a: (vector, shapes((4,))), i: (integer, sample(1, -1))):
    y = a.item(i)
    a_bar = np.full_like(a, y_bar) * (np.arange(a.size) == i % a.size)


def number_at_flat(a: shapes((2, 3), (2, 3, 2)), i: (integer, sample(1, -1))):
    y = a.item(i)
    a_bar = np.full_like(a, y_bar) * (np.reshape(np.arange(a.size), a.shape) == i % a.size)


def number_in_a_row(a: shapes((2, 3)), i: (integer, sample(1, -1)), j: (integer, sample(1, -1))):
    y = a.item(i, j)
    a_bar = np.full_like(a, y_bar) * np.logical_and.outer(
        np.arange(a.shape[0]) == i % a.shape[0], np.arange(a.shape[1]) == j % a.shape[1]
    )


def float_(a):
    y = np.float64(a)
    a_bar = y_bar


def float_array_of_single(
    a: (single, array), dtype: (double_type, sample(float, "float64")), copy: sample(True) = True
):
    y = a.astype(dtype, copy=copy)
    y = np.astype(a, dtype, copy=copy)
    y = np.asarray(a, dtype)
    y = np.array(a, dtype, copy=copy)
    a_bar = y_bar.astype(a.dtype)


def float_of_single(a: (single, array)):
    y = np.float64(a)
    a_bar = y_bar.astype(a.dtype)


def single_array(a: array, dtype: (single_type, sample("float32")), copy: sample(True) = True):
    y = a.astype(dtype, copy=copy)
    y = np.astype(a, dtype, copy=copy)
    y = np.asarray(a, dtype)
    y = np.array(a, dtype, copy=copy)
    a_bar = y_bar.astype(a.dtype)


def single_of_number(a: no_array):
    y = np.float32(a)
    a_bar = y_bar


def single_of_array(a: array):
    y = np.float32(a)
    a_bar = y_bar.astype(a.dtype)


def array_of_same_dtype(a: array, b: (constant, inexact)):
    y = a.astype(b.dtype)
    a_bar = y_bar.astype(a.dtype)


def array_of_rank(a, ndmin: (integer, sample(1, 2)), copy: sample(True, None) = True):
    y = np.array(a, copy=copy, ndmin=ndmin)
    a_bar = np.reshape(y_bar, a.shape)


def array_of_rank_of_scalar(
    a: scalar, ndmin: (integer, sample(1, 2)), copy: sample(True, None) = True
):
    y = np.array(a, copy=copy, ndmin=ndmin)
    a_bar = np.sum(y_bar)


FAMILY = "explicit"


def array_of_open_type(
    a, dtype: (open_type, sample(np.float64, np.float32)), copy: sample(True) = True
):
    """Of a dtype that is given when the derivative is called; no whole number has a slope."""
    y = a.astype(dtype, copy=copy)
    y = np.asarray(a, dtype)
    y = np.array(a, dtype, copy=copy)
    a_bar = _cast_bar(y_bar, a, y)
    y_dot = _cast_dot(a_dot, y)
