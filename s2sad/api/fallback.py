"""The one door to the first core: what the rooms cannot do yet is asked here, and nowhere else.

derive(request)                         the text of a derivative

The first core is imported when it is asked: what the rooms answer does without. Where the variable
ALONE of the environment is set, it is never asked: what the rooms do not do is refused.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from s2sad.api.derivative import Derivative
from s2sad.api.request import Request
from s2sad.ir.errors import Unsupported
from s2sad.types.kinds import Kind

ALONE = "S2SAD_ALONE"


def is_alone() -> bool:
    """Tell whether the rooms answer alone."""
    return ALONE in os.environ


def _first(module: str) -> Any:
    """Return a module of the first core."""
    if is_alone():
        raise Unsupported(
            "what is asked for here is not differentiated",
            hint="Ask for less: without schedules, budgets of memory, or options.",
        )
    return importlib.import_module(f"s2sad.legacy.{module}")


def derive(request: Request) -> Derivative:
    """Return the derivative that a request asks for; S2sadError where it is refused."""
    made: Derivative = _first("pipeline").derive(with_facts(request))
    return made


def is_outdated(made: Derivative) -> bool:
    """Tell whether a list, dict or array whose values a text holds has others by now."""
    if not made.live:
        return False
    text_of = made.text_of if made.by_rooms else _first("constants").constant_text
    return any(text_of(value) != text for value, text in made.live.values())


def mentions_kinks(function: Any) -> bool:
    """Tell whether a function calls what has a kink at 0."""
    return bool(_first("even_powers").mentions_kinks(function))


def smoothly(yes: bool) -> AbstractContextManager[None]:
    """Leave out kinks of which even powers are taken while a gradient is made."""
    made: AbstractContextManager[None] = _first("even_powers").smoothly(yes)
    return made


# ---------------------------------------------------------------------------- facts


def with_facts(request: Request) -> Request:
    """Return a request with what is known of the arguments as the first core says it."""
    if request.given is None:
        return request
    known = ((name, _fact(k, name) if isinstance(k, Kind) else k) for name, k in request.given)
    return replace(request, given=tuple(known))


def _fact(kind: Kind, name: str) -> Any:
    """Return a kind as a Fact; of no name its lengths have none."""
    if not isinstance(kind, Kind):  # the first core asks for a derivative that is taken inside
        return kind
    facts = _first("facts.fact")
    make = HOLDERS.get(kind.word)
    if make is not None:
        return make(facts, kind, name)
    match kind.word:
        case "none":
            return facts.NOTHING
        case "float" | "complex" | "int" | "bool" if kind.dtype:
            return facts.scalar(kind.dtype)
        case "float":
            return facts.PYTHON_FLOAT
        case "complex":
            return facts.PYTHON_COMPLEX
        case "int":
            return facts.python_int()
        case "bool":
            return facts.python_bool(kind.value)
        case "str":
            known = None if kind.value is None else _first("program").Const(kind.value)
            return facts.Fact("str", value=known)
        case "iterator":
            return facts.Fact("unknown", made_of=kind.cls)
    made_of = kind.cls if kind.word == "function" else None
    return facts.Fact(kind.word, kind.dtype, made_of=made_of)


def _array(facts: Any, kind: Kind, name: str) -> Any:
    lengths = enumerate(kind.lengths)
    dims = (facts.ONE if length == 1 else facts.axis(name, k) for k, length in lengths)
    return facts.array(kind.dtype, tuple(dims))


def _tuple(facts: Any, kind: Kind, name: str) -> Any:
    parts = enumerate(kind.parts)
    return facts.tuple_of(tuple(_fact(part, name and f"{name}[{k}]") for k, part in parts))


def _list(facts: Any, kind: Kind, _: str) -> Any:
    items = dict.fromkeys(_fact(part, "") for part in kind.parts)
    return facts.Fact("list", items=_first("facts.joins").join_elements(items))


def _dict(facts: Any, kind: Kind, _: str) -> Any:
    return facts.Fact("dict", items=tuple(_fact(p, "") for p in kind.parts), keys=kind.keys)


def _record(facts: Any, kind: Kind, name: str) -> Any:
    pairs = zip(kind.keys, kind.parts, strict=True)
    items = tuple(_fact(part, name and f"{name}.{key}") for key, part in pairs)
    return facts.Fact("record", items=items, keys=kind.keys, made_of=kind.cls)


HOLDERS: Mapping[str, Callable[[Any, Kind, str], Any]] = {
    "array": _array,
    "tuple": _tuple,
    "list": _list,
    "dict": _dict,
    "record": _record,
}
