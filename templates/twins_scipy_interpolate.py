"""Twins of SciPy's interpolation: an object is made of points and called at once.

On a point the slope is that to its right, on the last that to its left.
"""

FAMILY = "twin"

# ---------------------------------------------------------------------------- interp1d


def linear(xnew: shapes((5,), ()), x: (increasing, shapes((4,), (4,))), z: shapes((4,), (2, 4))):
    y = interpolate.interp1d(x, z, fill_value="extrapolate")(xnew)
    y = interpolate.interp1d(x, z, kind="linear", fill_value="extrapolate")(xnew)
    y = interpolate.interp1d(x, z, bounds_error=False, fill_value="extrapolate")(xnew)
    y = interpolate.interp1d(x, z, kind="linear", bounds_error=False, fill_value="extrapolate")(
        xnew
    )
    twin = _interp1d(xnew, x, z, False)


def linear_within(
    xnew: (between, shapes((5,), ())), x: (increasing, shapes((4,), (4,))), z: shapes((4,), (2, 4))
):
    """Outside is an error."""
    y = interpolate.interp1d(x, z)(xnew)
    y = interpolate.interp1d(x, z, "linear")(xnew)
    y = interpolate.interp1d(x, z, kind="linear")(xnew)
    twin = _interp1d(xnew, x, z, True)


def linear_filled(
    xnew: (wild, shapes((5,), ())),
    x: (increasing, shapes((4,), (4,))),
    z: shapes((4,), (2, 4)),
    *,
    fill_value: sample(0.5),
):
    y = interpolate.interp1d(x, z, bounds_error=False, fill_value=fill_value)(xnew)
    y = interpolate.interp1d(x, z, kind="linear", bounds_error=False, fill_value=fill_value)(xnew)
    twin = _interp1d_filled(xnew, x, z, fill_value)


def linear_inside(
    xnew: shapes((5,), ()), x: (increasing, shapes((4,), (4,))), z: shapes((4,), (2, 4))
):
    """Outside nothing varies."""
    y = interpolate.interp1d(x, z, bounds_error=False)(xnew)
    y = interpolate.interp1d(x, z, kind="linear", bounds_error=False)(xnew)
    twin = _interp1d_filled(xnew, x, z, np.nan)


def steps(
    xnew: (between, shapes((5,), ())),
    x: (increasing, shapes((4,), (4,))),
    z: shapes((4,), (2, 4)),
    kind: (holding, sample("nearest", "previous", "next")),
):
    """Outside is an error."""
    y = interpolate.interp1d(x, z, kind)(xnew)
    y = interpolate.interp1d(x, z, kind=kind)(xnew)
    twin = _interp1d_steps(xnew, x, z, kind, True)


def steps_filled(
    xnew: (wild, shapes((5,), ())),
    x: (increasing, shapes((4,), (4,))),
    z: shapes((4,), (2, 4)),
    kind: (holding, sample("nearest", "previous", "next")),
    *,
    fill_value: sample(0.5),
):
    y = interpolate.interp1d(x, z, kind=kind, bounds_error=False, fill_value=fill_value)(xnew)
    twin = _interp1d_steps_filled(xnew, x, z, kind, fill_value)


def steps_inside(
    xnew: (wild, shapes((5,), ())),
    x: (increasing, shapes((4,), (4,))),
    z: shapes((4,), (4,)),
    kind: (holding, sample("nearest", "previous", "next")),
):
    """Outside nothing varies."""
    y = interpolate.interp1d(x, z, kind=kind, bounds_error=False)(xnew)
    twin = _interp1d_steps_filled(xnew, x, z, kind, np.nan)


def steps_beyond(
    xnew: (wild, shapes((5,), ())),
    x: (increasing, shapes((4,), (4,))),
    z: shapes((4,), (2, 4)),
    kind: (holding, sample("nearest", "previous", "next")),
):
    y = interpolate.interp1d(x, z, kind=kind, fill_value="extrapolate")(xnew)
    y = interpolate.interp1d(x, z, kind=kind, bounds_error=False, fill_value="extrapolate")(xnew)
    twin = _interp1d_steps_beyond(xnew, x, z, kind)


# ---------------------------------------------------------------------------- splines


def cubic(
    xnew: shapes((5,), ()),
    x: (increasing, shapes((5,), (4,))),
    z: shapes((5,), (4,)),
    nu: sample(1, 2) = 0,
):
    y = interpolate.CubicSpline(x, z)(xnew, nu)
    y = interpolate.CubicSpline(x, z, axis=0)(xnew, nu)
    y = interpolate.make_interp_spline(x, z)(xnew, nu)
    y = interpolate.make_interp_spline(x, z, 3)(xnew, nu)
    y = interpolate.make_interp_spline(x, z, k=3)(xnew, nu)
    y = interpolate.InterpolatedUnivariateSpline(x, z)(xnew, nu)
    y = interpolate.InterpolatedUnivariateSpline(x, z, k=3)(xnew, nu)
    y = interpolate.UnivariateSpline(x, z, s=0)(xnew, nu)
    twin = _cubic_spline(xnew, x, z, "not-a-knot", nu)


def cubic_interp1d(
    xnew: shapes((5,), ()), x: (increasing, shapes((5,), (4,))), z: shapes((5,), (4,))
):
    y = interpolate.interp1d(x, z, kind="cubic", fill_value="extrapolate")(xnew)
    twin = _cubic_interp1d(xnew, x, z, False)


def cubic_interp1d_within(
    xnew: (between, shapes((5,), ())), x: (increasing, shapes((5,), (4,))), z: shapes((5,), (4,))
):
    """Outside is an error."""
    y = interpolate.interp1d(x, z, kind="cubic")(xnew)
    twin = _cubic_interp1d(xnew, x, z, True)


def cubic_with_ends(
    xnew: shapes((5,), ()),
    x: (increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
    ends: sample("natural", "clamped", "not-a-knot", ((1, 0.7), (2, -0.4))),
    nu: sample(1) = 0,
):
    y = interpolate.CubicSpline(x, z, bc_type=ends)(xnew, nu)
    y = interpolate.CubicSpline(x, z, axis=0, bc_type=ends)(xnew, nu)
    y = interpolate.CubicSpline(x, z, 0, ends)(xnew, nu)
    twin = _cubic_spline(xnew, x, z, ends, nu)


def cubic_derived(
    xnew: shapes((5,), ()),
    x: (increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
    nu: sample(1, 2) = 1,
):
    y = interpolate.CubicSpline(x, z).derivative(nu)(xnew)
    twin = _cubic_spline(xnew, x, z, "not-a-knot", nu)


def cubic_with_ends_derived(
    xnew: shapes((5,), ()),
    x: (increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
    ends: sample("natural", "clamped"),
    nu: sample(1, 2) = 1,
):
    y = interpolate.CubicSpline(x, z, bc_type=ends).derivative(nu)(xnew)
    twin = _cubic_spline(xnew, x, z, ends, nu)


def cubic_integral(
    a: (scalar, shapes(())),
    b: (scalar, shapes(())),
    x: (increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
):
    y = interpolate.CubicSpline(x, z).integrate(a, b)
    twin = _cubic_integral(a, b, x, z, "not-a-knot")


def cubic_with_ends_integral(
    a: (scalar, shapes(())),
    b: (scalar, shapes(())),
    x: (increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
    ends: sample("natural", "clamped"),
):
    y = interpolate.CubicSpline(x, z, bc_type=ends).integrate(a, b)
    twin = _cubic_integral(a, b, x, z, ends)


def hermite(
    xnew: shapes((5,), ()),
    x: (increasing, shapes((5,), (2,))),
    z: shapes((5,), (2,)),
    slopes: shapes((5,), (2,)),
    nu: sample(1) = 0,
):
    y = interpolate.CubicHermiteSpline(x, z, slopes)(xnew, nu)
    twin = _hermite(xnew, x, z, slopes, nu)


def pchip(
    xnew: shapes((5,), ()),
    x: (increasing, shapes((5,), (3,))),
    z: shapes((5,), (3,)),
    nu: sample(1) = 0,
):
    y = interpolate.PchipInterpolator(x, z)(xnew, nu)
    twin = _pchip(xnew, x, z, nu)


def pchip_function(
    xi: shapes((5,), ()), yi: shapes((5,), (3,)), x: (increasing, shapes((5,), (3,)))
):
    y = interpolate.pchip_interpolate(x, yi, xi)
    twin = _pchip(xi, x, yi, 0)


def akima(
    xnew: shapes((6,), ()),
    x: (increasing, shapes((6,), (5,))),
    z: shapes((6,), (5,)),
    nu: sample(1) = 0,
):
    """Outside of the points nan, and no derivative."""
    y = interpolate.Akima1DInterpolator(x, z)(xnew, nu)
    twin = _akima(xnew, x, z, nu)


# ---------------------------------------------------------------------------- grids


def grid(
    xi: (inner, no_tuple, shapes((6, 2), (2, 3, 2))),
    points: sample(([0.0, 1.0, 2.5, 3.0], [0.0, 0.5, 2.0, 2.5, 3.0])),
    values: shapes((4, 5), (4, 5)),
):
    """Places are rows; those of the grid itself have no derivative."""
    y = interpolate.RegularGridInterpolator(points, values)(xi)
    y = interpolate.RegularGridInterpolator(points, values, method="linear")(xi)
    y = interpolate.interpn(points, values, xi)
    twin = _on_grid(xi, points, values)


def grid_that_goes_on(
    xi: (wild, no_tuple, shapes((6, 2), (2, 3, 2))),
    points: sample(([0.0, 1.0, 2.5, 3.0], [0.0, 0.5, 2.0, 2.5, 3.0])),
    values: shapes((4, 5), (4, 5)),
):
    """Beyond its ends as between the last two of its points."""
    y = interpolate.RegularGridInterpolator(points, values, bounds_error=False, fill_value=None)(xi)
    twin = _on_grid(xi, points, values, False)


def grid_filled(
    xi: (wild, no_tuple, shapes((6, 2), (2, 3, 2))),
    points: sample(([0.0, 1.0, 2.5, 3.0], [0.0, 0.5, 2.0, 2.5, 3.0])),
    values: shapes((4, 5), (4, 5)),
    *,
    fill_value: sample(0.5),
):
    """Outside nothing varies."""
    y = interpolate.RegularGridInterpolator(
        points, values, bounds_error=False, fill_value=fill_value
    )(xi)
    twin = _on_grid_filled(xi, points, values, fill_value)


# ---------------------------------------------------------------------------- made before


def straight(xnew: shapes((5,), ()), s: (of(interpolate.interp1d), straight)):
    y = s(xnew)
    twin = _interp1d(xnew, s.x, s.y, s.bounds_error)


def straight_filled(xnew: (wild, shapes((5,), ())), s: (of(interpolate.interp1d), straight_filled)):
    y = s(xnew)
    twin = _interp1d_filled(xnew, s.x, s.y, s.fill_value)


def straight_on_grid(
    xi: (probability, no_tuple, shapes((5, 2), (2,), (3, 4, 2))),
    s: (of(interpolate.RegularGridInterpolator), one_row, straight),
):
    y = s(xi)
    twin = _on_grid(xi, s.grid, s.values, s.bounds_error)


def straight_at_places(
    a: (probability, shapes((5,), (), (3,))),
    b: (probability, shapes((5,), (), ())),
    s: (of(interpolate.RegularGridInterpolator), one_row, straight),
):
    y = s((a, b))
    twin = _on_grid_apart(a, b, s.grid, s.values, s.bounds_error)


def straight_in_a_point(
    a: (probability, scalar, shapes(())),
    b: (probability, scalar, shapes(())),
    s: (of(interpolate.RegularGridInterpolator), one_row, straight),
):
    y = s([a, b])
    twin = _on_grid_at(a, b, s.grid, s.values, s.bounds_error)


def straight_in_space(
    a: (probability, shapes((5,), (), (3,))),
    b: (probability, shapes((5,), (), ())),
    c: (probability, shapes((5,), (), ())),
    s: (of(interpolate.RegularGridInterpolator), one_row, straight),
):
    y = s((a, b, c))
    twin = _in_space(a, b, c, s.grid, s.values, s.bounds_error)


# ---------------------------------------------------------------------------- one polynomial


def polynomial(
    x: shapes((5,), ()), xi: (increasing, shapes((4,), (3,))), yi: (vector, shapes((4,), (3,)))
):
    """Through points at places that differ."""
    y = interpolate.barycentric_interpolate(xi, yi, x)
    y = interpolate.krogh_interpolate(xi, yi, x)
    y = interpolate.BarycentricInterpolator(xi, yi)(x)
    y = interpolate.KroghInterpolator(xi, yi)(x)
    y = interpolate.lagrange(xi, yi)(x)
    twin = _polynomial_through(xi, yi, x)
