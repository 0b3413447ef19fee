"""What of NumPy's and SciPy's surface is differentiated: right, refused, wrong or internal, by priority.

python tests/rules/surface.py            a line for each entry that is not right
python tests/rules/surface.py np.sort    what became of its programs, with all that was said
python tests/rules/surface.py --second   the same, with derivatives of the gradients
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Iterator, Mapping

from surface_algebra import ALGEBRA, PRODUCTS, RANDOM
from surface_arrays import REDUCTIONS, SHAPES
from surface_elementwise import COMPLEX, ELEMENTWISE, STATEMENTS
from surface_entry import Family, Outcome, outcome
from surface_scipy import LINALG, SPECIAL, STATS, TOOLS

FAMILIES: Mapping[str, Family] = {
    "elementwise": ELEMENTWISE,
    "complex": COMPLEX,
    "statements": STATEMENTS,
    "reductions": REDUCTIONS,
    "shapes": SHAPES,
    "products": PRODUCTS,
    "algebra": ALGEBRA,
    "random": RANDOM,
    "special": SPECIAL,
    "linalg": LINALG,
    "tools": TOOLS,
    "stats": STATS,
}
for module in (
    *("fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse"),
    *("sparse.linalg", "spatial.distance", "special", "stats"),
):
    importlib.import_module(f"scipy.{module}")  # the rules of a module are read once it is imported
WORST = ("internal", "wrong", "refused", "right")


def entries(family: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield priority, name and programs of every entry of a family."""
    for priority, named in FAMILIES[family].items():
        for name, texts in named.items():
            yield priority, name, texts if isinstance(texts, tuple) else (texts,)


def outcomes(texts: tuple[str, ...], second: bool = False) -> list[Outcome]:
    """Return what became of each program of an entry."""
    return [outcome(text, number, second) for number, text in enumerate(texts)]


def worst(found: list[Outcome]) -> str:
    """Return the status of an entry: that of its worst program."""
    return min((each.status for each in found), key=WORST.index)


def main(argv: list[str]) -> None:
    """Print the report."""
    second = "--second" in argv
    asked = [arg for arg in argv if not arg.startswith("-")]
    counts: Counter[tuple[int, str]] = Counter()
    for family in FAMILIES:
        for priority, name, texts in entries(family):
            if asked and name not in asked and family not in asked:
                continue
            found = outcomes(texts, second)
            counts[priority, worst(found)] += 1
            for text, each in zip(texts, found, strict=True):
                if each.status != "right" or name in asked:
                    said = each.said if name in asked else each.said.split("\n")[0][:70]
                    print(f"{priority} {each.status:9}{name:30} {text.strip()!r:60}  {said}")
    for priority, status in sorted(counts):
        print(priority, status, counts[priority, status])


if __name__ == "__main__":
    main(sys.argv[1:])
