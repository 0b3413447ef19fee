"""Pairs of positions, made in one way and gone through in several: lists, iterators, arrays, dicts.

pairs = list(itertools.combinations(range(4), 2))
for i, j in pairs:
    s += u[i] * v[j]
s += sum(u[i] * v[j] for i, j in reversed(pairs))
"""

from __future__ import annotations

import random

CHOICES = (
    "itertools.combinations(range(4), 2)",
    "itertools.combinations(range(len(v) - 1), 2)",
    "itertools.combinations_with_replacement(range(3), 2)",
    "itertools.permutations(range(3), 2)",
    "itertools.product(range(2), range(3))",
    "itertools.product(range(2), repeat=2)",
    "itertools.pairwise(range(4))",
    "zip(range(3), range(1, 4))",
    "zip(*np.triu_indices(3, 1))",
    "enumerate(range(1, 4))",
    "((k, k + 1) for k in range(4))",
    "map(lambda k: (k, 4 - k), range(5))",
    "filter(lambda p: p[0] < p[1], itertools.product(range(3), range(3)))",
    "itertools.chain(itertools.combinations(range(3), 2), [(0, 0)])",
    "itertools.islice(itertools.combinations(range(4), 2), 1, 4)",
    "dict(zip(range(3), range(1, 4))).items()",
    "itertools.starmap(lambda a, b: (b, a), itertools.combinations(range(3), 2))",
    "np.argwhere(np.eye(3) < 0.5)",
)
KEPT = (
    *("{made}", "list({made})", "list({made})", "tuple({made})", "[*{made}]", "(*{made},)"),
    *("list({made})[1:]", "list({made}) + [(0, 3)]", "list(reversed(list({made})))"),
    *("iter(list({made}))", "reversed(list({made}))", "list({made}).copy()"),
    *(
        "np.array(list({made}))",
        "[(j, i) for i, j in {made} if j > i]",
        "sorted(map(tuple, {made}))",
    ),
    *("list({made}) if len(u) > 2 else []", "dict(enumerate({made})).values()"),
)
USED = (
    ("for i, j in {pairs}:", "    s += u[i] * v[j]"),
    ("for i, j in {pairs}:", "    u[i] = 0.8 * u[i] + 0.1 * v[j]"),
    ("s += sum(u[i] * v[j] ** 2 for i, j in {pairs})",),
    ("s = s * 0.9 + sum([u[j] - v[i] * u[i] for i, j in {pairs}])",),
    ("for k, (i, j) in enumerate({pairs}):", "    s += (k + 1) * u[i] * v[j]"),
    ("for (i, j), e in zip({pairs}, u):", "    s += u[i] * v[j] * e"),
    ("for p in {pairs}:", "    s += u[p[0]] * 0.7 + v[p[1]] ** 2"),
    ("for _ in range(2):", "    for i, j in {pairs}:", "        s = 0.6 * s + u[i] * v[j]"),
    ("for i, j in {pairs}:", "    if j > 2:", "        break", "    s += u[j] * v[i]"),
    ("for i, j in {pairs}:", "    if i == j:", "        continue", "    s += u[j] / (2.0 + v[i])"),
    ("if {pairs}:", "    s *= 1.5 + u[0]"),
    ("w = [u[i] * v[j] for i, j in {pairs}]", "s += np.prod(np.array(w) + 1.5)"),
    ("d = {{(i, j): u[i] * v[j] for i, j in {pairs}}}", "s += sum(d.values())"),
    ("s += max([u[i] - v[j] for i, j in {pairs}], default=0.3)",),
    ("first, *rest = {pairs}", "s += u[first[0]] * (1 + len(rest))"),
    ("more = {pairs}", "for i, j in more:", "    s += u[i] ** 2 * v[j]"),
)


def program(rng: random.Random) -> str:
    """Return a function that makes pairs of positions and goes through them two or three times."""
    lines, known = ["u, s = u.copy(), 1.0"], list[str]()
    for k in range(rng.randint(1, 2)):
        made = rng.choice(KEPT).format(made=rng.choice(CHOICES))
        lines.append(f"pairs{k} = {made}")
        known.append(f"pairs{k}")
    for _ in range(rng.randint(2, 3)):
        pairs = rng.choice(known)
        lines += [line.format(pairs=pairs) for line in rng.choice(USED)]
    lines.append("return s + 0.01 * np.sum(u) + 0.02 * np.sum(v)")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import itertools\n\nimport numpy as np\n\n\ndef f(u, v):\n{body}"
