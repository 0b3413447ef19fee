"""SciPy's normal distribution of vectors: of one point, or of several as rows.

Of a matrix of covariances only the lower triangle is read, which receives what belongs to both.
"""

FAMILY = "explicit"


def multivariate_normal_logpdf(
    x: shapes((3,), (4, 3)), mean: shapes((3,), (3,)), cov: (definite, shapes((3, 3), (3, 3)))
):
    y = stats.multivariate_normal.logpdf(x, mean, cov)
    pull = linalg.solve(cov, np.transpose(x - mean), lower=True, assume_a="pos")
    x_bar = -np.transpose(pull * y_bar)
    mean_bar = _sum_to(np.transpose(pull * y_bar), mean.shape)
    spread = _outer(pull * y_bar, pull) - np.sum(y_bar) * _inverse_of(cov)
    cov_bar = 0.5 * _folded(spread, True)
    y_dot = -np.sum(np.transpose(pull) * x_dot, axis=-1)
    y_dot = np.dot(mean_dot, pull)
    y_dot = 0.5 * _spread_dot(pull, _inverse_of(cov), _unfolded(cov_dot, True))


def inverse_of(cov: (definite, shapes((3, 3)))):
    """The printed function, for a derivative that is differentiated again."""
    y = _inverse_of(cov)
    cov_bar = -_folded(np.dot(y, np.dot(y_bar, y)), True)
    y_dot = -np.dot(y, np.dot(_unfolded(cov_dot, True), y))
