"""Twins of SciPy's distributions of vectors."""

FAMILY = "twin"


def dirichlet_logpdf(x: sample([0.2, 0.3, 0.5], [0.2, 0.3]), alpha: (positive, shapes((3,)))):
    y = stats.dirichlet.logpdf(x, alpha)
    twin = _dirichlet_logpdf(x, alpha)


def boxcox_llf(lmb: sample(0.5, -0.3), data: (positive, vector, shapes((5,)))):
    y = stats.boxcox_llf(lmb, data)
    twin = _boxcox_llf(lmb, data)


def wasserstein_distance(
    u: (distinct, shapes((4,))), v: sample([0.21, 1.46, 0.83, 2.27], [0.42, 1.93])
):
    """Of samples whose values count the same."""
    y = stats.wasserstein_distance(u, v)
    twin = _wasserstein_distance(u, v)


def energy_distance(u: (distinct, shapes((4,))), v: sample([0.21, 1.46, 0.83, 2.27], [0.42, 1.93])):
    """Of samples whose values count the same."""
    y = stats.energy_distance(u, v)
    twin = _energy_distance(u, v)


def chisquare(f_obs: (positive, vector, shapes((4,))), *, ddof: (integer, sample(1)) = 0):
    y = stats.chisquare(f_obs, ddof=ddof)
    twin = _chisquare(f_obs, None, ddof)


def zmap(
    scores: shapes((4,), (3, 2)),
    compare: shapes((5,), (4, 2)),
    *,
    ddof: (integer, sample(1)) = 0,
):
    y = stats.zmap(scores, compare, ddof=ddof)
    twin = _zmap(scores, compare, ddof)
