"""Statements that write by strides, positions and masks, through views of views and into buffers."""

from __future__ import annotations

from tests.fuzz.expressions import floating, index, tamed, vector
from tests.fuzz.holders import own_name
from tests.fuzz.scope import FLOAT, Scope, array
from tests.fuzz.simple import Lines, Maker, indented


def _owned(scope: Scope) -> tuple[str, Lines]:
    """Return an array to write to: mostly a copy of one, sometimes one that others see."""
    rng = scope.rng
    known = scope.writable(scope.of(array(scope.n)))
    if known and rng.random() < 0.4:
        return rng.choice(known), []
    source = vector(scope, scope.n, 1)
    name = scope.name(array(scope.n), fresh=True)
    scope.bind(name, array(scope.n))
    return name, [f"{name} = 1.0 * ({source})"]


def _positions(scope: Scope, count: int) -> str:
    rng = scope.rng
    places = [rng.randrange(-scope.n, scope.n) for _ in range(count)]
    if rng.random() < 0.5:
        places[0] = places[-1]
    return f"[{', '.join(map(str, places))}]"


def write_positions(scope: Scope) -> Lines:
    """Write to positions, some of them twice, or where a mask holds."""
    rng = scope.rng
    name, lines = _owned(scope)
    n, count = scope.n, rng.choice((2, 3))
    places = _positions(scope, count)
    if rng.random() < 0.4:
        array_of, places = places, own_name(scope, "at")
        lines = [*lines, f"{places} = np.array({array_of})"]
    value = vector(scope, count, 1) if rng.random() < 0.5 else floating(scope, 1)
    mask = f"{name} > {rng.choice(('0.1', '-0.3', '2.5'))}"
    whole = vector(scope, n, 1)
    writes = (
        f"{name}[{places}] {rng.choice(('=', '+=', '*='))} {value}",
        f"np.add.at({name}, {places}, {value})",
        f"{name}[{mask}] {rng.choice(('=', '+=', '*='))} {floating(scope, 1)}",
        f"{name}[{mask}] = (1.0 * {whole})[{mask}]",
        f"{name}[{name} < 0.0] *= -0.5",
        f"np.subtract.at({name}, {places}, {value})",
        f"np.place({name}, {mask}, {floating(scope, 1)})",
    )
    return [*lines, *rng.sample(writes, rng.choice((1, 2)))]


def write_strides(scope: Scope) -> Lines:
    """Write every other element, backwards, and one half from the other."""
    rng = scope.rng
    name, lines = _owned(scope)
    n = scope.n
    i, j = index(scope, n), index(scope, n)
    half = n // 2
    op = rng.choice(("=", "+=", "*=", "-="))
    writes = (
        f"{name}[::2] {op} {vector(scope, (n + 1) // 2, 1)}",
        f"{name}[1::2] {op} {floating(scope, 1)}",
        f"{name}[::-2] {op} {name}[::2].copy()",
        f"{name}[:{half}] {op} {name}[-{half}:]",
        f"{name}[::-1][1:] {op} 0.5 * {name}[:-1]",
        f"{name}[-2:0:-1] {op} {tamed(scope, array(n - 2), 1)}",
        f"{name}[{i}], {name}[{j}] = {name}[{j}], {name}[{i}]",
        f"{name}[:{half}], {name}[-{half}:] = {name}[-{half}:].copy(), {name}[:{half}].copy()",
        f"{name}[[0, -1]] = {name}[[-1, 0]]",
        f"{name}[...] = {vector(scope, n, 1)}",
        f"{name}[:] = {name}[::-1]",
    )
    return [*lines, *rng.sample(writes, rng.choice((1, 2)))]


def write_views(scope: Scope) -> Lines:
    """Write through a view of a view, and read what it was taken of."""
    rng = scope.rng
    if "views" not in scope.features:
        return []
    name, lines = _owned(scope)
    one, two = own_name(scope, "seen"), own_name(scope, "far")
    views = rng.choice(
        (
            (f"{name}[1:]", f"{one}[::-1]"),
            (f"{name}[::2]", f"{one}[1:]"),
            (f"{name}[::-1]", f"{one}[:2]"),
            (f"{name}.reshape(-1, 1)", f"{one}[1:, 0]"),
            (f"{name}[None, :]", f"{one}[0, :-1]"),
            (f"np.reshape({name}, (1, {scope.n}))", f"{one}.T[1:, 0]"),
        )
    )
    value = floating(scope, 1)
    write = rng.choice(
        (f"{two}[0] = {value}", f"{two} *= {value}", f"{two}[-1] += {name}[0]", f"{two}[:] = 0.3")
    )
    made = [f"{one} = {views[0]}", f"{two} = {views[1]}"]
    if rng.random() < 0.3:
        return [*lines, *made, "for _ in range(2):", *indented([write])]
    return [*lines, *made, write]


def into_buffers(scope: Scope) -> Lines:
    """Give NumPy's functions the arrays that they write to."""
    rng = scope.rng
    name, lines = _owned(scope)
    n = scope.n
    a, b = vector(scope, n, 1), vector(scope, n, 1)
    mask = f"({a}) > {rng.choice(('0.0', '0.3'))}"
    calls = (
        f"np.multiply({name}, {a}, out={name})",
        f"np.add({a}, {b}, out={name})",
        f"np.sin({name}, out={name})",
        f"np.add({name}, {a}, out={name}, where={mask})",
        f"np.copyto({name}, {a})",
        f"np.copyto({name}, {a}, where={mask})",
        f"{name}.fill({floating(scope, 1)})",
        f"np.maximum({name}, {a}, out={name})",
        f"{name}.sort()",
        f"np.exp(-{name} ** 2, out={name})",
        f"np.multiply({name}[1:], {name}[:-1], out={name}[1:])",
    )
    return [*lines, *rng.sample(calls, rng.choice((1, 2)))]


def write_matrix(scope: Scope) -> Lines:
    """Write to a matrix through its transpose, its diagonal, a block and a row that is looped over."""
    rng = scope.rng
    known = scope.writable(scope.arrays(2))
    if not known or "writes" not in scope.features:
        return []
    name = rng.choice(known)
    rows, columns = scope.kinds[name].dims
    short, x = vector(scope, rows, 1), floating(scope, 1)
    row = own_name(scope, "line")
    writes = (
        f"{name}.T[{index(scope, columns)}] {rng.choice(('=', '+='))} {short}",
        f"{name}.T[...] *= {x}",
        f"{name}[{index(scope, rows)}, ::2] *= {x}",
        f"{name}[1:, 1:] {rng.choice(('=', '+='))} {name}[:-1, :-1]",
        f"{name}[[0, 1]] = {name}[[1, 0]]",
        f"{name}[:, [0, -1]] += {x}",
        f"{name}[np.arange({rows}), np.arange({rows})] = {short}",
        f"for {row} in {name}:\n    {row} *= {x}",
        f"for {row} in {name}.T:\n    {row}[0] += {row}[1]",
        f"np.add.at({name}, ([0, 1, 0], [1, 1, 1]), {x})",
        f"{name}[{name} > 0.2] *= 0.5",
        f"{name}[..., -1] -= {short}",
    )
    return rng.choice(writes).split("\n")


def dead_branches(scope: Scope) -> Lines:
    """Choose by np.where where the other side is nan, and compute with arrays without axes."""
    rng = scope.rng
    known = scope.of(array(scope.n))
    if not known:
        return []
    name, x = rng.choice(known), floating(scope, 1)
    target = scope.name(FLOAT, fresh=True)
    scope.bind(target, FLOAT)
    safe = f"np.where({name} > 0.05, {name}, 1.0)"
    zero = own_name(scope, "point")
    options = (
        [f"{target} = np.sum(np.where({name} > 0.05, np.sqrt({safe}), 0.2 * {name}))"],
        [f"{target} = np.sum(np.log({safe}) * ({name} > 0.05))"],
        [f"{target} = np.sum(np.where({name} > 0.05, 1.0 / {safe}, {x}))"],
        [f"{zero} = np.array({x})", f"{target} = float({zero} * {zero}[()])"],
        [
            f"{zero} = np.asarray({x})",
            f"{zero} += 0.5",
            f"{target} = 1.0 * {zero}",
        ],
        [f"{target} = np.sum(np.power({safe}, {rng.choice((0.5, 1.5, -1))}))"],
        [
            f"{target} = np.sum(np.select([{name} > 0.4, {name} < -0.4], [{name} ** 2, -{name}], 0.5))"
        ],
    )
    return rng.choice(options)


def computed_places(scope: Scope) -> Lines:
    """Compute with whole numbers which elements are read and written."""
    rng = scope.rng
    name, lines = _owned(scope)
    n = scope.n
    at, count = own_name(scope, "place"), own_name(scope, "turn")
    step = rng.choice(
        (
            f"{at} = ({at} * 2 + {count}) % {n}",
            f"{at} = abs({at} - {rng.choice((1, 3))}) % {n}",
            f"{at} = ({at} + int({floating(scope, 0)} > 0.0)) % {n}",
            f"{at} = int(np.argmax({name}))",
            f"{at} = ({at} ^ 1) % {n}",
            f"{at} = divmod({at} + 3, {n})[1]",
        )
    )
    inner = scope.inner("for")
    write = (
        f"{name}[{at}] {rng.choice(('=', '+=', '*='))} {tamed(inner, FLOAT, 1)} * {name}[-{at} - 1]"
    )
    body = [step, write] if rng.random() < 0.5 else [write, step]
    return [
        *lines,
        f"{at} = {rng.randrange(n)}",
        f"for {count} in range({rng.choice((1, 2, 3))}):",
        *indented(body),
    ]


PLACES: tuple[tuple[str, int, Maker], ...] = (
    ("positions", 2, write_positions),
    ("strides", 2, write_strides),
    ("farviews", 1, write_views),
    ("into", 2, into_buffers),
    ("blocks", 2, write_matrix),
    ("dead", 1, dead_branches),
    ("places", 1, computed_places),
)
