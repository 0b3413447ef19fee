"""What loops that keep states by a schedule call, printed where they are used."""

import math


def _until_checkpoint(passes, slots):
    """Return after how many of `passes` to keep the next state.

    The state at hand is in one of the `slots`. Fewest passes are run again in all
    (Griewank and Walther, 2000).
    """
    if slots == 1 or passes == 1:
        return passes
    again = 1
    while math.comb(slots + again, slots) < passes:
        again += 1
    most = math.comb(slots + again - 1, slots)
    return min(most, passes - math.comb(slots + again - 2, slots - 1))
