import numpy as np


def mlp_loss_grad(params, x, y):
    """Gradient of mlp_loss(params, x, y) with respect to params.

    Differentiated in reverse mode by s2sad from primal.py:49-52,
    for float64 arrays x (r, s), y (r, t).
    Loop at line 50: keeps one x per pass.
    """
    if (
        not all(
            len(each) == 2
            and type(each[0]) is type(each[1]) is np.ndarray
            and (each[0].ndim, each[1].ndim) == (2, 1)
            and each[0].dtype.kind + each[1].dtype.kind == "ff"
            for each in params
        )
        or not type(x) is type(y) is np.ndarray
        or (x.ndim, y.ndim, x.dtype.kind + y.dtype.kind) != (2, 2, "ff")
        or y.shape[0] != x.shape[0]
    ):
        raise ValueError("made for tuples in params, float arrays x (r, s), y (r, t)")

    # -- forward sweep ---------------------------------------------------
    params_bar = [
        [np.zeros_like(x_value[0]), np.zeros_like(x_value[1])] for x_value in params
    ]
    x_saved = []
    for W, b in params:
        if W.shape[1] != b.shape[0]:
            raise ValueError("made for W.shape[1] == b.shape[0]")
        x_saved.append(x)
        x = np.tanh(x @ W + b)
    if x.shape[1] != y.shape[1]:
        raise ValueError("made for x.shape[1] == y.shape[1]")

    # -- reverse sweep ---------------------------------------------------
    x_bar = 2.0 * (x - y) / x.size  # 52: return np.mean((x - y) ** 2)

    for (W, _), (W_bar, b_bar) in zip(reversed(params), reversed(params_bar)):
        x_term_bar = x_bar * (1.0 - x**2)  # 51: x = layer(x, W, b)
        x = x_saved.pop()
        W_bar += x.T @ x_term_bar
        b_bar += np.sum(x_term_bar, axis=0)
        x_bar = x_term_bar @ W.T

    return [tuple(x_value) for x_value in params_bar]
