"""`match` of sequences and dicts: what a pattern binds is a name like any other."""

import numpy as np

from tests.programs.entry import Entry, numbers

U = numbers(4)


def by_how_many(x, w):
    match w:
        case [a, b]:
            s = a * b * x[0]
        case [a, *rest]:
            s = a * x[1] ** 2 + len(rest)
        case _:
            s = x[2] ** 3
    return s * np.sum(x)


def ends_of_a_list(x, w):
    match w:
        case [first, *_, last]:
            return np.sum(x**2) * first + last
    return np.sum(x)


def first_is(x, w):
    match w:
        case [2.0, k, *_]:
            return np.sum(x) * k
        case [k] if k < 0.3:
            return np.sum(x**2) * k
        case [_] | [_, _]:
            return np.sum(x**2)
        case (_, _, k):
            return np.sum(x**3) * k
    return np.sum(x)


def first_of_known(x):
    match (x[0], x[1] * 2.0, 3.0, x[3]):
        case [a, *middle, b]:
            return a * b + sum(middle) * x[2]


def taken_by_keys(x, options):
    scale = 3.0
    match options:
        case {"scale": scale, "kind": "square"}:
            y = x**2
        case {"kind": "cube"}:
            y = x**3
        case _:
            y = x
    return np.sum(y) * scale


def held_before(x, names):
    """A statement that is copied gives its captures to names that were there before."""
    a, b = x[0] * 2.0, x[1]
    match names:
        case {"a": a, **b}:
            pass
    return np.sum(x) * a + len(b) * x[1]


def rest_of_what_is_made_here(x):
    match {"a": x[0], "b": x[1] * x[0], "c": x[1]}:
        case {"a": a, **rest}:
            rest["d"] = a * a
            return sum(rest.values()) * len(rest)


def rest_of_options(x, terms):
    s = 0.0
    for k, term in enumerate(terms.values()):
        match term:
            case {"kind": ("sin" | "cos") as word, **rest}:
                s += getattr(np, word)(rest.get("freq", 2.0) * x[k])
    return s


def events_of_several_kinds(x, events):
    level = x[0]
    for event in events:
        match event:
            case {"kind": "step", "size": size, **options}:
                level = level + size * {"gain": 1.5, **options}["gain"] * x[1]
            case {"kind": "decay", **options}:
                level = level * np.exp(-options.get("dt", 0.1) / x[1])
    return level**2


EVENTS = [
    {"kind": "step", "size": 1.0},
    {"kind": "decay", "dt": 0.3},
    {"kind": "step", "size": 0.5, "gain": 2.0},
]


def errors_held_before(x, keys, table):
    missing = 0
    for key in keys:
        try:
            missing += table[key]
        except KeyError as error:
            missing += len(error.args)
    error = 3.0
    return np.sum(x) * missing * error


def function_by_its_number(x, option=1):
    """Functions that cases choose are called in branches, as those that an `if` chooses."""
    for _ in range(2):
        match option:
            case 1 | 3:
                g = lambda d: np.exp(-((d / x[0]) ** 2))  # noqa: B023, E731
            case 2:
                g = lambda d: 1.0 / (1.0 + (d / x[0]) ** 2)  # noqa: B023, E731
            case _:
                raise ValueError(f"option {option}")
        x = x + 0.2 * sum(g(d) * d for d in (x, np.roll(x, 1)))
    return np.sum(x**2)


PROGRAMS = (
    Entry(function_by_its_number, (U,)),
    Entry(function_by_its_number, (U, 2), note="two"),
    *(
        Entry(function, (U, w), note=f"{len(w)}{type(w).__name__}", like_only=True)
        for function in (by_how_many, ends_of_a_list)
        for w in ([0.5, 2.0], [0.5], [0.5, 0.7, 0.9], (0.3, 0.4, 2.0))
    ),
    *(
        Entry(first_is, (U, w), note=f"{k}", like_only=True)
        for k, w in enumerate(([2.0, 0.5, 0.1], [0.2], [0.1, 0.5], [2.0], [0.3, 0.4, 0.7]))
    ),
    Entry(first_of_known, (U,)),
    Entry(taken_by_keys, (U, {"scale": 0.5, "kind": "square"}), like_only=True),
    Entry(taken_by_keys, (U, {"kind": "cube"}), note="cube", like_only=True),
    Entry(taken_by_keys, (U, {"other": 1}), note="other", like_only=True),
    Entry(held_before, (U, {"a": 3, "c": 1}), like_only=True),
    Entry(rest_of_what_is_made_here, (U,)),
    Entry(events_of_several_kinds, (U, EVENTS), like_only=True),
    Entry(
        rest_of_options,
        (U, {"w": {"kind": "cos", "freq": 3.0}, "v": {"kind": "sin"}}),
        like_only=True,
    ),
    Entry(errors_held_before, (U, ["u", "v"], {"u": 2}), like_only=True, may_refuse=True),
)
