"""Fills what the README and the pages show: each block under a mark is made by running s2sad.

<!-- show: examples/lynx_hare.py misfit -->     the text of a function, or of a whole file
<!-- run: grad examples/misfit.py:misfit -->    what the command line prints
<!-- functions -->                              the table of functions, from the templates
<!-- raised -->                                 the error that the example above ends in

python docs/fill.py
"""

import ast
import contextlib
import io
import re
import sys
from pathlib import Path

import listed
import refusing

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
ROW = re.compile(r"^\| `(\w+)` \| .* \|$", re.MULTILINE)
BLOCK = re.compile(r"(<!-- (show|print|report): (.*?) -->\n+```\w*\n)(.*?)(```\n)", re.DOTALL)

TABLE = re.compile(r"(<!-- functions -->\n+)(.*?)(\n<!-- end -->)", re.DOTALL)


def filled(text):
    """Return a page with every marked block and every row of the list of modules made again."""
    text = ROW.sub(lambda row: purpose(row[1]) or row[0], text)
    text = TABLE.sub(lambda block: block[1] + listed.table() + block[3], text)
    text = BLOCK.sub(lambda block: block[1] + made(block[2], block[3]) + block[5], text)
    return refusing.filled(text)


def made(kind, words):
    """Return the contents of one block."""
    if kind == "show":
        path, *names = words.split()
        return shown((ROOT / path).read_text(), names)
    from s2sad.api.commands import main as cli

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(ROOT):
        cli.main(words.split())
    return out.getvalue() if kind == "print" else err.getvalue()


def purpose(module):
    """Return the row of a module: its name and the first sentence of its docstring."""
    places = (ROOT / "s2sad" / f"{module}.py", ROOT / "s2sad" / module / "__init__.py")
    for path in filter(Path.exists, places):
        doc = ast.get_docstring(ast.parse(path.read_text()))
        first = " ".join(doc.split("\n\n")[0].split())
        name = first.split()[0][1:].islower()  # NumPy and SciPy keep their capitals
        start = first[0].lower() if name or len(first.split()[0]) == 1 else first[0]
        return f"| `{module}` | {start}{first[1:].rstrip('.')} |"
    return None


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


def main():
    """Fill every page in place; with --check only tell whether one would change."""
    changed = [page for page in PAGES if filled(page.read_text()) != page.read_text()]
    if "--check" not in sys.argv:
        for page in changed:
            page.write_text(filled(page.read_text()))
    for page in changed:
        print(page.relative_to(ROOT))
    return 1 if changed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
