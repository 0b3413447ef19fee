"""Where a derivative that somebody wrote or edited computes another adjoint than the one made here.

parting(edited, made, args)    Parting("misfit_grad.py", 23, "r_bar = 2.0 * s", "r_bar")

Both texts are run on the same arguments, and after each line it is seen what adjoints and tangents
have become; what a text returns is the adjoints of the arguments. A value of the edited text that
the made one has under that name, now or later, is right, and so is one that the next assignment
makes right: a sum may be written in other steps.
"""

from __future__ import annotations

import copy
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from s2sad.ir.records import dataclass

LONGEST = 20_000  # assignments that are looked at
ENDINGS = ("_bar", "_dot", "_adj", "_tan")
_RELATIVE = 1e-6


@dataclass(frozen=True, slots=True)
class Parting:
    """The first statement of a text after which an adjoint is another one: its place and words."""

    path: str
    line: int
    written: str
    name: str

    def __str__(self) -> str:
        return (
            f"Adjoints part at {Path(self.path).name}:{self.line}, in {self.name}: {self.written}"
        )


@dataclass(frozen=True, slots=True)
class _Assigned:
    """A value that a name has after a line of a function; that of the derivative itself is ""."""

    function: str
    name: str
    line: int
    value: Any

    @property
    def key(self) -> tuple[str, str]:
        return self.function, self.name


def made_again(derivative: Any) -> Callable[..., Any]:
    """Return the function of a derivative's text, as a file would define it."""
    known: dict[str, Any] = {}
    exec(compile(derivative.source, f"<made {derivative.__name__}>", "exec"), known)
    made: Callable[..., Any] = known[derivative.__name__]
    return made


def parting(
    edited: Callable[..., Any],
    made: Callable[..., Any],
    arguments: tuple[Any, ...],
    wrt: Sequence[str],
) -> Parting | None:
    """Return where two derivatives part when they are called alike; None where they do not.

    None as well where the edited one has other names than the made one: then nothing is told.
    """
    known: dict[tuple[str, str], list[Any]] = {}
    for each in _assignments(made, arguments, wrt):
        known.setdefault(each.key, []).append(each.value)
    own = [each for each in _assignments(edited, arguments, wrt) if each.key in known]
    wrong = [not any(_is_close(each.value, one) for one in known[each.key]) for each in own]
    place = next(_lasting(own, wrong), wrong.index(True) if any(wrong) else None)
    if place is None:
        return None
    code: CodeType = edited.__code__
    line, name = own[place].line, own[place].name
    return Parting(code.co_filename, line, linecache.getline(code.co_filename, line).strip(), name)


def _lasting(own: list[_Assigned], wrong: list[bool]) -> Iterator[int]:
    """Yield the places of wrong values that the next assignment to the same name does not mend."""
    following: dict[tuple[str, str], bool] = {}
    lasting = []
    for place in reversed(range(len(own))):
        if wrong[place] and following.get(own[place].key, True):
            lasting.append(place)
        following[own[place].key] = wrong[place]
    yield from reversed(lasting)


def _is_close(one: Any, other: Any) -> bool:
    if np.shape(one) != np.shape(other):
        return False
    scale = max(float(np.max(np.abs(other), initial=0.0)), 1e-300)
    return bool(np.all(np.abs(np.subtract(one, other)) <= _RELATIVE * scale))


# ---------------------------------------------------------------------------- running


def _assignments(
    function: Callable[..., Any], arguments: tuple[Any, ...], wrt: Sequence[str]
) -> list[_Assigned]:
    """Return what adjoints become, line by line, in the functions of the file of one of them."""
    code, found = function.__code__, list[_Assigned]()
    seen: dict[FrameType, tuple[int, dict[str, Any]]] = {}

    def note(frame: FrameType, returned: Any) -> None:
        line, before = seen[frame]
        called = "" if frame.f_code is code else frame.f_code.co_name
        now = dict(_adjoints(frame.f_locals))
        if returned is not None and not called:
            parts = returned if isinstance(returned, tuple) else (returned,)
            now |= _adjoints({f"{n}_bar": part for n, part in zip(wrt, parts, strict=False)})
        for name, value in now.items():
            if name not in before or not _is_same(value, before[name]):
                kept = copy.deepcopy(value)
                found.append(_Assigned(called, name, line, kept))
                before[name] = kept

    def trace(frame: FrameType, event: str, value: Any) -> Any:
        if frame.f_code.co_filename != code.co_filename or len(found) > LONGEST:
            return None
        if event == "call":
            seen[frame] = frame.f_lineno, {}
        else:
            note(frame, value if event == "return" else None)
            seen[frame] = frame.f_lineno, seen[frame][1]
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        in_order(function, arguments)
    finally:
        sys.settrace(before)
    return found


def in_order(function: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """Call a function with copies of values in the order of its parameters, whichever way each is taken."""
    args, keywords = list[Any](), dict[str, Any]()
    parameters = inspect.signature(function).parameters.values()
    for parameter, value in zip(parameters, copy.deepcopy(values), strict=True):
        if parameter.kind is parameter.VAR_POSITIONAL:
            args += value
        elif parameter.kind is parameter.KEYWORD_ONLY:
            keywords[parameter.name] = value
        elif parameter.kind is parameter.VAR_KEYWORD:
            keywords |= value
        else:
            args.append(value)
    return function(*args, **keywords)


def _adjoints(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if name.endswith(ENDINGS) and isinstance(value, np.ndarray | np.generic | float | int):
            yield name, value


def _is_same(one: Any, other: Any) -> bool:
    return np.shape(one) == np.shape(other) and np.array_equal(one, other, equal_nan=True)
