"""A user's mistake prints fifteen lines at most, in Python, in IPython and in a notebook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import s2sad

ROOT = Path(s2sad.__file__).resolve().parents[1]
MODEL = """\
import numpy as np
import s2sad


def f(x):
    q = np.union1d(x, x)
    return np.sum(q)


def many(x):
    a = np.union1d(x, x)
    b = np.setdiff1d(x, a)
    c = np.intersect1d(x, b)
    d = np.union1d(c, x)
    return np.sum(a) + np.sum(b) + np.sum(c) + np.sum(d)


def fine(x, w):
    return np.sum(x * w)


X = np.ones(3)
"""
MISTAKES = {
    "no rule": "s2sad.grad(f, like=(X,))",
    "several": "s2sad.grad(many, like=(X,))",
    "a wrong name": "s2sad.grad(fine, wrt='z')",
    "no tuple": "s2sad.check_grad(fine, X)",
    "a text as argument": "s2sad.grad(fine)('text', X)",
    "too few arguments": "s2sad.grad(fine)(X)",
    "a wrong seed": "s2sad.vjp(fine)(X, X, seed='text')",
    "no source": "s2sad.why(len, 'x')",
    "no such parameter": "s2sad.why(fine, 'z')",
    "a place that is taken": "s2sad.report(fine, 'model.py', like=(X, X))",
}


def python(folder, words, **environment):
    """Run Python and return what it said on standard error."""
    own = {k: v for k, v in os.environ.items() if k != "S2SAD_FULL_TRACEBACK"}
    own |= {"PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=folder, env=own
    )
    return done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("mistakes")
    (made / "model.py").write_text(MODEL)
    tries = "".join(f"    {name!r}: lambda: {call},\n" for name, call in MISTAKES.items())
    program = f"""\
import sys, traceback
from model import *

MISTAKES = {{
{tries}}}
for name, make in MISTAKES.items():
    print("==", name, file=sys.stderr)
    try:
        make()
    except Exception:
        traceback.print_exc()
"""
    (made / "mistakes.py").write_text(program)
    return made


@pytest.fixture(scope="module")
def said(folder):
    text = python(folder, ["mistakes.py"])
    return dict(re.findall(r"^== (.*)\n((?:(?!== ).*\n)*)", text, re.MULTILINE))


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_prints_fifteen_lines_at_most(said, name):
    lines = said[name].splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    # in the test the call stands in a lambda: two frames of the user's instead of one
    frames = [line for line in lines if line.startswith("  File ") and "mistakes.py" in line]
    assert len(frames) == 2
    assert len(lines) - 3 <= 15
    own = [line for line in lines if f"{ROOT}{os.sep}s2sad" in line]
    assert len(own) <= 1  # where the call entered s2sad


def test_of_several_problems_the_first_is_told_whole(said):
    text = said["several"]
    assert "a = np.union1d(x, x)" in text
    assert re.search(r"line 1\d: numpy\.\w+ has no derivative rule", text)


def test_everything_is_shown_when_asked_for(folder):
    text = python(folder, ["mistakes.py"], S2SAD_FULL_TRACEBACK="1")
    assert text.count(f"{ROOT}{os.sep}s2sad") > 3 * len(MISTAKES)


def test_a_mistake_of_the_users_own_is_left_as_it_is():
    def broken(x):
        if x < 0.0:
            raise KeyError("mine")
        return x * x

    with pytest.raises(KeyError, match="mine"):
        s2sad.grad(broken, like=(1.0,))(-1.0)


def test_public_functions_keep_their_signatures_and_documentation():
    import inspect

    assert list(inspect.signature(s2sad.grad).parameters)[:2] == ["function", "wrt"]
    assert s2sad.grad.__doc__.startswith("Return the gradient")
    assert s2sad.grad.__name__ == "grad"


# ---------------------------------------------------------------------------- IPython


CELLS = """\
import numpy as np, s2sad
def f(x):
    y = np.sin(x)
    return np.sum(y * y)
def g(x):
    return np.sum(np.union1d(x, x))
df = s2sad.grad(f, like=(np.ones(3),))
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Run a real IPython, and return what it says for some cells."""
    pytest.importorskip("IPython")
    script = tmp_path_factory.mktemp("ipython") / "cells.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import sys
            from IPython.core.interactiveshell import InteractiveShell
            shell = InteractiveShell.instance(colors="NoColor")
            shell.run_cell({CELLS!r})
            for name, cell in (("source", "df??"), ("error", "s2sad.grad(g, like=(np.ones(3),))"),
                               ("call", "df(text)" .replace("text", "'text'"))):
                print("==", name)
                shell.run_cell(cell)
            print("== getsource")
            import inspect
            print(inspect.getsource(shell.user_ns["df"]))
            """
        )
    )
    own = {k: v for k, v in os.environ.items() if k != "S2SAD_FULL_TRACEBACK"}
    own |= {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(script.parent), "PAGER": "cat"}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=own, timeout=120
    )
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    return dict(re.findall(r"^== (.*)\n((?:(?!== ).*\n)*)", plain, re.MULTILINE))


def test_ipython_shows_the_text_of_a_derivative(shell):
    assert "def f_grad(x):" in shell["source"]
    assert "np.cos(x)" in shell["source"]
    assert shell["getsource"].startswith("def f_grad(x):")


@pytest.mark.parametrize("name", ["error", "call"])
def test_ipython_shows_short_errors(shell, name):
    lines = shell[name].strip().splitlines()
    assert len(lines) <= 15, shell[name]
    assert not any(f"{ROOT}{os.sep}s2sad" in line for line in lines)


def test_a_notebook_shows_html_and_short_errors(tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat

    monkeypatch.delenv("S2SAD_FULL_TRACEBACK", raising=False)
    book = nbformat.v4.new_notebook()
    setup = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
    texts = (setup, CELLS, "df", "s2sad.explain(f, like=(np.ones(3),))", "s2sad.grad(g)")
    book.cells = [nbformat.v4.new_code_cell(text) for text in texts]
    resources = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(
        book, timeout=120, kernel_name="python3", resources=resources, allow_errors=True
    )
    client.execute()
    shown = [cell.outputs for cell in book.cells]
    html = shown[2][0].data["text/html"]
    assert "def</i>" in html and "f_grad" in html and "class='line l" in html
    assert "<table>" in shown[3][0].data["text/html"]
    error = shown[4][0]
    assert error.output_type == "error" and error.ename == "NoRule"
    lines = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error.traceback)).splitlines()
    assert len(lines) <= 15
    assert any("np.union1d(x, x)" in line for line in lines)
    assert not any(f"{ROOT}{os.sep}s2sad" in line for line in lines)
