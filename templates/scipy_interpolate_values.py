"""Splines through values that vary, where their points and the places do not: linear in the values.

Where points or places vary, too, the twins in twins_scipy_interpolate.py are differentiated.
"""

FAMILY = "explicit"


def values(
    xnew: (fixed, vector, shapes((5,))),
    x: (fixed, increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
    ends: (homogeneous, sample("natural", "clamped")) = "not-a-knot",
    nu: sample(1, 2) = 0,
):
    y = interpolate.CubicSpline(x, z, bc_type=ends)(xnew, nu)
    y = interpolate.CubicSpline(x, z, axis=0, bc_type=ends)(xnew, nu)
    z_bar = interpolate.CubicSpline(x, np.eye(len(x)), bc_type=ends)(xnew, nu).T @ y_bar
    y_dot = interpolate.CubicSpline(x, z_dot, bc_type=ends)(xnew, nu)


def values_anywhere(
    xnew: (fixed, shapes((), (2, 3))),
    x: (fixed, increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
    ends: (homogeneous, sample("natural", "clamped")) = "not-a-knot",
    nu: sample(1, 2) = 0,
):
    y = interpolate.CubicSpline(x, z, bc_type=ends)(xnew, nu)
    y = interpolate.CubicSpline(x, z, axis=0, bc_type=ends)(xnew, nu)
    z_bar = _of_values(interpolate.CubicSpline(x, np.eye(len(x)), bc_type=ends)(xnew, nu), y_bar)
    y_dot = interpolate.CubicSpline(x, z_dot, bc_type=ends)(xnew, nu)


def values_derived(
    xnew: (fixed, vector, shapes((5,))),
    x: (fixed, increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
    ends: (homogeneous, sample("natural", "clamped")) = "not-a-knot",
    nu: sample(1, 2) = 1,
):
    y = interpolate.CubicSpline(x, z, bc_type=ends).derivative(nu)(xnew)
    y = interpolate.CubicSpline(x, z, axis=0, bc_type=ends).derivative(nu)(xnew)
    z_bar = interpolate.CubicSpline(x, np.eye(len(x)), bc_type=ends).derivative(nu)(xnew).T @ y_bar
    y_dot = interpolate.CubicSpline(x, z_dot, bc_type=ends).derivative(nu)(xnew)


def values_derived_anywhere(
    xnew: (fixed, shapes((), (2, 3))),
    x: (fixed, increasing, shapes((5,), (4,))),
    z: shapes((5,), (4, 2)),
    ends: (homogeneous, sample("natural", "clamped")) = "not-a-knot",
    nu: sample(1, 2) = 1,
):
    y = interpolate.CubicSpline(x, z, bc_type=ends).derivative(nu)(xnew)
    y = interpolate.CubicSpline(x, z, axis=0, bc_type=ends).derivative(nu)(xnew)
    z_bar = _of_values(
        interpolate.CubicSpline(x, np.eye(len(x)), bc_type=ends).derivative(nu)(xnew), y_bar
    )
    y_dot = interpolate.CubicSpline(x, z_dot, bc_type=ends).derivative(nu)(xnew)
