"""Puts the project's root on the path for `tests.oracles`, and shares the tests out evenly."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)


# tests read whole messages, and those who read their failures whole tracebacks
os.environ.setdefault("S2SAD_FULL_TRACEBACK", "1")
# a mistake of s2sad's own fails a test as what it is, and is no InternalError
os.environ.setdefault("S2SAD_RAISES_FAULTS", "1")
# on a busy machine any derivation may take long
os.environ.setdefault("S2SAD_QUIET", "1")
# many tests start Python anew: what one of them compiles, the others read
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.dont_write_bytecode = False
    _compiled = tempfile.TemporaryDirectory(prefix="s2sad_compiled_")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = _compiled.name


# of the long tables every third, fourth, ... row always runs; all of them with -m ''
TABLES = {
    "tests/cases/test_text_for_its_examples.py": 3,
    "tests/fuzz/": 3,
    "tests/kernels/test_kernels.py": 2,
    "tests/modules/test_modules.py": 3,
    "tests/programs/test_programs.py::test_derivative_is_right": 8,
    "tests/programs/test_texts.py": 6,
    "tests/rules/": 8,
    "tests/test_explain.py": 3,
    "tests/test_library_functions.py": 3,
    "tests/test_nesting.py": 3,
    "tests/test_schedules.py": 2,
    "tests/test_stages.py": 8,
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all but a part of the rows of long tables as slow."""
    for prefix, part in TABLES.items():
        rows = [i for i in items if i.nodeid.startswith(prefix) and "[" in i.nodeid]
        if len(rows) > part:  # not those that were asked for by name
            for item in (each for place, each in enumerate(rows) if place % part):
                item.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let a worker that has nothing left take what another has not begun."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
