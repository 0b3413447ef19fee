"""Runs the examples of the pages on refusals, and makes what they print and their index.

A page has pairs of examples: one that ends in the refusal, with the error as it is printed, and one
that says the same in another way and is right.
"""

import contextlib
import linecache
import os
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).resolve().parent / "refusals"
RAISED = re.compile(r"(```python\n(.*?)```\n\n<!-- raised -->\n```text\n)(.*?)(```\n)", re.DOTALL)
INSTEAD = re.compile(r"```python\n((?:(?!```).)*?check_grad(?:(?!```).)*?)```\n", re.DOTALL)
INDEX = re.compile(r"(<!-- index -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)
FILE = "model.py"


def pages():
    """Return the path of every page but the index."""
    return sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")


def filled(text):
    """Return a page with every printed error and the index made again."""
    text = RAISED.sub(lambda block: block[1] + printed(refusal(block[2])) + block[4], text)
    return INDEX.sub(lambda block: block[1] + index() + block[3], text)


def examples(path):
    """Return the examples of a page that end in its refusal, and those that go through."""
    text = path.read_text()
    return [block[2] for block in RAISED.finditer(text)], INSTEAD.findall(text)


def refusal(source):
    """Return the error that an example ends in; None if it is supported.

    It is as short as users see it, whatever the environment asks for.
    """
    from s2sad import S2sadError

    full = os.environ.pop("S2SAD_FULL_TRACEBACK", None)
    try:
        run(source)
    except S2sadError as error:
        return error
    finally:
        if full is not None:
            os.environ["S2SAD_FULL_TRACEBACK"] = full
    return None


def printed(error):
    """Return an error as Python prints it at the end of a traceback."""
    return f"s2sad.{type(error).__name__}: {error}\n"


def run(source):
    """Run an example as the file model.py of a folder of its own and return its names."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path(FILE).write_text(source)
        # a file of another example stood here under the same name
        linecache.cache.pop(FILE, None)
        module = sys.modules["model"] = ModuleType("model")
        module.__file__ = os.path.abspath(FILE)
        try:
            exec(compile(source, FILE, "exec"), vars(module))
        finally:
            del sys.modules["model"]
    return vars(module)


def index():
    """Return the table of all pages: title, and the first sentence."""
    rows = [f"| [{title}]({path.name}) | {first} |\n" for path, title, first in map(head, pages())]
    return "| | |\n|---|---|\n" + "".join(rows)


def head(path):
    """Return a page with its title and the first sentence of its text."""
    title, _, text = path.read_text().partition("\n\n")
    first = " ".join(text.split("\n\n")[0].split())
    return path, title.removeprefix("# "), first.split(". ")[0].rstrip(".")
