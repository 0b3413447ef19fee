"""What refusals say: a few problems in full, what is starred, and modules that are not known."""

from __future__ import annotations

import ast
import functools
import inspect
import zlib
from typing import Any, NamedTuple

import gast
import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import TOLD, NoRule, S2sadError, Span, Unsupported, gather
from s2sad.source.trees import nodes_of


class Window(NamedTuple):
    width: float
    gain: float = 2.0


def starred_over_a_default(x: Any) -> Any:
    window = Window(*x.values())
    return window.width * window.gain


def through_a_module(x: Any, xp: Any) -> Any:
    return np.sum(xp.flip(x))


def through_an_object(x: Any, xp: Any) -> Any:
    return np.sum(xp.wobble(x))


def test_where_it_is_not_known_how_many_are_starred_that_is_said() -> None:
    with pytest.raises(S2sadError, match="say like="):
        _ = s2sad.vjp(starred_over_a_default).source


def test_a_function_of_an_unknown_module_is_named() -> None:
    for function, word in ((through_a_module, "flip"), (through_an_object, "wobble")):
        with pytest.raises(S2sadError, match=f"the attribute {word} of what may be a module"):
            _ = s2sad.vjp(function).source


@pytest.mark.parametrize(("count", "left"), [(TOLD + 1, ""), (TOLD + 5, "\nand 5 more")])
def test_a_refusal_tells_a_few_problems_and_counts_the_rest(count: int, left: str) -> None:
    problems = [Unsupported(f"no {n}", Span(__file__, "f", n, 0)) for n in range(1, count + 1)]
    whole = gather(problems)
    assert len(whole.problems) == count
    assert ("no 1\n" in str(whole)) and str(whole).endswith(left)
    assert (f"no {count}\n" in str(whole)) == (not left)


def _folded(x: Any) -> Any:
    return functools.reduce(np.union1d, [x, x**2])[0]


def _summed(x: Any) -> Any:
    return sum(map(np.union1d, [x], [x]))[0]


def _along_an_axis(x: Any) -> Any:
    return np.sum(np.apply_along_axis(np.union1d, 0, x, x))


@pytest.mark.parametrize("function", [_folded, _summed, _along_an_axis])
def test_what_a_function_of_the_library_is_handed_is_refused_at_its_call(function: Any) -> None:
    """It was refused at a line of the prelude, in s2sad's own files."""
    with pytest.raises(NoRule, match=r"numpy\.union1d has no derivative rule") as caught:
        s2sad.grad(function)(np.ones(3))
    span = caught.value.span
    assert span is not None
    assert (span.path, span.function) == (__file__, function.__name__)


def _masked(x: Any) -> Any:
    m = np.ma.masked_array(x, mask=[0, 1, 0])
    return m.sum()


def _matrix(x: Any) -> Any:
    m = np.matrix(x)
    return (m * m.T)[0, 0]


def _of_fields(x: Any) -> Any:
    s = np.rec.fromarrays([x, x**2], names="a,b")
    return np.sum(s.a * s.b)


def _of_objects(x: Any) -> Any:
    o = np.array([x[:1], x[1:]], dtype=object)
    return np.sum(o[0]) * np.sum(o[1])


def _of_partials(x: Any) -> Any:
    steps = [functools.partial(pow, k) for k in x]
    return sum(step(2) for step in steps)


@pytest.mark.parametrize(
    ("function", "cause", "hint"),
    [
        (_masked, "numpy.ma.masked_array has no derivative rule", "np.where"),
        (_matrix, "numpy.matrix has no derivative rule", "Use plain arrays"),
        (_of_fields, "numpy.rec.recarray has no derivative rule", "named fields"),
        (_of_objects, "numpy.array has no derivative rule", "in a list"),
        (_of_partials, "a partial function as data", "in a list"),
    ],
)
def test_what_is_no_plain_array_is_refused_where_it_is_made(
    function: Any, cause: str, hint: str
) -> None:
    with pytest.raises(S2sadError, match=cause) as caught:
        s2sad.grad(function)(np.ones(3))
    span = caught.value.span
    assert span is not None and span.line == function.__code__.co_firstlineno + 1
    assert hint in caught.value.hint


def _of_another_length(x: Any) -> Any:
    return np.sum(np.dot(x, np.ones(3)))


def _of_a_list(x: Any) -> Any:
    y = x**2
    return np.sum(y)


def _of_a_rectangle(x: Any) -> Any:
    y = np.linalg.det(x)
    return y


@pytest.mark.parametrize(
    ("function", "x", "line", "words"),
    [
        (_of_another_length, np.ones(2), 1, ["shapes (2,) and (3,) not aligned"]),
        (_of_a_list, [1.0, 2.0], 1, ["'list' and 'int'", "np.array(x)"]),
        (_of_a_rectangle, np.ones((2, 5)), 1, ["must be square"]),
    ],
)
def test_what_the_function_itself_raises_for_arguments_is_said_as_it_raises_it(
    function: Any, x: Any, line: int, words: list[str]
) -> None:
    """Lengths that nobody gave stood there, another cause, or the line of the whole function."""
    with pytest.raises(S2sadError, match="does not take these arguments") as caught:
        s2sad.grad(function)(x)
    span = caught.value.span
    assert span is not None and span.line == function.__code__.co_firstlineno + line
    assert all(word in str(caught.value) for word in words)


def _without_a_return(x: Any) -> Any:
    y = x**2
    print(y)


def folded_with_a_check(x: Any, n: int) -> Any:
    if n == 0:
        return x
    k = zlib.crc32(b"a") % 3
    return folded_with_a_check(np.sin(x), n - 1) * k


def test_what_a_function_that_calls_itself_calls_is_named() -> None:
    told = "folded_with_a_check calls zlib.crc32, which may do anything, and calls itself"
    with pytest.raises(S2sadError, match=told):
        s2sad.grad(lambda x, n: np.sum(folded_with_a_check(x, n)))(np.ones(2), 3)


def test_a_function_without_a_return_is_said_to_have_none() -> None:
    """It was said to raise for these arguments."""
    with pytest.raises(S2sadError, match="ends without a return"):
        s2sad.grad(_without_a_return)(np.ones(3))


def test_syntax_is_gone_through_as_python_does() -> None:
    for tree in (ast.parse(inspect.getsource(ast)), gast.parse(inspect.getsource(inspect))):
        assert [*map(id, nodes_of(tree))] == [*map(id, ast.walk(tree))]


def _evaluated(x: float) -> Any:
    return eval("x * x") + x


def _executed(x: float) -> Any:
    exec("x = 2.0 * x")
    return x * x


def _looked_up(x: float) -> Any:
    held = locals()
    return held["x"] * x


@pytest.mark.parametrize("function", [_evaluated, _executed, _looked_up])
@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_what_reads_names_by_their_texts_is_refused(function: Any, mode: str) -> None:
    rest = (1.0,) if mode == "jvp" else ()
    with pytest.raises(Unsupported, match="reads names that the text does not show") as caught:
        getattr(s2sad, mode)(function)(0.3, *rest)
    assert caught.value.span is not None
