"""Arguments that are dicts, lists and tuples of arrays and of each other.

params[name]["W"]  under a key that varies, layers[i]["b"], params["layers"][i]
"""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def keyed(params, X):
    h = X
    for name in ("l1", "l2"):
        h = np.tanh(h @ params[name]["W"] + params[name]["b"])
    return np.sum(h**2)


def keyed_one(params, X):
    h = X
    for name in ("l1", "l2"):
        p = params[name]
        h = np.tanh(h @ p["W"] + p["b"])
    return np.sum(h**2)


def keys_gone_through(params, X):
    h = X
    for name in params:
        h = np.tanh(h @ params[name]["W"] + params[name]["b"])
    return np.sum(h**2)


def items_gone_through(params, X):
    h = X
    for _name, layer in params.items():
        h = np.tanh(h @ layer["W"] + layer["b"])
    return np.sum(h**2)


def values_gone_through(params, X):
    h = X
    for layer in params.values():
        h = np.tanh(h @ layer["W"] + layer["b"])
    return np.sum(h**2)


def sorted_keys(params, X):
    h = X
    for name in sorted(params):
        h = np.tanh(h @ params[name]["W"] + params[name]["b"])
    return np.sum(h**2)


def formatted(params, X):
    h = X
    for i in range(1, 3):
        h = np.tanh(h @ params[f"l{i}"]["W"] + params["l" + str(i)]["b"])
    return np.sum(h**2)


def list_of_dicts(layers, X):
    h = X
    for layer in layers:
        h = np.tanh(h @ layer["W"] + layer["b"])
    return np.sum(h**2)


def list_of_dicts_indexed(layers, X):
    h = X
    for i in range(len(layers)):
        h = np.tanh(h @ layers[i]["W"] + layers[i]["b"])
    return np.sum(h**2)


def dict_of_lists(params, X):
    h = X
    for i in range(2):
        h = np.tanh(h @ params["layers"][i]["W"] + params["layers"][i]["b"]) * params["scale"]
    return np.sum(h**2)


def lists_together(params, X):
    h = X
    for W, b in zip(params["W"], params["b"], strict=False):
        h = np.tanh(h @ W + b)
    return np.sum(h**2)


def lists_by_position(params, X):
    h = X
    for i in range(2):
        h = np.tanh(h @ params["W"][i] + params["b"][i])
    return np.sum(h**2)


def tuple_arrays(p, X):
    h = X
    for i in range(2):
        W, b = p[i]
        h = np.tanh(h @ W + b)
    return np.sum(h**2)


def number_keys(p, X):
    h = X
    for i in range(2):
        h = np.tanh(h @ p[i]["W"] + p[i]["b"])
    return np.sum(h**2)


def scalars(p, x):
    s = 0.0
    for k in ("a", "b", "a"):
        s = s + p[k] * x * s + p[k] ** 2
    return s


def tuple_keys(p, x):
    s = 0.0
    for i in range(2):
        for j in range(2):
            s = s + p[i, j] * x * s + p[i, j] ** 2
    return s


def decay(p, X):
    s = 0.0
    for _k, v in p.items():
        s += np.sum(v**2)
    return s


def decay_of_values(p, X):
    return sum(np.sum(v**2) for v in p.values())


def decay_of_some(p, X):
    return sum(np.sum(p[k] ** 2) for k in p if k != "b")


def branched(p, x):
    q = p["l1"] if x > 0 else p["l2"]
    return np.sum(q["W"]) * x


def unpacked_item(p, X):
    W, b = p["l1"]
    return np.sum(np.tanh(X @ W + b))


def mixed_items(p, X):
    return np.sum(X @ p["W"]) * p["s"] + p["t"][0] * p["t"][1]


def layer_of(p, h):
    return np.tanh(h @ p["W"] + p["b"])


def calls_helper(params, X):
    h = X
    for name in ("l1", "l2"):
        h = layer_of(params[name], h)
    return np.sum(h**2)


def item_is_replaced(params, X):
    params["l1"] = params["l2"]
    return np.sum(params["l1"]["W"] ** 2)


def writes_to_a_part(params, X):
    q = params["l1"]
    q["W"] = 2.0 * q["W"]
    return np.sum(params["l1"]["W"] ** 2)


def got(params, X):
    return np.sum(params.get("l1")["W"] ** 2) * len(params)


def dict_get_default(p, x):
    return p.get("a", 1.0) * p["b"]


def asked_for(p, x):
    if "a" in p:
        return p["a"] * x
    return x * p["b"]


def copied(p, X):
    q = dict(p)
    q["b"] = 2.0 * q["b"]
    return np.sum(q["b"] ** 2) + np.sum(p["b"])


def in_place(p, X):
    p["b"] += 1.0
    p["b"] *= p["b"]
    return np.sum(p["b"] * 2)


def written_under_another_name(p, X):
    b = p["b"]
    b *= 2.0
    return np.sum(p["b"] ** 2)


def item_becomes_another(p, X):
    p["W"] = p["b"]
    return np.sum(p["W"] ** 2)


def written_under_any_key(p, X):
    for k in ("W", "b"):
        p[k] = p[k] * p[k]
    return np.sum(p["W"] ** 2)


def new_item(p, X):
    p["c"] = np.sum(p["b"]) * p["b"]
    return np.sum(p["W"] @ p["c"])


def written_in_passes(p, X):
    for _k in range(3):
        p["W"] = p["W"] * p["W"]
    return np.sum(p["W"] ** 2)


X = numbers(5, 3)
FLAT = {"W": numbers(3, 2, start=0.1), "b": numbers(2, start=0.2)}
LAST = {"W": numbers(2, 1, start=0.3), "b": numbers(1, start=0.5)}
NESTED = {"l1": FLAT, "l2": LAST}
LAYERS = [FLAT, LAST]
LISTS = {"W": [FLAT["W"], LAST["W"]], "b": [FLAT["b"], LAST["b"]]}
PAIRS = tuple((layer["W"], layer["b"]) for layer in LAYERS)
SCALARS = {"a": 0.7, "b": 1.3}
GRID = {(i, j): 0.3 * i + 0.7 * j + 0.2 for i in range(2) for j in range(2)}

BY_NAME = (
    keyed, keyed_one, keys_gone_through, items_gone_through, values_gone_through, sorted_keys,
    formatted, calls_helper, item_is_replaced,
)  # fmt: skip
OF_ARRAYS = (decay, decay_of_values, decay_of_some, item_becomes_another, new_item,
             written_in_passes)  # fmt: skip
MAY_REFUSE = (copied, in_place, written_under_another_name, written_under_any_key)


def list_beside_its_norm(x, c):
    x = x / np.linalg.norm(x)
    return np.sum(x**3) * c


def list_less_its_mean(x, c):
    y = x - np.mean(x)
    return np.sum(y**3 * c) + np.sum((np.mean(x) - x) ** 2)


def unpacked_from_a_list_over_a_number(x, c):
    a, b, d = x / np.sqrt(c)
    return a * b + d


def gone_through_over_a_number(x, c):
    return np.sum([v**2 for v in x / np.sum(x)]) * c


def list_beside_a_number_in_a_helper(x, c):
    def unit(v):
        return v / np.linalg.norm(v)

    y = [v * c for v in x]
    return np.sum(unit(y) ** 3) + unit(x)[0]


def list_copied(x, c):
    y = np.copy(x)
    y[0] *= c
    return np.sum(y**2) * np.sum(np.asanyarray(x) * c)


def list_over_a_number_in_place(x, c):
    x /= np.linalg.norm(x)
    x *= c
    y = [v * c for v in x]
    y -= np.ones(3)
    return np.sum(x**3) + np.sum(y**2)


def whole_numbers_beside_floats(x, c):
    a, b, d = map(np.array, [c, 2, 3.0])
    return (a * b) ** d * x[0]


LISTS_OF_NUMBERS = (
    whole_numbers_beside_floats,
    *(list_copied, list_over_a_number_in_place),
    *(list_beside_its_norm, list_less_its_mean, unpacked_from_a_list_over_a_number),
    *(gone_through_over_a_number, list_beside_a_number_in_a_helper),
)

PROGRAMS = (
    *(Entry(function, (NESTED, X)) for function in BY_NAME),
    *(Entry(function, (FLAT, X)) for function in OF_ARRAYS),
    *(Entry(function, (FLAT, X), may_refuse=True) for function in MAY_REFUSE),
    Entry(writes_to_a_part, (NESTED, X), may_refuse=True),
    Entry(got, (NESTED, X), may_refuse=True),
    Entry(branched, (NESTED, 0.7)),
    Entry(list_of_dicts, (LAYERS, X)),
    Entry(list_of_dicts, (tuple(LAYERS), X), note="tuple"),
    Entry(list_of_dicts_indexed, (LAYERS, X)),
    Entry(dict_of_lists, ({"layers": LAYERS, "scale": 1.5}, X)),
    Entry(dict_of_lists, ({"layers": tuple(LAYERS), "scale": 1.5}, X), note="tuple"),
    Entry(dict_of_lists, ({"layers": dict(enumerate(LAYERS)), "scale": 1.5}, X), note="dict"),
    *(Entry(f, ([0.8, -0.4, 0.3], 0.7), (0, 1), like_only=True) for f in LISTS_OF_NUMBERS),
    Entry(lists_together, (LISTS, X), like_only=True),
    Entry(lists_by_position, (LISTS, X), like_only=True),
    Entry(tuple_arrays, (PAIRS, X), like_only=True),
    Entry(tuple_arrays, (dict(enumerate(PAIRS)), X), note="dict", like_only=True),
    Entry(number_keys, (dict(enumerate(LAYERS)), X)),
    Entry(scalars, (SCALARS, 0.4)),
    Entry(asked_for, (SCALARS, 0.4)),
    Entry(dict_get_default, (SCALARS, 0.4), may_refuse=True),
    Entry(tuple_keys, (GRID, 0.4), like_only=True),
    Entry(unpacked_item, ({"l1": PAIRS[0]}, X), like_only=True),
    Entry(mixed_items, ({"W": FLAT["W"], "s": 0.3, "t": (0.4, 0.5)}, X)),
)
