"""Arrays of several lengths in lists, dicts, rows and objects: cut, joined, exchanged, written to.

held[0] = held[0][1:] * v[i]
held[1], held[0] = held[0][-3:], held[1]
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

ITEMS = ("u * u[1]", "np.sin(v)", "u[1:] * v[0]", "np.cos(u)[:3]", "v * 1.0", "u")
# how a function holds three arrays, and the places of them
HOLDERS = (
    ("held = [{x}, {y}, {z}]", ("held[0]", "held[1]", "held[2]", "held[i % 3]", "held[-1]")),
    ("held = {{'a': {x}, 'b': {y}, 'c': {z}}}", ("held['a']", "held['b']", "held['c']")),
    ("held = [[{x}, {y}], [{z}]]", ("held[0][0]", "held[0][1]", "held[1][0]", "held[i % 2][0]")),
    ("held = SimpleNamespace(a={x}, b={y}, c=[{z}])", ("held.a", "held.b", "held.c[0]")),
    ("a = {x}; held = [a, {y}, {z}]", ("held[0]", "held[1]", "held[2]", "held[i % 3]")),
)
CHANGES = forms(
    """
    {p} = {q}[-3:]  {p} = {p}[-3:] * v[i]  {p} = {p}[::-1]  {p} = {p} * {p}[0]
    {p} = np.append({p}[1:], {q}[0])  {p} = np.append({p}, s)  {p} = {p} * {q}[1] + {p}[0]
    {p} = np.concatenate([{p}[1:], {q}[:1]])  {p}, {q} = {q}, {p}  {p}, {q} = {q}[-4:], {p}[:3]
    {p} *= 0.9  {p} += {q}[0]  {p}[0] = {q}[1] * s  {p}[1:] *= {q}[0]  {p} = {q}.copy()
    {p} = np.where({p} > 0.3, {p}, {p} * s)  s = s * 0.7 + {p}[0] * {q}[-1]  s += 0.1 * np.sum({p})
    """
)
RESULTS = (
    "np.sum({p} ** 2) + np.sum({q}) * s",
    "np.sum({p}[:2] * {q}[-2:]) + s",
    "{p}[0] * {q}[1] + np.sum({p})",
)


def program(rng: random.Random) -> str:
    """Return a function that changes the arrays which a container holds in each pass of a loop."""
    holder, places = rng.choice(HOLDERS)

    def chosen(form: str) -> str:
        return form.format(p=rng.choice(places), q=rng.choice(places))

    made = holder.format(x=rng.choice(ITEMS), y=rng.choice(ITEMS), z=rng.choice(ITEMS))
    lines = ["i, s = 0, u[0] * 1.5", *made.split("; ")]
    lines += [chosen(rng.choice(CHANGES)) for _ in range(rng.choice((0, 1, 2)))]
    if rng.random() < 0.8:
        lines.append(f"for i in range({rng.choice(('3', '4', 'len(v)'))}):")
        lines += passes(rng, lambda: chosen(rng.choice(CHANGES)), 3)
    lines.append(f"return {chosen(rng.choice(RESULTS))}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"from types import SimpleNamespace\n\nimport numpy as np\n\n\ndef f(u, v):\n{body}"
