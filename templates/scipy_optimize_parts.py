"""SciPy's optimisers that give several results."""

FAMILY = "parts"
STACKS = "refused"


def nnls(A: (positive, shapes((4, 2), (5, 3))), b: (positive, shapes((4,), (5,)))):
    """While the same elements are positive: least squares by these columns (Lawson and Hanson 1974)."""
    y = optimize.nnls(A, b)
    b_bar = np.dot(np.linalg.pinv(A * (y[0] > 0.0)).T, y_bar[0])
    b_bar = y_bar[1] * _unit_of(b - np.dot(A, y[0]), y[1])
    A_bar = (y[0] > 0.0) * _least_squares_bar(y_bar[0], A * (y[0] > 0.0), b, y[0])
    A_bar = -np.outer(y_bar[1] * _unit_of(b - np.dot(A, y[0]), y[1]), y[0])
    y_dot[0] = np.dot(np.linalg.pinv(A * (y[0] > 0.0)), b_dot)
    y_dot[0] = _least_squares_dot(A_dot * (y[0] > 0.0), A * (y[0] > 0.0), b, y[0])
    y_dot[1] = np.dot(_unit_of(b - np.dot(A, y[0]), y[1]), b_dot)
    y_dot[1] = -np.dot(_unit_of(b - np.dot(A, y[0]), y[1]), np.dot(A_dot, y[0]))
