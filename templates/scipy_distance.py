"""Distances between points, one point a row; at distance 0 the derivative is taken as 0."""

FAMILY = "explicit"


def cdist(XA: shapes((3, 2)), XB: shapes((4, 2))):
    y = distance.cdist(XA, XB)
    rate = y_bar / (y + (y == 0))
    XA_bar = np.sum(rate, axis=1, keepdims=True) * XA - np.dot(rate, XB)
    XB_bar = np.expand_dims(np.sum(rate, axis=0), 1) * XB - np.dot(rate.T, XA)
    y_dot = (np.sum(XA * XA_dot, axis=1, keepdims=True) - np.dot(XA_dot, XB.T)) / (y + (y == 0))
    y_dot = (np.sum(XB * XB_dot, axis=1) - np.dot(XA, XB_dot.T)) / (y + (y == 0))


def cdist_squared(XA: shapes((3, 2)), XB: shapes((4, 2))):
    y = distance.cdist(XA, XB, "sqeuclidean")
    XA_bar = 2.0 * (np.sum(y_bar, axis=1, keepdims=True) * XA - np.dot(y_bar, XB))
    XB_bar = 2.0 * (np.expand_dims(np.sum(y_bar, axis=0), 1) * XB - np.dot(y_bar.T, XA))
    y_dot = 2.0 * (np.sum(XA * XA_dot, axis=1, keepdims=True) - np.dot(XA_dot, XB.T))
    y_dot = 2.0 * (np.sum(XB * XB_dot, axis=1) - np.dot(XA, XB_dot.T))


def cdist_city(XA: shapes((3, 2)), XB: shapes((4, 2))):
    y = distance.cdist(XA, XB, "cityblock")
    side = np.sign(np.expand_dims(XA, 1) - np.expand_dims(XB, 0))
    XA_bar = np.sum(np.expand_dims(y_bar, 2) * side, axis=1)
    XB_bar = -np.sum(np.expand_dims(y_bar, 2) * side, axis=0)
    y_dot = np.sum(side * np.expand_dims(XA_dot, 1), axis=2)
    y_dot = -np.sum(side * np.expand_dims(XB_dot, 0), axis=2)


def pdist(X: shapes((4, 2))):
    y = distance.pdist(X)
    rate = distance.squareform(y_bar / (y + (y == 0)))
    X_bar = np.sum(rate, axis=1, keepdims=True) * X - np.dot(rate, X)
    y_dot = distance.squareform(_pairs_dot(X, X_dot), checks=False) / (y + (y == 0))


def pdist_squared(X: shapes((4, 2))):
    y = distance.pdist(X, "sqeuclidean")
    rate = distance.squareform(2.0 * y_bar)
    X_bar = np.sum(rate, axis=1, keepdims=True) * X - np.dot(rate, X)
    y_dot = 2.0 * distance.squareform(_pairs_dot(X, X_dot), checks=False)


def squareform_of_vector(X: (vector, shapes((6,)))):
    y = distance.squareform(X)
    X_bar = distance.squareform(y_bar + y_bar.T, checks=False)
    y_dot = distance.squareform(X_dot)


def squareform_of_matrix(X: (matrix, shapes((4, 4))), *, checks: false):
    """Of a matrix that is taken to be symmetric only what stands above the diagonal is read."""
    y = distance.squareform(X, checks=checks)
    X_bar = np.triu(distance.squareform(y_bar))
    y_dot = distance.squareform(X_dot, checks=False)
