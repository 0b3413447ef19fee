"""Matrices of diagonals and blocks in scipy.linalg, and systems with banded and Toeplitz ones."""

FAMILY = "linear"
HOLOMORPHIC = """
toeplitz_of_two hankel circulant traces on_diagonals circulant_again solve_toeplitz_of_two
solve_toeplitz_of_two_and_vector solve_banded
"""
STACKS = "refused"

# ---------------------------------------------------------------------------- diagonals


def toeplitz(c: shapes((4,), (1,))):
    y = linalg.toeplitz(c)
    c_bar = _traces(np.transpose(y_bar), len(c)) + _traces(np.triu(y_bar, 1), len(c))


def toeplitz_of_two(c: shapes((4,), (2,)), r: shapes((3,), (4,))):
    """The first element of r is not read."""
    y = linalg.toeplitz(c, r)
    c_bar = _traces(np.transpose(y_bar), len(c))
    r_bar = _traces(np.triu(y_bar, 1), len(r))
    y_dot = linalg.toeplitz(c_dot, np.zeros_like(r))
    y_dot = np.triu(linalg.toeplitz(np.zeros_like(c), r_dot), 1)


def hankel(c: shapes((4,), (1,))):
    y = linalg.hankel(c)
    c_bar = np.flip(_traces(np.fliplr(y_bar), len(c)))


def circulant(c: shapes((4,), (1,))):
    y = linalg.circulant(c)
    c_bar = _circulant_bar(y_bar)


def traces(g: shapes((4, 4), (3, 4)), count: sample(3)):
    """The printed function, for a derivative that is differentiated again."""
    y = _traces(g, count)
    g_bar = _on_diagonals(y_bar, g)


def on_diagonals(v: shapes((3,), (4,)), g: (constant, shapes((4, 4), (3, 4)))):
    """The printed function, for a derivative that is differentiated again."""
    y = _on_diagonals(v, g)
    v_bar = _traces(y_bar, len(v))


def circulant_again(g: shapes((4, 4))):
    """The printed function, for a derivative that is differentiated again."""
    y = _circulant_bar(g)
    g_bar = linalg.circulant(y_bar)


# ---------------------------------------------------------------------------- systems

FAMILY = "explicit"


def solve_toeplitz(c: (leading, shapes((4,), (4,))), b: shapes((4,), (4, 2))):
    """Of a symmetric matrix."""
    y = linalg.solve_toeplitz(c, b)
    back = linalg.solve_toeplitz(c, y_bar)
    outer = _outer(back, y)
    c_bar = -(_traces(np.transpose(outer), len(c)) + _traces(np.triu(outer, 1), len(c)))
    b_bar = back
    y_dot = -linalg.solve_toeplitz(c, np.dot(linalg.toeplitz(c_dot), y))
    y_dot = linalg.solve_toeplitz(c, b_dot)


def solve_toeplitz_of_vector(c: (leading, shapes((4,))), b: (vector, shapes((4,)))):
    """Of a symmetric matrix."""
    y = linalg.solve_toeplitz(c, b)
    back = linalg.solve_toeplitz(c, y_bar)
    outer = np.outer(back, y)
    c_bar = -(_traces(np.transpose(outer), len(c)) + _traces(np.triu(outer, 1), len(c)))
    b_bar = back
    y_dot = -linalg.solve_toeplitz(c, np.dot(linalg.toeplitz(c_dot), y))
    y_dot = linalg.solve_toeplitz(c, b_dot)


def solve_toeplitz_of_two(
    c: (leading, shapes((4,), (4,))), r: (leading, shapes((4,), (4,))), b: shapes((4,), (4, 2))
):
    """The first element of r is not read."""
    y = linalg.solve_toeplitz((c, r), b)
    row = np.concatenate((c[:1], r[1:]))
    back = linalg.solve_toeplitz((row, c), y_bar)
    outer = _outer(back, y)
    c_bar = -_traces(np.transpose(outer), len(c))
    r_bar = -_traces(np.triu(outer, 1), len(r))
    b_bar = back
    y_dot = -linalg.solve_toeplitz((c, r), np.dot(linalg.toeplitz(c_dot, np.zeros_like(r)), y))
    y_dot = -linalg.solve_toeplitz(
        (c, r), np.dot(np.triu(linalg.toeplitz(np.zeros_like(c), r_dot), 1), y)
    )
    y_dot = linalg.solve_toeplitz((c, r), b_dot)


def solve_toeplitz_of_two_and_vector(
    c: (leading, shapes((4,))), r: (leading, shapes((4,))), b: (vector, shapes((4,)))
):
    """The first element of r is not read."""
    y = linalg.solve_toeplitz((c, r), b)
    row = np.concatenate((c[:1], r[1:]))
    back = linalg.solve_toeplitz((row, c), y_bar)
    outer = np.outer(back, y)
    c_bar = -_traces(np.transpose(outer), len(c))
    r_bar = -_traces(np.triu(outer, 1), len(r))
    b_bar = back
    y_dot = -linalg.solve_toeplitz((c, r), np.dot(linalg.toeplitz(c_dot, np.zeros_like(r)), y))
    y_dot = -linalg.solve_toeplitz(
        (c, r), np.dot(np.triu(linalg.toeplitz(np.zeros_like(c), r_dot), 1), y)
    )
    y_dot = linalg.solve_toeplitz((c, r), b_dot)


def solve_banded(
    l_and_u: sample((1, 1)), ab: (banded, shapes((3, 5), (3, 5))), b: shapes((5,), (5, 2))
):
    y = linalg.solve_banded(l_and_u, ab, b)
    turned = (l_and_u[1], l_and_u[0])
    back = linalg.solve_banded(turned, _band_turned(ab, l_and_u), y_bar)
    ab_bar = -_band_of(back, y, ab, l_and_u)
    b_bar = back
    y_dot = -linalg.solve_banded(l_and_u, ab, _band_times(ab_dot, y, l_and_u))
    y_dot = linalg.solve_banded(l_and_u, ab, b_dot)


def solveh_banded(
    ab: (banded, shapes((2, 5), (2, 5))), b: shapes((5,), (5, 2)), *, lower: sample(False) = False
):
    y = linalg.solveh_banded(ab, b, lower=lower)
    back = linalg.solveh_banded(ab, y_bar, lower=lower)
    ab_bar = -_half_band_of(back, y, ab, lower)
    b_bar = back
    y_dot = -linalg.solveh_banded(ab, _half_band_times(ab_dot, y, lower), lower=lower)
    y_dot = linalg.solveh_banded(ab, b_dot, lower=lower)
