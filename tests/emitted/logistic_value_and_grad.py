def logistic_value_and_grad(x, r, n):
    """Value and gradient of logistic(x, r, n) with respect to x, r.

    Differentiated in reverse mode by s2sad from functions.py:57-60,
    for floats x, r.
    Loop at line 58: keeps one x per pass.
    """
    # -- forward sweep ---------------------------------------------------
    x_saved = []
    for _ in range(n):
        x_saved.append(x)
        x = r * x * (1.0 - x)
    value = x

    # -- reverse sweep ---------------------------------------------------
    x_bar = 1.0  # 60: return x
    r_bar = 0.0

    for x in reversed(x_saved):
        # 59: x = r * x * (1.0 - x)
        x_term_bar = x_bar * (1.0 - x)
        r_bar += x_term_bar * x
        x_bar = r * (x_term_bar - x * x_bar)

    return value, (x_bar, r_bar)
