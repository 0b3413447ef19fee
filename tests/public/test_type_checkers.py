"""A derivative keeps its function's parameters for mypy and pyright."""

from __future__ import annotations

import importlib.util
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_overloads

import pytest

import s2sad
from s2sad.api import request

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "typed_examples.py"
WANTED = {
    number
    for number, line in enumerate(EXAMPLES.read_text().splitlines(), 1)
    if line.endswith("# error")
}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command, str(EXAMPLES)], cwd=ROOT, capture_output=True, text=True
    )


def test_mypy_finds_the_errors_and_no_others() -> None:
    pytest.importorskip("mypy")
    # the project itself is looked at elsewhere: here its signatures are read alone
    done = run("mypy", "--follow-imports=silent", "--strict", "--no-error-summary")
    found = set(map(int, re.findall(r"^\S+typed_examples\.py:(\d+): error", done.stdout, re.M)))
    assert found == WANTED, done.stdout + done.stderr


def test_pyright_finds_the_errors_and_no_others() -> None:
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("pyright is not installed")
    done = run("pyright", "--outputjson", "--pythonpath", sys.executable)
    try:
        told = json.loads(done.stdout)["generalDiagnostics"]
    except (ValueError, KeyError):
        pytest.skip(f"pyright does not run here: {done.stdout}{done.stderr}"[:300])
    errors = [each for each in told if each["severity"] == "error"]
    assert {each["range"]["start"]["line"] + 1 for each in errors} == WANTED, errors


FUNCTIONS = (
    "grad value_and_grad vjp jvp directional hvp elementwise_grad jacobian hessian laplacian "
    "sparse_jacobian sparse_hessian"
).split()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_type_checkers_see_is_what_runs(name: str) -> None:
    public = getattr(s2sad, name)
    function = inspect.unwrap(public)
    taken = set(inspect.signature(public).parameters)
    for each in get_overloads(function) or [function]:
        assert _declared(each) <= taken
    assert set().union(*map(_declared, get_overloads(function) or [function])) == taken


def _declared(function: Any) -> set[str]:
    """Return every parameter that a declaration of a function names."""
    found: set[str] = set()
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            (word,) = re.findall(r"Unpack\[(\w+)\]", str(parameter.annotation))
            found |= set(getattr(request, word).__annotations__)
        else:
            found.add(parameter.name)
    return found


def test_an_option_that_is_none_is_refused_by_its_name() -> None:
    with pytest.raises(TypeError, match=r"jvp\(\) got an unexpected keyword argument 'checkpoint'"):
        s2sad.jvp(abs, checkpoint="sqrt")
