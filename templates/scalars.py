"""Python's own numbers: the math module and the builtins, answered with math's functions."""

FAMILY = "elementwise"

# ---------------------------------------------------------------------------- builtins


def float_(x: scalar):
    y = float(x)
    x_bar = y_bar


def float_of_array(x):
    y = float(x)
    x_bar = y_bar


def maximum_of_two(x: apart, z: apart):
    """As the builtin: z where it is larger, else x."""
    y = max(x, z)
    x_bar = 0.0 if z > x else y_bar
    z_bar = y_bar if z > x else 0.0


def minimum_of_two(x: apart, z: apart):
    """As the builtin: z where it is smaller, else x."""
    y = min(x, z)
    x_bar = 0.0 if z < x else y_bar
    z_bar = y_bar if z < x else 0.0


# ---------------------------------------------------------------------------- powers


def math_pow_0(x):
    y = math.pow(x, 0)


def math_pow_half(x: positive):
    y = math.pow(x, 0.5)
    x_bar = 0.5 * y_bar / y


def math_pow_number(x: positive, p: number):
    y = math.pow(x, p)
    x_bar = p * x ** (p - 1) * y_bar


def math_pow(x: positive, p):
    """Where x is 0, p receives 0; where p is 0, so does x."""
    y = math.pow(x, p)
    x_bar = p * x ** (p - 1 + (p == 0)) * y_bar
    p_bar = y_bar * y * math.log(x + (x == 0))


def fabs(x: nonzero):
    """At 0 the derivative is taken as 0."""
    y = math.fabs(x)
    y_squared = x**2
    x_bar = y_bar * math.copysign(1.0, x) if x else 0.0


def copysign(x: nonzero, z: (constant, nonzero)):
    """At 0 the derivative is taken as 0."""
    y = math.copysign(x, z)
    x_bar = y_bar * math.copysign(1.0, x) * math.copysign(1.0, z) if x else 0.0


def fmod(x: off_grid, z: nonzero):
    y = math.fmod(x, z)
    x_bar = y_bar
    z_bar = -(y_bar * int(x / z))


# ---------------------------------------------------------------------------- exp and log


def log_to_base(x: positive, base: (number, positive_number)):
    y = math.log(x, base)
    x_bar = y_bar / (x * math.log(base))


def log_to_any_base(x: positive, base: above_one):
    y = math.log(x, base)
    x_bar = y_bar / (x * math.log(base))
    base_bar = -(y_bar * y / (base * math.log(base)))


# ---------------------------------------------------------------------------- angles


def radians(x):
    y = math.radians(x)
    x_bar = y_bar * (math.pi / 180.0)


def degrees(x):
    y = math.degrees(x)
    x_bar = y_bar * (180.0 / math.pi)


# ---------------------------------------------------------------------------- special


def erf(x):
    y = math.erf(x)
    x_bar = y_bar * (2.0 / math.sqrt(math.pi)) * math.exp(-(x**2))


def erfc(x):
    y = math.erfc(x)
    x_bar = -(y_bar * (2.0 / math.sqrt(math.pi)) * math.exp(-(x**2)))


def gamma(x: positive):
    """DLMF 5.2.2."""
    y = math.gamma(x)
    x_bar = y_bar * y * _digamma(x)


def lgamma(x: nonzero):
    y = math.lgamma(x)
    x_bar = y_bar * _digamma(x)
