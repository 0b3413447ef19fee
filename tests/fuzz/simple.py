"""Turns a scope into the lines of one random statement that holds no block of its own.

augment(scope)      ["u *= np.tanh(v[::-1])"]
"""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.expressions import call, element, expression, floating, index, slices, tamed
from tests.fuzz.scope import FLOAT, Index, Kind, Scope, array

Lines = list[str]
Maker = Callable[[Scope], Lines]


def indented(lines: Lines) -> Lines:
    """Return the lines one block further in."""
    return ["    " + line for line in lines]


def assign_float(scope: Scope) -> Lines:
    """Give a scalar a value, its own old one included."""
    name = scope.name(FLOAT)
    text = tamed(scope, FLOAT) if scope.loops else floating(scope, 3)
    scope.bind(name, FLOAT)
    return [f"{name} = {text}"]


def assign_array(scope: Scope) -> Lines:
    """Give a 1-d array a value; at the top level also one of another length."""
    length = scope.n if scope.rng.random() < 0.7 else scope.rng.choice((scope.n - 1, 3))
    name = scope.name(array(length))
    text = tamed(scope, array(length))
    shares = text.split("[")[0].isidentifier() and "(" not in text
    if shares and "views" not in scope.features:
        text = f"1.0 * {text}"
    scope.bind(name, array(length))
    return [f"{name} = {text}"]


def assign_matrix(scope: Scope) -> Lines:
    """Give a 2-d array a value."""
    known = scope.arrays(2)
    if not known:
        return []
    kind = scope.kinds[scope.rng.choice(known)]
    name = scope.name(kind)
    text = tamed(scope, kind)
    scope.bind(name, kind)
    return [f"{name} = 0.8 * ({text})"]


def augment(scope: Scope) -> Lines:
    """Change a scalar or a whole array by an augmented assignment."""
    names = scope.writable(scope.of(FLOAT) * 2 + scope.arrays(1) + scope.arrays(2))
    if not names:
        return []
    name = scope.rng.choice(names)
    kind = scope.kinds[name]
    own = scope.rng.random() < 0.08
    return [_update(scope, name, name if own else tamed(scope, kind, 1))]


def _update(scope: Scope, target: str, text: str) -> str:
    op = scope.rng.choice(("+=", "+=", "-=", "*=", "/="))
    if op == "*=" and scope.loops:
        text = f"np.tanh({text})"
    if op == "/=":
        text = f"1.5 + np.cos({text}) ** 2"
    return f"{target} {op} {text}"


def tuple_assign(scope: Scope) -> Lines:
    """Assign two scalars at once, or swap two names."""
    rng = scope.rng
    for known in rng.sample([scope.of(FLOAT), scope.of(array(scope.n))], 2):
        names = scope.writable(known)
        if len(names) >= 2 and rng.random() < 0.5:
            a, b = rng.sample(names, 2)
            arrays = scope.kinds[a].code == "array"
            if not arrays or "views" in scope.features:
                return [f"{a}, {b} = {b}, {a}"]
            return [f"{a}, {b} = {b} * 1.0, np.sin({a})"]
    a, b = scope.name(FLOAT), scope.name(FLOAT)
    if a == b:
        return []
    left, right = tamed(scope, FLOAT, 1), tamed(scope, FLOAT, 2)
    scope.bind(a, FLOAT)
    scope.bind(b, FLOAT)
    return [f"{a}, {b} = {left}, {right}"]


def write_element(scope: Scope) -> Lines:
    """Write one element of an array."""
    names = scope.writable(scope.arrays(1) * 2 + scope.arrays(2))
    if not names or "writes" not in scope.features:
        return []
    target = element(scope, scope.rng.choice(names))
    text = tamed(scope, FLOAT, 2)
    if scope.rng.random() < 0.5:
        return [f"{target} = {text}"]
    return [_update(scope, target, text)]


def write_slice(scope: Scope) -> Lines:
    """Write a slice of an array, often from an overlapping slice of the same array."""
    rng = scope.rng
    names = scope.writable(scope.arrays(1))
    if not names or "slices" not in scope.features or "writes" not in scope.features:
        return _write_row(scope)
    name = rng.choice(names)
    size = scope.kinds[name].dims[0]
    length = rng.choice((size, size - 1, size - 1, size - 2, (size + 1) // 2))
    found = slices(name, size, length)
    if length < 1 or not found:
        return []
    target = rng.choice(found)
    if rng.random() < 0.35:
        own, other = rng.choice(found), rng.choice(found)
        text = rng.choice((own, f"0.5 * {own}", f"{own} * {other}", f"np.sin({own}) - {other}"))
    else:
        text = tamed(scope, FLOAT if rng.random() < 0.25 else array(length), 2)
    return [f"{target} = {text}"] if rng.random() < 0.5 else [_update(scope, target, text)]


def _write_row(scope: Scope) -> Lines:
    names = scope.writable(scope.arrays(2))
    if not names or "writes" not in scope.features:
        return []
    name = scope.rng.choice(names)
    rows, columns = scope.kinds[name].dims
    if scope.rng.random() < 0.6:
        target, length = f"{name}[{index(scope, rows)}]", columns
    else:
        target, length = f"{name}[:, {index(scope, columns)}]", rows
    text = tamed(scope, array(length), 1)
    return [f"{target} = {text}"] if scope.rng.random() < 0.5 else [_update(scope, target, text)]


def copy_array(scope: Scope) -> Lines:
    """Copy an array: the way in which careful programs begin."""
    names = scope.arrays(1) + scope.arrays(2)
    if not names:
        return []
    source = scope.rng.choice(names)
    kind = scope.kinds[source]
    target = source if source not in scope.frozen else scope.name(kind)
    scope.bind(target, kind)
    return [f"{target} = " + scope.rng.choice((f"{source}.copy()", f"np.copy({source})"))]


def alias_array(scope: Scope) -> Lines:
    """Give an array, or a part of it, a second name."""
    rng = scope.rng
    names = scope.arrays(1)
    rows = scope.arrays(2)
    if rows and rng.random() < 0.4:
        name = rng.choice(rows)
        height, width = scope.kinds[name].dims
        target = scope.name(array(width), fresh=True)
        scope.bind(target, array(width))
        return [f"{target} = {name}[{index(scope, height)}]"]
    if not names:
        return []
    name = rng.choice(names)
    size = scope.kinds[name].dims[0]
    length = rng.choice((size, size - 1))
    target = scope.name(array(length), fresh=True)
    scope.bind(target, array(length))
    if length == size and rng.random() < 0.6:
        return [f"{target} = {name}"]
    return [f"{target} = {rng.choice(slices(name, size, length))}"]


def helper_statement(scope: Scope) -> Lines:
    """Call a helper for its result or for what it does to its argument."""
    if not scope.helpers:
        return []
    helper = scope.rng.choice(scope.helpers)
    if helper.result is None:
        names = scope.writable(scope.of(helper.params[0][1]))
        if not names:
            return []
        rest = [_plain_argument(scope, kind) for _, kind in helper.params[1:]]
        return [f"{helper.name}({', '.join([scope.rng.choice(names), *rest])})"]
    name = scope.name(helper.result)
    text = call(scope, helper)
    scope.bind(name, helper.result)
    return [f"{name} = {text}"]


def _plain_argument(scope: Scope, kind: Kind) -> str:
    known = scope.of(kind)
    return scope.rng.choice(known) if known else expression(scope, kind, 1)


def buffer(scope: Scope) -> Lines:
    """Make a buffer and fill it in a loop."""
    rng = scope.rng
    name = scope.name(array(scope.n), fresh=True)
    known = scope.of(array(scope.n))
    makers = [f"np.zeros({scope.n})", f"np.ones({scope.n})"]
    if known:
        makers += [
            f"np.zeros_like({known[0]})",
            f"np.empty_like({known[0]})",
            f"np.zeros(len({known[0]}))",
        ]
    counter = rng.choice([x for x in ("i", "j", "k") if x not in scope.kinds] or ["ii"])
    inner = scope.inner("for", Index(counter, 0, scope.n - 1))
    inner.kinds.pop(name, None)
    fill = f"{name}[{counter}] = {tamed(inner, FLOAT, 2)}"
    maker = rng.choice(makers)
    scope.bind(name, array(scope.n))
    return [f"{name} = {maker}", f"for {counter} in range({scope.n}):", f"    {fill}"]


def remark(scope: Scope) -> Lines:
    """Return a comment or an assertion."""
    known = scope.of(FLOAT)
    if known and scope.rng.random() < 0.5:
        return [f"assert {known[0]} == {known[0]}, 'not a number'"]
    return [f"# about {scope.rng.choice(list(scope.kinds) or ['nothing'])}", *assign_float(scope)]
