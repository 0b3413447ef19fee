"""The state of the abstract run: a heap of cells, the statements made so far, names.

A frame is a cell whose slots are variables; what a variable holds is a value, mostly a name of the
program. Two slots never hold names that differ from what Python's names would hold: a name that
another slot still mentions is not assigned to, the value gets a fresh one.
"""

from __future__ import annotations

import itertools
import keyword
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from s2sad.ir.errors import NotYet, Refused, Span, UnknownFunction, Unsupported
from s2sad.ir.expression import Expr, Global, Role, Variable, calls, name
from s2sad.ir.program import Effect, Function, Let, Raise, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import UNKNOWN, Site, Tuple, Type
from s2sad.ir.types import Code as CodeType
from s2sad.ir.walk import read_variables
from s2sad.lowering.memory import Memory
from s2sad.lowering.values import (
    Cell,
    Choice,
    Closure,
    Data,
    Demand,
    Fails,
    Lazy,
    Partial,
    Ref,
    Tup,
    Value,
    held_in,
    holding,
    is_atomic,
    is_option,
    kept,
    literal,
)
from s2sad.operators.schedules import Schedule
from s2sad.source.owners import is_of_prelude
from s2sad.source.read import span_of
from s2sad.types import Context

if TYPE_CHECKING:
    from s2sad.lowering.lower import Machine

SPENT = "<spent>"  # the slot that says how far an iterator has been gone through
# it is being gone through; nothing is left of it; it was left on the way, perhaps
INSIDE, AT_END, LEFT = literal("inside"), literal("at its end"), literal("left")
PLACE = "place"  # the slot of the place of the item that an iterator gives next
EXIT = 0  # the cell that holds the flag of exits that pass through loops of the program
MODULE = -1  # the cell of the names of modules that are given a value
Heap = dict[int, Cell]
Slot = tuple[int, Any]


@dataclass(eq=False, slots=True)
class Scope:
    """A function or loop that statements may leave; `printed`: by a statement of the program.

    `left` and `again` are the heaps of the ways out and of the ways to the next pass; `broken` is
    the slot of the flag that says that a loop with `else` was broken off. In the first pass
    (`is_first`) what a later one sets has no value; `missing` are the fields that objects were
    asked for in a pass, and had not. `cells` are those of the iterators that a scope of the kind
    "iterator" goes through, which stands around the loop over them.
    """

    kind: str
    printed: bool
    frame: int
    carried: dict[Slot, Value] = field(default_factory=dict)
    left: list[Heap] = field(default_factory=list)
    again: list[Heap] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    broken: Slot | None = None
    is_first: bool = False
    cells: tuple[int, ...] = ()
    missing: set[Slot] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Own:
    """A function of the user's that is a Function of the program: how it is called.

    `free` are the names of the function around it that it is handed; `result` is what it
    gives, None where that is not known. While it is being made (`is_begun`) its result and its
    effect are those of the round before.
    """

    name: str
    free: tuple[Expr, ...]
    result: Data | None
    effect: Effect
    is_begun: bool = False


@dataclass(eq=False, slots=True)
class State:
    """One lowering: it begins again from nothing where another choice has to be taken."""

    context: Context
    choices: frozenset[Choice]
    memory: Memory
    copies: bool = False
    heap: Heap = field(default_factory=lambda: {EXIT: Cell("frame", {}), MODULE: Cell("frame", {})})
    count: int = 1
    block: list[Statement] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    ever: set[str] = field(default_factory=set)
    texts: dict[str, Any] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    contexts: list[Scope] = field(default_factory=list)
    frame: int = EXIT
    leaving: Any = None
    flags: dict[tuple[int, str], int] = field(default_factory=dict)  # of ways to leave blocks
    is_tried: bool = False  # a failure here is handled
    needs_values: bool = False  # a name without a value is waited for here
    is_handed: bool = False  # a display here is written out for a function of a library
    # what is bound to a name, or unpacked to several
    binding: tuple[Any, tuple[str, ...]] | None = None
    yielding: Any = None
    yields: int = 0  # how many loops over generators are run inside of each other
    span: Span | None = None
    fuel: int = 0
    closures: dict[Any, Closure] = field(default_factory=dict)
    own: dict[Any, Own | None] = field(default_factory=dict)
    effects: dict[str, Effect] = field(default_factory=dict)
    results: dict[str, Type] = field(default_factory=dict)
    early: set[str] = field(default_factory=set)
    forced: dict[Any, bool] = field(default_factory=dict)
    unset: set[Slot] = field(default_factory=set)
    partial: set[Slot] = field(default_factory=set)  # what has no value on some way
    too_early: int = 0  # reads of what a later pass sets
    function_cells: dict[Any, int] = field(default_factory=dict)
    copied: list[str] = field(default_factory=list)
    made: dict[type, int] = field(default_factory=dict)
    # what objects took from their classes: MISSING where the class had nothing
    taken: dict[tuple[type, str], Any] = field(default_factory=dict)
    making: list[Any] = field(default_factory=list)
    perhaps: dict[int, Value] = field(default_factory=dict)
    carried: dict[Any, dict[Slot, Value]] = field(default_factory=dict)
    # the schedules that loops ask for themselves, by file and line
    marks: dict[tuple[str, int], Schedule] = field(default_factory=dict)
    # what is made of functions that solvers are given, by what it is made of
    givens: dict[Any, Any] = field(default_factory=dict)


if not TYPE_CHECKING:
    Machine = State  # which has methods, too: see lowering/lower.py


# ---------------------------------------------------------------------------- cells, statements


def note_missing(m: Machine, place: int, wanted: str) -> None:
    """Note for the loops around that an object has no field of a name so far, or what it has."""
    for context in m.contexts:
        context.missing.add((place, wanted))


def new_cell(m: Machine, cell: Cell) -> Ref:
    """Put a cell on the heap."""
    m.count += 1
    m.heap[m.count] = cell
    return Ref(m.count)


@contextmanager
def failing_as_python(m: Machine) -> Iterator[None]:
    """Let what Python raises for a place that is not there be raised by the user's line."""
    try:
        yield
    except (IndexError, KeyError, AttributeError) as error:
        raise Fails(f"there is no such place: {error}", m.span, raised=type(error)) from None


def iterator(m: Machine, kind: str, parts: tuple[Any, ...], extra: Any = None) -> Lazy:
    """Return an iterator, which can be gone through once."""
    cell = Cell("iterator", {PLACE: literal(0)}, site=(kind, str(m.span)))
    return Lazy(kind, parts, extra, new_cell(m, cell).id)


def forked(heap: Heap) -> Heap:
    """Return a heap that can be changed apart from another."""
    return {place: cell.copy() for place, cell in heap.items()}


def closure_at(m: Machine, frame: int | None = None) -> Closure:
    """Return the function that a frame belongs to."""
    closure = m.heap[m.frame if frame is None else frame].closure
    if closure is None:
        raise NotYet("a statement outside of a function", m.span)
    return closure


def emit(m: Machine, statement: Statement) -> None:
    """Add a statement to the program; behind an error that a call raises none is reached."""
    burn(m, 1)
    if not m.block or not isinstance(m.block[-1], Raise):
        m.block.append(statement)


def burn(m: Machine, statements: int) -> None:
    """Count statements against the most that a lowering may make."""
    m.fuel -= statements
    if m.fuel < 0:
        raise NotYet("a function of so many statements", m.span)


def place_of(m: Machine, node: Any) -> Span | None:
    """Return the place of a node in the user's file, and make it the place of what follows."""
    frame = m.heap[m.frame]
    closure = frame.closure
    span = None if closure is None else span_of(closure.path, closure.name, node)
    if span is not None:
        caller = None if frame.site is None else frame.site[0]
        is_plain = caller is None and frame.entered is None
        m.span = span if is_plain else replace(span, caller=caller, entered=frame.entered)
    return m.span


def is_counted(m: Machine, cell: int) -> bool:
    """Tell whether the items that an iterator has given are counted while the program runs."""
    return ("place", m.heap[cell].site) in m.choices


def used_up(m: Machine, cell: int) -> Refused:
    """Count what an iterator has given, or return the refusal of one of which it is not known."""
    if not is_counted(m, cell):
        raise Demand(("place", m.heap[cell].site))
    return Unsupported.refused(
        "this is an iterator, and is gone through again where it was left",
        m.span,
        "Make a list of its items first, items = list(...), and go through that.",
    )


def refusal(m: Machine, reason: str) -> NotYet:
    """Return the refusal of what stands at the place that is lowered."""
    return NotYet(reason, m.span)


def flip(m: Machine, site: Any, way: str) -> NoReturn:
    """Ask that a structure be memory of the run, or be known while lowering."""
    if site is not None and (way, site) not in m.choices:
        raise Demand((way, site))
    problem = "what a list, dict or object holds is not known when the derivative is made"
    hint = (
        "It holds functions, or on one way other things than on the next. Choose with an `if` around\n"
        "the calls, and give it the same keys and fields on every way."
    )
    raise UnknownFunction.refused(problem, m.span, hint)


def bound_words(m: Machine, node: Any) -> tuple[str, ...]:
    """Return the name that a node is bound to, or those that it is unpacked to."""
    return m.binding[1] if m.binding is not None and m.binding[0] is node else ()


def site_of(m: Machine, node: Any) -> Site:
    """Return what tells a node apart in every lowering."""
    frame = m.heap[m.frame]
    path = ("", "") if frame.closure is None else (frame.closure.path, frame.closure.name)
    place = getattr(node, "lineno", 0), getattr(node, "col_offset", 0), type(node).__name__
    return (*path, *place) if frame.site is None else (*path, *place, frame.site)


# ---------------------------------------------------------------------------- names


def fresh(m: Machine, wanted: str, role: Role = Role.PRIMAL) -> Variable:
    """Return a variable whose name nothing in the function has."""
    wanted = wanted if wanted.isidentifier() and not keyword.iskeyword(wanted) else "value"
    number = 0
    while True:
        found = Variable(wanted, number, role)
        if str(found) not in m.used and str(found) not in m.texts:
            m.used.add(str(found))
            m.ever.add(str(found))
            return found
        number += 1


def global_expr(m: Machine, wanted: str, obj: Any) -> Expr:
    """Return how an object of a module is written in the program: one text means one object."""
    wanted = "".join(c for c in wanted if c not in "<>") or "thing"
    head = wanted.split(".")[0]
    found, number = wanted, 0
    while found in m.used or head in m.used or m.texts.get(found, obj) is not obj:
        number += 1
        found = head = f"{wanted.replace('.', '_')}_{number}"
    m.texts[found] = obj
    m.texts.setdefault(found.split(".")[0], _Head)
    return Expr("global", (), Global(found, obj), CodeType(obj), None, m.span)


class _Head:
    """Stands for the module that a dotted text begins with."""


def mentioned(value: Any) -> Iterator[Variable]:
    """Yield the variables that a value is made of."""
    if isinstance(value, Data):
        yield from read_variables(value.expr)
    for part in held_in(value):
        yield from mentioned(part)


def is_mentioned(m: Machine, variable: Variable, slot: Slot, heap: Heap | None = None) -> bool:
    """Tell whether another slot than this one is written with a variable."""
    for place, cell in (heap or m.heap).items():
        for key, value in cell.slots.items():
            if isinstance(value, Data) and value.expr.op == "name":
                # nearly every slot: asked without a search
                found = value.expr.data is variable
            else:
                found = variable in mentioned(value)
            if found and (place, key) != slot:
                return True
    return False


def slot_variable(m: Machine, slot: Slot, heaps: tuple[Heap, ...] = ()) -> Variable:
    """Return the variable that a slot is put under: the user's own where it is free."""
    place, key = slot
    heaps = heaps or (m.heap,)
    cell = next(heap[place] for heap in heaps if place in heap)
    known = cell.names.get(key)
    if known is not None and str(known) in m.used:
        if not any(is_mentioned(m, known, slot, heap) for heap in heaps):
            return known
    cell.names[key] = fresh(m, hint(cell, slot), _role(cell))
    return cell.names[key]


def _role(cell: Cell) -> Role:
    """Return the role of what stands in slots: the names of the prelude are none of the user's."""
    of_prelude = cell.closure is not None and is_of_prelude(cell.closure.path)
    return Role.TERM if of_prelude and cell.kind == "frame" else Role.PRIMAL


def hint(cell: Cell, slot: Slot) -> str:
    """Return the name that a slot would like."""
    place, key = slot
    if place == EXIT:
        return "way_out"
    if place == MODULE:
        return str(key).rpartition(".")[2]
    if cell.kind == "frame":
        return str(key).strip("<>.") or "value"
    cell.word = cell.word or (cell.kind if cell.cls is None else cell.cls.__name__.lower())
    plain = str(key).isidentifier() or (isinstance(key, int) and key >= 0)
    return f"{cell.word}_{key}" if plain else f"{cell.word}_item"


def bind(m: Machine, variable: Variable, value: Data) -> Data:
    """Have a variable hold data; return it as that variable."""
    if value.pending is not None:
        emit(m, value.pending(variable))
    elif not (value.expr.op == "name" and value.expr.data == variable):
        emit(m, Let(variable, value.expr, m.span))
    return as_name(variable, value)


def bound_at_once(m: Machine, pairs: list[tuple[Variable, Expr]]) -> list[Statement]:
    """Return assignments that happen at once."""
    if len(pairs) < 2:
        return [Let(target, expr, m.span) for target, expr in pairs]
    exprs = tuple(expr for _, expr in pairs)
    together = Expr("tuple", exprs, None, Tuple(tuple(e.type for e in exprs)), None, m.span)
    return [Let(tuple(target for target, _ in pairs), together, m.span)]


def as_name(variable: Variable, value: Data) -> Data:
    """Return data under the variable that holds it."""
    known = value.known
    return Data(replace(name(variable, value.type, value.expr.span), known=known), value.origins)


def put(m: Machine, slot: Slot, value: Value, always: bool = True) -> None:
    """Set a slot; data that is no name yet (for variables: always) gets one."""
    cell = m.heap[slot[0]]
    value = kept(value)
    if not isinstance(value, Data) or value.expr.op == "slice":
        value = stable(m, value, hint(cell, slot))
    elif always or value.pending is not None or not is_atomic(value.expr):
        value = bind(m, slot_variable(m, slot), value)
    cell.slots[slot[1]] = value


# what is called so has no name of the user's
OF_OURS = frozenset(
    "bound default either found item made number other over owner part parts start value".split()
)


def named(m: Machine, value: Data, wanted: str) -> Data:
    """Return data under a name of its own; one of ours stands where it is used, if it can."""
    role = Role.TERM if wanted in OF_OURS else Role.PRIMAL
    return bind(m, fresh(m, wanted, role), value)


@contextmanager
def held(m: Machine, values: list[Any]) -> Iterator[None]:
    """Hold values that are read after statements: the variables in them are not assigned to."""
    kept = {place: value for place, value in enumerate(values) if isinstance(value, Value)}
    cell = new_cell(m, Cell("frame", kept, "held"))
    try:
        yield
    finally:
        m.heap.pop(cell.id, None)


def settled(m: Machine, value: Value, wanted: str = "value") -> Value:
    """Return a value whose effect has happened."""
    if isinstance(value, Data) and value.pending is not None:
        return named(m, value, wanted)
    return value


# they stand where they are read; what they are made of has names that end so
OF_NAMES = {"starred": ("",), "slice": ("_start", "_stop", "_step")}


def stable(m: Machine, value: Value, wanted: str) -> Value:
    """Return a value whose expressions are names."""
    value = kept(value)
    if isinstance(value, Data):
        if value.known is not None and is_option(value.known.value):
            settled(m, value)
            return literal(value.known.value, value.expr.span)
        if value.expr.op in OF_NAMES:
            held = zip(OF_NAMES[value.expr.op], value.expr.args, strict=True)
            parts = [stable(m, replace(value, expr=arg), wanted + end) for end, arg in held]
            return replace(value, expr=value.expr.with_args(part.expr for part in parts))
        is_name = is_atomic(value.expr) and value.pending is None
        return value if is_name else named(m, value, wanted)
    if isinstance(value, Closure):
        return value
    words, held = _words(value, wanted), held_in(value)
    keeps = [isinstance(value, Lazy) and _is_fixed(part) for part in held]
    parts = zip(words, held, keeps, strict=False)
    return holding(value, [part if keep else stable(m, part, word) for word, part, keep in parts])


def _words(value: Value, wanted: str) -> Iterator[str]:
    """Yield what the parts of a value would like to be called."""
    if isinstance(value, Partial):
        yield from (*(wanted for _ in value.args), *value.kwargs)
    for k in itertools.count():
        yield f"{wanted}_{k}" if isinstance(value, Tup) else wanted


def _is_fixed(part: Value) -> bool:
    """Tell whether a part of an iterator is a range of names and numbers."""
    is_range = isinstance(part, Data) and calls(part.expr, range)
    return is_range and all(map(is_atomic, part.expr.args))  # type: ignore[union-attr]


def unknown(variable: Variable) -> Data:
    """Return a variable of which nothing is known."""
    return Data(name(variable, UNKNOWN))


def site_or_none(m: Machine, node: Any) -> Any:
    return None if node is None else site_of(m, node)
