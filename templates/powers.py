"""Powers, roots, exponentials and logarithms, element by element."""

FAMILY = "elementwise"
HOLOMORPHIC = """
power_1 power_2 power_3 power_minus_1 power_half power_number power_of_number power
"""

# ---------------------------------------------------------------------------- powers


def power_0(x):
    y = x**0
    y = np.power(x, 0)
    y = np.float_power(x, 0)


def power_1(x):
    y = x**1
    y = np.power(x, 1)
    y = np.float_power(x, 1)
    x_bar = y_bar


def power_2(x):
    y = x**2
    y = np.power(x, 2)
    y = np.float_power(x, 2)
    x_bar = 2.0 * x * y_bar


def power_3(x):
    y = x**3
    y = np.power(x, 3)
    y = np.float_power(x, 3)
    x_bar = 3.0 * x**2 * y_bar


def power_minus_1(x: nonzero):
    y = x**-1
    y = np.power(x, -1)
    y = np.float_power(x, -1)
    x_bar = -(y * y_bar / x)


def power_half(x: positive):
    y = x**0.5
    y = np.power(x, 0.5)
    y = np.float_power(x, 0.5)
    x_bar = 0.5 * y_bar / y


def power_number(x: positive, p: number):
    y = x**p
    y = np.power(x, p)
    y = np.float_power(x, p)
    x_bar = p * x ** (p - 1) * y_bar


def power_of_number(x: positive_number, p):
    y = x**p
    y = np.power(x, p)
    y = np.float_power(x, p)
    p_bar = y_bar * y * math.log(x)


def power_of_scalar(x: (scalar, positive), p):
    """Where x is 0, p receives 0; where p is 0, so does x."""
    y = x**p
    y = np.power(x, p)
    y = np.float_power(x, p)
    x_bar = p * x ** (p - (p != 0)) * y_bar
    p_bar = y_bar * y * np.log(x + (x == 0))


def power(x: positive, p):
    """Where x is 0, p receives 0; where p is 0, so does x."""
    y = x**p
    y = np.power(x, p)
    y = np.float_power(x, p)
    x_bar = p * x ** (p - (p != 0)) * y_bar
    p_bar = y_bar * y * np.log(x + (x == 0))


def i0(x: nonzero):
    y = np.i0(x)
    x_bar = y_bar * _i1(x)


# ---------------------------------------------------------------------------- exp and log


def logaddexp_of_zero(x1: zero, x2):
    """The slope is the logistic function of x2, by the tangent of half of it: nothing overflows."""
    y = np.logaddexp(x1, x2)
    x2_bar = y_bar * (0.5 + 0.5 * np.tanh(0.5 * x2))


def logaddexp_with_zero(x1, x2: zero):
    y = np.logaddexp(x1, x2)
    x1_bar = y_bar * (0.5 + 0.5 * np.tanh(0.5 * x1))


def logaddexp(x1, x2):
    y = np.logaddexp(x1, x2)
    finite = np.maximum(y, -1e308)
    x1_bar = y_bar * np.exp(x1 - finite)
    x2_bar = y_bar * np.exp(x2 - finite)


def logaddexp2(x1, x2):
    y = np.logaddexp2(x1, x2)
    finite = np.maximum(y, -1e308)
    x1_bar = y_bar * np.exp2(x1 - finite)
    x2_bar = y_bar * np.exp2(x2 - finite)
