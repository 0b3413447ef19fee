"""Functions that call themselves: by whole numbers, by halves of an array, by tests of floats.

def power(x, n): return 1.0 if n == 0 else x * power(x, n - 1)
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from tests.programs.entry import Entry, numbers

U = numbers(5)
A = numbers(3, 3)


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


class Ray:
    """A matrix of two rows, of which the products are its own."""

    def __init__(self, a, b, c, d):
        self.parts = (a, b, c, d)

    def __matmul__(self, other):
        a, b, c, d = self.parts
        e, f, g, h = other.parts
        return Ray(a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)

    def __pow__(self, n):
        if n == 1:
            return self
        half = self ** (n // 2)
        half = half @ half
        return half @ self if n % 2 else half

    @property
    def trace(self):
        return self.parts[0] + self.parts[3]


def raised(degrees, x):
    if degrees[0] == 0:
        return x * degrees[1]
    return raised((degrees[0] - 1, degrees[1]), x * x) + x


def of_a_tuple_of_whole_numbers(x):
    return raised((3, 2), x)


def power_by_operators(f, d):
    step = Ray(1.0, 0.0, -1.0 / f, 1.0) @ Ray(1.0, d, 0.0, 1.0)
    return (step**5).trace


def fast_power(x, n):
    if n == 0:
        return 1.0
    half = fast_power(x, n // 2)
    return half * half * x if n % 2 else half * half


def legendre(n, x):
    if n == 0:
        return 1.0
    if n == 1:
        return x
    last = (2 * n - 1) * x * legendre(n - 1, x)
    return (last - (n - 1) * legendre(n - 2, x)) / n


def fourth_legendre(x):
    return legendre(4, x)


def in_halves(u):
    if len(u) == 1:
        return u[0] * u[0]
    m = len(u) // 2
    return in_halves(u[:m]) * 1.5 + in_halves(u[m:])


def simpson(f, a, b, tol):
    m = 0.5 * (a + b)
    whole = (b - a) / 6 * (f(a) + 4 * f(m) + f(b))
    left = (m - a) / 6 * (f(a) + 4 * f(0.5 * (a + m)) + f(m))
    right = (b - m) / 6 * (f(m) + 4 * f(0.5 * (m + b)) + f(b))
    if abs(left + right - whole) < tol:
        return left + right
    return simpson(f, a, m, tol) + simpson(f, m, b, tol)


def adaptive(x):
    return simpson(np.exp, 0.0, x, 1e-4)


def euclid(x, y):
    if y < 0.1:
        return x
    return euclid(y, x - y * 0.3 * x)


def two_results(x, n):
    if n == 0:
        return x, 1.0
    a, b = two_results(x, n - 1)
    return a * x, b + a


def uses_both(x):
    a, b = two_results(x, 3)
    return a * b


def even(x, n):
    return x if n == 0 else odd(x * x, n - 1)


def odd(x, n):
    return x if n == 0 else np.sin(even(x, n - 1))


def each_other(x, n):
    return even(x, n)


def determinant(a):
    if a.shape[0] == 1:
        return a[0, 0]
    total = 0.0
    for j in range(a.shape[0]):
        minor = np.delete(np.delete(a, 0, 0), j, 1)
        total = total + (-1) ** j * a[0, j] * determinant(minor)
    return total


def butterfly(u):
    if len(u) == 1:
        return u
    e, o = butterfly(u[::2]), butterfly(u[1::2])
    return np.concatenate([e + 0.5 * o, e - 0.5 * o])


def transformed(u):
    return np.sum(butterfly(u) ** 2 * np.arange(4.0))


def newton(x, c):
    y = 0.5 * (x + c / x)
    if abs(y - x) < 1e-10:
        return y
    return newton(y, c)


def with_a_default(u, i=0):
    if i >= len(u):
        return 0.0
    return u[i] ** 2 + 0.5 * with_a_default(u, i + 1)


def of_lists(tree):
    if not isinstance(tree, list):
        return tree * tree
    return sum(of_lists(part) for part in tree)


def given_back(u, n):
    if n == 0:
        return u
    return given_back(u * u[0], n - 1)


def whole_given_back(u):
    return np.sum(given_back(u, 2) ** 2)


def untouched(u, n):
    return u if n == 0 else untouched(u, n - 1)


def untouched_then_written(u):
    v = untouched(u.copy(), 2)
    v[0] = 3.0
    return np.sum(v * u)


def doubled_in_place(u):
    if len(u) == 1:
        u[0] *= 2.0
        return
    m = len(u) // 2
    doubled_in_place(u[:m])
    doubled_in_place(u[m:])


def written_in_place(u):
    v = u * u
    doubled_in_place(v)
    return np.sum(v * u)


def running(u, out, i):
    if i == len(u):
        return out
    out.append(math.sin(u[i]) + (out[-1] if out else 0.0))
    return running(u, out, i + 1)


def of_a_list_that_grows(u):
    return running(u, [], 0)[-1]


def mandelbrot(z, c, n):
    return z if n == 0 or abs(z) > 2.0 else mandelbrot(z * z + c, c, n - 1)


def hilbert(x, y, n):
    if n == 0:
        return x * y
    turned = hilbert(y, x, n - 1) * hilbert(x + y, y, n - 1)
    return 0.25 * (hilbert(x, y * 0.5, n - 1) + turned)


def recursion_inside(x):
    def go(n):
        return x if n == 0 else x * go(n - 1)

    return go(3)


def recursion_in_a_loop(u):
    total = 0.0
    for i in range(len(u)):
        total = total + power(u[i], i) * total
        total = total + fast_power(u[i], 3)
    return total


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def weighed(self):
        total = self.value
        if self.left:
            total = total + 2.0 * self.left.weighed()
        return total + self.right.weighed() if self.right is not None else total


def total(node):
    if node is None:
        return 0.0
    return node.value + total(node.left) * 2.0 + total(node.right)


def down_a_tree(x):
    return total(Node(x, Node(x * x), Node(2.0 * x, Node(x**3))))


def by_a_method(x):
    return Node(x, Node(x * x), Node(2.0 * x, None, Node(x**3))).weighed()


def scaled(node, k):
    if node is None:
        return
    node.value *= k
    scaled(node.left, 2.0 * k)
    scaled(node.right, k)


def writes_down_a_tree(x):
    twice = Node(x)
    tree = Node(x * x, twice, Node(x, twice))
    scaled(tree, x)
    return total(tree) * twice.value


def in_order(node, kept):
    if node is not None:
        in_order(node.left, kept)
        kept.append(node.value)
        in_order(node.right, kept)


def kept_as_they_come(x):
    kept = []
    in_order(Node(x, Node(x * x), Node(2.0 * x)), kept)
    return sum((i + 1) * v for i, v in enumerate(kept))


class Term:
    def __init__(self, op, args=()):
        self.op = op
        self.args = args


def evaluated(term, x):
    if term.op == "x":
        return x
    a, b = term.args
    if term.op == "add":
        return evaluated(a, x) + evaluated(b, x)
    return evaluated(a, x) * evaluated(b, x)


def of_terms(x):
    same = Term("x")
    return evaluated(Term("add", [Term("mul", [same, same]), same]), x)


def leaves(tree):
    if isinstance(tree, dict):
        return [leaf for part in tree.values() for leaf in leaves(part)]
    if isinstance(tree, (list, tuple)):
        return [leaf for part in tree for leaf in leaves(part)]
    return [tree]


def of_leaves(x):
    found = leaves({"w": x, "b": (x * x, 2.0 * x)})
    return sum((i + 1) * leaf for i, leaf in enumerate(found))


def grown(node, k):
    if k < 2:
        return node.value * 2.0
    return node.value * node.value * k


def behind_what_is_not_taken(x):
    node = Node(x)
    y = 0.0
    if np.ndim(x) > 0:
        y = grown(node, 1) + node  # what is refused here is not taken
    return y + grown(node, 2) + 10.0 * grown(node, 3) + 100.0 * grown(node, 1)


def decided_by_one_defined_again(q, w):
    if q > 10.0:

        def again(t, k):
            return t * again(t, k - 1)

    def again(t, k):
        if k <= 0:
            return 1.0
        return again(0.6 * t + 0.1, k - 1) + t

    b = again(np.log1p(w), 0)
    if b > 0.5:
        q = q * q
    else:
        assert q == q, "not a number"
    return q + np.sum(w)


def what_was_a_number(q, w, n):
    again = 2.0 * q
    y = again * w

    def again(t, k):
        return t if k <= 0 else again(0.5 * t + 0.1, k - 1) + t

    return y * again(w, n)


def calls_what_was_there(q, w, n):
    def again(t, k):
        return t * t

    y = again(q, 1)

    def again(t, k, before=again):
        return t if k <= 0 else before(0.5 * t + 0.1, k - 1) + t

    return y * again(w, n)


def put(xs, v):
    for _ in range(1):
        xs.append(v)
    return len(xs)


def doubled(xs):
    for k in range(len(xs)):
        xs[k] *= 2.0


def written_through_a_list(u, n):
    xs = []
    put(xs, u)
    doubled(xs)
    return written_through_a_list(u, n - 1) if n > 0 else np.sum(u)


def writes_to_what_helpers_keep(u):
    v = u * 1.0
    return written_through_a_list(v, 2) + np.sum(v * v)


def last_call_adds_to_what_is_around(x, y):
    total = x

    def added(t):
        nonlocal total
        total += 0.1 * t
        return total * t

    def down(t, n=3):
        return t * added(y) if n == 0 else 0.5 * down(np.sin(t), n - 1) + x

    return down(x * y) + total


def last_call_solves_with_what_is_around(x, y):
    total = x

    def added(t):
        nonlocal total
        total += 0.1 * t
        return total * t

    def solved(t):
        for _ in range(2):
            t = t - 0.1 * added(t)
            if t < 0.0:
                return t
        return t

    def down(t, n=3):
        return t * solved(y) if n == 0 else 0.5 * down(np.sin(t), n - 1) + x

    return down(x * y) * total


def _pair(x, n):
    if n == 0:
        return x * 2.0, np.sin(x)
    a, b = _pair(x * 0.5, n - 1)
    return a * b, a + b


def parts_of_pairs_multiplied(x):
    return np.sum(_pair(x, 3)[0] * _pair(x, 2)[1])


def pair_of_a_part(x):
    return np.sum(_pair(_pair(x, 1)[0], 2)[1])


def pair_gone_through(x):
    return sum(np.sum(each) for each in _pair(x, 2))


def pair_by_a_test(x):
    return np.sum((_pair(x, 2) if x[0] > 0.0 else _pair(x, 1))[0])


def pair_joined(x):
    return np.sum(np.concatenate(_pair(x, 2)) ** 2)


class Simpson:
    """Halves its interval until it is good enough, of a function that it holds."""

    def __init__(self, f, bound):
        self.f, self.bound = f, bound

    def rule(self, a, b):
        return (b - a) / 6.0 * (self.f(a) + 4.0 * self.f(0.5 * (a + b)) + self.f(b))

    def integral(self, a, b, whole=None):
        m = 0.5 * (a + b)
        whole = self.rule(a, b) if whole is None else whole
        left, right = self.rule(a, m), self.rule(m, b)
        if abs(left + right - whole) < self.bound:
            return left + right
        return self.integral(a, m, left) + self.integral(m, b, right)


def halved_by_a_method(x):
    return Simpson(lambda t: np.exp(-x * t), 1e-3).integral(0.0, 2.0 * x)


class Cycle:
    """A cycle over grids: it writes to what it is given, and reads its options."""

    def __init__(self, pull, count):
        self.pull, self.count, self.options = pull, count, {"weight": 0.6}

    def smooth(self, u, f):
        for _ in range(self.count):
            u += self.options["weight"] * (f - self.pull * u)

    def run(self, u, f, level):
        self.smooth(u, f)
        if level > 0:
            e = np.zeros_like(u)
            self.run(e, f - self.pull * u, level - 1)
            u += e
        self.smooth(u, f)
        return u


def cycles_of_a_method(u):
    cycle = Cycle(u[0], 2)
    y = cycle.run(np.zeros_like(u), u, 2)
    cycle.pull = u[1]
    return np.sum(cycle.run(y.copy(), u**2, 1) * y)


class Spline:
    """Basis functions of knots, each of two of a lower degree."""

    def __init__(self, knots, weights):
        self.knots, self.weights = knots, weights

    def basis(self, i, degree, x):
        t = self.knots
        if degree == 0:
            return 1.0 if t[i] <= x < t[i + 1] else 0.0
        a, b = t[i + degree] - t[i], t[i + degree + 1] - t[i + 1]
        left = 0.0 if a == 0 else (x - t[i]) / a * self.basis(i, degree - 1, x)
        right = 0.0 if b == 0 else (t[i + degree + 1] - x) / b * self.basis(i + 1, degree - 1, x)
        return left + right

    def __call__(self, x):
        return sum(w * self.basis(i, 2, x) for i, w in enumerate(self.weights))


def basis_by_a_method(x):
    return Spline([0, 0, 0, 0.4, 1, 1, 1], [x, 1.0, x * x, 0.5])(0.6 * x)


def logarithm_by_itself(x, whole=True):
    if whole:
        return 2.0 * logarithm_by_itself(cast(float, x * x), whole=False)
    return np.log(x + cast("float", 1.0))


PROGRAMS = (
    Entry(parts_of_pairs_multiplied, (U,)),
    Entry(pair_of_a_part, (U,)),
    Entry(pair_gone_through, (U,)),
    Entry(pair_by_a_test, (U,)),
    Entry(pair_joined, (U,)),
    Entry(power, (0.7, 3)),
    Entry(power, (0.7, 0), note="zero"),
    Entry(fast_power, (0.7, 5)),
    Entry(fourth_legendre, (0.7,)),
    Entry(legendre, (3, 0.7), wrt=(1,)),
    Entry(in_halves, (U,)),
    Entry(adaptive, (0.7,)),
    Entry(euclid, (0.7, 0.5), wrt=(0, 1)),
    Entry(euclid, (0.7, 0.5), wrt=(1,), note="second"),
    Entry(uses_both, (0.7,)),
    Entry(each_other, (0.7, 3)),
    Entry(determinant, (A,)),
    Entry(transformed, (numbers(4),)),
    Entry(newton, (1.0, 2.0), wrt=(0, 1)),
    Entry(newton, (1.0, 2.0), wrt=(1,), note="second"),
    Entry(with_a_default, (U,)),
    Entry(of_lists, ([0.5, [0.3, 0.2]],), like_only=True, may_refuse=True),
    Entry(whole_given_back, (U,)),
    Entry(mandelbrot, (0.1, 0.4, 5), wrt=(0, 1)),
    Entry(hilbert, (0.3, 0.8, 3), wrt=(0, 1)),
    Entry(recursion_in_a_loop, (U,)),
    Entry(untouched_then_written, (U,), may_refuse=True),
    Entry(written_in_place, (U,), may_refuse=True),
    Entry(of_a_list_that_grows, (U,), may_refuse=True),
    Entry(recursion_inside, (0.7,)),
    Entry(down_a_tree, (0.7,)),
    Entry(by_a_method, (0.7,)),
    Entry(halved_by_a_method, (0.7,)),
    Entry(cycles_of_a_method, (U,)),
    Entry(basis_by_a_method, (0.7,)),
    Entry(writes_down_a_tree, (0.7,)),
    Entry(kept_as_they_come, (0.7,)),
    Entry(of_terms, (0.7,), may_refuse=True),
    Entry(of_leaves, (0.7,), like_only=True, may_refuse=True),
    Entry(behind_what_is_not_taken, (0.7,), like_only=True),
    Entry(decided_by_one_defined_again, (1.5, 0.7), (0,)),
    Entry(what_was_a_number, (1.5, 0.7, 2), (0, 1)),
    Entry(calls_what_was_there, (1.5, 0.7, 2), (0, 1)),
    Entry(writes_to_what_helpers_keep, (U,), may_refuse=True),
    Entry(last_call_adds_to_what_is_around, (0.83, 0.41), (0, 1)),
    Entry(last_call_solves_with_what_is_around, (0.83, 0.41), (0, 1)),
    Entry(power_by_operators, (0.7, 0.3), (0, 1)),
    Entry(of_a_tuple_of_whole_numbers, (0.7,)),
    Entry(logarithm_by_itself, (0.7,)),
)
