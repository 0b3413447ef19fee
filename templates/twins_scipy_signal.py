"""Twins of SciPy's smoothing and resampling. What is given as a setting has no derivative."""

FAMILY = "twin"


def savgol_filter(
    x: shapes((8,), (2, 7)),
    window_length: sample(5, 3),
    polyorder: sample(2, 1),
    deriv: sample(1) = 0,
    delta: sample(0.3) = 1.0,
    axis: (integer, sample(-1)) = -1,
    mode: sample("mirror", "constant", "wrap", "nearest") = "interp",
    cval: sample(0.5) = 0.0,
):
    """Of windows of odd length."""
    y = signal.savgol_filter(x, window_length, polyorder, deriv, delta, axis, mode, cval)
    twin = _savgol(x, window_length, polyorder, deriv, delta, axis, mode, cval)


def medfilt(volume: (distinct, shapes((7,), (4, 5))), kernel_size: sample(3, 5) = 3):
    """With zeros around."""
    y = signal.medfilt(volume, kernel_size)
    twin = _ranked(volume, kernel_size, "constant", 0.0)


def resample(
    x: shapes((8,), (7,), (6, 2)), num: sample(5, 12, 16), *, axis: (integer, sample(0)) = 0
):
    """Of real values."""
    y = signal.resample(x, num, axis=axis)
    twin = _resampled(x, num, axis)


def upfirdn(
    h: shapes((3,), (2,)), x: shapes((6,), (5,)), up: sample(2, 3) = 1, down: sample(2) = 1
):
    """Of one row of values."""
    y = signal.upfirdn(h, x, up, down)
    twin = _upfirdn(h, x, up, down)


def lfilter_from(
    b: (vector, shapes((2,), (3,))),
    a: (vector, leading, shapes((2,), (3,))),
    x: (vector, shapes((6,), (5,))),
    *,
    zi: (vector, shapes((1,), (2,))),
):
    """Of one row of values, at least as many as the filter remembers."""
    y = signal.lfilter(b, a, x, zi=zi)
    twin = _lfilter_from(b, a, x, zi)
