"""Twins of SciPy's splines of knots and coefficients, and of polynomials in pieces."""

FAMILY = "twin"


def of_knots(
    xnew: shapes((5,), ()),
    t: (increasing, shapes((8,), (7,))),
    c: shapes((5,), (4, 2)),
    k: (integer, sample(2)),
):
    y = interpolate.BSpline(t, c, k)(xnew)
    twin = _b_spline(xnew, t, c, k)


def of_knots_derived(
    xnew: shapes((5,), ()),
    t: (increasing, shapes((8,), (7,))),
    c: shapes((5,), (4,)),
    k: (integer, sample(2)),
    nu: (integer, sample(1, 2)),
):
    y = interpolate.BSpline(t, c, k)(xnew, nu)
    twin = _b_spline_derived(xnew, t, c, k, nu)


def of_knots_with_derivative(
    xnew: shapes((5,), ()),
    t: (increasing, shapes((8,), (7,))),
    c: shapes((5,), (4,)),
    k: (integer, sample(2)),
    nu: sample(1, 2) = 1,
):
    y = interpolate.BSpline(t, c, k).derivative(nu)(xnew)
    twin = _b_spline_derived(xnew, t, c, k, nu)


def through_knots(
    xnew: shapes((5,), ()),
    x: (increasing, shapes((7,), (6,))),
    z: shapes((7,), (6,)),
    k: (integer, sample(1, 2, 5)),
    nu: sample(1) = 0,
):
    y = interpolate.make_interp_spline(x, z, k)(xnew, nu)
    y = interpolate.make_interp_spline(x, z, k=k)(xnew, nu)
    twin = _interpolating(xnew, x, z, k, nu)


def knots_through(
    x: (increasing, shapes((7,))), z: shapes((7,)), *, k: (integer, sample(2, 5)) = 3
):
    """Knots, coefficients and degree, for splev and splint."""
    y = interpolate.splrep(x, z, k=k)
    twin = _knots_through(x, z, k)


def at_knots(
    x: (probability, shapes((5,), ())),
    tck: sample(interpolate.splrep([-9.0, -7.0, 6.0, 9.0], [0.1, 0.7, -0.3, 0.4])),
    der: sample(1) = 0,
):
    """Where the coefficients vary."""
    y = interpolate.splev(x, tck, der)
    twin = _at_knots(x, tck, der)


def integral_at_knots(
    a: (probability, shapes(())),
    b: (probability, shapes(())),
    tck: sample(interpolate.splrep([-9.0, -7.0, 6.0, 9.0], [0.1, 0.7, -0.3, 0.4])),
):
    """Where the coefficients vary."""
    y = interpolate.splint(a, b, tck)
    twin = _integral_at_knots(a, b, tck)


EACH = "each:name splder:derived splantider:summed"


def each_at_knots(
    tck: sample(interpolate.splrep([-9.0, -7.0, 6.0, 9.0], [0.1, 0.7, -0.3, 0.4])),
    n: sample(1) = 1,
):
    y = interpolate.each(tck, n)
    twin = _name_at_knots(tck, n)


def of_pieces(
    xnew: (inner, shapes((5,), ())),
    c: shapes((3, 4), (3, 4)),
    x: sample([0.0, 1.0, 1.5, 2.0, 3.0]),
    nu: (integer, sample(1, 2)) = 0,
):
    """Of breakpoints that do not vary."""
    y = interpolate.PPoly(c, x)(xnew, nu)
    twin = _of_pieces(xnew, c, x, nu)


def of_pieces_derived(
    xnew: (inner, shapes((5,), ())),
    c: shapes((3, 4), (3, 4)),
    x: sample([0.0, 1.0, 1.5, 2.0, 3.0]),
    nu: sample(1, 2) = 1,
):
    """Of breakpoints that do not vary."""
    y = interpolate.PPoly(c, x).derivative(nu)(xnew)
    twin = _of_pieces(xnew, c, x, nu)
