"""What is known of each value of small programs, as text."""

from __future__ import annotations

import time
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from s2sad.ir.errors import Span
from s2sad.legacy.facts import Dim, Fact, Facts, Token, canonical, fact_of_value, infer, same_shape
from s2sad.legacy.facts.fact import constant
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import (
    Assign,
    Call,
    Carried,
    Const,
    Expr,
    If,
    Loop,
    Merge,
    Op,
    Param,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from tests.facts import samples

HERE = Span("nowhere.py", "f", 1)
U, M, C = np.zeros(4), np.zeros((3, 4)), np.zeros(3)


def text(fact: Fact) -> str:
    """Return a fact as short text: 'float64 (u@0.0-2)', 'float', '[tuple]'."""
    shape = fact.shape
    if fact.kind == "list":
        return f"[{', '.join(map(text, fact.items))}]"
    if fact.kind == "tuple" and shape is not None:
        return f"({', '.join(map(text, fact.items))})"
    if isinstance(shape, Token):
        return f"{fact.kind} like {shape.name}" + (f" less {shape.trim}" if shape.trim else "")
    if fact.kind == "array" and shape is not None:
        return f"{fact.dtype or '?'} ({', '.join(map(str, shape))})"
    return fact.kind


def facts_of(function: Any, *args: Any) -> Facts:
    program = normalise(function)
    slots = [param.var.slot for param in program.params]
    given = {s: fact_of_value(v, s) for s, v in zip(slots, args, strict=False)}
    return infer(program, given)


def known(function: Any, *args: Any) -> dict[str, str]:
    """Return what is known of the last value of each name."""
    facts = facts_of(function, *args)
    return {var.slot: text(fact) for var, fact in facts.known.items() if "%" not in var.slot}


def meetings(function: Any, *args: Any) -> list[str]:
    return [
        f"{m.left.slot}.{m.left_axis} = "
        + (str(m.right_axis) if m.right is None else f"{m.right.slot}.{m.right_axis}")
        for m in facts_of(function, *args).meetings
    ]


# ---------------------------------------------------------------------------- lengths


def test_slices_of_equal_length() -> None:
    found = known(samples.slices, U, np.zeros(5))
    assert [found[x] for x in "abcd"] == ["float64 (u@0.0-2)"] * 4
    assert found["e"] == "float64 (u@0.0[None:2:1])"
    assert found["f"] == found["g"] == "float64 (v@0.0[None:None:2])"
    assert found["h"] == "float64 (u@0.0-3)"


def test_arrays_made_of_the_length_of_another() -> None:
    found = known(samples.made, U, 4)
    assert [found[x] for x in "abcde"] == ["float64 (x@0.0)"] * 5
    assert found["f"] == "float64 (3, 3)"
    assert found["g"] == found["h"] == found["k"] == "float64 (#n@0)"
    assert found["i"] == found["j"] == "float64 (x@0.0-2)"
    assert found["p"] == "float64 (#*(2, n@0))"


def test_constants_of_example_arguments() -> None:
    assert fact_of_value(np.zeros((1, 4)), "r").shape == (Dim("", 1), Dim("r.1"))
    assert fact_of_value(2.5, "s") == fact_of_value(7.0, "t")
    assert fact_of_value(3, "n") == fact_of_value(4, "m")
    assert fact_of_value(True, "b") != fact_of_value(False, "b")
    assert fact_of_value(np.float32(1), "s").dtype == "float32"
    assert hash(fact_of_value([(M, U)], "params")) == hash(fact_of_value([(M, C)], "params"))
    assert text(fact_of_value((U, 1.0, "abc"), "p")) == "(float64 (p[0].0), float, str)"
    assert text(fact_of_value([(M, U), (M, C)], "p")) == "[(float64 (?, ?), float64 (?))]"


# ---------------------------------------------------------------------------- meetings


def test_misfit() -> None:
    found = known(samples.misfit, M, U, C)
    assert found["m"] == "float64 (W@0.1)"
    assert found["d"] == found["r"] == found["s"] == "float64 (W@0.0)"
    assert meetings(samples.misfit, M, U, C) == ["W.0 = d.0"]


def test_lengths_that_meet_are_recorded() -> None:
    assert meetings(samples.trimmed, U, U) == ["u.0 = v.0"]
    assert meetings(samples.written, U, M, U) == ["A.1 = v.0", "u.0 = A.1"]
    assert meetings(samples.by_value, U, U) == ["u.0 = v.0"]
    assert meetings(samples.with_constant, U) == ["u.0 = 4"]
    assert meetings(samples.calls_with_constant, U, 1.0) == ["u.0 = 4"]


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (samples.crossed, (U, U)),  # no entry check can name u.0 - 1
        (samples.spread, (np.zeros((3, 1)), np.zeros((1, 4)))),  # a length of 1 is spread
        (samples.with_constant_perhaps, (U, 1.0)),  # a branch that may never be taken
        (samples.by_shape, (U, U)),  # the lengths decide which way is taken
    ],
)
def test_what_cannot_be_checked_is_not_assumed(function: Any, args: Any) -> None:
    assert meetings(function, *args) == []


def test_lengths_that_are_not_assumed_equal_are_new() -> None:
    facts = facts_of(samples.crossed, U, U)
    result = facts.expr(normalise(samples.crossed).result)
    assert result.rank == 1
    assert not same_shape(result, facts.of(Var("v", 0)))


def test_a_meeting_in_a_loop_holds_outside_too() -> None:
    assert meetings(samples.stepped, U, U, 3) == ["u.0 = f.0"]
    assert known(samples.stepped, U, U, 3)["f"] == "float64 (u@0.0)"


def test_what_a_loop_implies_is_checked_since_it_may_not_run() -> None:
    assert meetings(samples.implied, M, U, 3) == ["A.1 = u.0"]
    assert known(samples.implied, M, U, 3)["u"] == "float64 (A@0.1)"


def test_what_a_branch_implies_ends_with_it() -> None:
    facts = facts_of(samples.scoped, 3, 3, 1.0)
    x, y, z = (facts.of(Var(name, 1)) for name in "xyz")
    assert not same_shape(z, x)
    assert not same_shape(x, y)


# ---------------------------------------------------------------------------- tokens


def test_shapes_of_unknown_rank() -> None:
    found = known(samples.smooth)
    assert found["a"] == "unknown like u less 2"
    assert found["b"] == found["d"] == found["u"] == "unknown like u"
    assert found["f"] == found["g"] == "array like u"
    assert found["e"] == "unknown like e@1"
    assert found["h"] == "unknown like h@1"


def test_a_value_has_its_own_shape_at_least() -> None:
    facts = facts_of(samples.doubled, Fact)
    result = facts.expr(normalise(samples.doubled).result)
    assert same_shape(result, facts.of(Var("y", 1)))


# ---------------------------------------------------------------------------- kinds


def test_elements_and_rows() -> None:
    found = known(samples.elements, C, M, 1)
    assert [found[x] for x in "acdei"] == ["float"] * 5
    assert found["b"] == found["j"] == "float64 (W@0.1)"
    assert found["f"] == "float64 (2)"
    assert found["g"] == "float64 (count(>(r@0, 0.0)))"
    assert found["h"] == "float64 (W@0.0, 1)"


def test_numbers_of_loops() -> None:
    found = known(samples.counted, U, 3)
    assert found["total"] == "float"
    assert found["power"] == found["i"] == "int"
    assert found["mixed"] == "unknown like mixed@3"


def test_names_that_a_loop_gives_first() -> None:
    found = known(samples.late, 3)
    assert found["k"] == found["j"] == "int"
    assert found["last"] == "float"


# ---------------------------------------------------------------------------- loops


def test_what_changes_from_pass_to_pass_is_not_kept() -> None:
    found = known(samples.grown, U, 3)
    assert found["x"] == found["y"] == "float64 (x@3.0)"
    found = known(samples.swapped, U, M, 3)
    assert found["a"] == "array like a@3"
    facts = facts_of(samples.carried, U, 3)
    now, gap = facts.of(Var("now", 2)), facts.of(Var("gap", 2))
    assert text(now) == "float64 (#i@2)"
    assert not same_shape(now, gap)


def test_lengths_that_change_places() -> None:
    assert known(samples.transposed, M, 3)["A"] == "float64 (A@3.0, A@3.1)"


def test_hidden_width_is_not_input_width() -> None:
    x, y = np.zeros((5, 3)), np.zeros((5, 2))
    facts = facts_of(samples.mlp_loss, [(np.zeros((3, 6)), np.zeros(6))], x, y)
    start, end = facts.of(Var("x", 1)), facts.of(Var("x", 2))
    assert text(start) == "float64 (x@0.0, x@1.1)"
    assert start.shape[0] == end.shape[0]
    assert start.shape[1] != end.shape[1]
    assert facts.of(Var("W", 2)).shape[0] == start.shape[1]
    assert [(m.left.slot, m.right.slot) for m in facts.meetings] == [("x", "y")]


def test_lists() -> None:
    found = known(samples.nested_lists, 3, U)
    assert found["saved"] == "[(float64 (?), int)]"
    assert found["last"] == "float64 (saved@4[u-(1)][0].0)"
    assert found["number"] == "int"
    assert found["row"] == "float64 (x@0.0)"


# ---------------------------------------------------------------------------- calls


def test_calls_are_looked_into() -> None:
    assert known(samples.outside, U, U)["y"] == "float64 (u@0.0)"
    assert meetings(samples.outside, U, U) == ["u.0 = v.0"]


def test_recursion_ends() -> None:
    assert known(samples.recursive, U, 3)["x"] == "float64 (x@0.0)"


def test_a_called_function_alone_assumes_nothing_of_its_callers_lengths() -> None:
    given = {"x": facts_of(samples.outside, U, U).of(Var("u", 0)), "y": fact_of_value(U, "v")}
    assert infer(normalise(samples.inside), given).meetings == ()


def test_names_of_callers_are_not_mistaken() -> None:
    # the caller's r@1 axis 0 is not the r@1 that is made here
    given = {"x": Fact("array", "float64", (Dim("#n@0"),)), "n": fact_of_value(3, "n")}

    value = Op("+", (Call(Ref("np.zeros", np.zeros), (Var("n", 0),)), Var("x", 0)))
    params = (Param(Var("x", 0)), Param(Var("n", 0)))
    program = Program("made_here", params, (), value, HERE)
    facts = infer(program, given)
    assert not same_shape(facts.expr(value), facts.of(Var("x", 0)))


def test_canonical_arguments() -> None:
    first = facts_of(samples.misfit, M, U, C)
    second = facts_of(samples.mlp_loss, [(M, U)], np.zeros((5, 3)), np.zeros((5, 4)))
    one = canonical({"a": first.of(Var("r", 1)), "b": first.of(Var("W", 0))})
    two = canonical({"a": Fact("array", "float64", (Dim("q"),)), "b": Fact(
        "array", "float64", (Dim("q"), Dim("z")))})  # fmt: skip
    assert one == two
    assert canonical({"a": second.of(Var("y", 0))})["a"].shape == (Dim("~1"), Dim("~2"))


# ---------------------------------------------------------------------------- by hand

X = Var("x", 0)
RANGE = Ref("range", range)


def program(*body: Stmt, result: Expr = X, params: tuple[Var, ...] = (X,)) -> Program:
    return Program("f", tuple(map(Param, params)), body, result, HERE)


def test_pop_names_the_lengths_of_an_element() -> None:
    saved, left, y = Var("saved", 0), Var("saved", 1), Var("y", 1)
    given = {"saved": fact_of_value([U, C], "saved")}
    facts = infer(program(Pop(y, left, saved, HERE), result=y, params=(saved,)), given)
    assert text(facts.of(y)) == "float64 (y@1.0)"
    assert text(facts.of(left)) == "[float64 (?)]"


def test_merge_with_a_side_that_gives_nothing() -> None:
    y, z = Var("y", 1), Var("y", 2)
    branch = If(X, (Assign((y,), Op("*", (X, X)), HERE),), (), (Merge(z, y, None),), HERE)
    assert text(infer(program(branch), {"x": fact_of_value(2.0, "x")}).of(z)) == "float"


def test_update_keeps_an_array_and_rebinds_a_number() -> None:
    s, grown_, kept = Var("s", 0), Var("s", 1), Var("x", 1)
    body = (Update(kept, X, None, "+", s, HERE), Update(grown_, s, None, "+", X, HERE))
    given = {"x": fact_of_value(U.astype("float32"), "x"), "s": fact_of_value(1.0, "s")}
    facts = infer(program(*body, params=(X, s)), given)
    assert text(facts.of(kept)) == text(facts.of(grown_)) == "float32 (x@0.0)"


def test_more_values_and_derivative_expressions() -> None:
    facts = infer(program(), {"x": fact_of_value(U, "x")})
    bar = Var("x~bar", 1)
    more = facts.with_({bar: facts.of(X)})
    expr = Op("*", (bar, Call(Ref("np.cos", np.cos), (X,))))
    assert text(more.expr(expr)) == text(facts.expr(expr, {bar: facts.of(X)})) == "float64 (x@0.0)"
    assert facts.of(bar).kind == "unknown"
    summed = Call(Ref("_sum_to", "printed"), (expr, Call(Ref("np.shape", np.shape), (X,))))
    assert text(more.expr(summed)) == "float64 (x@0.0)"


# ---------------------------------------------------------------------------- size


def straight(count: int) -> Program:
    body, last = [], X
    for i in range(count):
        new = Var("x", i + 1)
        sine = Call(Ref("np.sin", np.sin), (last,))
        body.append(Assign((new,), Op("*", (sine, Const(2.0))), HERE))
        last = new
    return program(*body, result=last)


def nested(depth: int, slots: str) -> Program:
    """Return loops in loops; the innermost moves each value on to the next name."""
    numbers = iter(range(1, 100000))

    def level(left: int, env: dict[str, Var]) -> tuple[tuple[Stmt, ...], dict[str, Var]]:
        if left == 0:
            new = {s: Var(s, next(numbers)) for s in slots}
            moved = zip(slots, slots[1:] + slots[0], strict=True)
            return tuple(
                Assign((new[s],), Op("*", (env[t], Const(2.0))), HERE) for s, t in moved
            ), new
        heads = {s: Var(s, next(numbers)) for s in slots}
        body, ends = level(left - 1, heads)
        exits = {s: Var(s, next(numbers)) for s in slots}
        carried_ = tuple(Carried(heads[s], env[s], ends[s], exits[s]) for s in slots)
        index = Var("i", next(numbers))
        loop = Loop(index, Call(RANGE, (Const(3),)), None, carried_, body, False, HERE)
        return (loop,), exits

    params = tuple(Var(s, 0) for s in slots)
    body, exits = level(depth, {s: Var(s, 0) for s in slots})
    return program(*body, result=exits[slots[0]], params=params)


def seconds(program_: Program, given: dict[str, Fact]) -> float:
    start = time.perf_counter()
    infer(program_, given)
    return time.perf_counter() - start


def test_long_programs_take_time_in_proportion() -> None:
    given = {"x": fact_of_value(U, "x")}
    assert seconds(straight(1000), given) < 1.0
    assert text(infer(straight(5000), given).of(Var("x", 5000))) == "float64 (x@0.0)"


def test_deep_nests_of_loops_end_soon() -> None:
    given = {s: fact_of_value(v, s) for s, v in zip("abcd", (U, 1.0, M, C), strict=True)}
    assert seconds(nested(20, "abcd"), given) < 1.0
    facts = infer(nested(20, "ab"), {"a": fact_of_value(1.0, "a"), "b": fact_of_value(2.0, "b")})
    assert all(fact.kind in ("float", "int") for fact in facts.known.values())


def test_a_long_chain_of_carried_values_is_settled() -> None:
    slots = "abcdefghijklmnopqrstuvwxyz"
    given = {s: fact_of_value(1.0, s) for s in slots} | {"z": fact_of_value(U, "z")}
    facts = infer(nested(1, slots), given)
    assert facts.expr(Var("a", 0)).kind == "float"
    assert text(facts.of(nested(1, slots).result)).startswith("unknown")  # type: ignore[arg-type]


def test_other_lengths_leave_all_else_of_a_fact() -> None:
    full = Fact(
        "record",
        value=Const(None),
        weak=None,
        mixed=True,
        keys=("a",),
        made_of=list,
        literal=True,
        optional=True,
    )
    lengths = ("kind", "dtype", "shape", "items", "extent")
    others = [each for each in fields(Fact) if each.name not in lengths]
    assert all(getattr(full, each.name) != each.default for each in others)
    shape, items, extent = (constant(2),), (full,), (constant(3),)
    made = full.with_lengths(shape, items, extent)
    assert made == replace(full, shape=shape, items=items, extent=extent)
