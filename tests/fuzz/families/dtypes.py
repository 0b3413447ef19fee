"""Arrays of several dtypes: single beside double precision, whole numbers, truth values, complex parts.

q = u.astype(np.float32); q += v
w = np.asarray(u, dtype=float); w[0] *= s
k[1:] = 3.0 * u[:-1]; n += u[i] > 0.3; s = s + n * u[i]
"""

from __future__ import annotations

import random

import numpy as np

from tests.fuzz.families.passes import forms
from tests.oracles import Args

# {v} is an array of five elements, {w} one that may be written to, {x} a number, {m} a mask of five elements,
# {k} whole numbers, {s} something of the same memory as a written array, or a copy of it
SAME = forms(
    """
    np.asarray({w})   np.asarray({w}, dtype=float)   {w}.astype(float, copy=False)   np.ascontiguousarray({w})   np.real({w})   {w}.real
    {w}.conj()   np.conj({w})   np.atleast_1d({w})   np.ravel({w})   {w}.reshape(-1)   {w}.view()   {w}[...]   {w}[:]   np.squeeze({w})   +{w}
    {w}.astype({w}.dtype)   {w}.astype({w}.dtype, copy=False)   np.array({w})   np.array({w}, copy=None)   np.asarray({w}, dtype=np.float32)
    {w}.astype(np.float32, copy=False)   np.asanyarray({w})   {w}.flatten()   {w}.T   np.transpose({w})   np.real(z)   z.imag   z.real   np.imag(z)
    z.view(float)[::2]   z.view(np.float64)[1::2]   np.flip({w})   {w}.copy()   np.copy({w})   np.broadcast_arrays({w}, 1.0)[0].copy()   np.split({w}, [0])[1]
    {w}.ravel()   np.array({w}, ndmin=2)[0]   np.real_if_close({w})   np.expand_dims({w}, 0)[0]   np.asarray({w}, {w}.dtype)   np.nan_to_num({w}, copy=False)
    np.require({w}, float)   np.array({w}, dtype=np.float32)   {w}.squeeze()   np.asfortranarray({w})   {w}[::-1]   {w}.swapaxes(0, 0)   np.float64({w})   np.float32({w})
    """
)
ARRAYS = forms(
    """
    u   v   w   h   q   w   h   ({m} * {v})   {v}.astype(np.float32)   np.float32({v})   ({k} * {v})   ({v} + {m})   ({v} * np.float32(0.7))   ({v} * 2)
    np.where({m}, {v}, {k})   np.where({m}, {v}, 0)   (2 ** {k} * {v})   (np.abs({v}) + 0.5) ** {k}   ({v} / ({k} + 1))   np.arange(5) * {x}   np.cumsum({m}) * {v}
    np.sin({v}, dtype=np.float64)   np.add({v}, {k}, dtype=float)   np.multiply({k}, {x})   {m}.astype(float) * {x}   ({v} - {k})   np.cumsum({v}, dtype=np.float32)
    np.array([1, {x}, 2, {x}, True])   np.array([{x}] * 5, dtype=np.float32)   np.full(5, {x})   np.full(5, {x}, dtype=np.float32)   np.full_like(h, {x})   np.full_like(w, {x})
    np.concatenate([{v}[:2], {k}[2:]])   np.stack([h, {v}])[1]   np.ones(5, np.float32) * {v}   np.zeros(5, dtype=int) + {v}   (~{m} * {v})   np.maximum({v}, {k} * 0.2)
    np.clip({v}, 0, 1)   np.outer({m}, {v})[1]   (z * {x}).real   (z * {k}).imag   np.abs(z)   z.astype(np.complex64).real   (z * np.complex64(1j)).real   np.exp(1j * {v}).imag
    np.tanh({v}).astype({w}.dtype)   {v}.astype('f4')   {v}.astype('float64')   {v}.astype(h.dtype)   np.ldexp({v}, {k})   np.interp({v}, [0, 1], [0, 2])   np.power({v} + 1, 2)
    ({v} > 0.3) * 1.0   np.float_power(np.abs({v}) + 1, {k})   np.result_type   np.square({k}) * {x}   np.mod({v}, 1)   ({v} // 1 + {v})   {v}[{k}]   np.take({v}, {k})   {v}[::-1]
    """
)
ARRAYS = tuple(each for each in ARRAYS if each != "np.result_type")
NUMBERS = forms(
    """
    s   s   n   u[1]   h[2]   q[0]   0.5   2   {k}[1]   np.sum({m})   np.sum({v})   np.sum({v}, dtype=np.float32)   np.mean({v}, dtype=np.float64)   np.mean({m})   {v} @ {k}
    np.dot({m}, {v})   float({v}[1])   np.float32({x})   np.float64({x})   n * s   (n + 1) / 2   int({k}[2]) * s   float(n)   bool(n) * s   np.sum({k} * {v})   {v}[n % 5]
    np.count_nonzero({m}) * s   {m}.sum() * 0.3   {m}.mean() * s   np.prod({v} + 1)   np.max({v})   np.linalg.norm({v})   len({v}[{m}]) * s   np.sum({v}[{m}])   {v}.sum()
    z[1].real   abs(z[2])   np.sum(z).imag   np.vdot(z, z).real   (u[0] > 0.3) * s   s ** n   s ** 2   np.average({v}, weights={k} + 1)   np.einsum('i,i', {v}, {k})   h.mean()
    {v}[0].item()   np.asarray(s) * 1   np.int64(2) * s   np.sqrt({k}[1] + 1) * s   np.sum({m}, dtype=float) * s   np.trapezoid({v}, {k})   np.std({v})   np.var(h, dtype=float)   True * s
    """
)
MASKS = (
    "(u > 0.3)",
    "(h > 0.5)",
    "(w < 0.6)",
    "(k > 1)",
    "(k % 2 == 0)",
    "(u > 0.2) & (v < 0.8)",
    "np.array([True, False, True, True, False])",
    "(u > v)",
    "~(q > 0.4)",
)
WHOLES = (
    "k",
    "k",
    "np.arange(5)",
    "(u > 0.4).astype(int)",
    "np.array([2, 0, 1, 3, 1])",
    "np.argsort(v)",
    "k % 3",
    "(3 * u).astype(int) % 5",
    "np.ones(5, int)",
    "np.cumsum(u > 0.4) % 5",
)
CHANGES = forms(
    """
    y = {s}; y *= {x}   y = {s}; {w} += {v}   y = {s}; y[0] = {x}   y = {s}; {w}[1] = {x}   y = {s}; {w} *= {x}   {w} = {s}; y = {w} * 1.0   {w} = {s}; {w}[1:] += {x}
    w = {v}   h = {v}   q = {v}   s = {x}   s += {x}   s = s * 0.5 + {x}   n += 1   n = n + {m}.sum()   n += {x}   n = {x}   n *= 2   n //= 2   n = n * s   n += u[0] > 0.3
    {w} += {v}   {w} -= {x}   {w} *= {v}   {w} /= 1 + {v} ** 2   {w}[{k}[1]] = {x}   {w}[1:3] = {v}[:2]   {w}[{m}] = {x}   {w}[{m}] *= {x}   {w}[:] = {v}   {w}[::2] += {x}
    k = k.copy(); k[1] = 3 * {x}; k %= 5   k = k + 1; k %= 5   k = np.zeros_like(k); k[:2] = 3.0 * {v}[:2]; k = abs(k) % 5   k = k[::-1]   k = np.full(5, 1.7, dtype=int)   k = np.zeros(5, int); k += {m}
    w = np.zeros(5); w[:] = {v}   w = np.zeros(5, np.float32); w += {v}   w = np.zeros_like(h); w[:] = {v}   w = np.zeros_like(k, dtype=float); w += {v}   w = np.empty_like(h); w[:] = {v}   w = np.zeros_like({v}); w[0] = {x}
    for i in range(5): n += {m}[i]   for i in range(5): w[i] = {v}[i] * i   for i in range(4): w[i + 1] += h[i] * n   for i, b in enumerate({m}): s = s + b * u[i] * 0.3   for a in {v}: s = s * 0.9 + a * 0.1
    t = 0; t += {x}; s += t   t = 1; t *= {x}; s += t   t = [0, 0]; t[0] += {x}; s += t[0]   t = {'a': 0, 'b': 1}; t['a'] += {x}; s += t['a'] * t['b']   t = 0; t = t + {v}; w = t * s   t = 0; t += {v}; w = t
    z = z * {x}   z = z + {v}   z.real[:] = {v}   z.imag *= {x}   z = np.zeros(5, complex); z[:3] = {v}[:3]   z = np.asarray({v}, dtype=complex) * (1 + 0.5j)   z = {v}.astype(complex) * 1j   z = z.astype(np.complex64)   z[{m}] = {x}   z = z.copy(); z.view(float)[::2] *= {x}
    np.add({v}, {k}, out={w})   np.multiply({w}, {x}, out={w})   np.add({w}, {v}, out={w}, casting='same_kind')   np.copyto({w}, {v}, casting='same_kind')   np.add.at({w}, {k}, {x})   np.add.at({w}, [1, 1], {v}[:2])   np.sin({v}, out={w})   {w}.fill({x})
    if {m}[1]: s = s * 2   if n > 2: s = s + 1   if {x} > 0.4: n = n + 1   s = s if {m}.any() else 2   s = float({x})   s = np.float32({x})   h, w = w, h   w = h   h = w * 1   u = u + 0; u[0] = {x}   h[0], h[1] = h[1], h[0]   w = np.array(w, dtype=h.dtype); w[0] += {x}
    """
)
RESULTS = (
    "np.sum(w * w) + np.sum(h) * s + np.sum(z.real)",
    "s + np.sum(w) + np.sum(q * h)",
    "np.sum(np.abs(z) ** 2) + s * n + w @ h",
    "np.sum(w * k) + s + np.sum(h * h)",
    "float(np.sum(w)) + s * s + np.sum(h)",
)
HOLES = {
    "s": SAME,
    "v": ARRAYS,
    "x": NUMBERS,
    "m": MASKS,
    "k": WHOLES,
    "w": ("w", "w", "h", "q", "u", "v"),
}
LEAVES = {"v": ("u", "v", "w", "h", "q", "h"), "x": ("s", "n", "u[1]", "h[2]", "2", "k[1]")}
DEEPEST = 2


def arguments(rng: np.random.Generator) -> Args:
    """Return two vectors, one of them in single precision, of whole numbers, and a number."""
    u, v = (np.abs(rng.uniform(-0.1, 1.0, 5)).round(3) for _ in range(2))
    return u, v.astype(np.float32), float(rng.uniform(0.2, 1.0)), rng.integers(0, 4, 5)


def program(rng: random.Random) -> str:
    """Return a function of arrays in double and single precision, a number, and whole numbers."""

    def nested(form: str, depth: int) -> str:
        while "{" in form.replace("{'", "<"):
            at = form.replace("{'", "<'").index("{")
            name = form[at + 1]
            choices = (
                LEAVES[name]
                if name in LEAVES and (depth > DEEPEST or rng.random() < 0.5)
                else HOLES[name]
            )
            form = form[:at] + nested(rng.choice(choices), depth + 1) + form[at + 3 :]
        return form

    lines = ["s, n, q = c * 1.5, 2, v * 1.0", "w = u * c", "h = v * u", "z = u + 1j * v"]
    lines[2] = rng.choice(
        ("h = v * u", "h = (u * 0.8).astype(np.float32)", "h = v * 2", "h = u - v")
    )
    for _ in range(rng.randint(1, 4)):
        change = nested(rng.choice(CHANGES), 1)
        lines += [change] if change.startswith(("for", "if")) else change.split("; ")
    lines.append(f"return {rng.choice(RESULTS)}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(u, v, c, k):\n{body}"
