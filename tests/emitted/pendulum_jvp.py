import numpy as np


def pendulum_jvp(theta, omega, k, dt, n, theta_dot, k_dot):
    """Value of pendulum(...) and its derivative along theta_dot, k_dot.

    Differentiated in forward mode by s2sad from primal.py:55-59,
    for floats theta, omega, k, dt.
    """
    omega_dot = 0.0
    for _ in range(n):
        # 57: omega = omega - dt * k * np.sin(theta)
        sin_theta = np.sin(theta)
        omega_dot = omega_dot - dt * (k_dot * sin_theta + k * theta_dot * np.cos(theta))
        omega = omega - dt * k * sin_theta
        # 58: theta = theta + dt * omega
        theta_dot = theta_dot + dt * omega_dot
        theta = theta + dt * omega
    return theta, theta_dot
