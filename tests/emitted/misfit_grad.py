import numpy as np


def misfit_grad(W, m, d):
    """Gradient of misfit(W, m, d) with respect to W, m.

    Differentiated in reverse mode by s2sad from primal.py:6-9,
    for float64 arrays W (m, n), m (n,), d (m,).
    """
    if W.ndim != 2:
        raise ValueError("made for W of rank 2")
    if m.ndim != 1:
        raise ValueError("made for m of rank 1")
    if d.ndim != 1:
        raise ValueError("made for d of rank 1")
    if W.shape[0] != d.shape[0]:
        raise ValueError("made for W and d of equal length")

    # -- forward sweep ---------------------------------------------------
    r = np.dot(W, m) - d
    s = np.tanh(r)

    # -- reverse sweep ---------------------------------------------------
    r_bar = s * (1.0 - s**2)         # 8: s = np.tanh(r)
    W_bar = np.outer(r_bar, m)       # 7: r = np.dot(W, m) - d
    m_bar = np.dot(r_bar, W)
    return W_bar, m_bar
