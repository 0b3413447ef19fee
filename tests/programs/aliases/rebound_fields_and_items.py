"""Fields and items that get new arrays: values in slots, whichever names hold the objects."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.programs.entry import Entry, numbers


@dataclass
class Part:
    mass: float
    pos: Any
    vel: Any


class Crate:
    def __init__(self, items):
        self.items = items
        self.last = None


def parts(x, c):
    return [Part(k + 1.0, x * c + k, x + k) for k in range(3)]


def read_later_than_it_is_stored(x, c):
    a = Part(1.0, x * c, x)
    for _ in range(3):
        w = np.sin(a.pos) * c
        a.pos = a.pos + w
        a.vel = a.vel * w
        double = w * w
        a.vel = a.vel + double
    return a.vel @ a.pos


def named_before_it_is_replaced(x, c):
    a, b = Part(1.0, x * c, x), Part(2.0, x, x * x)
    for _ in range(3):
        v = a.pos
        a.pos = b.pos * c
        b.pos = v * v + a.vel
        a.vel = v
    return a.vel @ b.pos


def fields_exchanged_in_a_list(x, c):
    found = parts(x, c)
    for _ in range(2):
        for k in range(2):
            a, b = found[k], found[k + 1]
            a.pos, b.pos = b.pos, a.pos * c
            a.vel = a.vel * b.pos
    return sum(b.mass * b.vel @ b.pos for b in found)


def one_array_in_many_fields(x, c):
    found = parts(x, c)
    for _ in range(3):
        w = found[0].pos * c + found[1].vel
        for b in found:
            b.pos = w
            w = w * b.vel
            b.vel = b.pos
    return sum(b.vel @ b.pos * b.mass for b in found)


def copies_of_objects_go_their_own_way(x, c):
    found, kept = parts(x, c), []
    for _ in range(2):
        for b in found:
            kept.append(copy.copy(b))
            b.pos = b.pos * b.vel
            kept[-1].vel = kept[-1].vel * c
    return sum(b.vel @ b.pos * b.mass for b in found) + sum(b.vel @ b.pos for b in kept)


def deep_copies_go_their_own_way(x, c):
    found = parts(x, c)
    old = copy.deepcopy(found)
    for b in found:
        b.pos = b.pos * b.vel
    old[0].pos = old[1].pos * c
    return sum(b.vel @ b.pos * b.mass for b in found) + sum(b.vel @ b.pos for b in old)


def objects_replaced_by_others(x, c):
    found = parts(x, c)
    for k in range(3):
        found[k] = replace(found[k], pos=found[k].vel * c)
        found[k].vel = found[k - 1].pos * x
    return sum(b.vel @ b.pos * b.mass for b in found)


def lists_cut_joined_and_repeated(x, c):
    xs = [x * k for k in range(4)]
    ys = xs[1:]
    ys[0] = ys[1] * c
    zs = xs + ys
    zs[2] = zs[0] + zs[4]
    xs[1] = xs[2] * xs[3]
    ws = [x] * 3
    ws[1] = ws[0] * c
    return sum(z @ z for z in zs) + sum(each @ ys[0] for each in xs) + sum(w @ w for w in ws)


def one_list_in_two_objects(x, c):
    one = Crate([x * k for k in range(3)])
    other = Crate(one.items)
    for k in range(3):
        one.items[k] = other.items[k - 1] * c
        one.last = other.items[k]
        other.items = [v + x for v in one.items]
        one.items = other.items
    return sum(v @ one.last for v in other.items)


def entries_of_a_dict_under_two_names(x, c):
    d = {"u": x, "v": x * c}
    e = d
    for _ in range(3):
        d["u"] = e["v"] * c
        w = d["v"]
        e["v"] = d["u"] * w
    f = dict(e)
    f["u"] = f["v"] * x
    return d["u"] @ f["v"] + f["u"] @ e["v"]


def fields_in_place_beside_replaced_ones(x, c):
    found = parts(x, c)
    for _ in range(2):
        for b in found:
            b.vel += c * b.pos
            b.pos = b.pos * b.vel
            b.pos[0] *= c
    return sum(b.vel @ b.pos * b.mass for b in found)


def fields_that_grow(x, c):
    found = parts(x, c)
    for b in found:
        for _ in range(2):
            b.pos = np.concatenate([b.pos, c * b.vel])
    return sum(b.pos @ b.pos * b.mass for b in found)


def fields_that_are_new(x, c):
    found = parts(x, c)
    for b in found:
        b.force = b.pos * c
    for b in found:
        b.force = b.force * b.vel
    return sum(b.force @ b.vel * b.mass for b in found)


def one_of_two_objects(x, c):
    a, b = Part(1.0, x * c, x), Part(2.0, x, x * x)
    for k in range(4):
        chosen = a if k % 2 else b
        chosen.pos = chosen.pos * c + a.vel
        chosen.vel = b.pos
    return a.vel @ b.pos + a.pos @ b.vel


def objects_in_each_others_places(x, c):
    found, k = parts(x, c), 0
    while k < 5:
        b = found[k % 3]
        if b.mass > 1.5:
            b.pos = b.pos * found[0].vel
        b.mass = b.mass * 0.7
        found[(k + 1) % 3] = b
        k += 1
    return sum(b.pos @ b.vel * b.mass for b in found)


def objects_held_by_objects(x, c):
    found = parts(x, c)
    for each in (Crate(found), Crate(found[1:])):
        for b in each.items:
            each.last = b
            each.last.pos = each.last.pos * b.vel
            b.vel = each.items[0].pos * c
    return sum(b.pos @ b.vel for b in found)


def queues_of_arrays(x, c):
    xs = [x * k for k in range(3)]
    one, other = Crate(xs), Crate(xs)
    for k in range(3):
        one.items.append(other.items.pop(0) * c)
        other.items[k - 1] = one.items[0] * x
        one.items.insert(1, x)
    return sum(v @ v for v in one.items)


def rows_of_a_matrix_in_fields(x, c):
    A = np.outer(x, x)
    found = [Part(1.0, A[k], x) for k in range(3)]
    for b in found:
        b.pos = b.pos * c
    A[0] = A[1] * 2.0
    return sum(b.pos @ b.vel for b in found) + np.sum(A)


X, C = numbers(3), 0.8
MADE = (
    *(read_later_than_it_is_stored, named_before_it_is_replaced, fields_exchanged_in_a_list),
    *(one_array_in_many_fields, copies_of_objects_go_their_own_way, deep_copies_go_their_own_way),
    *(objects_replaced_by_others, lists_cut_joined_and_repeated, one_list_in_two_objects),
    *(entries_of_a_dict_under_two_names, fields_in_place_beside_replaced_ones, fields_that_grow),
    *(fields_that_are_new, one_of_two_objects, objects_in_each_others_places),
    *(objects_held_by_objects, queues_of_arrays, rows_of_a_matrix_in_fields),
)

PROGRAMS = tuple(Entry(function, (X, C), (0, 1)) for function in MADE)
