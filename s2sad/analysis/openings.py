"""Parameters that are tuples, dicts or objects are opened: each part is a parameter of its own.

def f(p, dt):                    def f(p_a, p_w, dt):        p is {"a": p_a, "w": p_w}
    return p["a"] * dt               return p_a * dt

The derivative takes p all the same: it reads the parts at its start, and gives them back together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from s2sad.ir.expression import Expr, Variable, attribute, constant, name, subscript
from s2sad.ir.program import Let
from s2sad.ir.records import dataclass
from s2sad.ir.types import Tuple, Type


@dataclass(frozen=True, slots=True)
class Opening:
    """A parameter and what stands for its parts; `cls` is dict, tuple, or the class of an object."""

    variable: Variable
    whole: Type
    cls: type | None
    parts: Mapping[Any, Expr]  # typed names

    def part(self, whole: Expr, key: Any, type_: Type) -> Expr:
        """Return a part of what was handed over."""
        if self.cls is dict:
            return subscript(whole, constant(key), type_)
        if isinstance(self.whole, Tuple) and not is_named(self.whole):
            return subscript(whole, constant(key), type_)
        return attribute(whole, self.field(key), type_)

    def field(self, key: Any) -> str:
        """Return the name of a field; those of named tuples are numbered."""
        return str(self.cls._fields[key] if is_named(self.whole) else key)  # type: ignore[union-attr]


def is_named(type_: Type) -> bool:
    """Tell whether a type is that of named tuples."""
    return isinstance(type_, Tuple) and hasattr(type_.cls, "_fields")


def readings(openings: tuple[Opening, ...]) -> Iterator[Let]:
    """Yield the statements that read the parts of the parameters, outermost first."""
    for opening in openings:
        whole = name(opening.variable, opening.whole)
        for key, part in opening.parts.items():
            yield Let(part.data, opening.part(whole, key, part.type))


def without_unread(lets: list[Let], read: frozenset[Variable]) -> tuple[Let, ...]:
    """Return the readings whose parts somebody reads."""
    kept: list[Let] = []
    wanted = set(read)
    for let in reversed(lets):
        if let.target in wanted:
            kept.append(let)
            wanted |= {node.data for node in _names(let.value)}
    return tuple(reversed(kept))


def _names(expr: Expr) -> Iterator[Expr]:
    if expr.op == "name":
        yield expr
    for arg in expr.args:
        yield from _names(arg)


def leaves(variable: Variable, openings: tuple[Opening, ...]) -> Iterator[Variable]:
    """Yield the parameters that a parameter was opened to, down to the last."""
    opening = opening_of(variable, openings)
    if opening is None:
        yield variable
        return
    for part in opening.parts.values():
        yield from leaves(part.data, openings)


def opening_of(variable: Variable, openings: tuple[Opening, ...]) -> Opening | None:
    """Return what a parameter was opened to, None if it was left whole."""
    return next((o for o in openings if o.variable == variable), None)


__all__ = ["Opening", "is_named", "leaves", "opening_of", "readings", "without_unread"]
