"""Early exits become branches and flags: by text on small functions, by running on random ones."""

from __future__ import annotations

import ast
import random
from textwrap import dedent, indent
from typing import Any

import pytest

from tests.texts import plain, run, structured

CASES = {
    "return in a branch": (
        """
        def f(x):
            if x > 0.0:
                return x
            y = x * x
            return y
        """,
        """
        def f(x):
            if x > 0.0:
                result = x
            else:
                y = x * x
                result = y
            return result
        """,
    ),
    "return in both branches": (
        """
        def f(x):
            if x > 0.0:
                return x
            else:
                return -x
        """,
        """
        def f(x):
            if x > 0.0:
                result = x
            else:
                result = -x
            return result
        """,
    ),
    "what follows both returns is dropped": (
        """
        def f(x):
            if x > 0.0:
                return x
            else:
                return -x
            x = 2.0
            return x
        """,
        """
        def f(x):
            if x > 0.0:
                result = x
            else:
                result = -x
            return result
        """,
    ),
    "return in the else": (
        """
        def f(x):
            if x > 0.0:
                x = x * x
            else:
                return -x
            x += 1.0
            return x
        """,
        """
        def f(x):
            if x > 0.0:
                x = x * x
                x += 1.0
                result = x
            else:
                result = -x
            return result
        """,
    ),
    "a branch that may return in either side": (
        """
        def f(x):
            if x > 0.0:
                if x > 1.0:
                    return x
            else:
                if x < -1.0:
                    return -x
            return x * x
        """,
        """
        def f(x):
            left = False
            left_2 = False
            if x > 0.0:
                if x > 1.0:
                    left = True
            elif x < -1.0:
                left_2 = True
            if left:
                result = x
            elif left_2:
                result = -x
            else:
                result = x * x
            return result
        """,
    ),
    "return in a loop": (
        """
        def f(xs):
            for v in xs:
                if v > 1.0:
                    return v
            return 0.0
        """,
        """
        def f(xs):
            left = False
            for v in xs:
                if v > 1.0:
                    left = True
                    break
            if left:
                result = v
            else:
                result = 0.0
            return result
        """,
    ),
    "return in a loop in a loop": (
        """
        def f(A):
            for row in A:
                for v in row:
                    if v > 1.0:
                        return v
                s = row
            return s
        """,
        """
        def f(A):
            left = False
            for row in A:
                left = False
                for v in row:
                    if v > 1.0:
                        left = True
                        break
                if left:
                    break
                else:
                    s = row
            if left:
                result = v
            else:
                result = s
            return result
        """,
    ),
    "return from an endless loop": (
        """
        def f(x):
            while True:
                x = 0.5 * x
                if x < 1.0:
                    return x
        """,
        """
        def f(x):
            left = False
            while True:
                x = 0.5 * x
                if x < 1.0:
                    left = True
                    break
            return x
        """,
    ),
    "continue": (
        """
        def f(xs):
            s = 0.0
            for v in xs:
                if v < 0.0:
                    continue
                s += v
            return s
        """,
        """
        def f(xs):
            s = 0.0
            for v in xs:
                if v < 0.0:
                    pass
                else:
                    s += v
            return s
        """,
    ),
    "continue and break": (
        """
        def f(xs):
            s = 0.0
            for v in xs:
                if v < 0.0:
                    s -= 1.0
                    continue
                if v > 2.0:
                    break
                s += v
            return s
        """,
        """
        def f(xs):
            s = 0.0
            for v in xs:
                if v < 0.0:
                    s -= 1.0
                elif v > 2.0:
                    break
                else:
                    s += v
            return s
        """,
    ),
    "else of a for": (
        """
        def f(xs):
            for v in xs:
                if v > 1.0:
                    break
            else:
                v = 0.0
            return v
        """,
        """
        def f(xs):
            broke = False
            for v in xs:
                if v > 1.0:
                    broke = True
                    break
            if not broke:
                v = 0.0
            return v
        """,
    ),
    "else of a for without a break": (
        """
        def f(xs):
            for v in xs:
                v = v * v
            else:
                v = 0.0
            return v
        """,
        """
        def f(xs):
            for v in xs:
                v = v * v
            v = 0.0
            return v
        """,
    ),
    "else of a while": (
        """
        def f(x):
            while x > 1.0:
                x = 0.5 * x
                if x == 3.0:
                    return 0.0
            else:
                x = -x
            return x
        """,
        """
        def f(x):
            left = False
            while x > 1.0:
                x = 0.5 * x
                if x == 3.0:
                    left = True
                    break
            if left:
                result = 0.0
            else:
                x = -x
                result = x
            return result
        """,
    ),
    "else of a loop with a break and a return": (
        """
        def f(xs):
            for v in xs:
                if v > 1.0:
                    break
                if v < 0.0:
                    return v
            else:
                v = 0.0
            return v * v
        """,
        """
        def f(xs):
            broke = False
            left = False
            for v in xs:
                if v > 1.0:
                    broke = True
                    break
                elif v < 0.0:
                    left = True
                    break
            if left:
                result = v
            else:
                if not broke:
                    v = 0.0
                result = v * v
            return result
        """,
    ),
    "a break in the else of a loop leaves the loop around it": (
        """
        def f(xs, x):
            for u in xs:
                while x > u:
                    x = 0.5 * x
                else:
                    break
                x = -x
            return x
        """,
        """
        def f(xs, x):
            for u in xs:
                while x > u:
                    x = 0.5 * x
                break
            return x
        """,
    ),
    "no return": (
        """
        def f(x):
            for i in range(3):
                if x[i] > 0.0:
                    x[i] = 0.0
        """,
        """
        def f(x):
            for i in range(3):
                if x[i] > 0.0:
                    x[i] = 0.0
        """,
    ),
    "a return on some paths only": (
        """
        def f(x):
            if x > 0.0:
                return x
        """,
        """
        def f(x):
            result = None
            if x > 0.0:
                result = x
            return result
        """,
    ),
    "a bare return": (
        """
        def f(x):
            if x > 0.0:
                return
            return x
        """,
        """
        def f(x):
            if x > 0.0:
                result = None
            else:
                result = x
            return result
        """,
    ),
    "pairs have two names": (
        """
        def f(x, y):
            if x > y:
                return y, x
            return x, y
        """,
        """
        def f(x, y):
            if x > y:
                result, result_2 = (y, x)
            else:
                result, result_2 = (x, y)
            return (result, result_2)
        """,
    ),
    "a pair or a number": (
        """
        def f(x, y):
            if x > y:
                return y, x
            return x
        """,
        """
        def f(x, y):
            if x > y:
                result = (y, x)
            else:
                result = x
            return result
        """,
    ),
    "names that are taken": (
        """
        def f(xs, left, result):
            for v in xs:
                if v > left:
                    return v
            return result
        """,
        """
        def f(xs, left, result):
            left_2 = False
            for v in xs:
                if v > left:
                    left_2 = True
                    break
            if left_2:
                result_2 = v
            else:
                result_2 = result
            return result_2
        """,
    ),
    "inner functions are left alone": (
        """
        def f(xs):
            for v in xs:
                def g(y):
                    if y > v:
                        return y
                    return v
                w = g(v)
            return w
        """,
        """
        def f(xs):
            for v in xs:
                def g(y):
                    if y > v:
                        return y
                    return v
                w = g(v)
            return w
        """,
    ),
    "a raise ends its branch": (
        """
        def f(x):
            if x < 0.0:
                if x < -9.0:
                    return 9.0
                raise ValueError("negative")
            return x
        """,
        """
        def f(x):
            if x < 0.0:
                if x < -9.0:
                    result = 9.0
                else:
                    raise ValueError("negative")
            else:
                result = x
            return result
        """,
    ),
    "a return at the end is left alone": (
        """
        def f(xs):
            for v in xs:
                if v > 1.0:
                    break
            return v
        """,
        """
        def f(xs):
            for v in xs:
                if v > 1.0:
                    break
            return v
        """,
    ),
}


@pytest.mark.parametrize("before, after", CASES.values(), ids=CASES.keys())
def test_structured_text(before: str, after: str) -> None:
    assert structured(before) == plain(after)


@pytest.mark.parametrize("before, after", CASES.values(), ids=CASES.keys())
def test_structured_text_is_structured_already(before: str, after: str) -> None:
    assert structured(after) == plain(after)


def test_the_tree_that_is_given_is_not_changed() -> None:
    import gast

    from s2sad.legacy.exits import structure

    tree = gast.parse(dedent(CASES["else of a while"][0]))
    before = gast.dump(tree)
    structure(tree.body[0].body, {"x"})
    assert gast.dump(tree) == before


# ---------------------------------------------------------------- random skeletons


class Skeleton:
    """Random control flow over `c()`, which tells where to go, and `t`, which notes the way."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.marks = 0

    def function(self) -> str:
        body = self.block(depth=self.random.choice((2, 3, 4)), loops=0)
        return "def f(c, t):\n    v = 0\n" + indent(body, "    ")

    def mark(self) -> int:
        self.marks += 1
        return self.marks

    def block(self, depth: int, loops: int) -> str:
        count = self.random.choice((1, 1, 2, 2, 3, 4))
        return "".join(self.statement(depth, loops) for _ in range(count))

    def statement(self, depth: int, loops: int) -> str:
        kinds = ["mark", "mark", "return"]
        kinds += ["break", "continue", "break", "continue"] if loops else []
        kinds += ["if", "if", "if", "if else", "if else", "for", "while"] if depth else []
        kind = self.random.choice(kinds)
        if kind == "mark":
            return f"t({self.mark()}, v)\nv = v + {self.mark()}\n"
        if kind == "return":
            return self.random.choice((f"return {self.mark()}, v\n", "return v\n", "return\n"))
        if kind in ("break", "continue"):
            return f"{kind}\n"
        if kind in ("for", "while"):
            return self.loop(kind, depth, loops)
        text = "if c():\n" + indent(self.block(depth - 1, loops), "    ")
        if kind == "if else":
            text += "else:\n" + indent(self.block(depth - 1, loops), "    ")
        return text

    def loop(self, kind: str, depth: int, loops: int) -> str:
        head = "for v in range(3):\n" if kind == "for" else "while c():\n"
        if self.random.random() < 0.1:
            head = "while True:\n    t(0, v)\n    c()\n"
        text = head + indent(self.block(depth - 1, loops + 1), "    ")
        if self.random.random() < 0.3:
            text += "else:\n" + indent(self.block(depth - 1, loops), "    ")
        return text


class TooLong(Exception):
    """A way that came to no end."""


def way(function: Any, bits: int) -> tuple[list[Any], Any]:
    """Return what a skeleton notes and returns when its tests answer with `bits`."""
    notes: list[Any] = []
    answers = random.Random(bits)

    def c() -> bool:
        notes.append("c")
        if len(notes) > 60:
            raise TooLong
        return answers.random() < 0.4

    def t(*what: Any) -> None:
        notes.append(what)
        if len(notes) > 60:
            raise TooLong

    try:
        return notes, function(c, t)
    except TooLong:
        return notes, TooLong


@pytest.mark.parametrize("first", range(0, 800, 100))
def test_random_skeletons_go_the_same_way(first: int) -> None:
    for seed in range(first, first + 100):
        before = Skeleton(seed).function()
        after = structured(before)
        old, new = run(before, "f"), run(after, "f")
        for bits in range(8):
            assert way(old, bits) == way(new, bits), f"seed {seed}:\n{before}\n\n{after}"


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_random_skeletons_are_structured(first: int) -> None:
    """A return stands at the end only, a break last in its branch, a continue nowhere."""
    for seed in range(first, first + 100):
        tree = ast.parse(structured(Skeleton(seed).function()))
        function = tree.body[0]
        assert isinstance(function, ast.FunctionDef)
        assert not any(isinstance(part, ast.Continue) for part in ast.walk(tree)), seed
        returns = [part for part in ast.walk(tree) if isinstance(part, ast.Return)]
        assert returns == [] or returns == [function.body[-1]], seed
        for part in ast.walk(tree):
            for block in (getattr(part, "body", []), getattr(part, "orelse", [])):
                early = [i for i, stmt in enumerate(block[:-1]) if _may_break(stmt)]
                assert not early, f"seed {seed}:\n{ast.unparse(tree)}"


def _may_break(stmt: ast.stmt) -> bool:
    if isinstance(stmt, ast.Break):
        return True
    return isinstance(stmt, ast.If) and any(map(_may_break, (*stmt.body, *stmt.orelse)))


# ---------------------------------------------------------------- long and deep


def chain(count: int) -> str:
    """Return a function of `count` early returns with a statement between any two."""
    exits = "".join(
        f"    if x < {k}.0:\n        return x * y + {k}.0\n    y = y + x\n" for k in range(count)
    )
    return f"def f(x):\n    y = 1.0\n{exits}    return -y\n"


@pytest.mark.parametrize("count", [1, 11, 12, 13, 24, 25, 300])
def test_chain_of_returns(count: int) -> None:
    before = chain(count)
    after = structured(before)
    old, new = run(before, "f"), run(after, "f")
    for k in (-1, 0, 1, 5, 10, 11, 12, 13, 23, 24, 25, 26, 100, 299, 300, 301):
        assert old(k - 0.5) == new(k - 0.5)


def test_a_long_chain_is_not_nested_deeply() -> None:
    widest = max(len(line) - len(line.lstrip()) for line in structured(chain(300)).splitlines())
    assert widest <= 4 * 15


def test_deeply_nested_branches_take_no_time() -> None:
    """Each branch may return, and goes on below: twice the work a level would never end."""
    lines = ["def f(c, t):"]
    for level in range(20):
        pad = "    " * (level + 1)
        lines += [f"{pad}if c():", f"{pad}    t({level})"]
    lines += ["    " * 21 + "return 0"]
    for level in reversed(range(20)):
        lines += ["    " * (level + 1) + f"t({100 + level})"]
    before = "\n".join(lines) + "\n    return 1\n"
    after = structured(before)
    assert len(after.splitlines()) < 400
    old, new = run(before, "f"), run(after, "f")
    for bits in range(50):
        assert way(old, bits) == way(new, bits)


def test_deeply_nested_loops() -> None:
    lines = ["def f(c, t):"]
    for level in range(19):
        pad = "    " * (level + 1)
        lines += [f"{pad}while c():"]
    lines += ["    " * 20 + "return 0", "    return 1"]
    before = "\n".join(lines) + "\n"
    old, new = run(before, "f"), run(structured(before), "f")
    for bits in range(200):
        assert way(old, bits) == way(new, bits)
