"""Shapes, orders of axes and subscripts that a list holds, as code for any number of axes makes them."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def written_out_as_a_list(x, w):
    turned = np.transpose(np.stack([x, x * x]), [2, 0, 1]).transpose([1, 2, 0])
    return np.sum((turned * w.reshape([-1, 1])) ** 2) + np.sum(np.reshape(x, [3, 4]) * w)


def ones_but_for_one_axis(x, w):
    shape = [1] * x.ndim
    shape[0] = -1
    return np.sum((x * w.reshape(shape)) ** 2)


def along(w, rank, axis):
    shape = [1] * rank
    shape[axis] = len(w)
    return np.reshape(w, shape)


def along_each_axis(x, w):
    out = x
    for axis in range(x.ndim):
        out = out * along(w[axis:] ** 2.0, x.ndim, axis)
    return np.sum(out**2)


def along_each_of_some(x, w):
    out = np.sin(x)
    for axis in list(range(x.ndim)):
        out = out * along(w[: x.shape[axis]], x.ndim, axis)
    return np.sum(out**3)


def shape_of_another(x, w):
    shape = list(x.shape)
    shape[1] = 1
    return np.sum(x * np.reshape(w, shape) * np.ones(shape))


def shape_in_an_array(x, w):
    shape = np.ones(x.ndim, int)
    shape[0] = -1
    return np.sum((x * w.reshape(shape)) ** 2)


def subscripts_in_a_list(x, w):
    key = [slice(None)] * x.ndim
    key[0] = slice(1, None)
    after = x[tuple(key)]
    key[0] = slice(None, -1)
    place = [None] * x.ndim
    place[0] = slice(None)
    return np.sum((after - x[tuple(key)]) ** 2) + np.sum(x * w[tuple(place)])


def axes_exchanged_in_a_list(x, w):
    axes = list(range(x.ndim))
    axes[0], axes[1] = axes[1], axes[0]
    return np.sum((np.transpose(x, axes) * w) ** 3)


SPREAD, SLOPE = np.array([1.0, 3.0, 1.0]), [1, 0, -2]


def summed_along_each_axis(x, w):
    total, high = x, x
    for axis in range(x.ndim):
        total = total.cumsum(axis=axis)
        high = np.max(high, axis, keepdims=True) + high.mean(axis, keepdims=True)
    return np.sum(total[:, 0] * w) + np.sum(high**2)


def turned_and_repeated(x, w):
    wide = x
    for k in range(2):
        wide = wide.swapaxes(k, 1 - k).repeat(k + 1, axis=k)
    return np.sum(wide**2) + np.sum(w)


def summed_over_the_other_axes(x, w):
    total = np.sum(w)
    for axis in range(x.ndim):
        others = tuple(set(range(x.ndim)) - {axis})
        total = total + np.sum(x.sum(axis=others) ** (2 + axis))
    return total


def stencil_of_many_axes(x, w):
    out = 0.0
    for axis in range(x.ndim):
        kernel = along(SLOPE, x.ndim, axis)
        for other in list(set(range(x.ndim)) - {axis}):
            kernel = kernel * along(SPREAD, x.ndim, other)
        out = out + np.sum(x[:3, :3] * kernel) ** 2
    return out + np.sum(w)


def ones_but_for(rank, axis):
    shape = [1] * rank
    shape[axis] = -1
    return shape


def ones_around(rank, axis):
    return [1] * axis + [-1] + [1] * (rank - axis - 1)


def shapes_that_a_helper_gives(x, w):
    column = w.reshape(ones_but_for(2, 0))
    row = np.reshape(SLOPE, ones_around(2, 1))
    return np.sum((x * column * row + w.reshape(ones_around(2, 0))) ** 2)


def numbers_left_of_a_set(x, w):
    out = np.sum(w)
    for k in {1, 2, 3, 0} - {2}:
        out = out + (k + 1) * np.sum(x[k])
    for k in sorted({0, 1, 2}.difference({1}), reverse=True):
        out = out * np.cos(x[k, 0])
    return out


def set_that_changes(x, w):
    left = {0, 1, 2}
    left.discard(1)
    return np.sum(x[sorted(left)] ** 2) + np.sum(w)


def transformed_along_axes_in_an_array(x, w):
    axes = np.arange(x.ndim)
    spectrum = np.fft.rfftn(x, axes=axes) * np.sum(w)
    return np.sum(np.fft.irfftn(spectrum, s=x.shape, axes=axes) ** 2)


def diagonal_without_wrapping(x, w):
    square = np.outer(w, w) * x[0, 0]
    np.fill_diagonal(square, 0.5, wrap=False)
    return np.sum(square**2)


def as_long_as_a_power_of_two(x, w):
    count = 2 ** int(np.ceil(np.log2(len(w) + 1)))
    if count < len(w):
        count = len(w)
    padded = np.zeros(2 * count)
    padded[: len(w)] = w
    spectrum = np.fft.rfft(x[:, 0], count)
    signs = np.array([(-1) ** k for k in range(len(w))])
    return np.sum(np.abs(spectrum) ** 2) * np.sum(padded**2) + signs @ w


def shuffled_afterwards(x, w):
    shape = [1] * x.ndim
    shape[0] = -1
    y = w.reshape(shape)
    np.random.default_rng(3).shuffle(shape)
    return np.sum(x * y) * (shape[0] + 5)


def functions_that_are_shuffled(x, w):
    chosen = [np.sin, np.cos, np.exp]
    np.random.default_rng(3).shuffle(chosen)
    return np.sum(chosen[0](x)) + np.sum(chosen[1](w))


def shape_that_is_starred(x, w):
    shape = [-1] + (x.ndim - 1) * [1]
    steep = np.exp(w).reshape(*shape)
    if (steep > 1e3).any():
        raise ValueError("too steep")
    return np.sum(np.sin(x) ** 2 * steep)


def exchanged(rank, axis):
    axes = list(range(rank))
    axes[axis], axes[rank - 1] = rank - 1, axis
    return axes


def axes_of_a_helper_by_name(x, w):
    turned = np.permute_dims(np.sin(x), axes=exchanged(x.ndim, 0))
    return np.sum((turned * w) ** 3)


def axes_of_a_helper_by_a_star(x, w):
    turned = np.sin(x).transpose(*exchanged(x.ndim, 0))
    return np.sum((turned * w) ** 3)


def name_that_only_another_version_has(x, w):
    y = x.T @ w
    if y.size == 1:
        return np.asscalar(y)
    return np.sum(y**3)


X, W = numbers(4, 3), numbers(4, start=0.1)
PROGRAMS = (
    tuple(
        Entry(function, (X, W), (0, 1))
        for function in (
            written_out_as_a_list,
            ones_but_for_one_axis,
            along_each_axis,
            along_each_of_some,
            shape_of_another,
            shape_in_an_array,
            subscripts_in_a_list,
            axes_exchanged_in_a_list,
            summed_along_each_axis,
            turned_and_repeated,
            summed_over_the_other_axes,
            stencil_of_many_axes,
            shapes_that_a_helper_gives,
            numbers_left_of_a_set,
            transformed_along_axes_in_an_array,
            diagonal_without_wrapping,
            as_long_as_a_power_of_two,
            shape_that_is_starred,
            axes_of_a_helper_by_name,
            name_that_only_another_version_has,
        )
    )
    + tuple(
        Entry(function, (X, W), (0, 1), may_refuse=True, note="written by a library")
        for function in (shuffled_afterwards, functions_that_are_shuffled)
    )
    + (
        Entry(set_that_changes, (X, W), (0, 1), may_refuse=True),
        Entry(axes_of_a_helper_by_a_star, (X, W), (0, 1), like_only=True),
    )
)
