"""What tells real and imaginary parts apart; the adjoint of a complex z is dL/dRe z - i dL/dIm z.

So dL = Re(z_bar dz), and what is holomorphic has the same rule for real and complex values.
"""

FAMILY = "elementwise"
HOLOMORPHIC = "vdot vdot_with_complex arccosh as_complex"


def real(x: complex):
    y = np.real(x)
    y = x.real
    x_bar = y_bar + 0j
    y_dot = np.real(x_dot)


def imag(x: complex):
    y = np.imag(x)
    y = x.imag
    x_bar = -1j * y_bar
    y_dot = np.imag(x_dot)


def conj(x: complex):
    y = np.conj(x)
    y = np.conjugate(x)
    y = x.conj()
    y = x.conjugate()
    x_bar = np.conj(y_bar)


def absolute(x: complex):
    """At 0 the derivative is taken as 0."""
    y = np.abs(x)
    y = abs(x)
    y_squared = np.abs(x) ** 2
    x_bar = y_bar * np.conj(x) / (y + (y == 0.0))
    y_dot = np.real(np.conj(x) * x_dot) / (y + (y == 0.0))


# smooth at 0, where the absolute value is not
def absolute_squared(x: complex):
    y = np.abs(x) ** 2
    y = abs(x) ** 2
    x_bar = 2.0 * y_bar * np.conj(x)
    y_dot = 2.0 * np.real(np.conj(x) * x_dot)


def sum_of_squared_parts(x: complex):
    y = x.real**2 + x.imag**2
    y = np.real(x) ** 2 + np.imag(x) ** 2
    x_bar = 2.0 * y_bar * np.conj(x)
    y_dot = 2.0 * np.real(np.conj(x) * x_dot)


def angle(x: (complex, nonzero)):
    y = np.angle(x)
    x_bar = -1j * y_bar / x
    y_dot = np.imag(x_dot / x)


def angle_in_degrees(x: (complex, nonzero), deg: true):
    y = np.angle(x, deg)
    x_bar = (-180j / np.pi) * y_bar / x
    y_dot = (180.0 / np.pi) * np.imag(x_dot / x)


def arccosh(z: complex):
    """By two roots: that of z**2 - 1 has another branch where the real part is negative."""
    y = np.arccosh(z)
    z_bar = y_bar / (np.sqrt(z - 1.0) * np.sqrt(z + 1.0))


def of_parts(real: scalar, imag: scalar):
    y = complex(real, imag)
    real_bar = np.real(y_bar)
    imag_bar = -np.imag(y_bar)
    y_dot = complex(real_dot, 0.0)
    y_dot = complex(0.0, imag_dot)


def of_real_part(real: scalar):
    y = complex(real)
    real_bar = np.real(y_bar)
    y_dot = complex(real_dot)


def as_complex(a, dtype: (complex_type, sample(complex, "complex128"))):
    y = a.astype(dtype)
    y = np.asarray(a, dtype)
    y = np.array(a, dtype)
    y = np.array(a, dtype=dtype)
    a_bar = y_bar
    y_dot = a_dot + 0j


def close_to_real(a: complex):
    """Where NumPy finds no imaginary part to speak of."""
    y = np.real_if_close(a)
    a_bar = y_bar + 0j
    y_dot = a_dot if np.iscomplexobj(y) else np.real(a_dot)


# ---------------------------------------------------------------------------- products and sizes

FAMILY = "explicit"


def vdot(a: (complex, shapes((3,), (2, 3))), b: shapes((3,), (3, 2))):
    y = np.vdot(a, b)
    a_bar = np.reshape(np.conj(y_bar * np.ravel(b)), a.shape)
    b_bar = np.reshape(y_bar * np.conj(np.ravel(a)), b.shape)
    y_dot = np.vdot(a_dot, b)
    y_dot = np.vdot(a, b_dot)


def vdot_with_complex(a: shapes((3,), (2, 3)), b: (complex, shapes((3,), (3, 2)))):
    y = np.vdot(a, b)
    a_bar = np.reshape(np.conj(y_bar * np.ravel(b)), a.shape)
    b_bar = np.reshape(y_bar * np.conj(np.ravel(a)), b.shape)
    y_dot = np.vdot(a_dot, b)
    y_dot = np.vdot(a, b_dot)


def norm(
    x: (complex, shapes((4,), (3, 2))),
    ord: none = None,
    axis: none = None,
    keepdims: false = False,
):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.norm(x, "fro")
    y_squared = np.sum(np.abs(x) ** 2)
    x_bar = y_bar / (y + (y == 0.0)) * np.conj(x)
    y_dot = np.real(np.vdot(x, x_dot)) / (y + (y == 0.0))


def norm_along(
    x: (complex, shapes((4,), (3, 2), (2, 3, 2))),
    ord: none = None,
    *,
    axis: axes,
    keepdims: false = False,
):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y_squared = np.sum(np.abs(x) ** 2, axis=axis)
    x_bar = np.expand_dims(y_bar / (y + (y == 0.0)), axis) * np.conj(x)
    y_dot = np.real(np.sum(np.conj(x) * x_dot, axis=axis)) / (y + (y == 0.0))


def var(a: (complex, shapes((4,), (3, 2)))):
    y = np.var(a)
    a_bar = 2.0 * y_bar / a.size * np.conj(a - np.mean(a))
    y_dot = 2.0 * np.real(np.vdot(a - np.mean(a), a_dot)) / a.size


def std(a: (complex, shapes((4,), (3, 2)))):
    """Where nothing differs the derivative is taken as 0."""
    y = np.std(a)
    y_squared = np.var(a)
    a_bar = y_bar / (a.size * (y + (y == 0.0))) * np.conj(a - np.mean(a))
    y_dot = np.real(np.vdot(a - np.mean(a), a_dot)) / (a.size * (y + (y == 0.0)))


def det(a: (complex, regular, shapes((3, 3), (1, 1), (2, 3, 3)))):
    """A matrix that is singular is refused when the derivative runs."""
    y = np.linalg.det(a)
    a_bar = np.expand_dims(y_bar * y, (-1, -2)) * np.swapaxes(np.linalg.inv(a), -1, -2)
    y_dot = y * np.sum(np.swapaxes(np.linalg.inv(a), -1, -2) * a_dot, axis=(-1, -2))
