"""Every template: read, found again by its own spellings, and right against differences.

What is tried comes from the annotations of the parameters; rules are found by their types alone.
"""

import itertools
import subprocess
import sys
import warnings

import numpy as np
import pytest

from s2sad.ir.spelling import expression
from s2sad.operators.filling import fill
from s2sad.operators.find import Known, find
from s2sad.operators.heads import head_of
from s2sad.operators.library import candidates, rules_of
from s2sad.operators.texts import TWINS, rule_files
from s2sad.testing.checks import primal
from s2sad.testing.evaluate import Values
from s2sad.testing.rows import exists
from s2sad.testing.samples import cases
from tests.rooms.operator_slopes import Slopes, check, flat, is_real
from tests.rules.spelled import plain_rules

scipy = pytest.importorskip("scipy")
MODULES = "special linalg fft fftpack stats signal ndimage integrate interpolate optimize"
for module in MODULES.split():
    pytest.importorskip(f"scipy.{module}")
pytest.importorskip("scipy.sparse.linalg")
pytest.importorskip("scipy.spatial.distance")

FILES = rule_files()
TRIED, ENOUGH = 80, 6  # calls of a spelling that are drawn, and of these how many are compared
# rules whose results move so fast in single precision that differences say nothing
TOO_STEEP = {("elementwise.py", "modulo")}
# one-dimensional sparse arrays: the rule is for matrices, its sample is not
NOT_MOVED = {
    ("scipy_sparse_products.py", f"product_of_{kind}dense") for kind in ("", "transposed_")
}
# their operands are sparse: no annotation draws one
NOT_DRAWN = ("scipy_sparse_parts.py", "scipy_sparse_products.py", "twins_scipy_sparse.py")


def calls_of(rule, pattern):
    """Yield the calls that a spelling is tried with, and what they give."""
    for case in itertools.islice(cases(rule, pattern, False), TRIED):
        try:
            value = primal(case, case.values)
        except Exception:  # this SciPy does not take it
            continue
        if value is not None:
            yield case, value


def matched(case):
    """Return an operation's rule, and the regions of the lists that it is given."""
    values = Values(case.values)
    operation = values.typed(case.expr)
    return find(operation, Known(values.regions)), values.regions, operation


@pytest.mark.parametrize("file", [file for file in FILES if not file.startswith(TWINS)])
def test_adjoints_and_tangents_agree_with_differences(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for rule in (rule for rule in plain_rules() if rule.file == file and not rule.is_constant):
            if (rule.file, rule.name) not in TOO_STEEP | NOT_MOVED:
                _check_rule(rule)


def _check_rule(rule):
    for k, pattern in enumerate(filter(exists, rule.patterns)):
        assert any(rule is found for found, _ in candidates(head_of(pattern))), rule.name
        checked = 0
        for case, value in calls_of(rule, pattern):
            match, regions, operation = matched(case)
            if match is None or match.rule.name != rule.name or not is_real(value):
                continue
            try:
                checked += check(Slopes(case, match, regions))
            except AssertionError as error:
                raise AssertionError(f"{rule.name}: {expression(operation)}: {error}") from None
            if checked >= (4 if k == 0 else 1):
                break


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("file", [file for file in FILES if file.startswith(TWINS)])
def test_twins_give_what_the_operation_gives(file):
    compared = 0
    # what the module draws is another number each time
    for rule in (each for each in rules_of(file) if not each.name.endswith("_globally")):
        for pattern in filter(exists, rule.patterns):
            for case, value in itertools.islice(calls_of(rule, pattern), 2):
                match, regions, _ = matched(case)
                if match is None or match.twin is None or not is_real(value):
                    continue
                slopes = Slopes(case, match, regions)
                found = slopes.values.value(fill(match.twin, slopes.holes, slopes.values.infer))
                single = any(np.asarray(x).dtype == np.float32 for x in case.env.values())
                close = 1e-4 if single else 1e-7
                assert np.allclose(flat(found), flat(value), close, close), rule.name
                compared += 1
    assert compared or file in NOT_DRAWN


def test_rules_of_numpy_are_read_where_scipy_is_not_loaded():
    """A file that names a module of SciPy's is read where that is loaded, if its name says so."""
    code = (
        "import sys; from s2sad.operators.library import every_rule; "
        "print(len(list(every_rule())), 'scipy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    count, has_scipy = run.stdout.split() or (run.stderr, "")
    assert int(count) > 500 and has_scipy == "False"
