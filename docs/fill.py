"""Fills what the README and the pages show: each block under a mark is made by running s2sad.

<!-- show: examples/lynx_hare.py misfit -->     the text of a function, or of a whole file
<!-- print: grad examples/misfit.py:misfit -->  what the command line prints
<!-- report: grad ... --check -->               what it prints on standard error
<!-- stage: joined -->                          a stage of the function that docs/how.md follows
<!-- functions -->                              the table of functions, from the templates
<!-- raised -->                                 the error that the example above ends in
<!-- runs -->, <!-- output -->                  a page that is run, and what it prints

python docs/fill.py [--check] [PAGES]

The site is built from the same: it fills each page that it reads, and warns of one that has changed.
"""

import ast
import contextlib
import io
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import listed
import refusing
import running
import stages

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| `(\w+)` \| .* \|$", re.MULTILINE)
BLOCK = re.compile(r"(<!-- (show|print|report|stage): (.*?) -->\n+```\w*\n)(.*?)(```\n)", re.DOTALL)
TABLE = re.compile(r"(<!-- functions -->\n+)(.*?)(\n<!-- end -->)", re.DOTALL)


def pages():
    """Return the path of every page."""
    return (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))


def filled(text):
    """Return a page with every marked block and every row of the list of rooms made again."""
    text = ROW.sub(lambda row: purpose(row[1]) or row[0], text)
    text = TABLE.sub(lambda block: block[1] + listed.table() + block[3], text)
    text = BLOCK.sub(lambda block: block[1] + made(block[2], block[3]) + block[5], text)
    return refusing.filled(running.filled(text))


def made(kind, words):
    """Return the contents of one block."""
    if kind == "show":
        path, *names = words.split()
        return shown((ROOT / path).read_text(), names)
    if kind == "stage":
        return stages.stage(words)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(ROOT):
        from s2sad.__main__ import main

        main(words.split())
    return out.getvalue() if kind == "print" else err.getvalue()


def purpose(module):
    """Return the row of a room: its name and the first sentence of its docstring."""
    path = ROOT / "s2sad" / module / "__init__.py"
    if not path.exists():
        return None
    doc = ast.get_docstring(ast.parse(path.read_text()))
    first = " ".join(doc.split("\n\n")[0].split())
    name = first.split()[0][1:].islower()  # NumPy and SciPy keep their capitals
    start = first[0].lower() if name or len(first.split()[0]) == 1 else first[0]
    return f"| `{module}` | {start}{first[1:].rstrip('.')} |"


def shown(source, names):
    """Return the functions called `names` as they stand in `source`, or all of it."""
    if not names:
        return source
    found = {
        node.name: ast.get_source_segment(source, node)
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
    }
    return "\n\n\n".join(found[name] for name in names) + "\n"


def main(words):
    """Fill every page in place; with --check only tell whether one would change."""
    chosen = [Path(word).resolve() for word in words if not word.startswith("--")] or pages()
    texts = {page: page.read_text() for page in chosen}
    changed = {page: made for page, text in texts.items() if (made := filled(text)) != text}
    for page, text in changed.items():
        if "--check" not in words:
            page.write_text(text)
        print(page.relative_to(ROOT))
    return 1 if changed and "--check" in words else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
