"""Runs the pages that say so, from their first block to their last, and gives what they print.

A page with `<!-- runs -->` is run as a reader would: each python block is one part of a file, in the
order of the page, and each console block is a list of commands. `<!-- output -->` above a block shows
what has been printed since the last one; below a command stands what it printed. A block under
`<!-- file: model.py -->` is written to that file.
"""

import contextlib
import io
import linecache
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
RUNS = "<!-- runs -->"
SCRIPT = "script.py"
BLOCK = re.compile(r"(?:<!-- (\w+)(?:: (.*?))? -->\n+)?```(\w*)\n(.*?)```\n", re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def filled(text):
    """Return a page with what its blocks print, if it is one that runs."""
    if RUNS not in text:
        return text
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        page = _Page()
        try:
            return BLOCK.sub(page.run, text)
        finally:
            page.close()


class _Page:
    """A page that is being run: the names of its blocks so far, and what they have printed."""

    def __init__(self):
        self.module = sys.modules["page"] = ModuleType("page")
        self.printed = io.StringIO()
        self.script = ""
        self.path = list(sys.path)
        sys.path.insert(0, os.getcwd())
        self.before = set(sys.modules)

    def close(self):
        sys.path[:] = self.path
        for name in set(sys.modules) - self.before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(os.getcwd()):
                del sys.modules[name]
        sys.modules.pop("page", None)

    def run(self, block):
        """Run a block; return it with what it prints."""
        mark, words, language, code = block.groups()
        if mark == "file":
            Path(words).write_text(code)
        elif mark == "output":
            code, self.printed = self.printed.getvalue(), io.StringIO()
        elif language == "python" and mark is None:
            self.execute(code)
        elif language == "console":
            code = COMMAND.sub(lambda each: _answered(each[1]), code)
        head = block[0][: block.start(4) - block.start()]
        return f"{head}{code}```\n"

    def execute(self, code):
        """Run a block of Python: the next lines of a script."""
        path = os.path.abspath(SCRIPT)
        lines = self.script.count("\n")
        self.script += code + "\n"
        Path(path).write_text(self.script)
        linecache.cache.pop(path, None)
        self.module.__file__ = path
        with contextlib.redirect_stdout(self.printed):
            exec(compile("\n" * lines + code, path, "exec"), vars(self.module))


def _answered(command):
    """Return a command with what it prints, errors too."""
    where = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    program = f'{sys.executable} -m s2sad "$@"'
    done = subprocess.run(
        ["bash", "-c", f"s2sad() {{ {program}; }}\n{command}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": where, "COLUMNS": "88", "S2SAD_QUIET": "1"},
    )
    return f"$ {command}\n{done.stdout}"
