"""Cameras, hands, globes and shapes.

Each function returns a scalar; `CASES` has arguments for each, drawn with a generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def rotated(axis, point):
    """Rodrigues' formula: the point turned about an axis by its length."""
    squared = np.sum(axis**2)
    if squared < 1e-12:
        return point + np.cross(axis, point)
    angle = np.sqrt(squared)
    unit = axis / angle
    turned = point * np.cos(angle) + np.cross(unit, point) * np.sin(angle)
    return turned + unit * np.dot(unit, point) * (1.0 - np.cos(angle))


def projected(camera, point):
    """A pinhole camera (axis, centre, focal length, midpoint, two of distortion) sees a point."""
    seen = rotated(camera[:3], point - camera[3:6])
    plane = seen[:2] / seen[2]
    r2 = np.sum(plane**2)
    return plane * (1.0 + camera[9] * r2 + camera[10] * r2**2) * camera[6] + camera[7:9]


def bundle_adjustment(cameras, points, weights, observed, pairs):
    """The weighted reprojection errors of points in cameras, and of the weights from one."""
    error = 0.0
    for k in range(len(pairs)):
        c, p = pairs[k]
        miss = weights[k] * (projected(cameras[c], points[p]) - observed[k])
        error += np.sum(miss**2) + (1.0 - weights[k] ** 2) ** 2
    return error


def from_angles(a, b, c):
    """The rotation by three angles about x, y and z as a homogeneous matrix."""
    ca, sa, cb, sb, cc, sc = np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    return np.array(
        [
            [cb * cc, sa * sb * cc - ca * sc, ca * sb * cc + sa * sc, 0.0],
            [cb * sc, sa * sb * sc + ca * cc, ca * sb * sc - sa * cc, 0.0],
            [-sb, sa * cb, ca * cb, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def skinned_hand(angles, parents, rest, vertices, weights, target):
    """Bones turned one after the other along a tree, and a skin that follows them by weights."""
    bones = []
    for k in range(len(parents)):
        local = rest[k] @ from_angles(angles[k, 0], angles[k, 1], angles[k, 2])
        if parents[k] < 0:
            bones.append(local)
        else:
            bones.append(bones[parents[k]] @ local)
    skin = np.zeros_like(vertices)
    for k in range(len(parents)):
        skin += weights[:, k : k + 1] * (vertices @ bones[k].T)
    return np.sum((skin - target) ** 2)


def arc_distance(theta1, phi1, theta2, phi2):
    """Great-circle distances by haversines, for many pairs of places."""
    h = np.sin(0.5 * (theta2 - theta1)) ** 2
    h += np.cos(theta1) * np.cos(theta2) * np.sin(0.5 * (phi2 - phi1)) ** 2
    return np.sum(2.0 * np.arctan2(np.sqrt(h), np.sqrt(1.0 - h)))


def arc_in_metres(lat1, lon1, lat2, lon2):
    """A single great circle in metres, with the functions of the math module."""
    p, q = math.radians(lat1), math.radians(lat2)
    half = math.radians(lon2 - lon1) / 2.0
    h = math.sin((q - p) / 2.0) ** 2 + math.cos(p) * math.cos(q) * math.sin(half) ** 2
    return 2.0 * 6371e3 * math.asin(math.sqrt(h))


def shoelace(polygon):
    """The area of a polygon and its circumference."""
    following = np.roll(polygon, -1, axis=0)
    area = 0.5 * np.sum(polygon[:, 0] * following[:, 1] - following[:, 0] * polygon[:, 1])
    edges = np.sqrt(np.sum((following - polygon) ** 2, axis=1))
    return area / np.sum(edges) ** 2


def arm(angles, lengths, goal):
    """A planar robot arm: how far its hand is from the goal."""
    total, x, y = 0.0, 0.0, 0.0
    for angle, length in zip(angles, lengths, strict=True):
        total += angle
        x += length * math.cos(total)
        y += length * math.sin(total)
    return math.hypot(x - goal[0], y - goal[1])


def bezier(control, t):
    """De Casteljau's construction of a point on a curve, in place."""
    points = control.copy()
    for last in range(len(points) - 1, 0, -1):
        for i in range(last):
            points[i] = (1.0 - t) * points[i] + t * points[i + 1]
    return np.sum(points[0] ** 2)


def quaternion_spin(q, omega, dt, steps):
    """A unit quaternion turned by an angular velocity, renormalised after each step."""
    for _ in range(steps):
        w, x, y, z = q
        a, b, c = omega
        rate = np.array(
            [
                -x * a - y * b - z * c,
                w * a + y * c - z * b,
                w * b + z * a - x * c,
                w * c + x * b - y * a,
            ]
        )
        q = q + 0.5 * dt * rate
        q = q / np.sqrt(np.sum(q**2))
    return q[0] - q[1] * q[2]


def bilinear_warp(image, shift):
    """An image read between its pixels, moved by a shift."""
    rows, columns = image.shape
    loss = 0.0
    for i in range(rows - 1):
        for j in range(columns - 1):
            y, x = i + shift[0], j + shift[1]
            k, m = int(y), int(x)
            if k >= rows - 1 or m >= columns - 1:
                continue
            a, b = y - k, x - m
            value = (1.0 - a) * ((1.0 - b) * image[k, m] + b * image[k, m + 1])
            value += a * ((1.0 - b) * image[k + 1, m] + b * image[k + 1, m + 1])
            loss += (value - image[i, j]) ** 2
    return loss


def marched_distance(origin, direction, centre, radius):
    """A ray marched towards a sphere until it is near: the light that it sees there."""
    t = 0.0
    for _ in range(50):
        gap = np.linalg.norm(origin + t * direction - centre) - radius
        if gap < 1e-10:
            break
        t = t + gap
    hit = origin + t * direction
    normal = (hit - centre) / radius
    return np.maximum(0.0, -np.dot(normal, direction)) / (1.0 + t**2)


def iterative_alignment(source, target, rounds):
    """Closest points: each round moves a cloud by the mean gap to its nearest neighbours."""
    shift = np.zeros(2)
    for _ in range(rounds):
        moved = source + shift
        far = np.sum((moved[:, None, :] - target[None, :, :]) ** 2, axis=2)
        nearest = np.argmin(far, axis=1)
        shift = shift + np.mean(target[nearest] - moved, axis=0)
    return np.sum(shift**2)


def draw(rng: np.random.Generator, *shape: int) -> Any:
    """Return positive numbers around one."""
    return rng.uniform(0.4, 1.4, shape)


PAIRS = [(0, 0), (0, 2), (1, 1)]

CASES: dict[Callable[..., Any], Callable[[np.random.Generator], tuple[Any, ...]]] = {
    bundle_adjustment: lambda g: (
        0.3 * draw(g, 2, 11),
        draw(g, 3, 3) + 1.0,
        draw(g, 3),
        draw(g, 3, 2),
        PAIRS,
    ),
    skinned_hand: lambda g: (
        draw(g, 3, 3),
        np.array([-1, 0, 0]),
        draw(g, 3, 4, 4),
        draw(g, 5, 4),
        draw(g, 5, 3),
        draw(g, 5, 4),
    ),
    arc_distance: lambda g: (draw(g, 4), draw(g, 4), draw(g, 4), draw(g, 4)),
    arc_in_metres: lambda g: (48.1, 11.6, 40.7, -74.0),
    shoelace: lambda g: (np.array([[0.0, 0.0], [2.0, 0.1], [1.7, 1.5], [0.3, 1.2]]),),
    arm: lambda g: (draw(g, 3), draw(g, 3), (0.5, -0.7)),
    bezier: lambda g: (draw(g, 4, 2), 0.3),
    quaternion_spin: lambda g: (np.array([0.5, 0.5, -0.5, 0.5]), draw(g, 3), 0.1, 3),
    bilinear_warp: lambda g: (draw(g, 4, 4), np.array([0.3, 0.6])),
    marched_distance: lambda g: (
        np.zeros(3),
        np.array([0.0, 0.6, 0.8]),
        np.array([0.1, 2.0, 3.0]),
        1.0,
    ),
    iterative_alignment: lambda g: (draw(g, 4, 2), draw(g, 5, 2), 2),
}
