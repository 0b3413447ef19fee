"""What a gradient keeps, computes again and waits for, its peak of memory, and the schedule for a budget.

print(s2sad.explain(f, like=args, checkpoint="sqrt"))

s2sad.grad(f, memory="2 GB", like=args)

if x[0] > 0.0:        line 12: the test waits for the device
float(np.sum(u))      line 14: float() waits for the device
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from s2sad.api.arrays import as_examples
from s2sad.api.display import counts
from s2sad.api.display.counts import Passes
from s2sad.api.display.kept import Row, kept, rows_of_states
from s2sad.api.display.markup import aligned
from s2sad.api.display.peak import peak, text_names
from s2sad.api.pipeline import gradient_of
from s2sad.api.request import Request
from s2sad.api.rounds import Derived
from s2sad.api.tools import tools_for
from s2sad.checkpoint.kept import Kept
from s2sad.ir.errors import ArgumentError
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Function, If, Let, Program, Save, Statement, While
from s2sad.ir.records import dataclass, replace
from s2sad.ir.walk import bind_counts, own_nodes, statements
from s2sad.operators.in_force import using
from s2sad.operators.schedules import Binomial, Schedule, Schedules
from s2sad.optimize import simplify
from s2sad.optimize.device import TO_HOST, Names, held_by_device, is_held
from s2sad.types.checks import letters


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
        from s2sad.api.display.notebook import cell, explanation_table

        return cell("table", explanation_table(self))

    def __str__(self) -> str:
        kept = aligned(self.cells) if self.rows else ["nothing is kept"]
        return "\n".join([*kept, *self.below])

    __repr__ = __str__

    @property
    def below(self) -> list[str]:
        """Return what is said below the table."""
        known = "not known before" if self.peak is None else readable(self.peak)
        saved = f", of which saved: {self.formula}" if self.formula else ""
        waits = [f"line {each.line}: {each.what} waits for the device" for each in self.waits]
        return [f"peak: {known}{saved}", *waits, *self.notes]


KEPT = ("saved", "kept", "states", "on disk")


def _cells(row: Row) -> tuple[str, ...]:
    size = row.size.formula
    if row.how in KEPT and row.size.number:
        amount = readable(row.size.number)
        size = amount if size.isdigit() else f"{size} = {amount}"
    elif row.how not in KEPT:
        size = ""
    return str(row.line or ""), row.name, row.how, size, row.why


def readable(size: float) -> str:
    """Return a number of bytes as people say it."""
    return f"{size:.0f} bytes" if size < 1000.0 else counts.readable(size, "B")


@dataclass(frozen=True, slots=True)
class Measured:
    """A gradient as it is written, with how often its loops run and which of them have schedules."""

    made: Derived
    program: Program
    passes: Passes
    loops: Mapping[str, Kept]
    waits: tuple[Wait, ...] = ()

    def with_schedule(self, schedule: Schedule) -> Measured:
        """Return the same gradient with another schedule for its loops."""
        loops = {name: replace(each, schedule=schedule) for name, each in self.loops.items()}
        return replace(self, loops=loops)

    @property
    def peak(self) -> float:
        """Return the most bytes that it has at one time, as far as sizes are known."""
        shares = tools_for(self.made.primal, self.made.context).shares
        return peak(self.program, self.passes, shares, self.loops)


def measured(
    request: Request, examples: Mapping[str, Any] | None, lettered: bool = False
) -> Measured:
    """Return the gradient that a request asks for, to be measured; NotYet where there is none.

    Lengths are told as Python says them, or with letters, which have a legend.
    """
    like = None if examples is None else as_examples(examples)
    asked = request if request.form == "vjp" else replace(request, form="grad")
    with using(request.rules):
        made = gradient_of(asked, like)
    found = measure(made, simplify(made.program, made.context), examples or {}, lettered)
    return found if request.arrays == "numpy" else replace(found, waits=waits_of(found.program))


def measure(
    made: Derived, program: Program, given: Mapping[str, Any], lettered: bool = False
) -> Measured:
    """Return a gradient as it stands after a room; `given` are arguments, where they are known."""
    names = {**made.source.module, **made.source.cells, **given}
    sizes = dict(made.context.assumptions.sizes)
    called = letters(made.primal, made.context) if lettered else {}
    passes = Passes(names, sizes, called, made=_definitions(program.function))
    assert made.derivation is not None
    loops = {n: each for n, each in made.derivation.kept.items() if n in program.functions}
    return Measured(made, program, passes, loops)


def explained(found: Measured) -> Explanation:
    """Return what a gradient keeps for its arguments."""
    rows = tuple(sorted(_rows(found), key=lambda row: row.line))
    saved = [row.size for row in rows if row.how in ("saved", "states")]
    known = all(size.number is not None for size in saved) and not _saves_in_while(found.program)
    formula = " + ".join(dict.fromkeys(size.formula for size in saved if size.number != 0))
    return Explanation(rows, found.peak if known else None, formula, found.waits)


def _saves_in_while(program: Program) -> bool:
    """Tell whether loops save values that end nobody knows when."""
    loops = (s for s in statements(program.body) if isinstance(s, While))
    return any(isinstance(inner, Save) for loop in loops for inner in statements(loop.body))


def _rows(found: Measured) -> Iterator[Row]:
    """Yield a row for each value of the function, and of those that have derivatives of their own."""
    program, passes = found.program, found.passes
    for each in program.functions.values():
        names = text_names(each, program)
        yield from kept(each, passes, names)
        if each.name in found.loops:
            yield from rows_of_states(found.loops[each.name], passes, names)


def _definitions(function: Function) -> dict[str, Expr]:
    """Return what the variables are bound to that are bound once."""
    often = bind_counts(function.body)
    found = {}
    for each in statements(function.body):
        match each:
            case Let(target=Variable() as target, value=value) if often[target] == 1:
                found[str(target)] = value
    return found


UNITS = {"": 1.0, "B": 1.0, "bytes": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
UNITS |= {"KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30, "TiB": 2.0**40}
AMOUNT = re.compile(r"\s*(\d+(?:\.\d*)?)\s*([a-zA-Z]*)\s*")


def within(request: Request, examples: Mapping[str, Any], memory: str | float) -> Request:
    """Return the request with schedules whose predicted peak is within a budget.

    Raises ArgumentError for what is no amount, for a budget that no schedule meets, and where
    lengths are not known before the function runs.
    """
    budget = _bytes(memory)
    plain = explained(measured(request, examples))
    if plain.peak is not None and plain.peak <= budget:
        return replace(request, note=_note(plain.peak))
    least = measured(replace(request, schedules=Schedules(Binomial(1))), examples)
    if explained(least).peak is None:
        raise ArgumentError(
            "the peak of memory is not known before the function runs, so no budget can be kept",
            hint="Choose a schedule yourself: checkpoint=s2sad.Binomial(slots=20).",
        )

    def peak(slots: int) -> float:
        return least.with_schedule(Binomial(slots)).peak

    if peak(1) > budget:
        raise ArgumentError(
            f"no schedule keeps within {readable(budget)}: {_rounded_up(peak(1))} is the least",
            hint="Give more memory, or smaller arguments.",
        )
    slots = _most(peak, budget)
    return replace(request, schedules=Schedules(Binomial(slots)), note=_note(peak(slots)))


def _rounded_up(size: float) -> str:
    """Return a size in three digits, and no smaller than it is: as a budget it is met."""
    unit = 10.0 ** (math.floor(math.log10(size)) - 2)
    return readable(math.ceil(size / unit) * unit)


def _most(peak: Callable[[int], float], budget: float) -> int:
    """Return the most slots within a budget; more than there are passes are never needed."""
    low, high = 1, 2
    while peak(high) <= budget and high < 1 << 40:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if peak(middle) <= budget else (low, middle)
    return low


def _note(peak: float) -> str:
    return f"Predicted peak of memory: {readable(peak)} for arguments of the size given."


def _bytes(memory: str | float) -> float:
    found = AMOUNT.fullmatch(memory) if isinstance(memory, str) else None
    if found and found[2] in UNITS:
        return float(found[1]) * UNITS[found[2]]
    if isinstance(memory, int | float) and not isinstance(memory, bool) and memory > 0:
        return float(memory)
    raise ArgumentError(
        f"memory= takes an amount such as '2 GB' or 5e8 bytes, not {memory!r}",
        hint="Write a number of bytes, or one with a unit: '500 MB'.",
    )


NUMBERS = frozenset({"float", "int", "bool", "complex"})


@dataclass(frozen=True, slots=True)
class Wait:
    """The line of a statement that waits for the device, and what of it does."""

    line: int
    what: str


def waits_of(program: Program) -> tuple[Wait, ...]:
    """Return what of a derivative waits for the device, in the order of the lines."""
    found = {wait for function in program.functions.values() for wait in _of_function(function)}
    return tuple(sorted(found, key=lambda wait: (wait.line, wait.what)))


def _of_function(function: Function) -> Iterator[Wait]:
    held = held_by_device(function)
    for statement in statements(function.body):
        if statement.span is not None:
            for what in _of_statement(statement, held):
                yield Wait(statement.span.line, what)


def _of_statement(statement: Statement, held: Names) -> Iterator[str]:
    if isinstance(statement, If | While) and is_held(statement.test, held):
        yield "the test"
    for node in own_nodes(statement):
        yield from _of_node(node, held)


def _of_node(node: Expr, held: Names) -> Iterator[str]:
    if node.op == "conditional" and is_held(node.args[0], held):
        yield "the test"
    if node.op != "call":
        return
    function, *args = node.args
    if function.op == "global":
        text = function.data.text
        is_number = text in NUMBERS or text.startswith("math.")
        if is_number and any(is_held(arg, held) for arg in args):
            yield f"{text}()"
    elif function.op == "attribute" and function.data in TO_HOST:
        if is_held(function.args[0], held):
            yield f".{function.data}()"
