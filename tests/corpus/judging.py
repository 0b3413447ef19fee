"""A function becomes a verdict: what the transformer makes of it, and in what time.

judged("colorsys:rgb_to_yiq", rgb_to_yiq, "vjp")    ->    Outcome(..., "made", seconds=0.02)

"made" (a text), "refused" (an error that names file, line and construct), "nowhere" (a refusal that
does not), "internal" (any other exception), "endless" (stopped at the limit).
"""

from __future__ import annotations

import time
import traceback
import types
import warnings
from dataclasses import dataclass

import s2sad
from s2sad.ir.errors import InternalError, S2sadError
from tests.corpus.finding import wrt_of
from tests.fuzz.limits import time_limit

MODES = ("vjp", "jvp")
# seconds of processor time after which a function is given up: two cores are asked, one after the other
LIMIT = 25.0
SLOW = 1.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one function in one mode; `seconds` are of processor time."""

    name: str
    mode: str
    verdict: str
    seconds: float
    reason: str = ""
    detail: str = ""

    @property
    def is_wrong(self) -> bool:
        """Tell whether this is neither a text nor a refusal that names its place."""
        return self.verdict not in ("made", "refused")

    @property
    def is_slow(self) -> bool:
        """Tell whether it took too long."""
        return self.seconds > SLOW


class OutOfTime(BaseException):
    """The limit is reached; no `except Exception` of the transformer may take it."""


def judged(name: str, function: types.FunctionType, mode: str, limit: float = LIMIT) -> Outcome:
    """Derive the text for any arguments, calling neither the function nor the derivative."""
    began = time.process_time()
    verdict, reason, detail = _tried(function, mode, limit)
    return Outcome(name, mode, verdict, time.process_time() - began, reason, detail)


def _tried(function: types.FunctionType, mode: str, limit: float) -> tuple[str, str, str]:
    try:
        with time_limit(limit, OutOfTime), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = getattr(s2sad, mode)(function, wrt_of(function)).source
            compile(text, "<derivative>", "exec")
            return "made", "", text
    except OutOfTime:
        return "endless", "takes too long", traceback.format_exc()
    except InternalError as error:
        return "internal", error.problem, traceback.format_exc()
    except S2sadError as error:
        placed = all(map(_names_its_place, error.problems))
        return "refused" if placed else "nowhere", error.problem, str(error)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({where.name})"
        return "internal", reason, traceback.format_exc()


def _names_its_place(error: S2sadError) -> bool:
    """Tell whether a refusal shows a line of a file, and says what is wrong there."""
    span = error.span
    return bool(error.problem and span is not None and span.line > 0 and span.text())
