"""The templates, the list of functions and the table in the docs tell of the same functions."""

from __future__ import annotations

import importlib.util
import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "functions.md").read_text()
NAMED = re.compile(r"(np|math|scipy)\.[\w.]+$")


def _listed() -> Any:
    spec = importlib.util.spec_from_file_location("listed", ROOT / "docs" / "listed.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["listed"] = module
    spec.loader.exec_module(module)
    return module


listed = _listed()
from surface import FAMILIES, entries, outcomes, worst  # noqa: E402

ROWS = listed.rows()
# what users ask for and has no rule yet: each must be refused (surface.py shows how)
REFUSED = frozenset(
    "np.sort_complex scipy.special.zetac scipy.special.sph_harm_y scipy.linalg.funm".split()
)
# nothing that varies is an argument of these: their calls are copied
COPIED = frozenset("np.fromfunction np.tri np.einsum_path np.random.standard_t".split())
ENTRIES = [
    (priority, name)
    for family in FAMILIES
    for priority, name, _ in entries(family)
    if NAMED.match(name)
]


def test_every_rule_has_its_row() -> None:
    shown = set(re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE))
    assert shown == set(ROWS), "run python docs/fill.py"


@pytest.mark.parametrize(("priority", "name"), ENTRIES, ids=lambda each: str(each))
def test_every_function_of_the_list_has_its_row(priority: int, name: str) -> None:
    has_row = name in ROWS or name in COPIED or _is_alias(name)
    assert has_row != (name in REFUSED), f"{name}: {'a row' if has_row else 'no row'}"


def _is_alias(name: str) -> bool:
    """Tell whether a function has a row under another of its names: np.absolute is np.abs."""
    found = _object(name)
    return found is not None and any(_object(row) is found for row in ROWS if NAMED.match(row))


def _object(name: str) -> Any:
    try:
        return eval(name, {"np": np, "scipy": scipy, "math": math})
    except AttributeError:
        return None


def test_nothing_of_the_first_two_priorities_is_refused() -> None:
    assert not [name for priority, name in ENTRIES if priority < 3 and name in REFUSED]


def test_every_row_names_modes_and_values() -> None:
    for name, (modes, values, by, _) in ROWS.items():
        assert modes and values and by, name


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", FAMILIES)
def test_every_entry_of_the_list_is_right_or_refused(family: str) -> None:
    for priority, name, texts in entries(family):
        found = worst(outcomes(texts))
        assert found == "right" or (found == "refused" and priority == 3), name
        if found == "right":
            again = worst(outcomes(texts, second=True))
            assert again == "right", f"{name}, at second order"


def test_every_printed_function_has_a_name_of_its_own() -> None:
    texts = (file.read_text() for file in (ROOT / "templates").glob("printed*.py"))
    names = [name for text in texts for name in re.findall(r"^def (\w+)", text, re.MULTILINE)]
    assert sorted(names) == sorted(set(names))
