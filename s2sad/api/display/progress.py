"""A derivation that takes long says on standard error what it does.

s2sad: deriving misfit_grad: deciding what is saved (2 s)

What it does is read off the stack of its thread: no stage of it has to tell.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import TextIO

AFTER, EVERY = 2.0, 1.0  # seconds
QUIET = "S2SAD_QUIET"
STAGES = {
    "source": "reading its source",
    "lowering": "reading what it does",
    "types": "finding types and shapes",
    "analysis": "finding what varies and what shares memory",
    "forward": "writing tangents",
    "reverse": "writing adjoints",
    "checkpoint": "deciding what is saved",
    "optimize": "simplifying",
    "emit": "writing the text",
}
_told = threading.local()


@contextlib.contextmanager
def deriving(name: str) -> Iterator[None]:
    """Have it said what is done where this takes longer than two seconds."""
    if getattr(_told, "busy", False) or _is_quiet():
        yield
        return
    _told.busy = True
    done = threading.Event()
    teller = threading.Thread(
        target=_tell, args=(name, threading.get_ident(), done, sys.stderr), daemon=True
    )
    teller.start()
    try:
        yield
    finally:
        _told.busy = False
        done.set()


def _is_quiet() -> bool:
    """Tell whether nothing is to be said: with -q, S2SAD_QUIET, or where nobody listens."""
    output = sys.modules.get("s2sad.api.commands.output")
    return bool(os.environ.get(QUIET)) or bool(output and output.is_quiet()) or sys.stderr is None


def _tell(name: str, thread: int, done: threading.Event, stream: TextIO) -> None:
    """Say what a thread does, from two seconds on, until it is done."""
    if not done.wait(AFTER):
        with contextlib.suppress(Exception):
            _show(_lines(name, thread, done), stream)


def _lines(name: str, thread: int, done: threading.Event) -> Iterator[str]:
    """Yield what a thread does, every second until it is done."""
    start = time.monotonic() - AFTER
    while True:
        stage = stage_of(sys._current_frames().get(thread))
        yield f"s2sad: deriving {name}: {stage} ({time.monotonic() - start:.0f} s)"
        if done.wait(EVERY):
            return


def stage_of(frame: FrameType | None) -> str:
    """Return what a stack of calls does: that of the room which was entered first."""
    rooms: list[str] = []
    while frame is not None:
        words = str(frame.f_globals.get("__name__", "")).split(".")
        if words[0] == "s2sad" and len(words) > 1 and words[1] in STAGES:
            rooms.append(words[1])
        frame = frame.f_back
    return STAGES[rooms[-1]] if rooms else "at work"


def _show(lines: Iterator[str], stream: TextIO) -> None:
    """Show lines one over the other on a terminal; elsewhere what differs not in the seconds alone."""
    last = ""
    for line in lines:
        if stream.isatty():
            stream.write(f"\r\x1b[K{line}")
        elif line.rpartition(" (")[0] != last.rpartition(" (")[0]:
            stream.write(f"{line}\n")
        stream.flush()
        last = line
    if stream.isatty():
        stream.write("\r\x1b[K")
        stream.flush()
