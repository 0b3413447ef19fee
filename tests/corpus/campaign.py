"""Functions become outcomes, in worker processes, and outcomes a report.

outcomes = run(functions(["colorsys"]), jobs=2)
print(report(outcomes))
"""

from __future__ import annotations

import gc
import multiprocessing
import random
import re
import types
from collections import Counter
from collections.abc import Iterable, Mapping

from tests.corpus.finding import has_text, wrt_of
from tests.corpus.judging import MODES, Outcome, judged

Functions = Mapping[str, types.FunctionType]
VERDICTS = ("made", "refused", "nowhere", "internal", "endless")

# a worker goes after this many functions, and what it remembers with it
EACH = 100


def chosen(functions: Functions, seed: int, count: int | None) -> dict[str, types.FunctionType]:
    """Return the functions that have a text and a parameter: all, or `count` drawn of them."""
    known = {
        name: each
        for name, each in functions.items()
        if has_text(each) and wrt_of(each) is not None
    }
    if count is None or count >= len(known):
        return known
    drawn = random.Random(seed).sample(sorted(known), count)
    return {name: known[name] for name in drawn}


def run(functions: Functions, modes: Iterable[str] = MODES, jobs: int = 1) -> list[Outcome]:
    """Judge every function in every mode."""
    work = [(name, each, mode) for name, each in functions.items() for mode in modes]
    # functions of a class's body cannot be pickled: a forked worker has them by their place
    _WORK[:] = work
    if jobs == 1:
        return [_at(place) for place in range(len(work))]
    with multiprocessing.get_context("fork").Pool(jobs, maxtasksperchild=EACH) as pool:
        return pool.map(_at, range(len(work)), chunksize=1)


_WORK: list[tuple[str, types.FunctionType, str]] = []


def _at(place: int) -> Outcome:
    # going through modules, and through what others have left, is not this function's time
    gc.collect()
    gc.freeze()
    return judged(*_WORK[place])


# ---------------------------------------------------------------------------- report


def report(outcomes: list[Outcome], worst: int = 20) -> str:
    """Return the counts, what is bad by kind, the refusals by reason, and the slowest."""
    counts = Counter(each.verdict for each in outcomes)
    slow = [each for each in outcomes if each.is_slow]
    told = [f"{verdict} {counts[verdict]}" for verdict in VERDICTS]
    lines = [f"{'  '.join(told)}  slow {len(slow)}   (of {len(outcomes)})"]
    for verdict in ("internal", "endless", "nowhere", "refused"):
        lines += _by_reason(verdict, [x for x in outcomes if x.verdict == verdict], worst)
    slowest = sorted(outcomes, key=lambda x: -x.seconds)[:worst]
    lines += ["slowest:", *(f"  {x.seconds:6.2f} s  {x.mode}  {x.name}" for x in slowest)]
    return "\n".join(lines)


def _by_reason(verdict: str, outcomes: list[Outcome], worst: int) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for each in outcomes:
        reasons.setdefault(_general(each.reason), []).append(f"{each.name} {each.mode}")
    ordered = sorted(reasons.items(), key=lambda pair: -len(pair[1]))[:worst]
    return ([f"{verdict}:"] if ordered else []) + [
        f"  {len(names):5d}  {reason}   (e.g. {', '.join(names[:2])})" for reason, names in ordered
    ]


def _general(reason: str) -> str:
    """Return a reason without what is particular to one function."""
    line = reason.split("\n")[0]
    return re.sub(r"'[^']*'|\b\d+\b", "_", line)[:160]
