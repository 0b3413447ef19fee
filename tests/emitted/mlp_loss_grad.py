import numpy as np


def _sum_to(x, shape):
    """Sum x over what broadcasting from this shape added or stretched."""
    added = tuple(range(np.ndim(x) - len(shape)))
    x = np.sum(x, axis=added) if added else x
    ones = tuple(i for i, n in enumerate(shape) if n == 1)
    x = np.sum(x, axis=ones, keepdims=True) if ones else x
    return np.reshape(x, shape) if shape else x


def mlp_loss_grad(params, x, y):
    """Gradient of mlp_loss(params, x, y) with respect to params.

    Differentiated in reverse mode by s2sad from primal.py:49-52,
    for float64 arrays x (r, s), y (r, t).
    Loop at line 50: keeps one x_term and one x per pass.
    """
    if (
        not all(
            len(each) == 2
            and (type(each[0]), each[0].ndim) == (np.ndarray, 2)
            and each[0].dtype.kind == "f"
            and (type(each[1]), each[1].ndim) == (np.ndarray, 1)
            and each[1].dtype.kind == "f"
            for each in params
        )
        or (type(x), x.ndim, x.dtype.kind) != (np.ndarray, 2, "f")
        or (type(y), y.ndim, y.dtype.kind) != (np.ndarray, 2, "f")
        or y.shape[0] != x.shape[0]
    ):
        raise ValueError("made for tuples in params, float arrays x (r, s), y (r, t)")

    # -- forward sweep ---------------------------------------------------
    params_bar = [
        [np.zeros_like(x_value[0]), np.zeros_like(x_value[1])] for x_value in params
    ]
    saved = []
    for k in range(len(params)):
        W, b = params[k]
        x_term = x @ W
        saved.append((x_term, x))
        x = np.tanh(x_term + b)
    result_term = x - y
    result_power = result_term**2

    # -- reverse sweep ---------------------------------------------------
    # 52: return np.mean((x - y) ** 2)
    x_bar = _sum_to(2.0 * result_term / result_power.size, np.shape(x))

    for k in reversed(range(len(params))):
        x_new = x
        W_bar, b_bar = params_bar[k]
        W, b = params[k]
        x_term, x = saved.pop()
        # 51: x = layer(x, W, b)
        x_term_bar = x_bar * (1.0 - x_new**2)
        x_product_bar = _sum_to(x_term_bar, np.shape(x_term))
        W_bar += x.T @ x_product_bar
        b_bar += _sum_to(x_term_bar, np.shape(b))
        x_bar = x_product_bar @ W.T

    return [tuple(x_value) for x_value in params_bar]
