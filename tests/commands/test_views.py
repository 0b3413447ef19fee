"""What is known of a function is printed, and the pages about refusals are."""

import pytest

from s2sad.__main__ import main
from s2sad.ir.pages import PHRASES

MODEL = """\
import numpy as np


def energy(x):
    return np.sum(np.sin(x) ** 2)


energy_example = (np.ones(3),)
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["explain"], "peak: "),
        (["show", "--after", "lowering"], "def energy(x):"),
        (["graph"], "digraph"),
    ],
)
def test_what_is_known_is_printed_for_several_functions(
    tmp_path, monkeypatch, capsys, words, expected
):
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    command, *options = words
    assert main([command, "model.py:energy", "model.py:energy", *options]) == 0
    assert capsys.readouterr().out.count(expected) == 2


@pytest.mark.parametrize("page", PHRASES)
def test_help_prints_the_page_that_a_message_names(page, capsys):
    for asked in (page, f"docs/refusals/{page}.md"):
        assert main(["help", asked]) == 0
        assert capsys.readouterr().out.startswith("# ")


def test_help_takes_a_message_and_lists_all_pages(capsys):
    assert main(["help", "numpy.union1d", "has", "no", "derivative", "rule"]) == 0
    rule = capsys.readouterr().out
    assert main(["help", "no-rule"]) == 0
    assert capsys.readouterr().out == rule
    assert main(["help"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in listed} == set(PHRASES)


def test_a_page_that_is_not_there_is_told_in_one_line(capsys):
    assert main(["help", "aliasses"]) == 2
    assert capsys.readouterr().err == (
        "s2sad: there is no page 'aliasses': did you mean aliases?\n"
    )
