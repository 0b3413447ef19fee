"""Covariances, histograms and counts."""

FAMILY = "linear"

# ---------------------------------------------------------------------------- covariances


def cov(
    m: (matrix, shapes((2, 4), (3, 5))),
    *,
    rowvar: true = True,
    bias: false = False,
    ddof: none = None,
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    centred = m - np.mean(m, axis=1, keepdims=True)
    m_bar = np.dot(y_bar + y_bar.T, centred) / (m.shape[1] - 1)
    y_dot = _cov_dot(m, m_dot) / (m.shape[1] - 1)


def cov_of_columns(
    m: (matrix, shapes((4, 2), (5, 3))), *, rowvar: false, bias: false = False, ddof: none = None
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    centred = m - np.mean(m, axis=0)
    m_bar = np.dot(centred, y_bar + y_bar.T) / (m.shape[0] - 1)
    y_dot = _cov_dot(m.T, m_dot.T) / (m.shape[0] - 1)


def cov_of_all(
    m: (matrix, shapes((2, 4), (3, 5))), *, rowvar: true = True, bias: true, ddof: none = None
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    centred = m - np.mean(m, axis=1, keepdims=True)
    m_bar = np.dot(y_bar + y_bar.T, centred) / m.shape[1]
    y_dot = _cov_dot(m, m_dot) / m.shape[1]


def cov_of_all_of_columns(
    m: (matrix, shapes((4, 2), (5, 3))), *, rowvar: false, bias: true, ddof: none = None
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    centred = m - np.mean(m, axis=0)
    m_bar = np.dot(centred, y_bar + y_bar.T) / m.shape[0]
    y_dot = _cov_dot(m.T, m_dot.T) / m.shape[0]


def cov_with_ddof(
    m: (matrix, shapes((2, 4), (3, 5))),
    *,
    rowvar: true = True,
    bias=False,
    ddof: (integer, sample(0, 2)),
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    centred = m - np.mean(m, axis=1, keepdims=True)
    m_bar = np.dot(y_bar + y_bar.T, centred) / (m.shape[1] - ddof)
    y_dot = _cov_dot(m, m_dot) / (m.shape[1] - ddof)


def cov_of_columns_with_ddof(
    m: (matrix, shapes((4, 2), (5, 3))), *, rowvar: false, bias=False, ddof: (integer, sample(0, 2))
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    centred = m - np.mean(m, axis=0)
    m_bar = np.dot(centred, y_bar + y_bar.T) / (m.shape[0] - ddof)
    y_dot = _cov_dot(m.T, m_dot.T) / (m.shape[0] - ddof)


def cov_of_two(
    m: (vector, shapes((4,))), z: (vector, shapes((4,))), *, ddof: (integer, sample(0, 2)) = 1
):
    y = np.cov(m, z, ddof=ddof)
    own = m - np.mean(m)
    other = z - np.mean(z)
    both = y_bar[0, 1] + y_bar[1, 0]
    m_bar = (2.0 * y_bar[0, 0] * own + both * other) / (m.size - ddof)
    z_bar = (2.0 * y_bar[1, 1] * other + both * own) / (z.size - ddof)
    y_dot = _cov_dot(np.stack((m, z)), np.stack((m_dot, np.zeros_like(z)))) / (m.size - ddof)
    y_dot = _cov_dot(np.stack((m, z)), np.stack((np.zeros_like(m), z_dot))) / (m.size - ddof)


def cov_of_two_of_all(m: (vector, shapes((4,))), z: (vector, shapes((4,))), *, bias: true):
    y = np.cov(m, z, bias=bias)
    own = m - np.mean(m)
    other = z - np.mean(z)
    both = y_bar[0, 1] + y_bar[1, 0]
    m_bar = (2.0 * y_bar[0, 0] * own + both * other) / m.size
    z_bar = (2.0 * y_bar[1, 1] * other + both * own) / z.size
    y_dot = _cov_dot(np.stack((m, z)), np.stack((m_dot, np.zeros_like(z)))) / m.size
    y_dot = _cov_dot(np.stack((m, z)), np.stack((np.zeros_like(m), z_dot))) / m.size


def cov_of_vector(
    m: (vector, shapes((4,), (5,))), *, rowvar=True, bias: false = False, ddof: none = None
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    m_bar = 2.0 * y_bar / (m.size - 1) * (m - np.mean(m))
    y_dot = 2.0 * np.dot(m - np.mean(m), m_dot) / (m.size - 1)


def cov_of_all_of_vector(
    m: (vector, shapes((4,), (5,))), *, rowvar=True, bias: true, ddof: none = None
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    m_bar = 2.0 * y_bar / m.size * (m - np.mean(m))
    y_dot = 2.0 * np.dot(m - np.mean(m), m_dot) / m.size


def cov_of_vector_with_ddof(
    m: (vector, shapes((4,), (5,))), *, rowvar=True, bias=False, ddof: (integer, sample(0, 2))
):
    y = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)
    m_bar = 2.0 * y_bar / (m.size - ddof) * (m - np.mean(m))
    y_dot = 2.0 * np.dot(m - np.mean(m), m_dot) / (m.size - ddof)


def corrcoef(x: (matrix, shapes((2, 4), (3, 5)))):
    y = np.corrcoef(x)
    x_bar = _corrcoef_bar(y_bar, x)
    y_dot = _corrcoef_dot(x, x_dot)


def corrcoef_of_columns(x: (matrix, shapes((4, 2), (5, 3))), *, rowvar: false):
    y = np.corrcoef(x, rowvar=rowvar)
    x_bar = _corrcoef_bar(y_bar, x.T).T
    y_dot = _corrcoef_dot(x.T, x_dot.T)


def corrcoef_of_two(x: (vector, shapes((4,))), z: (vector, shapes((4,)))):
    y = np.corrcoef(x, z)
    back = _corrcoef_bar(y_bar, np.stack((x, z)))
    x_bar = back[0]
    z_bar = back[1]
    y_dot = _corrcoef_dot(np.stack((x, z)), np.stack((x_dot, np.zeros_like(z))))
    y_dot = _corrcoef_dot(np.stack((x, z)), np.stack((np.zeros_like(x), z_dot)))


# ---------------------------------------------------------------------------- Python's statistics


def mean_of_vector(data: shapes((4,))):
    y = statistics.mean(data)
    y = statistics.fmean(data)
    data_bar = np.full_like(data, y_bar / len(data))
    y_dot = np.mean(data_dot)


def weighted_mean_of_vector(data: shapes((4,)), weights: (positive, shapes((4,)))):
    y = statistics.fmean(data, weights)
    data_bar = y_bar / np.sum(weights) * weights
    weights_bar = y_bar / np.sum(weights) * (data - y)
    y_dot = np.dot(weights, data_dot) / np.sum(weights)
    y_dot = np.dot(data - y, weights_dot) / np.sum(weights)


def harmonic_mean_of_vector(data: (positive, shapes((4,)))):
    y = statistics.harmonic_mean(data)
    data_bar = y_bar * y**2 / (len(data) * data**2)
    y_dot = y**2 * np.mean(data_dot / data**2)


EACH = "each:count variance:(len(data)-1) pvariance:len(data)"


def each_of_vector(data: shapes((4,))):
    y = statistics.each(data)
    data_bar = 2.0 * y_bar / count * (data - np.mean(data))
    y_dot = 2.0 * np.dot(data - np.mean(data), data_dot) / count


EACH = "each:count stdev:(len(data)-1) pstdev:len(data)"


def each_of_vector(data: shapes((4,))):
    """Where all elements are equal the derivative is taken as 0."""
    y = statistics.each(data)
    data_bar = y_bar / ((y + (y == 0.0)) * count) * (data - np.mean(data))
    y_dot = np.dot(data - np.mean(data), data_dot) / ((y + (y == 0.0)) * count)


# ---------------------------------------------------------------------------- counts


def bincount(x: (constant, places, shapes((4,))), weights: shapes((4,)), minlength: sample(5) = 0):
    y = np.bincount(x, weights, minlength)
    weights_bar = y_bar[x]
