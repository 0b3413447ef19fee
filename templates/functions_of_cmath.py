"""Complex numbers of Python's own, by the module cmath: a number without an imaginary part has a complex value, too."""

FAMILY = "elementwise"
HOLOMORPHIC = """
sqrt exp log log_to_base log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
"""

# ---------------------------------------------------------------------------- holomorphic


def sqrt(x: positive):
    y = cmath.sqrt(x)
    x_bar = 0.5 * y_bar / y


def exp(x):
    y = cmath.exp(x)
    x_bar = y_bar * y


def log(x: positive):
    y = cmath.log(x)
    x_bar = y_bar / x


def log_to_base(x: (scalar, positive), base: (scalar, above_one)):
    y = cmath.log(x, base)
    x_bar = y_bar / (x * cmath.log(base))
    base_bar = -(y_bar * y / (base * cmath.log(base)))


def log10(x: positive):
    y = cmath.log10(x)
    x_bar = y_bar / (x * math.log(10.0))


def sin(x):
    y = cmath.sin(x)
    x_bar = y_bar * cmath.cos(x)


def cos(x):
    y = cmath.cos(x)
    x_bar = -(y_bar * cmath.sin(x))


def tan(x: unit):
    y = cmath.tan(x)
    x_bar = y_bar * (1.0 + y**2)


def asin(x: unit):
    y = cmath.asin(x)
    x_bar = y_bar / cmath.sqrt(1.0 - x**2)


def acos(x: unit):
    y = cmath.acos(x)
    x_bar = -(y_bar / cmath.sqrt(1.0 - x**2))


def atan(x):
    y = cmath.atan(x)
    x_bar = y_bar / (1.0 + x**2)


def sinh(x):
    y = cmath.sinh(x)
    x_bar = y_bar * cmath.cosh(x)


def cosh(x):
    y = cmath.cosh(x)
    x_bar = y_bar * cmath.sinh(x)


def tanh(x):
    y = cmath.tanh(x)
    x_bar = y_bar * (1.0 - y**2)


def asinh(x):
    y = cmath.asinh(x)
    x_bar = y_bar / cmath.sqrt(x**2 + 1.0)


def acosh(x: above_one):
    """By two roots: that of x**2 - 1 has another branch where the real part is negative."""
    y = cmath.acosh(x)
    x_bar = y_bar / (cmath.sqrt(x - 1.0) * cmath.sqrt(x + 1.0))


def atanh(x: unit):
    y = cmath.atanh(x)
    x_bar = y_bar / (1.0 - x**2)


# ---------------------------------------------------------------------------- size and angle


def phase(x: (complex, nonzero)):
    y = cmath.phase(x)
    x_bar = -1j * y_bar / x
    y_dot = np.imag(x_dot / x)


def phase_of_real(x: nonzero):
    y = cmath.phase(x)


def rect(r: scalar, phi: scalar):
    y = cmath.rect(r, phi)
    r_bar = np.real(y_bar * cmath.exp(1j * phi))
    phi_bar = -np.imag(y_bar * y)
    y_dot = r_dot * cmath.exp(1j * phi)
    y_dot = 1j * y * phi_dot
