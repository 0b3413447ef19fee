"""Random long lines: what the layout of texts makes of them, against what black makes of them.

python -m tests.rooms.lines 0 1000
"""

import random
import sys

import black

from s2sad.emit.layout import wrap

NAMES = "x y_bar total velocity flux_term_bar A m_2 some_rather_long_name".split()
MODE = black.Mode(target_versions={black.TargetVersion.PY311})


class Gen:
    """Random expressions as the printer writes them."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def name(self):
        return self.r.choice(NAMES)

    def expr(self, depth):
        """Return an expression with how tightly it binds: 0 conditional ... 5 atom."""
        if depth <= 0:
            return self.r.choice([self.name(), self.name(), str(self.r.randint(0, 99)), "0.25"]), 5
        kind = self.r.choice(
            "sum sum product call call index attr tuple list cond cmp neg par comp dict lam star power".split()
        )
        return getattr(self, kind)(depth - 1)

    def at(self, depth, least):
        text, binds = self.expr(depth)
        return text if binds >= least else f"({text})"

    def sum(self, d):
        parts = [self.at(d, 3)] + [self.at(d, 4) for _ in range(self.r.randint(1, 3))]
        out = parts[0]
        for part in parts[1:]:
            out += f" {self.r.choice('+-')} {part}"
        return out, 3

    def product(self, d):
        return f" {self.r.choice(['*', '/', '@'])} ".join([self.at(d, 4), self.at(d, 5)]), 4

    def call(self, d):
        args = [self.at(d, 0) for _ in range(self.r.randint(0, 3))]
        if self.r.random() < 0.3:
            args.append(f"axis={self.at(0, 0)}")
        return (
            f"{self.r.choice(['np.sum', 'f', 'np.outer', 'some.function_name'])}({', '.join(args)})",
            5,
        )

    def index(self, d):
        parts = [
            self.r.choice([self.name(), "1:", ":-1", "0", "k"]) for _ in range(self.r.randint(1, 2))
        ]
        return f"{self.name()}[{', '.join(parts)}]", 5

    def attr(self, d):
        return f"{self.at(d, 5)}.{self.r.choice(['T', 'copy()', 'sum(axis=0)', 'shape'])}".replace(
            "0.25.", "x."
        ), 5

    def tuple(self, d):
        return f"({', '.join(self.at(d, 0) for _ in range(self.r.randint(2, 4)))})", 5

    def list(self, d):
        return f"[{', '.join(self.at(d, 0) for _ in range(self.r.randint(1, 4)))}]", 5

    def cond(self, d):
        return f"{self.at(d, 1)} if {self.at(d, 1)} else {self.at(d, 0)}", 0

    def cmp(self, d):
        return (
            f"{self.at(d, 3)} {self.r.choice(['<', '==', 'in', 'not in', 'is not'])} {self.at(d, 3)}",
            2,
        )

    def neg(self, d):
        return f"-{self.at(d, 5)}", 4

    def par(self, d):
        return f" {self.r.choice(['and', 'or'])} ".join([self.at(d, 2), self.at(d, 2)]), 1

    def comp(self, d):
        return f"[{self.at(d, 0)} for k in {self.at(d, 1)} if {self.at(d, 1)}]", 5

    def dict(self, d):
        items = [f'"{self.name()}": {self.at(d, 0)}' for _ in range(self.r.randint(1, 3))]
        return f"{{{', '.join(items)}}}", 5

    def lam(self, d):
        return f"f(lambda {self.name()}: {self.at(d, 0)})", 5

    def star(self, d):
        return f"np.array([*{self.at(d, 5)}, {self.at(d, 0)}], **{self.name()})", 5

    def power(self, d):
        if self.r.random() < 0.6:
            return f"{self.name()}**{self.r.choice(['2', '3', '-1', 'n'])}", 4
        return f"{self.at(d, 5)} ** {self.call(d)[0]}", 4

    def heading(self):
        names = [
            f"{name}_{k}" for k, name in enumerate(self.r.choices(NAMES, k=self.r.randint(1, 9)))
        ]
        return f"def {self.name()}_grad({', '.join(names)}, last=0.25):"

    def statement(self):
        d = self.r.randint(2, 4)
        e = self.at(d, 0)
        kind = self.r.randrange(11)
        if kind == 8:
            return f'raise ValueError("made for {self.name()} of {self.name()}", {e})'
        if kind == 9:
            return f"while not {self.at(d, 2)}:"
        if kind == 10:
            return self.heading()
        if kind == 0:
            more = [self.at(d - 1, 0) for _ in range(self.r.randint(0, 2))]
            return f"return {', '.join([e, *more])}"
        if kind == 1:
            return f"if {e}:"
        if kind == 2:
            return f"{self.name()} {self.r.choice('+-*')}= {e}"
        if kind == 3:
            return f"{self.index(0)[0]} = {e}"
        if kind == 4:
            return f"{self.name()}, {self.name()} = {e}"
        if kind == 5:
            return f"{self.name()}.append({e})"
        if kind == 6:
            return f"for {self.name()} in {e}:"
        return f"{self.name()} = {e}"


def compared(seed):
    """Return a statement with both layouts; None where it is short or no Python."""
    gen = Gen(seed)
    line = gen.statement()
    # black leaves a line empty above a function inside of another
    depth = 0 if line.startswith("def") else gen.r.randint(1, 2)
    if 4 * depth + len(line) <= 88:
        return None
    head = ["", "def f():\n", "def f():\n    if x:\n"][depth]
    rest = "\n" + "    " * (depth + 1) + "pass" if line.endswith(":") else ""
    source = head + "    " * depth + line + rest + "\n"
    try:
        expected = black.format_str(source, mode=MODE)
    except Exception:
        return None
    ours = head + "\n".join(wrap(line, 4 * depth)) + rest + "\n"
    try:
        again = black.format_str(ours, mode=MODE)
    except Exception as error:
        again = str(error)
    return line, expected, ours, again


if __name__ == "__main__":
    same = stable = count = 0
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        found = compared(seed)
        if found is None:
            continue
        count += 1
        line, expected, ours, again = found
        same += expected == ours
        stable += again == ours
        if again != ours and count - stable < 4:
            print(line, expected, ours, sep="\n")
    print(count, "long lines,", same, "as black,", stable, "stable")
