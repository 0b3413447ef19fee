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
from typing import Any, TextIO

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
    if done.wait(AFTER):
        return
    start = time.monotonic() - AFTER
    with contextlib.suppress(Exception), _line(stream) as say:
        while True:
            stage = stage_of(sys._current_frames().get(thread))
            say(f"s2sad: deriving {name}: {stage} ({time.monotonic() - start:.0f} s)")
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


@contextlib.contextmanager
def _line(stream: TextIO) -> Iterator[Any]:
    """Give what shows a line: a bar of rich's, a line that is written over, or one line for all."""
    if not stream.isatty():
        yield _Once(stream).say
        return
    bar = _bar()
    if bar is None:
        try:
            yield lambda text: _over(stream, text)
        finally:
            _over(stream, "")
        return
    with bar:
        task = bar.add_task("", total=None)
        yield lambda text: bar.update(task, description=text)


class _Once:
    """Says a line only where it says something else than the last one, but for the seconds."""

    def __init__(self, stream: TextIO):
        self.stream = stream
        self.last = ""

    def say(self, text: str) -> None:
        head = text.rpartition(" (")[0]
        if head != self.last:
            self.last = head
            print(text, file=self.stream, flush=True)


def _over(stream: TextIO, text: str) -> None:
    stream.write(f"\r\x1b[K{text}")
    stream.flush()


def _bar() -> Any:
    """Return a bar on standard error that goes away; None where rich is not installed."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn
    except ImportError:
        return None
    columns = TextColumn("{task.description}"), BarColumn(bar_width=20)
    return Progress(*columns, console=Console(stderr=True), transient=True)
