"""The texts of the templates, and what is written out in them before they are read.

texts()["elementwise.py"]     the text of templates/elementwise.py

EACH = "each:inverse dct:idct dst:idst"     a template whose name holds `each` stands for one a row;
                                            in any other a line that holds such a word does
LIKE = "fft.py np.fft:fft a:x"              a file that is another one, with other words for some

Words are put in where they stand alone or between underscores, in texts in quotes, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

PRINTED, REWRITES, TWINS = "printed", "rewrites", "twins"
LOOPS, CONTAINERS, WRITES = "loops.py", "containers.py", "writes.py"
Row = Mapping[str, str]
_EACH = re.compile(r'^EACH = "{1,3}([^"]*)"{1,3}$', re.MULTILINE)
_LIKE = re.compile(r'^LIKE = "{1,3}\s*(\S+) ([^"]*)"{1,3}$', re.MULTILINE)
# a parameter for which an object that can be named is put in: that is no parameter any more
_NAMED = re.compile(r"\w+\.[\w.]+: \([^)]*\),?\s*")
# a line of a template with those that go on with it
_LINE = re.compile(r"^    \w.*(?:\n(?:     |    [)\]}]).*)*", re.MULTILINE)


@cache
def texts() -> Mapping[str, str]:
    """Return the text of every file of templates by its name, in alphabetical order."""
    entries = sorted(_folder().iterdir(), key=lambda entry: str(entry.name))
    found = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in entries
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }
    return {name: _as_another(text, found) for name, text in found.items()}


def _folder() -> Path:
    """Return the folder of templates: a checkout's own, else the one that is installed."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "templates").is_dir():
        return checkout / "templates"
    return package / "templates"


def rule_files() -> tuple[str, ...]:
    """Return the files that hold rules; twins are looked at where no other rule fits."""
    others = (PRINTED, REWRITES, TWINS, LOOPS, CONTAINERS, WRITES)
    plain = [file for file in texts() if not file.startswith(others)]
    return (*plain, *(file for file in texts() if file.startswith(TWINS)))


# ---------------------------------------------------------------------------- written out


def _as_another(text: str, files: Mapping[str, str]) -> str:
    said = _LIKE.search(text)
    if said is None:
        return text
    return put_in(files[said[1]], dict(word.split(":") for word in said[2].split()))


@cache
def rows_of(words: str) -> tuple[Row, ...]:
    """Return the rows of EACH; the first names the columns, if there are several."""
    rows = [word.split(":") for word in words.split()]
    columns = rows.pop(0) if rows and rows[0][0] == "each" else ["each"]
    return tuple(dict(zip(columns, row, strict=True)) for row in rows)


def parts_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text that have one EACH, with that."""
    first, *others = _EACH.split(text)
    yield first, ""
    yield from zip(others[1::2], others[::2], strict=True)


def put_in(text: str, row: Row) -> str:
    """Return a text with the words of a row put in."""
    return _words(tuple(row)).sub(lambda found: row[found[0]], text)


@cache
def _words(columns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, columns))})(?![^\W_])")


def spelled_out(line: str, words: str) -> list[str]:
    """Return a line as each row of EACH has it."""
    return list(dict.fromkeys(put_in(line, row) for row in rows_of(words))) or [line]


def written_out(template: str, words: str) -> list[str]:
    """Return the text of a template, or one for each row of EACH."""
    if words and "each" in template.partition("(")[0]:
        return [_NAMED.sub("", each) for each in spelled_out(template, words)]
    return [_LINE.sub(lambda line: "\n".join(spelled_out(line[0], words)), template)]
