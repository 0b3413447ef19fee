"""Twins of SciPy's integrals of samples."""

FAMILY = "twin"


def cumulative_trapezoid(
    u: shapes((5,), (3, 4), (3, 4)),
    x: (increasing, shapes((5,), (4,), (3, 4))),
    dx=1.0,
    axis: (integer, sample(-1)) = -1,
    initial: sample(0.0) = None,
):
    y = integrate.cumulative_trapezoid(u, x, dx, axis, initial)
    twin = _cumulative_trapezoid(u, x, dx, axis, initial)


EACH = "trapezoid simpson"


def cumulative_each_even(
    u: shapes((5,), (3, 4)),
    *,
    dx: (positive, shapes((), ())) = 1.0,
    axis: integer = -1,
    initial: sample(0.0) = None,
):
    y = integrate.cumulative_each(u, dx=dx, axis=axis, initial=initial)
    twin = _cumulative_each(u, None, dx, axis, initial)


def simpson(
    u: shapes((5,), (4,), (3, 6), (2,)),
    x: (increasing, shapes((5,), (4,), (6,), (2,))),
    *,
    dx=1.0,
    axis: (integer, sample(-1)) = -1,
):
    y = integrate.simpson(u, x, dx=dx, axis=axis)
    twin = _simpson(u, x, dx, axis)


def simpson_even(
    u: shapes((5,), (4,), (3, 6)),
    *,
    dx: (positive, shapes((), (), ())) = 1.0,
    axis: integer = -1,
):
    y = integrate.simpson(u, dx=dx, axis=axis)
    twin = _simpson(u, None, dx, axis)


def cumulative_simpson(
    u: shapes((5,), (3, 4), (2,)),
    *,
    x: (increasing, shapes((5,), (4,), (2,))),
    axis: (integer, sample(-1)) = -1,
    initial: sample(0.0) = None,
):
    y = integrate.cumulative_simpson(u, x=x, axis=axis, initial=initial)
    twin = _cumulative_simpson(u, x, 1.0, axis, initial)


def romb(u: shapes((5,), (9,), (2, 5)), dx: sample(0.3) = 1.0, axis: (integer, sample(-1)) = -1):
    y = integrate.romb(u, dx, axis)
    twin = _romb(u, dx, axis)


def trapezoid_of_rows(
    u: shapes((3, 4), (2, 3)),
    x: (stacked, shapes((3, 4), (2, 3))),
    *,
    dx=1.0,
    axis: (integer, sample(0)) = -1,
):
    """Of places for each value."""
    y = integrate.trapezoid(u, x, dx=dx, axis=axis)
    y = np.trapezoid(u, x, dx=dx, axis=axis)
    twin = _trapezoid(u, x, axis)
