"""The part of a file around a function holds what the whole file says of it."""

from __future__ import annotations

import ast
import linecache
import statistics
import textwrap
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from s2sad.source.definition import codes_in, piece_around
from s2sad.source.files import text_of
from s2sad.source.read import read
from tests.public.test_finding_sources import defined

ODD = '''"""Text
from here on, and
import is a word like
if or try are
"""
import math
import numpy as np
from numpy import (
    linalg,
)
try:
    import nowhere
except ImportError:
    nowhere = None
if math.pi > 3:
    from numpy import fft as spectrum
else:
    spectrum = None


def plain(x):
    return linalg.norm(x) + math.sin(x) + spectrum.fft(x)

if nowhere is None:
    def under_test(x):
        """Tells
at the margin what it does."""
        return np.sum(x)
else:
    def under_else(x):
        return np.mean(x)


@np.vectorize.__class__.mro and (
    lambda f: f
)
def decorated(x, y=(
    1.0,
)):
    return math.cos(x) + y[0]
# behind it

class Model:
    """Says
import at the margin
"""
    rate = 2.0

    def step(self, x):
        return np.tanh(x) * self.rate

    class Inner:
        def step(self, x):
            def deeper(y): return y * x
            return deeper

half, twice = lambda x: x * 0.5, (
    lambda x: x * 2.0)
'''


def functions_of(module: ModuleType) -> Iterator[Any]:
    for value in vars(module).values():
        inside = vars(value).values() if isinstance(value, type) else [value]
        yield from (
            each
            for each in inside
            if isinstance(each, FunctionType) and each.__module__ == module.__name__
        )


@pytest.mark.parametrize(
    "module", [statistics, textwrap, np.polynomial.chebyshev, np.lib.scimath], ids=str
)
def test_a_piece_holds_what_the_file_says_of_a_function(module: ModuleType) -> None:
    for function in functions_of(module):
        file, _ = text_of(function)
        part = piece_around(file, function.__code__)
        assert definitions(file, function) == definitions(part, function) != []
        assert len(part.replace("\n", "")) < len(file)


def definitions(text: str, function: FunctionType) -> list[str]:
    code = function.__code__
    return [
        ast.dump(node, include_attributes=True)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name
        if code.co_firstlineno in (node.lineno, *(each.lineno for each in node.decorator_list))
    ]


def test_functions_that_stand_oddly_are_found() -> None:
    names = defined("<odd>", ODD)
    made = [names["plain"], names["under_test"], names["decorated"], names["Model"].step]
    made += [names["Model"].Inner.step, names["half"], names["twice"]]
    made += [names["Model"].Inner().step(3.0)]
    assert [read(each).name for each in made] == [
        *("plain", "under_test", "decorated", "step", "step", "<lambda>", "<lambda>", "deeper")
    ]


@pytest.mark.parametrize("name", ["plain", "Model"])
def test_other_functions_are_left_out(name: str) -> None:
    whole = compile(ODD, "<odd>", "exec")
    code = next(each for each in whole.co_consts if is_code(each) and each.co_name == name)
    found = piece_around(ODD, code)
    kept = {each.co_name for each in codes_in(compile(found, "<piece>", "exec"))}
    assert name in kept and not {"plain", "Model", "decorated", "half"} - {name} & kept


def is_code(value: Any) -> bool:
    return isinstance(value, CodeType)


def test_what_was_changed_elsewhere_in_the_file_is_no_matter() -> None:
    function = defined("<elsewhere>", "def f(x):\n    return 2.0 * x\n")["f"]
    text = "def f(x):\n    return 2.0 * x\n\n\ndef g(x:\n"
    linecache.cache["<elsewhere>"] = (1, None, text.splitlines(keepends=True), "<elsewhere>")
    assert read(function).tree.name == "f"
