"""Rules made to measure for displays: the same checks as for templates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.legacy.program import Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.rules import find
from tests.rules.first.checks import check, primal
from tests.rules.first.evaluate import known_in
from tests.rules.first.samples import Case

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
    "G": DRAW((1, 3, 2)),
    "J": DRAW((2, 3)),
    "p": DRAW(2),
    "q": DRAW(2),
    "i": np.array([0, 2, 1]),
    "m": np.array([True, False, False]),
    "n": np.array([True, True, False]),
    "none": DRAW(0),
}


def display(text: str) -> Expr:
    """Read `[u, (s, 1.0)]` with the names of VALUES."""
    env = {name: Var(name, 0) for name in (*VALUES, "X")}
    return _display(eval(text, env))


def _display(value: Any) -> Expr:
    if isinstance(value, Var):
        return value
    if isinstance(value, list | tuple):
        return Op("list" if isinstance(value, list) else "tuple", tuple(map(_display, value)))
    return Const(value)


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
    (np.column_stack, "(u, A, w)", {}),
    (np.vstack, "(A, p, C)", {}),
    (np.vstack, "(p, q, A)", {}),
    (np.dstack, "(u, w)", {}),
    (np.dstack, "(A, D)", {}),
    (np.dstack, "(u, G)", {}),
    (np.block, "[A, B]", {}),
    (np.block, "[[A, B], [D, B]]", {}),
    (np.block, "[[s, u], [p, q]]", {}),
    (np.block, "[[J], [u]]", {}),
    (np.linalg.multi_dot, "[A, J]", {}),
    (np.linalg.multi_dot, "[A, J, B]", {}),
    (np.linalg.multi_dot, "(u, A, J)", {}),
    (np.linalg.multi_dot, "(u, A, J, w)", {}),
    (np.linalg.multi_dot, "[C, J, A, p]", {}),
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


CHOICES = [
    (np.select, "[m, n]", "[u, w]", ""),
    (np.select, "[m, n]", "(u, 2.0)", "v"),
    (np.select, "(n,)", "[s]", "w"),
    (np.choose, "i", "(u, w, s)", ""),
    (np.choose, "i", "[u, 1.0, u]", ""),
]


@pytest.mark.parametrize(("function", "first", "choices", "default"), CHOICES)
def test_choice(function: Any, first: str, choices: str, default: str) -> None:
    rest = (Var("w" if default == "v" else default, 0),) if default else ()
    args = (_display(eval(first, {name: Var(name, 0) for name in VALUES})), display(choices), *rest)
    check_call(Call(Ref(f"np.{function.__name__}", function), args))


def test_choose_beyond_the_last() -> None:
    index, x = np.array([0, 1, 7, -2, 2]), np.array([0.3, 0.5, 0.7, 0.2, 0.9])
    slopes = [np.ones(5), np.full(5, 2.0), 2.0 * x]
    clipped = s2sad.grad(lambda x: np.sum(np.choose(index, [x, 2.0 * x, x**2], mode="clip")))
    assert clipped(x) == pytest.approx(np.choose([0, 1, 2, 0, 2], slopes))
    wrapped = s2sad.grad(lambda x: np.sum(np.choose(index, [x, 2.0 * x, x**2], mode="wrap")))
    assert wrapped(x) == pytest.approx(np.choose([0, 1, 1, 1, 2], slopes))


BRACKETS = [
    (np.r_, "(u, s, v)"),
    (np.r_, "(1.0, u)"),
    (np.c_, "(u, w)"),
    (np.c_, "(A, u, B)"),
    (np.r_, "(A, C)"),
]


@pytest.mark.parametrize(("owner", "text"), BRACKETS)
def test_brackets(owner: Any, text: str) -> None:
    check_call(Op("index", (Ref("np.r_" if owner is np.r_ else "np.c_", owner), display(text))))


SUMS = [
    ("ij,jk->ik", "A J"),
    ("ij,jk", "A J"),
    ("ij->ji", "A"),
    ("ij->", "A"),
    ("ij->j", "A"),
    ("ii->i", "S"),
    ("ii", "S"),
    ("i,i,i->", "u w u"),
    ("i,j->ij", "u p"),
    ("kij,ij->k", "E A"),
    ("...j,j->...", "E p"),
    ("i...,ij...->j...", "u A"),
    ("i...,i...->...", "S S2"),
    ("i...j,j->i...", "E p"),
    ("ij,kl->", "A J"),
    ("iij->j", "K"),
    ("ij,ij->ij", "A G0"),
]
VALUES |= {"S": DRAW((3, 3)), "S2": DRAW((3, 3)), "K": DRAW((2, 2, 3)), "G0": DRAW((1, 2))}


@pytest.mark.parametrize(("subscripts", "names"), SUMS)
def test_einsum(subscripts: str, names: str) -> None:
    operands = tuple(Var(name, 0) for name in names.split())
    check_call(Call(Ref("np.einsum", np.einsum), (Const(subscripts), *operands)))


def check_call(call: Expr) -> None:
    names = tuple(name for name in VALUES if Var(name, 0) in set(_leaves(call)))
    env = {name: VALUES[name] for name in names}
    floats = tuple(name for name in names if np.result_type(env[name]).kind == "f")
    case = Case(call, env, floats)
    match = find(call, known_in(env))
    assert match is not None and not match.constant
    value = primal(case, env)
    assert value is not None
    check(match, case, value)


def _leaves(expr: Expr) -> list[Var]:
    from s2sad.legacy.traverse import reads

    return list(reads(expr))


REFUSED = [
    (np.array, "[s, t]", {"dtype": Ref("int", int)}),
    (np.array, "[s, t]", {"ndmin": Const(2)}),
    (np.stack, "[u, w]", {"axis": Var("s", 0)}),
    (np.concatenate, "[A, C]", {"axis": Const(None)}),
    (np.concatenate, "[A, C]", {"out": Var("B", 0)}),
    (np.concatenate, "[[[s]], A]", {}),
    (np.hstack, "(u, A)", {}),
    (np.dstack, "(u, E, X)", {}),
    (np.block, "[[A, E]]", {}),
    (np.block, "[A, [B]]", {}),
    (np.linalg.multi_dot, "[E, A]", {}),
    (np.linalg.multi_dot, "[A, u, A]", {}),
]


@pytest.mark.parametrize(("function", "text", "keywords"), REFUSED)
def test_display_is_refused(function: Any, text: str, keywords: dict[str, Expr]) -> None:
    call = Call(Ref("", function), (display(text),), tuple(keywords.items()))
    assert find(call, known_in({**VALUES, "X": None})) is None


@pytest.mark.parametrize(
    "call",
    [
        Call(Ref("np.einsum", np.einsum), (Const("ij,jk->ik"), Var("A", 0))),
        Call(Ref("np.einsum", np.einsum), (Var("A", 0), Const(0))),
        Call(
            Ref("np.einsum", np.einsum),
            (Const("i"), Var("u", 0)),
            (("dtype", Ref("float", float)),),
        ),
        Call(Ref("np.select", np.select), (Var("m", 0), Var("u", 0))),
        Call(Ref("np.choose", np.choose), (Var("u", 0), display("(u, w)"))),
        Op("index", (Ref("np.r_", np.r_), display("('0,2', u)"))),
        Op("index", (Ref("np.r_", np.r_), display("(A, u)"))),
    ],
)
def test_what_is_not_written_out_is_refused(call: Expr) -> None:
    assert find(call, known_in(VALUES)) is None


def test_starred_display_is_refused() -> None:
    starred = Op("list", (Op("star", (Var("A", 0),)),))
    for function in (np.array, np.stack, np.concatenate, np.vstack, np.hstack):
        assert find(Call(Ref("", function), (starred,)), known_in(VALUES)) is None
