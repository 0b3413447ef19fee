"""Twins of SciPy's filters of images, and of places between the elements of an image."""

FAMILY = "twin"

# ---------------------------------------------------------------------------- with weights


def correlate(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (2, 3)),
    *,
    mode: sample("mirror", "nearest", "wrap", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin=0,
):
    y = ndimage.correlate(input, weights, mode=mode, cval=cval, origin=origin)
    twin = _correlated(input, weights, mode, cval, origin)


def convolve(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (2, 3)),
    *,
    mode: sample("mirror", "nearest", "wrap", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin=0,
):
    y = ndimage.convolve(input, weights, mode=mode, cval=cval, origin=origin)
    twin = _convolved(input, weights, mode, cval, origin)


def correlate1d(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (4,)),
    axis: integer = -1,
    *,
    mode: sample("nearest") = "reflect",
    cval=0.0,
    origin: sample(1) = 0,
):
    y = ndimage.correlate1d(input, weights, axis, mode=mode, cval=cval, origin=origin)
    twin = _correlated1d(input, weights, axis, mode, cval, origin)


def convolve1d(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (4,)),
    axis: integer = -1,
    *,
    mode: sample("nearest") = "reflect",
    cval=0.0,
    origin: sample(1) = 0,
):
    y = ndimage.convolve1d(input, weights, axis, mode=mode, cval=cval, origin=origin)
    twin = _convolved1d(input, weights, axis, mode, cval, origin)


def uniform_filter(
    input: shapes((4, 5)),
    size: sample(2, (3, 2)) = 3,
    *,
    mode: sample("nearest", ("wrap", "constant")) = "reflect",
    cval=0.0,
    origin: sample((0, -1)) = 0,
    axes=None,
):
    y = ndimage.uniform_filter(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _averaged(input, size, mode, cval, origin, axes)


def uniform_filter1d(
    input: shapes((6,), (4, 5)),
    size: sample(3, 2),
    axis: integer = -1,
    *,
    mode: sample("nearest") = "reflect",
    cval=0.0,
    origin=0,
):
    y = ndimage.uniform_filter1d(input, size, axis, mode=mode, cval=cval, origin=origin)
    twin = _averaged1d(input, size, axis, mode, cval, origin)


# ---------------------------------------------------------------------------- edges, ranks


def gaussian_filter(
    input: shapes((4, 5)),
    sigma: sample(1.3, (0.8, 1)),
    order: sample(1, (0, 2)) = 0,
    *,
    mode: sample("nearest", ("wrap", "constant")) = "reflect",
    cval: sample(0.5) = 0.0,
    truncate=4.0,
    radius=None,
    axes=None,
):
    y = ndimage.gaussian_filter(
        input,
        sigma,
        order,
        mode=mode,
        cval=cval,
        truncate=truncate,
        radius=radius,
        axes=axes,
    )
    twin = _gaussian(input, sigma, order, mode, cval, truncate, radius, axes)


def gaussian_filter1d(
    input: shapes((6,), (4, 5)),
    sigma: sample(1.3, 0.8),
    axis: integer = -1,
    order: sample(1, 2) = 0,
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    truncate: sample(3.0) = 4.0,
    radius: sample(2) = None,
):
    y = ndimage.gaussian_filter1d(
        input, sigma, axis, order, mode=mode, cval=cval, truncate=truncate, radius=radius
    )
    twin = _gaussian1d(input, sigma, axis, order, mode, cval, truncate, radius)


def gaussian_laplace(
    input: shapes((4, 5)),
    sigma: sample(1.3, (0.8, 1)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.gaussian_laplace(input, sigma, mode=mode, cval=cval)
    twin = _gaussian_laplace(input, sigma, mode, cval)


def gaussian_gradient_magnitude(
    input: shapes((4, 5)),
    sigma: sample(1.3, (0.8, 1)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
):
    """Where nothing changes the derivative is infinite."""
    y = ndimage.gaussian_gradient_magnitude(input, sigma, mode=mode, cval=cval)
    twin = _gaussian_gradient(input, sigma, mode, cval)


def laplace(
    input: shapes((4, 5)),
    *,
    mode: sample("nearest", ("wrap", "mirror")) = "reflect",
    cval: sample(0.5) = 0.0,
):
    y = ndimage.laplace(input, mode=mode, cval=cval)
    twin = _bent(input, mode, cval)


def sobel(
    input: shapes((4, 5)),
    axis: integer = -1,
    *,
    mode: sample("nearest", ("wrap", "constant")) = "reflect",
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
    input: (distinct, shapes((4, 5))),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """The element that was taken has it."""
    y = ndimage.median_filter(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _ranked(input, size, mode, cval, origin, axes)


def rank_filter(
    input: (distinct, shapes((4, 5))),
    rank: sample(1, -1),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """The element that was taken has it."""
    y = ndimage.rank_filter(input, rank, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _at_rank(input, rank, size, mode, cval, origin, axes)


def percentile_filter(
    input: (distinct, shapes((4, 5))),
    percentile: sample(30, 100, -40.0),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """The element that was taken has it."""
    y = ndimage.percentile_filter(
        input, percentile, size, mode=mode, cval=cval, origin=origin, axes=axes
    )
    twin = _percentile(input, percentile, size, mode, cval, origin, axes)


def maximum_filter(
    input: (distinct, shapes((4, 5))),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.maximum_filter(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _window_maximum(input, size, mode, cval, origin, axes)


def minimum_filter(
    input: (distinct, shapes((4, 5))),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.minimum_filter(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _window_minimum(input, size, mode, cval, origin, axes)


def grey_dilation(
    input: (distinct, shapes((4, 5))),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.grey_dilation(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _dilated(input, size, mode, cval, origin, axes)


def grey_erosion(
    input: (distinct, shapes((4, 5))),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.grey_erosion(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _window_minimum(input, size, mode, cval, origin, axes)


def grey_opening(
    input: (distinct, shapes((4, 5))),
    size: sample(3, (3, 2)),
    *,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    y = ndimage.grey_opening(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _opened(input, size, mode, cval, origin, axes)


def grey_closing(
    input: (distinct, shapes((4, 5))),
    size: sample(3, (3, 2)),
    *,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    y = ndimage.grey_closing(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _closed(input, size, mode, cval, origin, axes)


def white_tophat(
    input: (distinct, shapes((4, 5))),
    size: sample(3, (3, 2)),
    *,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    y = ndimage.white_tophat(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _above_opened(input, size, mode, cval, origin, axes)


def black_tophat(
    input: (distinct, shapes((4, 5))),
    size: sample(3, (3, 2)),
    *,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    y = ndimage.black_tophat(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _below_closed(input, size, mode, cval, origin, axes)


def morphological_gradient(
    input: (distinct, shapes((4, 5))),
    size: sample(3, (3, 2)),
    *,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    y = ndimage.morphological_gradient(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = _high_above_low(input, size, mode, cval, origin, axes)


def median_under_footprint(
    input: (distinct, shapes((4, 5))),
    *,
    footprint: sample([[0, 1, 0], [1, 1, 1]]),
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
):
    y = ndimage.median_filter(input, footprint=footprint, mode=mode, cval=cval, origin=origin)
    twin = _ranked_in(input, footprint, mode, cval, origin)


def maximum_under_footprint(
    input: (distinct, shapes((4, 5))),
    *,
    footprint: sample([[0, 1, 0], [1, 1, 1]]),
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
):
    y = ndimage.maximum_filter(input, footprint=footprint, mode=mode, cval=cval, origin=origin)
    twin = _maximum_in(input, footprint, mode, cval, origin)


def minimum_under_footprint(
    input: (distinct, shapes((4, 5))),
    *,
    footprint: sample([[0, 1, 0], [1, 1, 1]]),
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
):
    y = ndimage.minimum_filter(input, footprint=footprint, mode=mode, cval=cval, origin=origin)
    twin = _minimum_in(input, footprint, mode, cval, origin)


def dilation_under_footprint(
    input: (distinct, shapes((4, 5))),
    *,
    footprint: sample([[0, 1, 0], [1, 1, 1]]),
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
):
    y = ndimage.grey_dilation(input, footprint=footprint, mode=mode, cval=cval, origin=origin)
    twin = _dilated_in(input, footprint, mode, cval, origin)


def erosion_under_footprint(
    input: (distinct, shapes((4, 5))),
    *,
    footprint: sample([[0, 1, 0], [1, 1, 1]]),
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
):
    y = ndimage.grey_erosion(input, footprint=footprint, mode=mode, cval=cval, origin=origin)
    twin = _minimum_in(input, footprint, mode, cval, origin)


def maximum_filter1d(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    axis: (integer, sample(0)) = -1,
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin=0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.maximum_filter1d(input, size, axis, mode=mode, cval=cval, origin=origin)
    twin = _row_maximum(input, size, axis, mode, cval, origin)


def minimum_filter1d(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    axis: (integer, sample(0)) = -1,
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin=0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.minimum_filter1d(input, size, axis, mode=mode, cval=cval, origin=origin)
    twin = _row_minimum(input, size, axis, mode, cval, origin)


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
