"""Functions that NumPy and the module math have alike, element by element."""

FAMILY = "elementwise"
HOLOMORPHIC = """
sqrt exp expm1 exp2 log log2 log10 log1p sin cos tan arcsin arccos arctan
sinh cosh tanh arcsinh arctanh
"""

# ---------------------------------------------------------------------------- roots, exp and log


def sqrt(x: positive):
    y = np.sqrt(x)
    x_bar = 0.5 * y_bar / y


def cbrt(x: nonzero):
    y = np.cbrt(x)
    x_bar = y_bar / (3.0 * y**2)


def exp(x):
    y = np.exp(x)
    x_bar = y_bar * y


def expm1(x):
    y = np.expm1(x)
    x_bar = y_bar * (y + 1.0)


def exp2(x):
    y = np.exp2(x)
    x_bar = y_bar * y * math.log(2.0)


def log(x: positive):
    y = np.log(x)
    x_bar = y_bar / x


def log2(x: positive):
    y = np.log2(x)
    x_bar = y_bar / (x * math.log(2.0))


def log10(x: positive):
    y = np.log10(x)
    x_bar = y_bar / (x * math.log(10.0))


def log1p(x: positive):
    y = np.log1p(x)
    x_bar = y_bar / (1.0 + x)


# ---------------------------------------------------------------------------- angles


def sin(x):
    y = np.sin(x)
    x_bar = y_bar * np.cos(x)


def cos(x):
    y = np.cos(x)
    x_bar = -(y_bar * np.sin(x))


def tan(x: unit):
    y = np.tan(x)
    x_bar = y_bar * (1.0 + y**2)


def arcsin(x: unit):
    y = np.arcsin(x)
    x_bar = y_bar / np.sqrt(1.0 - x**2)


def arccos(x: unit):
    y = np.arccos(x)
    x_bar = -(y_bar / np.sqrt(1.0 - x**2))


def arctan(x):
    y = np.arctan(x)
    x_bar = y_bar / (1.0 + x**2)


def arctan2(x1: nonzero, x2: nonzero):
    y = np.arctan2(x1, x2)
    square = x1**2 + x2**2
    x1_bar = y_bar * x2 / square
    x2_bar = -(y_bar * x1 / square)


def hypot(x1: nonzero, x2: nonzero):
    """Where both are 0 the derivative is taken as 0."""
    y = np.hypot(x1, x2)
    y_squared = x1**2 + x2**2
    x1_bar = y_bar * x1 / (y + (y == 0.0))
    x2_bar = y_bar * x2 / (y + (y == 0.0))


# ---------------------------------------------------------------------------- hyperbolic


def sinh(x):
    y = np.sinh(x)
    x_bar = y_bar * np.cosh(x)


def cosh(x):
    y = np.cosh(x)
    x_bar = y_bar * np.sinh(x)


def tanh(x):
    y = np.tanh(x)
    x_bar = y_bar * (1.0 - y**2)


def arcsinh(x):
    y = np.arcsinh(x)
    x_bar = y_bar / np.sqrt(x**2 + 1.0)


def arccosh(x: above_one):
    y = np.arccosh(x)
    x_bar = y_bar / np.sqrt(x**2 - 1.0)


def arctanh(x: unit):
    y = np.arctanh(x)
    x_bar = y_bar / (1.0 - x**2)
