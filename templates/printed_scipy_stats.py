"""Twins of SciPy's distributions of vectors."""

import numpy as np
import scipy.special


def _dirichlet_logpdf(x, alpha):
    """Twin of scipy.stats.dirichlet.logpdf; the last of the shares may be left out."""
    x = np.asarray(x)
    if len(x) < len(alpha):
        x = np.append(x, 1.0 - np.sum(x))
    total = scipy.special.gammaln(np.sum(alpha)) - np.sum(scipy.special.gammaln(alpha))
    return total + np.sum(scipy.special.xlogy(alpha - 1.0, np.transpose(x)), axis=-1)
