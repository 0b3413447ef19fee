"""Complex numbers between real arguments and a real result.

z = np.exp(1j * u) * (a + 1j * b)
z[1:] *= np.conj(w[:-1])
z.imag[:] = z.real * 0.5
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

# {z} is a complex vector of five elements, {r} a real one, {n} a complex number, {x} a real one
COMPLEX = forms(
    """
    {z} * {w}   np.exp(1j * {r})   {r} + 1j * {r}   np.conj({z})   {z} / (1.5 + {w} * 0.2j)
    np.fft.fft({z})   np.fft.ifft({z}) * 2.0   {z} * {x}   {z} + {r}   np.sin({z})   {z}[::-1]
    np.where({r} > 0.3, {z}, {w})   np.sqrt({z} + 2.0)   np.log({z} + 2.5)   {z} * {n}   {r} * {n}
    (np.eye(5) + 0.1 * np.outer({z}, {w})) @ {z}   {z} ** 2   1j * {z}   np.cumsum({z}) * 0.3
    np.linalg.solve(np.eye(5) * 3.0 + np.outer({z}, {r}), {w})   np.roll({z}, 1)
    {r}.astype(complex)   np.concatenate([{z}[:2], {r}[2:]])
    np.array([{n}, {x}, {n}, {z}[1], 0.5])   {z}.conj() * {r}   np.multiply.outer({z}, {w})[1]
    np.fft.fftshift({z})   np.exp({z} * 0.3)   ({z} + {w}).copy()
    np.linalg.inv(np.eye(5) * 3.0 + np.outer({z}, {w}))[1]   np.einsum('i,i->i', {z}, {r})
    {z} ** 1.5   np.vectorize(complex)({r}, {r})   np.tanh({z} * 0.5)   {z} - np.mean({z})
    np.stack([{z}, {w}])[1]   np.fft.hfft({z}, 5) * {n}   np.fft.rfft({r}, 8)[:5]
    np.convolve({z}, {w}, 'same')   np.tile({n}, 5)
    """
)
REAL = forms(
    """
    {z}.real   {z}.imag   np.abs({z})   np.real({z} * {w})   np.imag({z})   np.angle({z} + 2.0)
    abs({z}) ** 2   ({z} * np.conj({z})).real   u   v   u * v   np.fft.ifft({z}).real
    np.abs(np.fft.rfft({r}, 8))   np.fft.irfft({z}, 5)   np.hypot({z}.real, {w}.imag)
    np.square({r})   np.arctan2({z}.imag, {z}.real + 2.0)
    np.abs({z}[1]) * {r}   ({z} + {w}).imag
    """
)
NUMBERS = forms(
    """
    {z}[{i}]   np.sum({z})   np.vdot({z}, {w})   complex({x}, {x})   ({x} + 1j * {x})   {z} @ {w}
    np.conj({z}[{i}])   cmath.exp(1j * {x})   ({n} * {n})   {n}.conjugate()
    np.linalg.det(np.eye(5) + 0.2j * np.outer({z}, {r}))   np.dot({r}, {z})
    ({n} / (2.5 + {x} ** 2))   sum({z})   np.prod({z} * 0.5 + 1.0)   np.mean({z})
    (1j * {x}) ** 2   np.trapezoid({z})
    """
)
FLOATS = forms(
    """
    u[{i}]   v[{i}]   {n}.real   {n}.imag   abs({n})   s   0.5   np.linalg.norm({z})   {r}[{i}]
    np.abs({n}) ** 2   np.real({n})   np.sum({r}) * 0.3
    np.vdot({z}, {z}).real
    """
)
CHANGES = forms(
    """
    z = {Z}   w = {Z}   r = {R}   s = {X} * 0.5   n = {N} * 0.5   z, w = w, z   z = z.copy()
    z[{i}] = {N}   z[1:] *= w[:-1]   z[1:3] += {X}   z += {Z}   z *= {N}   z[::2] = {R}[::2]
    z.real[:] = {R}   z.imag[1:3] *= {X}   z.real += {R} * 0.2   z[[0, 2]] *= {N}
    z[z.real > 0.4] *= 0.5j   z /= 1.5 + {R} ** 2   np.multiply(z, w, out=z)   np.conj(z, out=z)
    z -= np.mean(z)   z.imag = {R}   s += ({N} * {N}).real * 0.1
    xs = [{N}, {X}, {N}]; s += abs(sum(xs)) * 0.1   w = np.zeros(5, complex); w[1:4] = {R}[:3]
    w = np.zeros_like(z); w[:2] = z[3:]; w[3] = {X}   r = r.copy(); r[1:3] = z.imag[2:4]
    np.add.at(z, [1, 1, 3], {N})   d = {'p': {X}, 'q': {N}}; s += (d['p'] * d['q']).imag * 0.1
    n, s = n * 1j, abs(n)   n += {X}   n = n * z[{i}] + 0.3j
    m = s; m = m * 1j + {X}; s += m.imag * 0.2   z.flat[2] = {N}
    for e in z: s += 0.1 * (e * e).real   z = np.where(r > 0.2, z, {N})   z[2:] -= np.conj(z[:3])
    y = z.imag; y *= {X}   y = z[1:4]; y[...] = {Z}[:3]; y.real[0] = s   w = z
    """
)
RESULTS = (
    *(
        "np.sum(np.abs(z) ** 2) + s",
        "np.sum((z * w).real) + np.sum(r) + n.imag",
        "abs(np.sum(z)) * s + np.sum(w.imag)",
    ),
    *(
        "np.vdot(z, w).real + abs(n) ** 2",
        "np.sum(np.abs(z + 2.0)) + np.sum(np.angle(w + 3.0)) + s + n.real",
    ),
)
DEEPEST = 2


def program(rng: random.Random) -> str:
    """Return a function of two real vectors with complex numbers between."""

    def filled(form: str, depth: int = 0) -> str:
        for hole, choices in (("Z", COMPLEX), ("R", REAL), ("N", NUMBERS), ("X", FLOATS)):
            while "{" + hole + "}" in form:
                form = form.replace("{" + hole + "}", filled(rng.choice(choices), depth + 1), 1)
        leaves = {
            "z": ("z", "w"),
            "w": ("w", "z"),
            "r": ("r", "u", "v"),
            "n": ("n", "z[1]", "0.5j"),
        }
        nested = {"z": COMPLEX, "w": COMPLEX, "r": REAL, "n": NUMBERS, "x": FLOATS}
        leaves["x"] = ("s", "u[2]", "v[1]", "0.7")
        for hole in nested:
            while "{" + hole + "}" in form:
                deeper = depth < DEEPEST and rng.random() < 0.3
                part = filled(rng.choice(nested[hole]), depth + 1) if deeper else ""
                part = f"({part})" if part else rng.choice(leaves[hole])
                form = form.replace("{" + hole + "}", part, 1)
        return form.replace("{i}", str(rng.randint(0, 4)))

    def change() -> str:
        return filled(rng.choice(CHANGES))

    lines = [
        "s = u[0] * 1.5",
        "r = u * v",
        "z = u + 1j * v",
        "w = np.exp(1j * v)",
        "n = z[1] * w[2]",
    ]
    if rng.random() < 0.4:
        lines += ["for i in range(3):", *passes(rng, change, 3)]
        lines.append("    z = z / (1.0 + np.sum(np.abs(z)))")
    else:
        lines += [x for _ in range(rng.randint(2, 5)) for x in change().split("\n")]
    lines.append(f"return {filled(rng.choice(RESULTS))}")
    return HEAD + "".join(f"    {line}\n" for line in lines)


HEAD = """import cmath

import numpy as np


def f(u, v):
"""
