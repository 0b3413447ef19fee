"""Which rule an operation finds, and what the user's spelling becomes in its lines."""

from __future__ import annotations

import linecache
import math
import re
from typing import Any

import numpy as np
import pytest

from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.rules import find, is_known, load, printed_names, printed_source, printed_uses
from s2sad.legacy.templating import template_texts
from tests.rules.first.evaluate import Known

X, Z, Y, G = Var("x", 0), Var("z", 0), Var("y", 0), Var("g", 0)


def np_call(name: str, *args: Expr, **keywords: Expr) -> Call:
    return Call(Ref(f"np.{name}", getattr(np, name)), args, tuple(keywords.items()))


def rule_name(expr: Expr, fact: Any = None) -> str | None:
    match = find(expr, fact)
    return None if match is None else match.rule.name


def x_bar(expr: Expr, fact: Any = None) -> Expr:
    match = find(expr, fact)
    assert match is not None
    (param,) = (name for name, value in match.operands.items() if value == X)
    return match.adjoints(Y, G, {param})[-1].value


def all_are(**known: Any) -> Any:
    return lambda expr: Known(**known)


MATRIX = all_are(kind="array", rank=2, is_array=True)
VECTOR = all_are(kind="array", rank=1, is_array=True)


def test_function_is_known_by_what_it_is_not_by_its_text() -> None:
    assert rule_name(Call(Ref("my_tanh", np.tanh), (X,))) == "tanh"
    assert rule_name(Call(Ref("np.tanh", math.isqrt), (X,))) is None


def test_math_is_answered_with_math() -> None:
    assert x_bar(Call(Ref("math.sin", math.sin), (X,))) == Op(
        "*", (G, Call(Ref("math.cos", math.cos), (X,)))
    )


@pytest.mark.parametrize(
    ("expr", "name"),
    [
        (Op("*", (X, X)), "multiply_twice"),
        (Op("*", (X, Var("x", 1))), "multiply"),
        (Op("**", (X, Const(2))), "power_2"),
        (Op("**", (X, Const(2.0))), "power_2"),
        (Op("**", (X, Op("u-", (Const(1),)))), "power_minus_1"),
        (Op("**", (X, Const(True))), "power"),
        (Op("**", (X, Const(1.5))), "power_number"),
        (Op("**", (Const(2.0), X)), "power_of_number"),
        (Op("**", (X, Z)), "power"),
        (Op("/", (Const(1.0), X)), "divide_one"),
        (np_call("sum", X), "sum"),
        (np_call("sum", X, axis=Const(None)), "sum"),
        (np_call("sum", X, Const(None), keepdims=Const(False)), "sum"),
        (np_call("sum", X, axis=Const(0)), "sum_any"),
        (np_call("sum", X, axis=Z), "sum_any"),
        (np_call("sum", X, keepdims=Const(True)), "sum_kept"),
        (Op("@", (X, Z)), "matmul"),
    ],
)
def test_most_specific_rule_wins(expr: Expr, name: str) -> None:
    assert rule_name(expr) == name


@pytest.mark.parametrize(
    ("expr", "name"),
    [
        (np_call("sum", X, Const(0), Const(None)), "sum_vector"),
        (np_call("sum", X, Const(0), Const(None), Const(None), Const(True)), "sum_kept"),
        (np_call("sin", X, Const(None)), "sin"),
        (np_call("sin", X, out=Const(None), where=Const(True), order=Const("F")), "sin"),
        (np_call("sum", a=X, where=Z, axis=Const(0)), "sum_where"),
        (np_call("trapezoid", y=X, x=Z), "trapezoid"),
        (np_call("nan_to_num", X, Const(True), Const(1.0)), "nan_to_num"),
        (np_call("sort", X, kind=Const("stable")), "sort_vector"),
    ],
)
def test_a_call_is_the_same_however_it_is_spelt(expr: Expr, name: str) -> None:
    assert rule_name(expr, all_are(kind="array", rank=1, is_array=True, dtype="float64")) == name


def test_a_dtype_that_the_operands_have_says_nothing() -> None:
    doubles = all_are(kind="array", rank=1, is_array=True, dtype="float64")
    singles = all_are(kind="array", rank=1, is_array=True, dtype="float32")
    assert rule_name(np_call("exp", X, dtype=Ref("float", float)), doubles) == "exp"
    assert rule_name(np_call("exp", X, dtype=Ref("float", float)), singles) is None
    assert rule_name(np_call("exp", X, dtype=Ref("int", int)), doubles) is None


def test_ranks_choose_among_rules() -> None:
    assert rule_name(np_call("dot", X, Z), MATRIX) == "dot_matrices"
    assert rule_name(np_call("dot", X, Z), VECTOR) == "dot_vectors"
    assert rule_name(np_call("sum", X, axis=Const(0)), VECTOR) == "sum_vector"
    assert rule_name(np_call("sum", X, axis=Const(0)), MATRIX) == "sum_first"
    assert rule_name(np_call("sum", X, axis=Const(1)), MATRIX) == "sum_along"
    assert rule_name(np_call("cumsum", X), VECTOR) == "cumsum_vector"
    assert rule_name(np_call("cumsum", X), MATRIX) == "cumsum"


@pytest.mark.parametrize(
    "expr",
    [
        np_call("nansum", X, where=Z),
        np_call("sum", X, Const(0), Const("int32")),
        np_call("sin", X, out=Z),
        np_call("sin", X, Z),
        np_call("floor", X, out=Z),
        np_call("std", X, dtype=Const("float32")),
        np_call("union1d", X, Const(2)),
        np_call("roll", Op("star", (X,))),
        Op("-", (Op("list", (X,)), Op("list", (Z,)))),
        Op("*", (X, Op("tuple", (Z, Z)))),
        Op("and", (X, Z)),
    ],
)
def test_what_no_template_spells_is_refused(expr: Expr) -> None:
    assert find(expr) is None


@pytest.mark.parametrize("kind", ["list", "tuple", "dict", "object", "str"])
def test_operand_that_is_no_number_is_refused(kind: str) -> None:
    assert find(Op("-", (X, Z)), all_are(kind=kind)) is None
    assert find(Call(Attr(X, "ravel")), all_are(kind=kind)) is None


COMPLEX = all_are(kind="array", dtype="complex128", rank=1, is_array=True)


@pytest.mark.parametrize("name", ["sort", "cbrt", "maximum", "median", "sign", "floor_divide"])
def test_complex_arrays_are_refused_by_what_is_stated_for_real_ones(name: str) -> None:
    args = (X, Z) if name in ("maximum", "floor_divide") else (X,)
    assert find(np_call(name, *args), VECTOR) is not None
    match = find(np_call(name, *args), COMPLEX)
    assert match is None or (match.constant and name == "floor_divide")


def test_complex_arrays_have_rules_of_their_own() -> None:
    assert find(np_call("abs", X), COMPLEX).rule.file == "complex.py"  # type: ignore[union-attr]
    assert find(Attr(X, "imag"), COMPLEX).rule.name == "imag"  # type: ignore[union-attr]
    real = all_are(kind="array", dtype="float64", rank=1, is_array=True)
    assert find(Attr(X, "imag"), real).constant  # type: ignore[union-attr]
    assert find(Attr(X, "imag"), VECTOR) is None  # which may be complex
    assert rule_name(Op("*", (X, Z)), COMPLEX) == "multiply"
    assert rule_name(np_call("stack", Op("list", (X, Z))), COMPLEX) == "stack"


def test_what_was_left_out_is_left_out_again() -> None:
    minus = Op("u-", (Const(1),))
    assert x_bar(np_call("roll", X, Const(1))) == np_call("roll", G, minus)
    assert x_bar(np_call("roll", X, shift=Const(1), axis=Const(0))) == np_call(
        "roll", G, minus, axis=Const(0)
    )


def test_shape_is_asked_of_what_may_be_a_number() -> None:
    call = np_call("reshape", X, Const(-1))
    assert x_bar(call) == np_call("reshape", G, Call(Ref("np.shape", np.shape), (X,)))
    assert x_bar(call, MATRIX) == np_call("reshape", G, Attr(X, "shape"))
    method = Call(Attr(X, "reshape"), (Const(3), Op("u-", (Const(1),))))
    assert x_bar(method) == np_call("reshape", G, Attr(X, "shape"))


def test_literals_are_computed() -> None:
    assert x_bar(Op("**", (X, Const(5)))) == Op(
        "*", (Op("*", (Const(5), Op("**", (X, Const(4))))), G)
    )


def test_only_wanted_parameters_and_their_locals() -> None:
    solve = Call(Ref("np.linalg.solve", np.linalg.solve), (X, Z))
    match = find(solve, MATRIX)
    assert match is not None
    assert [line.target for line in match.adjoints(Y, G, {"a", "b"})] == ["back", "a", "b"]
    assert [line.target for line in match.adjoints(Y, G, {"b"})] == ["back", "b"]
    assert find(Op("*", (X, Z))).adjoints(Y, G, {"z"})[0].target == "z"  # type: ignore[union-attr]


def test_tangent_keeps_the_spelling_and_leaves_out_zeros() -> None:
    dot = Var("x_dot", 0)
    match = find(np_call("sum", X, axis=Const(0)))
    assert match is not None
    assert match.tangents(Y, {"a": dot}) == np_call("sum", dot, axis=Const(0))
    assert match.tangents(Y, {}) is None
    minus = find(Op("-", (Z, X)))
    assert minus is not None
    assert minus.tangents(Y, {"x": G, "z": dot}) == Op("-", (G, dot))


def test_constant_rules_and_parameters() -> None:
    floor = find(np_call("floor", X))
    assert floor is not None and floor.constant and floor.tangents(Y, {"x": G}) is None
    chain = find(Op("< <=", (X, Z, X)))
    assert chain is not None and chain.constant
    where = find(np_call("where", X, Y, Z))
    assert where is not None and set(where.operands) == {"x", "z"}


def test_every_name_that_is_printed_exists() -> None:
    texts = [text for file, text in template_texts().items() if file.startswith("printed")]
    defined = re.findall(r"^def (\w+)", "".join(texts), re.MULTILINE)
    assert len(set(defined)) == len(defined), sorted(defined)
    rules = load().every
    assert len({(rule.file, rule.name) for rule in rules}) == len(rules)
    for name in printed_names():
        assert printed_source(name).startswith(f"def {name}(")
        assert set(printed_uses(name)) <= set(printed_names())
        assert all(len(line) < 88 for line in printed_source(name).splitlines()), name
    assert printed_uses("_dot_bar_a") == ("_sum_to",)


def test_every_differentiable_parameter_has_a_tangent() -> None:
    for rule in load().every:
        explicit = {line.target for line in rule.tangent}
        whole = rule.family == "parts" and not rule.tangent
        derived = whole or rule.family in ("elementwise", "linear", "joint")
        assert derived or explicit == rule.differentiable, (rule.file, rule.name)


def test_printed_function_is_known_again_by_its_text_alone() -> None:
    names: dict[str, Any] = {"np": np}
    source = printed_source("_sum_to")
    linecache.cache["<emitted>"] = len(source), None, source.splitlines(True), "<emitted>"
    exec(compile(source, "<emitted>", "exec"), names)
    assert rule_name(Call(Ref("_sum_to", names["_sum_to"]), (X, Z))) == "sum_to"
    other = "def _sum_to(x, shape):\n    return x\n"
    linecache.cache["<other>"] = len(other), None, other.splitlines(True), "<other>"
    exec(compile(other, "<other>", "exec"), names)
    assert rule_name(Call(Ref("_sum_to", names["_sum_to"]), (X, Z))) is None


def test_rule_for_other_operands_is_known() -> None:
    assert is_known(np_call("concatenate", X))
    assert is_known(np_call("trapezoid", X))
    assert not is_known(np_call("union1d", X))
