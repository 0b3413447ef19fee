"""What all commands share: help, loudness, several targets, and what is imported for nothing."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import s2sad
from s2sad.api.commands import COMMANDS
from s2sad.api.commands.main import HEIGHT, main

MODEL = """\
import numpy as np
from beside import SCALE


def energy(x):
    return SCALE * np.sum(x**2)


def other(x):
    return np.sum(x**3)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "beside.py").write_text("SCALE = 2.0\n")
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def alone(words):
    """Run Python with some text, and return what it printed."""
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_screen(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*command.split(), "--help"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) <= HEIGHT
    assert max(map(len, out)) <= 80


def test_help_and_usage_errors_import_no_numpy():
    words = "import sys; from s2sad.api.commands.main import main; main(sys.argv[1:])"
    asked = "; print([m for m in ('numpy', 'gast', 's2sad.lowering') if m in sys.modules])"
    for line in (["--help"], ["grad", "--help"], ["grad"], ["nothing"]):
        text = words.replace("sys.argv[1:]", repr(line)) + asked
        assert alone(text).splitlines()[-1] == "[]"


def test_a_gradient_that_is_printed_imports_what_writes_files_not_at_all(folder):
    words = "import sys; from s2sad.__main__ import run; sys.argv[1:] = ['grad', 'model.py:energy']; run()"
    unused = "('s2sad.api.commands.refreshing', 'subprocess', 'tarfile', 'tempfile')"
    printed = alone(f"{words}; print([m for m in {unused} if m in sys.modules])")
    assert "def energy_grad(x):" in printed and printed.splitlines()[-1] == "[]"


def test_names_are_imported_from_where_type_checkers_look_for_them():
    tree = ast.parse(Path(s2sad.__file__).read_text())
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    told: dict[str, set[str]] = {}
    for each in checked.body:
        told.setdefault(each.module, set()).update(a.name for a in each.names)
    assert told == {module: set(names.split()) for module, names in s2sad.HOMES.items()}
    assert all(getattr(s2sad, name) is not None for name in s2sad.__all__)
    assert set(s2sad.__all__) <= set(dir(s2sad))


def test_no_bytecode_is_left_beside_what_is_read(folder, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert main(["grad", "model.py:energy", "-o", "energy_grad.py", "-q"]) == 0
    assert main(["check", "energy_grad.py", "-q"]) == 0
    assert {p.name for p in folder.iterdir()} == {"beside.py", "model.py", "energy_grad.py"}
    assert not sys.dont_write_bytecode


def test_several_targets_are_written_into_a_folder(folder):
    (folder / "out").mkdir()
    assert main(["grad", "model.py:energy", "model.py:other", "-o", "out", "-q"]) == 0
    assert sorted(p.name for p in (folder / "out").iterdir()) == ["energy_grad.py", "other_grad.py"]


def test_several_targets_do_not_go_into_one_file(folder, capsys):
    assert main(["grad", "model.py:energy", "model.py:other", "-o", "both.py"]) == 2
    assert "make the folder both.py" in capsys.readouterr().err
    assert not (folder / "both.py").exists()


def test_nothing_is_written_where_one_of_several_is_refused(folder, capsys):
    (folder / "out").mkdir()
    assert main(["grad", "model.py:energy", "model.py:nothing", "-o", "out"]) == 2
    assert list((folder / "out").iterdir()) == []


def test_quiet_says_errors_alone(folder, capsys):
    assert main(["grad", "model.py:energy", "-o", "e.py", "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["grad", "model.py:nothing", "-q"]) == 2
    assert "has no nothing" in capsys.readouterr().err


def test_modules_of_one_name_in_two_folders_are_two(tmp_path, monkeypatch, capsys):
    for name, scale in (("one", 2.0), ("two", 3.0)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.py").write_text(MODEL)
        (tmp_path / name / "beside.py").write_text(f"SCALE = {scale}\n")
    monkeypatch.chdir(tmp_path)
    assert main(["grad", "one/model.py:energy", "two/model.py:energy"]) == 0
    out = capsys.readouterr().out
    assert "2.0" in out and "3.0" in out
    assert "beside" not in sys.modules and "model" not in sys.modules


@pytest.mark.parametrize("command", ["grad", "embed"])
def test_a_file_in_a_package_imports_from_it_as_everywhere(tmp_path, monkeypatch, capsys, command):
    package = tmp_path / "src" / "waves"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "scales.py").write_text("SCALE = 3.0\n")
    text = MODEL.replace("from beside import", "from .scales import")
    (package / "model.py").write_text(f"{text}\n# s2sad: grad energy\n# s2sad: end\n")
    monkeypatch.chdir(tmp_path)
    target = "src/waves/model.py"
    assert main([command, target if command == "embed" else f"{target}:energy"]) == 0
    made = (package / "model.py").read_text() if command == "embed" else capsys.readouterr().out
    assert "def energy_grad" in made
    assert "waves" not in sys.modules and "waves.scales" not in sys.modules


@pytest.mark.parametrize(
    ("line", "expected"),
    [("s2sad gra", {"grad", "graph"}), ("s2sad check --al", {"--allow-edited"})],
)
def test_a_shell_is_told_what_completes_a_line(tmp_path, line, expected):
    pytest.importorskip("argcomplete")
    out = tmp_path / "completions"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    asked |= {"_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_STDOUT_FILENAME": str(out)}
    command = [sys.executable, "-m", "s2sad"]
    subprocess.run(command, env={**os.environ, **asked}, check=True, capture_output=True)
    assert {each.strip() for each in out.read_text().split("\n")} == expected


def test_what_the_users_code_raises_is_told_with_its_own_lines(folder, capsys):
    (folder / "bad.py").write_text(
        "import numpy as np\n\n\ndef f(x):\n    if x[0] > 0.0:\n        raise ValueError('too large')\n"
        "    return np.sum(x)\n\n\ndef g(x):\n    return np.zeros(2)[5]\n"
    )
    too_large, outside = "ValueError: too large", "IndexError: index 5"
    for words, raised in (
        (["debug", "bad.py:f"], too_large),
        (["grad", "bad.py:f", "--check"], too_large),
        (["verify", "bad.py:f", "bad.py:g"], outside),
    ):
        assert main([*words, "--like", "(np.ones(2),)"]) == 1
        err = capsys.readouterr().err
        assert err.startswith(f"s2sad: your code raised {raised}") and "s2sad/api" not in err


def test_a_mistake_is_told_in_one_line_that_says_what_to_do(capsys):
    for words in ([], ["nothing"], ["grad"], ["grad", "a.py:f", "--nothing"], ["grad", "a\0b"]):
        assert main(words) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1 and err.startswith("s2sad")
