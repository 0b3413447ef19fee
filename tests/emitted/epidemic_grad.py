import numpy as np


def epidemic_grad(beta, sigma, gamma, days):
    """Gradient of epidemic(...) with respect to beta, sigma, gamma.

    Differentiated in reverse mode by s2sad from functions.py:102-110,
    for floats beta, sigma, gamma.
    Loop at line 105: keeps one S, one E, one I and one taken per pass.
    """
    if any(map(np.iscomplexobj, (beta, sigma, gamma))):
        raise ValueError("made for real beta, sigma, gamma")

    # -- forward sweep ---------------------------------------------------
    S, E, I = 0.97, 0.02, 0.01
    peak = 0.0
    saved, taken_saved = [], []
    for day in range(days):
        caught, ill, well = beta * S * I, sigma * E, gamma * I
        saved.append((S, E, I))
        S, E, I = S - caught, E + caught - ill, I + ill - well
        taken = I > peak
        if taken:
            peak = I
        taken_saved.append(taken)

    # -- reverse sweep ---------------------------------------------------
    peak_bar = 1.0  # 110: return peak - R
    E_bar = I_bar = gamma_bar = sigma_bar = S_bar = beta_bar = 0.0

    for taken, (S, E, I) in zip(reversed(taken_saved), reversed(saved)):
        if taken:
            I_bar += peak_bar  # 109: peak = I
            peak_bar = 0.0
        # 107: S, E, I, R = S - caught, E + caught - ill, I + ill - well, R + well
        ill_bar = I_bar - E_bar
        well_bar = -1.0 - I_bar
        caught_bar = E_bar - S_bar
        # 106: caught, ill, well = beta * S * I, sigma * E, gamma * I
        gamma_bar += well_bar * I
        I_bar += gamma * well_bar + beta * S * caught_bar
        sigma_bar += ill_bar * E
        E_bar += sigma * ill_bar
        caught_term_bar = caught_bar * I
        beta_bar += caught_term_bar * S
        S_bar += beta * caught_term_bar

    return beta_bar, sigma_bar, gamma_bar
