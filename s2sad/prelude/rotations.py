"""scipy.spatial.transform.Rotation as unit quaternions (x, y, z, w): one, or a row of them."""

# mypy: ignore-errors

import numpy as np


def _product(p, q):
    """Return the quaternion that turns by q first, then by p."""
    u, v, a, b = p[..., :3], q[..., :3], p[..., 3:], q[..., 3:]
    real = a * b - np.sum(u * v, axis=-1, keepdims=True)
    return np.concatenate((a * v + b * u + np.cross(u, v), real), axis=-1)


def _column(rows, k, count):
    """Return one of some columns, with its axis."""
    return np.sum(rows * np.eye(count)[k], axis=-1, keepdims=True)


def _about(axis, angle):
    """Return the quaternions of turns about one of the axes x, y and z, by angles in columns."""
    direction = np.eye(3)["xyz".index(axis.lower())]
    return np.concatenate((np.sin(0.5 * angle) * direction, np.cos(0.5 * angle)), axis=-1)


class Rotation:
    def __init__(self, quat):
        quat = 1.0 * np.asarray(quat)
        self.quat = quat / np.sqrt(np.sum(quat**2, axis=-1, keepdims=True))

    @classmethod
    def from_quat(cls, quat, *, scalar_first=False):
        return cls(np.roll(np.asarray(quat), -1, axis=-1) if scalar_first else quat)

    @classmethod
    def from_rotvec(cls, rotvec, degrees=False):
        v = np.asarray(rotvec) * (np.pi / 180.0 if degrees else 1.0)
        square = np.sum(v**2, axis=-1, keepdims=True)
        small = square < 1e-8
        angle = np.sqrt(np.where(small, 1.0, square))
        share = np.where(small, 0.5 - square / 48.0, np.sin(0.5 * angle) / angle)
        real = np.where(small, 1.0 - square / 8.0, np.cos(0.5 * angle))
        return cls(np.concatenate((share * v, real), axis=-1))

    @classmethod
    def from_euler(cls, seq, angles, degrees=False):
        angles = np.asarray(angles) * (np.pi / 180.0 if degrees else 1.0)
        if np.ndim(angles) == 0:
            angles = np.reshape(angles, (1,))
        count = len(seq)
        if np.shape(angles)[-1] != count:
            raise ValueError("there is one angle for each axis")
        quat = _about(seq[0], _column(angles, 0, count))
        if count > 1:
            turn = _about(seq[1], _column(angles, 1, count))
            quat = _product(quat, turn) if seq.isupper() else _product(turn, quat)
        if count > 2:
            turn = _about(seq[2], _column(angles, 2, count))
            quat = _product(quat, turn) if seq.isupper() else _product(turn, quat)
        return cls(quat)

    @classmethod
    def from_matrix(cls, matrix):
        """Shepperd 1978; a matrix that moves away from the rotations is the nearest of them."""
        m = np.asarray(matrix)
        square = np.matmul(m, np.swapaxes(m, -1, -2))
        if not np.allclose(square, np.eye(3), rtol=0.0, atol=1e-8):
            raise ValueError("made for matrices of rotations")
        m = 1.5 * m - 0.5 * np.matmul(square, m)
        a, b, c = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
        x, y, z = m[..., 2, 1], m[..., 0, 2], m[..., 1, 0]
        u, v, w = m[..., 1, 2], m[..., 2, 0], m[..., 0, 1]
        whole = a + b + c
        largest = np.argmax(np.stack((a, b, c, whole), axis=-1), axis=-1)[..., None]
        first = np.stack((1.0 - whole + 2.0 * a, z + w, v + y, x - u), axis=-1)
        second = np.stack((z + w, 1.0 - whole + 2.0 * b, x + u, y - v), axis=-1)
        third = np.stack((v + y, x + u, 1.0 - whole + 2.0 * c, z - w), axis=-1)
        fourth = np.stack((x - u, y - v, z - w, 1.0 + whole), axis=-1)
        of_last = np.where(largest == 2, third, fourth)
        return cls(np.where(largest == 0, first, np.where(largest == 1, second, of_last)))

    @classmethod
    def from_mrp(cls, mrp):
        v = np.asarray(mrp)
        square = np.sum(v**2, axis=-1, keepdims=True)
        return cls(np.concatenate((2.0 * v, 1.0 - square), axis=-1) / (1.0 + square))

    @classmethod
    def identity(cls, num=None):
        return cls(np.array([0.0, 0.0, 0.0, 1.0]) * np.ones((() if num is None else (num,)) + (4,)))

    def as_quat(self, canonical=False, *, scalar_first=False):
        quat = self.quat * np.where(self.quat[..., 3:] < 0.0, -1.0, 1.0) if canonical else self.quat
        return np.roll(quat, 1, axis=-1) if scalar_first else quat

    def as_matrix(self):
        columns = [self.apply(np.array(axis)) for axis in ([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0])]
        return np.stack(columns, axis=-1)

    def as_rotvec(self, degrees=False):
        u, real = self.quat[..., :3], self.quat[..., 3:]
        square = np.sum(u**2, axis=-1, keepdims=True)
        small = square < 1e-8
        size = np.sqrt(np.where(small, 1.0, square))
        sign = np.where(real < 0.0, -1.0, 1.0)
        long = np.arctan2(size, sign * real) / size
        found = 2.0 * sign * np.where(small, 1.0 + square / 6.0, long) * u
        return found * (180.0 / np.pi) if degrees else found

    def as_mrp(self):
        sign = np.where(self.quat[..., 3:] < 0.0, -1.0, 1.0)
        return sign * self.quat[..., :3] / (1.0 + sign * self.quat[..., 3:])

    def magnitude(self):
        size = np.sqrt(np.sum(self.quat[..., :3] ** 2, axis=-1))
        return 2.0 * np.arctan2(size, np.abs(self.quat[..., 3]))

    def as_euler(self, seq, degrees=False):
        """Bernardes and Viollet 2022."""
        order = seq.lower()[::-1] if seq.isupper() else seq
        i, j, k = "xyz".index(order[0]), "xyz".index(order[1]), "xyz".index(order[2])
        is_symmetric = i == k
        k = 3 - i - j if is_symmetric else k
        sign = (i - j) * (j - k) * (k - i) / 2
        x, y = _column(self.quat, i, 4), _column(self.quat, j, 4)
        z, w = _column(self.quat, k, 4), _column(self.quat, 3, 4)
        a, b, c, d = w, x, y, sign * z
        if not is_symmetric:
            a, b, c, d = w - y, x + sign * z, y + w, sign * z - x
        middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
        total, rest = np.arctan2(b, a), np.arctan2(d, c)
        first, last = total - rest, total + rest
        if not is_symmetric:
            middle, last = middle - 0.5 * np.pi, sign * last
        ends = (last, middle, first) if seq.isupper() else (first, middle, last)
        angles = np.concatenate(ends, axis=-1)
        angles = angles - 2.0 * np.pi * np.round(angles / (2.0 * np.pi))
        return angles * (180.0 / np.pi if degrees else 1.0)

    def apply(self, vectors, inverse=False):
        u, real = self.quat[..., :3], self.quat[..., 3:] * (-1.0 if inverse else 1.0)
        across = 2.0 * np.cross(u, np.asarray(vectors))
        return vectors + real * across + np.cross(u, across)

    def inv(self):
        return Rotation(self.quat * np.array([-1.0, -1.0, -1.0, 1.0]))

    def __mul__(self, other):
        return Rotation(_product(self.quat, other.quat))

    def __getitem__(self, indexer):
        return Rotation(self.quat[indexer])
