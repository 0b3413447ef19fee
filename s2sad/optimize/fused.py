"""Runs of elementwise statements become one function each, which CuPy makes one kernel of.

r_bar = dt * v_bar
v_bar += (F + k) * r_bar      ->      r_bar, v_bar = _kernel_1(v_bar, dt, F, k)

Arrays of one shape only, and nothing but arithmetic and ufuncs; what is indexed is handed over, and
what is computed of numbers alone: dt * k.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence, Set

import numpy as np

from s2sad.ir.expression import Expr, Pattern, Role, Variable, call, chooses, name
from s2sad.ir.program import (
    Block,
    For,
    Function,
    Let,
    Parameter,
    Program,
    Return,
    Save,
    Statement,
    Store,
)
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Array, Number, Tuple, Type, is_number
from s2sad.ir.walk import blocks as blocks_of
from s2sad.ir.walk import name_nodes, read_variables, reads, saved_values, with_blocks
from s2sad.operators.cupy_names import FUSED
from s2sad.optimize.liveness import Liveness
from s2sad.optimize.memory import Memory, Pushed, Token, memory_of
from s2sad.types import Context

DECORATOR = "@fuse()"
OPERATORS = frozenset("+ - * / **".split())
FEWEST = 2  # operations that are worth a kernel


def fused(program: Program, called: str, context: Context) -> Program:
    """Return a program with its elementwise runs as calls of functions of its own.

    `called` is the name of the derivative, which theirs begin with.
    """
    made: dict[str, Function] = {}
    functions = {}
    for named, function in program.functions.items():
        functions[named] = _Fusing(function, program, called, context, made).function()
    return replace(program, functions={**made, **functions})


@dataclass(slots=True)
class _Run:
    """Statements that may be one kernel, while they are gathered.

    `given` are the expressions that the kernel is handed, with their names in it; `stood` is how
    the statements stood.
    """

    lets: list[Let] = field(default_factory=list)
    given: dict[Expr, Variable] = field(default_factory=dict)
    operations: int = 0
    stood: list[Statement] = field(default_factory=list)

    @property
    def made(self) -> set[Pattern]:
        """Return what the statements bind."""
        return {each.target for each in self.lets}


class _Unfit(Exception):
    """An expression that is not elementwise."""


class _Fusing:
    """One function while its runs are gathered."""

    def __init__(
        self,
        function: Function,
        program: Program,
        called: str,
        context: Context,
        made: dict[str, Function],
    ):
        self.whole = function
        self.called = called
        self.context = context
        self.made = made
        self.memory = memory_of(function, program)
        self.after: dict[int, frozenset[Token]] = {}
        self.sharing = _classes(self.memory)
        self.given = frozenset(p.variable for p in function.parameters)
        self.gone_over: frozenset[Variable] = frozenset()  # by the loops around

    def function(self) -> Function:
        """Return the function with its runs as calls."""
        sweep = Liveness(self.whole, self.memory, visit=self.note)
        sweep.block(self.whole.body, sweep.at_exit)
        return replace(self.whole, body=self.block(self.whole.body))

    def note(self, statement: Statement, live: Set[Token]) -> None:
        """Note what is live after a statement."""
        self.after[id(statement)] = self.after.get(id(statement), frozenset()) | live

    def block(self, block: Block) -> Block:
        """Return a block with its runs as calls, those of the blocks inside it as well."""
        out: list[Statement] = []
        run = _Run()
        for statement in block:
            if _is_save_of_others(statement, run):
                out.append(statement)
                continue
            longer = self.with_one(run, statement)
            if longer is None:
                out += self.closed(run)
                longer = self.with_one(_Run(), statement)
            if longer is None:
                around = self.gone_over
                if isinstance(statement, For):
                    read = reads(statement.domain)
                    self.gone_over |= {v for v, is_content in read if is_content}
                inner = tuple(self.block(each) for each in blocks_of(statement))
                self.gone_over = around
                out.append(with_blocks(statement, inner) if inner else statement)
            run = longer or _Run()
        return (*out, *self.closed(run))

    # ------------------------------------------------------------------------ runs

    def with_one(self, run: _Run, statement: Statement) -> _Run | None:
        """Return a run with one statement more, None if that does not fit."""
        let = self.as_value(statement)
        if let is None or not self.fits(let.value.type, run):
            return None
        given = dict(run.given)
        try:
            count = self.taken(let.value, run.made, given)
        except _Unfit:
            return None
        if not count:
            return None
        stood, lets = [*run.stood, statement], [*run.lets, let]
        return _Run(lets, given, run.operations + count, stood)

    def as_value(self, statement: Statement) -> Let | None:
        """Return the value that a statement makes; of a sum in place, whose memory no other name
        shares, a new one."""
        match statement:
            case Let(Variable(), _) if statement.effect.is_pure and statement.spelled == "=":
                return statement
            case Store(target, op, value) if op in OPERATORS and self.is_own(statement):
                made = Expr("binary", (target, value), op, target.type)
                return Let(target.data, made, statement.span)
        return None

    def is_own(self, store: Store) -> bool:
        """Tell whether no other name that is read later shares the array that is written to."""
        target, live = store.target, self.after.get(id(store))
        if target.op != "name" or live is None or not _keeps_kind(target.type, store.value.type):
            return False
        others = self.sharing.get(self.memory.content(target.data), frozenset()) - {target.data}
        if not self.gone_over.isdisjoint({*others, target.data}):
            return False
        tokens: set[Token] = {*others, *map(Pushed, others)}
        return live.isdisjoint(tokens) and self.given.isdisjoint({*others, target.data})

    def fits(self, made: Type, run: _Run) -> bool:
        """Tell whether a value has the shape of the others, and floats."""
        if not isinstance(made, Array) or not made.lengths or made.dtype[0] != "f":
            return False
        lengths = self.lengths(made)
        return None not in lengths and all(
            isinstance(each.value.type, Array) and self.lengths(each.value.type) == lengths
            for each in run.lets[:1]
        )

    def lengths(self, type_: Array) -> tuple[object, ...]:
        return tuple(n and self.context.assumptions.resolve(n) for n in type_.lengths)

    def taken(self, expr: Expr, made: Set[Pattern], given: dict[Expr, Variable]) -> int:
        """Count the operations of an expression; note what has to be handed over for it."""
        if expr.op == "constant" and type(expr.data) in (int, float):
            return 0
        if expr.op == "name" and expr.data in made:
            return 0
        args = _operands(expr)
        if args is not None and not is_number(expr.type):
            if _is_rounded(expr, args):
                raise _Unfit
            return 1 + sum(self.taken(arg, made, given) for arg in args)
        if not read_variables(expr).isdisjoint(made) or not _is_given(expr):
            raise _Unfit
        given.setdefault(expr, _named(expr, given))
        return 0

    # ------------------------------------------------------------------------ calls

    def closed(self, run: _Run) -> Sequence[Statement]:
        """Return the statements of a run: a call where it saves kernels."""
        if run.operations < FEWEST:
            return run.stood
        live = self.after[id(run.stood[-1])]
        bound = ((let.target, let.value.type) for let in run.lets)
        results = {v: t for v, t in bound if isinstance(v, Variable) and v in live}
        if not results:
            return run.stood
        types = tuple(results.values())
        is_one = len(types) == 1
        whole = types[0] if is_one else Tuple(types)
        kernel = f"_{self.called}_kernel_{len(self.made) + 1}"
        self.made[kernel] = _kernel(kernel, run, results, whole)
        target: Pattern = next(iter(results)) if is_one else tuple(results)
        function = Expr("function", (), kernel)
        return [Let(target, call(function, *run.given, type_=whole), run.lets[0].span)]


def _is_save_of_others(statement: Statement, run: _Run) -> bool:
    """Tell whether values are saved that a run has only read: that can be done before it."""
    if not isinstance(statement, Save) or not run.lets:
        return False
    return all(v.op == "name" and v.data not in run.made for v in saved_values(statement))


def _classes(memory: Memory) -> Mapping[object, frozenset[Variable]]:
    """Return the variables that may share memory, by what its contents are called."""
    found: dict[object, set[Variable]] = {}
    for variable in memory.found.points_to:
        found.setdefault(memory.content(variable), set()).add(variable)
    return {content: frozenset(each) for content, each in found.items()}


def _keeps_kind(target: Type, value: Type) -> bool:
    """Tell whether a sum in place gives the kind of array that a sum would."""
    if not isinstance(target, Array) or not isinstance(value, Array | Number):
        return False
    return np.result_type(target.dtype, value.dtype) == target.dtype


def _operands(expr: Expr) -> tuple[Expr, ...] | None:
    """Return the operands of an elementwise operation, None of any other expression."""
    match expr.op:
        case "binary" if expr.data in OPERATORS:
            return expr.args
        case "unary" if expr.data == "-":
            return expr.args
        case "compare" if len(expr.args) == 2 and expr.data[0] in "< <= > >= == !=".split():
            return expr.args
        case "call" if not expr.data and expr.args[0].op == "global":
            function = expr.args[0].data
            word = function.text.rpartition(".")[2]
            if word in FUSED and getattr(np, word) is function.value:
                return expr.args[1:]
    return None


def _is_rounded(expr: Expr, args: tuple[Expr, ...]) -> bool:
    """Tell whether a kernel would compute in the least precision that holds a number, beside masks
    alone, or cannot compute at all: 2.0**x."""
    numbers = [is_number(arg.type) for arg in args]
    masks = [getattr(arg.type, "dtype", "") == "bool" for arg in args]
    if expr.op == "binary" and expr.data == "**" and numbers[0]:
        return True
    return any(numbers) and all(map(operator.or_, numbers, masks))


def _is_given(expr: Expr) -> bool:
    """Tell whether a kernel may be handed a value: a name, a view of an array, or what is computed
    of numbers alone, which CuPy would compute in the least precision that holds each of them."""
    if expr.op == "name":
        return isinstance(expr.type, Array | Number)
    args = _operands(expr)
    if args is not None:
        return all(arg.op == "constant" or _is_given(arg) for arg in args)
    if expr.op != "subscript" or expr.args[0].op != "name":
        return False
    return isinstance(expr.args[0].type, Array) and not chooses(expr.args[1])


def _named(expr: Expr, given: Mapping[Expr, Variable]) -> Variable:
    """Return a name in the kernel for what it is handed: that of a value, or of a part of one."""
    if expr.op == "name":
        variable: Variable = expr.data
        return variable
    wanted = f"{expr.args[0].data.name}_part" if expr.op == "subscript" else _factor(expr)
    return Variable(wanted, len(given), Role.TERM)


def _factor(expr: Expr) -> str:
    """Return the name of a number: dt_k of dt * k."""
    parts = list(dict.fromkeys(node.data.name for node in name_nodes(expr)))
    return "_".join(parts) if len(parts) == 2 else "_".join([*parts[:1], "factor"])


def _kernel(called: str, run: _Run, results: Mapping[Variable, Type], whole: Type) -> Function:
    """Return the function of a run."""

    def named(expr: Expr) -> Expr:
        if expr in run.given:
            return name(run.given[expr], expr.type)
        return expr.with_args(map(named, expr.args))

    body: list[Statement] = [replace(let, value=named(let.value)) for let in run.lets]
    values = tuple(name(v, t) for v, t in results.items())
    result = values[0] if len(values) == 1 else Expr("tuple", values, type=whole)
    last = run.lets[-1]
    if tuple(results) == (last.target,):
        body, result = body[:-1], named(last.value)
    given = tuple(Parameter(variable, expr.type) for expr, variable in run.given.items())
    doc = _about(run.lets)
    return Function(called, given, (*body, Return(result)), doc=doc, decorator=DECORATOR)


def _about(lets: Sequence[Let]) -> str:
    """Return what the docstring of a kernel says."""
    lines = sorted({let.span.line for let in lets if let.span is not None})
    if not lines:
        return "Compute some elements, as one kernel."
    if len(lines) == 1:
        return f"Compute what line {lines[0]} needs, as one kernel."
    return f"Compute what lines {lines[0]} to {lines[-1]} need, as one kernel."
