"""All tables of programs under their names, for the tests that go through every one."""

from __future__ import annotations

from tests.programs import (
    adjoints,
    assigning,
    calls,
    changing,
    dicts,
    fitting,
    flow,
    handing,
    holding,
    inside,
    items,
    keeping,
    lengths,
    listing,
    objects,
    paths,
    records,
    recursing,
    sums,
    targets,
    texts,
    trying,
    values,
    yielding,
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
    "items": items.PROGRAMS,
    "keeping": keeping.PROGRAMS,
    "dicts": dicts.PROGRAMS,
    "lengths": lengths.PROGRAMS,
    "changing": changing.PROGRAMS,
    "records": records.PROGRAMS,
    "objects": objects.PROGRAMS,
    "handing": handing.PROGRAMS,
    "trying": trying.PROGRAMS,
    "recursing": recursing.PROGRAMS,
    "sums": sums.PROGRAMS,
    "yielding": yielding.PROGRAMS,
}
ALL = tuple(entry for table in TABLES.values() for entry in table)
