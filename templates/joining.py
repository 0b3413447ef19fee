"""Arrays made out of several values: the tangent is the same call on all tangents at once."""

FAMILY = "joint"


def linspace(start: scalar, stop: scalar, num: (integer, sample(5, 2)) = 50):
    y = np.linspace(start, stop, num)
    start_bar = np.dot(np.linspace(1.0, 0.0, num), y_bar)
    stop_bar = np.dot(np.linspace(0.0, 1.0, num), y_bar)


def linspace_of_arrays(
    start: shapes((), (2,)), stop: shapes((), (2,), (3, 1)), num: (integer, sample(5, 2)) = 50
):
    y = np.linspace(start, stop, num)
    along = np.linspace(0.0, 1.0, num, dtype=y_bar.dtype)
    start_bar = _sum_to(np.tensordot(along[::-1], y_bar, 1), start.shape)
    stop_bar = _sum_to(np.tensordot(along, y_bar, 1), stop.shape)


def append(arr, values):
    y = np.append(arr, values)
    arr_bar = np.reshape(y_bar[: arr.size], arr.shape)
    values_bar = np.reshape(y_bar[arr.size :], values.shape)


def append_along(arr: (array, shapes((3, 2))), values: (array, shapes((3, 2))), axis: integer):
    y = np.append(arr, values, axis)
    arr_bar = np.take(y_bar, np.arange(arr.shape[axis]), axis=axis)
    values_bar = np.take(y_bar, np.arange(arr.shape[axis], y_bar.shape[axis]), axis=axis)
