"""All programs of the tables, for the tests that go through every one: a folder holds the tables of a kind."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from tests.programs.entry import Entry
from tests.programs.refused_rows import REFUSED

HERE = Path(__file__).parent


def modules() -> Iterator[ModuleType]:
    """Yield the modules of the folders, in the order of their names."""
    for path in sorted(HERE.glob("*/[a-z]*.py")):
        yield importlib.import_module(f"{__package__}.{path.parent.name}.{path.stem}")


def table_of(entry: Entry) -> str:
    """Return the name of the table that a program stands in."""
    return entry.function.__module__.rpartition(".")[2]


def _allowed(entry: Entry) -> Entry:
    """Return a row that may be refused, if its kind is."""
    is_kept = f"{table_of(entry)}.{entry.label}" in REFUSED
    return replace(entry, may_refuse=True) if is_kept else entry


TABLES: dict[str, tuple[Entry, ...]] = {
    module.__name__.rpartition(".")[2]: tuple(map(_allowed, module.PROGRAMS))
    for module in modules()
}
ALL = tuple(entry for table in TABLES.values() for entry in table)


if __name__ == "__main__":
    for module in modules():
        folder, _, name = module.__name__.removeprefix(f"{__package__}.").partition(".")
        print(f"{folder}/{name}: {(module.__doc__ or '').splitlines()[0]}")
