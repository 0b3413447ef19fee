"""Functions as values: methods that are taken from objects, tables and lists of functions."""

from __future__ import annotations

import functools

import numpy as np

from tests.programs.entry import Entry, numbers


class Spring:
    """An object with fields that its methods read and write."""

    def __init__(self, stiffness, kind="soft"):
        self.stiffness = stiffness
        self.force = self.soft if kind == "soft" else self.hard
        if kind == "hard":
            self.force = self.hard

    def soft(self, x):
        return np.tanh(self.stiffness * x)

    def hard(self, x):
        return self.stiffness * x**3

    def pulled(self, x):
        self.stiffness = self.stiffness * 1.5
        return self.stiffness * x

    def settled(self, x):
        step = self.soft
        for _ in range(3):
            x = step(x)
        return x


def newton(residual, x):
    for _ in range(3):
        x = x - 0.1 * residual(x)
    return x


def methods_taken_from_an_object(u):
    spring = Spring(u[0])
    f, g = spring.soft, spring.pulled
    spring.stiffness = spring.stiffness * u[1]
    y = f(u) + g(u)
    return np.sum(newton(spring.soft, y) * f(u) * spring.settled(u))


def methods_kept_in_fields(u):
    soft, hard = Spring(u[0]), Spring(u[1], "hard")
    f = hard.force
    hard.force = soft.soft
    hard.stiffness = u[2]
    return np.sum(soft.force(u) * f(u) + hard.force(u))


def a_method_of_what_a_name_held(u):
    spring = Spring(u[0])
    f = spring.pulled
    spring = Spring(u[1])
    y = f(u)
    for _ in range(3):
        y = f(y) + spring.soft(u)
    return np.sum(y)


def a_method_of_what_a_loop_changes(u):
    spring = Spring(u[0])
    f, y = spring.soft, u
    for _ in range(2):
        spring = Spring(spring.stiffness * u[1])
        y = f(y) + spring.soft(y)
    return np.sum(y)


def power(x, k):
    return x**k


def composed(*functions):
    def whole(x):
        for each in functions:
            x = each(x)
        return x

    return whole


def a_table_of_functions(u):
    scale = u[0]
    table = {"sin": np.sin, "scaled": lambda t: t * scale}
    scale = u[1]
    for k in (1, 2):
        table[k] = lambda t, k=k: t**k
    f = table["scaled"]
    table["scaled"] = np.exp
    y = f(u) + table["scaled"](u)
    for name, each in table.items():
        y = y + each(u) * len(str(name))
    return np.sum(y)


MODULE_TABLE = {"sin": np.sin, "square": lambda t: t * t}


def a_table_of_the_module(u):
    y = u
    for name, each in MODULE_TABLE.items():
        y = each(y) * len(name)
    for name in MODULE_TABLE:
        y = y + MODULE_TABLE[name](u)
    return np.sum(y)


def lists_of_functions(u):
    cubes = [lambda q, k=k: q**k for k in range(3)]
    late = []
    for k in range(1, 3):

        def scaled(q, by=k):
            return q * by * k * u[1]  # noqa: B023

        late.append(scaled)
    partials = [functools.partial(power, k=k) for k in range(1, 4)]
    y = sum(f(u) for f in cubes) + sum(w * f(u) for w, f in zip(u, late, strict=False))
    for f in reversed(partials):
        y = f(y) * 0.3
    return np.sum(y) + np.sum(partials[1](late[0](u)))


def a_key_that_a_lambda_reads_later(u):
    parts = {"a": u[0], "b": u[1]}
    for key in ("a", "b"):
        y = parts[key] * u
        if key == "a":
            scaled = lambda q: q * parts[key]  # noqa: B023, E731
    return np.sum(scaled(y))


def functions_of_functions(u):
    spring = Spring(u[0])
    whole = composed(np.sin, lambda x: x * x * u[1], spring.soft, np.exp)
    functions = [np.cos, lambda x: x + u[2]]
    spring.stiffness = spring.stiffness * 2.0
    return np.sum(whole(u) * composed(*functions)(u) + composed(whole, composed())(u))


def comprehended_names(u):
    late = [lambda q: q**k for k in range(3)]  # noqa: B023
    other = [k * u for k in range(5)]
    return np.sum(sum(f(u) for f in late) * other[3])


def a_list_under_two_names(u):
    functions = []
    same = functions
    functions.append(lambda x: x * u[0])
    same.append(np.exp)
    y = u
    for f in functions:
        y = f(y)
    return np.sum(y)


class Chain:
    """An object with a list and a dict of functions, of a module and made inside."""

    def __init__(self, k):
        self.steps = [np.sin, lambda x: x * k]
        self.table = {"a": np.cos, "b": lambda x: x + k}

    def push(self, step):
        self.steps.append(step)
        return self

    def run(self, x):
        for step in self.steps:
            x = step(x)
        return self.table["b"](x) * self.table["a"](x)


def functions_that_are_pushed(u):
    chain = Chain(u[0]).push(np.exp).push(lambda x: x * u[1])
    chains = [chain, Chain(u[2]).push(np.tanh)]
    return np.sum(chain.run(u)) + sum(np.sum(each.run(u**2)) for each in chains)


U = abs(numbers(3)) + 0.1

RIGHT = (
    *(methods_taken_from_an_object, methods_kept_in_fields, a_method_of_what_a_name_held),
    *(a_table_of_functions, a_table_of_the_module, functions_of_functions),
    *(a_key_that_a_lambda_reads_later, functions_that_are_pushed),
)
MAY_REFUSE = (
    *(a_method_of_what_a_loop_changes, comprehended_names, a_list_under_two_names),
    lists_of_functions,
)


PROGRAMS = (
    *(Entry(function, (U,)) for function in RIGHT),
    *(Entry(function, (U,), may_refuse=True) for function in MAY_REFUSE),
)
