"""Random vectors with a mean and a covariance: y = mean + L e, L the Cholesky factor."""

FAMILY = "linear"


def vectors_by_cholesky(
    rng: (fixed, generator),
    mean: shapes((3,)),
    cov: (definite, shapes((3, 3))),
    size: sample(4, (2, 3)) = None,
):
    """With method="cholesky" cov may vary: the derivative of its factor is Murray's (2016)."""
    y = rng.multivariate_normal(mean, cov, size, method="cholesky")
    mean_bar = _sum_to(y_bar, mean.shape)
    cov_bar = _draws_bar(y_bar, y - mean, cov)
    y_dot = np.broadcast_to(mean_dot, y.shape)
    y_dot = _draws_dot(y - mean, cov, cov_dot)


EACH = "each:rng own:rng globally:np.random"


def vectors_each(
    rng: (fixed, generator),
    mean: shapes((3,)),
    cov: (fixed, definite, shapes((3, 3))),
    size: sample(4, (2, 3)) = None,
):
    """A covariance that varies is refused."""
    y = rng.multivariate_normal(mean, cov, size)
    mean_bar = _sum_to(y_bar, mean.shape)
    y_dot = np.broadcast_to(mean_dot, y.shape)
