"""A function's source is found, is what the function runs, and its names are what they mean."""

from __future__ import annotations

import ast
import functools
import linecache
import math
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast
import numpy as np
import pytest
from numpy.polynomial import chebyshev, polynomial

from s2sad.ir.errors import NoSource
from s2sad.source.read import read
from s2sad.source.trees import locals_of

HERE = Path(__file__)
LINES = HERE.read_text().splitlines()
CONSTANT = 3.0


def line_of(text: str) -> int:
    """Return the number of the only line of this file that starts with `text`."""
    found = [n for n, line in enumerate(LINES, 1) if line.strip().startswith(text)]
    assert len(found) == 1, found
    return found[0]


def misfit(W, m, d=1.0):  # the header
    """Return a number."""
    # residual
    r = np.dot(W, m) - d  # metres

    total = (
        r
        # inside
        @ r
    )
    return 0.5 * total


def keep(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


def mark(function: Any) -> Any:
    return function


@mark
@mark
def decorated(x):
    return x * 2.0


@keep
def wrapped(x):
    return x * 3.0


class Model:
    rate = 2.0

    def step(self, x):
        return x * self.rate

    @staticmethod
    def twice(x):
        return x * 2.0


def outer(scale, later=False):
    if not later:

        def inner(x):
            return x * scale + offset

        offset = 1.0
    else:

        def inner(x):
            return x * missing_cell

        if not later:
            missing_cell = 0.0
    return inner


class Twin:
    def same(self, x):
        return x + 1.0


class OtherTwin:
    def same(self, x):
        return x + 2.0


def returned(function: Any) -> str:
    tree = read(function).tree
    value = tree.body if isinstance(tree, gast.Lambda) else tree.body[-1].value
    return ast.unparse(gast.gast_to_ast(value))


# ---------------------------------------------------------------------------- where it stands


def test_a_function_of_a_file() -> None:
    source = read(misfit)
    first = line_of("def misfit(W")
    assert source.function is misfit
    assert (source.path, source.tree.lineno, source.name) == (__file__, first, "misfit")
    assert isinstance(source.tree, gast.FunctionDef)
    assert locals_of(source.tree) == {"W", "m", "d", "r", "total"}


def test_lines_and_columns_are_those_of_the_file() -> None:
    source = read(misfit)
    assign = source.tree.body[1]
    place = source.span(assign)
    assert (place.path, place.function) == (__file__, "misfit")
    assert (place.line, place.column) == (line_of("r = np.dot(W, m)"), 4)
    raw = LINES[place.line - 1]
    assert raw[place.column : place.end_column] == "r = np.dot(W, m) - d"
    call = source.span(assign.value.left)
    assert raw[call.column : call.end_column] == "np.dot(W, m)"
    assert source.span(source.tree.body[2]).end_line == place.line + 6


def test_decorators_are_part_of_the_text() -> None:
    assert read(decorated).tree.lineno == line_of("def decorated")
    assert returned(decorated) == "x * 2.0"


def test_a_wrapped_function_is_its_own_code() -> None:
    assert read(wrapped).tree.name == "wrapper"
    assert returned(wrapped) == "function(*args)"
    assert returned(wrapped.__wrapped__) == "x * 3.0"


def test_methods() -> None:
    model = Model()
    assert read(model.step).function is Model.step
    assert returned(model.step) == returned(Model.step) == "x * self.rate"
    assert returned(Model.twice) == "x * 2.0"
    assert read(Model.step).span(read(Model.step).tree).column == 4


def test_functions_of_one_name_are_told_by_their_line() -> None:
    assert returned(Twin.same) == "x + 1.0"
    assert returned(OtherTwin.same) == "x + 2.0"


def test_closures() -> None:
    held = read(outer(2.5)).cells
    assert returned(outer(2.5)) == "x * scale + offset"
    assert {name: cell.cell_contents for name, cell in held.items()} == {
        "scale": 2.5,
        "offset": 1.0,
    }
    assert returned(outer(1.0, later=True)) == "x * missing_cell"


def test_library_code() -> None:
    for function in (polynomial.polyval, chebyshev.chebval):
        source = read(function)
        assert source.name == source.tree.name == function.__name__
        assert source.path == function.__code__.co_filename


def test_asserts_that_pytest_rewrote() -> None:
    def checked(x):
        assert x > 0.0, f"x is {x}"
        assert x != 2.0
        return x * 4.0

    assert len(read(checked).tree.body) == 3


# ---------------------------------------------------------------------------- lambdas

square = lambda x: x * x  # noqa: E731
first, second = lambda x: x + 1.0, lambda x: x + 2.0
alike, equal = (lambda x: x), (lambda x: x)


def passed(function: Any) -> Any:
    return function


def test_a_lambda_is_read_as_one() -> None:
    source = read(square)
    assert isinstance(source.tree, gast.Lambda)
    assert returned(square) == "x * x"
    assert source.tree.body.lineno == line_of("square = lambda")


def test_lambdas_of_one_line_are_told_by_their_columns() -> None:
    assert returned(first) == "x + 1.0"
    assert returned(second) == "x + 2.0"
    assert read(alike).span(read(alike).tree).column != (read(equal).span(read(equal).tree).column)


def test_a_lambda_that_was_passed() -> None:
    scale = 3.0
    function = passed(
        lambda x: (
            x * scale  # times
        )
    )
    assert returned(function) == "x * scale"
    assert read(function).cells["scale"].cell_contents == 3.0


def test_a_lambda_that_cannot_be_told_is_refused() -> None:
    text = "f, g = lambda x: x, lambda x: x\n"
    f = defined("<two lambdas>", text)["f"]
    stripped = f.__code__.replace(co_linetable=b"")
    f.__code__ = stripped.replace(co_firstlineno=1)
    with pytest.raises(NoSource, match="cannot be told"):
        read(f)


# ---------------------------------------------------------------------------- text of other kinds


def defined(filename: str, text: str, keep_text: bool = True, **names: Any) -> dict[str, Any]:
    """Run a text as a module's, registered with linecache as notebooks do."""
    if keep_text:
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"__name__": "made_up", **names}
    exec(compile(text, filename, "exec"), namespace)
    return namespace


def test_text_that_linecache_holds() -> None:
    text = "N = 2\n\n\ndef f(x):\n    return x ** N  # power\n"
    source = read(defined("<cell 1>", text)["f"])
    assert (source.path, source.tree.lineno) == ("<cell 1>", 4)
    assert source.span(source.tree.body[0]).text() == "return x ** N  # power"


def test_annotations_that_are_not_evaluated() -> None:
    text = "from __future__ import annotations\n\ndef f(x: nowhere) -> nothing:\n    return x\n"
    assert returned(defined("<annotations>", text)["f"]) == "x"
    # a notebook's later cells keep the flag without the import
    flags = annotations.compiler_flag
    linecache.cache["<later>"] = (1, None, ["def g(x: nowhere):\n", "    return x\n"], "<later>")
    names: dict[str, Any] = {}
    exec(compile("def g(x: nowhere):\n    return x\n", "<later>", "exec", flags=flags), names)
    assert returned(names["g"]) == "x"


def test_text_that_is_gone_is_refused() -> None:
    function = defined("<gone>", "def f(x):\n    return x\n", keep_text=False)["f"]
    with pytest.raises(NoSource, match="cannot be found in '<gone>'") as caught:
        read(function)
    assert "file or a notebook" in caught.value.hint


CHANGED = [
    "def f(x):\n    return 3.0 * x\n",  # a number
    "def f(x):\n    return 2.0 * y\n",  # a name
    "def f(x):\n    return 2.0 + x\n",  # an operator
    "def f(y):\n    return 2.0 * y\n",  # a parameter
    "def g(x):\n    return 2.0 * x\n",  # its own name
    "def f(x:\n",  # no Python any more
    "\n",
]


@pytest.mark.parametrize("text", CHANGED)
def test_a_file_that_was_changed_is_refused(text: str) -> None:
    function = defined("<changed>", "def f(x):\n    return 2.0 * x\n")["f"]
    assert returned(function) == "2.0 * x"
    linecache.cache["<changed>"] = (1, None, text.splitlines(keepends=True), "<changed>")
    with pytest.raises(NoSource):
        read(function)


def test_a_function_that_gives_the_same_code_where_it_stands_now_is_found() -> None:
    function = defined("<moved>", "def f(x):\n    return 2.0 * x\n")["f"]
    text = "\n\ndef f(x):\n    return 2.0 * x\n"
    linecache.cache["<moved>"] = (1, None, text.splitlines(keepends=True), "<moved>")
    assert read(function).tree.lineno == 3


def test_a_changed_file_on_disk_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("def f(x):\n    assert x > 0\n    return 2.0 * x\n")
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    assert returned(names["f"]) == "2.0 * x"
    path.write_text("def f(x):\n    assert x > 0\n    return 2.25 * x\n")
    with pytest.raises(NoSource, match="is not what it runs") as caught:
        read(names["f"])
    assert "Import it again" in caught.value.hint


@pytest.mark.parametrize(
    "function", [np.sin, math.sin, len, np.dot, functools.partial(misfit, 1.0), Model, 3, "f"]
)
def test_what_is_no_python_function_is_refused(function: Any) -> None:
    with pytest.raises(NoSource, match="no Python function") as caught:
        read(function)
    assert caught.value.hint


def test_a_function_that_ran_often_is_the_same() -> None:
    def hot(x):
        total = 0.0
        for k in range(3):
            total += x * k
        return total

    for _ in range(200):
        hot(1.0)
    assert returned(hot) == "total"


def test_generation_is_fast_in_a_long_file() -> None:
    lines = [f"def f{k}(x):\n    return x * {k}.0\n" for k in range(3000)]
    names = defined("<long>", "".join(lines))
    read(names["f0"])
    start = time.perf_counter()
    assert returned(names["f2999"]) == "x * 2999.0"
    assert time.perf_counter() - start < 2.0


# ---------------------------------------------------------------------------- scopes


def body_of(text: str) -> list[Any]:
    body: list[Any] = gast.parse(textwrap.dedent(text)).body
    return body


def test_locals() -> None:
    (function,) = body_of(
        """
        def f(a, /, b, *args, c=default, **kw):
            global g
            d = e = a
            (h, [i, *j]) = d
            k: int = 3
            l += 1
            g = 1
            for m, n in o:
                with p as q:
                    pass
            try:
                import r, s.t, u as v
                from w import x as y
            except E as z:
                pass
            def aa(ab):
                ac = 1
            class ad:
                ae = 1
            lambda af: af
            [ag for ag in ah if (ai := ag)]
            aj[ak] = 1
            al.am = 1
            del an
            match ao:
                case {"q": ap, **aq}:
                    pass
                case [ar, *at] | C(au) as av:
                    pass
        """
    )
    expected = "a b args c kw d e h i j k l m n q r s v y z aa ad ai an ap aq ar at au av"
    assert locals_of(function) == set(expected.split())


def test_locals_of_a_lambda() -> None:
    assert locals_of(body_of("lambda x, *y: x + z")[0].value) == {"x", "y"}


def test_nonlocal_names_are_not_local() -> None:
    inner = body_of("def f():\n    x = 0\n    def g():\n        nonlocal x\n        x = y = 1")
    assert locals_of(inner[0]) == {"x", "g"}
    assert locals_of(inner[0].body[1]) == {"y"}
