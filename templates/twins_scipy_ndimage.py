"""Twins of SciPy's filters of images, and of places between the elements of an image."""

FAMILY = "twin"

# ---------------------------------------------------------------------------- with weights


def correlate(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (2, 3)),
    *,
    mode: sample("mirror", "nearest", "wrap", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.correlate(input, weights, mode=mode, cval=cval)
    twin = _correlated(input, weights, mode, cval)


def convolve(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (2, 3)),
    *,
    mode: sample("mirror", "nearest", "wrap", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.convolve(input, weights, mode=mode, cval=cval)
    twin = _convolved(input, weights, mode, cval)


def correlate1d(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (4,)),
    axis: integer = -1,
    *,
    mode: sample("nearest") = "reflect",
    cval=0.0,
):
    y = ndimage.correlate1d(input, weights, axis, mode=mode, cval=cval)
    twin = _correlated1d(input, weights, axis, mode, cval)


def convolve1d(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (4,)),
    axis: integer = -1,
    *,
    mode: sample("nearest") = "reflect",
    cval=0.0,
):
    y = ndimage.convolve1d(input, weights, axis, mode=mode, cval=cval)
    twin = _convolved1d(input, weights, axis, mode, cval)


def uniform_filter(
    input: shapes((6,), (4, 5)),
    size: sample(2) = 3,
    *,
    mode: sample("nearest") = "reflect",
    cval=0.0,
):
    y = ndimage.uniform_filter(input, size, mode=mode, cval=cval)
    twin = _averaged(input, size, mode, cval)


def uniform_filter1d(
    input: shapes((6,), (4, 5)),
    size: sample(3, 2),
    axis: integer = -1,
    *,
    mode: sample("nearest") = "reflect",
    cval=0.0,
):
    y = ndimage.uniform_filter1d(input, size, axis, mode=mode, cval=cval)
    twin = _averaged1d(input, size, axis, mode, cval)


# ---------------------------------------------------------------------------- between elements


def map_coordinates(
    input: shapes((4, 5)),
    coordinates: (inner, shapes((2, 6))),
    *,
    order: one,
    mode: sample("nearest") = "constant",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.map_coordinates(input, coordinates, order=order, mode=mode, cval=cval)
    twin = _between(input, coordinates, mode, cval)


def map_two_coordinates(
    input: shapes((4, 5)),
    a: (inner, shapes((6,))),
    b: (inner, shapes((6,))),
    *,
    order: one,
    mode: sample("nearest") = "constant",
    cval=0.0,
):
    y = ndimage.map_coordinates(input, [a, b], order=order, mode=mode, cval=cval)
    y = ndimage.map_coordinates(input, (a, b), order=order, mode=mode, cval=cval)
    twin = _between_two(input, a, b, mode, cval)


# ---------------------------------------------------------------------------- edges, ranks


def gaussian_slopes(
    input: shapes((6,), (4, 5)),
    sigma: sample(1.3, 0.8),
    *,
    order: sample(1, 2),
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    truncate: sample(3.0) = 4.0,
):
    """The same order along each axis."""
    y = ndimage.gaussian_filter(input, sigma, order=order, mode=mode, cval=cval, truncate=truncate)
    twin = _gaussian(input, sigma, order, mode, cval, truncate)


def gaussian_slope1d(
    input: shapes((6,), (4, 5)),
    sigma: sample(1.3, 0.8),
    axis: integer = -1,
    *,
    order: sample(1, 2),
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    truncate: sample(3.0) = 4.0,
):
    y = ndimage.gaussian_filter1d(
        input, sigma, axis, order=order, mode=mode, cval=cval, truncate=truncate
    )
    twin = _gaussian1d(input, sigma, axis, order, mode, cval, truncate)


def gaussian_laplace(
    input: shapes((6,), (4, 5)),
    sigma: sample(1.3),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.gaussian_laplace(input, sigma, mode=mode, cval=cval)
    twin = _gaussian_laplace(input, sigma, mode, cval)


def gaussian_gradient_magnitude(
    input: shapes((6,), (4, 5)),
    sigma: sample(1.3),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """Where nothing changes the derivative is infinite."""
    y = ndimage.gaussian_gradient_magnitude(input, sigma, mode=mode, cval=cval)
    twin = _gaussian_gradient(input, sigma, mode, cval)


def sobel(
    input: shapes((6,), (4, 5)),
    axis: integer = -1,
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.sobel(input, axis, mode=mode, cval=cval)
    twin = _edges(input, axis, 2.0, mode, cval)


def prewitt(
    input: shapes((6,), (4, 5)),
    axis: integer = -1,
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.prewitt(input, axis, mode=mode, cval=cval)
    twin = _edges(input, axis, 1.0, mode, cval)


def median_filter(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """The element that was taken has it."""
    y = ndimage.median_filter(input, size, mode=mode, cval=cval)
    twin = _ranked(input, size, mode, cval)


def percentile_filter(
    input: (distinct, shapes((6,), (4, 5))),
    percentile: sample(30, 100, -40.0),
    size: sample(3, 2),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """The element that was taken has it."""
    y = ndimage.percentile_filter(input, percentile, size, mode=mode, cval=cval)
    twin = _percentile(input, percentile, size, mode, cval)


def grey_dilation(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.grey_dilation(input, size, mode=mode, cval=cval)
    twin = _dilated(input, size, mode, cval)


def grey_erosion(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.grey_erosion(input, size, mode=mode, cval=cval)
    twin = _window_minimum(input, size, mode, cval)


def maximum_filter(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.maximum_filter(input, size, mode=mode, cval=cval)
    twin = _window_maximum(input, size, mode, cval)


def minimum_filter(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.minimum_filter(input, size, mode=mode, cval=cval)
    twin = _window_minimum(input, size, mode, cval)


def maximum_filter1d(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    axis: (integer, sample(0)) = -1,
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.maximum_filter1d(input, size, axis, mode=mode, cval=cval)
    twin = _row_maximum(input, size, axis, mode, cval)


def minimum_filter1d(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    axis: (integer, sample(0)) = -1,
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.minimum_filter1d(input, size, axis, mode=mode, cval=cval)
    twin = _row_minimum(input, size, axis, mode, cval)


def center_of_mass(input: (positive, shapes((6,), (4, 5)))):
    y = ndimage.center_of_mass(input)
    twin = _center_of_mass(input)


# ---------------------------------------------------------------------------- of labels


def mean(
    input: shapes((6,), (2, 3)),
    labels: sample([0, 1, 1, 2, 3, 0], [[0, 1, 1], [2, 3, 0]]),
    index: sample([1, 3], 2) = None,
):
    """Of elements that have a label each."""
    y = ndimage.mean(input, labels, index)
    twin = _mean_of_labels(input, labels, index)


def variance(
    input: shapes((6,), (2, 3)),
    labels: sample([0, 1, 1, 2, 2, 0], [[0, 1, 1], [2, 2, 0]]),
    index: sample([1, 2], 2) = None,
):
    """Of elements that have a label each."""
    y = ndimage.variance(input, labels, index)
    twin = _variance_of_labels(input, labels, index)


def standard_deviation(
    input: shapes((6,), (2, 3)),
    labels: sample([0, 1, 1, 2, 2, 0], [[0, 1, 1], [2, 2, 0]]),
    index: sample([1, 2], 2) = None,
):
    """Of elements that have a label each."""
    y = ndimage.standard_deviation(input, labels, index)
    twin = _deviation_of_labels(input, labels, index)
