"""Arrays made out of several values: the tangent is the same call on all tangents at once."""

FAMILY = "joint"
HOLOMORPHIC = """
append append_along insert insert_along insert_several insert_several_along
"""


def linspace(start: scalar, stop: scalar, num: (integer, sample(5, 2)) = 50):
    y = np.linspace(start, stop, num)
    start_bar = np.dot(np.linspace(1.0, 0.0, num), y_bar)
    stop_bar = np.dot(np.linspace(0.0, 1.0, num), y_bar)


def linspace_without_end(
    start: scalar, stop: scalar, num: (integer, sample(5, 2)) = 50, *, endpoint: false
):
    y = np.linspace(start, stop, num, endpoint=endpoint)
    start_bar = np.dot(np.linspace(1.0, 0.0, num, endpoint=False), y_bar)
    stop_bar = np.dot(np.linspace(0.0, 1.0, num, endpoint=False), y_bar)


def linspace_of_arrays(
    start: shapes((), (2,)), stop: shapes((), (2,), (3, 1)), num: (integer, sample(5, 2, 1)) = 50
):
    y = np.linspace(start, stop, num)
    along = np.linspace(0.0, 1.0, num, dtype=y_bar.dtype)
    back = np.linspace(1.0, 0.0, num, dtype=y_bar.dtype)
    start_bar = _sum_to(np.tensordot(back, y_bar, 1), start.shape)
    stop_bar = _sum_to(np.tensordot(along, y_bar, 1), stop.shape)


def append(arr, values):
    y = np.append(arr, values)
    arr_bar = np.reshape(y_bar[: arr.size], arr.shape)
    values_bar = np.reshape(y_bar[arr.size :], values.shape)


def append_along(arr: (array, shapes((3, 2))), values: (array, shapes((3, 2))), axis: integer):
    y = np.append(arr, values, axis)
    arr_bar = np.take(y_bar, np.arange(arr.shape[axis]), axis=axis)
    values_bar = np.take(y_bar, np.arange(arr.shape[axis], y_bar.shape[axis]), axis=axis)


def logspace(
    start: scalar,
    stop: scalar,
    num: (integer, sample(5, 2)) = 50,
    *,
    base: (number, sample(2.0)) = 10.0,
):
    y = np.logspace(start, stop, num, base=base)
    start_bar = math.log(base) * np.dot(np.linspace(1.0, 0.0, num), y_bar * y)
    stop_bar = math.log(base) * np.dot(np.linspace(0.0, 1.0, num), y_bar * y)
    y_dot = math.log(base) * y * np.linspace(start_dot, 0.0, num)
    y_dot = math.log(base) * y * np.linspace(0.0, stop_dot, num)


def geomspace(
    start: (scalar, positive), stop: (scalar, positive), num: (integer, sample(5, 2)) = 50
):
    y = np.geomspace(start, stop, num)
    start_bar = np.dot(np.linspace(1.0, 0.0, num), y_bar * y) / start
    stop_bar = np.dot(np.linspace(0.0, 1.0, num), y_bar * y) / stop
    y_dot = y * np.linspace(start_dot / start, 0.0, num)
    y_dot = y * np.linspace(0.0, stop_dot / stop, num)


def kaiser(M: sample(4, 5, 1), beta: (scalar, positive)):
    y = np.kaiser(M, beta)
    beta_bar = np.dot(_kaiser_slope(y, beta), y_bar)
    y_dot = beta_dot * _kaiser_slope(y, beta)


def arange(start: (scalar, unit), stop: (scalar, above_two)):
    """How many elements there are does not vary: stop receives nothing."""
    y = np.arange(start, stop)
    start_bar = np.sum(y_bar)
    stop_bar = 0.0
    y_dot = np.full_like(y, start_dot)
    y_dot = np.full_like(y, 0.0 * stop_dot)


def arange_in_steps(start: (scalar, unit), stop: (scalar, above_two), step: (scalar, positive)):
    """How many elements there are does not vary: stop receives nothing."""
    y = np.arange(start, stop, step)
    start_bar = np.sum(y_bar)
    stop_bar = 0.0
    step_bar = np.dot(np.arange(float(y.size)), y_bar)
    y_dot = np.full_like(y, start_dot)
    y_dot = np.full_like(y, 0.0 * stop_dot)
    y_dot = step_dot * np.arange(float(y.size))


# ---------------------------------------------------------------------------- in between


def insert(
    arr: (vector, shapes((4,))), obj: (natural, sample(1, 0, 4)), values: (scalar, shapes(()))
):
    y = np.insert(arr, obj, values)
    arr_bar = np.delete(y_bar, obj)
    values_bar = y_bar[obj]


def insert_along(
    arr: (matrix, shapes((3, 3), (3, 3))),
    obj: (natural, sample(1, 0, 2)),
    values: (row, shapes((3,), ())),
    axis: (integer, sample(0, -1)),
):
    y = np.insert(arr, obj, values, axis)
    arr_bar = np.delete(y_bar, obj, axis)
    values_bar = _sum_to(np.take(y_bar, obj, axis), values.shape)


def insert_several(
    arr: shapes((4,), (3, 2), (4,), (4,)),
    obj: (constant, sample([1, 3], [0, 5, 0], [-1], -2)),
    values: shapes((2,), (), (3,), (2,)),
    axis: none = None,
):
    """In the order of numpy.insert: equal positions as they are given, before what stood there."""
    y = np.insert(arr, obj, values, axis)
    places = _insert_places(y_bar, arr, obj, axis)
    arr_bar = np.reshape(y_bar[places[0]], arr.shape)
    values_bar = _sum_to(y_bar[places[1]], values.shape)


def insert_several_along(
    arr: (shapes((3, 2), (2, 3, 2), (3, 2), (3, 2), (4,))),
    obj: (constant, sample([1, 3], [0, 0], [-1], -1, [2])),
    values: shapes((2,), (2, 2, 2), (4, 2), (2, 3), (2,)),
    axis: (integer, sample(0, -2, 0, 1, 0)),
):
    """In the order of numpy.insert: equal positions as they are given, before what stood there."""
    y = np.insert(arr, obj, values, axis)
    arr_bar = np.take(y_bar, _insert_places(y_bar, arr, obj, axis)[0], axis)
    values_bar = _sum_to(_insert_bar(y_bar, arr, obj, axis), values.shape)


# ---------------------------------------------------------------------------- lists of adjoints


def plus(a: holder, b: holder):
    y = _plus(a, b)
    a_bar = y_bar
    b_bar = y_bar


def shaped_as(bars: holder, like: (constant, holder)):
    y = _shaped_as(bars, like)
    bars_bar = y_bar
