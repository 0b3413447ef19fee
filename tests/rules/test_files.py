"""A file of templates is read once all modules of SciPy that it names are there: importing one of them has to do."""

from __future__ import annotations

import re
import subprocess
import sys

from s2sad.operators.library import modules_of, rule_files
from s2sad.operators.modules import SCIPY
from s2sad.operators.texts import texts

LOADED = "import sys, importlib; importlib.import_module(sys.argv[1]); print(*sys.modules)"


def spelled(file: str) -> set[str]:
    """Return the modules whose functions the templates of a file are about."""
    return set(re.findall(r"^    y = (\w+)\.\w", texts()[file], re.M)) & modules_of(file)


def test_rules_are_read_where_their_own_module_is_imported():
    about = {file: spelled(file) for file in rule_files() if len(modules_of(file)) > 1}
    loaded = {
        SCIPY[root]: subprocess.run(
            [sys.executable, "-c", LOADED, SCIPY[root]], capture_output=True, text=True, check=True
        ).stdout.split()
        for root in sorted(set().union(*about.values()))
    }
    missing = {
        (file, root): needed
        for file, roots in about.items()
        for root in roots
        if (needed := {SCIPY[each] for each in modules_of(file)} - {*loaded[SCIPY[root]]})
    }
    assert not missing
