"""Iterators that are made, left, gone on with, and gone through in each other.

it0 = (e for e in u if e > 0.1)
s = next(it0)
s += sum(a * b for a, b in zip(it0, it0))
"""

from __future__ import annotations

import random

BASES = (
    *("u", "v", "u[1:]", "list(v)", "u.tolist()"),
    "[u[0], np.sin(u[1]), v[2], u[3] * v[0], v[4]]",
)
MADE = (
    "(e for e in {base} if e > {least})",
    "(e * e for e in {base} if e > {least})",
    "map(lambda e: e * e, {base})",
    "map(lambda a, b: a * b, {base}, {base})",
    "filter(lambda e: e > {least}, {base})",
    "map(lambda e: 2.0 * e, filter(lambda e: e > {least}, {base}))",
    "filter(None, {base})",
    "iter({base})",
    "reversed({base})",
    "(e * k for k, e in enumerate({base}) if e > {least})",
    "(a * b for a, b in zip({base}, {base}[1:]) if a > b)",
    "(e for e in filter(lambda q: q > {least}, {base}) if e < 0.9)",
    "itertools.filterfalse(lambda e: e < {least}, {base})",
    "itertools.compress({base}, [1, 0, 1, 1, 1])",
    "itertools.chain({base}, {base}[:2])",
    "itertools.takewhile(lambda e: e < 0.85, {base})",
    "(e for r in [{base}, {base}[2:]] for e in r)",
    "(x for x in dict(enumerate({base})).values() if x > {least})",
)
OF_ANOTHER = (
    "(e for e in {base} if e > {least})",
    "map(lambda e: e * 1.5, {base})",
    "filter(lambda e: e > {least}, {base})",
    "(e * 0.7 for e in {base})",
)
USED = (
    ("s = s * 0.9 + next({it})",),
    ("s = s * 0.8 + next({it}, 0.25)",),
    ("s = s * 1.1 + sum({it})",),
    ("for e in {it}:", "    s += e * 1.3", "    if s > 1.5:", "        break"),
    ("for e in {it}:", "    s += e", "    if s > 2.0:", "        break", "else:", "    s *= 1.7"),
    ("s += 0.3 * sum(a * b for a, b in zip({it}, {it}))",),
    ("for a, b in zip({it}, {base}):", "    s += a * b * 0.6", "    if s > 2.0:", "        break"),
    ("for a, b in zip({base}[:3], {it}):", "    s += a * b * 0.6"),
    ("for k, e in enumerate({it}):", "    s += e * k", "    if k == 1:", "        break"),
    ("s += sum(itertools.islice({it}, 2)) * 0.4",),
    ("if any(e > 0.6 for e in {it}):", "    s *= 1.2"),
    ("if u[0] > 0.3:", "    s += next({it}, 0.1) * 2.0"),
    ("w = list({it})", "s += 0.1 * len(w) + sum(w) * 0.6"),
    ("v[2:4] *= 1.2",),
    ("while True:", "    e = next({it}, None)", "    if e is None:", "        break", "    s += e"),
    ("for r in range(2):", "    s = s * 0.7 + next({it}, 0.3) * (r + 1)"),
    ("for e in {it}:", "    s += e ** 2", "    if e > 0.5:", "        continue", "    break"),
)


def program(rng: random.Random) -> str:
    """Return a function that makes one or two iterators and uses them some times."""
    lines, known = ["s = 1.0"], list[str]()
    for k in range(rng.randint(1, 2)):
        of_another = known and rng.random() < 0.35
        base = rng.choice(known if of_another else BASES)
        form = rng.choice(OF_ANOTHER if of_another else MADE)
        lines.append(f"it{k} = {form.format(base=base, least=rng.choice((0.1, 0.3, 0.0)))}")
        known.append(f"it{k}")
    for _ in range(rng.randint(2, 4)):
        used, base = rng.choice(USED), rng.choice(("u", "v"))
        lines += [line.format(it=rng.choice(known), base=base) for line in used]
    lines.append("return s + 0.01 * np.sum(u) + 0.02 * np.sum(v)")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import itertools\n\nimport numpy as np\n\n\ndef f(u, v):\n{body}"
