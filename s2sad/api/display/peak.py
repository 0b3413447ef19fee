"""The most memory that a gradient has at one time: what it saves, its names, and temporaries.

A name holds its value until it is given another one, read again or not. Arguments are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.analysis.pointers import Shares
from s2sad.api.display.counts import Count, Passes, bytes_of
from s2sad.api.display.kept import adjoint_bytes, made_by_passes, refers, state_bytes, states_of
from s2sad.checkpoint.kept import Kept
from s2sad.emit.names import names_of
from s2sad.ir.expression import Expr, Variable, is_own_call
from s2sad.ir.program import (
    Block,
    For,
    Function,
    Let,
    Program,
    RegionOp,
    Save,
    Statement,
    While,
    sweeps,
)
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Array, Number, Tuple
from s2sad.ir.walk import blocks, bound_in, expressions, own_nodes, saved_values
from s2sad.operators.table import words

# from this size on NumPy writes the result of an operator into a temporary of its operands
ELIDED = 262_144
# memory that was made: the statement that made it, and which of its values it is
Object = tuple[int, int]
Objects = frozenset[Object]
NOTHING: Objects = frozenset()
# loops that keep states by a schedule, by the name of a function of theirs
Loops = Mapping[str, Kept]
LIKE = words("like") | {"copy"}


def peak(program: Program, passes: Passes, shares: Shares, loops: Loops) -> float:
    """Return the most bytes that the first function of a program has at one time.

    `loops` are those that keep states by a schedule, by the names of the functions that run them.
    """
    backs = {each.names.back: each for each in loops.values()}
    work = _Work(program, passes, shares, loops, backs)
    return work.of(program.entry)


@dataclass(slots=True)
class _Work:
    """The most memory that each function of a program has at one time, found as it is asked for."""

    program: Program
    passes: Passes
    shares: Shares
    loops: Loops
    backs: Loops
    called: dict[str, float] = field(default_factory=dict)

    def of(self, name: str) -> float:
        """Return the most bytes that a function has at one time."""
        if name not in self.called:
            self.called[name] = 0.0  # one that calls itself
            function = self.program.functions[name]
            for each in (n for s in function.body for n in _own_calls(s)):
                self.of(each)
            self.called[name] = self._found(function)
        return self.called[name]

    def _found(self, function: Function) -> float:
        if function.name in self.loops:
            kept = self.loops[function.name]
            states = states_of(kept, self.passes).number or 0.0
            return self.called.get(kept.names.step, 0.0) + state_bytes(kept, self.passes) + states
        if function.name in self.backs:
            return self._back(self.backs[function.name])
        names = text_names(function, self.program)
        remade = made_by_passes(function.body)
        memory = _Memory(self.passes, self.shares, names, self.called, self.loops, remade)
        for parameter in function.parameters:
            memory.sizes[parameter.variable] = memory.number(bytes_of(parameter.type))
        memory.block(function.body, 1.0)
        return memory.most + memory.saved

    def _back(self, kept: Kept) -> float:
        """Return the most bytes of a loop that runs backwards: what it keeps is its caller's."""
        handed = adjoint_bytes(kept, self.passes)
        pass_ = max(self.called.get(n, 0.0) for n in (kept.names.step, kept.names.step_back))
        return handed + pass_ + state_bytes(kept, self.passes)


def text_names(function: Function, program: Program) -> Mapping[Variable, str]:
    """Return what variables are called in the text, as nearly as it matters here."""
    forward, reverse = (bound_in(block) for block in sweeps(function.body))
    return names_of(function, program, (), reverse - forward)


def _own_calls(statement: Statement) -> list[str]:
    inner = [name for block in blocks(statement) for each in block for name in _own_calls(each)]
    return [*(n.data for n in own_nodes(statement) if n.op == "function"), *inner]


@dataclass(slots=True)
class _Memory:
    """What names hold, and the most so far, while statements are gone through.

    `objects` has the bytes of what was made; views are part of what they are views of.
    """

    passes: Passes
    shares: Shares
    names: Mapping[Variable, str]
    called: Mapping[str, float]
    loops: Loops
    remade: frozenset[Variable]
    held: dict[str, Objects] = field(default_factory=dict)
    sizes: dict[Variable, float] = field(default_factory=dict)
    objects: dict[Object, float] = field(default_factory=dict)
    most: float = 0.0
    saved: float = 0.0

    def number(self, count: Count) -> float:
        """Return an amount, 0 where it is not known."""
        found = None if count.is_least else self.passes.number(count)
        return float(found or 0)

    def block(self, block: Block, often: float) -> None:
        """Go through a block that is run so often."""
        for statement in block:
            self.evaluate(statement)
            if isinstance(statement, For | While):
                self.loop(statement, often)
            else:
                for inner in blocks(statement):
                    self.block(inner, often)
            self.bind(statement, often)

    def loop(self, loop: For | While, often: float) -> None:
        """Go through a loop: its second pass finds what the first one left in names."""
        saved, passes = self.saved, self.number(Count(self.passes.of(loop))) or 1.0
        for _ in range(2):
            self.saved = saved
            self.block(loop.body, often * passes)

    def evaluate(self, statement: Statement) -> None:
        """Note what is held while a statement's expressions are evaluated."""
        held = sum(self.objects[each] for each in NOTHING.union(*self.held.values()))
        for expr in expressions(statement):
            self.most = max(self.most, held + self.evaluation(expr)[0])

    def bind(self, statement: Statement, often: float) -> None:
        """Note what a statement lets its names hold, and what it saves."""
        match statement:
            case Let(target=Variable() as target, value=value):
                self.sizes[target] = self.size(value)
                self.hold(target, self.made(value, (id(statement), 0)))
            case Let(target=tuple() as targets, value=value):
                for place, variable in enumerate(targets):
                    if not isinstance(variable, Variable):
                        continue
                    self.bind_part(variable, value, place, (id(statement), place))
            case Save():
                for value in saved_values(statement):
                    if not refers(value, self.remade):
                        self.saved += often * self.size(value)
            case RegionOp(method="append", args=(value,)):
                self.saved += often * self.size(value)

    def bind_part(self, variable: Variable, value: Expr, place: int, own: Object) -> None:
        """Note what a variable holds that is bound to a part of a value."""
        part = _part(value, place)
        if part is not None:
            self.sizes[variable] = self.size(part)
            self.hold(variable, self.made(part, own))
            return
        self.sizes[variable] = self.objects[own] = self.size_of_result(value, place)
        self.hold(variable, frozenset({own}))

    def size_of_result(self, value: Expr, place: int) -> float:
        """Return the bytes of one of the results of a call; the last of a loop are its states."""
        if not isinstance(value.type, Tuple) or place >= len(value.type.items):
            return 0.0
        kept = self.loops.get(value.args[0].data) if is_own_call(value) else None
        if kept is not None and place == len(value.type.items) - 1:
            return states_of(kept, self.passes).number or 0.0
        return self.number(bytes_of(value.type.items[place]))

    def hold(self, variable: Variable, objects: Objects) -> None:
        self.held[self.names.get(variable, str(variable))] = objects

    def made(self, value: Expr, own: Object) -> Objects:
        """Return what a value is part of: memory that names hold, or `own`, which it makes."""
        if value.op == "name":
            return self.held.get(self.names.get(value.data, str(value.data)), NOTHING)
        parts = [(own[0], 100 * own[1] + k + 1) for k in range(len(value.args))]
        if value.op in ("tuple", "list", "conditional"):
            return NOTHING.union(*map(self.made, value.args, parts))
        shared = () if is_own_call(value) else self.shares(value)
        if shared:
            method = value.op == "call" and value.args[0].op == "attribute"
            operands = (value.args[0].args[0], *value.args[1:]) if method else value.args
            return NOTHING.union(*(self.made(operands[k], parts[0]) for k in shared))
        self.objects[own] = self.size(value)
        return frozenset({own})

    # ------------------------------------------------------------------------ expressions

    def size(self, value: Expr) -> float:
        """Return the bytes of a value."""
        if isinstance(value.type, Array | Number | Tuple):
            found = bytes_of(value.type)
            if not found.is_least and self.passes.number(found) is not None:
                return self.number(found)
        if value.op == "name":
            return self.sizes.get(value.data, 0.0)
        if value.op in ("binary", "unary"):
            return max(map(self.size, value.args))
        if value.op == "call" and value.args[0].op in ("global", "attribute"):
            called = value.args[0]
            named = called.data.text if called.op == "global" else called.data
            of = [*called.args, *value.args[1:]]
            return self.size(of[0]) if named.rpartition(".")[2] in LIKE and of else 0.0
        return 0.0

    def evaluation(self, expr: Expr) -> tuple[float, float]:
        """Return the peak of evaluating an expression, and what its result takes if it is new."""
        held = most = temporary = 0.0
        for part in expr.args:
            inner, made = self.evaluation(part)
            most = max(most, held + inner)
            held += made
            temporary = max(temporary, made)
        if is_own_call(expr):
            return max(most, held + self.called.get(expr.args[0].data, 0.0)), held
        if expr.op not in ("binary", "unary", "call") or self.shares(expr):
            return most, held
        size = self.size(expr)
        if expr.op == "binary" and size >= ELIDED and temporary == size:
            return most, size
        return max(most, held + size), size


def _part(value: Expr, place: int) -> Expr | None:
    """Return what the target at a place is bound to, where that is written out."""
    is_display = value.op in ("tuple", "list") and place < len(value.args)
    return value.args[place] if is_display else None
