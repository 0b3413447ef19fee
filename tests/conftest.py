"""Puts the project's root on the path for `tests.oracles`, and shares the tests out evenly."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)


# tests read whole messages, and those who read their failures whole tracebacks
os.environ.setdefault("S2SAD_FULL_TRACEBACK", "1")
# a fault of the rooms fails a test: users are then answered by the first core
os.environ.setdefault("S2SAD_RAISES_FAULTS", "1")
# on a busy machine any derivation may take long
os.environ.setdefault("S2SAD_QUIET", "1")


# of the long tables a part always runs: while two cores answer, each row is derived twice
TABLES = ("tests/programs/test_programs.py::test_derivative_is_right",)
PART = 3


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all but every third row of the long tables as slow."""
    rows = [item for item in items if item.nodeid.startswith(TABLES)]
    for place, item in enumerate(rows):
        if place % PART and len(rows) > PART:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let a worker that has nothing left take what another has not begun."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
