"""Elements by rank: what is picked receives what the pick was worth.

Equal elements keep their order, as in a stable sort.
"""

FAMILY = "linear"
HOLOMORPHIC = """
take_along_axis
"""

# ---------------------------------------------------------------------------- sorted


def sort(a: (distinct, shapes((4,), (3, 2))), axis: integer = -1):
    y = np.sort(a, axis)
    a_bar = _sort_bar(y_bar, a, axis)
    y_dot = _sort_dot(a, a_dot, axis)


def sort_vector(a: (vector, distinct)):
    y = np.sort(a)
    y = np.sort(a, axis=0)
    order = np.argsort(a, kind="stable")
    a_bar = _put_bar(y_bar, order)
    y_dot = a_dot[np.argsort(a, kind="stable")]


def unique(a: (vector, distinct)):
    """Of equal elements the first."""
    y = np.unique(a)
    places = np.unique(a, return_index=True)[1]
    a_bar = _take_bar(y_bar, a, places, 0)
    y_dot = a_dot[places]


def sort_flat(a: (distinct, shapes((4,), (3, 2))), axis: none):
    y = np.sort(a, axis)
    a_bar = np.reshape(_sort_bar(y_bar, np.ravel(a), 0), a.shape)
    y_dot = _sort_dot(np.ravel(a), np.ravel(a_dot), 0)


def partition(a: (distinct, shapes((4,), (3, 4))), kth: sample(1, 2), axis: integer = -1):
    """By where each element came to lie, whatever way NumPy has of parting them."""
    y = np.partition(a, kth, axis)
    a_bar = np.take_along_axis(y_bar, _places_in(y, a, axis), axis)
    y_dot = np.take_along_axis(a_dot, _places_in(a, y, axis), axis)


# ---------------------------------------------------------------------------- quantiles


def median(a: (distinct, shapes((4,), (5,), (3, 4), (2, 3, 2))), axis=None, keepdims=False):
    y = np.median(a, axis, keepdims=keepdims)
    a_bar = _quantile_bar(y_bar, a, 0.5, axis, keepdims)
    y_dot = _quantile_dot(a, a_dot, 0.5, axis, keepdims)


def quantile(
    a: (distinct, shapes((4,), (5,), (3, 4))),
    q: sample(0.3, [0.0, 0.6, 1.0]),
    axis=None,
    keepdims=False,
):
    y = np.quantile(a, q, axis, keepdims=keepdims)
    a_bar = _quantile_bar(y_bar, a, q, axis, keepdims)
    y_dot = _quantile_dot(a, a_dot, q, axis, keepdims)


def quantile_at(
    a: (distinct, shapes((6,), (5, 6))),
    q: (scalar, probability, shapes(())),
    axis=None,
    keepdims=False,
):
    """By q, where it stands at an element: the slope to the next one."""
    y = np.quantile(a, q, axis, keepdims=keepdims)
    a_bar = _quantile_bar(y_bar, a, q, axis, keepdims)
    q_bar = np.sum(y_bar * _quantile_slope(a, q, axis, keepdims))
    y_dot = _quantile_dot(a, a_dot, q, axis, keepdims)
    y_dot = q_dot * _quantile_slope(a, q, axis, keepdims)


def percentile(
    a: (distinct, shapes((4,), (5,), (3, 4))),
    q: sample(30, (0, 60.0, 100)),
    axis=None,
    keepdims=False,
):
    y = np.percentile(a, q, axis, keepdims=keepdims)
    a_bar = _quantile_bar(y_bar, a, np.divide(q, 100.0), axis, keepdims)
    y_dot = _quantile_dot(a, a_dot, np.divide(q, 100.0), axis, keepdims)


def percentile_at(
    a: (distinct, shapes((6,), (5, 6))),
    q: (scalar, probability, shapes(())),
    axis=None,
    keepdims=False,
):
    """By q, where it stands at an element: the slope to the next one."""
    y = np.percentile(a, q, axis, keepdims=keepdims)
    a_bar = _quantile_bar(y_bar, a, q / 100.0, axis, keepdims)
    q_bar = np.sum(y_bar * _quantile_slope(a, q / 100.0, axis, keepdims)) / 100.0
    y_dot = _quantile_dot(a, a_dot, q / 100.0, axis, keepdims)
    y_dot = q_dot / 100.0 * _quantile_slope(a, q / 100.0, axis, keepdims)


# ---------------------------------------------------------------------------- along


def take_along_axis(
    arr: shapes((3, 2), (3, 4), (4,)),
    indices: (constant, places, shapes((3, 2), (3, 4), (3,))),
    axis: integer = -1,
):
    y = np.take_along_axis(arr, indices, axis)
    arr_bar = _along_bar(y_bar, arr, indices, axis)


def running_extreme(array: (distinct, shapes((4,), (3, 2))), axis: integer = 0):
    """Of equal elements the first has it."""
    y = np.maximum.accumulate(array, axis)
    y = np.minimum.accumulate(array, axis)
    y = np.fmax.accumulate(array, axis)
    y = np.fmin.accumulate(array, axis)
    places = _record_places(array, y, axis)
    array_bar = _along_bar(y_bar, array, places, axis)
    y_dot = np.take_along_axis(array_dot, _record_places(array, y, axis), axis)
