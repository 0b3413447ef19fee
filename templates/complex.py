"""What tells real and imaginary parts apart; the adjoint of a complex z is dL/dRe z - i dL/dIm z.

So dL = Re(z_bar dz), and what is holomorphic has the same rule for real and complex values.
"""

FAMILY = "elementwise"


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
    x_bar = y_bar * np.conj(x) / (y + (y == 0.0))
    y_dot = np.real(np.conj(x) * x_dot) / (y + (y == 0.0))


def angle(x: (complex, nonzero)):
    y = np.angle(x)
    x_bar = -1j * y_bar / x
    y_dot = np.imag(x_dot / x)


def angle_in_degrees(x: (complex, nonzero), deg: true):
    y = np.angle(x, deg)
    x_bar = (-180j / np.pi) * y_bar / x
    y_dot = (180.0 / np.pi) * np.imag(x_dot / x)


def of_parts(real: scalar, imag: scalar):
    y = complex(real, imag)
    real_bar = np.real(y_bar)
    imag_bar = -np.imag(y_bar)
    y_dot = complex(real_dot, 0.0)
    y_dot = complex(0.0, imag_dot)


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
