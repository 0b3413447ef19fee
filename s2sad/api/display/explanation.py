"""What a gradient keeps, computes again and saves, in bytes, and what its peak of memory will be.

print(s2sad.explain(f, like=args))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from s2sad.api.display.counts import Count, Passes
from s2sad.api.display.kept import kept
from s2sad.api.display.peak import peak, text_names
from s2sad.api.pipeline import gradient_of, tools_for
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Function, Let, Program, Save, While
from s2sad.ir.walk import bound, statements
from s2sad.optimize import simplify

FIRST = ".shape[0]"


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Row:
    """How one value is had again: the line that makes it, its name, and its bytes."""

    line: int
    name: str
    how: str
    size: Size
    why: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The rows of all values that the reverse sweep reads, and the predicted peak in bytes.

    `peak` leaves out what the arguments take; it is None where a length is not known before.
    `waits` are the lines in which a text for a device waits for it; `notes` say which arguments
    only decide what is computed.
    """

    rows: tuple[Row, ...]
    peak: float | None
    formula: str
    waits: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Return the table as texts, its head first."""
        return [("line", "value", "is", "bytes", "because"), *map(_cells, self.rows)]

    def _repr_html_(self) -> str:
        from s2sad.api.display.notebook import explanation_html

        return explanation_html(self)

    def __str__(self) -> str:
        cells = self.cells
        widths = [max(len(row[n]) for row in cells) for n in range(4)]
        lines = [
            "  ".join([*(row[n].ljust(widths[n]) for n in range(4)), row[4]]).rstrip()
            for row in cells
        ]
        known = "not known before" if self.peak is None else readable(self.peak)
        saved = f", of which saved: {self.formula}" if self.formula else ""
        waits = [f"line {each.line}: {each.what} waits for the device" for each in self.waits]
        return "\n".join([*lines, f"peak: {known}{saved}", *waits, *self.notes])


KEPT = ("saved", "kept", "states", "on disk")


def _cells(row: Row) -> tuple[str, ...]:
    size = row.size.formula
    if row.how in KEPT and row.size.number:
        size += f" = {readable(row.size.number)}"
    elif row.how not in KEPT:
        size = ""
    return str(row.line or ""), row.name, row.how, size, row.why


def readable(size: float) -> str:
    """Return a number of bytes as people say it."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000.0:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.3g} {unit}"
        size /= 1000.0
    return f"{size:.3g} TB"


def explained(
    function: Any, wrt: tuple[str, ...], single: bool, examples: Mapping[str, Any]
) -> Explanation:
    """Return what the gradient of the rooms keeps for arguments; NotYet where they write none."""
    made = gradient_of(function, examples, wrt, "grad", single)
    if made.primal.facts.get("marks"):
        raise NotYet("what loops keep that ask for their schedules")
    program = simplify(made.program, made.context)
    names = {**made.source.module, **made.source.cells, **examples}
    sizes = dict(made.context.assumptions.sizes)
    passes = Passes(names, sizes, made=_definitions(program.function))
    rows = tuple(sorted(_rows(program, passes), key=lambda row: row.line))
    saved = [row.size for row in rows if row.how == "saved"]
    known = all(size.number is not None for size in saved) and not _saves_in_while(program)
    most = peak(program, passes, tools_for(made.primal, made.context).shares) if known else None
    formula = " + ".join(dict.fromkeys(size.formula for size in saved if size.number != 0))
    return Explanation(rows, most, formula)


def _saves_in_while(program: Program) -> bool:
    """Tell whether loops save values that end nobody knows when."""
    every = (s for each in program.functions.values() for s in statements(each.body))
    loops = (s for s in every if isinstance(s, While))
    return any(isinstance(inner, Save) for loop in loops for inner in statements(loop.body))


def _rows(program: Program, passes: Passes) -> Iterator[Row]:
    """Yield a row for each value of the function, and of those that have derivatives of their own."""
    for each in program.functions.values():
        called = {str(variable): name for variable, name in text_names(each, program).items()}
        for value in kept(each, passes):
            *before, own = value.name.split()
            name = " ".join([*before, called.get(own, own)])
            yield Row(value.line, name, value.how, _size(value.size, passes), value.why)


def _definitions(function: Function) -> dict[str, Expr]:
    """Return what the variables are bound to that are bound once."""
    often = Counter(variable for each in statements(function.body) for variable in bound(each))
    found = {}
    for each in statements(function.body):
        match each:
            case Let(target=Variable() as target, value=value) if often[target] == 1:
                found[str(target)] = value
    return found


def _size(count: Count, passes: Passes) -> Size:
    """Return an amount, its lengths as Python says them."""
    symbols = count.length.symbols
    called = {s: f"len({s.removesuffix(FIRST)})" for s in symbols if s.endswith(FIRST)}
    if count.is_least:
        return Size("?", None)
    return Size(count.formula(called), passes.number(count))
