"""Statements about functions and objects that a program makes: cells, generators, recursion, fields."""

from __future__ import annotations

from tests.fuzz.expressions import floating, index, tamed, vector
from tests.fuzz.holders import new_float, own_name
from tests.fuzz.scope import FLOAT, Scope, array
from tests.fuzz.simple import Lines, Maker, indented

# stands before the programs that make objects
CLASSES: Lines = [
    "class Body:",
    "    scale = 0.5",
    "",
    "    def __init__(self, x, v=0.3):",
    "        self.x = x",
    "        self.v = v",
    "        self.seen = []",
    "",
    "    def step(self, dt):",
    "        self.v = self.v - dt * np.sin(self.x)",
    "        self.x += dt * self.v",
    "        return self",
    "",
    "    def keep(self):",
    "        self.seen.append(self.x)",
    "        return len(self.seen)",
    "",
    "    @property",
    "    def energy(self):",
    "        return self.scale * np.sum(self.v**2) - np.sum(np.cos(self.x))",
    "",
    "    @staticmethod",
    "    def mixed(a, b=0.4):",
    "        return a * b - np.tanh(a)",
    "",
    "",
    "class Law:",
    "    k = 1.5",
    "    power = 2",
    "",
    "    def of(self, x):",
    "        return self.k * x**self.power",
    "",
    "    @property",
    "    def twice(self):",
    "        return 2.0 * self.k",
    "",
    "    @classmethod",
    "    def named(cls, x):",
    "        return cls.k * x",
    "",
    "",
    "class Cubic(Law):",
    "    k = -0.5",
    "    power = 3",
    "",
    "",
    "@dataclass",
    "class Pair:",
    "    a: float",
    "    b: float = 0.7",
    "",
    "    def __add__(self, other):",
    "        return Pair(self.a + other.a, self.b * other.b)",
    "",
    "",
]


def body_object(scope: Scope) -> Lines:
    """Make an object whose methods change its fields, with fields that locals share."""
    rng = scope.rng
    name = own_name(scope, "body")
    known = scope.of(array(scope.n))
    field = rng.choice((floating(scope, 1), rng.choice(known) if known else "0.4"))
    if field in known and rng.random() < 0.9:
        field += rng.choice((".copy()", " * 1.0"))
    given = rng.choice((f"{field}", f"{field}, {floating(scope, 1)}", f"x={field}"))
    if "views" not in scope.features and field in known:
        given = f"{field}.copy()"
    total, start = new_float(scope)
    steps = (
        f"{name}.step({floating(scope, 0)})",
        f"for _ in range({rng.choice((1, 2))}):\n    {name}.step(0.2)\n    {total} += {name}.energy",
        f"{total} += {name}.step(0.1).v if np.ndim({name}.v) == 0 else 0.0",
        f"{name}.v = {floating(scope, 1)}",
        f"{name}.v += 0.5 * np.sum({name}.x)",
        f"{name}.x = {name}.x * {name}.scale",
        f"{total} += {name}.keep() * 0.3 * {floating(scope, 0)}",
        f"{total} += np.sum({name}.mixed({name}.x))",
        f"other = {name}\nother.v = other.v * 0.5",
    )
    lines = [*start, f"{name} = Body({given})"]
    for step in rng.sample(steps, rng.choice((1, 2, 3))):
        lines += step.split("\n")
    return [*lines, f"{total} += {rng.choice(('{0}.energy', 'np.sum({0}.x)')).format(name)}"]


def pairs(scope: Scope) -> Lines:
    """Make dataclass objects, one of them under two names, and add them up."""
    rng = scope.rng
    name = own_name(scope, "pair")
    total, start = new_float(scope)
    x, y, z = (floating(scope, 1) for _ in range(3))
    uses = (
        f"{name} = {name} + Pair({z})",
        f"{name}.a *= {z}",
        f"{name}.a, {name}.b = {name}.b, {name}.a",
        f"same = {name}\nsame.b += {name}.a",
        f"for each in [{name}, Pair({z}, 0.2)]:\n    each.a += {total}\n    {total} += each.a * each.b",
        f"{name} = replace({name}, b={z})",
    )
    lines = [*start, f"{name} = Pair({rng.choice((f'{x}, {y}', f'{x}', f'b={y}, a={x}'))})"]
    for use in rng.sample(uses, rng.choice((1, 2))):
        lines += use.split("\n")
    return [*lines, f"{total} += {name}.a * np.cos({name}.b)"]


def counting_cell(scope: Scope) -> Lines:
    """Call an inner function that changes a name of the function around it."""
    rng = scope.rng
    name = own_name(scope, "advance")
    total, start = new_float(scope, floating(scope, 1))
    change = rng.choice(
        (f"{total} += t * t", f"{total} = np.sin({total}) * t", f"{total} *= 0.5 + t")
    )
    back = rng.choice(([], ["return t + 0.5"], [f"return {total}"]))
    made = [f"def {name}(t):", *indented([f"nonlocal {total}", change, *back])]
    call = f"{name}({floating(scope, 1)})"
    target, _ = new_float(scope) if back else (total, [])
    calls = [call] if not back else [f"{target} = 0.3 * {call}"]
    if not back and rng.random() < 0.5:
        calls = [f"for _ in range({rng.choice((1, 2, 3))}):", f"    {call}"]
    elif back and rng.random() < 0.4:
        calls = [f"{target} = {call}", f"{target} += {name}(0.3)"]
    return [*start, *made, *calls]


def generator(scope: Scope) -> Lines:
    """Go through what an inner generator yields, all at once."""
    rng = scope.rng
    name, count = own_name(scope, "values"), own_name(scope, "c")
    x, start = new_float(scope, floating(scope, 1))
    total, zero = new_float(scope)
    body = [f"for {count} in range(n):", f"    yield {rng.choice(('t', 't * t', f't + {count}'))}"]
    body += [f"    t = {rng.choice(('np.sin(t)', '0.5 * t + 0.2', f't * {x}'))}"]
    if rng.random() < 0.3:
        body += [f"    if {count} > 0 and t > 0.6:", "        return"]
    call = f"{name}({floating(scope, 1)}, {rng.choice((1, 2, 3))})"
    uses = (
        f"{total} = sum({call})",
        f"for got in {call}:\n    {total} = {total} * 0.5 + got",
        f"{total} = sum(a * b for a, b in enumerate({call}))",
        f"got = list({call})\n{total} = got[0] * got[-1]",
        f"first, *_ = {call}\n{total} += first",
        f"{total} = np.prod([1.0 + 0.1 * a for a in {call}])",
    )
    made = [f"def {name}(t, n):", *indented(body)]
    return [*start, *zero, *made, *rng.choice(uses).split("\n")]


def recursive(scope: Scope) -> Lines:
    """Call an inner function that calls itself."""
    rng = scope.rng
    if scope.loops:
        return []  # one that is made anew in every pass is refused
    name, start = own_name(scope, "again"), floating(scope, 1)
    total, _ = new_float(scope)
    step = rng.choice(
        (
            f"0.5 * t * {name}(np.sin(t), k - 1)",
            f"{name}(0.6 * t + 0.1, k - 1) + t",
            f"{name}(t * t, k - 1) - 0.5 * {name}(t, k - 2)",
        )
    )
    base = rng.choice(("t", "t * t", "1.0", "np.cos(t)"))
    made = [f"def {name}(t, k):", "    if k <= 0:", f"        return {base}", f"    return {step}"]
    return [*made, f"{total} = {name}({start}, {rng.choice((0, 1, 2, 3))})"]


def gathering(scope: Scope) -> Lines:
    """Call an inner function that takes any number of arguments, and functions."""
    rng = scope.rng
    name = own_name(scope, "take")
    a, b, c = (floating(scope, 1) for _ in range(3))
    total, _ = new_float(scope)
    made, call = rng.choice(
        (
            ([f"def {name}(*ts, power=2):", "    return sum(t**power for t in ts)"], f"{a}, {b}"),
            (
                [f"def {name}(t, *rest, **kw):", "    return t * len(rest) + kw.get('w', 0.5) * t"],
                f"{a}, {b}, w={c}",
            ),
            (
                [f"def {name}(t, s=0.4, *, k=0.5):", "    return t * s - k * np.sin(s)"],
                f"*({a}, {b})",
            ),
            ([f"def {name}(h, t):", "    return h(h(t)) + h(0.5)"], f"np.sin, {a}"),
            ([f"def {name}(h, t):", "    return h(t) * t"], f"lambda s: s * {b}, {a}"),
            ([f"def {name}(t, s):", "    return s, t * s"], f"{a}, {b}"),
            (
                [f"def {name}(p):", "    return p['a'] * p['b'][0]"],
                f"{{'a': {a}, 'b': ({b}, {c})}}",
            ),
        )
    )
    result = f"{name}({call})"
    if "return s, t" in made[1]:
        other, _ = new_float(scope)
        return [*made, f"{total}, {other} = {result}"]
    return [*made, f"{total} = {rng.choice((result, f'0.5 * {result} + {result}'))}"]


def writing_inner(scope: Scope) -> Lines:
    """Call an inner function that writes to an array of the function around it."""
    rng = scope.rng
    name, field = own_name(scope, "touch"), scope.name(array(scope.n), fresh=True)
    source = vector(scope, scope.n, 1)
    scope.bind(field, array(scope.n))
    inner = scope.inner()
    write = rng.choice(
        (
            f"{field}[{index(inner, scope.n)}] += t",
            f"{field}[1:] = t * {field}[:-1]",
            f"{field}[k] = {tamed(inner, FLOAT, 1)} * t",
        )
    )
    made = [f"{field} = 1.0 * ({source})", f"def {name}(t, k=1):", *indented([write])]
    calls = (
        [f"{name}({floating(scope, 1)})"],
        [f"for q in range({rng.choice((2, 3))}):", f"    {name}(0.3 * {floating(scope, 0)}, q)"],
        [f"{name}({field}[0], k=2)", f"{name}({floating(scope, 1)})"],
    )
    return [*made, *rng.choice(calls)]


def same_name_twice(scope: Scope) -> Lines:
    """Take a tuple apart into names, or elements, of which one stands there twice."""
    rng = scope.rng
    first, start = new_float(scope)
    second, other = new_float(scope)
    row = own_name(scope, "slots")
    x, y, z = (floating(scope, 1) for _ in range(3))
    made = rng.choice(([], [f"def {row}_of(t):", f"    return t, {x} * t, {y}"]))
    parts = f"{row}_of({z})" if made else f"({x}, {y}, {z})"
    uses = (
        f"{first}, {second}, {first} = {parts}",
        f"{first}, {second}, {second} = {parts}",
        f"({first}, {second}), {first} = {parts}[:2], {z}",
        f"{first}, *{row} = {parts}\n{first}, {first} = {row}",
        f"{row} = [{x}, {y}]\n{row}[0], {first}, {row}[0] = {parts}\n{second} = {row}[0] * {row}[1]",
        f"{row} = np.zeros(3)\n{row}[1], {row}[1], {first} = {parts}\n{second} = np.sum({row} ** 2)",
        f"for {first}, {second}, {first} in [{parts}, {parts}]:\n    {second} += {first}",
        f"{first} = {second} = {x}\n{second}, {first} = {first} * {y}, {second}",
    )
    return [*start, *other, *made, *rng.choice(uses).split("\n")]


def gone_through_twice(scope: Scope) -> Lines:
    """Go through an iterator, and again where it was left: it is empty, or gives what is left."""
    rng = scope.rng
    name, (total, start) = own_name(scope, "items"), new_float(scope)
    source = f"[{floating(scope, 1)}, {floating(scope, 1)}, {floating(scope, 1)}]"
    known = scope.of(array(scope.n))
    source = rng.choice(known) if known and rng.random() < 0.5 else source
    factor = floating(scope, 0)
    made = rng.choice(
        (
            f"(e * {factor} for e in {source})",
            f"map(lambda e: e * {factor}, {source})",
            f"iter({source})",
            f"reversed({source})",
            f"(e for e in {source} if e > 0.1)",
        )
    )
    uses = (
        f"{total} = sum({name}) + 0.5 * sum({name})",
        f"{total} = sum({name})\n{total} += len(list({name})) * {factor}",
        f"{total} = next({name}) * 0.5\n{total} += sum({name})",
        f"for e in {name}:\n    {total} += e\n    break\nfor e in {name}:\n    {total} += e * e",
        f"{total} = sum(a * b for a, b in zip({name}, {name}))",
        f"{total} = sum({name})\nfor e in {name}:\n    {total} *= e",
    )
    return [*start, f"{name} = {made}", *rng.choice(uses).split("\n")]


def class_attributes(scope: Scope) -> Lines:
    """Read what an object has of its class, and what hides it."""
    rng = scope.rng
    name, (total, start) = own_name(scope, "law"), new_float(scope)
    x, y = floating(scope, 1), floating(scope, 1)
    changes = (
        f"{name}.k = {x}",
        f"{name}.k *= {x}",
        f"{total} += {name}.of({y})",
        f"{total} += {name}.twice * {x}",
        f"{total} += type({name}).k * {y}",
        f"if {name}.power > 2:\n    {total} += {x}",
        f"{total} += getattr({name}, 'k') * {name}.named({y})",
        f"{total} += {y} if isinstance({name}, Cubic) else {name}.k",
        f"del {name}.k" if rng.random() < 0.1 else f"{name}.power = 1",
    )
    lines = [
        *start,
        f"{name} = {rng.choice(('Law()', 'Cubic()', f'Law() if {x} > 0.2 else Cubic()'))}",
    ]
    for change in rng.sample(changes, rng.choice((1, 2, 3))):
        lines += change.split("\n")
    return [*lines, f"{total} += {name}.of({x})"]


MADE: tuple[tuple[str, int, Maker], ...] = (
    ("repeated", 3, same_name_twice),
    ("exhausted", 3, gone_through_twice),
    ("laws", 3, class_attributes),
    ("objects", 2, body_object),
    ("pairs", 1, pairs),
    ("cells", 1, counting_cell),
    ("generators", 1, generator),
    ("recursion", 1, recursive),
    ("gathering", 1, gathering),
    ("touching", 1, writing_inner),
)
