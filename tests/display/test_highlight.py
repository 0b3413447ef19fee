"""Texts are highlighted line by line, and nothing of them is lost."""

from __future__ import annotations

import html
import re

import pytest

from s2sad.api.display.markup import highlighted

TEXT = '''def f(x):  # a < b
    """Of
    several lines."""
    if x and "<tag>" != 'a\\'b':
        return 1.5e3 * x

    return None'''


def plain(lines):
    return [html.unescape(re.sub(r"</?i[^>]*>", "", line)) for line in lines]


@pytest.fixture
def lines():
    return highlighted(TEXT)


def test_nothing_of_the_text_is_lost(lines):
    assert plain(lines) == TEXT.split("\n")


def test_keywords_numbers_texts_and_comments_are_marked(lines):
    assert '<i class="k">def</i>' in lines[0] and '<i class="f">f</i>' in lines[0]
    assert '<i class="c"># a &lt; b</i>' in lines[0]
    assert '<i class="s">    several lines.&quot;&quot;&quot;</i>' in lines[2]
    assert '<i class="n">1.5e3</i>' in lines[4]


def test_a_text_that_is_no_python_is_shown_as_it_is():
    assert plain(highlighted("x = (1,\n  'open")) == ["x = (1,", "  'open"]
