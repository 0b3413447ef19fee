"""SciPy's Fourier transforms: their matrices are symmetric, so each pulls back by itself.

A real operand receives the real part.
"""

FAMILY = "linear"
HOLOMORPHIC = """
fft ifft fft_of_length ifft_of_length
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
