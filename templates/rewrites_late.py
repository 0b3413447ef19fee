"""Rewrites that write out what others know by a name: the last of all.

The words are those of rewrites_exact.py.
"""

import numpy as np


def cofactors_in_the_plane(a: (planar, short)):
    before = _cofactors(a)
    after = np.array([[a[1, 1], -a[1, 0]], [-a[0, 1], a[0, 0]]])


def cofactors_in_space(a: spatial):
    before = _cofactors(a)
    after = np.cross(a[[1, 2, 0]], a[[2, 0, 1]])
