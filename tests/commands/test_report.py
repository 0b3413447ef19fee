"""`s2sad report` writes one page, and nothing where it cannot."""

import os
import sys

import pytest

from s2sad.api.commands.main import main

MODEL = """\
import numpy as np


def energy(x, k):
    y = np.sin(x)
    return k * np.sum(y**2)


def energy_example():
    return np.linspace(0.0, 1.0, 5), 2.0
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_page_is_written(folder, capsys):
    assert main("report model.py:energy --wrt x,k -o report.html".split()) == 0
    page = (folder / "report.html").read_text()
    assert "energy and its gradient with respect to x, k" in page
    assert "reverse sweep" in page and "n = x.shape[0] = 5" in page
    assert capsys.readouterr().err == "wrote report.html\n"


def test_a_page_goes_to_standard_output(folder, capsys):
    assert main("report model.py:energy -o -".split()) == 0
    out = capsys.readouterr()
    assert out.out.startswith("<!doctype html>") and out.err == ""
    assert os.listdir(folder) in (
        ["model.py"],
        ["__pycache__", "model.py"],
        ["model.py", "__pycache__"],
    )


def test_a_place_where_nothing_may_be_written_is_one_line(folder, capsys):
    assert main("report model.py:energy -o missing/report.html".split()) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "missing/report.html cannot be written (No such file" in said and "name a file" in said


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_one_line(folder, capsys):
    (folder / "closed").mkdir(mode=0o500)
    assert main("report model.py:energy -o closed/report.html".split()) == 2
    assert "Permission denied" in capsys.readouterr().err


def test_neither_the_source_nor_what_differs_is_overwritten(folder, capsys):
    (folder / "report.html").write_text("mine")
    assert main("report model.py:energy -o report.html".split()) == 2
    assert main("report model.py:energy -o model.py --force".split()) == 2
    assert (folder / "report.html").read_text() == "mine"
    assert (folder / "model.py").read_text() == MODEL
    assert main("report model.py:energy -o report.html --force".split()) == 0
    assert "<!doctype html>" in (folder / "report.html").read_text()
    # a page is made anew
    (folder / "model.py").write_text(MODEL.replace("np.sin", "np.tanh"))
    assert main("report model.py:energy -o report.html".split()) == 0
    assert "np.tanh" in (folder / "report.html").read_text()


def test_a_browser_shows_the_page_and_without_one_nothing_is_written(folder, capsys, monkeypatch):
    import webbrowser

    words = "report model.py:energy -o report.html --open".split()

    def none(using=None):
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "there is no browser for --open" in said
    assert not (folder / "report.html").exists()

    opened = []

    class Browser:
        open = opened.append

    monkeypatch.setattr(webbrowser, "get", lambda using=None: Browser)
    assert main(words) == 0
    assert opened == [(folder / "report.html").resolve().as_uri()]
