"""Functions that count, of real numbers, and the profile of a spectral line.

Where a count is 0 beyond its range, so is its derivative.
"""

FAMILY = "elementwise"


def factorial(n: positive, *, exact: false = False):
    """n! of real numbers (DLMF 5.4.1)."""
    y = special.factorial(n, exact=exact)
    n_bar = y_bar * y * special.psi(np.maximum(n, 0.0) + 1.0)


def comb(N: above_two, k: positive, *, exact: false = False, repetition: false = False):
    """The binomial coefficient of real numbers (DLMF 5.4.4), 0 for k beyond 0 and N."""
    y = special.comb(N, k, exact=exact, repetition=repetition)
    N_bar = y_bar * y * (_psi_above(N) - _psi_above(N - k))
    k_bar = y_bar * y * (_psi_above(N - k) - _psi_above(k))


def voigt_profile(x, sigma: positive, gamma: positive):
    """The derivative of the Faddeeva function is DLMF 7.10.2; sigma at 0 is refused."""
    y = special.voigt_profile(x, sigma, gamma)
    x_bar = y_bar * np.real(_voigt_slope(x, sigma, gamma))
    sigma_bar = -(
        y_bar
        * (
            y
            + x * np.real(_voigt_slope(x, sigma, gamma))
            - gamma * np.imag(_voigt_slope(x, sigma, gamma))
        )
        / sigma
    )
    gamma_bar = -(y_bar * np.imag(_voigt_slope(x, sigma, gamma)))
