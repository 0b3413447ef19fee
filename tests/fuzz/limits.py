"""What judging runs in: no warnings on the terminal, and a limit to the time of the processor."""

from __future__ import annotations

import contextlib
import signal
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

TIME_LIMIT = 30


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep a derivative's warnings off the terminal."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def time_limit(
    seconds: float = TIME_LIMIT, error: type[BaseException] = TimeoutError
) -> Iterator[None]:
    """Raise an error in the main thread once it has worked for `seconds` of the processor."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise error(f"took more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
