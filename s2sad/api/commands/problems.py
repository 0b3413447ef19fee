"""Exit statuses, and what ends a command with one of them."""

from __future__ import annotations

DONE, REFUSED, USAGE, INTERRUPTED = 0, 1, 2, 130


class Usage(Exception):
    """The command line names what is not there or does not fit: nothing was changed on disk."""


class Refused(Exception):
    """The command cannot be carried out, for a reason that is not an error of s2sad's own."""
