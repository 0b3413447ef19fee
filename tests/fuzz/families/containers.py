"""Lists and tuples that grow, are cut, repeated, copied and put together in a loop.

xs = xs + [u[i] ** 2]
ys = (u * v[i],) * 2 + ys
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import passes

ARRAYS = ("u * u[{i}]", "np.sin(u) + {i}", "u[{i}] * v", "u * 1.0", "v", "u")
NUMBERS = ("u[{i}] ** 2", "np.sin(v[{i}])", "u[{i}] * v[{i}]", "u[{i}] * s", "s", "v[{i}]", "0.5")
# {a}, {b} are names; {x}, {y} are items, {X} a display of one, {XY} of two
OF_BOTH = (
    "{a} = {a} + {X}",
    "{a} += {X}",
    "{a} = {X} + {a}",
    "{a} = {a}[1:] + {X}",
    "{a} = {a} + {b}[:2]",
    "s = s + 0.1 * (np.sum({a}[-1]) if len({a}) > 0 else 0.3)",
    "{a} = {a}[-3:]",
    "{a} = {a}[::-1]",
    "{a} = {X} * 2 + {a}",
    "{a} = {XY} * 2",
    "s += 0.1 * (max(map(np.sum, {a})) if {a} else 0.2)",
    "s += 0.1 * (np.mean([np.sum(e) for e in {a}]) if len({a}) else s)",
    "s *= 0.9 if hasattr({a}, 'shape') or not hasattr({a}, 'index') else 0.8",
    "s += 0.1 * sum(np.sum(p * q) for p, q in zip({a}, {b}))",
    "s += 0.1 * np.sum(next((e for e in {a} if np.sum(e) > 0.5), 0.3))",
)
OF_LISTS = (
    "{a} = [*{a}, {x}]",
    "{a}.append({x})",
    "{a}.insert(0, {x})",
    "{a}.extend({XY})",
    "{a} = list({a})",
    "{a} = {a}.copy()",
    "{a} = [e * 0.9 for e in {a}]",
    "{a}[-1:] = [{x}]",
    "{a}.reverse()",
)
OF_TUPLES = (
    "{a} = (*{a}, {x})",
    "{a} = tuple({a}) + {X}",
    "{a} = tuple(e * 0.9 for e in {a})",
    "{a} = tuple(reversed({a}))",
)
RESULTS = (
    "sum(np.sum(e ** 2) * (k + 1) for k, e in enumerate({a}))",
    "sum(np.sum(e) for e in {a}) * s",
    "np.sum({a}[-1] * {a}[0]) + s if len({a}) > 0 else s",
    "np.sum(np.array({a}) ** 2) + s",
)


def program(rng: random.Random) -> str:
    """Return a function that changes one or two lists or tuples in each pass of a loop."""
    is_tuple, items = rng.random() < 0.4, ARRAYS if rng.random() < 0.35 else NUMBERS

    def item(place: str) -> str:
        return rng.choice(items).format(i=place)

    def display(*parts: str) -> str:
        inner = ", ".join(parts)
        return f"({inner}{',' * (len(parts) == 1)})" if is_tuple else f"[{inner}]"

    def change() -> str:
        form = rng.choice((*OF_BOTH, *(OF_TUPLES if is_tuple else OF_LISTS)))
        x, y = item("i"), item("i")
        a, b = rng.choice(known), rng.choice(known)
        return form.format(a=a, b=b, x=x, y=y, X=display(x), XY=display(x, y))

    starts = (display(), display(item("0")), display(item("0"), item("1")))
    lines, known = ["s = u[0] * 1.5", f"xs = {rng.choice(starts)}"], ["xs"]
    if rng.random() < 0.4:
        lines.append(f"ys = {rng.choice((*starts, 'xs'))}")
        known.append("ys")
    lines.append(f"for i in range({rng.choice(('len(u)', '3', '4', 'u.shape[0]'))}):")
    lines += passes(rng, change, 3)
    lines.append(f"return {rng.choice(RESULTS).format(a=rng.choice(known))}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(u, v):\n{body}"
