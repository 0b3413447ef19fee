"""One sweep over a program; over a loop until what its passes start with no longer changes.

for ...: x = f(x)     a pass starts with the x before the loop, or with that of the last pass
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from s2sad.legacy.calls import arguments, is_python
from s2sad.legacy.facts.changing import after_copied, appended
from s2sad.legacy.facts.context import Reading
from s2sad.legacy.facts.expressions import fact_of, truth
from s2sad.legacy.facts.fact import ANY, UNKNOWN, Dim, Fact, constant, python_int
from s2sad.legacy.facts.joins import (
    join_elements,
    joined,
    with_dims,
)
from s2sad.legacy.facts.lengths import Entry
from s2sad.legacy.facts.python import elements
from s2sad.legacy.facts.values import (
    UNBOUND,
    Values,
    dims_of,
    prefix_for,
    tokens_of,
    without_tokens,
)
from s2sad.legacy.facts.writes import written
from s2sad.legacy.following import followed
from s2sad.legacy.program import (
    Assign,
    Block,
    Break,
    Call,
    Carried,
    Effect,
    If,
    Loop,
    Op,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.reach import is_measured
from s2sad.legacy.recursion import calls_itself, guesses, is_guess, widened
from s2sad.legacy.remembered import found_once
from s2sad.legacy.traverse import (
    flat_targets,
    makes_a_pass,
    reads_shape,
)

RESTARTS = 6  # sweeps of a loop after which the start of a pass is only joined, never begun anew
SWEEPS = 14  # sweeps of a loop after which the start of a pass that still changes is unknown
LIMIT = 20  # sweeps of a loop after which nothing is known of the start of any pass
DEPTH = 30  # calls inside calls that are looked into

Pairs = list[tuple[Dim, Dim]]
Given = Mapping[str, Fact]
Called = tuple[Fact, Pairs, Pairs]


@dataclass(slots=True)
class _Start:
    """What a loop starts its passes with, as far as the sweeps have found out."""

    init: Fact | None
    fact: Fact


class Sweeps(Values):
    """The sweep over one program, from what its parameters are."""

    def __init__(
        self,
        program: Program,
        given: Mapping[Var, Fact],
        entries: Mapping[str, Entry],
        prefix: str = "",
        active: tuple[Any, ...] = (),
        calls: dict[Any, Called | None] | None = None,
        induced: Mapping[Any, tuple[Given, Fact]] = MappingProxyType({}),
        branches: int = 0,
    ):
        super().__init__(entries, prefix, program.span)
        self.program = program
        self.given, self.entries = given, entries
        self.active = active
        self.calls = {} if calls is None else calls
        self.induced = induced  # what recursive functions are taken to return, for which arguments
        self.lengths.branches = branches
        self.starts: dict[Var, _Start] = {}
        self.count, self.changed = 0, False  # sweeps over the outermost loop, 0 outside of loops

    def run(self) -> Fact:
        """Look at everything; return what is known of the result."""
        for var, fact in self.given.items():
            self.bind(var, fact)
        self.block(self.program.body)
        fact_of(self.program.result, self)
        self.settle()
        return fact_of(self.program.result, Reading(self.known, prefix=self.prefix))

    def block(self, block: Block) -> None:
        """Look at statements, one after the other."""
        for stmt in block:
            self.span = stmt.span
            self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        """Note what is known of the values that a statement makes."""
        _LOOKS[type(stmt)](self, stmt)

    # ------------------------------------------------------------ single statements

    def _assign(self, stmt: Assign) -> None:
        value = stmt.value
        display = isinstance(value, Op) and value.op in ("tuple", "list")
        if not stmt.unpack:
            self.bind(stmt.target, fact_of(value, self))
        elif isinstance(value, Op) and display and len(value.args) == len(stmt.targets):
            facts = [fact_of(arg, self) for arg in value.args]
            for target, fact in zip(stmt.targets, facts, strict=True):
                self.bind(target, fact)
        else:
            self._unpack(stmt.targets, fact_of(value, self))

    def _unpack(self, targets: Sequence[Any], fact: Fact) -> None:
        """Bind nested targets to the parts of a value."""
        known = fact.count == len(targets)
        for i, target in enumerate(targets):
            part = fact.items[i] if known else self._part(fact, target)
            if isinstance(target, Var):
                self.bind(target, self.named(part, target))
            else:
                self._unpack(target, part)

    def _part(self, fact: Fact, target: Any) -> Fact:
        if fact.kind == "tuple" and not fact.items:
            return UNKNOWN if fact.extent is None else python_int()
        return elements(fact, self.naming(_first(target)))

    def _update(self, stmt: Update) -> None:
        old, value = self.of(stmt.old), fact_of(stmt.value, self)
        if stmt.op in ("append", "insert"):
            self.bind(stmt.new, appended(old, value))
        elif stmt.index is None:
            self.bind(stmt.new, value if stmt.op == "=" else self._changed(stmt, old, value))
        else:
            self.bind(stmt.new, written(stmt, stmt.index, (old, value), self))

    def _changed(self, stmt: Update, old: Fact, value: Fact) -> Fact:
        """Return what `old op= value` leaves: an array keeps its shape and dtype."""
        made = fact_of(Op(stmt.op, (stmt.old, stmt.value)), self)
        if old.is_object:
            return replace(old, items=())
        if old.kind == "list":
            more = value.items if value.kind in ("list", "tuple") else (UNKNOWN,)
            return Fact("list", items=join_elements((*old.items, *more)))
        return old if old.kind == "array" else made

    def _pop(self, stmt: Pop) -> None:
        old = self.of(stmt.old)
        found = old.items[0] if old.kind == "list" and old.items else UNKNOWN
        self.bind(stmt.target, self.named(found, stmt.target))
        self.bind(stmt.new, old)

    def _effect(self, stmt: Effect) -> None:
        for var, fact in after_copied(stmt.value, self.of):
            self.bind(var, fact)

    # ------------------------------------------------------------ branches

    def _if(self, stmt: If) -> None:
        known = truth(fact_of(stmt.test, Reading(self.known, prefix=self.prefix)))
        if known is not None:
            self.block(stmt.then if known else stmt.orelse)
            for merge in stmt.merges:
                held = self.held(merge.then if known else merge.orelse)
                self.bind(merge.out, held or UNBOUND)
            return
        shapes_decide = reads_shape(stmt.test)
        self.lengths.barriers += shapes_decide
        self.lengths.branches += 1
        then = self._branch(stmt.then, [(m.then, m.out) for m in stmt.merges])
        orelse = self._branch(stmt.orelse, [(m.orelse, m.out) for m in stmt.merges])
        self.lengths.branches -= 1
        self.lengths.barriers -= shapes_decide
        for merge, a, b in zip(stmt.merges, then, orelse, strict=True):
            self.bind(merge.out, self.either(a, b, merge.out))

    def _branch(self, block: Block, pairs: list[tuple[Var | None, Var]]) -> list[Fact | None]:
        self.enter()
        self.block(block)
        held = [(self.held(var), out) for var, out in pairs]
        found = [fact and self.outward(fact, out) for fact, out in held]
        self.leave()
        return found

    # ------------------------------------------------------------ loops

    def _loop(self, stmt: Loop) -> None:
        if self.count:  # the loop around it comes back here
            self._sweep(stmt)
            return
        before, self.changed = self.state(), True
        while self.changed:
            self.back_to(before)
            self.count += 1
            self.changed = False
            self._sweep(stmt)
        self.count = 0

    def _sweep(self, stmt: Loop) -> None:
        iterable = None if stmt.iterable is None else fact_of(stmt.iterable, self)
        inits = [self.held(c.init) for c in stmt.carried]
        self.enter()
        for carried, init in zip(stmt.carried, inits, strict=True):
            self.bind(carried.head, self._start(carried, init))
        if iterable is not None:
            self._target(stmt.targets, elements(iterable, self.naming(_first(stmt.targets))))
        self.block(stmt.body)
        ends = [self.held(c.end) for c in stmt.carried]
        out = [e and self.outward(e, c.exit) for c, e in zip(stmt.carried, ends, strict=True)]
        for carried, end in zip(stmt.carried, ends, strict=True):
            if end is not None:
                self._again(carried, end)
        self.leave()
        made = makes_a_pass(stmt.iterable)
        for carried, init, end in zip(stmt.carried, inits, out, strict=True):
            left = end if made else self.either(init, end, carried.exit)
            self.bind(carried.exit, left or UNBOUND)

    def _target(self, targets: Any, fact: Fact) -> None:
        if not isinstance(targets, Var):
            self._unpack(targets, fact)
            return
        named = self.named(fact, targets)
        # an integer is another in each pass
        self.bind(targets, replace(named, extent=None) if named.kind == "int" else named)

    def _start(self, carried: Carried, init: Fact | None) -> Fact:
        """Return what a pass starts with, as far as is known in this sweep."""
        start = self.starts.setdefault(carried.head, _Start(init, init or UNBOUND))
        if init is not None and init != start.init:
            begun_anew = self.count <= RESTARTS or start.init is None
            made = init if begun_anew else self._wider(start.fact, init, carried)
            self.changed |= made != start.fact
            start.fact, start.init = made, init
        return UNKNOWN if self.count > LIMIT else start.fact

    def _wider(self, a: Fact, b: Fact, carried: Carried) -> Fact:
        if self.count > SWEEPS:
            lists = a.kind == b.kind == "list"
            return Fact("list", items=(UNKNOWN,)) if lists else UNKNOWN
        return joined(a, b, self.naming(carried.head))

    def _again(self, carried: Carried, end: Fact) -> None:
        """Take into account that a pass starts with what the last one left."""
        start = self.starts[carried.head]
        left = self.next_pass(end, carried.head, frozenset(dims_of(start.fact)))
        before = self.lengths.resolved(start.fact)
        if start.fact is UNBOUND:
            # given in the loop only: a pass can only see what the last one left
            made = left
        else:
            made = before if before == left else self._wider(before, left, carried)
        # what was assumed of a pass and follows from it again is settled
        if made not in (before, start.fact) and self.count <= LIMIT:
            start.fact = made
            self.changed = True

    # ------------------------------------------------------------ calls

    def called(self, call: Call, facts: Sequence[Fact]) -> Fact | None:
        """Return what a Python function makes of these arguments."""
        if not isinstance(call.func, Ref) or not is_python(call.func):
            return None
        function = call.func.value
        if len(self.active) > DEPTH or (function in self.active and function not in self.induced):
            return None
        try:
            bound = arguments(call)
        except (TypeError, ValueError):
            return None
        given = {name: fact_of(expr, self) for name, expr in bound.items()}
        if function in self.induced:
            known, guess = self.induced[function]
            found: Called | None = (guess, [], []) if known == widened(given) else None
        else:
            found = self._looked_into(function, given)
        if found is None:
            return None
        result, met, implied = found
        ours = {dim.symbol for fact in given.values() for dim in dims_of(fact)}
        ours |= self.entries.keys() | {""}
        for left, right in met:
            self.meet(left, right)
        for left, right in implied:
            if {left.symbol, right.symbol} <= ours:
                self.imply(left, right)
        return self._own_names(result, ours, given, self._name_of_call(function))

    def _name_of_call(self, function: Any) -> str:
        """Return a name of a call's result, another for each call and the same in every sweep."""
        place = f"{function.__name__}@{self.span.line}:{self.span.column}"
        self.named_calls[place] += 1
        return f"!{place}#{self.named_calls[place]}"

    def _looked_into(
        self, function: Any, given: Mapping[str, Fact]
    ) -> tuple[Fact, Pairs, Pairs] | None:
        entries = {} if self.lengths.barriers else self.entries
        key = (function, tuple(given.items()), bool(entries), self.lengths.branches > 0)
        if key not in self.calls:
            self.calls[key] = None
            seen = "inside", key, tuple(entries.items()), self.active, is_measured()

            def inside(called: Any) -> Called | None:
                return self._inside_of(called, given, entries)

            anew = bool(self.induced)
            self.calls[key] = inside(function) if anew else found_once(seen, function, inside)
        return self.calls[key]

    def _inside_of(
        self, function: Any, given: Mapping[str, Fact], entries: Mapping[str, Entry]
    ) -> tuple[Fact, Pairs, Pairs] | None:
        from s2sad.legacy.normalise import wide  # which imports what stands before it, as this does

        program = followed(function, wide)
        if program is None:
            return None
        if calls_itself(function):
            return self._by_induction(function, program, widened(given))
        started = {p.var: given.get(p.var.slot, UNKNOWN) for p in program.params}
        active = (*self.active, function)
        prefix = prefix_for(program, given)
        around = (self.calls, self.induced, self.lengths.branches)
        inner = Sweeps(program, started, entries, prefix, active, *around)
        result = inner.run()
        met = [(Dim(left), Dim(right)) for left, right in inner.lengths.met]
        met += [(Dim(left), constant(n)) for left, (n, _) in inner.lengths.fixed.items()]
        return result, met, inner.implied

    def _by_induction(
        self, function: Any, program: Program, given: Given
    ) -> tuple[Fact, Pairs, Pairs] | None:
        """Return what a function that calls itself returns: a guess that proves itself."""
        started = {p.var: given.get(p.var.slot, UNKNOWN) for p in program.params}
        active, prefix = (*self.active, function), prefix_for(program, given)
        for guess in guesses(given, program):
            induced = {**self.induced, function: (given, guess)}
            result = Sweeps(program, started, {}, prefix, active, {}, induced).run()
            if is_guess(result, guess):
                return guess, [], []
        return None

    def _own_names(
        self, result: Fact, ours: set[str], given: Mapping[str, Fact], name: str
    ) -> Fact:
        """Return the result of a call, lengths that the callee made called after the call."""

        def renamed(dim: Dim, path: str) -> Dim:
            if dim.symbol in ours or dim == ANY:
                return dim
            return replace(self.new(f"{name}:{dim.symbol}"), offset=dim.offset)

        tokens = {token for fact in given.values() for token in tokens_of(fact)}
        return with_dims(without_tokens(result, lambda token: token not in tokens), renamed)


_LOOKS: dict[type[Stmt], Callable[[Sweeps, Any], None]] = {
    Assign: Sweeps._assign,
    Update: Sweeps._update,
    Pop: Sweeps._pop,
    Effect: Sweeps._effect,
    Break: lambda sweeps, stmt: None,
    If: Sweeps._if,
    Loop: Sweeps._loop,
}


def _first(targets: Any) -> Var:
    return next(flat_targets(targets), Var("item", 0))
