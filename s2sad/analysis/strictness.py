"""Strictness: what makes the result infinite or nan where it is not finite itself, or where it is zero.

u = q / h                           u and q: so is the result not finite where they are not
s = np.sum(np.where(h > c, u, 0))   h where it is zero: u is not finite there
s += u @ u

What is strict needs no guard: where it is not finite, there is no derivative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from s2sad.analysis.exits import may_be_left
from s2sad.analysis.gaps import Arms, Path, Reads, counters_in, is_all
from s2sad.analysis.guards import takes_one_element
from s2sad.analysis.memory import Memory
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    called,
    calls,
    chooses,
    constant,
    index_parts,
    name,
)
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    For,
    If,
    Let,
    Raise,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    While,
    With,
)
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import blocks, bound, expressions, operands, read_variables, rebuilt, statements
from s2sad.operators.guards import spelled
from s2sad.operators.slopes import is_nowhere_negative, may_be_zero
from s2sad.operators.table import words

# a value, or a part of a variable, is strict where it is not finite, or at "zero", an array where no
# element is finite, "all"; what a loop stores element by element is "stored"
Fact = tuple[str, Expr]
Facts = frozenset[Fact]
# what loops bind, with what they go over
Counters = Mapping[Variable, Expr]
Values = Mapping[Variable, Expr]
NOTHING: Facts = frozenset()
# stands for a value that is finite where the result is: adjoints are
FINITE = Variable("finite", role=Role.ADJOINT)
STRICT = words("strict")
KEEPS = frozenset({"axis", "keepdims", "ddof", "axes", "shift", "prepend", "append"})


@dataclass(frozen=True, slots=True)
class Strictness:
    """What is strict before each statement, of what it reads or binds, by its identity."""

    found: Mapping[int, Facts] = field(default_factory=dict)
    counters: Counters = field(default_factory=dict)
    definitions: Mapping[Variable, Expr] = field(default_factory=dict)

    def simplified(
        self,
        value: Expr,
        statement: Statement | None,
        of_numbers: bool,
        terms: Mapping[Variable, Expr] | None = None,
    ) -> Expr:
        """Return a value as it is where the result is finite.

        Divisors that are not zero there are left out, and FINITE stands for what is finite then.
        Numbers are no zeros, but with `of_numbers`.
        """
        facts = self.found.get(id(statement), NOTHING)
        named = terms or {}

        def divided(node: Expr) -> Expr | None:
            if node.op != "binary" or node.data != "/":
                return None
            below = with_values(node.args[1], named)
            is_safe = is_strict_at_zero(below, facts, of_numbers)
            return node.args[0] if is_safe or not may_be_zero(self._defined(below)) else None

        def finite(node: Expr) -> Expr | None:
            is_part = node.op in ("name", "subscript")
            is_safe = is_part and is_strict(node, facts, self.counters)
            return name(FINITE, node.type) if is_safe else None

        return rebuilt(rebuilt(value, divided), finite)

    def _defined(self, value: Expr) -> Expr:
        return with_values(value, self.definitions)


def with_values(expr: Expr, values: Mapping[Variable, Expr]) -> Expr:
    """Return an expression with what variables are computed by in place of them."""
    return rebuilt(expr, lambda e: values.get(e.data) if e.op == "name" else None)


def strictness(body: Block, memory: Memory) -> Strictness:
    """Return what is strict in the body of a function."""
    found = counters_in(body)
    counters = {
        each_of(counter): domain
        for counter, domain in found.items()
        if found.keys().isdisjoint(read_variables(domain))
    }
    every = list(statements(body))
    stacks = Counter(s.stack for s in every if isinstance(s, Restore))
    definitions = _definitions(every, memory)
    walk = _Walk(memory, counters, stacks, definitions)
    walk.block(body, NOTHING)
    facts: dict[int, Facts] = {}
    _hand_on(body, NOTHING, walk, facts)
    return Strictness(facts, counters, definitions)


def _definitions(every: Iterable[Statement], memory: Memory) -> Values:
    """Return what variables are computed by, in each place alike, that are no written memory."""
    pairs = [
        (s.target, s.value)
        for s in every
        if isinstance(s, Let) and isinstance(s.target, Variable) and not memory.is_memory(s.target)
    ]
    made, uses = dict(pairs), memory.uses
    alike = Counter(target for target, value in pairs if made[target] == value)
    alike.subtract(uses.parameters)
    return {v: value for v, value in made.items() if alike[v] == len(uses.bound[v])}


def _hand_on(block: Block, facts: Facts, walk: _Walk, found: dict[int, Facts]) -> None:
    """Note what is strict before the statements of a block: what was so stays so until it changes."""
    for statement in block:
        facts |= walk.needs.get(id(statement)) or NOTHING
        found[id(statement)] = walk.about(_mentioned(statement), facts)
        facts = walk.unchanged(facts, statement)
        for inner in blocks(statement):
            _hand_on(inner, facts, walk, found)


def is_strict(value: Expr, facts: Facts, counters: Counters) -> bool:
    """Tell whether the result is not finite where a named value, or a part of it, is not."""
    if ("value", value) in facts or value.op != "name":
        return ("value", value) in facts
    parts: dict[Path, set[Arms]] = {
        (part.args[1],): {()} for what, part in facts if what == "value" and _base(part) == value
    }
    if not parts or not isinstance(value.type, Array):
        return False
    return not Reads(counters, {value.data: parts}).has_gaps(value.data, value.type)


def _has_strict_element(value: Expr, facts: Facts) -> bool:
    """Tell whether the result is not finite where no element of a named value is."""
    is_read = any(what == "value" and _base(part) == value for what, part in facts)
    return is_read or ("all", value) in facts


def is_strict_at_zero(value: Expr, facts: Facts, of_numbers: bool) -> bool:
    """Tell whether the result is not finite where an element of a value is zero."""
    bare = _bare(value)
    if ("zero", bare) in facts:
        return True
    match bare:
        case Expr("constant", data=number):
            return bool(number)
        case Expr("binary", args, "*"):
            return all(is_strict_at_zero(arg, facts, of_numbers) for arg in args)
        case Expr("call", (_, inner)) if calls(bare, np.sqrt):
            return is_strict_at_zero(inner, facts, of_numbers)
        case Expr("subscript", (whole, _)) if ("zero", whole) in facts:
            return True
    return not of_numbers and isinstance(bare.type, Number)


@dataclass(slots=True)
class _Walk:
    """Goes through statements from the last to the first.

    `stacks` says how many statements take from each. `needs` has what is strict before each, of what
    the statement mentions or makes strict; None where the result is not reached. `loops` has, of the
    loops around, what is strict behind them and before a pass. Of the facts so far, `noted`,
    `mentioning` has those of a variable, and `reading` those that a variable or memory leads to.
    """

    memory: Memory
    counters: Counters
    stacks: Counter[Variable]
    definitions: Mapping[Variable, Expr]
    needs: dict[int, Facts | None] = field(default_factory=dict)
    noted: set[Fact] = field(default_factory=set)
    mentioning: dict[Variable, set[Fact]] = field(default_factory=dict)
    reading: dict[object, set[Fact]] = field(default_factory=dict)
    loops: list[tuple[Facts | None, Facts]] = field(default_factory=list)

    def block(self, block: Block, after: Facts | None) -> Facts | None:
        for statement in reversed(block):
            before = self._before(statement, after)
            self.needs[id(statement)] = before and self._own(statement, before, after or NOTHING)
            after = before
        return after

    def _own(self, statement: Statement, before: Facts, after: Facts) -> Facts:
        """Return what a statement itself has to do with: all facts of each would be as many as both."""
        return (before - after) | self.about(_mentioned(statement), before)

    def unchanged(self, facts: Facts, *changing: Statement) -> Facts:
        """Return what stays so where statements change variables and memory, their blocks included."""
        return facts - self._changed(facts, self.memory.changed_by(statements(changing)))

    def about(self, mentioned: Iterable[Variable], facts: Facts) -> Facts:
        """Return the facts that mention variables."""
        self._note(facts)
        return facts & NOTHING.union(*_found(self.mentioning, mentioned))

    def _changed(self, facts: Facts, changed: Iterable[object]) -> Facts:
        """Return facts that are so no longer where variables and memory change."""
        self._note(facts)
        return NOTHING.union(*_found(self.reading, changed))

    def _note(self, facts: Facts) -> None:
        """Find new facts by what they mention and lead to."""
        for fact in facts - self.noted:
            for variable in read_variables(fact[1]):
                self.mentioning.setdefault(variable, set()).add(fact)
            for each in self._leads_to(fact[1]):
                self.reading.setdefault(each, set()).add(fact)
        self.noted |= facts

    def _leads_to(self, value: Expr) -> frozenset[object]:
        """Return the variables and the memory of a value."""
        read = read_variables(value)
        return read.union(*map(self.memory.reach, read))

    def _before(self, statement: Statement, after: Facts | None) -> Facts | None:
        match statement:
            case Return():
                return frozenset(_strict(statement.value, self.definitions))
            case Raise():
                return None
            case Break():
                return self.loops[-1][0]
            case Continue():
                return self.loops[-1][1]
            case If():
                ways = [self.block(each, after) for each in (statement.body, statement.orelse)]
                return _in_both(*ways)
            case With():
                return self.block(statement.body, after)
        if after is None:
            return None
        match statement:
            case For() | While():
                return self._before_loop(statement, after)
            case Let(Variable() as target, value) if statement.effect.is_pure:
                own = name(target, self.memory.types.get(target, value.type))
                given = frozenset(self._strict_in(value, own, after))
                return self.unchanged(after, statement) | given
            case Store():
                return self._before_store(statement, after)
            case Restore(Variable() as target, stack) if self.stacks[stack] == 1:
                known = self.about((target,), after)
                taken = frozenset((w, name(stack)) for w, v in known if v == name(target))
                return self.unchanged(after, statement) | taken
            case Save(stack, value):
                kept = {what for what, v in self.about((stack,), after) if v == name(stack)}
                given = frozenset(_strict(value, self.definitions)) if "value" in kept else NOTHING
                return after | given | frozenset({("zero", _bare(value))} if "zero" in kept else ())
        return self.unchanged(after, statement)

    def _strict_in(self, value: Expr, own: Expr, after: Facts) -> Iterator[Fact]:
        """Yield what is strict in a value by what is so of its own name."""
        known = self.about((own.data,), after)
        if is_strict(own, known, self.counters):
            yield from _strict(value, self.definitions)
        elif _has_strict_element(own, known):
            yield from _strict_in_all(value, self.definitions)

    def _before_store(self, store: Store, after: Facts) -> Facts:
        target = store.target
        base = _base(target) if target.op == "subscript" else target
        given = NOTHING
        if base is not None and base.op == "name" and isinstance(base.type, Array):
            is_read = ("value", target) in after or self._is_read(base, after)
            if is_read and store.op in ("=", "+", "-", "*"):
                given = frozenset(_strict(store.value, self.definitions))
        if store.op in ("+", "-", "*"):  # what was there is as strict as what is there then
            kept = frozenset(f for f in after if f[0] != "zero")
            return kept | self.unchanged(after, store) | given
        stored = frozenset(f for f in after if f[0] == "stored")
        return self.unchanged(after, store) | stored | given

    def _before_loop(self, loop: For | While, after: Facts) -> Facts:
        stored = self._stored(loop, after)
        end = frozenset(f for f in after if f[0] != "stored") | stored
        top = self._pass(loop, after, end)
        last = dict(self.needs)
        while True:
            before = self.unchanged(top, *_binding(loop)) | stored
            new = top & self._pass(loop, after, before)
            if new == top:
                break
            top = new
        for each in map(id, statements(loop.body)):
            self.needs[each] = _in_both(last.get(each, NOTHING), self.needs.get(each, NOTHING))
        own = NOTHING if may_be_left(loop.body) else self._of_each_pass(loop, top)
        own |= _made_of_themselves(loop, top, stored)
        first = self.unchanged(top, *_binding(loop)) - stored
        return (first if isinstance(loop, For) else first & after) | own

    def _pass(self, loop: For | While, after: Facts, end: Facts) -> Facts:
        """Return what is strict before a pass, where that is strict which is so at its end."""
        self.loops.append((after, end))
        top = self.block(loop.body, end)
        self.loops.pop()
        return end if top is None else top

    def _of_each_pass(self, loop: For | While, top: Facts) -> Facts:
        """Return what passes read of their own element, if nothing in the loop changes it."""
        counters = frozenset(bound(loop))
        inside = self.memory.changed_by(statements(loop.body))
        steady = top - self._changed(top, inside)
        return frozenset(
            (what, rebuilt(value, partial(_of_each, counters)))
            for what, value in steady
            if read_variables(value) & counters
        )

    def _stored(self, loop: For | While, after: Facts) -> Facts:
        """Return the arrays of which each pass of a loop stores its own elements, if all are strict."""
        if not isinstance(loop, For) or not calls(loop.domain, range):
            return NOTHING
        inner = list(statements(loop.body))
        found = set()
        for each in inner:
            match each:
                case Store(Expr("subscript", (Expr("name") as base, index)), "="):
                    parts = index_parts(index)
                    is_own = any(part.op == "name" and part.data in bound(loop) for part in parts)
                    others = self.memory.changed_by(s for s in inner if s is not each)
                    is_own &= others.isdisjoint(self._leads_to(base))
                    if is_own and self._is_read(base, after):
                        found.add(("stored", base))
        return frozenset(found)

    def _is_read(self, base: Expr, facts: Facts) -> bool:
        return ("stored", base) in facts or is_strict(base, facts, self.counters)


def _made_of_themselves(loop: For | While, top: Facts, stored: Facts) -> Facts:
    """Return the arrays whose elements each pass makes of what they were: f[k] = np.roll(f[k], k)."""
    return frozenset(
        ("value", base)
        for each in statements(loop.body)
        if isinstance(each, Store) and (base := _base(each.target)) is not None
        if ("stored", base) in stored and ("value", each.target) in top
    )


def _found(index: Mapping[Any, set[Fact]], keys: Iterable[object]) -> Iterator[set[Fact]]:
    return (index[key] for key in keys if key in index)


def _mentioned(statement: Statement) -> frozenset[Variable]:
    """Return the variables that a statement itself reads or binds."""
    read = (read_variables(each) for each in expressions(statement))
    return frozenset(bound(statement)).union(*read)


def each_of(counter: Variable) -> Variable:
    """Return what stands for all that a loop binds a variable to."""
    return Variable(counter.name, counter.number, Role.SAVED, counter)


def _of_each(counters: frozenset[Variable], node: Expr) -> Expr | None:
    is_counter = node.op == "name" and node.data in counters
    return name(each_of(node.data), node.type) if is_counter else None


def _binding(loop: For | While) -> tuple[Statement, ...]:
    """Return what binds the variables of a loop alone."""
    return (For(loop.target, loop.domain, ()),) if isinstance(loop, For) else ()


def _in_both(one: Facts | None, other: Facts | None) -> Facts | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _base(part: Expr) -> Expr | None:
    """Return the variable that a subscript takes a part of, by slices and numbers."""
    is_part = part.op == "subscript" and part.args[0].op == "name" and not chooses(part.args[1])
    return part.args[0] if is_part else None


def _bare(value: Expr) -> Expr:
    """Return a value without axes that are added, and turned round: x of x[:, None] and x[::-1]."""
    while value.op == "subscript" and _has_all(value.args[1]):
        value = value.args[0]
    return value


def _has_all(index: Expr) -> bool:
    return all(is_all(part) or part == constant(None) for part in index_parts(index))


def _strict(value: Expr, known: Values) -> Iterator[Fact]:
    """Yield what makes a value not finite, in one element at least, where it is not, or is zero."""
    value = _bare(value)
    match value:
        case Expr("name"):
            yield "value", value
        case Expr("subscript") if _base(value) is not None:
            yield "value", value
        case Expr("unary", (inner,), "-" | "+") | Expr("attribute", (inner,), "T"):
            yield from _strict(inner, known)
        case Expr("binary", args, "+" | "-" | "*" | "@") | Expr("tuple" | "list", args):
            for arg in args:
                yield from _strict(arg, known)
        case Expr("binary", (above, below), "/"):
            yield "zero", _bare(below)
            yield from _strict(above, known)
        case Expr("binary", (base, exponent), "**"):
            power = spelled(exponent) or 0
            if power > 0:
                yield from _strict(base, known)
            elif power < 0:
                yield "zero", _bare(base)
        case Expr("conditional", (_, one, other)):
            yield from frozenset(_strict(one, known)) & frozenset(_strict(other, known))
        case Expr("call"):
            yield from _strict_in_call(value, known)


def _strict_in_all(value: Expr, known: Values) -> Iterator[Fact]:
    """Yield what leaves no element of a value finite where it is not, or is zero."""
    value = _bare(value)
    if isinstance(value.type, Number):
        yield from _strict(value, known)
        return
    match value:
        case Expr("name"):
            yield "all", value
        case Expr("unary", (inner,), "-" | "+"):
            yield from _strict_in_all(inner, known)
        case Expr("binary", args, "+" | "-" | "*"):
            for arg in args:
                yield from _strict_in_all(arg, known)
        case Expr("binary", (above, below), "/"):
            yield from _strict_in_all(above, known)
            if isinstance(below.type, Number):
                yield "zero", _bare(below)


def _strict_in_call(value: Expr, known: Values) -> Iterator[Fact]:
    if not KEEPS.issuperset(value.data):
        return
    args = operands(value)
    if takes_one_element(value):
        yield from _strict_in_all(args[0], known)
        return
    if calls(value, np.maximum):  # the other side hides no more than what is below it
        args = tuple(
            a for a in args if is_nowhere_negative(with_values(with_values(a, known), known))
        )
    elif called(value) not in STRICT:
        return
    for arg in args:
        yield from _strict(arg, known)
