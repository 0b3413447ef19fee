"""Turns a scope into the lines of a random block, and keeps the scope up to date.

block(scope, 4)     ["x = np.sin(u[0])", "for i in range(1, 5):", "    u[i] += x * u[i - 1]"]
"""

from __future__ import annotations

from tests.fuzz.expressions import condition, expression, floating, index, tamed, vector
from tests.fuzz.grids import GRIDS
from tests.fuzz.hidden import changed_table, seen_late, shrinking_list
from tests.fuzz.holders import HOLDERS
from tests.fuzz.leaving import LEAVING
from tests.fuzz.made import MADE
from tests.fuzz.places import PLACES
from tests.fuzz.scope import FLOAT, INT, Index, Kind, Scope, array
from tests.fuzz.simple import (
    Lines,
    Maker,
    alias_array,
    assign_array,
    assign_float,
    assign_matrix,
    augment,
    buffer,
    copy_array,
    helper_statement,
    indented,
    remark,
    tuple_assign,
    write_element,
    write_slice,
)


def block(scope: Scope, size: int) -> Lines:
    """Return `size` statements, at least one line."""
    lines: Lines = []
    for _ in range(size):
        lines += statement(scope)
    return lines or ["pass"]


def statement(scope: Scope) -> Lines:
    """Return one random statement, compound ones only where nesting is not deep yet."""
    table: list[tuple[int, Maker]] = [
        (3, assign_float),
        (3, assign_array),
        (3, augment),
        (2, tuple_assign),
    ]
    table += [(4, write_element), (4, write_slice), (1, assign_matrix), (2, helper_statement)]
    table += [(weight, make) for name, weight, make in _OPTIONAL if name in scope.features]
    if scope.depth < 3:
        table += [(w, make) for name, w, make in _COMPOUND if name in scope.features]
    weights = [weight for weight, _ in table]
    for _ in range(8):
        lines = scope.rng.choices([make for _, make in table], weights)[0](scope)
        if lines:
            return lines
    return assign_float(scope)


def ping_pong(scope: Scope) -> Lines:
    """Step two buffers in turn."""
    rng = scope.rng
    known = scope.of(array(scope.n))
    if not known:
        return []
    old = scope.name(array(scope.n), fresh=True)
    scope.bind(old, array(scope.n))
    new = scope.name(array(scope.n), fresh=True)
    scope.bind(new, array(scope.n))
    inner = scope.inner("for")
    inner.frozen |= {old, new}
    extra = block(inner, rng.choice((0, 0, 1)))
    body = [f"{new}[1:] = 0.5 * {old}[:-1] + np.sin({old}[1:])"]
    body += [f"{new}[0] = {floating(inner, 1)}"] + [line for line in extra if line != "pass"]
    start = f"{rng.choice(known)}.copy()"
    return [
        f"{old} = {start}",
        f"{new} = np.zeros_like({old})",
        f"for _ in range({rng.choice((1, 2, 3))}):",
        *indented(body),
        f"    {old}, {new} = {new}, {old}",
    ]


def with_list(scope: Scope) -> Lines:
    """Fill a list in a loop and read it back."""
    rng = scope.rng
    name = scope.name(Kind("list"), fresh=True)
    inner = scope.inner("for")
    inner.kinds.pop(name, None)
    inner.frozen |= {name}
    body = [line for line in block(inner, rng.choice((0, 1, 2))) if line != "pass"]
    item = scope.rng.choice((FLOAT, FLOAT, array(scope.n)))
    body.append(f"{name}.append({tamed(inner, item, 2)})")
    trips = rng.choice((1, 2, 3))
    target = scope.name(item)
    lines = [f"{name} = []", f"for _ in range({trips}):", *indented(body)]
    uses = [f"{target} = {name}.pop()", f"{target} = {name}[-1] * {name}[0]"]
    scope.bind(target, item)
    lines += rng.choice(([uses[0]], [uses[1]], _drain(scope, name, target, item)))
    return lines


def _drain(scope: Scope, name: str, target: str, item: Kind) -> Lines:
    start = "0.0" if item == FLOAT else f"np.zeros({item.dims[0]})"
    if scope.rng.random() < 0.5:
        return [
            f"{target} = {start}",
            f"while {name}:",
            f"    {target} = 0.5 * {target} + {name}.pop()",
        ]
    order = scope.rng.choice(("{}", "reversed({})"))
    return [
        f"{target} = {start}",
        f"for item in {order.format(name)}:",
        f"    {target} = np.sin({target}) + item * item",
    ]


def sum_begun_with_a_number(scope: Scope) -> Lines:
    """Begin a sum of arrays with a number: it becomes an array on the way, which other names get."""
    rng = scope.rng
    kind = rng.choice((array(scope.n), array(scope.n), FLOAT))
    name = scope.name(kind, fresh=True)
    inner = scope.inner("for")
    inner.frozen |= {name}
    body = [line for line in block(inner, rng.choice((0, 1))) if line != "pass"]
    body.append(f"{name} += {tamed(inner, kind, 2)}")
    scope.bind(name, kind)
    lines = [f"{name} = 0.0", f"for _ in range({rng.choice((1, 2, 3))}):"]
    if rng.random() < 0.5:
        return [*lines, *indented(body)]
    other = scope.name(kind, fresh=True)
    scope.bind(other, kind)
    return [*lines, *indented([*body, f"{other} = {name}{rng.choice(('', '.copy()', ' * 1.0'))}"])]


def leave(scope: Scope) -> Lines:
    """Leave a loop or the function early, under a test."""
    rng = scope.rng
    options: list[str] = []
    if scope.loops and "break" in scope.features:
        options += ["break"] * 3
    if scope.loops and scope.loops[-1] == "for" and "continue" in scope.features:
        options += ["continue"] * 2
    if scope.result is not None and "return" in scope.features and scope.depth:
        options += [f"return {expression(scope, scope.result, 1)}"]
    if not options:
        return []
    before = block(scope.inner(), 1) if rng.random() < 0.3 else []
    return [f"if {condition(scope)}:", *indented([*before, rng.choice(options)])]


def branch(scope: Scope) -> Lines:
    """Return an if statement; what both branches bind stays bound."""
    rng = scope.rng
    lines: Lines = []
    seen: list[Scope] = []
    tests = rng.choice((1, 1, 2))
    for k in range(tests):
        inner = scope.inner()
        lines += [f"{'elif' if k else 'if'} {condition(scope)}:"]
        lines += indented(block(inner, rng.choice((1, 1, 2))))
        seen.append(inner)
    if rng.random() < 0.6:
        inner = scope.inner()
        lines += ["else:", *indented(block(inner, rng.choice((1, 1, 2))))]
        seen.append(inner)
        _keep_common(scope, seen)
    return lines


def _keep_common(scope: Scope, seen: list[Scope]) -> None:
    for name, kind in seen[0].kinds.items():
        if name not in scope.kinds and all(each.kinds.get(name) == kind for each in seen):
            scope.bind(name, kind)


def for_range(scope: Scope) -> Lines:
    """Loop over a range with any step; the loop variable may live on."""
    rng = scope.rng
    n = scope.n
    some = scope.arrays(1) or [""]
    size = f"len({some[0]})" if some[0] and scope.kinds[some[0]].dims == (n,) else str(n)
    text, low, high = rng.choice(
        (
            (f"range({size})", 0, n - 1),
            (f"range({size})", 0, n - 1),
            (f"range(1, {size} - 1)", 1, n - 2),
            (f"range({size} - 1, 0, -1)", 1, n - 1),
            (f"range({size} - 2, -1, -1)", 0, n - 2),
            (f"range(0, {size}, 2)", 0, n - 1),
            (f"range(1, {n}, 3)", 1, n - 1),
            ("range(-1, -4, -1)", -3, -1),
            ("range(3)", 0, 2),
            ("range(2)", 0, 1),
            ("range(0)", 0, 0),
            ("range(2, 1)", 2, 2),
            ("reversed(range(3))", 0, 2),
        )
    )
    counter = rng.choice([x for x in ("i", "j", "k", "t", "_") if x not in scope.frozen])
    place = Index(counter, low, high)
    inner = scope.inner("for", place if counter != "_" else None)
    inner.frozen |= {counter}
    lines = [f"for {counter} in {text}:", *indented(block(inner, rng.choice((1, 2, 2, 3))))]
    if "after" in scope.features and counter != "_" and "(0)" not in text and "2, 1" not in text:
        scope.kinds[counter] = INT
        scope.indices = (*(x for x in scope.indices if x.text != counter), place)
    else:
        scope.indices = tuple(x for x in scope.indices if x.text != counter)
    return lines


def for_items(scope: Scope) -> Lines:
    """Loop over the elements of an array, the rows of a matrix, or both of two."""
    rng = scope.rng
    vectors, rows = scope.arrays(1), scope.arrays(2)
    inner = scope.inner("for")
    if rows and rng.random() < 0.4:
        name = rng.choice(rows)
        target = scope.name(array(scope.kinds[name].dims[1]), fresh=True)
        inner.bind(target, array(scope.kinds[name].dims[1]))
        head = f"for {target} in {name}:"
    elif vectors:
        name = rng.choice(vectors)
        target = scope.name(FLOAT, fresh=True)
        inner.bind(target, FLOAT)
        head = _item_head(scope, inner, name, target)
    else:
        return []
    if rng.random() < 0.8:
        inner.frozen |= {name}
    inner.frozen |= {target}
    return [head, *indented(block(inner, rng.choice((1, 2, 2))))]


def _item_head(scope: Scope, inner: Scope, name: str, target: str) -> str:
    rng = scope.rng
    draw = rng.random()
    size = scope.kinds[name].dims[0]
    if draw < 0.12 and "j" not in scope.frozen:
        inner.indices = (*inner.indices, Index("j", 0, size - 1))
        inner.frozen |= {"j"}
        return f"for j, {target} in enumerate({name}):"
    same = [x for x in scope.of(array(size)) if x != name]
    if draw < 0.24 and same:
        inner.bind("pair", FLOAT)
        inner.frozen |= {"pair"}
        return f"for {target}, pair in zip({name}, {rng.choice(same)}):"
    return f"for {target} in {rng.choice((name, name, name + '[1:]', name + '[::-1]'))}:"


def while_counter(scope: Scope) -> Lines:
    """Return a while loop that counts, with the step at its top or at its end."""
    rng = scope.rng
    counter = rng.choice([x for x in ("k", "m", "t", "step") if x not in scope.frozen] or ["kk"])
    trips = rng.choice((0, 1, 2, 3, 4))
    top = rng.random() < 0.5
    place = Index(counter, 1 if top else 0, max(trips if top else trips - 1, 1))
    inner = scope.inner("for" if top else "while", place)
    inner.frozen |= {counter}
    test = f"{counter} < {trips}"
    if rng.random() < 0.3:
        test += f" and {floating(scope, 1)} > -0.5"
    body = block(inner, rng.choice((1, 2)))
    step = [f"{counter} += 1"]
    body = step + body if top else body + step
    scope.bind(counter, INT)
    scope.indices = tuple(x for x in scope.indices if x.text != counter)
    return [f"{counter} = 0", f"while {test}:", *indented(body)]


def while_data(scope: Scope) -> Lines:
    """Return a while loop whose trips depend on the data."""
    rng = scope.rng
    name = scope.name(FLOAT)
    start = floating(scope, 1)
    scope.bind(name, FLOAT)
    inner = scope.inner("while")
    inner.frozen |= {name}
    body = block(inner, rng.choice((0, 1, 2)))
    shrink = rng.choice(("{x} = 0.6 * {x}", "{x} *= 0.5", "{x} = {x} - 0.45", "{x} = {x} / 2.0"))
    body.insert(rng.choice((0, len(body))), shrink.format(x=name))
    if rng.random() < 0.3 and "break" in scope.features:
        body.insert(0, f"if {name} < 0.8:\n        break")
    lines = [f"{name} = 2.0 + np.sin({start})", f"while {name} > {rng.choice((0.31, 0.77, 5.0))}:"]
    flat = [part for line in body if line != "pass" for part in line.split("\n        ")]
    if "break" in flat:
        at = flat.index("break")
        flat[at] = "    break" if flat[at - 1].startswith(f"if {name} < 0.8") else flat[at]
    return lines + indented(flat)


def list_of_arrays(scope: Scope) -> Lines:
    """Loop over a list display of arrays or of pairs."""
    rng = scope.rng
    known = scope.of(array(scope.n))
    if not known:
        return []
    inner = scope.inner("for")
    target = scope.name(array(scope.n), fresh=True)
    inner.bind(target, array(scope.n))
    inner.frozen |= {target}
    items = [rng.choice(known) if rng.random() < 0.7 else vector(scope, scope.n, 1) for _ in "ab"]
    head = f"for {target} in {rng.choice(('[{}, {}]', '({}, {})')).format(*items)}:"
    return [head, *indented(block(inner, rng.choice((1, 2))))]


_OPTIONAL: tuple[tuple[str, int, Maker], ...] = (
    ("copies", 2, copy_array),
    ("views", 2, alias_array),
    ("buffers", 2, buffer),
    ("remarks", 1, remark),
    ("break", 2, leave),
    ("continue", 2, leave),
    ("return", 2, leave),
    *PLACES,
)
_COMPOUND: tuple[tuple[str, int, Maker], ...] = (
    ("if", 5, branch),
    ("for", 6, for_range),
    ("items", 3, for_items),
    ("while", 3, while_counter),
    ("datawhile", 2, while_data),
    ("lists", 2, with_list),
    ("pingpong", 2, ping_pong),
    ("displays", 1, list_of_arrays),
    ("sums", 2, sum_begun_with_a_number),
    ("tables", 2, changed_table),
    ("late", 1, seen_late),
    ("shrinking", 1, shrinking_list),
    *GRIDS,
    *HOLDERS,
    *LEAVING,
    *MADE,
)
FEATURES = tuple(
    dict.fromkeys(
        [name for name, _, _ in (*_OPTIONAL, *_COMPOUND)]
        + ["writes", "slices", "tests", "ifexp", "after", "constants", "helpers", "matrices"]
    )
)


def mutating_body(scope: Scope, target: str) -> Lines:
    """Return a block that certainly writes to an array."""
    scope.features |= {"writes", "slices"}
    op = scope.rng.choice(("=", "+=", "*="))
    first = f"{target}[{index(scope, scope.n)}] {op} {floating(scope, 1)}"
    return [first, *block(scope, scope.rng.choice((0, 1, 2)))]


def result_of(scope: Scope, kind: Kind) -> str:
    """Return an expression that depends on many of the names that are left."""
    rng = scope.rng
    if kind != FLOAT:
        known = scope.of(kind)
        return rng.choice(known) if known and rng.random() < 0.6 else vector(scope, kind.dims[0], 2)
    parts = [name if rng.random() < 0.6 else f"np.sin({name})" for name in scope.of(FLOAT)]
    for name in scope.arrays(1) + scope.arrays(2):
        parts.append(
            rng.choice((f"np.sum({name})", f"0.5 * np.sum({name} ** 2)", f"np.mean({name})"))
        )
    rng.shuffle(parts)
    used = parts[: rng.choice((1, 2, 3, 5))] or [floating(scope, 1)]
    text = " + ".join(used)
    return text if rng.random() < 0.7 else f"0.5 * np.sin({text})"
