"""Twin of SciPy's interpolation by radial functions."""

import numpy as np


def _radial(x, y, d, smoothing, kernel, epsilon):
    """Twin of scipy.interpolate.RBFInterpolator(y, d)(x), with a plane or number."""
    if kernel == "quintic":
        raise ValueError("the kernel quintic has no derivative: use another one")
    if epsilon is None:
        if kernel not in ("linear", "thin_plate_spline", "cubic"):
            raise ValueError("this kernel asks for an epsilon")
        epsilon = 1.0
    y = np.asarray(y, float)
    n, is_plane = len(y), kernel in ("thin_plate_spline", "cubic")
    beside = _plane(y) if is_plane else np.ones((n, 1))
    m = np.shape(beside)[1]
    system = np.zeros((n + m, n + m))
    system[:n, :n] = _kernel(y, y, kernel, epsilon) + smoothing * np.eye(n)
    system[:n, n:] = beside
    system[n:, :n] = np.transpose(beside)
    right = np.concatenate((d, np.zeros((m, *np.shape(d)[1:]))))
    factors = np.linalg.solve(system, right)
    near = _kernel(x, y, kernel, epsilon) @ factors[:n]
    return near + (_plane(x) if is_plane else np.ones((len(x), 1))) @ factors[n:]


def _plane(x):
    """Return 1 and the coordinates of each place."""
    return np.concatenate((np.ones((len(x), 1)), x), axis=1)


def _kernel(x, y, kernel, epsilon):
    """Return what a radial function is between two sets of places."""
    square = epsilon**2 * np.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)
    if kernel == "gaussian":
        return np.exp(-square)
    if kernel == "multiquadric":
        return -np.sqrt(square + 1.0)
    if kernel == "inverse_multiquadric":
        return 1.0 / np.sqrt(square + 1.0)
    if kernel == "inverse_quadratic":
        return 1.0 / (square + 1.0)
    apart = np.where(square > 0.0, square, 1.0)
    if kernel == "thin_plate_spline":
        return 0.5 * square * np.log(apart)
    far = np.where(square > 0.0, np.sqrt(apart), 0.0)
    return square * far if kernel == "cubic" else -far
