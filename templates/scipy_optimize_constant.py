"""Functions of SciPy's optimisation with zero derivative: whole numbers, which may name elements."""

FAMILY = "constant"


def linear_sum_assignment(
    cost_matrix: (distinct, shapes((3, 3), (2, 4))), maximize: sample(True) = False
):
    """The assignment jumps where two cost the same."""
    y = optimize.linear_sum_assignment(cost_matrix, maximize)
