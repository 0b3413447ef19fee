"""Statements about the ways through a program: else of loops, walrus, finally, returns far inside."""

from __future__ import annotations

from tests.fuzz.expressions import condition, expression, floating, tamed
from tests.fuzz.holders import new_float, own_name
from tests.fuzz.scope import FLOAT, Scope
from tests.fuzz.simple import Lines, Maker, indented
from tests.fuzz.ways import ways_through


def loop_with_else(scope: Scope) -> Lines:
    """Leave a loop by break, or run its else."""
    rng = scope.rng
    total, start = new_float(scope, floating(scope, 1))
    count = own_name(scope, "trip")
    inner = scope.inner("for")
    body = [f"{total} = {tamed(inner, FLOAT, 2)} + 0.3 * {total} * {count}"]
    leave = [f"if {total} > {rng.choice(('0.2', '0.9', '50.0'))}:"]
    leave += indented([f"{total} *= {floating(inner, 1)}", "break"])
    head = rng.choice((f"for {count} in range({rng.choice((0, 1, 3))}):", "while"))
    lines = [*start]
    if head == "while":
        lines.append(f"{count} = 0")
        head = f"while {count} < {rng.choice((0, 1, 3))}:"
        body = [f"{count} += 1", *body]
    rng.shuffle(both := [body, leave])
    done = indented([f"{total} += {floating(scope, 1)}"])
    return [*lines, head, *indented(both[0] + both[1]), "else:", *done]


def walrus(scope: Scope) -> Lines:
    """Name a value inside the test that asks about it."""
    rng = scope.rng
    first = floating(scope, 1)
    name, start = new_float(scope, first)
    total, other = new_float(scope)
    if rng.random() < 0.5:
        test = f"({name} := {tamed(scope, FLOAT, 2)}) > {rng.choice(('0.1', '-0.4'))}"
        lines = [f"if {test}:", f"    {total} += {name} * {name}"]
        if rng.random() < 0.5:
            lines += ["else:", f"    {total} -= {name}"]
        return [*start, *other, *lines]
    test = f"({name} := 0.5 * {name}) > {rng.choice(('0.11', '0.43', '3.1'))}"
    start = [f"{name} = 2.0 + np.sin({first})"]
    inner = scope.inner("while")
    return [*start, *other, f"while {test}:", f"    {total} += {name} * {tamed(inner, FLOAT, 1)}"]


def returns_inside(scope: Scope) -> Lines:
    """Return from inside two loops."""
    rng = scope.rng
    if scope.result is None:
        return []
    total, start = new_float(scope, floating(scope, 1))
    i, j = own_name(scope, "outer"), own_name(scope, "inner")
    inner = scope.inner("for").inner("for")
    limit = rng.choice(("0.4", "1.1", "70.0"))
    innermost = [f"{total} = 0.7 * {total} + {tamed(inner, FLOAT, 1)} * ({i} - {j})"]
    innermost += [f"if {total} > {limit}:", f"    return {expression(inner, scope.result, 1)}"]
    if rng.random() < 0.4:
        innermost += [f"if {condition(inner)}:", f"    {rng.choice(('break', 'continue'))}"]
    body = [f"for {j} in range({rng.choice((f'{i}', f'{i} + 1', '2'))}):", *indented(innermost)]
    if rng.random() < 0.4:
        body.append(f"{total} *= 0.9")
    return [*start, f"for {i} in range({rng.choice((1, 2, 3))}):", *indented(body)]


def with_finally(scope: Scope) -> Lines:
    """Do something whatever happens: finally, and the error of a test that is caught."""
    rng = scope.rng
    total, start = new_float(scope, floating(scope, 1))
    body = [f"{total} = {total} * {floating(scope, 2)}"]
    last = [f"{total} += {floating(scope, 1)}"]
    if rng.random() < 0.4:
        return [*start, "try:", *indented(body), "finally:", *indented(last)]
    test = condition(scope)
    body = [f"if {test}:", "    raise ValueError('too far')", f"{body[0]} + 0.5"]
    lines = ["try:", *indented(body), "except ValueError:", *indented(last)]
    if rng.random() < 0.4:
        lines += ["else:", *indented([f"{total} *= {floating(scope, 0)}"])]
    if rng.random() < 0.4:
        lines += ["finally:", f"    {total} = 0.5 * {total}"]
    return [*start, *lines]


def matched(scope: Scope) -> Lines:
    """Choose by a number that is counted, with match or a table of functions."""
    rng = scope.rng
    total, start = new_float(scope, floating(scope, 1))
    count = own_name(scope, "case")
    one, two, three = (floating(scope, 1) for _ in range(3))
    cases = [f"match {count}:", "    case 0:", f"        {total} += {one}"]
    cases += ["    case 1 | 2:", f"        {total} *= {two}", "    case _:"]
    cases += [f"        {total} = np.sin({total}) * {three}"]
    return [*start, f"for {count} in range({rng.choice((1, 2, 4))}):", *indented(cases)]


LEAVING: tuple[tuple[str, int, Maker], ...] = (
    ("loopelse", 1, loop_with_else),
    ("walrus", 1, walrus),
    ("inside", 1, returns_inside),
    ("finally", 1, with_finally),
    ("match", 1, matched),
    ("ways", 1, ways_through),
)
