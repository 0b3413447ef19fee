"""Puts the project's root on the path for `tests.oracles`, and shares the tests out evenly."""

import gc
import os
import sys
import tempfile
import zlib
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


# of the long tables one row in so many always runs, and all of them with -m '': the name of a row
# decides, so that a new row changes nothing for the others. The longest beginning holds
TABLES = {
    "tests/cases/test_kinds_of_arguments.py::test_a_text_decides": 2,
    "tests/cases/test_missing_rules.py::test_gradients_agree": 2,
    "tests/cases/test_text_for_its_examples.py": 6,
    "tests/emitted/test_emitted.py::test_can_be_differentiated_again": 2,
    "tests/fuzz/": 3,
    "tests/fuzz/test_fuzz.py": 20,
    "tests/kernels/test_kernels.py": 6,
    "tests/modules/test_modules.py": 3,
    "tests/modules/test_modules.py::test_kernels_on_a_device": 48,
    "tests/modules/test_modules.py::test_programs_on_a_device": 96,
    "tests/programs/test_programs.py::test_derivative_is_right": 40,
    "tests/programs/test_refusals.py::test_other_syntax": 4,
    "tests/programs/test_texts.py": 12,
    "tests/programs/test_texts.py::test_text_is_narrow_and_imports_only_numpy": 48,
    "tests/rooms/test_checkpoint_random.py": 3,
    "tests/rooms/test_emit_random.py": 3,
    "tests/rooms/test_lowering_random.py": 6,
    "tests/rooms/test_operators_templates.py": 3,
    "tests/rooms/test_optimize_random.py": 3,
    "tests/rooms/test_reverse_callees.py::test_random": 3,
    "tests/rooms/test_reverse_containers.py::test_random": 2,
    "tests/rooms/test_reverse_wild.py": 3,
    "tests/rooms/test_text_rules.py::test_rule": 2,
    "tests/rooms/test_types_programs.py": 2,
    "tests/rooms/test_unexampled.py::test_random": 3,
    "tests/rules/": 24,
    "tests/rules/test_emitted_rules.py::test_gradient": 16,
    "tests/rules/test_emitted_rules.py::test_second_order": 32,
    "tests/rules/test_scipy_fits.py::test_hessian_product": 24,
    "tests/rules/test_scipy_solvers.py::test_hessian_product": 24,
    "tests/rules/test_scipy_templates.py::test_gradient": 48,
    "tests/rules/test_scipy_templates.py::test_second_order": 48,
    "tests/rules/test_scipy_templates.py::test_template": 48,
    "tests/rules/test_scipy_twins.py::test_gradient": 24,
    "tests/public/test_explain.py": 3,
    "tests/public/test_explain.py::test_the_peak_is_predicted": 6,
    "tests/libraries/test_numpy_source.py": 3,
    "tests/libraries/test_library_functions.py": 3,
    "tests/libraries/test_library_source.py": 24,
    "tests/loops/test_bodies_under_schedules.py::test_a_body": 4,
    "tests/public/test_higher_order.py": 3,
    "tests/public/test_scale.py": 8,
    "tests/loops/test_schedules.py": 6,
    "tests/loops/test_schedules.py::test_checkpointed_texts_are_differentiated_again": 6,
    "tests/text/": 3,
    "tests/test_stages.py": 8,
    "tests/test_stages.py::test_programs_of_the_tables": 40,
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all but a part of the rows of long tables as slow."""
    for item in items:
        tables = [prefix for prefix in TABLES if item.nodeid.startswith(prefix)]
        if tables and "[" in item.nodeid:
            if zlib.crc32(item.nodeid.encode()) % TABLES[max(tables, key=len)]:
                item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Let no garbage collection go through the million objects of the collected tests."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let a worker that has nothing left take what another has not begun."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
