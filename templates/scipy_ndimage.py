"""SciPy's symmetric filters of images, which are their own transposes; linear.

That is so as long as the image goes on beyond its edges by itself turned round, by itself again,
or by zeros; the others have twins. The widths of filters have no derivative here.
"""

FAMILY = "linear"


def gaussian_filter(
    input: shapes((6,), (4, 5)), sigma: sample(1.3, 0.8), *, truncate: sample(3.0) = 4.0
):
    y = ndimage.gaussian_filter(input, sigma, truncate=truncate)
    y = ndimage.gaussian_filter(input, sigma, mode="reflect", truncate=truncate)
    input_bar = ndimage.gaussian_filter(y_bar, sigma, truncate=truncate)


EACH = "wrap constant"


def gaussian_filter_each(
    input: shapes((6,), (4, 5)), sigma: sample(1.3, 0.8), *, truncate: sample(3.0) = 4.0
):
    y = ndimage.gaussian_filter(input, sigma, mode="each", truncate=truncate)
    input_bar = ndimage.gaussian_filter(y_bar, sigma, mode="each", truncate=truncate)


def gaussian_filter1d(
    input: shapes((6,), (4, 5)),
    sigma: sample(1.3, 0.8),
    axis: integer = -1,
    *,
    truncate: sample(3.0) = 4.0,
):
    y = ndimage.gaussian_filter1d(input, sigma, axis, truncate=truncate)
    y = ndimage.gaussian_filter1d(input, sigma, axis, mode="reflect", truncate=truncate)
    input_bar = ndimage.gaussian_filter1d(y_bar, sigma, axis, truncate=truncate)


def laplace(input: shapes((6,), (4, 5))):
    y = ndimage.laplace(input)
    y = ndimage.laplace(input, mode="reflect")
    input_bar = ndimage.laplace(y_bar)


def laplace_wrapped(input: shapes((6,), (4, 5))):
    y = ndimage.laplace(input, mode="wrap")
    input_bar = ndimage.laplace(y_bar, mode="wrap")


def laplace_in_zeros(input: shapes((6,), (4, 5))):
    y = ndimage.laplace(input, mode="constant")
    input_bar = ndimage.laplace(y_bar, mode="constant")


def sum_labels(
    input: shapes((6,), (2, 3)),
    labels: sample([0, 1, 1, 2, 3, 0], [[0, 1, 1], [2, 3, 0]]),
    index: sample([1, 3], 2, [2, 0, 2]) = None,
):
    """Of elements that have a label each."""
    y = ndimage.sum_labels(input, labels, index)
    y = ndimage.sum(input, labels, index)
    input_bar = _of_labels(y_bar, input, labels, index)


def of_labels(
    g: sample([0.7, -0.3], 0.4),
    input: (constant, shapes((6,))),
    labels: sample([0, 1, 1, 2, 3, 0]),
    index: sample([1, 3], 2),
):
    """The printed function, for a derivative that is differentiated again."""
    y = _of_labels(g, input, labels, index)
    g_bar = ndimage.sum_labels(y_bar, labels, index)


def zoom(
    input: shapes((6,), (4, 5)),
    zoom: sample(2, 1.5),
    *,
    order: sample(1) = 3,
    mode: sample("nearest", "reflect") = "constant",
):
    """Axis by axis, by the matrix of the zoom."""
    y = ndimage.zoom(input, zoom, order=order, mode=mode)
    input_bar = _zoom_bar(y_bar, input, zoom, order, mode)


EACH = "each:how:wide:high zoom:2:(12,):(8,10) shift:0.7:(6,):(4,5)"


def each_again(
    g: shapes(wide, high),
    input: (constant, shapes((6,), (4, 5))),
    each: sample(how),
    order: sample(1, 3),
    mode: sample("constant", "nearest"),
):
    """The printed function, for a derivative that is differentiated again."""
    y = _each_bar(g, input, each, order, mode)
    g_bar = ndimage.each(y_bar, each, order=order, mode=mode)


def shift(
    input: shapes((6,), (4, 5), (5,)),
    shift: sample(0.7, -1.3),
    *,
    order: (integer, sample(1)) = 3,
    mode: sample("nearest") = "constant",
    cval: sample(0.5) = 0.0,
):
    """By a shift that does not vary; along each axis it is a product with a matrix."""
    y = ndimage.shift(input, shift, order=order, mode=mode, cval=cval)
    input_bar = _shift_bar(y_bar, input, shift, order, mode)
    y_dot = ndimage.shift(input_dot, shift, order=order, mode=mode)


def spline_filter(
    input: shapes((6,), (4, 5)),
    order: (integer, sample(2)) = 3,
    *,
    mode: sample("reflect", "grid-wrap") = "mirror",
):
    y = ndimage.spline_filter(input, order, mode=mode)
    input_bar = _spline_bar(y_bar, order, mode).astype(input.dtype)


def spline_filter1d(
    input: shapes((6,), (4, 5)),
    order: (integer, sample(2)) = 3,
    axis: integer = -1,
    *,
    mode: sample("reflect", "grid-wrap") = "mirror",
):
    y = ndimage.spline_filter1d(input, order, axis, mode=mode)
    input_bar = _spline_bar1d(y_bar, order, axis, mode).astype(input.dtype)


def spline_filter_again(
    g: shapes((6,), (4, 5)), order: sample(3), mode: sample("mirror", "reflect")
):
    """The printed function, for a derivative that is differentiated again."""
    y = _spline_bar(g, order, mode)
    g_bar = ndimage.spline_filter(y_bar, order, mode=mode)


def spline_filter1d_again(
    g: shapes((6,), (4, 5)), order: sample(3), axis: (integer, sample(0)), mode: sample("mirror")
):
    """The printed function, for a derivative that is differentiated again."""
    y = _spline_bar1d(g, order, axis, mode)
    g_bar = ndimage.spline_filter1d(y_bar, order, axis, mode=mode)
