"""Twin of SciPy's interpolation by radial functions: an object is made of points and called at once."""

FAMILY = "twin"


def radial(
    x: shapes((5, 2), (3, 1)),
    z: shapes((6, 2), (4, 1)),
    d: shapes((6,), (4, 2)),
    *,
    smoothing: sample(0.3) = 0.0,
    kernel: sample("gaussian", "cubic", "multiquadric", "linear") = "thin_plate_spline",
    epsilon: sample(0.7) = None,
):
    """From all points, with the polynomial that a kernel asks for."""
    y = interpolate.RBFInterpolator(z, d, smoothing=smoothing, kernel=kernel, epsilon=epsilon)(x)
    twin = _radial(x, z, d, smoothing, kernel, epsilon)
