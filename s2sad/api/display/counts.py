"""Numbers of operations and of bytes: formulas in the lengths of arguments, and what these give.

u of float64, (n,), in a loop over range(steps)      8 * n * steps = 4.8 kB
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.ir.program import Block, For, Statement, While
from s2sad.ir.records import dataclass, field
from s2sad.ir.spelling import expression
from s2sad.ir.types import ONE, Array, Length, Number, Sequence, Tuple, Type
from s2sad.ir.walk import blocks

UNITS = ("", "k", "M", "G", "T", "P")
FIRST = ".shape[0]"
NONE = Length()


@dataclass(frozen=True, slots=True)
class Count:
    """An amount as a polynomial in lengths; `is_least` tells that not all of it is known."""

    length: Length = NONE
    is_least: bool = False

    def __add__(self, other: Count) -> Count:
        return Count(self.length + other.length, self.is_least or other.is_least)

    def times(self, factor: Length | int) -> Count:
        """Return the amount, so often."""
        return Count(self.length * factor, self.is_least)

    @property
    def is_nothing(self) -> bool:
        """Tell whether there is nothing to say."""
        return self.length == NONE and not self.is_least

    def formula(self, letters: Mapping[str, str]) -> str:
        """Return the amount as a formula in the lengths of arguments, `len(u)`, or letters for them."""
        ordered = sorted(self.length.terms, key=lambda term: term[1] < 0)
        terms = [([letters.get(one, as_python(one)) for one in s], f) for s, f in ordered]
        shown = " + ".join(" * ".join([*([str(f)] if f != 1 else []), *s]) for s, f in terms)
        if self.length.constant or not terms:
            shown += f" + {self.length.constant}" if terms else str(self.length.constant)
        shown = shown.replace("+ -1 * ", "- ").replace("+ -", "- ")
        return f">= {shown}" if self.is_least else shown


@dataclass(frozen=True, slots=True)
class Size:
    """A number of bytes or of passes as it is told: its formula, and what that gives, if it is known."""

    formula: str
    number: float | None

    def times(self, other: Size) -> Size:
        """Return the product of two sizes."""
        known = self.number is not None and other.number is not None
        number = self.number * other.number if known else None  # type: ignore[operator]
        parts = [part.formula for part in (self, other) if part.formula != "1"]
        return Size(" * ".join(parts) or "1", number)


NOTHING = Count()
UNKNOWN = Count(NONE, True)


def total(counts: Iterable[Count]) -> Count:
    """Return the sum of amounts."""
    whole = Count()
    for each in counts:
        whole = whole + each
    return whole


def size_of(type_: Type) -> Count:
    """Return how many elements a value has; of a list or an object that is not known."""
    match type_:
        case Number():
            return Count(ONE)
        case Array(_, lengths):
            if None in lengths:
                return UNKNOWN
            whole = ONE
            for each in lengths:
                whole = whole * each  # type: ignore[operator]
            return Count(whole)
        case Tuple(items):
            return total(map(size_of, items))
    return UNKNOWN


def bytes_of(type_: Type) -> Count:
    """Return how many bytes the elements of a value take; numbers take none to speak of."""
    match type_:
        case Number():
            return Count()
        case Array(dtype):
            return size_of(type_).times(np.dtype(dtype).itemsize)
        case Tuple(items):
            return total(map(bytes_of, items))
    return UNKNOWN


@dataclass(slots=True)
class Passes:
    """How often loops run, in symbols of their own: `range(n - 1)` is `(n - 1)`.

    `given` are the arguments by name and what the module defines; `sizes` is what symbols are, `made`
    what names of the function's own are bound to, where that is one expression.
    """

    given: Mapping[str, Any]
    sizes: dict[str, int] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)
    by_line: dict[int, Length] = field(default_factory=dict)
    made: Mapping[str, Expr] = field(default_factory=dict)

    def of(self, loop: For | While) -> Length:
        """Return how often a loop runs; one of the reverse sweep as often as that which it reverses."""
        line = loop.span.line if loop.span else 0
        if line and line in self.by_line:
            return self.by_line[line]
        if isinstance(loop, While):
            found = Length.of(f"passes of line {line}" if line else "passes")
        else:
            found = self.of_domain(loop.domain)
        return self.by_line.setdefault(line, found)

    def of_domain(self, domain: Expr) -> Length:
        """Return how many items a domain has."""
        if isinstance(domain.type, Sequence) and domain.type.length is not None:
            return domain.type.length
        if isinstance(domain.type, Array) and domain.type.lengths[:1] not in ((), (None,)):
            return domain.type.lengths[0] or ONE
        if domain.op == "name" and str(domain.data) in self.made:
            return self.of_domain(self.made[str(domain.data)])
        if domain.op == "call" and len(domain.args) == 2:
            inner = domain.args[1]
            called = expression(domain.args[0])
            if called in ("reversed", "enumerate", "list", "tuple"):
                return self.of_domain(inner)
            if called == "range":
                if isinstance(inner.type, Number) and inner.type.length is not None:
                    return inner.type.length
                if inner.op == "constant":
                    return Length((), max(0, int(inner.data)))
                return self.symbol(expression(inner), lambda value: value)
        return self.symbol(expression(domain), len)

    def symbol(self, text: str, count: Callable[[Any], int]) -> Length:
        """Return a symbol for what a text counts, and find out what it is."""
        is_length = count is len
        name = f"len({text})" if is_length else text if text.isidentifier() else f"({text})"
        if name not in self.sizes:
            with suppress(Exception):  # names of the function's own: not known before it runs
                self.sizes[name] = max(0, int(count(eval(text, self.named()))))
        return Length.of(name)

    def named(self) -> dict[str, Any]:
        """Return the values of names: of the function's own the integers that can be had before."""
        found = dict(self.given)
        for name, value in self.made.items():
            if isinstance(value.type, Number) and value.type.dtype[0] == "i":
                with suppress(Exception):
                    found[name] = eval(expression(value), dict(found))
        return found

    @property
    def legend(self) -> str:
        """Return what the letters stand for: n = W.shape[0] = 6."""
        shown = {letter: symbol for symbol, letter in self.letters.items() if letter != symbol}
        parts = (
            f"{letter} = {symbol}" + (f" = {self.sizes[symbol]}" if symbol in self.sizes else "")
            for letter, symbol in shown.items()
        )
        return ", ".join(parts)

    def number(self, count: Count) -> int | None:
        """Return what an amount is for the arguments, None where that is not known."""
        if not count.length.symbols <= self.sizes.keys():
            return None
        return count.length.value(self.sizes)

    def sized(self, count: Count) -> Size:
        """Return an amount as it is told."""
        if count.is_least:
            return Size("?", None)
        return Size(count.formula(self.letters), self.number(count))

    def shown(self, count: Count, unit: str = "") -> str:
        """Return an amount as a formula, and as a number where that is known."""
        if count.is_nothing:
            return ""
        number = self.number(count)
        if count.length == NONE and count.is_least:
            return "not known"
        if number is None:
            return count.formula(self.letters)
        if count.length.is_literal:
            return f"{'>= ' * count.is_least}{readable(number, unit)}"
        return f"{count.formula(self.letters)} = {readable(number, unit)}"


def as_python(symbol: str) -> str:
    """Return a length as Python says it: len(u)."""
    return f"len({symbol.removesuffix(FIRST)})" if symbol.endswith(FIRST) else symbol


def readable(number: float, unit: str = "") -> str:
    """Return a number as people say it: 4.8 kB, 12 M."""
    for prefix in UNITS:
        if number < 1000.0 or prefix == UNITS[-1]:
            text = f"{number:.3g}" if prefix else f"{number:.0f}"
            return f"{text} {prefix}{unit}".rstrip()
        number /= 1000.0
    return str(number)


def placed(
    block: Block, passes: Passes, often: Length, line: int = 0
) -> Iterator[tuple[Statement, Length, int]]:
    """Yield statements, each with how often it runs and the line of the user's that it belongs to.

    What has no line saves or restores for the statement after it.
    """
    lines = [each.span.line if each.span else 0 for each in block]
    for place, statement in enumerate(block):
        own = next((n for n in lines[place:] if n), line)
        yield statement, often, own
        inner = often * passes.of(statement) if isinstance(statement, For | While) else often
        for each in blocks(statement):
            yield from placed(each, passes, inner, own)
