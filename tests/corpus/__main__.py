"""Gives the functions of libraries to the transformer and prints how they fared.

python -m tests.corpus --modules statistics scipy.stats --jobs 2
python -m tests.corpus --seed 3 --count 500
python -m tests.corpus --only statistics:fmean --modes vjp     # one function, in full
"""

from __future__ import annotations

import argparse
import sys

from tests.corpus import campaign
from tests.corpus.finding import ROOTS, functions
from tests.corpus.judging import MODES, Outcome


def main(arguments: list[str] | None = None) -> int:
    """Run a part of the corpus; the exit status is 1 where something was bad."""
    options = _options(arguments)
    roots = [options.only.partition(":")[0]] if options.only else options.modules
    found = functions(roots)
    if options.only:
        found = {options.only: found[options.only]}
    chosen = campaign.chosen(found, options.seed, options.count)
    outcomes = campaign.run(chosen, options.modes, options.jobs)
    bad = [each for each in outcomes if each.is_wrong or each.is_slow]
    for each in outcomes if options.only else bad[: options.show]:
        print(_told(each), end="\n\n")
    if options.bad:
        print("\n".join(f"{x.name} {x.mode} {x.verdict} {x.seconds:.2f}" for x in bad))
    print(campaign.report(outcomes, options.worst))
    return int(bool(bad))


def _told(outcome: Outcome) -> str:
    head = f"==== {outcome.name}, {outcome.mode}: {outcome.verdict} in {outcome.seconds:.2f} s"
    return f"{head}\n{outcome.detail.rstrip()}"


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument("--modules", nargs="+", default=list(ROOTS), help="packages and modules")
    parser.add_argument("--modes", nargs="+", default=list(MODES), choices=MODES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, help="how many functions to draw; all, without it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", help="one function: module:name")
    parser.add_argument("--show", type=int, default=0, help="how many bad ones to print in full")
    parser.add_argument("--bad", action="store_true", help="list the bad ones")
    parser.add_argument("--worst", type=int, default=20, help="how many lines for each kind")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
