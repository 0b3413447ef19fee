import math


def slope_jvp(a, k, a_dot):
    """Value and tangent of slope(a, k)."""
    # 24: return a * math.sin(k * a)
    result_term = k * a
    result_sin = math.sin(result_term)
    result_term_dot = a_dot * result_sin + a_dot * k * math.cos(result_term) * a
    result_term = a * result_sin
    return result_term, result_term_dot


def both_slopes_jvp(x, y, x_dot, y_dot):
    """Value of both_slopes(x, y) and its derivative along x_dot, y_dot.

    Differentiated in forward mode by s2sad from functions.py:27-30,
    for floats x, y.
    """
    u, u_dot = slope_jvp(x, 1.0, x_dot)  # 28: u = slope(x)
    v, v_dot = slope_jvp(y, 1.0, y_dot)  # 29: v = slope(y)
    result_term_dot = u_dot * v + v_dot * u  # 30: return u * v
    result_term = u * v
    return result_term, result_term_dot
