"""Random programs with views, second names, exchanges, stores in loops and branches.

    python -m tests.rooms.fuzz 0 1000 plain|more|lists

Each is differentiated by these rooms and compared with Richardson differences.
"""

import collections
import linecache
import random
import sys
import traceback
import warnings

import numpy as np

from s2sad.ir.errors import NotYet
from tests.rooms.derive import grad
from tests.rooms.differences import fresh, judge, jumps


class Gen:
    def __init__(self, seed, kind="plain"):
        self.kind = kind
        self.r = random.Random(seed)
        self.lines, self.depth, self.loop = [], 0, []
        self.vecs, self.mats, self.nums = ["u"], ["M"], ["c"]

    def put(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def pick(self, xs):
        return self.r.choice(xs)

    def idx(self):
        o = (
            ["0", "1", "2", "-1"]
            + list(self.loop) * 2
            + [f"{i} - 1" for i in self.loop]
            + [f"{i} + 1" for i in self.loop]
        )
        return self.pick(o)

    def num(self, d=0):
        k = self.r.randrange(9)
        if k < 2:
            return self.pick(self.nums)
        if k < 5:
            return f"{self.pick(self.vecs)}[{self.idx()}]"
        if k == 5:
            return f"{self.pick(self.mats)}[{self.idx()}, {self.idx()}]"
        if k == 6:
            return f"{self.r.randint(2, 9) / 10}"
        if d > 1:
            return self.pick(self.nums)
        if k == 7:
            return self.pick(
                [
                    f"np.sin({self.num(d + 1)})",
                    f"{self.num(d + 1)}**2",
                    f"np.sum({self.vec(d + 1)})",
                    f"{self.pick(self.vecs)} @ {self.pick(self.vecs)}",
                    f"np.sum({self.pick(self.mats)} * {self.pick(self.mats)})",
                ]
            )
        return f"({self.num(d + 1)} {self.pick('+-*')} {self.num(d + 1)})"

    def vec(self, d=0):
        k = self.r.randrange(9)
        if k < 3:
            return self.pick(self.vecs)
        if k == 3:
            return f"{self.pick(self.mats)}[{self.idx()}]"
        if k == 4:
            return f"{self.pick(self.mats)}[:, {self.idx()}]"
        if d > 1:
            return self.pick(self.vecs)
        if k == 5:
            return self.pick(
                [
                    f"np.sin({self.vec(d + 1)})",
                    f"np.tanh({self.vec(d + 1)})",
                    f"{self.pick(self.mats)} @ {self.vec(d + 1)}",
                    f"np.roll({self.vec(d + 1)}, 1)",
                    f"{self.vec(d + 1)}[::-1]",
                ]
            )
        if k == 6:
            return f"{self.num(d + 1)} * {self.vec(d + 1)}"
        return f"({self.vec(d + 1)} {self.pick('+-*')} {self.vec(d + 1)})"

    def mat(self, d=0):
        k = self.r.randrange(6)
        if k < 2:
            return self.pick(self.mats)
        if k == 2:
            return f"{self.pick(self.mats)}.T"
        if k == 3:
            return f"np.outer({self.vec(2)}, {self.vec(2)})"
        if k == 4:
            return f"np.sin({self.pick(self.mats)})"
        return f"({self.pick(self.mats)} {self.pick('+-*')} {self.pick([*self.mats, *self.vecs, *self.nums])})"

    def vecref(self):
        return self.pick(
            [self.pick(self.vecs)] * 3
            + [
                f"{self.pick(self.mats)}[{self.idx()}]",
                f"{self.pick(self.mats)}[:, {self.idx()}]",
                f"{self.pick(self.mats)}.T[{self.idx()}]",
                f"{self.pick(self.vecs)}[::-1]",
            ]
        )

    def block(self, n):
        for _ in range(n):
            self.statement()

    def statement(self):
        k = self.r.randrange(20)
        if self.kind == "more" and self.r.random() < 0.25:
            return self.more()
        if self.kind == "lists" and self.r.random() < 0.3:
            return self.list_statement()
        if k < 2:
            x = self.pick(["v", "w", "y", *self.vecs])
            self.put(f"{x} = {self.vec()}")
            self.know(self.vecs, x)
        elif k < 4:
            x = self.pick(["v", "w", "y"])
            self.put(f"{x} = {self.vecref()}")
            self.know(self.vecs, x)
        elif k == 4:
            x = self.pick(["A", "B"])
            self.put(
                f"{x} = {self.pick([self.mat(), self.mat() + ' * 1.0', self.pick(self.mats), self.pick(self.mats) + '.T'])}"
            )
            self.know(self.mats, x)
        elif k == 5:
            x = self.pick(["a", "b", "c"])
            self.put(f"{x} = {self.num()}")
            self.know(self.nums, x)
        elif k < 9:
            self.put(
                f"{self.pick(self.vecs)}[{self.idx()}] {self.pick(['', '+', '-', '*'])}= 0.5 * {self.num()}"
            )
        elif k == 9:
            self.put(
                f"{self.pick(self.mats)}[{self.idx()}, {self.idx()}] {self.pick(['', '+', '*'])}= {self.num()}"
            )
        elif k == 10:
            self.put(
                f"{self.pick(self.mats)}[{self.idx()}] {self.pick(['', '+', '*'])}= 0.3 * {self.vec()}"
            )
        elif k == 11:
            self.put(
                f"{self.pick(self.vecs)} {self.pick('+-*')}= 0.4 * {self.pick([self.vec(), self.num()])}"
            )
        elif k == 12:
            a, b = self.pick(
                [("[1:]", "[:-1]"), ("[:-1]", "[1:]"), ("[1:-1]", "[2:]"), ("[:2]", "[-2:]")]
            )
            self.put(
                f"{self.pick(self.vecs)}{a} {self.pick(['', '+', '-', '*'])}= 0.5 * {self.pick(self.vecs)}{b}"
            )
        elif k == 13 and len(self.vecs) > 1:
            a, b = self.r.sample(self.vecs, 2)
            self.put(f"{a}, {b} = {b}, {a}")
        elif k == 14 and len(self.mats) > 1 and self.r.random() < 0.5:
            self.put("A, M = M, A" if "A" in self.mats else "B, M = M, B")
        elif k in (14, 15) and self.depth < 2:
            self.branch()
        elif k in (16, 17) and self.depth < 2:
            self.loop_()
        elif k == 18:
            self.put(f"{self.pick(self.nums)} {self.pick('+-*')}= 0.3 * {self.num()}")
        elif k == 19:
            x = self.pick(["v", "w"])
            self.put(f"{x} = {self.vec()} if {self.test()} else {self.vecref()}")
            self.know(self.vecs, x)
        else:
            self.statement()

    def list_statement(self):
        k = self.r.randrange(9)
        if not self.lists or k == 0:
            if self.lists or self.depth:
                return self.put(f"{self.pick(self.nums)} += 0.1 * {self.num()}")
            self.put(
                f"L = [{', '.join(self.pick([self.pick(self.vecs), self.vecref(), self.vec()]) for _ in range(3))}]"
            )
            self.put(f"xs = [{self.num()}, {self.num()}, {self.num()}]")
            self.lists = True
        elif k == 1:
            self.put(f"L.append({self.pick([self.vec(), self.vecref()])})")
        elif k == 2:
            self.put(f"xs.append({self.num()})")
        elif k == 3:
            self.put(
                f"L[{self.pick(['0', '1', '-1', *self.loop])}][{self.idx()}] {self.pick(['', '+', '*'])}= 0.5 * {self.num()}"
            )
        elif k == 4:
            self.put(
                f"L[{self.pick(['0', '1', '-1', *self.loop])}] = {self.pick([self.vec(), self.vecref()])}"
            )
        elif k == 5:
            self.put(
                f"xs[{self.pick(['0', '1', '-1', *self.loop])}] {self.pick(['', '+', '*'])}= {self.num()}"
            )
        elif k == 6:
            x = self.pick(["v", "w", "y"])
            self.put(f"{x} = L[{self.pick(['0', '1', '-1', *self.loop])}]")
            self.know(self.vecs, x)
        elif k == 7:
            self.put(
                f"{self.pick(self.nums)} += 0.2 * xs[{self.pick(['0', '1', '-1', *self.loop])}] * sum(xs)"
            )
        else:
            self.put(
                f"{self.pick(self.vecs)}[0] += 0.1 * np.sum(L[{self.pick(['0', '1', '-1', *self.loop])}])"
            )

    def more(self):
        k = self.r.randrange(6)
        x = self.pick(["v", "w", "y"])
        if k == 0:
            self.put(f"{x} = written({self.vecref()}, {self.num()})")
            self.know(self.vecs, x)
        elif k == 1:
            self.put(f"{x} = either({self.vecref()}, {self.vec()}, {self.num()})")
            self.know(self.vecs, x)
        elif k == 2:
            self.put(f"{x} = part({self.pick(self.mats)}, {self.num()})")
            self.know(self.vecs, x)
        elif k == 3 and self.depth < 2 and "k" not in self.loop:
            self.put("k = 0")
            self.put(f"while k < {self.pick(['2', '3'])}{self.pick(['', ' and ' + self.test()])}:")
            self.loop.append("k")

            def body():
                if self.r.random() < 0.5:
                    self.put("k += 1")
                    self.block(self.r.randint(1, 3))
                else:
                    self.block(self.r.randint(1, 3))
                    self.put("k += 1")

            self.scoped(body)
            self.loop.pop()
        elif k == 4 and self.loop and "k" not in self.loop[-1:]:
            self.put(f"if {self.test()}:")
            self.scoped(lambda: (self.block(1), self.put(self.pick(["break", "continue"]))))
        else:
            self.put(f"{self.pick(self.nums)} = several({self.num()}, {self.num()})")

    lists = False

    def test(self):
        return self.pick(
            [
                f"{self.num(2)} > 0.3",
                f"{self.num(2)} < {self.num(2)}",
                *[f"{i} > 0" for i in self.loop],
                *[f"{i} == 1" for i in self.loop],
            ]
        )

    def know(self, xs, x):
        if x not in xs:
            xs.append(x)

    def scoped(self, f):
        v, m, n = list(self.vecs), list(self.mats), list(self.nums)
        self.depth += 1
        f()
        self.depth -= 1
        self.vecs, self.mats, self.nums = v, m, n

    def branch(self):
        self.put(f"if {self.test()}:")
        self.scoped(lambda: self.block(self.r.randint(1, 3)))
        if self.r.random() < 0.6:
            self.put("else:")
            self.scoped(lambda: self.block(self.r.randint(1, 3)))

    def loop_(self):
        i = "ij"[len(self.loop)]
        if i in self.loop:
            return
        self.put(f"for {i} in range({self.pick(['1, 3', '3', '2', '2', 'len(u) - 2'])}):")
        self.loop.append(i)
        self.scoped(lambda: self.block(self.r.randint(1, 4)))
        self.loop.pop()

    def program(self):
        own = self.r.random()
        if own < 0.5:
            self.put("u = u * 1.0")
        if own > 0.3:
            self.put("M = M.copy()")
        self.block(self.r.randint(4, 9))
        self.put(
            f"return np.sum({self.pick(self.vecs)} * {self.pick(self.vecs)}) + np.sum({self.pick(self.mats)} * {self.pick(self.mats)}) + {self.pick(self.nums)} * {self.num()}"
            + (" + sum(xs) * np.sum(L[0] * L[-1])" if self.lists else "")
        )
        return "def f(u, M, c):\n" + "\n".join(self.lines) + "\n"


GENERATORS: dict = {}  # of other kinds of programs
HELPERS: dict = {}


def made(seed, kind="plain"):
    text = GENERATORS.get(kind, Gen)(seed, kind).program()
    own = {"written": written, "either": either, "part": part, "several": several}
    space = {"np": np, **own, **HELPERS}
    name = f"<fuzz{seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    return space["f"], text


def written(p, s):
    p[0] *= s
    p[1:] += 0.3 * p[:-1]
    return p


def either(p, q, s):
    if s > 0.4:
        return p
    q = q * s
    q[1] = p[0]
    return q


def part(P, s):
    P[1] *= s
    row = P[1]
    return row[::-1]


def several(a, b):
    if a > b:
        return a * b
    t = a - 0.2 * b
    return t * t


rng = np.random.default_rng(5)
ARGS = (rng.uniform(0.2, 0.9, 4), rng.uniform(0.2, 0.9, (4, 4)), 0.7123)


def is_unfit(f):
    """Tell whether a program raises, or gives what differences cannot judge."""
    try:
        y = f(*fresh(ARGS))
    except Exception:
        return True
    return not np.isfinite(y) or abs(y) > 1e4 or jumps(f, ARGS)


def verdict(seed, kind):
    """Return right, wrong, not yet, raises or unfit for the program of a seed, and why."""
    f, _ = made(seed, kind)
    if is_unfit(f):
        return "unfit", ""
    try:
        run = grad(f, ARGS)
    except NotYet as error:
        return "not yet", error.reason
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return "crash", f"{type(error).__name__}: {error} {place.name}:{place.lineno}"
    try:
        run.checked(*fresh(ARGS))
        return judge(f, ARGS, (0, 1, 2), run)
    except Exception as error:
        return "raises", f"{type(error).__name__}: {error}"


def main(first, last, kind):
    """Print what is not right among the programs of some seeds."""
    warnings.filterwarnings("ignore")
    tally, reasons = collections.Counter(), collections.Counter()
    for seed in range(first, last):
        found, why = verdict(seed, kind)
        tally[found] += 1
        if found == "not yet":
            reasons[why[:60]] += 1
        elif found not in ("right", "unfit"):
            print(seed, found, why, flush=True)
    print(dict(tally), reasons.most_common(8))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "plain")
