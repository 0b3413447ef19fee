import math


def slope(a, k=1.0):
    return a * math.sin(k * a)


def slope_rev(a, k, out_bar):
    """Pull out_bar back through slope(a, k)."""
    # -- forward sweep ---------------------------------------------------
    result_term = k * a

    # -- reverse sweep ---------------------------------------------------
    # 24: return a * math.sin(k * a)
    a_bar = out_bar * math.sin(result_term) + out_bar * a * math.cos(result_term) * k
    return a_bar


def both_slopes_value_and_grad(x, y):
    """Value and gradient of both_slopes(x, y) with respect to x, y.

    Differentiated in reverse mode by s2sad from functions.py:27-30,
    for floats x, y.
    """
    # -- forward sweep ---------------------------------------------------
    u = slope(x)
    v = slope(y)
    result_term = u * v

    # -- reverse sweep ---------------------------------------------------
    y_bar = slope_rev(y, 1.0, u)     # 29: v = slope(y)
    x_bar = slope_rev(x, 1.0, v)     # 28: u = slope(x)
    return result_term, (x_bar, y_bar)
