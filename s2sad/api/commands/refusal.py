"""The page about a refusal is printed: `help`, by the name that its message gives.

s2sad help aliases
s2sad help "q = np.partition has no derivative rule"
"""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path

from s2sad.api.commands.output import DONE, Usage, write_out
from s2sad.ir.pages import page_of

PACKAGE = Path(__file__).resolve().parents[2]
# in a wheel, and in a checkout
FOLDERS = (PACKAGE / "refusals", PACKAGE.parent / "docs" / "refusals")


def run(options: argparse.Namespace) -> int:
    """Print a page, or the names of all."""
    pages = _pages()
    if not options.refusal:
        write_out("\n".join(f"{name:30} {_title(page)}" for name, page in pages.items()) + "\n")
        return DONE
    asked = " ".join(options.refusal)
    name = Path(asked).name.removesuffix(".md")
    if name not in pages:
        name = Path(page_of(asked)).name.removesuffix(".md")
    if name not in pages:
        close = difflib.get_close_matches(asked, pages, 1)
        more = f"did you mean {close[0]}?" if close else "s2sad help lists all"
        raise Usage(f"there is no page {asked!r}: {more}")
    write_out(pages[name].read_text(encoding="utf-8"))
    return DONE


def _pages() -> dict[str, Path]:
    folder = next((each for each in FOLDERS if each.is_dir()), None)
    if folder is None:
        raise Usage("the pages on refusals are not installed: install s2sad again")
    return {page.stem: page for page in sorted(folder.glob("*.md")) if page.stem != "README"}


def _title(page: Path) -> str:
    with open(page, encoding="utf-8") as lines:
        return next((line for line in lines if line.strip()), "").lstrip("# ").strip()
