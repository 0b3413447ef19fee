"""A saved text never takes the place of what differs from it, nor of the source; it is whole."""

import importlib
import os
import stat
import sys

import pytest

import s2sad
from s2sad.__main__ import main
from s2sad.api.saved import plain_text, split
from s2sad.ir.errors import ArgumentError

MODEL = "import numpy as np\n\n\ndef bowl(x):\n    return np.sum(x**2)\n"


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A module of the user's, in a folder of its own."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "bowl_model.py").write_text(MODEL)
    importlib.invalidate_caches()
    yield importlib.import_module("bowl_model")
    del sys.modules["bowl_model"]


def test_what_differs_is_kept_without_force(model, tmp_path):
    derivative = s2sad.grad(model.bowl)
    target = tmp_path / "bowl_grad.py"
    target.write_text("# edited by hand\n")
    with pytest.raises(ArgumentError, match="holds something else"):
        derivative.save(target)
    assert target.read_text() == "# edited by hand\n"
    assert derivative.save(target, force=True) == target
    assert split(target.read_text())[1] == plain_text(derivative)
    derivative.save(target)  # what is there already is no difference


def test_the_source_is_never_overwritten(model, tmp_path, capsys):
    source = tmp_path / "bowl_model.py"
    link = tmp_path / "link.py"
    link.symlink_to(source)
    for place in (source, link, tmp_path / ".." / tmp_path.name / "bowl_model.py"):
        with pytest.raises(ArgumentError, match="is the source"):
            s2sad.grad(model.bowl).save(place, force=True)
    assert main(["grad", f"{source}:bowl", "-o", str(source), "--force"]) == 2
    assert "is the source" in capsys.readouterr().err
    assert source.read_text() == MODEL


def test_the_source_of_a_called_function_is_never_overwritten(model, tmp_path, monkeypatch):
    called = "from bowl_model import bowl\n\n\ndef twice(x):\n    return bowl(2.0 * x)\n"
    (tmp_path / "twice_model.py").write_text(called)
    twice = importlib.import_module("twice_model").twice
    monkeypatch.delitem(sys.modules, "twice_model")
    source = tmp_path / "bowl_model.py"
    with pytest.raises(ArgumentError, match="is the source"):
        s2sad.grad(twice).save(source, force=True)
    with pytest.raises(ArgumentError, match="is the source"):
        s2sad.report(twice, source, force=True, like=(1.0,))
    asked = [f"{tmp_path}/twice_model.py:twice", "-o", str(source), "--force"]
    assert main(["grad", *asked]) == main(["report", *asked, "--like", "(1.0,)"]) == 2
    assert source.read_text() == MODEL


def test_the_command_line_keeps_what_differs(model, tmp_path, capsys):
    target = tmp_path / "out.py"
    target.write_bytes(b"\xff\xfe no text")
    asked = ["grad", f"{tmp_path}/bowl_model.py:bowl", "-o", str(target)]
    assert main(asked) == 2
    assert "--force" in capsys.readouterr().err
    assert target.read_bytes() == b"\xff\xfe no text"
    assert main([*asked, "--force"]) == 0
    assert "def bowl_grad" in target.read_text()


def test_nothing_is_left_half_written(model, tmp_path, monkeypatch):
    derivative = s2sad.grad(model.bowl)
    target = tmp_path / "bowl_grad.py"
    target.write_text("before\n")

    def fails(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="disk full"):
        derivative.save(target, force=True)
    assert target.read_text() == "before\n"
    assert sorted(p.name for p in tmp_path.glob("*.py")) == ["bowl_grad.py", "bowl_model.py"]
    assert not list(tmp_path.glob(".bowl_grad*"))


def test_rights_and_links_stay(model, tmp_path):
    target, link = tmp_path / "kept.py", tmp_path / "link_grad.py"
    target.write_text("old\n")
    target.chmod(0o640)
    link.symlink_to(target)
    s2sad.grad(model.bowl).save(link, force=True)
    assert link.is_symlink() and "def bowl_grad" in target.read_text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
