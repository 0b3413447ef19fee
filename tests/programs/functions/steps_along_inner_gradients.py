"""Steps along gradients that are taken inside by lists, tuples and dicts of arrays of several shapes."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

import s2sad
from tests.programs.entry import Entry, numbers

Layer = namedtuple("Layer", "W b")


def loss(p, y):
    W, b = p
    return np.sum((W @ y + b) ** 2)


def loss_of_a_dict(p, y):
    return np.sum((p["W"] @ y + p["b"]) ** 2)


def loss_of_a_layer(p, y):
    return np.sum((p.W @ y + p.b) ** 2)


def loss_of_layers(layers, y):
    for W, b in layers:
        y = np.tanh(W @ y + b)
    return np.sum(y**2)


def loss_that_changes_its_list(p, y):
    p = list(p)
    p[0] = p[0] * 2.0
    p.append(p[0] @ y)
    return np.sum((p[2] + p[1]) ** 2)


def loss_by_positions(p, y):
    total = np.sum(y)
    for k in range(len(p)):
        total = total + np.sum(p[k] * y[0]) ** 2
    return total + sum(np.sum(a) ** 3 for a in p)


def product(p):
    return np.sum(p[0] * p[1])


def cubes_of_a_sum(p):
    return np.sum((p[0] + p[1]) ** 3)


def first_alone(p):
    return np.sum(p[0] ** 2)


def at_a_tuple(y, W, b):
    g = s2sad.grad(loss, "p")((W, b), y)
    return np.sum(g[0] ** 2) + np.sum(g[1] * y[0])


def steps_a_list_by_position(y, W, b):
    p = [W, b]
    for _ in range(3):
        g = s2sad.grad(loss, "p")(p, y)
        for j in range(2):
            p[j] = p[j] - 0.01 * g[j]
    return loss(p, y)


def steps_a_new_list(y, W, b, n):
    p = [W, b]
    for _ in range(n):
        g = s2sad.grad(loss, "p")(p, y)
        p = [q - 0.01 * h for q, h in zip(p, g, strict=True)]
    return loss(p, y)


def steps_with_momentum(y, W, b, n):
    p, v = [W, b], [np.zeros_like(W), np.zeros_like(b)]
    for _ in range(n):
        g = s2sad.grad(loss, "p")(p, y)
        v = [0.9 * a + h for a, h in zip(v, g, strict=True)]
        p = [q - 0.01 * a for q, a in zip(p, v, strict=True)]
    return loss(p, y)


def steps_a_tuple(y, W, b):
    p = (W, b)
    for _ in range(3):
        p = tuple(q - 0.01 * h for q, h in zip(p, s2sad.grad(loss, "p")(p, y), strict=True))
    return loss(p, y)


def steps_in_place(y, W, b):
    p = [W.copy(), b.copy()]
    for _ in range(3):
        for q, h in zip(p, s2sad.grad(loss)(p, y), strict=True):
            q -= 0.01 * h
    return loss(p, y)


def steps_by_map(y, W, b):
    p = [W, b]
    for _ in range(2):
        p = list(map(lambda q, h: q - 0.1 * h, p, s2sad.grad(loss)(p, y)))
    return loss(p, y)


def steps_in_a_while(y, W, b, n):
    p, k = [W, b], 0
    while k < n:
        v, g = s2sad.value_and_grad(loss, "p")(p, y)
        p = [p[0] - 0.1 * g[0], p[-1] - 0.1 * v * g[-1]]
        k += 1
    return loss(p, y)


def steps_a_new_dict(y, W, b):
    p = {"W": W, "b": b}
    for _ in range(3):
        g = s2sad.grad(loss_of_a_dict, "p")(p, y)
        p = {k: v - 0.01 * g[k] for k, v in p.items()}
    return loss_of_a_dict(p, y)


def steps_a_dict_key_by_key(y, W, b):
    p = {"W": W, "b": b}
    for _ in range(3):
        g = s2sad.grad(loss_of_a_dict, "p")(p, y)
        for k in p:
            p[k] = p[k] - 0.01 * g[k]
    return loss_of_a_dict(p, y)


def steps_a_named_tuple(y, W, b):
    p = Layer(W, b)
    for _ in range(2):
        g = s2sad.grad(loss_of_a_layer, "p")(p, y)
        p = Layer(p.W - 0.1 * g.W, p.b - 0.1 * g.b)
    return loss_of_a_layer(p, y)


def steps_layers(y, W, b):
    layers = [(W, b), (W.T, b * 2.0)]
    for _ in range(2):
        g = s2sad.grad(loss_of_layers, "layers")(layers, y)
        pairs = zip(layers, g, strict=True)
        layers = [(a - 0.1 * da, c - 0.1 * dc) for (a, c), (da, dc) in pairs]
    return loss_of_layers(layers, y)


def of_nested_dicts(y, W, b):
    def f(p):
        h = np.tanh(p["in"]["W"] @ y + p["in"]["b"])
        return np.sum((p["out"][1] @ h + p["out"][0]) ** 2)

    g = s2sad.grad(f)({"in": {"W": W, "b": b}, "out": [b, W]})
    return np.sum(g["in"]["W"] * g["out"][1]) + np.sum(g["out"][0] * g["in"]["b"])


def of_a_dict_that_has_a_name(y, W, b):
    p = {"in": {"W": W, "b": b}, "out": [b, W]}

    def f(p, y):
        h = np.tanh(p["in"]["W"] @ y + p["in"]["b"])
        return np.sum((p["out"][1] @ h + p["out"][0]) ** 2)

    g = s2sad.grad(f)(p, y)
    return np.sum(g["in"]["W"] * g["out"][1]) + np.sum(g["out"][0] * g["in"]["b"])


def of_numbers_in_a_dict(y, W, b):
    def f(p):
        return np.sum((p["a"] * W @ y + p["c"] * b) ** 2)

    p = {"a": 1.5, "c": 0.5}
    for _ in range(3):
        g = s2sad.grad(f)(p)
        p = {k: v - 0.01 * g[k] for k, v in p.items()}
    return f(p) + y[0] ** 2


def by_two_arguments(y, W, b):
    ga, gy = s2sad.grad(loss, ("p", "y"))((W, b), y)
    return np.sum(ga[0] ** 2) + np.sum(ga[1] * gy[0])


def of_what_changes_its_list(y, W, b):
    g = s2sad.grad(loss_that_changes_its_list)([W, b], y)
    return np.sum(g[0] ** 2) + np.sum(g[1])


def of_what_goes_by_positions(y, W, b):
    return sum(np.sum(h**2) for h in s2sad.grad(loss_by_positions)([W, b], y))


def slopes_are_written_to(y, W, b):
    g = s2sad.grad(loss)([W, b], y)
    g[0] *= 0.5
    g[1][0] = 3.0 * y[0]
    return np.sum(g[0] ** 2) + np.sum(g[1] ** 2)


def slopes_are_memory_of_their_own(y):
    g = s2sad.grad(product)([y, y * 2])
    h = s2sad.grad(cubes_of_a_sum)([y, y * 2])
    g[0] *= y
    h[0] *= y
    return np.sum(g[0] * g[1]) + np.sum(h[0] * h[1])


def one_slope_is_zero(y, b):
    g = s2sad.grad(first_alone)([y, b])
    return np.sum(g[0] * y) + np.sum(g[1] * y[0])


def at_an_argument(p, y):
    g = s2sad.grad(loss, "p")(p, y)
    return np.sum(g[0] ** 2) + np.sum(g[1])


def at_a_dict_of_the_arguments(p, y):
    g = s2sad.grad(loss_of_a_dict, "p")(p, y)
    return np.sum(g["W"] ** 2) + sum(np.sum(v) for v in g.values())


Y, W, B = numbers(3), numbers(3, 3, start=0.9), numbers(3, start=0.5)
STEPS = (
    at_a_tuple,
    steps_a_list_by_position,
    steps_a_tuple,
    steps_in_place,
    steps_by_map,
    steps_a_new_dict,
    steps_a_dict_key_by_key,
    steps_a_named_tuple,
    steps_layers,
    of_nested_dicts,
    of_a_dict_that_has_a_name,
    of_numbers_in_a_dict,
    by_two_arguments,
    of_what_changes_its_list,
    of_what_goes_by_positions,
    slopes_are_written_to,
)

PROGRAMS = (
    *(Entry(each, (Y, W, B), (0, 1)) for each in STEPS),
    *(Entry(e, (Y, W, B, 3)) for e in (steps_a_new_list, steps_with_momentum, steps_in_a_while)),
    Entry(slopes_are_memory_of_their_own, (Y,)),
    Entry(one_slope_is_zero, (Y, B)),
    Entry(at_an_argument, ([W, B], Y), like_only=True),
    Entry(at_an_argument, ((W, B), Y), note="tuple", like_only=True),
    Entry(at_a_dict_of_the_arguments, ({"W": W, "b": B}, Y), like_only=True),
)
