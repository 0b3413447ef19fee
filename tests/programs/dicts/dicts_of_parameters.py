"""Dicts of parameters: what is made of them by key, as models, optimizers and settings do."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers

P = {"a": np.array([0.3, -0.4]), "b": np.array([0.2, 0.9])}
OF_TWO_KINDS = {"b": numbers(3, 2), "a": numbers(2)}
NESTED = {
    "l1": {"W": numbers(2, 2), "b": numbers(2)},
    "l2": {"W": numbers(2, 2) * 0.5, "b": numbers(2) * 2},
}


def descended_in_place(params, x):
    p = {k: v.copy() for k, v in params.items()}
    for _ in range(3):
        g = {k: np.cos(v) * x for k, v in p.items()}
        for k in p:
            p[k] -= 0.1 * g[k]
    return sum(np.sum(v**2) for v in p.values())


def descended_with_momentum(params, x):
    p = {k: v.copy() for k, v in params.items()}
    m = {k: np.zeros_like(v) for k, v in params.items()}
    for _ in range(3):
        for k in p:
            g = np.cos(p[k]) * x
            m[k] = 0.9 * m[k] + g
            p[k] = p[k] - 0.1 * m[k]
    return np.sum(p["a"] * p["b"])


def merged_with_a_value(params, x):
    q = {**params, "c": 2.0}
    return np.sum(q["a"] * q["b"]) * q["c"] * x


def joined_by_a_bar(params, x):
    q = params | {"b": params["a"] * 2.0}
    return np.sum(q["a"] * q["b"]) * x


def one_of_what_is_made(params, x):
    return np.sum({k: v * 2 for k, v in params.items()}["a"]) * x


def mapped_over(params, x):
    def tmap(f, t):
        return {k: f(v) for k, v in t.items()}

    q = tmap(lambda v: v * x, params)
    return np.sum(q["a"] * q["b"])


def mapped_over_two(params, x):
    def tmap(f, *ts):
        return {k: f(*(t[k] for t in ts)) for k in ts[0]}

    q = tmap(lambda a, b: a - x * b, params, tmap(np.sin, params))
    return np.sum(q["a"] * q["b"])


def rec_map(tree, f):
    if isinstance(tree, dict):
        return {k: rec_map(v, f) for k, v in tree.items()}
    return f(tree)


def mapped_by_a_recursion(params, x):
    q = rec_map(params, lambda v: v * x)
    return np.sum(q["a"] * q["b"])


def written_through_a_second_dict(params, x):
    q = {**params}
    for k in q:
        q[k] *= x
    return np.sum(params["a"] * q["b"]) + np.sum(params["a"])


def an_element_written_through_a_second_dict(params, x):
    q = params | {}
    q["a"][0] = x * q["b"][1]
    return np.sum(params["a"] * q["b"])


def some_of_the_keys(params, x):
    ws = {k: v for k, v in params.items() if k.startswith("a")}
    return sum(np.sum(v) for v in ws.values()) * x


def defaults_below(params, x):
    cfg = {"a": np.ones(2), "c": 3.0, **params}
    return np.sum(cfg["a"] * cfg["b"]) * cfg["c"] * x


def defaults_updated(params, x):
    cfg = {"a": np.ones(2), "c": 3.0}
    cfg.update(params)
    return np.sum(cfg["a"] * cfg["b"]) * cfg["c"] * x


def handed_on_by_name(params, x):
    def model(a, b, c=2.0):
        return np.sum(a * b) * c

    return model(**{**params, "c": x})


def raveled(params, x):
    v = np.concatenate([p.ravel() for p in params.values()])
    return np.sum(v[1:] * v[:-1]) * x


def raveled_in_order(params, x):
    keys = sorted(params)
    v = np.hstack([params[k] for k in reversed(keys)])
    return np.sum(v[1:] * v[:-1]) * x


def moments_of_adam(params, x):
    m = {k: np.zeros_like(v) for k, v in params.items()}
    v2 = dict.fromkeys(params, 0.0)
    p = dict(params)
    for t in range(1, 4):
        grads = {k: np.cos(p[k]) * x for k in p}
        for k, g in grads.items():
            m[k] = 0.9 * m[k] + 0.1 * g
            v2[k] = 0.99 * v2[k] + 0.01 * g**2
            p[k] = p[k] - 0.1 * m[k] / (1 - 0.9**t) / (np.sqrt(v2[k] / (1 - 0.99**t)) + 1e-3)
    return sum(np.sum(v) for v in p.values())


def one_taken_out_of_a_copy(params, x):
    p = dict(params)
    a = p.pop("a")
    return np.sum(a * x) + sum(np.sum(v**2) for v in p.values())


def one_taken_out(params, x):
    a = params.pop("a")
    return np.sum(a * x) + sum(np.sum(v**2) for v in params.values())


def asked_for_keys(params, x):
    s = np.sum(params["a"])
    if "c" in params:
        s = s * params["c"]
    return s * x * params.get("d", 2.0)


def layers_by_name(params, x):
    h = np.array([x, 0.5])
    acts = {name: np.tanh(layer["W"] @ h + layer["b"]) for name, layer in params.items()}
    return sum(np.sum(v) for v in acts.values())


def layers_stepped(params, x):
    new = {
        name: {k: v - 0.1 * x * np.sin(v) for k, v in layer.items()}
        for name, layer in params.items()
    }
    h = np.array([x, 0.5])
    for layer in new.values():
        h = np.tanh(layer["W"] @ h + layer["b"])
    return np.sum(h)


def weights_squared(params, x):
    return x * sum(np.sum(v**2) for layer in params.values() for v in layer.values())


def settings_below(u, opts):
    o = {"lr": 0.1, "steps": 2, **opts}
    for _ in range(o["steps"]):
        u = u - o["lr"] * np.sin(u)
    return np.sum(u)


def settings_asked_for(u, opts):
    o = {"lr": 0.1, **opts}
    if o.get("clip") is not None:
        u = np.clip(u, -o["clip"], o["clip"])
    return np.sum(u * o["lr"])


def unpacked_in_pairs(params, x):
    (_, v), (_, w) = params.items()
    return np.sum(v * x) - np.sum(w**2)


def stepped_in_order(params, x):
    p = dict(params)
    for _ in range(3):
        for k in sorted(p, reverse=True):
            p[k] = p[k] - 0.1 * x * p[k] ** 2 * np.sum(p["a"])
    return np.sum(p["a"]) * np.sum(p["b"])


def moments_made_of_zeros(params, x):
    m = {k: np.zeros_like(v) for k, v in params.items()}
    p = params.copy()
    for _ in range(3):
        for k in p:
            m[k] = 0.9 * m[k] + 0.2 * p[k] * x
            p[k] = p[k] - 0.1 * m[k]
    return np.sum(p["a"]) + np.sum(p["b"] ** 2)


def all_but_the_first(params, x):
    names = list(params)
    names.pop(0)
    names.append("b")
    return sum(np.sum(params[k] ** 2) * (i + 1) for i, k in enumerate(names)) * x


def defaults_joined(params, x):
    q = {"b": np.ones(2), "c": 3.0} | params
    return np.sum(q["a"] * q["c"]) * np.sum(q["b"]) * x


def of_whole_numbers(params, x):
    d = {3: x, 1: x * x, 2: params["a"] * x}
    s = 0.0
    for k in sorted(d, reverse=True):
        s = s * x + k * np.sum(d[k] ** 2)
    return s


def named_behind_what_they_hold(params, x):
    values = [x, params["a"]]
    names = ["a", "b"]
    d = dict(zip(names, values, strict=True), c=params["b"])
    return np.sum(d["a"] * d["b"]) * np.sum(d["c"])


FLAT = (
    descended_in_place,
    descended_with_momentum,
    merged_with_a_value,
    joined_by_a_bar,
    one_of_what_is_made,
    mapped_over,
    mapped_over_two,
    mapped_by_a_recursion,
    written_through_a_second_dict,
    an_element_written_through_a_second_dict,
    some_of_the_keys,
    defaults_below,
    defaults_updated,
    handed_on_by_name,
    raveled,
    raveled_in_order,
    moments_of_adam,
    one_taken_out_of_a_copy,
    one_taken_out,
    asked_for_keys,
    unpacked_in_pairs,
)
IN_ORDER = (
    *(stepped_in_order, moments_made_of_zeros, all_but_the_first, defaults_joined),
    *(of_whole_numbers, named_behind_what_they_hold, raveled),
)
LAYERS = (layers_by_name, layers_stepped, weights_squared)
SETTINGS = ({"lr": 0.3}, {"clip": 0.2, "lr": 0.5})
PROGRAMS = (
    *(Entry(function, (P, 0.7), (0, 1), like_only=True) for function in FLAT),
    *(Entry(function, (OF_TWO_KINDS, 0.7), (0, 1), note="kinds") for function in IN_ORDER),
    *(Entry(function, (NESTED, 0.7), (0, 1), like_only=True) for function in LAYERS),
    *(
        Entry(function, (numbers(6), given), like_only=True, note=str(number))
        for function in (settings_below, settings_asked_for)
        for number, given in enumerate(SETTINGS)
    ),
)
