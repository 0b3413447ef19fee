"""Uses what has been computed already: one value, one name, over both sweeps.

    st = np.sin(theta)                     st = np.sin(theta)
    ...                          ->        ...
    k_bar += np.sin(theta) * x_bar         k_bar += st * x_bar

The user's own statements stay as they are: they give names, and take none. What two statements of ours
compute at length gets a name before the first of them, where nothing between them changes it:

    a_bar = np.correlate(_whole(g, v), v)          shared = _whole(g, v)
    b_bar += np.correlate(_whole(g, v), a)    ->   a_bar = np.correlate(shared, v)
                                                   b_bar += np.correlate(shared, a)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from operator import is_
from typing import TypeGuard

import numpy as np

from s2sad.analysis.containers import is_display, is_made, is_slot
from s2sad.analysis.terms import is_handed_on
from s2sad.ir.expression import Expr, Role, Variable, global_, name, root_of
from s2sad.ir.program import Block, For, Function, If, Let, Statement, Store, While
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import (
    blocks,
    bound,
    expressions,
    in_blocks,
    nodes,
    with_blocks,
    with_expressions,
    with_statements,
    written_to,
)
from s2sad.operators.effects import cost
from s2sad.operators.table import named
from s2sad.optimize.memory import Content, Memory, Token, changes, changes_of, read_tokens
from s2sad.optimize.substitute import Build, is_atom, is_place, respelled

# memory that is made to be written: two of them are never one
MAKES = named("zeros", "ones", "unset")
REDUCTIONS = frozenset({"sum", "mean"})
NOBODY: frozenset[Variable] = frozenset()


def number_values(function: Function, memory: Memory, build: Build) -> Function:
    """Return a function in which derived code reads what stands in a variable already."""
    written = frozenset(t for t in changes(function.body, memory) if isinstance(t, Content))
    body = _Numbering(memory, build, written).block(function.body)
    return function if body is function.body else replace(function, body=body)


@dataclass(frozen=True, slots=True)
class Held:
    """A variable that holds a value, and what must not change for it to go on holding it."""

    variable: Variable
    needs: frozenset[Token]
    literal: Expr | None = None


@dataclass
class _Numbering:
    """What is `held` where the walk is; `needing` are all values that were, by what they need."""

    memory: Memory
    build: Build
    written: frozenset[Content]
    held: dict[Expr, Held] = field(default_factory=dict)
    needing: dict[Token, list[Expr]] = field(default_factory=dict)

    def forget(self, changed: frozenset[Token]) -> None:
        """Forget the values that do not outlast a change."""
        for token in changed & self.needing.keys():
            for expr in self.needing[token]:
                if expr in self.held and token in self.held[expr].needs:
                    del self.held[expr]

    def hold(self, expr: Expr, held: Held) -> None:
        """Note what holds a value, unless another variable does."""
        if expr not in self.held:
            self.held[expr] = held
            for token in held.needs:
                self.needing.setdefault(token, []).append(expr)

    def block(self, block: Block) -> Block:
        """Return a block that reads what is held; that after it is held at the end."""
        made = []
        for statement in block:
            new = self.statement(statement)
            made.append(new)
            self.forget(changes_of(new, self.memory))
            self.learn(new)
        return with_statements(block, made)

    def inside(self, block: Block) -> Block:
        """Return a block after which the same is held as before."""
        before, self.held = self.held, dict(self.held)
        made = self.block(block)
        self.held = before
        return made

    def statement(self, statement: Statement) -> Statement:
        match statement:
            case For() | While():
                before, self.held = self.held, dict(self.held)
                self.forget(changes_of(statement, self.memory))
                body = self.block(statement.body)
                self.held = before
                return with_blocks(statement, (body,))
            case If():
                return in_blocks(statement, self.inside)
        if blocks(statement):
            return statement
        return self.over(statement)

    def over(self, statement: Statement) -> Statement:
        """Return a statement of ours whose expressions read what is held."""
        if not self.held or not _is_ours(statement):
            return statement
        if isinstance(statement, Store):
            value = self.read(statement.value, holders_of(statement))
            return statement if value is statement.value else replace(statement, value=value)
        new = with_expressions(statement, lambda e: self.read(e, holders_of(statement)))
        if not isinstance(statement, Let) or not isinstance(new, Let):
            return new
        return respelled(new, statement)

    def read(self, expr: Expr, holders: frozenset[Variable] = NOBODY) -> Expr:
        """Return an expression with its parts read from what is held; `holders` get its memory."""
        if not expr.args:
            known = self.held.get(expr) if expr.op == "name" else None
            return expr if known is None or known.literal is None else known.literal
        held = None if _is_said_again(expr) else self.held.get(expr)
        if held is not None:
            new = name(held.variable, expr.type, expr.span)
            if not holders or self.may_be_one(new, holders):
                return new
        if expr.op == "comprehension":
            return expr
        inside = holders if is_display(expr) else NOBODY
        args = tuple(self.read(arg, inside) for arg in expr.args)
        if all(map(is_, args, expr.args)):
            return expr
        new = self.build(expr.with_args(args), expr)
        if not holders or self.memory.sites(new) <= self.memory.sites(expr):
            return new
        return new if self.may_be_one(new, holders) else expr

    def may_be_one(self, value: Expr, holders: frozenset[Variable]) -> bool:
        """Tell whether a name may be one more of what holds a value: nobody writes to either."""
        if isinstance(value.type, Number):
            return True
        contents = {*map(self.memory.content, holders), *self.memory.contents(value)}
        return isinstance(value.type, Array | Numeric) and self.written.isdisjoint(contents)

    def learn(self, statement: Statement) -> None:
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return
        expr, variable = statement.value, statement.target
        if expr.op == "constant" and expr.span is None and type(expr.data) is float:
            if expr.data and variable.role in DERIVED:  # the text says 1.0 where it would say x_bar
                self.hold(name(variable), Held(variable, frozenset({variable}), expr))
            return
        if statement.spelled != "=" or not statement.effect.is_pure or not is_worth(expr):
            return
        held = self.memory.content(variable)
        own = frozenset({variable}) | (frozenset({held}) if held is not None else frozenset())
        reads = read_tokens(expr, self.memory)
        if variable not in reads:
            self.hold(expr, Held(variable, reads | own))
            if (function := _as_function(expr)) is not None:
                self.hold(function, Held(variable, reads | own))


def _as_function(expr: Expr) -> Expr | None:
    """Return a reduction as rules write it: np.mean(x, axis=0) for x.mean(0) and np.mean(x, 0)."""
    match expr:
        case Expr("call", (Expr("attribute", (array,), word), *rest)):
            pass
        case Expr("call", (Expr("global", data=function), array, *rest)):
            word = function.text.removeprefix("np.")
        case _:
            return None
    if word not in REDUCTIONS or not isinstance(array.type, Array):
        return None
    is_placed = len(rest) - len(expr.data or ()) == 1  # the axis
    named = ("axis", *(expr.data or ())) if is_placed else expr.data
    called = global_(f"np.{word}", getattr(np, word))
    return replace(expr, args=(called, array, *rest), data=named)


def is_worth(expr: Expr) -> bool:
    """Tell whether a value is something to have again: it is computed, and new memory is no use."""
    if _is_said_again(expr) or is_made(expr) or expr.op in ("set", "comprehension"):
        return False
    return not any(node.op == "global" and node.data.text in MAKES for node in nodes(expr))


def _is_said_again(expr: Expr) -> bool:
    """Tell whether a value is a word or a place, but not A.T, which may have a name of the user's."""
    return is_atom(expr) or (is_place(expr) and (expr.op, expr.data) != ("attribute", "T"))


def holders_of(statement: Let | Store) -> frozenset[Variable]:
    """Return the names by which the memory of a statement's value, or of its items, is had from then on."""
    if isinstance(statement, Let):
        return frozenset(bound(statement))
    root = root_of(statement.target)
    return frozenset({root}) if root is not None and is_slot(statement.target) else NOBODY


def is_derived(statement: Statement) -> bool:
    """Tell whether a statement is ours: it computes what the user's text does not."""
    target = written_to(statement) if isinstance(statement, Let | Store) else None
    return target is not None and target.role in DERIVED


def is_of_derivative(target: Expr) -> bool:
    """Tell whether a place belongs to an adjoint or a tangent, not to what the user computes."""
    return getattr(root_of(target), "role", None) in DERIVED


DERIVED = frozenset({Role.ADJOINT, Role.TERM, Role.TANGENT})


LAZY = frozenset({"comprehension", "conditional", "and", "or"})


def with_repeated_named(function: Function, memory: Memory) -> Function:
    """Return a function in which what is computed twice at length has a name."""
    fresh = Fresh.of(function)

    def block(body: Block) -> Block:
        later = _Later(memory)
        made: list[Statement] = []
        for each in reversed(body):
            statement = in_blocks(each, block)
            later.enter(statement)
            named = _named(statement)
            often = Counter(value for value in named if not is_handed_on(value, statement))
            twice = next((e for e in often if _saves(e, later.computed[e] + often[e] - 1)), None)
            later.add(statement)
            made.append(statement)
            if twice is not None:
                called = fresh.variable(name_of_part(twice, statement), Role.TERM)
                made.append(Let(called, twice, statement.span))
        return tuple(reversed(made))

    body = block(function.body)
    return function if body == function.body else replace(function, body=body)


def name_of_part(value: Expr, statement: Statement) -> str:
    """Return what a value is called that a statement reads: after what that computes."""
    target = written_to(statement) if isinstance(statement, Let | Store) else None
    stem = "shared" if target is None else re.sub("(_term)?(_bar|_dot)*$", "", target.name)
    names = {node.data.name for node in nodes(value) if node.op == "name"}
    if not any(each.endswith(("_bar", "_dot")) for each in names):
        return f"{stem}_term"
    return f"{stem}_term_{'bar' if target is None or target.role is not Role.TANGENT else 'dot'}"


@dataclass(slots=True)
class _Later:
    """How often later statements of a block compute values of arrays of what is there now."""

    memory: Memory
    computed: Counter[Expr] = field(default_factory=Counter)
    readers: dict[Token, set[Expr]] = field(default_factory=dict)

    def enter(self, statement: Statement) -> None:
        """Leave out what a statement changes operands of: before it, these are others."""
        for token in changes_of(statement, self.memory):
            for value in self.readers.pop(token, ()):
                self.computed.pop(value, None)

    def add(self, statement: Statement) -> None:
        """Add what a statement computes."""
        every = expressions(statement) if _is_ours(statement) else ()
        for value in (value for expr in every for value in _of_arrays(expr)):
            if is_handed_on(value, statement):  # it may be written to where it is
                continue
            self.computed[value] += 1
            for token in read_tokens(value, self.memory):
                self.readers.setdefault(token, set()).add(value)


def _is_ours(statement: Statement) -> TypeGuard[Let | Store]:
    return isinstance(statement, Let | Store) and is_derived(statement)


def _of_arrays(whole: Expr, stops: frozenset[str] = frozenset()) -> Iterator[Expr]:
    """Yield what an expression computes by going over arrays, the largest first."""
    todo = [whole]
    while todo:
        node = todo.pop()
        if node.op in stops:
            continue
        if _passes(node) and is_worth(node):
            yield node
        todo += reversed(node.args)


def _passes(expr: Expr) -> int:
    """Return how often an operation goes over an array, two for all that is more than once."""
    if expr.op not in ("call", "binary", "unary"):
        return 0
    is_of_arrays = isinstance(expr.type, Array) or (expr.op == "binary" and expr.data == "@")
    if not is_of_arrays:
        return 0
    return 2 if cost(expr) in ("costly", "lengthy") else int(cost(expr) == "cheap")


def _saves(expr: Expr, again: int) -> bool:
    """Tell whether a value has a name rather than to be computed again, so often: it takes a line."""
    return again * sum(map(_passes, nodes(expr))) > 1


def _named(statement: Statement) -> Iterator[Expr]:
    """Yield what a statement of ours surely computes of arrays, but what it gives a name or a slot to."""
    if _is_ours(statement):
        every = _of_arrays(statement.value, LAZY)
        own = tuple(_kept(statement.value)) if holders_of(statement) else ()
        yield from (value for value in every if not any(value is each for each in own))


def _kept(value: Expr) -> Iterator[Expr]:
    """Yield a value, and the items of what is written out: memory that a name gets."""
    yield value
    if is_display(value):
        for arg in value.args:
            yield from _kept(arg)
