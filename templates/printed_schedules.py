"""What loops that keep states by a schedule call, printed where they are used."""

import errno
import math
import os
import tempfile

import numpy as np


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


def _random_state(source):
    """Return the state of a generator, or of a module that draws random numbers."""
    if hasattr(source, "get_state"):
        return source.get_state()
    if hasattr(source, "getstate"):
        return source.getstate()
    return source.bit_generator.state


def _set_random_state(source, state):
    """Have a generator, or a module, draw again what it drew after `state`."""
    if hasattr(source, "set_state"):
        source.set_state(state)
    elif hasattr(source, "setstate"):
        source.setstate(state)
    else:
        source.bit_generator.state = state


def _scratch(folder):
    """Make a directory in `folder`; the end of a `with` removes it with all in it."""
    if not os.path.isdir(folder):
        told = f"states of a loop go to {folder!r}, which is no directory"
        raise FileNotFoundError(told)
    return tempfile.TemporaryDirectory(prefix="states_", dir=folder)


def _to_disk(scratch, *state):
    """Write the arrays of a state to a new file; return its path and the rest.

    Raises TypeError for what is neither array, number nor None, and OSError where
    there is no room.
    """
    rest = [None if isinstance(part, np.ndarray) else part for part in state]
    plain = (int, float, complex, str, np.generic, type(None))
    for part in rest:
        if not isinstance(part, plain):
            kind = type(part).__name__
            raise TypeError(f"a state of a loop is a {kind}: only arrays go to files")
    try:
        handle, path = tempfile.mkstemp(suffix=".npy", dir=scratch)
        with os.fdopen(handle, "wb") as file:
            for part in state:
                if isinstance(part, np.ndarray):
                    np.save(file, part, allow_pickle=False)
            end = file.tell()
        # what a full disk cuts off is not always told
        if os.path.getsize(path) != end:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        told = f"a state of a loop cannot be written to {scratch}: {error}"
        raise OSError(told) from error
    return path, [isinstance(part, np.ndarray) for part in state], rest


def _from_disk(written):
    """Return the state that `_to_disk` wrote, and remove its file."""
    path, are_arrays, rest = written
    with open(path, "rb") as file:
        state = [
            np.load(file) if is_array else part
            for is_array, part in zip(are_arrays, rest, strict=True)
        ]
    os.remove(path)
    return state
