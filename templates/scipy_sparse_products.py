"""Products with sparse matrices, whoever has imported what else of SciPy."""

FAMILY = "linear"


def matmul(a: sparse, b):
    y = a @ b
    y = a.dot(b)
    b_bar = a.T @ y_bar


def matmul_from_the_left(a, b: sparse):
    y = a @ b
    a_bar = y_bar @ b.T
