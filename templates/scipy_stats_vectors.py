"""SciPy's normal distribution of vectors: of one point, or of several as rows.

Of a matrix of covariances only the lower triangle is read, which receives what belongs to both.
"""

FAMILY = "explicit"


def multivariate_normal_logpdf(
    x: shapes((3,), (4, 3)),
    mean: shapes((3,), (3,)),
    cov: (matrix, definite, shapes((3, 3), (3, 3))),
):
    y = stats.multivariate_normal.logpdf(x, mean, cov)
    y = stats.multivariate_normal.logpdf(x, mean, cov, allow_singular=True)
    y = stats.multivariate_normal.logpdf(x, mean, cov, True)
    pull = linalg.solve(cov, np.transpose(x - mean), lower=True, assume_a="pos")
    x_bar = -np.transpose(pull * y_bar)
    mean_bar = _sum_to(np.transpose(pull * y_bar), mean.shape)
    spread = _outer(pull * y_bar, pull) - np.sum(y_bar) * _inverse_of(cov)
    cov_bar = 0.5 * _folded(spread, True)
    y_dot = -np.sum(np.transpose(pull) * x_dot, axis=-1)
    y_dot = np.dot(mean_dot, pull)
    y_dot = 0.5 * _spread_dot(pull, _inverse_of(cov), _unfolded(cov_dot, True))


def multivariate_normal_logpdf_around_zero(
    x: shapes((3,), (4, 3)), cov: (matrix, definite, shapes((3, 3), (3, 3)))
):
    """Of components whose means are 0."""
    y = stats.multivariate_normal.logpdf(x, None, cov)
    y = stats.multivariate_normal.logpdf(x, None, cov, allow_singular=True)
    y = stats.multivariate_normal.logpdf(x, None, cov, True)
    y = stats.multivariate_normal.logpdf(x, cov=cov)
    y = stats.multivariate_normal.logpdf(x, cov=cov, allow_singular=True)
    y = stats.multivariate_normal.logpdf(x, mean=None, cov=cov)
    y = stats.multivariate_normal.logpdf(x, mean=None, cov=cov, allow_singular=True)
    pull = linalg.solve(cov, np.transpose(x), lower=True, assume_a="pos")
    x_bar = -np.transpose(pull * y_bar)
    spread = _outer(pull * y_bar, pull) - np.sum(y_bar) * _inverse_of(cov)
    cov_bar = 0.5 * _folded(spread, True)
    y_dot = -np.sum(np.transpose(pull) * x_dot, axis=-1)
    y_dot = 0.5 * _spread_dot(pull, _inverse_of(cov), _unfolded(cov_dot, True))


def multivariate_normal_pdf(
    x: shapes((3,), (4, 3)),
    mean: shapes((3,), (3,)),
    cov: (matrix, definite, shapes((3, 3), (3, 3))),
):
    y = stats.multivariate_normal.pdf(x, mean, cov)
    y = stats.multivariate_normal.pdf(x, mean, cov, allow_singular=True)
    y = stats.multivariate_normal.pdf(x, mean, cov, True)
    pull = linalg.solve(cov, np.transpose(x - mean), lower=True, assume_a="pos")
    weight = y * y_bar
    x_bar = -np.transpose(pull * weight)
    mean_bar = _sum_to(np.transpose(pull * weight), mean.shape)
    spread = _outer(pull * weight, pull) - np.sum(weight) * _inverse_of(cov)
    cov_bar = 0.5 * _folded(spread, True)
    y_dot = -y * np.sum(np.transpose(pull) * x_dot, axis=-1)
    y_dot = y * np.dot(mean_dot, pull)
    y_dot = y * (0.5 * _spread_dot(pull, _inverse_of(cov), _unfolded(cov_dot, True)))


def multivariate_normal_logpdf_of_variances(
    x: shapes((3,), (4, 3)), mean: shapes((3,), (3,)), cov: (vector, positive, shapes((3,), (3,)))
):
    """Of independent components that have these variances."""
    y = stats.multivariate_normal.logpdf(x, mean, cov)
    pull = (x - mean) / cov
    rows = np.expand_dims(y_bar, -1)
    x_bar = -rows * pull
    mean_bar = _sum_to(rows * pull, mean.shape)
    cov_bar = 0.5 * _sum_to(rows * (pull**2 - 1.0 / cov), np.shape(cov))
    y_dot = -np.sum(pull * x_dot, axis=-1)
    y_dot = np.dot(pull, mean_dot)
    y_dot = 0.5 * np.sum((pull**2 - 1.0 / cov) * cov_dot, axis=-1)


def multivariate_normal_logpdf_of_one_variance(
    x: shapes((3,), (4, 3)), mean: shapes((3,), (3,)), cov: (scalar, positive, shapes((), ()))
):
    """Of independent components that have one variance."""
    y = stats.multivariate_normal.logpdf(x, mean, cov)
    pull = (x - mean) / cov
    rows = np.expand_dims(y_bar, -1)
    x_bar = -rows * pull
    mean_bar = _sum_to(rows * pull, mean.shape)
    cov_bar = 0.5 * np.sum(rows * (pull**2 - 1.0 / cov))
    y_dot = -np.sum(pull * x_dot, axis=-1)
    y_dot = np.dot(pull, mean_dot)
    y_dot = 0.5 * np.sum((pull**2 - 1.0 / cov) * cov_dot, axis=-1)


def inverse_of(cov: (definite, shapes((3, 3)))):
    """The printed function, for a derivative that is differentiated again."""
    y = _inverse_of(cov)
    cov_bar = -_folded(np.dot(y, np.dot(y_bar, y)), True)
    y_dot = -np.dot(y, np.dot(_unfolded(cov_dot, True), y))
