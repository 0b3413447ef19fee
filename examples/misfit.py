"""A small inverse problem: the misfit of a model with weights W, and arguments to try it on."""

import numpy as np


def misfit(W, m, d):
    r = np.dot(W, m) - d
    s = np.tanh(r)
    return 0.5 * np.sum(s * s)


misfit_example = (
    np.array([[0.2, -0.4, 0.1], [0.5, 0.3, -0.2], [-0.1, 0.6, 0.4], [0.3, 0.1, 0.7]]),
    np.array([0.4, -0.7, 0.2]),
    np.array([0.1, -0.3, 0.5, 0.2]),
)
