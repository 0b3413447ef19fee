"""Runs of elementwise statements become one function each, which CuPy makes one kernel of.

r_bar = dt * v_bar
v_bar += (F + k) * r_bar      ->      r_bar = _kernel_1(v_bar, dt, F, k)

Arrays of one shape only, and nothing but arithmetic and ufuncs; what is indexed is handed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.callee import Written
from s2sad.legacy.facts import Fact, same_shape
from s2sad.legacy.liveness import walk_live
from s2sad.legacy.memory import Roots, own_memory, spread
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    Op,
    Param,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
)
from s2sad.legacy.storage import roots_of
from s2sad.legacy.traverse import reads

Known = Callable[[Var], Fact]
OPERATORS = frozenset("+ - * / ** u- < <= > >= == !=".split())
FUNCTIONS = frozenset(
    "abs absolute arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt ceil cos cosh deg2rad "
    "exp exp2 expm1 fabs floor fmax fmin hypot log log10 log1p log2 logaddexp maximum minimum "
    "negative power rad2deg reciprocal sign sin sinh sqrt square tan tanh where".split()
)


@dataclass(frozen=True)
class Kernel:
    """A function of elementwise statements, and how the derivative names it."""

    written: Written
    program: Program


@dataclass
class _Run:
    """Statements that may be one kernel, while they are gathered."""

    statements: list[Assign] = field(default_factory=list)
    made: set[Var] = field(default_factory=set)
    # what the kernel is handed: an expression of the derivative, and its name in the kernel
    given: dict[Expr, Var] = field(default_factory=dict)
    operations: int = 0
    # how they stood
    stood: list[Stmt] = field(default_factory=list)


def fused(
    program: Program, function: Any, known: Known, fresh: Callable[[str], str]
) -> tuple[Program, list[Kernel]]:
    """Return the program with its elementwise runs as calls, and the kernels that they call."""
    after: dict[int, frozenset[Var]] = {}

    def note(stmt: Stmt, live: frozenset[Var]) -> None:
        after[id(stmt)] = live

    walk_live(program.body, frozenset(reads(program.result)), note)
    maker = _Maker(program, function, known, roots_of(program, known), after, fresh)
    return replace(program, body=maker.block(program.body)), maker.kernels


@dataclass
class _Maker:
    program: Program
    function: Any
    known: Known
    roots: Roots
    after: dict[int, frozenset[Var]]
    fresh: Callable[[str], str]
    kernels: list[Kernel] = field(default_factory=list)

    def block(self, block: Block) -> Block:
        """Return a block with its runs as calls, those of the blocks inside it as well."""
        out: list[Stmt] = []
        run = _Run()
        for stmt in block:
            longer = self._with(run, stmt)
            if longer is None:
                out += self._closed(run)
                longer = self._with(_Run(), stmt)
            if longer is None:
                # a statement with blocks is made anew: what is live after it is not asked again
                out.append(map_blocks(stmt, self.block))
            run = longer or _Run()
        return (*out, *self._closed(run))

    def _with(self, run: _Run, stmt: Stmt) -> _Run | None:
        """Return a run with one statement more, None if that does not fit."""
        made = self._made(stmt)
        if made is None or not self._fits(made.target, run):
            return None
        given = dict(run.given)
        try:
            count = self._taken(made.value, run.made, given)
        except _Unfit:
            return None
        if not count:
            return None
        names = {*run.made, made.target}
        stood, statements = [*run.stood, stmt], [*run.statements, made]
        return _Run(statements, names, given, run.operations + count, stood)

    def _made(self, stmt: Stmt) -> Assign | None:
        """Return the value that a statement makes; of a sum in place, whose memory no other name
        shares, a new one."""
        match stmt:
            case Assign((_,), unpack=False, echo=False):
                return stmt
            case Update(new, old, None, op, value) if op in OPERATORS and self._is_own(stmt):
                return Assign((new,), Op(op, (old, value)), stmt.span)
        return None

    def _is_own(self, stmt: Update) -> bool:
        mine = own_memory(self.roots.get(stmt.old, frozenset()))
        others = self.after[id(stmt)] - {stmt.new, stmt.old}
        return (
            "~" in stmt.old.slot
            and all(isinstance(root, Var) for root in mine)
            and not any(mine & spread(self.roots.get(other, frozenset())) for other in others)
        )

    def _fits(self, made: Var, run: _Run) -> bool:
        fact = self.known(made)
        if not fact.is_array or not fact.rank or not fact.dtype.startswith("float"):
            return False
        return all(same_shape(fact, self.known(each.target)) for each in run.statements[:1])

    def _taken(self, expr: Expr, made: set[Var], given: dict[Expr, Var]) -> int:
        """Count the operations of an expression; note what has to be handed over for it."""
        match expr:
            case Const(int() | float()):
                return 0
            case Var() if expr in made:
                return 0
            case Op(op, args) if op in OPERATORS:
                return 1 + sum(self._taken(arg, made, given) for arg in args)
            case Call(Ref(text, function), args, ()) if _is_elementwise(text, function):
                return 1 + sum(self._taken(arg, made, given) for arg in args)
        if any(var in made for var in reads(expr)) or not self._is_operand(expr):
            raise _Unfit
        given.setdefault(expr, _named(expr, given))
        return 0

    def _is_operand(self, expr: Expr) -> bool:
        match expr:
            case Var():
                return self.known(expr).is_array or self.known(expr).is_scalar
            case Op("index", (Var() as owner, key)):
                return self.known(owner).is_array and not any(
                    self.known(var).is_array for var in reads(key)
                )
        return False

    # ------------------------------------------------------------ calls

    def _closed(self, run: _Run) -> Sequence[Stmt]:
        """Return the statements of a run: a call where it saves kernels."""
        if run.operations < 2:
            return run.stood
        live = self.after[id(run.stood[-1])]
        results = [each.target for each in run.statements if each.target in live]
        written = Written(
            self.fresh(f"_{self.program.name}_kernel_{len(self.kernels) + 1}"),
            self.function,
            frozenset(),
            about=_lines(run),
            decorator="@fuse()",
        )
        self.kernels.append(Kernel(written, self._kernel(written.name, run, results)))
        call = Call(Ref(written.name, written), tuple(run.given))
        span = run.statements[0].span
        return [Assign(tuple(results), call, span, unpack=len(results) > 1)]

    def _kernel(self, name: str, run: _Run, results: Sequence[Var]) -> Program:
        def named(expr: Expr) -> Expr:
            if expr in run.given:
                return run.given[expr]
            match expr:
                case Op(op, args):
                    return Op(op, tuple(map(named, args)))
                case Call(function, args):
                    return Call(function, tuple(map(named, args)))
            return expr

        body = tuple(replace(each, value=named(each.value)) for each in run.statements)
        params = tuple(Param(var) for var in run.given.values())
        result: Expr = results[0] if len(results) == 1 else Op("tuple", tuple(results))
        return Program(name, params, body, result, self.program.span)


class _Unfit(Exception):
    """An expression that is not elementwise."""


def _is_elementwise(text: str, function: object) -> bool:
    name = text.rpartition(".")[2]
    return name in FUNCTIONS and getattr(np, name) is function


def _named(expr: Expr, given: dict[Expr, Var]) -> Var:
    """Return a name in the kernel for what it is handed: that of a value, or of a part of one."""
    if isinstance(expr, Var):
        return expr
    word = base(reads(expr)[0].slot) if reads(expr) else "part"
    return Var(f"{word}%part{len(given)}", 0)


def _lines(run: _Run) -> str:
    """Return what the docstring of a kernel says."""
    lines = sorted({each.span.line for each in run.statements})
    which = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
    return (
        f"Compute what {which} needs, as one kernel."
        if len(lines) == 1
        else (f"Compute what {which} need, as one kernel.")
    )
