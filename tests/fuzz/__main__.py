"""Runs random programs through s2sad and prints how they fared.

python -m tests.fuzz --seed 0 --count 500 --jobs 2 --shrink
python -m tests.fuzz --seed 0 --only 17          # one program, in full
python -m tests.fuzz --family containers         # programs about lists and tuples alone
"""

from __future__ import annotations

import argparse
import sys

from tests.fuzz import campaign
from tests.fuzz.families import FAMILIES


def main(arguments: list[str] | None = None) -> int:
    """Run a campaign; the exit status is 1 where a program was wrong or crashed."""
    options = _options(arguments)
    if options.only is not None:
        result = campaign.one(options.seed, options.only, family=options.family)
        print(campaign.explain(result, options.shrink))
        return int(result.score.verdict in ("wrong", "internal"))
    results, seconds = campaign.timed(
        options.seed, options.count, options.jobs, options.start, options.family
    )
    bad = [x for x in results if x.score.verdict in ("wrong", "internal")]
    for result in _distinct(bad)[: options.show]:
        print(campaign.explain(result, options.shrink), end="\n\n")
    if options.refused:
        refused = [x for x in results if x.score.verdict == "refused"]
        for result in _distinct(refused)[: options.show]:
            print(campaign.explain(result, options.shrink), end="\n\n")
    print(campaign.report(results, seconds))
    return int(bool(bad))


def _distinct(bad: list[campaign.Result]) -> list[campaign.Result]:
    # wrong ones first; of one fault, one program is enough at first sight
    ordered = sorted(bad, key=lambda x: (x.score.verdict != "wrong", len(x.case.text)))
    first = {x.score.kind: x for x in reversed(ordered)}
    return sorted(ordered, key=lambda x: x is not first[x.score.kind])


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0, help="number of the first program")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--shrink", action="store_true", help="make the bad programs small")
    parser.add_argument("--show", type=int, default=5, help="how many bad programs to print")
    parser.add_argument("--only", type=int, help="judge the program of this number alone")
    parser.add_argument("--family", choices=["", *FAMILIES], default="")
    parser.add_argument("--refused", action="store_true", help="print refused programs too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
