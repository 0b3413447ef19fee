"""SciPy's special functions that come in pairs and fours: each is the other's derivative, nearly."""

FAMILY = "parts"
HOLOMORPHIC = "fresnel airy"


def fresnel(x):
    """DLMF 7.2.7 and 7.2.8."""
    y = special.fresnel(x)
    x_bar = y_bar[0] * np.sin(0.5 * np.pi * x**2)
    x_bar = y_bar[1] * np.cos(0.5 * np.pi * x**2)
    y_dot[0] = x_dot * np.sin(0.5 * np.pi * x**2)
    y_dot[1] = x_dot * np.cos(0.5 * np.pi * x**2)


def airy(x):
    """DLMF 9.2.1: the second derivative is x times the function."""
    y = special.airy(x)
    x_bar = y_bar[0] * y[1]
    x_bar = y_bar[1] * x * y[0]
    x_bar = y_bar[2] * y[3]
    x_bar = y_bar[3] * x * y[2]
    y_dot[0] = x_dot * y[1]
    y_dot[1] = x_dot * x * y[0]
    y_dot[2] = x_dot * y[3]
    y_dot[3] = x_dot * x * y[2]


def shichi(x: nonzero):
    """DLMF 6.2.15 and 6.2.16; the second is minus infinite at 0."""
    y = special.shichi(x)
    x_bar = y_bar[0] * _sinh_over(x)
    x_bar = y_bar[1] * np.cosh(x) / x
    y_dot[0] = x_dot * _sinh_over(x)
    y_dot[1] = x_dot * np.cosh(x) / x


def sici(x: positive):
    """DLMF 6.2.9 and 6.2.11; the second is minus infinite at 0."""
    y = special.sici(x)
    x_bar = y_bar[0] * np.sinc(x / np.pi)
    x_bar = y_bar[1] * np.cos(x) / x
    y_dot[0] = x_dot * np.sinc(x / np.pi)
    y_dot[1] = x_dot * np.cos(x) / x


def ellipj(u, m: sample(0.3, 0.8)):
    """DLMF 22.13.1; the parameter has no derivative."""
    y = special.ellipj(u, m)
    u_bar = y_bar[0] * y[1] * y[2]
    u_bar = -(y_bar[1] * y[0] * y[2])
    u_bar = -(y_bar[2] * m * y[0] * y[1])
    u_bar = y_bar[3] * y[2]
    y_dot[0] = u_dot * y[1] * y[2]
    y_dot[1] = -(u_dot * y[0] * y[2])
    y_dot[2] = -(u_dot * m * y[0] * y[1])
    y_dot[3] = u_dot * y[2]
