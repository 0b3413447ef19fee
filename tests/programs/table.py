"""All tables of programs under their names, for the tests that go through every one."""

from __future__ import annotations

from tests.programs import (
    adjoints,
    assigning,
    calls,
    fitting,
    flow,
    holding,
    inside,
    listing,
    paths,
    records,
    targets,
    texts,
    values,
)
from tests.programs.entry import Entry

TABLES: dict[str, tuple[Entry, ...]] = {
    "targets": targets.PROGRAMS,
    "values": values.PROGRAMS,
    "adjoints": adjoints.PROGRAMS,
    "flow": flow.PROGRAMS,
    "paths": paths.PROGRAMS,
    "calls": calls.PROGRAMS,
    "texts": texts.PROGRAMS,
    "assigning": assigning.PROGRAMS,
    "listing": listing.PROGRAMS,
    "holding": holding.PROGRAMS,
    "fitting": fitting.PROGRAMS,
    "inside": inside.PROGRAMS,
    "records": records.PROGRAMS,
}
ALL = tuple(entry for table in TABLES.values() for entry in table)
