"""Lengths of the operands of one operation as axes of a probe, numbered as they come.

operands Array((n - 2, 1000)), Array((n - 2,))   ->   Array((0, 1)), Array((0,)), atoms n - 2, 1000
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Length,
    Number,
    Numeric,
    Optional,
    Sequence,
    Tuple,
    Type,
    types_in,
    with_parts,
)
from s2sad.types.lengths import SMALL, symbol


class Atoms:
    """The distinct lengths of operands; None stands for one that is not known."""

    def __init__(self) -> None:
        self.lengths: list[Length | None] = []
        self.places: dict[Length, int] = {}

    def form(self, type_: Type) -> Type:
        """Return a type with the numbers of its axes in place of lengths."""
        match type_:
            case Array(dtype, lengths):
                return Array(dtype, tuple(map(self.axis, lengths)))
            case Numeric(dtype, token):
                return Numeric(dtype, token)
            case Number(dtype, boxed, length):
                if dtype[0] not in "iu":
                    return type_
                return Number(dtype, boxed, self.axis(length))
            case Sequence(item, cls, length):
                return Sequence(self.form(item), cls, self.axis(length))
            case Optional(inner):
                return self.form(inner)
        return with_parts(type_, self.form)

    def axis(self, length: Length | None) -> Length:
        """Return the axis that stands for a length: itself if it is a small number."""
        if length is None:
            self.lengths.append(None)
            return symbol(len(self.lengths) - 1)
        if length.is_literal and 0 <= length.constant <= SMALL:
            return length
        if length not in self.places:
            self.places[length] = len(self.lengths)
            self.lengths.append(length)
        return symbol(self.places[length])


def lengths_of(type_: Type) -> Iterable[Length | None]:
    """Yield the lengths in a type."""
    for each in types_in(type_):
        match each:
            case Array(_, lengths) | Numeric(_, _, tuple() as lengths):
                yield from lengths
            case Number(_, _, length) if length is not None:
                yield length
            case Sequence(_, _, length):
                yield length


def without_lengths(type_: Type) -> Type:
    """Return a type of which only kinds and ranks are kept."""
    match type_:
        case Array(dtype, axes):
            return Array(dtype, (None,) * len(axes))
        case Numeric(dtype, token, tuple() as axes):
            return Numeric(dtype, token, (None,) * len(axes))
        case Number(dtype, boxed):
            return Number(dtype, boxed)
        case Tuple(items, cls) if cls is list:
            kept = {without_lengths(item) for item in items}
            return Sequence(kept.pop(), list) if len(kept) == 1 else UNKNOWN
        case Sequence(item, cls, _):
            return Sequence(without_lengths(item), cls)
    return with_parts(type_, without_lengths)
