"""What a user is told where a program of the tables is refused: line, reason, remedy and page.

python -m tests.programs.refusals      writes refusals.txt anew, to be read where it differs
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import s2sad
from s2sad.ir.errors import S2sadError
from tests.fuzz.limits import quiet, time_limit
from tests.programs.entry import Entry
from tests.programs.table import ALL, table_of

GOLDEN = Path(__file__).with_suffix(".txt")


def named() -> dict[str, Entry]:
    """Return the programs that may be refused, by the name of their table and their own."""
    own = (entry for entry in ALL if entry.may_refuse)
    return {f"{table_of(e)}.{e.label}": e for e in own}


def told(entry: Entry) -> str:
    """Return what is told of a program that is called with its arguments; "" where it goes through."""
    wrt = entry.wrt[0] if len(entry.wrt) == 1 else entry.wrt
    mode = entry.mode if entry.mode in ("grad", "vjp", "value_and_grad") else "vjp"
    seeds = (entry.seed,) if mode == "vjp" else ()
    try:
        with quiet(), time_limit():
            getattr(s2sad, mode)(entry.function, wrt=wrt)(*copy.deepcopy(entry.args), *seeds)
    except S2sadError as error:
        line = "" if error.span is None else error.span.text()
        parts = (line, error.problem, " ".join(error.hint.split()), error.page)
        return "".join(f"    {part}\n" for part in parts)
    return ""


def kept() -> dict[str, str]:
    """Return what is kept in the file, by the names of the programs."""
    entries = GOLDEN.read_text(encoding="utf-8").split("\n\n")
    pairs = (each.strip("\n").partition("\n") for each in entries if each.strip())
    return {name: f"{rest}\n" for name, _, rest in pairs}


def _pairs() -> Iterator[tuple[str, str]]:
    rows = named()
    with ProcessPoolExecutor(2) as pool:
        for name, text in zip(rows, pool.map(told, rows.values()), strict=True):
            if text:
                yield name, text


if __name__ == "__main__":
    whole = "\n".join(f"{name}\n{text}" for name, text in sorted(_pairs()))
    GOLDEN.write_text(whole, encoding="utf-8")
