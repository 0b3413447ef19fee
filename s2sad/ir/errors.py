"""Every error that s2sad raises, each pointing at the user's own line.

s2sad.NoRule: numpy.union1d has no derivative rule
  File "inverse.py", line 12, in misfit
    q = np.union1d(r, k)
    ^^^^^^^^^^^^^^^^^^^^
  It depends on what you differentiate with respect to, and reaches the result.
  More: s2sad help no-rule
"""

from __future__ import annotations

import linecache
import os
import traceback
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any

from s2sad.ir.pages import page_of
from s2sad.ir.records import dataclass, field, replace

FULL = "S2SAD_FULL_TRACEBACK"
TITLE = "Traceback (most recent call last):"
HOUSE = str(Path(__file__).resolve().parents[1])


def _is_users(frame: traceback.FrameSummary) -> bool:
    """Tell whether a frame is one of the user's: none of s2sad's, nor of IPython's around a cell."""
    return not frame.filename.startswith((HOUSE, "<s2sad")) and "/IPython/" not in frame.filename


@dataclass(frozen=True, slots=True)
class Span:
    """The place in the user's text that caused a statement; lines from 1, columns from 0."""

    path: str
    function: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    # of a line of the prelude: what called it
    caller: Span | None = field(default=None, compare=False, repr=False)
    # of a line of a library: the call of the user's that leads to it
    entered: Span | None = field(default=None, compare=False, repr=False)

    def of_user(self) -> Span:
        """Return the place in the user's own file: that of the call, of what the prelude does."""
        return self if self.caller is None else self.caller.of_user()

    def whole(self) -> Span:
        """Return the place of the whole line."""
        return replace(self, column=0, end_line=0, end_column=0)

    def text(self) -> str:
        """Return the first line of the place, as the user wrote it, without indentation."""
        return linecache.getline(self.path, self.line).strip()


OF_LIBRARY = (
    "That line is a library's. Compute with arrays, give a function of your own around the call\n"
    "a derivative (s2sad.custom_derivative), or stop it: s2sad.stop_gradient."
)


class S2sadError(Exception):
    """A function that cannot be differentiated as asked; `problems` lists every place.

    `certain` tells that no arguments could make a difference. One that `follows` says that too little
    is known of a value: where another one says why, that is the cause. `page` is the page of the docs
    that says what the refusal is and what to write instead. `within` is the line of a library that
    it is about, where a call of the user's leads to it.
    """

    certain = True
    follows = False
    has_page = True

    def __init__(self, problem: str, span: Span | None = None, hint: str = ""):
        own = None if span is None else span.of_user()
        self.within = own if own is not None and own.entered is not None else None
        self.problem = problem
        self.span = own if own is None or own.entered is None else own.entered
        self.hint = hint if self.within is None else OF_LIBRARY
        self.page = page_of(problem) if self.has_page else ""
        self.problems: tuple[S2sadError, ...] = (self,)
        super().__init__(_report(self))

    @classmethod
    def refused(cls, problem: str, span: Span | None, hint: str) -> Refused:
        """Return what is raised where no other way could do what is asked for."""
        return Refused(cls(problem, span, hint))

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows: the user's own lines and the message.

        With S2SAD_FULL_TRACEBACK it is asked in vain, and shows all.
        """
        if os.environ.get(FULL):
            raise NotImplementedError(FULL)
        lines = [line for line in traceback.extract_tb(self.__traceback__) if _is_users(line)]
        shown = "".join(traceback.format_list(lines)).rstrip("\n")
        told = f"{type(self).__name__}: {self}"
        return [*([TITLE, shown] if shown else []), told]

    def __reduce__(self) -> tuple[object, ...]:
        rest = {"problems": self.problems, "certain": self.certain, "args": self.args}
        rest |= {"follows": self.follows}
        return type(self), (self.problem, self.span, self.hint), rest


class NoRule(S2sadError):
    """A function or a keyword of it has no derivative rule."""


class Unsupported(S2sadError):
    """A construct that the transformer does not differentiate."""


class UnknownFunction(Unsupported):
    """A call of what may be one function or another."""

    certain = False  # it may be an argument


class AliasError(S2sadError):
    """Two names of one array, written through one and read through the other."""

    certain = False  # numbers share nothing


class GivesRecord(Unsupported):
    """A function returns a dict or object that it makes, so that it is lowered in place."""


class NoSource(S2sadError):
    """A function whose source text cannot be had."""


class ArgumentError(S2sadError, TypeError):
    """A wrong `wrt`, seed, or argument: what was asked for does not fit the function."""


class InternalError(S2sadError):
    """s2sad found its own result inconsistent and refuses to return it: a mistake of s2sad's."""

    certain = False
    has_page = False


class NotYet(Exception):
    """What is not done in this way: another one may do, else it is refused (ir/remedies.py).

    `reason` names it as the user would, such that "... is not differentiated" makes a sentence.
    """

    def __init__(self, reason: str, span: Span | None = None):
        self.reason = reason
        self.span = span
        super().__init__(reason)


class Refused(NotYet):
    """What is refused for a reason of its own, unless another way does: users see `error`."""

    def __init__(self, error: S2sadError):
        self.error = error
        super().__init__(error.problem, error.span)


class Underived(Exception):
    """A function of the program whose derivative is to be made: its key, the mode, and by what."""

    def __init__(self, key: Any, mode: str, by: Iterable[int] = ()):
        self.asked = frozenset({(key, mode), *((key, place) for place in by)})
        super().__init__(f"the {mode} derivative of {key}")


class Unfollowed(NotYet):
    """A call of a library's function without a rule: other lines may be lowered in its place.

    `key` tells which: the function itself for its own, else the call that has a twin. `fault` is
    what is told where they do not help.
    """

    def __init__(self, fault: NotYet, key: Hashable):
        self.fault = fault
        self.key = key
        super().__init__(fault.reason, fault.span)


TOLD = 8  # problems that one refusal tells in full
OF_ANY = (
    "Nothing is known of the arguments here: with examples of them, like=(...), or when it is "
    "called, it may be supported."
)


def gather(problems: Iterable[S2sadError]) -> S2sadError:
    """Return one error that reports all `problems`: what others follow from first, then in order.

    What stands in an installed library is told after what stands in the user's own files.
    """
    # a function that is called twice may be refused twice
    told = {str(problem): problem for problem in problems}
    ordered = sorted(told.values(), key=_order)
    first = ordered[0]
    if len(ordered) == 1:
        return first
    whole = type(first)(first.problem, first.span, first.hint)
    whole.problems = tuple(ordered)
    whole.certain = any(problem.certain for problem in ordered)
    whole.follows = first.follows
    left = len(ordered) - TOLD
    texts = [str(problem) for problem in (ordered[:TOLD] if left > 1 else ordered)]
    whole.args = ("\n".join([*texts, f"and {left} more"] if left > 1 else texts),)
    return whole


def placed(error: S2sadError, span: Span | None) -> S2sadError:
    """Return a refusal of which every problem points at a line: at `span`, where it had none."""
    if span is None or all(each.span is not None for each in error.problems):
        return error
    return gather(each if each.span is not None else _at(each, span) for each in error.problems)


def _at(error: S2sadError, span: Span) -> S2sadError:
    told = type(error)(error.problem, span, error.hint)
    told.certain = error.certain
    return told


@contextmanager
def for_any_arguments(given: object) -> Iterator[None]:
    """Have a refusal say that some arguments may be supported, where nothing is known of them."""
    try:
        yield
    except S2sadError as error:
        if error.certain or given is not None or isinstance(error, InternalError):
            raise
        told = copy(error)
        told.args = (f"{error}\n{OF_ANY}",)
        raise told from None


def _order(problem: S2sadError) -> tuple[bool, bool, str, int, int, str]:
    span = problem.span
    if span is None:
        return False, problem.follows, "", 0, 0, problem.problem
    is_library = problem.within is not None or "site-packages" in span.path
    return is_library, problem.follows, span.path, span.line, span.column, problem.problem


def _report(error: S2sadError) -> str:
    lines, span = [error.problem], error.span
    if span is not None:
        lines.append(f'  File "{span.path}", line {span.line}, in {span.function}')
        lines += _caret_lines(span)
    if error.within is not None:
        lines.append(f'  It leads to "{error.within.path}", line {error.within.line}.')
    lines += [f"  {line}" for line in error.hint.splitlines()]
    lines += [f"  More: s2sad help {Path(error.page).stem}"] if error.page else []
    return "\n".join(lines)


def _caret_lines(span: Span) -> list[str]:
    raw = linecache.getline(span.path, span.line).rstrip("\n")
    if not raw.strip():
        return []
    # ast counts columns in UTF-8 bytes, a terminal in characters
    start = len(raw.encode()[: span.column].decode(errors="ignore"))
    one_line = span.end_line in (0, span.line) and span.end_column > span.column
    end = len(raw.encode()[: span.end_column].decode(errors="ignore")) if one_line else len(raw)
    indent = len(raw) - len(raw.lstrip())
    start = max(start, indent)
    carets = " " * (start - indent) + "^" * max(1, end - start)
    return [f"    {raw.strip()}", f"    {carets}"]
