def epidemic_grad(beta, sigma, gamma, days):
    """Gradient of epidemic(...) with respect to beta, sigma, gamma.

    Differentiated in reverse mode by s2sad from functions.py:102-110,
    for floats beta, sigma, gamma.
    Loop at line 105: keeps one S, one E, one I and one peak per pass.
    """
    # -- forward sweep ---------------------------------------------------
    S, E, I, R = 0.97, 0.02, 0.01, 0.0
    peak = 0.0
    S_saved = []
    E_saved = []
    I_saved = []
    peak_saved = []
    for day in range(days):
        S_saved.append(S)
        E_saved.append(E)
        I_saved.append(I)
        peak_saved.append(peak)
        caught, ill, well = beta * S * I, sigma * E, gamma * I
        S, E, I, R = S - caught, E + caught - ill, I + ill - well, R + well
        if I > peak:
            peak = I

    # -- reverse sweep ---------------------------------------------------
    peak_bar = 1.0                   # 110: return peak - R
    R_bar = -1.0
    S_bar = 0.0
    E_bar = 0.0
    I_bar = 0.0
    beta_bar = 0.0
    sigma_bar = 0.0
    gamma_bar = 0.0

    for day in reversed(range(days)):
        S = S_saved.pop()
        E = E_saved.pop()
        I = I_saved.pop()
        peak = peak_saved.pop()
        if I + sigma * E - gamma * I > peak:
            I_bar += peak_bar        # 109: peak = I
            peak_bar = 0.0
        # 107: S, E, I, R = S - caught, E + caught - ill, I + ill - well, R + well
        well_bar = R_bar - I_bar
        ill_bar = I_bar - E_bar
        caught_bar = E_bar - S_bar
        # 106: caught, ill, well = beta * S * I, sigma * E, gamma * I
        gamma_bar += well_bar * I
        sigma_bar += ill_bar * E
        E_bar += ill_bar * sigma
        caught_term_bar = caught_bar * I
        I_bar += well_bar * gamma + caught_bar * (beta * S)
        beta_bar += caught_term_bar * S
        S_bar += caught_term_bar * beta

    return beta_bar, sigma_bar, gamma_bar
