"""Bad input: each case ends in an s2sad error that shows the user's line, never in a number."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import ArgumentError, InternalError, NoRule, NoSource, S2sadError
from tests import oracles
from tests.fuzz.case import Case
from tests.fuzz.score import score_function
from tests.programs import refused, unsupported
from tests.programs.arrays import shapes_of_adjoints
from tests.rooms.forward import judged

U = np.array([0.31, -0.42, 0.83, 0.54, -0.75])


def refusal(attempt: Callable[[], Any], kind: type[S2sadError] = S2sadError) -> S2sadError:
    with pytest.raises(kind) as caught:
        attempt()
    error = caught.value
    assert not isinstance(error, InternalError), error
    assert str(error).strip()
    return error


def assert_shows(error: S2sadError, line: str) -> None:
    """Fail unless the report quotes the line with a caret below, and names its file and number."""
    lines = str(error).splitlines()
    at = [k for k, text in enumerate(lines) if text.strip() == line]
    assert at, f"{line!r} is not in:\n{error}"
    assert set(lines[at[0] + 1].strip()) == {"^"}, str(error)
    assert any("File " in text and "line " in text for text in lines[: at[0]]), str(error)


# ---------------------------------------------------------------------------- wrt


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.value_and_grad, s2sad.vjp, s2sad.jvp])
@pytest.mark.parametrize("wrt", ["w", "", 2, -3, 17, ("u", "w"), (0, 5), ("u", "u"), (), 1.5])
def test_wrong_wrt(make: Callable[..., Any], wrt: Any) -> None:
    error = refusal(lambda: make(refused.scalar_result, wrt=wrt), ArgumentError)
    if isinstance(wrt, str) and wrt:
        assert "w" in str(error) and "u" in str(error)


@pytest.mark.parametrize("wrt", ["w", 7, -3])
def test_wrong_wrt_names_the_parameters(wrt: Any) -> None:
    error = refusal(lambda: s2sad.grad(refused.scalar_result, wrt=wrt), ArgumentError)
    assert "Its parameters: u, c." in error.hint
    assert_shows(error, "def scalar_result(u, c):")


def test_a_function_without_named_parameters() -> None:
    error = refusal(lambda: s2sad.grad(refused.any_number)(), ArgumentError)
    assert_shows(error, "def any_number(*args):")


@pytest.mark.parametrize("attempt", [s2sad.grad, s2sad.vjp, s2sad.jvp, s2sad.check_grad])
def test_integer_argument_of_a_call(attempt: Any) -> None:
    more = {s2sad.vjp: (1.0,), s2sad.jvp: (1.0,)}.get(attempt, ())

    def call() -> Any:
        if attempt is s2sad.check_grad:
            return s2sad.check_grad(refused.counted, (U, 3), wrt="n")
        return attempt(refused.counted, wrt="n")(U, 3, *more)

    error = refusal(call, ArgumentError)
    assert "n is an integer (int 3)" in error.problem and "3.0" in error.hint
    assert_shows(error, "def counted(u, n):")
    caret = next(line for line in str(error).splitlines() if set(line.strip()) == {"^"})
    assert caret.index("^") == str(error).splitlines()[2].index("n):")


@pytest.mark.parametrize("value", [1 + 2j, U * 1j, np.complex64(1.0)])
def test_complex_arguments(value: Any) -> None:
    error = refusal(lambda: s2sad.grad(refused.scalar_result)(value, 0.5), ArgumentError)
    assert "complex" in error.problem
    assert_shows(error, "def scalar_result(u, c):")


def test_complex_numbers_inside() -> None:
    error = refusal(lambda: s2sad.grad(refused.complex_inside)(0.3))
    assert_shows(error, "return np.sign(z).real")
    assert "complex" in error.problem


def test_a_list_for_an_array() -> None:
    with pytest.raises(TypeError, match="multiply sequence"):  # as the function itself does
        refused.scalar_result([0.1, 0.2], 0.5)
    with pytest.raises((TypeError, NoRule)):
        s2sad.grad(refused.scalar_result)([0.1, 0.2], 0.5)


@pytest.mark.parametrize("mode", ["grad", "value_and_grad", "vjp", "jvp"])
@pytest.mark.parametrize("function", [refused.nothing, refused.nothing_at_all, refused.a_text])
def test_results_that_are_no_numbers(function: Any, mode: str) -> None:
    rest = () if "grad" in mode else (1.0,)
    error = refusal(lambda: getattr(s2sad, mode)(function)(0.3, *rest), ArgumentError)
    assert "nothing to differentiate" in error.problem
    assert error.span is not None and error.span.function == function.__name__


def test_a_function_that_raises_where_its_defaults_are_taken() -> None:
    error = refusal(lambda: s2sad.grad(refused.one_of_two_lengths).source, ArgumentError)
    assert "for these arguments" in error.problem and "raises ValueError(" in error.problem
    assert "like=(...)" in error.hint
    error = refusal(lambda: s2sad.grad(refused.one_of_two_lengths, wrt="a").source, Exception)
    assert "a, by default None, without an example in like=" in error.problem
    like = (0.3, None, 2.0)
    assert s2sad.grad(refused.one_of_two_lengths, like=like)(*like) == pytest.approx(2.4)


def test_a_function_that_numpy_has_not() -> None:
    error = refusal(lambda: s2sad.grad(refused.misspelt)(0.3))
    assert_shows(error, "return np.sine(x)")
    assert "numpy has no sine" in error.problem


@pytest.mark.parametrize("value", [3, True, np.int64(3), np.arange(5), "text", None, [1, 2]])
def test_argument_that_has_no_derivative(value: Any) -> None:
    refusal(lambda: s2sad.grad(refused.scalar_result, wrt="u")(value, 0.5), ArgumentError)


def test_integer_argument_of_like() -> None:
    refusal(lambda: s2sad.grad(refused.counted, wrt="n", like=(U, 3)).source, ArgumentError)


# ---------------------------------------------------------------------------- no source


def _typed_at_a_prompt() -> Any:
    space: dict[str, Any] = {}
    exec("def f(x):\n    return x * x\n", space)
    return space["f"]


@pytest.mark.parametrize(
    "function",
    [len, float, _typed_at_a_prompt(), "text", 3, None, np],
    ids=[
        "builtin",
        "class",
        "exec",
        "str",
        "int",
        "none",
        "module",
    ],
)
def test_no_source(function: Any) -> None:
    refusal(lambda: s2sad.grad(function).source)


def test_prompt_function_is_no_source() -> None:
    refusal(lambda: s2sad.grad(_typed_at_a_prompt()).source, NoSource)


@pytest.mark.parametrize("function", [refused.yielding, refused.waiting])
def test_functions_that_do_not_return(function: Any) -> None:
    refusal(lambda: s2sad.grad(function).source)


# ---------------------------------------------------------------------------- results and seeds


def test_array_result_given_to_grad() -> None:
    df = s2sad.grad(refused.vector_result)
    error = refusal(lambda: df(U, 0.5), ArgumentError)
    assert_shows(error, "return u * c")
    assert "vjp" in error.hint


def test_array_result_given_to_grad_with_like() -> None:
    error = refusal(lambda: s2sad.grad(refused.vector_result, like=(U, 0.5)).source, ArgumentError)
    assert_shows(error, "return u * c")


def test_array_result_given_to_value_and_grad() -> None:
    refusal(lambda: s2sad.value_and_grad(refused.vector_result)(U, 0.5), ArgumentError)


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.value_and_grad])
def test_array_result_that_only_a_call_tells(make: Callable[..., Any]) -> None:
    df = make(refused.vector_of_unknown_rank)
    error = refusal(lambda: df(U, 2.0), ArgumentError)
    assert_shows(error, "return u * w")
    assert "an array of " in error.problem and "vjp" in error.hint
    refusal(lambda: df(U, 2.0), ArgumentError)


def test_scalar_result_that_only_a_call_tells() -> None:
    value, u_bar = s2sad.value_and_grad(refused.scalar_of_unknown_rank)(U, 2.0)
    assert value == refused.scalar_of_unknown_rank(U, 2.0)
    np.testing.assert_allclose(u_bar, 2.0)


@pytest.mark.parametrize("function", [refused.several_values, refused.list_of_values])
def test_several_results_given_to_grad(function: Any) -> None:
    error = refusal(lambda: s2sad.grad(function)(U), ArgumentError)
    assert error.span is not None and error.span.text().startswith("return")
    assert "vjp" in error.hint


def test_the_last_of_several_returns_is_shown() -> None:
    error = refusal(lambda: s2sad.grad(refused.vectors_returned)(U, 0.5), ArgumentError)
    assert_shows(error, "return u * c * c")


@pytest.mark.parametrize("seed", [np.ones(4), np.ones((5, 5)), np.ones((5, 1)), "text", None])
def test_seed_of_wrong_shape(seed: Any) -> None:
    for df in (
        s2sad.vjp(refused.vector_result),
        s2sad.vjp(refused.vector_result, like=(U, 0.5)),
    ):
        error = refusal(lambda: df(U, 0.5, seed), ArgumentError)  # noqa: B023
        assert_shows(error, "return u * c")
        assert "seed" in error.problem


def test_seed_that_is_complex() -> None:
    refusal(lambda: s2sad.vjp(refused.vector_result)(U, 0.5, U * 1j), ArgumentError)


def test_seed_of_wrong_shape_for_a_scalar() -> None:
    refusal(lambda: s2sad.vjp(refused.scalar_result)(U, 0.5, np.ones(5)), ArgumentError)


@pytest.mark.parametrize("dot", [np.ones(4), np.ones((5, 5)), "text", None])
def test_tangent_of_wrong_shape(dot: Any) -> None:
    error = refusal(lambda: s2sad.jvp(refused.scalar_result)(U, 0.5, dot), ArgumentError)
    assert_shows(error, "def scalar_result(u, c):")


@pytest.mark.parametrize("args", [(), (U,), (U, 0.5, 1.0, 2.0)])
def test_wrong_number_of_arguments(args: tuple[Any, ...]) -> None:
    error = refusal(lambda: s2sad.grad(refused.scalar_result)(*args), ArgumentError)
    assert isinstance(error, TypeError) and "scalar_result_grad(u, c)" in error.problem


def test_wrong_keyword() -> None:
    error = refusal(lambda: s2sad.grad(refused.scalar_result)(U, k=0.5), ArgumentError)
    assert isinstance(error, TypeError)


# ---------------------------------------------------------------------------- rank


def test_wrong_rank_for_a_specialised_function() -> None:
    df = s2sad.grad(refused.scalar_result, wrt=("u", "c"), like=(U, 0.5))
    error = refusal(lambda: df(np.ones((2, 3)), 0.5), ArgumentError)
    assert "u has 2 axes" in error.problem and "with 1 axis" in error.problem
    assert_shows(error, "def scalar_result(u, c):")


@pytest.mark.parametrize("args", [([0.1, 0.2], 0.5), (U, [0.5]), (0.1, 0.5), (U, U)])
def test_other_kinds_for_a_specialised_function(args: Any) -> None:
    df = s2sad.grad(refused.scalar_result, wrt=("u", "c"), like=(U, 0.5))
    error = refusal(lambda: df(*args), ArgumentError)
    assert "made for" in error.problem
    assert_shows(error, "def scalar_result(u, c):")


def test_wrong_rank_for_a_specialised_file_is_no_wrong_number() -> None:
    df = s2sad.grad(refused.scalar_result, wrt=("u", "c"), like=(U, 0.5))
    alone = oracles.standalone(df.source, df.__name__)
    try:
        u_bar, c_bar = alone(U, np.full((3, 1), 0.5))
    except (TypeError, ValueError):
        return
    assert np.shape(u_bar) == (5,) and np.shape(c_bar) == (3, 1)


# ---------------------------------------------------------------------------- rules


def test_missing_rule_shows_the_line() -> None:
    error = refusal(lambda: s2sad.grad(refused.no_rule)(U), NoRule)
    assert_shows(error, "q = np.union1d(u, 2)")
    assert "union1d" in error.problem and "u" in str(error)


def test_missing_rule_in_a_called_function() -> None:
    error = refusal(lambda: s2sad.grad(refused.no_rule_called_deep)(U), NoRule)
    assert_shows(error, "q = np.union1d(u, 2)")


@pytest.mark.parametrize("mode", ["grad", "jvp"])
@pytest.mark.parametrize("function", refused.SEVERAL, ids=lambda f: f.__name__)
def test_all_missing_rules_in_one_report(function: Any, mode: str) -> None:
    args = (U,) if mode == "grad" else (U, U)
    error = refusal(lambda: getattr(s2sad, mode)(function)(*args), NoRule)
    wanted = [line.strip() for line in refused.lines_of(function) if "np.union1d" in line]
    assert len(wanted) > 1
    for line in wanted:
        assert_shows(error, line)
    places = [str(error).index(line) for line in wanted]
    assert places == sorted(places)
    assert len(error.problems) == len(wanted)
    assert "refused.py" in str(error) and "inactive" not in str(error)


def test_missing_rule_in_forward_mode() -> None:
    error = refusal(lambda: s2sad.jvp(refused.no_rule)(U, U), NoRule)
    assert_shows(error, "q = np.union1d(u, 2)")


def test_what_is_inactive_needs_no_rule() -> None:
    np.testing.assert_array_equal(s2sad.grad(refused.no_rule_but_inactive)(U), np.full(5, 2.0))


def test_a_refusal_survives_pickling() -> None:
    error = refusal(lambda: s2sad.grad(refused.no_rule)(U), NoRule)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.problem) == (type(error), error.problem)
    many = refusal(lambda: s2sad.grad(refused.no_rule_twice)(U), NoRule)
    again = pickle.loads(pickle.dumps(many))
    assert str(again) == str(many) and len(again.problems) == 2


# ---------------------------------------------------------------------------- constructs


def _here(function: Any) -> str:
    source = inspect.getsource(function).splitlines()
    return next(line.strip() for line in source if "# here" in line)


def _argument(function: Any) -> Any:
    first = next(iter(inspect.signature(function).parameters))
    return copy.deepcopy(unsupported.ARRAY_ARGUMENTS[first])


@pytest.mark.parametrize("mode", ["grad", "jvp"])
@pytest.mark.parametrize("function", unsupported.EVERY, ids=lambda f: f.__name__)
def test_other_syntax_is_right_or_refused_at_its_line(function: Any, mode: str) -> None:
    argument = _argument(function)
    case = Case(function.__name__, "", (argument,), (0,))
    found = score_function(function, case)
    assert found.verdict in ("right", "refused", "unscorable"), found
    if found.verdict != "refused" or not found.stage.startswith(mode):
        return
    rest = (argument,) if mode == "jvp" else ()
    derive = getattr(s2sad, mode)

    def attempt() -> Any:
        df = derive(function)
        # the text for every rank may be refused where what these arguments get is not
        return df(argument, *rest), df.source

    error = refusal(attempt)
    source = inspect.getsource(function)
    assert error.span is not None, error
    assert error.span.text() in source
    assert_shows(error, error.span.text())


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
@pytest.mark.parametrize("function", unsupported.EVERY, ids=lambda f: f.__name__)
def test_with_examples_other_syntax_is_right_or_refused(function: Any, make: Any) -> None:
    args = (_argument(function),)
    try:
        derivative = make(function, like=args)
        if make is s2sad.jvp:
            assert judged(function, args, (0,), derivative) is None
        else:
            slopes = oracles.differences(function, args, (0,))
            found = oracles.flatten(derivative(*copy.deepcopy(args)), args[0])
            assert oracles.compare(found, slopes) is None
    except S2sadError:
        pass


def test_most_other_syntax_is_refused_at_the_line_that_matters() -> None:
    exact, refusals = 0, 0
    for function in unsupported.EVERY:
        try:
            s2sad.grad(function)(_argument(function))
        except S2sadError as error:
            refusals += 1
            exact += _here(function) in str(error)
    assert exact >= 0.8 * refusals


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
def test_a_call_of_what_has_no_source_is_shown(mode: str) -> None:
    error = refusal(lambda: getattr(s2sad, mode)(refused.calls_what_has_no_source).source, NoSource)
    assert_shows(error, "r = shaped(s, 2.0)")


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
def test_a_call_that_hands_on_what_has_no_source_is_shown(mode: str) -> None:
    error = refusal(lambda: getattr(s2sad, mode)(refused.hands_on_what_has_no_source).source)
    assert_shows(error, "return f(u, 2.0)")


def test_an_async_function_is_shown() -> None:
    error = refusal(lambda: s2sad.grad(refused.waiting))
    assert_shows(error, "async def waiting(u):")


def test_a_generator_is_shown_and_named() -> None:
    error = refusal(lambda: s2sad.grad(refused.yielding).source)
    assert_shows(error, "def yielding(u):")
    assert str(error).startswith("yielding is a generator")


# ---------------------------------------------------------------------------- arguments


@pytest.mark.parametrize("written", ["argument_is_written", "argument_is_written_in_a_loop"])
@pytest.mark.parametrize("mode", ["grad", "value_and_grad", "vjp", "jvp"])
def test_arguments_are_never_changed(mode: str, written: str) -> None:
    args: tuple[Any, ...] = (U.copy(), 0.7)
    if mode in ("vjp", "jvp"):
        args += (0.3,) if mode == "vjp" else (U[::-1].copy(),)
    before = copy.deepcopy(args)
    getattr(s2sad, mode)(getattr(shapes_of_adjoints, written))(*args)
    assert not oracles.changed(before, args)


def test_read_only_arguments_will_do() -> None:
    from tests.programs.arrays.shapes_of_adjoints import argument_is_written

    frozen = U.copy()
    frozen.setflags(write=False)
    got = s2sad.grad(argument_is_written)(frozen, 0.7)
    np.testing.assert_allclose(got, s2sad.grad(argument_is_written)(U, 0.7))
