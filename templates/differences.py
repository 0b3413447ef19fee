"""Differences of arrays that are joined first: `prepend` stands before a, `append` behind it."""

FAMILY = "joint"
HOLOMORPHIC = "diff_before_any diff_behind_any diff_between"


def diff_before_any(
    a: shapes((4,), (4,), (3, 2)),
    n: (integer, sample(1, 2)) = 1,
    axis: (integer, sample(0, -1)) = -1,
    *,
    prepend: shapes((), (2,), (3, 2)),
):
    y = np.diff(a, n, axis, prepend=prepend)
    a_bar = _diff_part(y_bar, a, _length_along(prepend, axis), n, axis)
    prepend_bar = _diff_part(y_bar, prepend, 0, n, axis)


def diff_behind_any(
    a: shapes((4,), (4,), (3, 2)),
    n: (integer, sample(1, 2)) = 1,
    axis: (integer, sample(0, -1)) = -1,
    *,
    append: shapes((), (2,), (3, 2)),
):
    y = np.diff(a, n, axis, append=append)
    a_bar = _diff_part(y_bar, a, 0, n, axis)
    append_bar = _diff_part(y_bar, append, a.shape[axis], n, axis)


def diff_between(
    a: shapes((4,), (4,), (3, 2)),
    n: (integer, sample(1, 2)) = 1,
    axis: (integer, sample(0, -1)) = -1,
    *,
    prepend: shapes((), (2,), (3, 2)),
    append: shapes((), (), (3, 2)),
):
    y = np.diff(a, n, axis, prepend=prepend, append=append)
    a_bar = _diff_part(y_bar, a, _length_along(prepend, axis), n, axis)
    prepend_bar = _diff_part(y_bar, prepend, 0, n, axis)
    append_bar = _diff_part(y_bar, append, _length_along(prepend, axis) + a.shape[axis], n, axis)
