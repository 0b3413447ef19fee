"""Rewrites that come last of all: what the others know by a name is written out, or said more shortly.

`valued` is a number, no array: an attribute of one takes a tenth of the time. Other words are those of rewrites_exact.py.
"""

import numpy as np


def cofactors_in_the_plane(a: (planar, short)):
    before = _cofactors(a)
    after = np.array([[a[1, 1], -a[1, 0]], [-a[0, 1], a[0, 0]]])


def cofactors_in_space(a: spatial):
    before = _cofactors(a)
    after = np.cross(a[[1, 2, 0]], a[[2, 0, 1]])


def real_part_of_a_number(z: valued):
    before = np.real(z)
    after = z.real


def imaginary_part_of_a_number(z: valued):
    before = np.imag(z)
    after = z.imag
