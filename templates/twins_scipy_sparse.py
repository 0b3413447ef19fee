"""Twins of SciPy's factors of sparse matrices whose entries vary."""

FAMILY = "twin"


def solve_by_factors(A: sparse, b):
    y = sparse_linalg.splu(A).solve(b)
    twin = _solved_by_factors(A, b)


def solve_transposed_by_factors(A: sparse, b):
    y = sparse_linalg.splu(A).solve(b, "T")
    y = sparse_linalg.splu(A).solve(b, trans="T")
    twin = _solved_by_factors(A.T, b)
