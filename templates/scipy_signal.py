"""SciPy's convolutions and filters; linear in each operand, but in a filter's denominator.

What a convolution cuts off at its ends (mode) comes back as zeros (`_uncut`).
"""

FAMILY = "linear"
HOLOMORPHIC = """
convolve convolve_part fftconvolve_whole fftconvolve convolve2d_whole convolve2d correlate_whole
correlate correlate2d_whole correlate2d uncut cut lags lfilter detrend sosfilt
"""

# ---------------------------------------------------------------------------- convolutions


def convolve(
    in1: shapes((5,), (2,), (3, 4)),
    in2: shapes((3,), (4,), (2, 2)),
    mode: sample("full") = "full",
    method: sample("direct", "fft") = "auto",
):
    y = signal.convolve(in1, in2, "full", method)
    y = signal.convolve(in1, in2, mode="full", method=method)
    y = signal.convolve(in1, in2, method=method)
    in1_bar = signal.correlate(y_bar, np.conj(in2), "valid", method)
    in2_bar = signal.correlate(y_bar, np.conj(in1), "valid", method)


def convolve_part(
    in1: shapes((5,), (2,), (3, 4)),
    in2: shapes((3,), (4,), (2, 2)),
    mode: sample("same", "valid") = "full",
    method: sample("direct") = "auto",
):
    y = signal.convolve(in1, in2, mode, method)
    in1_bar = signal.correlate(
        _uncut(y_bar, np.shape(in1), np.shape(in2), mode, False), np.conj(in2), "valid", method
    )
    in2_bar = signal.correlate(
        _uncut(y_bar, np.shape(in1), np.shape(in2), mode, False), np.conj(in1), "valid", method
    )


def fftconvolve_whole(in1: shapes((5,), (2,), (3, 4)), in2: shapes((3,), (4,), (2, 2))):
    y = signal.fftconvolve(in1, in2)
    y = signal.fftconvolve(in1, in2, "full")
    y = signal.fftconvolve(in1, in2, mode="full")
    y = signal.oaconvolve(in1, in2)
    y = signal.oaconvolve(in1, in2, "full")
    y = signal.oaconvolve(in1, in2, mode="full")
    in1_bar = signal.correlate(y_bar, np.conj(in2), "valid", "fft")
    in2_bar = signal.correlate(y_bar, np.conj(in1), "valid", "fft")


def fftconvolve(
    in1: shapes((5,), (2,), (3, 4)),
    in2: shapes((3,), (4,), (2, 2)),
    mode: sample("same", "valid") = "full",
):
    y = signal.fftconvolve(in1, in2, mode)
    y = signal.oaconvolve(in1, in2, mode)
    in1_bar = signal.correlate(
        _uncut(y_bar, np.shape(in1), np.shape(in2), mode, False), np.conj(in2), "valid", "fft"
    )
    in2_bar = signal.correlate(
        _uncut(y_bar, np.shape(in1), np.shape(in2), mode, False), np.conj(in1), "valid", "fft"
    )


def convolve2d_whole(in1: shapes((3, 4), (5, 5)), in2: shapes((2, 2), (3, 2))):
    y = signal.convolve2d(in1, in2)
    y = signal.convolve2d(in1, in2, "full")
    y = signal.convolve2d(in1, in2, mode="full")
    in1_bar = signal.correlate(y_bar, np.conj(in2), "valid", "direct")
    in2_bar = signal.correlate(y_bar, np.conj(in1), "valid", "direct")


def convolve2d(
    in1: shapes((3, 4), (5, 5)), in2: shapes((2, 2), (3, 2)), mode: sample("same", "valid") = "full"
):
    """With zeros around."""
    y = signal.convolve2d(in1, in2, mode)
    y = signal.convolve2d(in1, in2, mode, "fill")
    y = signal.convolve2d(in1, in2, mode, boundary="fill")
    in1_bar = signal.correlate(
        _uncut(y_bar, np.shape(in1), np.shape(in2), mode, False), np.conj(in2), "valid", "direct"
    )
    in2_bar = signal.correlate(
        _uncut(y_bar, np.shape(in1), np.shape(in2), mode, False), np.conj(in1), "valid", "direct"
    )


def correlate_whole(in1: shapes((5,), (2,), (3, 4)), in2: shapes((3,), (4,), (2, 2))):
    y = signal.correlate(in1, in2)
    y = signal.correlate(in1, in2, "full")
    y = signal.correlate(in1, in2, mode="full")
    in1_bar = signal.convolve(y_bar, np.conj(in2), "valid")
    in2_bar = np.conj(np.flip(signal.correlate(y_bar, np.conj(in1), "valid")))


def correlate(
    in1: shapes((5,), (2,), (3, 4)),
    in2: shapes((3,), (4,), (2, 2)),
    mode: sample("same", "valid") = "full",
    method: sample("direct") = "auto",
):
    y = signal.correlate(in1, in2, mode, method)
    in1_bar = signal.convolve(
        _uncut(y_bar, np.shape(in1), np.shape(in2), mode, False), np.conj(in2), "valid", method
    )
    in2_bar = np.conj(
        np.flip(
            signal.correlate(
                _uncut(y_bar, np.shape(in1), np.shape(in2), mode, False),
                np.conj(in1),
                "valid",
                method,
            )
        )
    )


def correlate2d_whole(in1: shapes((3, 4), (5, 5)), in2: shapes((2, 2), (3, 2))):
    y = signal.correlate2d(in1, in2)
    y = signal.correlate2d(in1, in2, "full")
    y = signal.correlate2d(in1, in2, mode="full")
    in1_bar = signal.convolve(y_bar, np.conj(in2), "valid", "direct")
    in2_bar = np.conj(np.flip(signal.correlate(y_bar, np.conj(in1), "valid", "direct")))


def correlate2d(
    in1: shapes((3, 4), (5, 5)), in2: shapes((2, 2), (3, 2)), mode: sample("same", "valid") = "full"
):
    """With zeros around; of an even number of places the middle is the later one."""
    y = signal.correlate2d(in1, in2, mode)
    y = signal.correlate2d(in1, in2, mode, "fill")
    y = signal.correlate2d(in1, in2, mode, boundary="fill")
    in1_bar = signal.convolve(
        _uncut(y_bar, np.shape(in1), np.shape(in2), mode, True), np.conj(in2), "valid", "direct"
    )
    in2_bar = np.conj(
        np.flip(
            signal.correlate(
                _uncut(y_bar, np.shape(in1), np.shape(in2), mode, True),
                np.conj(in1),
                "valid",
                "direct",
            )
        )
    )


def uncut(
    g: shapes((5,), (3,)),
    m: sample((5,)),
    n: sample((3,)),
    mode: sample("same", "valid"),
    late: sample(False, True),
):
    """The printed function, for a derivative that is differentiated again."""
    y = _uncut(g, m, n, mode, late)
    g_bar = _cut(y_bar, m, n, mode, late)


def cut(
    g: shapes((7,), (7,)),
    m: sample((5,)),
    n: sample((3,)),
    mode: sample("same", "valid"),
    late: sample(False, True),
):
    """The printed function, for a derivative that is differentiated again."""
    y = _cut(g, m, n, mode, late)
    g_bar = _uncut(y_bar, m, n, mode, late)


# ---------------------------------------------------------------------------- filters


def lfilter(
    b: shapes((3,), (1,), (2,)),
    a: (leading, shapes((2,), (3,), (1,))),
    x: shapes((6,), (6,), (3, 6)),
    axis: integer = -1,
):
    """Backwards in time the filter 1/a runs over y_bar; what it gives meets x and y."""
    y = signal.lfilter(b, a, x, axis)
    back = np.flip(signal.lfilter(np.ones(1, x.dtype), a, np.flip(y_bar, axis), axis), axis)
    b_bar = _lags(back, x, len(b), axis)
    a_bar = -_lags(back, y, len(a), axis)
    x_bar = np.flip(signal.lfilter(b, a, np.flip(y_bar, axis), axis), axis)
    y_dot = signal.lfilter(b_dot, a, x, axis)
    y_dot = -signal.lfilter(a_dot, a, y, axis)
    y_dot = signal.lfilter(b, a, x_dot, axis)


def lags(w: shapes((6,), (3, 6)), x: shapes((6,), (3, 6)), count: sample(1, 3), axis: integer):
    """The printed function, for a derivative that is differentiated again."""
    y = _lags(w, x, count, axis)
    w_bar = signal.lfilter(y_bar, np.ones_like(y_bar[:1]), x, axis)
    x_bar = np.flip(signal.lfilter(y_bar, np.ones_like(y_bar[:1]), np.flip(w, axis), axis), axis)


def sosfilt(
    sos: sample([[0.2, 0.3, 0.2, 1.0, -0.5, 0.1]]),
    x: shapes((6,), (3, 6)),
    axis: integer = -1,
):
    y = signal.sosfilt(sos, x, axis)
    x_bar = np.flip(signal.sosfilt(sos, np.flip(y_bar, axis), axis), axis)


def resample_poly(
    x: shapes((8,), (7,), (6, 2)),
    up: sample(3, 2),
    down: sample(2, 5),
    axis: (integer, sample(0)) = 0,
):
    """The transpose goes back by the same filter, which is symmetric."""
    y = signal.resample_poly(x, up, down, axis)
    x_bar = np.take(
        signal.resample_poly(y_bar * (up / down), down, up, axis),
        np.arange(np.shape(x)[axis]),
        axis=axis,
    )


def hilbert(x: shapes((6,), (5,), (3, 6)), *, axis: integer = -1):
    """The transform in the imaginary part is antisymmetric: its transpose is its negative."""
    y = signal.hilbert(x, axis=axis)
    x_bar = np.real(y_bar) + np.imag(signal.hilbert(np.imag(y_bar), axis=axis))


def detrend(
    data: shapes((6,), (3, 6)),
    axis: integer = -1,
    type: sample("constant") = "linear",
    bp: sample(3) = 0,
):
    """An orthogonal projection, which is its own transpose."""
    y = signal.detrend(data, axis, type, bp)
    data_bar = signal.detrend(y_bar, axis, type, bp)
