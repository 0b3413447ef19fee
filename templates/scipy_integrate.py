"""SciPy's integrals of samples; linear in the values, of which a trapezoid's are weighted."""

FAMILY = "linear"


def trapezoid(u: (vector, shapes((4,), (1,))), x: (vector, shapes((4,), (1,)))):
    y = integrate.trapezoid(u, x)
    u_bar = y_bar * _trapezoid_weights(x)
    x_bar = -(0.5 * y_bar * np.diff(np.pad(u[1:] + u[:-1], 1)))


def trapezoid_even(u: (vector, shapes((4,), (1,))), *, dx: (positive, shapes((), ())) = 1.0):
    y = integrate.trapezoid(u, dx=dx)
    weights = _even_weights(u)
    u_bar = dx * y_bar * weights
    dx_bar = y_bar * np.dot(weights, u)


def trapezoid_along(
    u: (stacked, shapes((3, 3), (2, 3, 3))),
    x: (vector, shapes((3,), (3,))),
    axis: (integer, sample(1, -1)) = -1,
):
    y = integrate.trapezoid(u, x, axis=axis)
    pairs = np.moveaxis(u, axis, 0)[1:] + np.moveaxis(u, axis, 0)[:-1]
    u_bar = np.moveaxis(np.multiply.outer(_trapezoid_weights(x), y_bar), 0, axis)
    x_bar = -0.5 * np.diff(np.pad(np.tensordot(pairs, y_bar, y.ndim), 1))


def trapezoid_even_along(
    u: (stacked, shapes((3, 3), (2, 3, 3))),
    *,
    dx: (positive, shapes((), ())) = 1.0,
    axis: integer = -1,
):
    y = integrate.trapezoid(u, dx=dx, axis=axis)
    weights = _trapezoid_weights(np.arange(u.shape[axis], dtype=u.dtype))
    u_bar = np.moveaxis(np.multiply.outer(dx * weights, y_bar), 0, axis)
    dx_bar = np.sum(y_bar * np.trapezoid(u, axis=axis))
