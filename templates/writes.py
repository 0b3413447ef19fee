"""What functions that write in place store, and where.

The first of a function's that fits is taken: it has the parameters that are given, of which an annotation
says what they are. `rank` is that of the first; np.resize gives a number, and a vector that is as long, as it is.
"""

import numpy as np


def copyto(dst, src):
    dst[...] = src


def copyto_where(dst, src, where):
    dst[...] = np.where(where, src, dst)


def put_in_vector(a: vector, ind: listed, v):
    a[ind] = np.resize(v, np.shape(ind))


def put(a, ind, v):
    a[_places_flat(a, ind)] = np.resize(v, np.shape(ind))


def put_along_axis(arr, indices, values, axis):
    arr[_places_along(arr, indices, axis)] = values


def putmask_number(a: array, mask: flags, values: scalar):
    a[mask] = values


def putmask(a, mask, values):
    a[...] = np.where(mask, np.resize(values, np.shape(a)), a)


def place(arr: array, mask: flags, vals):
    arr[mask] = np.resize(vals, np.count_nonzero(mask))


def place_where_not_zero(arr, mask: array, vals):
    arr[np.not_equal(mask, 0)] = np.resize(vals, np.count_nonzero(np.not_equal(mask, 0)))


def fill_diagonal_of_square(a: square, val):
    a[np.diag_indices(len(a))] = np.resize(val, len(a))


def fill_diagonal(a: array, val):
    a[np.diag_indices(min(a.shape), rank)] = np.resize(val, min(a.shape))
