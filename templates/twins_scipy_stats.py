"""Twins of SciPy's distributions of vectors."""

FAMILY = "twin"


def dirichlet_logpdf(x: sample([0.2, 0.3, 0.5], [0.2, 0.3]), alpha: (positive, shapes((3,)))):
    y = stats.dirichlet.logpdf(x, alpha)
    twin = _dirichlet_logpdf(x, alpha)
