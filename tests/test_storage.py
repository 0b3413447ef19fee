"""Which values may share memory, and which writes in place are seen through another name."""

from __future__ import annotations

import pytest

from s2sad.legacy.conflicts import conflicts, written_params
from s2sad.legacy.facts import Fact, infer
from s2sad.legacy.liveness import walk_live
from s2sad.legacy.memory import Inside, Old, Root, own_memory, spread
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Program, Ref, Var
from s2sad.legacy.storage import roots_of
from tests.texts import defined

ARRAY = Fact("array", "float64")
NUMBER = Fact("float")


def program_of(source: str) -> Program:
    return normalise(defined(source))


def word(root: Root) -> str:
    match root:
        case Old(inner):
            return f"old {word(inner)}"
        case Inside(inner):
            return f"in {word(inner)}"
        case Ref(text):
            return text
    return f"{root.slot}@{root.version}"


def memory(source: str, name: str, **given: Fact) -> set[str]:
    """Return the roots of the last value of a name."""
    program = program_of(source)
    roots = roots_of(program, infer(program, given).of) if given else roots_of(program)
    made = [var for var in roots if var.slot == name]
    last = max(made, key=lambda var: var.version, default=None)
    return {word(root) for root in roots[last]} if last else set()


def seen(source: str, **given: Fact) -> list[str]:
    """Return the writes that another value sees: 'line: what is written, what sees it'."""
    program = program_of(source)
    roots = roots_of(program, infer(program, given).of) if given else roots_of(program)
    first = program.span.line
    return [
        f"{each.update.span.line - first}: {each.update.old.slot}, {each.other.slot}"
        for each in conflicts(program, roots)
    ]


# ---------------------------------------------------------------- roots

VIEWS = ["u", "u[1:]", "u[::-1]", "u.T", "u.reshape(5, 1)", "np.ravel(u)", "np.asarray(u)", "u[0]"]
VIEWS += ["np.array(u, copy=None)", "max(u, 2.0)", "sum(u, u)"]
COPIES = ["u.copy()", "u + 0.0", "-u", "np.sin(u)", "np.zeros_like(u)", "u[[0, 1]]", "u * u"]
COPIES += ["abs(u)", "round(u)", "sum(u)", "np.array(u)", "np.array(u, copy=True)"]


@pytest.mark.parametrize("value", VIEWS)
def test_views_live_in_the_memory_of_their_base(value: str) -> None:
    assert "u@0" in memory(f"def f(u):\n    v = {value}\n    return v", "v")


@pytest.mark.parametrize("value", COPIES)
def test_results_of_operations_have_their_own_memory(value: str) -> None:
    assert memory(f"def f(u):\n    v = {value}\n    return v", "v") == {"v@1"}


def test_a_view_of_a_view() -> None:
    source = """
        def f(u):
            v = u[1:]
            w = v[::2].T
            return w
        """
    assert memory(source, "w") == {"u@0"}


def test_a_number_lives_in_no_memory() -> None:
    source = "def f(x):\n    v = x\n    return v"
    assert memory(source, "v") == {"x@0"}
    assert memory(source, "v", x=NUMBER) == set()


def test_a_branch_may_hold_either() -> None:
    source = """
        def f(u, v, c):
            if c:
                w = u
            else:
                w = v[1:]
            return w
        """
    assert memory(source, "w") == {"u@0", "v@0"}


def test_a_conditional_expression_may_hold_either() -> None:
    assert memory("def f(u, v, c):\n    w = u if c else v\n    return w", "w") == {"u@0", "v@0"}


def test_what_a_list_holds_is_not_its_own_memory() -> None:
    source = """
        def f(u):
            s = []
            s.append(u)
            return s
        """
    assert memory(source, "s") == {"s@1", "in u@0"}


def test_what_is_taken_from_a_list_is_what_went_in() -> None:
    for taken in ("s[0]", "s.pop()"):
        source = f"def f(u):\n    s = [u]\n    v = {taken}\n    return v"
        assert "u@0" in memory(source, "v"), taken


def test_a_joined_list_holds_the_same_items() -> None:
    source = """
        def f(u):
            s = [u] + [u * 2.0]
            v = s[0]
            return v
        """
    assert "u@0" in memory(source, "v")


def test_unpacked_parts_are_the_parts_themselves() -> None:
    assert "u@0" in memory("def f(u):\n    a, b = u, u * 2.0\n    return a", "a")
    assert "u@0" in memory("def f(u):\n    s = (u, u)\n    a, b = s\n    return b", "b")


def test_items_of_a_loop() -> None:
    source = """
        def f(A):
            for row in A:
                last = row
            return last
        """
    assert memory(source, "last") == {"A@0"}


def test_a_loop_makes_memory_anew_in_each_pass() -> None:
    source = """
        def f(u, n):
            old = u.copy()
            for i in range(n):
                new = np.zeros_like(u)
                new[1:] = old[:-1]
                old = new
            return old
        """
    assert memory(source, "old", u=ARRAY, n=Fact("int")) == {"old@1", "new@2"}
    assert seen(source, u=ARRAY, n=Fact("int")) == []


def test_roots_with_and_without_items() -> None:
    u, s = Var("u", 0), Var("s", 1)
    roots = frozenset({s, Inside(u)})
    assert own_memory(roots) == {s}
    assert spread(roots) == {s, u}


# ---------------------------------------------------------------- conflicts

SEEN = {
    "a view is read after the write": (
        """
        def f(u):
            v = u.copy()
            w = v[1:]
            v[1] = 1.0
            return np.sum(w) + np.sum(v)
        """,
        ["3: v, w"],
    ),
    "the base of a view that is written": (
        """
        def f(u):
            v = u.copy()
            w = v[1:]
            w[0] = 1.0
            return np.sum(v)
        """,
        ["3: w, v"],
    ),
    "an alias in one branch": (
        """
        def f(u, c):
            v = u.copy()
            if c:
                w = v
            else:
                w = u * 2.0
            v[0] = 1.0
            return w
        """,
        ["6: v, w"],
    ),
    "an item of a list": (
        """
        def f(u):
            v = u.copy()
            s = [v]
            v[0] = 1.0
            return s[0]
        """,
        ["3: v, s"],
    ),
}

# another name of what is written holds a new value too: the write is said again under it
ECHOED = {
    "an alias is read after the write": """
        def f(u):
            v = u.copy()
            w = v
            v[0] = 1.0
            return w
        """,
    "an alias that is read in the next pass": """
        def f(u, n):
            v = u.copy()
            w = v
            s = 0.0
            for i in range(n):
                s = s + w[0]
                v[0] = s
            return s
        """,
    "unpacked aliases": """
        def f(u):
            v = u.copy()
            a, b = v, u
            a[0] = 1.0
            return v
        """,
    "swapped buffers": """
        def f(u):
            a = u.copy()
            b = a
            a, b = b, a
            a[0] = 1.0
            return b
        """,
    "a list under two names": """
        def f(u):
            a = []
            b = a
            b.append(u)
            return a
        """,
}

UNSEEN = {
    "a copy": """
        def f(u):
            v = u.copy()
            w = v.copy()
            v[0] = 1.0
            return w
        """,
    "the alias is dead": """
        def f(u):
            v = u.copy()
            w = v
            s = np.sum(w)
            v[0] = s
            return v
        """,
    "the base is dead": """
        def f(u):
            v = u.copy()
            v = v[1:]
            v[0] = 1.0
            return v
        """,
    "only the shape is read": """
        def f(u):
            v = u.copy()
            w = v
            v[0] = 1.0
            return v[0] * w.shape[0]
        """,
    "the other side of a branch": """
        def f(u, c):
            v = u.copy()
            w = v
            if c:
                v[0] = 1.0
                s = np.sum(v)
            else:
                s = np.sum(w)
            return s
        """,
    "a list that grows does not change its items": """
        def f(u):
            v = u.copy()
            s = []
            s.append(v)
            s.append(u)
            return np.sum(v)
        """,
    "rebound before the next pass": """
        def f(u, n):
            s = 0.0
            for i in range(n):
                v = u.copy()
                w = v
                s += w[0]
                v[0] = s
            return s
        """,
}


@pytest.mark.parametrize("source, expected", SEEN.values(), ids=SEEN.keys())
def test_writes_that_are_seen(source: str, expected: list[str]) -> None:
    assert seen(source) == expected


@pytest.mark.parametrize("source", [*UNSEEN.values(), *ECHOED.values()], ids=[*UNSEEN, *ECHOED])
def test_writes_that_are_not_seen(source: str) -> None:
    assert seen(source) == []


def test_numbers_do_not_conflict() -> None:
    source = """
        def f(x):
            y = x
            y += 1.0
            return x * y
        """
    assert seen(source) == ["2: y, x"]
    assert seen(source, x=NUMBER) == []


# ---------------------------------------------------------------- arguments that are written

WRITTEN = {
    "an element": ("u[0] = v[0]", {"u"}),
    "a slice": ("u[1:] += v[1:]", {"u"}),
    "a view": ("w = u[1:]\n    w[0] = 1.0", {"u"}),
    "either": ("w = u if v[0] > 0.0 else v\n    w[0] = 1.0", {"u", "v"}),
    "a copy": ("u = u.copy()\n    u[0] = 1.0", set()),
    "an appended list": ("u.append(1.0)", {"u"}),
    "in a branch": ("if v[0] > 0.0:\n        v[0] = 0.0", {"v"}),
    "in a loop": ("for i in range(2):\n        u[i] = v[i]", {"u"}),
    "unpacked": ("a, b = u, v\n    a[0] = 1.0", {"u"}),
    "nothing": ("w = u + v", set()),
}


@pytest.mark.parametrize("body, expected", WRITTEN.values(), ids=WRITTEN.keys())
def test_written_parameters(body: str, expected: set[str]) -> None:
    program = program_of(f"def f(u, v):\n    {body}\n    return u")
    assert written_params(program) == expected


# ---------------------------------------------------------------- what is read later


def live_at(source: str) -> list[str]:
    program = program_of(source)
    found: list[tuple[int, str]] = []

    def visit(stmt: object, live: frozenset[Var]) -> None:
        line = stmt.span.line - program.span.line  # type: ignore[attr-defined]
        found.append((line, " ".join(sorted(f"{v.slot}@{v.version}" for v in live))))

    walk_live(program.body, frozenset({program.result}), visit)  # type: ignore[arg-type]
    return [f"{line}: {live}" for line, live in sorted(found)]


def test_live_values_of_straight_code() -> None:
    source = """
        def f(x, y):
            a = x * y
            b = a * y
            a = b * b
            return a
        """
    assert live_at(source) == ["1: a@1 y@0", "2: b@1", "3: a@2"]


def test_live_values_around_a_loop() -> None:
    source = """
        def f(x, n):
            y = x
            for i in range(n):
                y = y * x
            return y
        """
    assert live_at(source) == ["1: n@0 x@0 y@1", "2: y@4", "3: x@0 y@3"]


def test_live_values_of_a_branch() -> None:
    source = """
        def f(x, c):
            y = x * x
            if c:
                y = y * x
            return y
        """
    assert live_at(source) == ["1: c@0 x@0 y@1", "2: y@3", "3: y@2"]
