"""What goes wrong around the command line is told in one line and by the exit status."""

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad.api.commands import main as cli
from s2sad.api.commands.check import MODES

MODEL = """\
import numpy as np


def energy(x, k):
    return k * np.sum(x**2)


def tuned(x, **options):
    return np.sum(x**2)


def spread(x, *weights):
    return np.sum(x**2) * weights[0]


def größe(x):
    return np.sum(x**2)  # Länge²
"""

WAITING = """\
import sys, time
print("here", file=sys.stderr, flush=True)
time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "springs_model.py").write_text(MODEL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "springs_model", raising=False)
    yield tmp_path
    sys.modules.pop("springs_model", None)


def started(*arguments, **options):
    root = str(Path(s2sad.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": root, **options.pop("env", {})}
    command = [sys.executable, "-m", "s2sad", *arguments]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, **options)


def ended(process):
    """Return the exit status, and the lines on standard error, none of them of a traceback."""
    out, err = process.communicate(timeout=60)
    lines = err.decode("utf-8", "replace").splitlines()
    assert not any("Traceback" in line or "Exception ignored" in line for line in lines), lines
    return process.returncode, lines, out


@pytest.mark.parametrize("name", ["tuned", "spread"])
@pytest.mark.parametrize("command", MODES)
def test_a_function_of_any_arguments_is_refused_without_examples(folder, capsys, name, command):
    assert cli.main([command, f"springs_model.py:{name}"]) in (1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(("s2sad.ArgumentError", "s2sad.Unsupported"))
    assert "like=" in err or "Name the arguments" in err


@pytest.mark.parametrize("options", [[], ["--value"], ["--mode", "forward"]])
def test_a_function_of_any_arguments_goes_through_with_examples(folder, capsys, options):
    given = ["--like", "(np.ones(2), 3.0)", *options]
    assert cli.main(["grad", "springs_model.py:spread", *given]) == 0
    assert "3.0" not in capsys.readouterr().out
    assert cli.main(["grad", "springs_model.py:tuned", "--like", "(np.ones(2),)", *options]) == 0
    compile(capsys.readouterr().out, "out", "exec")


def test_no_file_is_written_of_a_function_of_any_arguments(folder):
    sys.path.insert(0, str(folder))
    from springs_model import tuned

    derivative = s2sad.grad(tuned)
    for ask in (lambda: derivative.source, lambda: derivative.graph, lambda: derivative.save("t")):
        with pytest.raises(s2sad.ArgumentError, match="how many arguments"):
            ask()
    assert not (folder / "t").exists()


@pytest.mark.parametrize("content", [None, "folder", b"\xff\xfe"])
def test_rules_that_cannot_be_read(folder, capsys, content):
    rules = folder / "extra_rules.py"
    if content == "folder":
        rules.mkdir()
    elif content is not None:
        rules.write_bytes(content)
    assert cli.main(["grad", "springs_model.py:energy", "--rules", str(rules)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    first, hint, page = err.splitlines()
    assert first.startswith("s2sad.ArgumentError") and f"{rules} cannot be read: " in first
    assert "a file of templates" in hint and "s2sad help rules-of-your-own" in page


def test_a_pipe_that_nobody_reads_any_more(folder):
    reading, writing = os.pipe()
    os.close(reading)
    process = started("grad", "springs_model.py:energy", stdout=writing)
    os.close(writing)
    status, lines, _ = ended(process)
    assert status == 1
    assert len(lines) == 1 and "standard output cannot be written" in lines[0]


ASKED = (["grad", "springs_model.py:energy"], ["--help"], ["--version"], ["help"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("words", ASKED)
def test_standard_output_that_is_full(folder, words):
    with open("/dev/full", "w") as full:
        status, lines, _ = ended(started(*words, stdout=full))
    assert status == 1
    assert len(lines) == 1 and "standard output cannot be written" in lines[0]


@pytest.mark.skipif(os.name != "posix", reason="closes a file descriptor in the child")
def test_standard_output_that_is_closed(folder):
    closed = {"preexec_fn": lambda: os.close(1)}
    status, lines, _ = ended(started("grad", "springs_model.py:energy", **closed))
    assert status == 1
    assert lines == ["s2sad: standard output is closed"]


@pytest.mark.skipif(os.name != "posix", reason="closes a file descriptor in the child")
def test_standard_error_that_is_closed_changes_no_status_and_no_text(folder):
    closed = {"preexec_fn": lambda: os.close(2), "stdout": subprocess.PIPE}
    status, _, out = ended(started("grad", "springs_model.py:energy", **closed))
    assert status == 0 and b"def energy_grad(x, k):" in out
    status, _, out = ended(started("grad", "springs_model.py:nothing", **closed))
    assert status == 2 and out == b""


@pytest.mark.skipif(os.name != "posix", reason="sets a locale of POSIX")
@pytest.mark.parametrize("mode", ["0", "1"])
def test_names_outside_ascii_in_a_plain_locale(folder, mode):
    plain = {"LC_ALL": "C", "PYTHONUTF8": mode, "PYTHONCOERCECLOCALE": "0"}
    options = {"stdout": subprocess.PIPE, "env": plain}
    status, lines, out = ended(started("grad", "springs_model.py:größe", **options))
    assert (status, lines) == (0, [])
    assert "def größe_grad(x):" in out.decode("utf-8")
    compile(out, "out", "exec")
    status, lines, out = ended(started("grad", "springs_model.py:länge", **options))
    assert status == 2 and out == b""
    assert len(lines) == 1 and "springs_model.py has no" in lines[0]
    status, lines, _ = ended(
        started("grad", "springs_model.py:energy", "-o", "länge.py", **options)
    )
    assert (status, len(lines)) == ((2, 1) if mode == "0" else (0, 1)), lines
    assert ("no letter" if mode == "0" else "wrote") in lines[0]


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupt_is_one_line(folder):
    (folder / "waits.py").write_text(WAITING)
    # a shell that runs the tests in the background has them ignore interrupts
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = started("grad", "waits.py:f", stdout=subprocess.PIPE)
    finally:
        signal.signal(signal.SIGINT, heard)
    assert process.stderr.readline() == b"here\n"
    process.send_signal(signal.SIGINT)
    status, lines, out = ended(process)
    assert (status, lines, out) == (130, ["s2sad: interrupted"], b"")


def test_a_dash_is_standard_output(folder, capsys):
    assert cli.main(["grad", "springs_model.py:energy", "-o", "-"]) == 0
    out, err = capsys.readouterr()
    assert "def energy_grad(x, k):" in out and err == ""
    assert not (folder / "-").exists()


def test_parameters_named_one_by_one_are_all_meant(folder, capsys):
    texts = []
    for wrt in (["--wrt", "x", "--wrt", "k"], ["--wrt", "x,k"], ["--wrt", "k"]):
        assert cli.main(["grad", "springs_model.py:energy", *wrt]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]
    known = {}
    exec(texts[0], known)
    x_bar, k_bar = known["energy_grad"](np.array([1.0, 2.0]), 3.0)
    assert np.array_equal(x_bar, [6.0, 12.0]) and k_bar == 5.0


@pytest.mark.skipif(os.name != "posix", reason="names of files that POSIX allows")
@pytest.mark.parametrize("name", ['of"""three.py', "with\\new.py", "two\nlines.py", 'ends".py'])
@pytest.mark.parametrize("schedule", [[], ["--checkpoint", "sqrt"]])
def test_names_of_files_are_no_code(folder, capsys, name, schedule):
    source = "def grown(x, n):\n    for i in range(n):\n        x = x * x\n    return x\n"
    (folder / name).write_text(source)
    assert cli.main(["grad", f"{name}:grown", *schedule]) == 0
    text = capsys.readouterr().out
    docs = [
        ast.get_docstring(node) or ""
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    ]
    assert any(f"{name}:".replace("\n", "\\n") in doc for doc in docs)
    known = {}
    exec(text, known)
    assert known["grown_grad"](1.5, 2) == 4 * 1.5**3
