"""Functions of SciPy's statistics with zero derivative."""

FAMILY = "constant"


def rankdata(
    a: (distinct, shapes((4,), (3, 2))),
    method: sample("min", "dense") = "average",
    *,
    axis: sample(0) = None,
):
    """Ranks jump where elements are equal."""
    y = stats.rankdata(a, method, axis=axis)
