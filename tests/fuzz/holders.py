"""Statements about lists and dicts that change: under their own loop, by keys that are computed."""

from __future__ import annotations

from tests.fuzz.expressions import condition, floating, index, tamed
from tests.fuzz.scope import FLOAT, Scope, array
from tests.fuzz.simple import Lines, Maker, indented


def own_name(scope: Scope, stem: str) -> str:
    """Return a name that no pool holds."""
    return f"{stem}{len(scope.kinds)}"


def new_float(scope: Scope, start: str = "0.1") -> tuple[str, Lines]:
    """Return a new scalar and the line that gives it its first value."""
    name = scope.name(FLOAT, fresh=True)
    scope.bind(name, FLOAT)
    return name, [f"{name} = {start}"]


def moving_list(scope: Scope) -> Lines:
    """Go through a list that gets longer or shorter on the way."""
    rng = scope.rng
    name, item = own_name(scope, "moved"), own_name(scope, "each")
    items = ", ".join(floating(scope, 1) for _ in range(rng.choice((2, 3))))
    total, start = new_float(scope)
    change = rng.choice(
        (
            f"if len({name}) < 5:\n    {name}.append({item} * {floating(scope, 0)})",
            f"if len({name}) > 2:\n    {name}.pop()",
            f"if len({name}) > 2:\n    del {name}[0]",
            f"if len({name}) < 5:\n    {name}.insert({rng.choice((0, 1, 9))}, 0.5 * {item})",
            f"if {item} > 0.3:\n    {name}.pop({rng.choice(('0', '-1', ''))})",
        )
    )
    use = f"{total} = 0.5 * {total} + np.sin({item}) * {tamed(scope, FLOAT, 1)}"
    body = [use, *change.split("\n")] if rng.random() < 0.5 else [*change.split("\n"), use]
    head = f"for {item} in {rng.choice(('{}', '{}', 'reversed({})', '{}[:]', 'list({})'))}:"
    lines = [*start, f"{name} = [{items}]", head.format(name), *indented(body)]
    return [*lines, f"{total} += len({name}) * 0.1 * {floating(scope, 0)}"]


def edited_list(scope: Scope) -> Lines:
    """Change a list item by item, by slices, and read it back."""
    rng = scope.rng
    name = own_name(scope, "row")
    x, y, z = (floating(scope, 1) for _ in range(3))
    edits = (
        f"{name}[0], {name}[-1] = {name}[-1], {name}[0]",
        f"{name}[1:] = [{y}, 0.5 * {name}[0]]",
        f"{name}.insert(1, {z})",
        f"{name} = [0.5 * e + {y} for e in {name}]",
        f"{name} += [{z}, {name}[0] * {name}[-1]]",
        f"{name}.extend(e * e for e in {name}[:2])",
        f"{name}[-1] *= {y}",
        f"{name}.reverse()",
        f"{name} = {name}[::-1] + [{x}]",
        f"{name} = sorted({name})",
        f"del {name}[1:2]",
        f"{name}.append({name}.pop(0))",
    )
    lines = [f"{name} = [{x}, {y}, {z}]", *rng.sample(edits, rng.choice((1, 2, 3)))]
    results = (
        f"sum({name})",
        f"sum(e * k for k, e in enumerate({name}))",
        f"{name}[0] * {name}[-1]",
        f"np.sum(np.array({name}) ** 2)",
        f"max({name}) - {name}[1] * min({name})",
        f"sum(a * b for a, b in zip({name}, {name}[1:]))",
    )
    target, _ = new_float(scope)
    return [*lines, f"{target} = {rng.choice(results)}"]


def keyed_dict(scope: Scope) -> Lines:
    """Fill and update a dict by keys that are computed."""
    rng = scope.rng
    name, count = own_name(scope, "table"), own_name(scope, "q")
    first, second, third = (floating(scope, 1) for _ in range(3))
    total, start = new_float(scope)
    inner = scope.inner("for")
    key = rng.choice((f"{count} % 2", f"({count} + 1) % 2", f"{count} // 2"))
    value = tamed(inner, FLOAT, 1)
    change = rng.choice(
        (
            f"{name}[{key}] = {name}[{key}] * {value}",
            f"{name}[{key}] += {value}",
            f"{name}[{key}], {name}['last'] = {name}['last'], {name}[{key}] + {value}",
            f"{name}['last'] = {value}\n{name}['last'] += {name}[{key}] * {second}",
        )
    )
    lines = [f"{name} = {{'last': {first}, 0: {second}, 1: {third}}}", *start]
    lines += [f"for {count} in range({rng.choice((1, 2, 3))}):", *indented(change.split("\n"))]
    if rng.random() < 0.3:
        lines += [f"if {rng.choice((0, 2))} in {name}:", f"    {name}[0] *= {value}"]
    reads = (
        f"{total} += sum({name}.values())",
        f"for key, got in {name}.items():\n    {total} += np.sin(got) * len(str(key))",
        f"{total} += {name}.pop('last') * len({name})",
        f"for key in sorted({name}, key=str):\n    {total} = 0.5 * {total} + {name}[key]",
        f"{total} += {{**{name}, 0: {first}}}[0] * {name}['last']",
    )
    return [*lines, *rng.choice(reads).split("\n")]


def dict_of_arrays(scope: Scope) -> Lines:
    """Keep arrays in a dict and write to them there, and by the names that they have outside."""
    rng = scope.rng
    known = scope.writable(scope.of(array(scope.n)))
    if not known or "writes" not in scope.features:
        return []
    source, name = rng.choice(known), own_name(scope, "state")
    held = f"{source}{rng.choice(('', '.copy()', '.copy()', '.copy()', ' * 1.0', ' * 0.5'))}"
    at = index(scope, scope.n)
    lines = [f"{name} = {{'p': {held}, 'q': {floating(scope, 1)}}}"]
    writes = (
        f"{name}['p'][{at}] {rng.choice(('=', '+=', '*='))} {tamed(scope, FLOAT, 1)}",
        f"{name}['p'] = {name}['p'] * {name}['q']",
        f"{name}['p'] += {name}['q']",
        f"{name}['q'] += {name}['p'][{at}]",
        f"{name}.update(q={tamed(scope, FLOAT, 1)})",
    )
    lines += rng.sample(writes, rng.choice((1, 2, 3)))
    target, _ = new_float(scope)
    return [*lines, f"{target} = 0.5 * np.sum({name}['p']) * {name}['q']"]


def records(scope: Scope) -> Lines:
    """Take tuples apart, with stars and inside each other."""
    rng = scope.rng
    name = own_name(scope, "pairs")
    parts = [f"({floating(scope, 1)}, {floating(scope, 1)})" for _ in range(rng.choice((2, 3)))]
    total, start = new_float(scope)
    test = condition(scope)
    uses = (
        f"for (p0, p1), k0 in zip({name}, range(9)):\n    {total} += p0 * p1 + k0 * p1",
        f"(p0, p1), *others = {name}\n{total} += p0 * p1 * len(others)\n{total} += others[0][1]",
        f"{total} += max({name})[1]",
        f"*_, (p0, p1) = {name}\nif {test}:\n    {total} += np.sin(p0) * p1",
        f"{total} += sum(a * b for a, b in {name} if a > b)",
        f"p0, p1 = zip(*{name})\n{total} += sum(p0) * p1[0]",
    )
    return [*start, f"{name} = [{', '.join(parts)}]", *rng.choice(uses).split("\n")]


HOLDERS: tuple[tuple[str, int, Maker], ...] = (
    ("moving", 1, moving_list),
    ("edited", 1, edited_list),
    ("keyed", 1, keyed_dict),
    ("held", 1, dict_of_arrays),
    ("records", 1, records),
)
