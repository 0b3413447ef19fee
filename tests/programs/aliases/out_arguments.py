"""Functions and methods of NumPy that are told what to write to, by name and by position."""

from __future__ import annotations

import numpy as np
import scipy.ndimage

from tests.programs.entry import Entry, numbers


def clipped_by_position(u):
    v = u * 1.5
    np.clip(v, -0.4, 0.5, v)
    return np.sum(v * u)


def summed_by_position(a):
    s = np.zeros(4)
    np.sum(a**2, 0, None, s)
    return np.sum(s * a[0])


def summed_by_a_method(a):
    s, b = np.zeros(4), a**2
    b.sum(0, None, s)
    return np.sum(s * a[0])


def summed_by_a_method_of_an_expression(a):
    s = np.zeros(4)
    (a**2).sum(axis=0, out=s)
    return np.sum(s * a[0])


def multiplied_by_position(a):
    s, t = np.zeros((3, 3)), np.zeros((3, 3))
    np.dot(a, a.T, s)
    a.dot(a.T, out=t)
    return np.sum(s * t * a[:, :3])


def running_sum_in_place(u):
    v, w = u * 1.0, np.zeros(4)
    v.cumsum(out=v)
    v.cumsum(0, None, w)
    return np.sum(v * w * u)


def taken_and_chosen(u):
    w, v, c = np.zeros(2), u**2, np.zeros(4)
    v.take([0, 3], out=w)
    np.choose([0, 1, 0, 1], [u, v], out=c)
    return np.sum(w * u[:2]) + np.sum(c * u)


def chosen_by_a_list(u, places):
    return np.sum(np.choose(places, [u, u**2, 3.0]) * u)


def quotients_where_they_are_finite(u):
    m = np.abs(u) > 0.3
    q = np.divide(1.0, u - np.where(m, 0.0, u), out=np.zeros_like(u), where=m)
    return np.sum(q * u**2)


def quotients_over_ones(u):
    return np.sum(np.divide(u, u[0], out=np.full_like(u, u[1]), where=u > 0.0) ** 2)


def laid_out_flat(A):
    B, C = np.empty((4, 3)), np.zeros_like(A)
    B.flat = A * A
    C.flat = A[0, 1]
    return np.sum(B * np.arange(12.0).reshape(4, 3)) + np.sum(C * A)


def laid_out_of_one_row(u):
    v = np.zeros(len(u))
    v[:] = u[None, :] ** 2
    return np.sum(v * np.arange(len(u)))


def laid_out_flat_of_one_column(u):
    C = np.empty((len(u), 1))
    C.flat = u[:, None] * u[:, None]
    return np.sum(C * u[:, None])


def laid_out_flat_in_turn(u):
    C, D = np.zeros((3, len(u))), np.zeros((3, 4))
    C.flat = u * u
    D.flat = np.outer(u, u)
    return np.sum(C * np.arange(12.0).reshape(3, 4)) + np.sum(D[1] * u)


def roots_where_they_are_real(u):
    return np.sum(np.sqrt(u, where=u > 0.0, out=np.zeros(4)) * u)


def roots_where_they_are_real_in_place(u):
    v = np.ones(4)
    np.sqrt(u, out=v, where=u > 0.0)
    return np.sum(v * u)


def outer_in_place(u):
    a, b = np.zeros((4, 4)), np.zeros((4, 4))
    np.multiply.outer(u, u, out=a)
    np.outer(u, u**2, b)
    return np.sum(a * b)


def placed_by_numbers(u):
    v, low = 2.0 * u, 1 - (u > 0.0)  # np.place takes what is not 0 for true
    np.place(v, low, [u[0]])
    np.place(v, mask=np.array([3.0, 0.0, 0.0, 1.0]), vals=u[1:3] ** 2)
    return np.sum(v**2 * np.arange(1.0, 5.0))


def put_again_and_again(u):
    v, w, z = 2.0 * u, np.outer(u, u[:3]), 3.0 * u
    np.put(v, [0, -1, 2], u[1:3])
    np.place(v, u > 0.0, u**2)
    np.putmask(z, u < 0.5, u[:3] ** 2)
    np.fill_diagonal(w, u[:2] ** 3)
    np.putmask(w, w > 0.2, u[3])
    return np.sum(v**2) + np.sum(w**2 * np.arange(3.0)) + np.sum(z**2)


def helped(u, out=None):
    return np.exp(u, out=out)


def given_nothing(u, out=None):
    v = np.cumsum(u, out=out)
    w = v.sum(axis=None, out=out) + np.sum(helped(u) * helped(v, None))
    return w + np.sum(np.multiply(v, u, out=out)) + np.dot(v, u, out)


def given_by_one_of_two(u):
    b = np.empty(4)
    helped(u * 0.5, b)
    return np.sum(helped(u) * b)


def unit_or_lengths(u, axis=None, out=None):
    if out is None:
        u = np.array(u, dtype=float, copy=True)
        u *= 2.0
    else:
        if out is not u:
            out[:] = u
        u = out
    length = np.atleast_1d(np.sum(u * u, axis))
    np.sqrt(length, length)
    u /= length
    if out is None:
        return np.sum(u**3)


U, A = numbers(4), numbers(3, 4)


def added_in_a_row(u):
    A = np.zeros((2, 3))
    np.add.at(A[1], [0, 2, 2], u[:3] * u[1])
    np.subtract.at(A.reshape(-1), [5, 5], u[:2])
    return np.sum(A**3)


def added_to_zeros_in_rows(a):
    b = np.zeros_like(a, order="C")
    np.add.at(b.reshape(-1), [1, 1, 4], a[0, :3])
    return np.sum(b**3)


def written_beside_what_has_no_axes_known(u):
    v = np.zeros(4) + u
    np.multiply(v, np.stack([v, v], -1).mean(-1), out=v)
    np.copyto(v, np.stack([v, v], -1).mean(-1) * 3.0, where=v > 0.1)
    return np.sum(v * u)


def filled_beside_what_has_no_axes_known(u):
    v = np.zeros(4) + u
    v.fill(np.stack([v, v], -1).mean(-1)[0] * 3.0)
    np.put(v, [1], np.stack([v, v], -1).mean(-1)[2] * u[1])
    return np.sum(v * u)


def written_by_a_method_that_has_a_name(u):
    v = np.zeros(4) + u
    put = v.__setitem__
    put(0, np.stack([v, v], -1).mean(-1)[0] * 3.0)
    return np.sum(v * u)


def smoothed_into_an_array(a):
    even, bent = np.empty_like(a), a * a
    row = even[1]
    scipy.ndimage.uniform_filter1d(bent, 3, output=even)
    scipy.ndimage.gaussian_filter(bent, 1.0, output=bent)
    given = scipy.ndimage.correlate1d(bent, [1.0, 2.0, 3.0], 0, even[::-1])
    return np.sum(given * bent) + np.sum(row**3)


PROGRAMS = (
    Entry(smoothed_into_an_array, (A,), like_only=True),
    *(
        Entry(function, (U,))
        for function in (
            *(clipped_by_position, running_sum_in_place, taken_and_chosen, outer_in_place),
            *(quotients_where_they_are_finite, quotients_over_ones, roots_where_they_are_real),
            *(roots_where_they_are_real_in_place, placed_by_numbers, put_again_and_again),
            *(added_in_a_row, written_beside_what_has_no_axes_known),
            *(
                filled_beside_what_has_no_axes_known,
                laid_out_of_one_row,
                laid_out_flat_of_one_column,
                laid_out_flat_in_turn,
            ),
        )
    ),
    *(
        Entry(function, (A,))
        for function in (
            *(summed_by_position, summed_by_a_method, summed_by_a_method_of_an_expression),
            *(multiplied_by_position, laid_out_flat, added_to_zeros_in_rows),
        )
    ),
    Entry(chosen_by_a_list, (U, [0, 1, 2, 1])),
    Entry(given_by_one_of_two, (U,)),
    Entry(written_by_a_method_that_has_a_name, (U,)),
    # the text for any arguments is for an array that is given
    Entry(given_nothing, (U, None), like_only=True),
    Entry(unit_or_lengths, (U, None, None), like_only=True),
)
