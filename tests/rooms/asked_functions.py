"""Functions whose texts rely on the structure and the options of their arguments."""

import numpy as np


class Model:
    """An object with a number of its class, an option and a function."""

    k = 2.0

    def __init__(self, mode, act=np.sin, n=2):
        self.mode = mode
        self.act = act
        self.n = n
        self.w = 1.5

    def energy(self, x):
        return self.k * self.w * x


class Picky(Model):
    """An object whose method asks what it is handed."""

    def energy(self, x):
        return 2.0 * x if isinstance(x, int) else 3.0 * x


class Other(Model):
    """An object with another method."""

    def energy(self, x):
        return 7.0 * x


def by_key(cfg, x):
    return x * 2 if cfg["mode"] == "a" else x * 3


def by_field(m, x):
    return x * 2 if m.mode == "a" else x * 3


def field_called(m, x):
    return m.act(x) * 1.0


def method_called(m, x):
    return m.energy(x)


def counted(m, x):
    for _ in range(m.n):
        x = x * 2.0
    return x


def item_called(cfg, x):
    return cfg["act"](x) * 1.0


def pairs(p, x):
    s = x
    for a, n in p:
        s = s * a * n
    return s


def mixed(p, x):
    s = x
    for a in p:
        s = s * np.sum(a)
    return s


def called(act, x):
    return act(x)


def left_out(p, x):
    if p is None:
        return x
    return x * 2.0


def length(p, x):
    return x * len(p)


def has_key(cfg, x):
    return x * 2 if "mode" in cfg else x * 3


def by_kind(p, x):
    return x * 2.0 if isinstance(p, int) else x * 3.0


def over_keys(d, x):
    s = x
    for k in d:
        s = s * 0.5 + np.sum(d[k])
    return s


def rows(p, x):
    s = x
    for a in p:
        s = s * np.sum(a[0])
    return s


def handed_to_a_method(p, x):
    m, n = p
    return m.energy(n) * x


def whole(p, x):
    return np.sum(p) * x


def part_left_out(p, x):
    a, b = p
    return x if b is None else a * x
