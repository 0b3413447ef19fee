"""A derivative keeps its function's parameters for mypy and pyright."""

from __future__ import annotations

import importlib.util
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import s2sad
from s2sad.api import typed

ROOT = Path(__file__).resolve().parent.parent
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


FUNCTIONS = [
    name
    for name, value in vars(typed).items()
    if inspect.isfunction(value) and value.__module__ == typed.__name__
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_type_checkers_see_is_what_runs(name: str) -> None:
    taken = set(inspect.signature(getattr(s2sad, name)).parameters)
    assert _declared(name) == taken


def _declared(name: str) -> set[str]:
    """Return every parameter that the declarations of a function name."""
    from typing import get_overloads

    found: set[str] = set()
    for each in get_overloads(getattr(typed, name)) or [getattr(typed, name)]:
        for parameter in inspect.signature(each).parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                (options,) = _options(parameter.annotation)
                found |= set(options.__annotations__)
            else:
                found.add(parameter.name)
    return found


def _options(annotation: Any) -> list[Any]:
    words = re.findall(r"Unpack\[(\w+)\]", str(annotation))
    return [getattr(typed, word) for word in words]
