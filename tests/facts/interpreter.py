"""Runs a Program, telling a listener of every value it makes.

run(program, (u, 0.1), Listener())    ->    what the program returns
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Break,
    Call,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from tests.rules.first.evaluate import printed_functions

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "is": operator.is_, "is_not": operator.is_not, "in": lambda a, b: a in b,
    "not_in": lambda a, b: a not in b,
}  # fmt: skip
IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: b, "+": operator.iadd, "-": operator.isub, "*": operator.imul,
    "/": operator.itruediv, "//": operator.ifloordiv, "%": operator.imod, "**": operator.ipow,
    "@": operator.imatmul,
}  # fmt: skip


def _write(owner: Any, key: Any, op: str, value: Any) -> None:
    """Write `owner[key] op= value`; `np.add.at(owner, key, value)` is an op of its own."""
    if op.endswith(".at"):
        getattr(np, op.removesuffix(".at")).at(owner, key, value)
    elif op == "insert":
        owner.insert(key, value)
    else:
        owner[key] = value if op == "=" else BINARY[op](owner[key], value)


class NotRun(Exception):
    """A program with copied syntax, which is not looked at here."""


class Ended(Exception):
    """A break."""


class Listener:
    """Hears of values, and of blocks that are entered and left."""

    def value(self, var: Var, value: Any) -> None:
        """A value is made."""

    def enter(self) -> None:
        """A branch or the pass of a loop begins."""

    def leave(self) -> None:
        """A branch or the pass of a loop has ended."""


def run(program: Program, args: tuple[Any, ...], listener: Listener) -> Any:
    """Return what a program returns for positional arguments."""
    machine = Machine(listener)
    for param, value in zip(program.params, args, strict=False):
        machine.bind(param.var, value)
    for param in program.params[len(args) :]:
        assert param.default is not None
        machine.bind(param.var, machine.eval(param.default))
    machine.block(program.body)
    return machine.eval(program.result)


class Machine:
    """The values of a program that runs."""

    def __init__(self, listener: Listener):
        self.values: dict[Var, Any] = {}
        self.listener = listener

    def bind(self, var: Var, value: Any) -> None:
        self.values[var] = value
        self.listener.value(var, value)

    def block(self, block: Block) -> None:
        for stmt in block:
            self.statement(stmt)

    def inner(self, block: Block) -> bool:
        """Run a block; tell whether it broke off."""
        try:
            self.block(block)
        except Ended:
            return True
        return False

    # ------------------------------------------------------------ expressions

    def eval(self, expr: Expr) -> Any:
        match expr:
            case Ref(text, "printed"):
                return printed_functions()[text]
            case Const(value) | Ref(_, value):
                return value
            case Var():
                return self.values[expr]
            case Attr(value, name):
                return getattr(self.eval(value), name)
            case Call(func, args, keywords):
                named = {key: self.eval(value) for key, value in keywords}
                return self.eval(func)(*map(self.eval, args), **named)
            case Op(op, args):
                return self.operation(op, args)
        raise NotRun(expr)

    def operation(self, op: str, args: tuple[Expr, ...]) -> Any:
        if op == "if":
            return self.eval(args[1] if self.eval(args[0]) else args[2])
        if op in ("and", "or"):
            return self.either(op, args)
        values = [self.eval(arg) for arg in args]
        match op:
            case "index":
                return values[0][values[1]]
            case "slice":
                return slice(*values)
            case "tuple":
                return tuple(values)
            case "list":
                return values
            case "u-" | "u+" | "~" | "not":
                unary = {"u-": operator.neg, "u+": operator.pos, "~": operator.invert}
                return unary.get(op, operator.not_)(values[0])
        return self.chain(op.split(), values)

    def either(self, op: str, args: tuple[Expr, ...]) -> Any:
        value = None
        for arg in args:
            value = self.eval(arg)
            if bool(value) is (op == "or"):
                break
        return value

    def chain(self, ops: list[str], values: list[Any]) -> Any:
        result: Any = True
        for op, a, b in zip(ops, values, values[1:], strict=False):
            result = BINARY[op](a, b)
            if len(ops) > 1 and not result:
                break
        return result

    # ------------------------------------------------------------ statements

    def statement(self, stmt: Stmt) -> None:
        match stmt:
            case Assign(targets, value):
                self.store(targets if stmt.unpack else targets[0], self.eval(value))
            case Update():
                self.update(stmt)
            case Pop(target, new, old):
                self.bind(target, self.values[old].pop())
                self.bind(new, self.values[old])
            case Effect(Opaque()):
                raise NotRun(stmt)
            case Effect():
                pass
            case If():
                self.branch(stmt)
            case Loop():
                self.loop(stmt)
            case Break():
                raise Ended

    def store(self, target: Any, value: Any) -> None:
        if isinstance(target, Var):
            self.bind(target, value)
            return
        for each, part in zip(target, value, strict=True):
            self.store(each, part)

    def update(self, stmt: Update) -> None:
        old, value = self.values[stmt.old], self.eval(stmt.value)
        if stmt.op == "append":
            old.append(value)
        elif stmt.index is None:
            old = IN_PLACE[stmt.op](old, value)
        else:
            key = self.eval(stmt.index)
            _write(old, key, stmt.op, value)
        self.bind(stmt.new, old)

    def branch(self, stmt: If) -> None:
        taken = bool(self.eval(stmt.test))
        self.listener.enter()
        broken = self.inner(stmt.then if taken else stmt.orelse)
        self.listener.leave()
        for merge in stmt.merges:
            side = merge.then if taken else merge.orelse
            if side is not None and side in self.values:
                self.bind(merge.out, self.values[side])
        if broken:
            raise Ended

    def loop(self, stmt: Loop) -> None:
        held = {c: self.values[c.init] for c in stmt.carried if c.init in self.values}
        for item in self.passes(stmt, held):
            self.listener.enter()
            for carried, value in held.items():
                self.bind(carried.head, value)
            if stmt.iterable is None and not self.eval(stmt.test):  # type: ignore[arg-type]
                self.listener.leave()
                break
            if stmt.iterable is not None:
                self.store(stmt.targets, item)
            broken = self.inner(stmt.body)
            held |= {c: self.values[c.end] for c in stmt.carried if c.end in self.values}
            self.listener.leave()
            if broken:
                break
        for carried, value in held.items():
            self.bind(carried.exit, value)

    def passes(self, stmt: Loop, held: Any) -> Any:
        if stmt.iterable is not None:
            yield from self.eval(stmt.iterable)
        while stmt.iterable is None:
            yield None
