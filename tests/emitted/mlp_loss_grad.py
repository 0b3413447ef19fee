import numpy as np


def layer(x, W, b):
    return np.tanh(x @ W + b)


def layer_rev(x, W, b, out, out_bar):
    """Pull out_bar back through layer(x, W, b)."""
    if W.shape[1] != b.shape[0]:
        raise ValueError("made for W and b of equal length")

    # -- reverse sweep ---------------------------------------------------
    # 46: return np.tanh(x @ W + b)
    result_term_bar = out_bar * (1.0 - out**2)
    b_bar = np.sum(result_term_bar, axis=0)
    x_bar = result_term_bar @ W.T
    W_bar = x.T @ result_term_bar
    return x_bar, W_bar, b_bar


def mlp_loss_grad(params, x, y):
    """Gradient of mlp_loss(params, x, y) with respect to params.

    Differentiated in reverse mode by s2sad from primal.py:49-52,
    for float64 arrays x (m, n), y (m, k).
    Loop at line 50: keeps one x per pass.
    """
    if x.ndim != 2:
        raise ValueError("made for x of rank 2")
    if y.ndim != 2:
        raise ValueError("made for y of rank 2")
    if x.shape[0] != y.shape[0]:
        raise ValueError("made for x and y of equal length")

    # -- forward sweep ---------------------------------------------------
    x_saved = []
    for W, b in params:
        x_saved.append(x)
        x = layer(x, W, b)
    result_term = x - y
    if x.shape != y.shape:
        raise ValueError("made for x and y of equal shape")

    # -- reverse sweep ---------------------------------------------------
    x_bar = 2.0 * result_term / result_term.size  # 52: return np.mean((x - y) ** 2)
    params_bar = []

    for W, b in reversed(params):
        x_old = x_saved.pop()
        x_bar, W_bar, b_bar = layer_rev(x_old, W, b, x, x_bar)  # 51: x = layer(x, W, b)
        params_bar.append((W_bar, b_bar))  # 50: for W, b in params:
        x = x_old

    return params_bar[::-1]
