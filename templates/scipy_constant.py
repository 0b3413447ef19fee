"""Functions of SciPy's with zero derivative: whole numbers, which may name elements."""

FAMILY = "constant"


def rankdata(
    a: (distinct, shapes((4,), (3, 2))),
    method: sample("min", "dense") = "average",
    *,
    axis: sample(0) = None,
):
    """Ranks jump where elements are equal."""
    y = stats.rankdata(a, method, axis=axis)


def linear_sum_assignment(
    cost_matrix: (distinct, shapes((3, 3), (2, 4))), maximize: sample(True) = False
):
    """The assignment jumps where two cost the same."""
    y = optimize.linear_sum_assignment(cost_matrix, maximize)
