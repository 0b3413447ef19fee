"""Planted faults are reported; every derivative of every program is consistent after every pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import s2sad
import s2sad.legacy.derive
from s2sad.api.derive import request_for
from s2sad.api.fallback import derive
from s2sad.ir.errors import InternalError, S2sadError, Span
from s2sad.legacy.blocks import all_reads, map_blocks, renamed
from s2sad.legacy.naming import global_names, names_of
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import (
    Assign,
    Block,
    Break,
    Call,
    Const,
    If,
    NewStore,
    Op,
    Param,
    Program,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import defines, goes_on_behind_a_break, reads, statements, substitute
from s2sad.legacy.verify import _saved_once, verify
from tests.programs.entry import Entry
from tests.programs.normalised import EVERY, LABELS
from tests.programs.table import ALL
from tests.texts import defined, dump

LOOP = """
    def f(x, n):
        y = x
        for i in range(n):
            if y > 0.5:
                y = np.sin(y) * x
        return y * y
    """
ARRAYS = """
    def f(u, c):
        v = u.copy()
        v[0] = c
        v[1:] *= u[1:]
        return np.sum(v)
    """


def derivative(source: str, *like: Any, mode: str = "reverse") -> Program:
    return derive(request_for(defined(source), None, like, mode=mode)).program


def problems(program: Program) -> list[str]:
    return verify(program).problems


def changed(program: Program, change: Callable[[Stmt], Stmt | None]) -> Program:
    """Return the program with `change` applied to every statement; None takes it out."""

    def block(old: Block) -> Block:
        new = (change(map_blocks(stmt, block)) for stmt in old)
        return tuple(stmt for stmt in new if stmt is not None)

    return replace(program, body=block(program.body))


def without(program: Program, *kinds: type) -> Program:
    return changed(program, lambda stmt: None if isinstance(stmt, kinds) else stmt)


# ---------------------------------------------------------------- right programs


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("source, like", [(LOOP, (0.7, 3))], ids=["loop"])
def test_right_derivatives_have_no_problems(source: str, like: tuple[Any, ...], mode: str) -> None:
    assert problems(derivative(source, *like, mode=mode)) == []


def test_primals_have_no_problems() -> None:
    for source in (LOOP, ARRAYS):
        assert problems(normalise(defined(source))) == []


# ---------------------------------------------------------------- planted faults


def test_a_wrong_version() -> None:
    program = normalise(defined("def f(x):\n    y = x\n    z = y\n    y = x * z\n    return y * z"))

    def change(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Assign) and stmt.target.slot.startswith("result"):
            return replace(stmt, value=Op("*", (Var("y", 1), Var("z", 1))))
        return stmt

    checked = verify(changed(program, change))
    assert checked.lost == [Var("y", 1)]
    assert len(checked.problems) == 1


def test_a_version_that_one_branch_overwrites() -> None:
    source = """
        def f(x):
            y = x * x
            z = y
            if x > 0.0:
                y = x
            return z
        """
    program = normalise(defined(source))
    assert problems(program) == []
    assert verify(replace(program, result=Var("y", 1))).lost == [Var("y", 1)]


def test_a_version_that_a_loop_overwrites() -> None:
    source = """
        def f(x, n):
            y = x * x
            z = y
            for i in range(n):
                y = x
            return z
        """
    program = normalise(defined(source))
    assert verify(replace(program, result=Var("y", 1))).lost == [Var("y", 1)]


def test_a_value_of_a_pass_that_is_over() -> None:
    source = """
        def f(x, n):
            for i in range(n):
                y = x * i
            return x
        """
    program = normalise(defined(source))
    made = next(
        stmt.target
        for stmt in statements(program.body)
        if isinstance(stmt, Assign) and stmt.target.slot == "y"
    )
    assert verify(replace(program, result=made)).lost == [made]


def test_a_name_that_has_no_value_yet() -> None:
    program = normalise(defined("def f(x):\n    y = x\n    return y"))
    assert verify(replace(program, body=program.body[1:])).lost == [Var("y", 1)]


def test_a_missing_restore() -> None:
    program = derivative(LOOP, 0.7, 3)
    kinds = {type(stmt) for stmt in statements(program.body)}
    assert {Save, Restore, NewStore} <= kinds, dump(program)
    assert any("saved" in problem for problem in problems(without(program, Restore)))


def test_a_missing_save_or_store() -> None:
    program = derivative(LOOP, 0.7, 3)
    assert any("saved" in problem for problem in problems(without(program, Save)))
    assert any("saved" in problem for problem in problems(without(program, NewStore)))


def test_a_store_that_is_saved_to_twice() -> None:
    program = derivative(LOOP, 0.7, 3)
    extra = next(stmt for stmt in statements(program.body) if isinstance(stmt, NewStore))
    assert problems(replace(program, body=(extra, *program.body)))


def test_a_write_to_an_argument() -> None:
    program = normalise(defined("def f(u):\n    u[0] = 1.0\n    return u"))
    assert problems(program) == [f"line {program.span.line + 1}: an argument is written to"]


def test_a_write_to_a_view_of_an_argument() -> None:
    program = normalise(defined("def f(u):\n    v = u[1:]\n    v[0] = 1.0\n    return v"))
    assert any("argument" in problem for problem in problems(program))


def test_a_write_into_shared_memory() -> None:
    source = "def f(u):\n    v = u.copy()\n    w = v[:2]\n    v[0] = 1.0\n    return np.sum(w)"
    program = normalise(defined(source))
    (problem,) = problems(program)
    assert "v" in problem and "w" in problem


def test_a_copy_that_was_forgotten() -> None:
    """The derivative with every copy replaced by the array itself."""
    program = derivative(ARRAYS, *_arrays())
    assert problems(program) == []

    def bare(stmt: Stmt) -> Stmt:
        match stmt:
            case Assign(_, Call(func, ())) if getattr(func, "name", "") == "copy":
                return replace(stmt, value=func.value)  # type: ignore[union-attr]
        return stmt

    assert problems(changed(program, bare))


def test_any_shifted_read_is_reported() -> None:
    """Reading the version before or after the one that is meant never passes unseen."""
    program = derivative(LOOP, 0.7, 3)
    made = {var for stmt in statements(program.body) for var in defines(stmt)}
    count = 0
    for number, stmt in enumerate(program.body):
        if not isinstance(stmt, Assign | Update):
            continue

        def shifted(var: Var) -> Var:
            other = Var(var.slot, var.version - 1)
            return other if other in made else var

        value = substitute(stmt.value, shifted)
        if value != stmt.value:
            count += 1
            body = (*program.body[:number], replace(stmt, value=value), *program.body[number + 1 :])
            assert problems(replace(program, body=body)), dump(replace(program, body=body))
    assert count


def _arrays() -> tuple[Any, ...]:
    return np.array([0.3, 0.4, 0.5]), 0.7


# ---------------------------------------------------------------- after every pass


@dataclass
class Watch:
    """The programs that the passes of the last attempt made, by the name of the pass."""

    made: list[tuple[str, Program]] = field(default_factory=list)

    def over(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **options: Any) -> Any:
            result = function(*args, **options)
            if name == "decide":
                self.made.clear()
            elif isinstance(result, Program):
                self.made.append((name, result))
            return result

        return watched


PASSES = ("decide", "joined", "without_dead_code", "nested", "adopted", "owned")


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watching = Watch()
    for name in PASSES:
        function = getattr(s2sad.legacy.derive, name)
        monkeypatch.setattr(s2sad.legacy.derive, name, watching.over(name, function))
    return watching


def derived(entry: Entry, mode: str, known: bool) -> Any:
    like = entry.args if known else None
    try:
        request = request_for(entry.function, entry.wrt, like, mode=mode, seed=mode == "reverse")
        return derive(request)
    except InternalError:
        raise
    except S2sadError as problem:
        pytest.skip(f"refused: {problem}".splitlines()[0])


def with_seeds(program: Program) -> Program:
    """Return the program with what it is handed besides its own parameters as parameters."""
    read = {var for stmt in program.body for var in all_reads(stmt)} | set(reads(program.result))
    own = {param.var for param in program.params}
    extra = [var for var in read - own if "&" in var.slot and var.version == 0]
    return replace(program, params=(*program.params, *map(Param, extra)))


def of_names(program: Program) -> list[str]:
    """Return the problems with names and stores: memory is put right by the last pass."""
    return [each for each in problems(program) if "holds" in each or "saved," in each]


def as_named(program: Program) -> Program:
    """Return the program with the names that are printed in place of its slots."""
    names = names_of(program, global_names(program))
    numbers: dict[Var, int] = {}
    same = {  # a copy under the name of what it copies
        stmt.target: stmt.value
        for stmt in statements(program.body)
        if isinstance(stmt, Assign) and not stmt.unpack and isinstance(stmt.value, Var)
        if names[stmt.target.slot] == names[stmt.value.slot]
    }

    def new(var: Var) -> Var:
        while var in same:
            var = same[var]
        return Var(names[var.slot], numbers.setdefault(var, len(numbers)))

    params = tuple(replace(param, var=new(param.var)) for param in program.params)
    body, result = renamed(program.body, new), substitute(program.result, new)
    return replace(program, params=params, body=body, result=result)


WAYS = tuple(product(("reverse", "forward"), (True, False)))
# of four ways one always runs, of every second program another than of the one before
OFTEN = [
    pytest.param(
        entry,
        mode,
        known,
        id=f"{label}-{mode}-{'example' if known else 'generic'}",
        marks=[pytest.mark.slow] if place % 2 or (place // 2 + number) % 4 else [],
    )
    for place, (entry, label) in enumerate(zip(EVERY, LABELS, strict=True))
    for number, (mode, known) in enumerate(WAYS)
]


@pytest.mark.parametrize(("entry", "mode", "known"), OFTEN)
def test_consistent_after_every_pass(entry: Entry, mode: str, known: bool, watch: Watch) -> None:
    result = derived(entry, mode, known)
    for name, program in watch.made:
        assert of_names(with_seeds(program)) == [], f"after {name}:\n{dump(program)}"
    assert of_names(result.program) == []
    if entry.function.__name__ != "counts_and_returns_early":
        # there a parameter and the slot of its default share a name, and `c = c` is not printed
        assert of_names(as_named(result.program)) == []


def test_every_function_is_watched() -> None:
    assert len(EVERY) > 100 and len(ALL) > len(EVERY)


def test_a_value_saved_behind_a_break_is_no_save_of_every_pass() -> None:
    here = Span("f.py", "f", 1, 0)
    leaves = If(Const(True), (Break(here),), (), (), here)
    save = Save("w", Const(1.0), here)
    assert not _saved_once((leaves, save), "w")
    assert _saved_once((replace(leaves, then=(save, Break(here)), orelse=(save,)),), "w")


def test_what_stands_behind_a_branch_that_leaves_is_seen() -> None:
    here = Span("f.py", "f", 1, 0)
    leaves = If(Const(True), (Break(here),), (), (), here)
    after = Save("w", Const(1.0), here)
    beside = If(Const(True), (leaves, after), (), (), here)
    assert goes_on_behind_a_break((leaves, after))
    assert goes_on_behind_a_break((beside,))
    assert not goes_on_behind_a_break((after, replace(beside, then=(after, leaves))))
