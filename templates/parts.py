"""Several results of one operation: y[0], y[1], ... with adjoints y_bar[0], y_bar[1], ...

A line that reads only adjoints of results that nothing depends on is left out. A result without
a y_dot line has derivative zero; where there is no such line at all, the tangents are the same
call on the tangents.
"""

FAMILY = "parts"

# ---------------------------------------------------------------------------- numbers apart


def divmod_(x: off_grid, z: nonzero):
    y = np.divmod(x, z)
    y = divmod(x, z)
    x_bar = _sum_to(y_bar[1], x.shape)
    z_bar = -_sum_to(y[0] * y_bar[1], z.shape)
    y_dot[1] = x_dot
    y_dot[1] = -(y[0] * z_dot)


def modf(x: off_grid):
    y = np.modf(x)
    y = math.modf(x)
    x_bar = y_bar[0]
    y_dot[0] = x_dot


def frexp(x: nonzero):
    y = np.frexp(x)
    x_bar = np.ldexp(y_bar[0], -y[1])
    y_dot[0] = np.ldexp(x_dot, -y[1])


# ---------------------------------------------------------------------------- slopes


def gradient_matrix(f: (matrix, shapes((3, 4), (2, 2)))):
    y = np.gradient(f)
    f_bar = _gradient_bar(y_bar[0], f, 1.0, 0, 1)
    f_bar = _gradient_bar(y_bar[1], f, 1.0, 1, 1)
    y_dot[0] = np.gradient(f_dot, axis=0)
    y_dot[1] = np.gradient(f_dot, axis=1)


def gradient_matrix_even(f: (matrix, shapes((3, 4), (2, 2))), dx: (scalar, positive, shapes(()))):
    y = np.gradient(f, dx)
    f_bar = _gradient_bar(y_bar[0], f, dx, 0, 1)
    f_bar = _gradient_bar(y_bar[1], f, dx, 1, 1)
    dx_bar = -np.sum(y_bar[0] * y[0] + y_bar[1] * y[1]) / dx
    y_dot[0] = np.gradient(f_dot, dx, axis=0)
    y_dot[1] = np.gradient(f_dot, dx, axis=1)
    y_dot[0] = -(y[0] * dx_dot / dx)
    y_dot[1] = -(y[1] * dx_dot / dx)


def gradient_matrix_steps(
    f: (matrix, shapes((3, 4), (2, 2))),
    dx: (scalar, positive, shapes(())),
    dz: (scalar, positive, shapes(())),
):
    y = np.gradient(f, dx, dz)
    f_bar = _gradient_bar(y_bar[0], f, dx, 0, 1)
    f_bar = _gradient_bar(y_bar[1], f, dz, 1, 1)
    dx_bar = -np.sum(y_bar[0] * y[0]) / dx
    dz_bar = -np.sum(y_bar[1] * y[1]) / dz
    y_dot[0] = np.gradient(f_dot, dx, axis=0)
    y_dot[1] = np.gradient(f_dot, dz, axis=1)
    y_dot[0] = -(y[0] * dx_dot / dx)
    y_dot[1] = -(y[1] * dz_dot / dz)


# ---------------------------------------------------------------------------- counts


def histogram(
    a: (fixed, unit, shapes((5,))),
    bins: sample(3, [-0.5, 0.0, 0.5]) = 10,
    range: none = None,
    *,
    weights: shapes((5,)),
):
    """The bins are taken as they are: a that moves is not differentiated."""
    y = np.histogram(a, bins, range, weights=weights)
    weights_bar = _histogram_bar(y_bar[0], a, y[1])
    y_dot[0] = np.histogram(a, y[1], weights=weights_dot)[0]
