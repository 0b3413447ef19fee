"""Statements whose effect no assignment shows: changed in place, seen late, lists that shrink."""

from __future__ import annotations

from tests.fuzz.expressions import expression, floating, tamed
from tests.fuzz.scope import FLOAT, Scope, array
from tests.fuzz.simple import Lines, indented


def changed_table(scope: Scope) -> Lines:
    """Change an array of constants by a statement that is copied, after it was read."""
    rng = scope.rng
    name = scope.name(array(scope.n), fresh=True)
    scope.bind(name, array(scope.n))
    scope.frozen |= {name}
    change = rng.choice(
        (
            f"np.put({name}, [{rng.randrange(scope.n)}], {rng.choice((0.3, 1.7))})",
            f"np.random.default_rng(3).shuffle({name})",
            f"{name}.partition({rng.randrange(scope.n)})",
            f"{name}.__setitem__({rng.randrange(scope.n)}, 1.3)",
        )
    )
    target = scope.name(FLOAT)
    used = f"{target} = 0.3 * np.sum({name} * {tamed(scope, array(scope.n), 2)})"
    scope.bind(target, FLOAT)
    lines = [f"{name} = np.linspace(1.5, 0.5, {scope.n})", used, change]
    if rng.random() < 0.4:
        return lines
    body = [used, change] if rng.random() < 0.5 else [change, used]
    return [lines[0], used, f"for _ in range({rng.choice((1, 2, 3))}):", *indented(body)]


def seen_late(scope: Scope) -> Lines:
    """Call a function made inside before and after a name that it reads gets another value."""
    rng = scope.rng
    read, before, after = (scope.name(FLOAT, fresh=True) for _ in "abc")
    if len({read, before, after}) < 3:
        return []
    name = f"inner{len(scope.kinds)}"
    first = floating(scope, 1)
    scope.bind(read, FLOAT)
    body = f"{read} * {rng.choice(('np.sin(t)', 't', '(t + 0.5)'))}"
    made = (
        [f"{name} = lambda t: {body}"]
        if rng.random() < 0.4
        else [f"def {name}(t):", f"    return {body}"]
    )
    lines = [f"{read} = {first}", *made, f"{before} = {name}({floating(scope, 1)})"]
    scope.bind(before, FLOAT)
    change = rng.choice(
        (f"{read} = {tamed(scope, FLOAT, 1)}", f"{read} += {floating(scope, 1)}", f"{read} *= 0.5")
    )
    lines += [change, f"{after} = 0.5 * {name}({expression(scope, FLOAT, 1)})"]
    scope.bind(after, FLOAT)
    return lines


def shrinking_list(scope: Scope) -> Lines:
    """Take items from the end of a list, its length being a factor."""
    rng = scope.rng
    known = scope.of(array(scope.n))
    if not known:
        return []
    name, target = f"rest{len(scope.kinds)}", scope.name(FLOAT, fresh=True)
    scope.bind(target, FLOAT)
    head = rng.choice((f"while {name}:", f"for _ in range({scope.n - 1}):"))
    step = f"{target} = 0.5 * {target} + 0.2 * {name}.pop() * len({name})"
    return [f"{name} = list({rng.choice(known)})", f"{target} = 0.1", head, *indented([step])]
