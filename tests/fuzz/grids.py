"""Statements about lists of lists: elements written by two subscripts, rows that have names, tables."""

from __future__ import annotations

from tests.fuzz.expressions import floating, tamed
from tests.fuzz.holders import new_float, own_name
from tests.fuzz.scope import FLOAT, Scope
from tests.fuzz.simple import Lines, Maker, indented


def _grid(scope: Scope, name: str) -> tuple[Lines, int, int]:
    """Return lines that make a list of rows, and how many there are, and how long they are."""
    rng = scope.rng
    rows, columns = rng.choice((2, 3)), rng.choice((2, 3))
    shown = ", ".join(
        f"[{', '.join(floating(scope, 1) for _ in range(columns))}]" for _ in range(rows)
    )
    v = floating(scope, 1)
    made = (
        f"{name} = [{shown}]",
        f"{name} = [[0.1] * {columns} for _ in range({rows})]",
        f"{name} = [[{v} * (r0 + k0) for k0 in range({columns})] for r0 in range({rows})]",
        f"{name} = []\nfor r0 in range({rows}):\n    {name}.append([{v}] * {columns})",
    )
    return rng.choice(made).split("\n"), rows, columns


def _element(scope: Scope, name: str, rows: int, columns: int) -> str:
    rng = scope.rng
    return f"{name}[{rng.randrange(-rows, rows)}][{rng.randrange(-columns, columns)}]"


def written_grid(scope: Scope) -> Lines:
    """Write elements one by one, by the names of rows, in exchange, and by whole rows."""
    rng = scope.rng
    name, row = own_name(scope, "grid"), own_name(scope, "line")
    lines, rows, columns = _grid(scope, name)

    def at() -> str:
        return _element(scope, name, rows, columns)

    op = rng.choice(("=", "+=", "-=", "*="))
    writes = (
        f"{at()} {op} {tamed(scope, FLOAT, 1)}",
        f"{at()} = {at()} * {at()}",
        f"{at()} += np.sin({at()})",
        f"{at()}, {at()} = {at()}, {at()}",
        f"{row} = {name}[{rng.randrange(rows)}]\n{row}[0] += {at()}\n{at()} = {row}[-1] * {row}[0]",
        f"{row} = {name}[0]\n{at()} {op} {row}[1]\n{row}[1] = 0.5 * {row}[0]",
        f"{name}[0], {name}[-1] = {name}[-1], {name}[0]",
        f"{name}[0] = [{at()} for _ in range({columns})]",
        f"for {row} in {name}:\n    {row}[0] *= {floating(scope, 1)}\n    {row}[-1] += {row}[0]",
        f"{name} = [r0[:] for r0 in {name}]",
        f"if {at()} > 0.2:\n    {at()} = 0.5 * {at()}",
    )
    for write in rng.sample(writes, rng.choice((2, 3, 4))):
        lines += write.split("\n")
    target, start = new_float(scope)
    reads = (
        f"sum(sum(r0) for r0 in {name})",
        f"{at()} * {at()}",
        f"sum(r0[0] * r0[-1] for r0 in {name})",
        f"np.sum(np.array({name}) ** 2)",
        f"sum({name}[-1]) * {at()}",
    )
    return [*lines, *start, f"{target} = 0.2 * ({rng.choice(reads)})"]


def filled_table(scope: Scope) -> Lines:
    """Fill a table row by row of what stands above and before, as dynamic programming does."""
    rng = scope.rng
    name, i, j = own_name(scope, "best"), own_name(scope, "i"), own_name(scope, "j")
    n, m = rng.choice((2, 3)), rng.choice((2, 3))
    v, w = floating(scope, 1), floating(scope, 1)
    above, before = f"{name}[{i} - 1][{j}]", f"{name}[{i}][{j} - 1]"
    corner, here = f"{name}[{i} - 1][{j} - 1]", f"{name}[{i}][{j}]"
    step = rng.choice(
        (
            f"{here} = max({above}, {before} + {v})",
            f"{here} = 0.5 * {corner} * {w} + np.sin({above}) - {before} * {i}",
            f"{here} = {corner} + {v} if {above} > {before} else {w} * {here}",
            f"if {above} + 0.3 > {before}:\n    {here} = {above} * {w}\nelse:\n    {here} += {v}",
            f"{here} = {v} + {i}\nfor k0 in range({j}):\n    {here} += {name}[{i}][k0] * {above}",
            f"{above} *= {w}\nif {above} < -0.2:\n    break\n{here} = {above} ** 2 + {j}",
        )
    ).split("\n")
    start = rng.choice(("0.1", v))
    lines = [f"{name} = [[{start}] * {m + 1} for _ in range({n + 1})]"]
    lines += [f"for {i} in range(1, {n + 1}):", *indented([f"for {j} in range(1, {m + 1}):"])]
    lines += indented(indented(step))
    target, first = new_float(scope)
    use = rng.choice((f"{name}[-1][-1]", f"sum({name}[-1]) * {name}[1][1]", f"{name}[{n}][1]"))
    return [*lines, *first, f"{target} = 0.3 * {use}"]


GRIDS: tuple[tuple[str, int, Maker], ...] = (
    ("grids", 1, written_grid),
    ("filled", 1, filled_table),
)
