"""Printed functions of Fourier transforms, for a derivative that is differentiated again."""

FAMILY = "linear"
HOLOMORPHIC = """
fitted inside_twice
"""


def fitted(
    g: shapes((4,), (3, 2)), shape: sample(np.shape(g), (2,) * np.ndim(g), (5,) * np.ndim(g))
):
    y = _fitted(g, shape)
    g_bar = _fitted(y_bar, g.shape)


def inside_twice(half: shapes((4,), (2, 3)), v: (constant, shapes((6,), (2, 5))), axis: sample(-1)):
    y = _inside_twice(half, v, axis)
    half_bar = _inside_twice(y_bar, v, axis)


EACH = "rfft ihfft"


def each_bar(
    g: (complex, shapes((3,), (2, 4))),
    a: (constant, shapes((4,), (2, 6))),
    n: sample(None),
    axis: sample(-1),
    norm: sample(None),
):
    y = _each_bar(g, a, n, axis, norm)
    g_bar = np.fft.each(y_bar, n, axis, norm)


def irfft_bar(
    g: shapes((6,), (2, 5)),
    a: (constant, shapes((4,), (2, 3))),
    axis: sample(-1),
    norm: sample(None, "ortho"),
):
    y = _irfft_bar(g, a, axis, norm)
    g_bar = np.fft.irfft(y_bar, g.shape[axis], axis, norm)


def rfftn_bar(
    g: (complex, shapes((2, 3))),
    a: (constant, shapes((2, 4))),
    axes: sample(None),
    norm: sample(None),
):
    y = _rfftn_bar(g, a, axes, norm)
    g_bar = np.fft.rfftn(y_bar, None, axes, norm)


def irfftn_bar(
    g: shapes((2, 6), (2, 5)),
    a: (constant, shapes((2, 4), (2, 3))),
    axes: sample(None, (0, 1)),
    norm: sample(None, "ortho"),
):
    y = _irfftn_bar(g, a, axes, norm)
    g_bar = np.fft.irfftn(y_bar, _shape_along(g, axes), axes, norm)
