"""Which rule an operation finds by the types on its operands, and what it refuses."""

import ast
import math
import operator

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import ArgumentError
from s2sad.ir.expression import Expr, Variable, attribute, call, constant, global_, name
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Length, Number, Numeric, Other, Reference, Region, Tuple
from s2sad.operators import printed
from s2sad.operators.find import Known, find, has_rule
from s2sad.operators.in_force import Added, using
from s2sad.operators.stated import rules_of_text
from s2sad.operators.trees import literal

N, M = Length.of("n"), Length.of("m")
U = name(Variable("u"), Array("float64", (N,)))
V = name(Variable("v"), Array("float64", (N,)))
A = name(Variable("A"), Array("float64", (N, M)))
Z = name(Variable("z"), Array("complex128", (N,)))
C = name(Variable("c"), Number("float64"))
X = name(Variable("x"), Numeric())
K = name(Variable("k"), Number("int64"))
NONE, TRUE = constant(None), literal(True)


def np_(text):
    value = np
    for word in text.split("."):
        value = getattr(value, word)
    return global_(f"np.{text}", value)


def rule_of(expr, known=None):
    match = find(expr) if known is None else find(expr, known)
    return None if match is None else match.rule.name


def binary(symbol, *args):
    return Expr("binary", args, symbol)


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (binary("*", U, U), "multiply_twice"),
        (binary("*", U, V), "multiply"),
        (binary("**", U, literal(2)), "power_2"),
        (binary("**", U, literal(2.0)), "power_2"),
        (binary("**", U, Expr("unary", (literal(1),), "-")), "power_minus_1"),
        (binary("**", U, literal(-1)), "power_minus_1"),
        (binary("**", U, literal(1.5)), "power_number"),
        (binary("**", literal(2.0), U), "power_of_number"),
        (binary("**", U, V), "power"),
        (binary("/", literal(1.0), U), "divide_one"),
        (call(np_("sum"), X), "sum"),
        (call(np_("sum"), C), "sum_scalar"),
        (call(np_("sum"), U, axis=literal(0)), "sum_vector"),
        (call(np_("sum"), A, literal(0)), "sum_first"),
        (call(np_("sum"), A, axis=literal(1)), "sum_along"),
        (call(np_("sum"), A, axis=K), "sum_along"),
        (call(np_("sum"), X, axis=literal(0)), "sum_of_axis"),
        (call(np_("sum"), A, keepdims=TRUE), "sum_kept"),
        (call(np_("add.reduce"), A), "sum_first"),
        (call(attribute(A, "sum"), literal(1)), "sum_along"),
        (attribute(A, "T"), "transposed"),
        (binary("@", A, V), "matmul_matrix_vector"),
        (binary("@", X, X), "matmul"),
        (call(global_("sin", math.sin), C), "sin"),
        (call(global_("operator.add", operator.add), U, V), "add"),
        (call(global_("operator.neg", operator.neg), U), "negative"),
        (call(np_("max"), A, literal(0), NONE, TRUE), "extreme_kept"),
        (call(np_("exp"), U, out=NONE, where=TRUE), "exp"),
        (call(np_("exp"), U, dtype=global_("float", float)), "exp"),
        (call(np_("zeros_like"), U), "like"),
        (Expr("compare", (U, literal(0.0)), ("<",)), "comparisons"),
    ],
    ids=lambda each: expression(each) if isinstance(each, Expr) else each,
)
def test_the_most_specific_rule_wins(expr, wanted):
    assert rule_of(expr) == wanted


def test_a_function_is_known_by_what_it_is_and_not_by_its_text():
    assert rule_of(call(global_("my_tanh", np.tanh), U)) == "tanh"
    assert rule_of(call(global_("np.tanh", math.isqrt), U)) is None


def test_math_is_answered_with_math():
    (line,) = find(call(global_("math.sin", math.sin), C)).adjoints({"x"})
    assert expression(line.value) == "y_bar * math.cos(x)"


@pytest.mark.parametrize(
    "expr",
    [
        call(np_("exp"), U, out=V),
        call(np_("exp"), U, where=Expr("compare", (U, literal(0.0)), (">",))),
        call(np_("exp"), U, dtype=global_("np.float32", np.float32)),
        call(np_("cumsum"), U, nonsense=literal(1)),
        call(np_("arctan2"), Z, U),
        call(np_("exp"), U, where=name(Variable("mask"), Array("bool", (N,)))),
        call(np_("tanh"), name(Variable("s"), Other(str))),
        call(np_("sum"), name(Variable("unknown"))),
    ],
    ids=expression,
)
def test_what_a_template_does_not_spell_is_refused(expr):
    assert find(expr) is None


def test_complex_values_have_the_rules_that_hold_for_them():
    assert rule_of(call(np_("sin"), Z)) == "sin"
    assert rule_of(call(np_("arctan2"), Z, Z)) is None


def test_lists_are_known_by_their_region():
    held = name(Variable("xs"), Reference("xs"))
    total = call(global_("sum", sum), held)
    assert rule_of(total) is None
    known = Known({"xs": Region("xs", "list", Number("float64"))})
    assert find(total, known).rule.file == "lists.py"
    pair = name(Variable("pair"), Tuple((Number("float64"), Number("float64"))))
    assert find(call(global_("max", max), pair)).rule.file == "lists.py"


def test_what_was_left_out_is_left_out_again():
    match = find(call(np_("roll"), U, shift=literal(1)))
    assert [expression(line.value) for line in match.adjoints({"a"})] == ["np.roll(y_bar, -shift)"]
    assert [expression(t.value) for t in match.tangents({"a"})] == ["np.roll(a_dot, shift=shift)"]


def test_only_what_is_wanted_is_given_with_the_locals_that_it_needs():
    matrix, vector = A.typed(Array("float64", (N, N))), U
    match = find(call(np_("linalg.solve"), matrix, vector))
    whole = [(line.target, line.is_local) for line in match.adjoints({"a", "b"})]
    assert whole == [("back", True), ("a", False), ("b", False)]
    assert [line.target for line in match.adjoints({"b"})] == ["back", "b"]


def test_a_line_tells_where_only_a_shape_is_read():
    (line,) = find(call(np_("sum"), A)).adjoints({"a"})
    assert line.reads == {"a": False, "y_bar": True}
    (line,) = find(call(np_("sum"), A, literal(0))).adjoints({"a"})
    assert line.reads == {"a": False, "y_bar": True}
    (line, _) = find(binary("*", U, V)).adjoints({"x", "z"})
    assert line.reads == {"y_bar": True, "z": True}


def test_an_operand_without_a_derivative_that_varies_is_told():
    match = find(call(np_("percentile"), U, V))
    assert match.uncovered(lambda e: e == U) == ()
    assert match.uncovered(lambda e: e in (U, V)) == ("q",)
    flat = find(call(np_("copysign"), U, V))  # through the sign of x2 nothing flows
    assert flat.uncovered(lambda e: e in (U, V)) == ()
    assert flat.flat == ("x2",)
    assert find(call(np_("floor"), U)).uncovered(lambda e: True) == ()


def test_twins_are_asked_last_and_name_their_function():
    match = find(call(np_("logaddexp.accumulate"), U))
    assert match.rule.family == "twin"
    assert expression(match.twin) == "_running_logaddexp_first(a)"
    assert match.twin.args[0].data.value is printed.function("_running_logaddexp_first")


def test_marks_of_users_stop_the_derivative():
    match = find(call(global_("stop_gradient", s2sad.stop_gradient), U))
    assert match.is_constant


def test_rules_of_users_are_handed_over():
    def cubed(x):
        return x**3

    text = 'FAMILY = "elementwise"\n\n\ndef cube(x):\n    y = cubed(x)\n    x_bar = 3.0 * x**2 * y_bar\n'
    rules = rules_of_text(text, "mine.py", {"cubed": cubed})
    use = call(global_("cubed", cubed), U)
    assert find(use) is None and not has_rule(use)
    with using((Added(rules),)):
        assert rule_of(use) == "cube"
    assert find(use) is None


def test_a_mistake_in_a_text_of_users_is_told_at_its_line():
    with pytest.raises(ArgumentError, match="nowhere") as caught:
        rules_of_text("def f(x):\n    y = nowhere(x)\n    x_bar = y_bar\n", "mine.py", {})
    assert caught.value.span.line == 2


def test_printed_functions_run_with_what_they_use():
    assert printed.function("_sum_to")(np.ones((2, 3)), (1, 3)).tolist() == [[2.0, 2.0, 2.0]]
    for called in printed.names():
        for other in printed.uses(called):
            assert other in printed.names()
        compile(printed.source(called), called, "exec")


def test_templates_are_read_once(monkeypatch):
    uses = [binary("*", U, V), call(np_("sin"), U), call(np_("sum"), A, axis=literal(0))]
    first = [find(use) for use in uses]
    monkeypatch.setattr(ast, "parse", None)
    assert [find(use) for use in uses] == first


def test_an_array_that_is_known_is_compared_with_nothing():
    held = global_("TABLE", np.ones(3))
    table = held.typed(Array("float64", (Length((), 3),)), held.known)
    assert rule_of(call(np_("linalg.norm"), A, table)) is None
    assert rule_of(binary("**", U, table)) == "power"
    assert rule_of(call(np_("sum"), table, keepdims=table)) in (None, "sum_any")
