"""Twins of SciPy's distances: of two vectors, and of every two rows.

Where two points are one, the norm between them has the derivative 0.
"""

FAMILY = "twin"


EACH = """
each:same
euclidean:_euclidean
sqeuclidean:_squared_distance
cityblock:_city_distance
chebyshev:_largest_distance
"""


def each(u: shapes((4,)), v: shapes((4,))):
    y = distance.each(u, v)
    twin = same(u, v)


def minkowski(u: shapes((4,)), v: shapes((4,)), p: sample(3, 1.5) = 2):
    y = distance.minkowski(u, v, p)
    twin = _minkowski(u, v, p)


EACH = "each:same cosine:_cosine_distance canberra:_canberra braycurtis:_bray_curtis"


def each(u: (positive, shapes((4,))), v: (positive, shapes((4,)))):
    y = distance.each(u, v)
    twin = same(u, v)


def correlation(u: shapes((4,)), v: shapes((4,))):
    y = distance.correlation(u, v)
    twin = _correlation_distance(u, v)


def mahalanobis(u: shapes((3,)), v: shapes((3,)), VI: (definite, shapes((3, 3)))):
    y = distance.mahalanobis(u, v, VI)
    twin = _mahalanobis(u, v, VI)


# ---------------------------------------------------------------------------- of every two rows


def cdist_cosine(XA: (positive, shapes((3, 2))), XB: (positive, shapes((4, 2)))):
    y = distance.cdist(XA, XB, "cosine")
    twin = _cosine_of_rows(XA, XB)


def cdist_largest(XA: shapes((3, 2)), XB: shapes((4, 2))):
    y = distance.cdist(XA, XB, "chebyshev")
    twin = _largest_of_rows(XA, XB)


def cdist_minkowski(XA: shapes((3, 2)), XB: shapes((4, 2)), *, p: sample(3, 1.5) = 2):
    y = distance.cdist(XA, XB, "minkowski", p=p)
    twin = _minkowski_of_rows(XA, XB, p)


def pdist_city(X: shapes((4, 2))):
    y = distance.pdist(X, "cityblock")
    twin = _city_of_pairs(X)


def pdist_cosine(X: (positive, shapes((4, 2)))):
    y = distance.pdist(X, "cosine")
    twin = _cosine_of_pairs(X)


def pdist_minkowski(X: shapes((4, 2)), *, p: sample(3, 1.5) = 2):
    y = distance.pdist(X, "minkowski", p=p)
    twin = _minkowski_of_pairs(X, p)
