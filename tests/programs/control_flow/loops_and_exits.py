"""Programs that leave loops and branches in every way."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def _of_sum(u, v):
    return np.sin(np.sum(v))


def written_inside_and_handed_on(a, w):
    for _ in range(len(w) - 1):
        for k in range(0, len(w), 2):
            w[k] = a + w[k]
        a = _of_sum(w, w)
    return a


def written_and_handed_on(a, w):
    v = w.copy()
    for k in range(3):
        for i in range(2):
            v[i] = a * v[i + 1]
        v[k] += a
        a = _of_sum(v, v) * v[0]
    return a + np.sum(v)


def or_else(u, w):
    w = w or 2.0 * u[0]
    return w * np.sum(u)


def first_that_is_not_zero(u, c):
    return (c and u[1] and u[3] * u[4]) * u[0] + (0.0 or u[2] * u[1] or u[0])


def kept_or_squared(u, c):
    s = 0.5
    for x in u:
        s = (x > c and x * x) or s
    return s * u[0]


def early_return(u, c):
    if c > 0.0:
        return np.sum(u * c)
    v = np.sin(u)
    return np.sum(v * v) * c


def return_in_loop_with_array(u, level):
    s = u * 0.0
    for k in range(4):
        s = s + np.sin(u) * (k + 1.0)
        if np.sum(s) > level:
            return np.sum(s * s)
    return np.sum(s)


def return_in_nested_loops(A, level):
    s = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            s = s * 0.9 + A[i, j] * A[i, j]
            if s > level:
                return s * A[i, j]
        s = s * s + 0.1
    return s


def newton_with_break(a):
    x = a
    for _ in range(50):
        step = (x * x - a) / (2.0 * x)
        x = x - step
        if abs(step) < 1e-13:
            break
    return x * a


def break_before_update(u, c):
    x = c
    for i in range(len(u)):
        y = x * u[i]
        if y > 0.5:
            break
        x = np.sin(y) + x
    return x * y


def continue_skips(u, c):
    s = c
    for x in u:
        if x < 0.0:
            continue
        s = s * x + 1.0
    return s * s


def continue_and_break(u):
    s = 1.0
    for i in range(len(u)):
        if u[i] < -0.5:
            continue
        s = s * u[i] + 0.3
        if s > 0.8:
            s = s * s
            break
        s = np.sin(s)
    return s


def break_inside_inner_loop(A):
    s = 0.5
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            s = s + A[i, j] * s
            if s > 0.9:
                s = 0.5 * s * s
                break
        s = s * A[i, 0] + 0.4
    return s


def while_inside_for(u):
    s = 0.0
    for x in u:
        y = 1.0 + x * x
        while y > 0.5:
            y = 0.6 * y * (1.0 + 0.1 * x)
        s = s + y * x
    return s


def while_true_with_break(x):
    k = 0
    while True:
        x = 0.8 * np.sin(x)
        k += 1
        if k >= 4:
            break
    return x * x


def branch_feeds_one_slot(r, delta):
    total = 0.0
    for i in range(len(r)):
        if r[i] > 0.0:
            a = r[i] * delta
        else:
            a = delta * delta
        total += a * r[i]
    return total


def nested_branches(x, y):
    if x > 0.0:
        z = x * y
        if y > 0.0:
            z = z * z
        elif y > -0.5:
            z = np.sin(z)
        else:
            y = z * x
    else:
        z = y * y
        x = np.cos(z)
    return x * y * z


def branch_with_nothing_active(x, n):
    k = 0
    if n > 2:
        k = 1
    else:
        k = 2
    return x**2 * k


def tested_value_from_loop(u):
    s = 0.0
    p = 1.0
    for x in u:
        p = p * x + 0.1
        if p > 0.0:
            s = s + p * p
        else:
            s = s - np.sin(p)
    return s


def range_backwards(u):
    s = 0.5
    for i in range(len(u) - 1, 0, -2):
        s = s * u[i] + u[i - 1]
    return s


def range_of_step(u, step):
    s = 0.5
    for i in range(0, len(u), step):
        s = s * np.sin(s) + u[i]
    return s * s


def range_with_data_bounds(u, lo, hi):
    s = 0.5
    for i in range(lo, hi):
        s = s * u[i] + 1.0
    return s


def range_bound_rebound_in_loop(u):
    n = 3
    s = 0.5
    for i in range(n):
        n = n - 1
        s = s * u[i] + u[n]
    return s


def loop_variable_rebound_in_loop(u):
    s = 0.5
    for i in range(len(u) - 1):
        i = i + 1
        s = s * u[i] + 0.2
    return s * u[i]


def triangle(A):
    s = 0.5
    for i in range(A.shape[0]):
        for j in range(i):
            s = s * A[i, j] + A[j, i]
    return s


def trip_count_varies(u):
    s = 0.5
    for i in range(len(u)):
        k = 0
        while k < i and s < 2.0:
            s = s + np.sin(u[i]) * s
            k += 1
    return s


def break_with_range_step(u):
    s = 0.1
    for i in range(len(u) - 1, -1, -1):
        if s > 0.5:
            break
        s = s + u[i] * u[i] * (1.0 + s)
    return s * u[i]


def else_of_for(u):
    s = 1.0
    for x in u:
        s = s * x
        if s > 5.0:
            break
    else:
        s = s + 1.0
    return s * s


def iterate_enumerate(u):
    s = 0.2
    for i, x in enumerate(u):
        s = s * x + i
    return s


def iterate_zip(u, v):
    s = 0.2
    for a, b in zip(u, v):  # noqa: B905
        s = s * a + b * b
    return s


def iterate_reversed(u):
    s = 0.2
    for x in reversed(u):
        s = s * x + np.sin(x)
    return s


def iterate_slice(u):
    s = 0.2
    for x in u[1:-1]:
        s = s * x + x
    return s


def iterate_changed_name(u):
    s = 0.2
    for x in u:
        s = s * x + 1.0
        u = u * 2.0
    return s + u[0]


def conditional_expressions(x, y):
    a = x if x > y else y * y
    b = np.sin(a) if a > 0.0 else a
    return a * b + (x if b > 0.1 else 2.0 * y)


def comparisons_chained(x, y):
    if 0.0 < x < 1.0 and not y > 2.0:
        return x * y
    return x + y


def deep_nesting(u):
    s = 0.1
    for i in range(2):
        for j in range(2):
            if u[i] > 0.0:
                for k in range(2):
                    if u[j] < 0.5:
                        s = s * u[k] + u[i]
                    else:
                        s = s + np.sin(s)
            s = s * 1.1
    return s


# ---- only the other side of a branch reads what the pass has made of an older value


def other_side_reads(a, n):
    x = np.sin(a)
    y = 0.0
    for i in range(3):
        x = x * 0.5
        if i > n:
            pass
        else:
            y = y + np.tanh(x)
    return y


def other_side_of_break_reads(a, n):
    x = np.sin(a)
    y = 0.0
    while x > 0.1:
        x = x * 0.5
        if a > n:
            break
        y = y + np.tanh(x)
    return y


def still_item_then_varying(G, u):
    for k in range(2):
        for w in (2.0 * u, u):
            if G[k, 1] < w[k]:
                return w[k] ** 2 * G[k, 0]
        u = np.sin(u)
        for w in G:
            u = u + 0.1 * np.min(w)
    return np.mean(G) * np.mean(u)


def swapped_on_one_side(d, v, c):
    if c > 0:
        d, v = v, d
        if d[0] <= c:
            d[1] -= np.tanh(np.mean(d))
        else:
            d = d[::-1]
    else:
        v[:] = 0.5 * v
    return np.sum(d**2)


def swapped_after_a_constant(d, v, c):
    if c > 0:
        for j in range(0, len(d), 2):
            d[::-1] = np.sin(0.1 * j + np.sum(np.flip(d[:])))
        if v[j] < c:
            d, v = v, d
            d[1] -= np.tanh(np.mean(d))
    return np.sum(d**2)


def other_side_of_return_reads(u, a, n):
    x = 2.0 + np.sin(a)
    while x > 0.77:
        x = 0.6 * x
        if a > n:
            return np.max(u)
        u = u + np.tanh(x)
    return np.mean(u)


def other_side_of_continue_reads(u, n):
    s = 0.0
    for i in range(len(u)):
        x = u[i] * 0.5
        x = x * x
        if i > n:
            continue
        s = s + np.sin(x)
    return s


def other_side_of_two_reads(u, n):
    s = 0.0
    x = u[0]
    for i in range(len(u)):
        x = x * u[i] + 0.1
        if i > n:
            if i > n + 1:
                pass
            elif i > n + 2:
                s = s * 0.5
            else:
                s = s + x
    return s


def one_side_writes_the_other_rebinds(u, w, n):
    s = 0.0
    for k in range(1, 4):
        if w[k] > 0.0:
            if k > n:
                s = s + w[k]
            else:
                u[4 - k] += np.tanh(w[k])
        else:
            u = 0.3 * np.cumsum(w)
    return s + np.mean(u)


def divided_in_nested_loops(h, d):
    h = h.copy()
    for _ in range(2):
        for _ in range(2):
            h /= 1.5 + d**2
    for _ in range(2):
        h += 0.3 * h
    h[0] = d[1]
    return np.sum(h)


def rebound_on_one_side(u, n):
    s = 0.0
    x = u[0]
    for i in range(len(u)):
        x = x * u[i]
        if i > n:
            x = 1.0
        else:
            s = s + np.sin(x)
    return s


U = numbers(6)
A34 = numbers(3, 4)


def one_of_two_kinds(x, y):
    if isinstance(y, int | np.integer):
        return 2.5 * x
    return x * y if isinstance(y, float | np.ndarray) else 0.5


def positive(u):
    for v in u:
        if v > 0:
            yield v * v


def cubed_if_small(v):
    if v > 0.6:
        return v * v
    return v**3


def else_of_a_generator(u, most):
    s = 0.0
    for a in positive(u):
        s += a
        if s > most:
            break
    else:
        s *= 3.0
    return s


def else_beside_a_generator(u, most):
    s = 0.0
    for a, b in zip(positive(u), u[:3], strict=False):
        s += a * b
        if s > most:
            break
    else:
        s *= 3.0
    return s


def else_that_breaks_off(u, most):
    s = 0.0
    for _ in range(3):
        for a in positive(u):
            s += a
        else:
            if s > most:
                break
            s *= 2.0
        s += u[0]
    return s


def else_beside_what_is_mapped(u, most):
    s, squares = 0.0, map(cubed_if_small, u)
    pairs = zip(squares, u[:3], strict=False)
    next(pairs)
    for a, b in pairs:
        s += a * b
        if s > most:
            break
    else:
        s *= 3.0
    return s + sum(squares)


def beside_what_has_no_length(u, most):
    s = 0.0
    for a, b in zip(positive(u), reversed(u), strict=False):
        s += a * b**2
    for a, (k, b) in zip(positive(u), enumerate(u), strict=False):
        s += a * b * k
    for a, (k,) in zip(positive(u), np.ndindex(3), strict=False):
        s += a * k
    return s * most


def left_in_a_try(u, most):
    s = 0.0
    for a in positive(u):
        try:
            if s > most:
                return s * a
            s += a * a
        finally:
            s += 0.1 * a
    return s


def number_or_array_of_a_tuple(u, most):
    s, parts, k = 0.1, (u * u, u[2]), 0
    while k < 2:
        w = parts[k]
        s += np.sum(w * np.sin(w)) * most
        k += 1
    return s


def item_of_a_part_of_a_tuple(u, most):
    parts = (u[0] * u[1], u[2], u[1])
    return parts[1:][int(most > 1.0)] ** 2 * u[0] + parts[int(most > 1.0)]


def left_between_what_is_kept(x):
    s, c, y = 0.0, x * 0.5, x
    while True:
        old = c
        c = c * x
        if old < 1.0:
            y = y * x
        elif old > 4.0:
            break
        else:
            s = s + old * y
            y = y * np.sin(old)
    return s


def left_between_counts(x):
    s, count, y = 0.0, 0, x
    while True:
        number = count
        count = count + 1
        kept = y
        if number == 1:
            y = y * x
        elif number > 4:
            break
        else:
            s = s + number * kept
            y = y * x
    return s


MORE = (beside_what_has_no_length, left_in_a_try)
TUPLES = (number_or_array_of_a_tuple, item_of_a_part_of_a_tuple)
ELSES = (else_of_a_generator, else_beside_a_generator, else_that_breaks_off)


def counter_of_two_loops_is_read_behind_them(u, c):
    """Each pass reads where the second loop was left; the first goes back over its own numbers."""
    s = 0.0
    for k in range(3):
        for i in range(3):
            s += c * u[i]
        for i in range(1, 4):
            if u[i] + 0.3 * k > 0.9:
                break
        s += np.sin(c * u[i])
    return s


def added_to_after_the_loop_may_be_left(u):
    """In forward mode both terms of a tangent were added before the loop was left."""
    x, y = u[0], u[1]
    for _ in range(5):
        x = x + y
        if x > 1.5:
            break
        x = x - u[3] * 0.1
        y = y * 0.9
        if y < 0.5:
            break
        y += x * 0.1
    return x * y


PROGRAMS = (
    Entry(added_to_after_the_loop_may_be_left, (np.array([0.4, 0.7, 0.2, 0.9]),)),
    Entry(counter_of_two_loops_is_read_behind_them, (U, 0.7), (0, 1)),
    Entry(counter_of_two_loops_is_read_behind_them, (-0.2 * U, 0.7), (0, 1), note="never-left"),
    Entry(one_of_two_kinds, (0.7, 0.4), (0, 1)),
    Entry(one_of_two_kinds, (0.7, 3), note="int"),
    Entry(early_return, (U, 0.7), (0, 1)),
    Entry(early_return, (U, -0.7), (0, 1), note="late"),
    Entry(early_return, (A34, -0.7), (0, 1), note="matrix"),
    Entry(return_in_loop_with_array, (abs(U), 3.0)),
    Entry(return_in_loop_with_array, (U, 99.0), note="late"),
    Entry(return_in_nested_loops, (A34, 0.8)),
    Entry(return_in_nested_loops, (A34, 99.0), note="late"),
    Entry(newton_with_break, (2.5,)),
    Entry(break_before_update, (abs(U), 0.9), (0, 1)),
    Entry(break_before_update, (-abs(U), 0.2), (0, 1), note="never"),
    Entry(continue_skips, (U, 0.7), (0, 1)),
    Entry(continue_and_break, (U,)),
    Entry(continue_and_break, (abs(U),), note="positive"),
    Entry(break_inside_inner_loop, (A34,)),
    Entry(while_inside_for, (U,)),
    Entry(while_true_with_break, (0.9,)),
    Entry(branch_feeds_one_slot, (U, 0.7), (0, 1)),
    Entry(nested_branches, (0.7, 0.4), (0, 1), note="then"),
    Entry(nested_branches, (0.7, -0.2), (0, 1), note="elif"),
    Entry(nested_branches, (0.7, -0.8), (0, 1), note="else"),
    Entry(nested_branches, (-0.7, 0.4), (0, 1), note="outer-else"),
    Entry(branch_with_nothing_active, (0.7, 3)),
    Entry(tested_value_from_loop, (U,)),
    Entry(range_backwards, (U,)),
    Entry(range_of_step, (U, 2)),
    Entry(range_of_step, (U, 9), note="long"),
    Entry(range_with_data_bounds, (U, 1, 4)),
    Entry(range_with_data_bounds, (U, 4, 1), note="no-trips"),
    Entry(range_bound_rebound_in_loop, (U,)),
    Entry(loop_variable_rebound_in_loop, (U,)),
    Entry(triangle, (numbers(4, 4),)),
    Entry(trip_count_varies, (U,)),
    Entry(left_between_what_is_kept, (1.2,)),
    Entry(left_between_counts, (1.2,)),
    Entry(break_with_range_step, (U,)),
    Entry(else_of_for, (U,), may_refuse=True),
    Entry(iterate_enumerate, (U,), may_refuse=True),
    Entry(iterate_zip, (U, U[::-1].copy()), (0, 1), may_refuse=True),
    Entry(iterate_reversed, (U,)),
    Entry(iterate_slice, (U,), may_refuse=True),
    Entry(iterate_changed_name, (U,), may_refuse=True),
    Entry(conditional_expressions, (0.7, 0.4), (0, 1)),
    Entry(conditional_expressions, (0.4, 0.7), (0, 1), note="else"),
    Entry(comparisons_chained, (0.4, 0.7), (0, 1)),
    Entry(comparisons_chained, (1.4, 0.7), (0, 1), note="else"),
    Entry(deep_nesting, (U,)),
    Entry(other_side_reads, (0.7, 1)),
    Entry(other_side_reads, (0.7, 9), note="always"),
    Entry(other_side_of_break_reads, (0.7, 9)),
    *(
        Entry(
            each,
            (np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.5, 0.6]), c),
            note=f"{c}-{wrt}",
            wrt=(wrt,),
        )
        for each in (swapped_on_one_side, swapped_after_a_constant)
        for c in (1.0, 0.5, -1.0)
        for wrt in (0, 1)
    ),
    Entry(still_item_then_varying, (np.array([[0.3, 0.1], [0.5, 0.7]]), np.array([0.2, 0.4]))),
    Entry(
        still_item_then_varying,
        (np.array([[0.3, 1.1], [0.5, 1.7]]), np.array([0.2, 0.4])),
        note="goes-on",
    ),
    Entry(other_side_of_break_reads, (0.7, 0), note="at-once"),
    Entry(other_side_of_return_reads, (U, 0.7, 9.0), (0, 1)),
    Entry(other_side_of_return_reads, (U, 0.7, 0.0), (0, 1), note="at-once"),
    Entry(other_side_of_continue_reads, (U, 3)),
    Entry(other_side_of_two_reads, (U, 2)),
    Entry(rebound_on_one_side, (U, 3)),
    *(
        Entry(each, (0.3, U), wrt, note=f"{wrt}")
        for each in (written_inside_and_handed_on, written_and_handed_on)
        for wrt in ((0,), (1,), (0, 1))
    ),
    Entry(or_else, (U, 0.0), note="other"),
    Entry(or_else, (U, 0.7), (0, 1)),
    Entry(first_that_is_not_zero, (U, 0.4), (0, 1)),
    Entry(first_that_is_not_zero, (U, 0.0), note="zero"),
    Entry(kept_or_squared, (U, 0.4)),
    Entry(one_side_writes_the_other_rebinds, (U, numbers(6, start=0.55), 2), (0, 1)),
    Entry(one_side_writes_the_other_rebinds, (U, abs(U), 2), (0, 1), note="writes"),
    Entry(divided_in_nested_loops, (U, numbers(6, start=0.55)), (0, 1)),
    *(
        Entry(each, (numbers(6), most), note=f"most-{most}")
        for each in (*ELSES, *MORE, else_beside_what_is_mapped)
        for most in (0.1, 1e3)
    ),
    *(Entry(each, (numbers(6), 0.7), may_refuse=True) for each in TUPLES),
)
