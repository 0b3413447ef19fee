"""Reports and cells of notebooks are whole pages of HTML that ask nothing of the network."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad.api.display.page import page_of, report
from tests.display.models import HEAT, heat, misfit, misfit_example
from tests.texts import defined

EMPTY = {"meta", "path", "rect"}


class Tags(HTMLParser):
    """Tells whether tags are closed in the order in which they were opened, and collects texts."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.links += [v for k, v in attrs if k in ("src", "href", "xlink:href")]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def parsed(html):
    tags = Tags()
    tags.feed(html)
    tags.close()
    assert tags.open == []
    assert tags.links == []
    assert not re.search(r"https?://|@import|url\((?!#)", html)
    return "".join(tags.texts)


@pytest.mark.parametrize("like", [misfit_example(), None], ids=["examples", "none"])
def test_a_report_holds_both_texts_whole(like):
    page = page_of(misfit, ("W", "m"), like=like)
    text = re.sub(r"\n", "", parsed(page))
    for line in s2sad.grad(misfit, ("W", "m"), like=like).source.splitlines():
        assert line in text
    for line in Path(misfit.__code__.co_filename).read_text().splitlines()[8:17]:
        assert line in text


def test_a_report_with_examples_has_numbers_and_a_check():
    page = parsed(page_of(heat, ("u", "nu"), like=HEAT))
    assert "of which saved:" in page and " = " in page and "yes" in page
    assert "What each line costs" in page and "n = u.shape[0] = 9" in page


def test_a_report_without_examples_says_what_they_would_show():
    assert "Give example arguments" in parsed(page_of(heat, like=None))


def test_a_report_is_written_and_replaces_nothing_else(tmp_path):
    path = report(heat, tmp_path / "report.html", like=HEAT)
    assert report(heat, path, like=HEAT) == path
    path.write_text("mine")
    with pytest.raises(s2sad.ArgumentError):
        report(heat, path, like=HEAT)
    assert path.read_text() == "mine"
    report(heat, path, like=HEAT, force=True)
    assert path.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    "shown",
    [
        lambda: s2sad.grad(misfit, ("W", "m"), like=misfit_example()),
        lambda: s2sad.grad(misfit),
        lambda: s2sad.jvp(misfit),
        lambda: s2sad.explain(misfit, like=misfit_example()),
        lambda: s2sad.explain(misfit),
        lambda: s2sad.grad(misfit).graph,
        lambda: s2sad.check_grad(misfit, misfit_example()),
    ],
    ids=[
        "for examples",
        "for any",
        "tangent",
        "explanation",
        "explained for any",
        "graph",
        "check",
    ],
)
def test_what_a_notebook_shows_is_html(shown):
    html = shown()._repr_html_()
    assert parsed(html).strip()
    assert html.startswith("<div class='s2sad ") and html.endswith("</div>")


def test_an_explanation_shows_all_of_its_text():
    explained = s2sad.explain(misfit, ("W", "m"), like=misfit_example())
    shown = parsed(explained._repr_html_())
    for word in str(explained).split():
        assert word in shown


def test_a_check_that_fails_says_so_in_the_table():
    f = defined("def f(x):\n    return np.sum(np.where(x > 0.0, x, 0.0))")
    found = s2sad.check_grad(f, (np.array([0.0, 1.0]),))
    assert not found.ok
    shown = found._repr_html_()
    assert "class='no'" in shown and "differences do not agree" in parsed(shown)
    assert "x[0]" in parsed(shown)


def test_a_check_of_what_was_given_lists_what_differs_in_columns():
    f = defined("def f(x):\n    return np.sum(x**2)")
    found = s2sad.check_grad(f, (np.arange(1.0, 9.0),), gradient=lambda x: 3.0 * x)
    shown = parsed(found._repr_html_())
    assert "given" in shown and "reverse" not in shown and "x[4]" in shown and "x[5]" not in shown
    first, *elements, more, parting = str(found).splitlines()[2:]
    assert {line.index("e+") for line in (first, *elements)} == {first.index("e+")}
    assert more == "  and 3 more of x" and "in x_bar: " in parting


def test_where_nothing_is_kept_a_table_says_so():
    f = defined("def f(x):\n    return np.sum(x)")
    explained = s2sad.explain(f, like=(np.ones(3),))
    assert "nothing is kept" in explained._repr_html_()
    assert str(explained).startswith("nothing is kept\n")


def test_a_prompt_shows_what_is_printed():
    f = defined("def f(x, k):\n    return np.sum(np.log(x)) * int(k)")
    x = np.zeros(3)
    first = s2sad.value_and_grad(f).first_nonfinite(x, 2.5)
    checked = s2sad.check_grad(f, (x + 1.0, 2.5))
    for shown in (first, checked, s2sad.explain(f, like=(x, 2.5)), s2sad.why(f, "k")):
        assert repr(shown) == str(shown)


def test_names_and_texts_of_the_user_cannot_become_tags():
    f = defined(
        'def f(x):\n    """<script>alert(1)</script>"""\n    return np.sum(x) if x[0] < 1 else 0.0'
    )
    page = page_of(f, like=(np.ones(2),))
    assert page.count("<script>") == 1
    assert "&lt;script&gt;" in page
