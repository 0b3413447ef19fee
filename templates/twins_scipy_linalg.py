"""Twins of SciPy's functions of matrices: of stacks of them, and of two results at once."""

FAMILY = "twin"


def expm_of_stack(A: (stacked, small, shapes((2, 3, 3), (2, 1, 2, 2)))):
    y = linalg.expm(A)
    twin = _expm_of_stack(A)


def expm_frechet(A: (small, shapes((3, 3), (2, 2))), E: shapes((3, 3), (2, 2))):
    y = linalg.expm_frechet(A, E)
    twin = _expm_and_frechet(A, E)
