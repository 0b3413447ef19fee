"""What one test leaves out is left out where it leaves its elements, not in each line on the way.

d_bar = np.where(g != 0.0, g / d, 0.0)                d_bar = g / d
s_bar = np.where(d_bar != 0.0, d_bar / s, 0.0)        s_bar = d_bar / s
x_bar += np.where(s_bar != 0.0, s_bar * y, 0.0)       x_bar += np.where(g != 0.0, s_bar * y + d_bar, 0.0)
x_bar += d_bar

In between, elements that g leaves out may be nan: nothing takes elements together there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import Block, Function, Let, Statement, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Array
from s2sad.ir.walk import (
    bind_counts,
    expressions,
    in_blocks,
    name_nodes,
    nodes,
    read_counts,
    read_in,
    statements,
    with_expressions,
    with_statements,
    written_to,
)
from s2sad.operators.algebra import numpy_function
from s2sad.operators.chosen import is_choice
from s2sad.operators.guards import dtype_of, spelled
from s2sad.operators.trees import literal as number
from s2sad.optimize.contributions import is_linear
from s2sad.optimize.memory import Content, Memory, Tokens, changes, changes_of, read_tokens
from s2sad.optimize.substitute import Build

OURS = (Role.TERM, Role.ADJOINT)


@dataclass(frozen=True, slots=True)
class Context:
    """What is asked: memory, what is written in place, how to build a node, how often names are bound and read."""

    memory: Memory
    written: Tokens
    build: Build
    bound: Counter[Variable]
    read: Counter[Variable]


def guarded_once(function: Function, memory: Memory, build: Build) -> Function:
    """Return a function in which what an adjoint leaves out is left out once for each that it adds to."""
    body = function.body
    written = frozenset(t for t in changes(body, memory) if isinstance(t, Content))
    context = Context(memory, written, build, bind_counts(body), read_counts(body))
    body = _rewritten(function.body, context)
    return function if body is function.body else replace(function, body=body)


def _rewritten(block: Block, context: Context) -> Block:
    made = tuple(in_blocks(each, lambda b: _rewritten(b, context)) for each in block)
    for test in dict.fromkeys(each for line in made for each in _tests(line)):
        made = Dependents(test, made, context).rewritten()
    return with_statements(block, made)


def _tests(line: Statement) -> Iterator[Expr]:
    """Yield the tests of adjoints by which the choices of a line leave elements out."""
    for choice in _choices(line):
        yield from filter(_is_test, _all_of(choice.args[1]))


def _choices(line: Statement) -> Iterator[Expr]:
    if isinstance(line, Let | Store):
        yield from (n for e in expressions(line) for n in nodes(e) if _leaves_out(n))


def _leaves_out(node: Expr) -> bool:
    return is_choice(node) and spelled(node.args[3]) == 0


def _all_of(test: Expr) -> Iterator[Expr]:
    """Yield the tests that all have to hold."""
    if test.op == "binary" and test.data == "&":
        for arg in test.args:
            yield from _all_of(arg)
    else:
        yield test


def _is_test(node: Expr) -> bool:
    """Tell whether a node is `g != 0.0` of an array of ours."""
    if node.op != "compare" or node.data != ("!=",) or spelled(node.args[1]) != 0:
        return False
    g = node.args[0]
    return g.op == "name" and g.data.role in OURS and isinstance(g.type, Array)


@dataclass(slots=True, eq=False)
class Dependents:
    """What follows from one adjoint element by element in a block: there its names need leave nothing out."""

    test: Expr
    block: Block
    context: Context
    names: set[Variable] = field(default_factory=set)
    seen: set[Variable] = field(default_factory=set)  # what lines so far read

    @property
    def root(self) -> Expr:
        """The adjoint that leaves elements out."""
        return self.test.args[0]

    def rewritten(self) -> Block:
        """Return the block with one choice for each adjoint that the names add to, where these are fewer."""
        made: list[Statement] = []
        for line in self.block:
            new = self._line(line)
            if new is None:
                return self.block
            made.append(new)
        places = [k for k, line in enumerate(made) if line is not self.block[k]]
        if not self.names or not places or not self._is_there(made, places[0], places[-1]):
            return self.block
        before = [line for line in self.block if self._is_guarded(line)]
        after = {_place(line) for line in made if self._is_guarded(line)}
        return tuple(made) if len(after) < len(before) else self.block

    def _is_there(self, made: list[Statement], first: int, last: int) -> bool:
        """Tell whether the root stays what it is, and all that reads the names is in the block."""
        memory = self.context.memory
        kept = read_tokens(self.root, memory)
        if any(not kept.isdisjoint(changes_of(line, memory)) for line in made[first:last]):
            return False
        read = read_counts(self.block)
        return all(read[v] == self.context.read[v] for v in self.names)

    def _is_guarded(self, line: Statement) -> bool:
        return any(map(self._is_own_test, _tests(line)))

    def _is_own_test(self, test: Expr) -> bool:
        return _is_test(test) and (test == self.test or test.args[0].data in self.names)

    def _line(self, line: Statement) -> Statement | None:
        """Return a line without its own choice, or one that reads the names with one by the root."""
        value = self._without_choice(line)
        self.seen.update(v for each in statements((line,)) for v in read_in(each))
        if value is not None and isinstance(line, Let) and isinstance(line.target, Variable):
            self.names.add(line.target)
            return line if value is line.value else replace(line, value=value)
        if self.names.isdisjoint(v for each in statements((line,)) for v in read_in(each)):
            return line
        return with_expressions(line, self._left_out) if isinstance(line, Let | Store) else None

    def _without_choice(self, line: Statement) -> Expr | None:
        """Return the value of a name that is the root's or another name's by factors alone."""
        if not isinstance(line, Let) or not isinstance(line.target, Variable):
            return None
        if line.target.role not in OURS or line.spelled != "=" or line.value.type != self.root.type:
            return None
        if self.context.bound[line.target] != 1 or line.target in self.seen:
            return None
        if self.context.memory.content(line.target) in self.context.written:
            return None
        value, inside = line.value, set(self.names)
        if _leaves_out(value) and self._is_own_test(value.args[1]):
            value = value.args[2]
            inside.add(self.root.data)
        is_one = value.op != "name" and is_linear(value, inside)
        return value if is_one and not _may_be_zero(value, inside) else None

    def _left_out(self, expr: Expr) -> Expr:
        """Return an expression in which the root leaves out what the names do not."""
        if not any(n.data in self.names for n in name_nodes(expr)):
            return expr
        if _leaves_out(expr) and any(map(self._is_own_test, _all_of(expr.args[1]))):
            test = self._by_root(expr.args[1])
            return self.context.build(expr.with_args((expr.args[0], test, *expr.args[2:])), expr)
        if expr.op == "name":
            args = (numpy_function("where"), self.test, expr, number(0.0))
            return Expr("call", args, (), expr.type)
        return self.context.build(expr.with_args(map(self._left_out, expr.args)), expr)

    def _by_root(self, test: Expr) -> Expr:
        if self._is_own_test(test):
            return self.test
        is_both = test.op == "binary" and test.data == "&"
        return test.with_args(map(self._by_root, test.args)) if is_both else test


def _place(line: Statement) -> Expr | Variable | None:
    """Return what a line adds to: what is added to one place by one test is added at once."""
    return line.target if isinstance(line, Store) else written_to(line)


def _may_be_zero(value: Expr, names: Set[Variable]) -> bool:
    """Tell whether a factor may be zero where what it is computed from is infinite, or takes elements together.

    So are slopes that saturate, 1.0 - y**2, and all that functions and tests give; a divisor is no factor.
    """
    if value.op in ("compare", "conditional", "call") or dtype_of(value) == "bool":
        return True
    if value.op == "binary" and value.data == "/":
        return _may_be_zero(value.args[0], names)
    if value.op == "binary" and value.data in ("+", "-", "@"):
        depends = any(n.data in names for n in name_nodes(value))
        return value.data == "@" or not depends or any(_may_be_zero(a, names) for a in value.args)
    return any(_may_be_zero(arg, names) for arg in value.args)
