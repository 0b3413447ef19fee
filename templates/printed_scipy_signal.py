"""Twins of SciPy's smoothing and resampling."""

import numpy as np
import scipy.signal


def _savgol(x, width, polyorder, deriv, delta, axis, mode, cval):
    """Twin of scipy.signal.savgol_filter."""
    if width % 2 == 0:
        raise ValueError("the derivative is that of windows of odd length")
    half = width // 2
    fitted = np.zeros((width, width), x.dtype)
    for place in range(width):
        how = deriv, delta, place, "dot"
        fitted[place] = scipy.signal.savgol_coeffs(width, polyorder, *how)
    if mode != "interp":
        return _correlated1d(x, fitted[half], axis, mode, cval, 0)
    line = np.moveaxis(x, axis, 0)
    windows = np.lib.stride_tricks.sliding_window_view(line, width, axis=0)
    first = np.tensordot(fitted[:half], line[:width], axes=1)
    last = np.tensordot(fitted[half + 1 :], line[-width:], axes=1)
    middle = np.tensordot(windows, fitted[half], axes=1)
    return np.moveaxis(np.concatenate((first, middle, last)), 0, axis)


def _resampled(x, num, axis):
    """Twin of scipy.signal.resample(x, num, axis=axis), of real values."""
    count = np.shape(x)[axis]
    freqs = np.fft.rfft(x, axis=axis)
    shorter = min(num, count)
    kept = np.take(freqs, np.arange(shorter // 2 + 1), axis=axis)
    if shorter % 2 == 0 and num != count:
        # the highest frequency stands for two, or for half of two
        factor = np.ones(shorter // 2 + 1)
        factor[-1] = 2.0 if num < count else 0.5
        kept = np.moveaxis(np.moveaxis(kept, axis, -1) * factor, -1, axis)
    return np.fft.irfft(kept, num, axis=axis) * (num / count)


def _upfirdn(h, x, up, down):
    """Twin of scipy.signal.upfirdn, of one row of values."""
    if np.ndim(x) != 1:
        raise ValueError("the derivative is that of one row of values")
    wide = np.zeros((len(x) - 1) * up + 1, x.dtype)
    wide[::up] = x
    return np.convolve(wide, h)[::down]


def _lfilter_from(b, a, x, zi):
    """Twin of scipy.signal.lfilter(b, a, x, zi=zi): its memory comes in first."""
    start = np.zeros_like(x)
    start[: len(zi)] = zi
    y = scipy.signal.lfilter(b, a, x) + scipy.signal.lfilter(a[:1], a, start)
    zf = np.zeros_like(zi)
    for k in range(len(zi)):
        for past in range(len(zi) - k):
            if k + 1 + past < len(b):
                zf[k] += b[k + 1 + past] * x[-1 - past] / a[0]
            if k + 1 + past < len(a):
                zf[k] -= a[k + 1 + past] * y[-1 - past] / a[0]
    return y, zf


def _convolve2d_around(in1, in2, mode, boundary):
    """Twin of scipy.signal.convolve2d(in1, in2, mode, boundary=boundary)."""
    if mode == "valid":
        return scipy.signal.convolve2d(in1, in2, "valid")
    rows, columns = np.shape(in2)
    wider = scipy.signal.convolve2d(_continued(in1, in2, boundary), in2)
    middle = 3 * (rows - 1) // 2, 3 * (columns - 1) // 2
    return _part_of_wider(wider, in1, in2, mode, middle)


def _correlate2d_around(in1, in2, mode, boundary):
    """Twin of scipy.signal.correlate2d(in1, in2, mode, boundary=boundary)."""
    if mode == "valid":
        return scipy.signal.correlate2d(in1, in2, "valid")
    rows, columns = np.shape(in2)
    wider = scipy.signal.correlate2d(_continued(in1, in2, boundary), in2)
    middle = rows - 1 + rows // 2, columns - 1 + columns // 2
    return _part_of_wider(wider, in1, in2, mode, middle)


def _continued(in1, in2, boundary):
    """Return an image continued on all sides as far as a kernel reaches."""
    rows, columns = np.shape(in2)
    more = ((rows - 1, rows - 1), (columns - 1, columns - 1))
    return np.pad(in1, more, mode="wrap" if boundary == "wrap" else "symmetric")


def _part_of_wider(wider, in1, in2, mode, middle):
    """Return what a mode keeps of the convolution of an image that was continued."""
    rows, columns = np.shape(in2)
    top, left = (rows - 1, columns - 1) if mode == "full" else middle
    height, width = np.shape(in1)
    if mode == "full":
        height, width = height + rows - 1, width + columns - 1
    return wider[top : top + height, left : left + width]


def _detrended(x, detrend):
    """Return rows without their mean, or their line of best fit."""
    if detrend == "constant":
        return x - np.mean(x, axis=-1, keepdims=True)
    if detrend == "linear":
        return scipy.signal.detrend(x, axis=-1)
    return x


def _power_spectra(x, fs, window, nfft, detrend, scaling):
    """Return the one-sided power spectra of rows of real values."""
    weights = scipy.signal.get_window(window, np.shape(x)[-1]).astype(x.dtype)
    count = np.shape(x)[-1] if nfft is None else nfft
    spectrum = np.fft.rfft(_detrended(x, detrend) * weights, count)
    scale = fs * np.sum(weights**2) if scaling == "density" else np.sum(weights) ** 2
    twice = np.full(count // 2 + 1, 2.0, x.dtype)
    twice[0] = 1.0
    if count % 2 == 0:
        twice[-1] = 1.0
    return (np.real(spectrum) ** 2 + np.imag(spectrum) ** 2) * (twice / scale)


def _periodogram(x, fs, window, nfft, detrend, scaling, axis):
    """Twin of scipy.signal.periodogram."""
    rows = np.moveaxis(x, axis, -1)
    count = np.shape(rows)[-1] if nfft is None else nfft
    found = _power_spectra(rows, fs, window, nfft, detrend, scaling)
    return np.fft.rfftfreq(count, 1.0 / fs), np.moveaxis(found, -1, axis)


def _welch(x, fs, window, nperseg, noverlap, detrend, scaling, axis):
    """Twin of scipy.signal.welch."""
    rows = np.moveaxis(x, axis, -1)
    count = np.shape(rows)[-1]
    length = min(256, count) if nperseg is None else min(nperseg, count)
    step = length - (length // 2 if noverlap is None else noverlap)
    starts = range(0, count - length + 1, step)
    parts = np.stack([rows[..., i : i + length] for i in starts], axis=-2)
    found = np.mean(_power_spectra(parts, fs, window, None, detrend, scaling), axis=-2)
    return np.fft.rfftfreq(length, 1.0 / fs), np.moveaxis(found, -1, axis)


def _stft(x, fs, window, nperseg, noverlap, axis):
    """Twin of scipy.signal.stft."""
    rows = np.moveaxis(x, axis, -1)
    length = min(nperseg, np.shape(rows)[-1])
    step = length - (length // 2 if noverlap is None else noverlap)
    edge = np.zeros_like(rows[..., : length // 2])
    more = (length - np.shape(rows)[-1] - 2 * np.shape(edge)[-1]) % step % length
    wide = np.concatenate((edge, rows, edge, np.zeros_like(rows[..., :more])), axis=-1)
    weights = scipy.signal.get_window(window, length).astype(x.dtype)
    starts = range(0, np.shape(wide)[-1] - length + 1, step)
    parts = np.stack([wide[..., i : i + length] for i in starts], axis=-2)
    spectrum = np.fft.rfft(parts * (weights / np.sum(weights)))
    found = np.swapaxes(spectrum, -1, -2)
    times = np.arange(len(starts)) * step / fs
    place = axis - 1 if axis < 0 else axis
    return np.fft.rfftfreq(length, 1.0 / fs), times, np.moveaxis(found, -2, place)


def _sosfilt(sos, x, axis):
    """Twin of scipy.signal.sosfilt(sos, x, axis): one section after the other."""
    sections = np.asarray(sos)
    for k in range(len(sections)):
        x = scipy.signal.lfilter(sections[k, :3], sections[k, 3:], x, axis)
    return x


def _filtfilt(b, a, x, axis, padtype, padlen):
    """Twin of scipy.signal.filtfilt(b, a, x, axis, padtype, padlen)."""
    b, a = np.asarray(b), np.asarray(a)
    edge = 3 * max(len(a), len(b)) if padlen is None else padlen
    gain = np.sum(b) / np.sum(a)
    rows = _extended(np.moveaxis(x, axis, -1), padtype, edge)
    for _ in range(2):
        # steady at its first value, and then turned
        steady = rows[..., :1]
        rows = np.flip(scipy.signal.lfilter(b, a, rows - steady) + gain * steady, -1)
    first = 0 if padtype is None else edge
    return np.moveaxis(rows[..., first : first + np.shape(x)[axis]], -1, axis)


def _sosfiltfilt(sos, x, axis, padtype, padlen):
    """Twin of scipy.signal.sosfiltfilt(sos, x, axis, padtype, padlen)."""
    sos = np.asarray(sos)
    zeros = min(np.sum(sos[:, 2] == 0.0), np.sum(sos[:, 5] == 0.0))
    edge = 3 * (2 * len(sos) + 1 - zeros) if padlen is None else padlen
    gain = np.prod(np.sum(sos[:, :3], axis=1) / np.sum(sos[:, 3:], axis=1))
    rows = _extended(np.moveaxis(x, axis, -1), padtype, edge)
    for _ in range(2):
        steady = rows[..., :1]
        rows = np.flip(_sosfilt(sos, rows - steady, -1) + gain * steady, -1)
    first = 0 if padtype is None else edge
    return np.moveaxis(rows[..., first : first + np.shape(x)[axis]], -1, axis)


def _extended(x, padtype, edge):
    """Return rows that go on at both ends, turned about these if padtype is odd."""
    if padtype is None or edge == 0:
        return x
    first, last = x[..., :1], x[..., -1:]
    if padtype == "constant":
        ones = np.ones(edge, x.dtype)
        return np.concatenate((first * ones, x, last * ones), axis=-1)
    before, behind = x[..., edge:0:-1], x[..., -2 : -edge - 2 : -1]
    if padtype == "odd":
        before, behind = 2.0 * first - before, 2.0 * last - behind
    return np.concatenate((before, x, behind), axis=-1)


def _segments(x, nperseg, noverlap):
    """Return stretches of rows that overlap, along the axis before the last."""
    count = np.shape(x)[-1]
    length = min(nperseg, count)
    step = length - noverlap
    starts = range(0, count - length + 1, step)
    return np.stack([x[..., i : i + length] for i in starts], axis=-2)


def _cross_spectra(x, z, fs, window, nperseg, noverlap, detrend, scaling):
    """Return the mean one-sided cross spectra of stretches of rows of real values."""
    count = np.shape(x)[-1]
    length = min(256, count) if nperseg is None else min(nperseg, count)
    overlap = length // 2 if noverlap is None else noverlap
    weights = scipy.signal.get_window(window, length).astype(x.dtype)
    left = np.fft.rfft(_detrended(_segments(x, length, overlap), detrend) * weights)
    right = np.fft.rfft(_detrended(_segments(z, length, overlap), detrend) * weights)
    scale = fs * np.sum(weights**2) if scaling == "density" else np.sum(weights) ** 2
    twice = np.full(length // 2 + 1, 2.0, x.dtype)
    twice[0] = 1.0
    if length % 2 == 0:
        twice[-1] = 1.0
    found = np.mean(np.conj(left) * right * (twice / scale), axis=-2)
    return np.fft.rfftfreq(length, 1.0 / fs), found


def _csd(x, z, fs, window, nperseg, noverlap, detrend, scaling, axis):
    """Twin of scipy.signal.csd."""
    rows = np.moveaxis(x, axis, -1), np.moveaxis(z, axis, -1)
    how = nperseg, noverlap, detrend, scaling
    freqs, found = _cross_spectra(rows[0], rows[1], fs, window, *how)
    return freqs, np.moveaxis(found, -1, axis)


def _coherence(x, z, fs, window, nperseg, noverlap, detrend, axis):
    """Twin of scipy.signal.coherence."""
    freqs, left = _welch(x, fs, window, nperseg, noverlap, detrend, "density", axis)
    _, right = _welch(z, fs, window, nperseg, noverlap, detrend, "density", axis)
    _, both = _csd(x, z, fs, window, nperseg, noverlap, detrend, "density", axis)
    return freqs, (np.real(both) ** 2 + np.imag(both) ** 2) / left / right


def _spectrogram(x, fs, window, nperseg, noverlap, detrend, scaling, axis):
    """Twin of scipy.signal.spectrogram."""
    rows = np.moveaxis(x, axis, -1)
    length = min(nperseg, np.shape(rows)[-1])
    overlap = length // 8 if noverlap is None else noverlap
    parts = _segments(rows, length, overlap)
    power = _power_spectra(parts, fs, window, None, detrend, scaling)
    found = np.swapaxes(power, -1, -2)
    times = (np.arange(np.shape(parts)[-2]) * (length - overlap) + length / 2) / fs
    place = axis - 1 if axis < 0 else axis
    return np.fft.rfftfreq(length, 1.0 / fs), times, np.moveaxis(found, -2, place)


def _freqz(b, a, worN, whole, fs):
    """Twin of scipy.signal.freqz(b, a, worN, whole, fs=fs)."""
    freqs = worN
    if np.ndim(worN) == 0:
        freqs = np.linspace(0.0, fs if whole else fs / 2.0, worN, endpoint=False)
    delay = -1j * (freqs * (2.0 * np.pi / fs))
    below = np.atleast_1d(a)
    over = np.dot(np.exp(np.multiply.outer(delay, np.arange(len(b)))), b)
    under = np.dot(np.exp(np.multiply.outer(delay, np.arange(len(below)))), below)
    return freqs, over / under
