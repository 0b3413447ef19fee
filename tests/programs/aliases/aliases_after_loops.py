"""What a loop leaves behind: names that are one array after passes that surely happen, and displays
of arrays whose passes are written out because they write to what they go over."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def named_in_the_only_pass(q, h):
    v = 0.0
    for _ in range(1):
        v += q * h
        w = v
    w[1] += q
    w += 0.3 * np.sin(w)
    return np.sum(v * w)


def named_in_every_pass(q, h):
    v = np.zeros_like(h)
    for k in range(3):
        v = v + q * h * k
        w = v
    w *= 2.0
    return np.sum(v * h)


def another_name_in_the_last_pass_only(q, h):
    v, w = q * h, h * h
    for k in range(2):
        if k == 1:
            w = v
    w[0] = q
    return np.sum(v * w)


def no_pass(q, h):
    v = q * h
    w = h * h
    for _ in range(0):
        w = v
    w *= q
    return np.sum(v * w)


def left_in_the_first_pass(q, h):
    v = q * h
    w = h * h
    for k in range(4):
        w = v
        if k > 0 and q > 0:
            break
        v = v * h
    w *= q
    return np.sum(v * w)


def a_part_of_what_was_ordered(h):
    v = np.array([0.3, 2.0, 1.0, 0.4, 0.5])
    for _ in range(1):
        v.partition(3)
    r = v[1:]
    r[:3] += 0.5 * r[-1:0:-1] * h[2]
    return np.sum(v**2)


def ordered_by_parts(h):
    v = h * h
    v.partition(2)
    return np.sum(v * np.arange(5.0))


def ordered_by_rows(h):
    A = np.outer(h, h[::-1] + h)
    A.partition(1, axis=0)
    return np.sum(A * np.arange(25.0).reshape(5, 5))


def doubled(u):
    u += u
    return 0.5 * np.sin(np.mean(u))


def written_by_a_helper_in_every_pass(h):
    h = h.copy()
    x = 1.0
    for _ in range(3):
        x = doubled(h) * x
    return x + np.sum(h * h)


def scaled_first(u, x):
    u[0] = u[0] * x
    return u[1] * x


def helper_writes_to_what_is_gone_over(h):
    h = h.copy()
    t = 0.0
    for x in h:
        t += scaled_first(h, x)
    return t + np.sum(h * h)


def written_by_another_name(h, u):
    for a in h:
        v = h
        v[2] = a * v[1]
        v += 0.5 * np.cos(h + u)
    return np.sum(h * u)


def written_by_a_part_of_it(h, u):
    for b in h[1:]:
        v = h[::2]
        w = v
        w[0] += b * u[1]
    return np.sum(h * u)


def helper_writes_until_left(h):
    h = h.copy()
    t = 0.0
    for x in h:
        if x > 1.0:
            break
        t += scaled_first(h, x)
    return t + np.sum(h * h)


def display_left_early(u, v):
    u, v = u * 1.0, v * 1.0
    s = 0.0
    for a in [u, v]:
        if s > 0.5:
            break
        a *= 2.0
        s += np.sum(a)
    return s + np.sum(u * v)


def display_left_from_within(u, v):
    u, v = u * 1.0, v * 1.0
    s = 0.0
    for a in (u, v, u):
        if s < -10.0:
            continue
        if s > 3.0:
            for k in range(3):
                if k > 1:
                    break
                s += a[k]
            break
        u[0] *= a[1]
        s += np.sum(a)
    return s + np.sum(u * v)


def display_returned_from(u, v):
    u, v = u * 1.0, v * 1.0
    s = 0.3
    for a in [u, v]:
        s += scaled_first(a, s) * np.sum(a)
        if s > 2.0:
            return s + np.sum(u * v)
    return s * np.sum(u)


def display_with_left_in_use(u, v):
    u, left = u * 1.0, np.sum(v)
    for a in [u, v]:
        if a[0] > left:
            break
        u[0] *= left
    return np.sum(u) * left


U, V = numbers(5), numbers(5, start=0.55)


def place_bound_anew_and_read_afterwards(u, v):
    u = u.copy()
    for i in range(0, len(u), 2):
        for _ in range(len(u)):
            for i in range(3):  # noqa: B007 - which place it is afterwards is asked
                pass
        v = np.sin(i * v)
    u[i - 1] = 0.5
    return np.sum(v * u)


def place_bound_anew_under_a_test(u, v):
    for i in range(len(u)):
        if u[i] > 0.0:
            i = 2 * i + 1
        v = np.sin(i * v)
    return np.sum(v) + u[i // 8]


def helper_of_kinds(terms, weights):
    total = 0.0
    for term, weight in zip(terms, weights, strict=True):
        total = total + weight * (np.sum(term**2) if np.ndim(term) else term**3)
    return total


def parts_of_several_kinds_are_handed_over(u, v):
    return helper_of_kinds((u, v[0], np.outer(u, v)), (1.0, -2.0, 0.5))


def pairs_of_those_that_pass(u, v):
    passing = (e for e in u if e > 0.1)
    return sum(a * b**2 for a, b in zip(passing, passing)) + v[0]  # noqa: B905


def scaled_while_it_is_gone_through(u):
    r, total = np.sin(u), 0.0
    for s in r:
        total += s**2
        r *= np.tanh(r)
    return total


def divided_beside_itself_turned(u):
    r, total = np.sin(u), 0.0
    for s, q in zip(r, r[::-1], strict=True):
        total += s * q
        r /= 1.5 + r
    return total


def rows_scaled_while_gone_through(u):
    a, total = np.outer(u, u), 0.0
    for k, row in enumerate(a):
        total += np.sum(row) ** 2 * (k + 1)
        a *= np.cos(a)
    return total


def scaled_within_both_loops(u):
    r, total = np.sin(u), 0.0
    for s in r:
        for q in r:
            total += s * q
            r *= 0.9 * u
    return total


def item_of_a_list_that_a_dict_holds_too(u):
    a, b = np.sin(u), np.cos(u) + 1.5
    xs, d = [a, b.copy()], {"k": a}
    d["k"] **= 2
    return np.sum(b * xs[0])


def squared(a):
    a **= 2
    return np.sum(a)


def item_of_a_list_that_a_helper_squares(u):
    a, b = np.sin(u), np.cos(u) + 1.5
    xs = [a, b.copy()]
    return squared(xs[0]) + np.sum(b * xs[0])


def turned_while_it_is_added_to(u):
    a = np.sin(u)
    for _ in range(2):
        for s in a[::-1]:
            a += 0.1 * np.tanh(s)
    return np.sum(u * a)


def columns_while_rows_are_added_to(u):
    m, total = np.outer(u, np.cos(u)), 0.0
    for column in m.T:
        for other, q in zip(m.T, u, strict=True):
            m[0] -= 0.5 + 0.1 * np.tanh(np.sum(other) * q)
            total += np.sum(column**2)
    return total + np.sum(m)


def number_that_an_inner_loop_makes_an_array(u):
    total = 0.0
    for _ in range(3):
        q = 0.0
        for _ in range(2):
            q += np.sin(u)
        total += 0.3 * u
    return np.sum(q * u) + np.sum(total)


PROGRAMS = (
    Entry(named_in_the_only_pass, (0.7, U), (0, 1)),
    Entry(named_in_every_pass, (0.7, U), (0, 1)),
    *(
        Entry(function, (0.7, U), (0, 1), may_refuse=True)
        for function in (
            another_name_in_the_last_pass_only,
            no_pass,
            left_in_the_first_pass,
        )
    ),
    *(
        Entry(function, (U,))
        for function in (
            a_part_of_what_was_ordered,
            ordered_by_parts,
            ordered_by_rows,
            written_by_a_helper_in_every_pass,
            helper_writes_to_what_is_gone_over,
            helper_writes_until_left,
        )
    ),
    *(
        Entry(function, (sign * U, sign * V), (0, 1), note=note)
        for function in (
            display_left_early,
            display_left_from_within,
            display_returned_from,
            display_with_left_in_use,
        )
        for sign, note in ((1.0, ""), (-1.0, "other"))
    ),
)
PROGRAMS += tuple(
    Entry(function, (U, U + 0.5), (0, 1))
    for function in (written_by_another_name, written_by_a_part_of_it)
)
PROGRAMS += (
    Entry(place_bound_anew_and_read_afterwards, (U, V), (0, 1)),
    Entry(place_bound_anew_under_a_test, (U, V), (0, 1)),
    Entry(parts_of_several_kinds_are_handed_over, (U, V), (0, 1)),
    Entry(pairs_of_those_that_pass, (U, V), (0, 1), may_refuse=True),
)
PROGRAMS += tuple(
    Entry(function, (U,))
    for function in (
        scaled_while_it_is_gone_through,
        divided_beside_itself_turned,
        rows_scaled_while_gone_through,
        scaled_within_both_loops,
        item_of_a_list_that_a_dict_holds_too,
        item_of_a_list_that_a_helper_squares,
        turned_while_it_is_added_to,
        columns_while_rows_are_added_to,
        number_that_an_inner_loop_makes_an_array,
    )
)


def last_of_each_pass_in_loops_in_each_other(x):
    s = 0.0
    for i in range(3):
        for k in range(2):
            y = np.sin(x * (k + i))
            x = x + y * y
        s = s + np.sum(y * x) * np.sum(y)
    return s


def last_of_the_passes_before_it_is_left(x):
    for k in range(5):
        if np.sum(x) > 3.0:
            break
        y = np.sin(x) + k
        x = x + y * y * 0.1
    return np.sum(y * x)


def last_of_each_pass_written_afterwards(x):
    for _ in range(3):
        y = x * x
        x = np.tanh(y + x)
    z = y
    z[0] = 1.0
    return np.sum(z * y * x)


def last_of_each_pass_in_a_list(x):
    seen = []
    for _ in range(3):
        y = np.sin(x)
        seen.append(y)
        x = x + y * y
    seen[-1][0] = 2.0
    return np.sum(y**2) + np.sum(x) + sum(np.sum(h**3) for h in seen)


def last_of_each_pass_read_in_the_next(x):
    y = x
    for _ in range(3):
        x = x + 0.1 * y**2
        y = np.cos(x)
    return np.sum(y * x)


def rows_of_numbers_in_a_list(x):
    path, angle, at = [], 0.0, 0.0
    for step in x:
        angle = angle + step
        at = at + np.sin(angle)
        path.append((at, angle))
    track = np.array(path)
    return np.sum(track**2 * track[:, ::-1]) + path[1][0] * path[-1][1]


PROGRAMS += tuple(
    Entry(function, (U,))
    for function in (
        last_of_each_pass_in_loops_in_each_other,
        last_of_the_passes_before_it_is_left,
        last_of_each_pass_written_afterwards,
        last_of_each_pass_in_a_list,
        last_of_each_pass_read_in_the_next,
        rows_of_numbers_in_a_list,
    )
)
