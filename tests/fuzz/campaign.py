"""Turns a seed and a count into scores, and scores into a report.

results = run(seed=0, count=500, jobs=2)
print(report(results))
"""

from __future__ import annotations

import multiprocessing
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz import generate, names
from tests.fuzz.case import Case
from tests.fuzz.families import case_of
from tests.fuzz.score import Derive, Score, s2sad_derive, score
from tests.fuzz.shrink import shrink

VERDICTS = ("right", "refused", "unscorable", "internal", "wrong", "invalid")


@dataclass(frozen=True, slots=True)
class Result:
    """One program of a campaign and its score."""

    number: int
    case: Case
    score: Score


def one(seed: int, number: int, derive: Derive = s2sad_derive, family: str = "") -> Result:
    """Write, judge and return one random program, of a family if one is named."""
    case = case_of(family, seed, number) if family else generate.program(seed, number)
    with tempfile.TemporaryDirectory() as folder:
        return Result(number, case, score(case, Path(folder), derive))


def run(seed: int, count: int, jobs: int = 1, start: int = 0, family: str = "") -> list[Result]:
    """Judge `count` random programs, in the order of their numbers."""
    work = [(seed, number, s2sad_derive, family) for number in range(start, start + count)]
    if jobs == 1:
        return [one(*each) for each in work]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        return pool.starmap(one, work, chunksize=10)


def report(results: Iterable[Result], seconds: float | None = None) -> str:
    """Return the counts, the refusals by reason, and the bad programs by fault."""
    results = list(results)
    counts = Counter(result.score.verdict for result in results)
    lines = ["  ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS)]
    if seconds is not None:
        lines[0] += f"   ({len(results)} programs, {seconds:.0f} s)"
    for verdict in ("refused", "internal", "wrong", "invalid"):
        lines += _by_reason(verdict, [x for x in results if x.score.verdict == verdict])
    notes = Counter(_general(note, "") for x in results for note in x.score.notes)
    lines += ["right when called, text refused:"] if notes else []
    lines += [f"  {count:5d}  {note}" for note, count in notes.most_common()]
    return "\n".join(lines)


def _by_reason(verdict: str, results: list[Result]) -> list[str]:
    reasons: dict[str, list[int]] = {}
    for result in results:
        reason = _general(result.score.reason, result.case.text)
        stage = "" if verdict == "refused" else f"{result.score.stage}: "
        reasons.setdefault(stage + reason, []).append(result.number)
    ordered = sorted(reasons.items(), key=lambda pair: -len(pair[1]))
    return ([f"{verdict}:"] if ordered else []) + [
        f"  {len(numbers):5d}  {reason}   (e.g. {', '.join(map(str, numbers[:4]))})"
        for reason, numbers in ordered
    ]


_USER_NAMES = "|".join(
    sorted(
        {*names.FLOATS, *names.ARRAYS, *names.MATRICES, *names.INTS, *names.LISTS, *names.HELPERS}
    )
)


def _general(reason: str, text: str) -> str:
    reason = re.sub(rf"(?<![\w.])({_USER_NAMES})(?![\w])", "_", reason.split("\n")[0])
    return re.sub(r"\d+", "N", reason) if text else reason


def explain(result: Result, shrunk: bool, derive: Derive = s2sad_derive) -> str:
    """Return a bad program, its arguments, its numbers and its emitted text."""
    case, verdict = result.case, result.score
    with tempfile.TemporaryDirectory() as folder:
        if shrunk:
            case = shrink(case, verdict, lambda c: score(c, Path(folder), derive))
            verdict = score(case, Path(folder), derive)
    call = f"f{case.args!r}  wrt={case.wrt}  seed={case.seed!r}  mode={case.mode}"
    call += f"  schedule={case.schedule!r}  second={case.second}"
    parts = [
        f"==== program {result.number}: {verdict.verdict} at {verdict.stage}: {verdict.reason}",
        case.text.rstrip(),
        "---- called as",
        call,
        "---- judged",
        verdict.detail,
    ]
    if verdict.source:
        parts += ["---- emitted", verdict.source.rstrip()]
    return "\n".join(parts)


def timed(
    seed: int, count: int, jobs: int, start: int, family: str = ""
) -> tuple[list[Result], float]:
    """Run a campaign and return its results with the seconds that it took."""
    began = time.monotonic()
    return run(seed, count, jobs, start, family), time.monotonic() - began
