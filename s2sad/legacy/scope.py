"""What is known while a function is lowered: which value each name holds, and what came out.

One Scope per function body; functions lowered into their caller share its Numbers, so that no
two of their names meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy.blocks import all_defines
from s2sad.legacy.desugar.names import ALL
from s2sad.legacy.held import Held
from s2sad.legacy.links import IS_TRUE, Asked, Question, as_part, forgotten, rekeyed
from s2sad.legacy.program import (
    NONE,
    Assign,
    Block,
    Call,
    Const,
    Expr,
    Op,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.statics.kinds import Function, Record, Static, Statics, agreed
from s2sad.legacy.traverse import expressions, reads, statements, walk
from s2sad.source.text import MISSING, Source, span


@dataclass
class Numbers:
    """Counts versions of slots, temporaries of names, and functions lowered in place."""

    versions: Counter[str] = field(default_factory=Counter)
    temps: Counter[str] = field(default_factory=Counter)
    inlined: int = 0
    # how often a function was lowered inside itself
    again: int = 0
    keys: int = 0
    records: int = 0
    # what happened to lists of objects, by their numbers
    events: set[tuple[int, str]] = field(default_factory=set)
    # slots that count the passes of loops over such lists
    counters: set[str] = field(default_factory=set)
    # how many loops are going through such a list
    going: Counter[int] = field(default_factory=Counter)
    # the function that all objects of such a list have in a field, None before there is any
    common: dict[tuple[int, Any], Expr | None] = field(default_factory=dict)
    # slots of objects that are handed to a call, and whose name is read nowhere else
    given_up: set[str] = field(default_factory=set)
    # what the lists in these slots are given in loops: a class, and its fields
    lists: Mapping[str, tuple[Any, tuple[Any, ...]]] = field(default_factory=dict)
    # whether displays of objects are such lists from the start; and whether there is any
    in_columns: bool = False
    displayed: bool = False

    def copy(self) -> Numbers:
        """Return numbers that go on from these."""
        return replace(self, versions=self.versions.copy(), temps=self.temps.copy())

    def next(self, slot: str) -> Var:
        """Return a new value of `slot`."""
        self.versions[slot] += 1
        return Var(slot, self.versions[slot])

    def key(self) -> int:
        """Return a new key for a branch or loop."""
        self.keys += 1
        return self.keys

    def temp(self, name: str) -> Var:
        """Return a new temporary called after `name`."""
        name = base(name)
        self.temps[name] += 1
        return self.next(f"{name}%{self.temps[name]}")


def numbers_after(program: Program) -> Numbers:
    """Return numbers that give no value, temporary or key of `program` a second time."""
    numbers = Numbers()
    variables = [param.var for param in program.params]
    for stmt in program.body:
        variables += all_defines(stmt)
    for stmt in statements(program.body):
        numbers.keys = max(numbers.keys, getattr(stmt, "key", 0))
    for var in variables:
        numbers.versions[var.slot] = max(numbers.versions[var.slot], var.version)
        name, _, count = var.slot.partition("%")
        if count.isdigit():
            numbers.temps[name] = max(numbers.temps[name], int(count))
    return numbers


class ListOfObjects(Exception):
    """A list is given objects in a loop: it is one of objects from where it was begun."""

    def __init__(self, slot: str, kind: tuple[Any, tuple[Any, ...]]):
        self.slot, self.kind = slot, kind


OnCall = Callable[[Call, Any, "Scope", bool], Expr]
OnRecord = Callable[[Expr, Any, "Scope", bool], Expr]
OnStatic = Callable[[Any, "Scope", bool], Expr | None]
OnValue = Callable[[Expr, "Scope"], Expr | None]
OnObject = Callable[[Expr, "Scope"], Any]


@dataclass
class Scope:
    """The state of lowering one function."""

    source: Source
    locals: frozenset[str]
    numbers: Numbers
    suffix: str = ""
    held: Held = field(default_factory=Held)
    slots: dict[str, str] = field(default_factory=dict)
    imports: dict[str, Any] = field(default_factory=dict)
    out: list[Stmt] = field(default_factory=list)
    called_after: str = "result"
    undecided: bool = False  # whether this is a side of a branch that may not run
    active_calls: tuple[Any, ...] = ()
    # where the calls stand through which this function is lowered
    called_at: tuple[Span, ...] = ()
    # places of syntax that is written out; None: all that can be
    opened: frozenset[Span] | None = frozenset()
    on_call: OnCall = lambda call, node, scope, nested: call
    on_static: OnStatic = lambda node, scope, nested: None
    on_record: OnRecord = lambda thing, node, scope, nested: thing
    # which function a value is, if it is one
    on_value: OnValue = lambda value, scope: None
    # what stands for a method that is taken as a value, or for a lambda; None for what has a value
    on_function: Callable[[Any, Scope], Expr | None] = lambda thing, scope: None
    on_object: OnObject = lambda value, scope: MISSING
    first_temp: int = 0
    at: Span | None = None  # the place of the statement that is lowered
    # slots that a call in this statement may give to another value
    changing: frozenset[str] = frozenset()
    # where what is added to is read: the values by then, and how many statements there were
    read_at: dict[str, tuple[dict[str, Var], int]] = field(default_factory=dict)

    def inside(
        self, function: Any, source: Source, names: frozenset[str], node: Any, **own: Any
    ) -> Scope:
        """Return the scope of a function that is lowered here, its `names` apart from all others."""
        self.numbers.inlined += 1
        first: dict[str, Any] = {"slots": {}, "imports": {}, "first_temp": 0}
        return replace(
            self,
            source=source,
            locals=names,
            suffix=f"&{self.numbers.inlined}",
            called_after="result",
            active_calls=(*self.active_calls, function),
            called_at=(*self.called_at, self.span(node)),
            changing=frozenset(),
            **{**first, **own},
        )

    def slot(self, name: str) -> str:
        """Return the slot that holds what the function calls `name`."""
        return self.slots.get(name, name + self.suffix)

    def has(self, name: str) -> bool:
        """Tell whether the local `name` holds a value."""
        return self.slot(name) in self.held.values

    def value(self, name: str) -> Var:
        """Return the value that the local `name`, which has one, holds."""
        return self.held.values[self.slot(name)]

    def static(self, name: str) -> Static | None:
        """Return what the local `name` holds where that is no value."""
        return self.held.statics.get(self.slot(name)) if name in self.locals else None

    def hold(self, name: str, static: Static) -> None:
        """Bind the local `name` to what is no value."""
        slot = self.slot(name)
        self.drop(slot)
        self.held.statics = {**self.held.statics, slot: static}

    def opens_here(self, node: Any) -> bool:
        """Tell whether syntax is to be opened, or the statement in which it stands."""
        at = self.at is not None and self.opened is not None and self.at in self.opened
        return at or self.opens(node)

    def opens(self, node: Any, only_named: bool = False) -> bool:
        """Tell whether syntax at a place that could be copied as it stands is to be opened."""
        if self.opened is not None and self.span(node) in self.opened:
            return True
        return not only_named and (self.opened is None or ALL in self.opened)

    @property
    def doubts(self) -> bool:
        """Tell whether the function is lowered anew, because a write in it was refused."""
        return self.opened is None

    def define(self, name: str) -> Var:
        """Bind the local `name` to a new value."""
        slot = self.slot(name)
        self._release(slot)
        self.held.links = forgotten(self.held.links, slot)
        return self.renew(slot)

    def renew(self, slot: str) -> Var:
        """Return a new value of a slot; it is of the object that the slot held before."""
        return self.hold_again(self.numbers.next(slot))

    def hold_again(self, value: Var) -> Var:
        """Let a slot hold another value, which is of the object that it held before."""
        self.held.links = rekeyed(self.held.links, value.slot)
        self.held.values[value.slot] = value
        return value

    def drop(self, slot: str) -> None:
        """Leave a slot without a value."""
        self._release(slot)
        self.held.links = forgotten(self.held.links, slot)
        self.held.values.pop(slot, None)

    def _release(self, slot: str) -> None:
        if slot in self.held.statics:
            rest = {name: static for name, static in self.held.statics.items() if name != slot}
            self.held.statics = rest

    def settle(self, *ways: Statics) -> None:
        """Hold what names hold on all ways; where that differs they hold nothing."""
        statics = ways[0]
        for way in ways[1:]:
            statics = agreed(statics, way)
        for slot in statics:
            self.drop(slot)
        self.held.statics = statics

    def is_own(self, slot: str) -> bool:
        """Tell whether a slot belongs to this function, not to one that was lowered into it."""
        if "$" in slot:  # a field belongs to its record, wherever that was made
            return True
        return slot.endswith(self.suffix) if self.suffix else "&" not in slot

    def read(self, name: str, node: Any) -> Var:
        """Return the value that the local `name` holds."""
        static = self.static(name)
        if isinstance(static, Record | Function):
            return Var(self.slot(name), 0)  # stands for it; in no statement
        if static is not None:
            raise static_as_value(static, self.span(node))
        if not self.has(name):
            if not self.suffix and self.source.resolve(name) is not MISSING:
                raise changes_module(name, self.span(node))
            raise Unsupported(
                f"{base(name)} is read before it has a value",
                self.span(node),
                "Give it a value on every path before this line.",
            )
        return self.value(name)

    def ask(self, asked: Asked) -> str:
        """Return what is known of a question; what is asked may be answered the next time."""
        self.held.asked[asked.question] = asked
        return self.held.answers.get(asked.question, "")

    def ask_of_way(self, asked: Asked) -> str | None:
        """Return OTHERS for values without memory in common, "" for others, None if not known yet."""
        self.held.asked_of_ways.append(asked)
        return self.held.answers.get(asked.question)

    def comes_out(self, test: Expr, node: Any) -> bool | None:
        """Tell how a test comes out where that is settled; one side may be no part of the Program.

        What is settled leaves out functions that were lowered here before: their numbers, and so
        those in slots, are others the next time. Where a test stands stays the same.
        """
        names = sorted({base(var.slot) for var in reads(test)})
        calls = [f"{at.path}:{at.line}:{at.column}-{at.end_column}" for at in self.called_at]
        question = Question(self.span(node), " ".join([*names, *calls]), IS_TRUE)
        self.held.tests.append(Asked(question, Var("", 0), key=test))
        return {"true": True, "false": False}.get(self.held.answers.get(question, ""))

    def record(self, value: Expr) -> Record | None:
        """Return the record that a value stands for."""
        found = self.held.statics.get(value.slot) if isinstance(value, Var) else None
        return found if isinstance(found, Record) else None

    def apart(self, value: Expr) -> Record | Function | None:
        """Return the record or function that a value stands for."""
        found = self.held.statics.get(value.slot) if isinstance(value, Var) else None
        return found if isinstance(found, Record | Function) else None

    def emit(self, stmt: Stmt) -> None:
        """Add a statement; what has no value of its own cannot stand in it."""
        if self.held.statics:
            for var in (var for expr in expressions(stmt) for var in reads(expr)):
                static = self.held.statics.get(var.slot)
                if static is not None:
                    refusal = static_as_value(static, stmt.span)
                    # which function it is handed to may be an argument's to say
                    refusal.certain = not calls_unknown(stmt)
                    raise refusal
        self.out.append(stmt)
        match stmt:
            case Update(new, old, _, "append", value) if old in self.held.displays:
                self.held.displays[new] = (*self.held.displays[old], value)
            case Assign(targets, Op("tuple", parts), unpack=True):
                for target, part in zip(targets, parts, strict=False):
                    self._note(target, part)
            case Assign((target,), value, unpack=False):
                self._note(target, value)
                self._note_parts(target, value)

    def _note_parts(self, target: Var, value: Expr) -> None:
        """Note what a name holds, or is a part of."""
        if isinstance(value, Op) and value.op in ("tuple", "list"):
            self.held.displays[target] = value.args
        if isinstance(value, Ref) and is_words(value.value):
            self.held.displays[target] = tuple(map(Const, value.value))
        if is_temp(target.slot) and as_part(value) is not None:
            self.held.parts[target] = value

    def _note(self, target: Var, value: Expr) -> None:
        """Note which function, object or constant a name is given."""
        known = self.on_value(value, self)
        if known is not None:
            self.held.functions[target] = known
        outer = self.on_object(value, self)
        if outer is not MISSING:
            self.held.objects[target] = outer
        if isinstance(value, Const):
            self.held.constants[target] = value

    def is_none(self, value: Expr) -> bool:
        """Tell whether a value is known to be None: an argument that was left out, say."""
        return value == NONE or (isinstance(value, Var) and self.held.constants.get(value) == NONE)

    def span(self, node: Any) -> Span:
        """Return the place of a syntax node."""
        return span(self.source, node)

    def temp(self, value: Expr, node: Any) -> Var:
        """Compute `value` into a new temporary and return that."""
        var = self.numbers.temp(self.called_after)
        self.emit(Assign((var,), value, self.span(node)))
        return var

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Collect the statements of an inner block apart."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer


def is_words(value: Any) -> bool:
    """Tell whether a value is a tuple of texts and whole numbers."""
    return type(value) is tuple and all(type(each) in (str, int) for each in value)


def changes_module(name: str, where: Span) -> Unsupported:
    """Return the refusal of a function that changes what is not its own."""
    return Unsupported(
        f"{name}, which belongs to the module, is changed here",
        where,
        "Return what is to be kept, and keep it where the function is called.",
    )


def static_as_value(static: Static, where: Span) -> Unsupported:
    """Return the refusal of what has no value of its own and is used as if it had."""
    return Unsupported(
        f"{static.told}: it has no value here",
        where,
        static.hint,
    )


def calls_unknown(stmt: Stmt) -> bool:
    """Tell whether a statement calls a function that is not known, or that of a module by a name."""
    if isinstance(stmt, Assign) and isinstance(stmt.value, Ref):
        return isinstance(stmt.value.value, ModuleType)
    parts = (part for expr in expressions(stmt) for part in walk(expr))
    return any(isinstance(part, Call) and isinstance(part.func, Var) for part in parts)


def named(var: Var) -> str:
    """Return the user's name behind a value."""
    return base(var.slot)


def block_of(statements: list[Stmt]) -> Block:
    """Freeze collected statements."""
    return tuple(statements)
