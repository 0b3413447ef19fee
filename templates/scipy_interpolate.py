"""SciPy's interpolants that were made before: their own derivatives, in the place they are called at.

Those that are made of what varies, and called at once, are in twins_scipy_interpolate.py.
"""

FAMILY = "elementwise"


def piecewise(s: (of(interpolate.PPoly, interpolate.BSpline), one_row), t, nu: sample(1) = 0):
    y = s(t, nu)
    t_bar = y_bar * s(t, nu + 1)


def piecewise_derived(
    s: (of(interpolate.PPoly, interpolate.BSpline), one_row), t, nu: sample(1, 2) = 1
):
    y = s.derivative(nu)(t)
    t_bar = y_bar * s(t, nu + 1)


def piecewise_integral(
    s: (of(interpolate.PPoly, interpolate.BSpline), one_row), a: scalar, b: scalar
):
    y = s.integrate(a, b)
    a_bar = -y_bar * s(a)
    b_bar = y_bar * s(b)


def piecewise_integrated(s: (of(interpolate.PPoly, interpolate.BSpline), one_row), t):
    y = s.antiderivative()(t)
    t_bar = y_bar * s(t)


def fitted(s: (of(interpolate.UnivariateSpline), free_ends), t, nu: sample(1) = 0):
    y = s(t, nu)
    t_bar = y_bar * s(t, nu + 1)


def fitted_inside(s: of(interpolate.UnivariateSpline), t, nu: sample(1) = 0):
    """Zero outside."""
    y = s(t, nu, ext=1)
    t_bar = y_bar * s(t, nu + 1, ext=1)


def fitted_derived(s: (of(interpolate.UnivariateSpline), free_ends), t, n: sample(1, 2) = 1):
    y = s.derivative(n)(t)
    t_bar = y_bar * s(t, n + 1)


def fitted_integral(s: of(interpolate.UnivariateSpline), a: scalar, b: scalar):
    """What lies outside counts as zero."""
    y = s.integral(a, b)
    a_bar = -y_bar * s(a, ext=1)
    b_bar = y_bar * s(b, ext=1)


def surface(
    s: (of(interpolate.BivariateSpline), smooth),
    a: wild,
    b: wild,
    dx: sample(1) = 0,
    dy: sample(1) = 0,
):
    """Beyond its edges a surface stays as high as it is there."""
    y = s.ev(a, b, dx, dy)
    a_bar = y_bar * s.ev(a, b, dx + 1, dy) * _within(a, s.tck[0])
    b_bar = y_bar * s.ev(a, b, dx, dy + 1) * _within(b, s.tck[1])


def surface_at_places(
    s: (of(interpolate.BivariateSpline), smooth),
    a: wild,
    b: wild,
):
    y = s(a, b, grid=False)
    a_bar = y_bar * s.ev(a, b, 1, 0) * _within(a, s.tck[0])
    b_bar = y_bar * s.ev(a, b, 0, 1) * _within(b, s.tck[1])


def surface_of_planes(
    s: (of(interpolate.BivariateSpline), rough),
    a: wild,
    b: wild,
    dx=0,
    dy=0,
):
    """Of a degree below 3."""
    y = s.ev(a, b, dx, dy)
    y = _surface_slope(a, b, s, dx, dy)
    a_bar = y_bar * _surface_slope(a, b, s, dx + 1, dy) * _within(a, s.tck[0])
    b_bar = y_bar * _surface_slope(a, b, s, dx, dy + 1) * _within(b, s.tck[1])


def surface_of_planes_at_places(
    s: (of(interpolate.BivariateSpline), rough),
    a: wild,
    b: wild,
):
    y = s(a, b, grid=False)
    a_bar = y_bar * _surface_slope(a, b, s, 1, 0) * _within(a, s.tck[0])
    b_bar = y_bar * _surface_slope(a, b, s, 0, 1) * _within(b, s.tck[1])


def cubic_through(s: (of(interpolate.interp1d), one_row, cubic), t):
    y = s(t)
    t_bar = y_bar * interpolate.make_interp_spline(s.x, s.y)(t, 1)


def through_points(
    x: wild,
    tck: sample(interpolate.splrep([-9.0, -7.0, 6.0, 9.0], [0.1, 0.7, -0.3, 0.4])),
    der: sample(1) = 0,
):
    y = interpolate.splev(x, tck, der)
    x_bar = y_bar * interpolate.splev(x, tck, der + 1)


def inside_points(
    x: wild,
    tck: sample(interpolate.splrep([-9.0, -7.0, 6.0, 9.0], [0.1, 0.7, -0.3, 0.4])),
    der: sample(1) = 0,
):
    """Zero outside."""
    y = interpolate.splev(x, tck, der, ext=1)
    x_bar = y_bar * interpolate.splev(x, tck, der + 1, ext=1)


def integral_through_points(
    a: (scalar, wild),
    b: (scalar, wild),
    tck: sample(interpolate.splrep([-9.0, -7.0, 6.0, 9.0], [0.1, 0.7, -0.3, 0.4])),
):
    """What lies outside counts as zero."""
    y = interpolate.splint(a, b, tck)
    a_bar = -y_bar * interpolate.splev(a, tck, ext=1)
    b_bar = y_bar * interpolate.splev(b, tck, ext=1)


def surface_through_points(
    x: (scalar, probability),
    v: (scalar, probability),
    tck: sample(
        interpolate.RectBivariateSpline(np.arange(4.0), np.arange(4.0), np.eye(4)).tck + (3, 3)
    ),
    dx: sample(1) = 0,
    dy: sample(1) = 0,
):
    """Beyond its edges a surface stays as high as it is there."""
    y = interpolate.bisplev(x, v, tck, dx, dy)
    y = _bisplev_slope(x, v, tck, dx, dy)
    x_bar = y_bar * _bisplev_slope(x, v, tck, dx + 1, dy) * _within(x, tck[0])
    v_bar = y_bar * _bisplev_slope(x, v, tck, dx, dy + 1) * _within(v, tck[1])


def surface_by_splines(
    s: (of(interpolate.RegularGridInterpolator), one_row, splines), a: probability, b: probability
):
    y = s((a, b))
    a_bar = y_bar * s((a, b), nu=(1, 0))
    b_bar = y_bar * s((a, b), nu=(0, 1))


def surface_by_splines_derived(
    s: (of(interpolate.RegularGridInterpolator), one_row, splines),
    a: probability,
    b: probability,
    i: (integer, sample(1)),
    j: (integer, sample(0)),
):
    y = s((a, b), nu=(i, j))
    a_bar = y_bar * s((a, b), nu=(i + 1, j))
    b_bar = y_bar * s((a, b), nu=(i, j + 1))


def stepped(s: (of(interpolate.interp1d), steps), t):
    y = s(t)


FAMILY = "explicit"


def curve(
    s: (of(interpolate.PPoly, interpolate.BSpline), several_rows), t: scalar, nu: sample(1) = 0
):
    """In one place a curve has a value for each of its rows."""
    y = s(t, nu)
    t_bar = np.sum(y_bar * s(t, nu + 1))
    y_dot = t_dot * s(t, nu + 1)


def surface_in_a_point(
    s: (of(interpolate.BivariateSpline), smooth),
    a: (scalar, wild),
    b: (scalar, wild),
    dx: sample(1) = 0,
    dy: sample(1) = 0,
):
    y = s(a, b, dx, dy)
    a_bar = np.sum(y_bar * s(a, b, dx + 1, dy)) * _within(a, s.tck[0])
    b_bar = np.sum(y_bar * s(a, b, dx, dy + 1)) * _within(b, s.tck[1])
    y_dot = a_dot * s(a, b, dx + 1, dy) * _within(a, s.tck[0])
    y_dot = b_dot * s(a, b, dx, dy + 1) * _within(b, s.tck[1])


def surface_on_grid(
    s: (of(interpolate.BivariateSpline), smooth),
    a: (vector, increasing, shapes((4,))),
    b: (vector, increasing, shapes((3,))),
    dx: sample(1) = 0,
    dy: sample(1) = 0,
):
    y = s(a, b, dx, dy)
    a_bar = np.sum(y_bar * s(a, b, dx + 1, dy), axis=1) * _within(a, s.tck[0])
    b_bar = np.sum(y_bar * s(a, b, dx, dy + 1), axis=0) * _within(b, s.tck[1])
    y_dot = (a_dot * _within(a, s.tck[0]))[:, None] * s(a, b, dx + 1, dy)
    y_dot = b_dot * _within(b, s.tck[1]) * s(a, b, dx, dy + 1)


def surface_of_planes_in_a_point(
    s: (of(interpolate.BivariateSpline), rough),
    a: (scalar, wild),
    b: (scalar, wild),
):
    y = s(a, b)
    a_bar = np.sum(y_bar) * _surface_slope(a, b, s, 1, 0) * _within(a, s.tck[0])
    b_bar = np.sum(y_bar) * _surface_slope(a, b, s, 0, 1) * _within(b, s.tck[1])
    y_dot = np.full((1, 1), a_dot * _surface_slope(a, b, s, 1, 0) * _within(a, s.tck[0]))
    y_dot = np.full((1, 1), b_dot * _surface_slope(a, b, s, 0, 1) * _within(b, s.tck[1]))


# ---------------------------------------------------------------------------- between scattered points


def between_scattered_points(
    points: sample([[0.0, 0.1], [1.0, 0.0], [0.1, 1.0], [1.1, 0.9], [0.4, 0.6]]),
    values: shapes((5,)),
    xi: sample([[0.3, 0.3], [0.8, 0.7], [0.2, 0.7]]),
    *,
    fill_value: sample(0.0) = np.nan,
):
    """Linear on triangles; places that vary have no rule."""
    y = interpolate.griddata(points, values, xi, fill_value=fill_value)
    y = interpolate.LinearNDInterpolator(points, values, fill_value=fill_value)(xi)
    values_bar = _griddata_bar(y_bar, points, xi)
    y_dot = interpolate.griddata(points, values_dot, xi, fill_value=0.0)
