"""Dicts of numbers and arrays: read, filled, changed, joined and gone through.

d["a"] = d.get("b", s) * u[i]
e.update({i % 3: s}, b=v[0])
s += sum(np.sum(x) for x in d.values() if np.sum(x) > 0.2)
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

ARRAYS = forms(
    """
    u * u[{i}]   np.sin(u) + {i}   u[{i}] * v   u * 1.0   v   u
    """
)
NUMBERS = forms(
    """
    u[{i}] ** 2   np.sin(v[{i}])   u[{i}] * v[{i}]   u[{i}] * s   s   v[{i}]   0.5
    """
)
WORDS, WHOLES = ('"a"', '"b"', '"c"'), ("0", "1", "i % 3", "i", "i // 2", "2")
# {d}, {e} are dicts, {k} and {l} keys, {x} an item
MADE = forms(
    """
    {}   {{k}: {x}}   {{k}: {x}, {l}: {x}}   dict([({k}, {x}), ({l}, {x})])   defaultdict(float)
    OrderedDict([({k}, {x})])   dict.fromkeys([{k}, {l}], s)   dict(zip([{k}, {l}], [{x}, {x}]))
    {q: {x} for q in ({k}, {l})}
    """
)
USED = forms(
    """
    {d}[{k}] = {x}   {d}[{k}] = {d}.get({l}, {x}) * 0.9   {d}[{k}] = {d}.get({k}, 0.0) + {x}
    s = s * 0.8 + 0.1 * np.sum({d}.get({k}, s))   {d}.update({{k}: {x}})   {d}.update({e})
    {d}.setdefault({k}, {x})   s += 0.1 * np.sum({d}.setdefault({k}, {x}))
    s += 0.1 * np.sum({d}.pop({k}, {x}))   {d}.pop({k}, None)
    s += 0.1 * np.sum({d}[{k}]) if {k} in {d} else 0.05 * s
    s = s * 0.9 + sum(np.sum(x) for x in {d}.values()) * 0.1
    s = s * 0.9 + sum(np.sum(x) * len(str(q)) for q, x in {d}.items()) * 0.1
    {d} = {q: x * 0.9 for q, x in {d}.items()}
    {d} = {q: x for q, x in {d}.items() if np.sum(x) > 0.2}   {d} = dict({e})   {d} = {e}.copy()
    {d} = {**{d}, {k}: {x}}   {d} = {e} | {d}   {d}, {e} = {e}, {d}
    if {k} in {d}: {d}[{k}] = {d}[{k}] * s   if {k} in {d}: {d}[{k}] += {x}
    if {k} not in {d}: {d}[{k}] = {x}   if {k} in {d}: del {d}[{k}]
    for q in list({d}): {d}[q] = {d}[q] * 0.7   for q in {d}: s += 0.1 * np.sum({d}[q])
    for q, x in sorted({d}.items(), key=lambda p: str(p[0])): s = s * 0.8 + 0.1 * np.sum(x)
    s += 0.05 * len({d})   s += 0.1 * np.sum(max({d}.values(), key=np.sum)) if {d} else 0.1
    {d}.clear()   s += 0.2 * np.sum({d}.popitem()[1]) if {d} else 0.0   s = change({d}, {k}, s)
    """
)
TRIED = """try:
    s += 0.1 * np.sum({d}[{k}])
except KeyError:
    s *= 0.9"""
RESULTS = (
    "sum(np.sum(x ** 2) for x in {d}.values()) + s",
    "sum(np.sum(x) * (q + 1) for q, x in enumerate({d}.values())) * s",
    "np.sum({d}.get({k}, s)) * s + np.sum(u)",
    "np.sum(list({d}.values())[-1]) * s if {d} else s * 1.5",
    "s + sum(np.sum({d}[q]) for q in {d}) + np.sum({e}.get({k}, 0.3))",
)
HEAD = """from collections import OrderedDict, defaultdict

import numpy as np


def change(d, k, s):
    if k in d:
        d[k] = d[k] * 0.8
        return s + 0.1 * np.sum(d[k])
    d[k] = s
    return s * 0.9


def f(u, v):
"""


def program(rng: random.Random) -> str:
    """Return a function that changes one or two dicts in each pass of a loop."""
    items = ARRAYS if rng.random() < 0.3 else NUMBERS
    keys = WORDS if rng.random() < 0.5 else WHOLES

    def filled(form: str, place: str) -> str:
        d, e = rng.choice(known), rng.choice(known)
        for hole, name in (("{d}", d), ("{e}", e)):
            form = form.replace(hole, name)
        for hole, choices in (("{k}", keys), ("{l}", keys)):
            form = form.replace(hole, rng.choice(choices).replace("i", place))
        while "{x}" in form:
            form = form.replace("{x}", rng.choice(items).replace("{i}", place), 1)
        return form

    known = ["d"]
    lines = ["s = u[0] * 1.5", f"d = {filled(rng.choice(MADE), '1')}"]
    if rng.random() < 0.6:
        lines.append(f"e = {filled(rng.choice((*MADE, 'd')), '3')}")
        known.append("e")
    if rng.random() < 0.7:
        lines.append(f"for i in range({rng.choice(('len(u)', '3', '4'))}):")
        lines += passes(rng, lambda: filled(rng.choice((*USED, TRIED)), "i"), 4)
    else:
        once = passes(rng, lambda: filled(rng.choice((*USED, TRIED)), "2"), 6)
        lines += [line[4:].replace("u[i]", "u[2]") for line in once]
    lines.append(f"return {filled(rng.choice(RESULTS), '2')}")
    return HEAD + "".join(f"    {line}\n" for line in lines)
