"""Functions that ask how long their arguments are, of what kind and what options say.

if len(v) > n and kind == "a": s = s * v[n]
w = np.zeros(M.shape[1]); w[:n] = v[:n]
M = M * v if flag else M.T
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms

# {v} is a vector, {x} a number, {t} a test
VECTORS = forms(
    """
    v   v   u   v[1:]   v[:-1]   v[::-1]   v[::2]   M[0]   M[-1]   M[:, 0]   M.T[1]   M.sum(axis=0)   M.mean(axis=-1)   np.sin(v)   v * c
    M.ravel()   np.diag(M)   M @ v   v[:n]   v[n:]   w   w[1:]   np.cumsum(v)   np.diff(v)   {v} * {x}   np.atleast_1d(v)   M[n]   M[:, n]   v[:3]
    v[-2:]   np.max(M, axis=1)   M[:, -1]   v[v > 0.2]   np.sort(v)   w[:len(v)]
    """
)
NUMBERS = forms(
    """
    c   v[0]   v[-1]   np.sum({v})   np.mean({v})   len(v)   v.size   M.shape[0]   M.shape[1]   n   0.5   np.size(M)   M.ndim   v[n]   M[0, n]
    np.max({v})   {v}[0]   {v}[-1]   np.linalg.norm({v})   {v} @ {v}   np.sum({v} * {v})   M[-1, -1]   np.std({v})   np.prod({v})   len(M)   k
    float(c)   abs(c)   np.sum({v}[1:] - {v}[:-1])   np.trapezoid({v})   np.sum(np.outer({v}, {v}))   np.sum({v} / len({v}))   np.vdot(v, {v})
    np.sum(M * v)   np.sum(M + v)   np.sum(M.T @ M)   np.var(v)   np.interp(c, [0.0, 0.5, 1.0], v[:3])   c ** n   c ** 2   v[0] ** n
    """
)
TESTS = forms(
    """
    v.shape[0] > 3   len(v) == 4   M.shape[0] == M.shape[1]   c > 0.5   v[0] > 0.3   n > 1   n == 2   kind == 'a'   kind != 'b'   flag   not flag
    M.ndim == 2   v.ndim == 1   np.ndim(c) == 0   isinstance(c, float)   isinstance(n, int)   v.dtype == float   len(M) > len(v)   w is None
    k % 2 == 0   v.size   n   np.any(v > 0.5)   isinstance(v, np.ndarray)   kind in ('a', 'c')   M.shape[-1] == len(v)   v.flags.c_contiguous   kind
    """
)
LINES = forms(
    """
    s += {x} * 0.3    s = s * {x}    s = {x}    if {t}: s = s + {x}    if {t}: s = s * 0.5 + {x}    s = {x} if {t} else {x}
    for i in range(len(v)): s = s * 0.8 + v[i] * {x} * 0.1    for i in range(n): s = s * 0.9 + 0.1 * {x}    for row in M: s += 0.1 * row[0] * row[-1]
    for i in range(1, M.shape[0]): s += 0.1 * M[i, 0] * M[i - 1, -1]    v = v.copy(); v[n:] *= {x}    v = v * {x}    v = np.asarray(v) * 1.0; v[0] = {x}
    M = M * v    M = M.copy(); M[0] = {x}    M = M + {x}    M[:, 0] *= {x}    v[0] *= {x}    v += {x}    w = {v}    w = np.zeros_like(v); w[:n] = v[:n]
    w = np.zeros(len(v)); w[1:] = v[:-1]    w = np.concatenate([v, {v}])    u = v    u = M[0]    u *= {x}    k = len(v) // 2    k = n    n = n + 1
    v = np.append(v, {x})    s += np.sum(u * u) * 0.1    v, u = u * 1.0, v    s += sum(v) * 0.1    s += float({x})    s -= np.sum(np.where(v > {x}, v, 0.0))
    w = np.empty(v.shape); w[:] = {x}    w = np.full(v.shape, {x})    w = np.zeros((2, len(v))); w[0] = v; w = w[0]    w = np.zeros(v.shape, dtype=v.dtype); w += v * 0.7
    w = np.zeros_like(v, dtype=float); w += v    c = c * {x}    w = np.array(v); w[-1] = {x}    w = np.tile(v, 2)    w = np.repeat(v, n)    w = v.reshape(-1)
    w = v.reshape(2, -1).sum(axis=0)    w = np.broadcast_to({x}, (4,))    w = M[n - 1]    w = np.roll(v, n)    w = M.reshape(-1)[::2]    M = M.T    M = M[::-1]
    if kind == 'a': s = s * 1.5    if kind == 'b': s = np.sin(s)    if flag: v = v * 2.0    a, *b = v; s += a * sum(b) * 0.1    s += v[0] if len(v) else 0.0
    while k < n: k += 1; s = s * 0.9 + {x} * 0.1
    """
)
RESULTS = (
    *("s + np.sum(v)", "s + np.sum(M * M) + np.sum(v)", "s * np.sum(v ** 2) + np.sum(M)", "s * c"),
    *("np.sum(w * w) + s + np.sum(M)", "s + v @ v + M[0, 0]", "s + np.sum(u) * c"),
)
HOLES = {"v": VECTORS, "x": NUMBERS, "t": TESTS}
LEAVES = {"v": ("v", "w", "M[0]"), "x": ("c", "v[0]", "s"), "t": ("flag", "n > 1")}
DEEPEST = 2


def program(rng: random.Random) -> str:
    """Return a function of a matrix, a vector and a number, with options."""

    def filled(form: str, depth: int) -> str:
        while "{" in form:
            at = form.index("{")
            choices = (HOLES if depth < DEEPEST else LEAVES)[form[at + 1]]
            form = form[:at] + filled(rng.choice(choices), depth + 1) + form[at + 3 :]
        return form

    lines = ["s, k, u = c * 1.3, 1, v", "w = v * 1.0 if w is None else w"]
    for _ in range(rng.choice((1, 2, 2, 3))):
        line = filled(rng.choice(LINES), 0)
        lines += [line] if line.startswith(("while", "if", "for")) else line.split("; ")
    lines.append(f"return {rng.choice(RESULTS)}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(M, v, c, n=2, kind='a', flag=True, w=None):\n{body}"
