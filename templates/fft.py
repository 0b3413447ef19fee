"""Fourier transforms: their matrices are symmetric, so each pulls back by itself.

A real operand receives the real part. Half transforms leave out what they know: the adjoint
counts twice what stands for two.
"""

FAMILY = "linear"
HOLOMORPHIC = """
fft ifft fft_of_length ifft_of_length fft2 ifft2 fftn ifftn fft2_of_shape ifft2_of_shape
fftn_of_shape ifftn_of_shape
fftshift ifftshift
"""

# ---------------------------------------------------------------------------- along one axis


EACH = "fft ifft"


def each(a: shapes((4,), (3, 2)), n: none = None, axis: integer = -1, norm: sample("ortho") = None):
    y = np.fft.each(a, n, axis, norm)
    a_bar = np.fft.each(y_bar, axis=axis, norm=norm)


def each_of_length(
    a: shapes((4,), (3, 2)),
    n: (integer, sample(5, 2)),
    axis: integer = -1,
    norm: sample("forward") = None,
):
    y = np.fft.each(a, n, axis, norm)
    a_bar = _fitted(np.fft.each(y_bar, axis=axis, norm=norm), a.shape)


def rfft_of_whole(
    a: shapes((4,), (3, 2), (5,)),
    n: none = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = np.fft.rfft(a, n, axis, norm)
    a_bar = np.real(np.fft.fft(y_bar, a.shape[axis], axis, norm))


def rfft(
    a: shapes((4,), (3, 2), (5,)),
    n: (integer, sample(7, 3)),
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = np.fft.rfft(a, n, axis, norm)
    a_bar = _rfft_bar(y_bar, a, n, axis, norm)


def irfft_of_real(
    a: shapes((4,), (3, 2)),
    n: (integer, sample(6, 7, 4, 9)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = np.fft.irfft(a, n, axis, norm)
    a_bar = np.real(_irfft_bar(y_bar, a, axis, norm))


def irfft(
    a: (complex, shapes((4,), (3, 2))),
    n: (integer, sample(6, 7, 4, 9)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = np.fft.irfft(a, n, axis, norm)
    a_bar = _irfft_bar(y_bar, a, axis, norm)


def hfft_of_real(
    a: shapes((4,), (3, 2)),
    n: (integer, sample(6, 7, 4)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = np.fft.hfft(a, n, axis, norm)
    a_bar = np.real(
        _fitted(_inside_twice(np.fft.rfft(y_bar, axis=axis, norm=norm), y, axis), a.shape)
    )


def hfft(
    a: (complex, shapes((4,), (3, 2))),
    n: (integer, sample(6, 7, 4)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = np.fft.hfft(a, n, axis, norm)
    a_bar = _fitted(_inside_twice(np.fft.rfft(y_bar, axis=axis, norm=norm), y, axis), a.shape)


def ihfft(
    a: shapes((4,), (3, 2), (5,)),
    n: (integer, sample(7, 3)) = None,
    axis: integer = -1,
    norm: sample("ortho") = None,
):
    y = np.fft.ihfft(a, n, axis, norm)
    a_bar = _ihfft_bar(y_bar, a, n, axis, norm)


# ---------------------------------------------------------------------------- along several axes


EACH = "each:last fft2:(-2,-1) ifft2:(-2,-1) fftn:None ifftn:None"


def each(
    a: shapes((3, 2), (2, 3, 2)),
    s: none = None,
    axes: sample((0, 1)) = last,
    norm: sample("ortho") = None,
):
    y = np.fft.each(a, s, axes, norm)
    a_bar = np.fft.each(y_bar, axes=axes, norm=norm)


EACH = "fft2 ifft2"


def each_of_shape(
    a: shapes((3, 2), (2, 3, 2)),
    s: sample((4, 3), (2, 2)),
    norm: sample("ortho") = None,
):
    y = np.fft.each(a, s, norm=norm)
    a_bar = _fitted(np.fft.each(y_bar, norm=norm), a.shape)


EACH = "each:flat fftn:fft2 ifftn:ifft2"


def each_of_shape(
    a: shapes((3, 2), (2, 3, 2)),
    s: sample((4, 3), (2, 2)),
    axes: sample((0, 1), (-2, -1)),
    norm: sample("ortho") = None,
):
    y = np.fft.each(a, s, axes, norm)
    y = np.fft.flat(a, s, axes, norm)
    a_bar = _fitted(np.fft.each(y_bar, axes=axes, norm=norm), a.shape)


EACH = "each:last rfft2:(-2,-1) rfftn:None"


def each(
    a: shapes((3, 4), (2, 3, 5)),
    s: none = None,
    axes: sample((0, 1)) = last,
    norm: sample("ortho") = None,
):
    y = np.fft.each(a, s, axes, norm)
    a_bar = _rfftn_bar(y_bar, a, axes, norm)


def irfft2_of_real(
    a: shapes((3, 4), (2, 3, 3)),
    s: sample((3, 5), (2, 6)) = None,
    axes: sample((-2, -1)) = (-2, -1),
    norm: sample("ortho") = None,
):
    y = np.fft.irfft2(a, s, axes, norm)
    a_bar = np.real(_irfftn_bar(y_bar, a, axes, norm))


def irfft2(
    a: (complex, shapes((3, 4), (2, 3, 3))),
    s: sample((3, 5), (2, 6)) = None,
    axes: sample((-2, -1)) = (-2, -1),
    norm: sample("ortho") = None,
):
    y = np.fft.irfft2(a, s, axes, norm)
    a_bar = _irfftn_bar(y_bar, a, axes, norm)


def irfftn_of_real(
    a: shapes((3, 4), (2, 3, 3)),
    s: sample((2, 3, 6)[-np.ndim(a) :]) = None,
    axes: sample((0, 1)) = None,
    norm: sample("ortho") = None,
):
    y = np.fft.irfftn(a, s, axes, norm)
    a_bar = np.real(_irfftn_bar(y_bar, a, axes, norm))


def irfftn(
    a: (complex, shapes((3, 4), (2, 3, 3))),
    s: sample((2, 3, 6)[-np.ndim(a) :]) = None,
    axes: sample((0, 1)) = None,
    norm: sample("ortho") = None,
):
    y = np.fft.irfftn(a, s, axes, norm)
    a_bar = _irfftn_bar(y_bar, a, axes, norm)


# ---------------------------------------------------------------------------- order


def fftshift(x: shapes((5,), (3, 2)), axes: sample(0) = None):
    y = np.fft.fftshift(x, axes)
    x_bar = np.fft.ifftshift(y_bar, axes)


def ifftshift(x: shapes((5,), (3, 2)), axes: sample(0) = None):
    y = np.fft.ifftshift(x, axes)
    x_bar = np.fft.fftshift(y_bar, axes)
