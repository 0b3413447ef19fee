"""Programs of the tables and kernels are lowered to programs that give the same values and writes."""

import warnings

import pytest

from tests.programs import table as tables
from tests.rooms.lowered import judge, rows

# every row of these is lowered; of all rows `python -m tests.rooms.lowered` counts
TABLES = (
    "loops_and_exits",
    "calls",
    "records",
    "merged_and_changed_dicts",
    "coroutine_order",
    "try_and_with",
    "rows_of_nested_lists",
)
REFUSED = {each.label for table in TABLES for each in tables.TABLES[table] if each.may_refuse}
ROWS = [pytest.param(row, id=f"{row[0]}:{row[1]}") for row in rows(TABLES)]


@pytest.mark.parametrize("row", ROWS)
def test_the_program_gives_what_the_function_gives(row):
    _, label, function, args = row
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        verdict, detail, _ = judge(function, args)
    # what may be refused is refused by a later room where this one does not
    assert verdict == "equal" or label in REFUSED, detail
