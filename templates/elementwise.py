"""Element by element: y_bar has the full, broadcast shape of y.

A kink has one convention, written in the docstring of its rule. What a line contributes to a
parameter that was broadcast is summed by the reverse pass, never here.
"""

FAMILY = "elementwise"
HOLOMORPHIC = """
add add_twice subtract multiply multiply_by_number multiply_twice divide divide_one negative positive reciprocal
where cross cross_along broadcast_to full full_like dot_of_number dot_with_number
"""

# ---------------------------------------------------------------------------- arithmetic


def add(x, z):
    y = x + z
    y = np.add(x, z)
    x_bar = y_bar
    z_bar = y_bar


def add_twice(x):
    y = x + x
    y = np.add(x, x)
    x_bar = 2.0 * y_bar


def subtract(x, z):
    y = x - z
    y = np.subtract(x, z)
    x_bar = y_bar
    z_bar = -y_bar


def subtract_itself(x):
    y = x - x
    y = np.subtract(x, x)


def multiply(x, z):
    y = x * z
    y = np.multiply(x, z)
    x_bar = y_bar * z
    z_bar = y_bar * x


def multiply_by_number(x: scalar, z):
    y = x * z
    x_bar = y_bar * z
    z_bar = x * y_bar


def multiply_twice(x):
    y = x * x
    y = np.multiply(x, x)
    y = np.square(x)
    x_bar = 2.0 * x * y_bar


def divide(x, z: nonzero):
    y = x / z
    y = np.divide(x, z)
    y = np.true_divide(x, z)
    x_bar = y_bar / z
    z_bar = -(y * y_bar / z)


def divide_itself(x: nonzero):
    y = x / x
    y = np.divide(x, x)
    y = np.true_divide(x, x)


def divide_one(z: nonzero):
    y = 1 / z
    y = np.divide(1, z)
    y = np.true_divide(1, z)
    z_bar = -(y * y_bar / z)


def modulo(x: off_grid, z: nonzero):
    y = x % z
    y = np.mod(x, z)
    y = np.remainder(x, z)
    x_bar = y_bar
    z_bar = -(y_bar * (x // z))


def fmod(x: off_grid, z: nonzero):
    y = np.fmod(x, z)
    x_bar = y_bar
    z_bar = -(y_bar * np.trunc(x / z))


def negative(x):
    y = -x
    y = np.negative(x)
    x_bar = -y_bar


def positive(x):
    y = +x
    y = np.positive(x)
    x_bar = y_bar


def absolute(x: nonzero):
    """At 0 the derivative is taken as 0."""
    y = abs(x)
    y = np.abs(x)
    y = np.fabs(x)
    y_squared = x**2
    x_bar = y_bar * np.sign(x)


def of_real(a, x: constant):
    """a; an error where x is complex as the text runs."""
    y = _of_real(a, x)
    a_bar = _of_real(y_bar, x)


def ldexp(x1, x2: (integer, sample(2, -1))):
    y = np.ldexp(x1, x2)
    x1_bar = np.ldexp(y_bar, x2)


def ldexp_each(x1: shapes((3,), (2, 2)), x2: (constant, places, shapes((3,), (2, 2)))):
    y = np.ldexp(x1, x2)
    x1_bar = np.ldexp(y_bar, x2)


def reciprocal(x: nonzero):
    y = np.reciprocal(x)
    x_bar = -(y * y_bar * y)


def dot_of_number(a: (scalar, shapes((), ())), b: shapes((3,), ())):
    y = np.dot(a, b)
    y = np.inner(a, b)
    a_bar = y_bar * b
    b_bar = y_bar * a


def dot_with_number(a: shapes((3,), (2, 3)), b: (scalar, shapes((), ()))):
    y = np.dot(a, b)
    y = np.inner(a, b)
    a_bar = y_bar * b
    b_bar = y_bar * a


# ---------------------------------------------------------------------------- vectors


def cross(
    a: (triples, shapes((3,), (2, 3), (2, 3), (3,))),
    b: (triples, shapes((3,), (2, 3), (3,), (2, 3))),
):
    y = np.cross(a, b)
    y = np.linalg.cross(a, b)
    a_bar = np.cross(b, y_bar)
    b_bar = np.cross(y_bar, a)
    y_dot = np.cross(a_dot, b)
    y_dot = np.cross(a, b_dot)


def cross_along(
    a: (matrix, shapes((3, 2), (3, 1))),
    b: (matrix, shapes((3, 2), (3, 2))),
    axis: (integer, sample(0, -2)),
):
    y = np.cross(a, b, axis=axis)
    y = np.linalg.cross(a, b, axis=axis)
    a_bar = np.cross(b, y_bar, axis=axis)
    b_bar = np.cross(y_bar, a, axis=axis)
    y_dot = np.cross(a_dot, b, axis=axis)
    y_dot = np.cross(a, b_dot, axis=axis)


def cross_of_vectors_along(
    a: (triples, vector, shapes((3,), (3,))),
    b: (triples, vector, shapes((3,), (3,))),
    axis: (integer, sample(0, -1)),
):
    y = np.cross(a, b, axis=axis)
    y = np.linalg.cross(a, b, axis=axis)
    a_bar = np.cross(b, y_bar, axis=axis)
    b_bar = np.cross(y_bar, a, axis=axis)
    y_dot = np.cross(a_dot, b, axis=axis)
    y_dot = np.cross(a, b_dot, axis=axis)


# ---------------------------------------------------------------------------- angles


def sinc(x: nonzero):
    y = np.sinc(x)
    x_bar = y_bar * _sinc_slope(x)


def copysign(x1: nonzero, x2: (constant, nonzero)):
    """At 0 the derivative is taken as 0."""
    y = np.copysign(x1, x2)
    x1_bar = y_bar * np.sign(x1) * np.copysign(1.0, x2)


def heaviside(x1: (constant, nonzero), x2):
    """Where x1 is 0 the result is x2."""
    y = np.heaviside(x1, x2)
    x2_bar = np.where(x1 == 0.0, y_bar, 0.0)


def nextafter(x1, x2: constant):
    y = np.nextafter(x1, x2)
    x1_bar = y_bar


def radians(x):
    y = np.radians(x)
    y = np.deg2rad(x)
    x_bar = y_bar * (np.pi / 180.0)


def degrees(x):
    y = np.degrees(x)
    y = np.rad2deg(x)
    x_bar = y_bar * (180.0 / np.pi)


# ---------------------------------------------------------------------------- choices


def maximum(x1: apart, x2: apart):
    """At a tie each side receives one half."""
    y = np.maximum(x1, x2)
    x1_bar = y_bar * (x1 >= x2) - 0.5 * y_bar * (x1 == x2)
    x2_bar = y_bar * (x2 >= x1) - 0.5 * y_bar * (x1 == x2)


def maximum_of_doubles(x1: (apart, double_or_whole), x2: (apart, double_or_whole)):
    """At a tie each side receives one half."""
    y = np.maximum(x1, x2)
    x1_bar = y_bar * ((x1 > x2) + 0.5 * (x1 == x2))
    x2_bar = y_bar * ((x2 > x1) + 0.5 * (x1 == x2))


def minimum_of_doubles(x1: (apart, double_or_whole), x2: (apart, double_or_whole)):
    """At a tie each side receives one half."""
    y = np.minimum(x1, x2)
    x1_bar = y_bar * ((x1 < x2) + 0.5 * (x1 == x2))
    x2_bar = y_bar * ((x2 < x1) + 0.5 * (x1 == x2))


def minimum(x1: apart, x2: apart):
    """At a tie each side receives one half."""
    y = np.minimum(x1, x2)
    x1_bar = y_bar * (x1 <= x2) - 0.5 * y_bar * (x1 == x2)
    x2_bar = y_bar * (x2 <= x1) - 0.5 * y_bar * (x1 == x2)


def extreme_of_itself(x):
    y = np.maximum(x, x)
    y = np.minimum(x, x)
    y = np.fmax(x, x)
    y = np.fmin(x, x)
    x_bar = y_bar


def fmax(x1: apart, x2: apart):
    """At a tie each side receives one half."""
    y = np.fmax(x1, x2)
    y = np.fmin(x1, x2)
    x1_bar = y_bar * (x1 == y) - 0.5 * y_bar * (x1 == x2)
    x2_bar = y_bar * (x2 == y) - 0.5 * y_bar * (x1 == x2)


def clip(a: apart, a_min: apart, a_max: apart):
    """At its edges a clipped value still counts as inside."""
    y = np.clip(a, a_min, a_max)
    y = np.clip(a, min=a_min, max=a_max)
    y = a.clip(a_min, a_max)
    y = a.clip(min=a_min, max=a_max)
    a_bar = y_bar * ((a >= a_min) & (a <= a_max))
    a_min_bar = y_bar * ((a < a_min) & (a_min <= a_max))
    a_max_bar = y_bar * (np.maximum(a, a_min) > a_max)


def clip_below(a: apart, a_min: apart, a_max: none = None):
    """At the edge a clipped value still counts as inside."""
    y = np.clip(a, a_min, a_max)
    y = np.clip(a, min=a_min, max=a_max)
    y = a.clip(a_min, a_max)
    y = a.clip(min=a_min, max=a_max)
    a_bar = y_bar * (a >= a_min)
    a_min_bar = y_bar * (a < a_min)


def clip_above(a: apart, a_min: none = None, a_max: apart = None):
    """At the edge a clipped value still counts as inside."""
    y = np.clip(a, a_min, a_max)
    y = np.clip(a, min=a_min, max=a_max)
    y = a.clip(a_min, a_max)
    y = a.clip(min=a_min, max=a_max)
    a_bar = y_bar * (a <= a_max)
    a_max_bar = y_bar * (a > a_max)


def where(condition: (constant, boolean), x, z):
    y = np.where(condition, x, z)
    x_bar = np.where(condition, y_bar, 0.0)
    z_bar = np.where(condition, 0.0, y_bar)


def nan_to_num(
    x: gaps, *, nan: sample(1.0) = 0.0, posinf: sample(2.0) = None, neginf: sample(-2.0) = None
):
    """What is replaced receives nothing."""
    y = np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
    x_bar = np.where(np.isfinite(x), y_bar, 0.0)


# ---------------------------------------------------------------------------- spreading


def broadcast_to(array, shape: sample((3, 4), (2, 3, 4))):
    y = np.broadcast_to(array, shape)
    array_bar = y_bar
    y_dot = np.broadcast_to(array_dot, shape)


def full(shape: sample((3, 4), (2, 3, 4)), fill_value):
    y = np.full(shape, fill_value)
    fill_value_bar = y_bar
    y_dot = np.full(shape, fill_value_dot)


def full_like(a: (constant, spread), fill_value):
    y = np.full_like(a, fill_value)
    fill_value_bar = y_bar
    y_dot = np.full_like(a, fill_value_dot)
