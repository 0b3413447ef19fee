"""Elements chosen by position or by a test; linear in what is chosen from."""

FAMILY = "linear"
HOLOMORPHIC = """
take choose_from_rows compress extract delete
"""


def take(a, indices: (constant, sample([0, 0, -1], 0)), axis=None):
    y = np.take(a, indices, axis)
    y = a.take(indices, axis)
    a_bar = _take_bar(y_bar, a, indices, axis)


def choose_from_rows(
    a: (constant, array, sample(np.array([2, 0, 1]), np.array([[1, 0, 1], [0, 0, 2]]))),
    choices: (array, shapes((3, 3), (3, 3))),
):
    y = np.choose(a, choices)
    choices_bar = _choose_bar(y_bar, a, choices)


def compress(
    condition: sample([True, False, True], [False, True]),
    a: shapes((3,), (4, 3), (3, 3)),
    axis: sample(-1) = None,
):
    y = np.compress(condition, a, axis)
    y = a.compress(condition, axis)
    a_bar = _take_bar(y_bar, a, np.flatnonzero(condition), axis)


def extract(condition: (fixed, boolean, shapes((3,), (3, 2))), arr: shapes((3,), (3, 2))):
    y = np.extract(condition, arr)
    arr_bar = _take_bar(y_bar, arr, np.flatnonzero(condition), None)


def delete(arr: shapes((4,), (3, 2)), obj: sample(1, -1, [0, 2]), axis: sample(0) = None):
    y = np.delete(arr, obj, axis)
    arr_bar = _delete_bar(y_bar, arr, obj, axis)


def interp(
    x: (spread, shapes((5,), (), (2, 3))),
    xp: (increasing, shapes((4,), (4,), (5,))),
    fp: shapes((4,), (4,), (5,)),
):
    """On a point the slope is that to its right; beyond the ends it is 0."""
    y = np.interp(x, xp, fp)
    y = _interp_dot(x, xp, fp)
    x_bar = y_bar * _interp_slope(x, xp, fp)
    xp_bar = -_interp_spread(y_bar * _interp_slope(x, xp, fp), x, xp)
    fp_bar = _interp_spread(y_bar, x, xp)
    y_dot = x_dot * _interp_slope(x, xp, fp)
    y_dot = -(_interp_dot(x, xp, xp_dot) * _interp_slope(x, xp, fp))
    y_dot = _interp_dot(x, xp, fp_dot)


def interp_to_ends(
    x: (spread, shapes((5,), (), (2, 3))),
    xp: (increasing, shapes((4,), (4,), (5,))),
    fp: shapes((4,), (4,), (5,)),
    left: (number_or_none, sample(0.5)) = None,
    right: (number_or_none, sample(-2.0)) = None,
):
    """On a point the slope is that to its right; beyond the ends it is 0."""
    y = np.interp(x, xp, fp, left, right)
    between = y_bar * _is_interpolated(x, xp, left, right)
    x_bar = y_bar * _interp_slope(x, xp, fp)
    xp_bar = -_interp_spread(y_bar * _interp_slope(x, xp, fp), x, xp)
    fp_bar = _interp_spread(between, x, xp)
    y_dot = x_dot * _interp_slope(x, xp, fp)
    y_dot = -(_interp_dot(x, xp, xp_dot) * _interp_slope(x, xp, fp))
    y_dot = _interp_dot(x, xp, fp_dot) * _is_interpolated(x, xp, left, right)


def interp_periodic(
    x: (spread, shapes((5,), (), (2, 3))),
    xp: (fixed, increasing, shapes((4,), (4,), (5,))),
    fp: shapes((4,), (4,), (5,)),
    *,
    period: sample(3.7, 5.0),
):
    """On a point the slope is that to its right. The points xp are taken as they are."""
    y = np.interp(x, xp, fp, period=period)
    places = _periodic_places(xp, period)
    around = _periodic_points(xp, period)
    x_bar = y_bar * _interp_slope(x % period, around, fp[places])
    fp_bar = _take_bar(_interp_spread(y_bar, x % period, around), fp, places, None)
    y_dot = x_dot * _interp_slope(x % period, around, fp[places])
    y_dot = np.interp(x, xp, fp_dot, period=period)
