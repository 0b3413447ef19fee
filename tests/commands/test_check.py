"""Saved derivatives are found to be out of date or edited, and made again without losing edits."""

import subprocess

import numpy as np
import pytest

from s2sad.__main__ import main
from s2sad.api.saved import split, stamped

MODEL = """\
import numpy as np


def energy(x, k):
    r = np.sin(x)
    s = k * r
    return np.sum(s**2)
"""
MANIFEST = """\
[[tool.s2sad.derivatives]]
target = "model.py:energy"
wrt = ["x", "k"]
mode = "value-and-grad"
like = "(np.ones(3), 2.0)"
out = "kept/both.py"
"""
MADE = ["grad", "model.py:energy", "-o", "energy_grad.py", "-q"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def saved(folder):
    assert main(MADE) == 0
    return folder / "energy_grad.py"


def changed(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def git(folder, *words):
    own = ["-c", "user.name=n", "-c", "user.email=n@n", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def commit(folder):
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "as it is")


def check(capsys, *words):
    """Run check, and return its status and what it said of each file."""
    capsys.readouterr()
    status = main(["check", *words])
    return status, capsys.readouterr().err.splitlines()


def test_edited_and_out_of_date_are_two_answers(saved, folder, capsys):
    assert check(capsys) == (0, [])
    assert check(capsys, "-v")[1] == ["energy_grad.py: up to date"]
    changed(saved, "* np.cos(x)", "* 1.0 * np.cos(x)")
    assert check(capsys) == (1, ["energy_grad.py: edited by hand"])
    assert check(capsys, "--allow-edited") == (0, [])
    changed(folder / "model.py", "k * r", "2.0 * k * r")
    assert check(capsys) == (1, ["energy_grad.py: edited by hand and out of date"])
    changed(saved, "* 1.0 * np.cos(x)", "* np.cos(x)")
    assert check(capsys, "energy_grad.py") == (1, ["energy_grad.py: out of date"])


def test_an_edited_text_is_out_of_date_where_a_method_of_an_argument_changed(folder, capsys):
    model = folder / "model.py"
    model.write_text(
        "import numpy as np\n\n\nclass Spring:\n    def __init__(self, above=None):\n"
        "        self.above = self if above is None else above\n\n    def force(self, x):\n"
        "        return 2.0 * x\n\n\ndef energy(spring, x):\n    return np.sum(spring.force(x))\n\n\n"
        "energy_example = (Spring(), np.ones(3))\n"
    )
    assert main([*MADE, "--wrt", "x"]) == 0
    changed(folder / "energy_grad.py", "return np", "return 1.0 * np")
    changed(model, "class Spring:", "# a comment\nclass Spring:")
    assert check(capsys) == (1, ["energy_grad.py: edited by hand"])
    changed(model, "2.0 * x", "3.0 * x")
    assert check(capsys) == (1, ["energy_grad.py: edited by hand and out of date"])


def test_what_changes_no_text_is_not_out_of_date(saved, folder, capsys):
    changed(folder / "model.py", "    r = ", "    # of it\n    r = ")
    assert check(capsys) == (0, [])
    (folder / "model.py").write_text(MODEL)
    changed(folder / "model.py", "def energy(x, k):\n", 'def energy(x, k):\n    """Energy."""\n')
    assert check(capsys) == (0, [])


def test_a_diff_shows_what_writing_changes(saved, folder, capsys):
    changed(folder / "model.py", "np.sin(x)", "np.tanh(x)")
    before = saved.read_text()
    capsys.readouterr()
    assert main(["check", "--diff"]) == 1
    out, err = capsys.readouterr()
    assert saved.read_text() == before and err == "energy_grad.py: out of date\n"
    assert "--- energy_grad.py\n" in out and any(
        line.startswith("+") and "np.tanh" in line for line in out.splitlines()
    )
    assert check(capsys, "--write") == (0, ["energy_grad.py: made anew"])
    assert "np.tanh" in saved.read_text()
    assert check(capsys) == (0, [])


def test_a_manifest_makes_and_checks_many(saved, folder, capsys):
    (folder / "pyproject.toml").write_text(MANIFEST)
    (folder / "kept").mkdir()
    assert check(capsys) == (1, ["kept/both.py: not made yet"])
    assert check(capsys, "--write") == (0, ["kept/both.py: made"])
    assert check(capsys, "-v")[1] == ["kept/both.py: up to date", "energy_grad.py: up to date"]
    known = {}
    exec((folder / "kept" / "both.py").read_text(), known)
    x = np.array([0.1, 0.2, 0.3])
    value, (x_bar, k_bar) = known["energy_value_and_grad"](x, 2.0)
    np.testing.assert_allclose(x_bar, 8.0 * np.sin(x) * np.cos(x))
    assert k_bar == pytest.approx(4.0 * np.sum(np.sin(x) ** 2)) and value > 0.0
    changed(folder / "pyproject.toml", '"x", "k"', '"k"')
    assert check(capsys, "kept/both.py") == (1, ["kept/both.py: out of date"])


EDIT = ("Gradient of energy", "Edited gradient of energy")


def test_edits_are_kept_where_the_text_as_made_is_in_git(saved, folder, capsys):
    commit(folder)
    changed(saved, *EDIT)
    changed(folder / "model.py", "np.sin(x)", "np.tanh(x)")
    assert check(capsys, "--write") == (0, ["energy_grad.py: made anew, your edits are kept"])
    text = saved.read_text()
    assert "Edited gradient" in text and "np.tanh" in text and "<<<<" not in text
    assert check(capsys) == (1, ["energy_grad.py: edited by hand"])
    fresh = folder / "fresh.py"
    assert main([*MADE[:3], str(fresh), "-q"]) == 0
    assert split(text)[0].text == split(fresh.read_text())[0].text, "a base for the next merge"


def test_edits_are_kept_where_the_function_as_it_was_is_in_git(folder, capsys):
    commit(folder)
    assert main(MADE) == 0
    saved = folder / "energy_grad.py"
    changed(saved, *EDIT)
    changed(folder / "model.py", "np.sin(x)", "np.tanh(x)")
    assert main(["grad", "model.py:energy", "-o", "energy_grad.py"]) == 0
    assert "wrote energy_grad.py, with your edits" in capsys.readouterr().err
    assert "Edited gradient" in saved.read_text() and "np.tanh" in saved.read_text()


@pytest.mark.parametrize("which", ["text", "function"])
def test_a_base_may_be_a_file(saved, folder, capsys, which):
    base = folder / "before.txt"
    base.write_text(saved.read_text() if which == "text" else MODEL)
    changed(saved, *EDIT)
    changed(folder / "model.py", "np.sin(x)", "np.tanh(x)")
    status, said = check(capsys, "energy_grad.py", "--write", "--base", "before.txt")
    assert (status, said) == (0, ["energy_grad.py: made anew, your edits are kept"])
    assert "Edited gradient" in saved.read_text() and "np.tanh" in saved.read_text()


def test_conflicts_stand_in_the_file_and_nothing_is_lost(saved, folder, capsys):
    commit(folder)
    line = next(each for each in saved.read_text().splitlines() if "np.cos" in each)
    changed(saved, line, line.replace("np.cos(x)", "np.cos(1.0 * x)"))
    changed(folder / "model.py", "np.sin(x)", "np.tanh(x)")
    status, said = check(capsys, "--write")
    assert status == 1 and "conflict" in said[0]
    text = saved.read_text()
    assert "<<<<<<< energy_grad.py (edited)" in text and ">>>>>>> energy_grad.py (new)" in text
    assert "np.cos(1.0 * x)" in text and "np.tanh" in text
    for again in (["check", "--write"], MADE):
        assert main(again) == 1 and saved.read_text() == text, "conflicts are not merged again"
    assert main([*MADE, "--force"]) == 0 and "np.cos" not in saved.read_text()


@pytest.mark.parametrize("base", [None, "nowhere.py", "pyproject.toml"])
def test_a_base_that_is_not_found_changes_nothing(saved, folder, capsys, base):
    changed(saved, *EDIT)
    changed(folder / "model.py", "np.sin(x)", "np.tanh(x)")
    before = saved.read_bytes()
    words = [] if base is None else ["--base", base]
    status, said = check(capsys, "energy_grad.py", "--write", *words)
    assert status == 2 and len(said) == 1 and ("--base" in said[0])
    assert saved.read_bytes() == before


def test_ends_of_lines_stay_as_they_are_on_the_disk(saved, folder, capsys):
    saved.write_bytes(saved.read_bytes().replace(b"\n", b"\r\n"))
    assert check(capsys) == (0, [])
    changed_bytes = (folder / "model.py").read_text().replace("np.sin", "np.tanh")
    (folder / "model.py").write_text(changed_bytes)
    assert check(capsys, "--write")[0] == 0
    data = saved.read_bytes()
    assert b"np.tanh" in data and data.count(b"\n") == data.count(b"\r\n")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["model.py"], "does not say how it was made"),
        (["nowhere.py"], "cannot be read"),
        ([], "there is no saved derivative here"),
        (["bad.py"], "cannot be read"),
        (["model.py", "--base", "a", "--write"], "does not say how it was made"),
    ],
)
def test_what_is_no_derivative_is_told_in_one_line(folder, capsys, files, words):
    (folder / "bad.py").write_bytes(b"\xff\xfe")
    status, said = check(capsys, *files)
    assert status == 2 and len(said) == 1 and words in said[0]


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ("[tool.s2sad]\ntarget = 'm.py:f'\n", "unknown key 'target'"),
        ("[tool.s2sad]\nderivatives = 3\n", "is no list"),
        ("tool.s2sad = 3\n", "is no table"),
        ("[[tool.s2sad.derivatives]]\n", "has no target"),
        (MANIFEST.replace("wrt", "wtr"), "did you mean wrt?"),
        (MANIFEST.replace('"kept/both.py"', '"../both.py"'), "lies outside"),
        (MANIFEST.replace('"kept/both.py"', '"/tmp/both.py"'), "lies outside"),
        (MANIFEST.replace('"kept/both.py"', '"kept/link/both.py"'), "lies outside"),
        (MANIFEST.replace('"kept/both.py"', '"README"'), "ends in .py"),
        (MANIFEST.replace('"kept/both.py"', "3"), "write a text"),
        (MANIFEST.replace("value-and-grad", "check"), "mode of derivative 1"),
        (MANIFEST.replace('["x", "k"]', "3"), "wrt of derivative 1"),
        (MANIFEST + MANIFEST, "give each its own out"),
        (MANIFEST + "lines = 3\n", "write true or false"),
        ("[[tool.s2sad", "cannot be read"),
    ],
)
def test_a_manifest_that_is_wrong_is_told_in_one_line(folder, capsys, manifest, words):
    (folder / "kept").mkdir()
    (folder / "kept" / "link").symlink_to("/tmp")
    (folder / "pyproject.toml").write_text(manifest)
    before = sorted(folder.rglob("*"))
    status, said = check(capsys, "--write")
    assert status == 2 and len(said) == 1 and words in said[0], said
    assert sorted(folder.rglob("*")) == before


def test_another_text_of_the_same_function_is_out_of_date(saved, folder, capsys):
    # as an older version made it, with its own digits
    stamp, body = split(saved.read_text())
    older = body.replace("* np.cos(x)", "* 2.0 * np.cos(x)")
    saved.write_text(stamped(older, "0.1.9", stamp.source, stamp.command))
    assert check(capsys) == (1, ["energy_grad.py: out of date"])
    assert check(capsys, "--write") == (0, ["energy_grad.py: made anew"])
    assert split(saved.read_text())[1] == body


def test_the_derivative_of_another_function_is_not_overwritten(saved, folder, capsys):
    (folder / "model.py").write_text(MODEL + "\n\ndef other(x):\n    return np.sum(x)\n")
    before = saved.read_text()
    assert main(["grad", "model.py:other", "-o", "energy_grad.py"]) == 2
    assert "--force overwrites it" in capsys.readouterr().err and saved.read_text() == before
    assert main(["vjp", "model.py:energy", "-o", "energy_grad.py"]) == 0, "of the same function"
