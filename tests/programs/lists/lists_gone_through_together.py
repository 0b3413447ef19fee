"""Lists of objects and dicts that a function makes, gone through beside other things."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


class Body:
    def __init__(self, m, p, v):
        self.m, self.p, self.v = m, p, v

    def force(self, other):
        d = other.p - self.p
        return self.m * other.m * d / (d @ d + 0.1) ** 1.5

    def kick(self, f, dt):
        self.v = self.v + f / self.m * dt

    def drift(self, dt):
        self.p = self.p + self.v * dt


def energy(bodies):
    return sum(0.5 * b.m * b.v @ b.v for b in bodies) + bodies[0].p[0]


def three(u, s):
    return [
        Body(1.0, u[:2], np.zeros(2)),
        Body(s, u[2:4], np.zeros(2)),
        Body(0.5, u[4:], np.zeros(2)),
    ]


def kicked_and_drifted(u, s):
    bodies = [Body(1.0, u[:2], np.zeros(2)), Body(s, u[2:4], np.zeros(2))]
    for _ in range(2):
        forces = [sum((b.force(o) for o in bodies if o is not b), np.zeros(2)) for b in bodies]
        for b, f in zip(bodies, forces, strict=False):
            b.kick(f, 0.1)
        for b in bodies:
            b.drift(0.1)
    return energy(bodies)


def made_elsewhere(u, s):
    bodies = three(u, s)
    forces = []
    for b in bodies:
        forces.append(b.force(bodies[0]))
    for f, b in zip(forces, bodies, strict=False):
        b.kick(f, 0.1)
    return energy(bodies)


def beside_fewer(u, s):
    bodies = [Body(1.0, u[:2], np.zeros(2)), Body(s, u[2:4], np.zeros(2))]
    for b, f in zip(bodies, u.reshape(-1, 2)[:1], strict=False):
        b.kick(f, 0.1)
    for b, f in zip(bodies, np.split(u, 3), strict=False):
        b.kick(f, s)
    for b, f in zip(bodies, (f * s for f in (u[:2], u[1:3])), strict=False):
        b.kick(f, 0.3)
    return energy(bodies)


def one_beside_the_other(u, s):
    left = [Body(1.0, u[:2], np.zeros(2)), Body(s, u[2:4], np.zeros(2))]
    right = [Body(s, u[1:3], np.zeros(2)), Body(0.5, u[2:4], np.zeros(2)), left[0]]
    for a, b, k in zip(left, right, range(2), strict=False):
        a.kick(b.force(a) * (k + 1), 0.1)
        b.kick(a.force(b), 0.1)
    return energy(left) * energy(right)


def by_their_places(u, s):
    bodies = [Body(1.0, u[:2], np.zeros(2)), Body(s, u[2:4], np.zeros(2))]
    forces = [b.force(bodies[0]) for b in bodies]
    for i in range(len(bodies)):
        bodies[i].kick(forces[i], 0.1)
    return energy(bodies)


def longer_meanwhile(u, s):
    bodies = [Body(1.0, u[:2], np.zeros(2)), Body(s, u[2:4], np.zeros(2))]
    forces = [u[:2]]
    for b, f in zip(bodies, forces, strict=False):
        forces.append(b.p * s)
        b.kick(f, 0.1)
    return energy(bodies)


def layers_in_a_dict(u, s):
    params = {"layers": [{"w": u[0], "b": u[1]}, {"w": u[2], "b": s}], "scale": u[4]}
    params["layers"][0]["w"] *= 2.0
    x = 1.0
    for layer in params["layers"]:
        x = np.tanh(layer["w"] * x + layer["b"])
    return x * params["scale"] + params["layers"][1]["w"]


def one_dict_twice(u, s):
    a = {"w": u[0]}
    params = {"x": [a, a], "y": (a, s)}
    params["x"][0]["w"] = u[1] ** 2
    return params["x"][1]["w"] + params["y"][0]["w"] * u[2] + params["y"][1]


U = numbers(6)

PROGRAMS = (
    *(
        Entry(function, (U, 0.7), (0, 1))
        for function in (
            *(kicked_and_drifted, beside_fewer, by_their_places),
            *(layers_in_a_dict, one_dict_twice),
        )
    ),
    Entry(one_beside_the_other, (U, 0.7), (0, 1), may_refuse=True),
    Entry(made_elsewhere, (U, 0.7), (0, 1), may_refuse=True),
    Entry(longer_meanwhile, (U, 0.7), (0, 1), may_refuse=True),
)
