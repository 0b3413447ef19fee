"""Transforms of scipy.fftpack as those of numpy.fft and scipy.fft, where they are the same.

Its idct and idst are that where they are orthonormal alone.
"""

FAMILY = "twin"
HOLOMORPHIC = "fft ifft"
EACH = "fft ifft"


def each(x: shapes((4,), (3, 5)), n: sample(None, 3, 8) = None, axis: (integer, sample(0)) = -1):
    y = fftpack.each(x, n, axis)
    twin = _fourier_transform(np.fft.each, x, n, axis)


EACH = "dct dst"


def each(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3) = 2,
    n: sample(None, 3) = None,
    axis: (integer, sample(0)) = -1,
    norm: sample("ortho") = None,
):
    y = fftpack.each(x, type, n, axis, norm)
    twin = _trigonometric_transform(fft.each, x, type, n, axis, norm)


EACH = "idct idst"


def each(
    x: shapes((4,), (3, 5)),
    type: sample(1, 3) = 2,
    n: sample(None, 3) = None,
    axis: (integer, sample(0)) = -1,
):
    y = fftpack.each(x, type, n, axis, norm="ortho")
    twin = _trigonometric_transform(fft.each, x, type, n, axis, "ortho")
