"""Arrays of several lengths in lists, dicts, rows and objects: cut, joined, exchanged, written to.

held[0] = held[0][1:] * v[i]
held[1], held[0] = held[0][-3:], held[1]
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

ITEMS = ("u * u[1]", "np.sin(v)", "u[1:] * v[0]", "np.cos(u)[:3]", "v * 1.0", "u")
# how a function holds three arrays, the places of them, and how it goes through all
HOLDERS = (
    (
        "held = [{x}, {y}, {z}]",
        ("held[0]", "held[1]", "held[2]", "held[i % 3]", "held[-1]"),
        "held",
    ),
    ("held = {{'a': {x}, 'b': {y}, 'c': {z}}}", ("held['a']", "held['b']"), "held.values()"),
    ("held = [[{x}, {y}], [{z}]]", ("held[0][0]", "held[0][1]", "held[i % 2][0]"), "held[0]"),
    ("held = SimpleNamespace(a={x}, b={y}, c=[{z}])", ("held.a", "held.b", "held.c[0]"), "held.c"),
    ("w = {x}; held = [w, {y}, {z}]", ("held[0]", "held[1]", "held[i % 3]"), "held[1:]"),
    ("held = [({x}, {y}), ({z}, {x})]", ("held[0][0]", "held[1][1]", "held[i % 2][0]"), "held[0]"),
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
# {all} is what is gone through, w another name
ALIASES = forms(
    """
    w = {p}  w *= 0.9  w[0] = s  w = w * s  {p} = w  w[1:] += {q}[0]  w = {p}[1:]  w = w[::-1].copy()
    for h in {all}: h *= 0.8  for h in {all}: s = s * 0.9 + h[0] * 0.1  for h in {all}: h[0] += w[1]
    s += 0.1 * sum(h[-1] for h in {all})  s = s * 0.5 + max(np.sum(h) for h in {all}) * 0.1
    w = np.concatenate([h[:2] for h in {all}])  other = held  other = copy.deepcopy(held)
    other = copy.copy(held)  held, other = other, held  {p} = {p} + w[0]  s += 0.1 * np.sum(w)
    """
)
RESULTS = (
    "np.sum({p} ** 2) + np.sum({q}) * s",
    "np.sum({p}[:2] * {q}[-2:]) + s",
    "{p}[0] * {q}[1] + np.sum({p}) * w[0]",
    "sum(np.sum(h) for h in {all}) + np.sum(w) * s",
)


def program(rng: random.Random) -> str:
    """Return a function that changes the arrays which a container holds in each pass of a loop."""
    holder, places, every = rng.choice(HOLDERS)
    is_fixed = holder.startswith("held = [(")  # tuples are read, and other names written to

    def chosen(form: str) -> str:
        return form.format(p=rng.choice(places), q=rng.choice(places), all=every)

    def change() -> str:
        pool = (*ALIASES, *CHANGES) if not is_fixed else ALIASES
        fits = (
            form
            for form in iter(lambda: rng.choice(pool), "")
            if not (is_fixed and "{p} =" in form)
        )
        return chosen(next(fits))

    made = holder.format(x=rng.choice(ITEMS), y=rng.choice(ITEMS), z=rng.choice(ITEMS))
    lines = ["i, s, w = 0, u[0] * 1.5, v * 0.5", *made.split("; "), "other = held"]
    lines += [change() for _ in range(rng.choice((0, 1, 2)))]
    if rng.random() < 0.8:
        lines.append(f"for i in range({rng.choice(('3', '4', 'len(v)'))}):")
        lines += passes(rng, change, 4)
    lines.append(f"return {chosen(rng.choice(RESULTS))}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import copy\nfrom types import SimpleNamespace\n\nimport numpy as np\n\n\ndef f(u, v):\n{body}"
