"""Loops over everything that can be gone through, left in every way, within each other.

it = zip(positive(u), [x, 0.5])
for a, b in it:
    s = s + a * b
    if s > 0.6:
        break
else:
    s = s * x
"""

from __future__ import annotations

from tests.fuzz.expressions import floating
from tests.fuzz.holders import new_float, own_name
from tests.fuzz.scope import Scope, array
from tests.fuzz.simple import Lines, indented

DEEPEST = 3
GENERATORS = """
def {0}(t):
    for v in t:
        if v > 0.2:
            yield v * v

def {1}(t, n):
    for c in range(n):
        yield t * (c + 1)
        t = np.sin(t)

def {2}(v):
    if v > 0.5:
        return v * v
    return np.sin(v)
"""


class Ways:
    """Writes the statements of one such loop; all of them change one total."""

    def __init__(self, scope: Scope) -> None:
        self.rng = scope.rng
        self.total, self.start = new_float(scope, floating(scope, 1))
        self.x = floating(scope, 0)
        names = scope.of(array(scope.n))
        self.row = self.rng.choice(names) if names else f"[{self.x}, 0.3, 0.8]"
        self.positive, self.waves, self.bent = (
            own_name(scope, stem) for stem in ("positive", "waves", "bent")
        )
        self.count = 0

    def helpers(self) -> Lines:
        """Return the generators that are gone through."""
        made = GENERATORS.format(self.positive, self.waves, self.bent)
        return [line for line in made.split("\n") if line]

    def name(self, stem: str) -> str:
        """Return a name of its own."""
        self.count += 1
        return f"{stem}_{self.count}"

    def over(self, plain: bool = False) -> str:
        """Return what is gone through: plainly one, or several at once."""
        row, x = self.row, self.x
        choices = [row, f"{row}[1:]", f"[{x}, 0.5]", "[]", f"({x}, 0.3)", f"{self.positive}({row})"]
        choices += [f"{self.waves}({x}, {self.rng.choice((0, 1, 3))})", f"(0.5 * z for z in {row})"]
        choices += [f"(z * {x} for z in {row} if z > 0)", f"map({self.bent}, {row})"]
        choices += [f"reversed({row})", f"iter({row})", f"map(np.sin, {row})"]
        if not plain:
            choices += [f"zip({self.over(True)}, {self.over(True)})"] * 4
            choices += [f"enumerate({self.over(True)})"] * 3
        return self.rng.choice(choices)

    def loop(self, depth: int, values: list[str]) -> Lines:
        """Return a loop, of which some have an else."""
        rng, over, before = self.rng, self.over(), []
        target = value = self.name("a")
        if over.startswith(("zip(", "enumerate(")):
            other = self.name("b")
            target, value = f"{target}, {other}", f"{target} * {other}"
        if rng.random() < 0.15:
            kept = self.name("it")
            before, over = [f"{kept} = iter({over})"], kept
        head = f"for {target} in {over}:"
        if rng.random() < 0.12:
            count = self.name("k")
            before, value = [f"{count} = 0"], f"(0.1 * {count})"
            head = f"while {count} < {rng.choice((0, 2, 3))}:"
            first = [f"    {count} += 1"]
        else:
            first = []
        body = indented(self.statements(depth, True, [*values, value, value]))
        lines = [*before, head, *first, *body]
        if rng.random() < 0.4:
            lines += ["else:", *indented(self.statements(depth + 1, False, values))]
        return lines

    def statements(self, depth: int, is_inside: bool, values: list[str]) -> Lines:
        """Return one or two statements, which may leave the loop around them."""
        made: Lines = []
        for _ in range(self.rng.choice((1, 1, 2))):
            made += self.statement(depth, is_inside, self.rng.choice(values), values)
        return made

    def statement(self, depth: int, is_inside: bool, value: str, values: list[str]) -> Lines:
        """Return a statement."""
        rng, s, draw = self.rng, self.total, self.rng.random()
        limit = rng.choice(("0.2", "0.6", "1.4", "30.0", "-9.0"))
        if depth > DEEPEST or draw < 0.45:
            factor = rng.choice((self.x, "0.5", f"np.sin({s})"))
            return [f"{s} = 0.7 * {s} + np.tanh({value}) * {factor}"]
        if draw < 0.62 and is_inside:
            return [f"if {rng.choice((s, value))} > {limit}:", f"    {self.word()}"]
        if draw < 0.75:
            lines = [f"if {s} > {limit}:", *indented(self.statements(depth + 1, is_inside, values))]
            other = indented(self.statements(depth + 1, is_inside, values))
            return [*lines, "else:", *other] if rng.random() < 0.4 else lines
        if draw < 0.93:
            return self.loop(depth + 1, values)
        body = indented(self.statements(depth + 1, is_inside, values))
        return ["try:", *body, "finally:", f"    {s} = {s} + 0.1 * np.tanh({value})"]

    def word(self) -> str:
        """Return what leaves a loop, or a pass of it."""
        return self.rng.choice(("break", "break", "continue"))


def ways_through(scope: Scope) -> Lines:
    """Go through something, and leave it on some way."""
    if scope.loops:
        return []  # generators that are made anew in every pass are refused
    ways = Ways(scope)
    return [*ways.start, *ways.helpers(), *ways.loop(0, [ways.x])]
