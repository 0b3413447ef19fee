"""One object handed over twice to a function that writes to it: refused when it is called.

f(w, w), f(model, model.w), f(Pair(a=w, b=w)) and f(G), where f reads the global G, too

A derivative leaves its arguments as they are: the others would not see what is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CellType, CodeType, FunctionType
from typing import Any

import numpy as np

from s2sad.api.structure import parts_of
from s2sad.ir.errors import ArgumentError, Span
from s2sad.source.outside import Place, globals_in


def refuse_shared(
    bound: Mapping[str, Any],
    written: frozenset[str],
    seen: Iterable[Place],
    place: Callable[[str], Span | None],
) -> None:
    """Refuse arguments that share memory, or an object, with what the function writes to.

    `written` holds names, and fields as `p.u`; of `p.` only the object itself gets other fields.
    `seen` is what the function reads outside of it.
    """
    kept = list(_read_outside(tuple(seen)))
    for path in sorted(written):
        name = argument_of(path)
        if name not in bound:
            continue
        mine, others = _parts(path, bound)
        for other, theirs in (*others, *kept):
            if any(_is_one(each, theirs) for each in mine):
                raise _refusal(path.rstrip("."), other, isinstance(theirs, np.ndarray), place(name))


def _refusal(path: str, other: str, of_arrays: bool, span: Span | None) -> ArgumentError:
    kind, copy = ("array", f"{other}.copy()") if of_arrays else ("object", "copy.deepcopy(...)")
    problem = f"{path} and {other} are one {kind}, and {path} is written to"
    return ArgumentError(problem, span, f"Pass a copy: {copy}.")


def argument_of(path: str) -> str:
    """Return the argument of which a path leads to a part: `p` of `p.u` and `p['u']`."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def _parts(path: str, bound: Mapping[str, Any]) -> tuple[list[Any], list[tuple[str, Any]]]:
    """Return what is written to, and what else is handed over, by its path."""
    name = argument_of(path)
    mine: list[Any] = []
    others: list[tuple[str, Any]] = []
    for other, value in bound.items():
        if other != name:
            others += _mutable(value, other)
    for at, part in _mutable(bound[name], name):
        if at == path.rstrip(".") or at.startswith((path + ".", path + "[")):
            mine.append(part)
        elif not path.startswith((at + ".", at + "[")):
            others.append((at, part))  # what holds it is not another
    return mine, others


def _mutable(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the arrays, lists, dicts and objects that a value is or holds, each with its path."""
    if type(value) in (float, int, str, bool):
        return
    is_array, parts = isinstance(value, np.ndarray), parts_of(value)
    if is_array or (parts is not None and not isinstance(value, tuple)):
        yield path, value
    for at, part in parts or () if not is_array else ():
        yield from _mutable(part, f"{path}{at}")


def _read_outside(seen: tuple[Place, ...]) -> Iterator[tuple[str, Any]]:
    """Yield what stands under globals, in cells and in defaults; attributes are no globals."""
    codes = [value for _, _, value in seen if isinstance(value, CodeType)]
    names = frozenset[str]().union(*map(globals_in, codes))
    for _, name, value in seen:
        if isinstance(name, CellType | FunctionType):
            yield from _mutable(value, "what the function holds")
        elif isinstance(name, str) and name in names:
            yield from _mutable(value, name)


def _is_one(a: Any, b: Any) -> bool:
    """Tell whether two are one object, or arrays that overlap."""
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return a is b
    if not np.may_share_memory(a, b):
        return False
    try:
        return bool(np.shares_memory(a, b, max_work=10_000))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True
