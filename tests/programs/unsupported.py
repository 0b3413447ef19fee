"""Programs with syntax outside the input language: the answer is right, or points at the line.

The line that an error must show carries the remark `# here` where it is not the only candidate.
"""

from __future__ import annotations

import functools

import numpy as np


def comprehension(u):
    return sum([x * x for x in u])  # here


def generator_expression(u):
    return sum(x * x for x in u)  # here


def dictionary(x):
    d = {"a": x * x}  # here
    return d["a"] * x


def inner_function(x):
    def inner(y):  # here
        return y * x

    return inner(x)


def lambda_expression(x):
    g = lambda y: y * x  # noqa: E731  # here
    return g(x)


def try_statement(x):
    try:  # here
        y = x * x
    except ValueError:
        y = x
    return y


def with_statement(x):
    with np.errstate(all="ignore"):  # here
        y = x * x
    return y


def walrus(x):
    return (y := x * x) * y  # here


def starred_call(x):
    args = (x, x)
    return np.multiply(*args)  # here


def starred_target(u):
    first, *rest = u  # here
    return first * rest[0]


def delete(x):
    y = x * x
    del x  # here
    return y


def match_statement(x):
    match x > 0.0:  # here
        case True:
            return x * x
        case _:
            return x


def global_statement(x):
    global COUNTER  # here
    COUNTER = x * x
    return COUNTER


def while_else(x):
    while x > 0.5:  # here
        x = x * 0.5
    else:
        x = x * x
    return x


def output_argument(u):
    v = np.zeros_like(u)
    np.sin(u, out=v)  # here
    return np.sum(v)


def where_argument(u):
    return np.sum(u, where=u > 0.0)  # here


def where_of_ufunc(u):
    v = np.sin(u, where=u > 0.0, out=u.copy())  # here
    return np.sum(v)


def ufunc_method(u):
    return np.add.reduce(u * u)  # here


def add_at(u):
    v = u.copy()
    np.add.at(v, [0, 0], u[1])  # here
    return np.sum(v * v)


def attribute_write(u):
    u = u.copy()
    u.shape = (1, 5)  # here
    return np.sum(u * u)


def in_place_method(u):
    u = u.copy()
    u.fill(u[1])  # here
    return np.sum(u * u)


def in_place_sort(u):
    u = u.copy()
    u.sort()  # here
    return u[0] * u[1]


def copyto(u):
    v = np.zeros_like(u)
    np.copyto(v, u)  # here
    return np.sum(v * v)


def flat_write(u):
    u = u.copy()
    u.flat[1] = u[0] * u[2]  # here
    return np.sum(u * u)


def ravel_write(A):
    A = A.copy()
    v = A.ravel()
    v[0] = v[1] * v[2]  # here
    return np.sum(A * A)


def reshape_write(u):
    u = u.copy()
    v = u.reshape((5, 1))
    v[0] = v[1] * v[2]  # here
    return np.sum(u * u)


def transpose_write(A):
    A = A.copy()
    B = A.T
    B[0] = B[1] * B[2]  # here
    return np.sum(A * A)


def asarray_write(u):
    u = u.copy()
    v = np.asarray(u)
    v[0] = v[1] * v[2]  # here
    return np.sum(u * u)


def list_in_list_write(u):
    u = u.copy()
    parts = [u, u]
    parts[0][1] = u[2] * u[0]  # here
    return np.sum(parts[1] ** 2)


def masked_write(u):
    u = u.copy()
    u[u > 0.0] *= u[1]  # here
    return np.sum(u * u)


def repeated_index_write(u):
    u = u.copy()
    u[[0, 0, 1]] += u[2:]  # here
    return np.sum(u * u)


def loop_over_written_array(u):
    u = u.copy()
    s = 0.0
    for x in u:  # here
        u[-1] = s * x + 1.0
        s = s + x * x
    return s


def partial_application(x):
    return functools.partial(np.multiply, x)(x)  # here


def recursion(x, n=3):
    return x if n == 0 else x * recursion(x * 0.9, n - 1)  # here


def vectorised(u):
    return np.sum(np.vectorize(abs)(u))  # here


def string_of_active(x):
    return x * float(f"{x:.3f}")  # here


def text_of_active_list(u):
    parts = ",".join(repr(float(x)) for x in u)
    return sum([float(part) for part in parts.split(",")])  # here


def formatted_active(x):
    text = f"{x:.17g}"
    return x * np.float64(text)  # here


def truncated(x):
    return x * int(10.0 * x)  # here


def item_method(u):
    return u.item(1) * u.sum()  # here


def assigned_in_one_branch(x):
    if x > 0.0:
        y = x * x
    return y  # here


def dictionary_argument(x):
    return dict(a=x * x)["a"]  # noqa: C408  # here


def object_with_state(x):
    box = functools.partial(float)
    box.value = x * x  # here
    return box.value


def complex_detour(x):
    return ((1j * x) ** 2).real * x  # here


def integer_division(x):
    return x * (x // 0.3) + x % 0.3  # here


def rounded(x):
    return x * round(x, 1)  # here


def chained_assignment(u):
    a = b = u * 1.0  # here
    a[0] = b[1] * 2.0
    return np.sum(b * b)


def missing_module(x):
    if x > 2.0:
        import nowhere_to_be_found  # here

        x = nowhere_to_be_found.sine(x)
    return x * x


# ---------------------------------------------------------------- functions made inside


def inner_writes_what_is_around_it(u):
    w = u * 1.0

    def put(v):  # here
        w[0] = v[1]
        return v[0] * 2.0

    u[1] = put(u)
    return np.sum(u**2) + w[0] ** 2


def inner_adds_to_a_number(u):
    total = 0.0

    def add(v):  # here
        nonlocal total
        total += v

    for each in u:
        add(each**2)
    return total


def inner_adds_to_a_list(u):
    kept = []
    add = lambda v: kept.append(v)  # noqa: E731 # here
    for each in u:
        add(each**2)
    return kept[0] * kept[1]


def inner_moves_a_position(u):
    where = np.array([1, 2])

    def first(v):  # here
        where[0] = 2
        return v[0] * 2.0

    u[where[0]] -= first(u)
    return np.sum(u**2)


def put_three(a):
    a[0] = 3.0


def inner_writes_through_a_helper(u):
    w = u * 1.0

    def product(v):  # here
        put_three(w)
        return v[0] * w[0]

    return product(u) + w[0]


def inner_writes_its_argument(u):
    w = u * 1.0

    def second(v):  # here
        v[0] = 2.0
        return v[1]

    return second(w) * np.sum(w)


def inner_sees_what_is_rebound(u):
    scale = u[0]
    line = lambda t: scale * t  # noqa: E731 # here
    scale = u[1]
    return line(u[2])


def inner_is_made_in_every_pass(u):
    total = 0.0
    for k in range(3):

        def line(v):  # here
            return v * u[k]  # noqa: B023

        total += line(u[0])
    return total


def inner_with_a_default(u):
    def scaled(v, c=2.0):  # here
        return v * c

    return np.sum(scaled(u) * scaled(u, 3.0))


def inner_calls_itself(u):
    def power(n):  # here
        return 1.0 if n == 0 else u[0] * power(n - 1)

    return power(3)


U = np.array([0.31, -0.42, 0.83, 0.54, -0.75])
A = np.array([[0.31, -0.42, 0.83], [0.54, -0.75, 0.26], [0.97, 0.18, -0.69]])
MATRIX = (ravel_write, transpose_write)
ARRAY_ARGUMENTS = {"u": U, "A": A, "x": 0.73}
EVERY = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
    if value is not put_three
)
