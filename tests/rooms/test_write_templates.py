"""The templates of functions that write in place store what the functions do."""

from pathlib import Path

import numpy as np
import pytest

from s2sad.analysis.writes import MARKS
from s2sad.operators.printed import function

FILE = Path(__file__).resolve().parent.parent.parent / "templates" / "writes.py"
FLAGS = np.array([[True, False, True], [False, True, False]])
COUNTS = np.array([[0, 2, 0], [1, 0, 3]])
CASES = {
    "copyto": [(2.0,), (np.arange(3.0),)],
    "copyto_where": [(-np.ones((2, 3)), FLAGS), (7.0, FLAGS[0])],
    "put": [([0, 4, 0], np.arange(3.0)), (np.array([[5, -1]]), np.ones(1)), ([True], np.ones(2))],
    "put_along_axis": [(np.array([[2], [0]]), np.full((2, 1), 9.0), 1)],
    "putmask": [(FLAGS, np.arange(4.0)), (COUNTS, np.arange(6.0)), (FLAGS, np.ones(1))],
    "putmask_number": [(FLAGS, 4.0)],
    "place": [(FLAGS, np.arange(2.0)), (FLAGS, np.arange(7.0))],
    "place_where_not_zero": [(COUNTS, np.arange(2.0))],
    "fill_diagonal": [(np.arange(3.0),), (np.array([8.0]),)],
}


def template(named):
    names = dict.fromkeys(MARKS) | {"rank": 2}
    names |= {each: function(each) for each in ("_places_flat", "_places_along")}
    exec(FILE.read_text(encoding="utf-8"), names)
    return names[named]


@pytest.mark.parametrize(("named", "args"), [(n, a) for n, every in CASES.items() for a in every])
def test_a_template_stores_what_the_function_does(named, args):
    ours, theirs = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
    template(named)(ours, *args)
    owner = named.removesuffix("_number").removesuffix("_where_not_zero").removesuffix("_where")
    if named == "copyto_where":
        np.copyto(theirs, args[0], where=args[1])
    else:
        getattr(np, owner)(theirs, *args)
    assert np.array_equal(ours, theirs)
