"""A saved derivative says how it was made, and what it says does not change with a comment."""

import importlib
import os
import sys

import numpy as np
import pytest

import s2sad
from s2sad.__main__ import main
from s2sad.api.saved import digits, is_edited, restamped, split, stamped

MODEL = """\
import numpy as np

RATE = 0.5


def damped(v, rate):
    return v * np.exp(-rate * v)


def march(u, n):
    for _ in range(n):
        u = u + 0.1 * damped(u, RATE)
    return np.sum(u**2)


march_example = (np.ones(3), 4)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(path, *options):
    assert main(["grad", "code/model.py:march", *options, "-o", str(path), "--force", "-q"]) == 0
    return path.read_text()


def changed(folder, old, new):
    path = folder / "code" / "model.py"
    assert old in path.read_text()
    stamp = path.stat().st_mtime
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, (stamp + 1.0, stamp + 1.0))  # Python tells old bytecode by whole seconds


def test_a_file_says_its_command_and_runs(folder):
    text = written(folder / "code" / "march_grad.py", "--checkpoint", "sqrt")
    first, second, blank, *_ = text.splitlines()
    assert first.startswith(f"# Made by s2sad {s2sad.__version__} (source ")
    command = "s2sad grad code/model.py:march --checkpoint sqrt -o code/march_grad.py"
    assert second == f"#     {command}" and blank == ""
    assert split(text)[0].command == command
    known = {}
    exec(text, known)
    got = known["march_grad"](np.ones(3), 4)
    h = 1e-6
    sys.path.insert(0, str(folder / "code"))
    try:
        march = importlib.import_module("model").march
    finally:
        sys.path.pop(0)
        del sys.modules["model"]
    up, down = (march(np.array([1.0 + s, 1.0, 1.0]), 4) for s in (h, -h))
    assert got[0] == pytest.approx((up - down) / (2 * h), rel=1e-7)


@pytest.mark.parametrize("options", [[], ["--checkpoint", "sqrt"]])
def test_lines_more_change_nothing_in_a_new_file(folder, options):
    before = written(folder / "out.py", *options)
    changed(folder, "RATE = 0.5\n", "# how fast\nRATE = 0.5\n")
    changed(folder, "def march", "\n\n# marches\ndef march")
    changed(folder, "    for _", "\n    for _")
    changed(folder, "(u**2)\n", "(u**2)\n    # done\n")
    assert written(folder / "out.py", *options) == before


def test_a_comment_within_is_no_reason_to_write_a_file_again(folder):
    out = folder / "out.py"
    before = written(out)
    changed(folder, "    for _", "    # all steps\n    for _")
    assert main(["grad", "code/model.py:march", "-o", "out.py", "-q"]) == 0
    assert out.read_text() == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RATE = 0.5", "RATE = 0.25"),
        ("np.exp(-rate * v)", "np.exp(rate * v)"),
        ("u + 0.1 *", "u + 0.2 *"),
        ("(np.ones(3), 4)", "(np.ones((3, 2)), 4)"),
    ],
)
def test_what_a_derivative_is_made_from_changes_its_digits(folder, old, new):
    before, _ = split(written(folder / "out.py"))
    changed(folder, old, new)
    after, _ = split(written(folder / "out.py"))
    assert before.source != after.source


def test_options_and_rules_change_the_digits(folder):
    (folder / "rules.py").write_text(
        "def sinc(x):\n    y = np.sinc(x)\n    x_bar = y_bar * x\n    y_dot = x_dot * x\n"
    )
    found = {
        split(written(folder / "out.py", *options))[0].source
        for options in ([], ["--value"], ["--wrt", "u,"], ["--rules", "rules.py"])
    }
    assert len(found) == 4


def test_numbers_of_lines_are_an_option(folder):
    plain = written(folder / "out.py")
    numbered = written(folder / "out.py", "--lines")
    assert "model.py:10" not in plain and "line 1" not in plain and "Loop `for _ in" in plain
    assert "model.py:10" in numbered and "line 11" in numbered
    assert "--lines" in split(numbered)[0].command


def test_what_is_saved_in_python_names_a_command_that_makes_the_same(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder / "code"))
    model = importlib.import_module("model")
    like = (np.ones((2, 2)), 3)
    try:
        derivative = s2sad.value_and_grad(model.march, like=like, checkpoint=s2sad.Every(2))
        path = derivative.save("code/out.py")
    finally:
        del sys.modules["model"]
    text = path.read_text()
    import shlex

    words = shlex.split(split(text)[0].command)
    assert words[:3] == ["s2sad", "value-and-grad", "code/model.py:march"]
    assert main([*words[1:-1], "code/again.py", "-q"]) == 0
    again = (folder / "code" / "again.py").read_text()
    assert split(again)[1] == split(text)[1]
    assert split(again)[0].source == split(text)[0].source


@pytest.mark.parametrize("words", ["a", "a  'two  blanks' b", "x" * 200, f"{'word ' * 40}end"])
def test_a_stamp_is_read_as_it_was_written(words):
    text = stamped("x = 1\n", "1.2.3", "0" * 12, f"s2sad grad {words}")
    stamp, body = split(text)
    assert stamp.command == f"s2sad grad {words}" and body == "x = 1\n"
    assert not is_edited(stamp, body) and is_edited(stamp, "x = 2\n")
    assert split(text.replace("\n", "\r\n")) == (stamp, body)
    assert restamped(body, stamp) == text
    assert digits("x = 1\r\n") == stamp.text


def test_a_command_that_no_comment_holds_is_left_out():
    stamp, body = split(stamped("x = 1\n", "1", "0" * 12, "s2sad grad 'a\nimport os'"))
    assert stamp.command == "" and body == "x = 1\n"


def test_a_text_without_a_stamp_is_whole():
    assert split("import numpy\n") == (None, "import numpy\n")
