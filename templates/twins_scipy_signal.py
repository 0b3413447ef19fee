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
    twin = _ranked(volume, kernel_size, "constant", 0.0, 0, None)


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


EACH = "convolve2d correlate2d"


def each_around(
    in1: shapes((4, 5), (4, 4)),
    in2: shapes((3, 3), (2, 3)),
    mode: sample("same", "valid") = "full",
    *,
    boundary: sample("wrap", "symm"),
):
    """Of a kernel that is no larger than the image."""
    y = signal.each(in1, in2, mode, boundary=boundary)
    twin = _each_around(in1, in2, mode, boundary)


def periodogram(
    x: shapes((8,), (2, 9)),
    fs: sample(2.5) = 1.0,
    window: sample("hann") = "boxcar",
    nfft: sample(12) = None,
    detrend: sample(False, "linear") = "constant",
    *,
    scaling: sample("spectrum") = "density",
    axis: (integer, sample(-1)) = -1,
):
    """Of real values, one-sided."""
    y = signal.periodogram(x, fs, window, nfft, detrend, scaling=scaling, axis=axis)
    twin = _periodogram(x, fs, window, nfft, detrend, scaling, axis)


def welch(
    x: shapes((20,), (2, 19)),
    fs: sample(2.5) = 1.0,
    window: sample("boxcar") = "hann",
    nperseg: sample(8, 7) = None,
    noverlap: sample(3) = None,
    *,
    detrend: sample(False, "linear") = "constant",
    scaling: sample("spectrum") = "density",
    axis: (integer, sample(-1)) = -1,
):
    """Of real values, one-sided, by the mean over the segments."""
    y = signal.welch(x, fs, window, nperseg, noverlap, detrend=detrend, scaling=scaling, axis=axis)
    twin = _welch(x, fs, window, nperseg, noverlap, detrend, scaling, axis)


def stft(
    x: shapes((20,), (2, 19)),
    fs: sample(2.5) = 1.0,
    window: sample("boxcar") = "hann",
    nperseg: sample(8, 7) = 256,
    noverlap: sample(3) = None,
    *,
    axis: (integer, sample(-1)) = -1,
):
    """Of real values, one-sided, with zeros at both ends."""
    y = signal.stft(x, fs, window, nperseg, noverlap, axis=axis)
    twin = _stft(x, fs, window, nperseg, noverlap, axis)


def sosfilt_of_sections(
    sos: sample([[0.2, 0.3, 0.2, 1.0, -0.5, 0.1]]), x: shapes((6,), (3, 6)), axis: integer = -1
):
    y = signal.sosfilt(sos, x, axis)
    twin = _sosfilt(sos, x, axis)


def filtfilt(
    b: (vector, shapes((3,), (1,))),
    a: (vector, leading, shapes((2,), (3,))),
    x: shapes((14,), (2, 14)),
    axis: (integer, sample(-1)) = -1,
    padtype: sample("even", "constant", None) = "odd",
    padlen: sample(4) = None,
):
    """Padded: with method="gust" there is no rule."""
    y = signal.filtfilt(b, a, x, axis, padtype, padlen)
    twin = _filtfilt(b, a, x, axis, padtype, padlen)


def sosfiltfilt(
    sos: sample([[0.2, 0.3, 0.2, 1.0, -0.5, 0.1]]),
    x: shapes((14,), (2, 14)),
    axis: (integer, sample(-1)) = -1,
    padtype: sample("even", "constant", None) = "odd",
    padlen: sample(4) = None,
):
    y = signal.sosfiltfilt(sos, x, axis, padtype, padlen)
    twin = _sosfiltfilt(sos, x, axis, padtype, padlen)


def csd(
    x: shapes((20,), (2, 19)),
    z: shapes((20,), (2, 19)),
    fs: sample(2.5) = 1.0,
    window: sample("boxcar") = "hann",
    nperseg: sample(8, 7) = None,
    noverlap: sample(3) = None,
    *,
    detrend: sample(False, "linear") = "constant",
    scaling: sample("spectrum") = "density",
    axis: (integer, sample(-1)) = -1,
):
    """Of real values as many of one as of the other, one-sided."""
    y = signal.csd(x, z, fs, window, nperseg, noverlap, detrend=detrend, scaling=scaling, axis=axis)
    twin = _csd(x, z, fs, window, nperseg, noverlap, detrend, scaling, axis)


def coherence(
    x: shapes((20,), (2, 19)),
    z: shapes((20,), (2, 19)),
    fs: sample(2.5) = 1.0,
    window: sample("hamming") = "hann",
    nperseg: sample(8, 7) = None,
    noverlap: sample(3) = None,
    *,
    detrend: sample(False) = "constant",
    axis: (integer, sample(-1)) = -1,
):
    """Of real values as many of one as of the other, one-sided."""
    y = signal.coherence(x, z, fs, window, nperseg, noverlap, detrend=detrend, axis=axis)
    twin = _coherence(x, z, fs, window, nperseg, noverlap, detrend, axis)


def spectrogram(
    x: shapes((20,), (2, 19)),
    fs: sample(2.5) = 1.0,
    window: sample("boxcar", "hann") = ("tukey", 0.25),
    nperseg: sample(8, 7) = 256,
    noverlap: sample(3) = None,
    *,
    detrend: sample(False) = "constant",
    scaling: sample("spectrum") = "density",
    axis: (integer, sample(-1)) = -1,
):
    """Of real values, one-sided."""
    y = signal.spectrogram(
        x, fs, window, nperseg, noverlap, detrend=detrend, scaling=scaling, axis=axis
    )
    twin = _spectrogram(x, fs, window, nperseg, noverlap, detrend, scaling, axis)


def freqz(
    b: (vector, shapes((3,), (1,))),
    a: (vector, leading, shapes((2,), (3,))) = 1,
    worN: sample(7, 8) = 512,
    *,
    whole: sample(True) = False,
    fs: sample(2.5) = 2.0 * np.pi,
):
    y = signal.freqz(b, a, worN, whole, fs=fs)
    twin = _freqz(b, a, worN, whole, fs)
