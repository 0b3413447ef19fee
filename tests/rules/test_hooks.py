"""Rules made to measure for displays: the same checks as for templates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rule_checks import check, primal
from rule_evaluate import known_in
from rule_samples import Case

from s2sad.program import Call, Const, Expr, Op, Ref, Var
from s2sad.rules import find

DRAW = np.random.default_rng(3).standard_normal
VALUES: dict[str, Any] = {
    "s": 0.7,
    "t": np.float64(-0.4),
    "u": DRAW(3),
    "v": DRAW(4),
    "w": DRAW(3),
    "A": DRAW((3, 2)),
    "B": DRAW((3, 4)),
    "C": DRAW((5, 2)),
    "D": DRAW((3, 2)),
    "E": DRAW((2, 3, 2)),
    "F": DRAW((2, 1, 2)),
    "none": DRAW(0),
}


def display(text: str) -> Expr:
    """Read `[u, (s, 1.0)]` with the names of VALUES."""
    env = {name: Var(name, 0) for name in VALUES}
    return _display(eval(text, env))


def _display(value: Any) -> Expr:
    if isinstance(value, list | tuple):
        return Op("list" if isinstance(value, list) else "tuple", tuple(map(_display, value)))
    return value if isinstance(value, Var) else Const(value)


CALLS = [
    (np.array, "[s, t, 1.0]", {}),
    (np.array, "(s, 2.0)", {"dtype": Ref("float", float)}),
    (np.array, "[[s, 0.0], [t, s]]", {}),
    (np.array, "[u, w]", {}),
    (np.asarray, "[s, t]", {}),
    (np.stack, "(u, w)", {}),
    (np.stack, "[u, w, u]", {"axis": Const(1)}),
    (np.stack, "[A, D]", {"axis": Const(-1)}),
    (np.stack, "[A, D]", {"axis": Op("u-", (Const(2),))}),
    (np.concatenate, "(u, v)", {}),
    (np.concatenate, "(u, none, v, w)", {}),
    (np.concatenate, "([s], u, [t, 1.0], v)", {}),
    (np.concatenate, "(u, (s, t))", {"axis": Const(0)}),
    (np.concatenate, "[A, C]", {}),
    (np.concatenate, "[A, B]", {"axis": Const(1)}),
    (np.concatenate, "[A, B, A]", {"axis": Op("u-", (Const(1),))}),
    (np.concatenate, "[E, F]", {"axis": Op("u-", (Const(2),))}),
    (np.concatenate, "[u]", {}),
    (np.vstack, "(u, w)", {}),
    (np.vstack, "(A, C)", {}),
    (np.hstack, "(s, u, 1.0, v)", {}),
    (np.hstack, "(A, B)", {}),
    (np.column_stack, "(u, w)", {}),
    (np.column_stack, "(A, B)", {}),
]


@pytest.mark.parametrize(
    ("function", "text", "keywords"), CALLS, ids=[f"{f.__name__} {t} {len(k)}" for f, t, k in CALLS]
)
def test_display(function: Any, text: str, keywords: dict[str, Expr]) -> None:
    ref = Ref(f"np.{function.__name__}", function)
    check_call(Call(ref, (display(text),), tuple(keywords.items())))


@pytest.mark.parametrize("function", [max, min])
@pytest.mark.parametrize("names", ["sts", "sst", "tts"])
def test_builtin_extreme_of_several(function: Any, names: str) -> None:
    parts: tuple[Expr, ...] = tuple(Var(name, 0) for name in names)
    check_call(Call(Ref(function.__name__, function), (*parts, Const(-0.1))))


def check_call(call: Call) -> None:
    names = tuple(name for name in VALUES if Var(name, 0) in set(_leaves(call)))
    env = {name: VALUES[name] for name in names}
    case = Case(call, env, names)
    match = find(call, known_in(env))
    assert match is not None and not match.constant
    value = primal(case, env)
    assert value is not None
    check(match, case, value)


def _leaves(expr: Expr) -> list[Var]:
    from s2sad.program import reads

    return list(reads(expr))


REFUSED = [
    (np.array, "[s, t]", {"dtype": Ref("int", int)}),
    (np.array, "[s, t]", {"ndmin": Const(2)}),
    (np.stack, "[u, w]", {"axis": Var("s", 0)}),
    (np.concatenate, "[A, C]", {"axis": Const(None)}),
    (np.concatenate, "[A, C]", {"out": Var("B", 0)}),
    (np.concatenate, "[[[s]], A]", {}),
    (np.vstack, "(u, A)", {}),
    (np.hstack, "(u, A)", {}),
]


@pytest.mark.parametrize(("function", "text", "keywords"), REFUSED)
def test_display_is_refused(function: Any, text: str, keywords: dict[str, Expr]) -> None:
    call = Call(Ref("", function), (display(text),), tuple(keywords.items()))
    assert find(call, known_in(VALUES)) is None


def test_starred_display_is_refused() -> None:
    starred = Op("list", (Op("star", (Var("A", 0),)),))
    for function in (np.array, np.stack, np.concatenate, np.vstack, np.hstack):
        assert find(Call(Ref("", function), (starred,)), known_in(VALUES)) is None
