"""Lists that move under a loop, lists of a list's items, and numbers that are arrays without axes."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def shrinks_under_its_loop(x, y):
    xs, s = [x, y, x * y, 2.0], 0.0
    for v in xs:
        s = s * 2 + v
        if len(xs) > 2:
            xs.pop()
    return s


def loses_its_first_under_its_loop(x, y):
    xs, s = [x, y, x * y, 2.0], 0.0
    for i, v in enumerate(xs):
        s = s * 2 + v * (i + 1)
        if i % 2 == 0:
            del xs[0]
    return s + len(xs) * x


def grows_under_its_loop(x, y):
    xs = [x, y]
    for v in xs:
        if len(xs) < 6:
            xs.append(v * y)
    else:
        xs.insert(0, x)
    return sum(v * i for i, v in enumerate(xs))


def shrinks_under_another_name(x, y):
    xs, s = [x, y, x * y, 2.0], 0.0
    others = xs
    for v in xs:
        s = s * y + v * x
        if v > 1.5:
            break
        others.pop()
    return s


def grows_while_gone_through_backwards(x, y):
    xs, s = [x, y, x * y], 1.0
    for v in reversed(xs):
        s = s * v + x
        xs.append(v)
    return s * len(xs)


def added_to_itself(x, y):
    xs = [x, y]
    for _ in range(2):
        xs += xs
    return sum(v * i for i, v in enumerate(xs))


def joined_with_itself(x, y):
    xs = [x, y]
    xs = xs + xs if x > 0 else xs
    return sum(v * i for i, v in enumerate(2 * xs))


def joined_to_constants(x, y):
    both = (x, y)
    both += (3.0,)
    return sum(v * i for i, v in enumerate(both * 2))


def slice_is_a_list_of_its_own(x, y):
    xs = [x, y, x * y, 1.0]
    some = xs[:]
    some[1:3] = [x * 5]
    xs[::2] = [y, y * 2]
    return sum(v * i for i, v in enumerate(xs)) * some[1]


def slice_that_is_changed(x, y):
    xs = [x, y, x * y, 1.0]
    some = xs[1:]
    some[0] = x * 3
    some[:1] = [1.0, x]
    return sum(v * i for i, v in enumerate(some)) * xs[1] * xs[0]


def slice_changed_where_it_stands(x, y):
    xs = [x, y, x * y, 1.0, y]
    xs[1:3] *= 2
    xs[0:1] += [y]
    return sum(v * i for i, v in enumerate(xs))


def slice_of_unknown_end(x, y, n):
    xs = [x, y, x * y, 1.0, y]
    xs[1:n] = [x * 5]
    return sum(v * i for i, v in enumerate(xs)) + len(xs) * x


def item_becomes_a_longer_list(x, y):
    xs = [[x], [y, x]]
    for i in range(2):
        xs[i] = [x * y, xs[1][0], 3.0 * i]
    return sum(xs[0]) * sum(xs[1])


def item_becomes_an_array(x, u):
    xs = [x, u]
    xs[0] = u * x
    return np.sum(xs[0]) * np.sum(xs[1])


def times_one_without_axes(z, x):
    a = z * 1.0
    b = a
    a += x
    return a * b


def element_of_no_axes(z, x):
    c = np.array(x)
    c += z * x
    c[()] = c * 2
    d = c
    d *= x
    return float(c[()]) * d.item()


def reshaped_number(u, x):
    t = np.transpose(np.sum(u) * x)
    s = t
    t += u[0]
    return s * t


U = numbers(5)

PROGRAMS = (
    Entry(shrinks_under_its_loop, (0.7, 1.3), (0, 1)),
    Entry(loses_its_first_under_its_loop, (0.7, 1.3), (0, 1)),
    Entry(grows_under_its_loop, (0.7, 1.3), (0, 1)),
    Entry(shrinks_under_another_name, (0.7, 1.3), (0, 1)),
    Entry(grows_while_gone_through_backwards, (0.7, 1.3), (0, 1), may_refuse=True),
    Entry(added_to_itself, (0.7, 1.3), (0, 1)),
    Entry(joined_with_itself, (0.7, 1.3), (0, 1)),
    Entry(joined_to_constants, (0.7, 1.3), (0, 1)),
    Entry(slice_is_a_list_of_its_own, (0.7, 1.3), (0, 1)),
    Entry(slice_that_is_changed, (0.7, 1.3), (0, 1)),
    Entry(slice_changed_where_it_stands, (0.7, 1.3), (0, 1)),
    Entry(slice_of_unknown_end, (0.7, 1.3, 3), (0, 1)),
    Entry(slice_of_unknown_end, (0.7, 1.3, 0), (0, 1), note="empty"),
    Entry(item_becomes_a_longer_list, (0.7, 1.3), (0, 1)),
    Entry(item_becomes_an_array, (0.7, U), (0, 1)),
    Entry(element_of_no_axes, (np.array(0.7), 1.3), (0, 1), like_only=True),
    Entry(reshaped_number, (U, 1.3), (0, 1), may_refuse=True, like_only=True),
    Entry(times_one_without_axes, (np.array(0.7), 1.3), (0, 1), may_refuse=True),
)
