"""Public docstrings say what is raised, and show an example that runs."""

from __future__ import annotations

import doctest
import inspect
import sys

import numpy as np
import pytest

import s2sad

FUNCTIONS = [
    name for name in s2sad.__all__ if inspect.isfunction(getattr(s2sad, name)) and name != "show"
]
# they make no derivative, or take what the others take
WITHOUT_ERRORS = {"stop_gradient", "no_grad", "on_adjoint"}
WITHOUT_EXAMPLE = {
    *("custom_derivative", "rule_for", "rules_from", "register_rules", "unregister_rules"),
    "report",  # it writes a file
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_raises(name: str) -> None:
    doc = inspect.getdoc(getattr(s2sad, name)) or ""
    assert doc.split("\n")[0].endswith(".")
    assert name in WITHOUT_ERRORS | WITHOUT_EXAMPLE or "Raises:" in doc


@pytest.mark.parametrize("name", sorted({*FUNCTIONS} - WITHOUT_EXAMPLE))
def test_the_example_of_a_public_function_runs(name: str) -> None:
    function = inspect.unwrap(getattr(s2sad, name))
    (found,) = doctest.DocTestFinder(recurse=False).find(
        function, name, sys.modules[function.__module__], globs={"np": np, "s2sad": s2sad}
    )
    assert found.examples
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(found)
    assert not failed
