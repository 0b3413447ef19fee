"""Complex numbers whose parts are stored to, and that stand among real ones."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def stores_to_imaginary_parts(u, v):
    z = u + 1j * v
    z.imag[1:3] *= u[0]
    z.imag[0] += v[3]
    z.imag[u > 0.5] = v[1]
    for k in range(3):
        z.imag[k] = z.real[k + 1] * v[0]
        z.imag[k] -= u[k] * z.imag[k + 1]
    z.imag = z.imag * u
    z.real += v
    z.real = z.real * z.imag
    np.multiply(z.imag, v, out=z.imag)
    return np.sum(np.abs(z + 2.0 * u) ** 2)


def views_of_imaginary_parts(u, v):
    z = u + 1j * v
    y = z.imag
    z *= u[0]
    part = y[1:]
    part *= v[1:]
    y[0] = v[2]
    x = z.real
    x += y * v
    return np.sum(y * v * u) + np.sum(part * u[1:]) + np.sum(np.abs(z + u) ** 2)


def scaled(x, c):
    x[1:] *= c
    return x


def imaginary_parts_handed_on(u, v):
    z = u + 1j * v
    scaled(z.imag, v[0])
    w = scaled(z.imag, v[1])
    return abs(np.sum(z * v)) * u[0] + np.sum(w * v)


def added_at_imaginary_parts(u, v):
    z = u + 1j * v
    np.add.at(z.imag, [1, 1], u[0])
    for row in [z.imag, z.real]:
        row *= v[0]
    return np.sum(np.abs(z + u) ** 2)


def one_of_the_parts(u, v):
    z = u + 1j * v
    part = z.imag if u[0] > 0.3 else z.real
    part *= u[1]
    return np.sum(np.abs(z + u) ** 2)


def real_parts_stored_back(u, v):
    z = u + 1j * v
    z[...] = z.real + 1j * (u * v)
    z[1:] = z[1:].real * (1.0 + 1.0j)
    return np.sum(np.abs(z + 2.0 * u + 1j * v) ** 2)


def real_items_among_complex_ones(u, v):
    z = u + 1j * v
    xs = [complex(u[2], v[1] * 0.3), z[1].imag]
    return abs(sum(xs)) + (xs[0] * xs[1]).real


def sum_of_chosen_imaginary_parts(u, v):
    w = np.where(u > 0.45, u + 0.2j * v, v)
    y = np.where(u > 0.45, u, 1j)
    return np.sum(np.abs(w) ** 2) + np.sum((y * w * w).imag)


def tiled_complex_number(u, v):
    z = u + 1j * v
    n = z[1] * z[3] + 0.3j
    part = z[1:3]
    part[...] = np.tile(n, 5)[:2]
    return np.sum((z * v).imag)


def sum_of_real_and_complex_arrays(u, v):
    xs = [u * 2.0, u + 1j * v, abs(u)]
    return abs(np.sum(sum(xs)))


def real_and_complex_arrays_in_turn(u, v):
    xs = []
    for k in range(3):
        if k % 2:
            xs.append(u * k)
        else:
            xs.append(u + 1j * v)
    return np.sum(np.abs(sum(xs)))


def real_and_complex_arrays_replaced(u, v):
    xs = [u * 2.0, u + 1j * v, abs(u)]
    for k in range(3):
        xs[k] = xs[k] * 1.5
    return abs(np.sum(sum(xs)))


def real_part_among_products(u, v):
    z = u + 1j * v
    z[2] = np.vdot(z, z)
    xs = [np.dot(u, z), np.vdot(z, np.exp(z)).real, np.dot(u, 1j * v)]
    return abs(sum(xs)) + np.sum(np.abs(z))


def real_arrays_written_among_complex_ones(u, v):
    xs = [u * 2.0, u + 1j * v]
    for x in xs:
        x *= 1.5
    return abs(np.sum(sum(xs)))


UV = (numbers(4), numbers(4, start=0.15)), (0, 1)


def complex_of_a_real_number(u, v):
    z = complex(u[0]) * (1.0 + 2.0j) + complex(v[1], u[1])
    return (z**2).imag + z.real * v[0]


PROGRAMS = (
    Entry(complex_of_a_real_number, *UV),
    *(
        Entry(function, *UV)
        for function in (
            stores_to_imaginary_parts,
            views_of_imaginary_parts,
            imaginary_parts_handed_on,
            real_parts_stored_back,
            sum_of_chosen_imaginary_parts,
            real_items_among_complex_ones,
            tiled_complex_number,
            sum_of_real_and_complex_arrays,
            real_and_complex_arrays_in_turn,
            real_and_complex_arrays_replaced,
            real_part_among_products,
        )
    ),
    *(
        Entry(function, *UV, may_refuse=True)
        for function in (
            added_at_imaginary_parts,
            one_of_the_parts,
            real_arrays_written_among_complex_ones,
        )
    ),
)
