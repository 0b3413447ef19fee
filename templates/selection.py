"""Elements chosen by position or by a test; linear in what is chosen from."""

FAMILY = "linear"


def take(a, indices: (constant, sample([0, 0, -1], 0)), axis=None):
    y = np.take(a, indices, axis)
    y = a.take(indices, axis)
    a_bar = _take_bar(y_bar, a, indices, axis)


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
