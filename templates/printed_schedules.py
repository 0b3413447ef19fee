"""What loops that keep states by a schedule call, printed where they are used."""

import errno
import math
import os
import pathlib
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
    """Return a state with the path of a new file in the place of each array.

    Raises TypeError for what is neither array, number, None nor a tuple of these, and
    OSError where there is no room.
    """
    kept = []
    for part in state:
        if isinstance(part, np.ndarray):
            kept.append(_file_of(scratch, part))
        elif isinstance(part, (list, tuple)):
            kept.append(type(part)(_to_disk(scratch, *part)))
        elif part is None or isinstance(part, (int, float, complex, str, np.generic)):
            kept.append(part)
        else:
            kind = type(part).__name__
            raise TypeError(f"a state of a loop is a {kind}: only arrays go to files")
    return kept


def _file_of(scratch, array):
    """Write an array to a new file, and return its path."""
    try:
        handle, path = tempfile.mkstemp(suffix=".npy", dir=scratch)
        with os.fdopen(handle, "wb") as file:
            np.save(file, array, allow_pickle=False)
            end = file.tell()
        # what a full disk cuts off is not always told
        if os.path.getsize(path) != end:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        told = f"a state of a loop cannot be written to {scratch}: {error}"
        raise OSError(told) from error
    return pathlib.Path(path)


def _from_disk(kept):
    """Return the state that `_to_disk` kept, and remove its files."""
    state = []
    for part in kept:
        if isinstance(part, pathlib.Path):
            state.append(np.load(part))
            part.unlink()
        elif isinstance(part, (list, tuple)):
            state.append(type(part)(_from_disk(part)))
        else:
            state.append(part)
    return state
