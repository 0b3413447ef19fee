"""Several results of one operation: y[0], y[1], ... with adjoints y_bar[0], y_bar[1], ...

A line that reads only adjoints of results that nothing depends on is left out. A result without
a y_dot line has derivative zero; where there is no such line at all, the tangents are the same
call on the tangents.
"""

FAMILY = "parts"
HOLOMORPHIC = """
split split_rows split_vector split_columns split_layers unstack meshgrid
meshgrid_by_index meshgrid_of_three meshgrid_of_three_by_index broadcast_arrays
broadcast_three_arrays
"""

# ---------------------------------------------------------------------------- numbers apart


def divmod_(x: off_grid, z: nonzero):
    y = np.divmod(x, z)
    y = divmod(x, z)
    x_bar = _sum_to(y_bar[1], x.shape)
    z_bar = -_sum_to(y[0] * y_bar[1], z.shape)
    y_dot[1] = x_dot
    y_dot[1] = -(y[0] * z_dot)


def modf(x: off_grid):
    y = np.modf(x)
    y = math.modf(x)
    x_bar = y_bar[0]
    y_dot[0] = x_dot


def frexp(x: nonzero):
    y = np.frexp(x)
    x_bar = np.ldexp(y_bar[0], -y[1])
    y_dot[0] = np.ldexp(x_dot, -y[1])


# ---------------------------------------------------------------------------- split


def split(
    ary: shapes((4,), (4, 2)), indices_or_sections: sample(2, [1, 2], [1]), axis: sample(0, -2) = 0
):
    y = np.split(ary, indices_or_sections, axis)
    y = np.array_split(ary, indices_or_sections, axis)
    ary_bar = np.concatenate(y_bar, axis)


def split_rows(ary: shapes((4, 2), (2, 3)), indices_or_sections: sample(2, [1])):
    y = np.vsplit(ary, indices_or_sections)
    ary_bar = np.concatenate(y_bar)


def split_vector(ary: vector, indices_or_sections: sample(2, [1])):
    y = np.hsplit(ary, indices_or_sections)
    ary_bar = np.concatenate(y_bar)


def split_columns(ary: (stacked, shapes((2, 4), (3, 2))), indices_or_sections: sample(2, [1])):
    y = np.hsplit(ary, indices_or_sections)
    ary_bar = np.concatenate(y_bar, 1)


def split_layers(ary: shapes((2, 3, 4), (1, 2, 2)), indices_or_sections: sample(2, [1])):
    y = np.dsplit(ary, indices_or_sections)
    ary_bar = np.concatenate(y_bar, 2)


def unstack(x: shapes((4,), (2, 3), (3, 2, 2)), *, axis: sample(0, -1) = 0):
    y = np.unstack(x, axis=axis)
    x_bar = np.stack(y_bar, axis)


# ---------------------------------------------------------------------------- grids


def meshgrid(x: (vector, shapes((3,))), z: (vector, shapes((4,))), *, sparse: sample(True) = False):
    y = np.meshgrid(x, z, sparse=sparse)
    y = np.meshgrid(x, z, sparse=sparse, indexing="xy")
    x_bar = np.sum(y_bar[0], axis=0)
    z_bar = np.sum(y_bar[1], axis=1)


def meshgrid_by_index(
    x: (vector, shapes((3,))), z: (vector, shapes((4,))), *, sparse: sample(True) = False
):
    y = np.meshgrid(x, z, sparse=sparse, indexing="ij")
    x_bar = np.sum(y_bar[0], axis=1)
    z_bar = np.sum(y_bar[1], axis=0)


def meshgrid_of_three(
    x: (vector, shapes((3,))),
    z: (vector, shapes((4,))),
    v: (vector, shapes((2,))),
    *,
    sparse: sample(True) = False,
):
    y = np.meshgrid(x, z, v, sparse=sparse)
    y = np.meshgrid(x, z, v, sparse=sparse, indexing="xy")
    x_bar = np.sum(y_bar[0], axis=(0, 2))
    z_bar = np.sum(y_bar[1], axis=(1, 2))
    v_bar = np.sum(y_bar[2], axis=(0, 1))


def meshgrid_of_three_by_index(
    x: (vector, shapes((3,))),
    z: (vector, shapes((4,))),
    v: (vector, shapes((2,))),
    *,
    sparse: sample(True) = False,
):
    y = np.meshgrid(x, z, v, sparse=sparse, indexing="ij")
    x_bar = np.sum(y_bar[0], axis=(1, 2))
    z_bar = np.sum(y_bar[1], axis=(0, 2))
    v_bar = np.sum(y_bar[2], axis=(0, 1))


def broadcast_arrays(x: shapes((3,), (2, 1), (3,)), z: shapes((2, 1), (1, 3), ())):
    y = np.broadcast_arrays(x, z)
    x_bar = _sum_to(y_bar[0], x.shape)
    z_bar = _sum_to(y_bar[1], z.shape)
    y_dot[0] = np.broadcast_to(x_dot, y[0].shape)
    y_dot[1] = np.broadcast_to(z_dot, y[1].shape)


def broadcast_three_arrays(x: shapes((3,), (2, 1)), z: shapes((2, 1), (1, 3)), v: shapes((1,), ())):
    y = np.broadcast_arrays(x, z, v)
    x_bar = _sum_to(y_bar[0], x.shape)
    z_bar = _sum_to(y_bar[1], z.shape)
    v_bar = _sum_to(y_bar[2], v.shape)
    y_dot[0] = np.broadcast_to(x_dot, y[0].shape)
    y_dot[1] = np.broadcast_to(z_dot, y[1].shape)
    y_dot[2] = np.broadcast_to(v_dot, y[2].shape)


def broadcast_four_arrays(
    x: shapes((3,), (2, 1)),
    z: shapes((2, 1), (1, 3)),
    v: shapes((1,), ()),
    w: shapes((3,), ()),
):
    y = np.broadcast_arrays(x, z, v, w)
    x_bar = _sum_to(y_bar[0], x.shape)
    z_bar = _sum_to(y_bar[1], z.shape)
    v_bar = _sum_to(y_bar[2], v.shape)
    w_bar = _sum_to(y_bar[3], w.shape)
    y_dot[0] = np.broadcast_to(x_dot, y[0].shape)
    y_dot[1] = np.broadcast_to(z_dot, y[1].shape)
    y_dot[2] = np.broadcast_to(v_dot, y[2].shape)
    y_dot[3] = np.broadcast_to(w_dot, y[3].shape)


def broadcast_five_arrays(
    x: shapes((3,), (2, 1)),
    z: shapes((2, 1), (1, 3)),
    v: shapes((1,), ()),
    w: shapes((3,), ()),
    u: shapes((2, 1), (1, 1)),
):
    y = np.broadcast_arrays(x, z, v, w, u)
    x_bar = _sum_to(y_bar[0], x.shape)
    z_bar = _sum_to(y_bar[1], z.shape)
    v_bar = _sum_to(y_bar[2], v.shape)
    w_bar = _sum_to(y_bar[3], w.shape)
    u_bar = _sum_to(y_bar[4], u.shape)
    y_dot[0] = np.broadcast_to(x_dot, y[0].shape)
    y_dot[1] = np.broadcast_to(z_dot, y[1].shape)
    y_dot[2] = np.broadcast_to(v_dot, y[2].shape)
    y_dot[3] = np.broadcast_to(w_dot, y[3].shape)
    y_dot[4] = np.broadcast_to(u_dot, y[4].shape)


def broadcast_six_arrays(
    x: shapes((3,), (2, 1)),
    z: shapes((2, 1), (1, 3)),
    v: shapes((1,), ()),
    w: shapes((3,), ()),
    u: shapes((2, 1), (1, 1)),
    t: shapes((2, 3), (2, 1)),
):
    y = np.broadcast_arrays(x, z, v, w, u, t)
    x_bar = _sum_to(y_bar[0], x.shape)
    z_bar = _sum_to(y_bar[1], z.shape)
    v_bar = _sum_to(y_bar[2], v.shape)
    w_bar = _sum_to(y_bar[3], w.shape)
    u_bar = _sum_to(y_bar[4], u.shape)
    t_bar = _sum_to(y_bar[5], t.shape)
    y_dot[0] = np.broadcast_to(x_dot, y[0].shape)
    y_dot[1] = np.broadcast_to(z_dot, y[1].shape)
    y_dot[2] = np.broadcast_to(v_dot, y[2].shape)
    y_dot[3] = np.broadcast_to(w_dot, y[3].shape)
    y_dot[4] = np.broadcast_to(u_dot, y[4].shape)
    y_dot[5] = np.broadcast_to(t_dot, y[5].shape)


# ---------------------------------------------------------------------------- slopes


def gradient_matrix(f: (matrix, shapes((3, 4), (2, 2)))):
    y = np.gradient(f)
    f_bar = _even_gradient_bar(y_bar[0], 1.0, 0)
    f_bar = _even_gradient_bar(y_bar[1], 1.0, 1)
    y_dot[0] = np.gradient(f_dot, axis=0)
    y_dot[1] = np.gradient(f_dot, axis=1)


def gradient_matrix_even(f: (matrix, shapes((3, 4), (2, 2))), dx: (scalar, positive, shapes(()))):
    y = np.gradient(f, dx)
    f_bar = _even_gradient_bar(y_bar[0], dx, 0)
    f_bar = _even_gradient_bar(y_bar[1], dx, 1)
    dx_bar = -np.sum(y_bar[0] * y[0] + y_bar[1] * y[1]) / dx
    y_dot[0] = np.gradient(f_dot, dx, axis=0)
    y_dot[1] = np.gradient(f_dot, dx, axis=1)
    y_dot[0] = -(y[0] * dx_dot / dx)
    y_dot[1] = -(y[1] * dx_dot / dx)


def gradient_matrix_steps(
    f: (matrix, shapes((3, 4), (2, 2))),
    dx: (scalar, positive, shapes(())),
    dz: (scalar, positive, shapes(())),
):
    y = np.gradient(f, dx, dz)
    f_bar = _even_gradient_bar(y_bar[0], dx, 0)
    f_bar = _even_gradient_bar(y_bar[1], dz, 1)
    dx_bar = -np.sum(y_bar[0] * y[0]) / dx
    dz_bar = -np.sum(y_bar[1] * y[1]) / dz
    y_dot[0] = np.gradient(f_dot, dx, axis=0)
    y_dot[1] = np.gradient(f_dot, dz, axis=1)
    y_dot[0] = -(y[0] * dx_dot / dx)
    y_dot[1] = -(y[1] * dz_dot / dz)


# ---------------------------------------------------------------------------- counts


def histogram(
    a: (fixed, unit, shapes((5,))),
    bins: sample(3, [-0.5, 0.0, 0.5]) = 10,
    range: sample((-0.4, 0.6)) = None,
    *,
    weights: shapes((5,)),
):
    """The bins are taken as they are: a that moves is not differentiated."""
    y = np.histogram(a, bins, range, weights=weights)
    weights_bar = _histogram_bar(y_bar[0], a, y[1])
    y_dot[0] = np.histogram(a, y[1], weights=weights_dot)[0]
