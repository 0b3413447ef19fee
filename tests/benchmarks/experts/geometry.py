"""Geometry: cameras, rays, arms, distances on a globe."""

import numpy as np

from tests.benchmarks.experts.case import Case


def bundle(R, t, f, k, X, seen):
    P = X @ R.T + t
    x = P[:, 0] / P[:, 2]
    y = P[:, 1] / P[:, 2]
    d = f * (1.0 + k * (x**2 + y**2))
    ex = d * x - seen[:, 0]
    ey = d * y - seen[:, 1]
    return 0.5 * np.sum(ex**2 + ey**2)


def bundle_adjoint(R, t, f, k, X, seen):
    P = X @ R.T + t
    x = P[:, 0] / P[:, 2]
    y = P[:, 1] / P[:, 2]
    r2 = x**2 + y**2
    w = 1.0 + k * r2
    d = f * w
    ex = d * x - seen[:, 0]
    ey = d * y - seen[:, 1]
    d_bar = ex * x + ey * y
    f_bar = d_bar @ w
    k_bar = f * (d_bar @ r2)
    g = 2.0 * f * k * d_bar
    P_bar = np.empty_like(P)
    P_bar[:, 0] = (ex * d + g * x) / P[:, 2]
    P_bar[:, 1] = (ey * d + g * y) / P[:, 2]
    P_bar[:, 2] = -P_bar[:, 0] * x - P_bar[:, 1] * y
    R_bar = P_bar.T @ X
    t_bar = np.sum(P_bar, axis=0)
    X_bar = P_bar @ R
    return R_bar, t_bar, f_bar, k_bar, X_bar


def ray(centre, radius, eye, ways, light):
    o = eye - centre
    b = ways @ o
    root = np.sqrt(b**2 - (o @ o - radius**2))
    t = -b - root
    normals = (o + t[:, None] * ways) / radius
    shade = normals @ light
    return np.sum(shade**2)


def ray_adjoint(centre, radius, eye, ways, light):
    o = eye - centre
    b = ways @ o
    root = np.sqrt(b**2 - (o @ o - radius**2))
    t = -b - root
    normals = (o + t[:, None] * ways) / radius
    g = 2.0 * (normals @ light)
    normals_bar = np.outer(g, light)
    radius_bar = -np.vdot(normals_bar, normals) / radius
    p_bar = normals_bar / radius
    t_bar = np.einsum("ij,ij->i", p_bar, ways)
    half = 0.5 * t_bar / root
    total = np.sum(half)
    radius_bar -= 2.0 * total * radius
    b_bar = -t_bar - 2.0 * half * b
    o_bar = np.sum(p_bar, axis=0) + b_bar @ ways + 2.0 * total * o
    return -o_bar, radius_bar


def arm(theta, length, goal):
    angle = 0.0
    x = 0.0
    y = 0.0
    for i in range(len(theta)):
        angle = angle + theta[i]
        x = x + length[i] * np.cos(angle)
        y = y + length[i] * np.sin(angle)
    return (x - goal[0]) ** 2 + (y - goal[1]) ** 2


def arm_adjoint(theta, length, goal):
    angle = 0.0
    x = 0.0
    y = 0.0
    saved = []
    for i in range(len(theta)):
        angle = angle + theta[i]
        c = np.cos(angle)
        s = np.sin(angle)
        saved.append((c, s))
        x = x + length[i] * c
        y = y + length[i] * s
    x_bar = 2.0 * (x - goal[0])
    y_bar = 2.0 * (y - goal[1])
    theta_bar = np.empty_like(theta)
    length_bar = np.empty_like(length)
    angle_bar = 0.0
    for i in reversed(range(len(theta))):
        c, s = saved.pop()
        length_bar[i] = x_bar * c + y_bar * s
        angle_bar += length[i] * (y_bar * c - x_bar * s)
        theta_bar[i] = angle_bar
    return theta_bar, length_bar


def globe(lat, lon, stations, distance, radius):
    dlat = stations[:, 0] - lat
    dlon = stations[:, 1] - lon
    a = np.sin(dlat / 2.0) ** 2 + np.cos(lat) * np.cos(stations[:, 0]) * np.sin(dlon / 2.0) ** 2
    r = 2.0 * radius * np.arcsin(np.sqrt(a)) - distance
    return np.mean(r**2)


def globe_adjoint(lat, lon, stations, distance, radius):
    dlat = stations[:, 0] - lat
    dlon = stations[:, 1] - lon
    q = np.cos(stations[:, 0]) * np.sin(dlon / 2.0) ** 2
    a = np.sin(dlat / 2.0) ** 2 + np.cos(lat) * q
    r = 2.0 * radius * np.arcsin(np.sqrt(a)) - distance
    a_bar = 2.0 * radius / len(r) * r / np.sqrt(a * (1.0 - a))
    lat_bar = -0.5 * (a_bar @ np.sin(dlat)) - np.sin(lat) * (a_bar @ q)
    lon_bar = -0.5 * np.cos(lat) * ((a_bar * np.cos(stations[:, 0])) @ np.sin(dlon))
    return lat_bar, lon_bar


def views(normal, n):
    R = np.linalg.qr(np.eye(3) + 0.1 * normal((3, 3)))[0]
    return R, np.array([0.1, 0.2, 9.0]), 1.5, 0.1, normal((n, 3)), normal((n, 2))


def scene(normal, n):
    ways = np.array([0.0, 0.0, 1.0]) + 0.05 * np.tanh(normal((n, 3)))
    ways = ways / np.sqrt(np.sum(ways**2, axis=1))[:, None]
    return np.array([0.1, -0.1, 5.0]), 2.0, np.zeros(3), ways, np.array([0.3, 0.5, -0.8])


def earth(normal, n):
    stations = np.tanh(normal((n, 2)))
    return 0.3, -0.2, stations, np.full(n, 3000.0), 6371.0


CASES = (
    Case(bundle, bundle_adjoint, ("R", "t", "f", "k", "X"), views, (20, 1000, 50_000)),
    Case(ray, ray_adjoint, ("centre", "radius"), scene, (20, 1000, 50_000)),
    Case(
        arm,
        arm_adjoint,
        ("theta", "length"),
        lambda normal, n: (normal(n), 1.0 + normal(n) ** 2, np.array([1.0, 2.0])),
        (6, 100, 2000),
    ),
    Case(globe, globe_adjoint, ("lat", "lon"), earth, (20, 1000, 50_000), mirrors=False),
)
