"""SciPy's Fourier transforms: their matrices are symmetric, so each pulls back by itself.

A real operand receives the real part.
"""

FAMILY = "linear"
HOLOMORPHIC = """
fft ifft fft_of_length ifft_of_length fft2 ifft2 fftn ifftn fftn_of_shape ifftn_of_shape
fftshift ifftshift
"""


def fft(x: shapes((4,), (3, 2)), n: none = None, axis: integer = -1, norm: sample("ortho") = None):
    y = fft.fft(x, n, axis, norm)
    x_bar = fft.fft(y_bar, axis=axis, norm=norm)


def ifft(x: shapes((4,), (3, 2)), n: none = None, axis: integer = -1, norm: sample("ortho") = None):
    y = fft.ifft(x, n, axis, norm)
    x_bar = fft.ifft(y_bar, axis=axis, norm=norm)


def fft_of_length(
    x: shapes((4,), (3, 2)),
    n: (integer, sample(5, 2)),
    axis: integer = -1,
    norm: sample("forward") = None,
):
    y = fft.fft(x, n, axis, norm)
    x_bar = _fitted(fft.fft(y_bar, axis=axis, norm=norm), x.shape)


def ifft_of_length(
    x: shapes((4,), (3, 2)),
    n: (integer, sample(5, 2)),
    axis: integer = -1,
    norm: sample("forward") = None,
):
    y = fft.ifft(x, n, axis, norm)
    x_bar = _fitted(fft.ifft(y_bar, axis=axis, norm=norm), x.shape)


def rfft(
    x: shapes((4,), (3, 2), (5,)),
    n: (integer, sample(7, 3)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = fft.rfft(x, n, axis, norm)
    x_bar = _rfft_bar(y_bar, x, n, axis, norm)


def irfft_of_real(
    x: shapes((4,), (3, 2)),
    n: (integer, sample(6, 7, 4, 9)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = fft.irfft(x, n, axis, norm)
    x_bar = np.real(_irfft_bar(y_bar, x, axis, norm))


def irfft(
    x: (complex, shapes((4,), (3, 2))),
    n: (integer, sample(6, 7, 4, 9)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = fft.irfft(x, n, axis, norm)
    x_bar = _irfft_bar(y_bar, x, axis, norm)


def hfft_of_real(
    x: shapes((4,), (3, 2)),
    n: (integer, sample(6, 7, 4)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = fft.hfft(x, n, axis, norm)
    x_bar = np.real(_fitted(_inside_twice(fft.rfft(y_bar, axis=axis, norm=norm), y, axis), x.shape))


def hfft(
    x: (complex, shapes((4,), (3, 2))),
    n: (integer, sample(6, 7, 4)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = fft.hfft(x, n, axis, norm)
    x_bar = _fitted(_inside_twice(fft.rfft(y_bar, axis=axis, norm=norm), y, axis), x.shape)


def ihfft(
    x: shapes((4,), (3, 2), (5,)),
    n: (integer, sample(7, 3)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = fft.ihfft(x, n, axis, norm)
    x_bar = _ihfft_bar(y_bar, x, n, axis, norm)


def fft2(
    x: shapes((3, 2), (2, 3, 2)),
    s: none = None,
    axes: sample((0, 1)) = (-2, -1),
    norm: sample("ortho") = None,
):
    y = fft.fft2(x, s, axes, norm)
    x_bar = fft.fft2(y_bar, axes=axes, norm=norm)


def ifft2(
    x: shapes((3, 2), (2, 3, 2)),
    s: none = None,
    axes: sample((0, 1)) = (-2, -1),
    norm: sample("ortho") = None,
):
    y = fft.ifft2(x, s, axes, norm)
    x_bar = fft.ifft2(y_bar, axes=axes, norm=norm)


def fftn(
    x: shapes((3, 2), (2, 3, 2)),
    s: none = None,
    axes: sample((0, 1)) = None,
    norm: sample("ortho") = None,
):
    y = fft.fftn(x, s, axes, norm)
    x_bar = fft.fftn(y_bar, axes=axes, norm=norm)


def ifftn(
    x: shapes((3, 2), (2, 3, 2)),
    s: none = None,
    axes: sample((0, 1)) = None,
    norm: sample("ortho") = None,
):
    y = fft.ifftn(x, s, axes, norm)
    x_bar = fft.ifftn(y_bar, axes=axes, norm=norm)


def fftn_of_shape(
    x: shapes((3, 2), (2, 3, 2)),
    s: sample((4, 3), (2, 2)),
    axes: sample((0, 1), (-2, -1)),
    norm: sample("ortho") = None,
):
    y = fft.fftn(x, s, axes, norm)
    y = fft.fft2(x, s, axes, norm)
    x_bar = _fitted(fft.fftn(y_bar, axes=axes, norm=norm), x.shape)


def ifftn_of_shape(
    x: shapes((3, 2), (2, 3, 2)),
    s: sample((4, 3), (2, 2)),
    axes: sample((0, 1), (-2, -1)),
    norm: sample("ortho") = None,
):
    y = fft.ifftn(x, s, axes, norm)
    y = fft.ifft2(x, s, axes, norm)
    x_bar = _fitted(fft.ifftn(y_bar, axes=axes, norm=norm), x.shape)


def rfft2(
    x: shapes((3, 4), (2, 3, 5)),
    s: none = None,
    axes: sample((0, 1)) = (-2, -1),
    norm: sample("ortho") = None,
):
    y = fft.rfft2(x, s, axes, norm)
    x_bar = _rfftn_bar(y_bar, x, axes, norm)


def rfftn(
    x: shapes((3, 4), (2, 3, 5)),
    s: none = None,
    axes: sample((0, 1)) = None,
    norm: sample("ortho") = None,
):
    y = fft.rfftn(x, s, axes, norm)
    x_bar = _rfftn_bar(y_bar, x, axes, norm)


def irfft2_of_real(
    x: shapes((3, 4), (2, 3, 3)),
    s: sample((3, 5), (2, 6)) = None,
    axes: sample((-2, -1)) = (-2, -1),
    norm: sample("ortho") = None,
):
    y = fft.irfft2(x, s, axes, norm)
    x_bar = np.real(_irfftn_bar(y_bar, x, axes, norm))


def irfft2(
    x: (complex, shapes((3, 4), (2, 3, 3))),
    s: sample((3, 5), (2, 6)) = None,
    axes: sample((-2, -1)) = (-2, -1),
    norm: sample("ortho") = None,
):
    y = fft.irfft2(x, s, axes, norm)
    x_bar = _irfftn_bar(y_bar, x, axes, norm)


def irfftn_of_real(
    x: shapes((3, 4), (2, 3, 3)),
    s: sample((2, 3, 6)[-np.ndim(x) :]) = None,
    axes: sample((0, 1)) = None,
    norm: sample("ortho") = None,
):
    y = fft.irfftn(x, s, axes, norm)
    x_bar = np.real(_irfftn_bar(y_bar, x, axes, norm))


def irfftn(
    x: (complex, shapes((3, 4), (2, 3, 3))),
    s: sample((2, 3, 6)[-np.ndim(x) :]) = None,
    axes: sample((0, 1)) = None,
    norm: sample("ortho") = None,
):
    y = fft.irfftn(x, s, axes, norm)
    x_bar = _irfftn_bar(y_bar, x, axes, norm)


def fftshift(x: shapes((5,), (3, 2)), axes: sample(0) = None):
    y = fft.fftshift(x, axes)
    x_bar = fft.ifftshift(y_bar, axes)


def ifftshift(x: shapes((5,), (3, 2)), axes: sample(0) = None):
    y = fft.ifftshift(x, axes)
    x_bar = fft.fftshift(y_bar, axes)
