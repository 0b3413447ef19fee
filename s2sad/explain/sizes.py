"""How many bytes a value takes: a formula in the lengths of arguments, and a number where they are given.

u of float64, (u.0 - 2,)     8 * (len(u) - 2)          for u of 1000 elements 7984
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sad.facts import Dim, Fact
from s2sad.printing import text
from s2sad.program import Assign, Call, Expr, Program, Ref, Var, base
from s2sad.traverse import reads, substitute, walk

LENGTH = re.compile(r"(\w+)@0\.(\d+)")
VALUE = re.compile(r"#(\w+)@0")


@dataclass(frozen=True)
class Size:
    """A number of bytes or of passes: its formula, and what that gives, if it is known."""

    formula: str
    number: float | None

    def times(self, other: Size) -> Size:
        """Return the product of two sizes."""
        known = self.number is not None and other.number is not None
        number = self.number * other.number if known else None  # type: ignore[operator]
        parts = [part.formula for part in (self, other) if part.formula != "1"]
        return Size(" * ".join(parts) or "1", number)


@dataclass(frozen=True)
class Lengths:
    """Arguments by name, and the values of a function that are computed from them alone."""

    given: Mapping[str, Any]
    made: Mapping[Var, Expr]

    def of_dim(self, dim: Dim) -> Size:
        """Return a length."""
        length, value = LENGTH.fullmatch(dim.symbol), VALUE.fullmatch(dim.symbol)
        if not dim.symbol:
            return Size(str(dim.offset), dim.offset)
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

    def bytes_of(self, fact: Fact) -> Size:
        """Return the bytes of a value; numbers take none to speak of."""
        if fact.is_scalar or fact.kind in ("none", "str"):
            return Size("0", 0)
        if not fact.is_array or not isinstance(fact.shape, tuple) or not fact.dtype:
            return Size("?", None)
        whole = Size(str(np.dtype(fact.dtype).itemsize), np.dtype(fact.dtype).itemsize)
        for dim in fact.shape:
            whole = whole.times(self.of_dim(dim))
        return whole

    def passes_of(self, iterable: Expr | None) -> Size:
        """Return how often a loop runs."""
        if iterable is None:
            return Size("passes", None)
        number = None
        with suppress(Exception):  # whatever an argument may raise: then it is not known
            number = len(self._evaluated(iterable))
        return Size(_count(iterable) or f"len({_shown(iterable)})", number)

    def _evaluated(self, expr: Expr, depth: int = 0) -> Any:
        if depth > 20:
            raise ValueError("too deep")
        expr = substitute(expr, lambda var: self.made.get(var, var))
        if any(var in self.made for var in reads(expr)):
            return self._evaluated(expr, depth + 1)
        plain = (part for part in walk(expr) if isinstance(part, Ref) and "." not in part.text)
        space = {"np": np} | {ref.text: ref.value for ref in plain}
        if any(var.version != 0 for var in reads(expr)):
            raise ValueError("not an argument")
        return eval(text(expr, base), {**space, **self.given})


def _count(iterable: Expr) -> str | None:
    match iterable:
        case Call(Ref("range"), (stop,)):
            return _shown(stop)
    return None


def _shown(expr: Expr) -> str:
    return text(expr, base)


def lengths(program: Program, given: Mapping[str, Any]) -> Lengths:
    """Return the lengths of a program for arguments."""
    made = {
        stmt.target: stmt.value
        for stmt in program.body
        if isinstance(stmt, Assign) and not stmt.unpack
    }
    return Lengths(given, made)
