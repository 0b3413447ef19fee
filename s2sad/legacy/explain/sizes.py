"""How many bytes a value takes: a formula in the lengths of arguments, and a number where they are given.

u of float64, (u.0 - 2,)     8 * (len(u) - 2)          for u of 1000 elements 7984
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sad.api.display.explanation import Size
from s2sad.legacy.facts import UNKNOWN, Dim, Fact
from s2sad.legacy.printing import text
from s2sad.legacy.program import Assign, Attr, Call, Const, Expr, Loop, Op, Program, Ref, Var, base
from s2sad.legacy.traverse import reads, statements, substitute, transform, walk

LENGTH = re.compile(r"(\w+)@0\.(\d+)")
OTHER = re.compile(r"([^\s(),]+)@(\d+)\.(\d+)")
BROADCAST = re.compile(r"broadcast\(([^(),]+), ([^(),]+)\)")
VALUE = re.compile(r"#(\w+)@0")
DEEPEST = 20


@dataclass(frozen=True)
class Lengths:
    """Arguments by name, and the values of a function that are computed from them alone."""

    given: Mapping[str, Any]
    made: Mapping[Var, Expr]
    # what is known of values, and what loops begin with
    fact: Callable[[Var], Fact] = lambda _: UNKNOWN
    begun: Mapping[Var, Var] = field(default_factory=dict)

    def of_dim(self, dim: Dim, depth: int = 0) -> Size:
        """Return a length."""
        length, value = LENGTH.fullmatch(dim.symbol), VALUE.fullmatch(dim.symbol)
        if not dim.symbol:
            return Size(str(dim.offset), dim.offset)
        for found in self._same(dim.symbol) if depth < DEEPEST else ():
            return self.of_dim(replace(found, offset=found.offset + dim.offset), depth + 1)
        number = None
        if length:
            name, axis = length[1], int(length[2])
            formula = f"{name}.shape[{axis}]" if axis else f"len({name})"
            if name in self.given and np.ndim(self.given[name]) > axis:
                number = np.shape(self.given[name])[axis]
        elif value:
            formula, number = value[1], self.given.get(value[1])
        else:
            formula = "?"
        if not dim.offset:
            return Size(formula, number)
        sign = "+-"[dim.offset < 0]
        number = None if number is None else max(0, number + dim.offset)
        return Size(f"({formula} {sign} {abs(dim.offset)})", number)

    def _same(self, symbol: str) -> Iterator[Dim]:
        """Yield the length that another is, if what a loop begins with keeps its lengths."""
        other, both = OTHER.fullmatch(symbol), BROADCAST.fullmatch(symbol)
        if both:
            dims = [_dim(part) for part in both.groups()]
            yield max(dims, key=lambda dim: self.of_dim(dim).number or 0)
        elif other:
            var, axis = Var(other[1], int(other[2])), int(other[3])
            begun = self.begun.get(var)
            shape = None if begun is None else self.fact(begun).shape
            if isinstance(shape, tuple) and axis < len(shape):
                yield shape[axis]

    def bytes_of(self, fact: Fact) -> Size:
        """Return the bytes of a value; numbers take none to speak of."""
        if fact.is_scalar or fact.kind in ("none", "str", "generator"):
            return Size("0", 0)
        if fact.kind in ("tuple", "record"):
            return total(self.bytes_of(item) for item in fact.items)
        if not fact.is_array or not isinstance(fact.shape, tuple) or not fact.dtype:
            return Size("?", None)
        whole = Size(str(np.dtype(fact.dtype).itemsize), np.dtype(fact.dtype).itemsize)
        for dim in fact.shape:
            whole = whole.times(self.of_dim(dim))
        return whole

    def passes_of(self, iterable: Expr | None) -> Size:
        """Return how often a loop runs."""
        match iterable:
            case None:
                return Size("passes", None)
            case Call(Ref("enumerate" | "reversed" | "list" | "tuple"), (inner, *_)):
                return self.passes_of(inner)
            case Call(Ref("zip"), (_, *_) as inner):
                sizes = [self.passes_of(each) for each in inner]
                known = None not in [size.number for size in sizes]
                return min(sizes, key=lambda size: size.number or 0) if known else sizes[0]
        number = None
        with suppress(Exception):  # whatever an argument may raise: then it is not known
            number = len(self._evaluated(iterable))
        return Size(_count(iterable) or f"len({_shown(iterable)})", number)

    def _evaluated(self, expr: Expr, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise ValueError("too deep")
        expr = transform(expr, self._measured)
        expr = substitute(expr, lambda var: self.made.get(var, var))
        if any(var in self.made for var in reads(expr)):
            return self._evaluated(expr, depth + 1)
        plain = (part for part in walk(expr) if isinstance(part, Ref) and "." not in part.text)
        space = {"np": np} | {ref.text: ref.value for ref in plain}
        if any(var.version != 0 for var in reads(expr)):
            raise ValueError("not an argument")
        return eval(text(expr, base), {**space, **self.given})

    def _measured(self, part: Expr) -> Expr:
        """Return a number for the length of an array, where it is known."""
        match part:
            case Call(Ref("len"), (Var() as var,)):
                axis = 0
            case Op("index", (Attr(Var() as var, "shape"), Const(int() as axis))):
                pass
            case _:
                return part
        shape = self.fact(var).shape
        known = self.fact(var).is_array and isinstance(shape, tuple) and axis < len(shape)
        number = self.of_dim(shape[axis]).number if known else None  # type: ignore[index]
        return part if number is None else Const(int(number))


def total(sizes: Iterable[Size]) -> Size:
    """Return the sum of sizes."""
    found = [size for size in sizes if size.formula != "0"] or [Size("0", 0)]
    numbers = [size.number for size in found]
    number = None if None in numbers else sum(numbers)  # type: ignore[arg-type]
    formula = " + ".join(size.formula for size in found)
    return Size(f"({formula})" if len(found) > 1 else formula, number)


def _dim(symbol: str) -> Dim:
    return Dim("", int(symbol)) if symbol.isdecimal() else Dim(symbol)


def _count(iterable: Expr) -> str | None:
    match iterable:
        case Call(Ref("range"), (stop,)):
            return _shown(stop)
    return None


def _shown(expr: Expr) -> str:
    return text(expr, base)


def lengths(program: Program, given: Mapping[str, Any], fact: Callable[[Var], Fact]) -> Lengths:
    """Return the lengths of a program for arguments."""
    made = {
        stmt.target: stmt.value
        for stmt in program.body
        if isinstance(stmt, Assign) and not stmt.unpack
    }
    loops = (stmt for stmt in statements(program.body) if isinstance(stmt, Loop))
    carried = (each for loop in loops for each in loop.carried if each.init is not None)
    begun = {var: each.init for each in carried for var in (each.head, each.exit) if each.init}
    return Lengths(given, made, fact, begun)
