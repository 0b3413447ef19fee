"""Loops over rows, views and pairs of them that write to what they go through, beside names of it.

for a, b in zip(A, A[1:]):
    b += a * s
for k, row in enumerate(reversed(A)):
    row[k:] *= A[k, 0]
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import filled, forms

# what is gone through, and what each of it is called: a, a and b, or of three elements, t
LOOPS = (
    ("for a in A:", "a"),
    ("for a in A[1:]:", "a"),
    ("for a in A[::-1]:", "a"),
    ("for a in reversed(A):", "a"),
    ("for k, a in enumerate(A):", "a"),
    ("for k, a in enumerate(reversed(A)):", "a"),
    ("for a, b in zip(A, B):", "ab"),
    ("for a, b in zip(A, A[1:]):", "ab"),
    ("for a, b in zip(A[:-1], B[::-1]):", "ab"),
    ("for k, (a, b) in enumerate(zip(A, B)):", "ab"),
    ("for a, b in zip(reversed(A), B):", "ab"),
    ("for a, b in zip(A.T[:3], B.T[1:]):", "t"),
    ("for a in A.T:", "t"),
    ("for a in [A[0], A[2], B[1]]:", "a"),
    ("for a, b in ((A[0], B[0]), (A[1], B[2])):", "ab"),
    ("for a, b in [(A[k], B[k]) for k in range(2)]:", "ab"),
    ("for a in (w, z, A[1]):", "a"),
    ("for a in [r for r in A if r[0] > 0.2]:", "a"),
    ("for a in list(A) + list(B):", "a"),
    ("for k in range(3):\n    a, b = A[k], B[-k]", "ab"),
    ("for a in filter(lambda r: r[1] > 0.1, A):", "a"),
    ("for a in np.split(A, 3):", "t"),
    ("for a, b in itertools.product(A[:2], B[:2]):", "ab"),
    ("for a, b in itertools.combinations(A, 2):", "ab"),
    ("for a, b in itertools.pairwise(A):", "ab"),
    ("for a in itertools.chain(A, B[:1]):", "a"),
    ("for a, b in sorted(zip(A, B), key=lambda p: p[0][0]):", "ab"),
    ("for a in rows.values():", "a"),
    ("for k, a in rows.items():", "a"),
    ("a, *b = A\nfor a in b:", "a"),
    ("for (a, b, _), x in zip((A, B), v):", "ab"),
    ("for a in iter(A):", "a"),
    ("for a in map(lambda r: r[:], A):", "a"),
)
HOLES = {
    "a": ("a", "a", "w", "z", "A[1]", "B[0]"),
    "q": ("a", "w", "z", "A[0]", "A[2]", "B[1]", "v", "B.sum(axis=0)"),
    "n": ("s", "{a}[0]", "{q}[1]", "0.8", "np.sum({q}) * 0.1", "c"),
    "e": ("{q} * {n}", "{q}", "np.sin({q})", "{q}[::-1]", "{q} + {n}"),
}
BODIES = forms(
    """
    a *= {n}  a += {e}  a[0] = {n}  a[1:] += a[:-1]  a[:] = {e}  a -= a.mean()  s = s * 0.8 + 0.1 * np.sum({e})
    A[1] += {e}  A[0, 1] = {n}  B[0] = {e}  w = a  z = a  w = a * s  w += {e}  z[0] = {n}  s += a[0] * {q}[-1] * 0.1
    if a[0] > 0.5: continue  if a[1] > 0.6: break  a = a * {n}  a[1] *= {n}  z = w  w = {q}  a[a > 0.4] *= {n}
    if a[0] > {q}[1]: a[1:] = {n}  B *= 0.9  A[:, 0] += {n}  np.multiply(a, {n}, out=a)
    """
)
OF_TWO = forms(
    """
    b += a * s  b *= {n}  a[1:] = b[:-1]  b[0], a[0] = a[0], b[0]  a, b = b, a  b[:] = a  a += b * {n}  w = b
    b -= a * b[0]  a[:], b[:] = b * s, a.copy()  if a[0] > b[0]: b[0] += {n}  s += 0.1 * a @ b
    """
)
SHORT = forms(
    """
    a *= {n}  a[0] = {n}  a[1:] += a[:-1]  a -= a.mean()  s = s * 0.8 + 0.1 * np.sum(a)  a[a > 0.3] = s  a += c
    A[1, 0] *= s  B[0] += s  if np.sum(a) > 1.0: break  a[...] = a[::-1] * s
    """
)


def program(rng: random.Random) -> str:
    """Return a function of one to three loops that write to what they go through."""
    lines = [
        "s, w, z = v[0] * 1.5, v * c, M[1]",
        "A = " + rng.choice(("M * c", "M.copy()", "np.outer(v[:3], v)")),
    ]
    lines += ["B = " + rng.choice(("A[::-1]", "M * v", "A * 1.0", "A", "np.sin(M)"))]
    lines += [
        rng.choice(("z = A[1]", "w = B[0]", "z = A[2][::-1]", "z = w")),
        "rows = {'a': A[0], 'b': B[1], 'c': w}",
    ]
    for _ in range(rng.choice((1, 1, 2, 3))):
        loop, kind = rng.choice(LOOPS)
        pool = SHORT if kind == "t" else BODIES + OF_TWO * 2 if "b" in kind else BODIES
        inner = [filled(rng, rng.choice(pool), HOLES) for _ in range(rng.choice((1, 2, 3)))]
        lines += [*loop.split("\n"), *(f"    {line}" for line in inner)]
    result = rng.choice(("np.sum(w * z)", "np.sum(z ** 2)", "np.sum(w)"))
    lines.append(f"return np.sum(A ** 2) + np.sum(A * B) * s + {result}")
    text = "".join(f"    {line}\n" for line in lines)
    return f"import itertools\n\nimport numpy as np\n\n\ndef f(M, v, c):\n{text}"
