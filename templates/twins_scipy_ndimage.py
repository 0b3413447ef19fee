"""Twins of SciPy's filters of images, and of places between the elements of an image."""

FAMILY = "twin"

# ---------------------------------------------------------------------------- with weights


EACH = "each:same correlate:_correlated convolve:_convolved"


def each(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (2, 3)),
    *,
    mode: sample("mirror", "nearest", "wrap", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin=0,
):
    y = ndimage.each(input, weights, mode=mode, cval=cval, origin=origin)
    twin = same(input, weights, mode, cval, origin)


EACH = "each:same correlate1d:_correlated1d convolve1d:_convolved1d"


def each(
    input: shapes((6,), (4, 5)),
    weights: shapes((3,), (4,)),
    axis: integer = -1,
    *,
    mode: sample("nearest") = "reflect",
    cval=0.0,
    origin: sample(1) = 0,
):
    y = ndimage.each(input, weights, axis, mode=mode, cval=cval, origin=origin)
    twin = same(input, weights, axis, mode, cval, origin)


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


EACH = """
each:same
median_filter:_ranked
maximum_filter:_window_maximum
minimum_filter:_window_minimum
grey_dilation:_dilated
grey_erosion:_window_minimum
"""


def each(
    input: (distinct, shapes((4, 5))),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """Equal extremes share y_bar equally; of a median the element that was taken has it."""
    y = ndimage.each(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = same(input, size, mode, cval, origin, axes)


EACH = "each:same:samples rank:_at_rank:1,-1 percentile:_percentile:30,100,-40.0"


def each_filter(
    input: (distinct, shapes((4, 5))),
    each: sample(samples),
    size: sample(3, 2, (3, 2)),
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
    axes=None,
):
    """The element that was taken has it."""
    y = ndimage.each_filter(input, each, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = same(input, each, size, mode, cval, origin, axes)


EACH = """
each:same
grey_opening:_opened
grey_closing:_closed
white_tophat:_above_opened
black_tophat:_below_closed
morphological_gradient:_high_above_low
"""


def each(
    input: (distinct, shapes((4, 5))),
    size: sample(3, (3, 2)),
    *,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    y = ndimage.each(input, size, mode=mode, cval=cval, origin=origin, axes=axes)
    twin = same(input, size, mode, cval, origin, axes)


EACH = """
each:called:same
median:median_filter:_ranked_in
maximum:maximum_filter:_maximum_in
minimum:minimum_filter:_minimum_in
dilation:grey_dilation:_dilated_in
erosion:grey_erosion:_minimum_in
"""


def each_under_footprint(
    input: (distinct, shapes((4, 5))),
    *,
    footprint: sample([[0, 1, 0], [1, 1, 1]]),
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin: sample(-1) = 0,
):
    y = ndimage.called(input, footprint=footprint, mode=mode, cval=cval, origin=origin)
    twin = same(input, footprint, mode, cval, origin)


EACH = "maximum minimum"


def each_filter1d(
    input: (distinct, shapes((6,), (4, 5))),
    size: sample(3, 2),
    axis: (integer, sample(0)) = -1,
    *,
    mode: sample("nearest", "constant") = "reflect",
    cval: sample(0.5) = 0.0,
    origin=0,
):
    """Equal extremes share y_bar equally."""
    y = ndimage.each_filter1d(input, size, axis, mode=mode, cval=cval, origin=origin)
    twin = _row_each(input, size, axis, mode, cval, origin)


def center_of_mass(input: (positive, shapes((6,), (4, 5)))):
    y = ndimage.center_of_mass(input)
    twin = _center_of_mass(input)


# ---------------------------------------------------------------------------- of labels


EACH = """
each:same:last:samples
mean:_mean_of_labels:3:[1,3]
variance:_variance_of_labels:2:[1,2]
standard_deviation:_deviation_of_labels:2:[1,2]
"""


def each(
    input: shapes((6,), (2, 3)),
    labels: sample([0, 1, 1, 2, last, 0], [[0, 1, 1], [2, last, 0]]),
    index: sample(samples, 2) = None,
):
    """Of elements that all have a label."""
    y = ndimage.each(input, labels, index)
    twin = same(input, labels, index)
