"""Programs for tests, read from Python text: names say what variables are, one run says their types.

program_of("def f(u): ...", u)    x_bar is an adjoint, t_1 a term, x_saved a stack
"""

from __future__ import annotations

import ast
import builtins
import copy
import math
import operator
from types import SimpleNamespace

import numpy as np

from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Known, Role, Variable, constant, global_
from s2sad.ir.program import (
    Break,
    Continue,
    Effect,
    For,
    Function,
    If,
    Let,
    Note,
    Parameter,
    Program,
    Restore,
    Return,
    Save,
    Store,
    While,
)
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Array, Length, Number, Other, Reference, Sequence, Tuple
from s2sad.ir.walk import blocks, with_blocks, with_expressions

MODULE = {"np": np, "math": math, "SimpleNamespace": SimpleNamespace}
OPERATORS = {
    "Add": ("+", operator.add),
    "Sub": ("-", operator.sub),
    "Mult": ("*", operator.mul),
    "Div": ("/", operator.truediv),
    "FloorDiv": ("//", operator.floordiv),
    "Mod": ("%", operator.mod),
    "Pow": ("**", operator.pow),
    "MatMult": ("@", operator.matmul),
}
SYMBOLS = dict(OPERATORS.values())
COMPARISONS = {
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Eq": "==",
    "NotEq": "!=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}
TESTS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def program_of(text, *args, effects=()):
    """Return the program that a text is, typed by a run with `args`."""
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = {node.name for node in functions}
    reader = _Reader(names, text)
    made = {node.name: reader.function(node) for node in functions}
    program = Program(made, functions[-1].name)
    return _typed(program, args) if args else program


# ---------------------------------------------------------------------------- reading


def variable_of(name):
    """Return the variable of a name: its ending says what it holds."""
    for ending, role in (("_bar", Role.ADJOINT), ("_dot", Role.TANGENT), ("_saved", Role.SAVED)):
        if name.endswith(ending):
            return Variable(name, 0, role, variable_of(name[: -len(ending)]))
    head, _, tail = name.rpartition("_")
    if head == "t" and tail.isdigit():
        return Variable("t", int(tail), Role.TERM)
    if tail.isdigit() and head:
        return Variable(head, int(tail))
    return Variable(name)


class _Reader:
    def __init__(self, functions, text):
        self.functions = functions
        self.lines = text.splitlines()

    def function(self, node):
        self.local = {arg.arg for arg in node.args.args}
        self.local |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _stored(n)}
        self.name = node.name
        parameters = tuple(Parameter(variable_of(arg.arg)) for arg in node.args.args)
        return Function(node.name, parameters, self.block(node.body), self.span(node))

    def span(self, node):
        """Return the place that a remark at the end of the line names: `# 12`."""
        remark = self.lines[node.end_lineno - 1].rpartition("#")[2].strip()
        line = int(remark) if remark.isdigit() else node.lineno
        return Span("<written>", self.name, line, node.col_offset, line)

    def block(self, nodes):
        return tuple(
            replace(made, span=self.span(node))
            for node in nodes
            if (made := self.statement(node)) is not None
        )

    def statement(self, node):
        match node:
            case ast.Expr(ast.Constant(str() as text)):
                return Note(text)
            case ast.Assign([target], ast.Call(ast.Attribute(ast.Name(stack), "pop"), [])):
                if stack.endswith("_saved"):
                    place = self.target(target)
                    return Restore(place, variable_of(stack))
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(stack), "append"), [value])):
                if stack.endswith("_saved"):
                    return Save(variable_of(stack), self.expr(value))
            case ast.Pass():
                return None
        return self.plain(node)

    def plain(self, node):
        match node:
            case ast.Assign([ast.Name() | ast.Tuple() as target], value):
                return Let(self.target(target), self.expr(value))
            case ast.Assign([target], value):
                return Store(self.target(target), "=", self.expr(value))
            case ast.AugAssign(ast.Name() as target, op, value):
                symbol = OPERATORS[type(op).__name__][0]
                old = Expr("name", (), variable_of(target.id))
                new = Expr("binary", (old, self.expr(value)), symbol)
                return Let(variable_of(target.id), new, spelled=symbol)
            case ast.AugAssign(target, op, value):
                return Store(self.target(target), OPERATORS[type(op).__name__][0], self.expr(value))
            case ast.Expr(value):
                return Let(None, self.expr(value), effect=Effect(frozenset({0})))
            case ast.If():
                return If(self.expr(node.test), self.block(node.body), self.block(node.orelse))
            case ast.For():
                return For(self.target(node.target), self.expr(node.iter), self.block(node.body))
            case ast.While():
                return While(self.expr(node.test), self.block(node.body))
            case ast.Break():
                return Break()
            case ast.Continue():
                return Continue()
            case ast.Return(value):
                return Return(self.expr(value))
        raise ValueError(ast.dump(node))

    def target(self, node):
        match node:
            case ast.Name(name):
                return None if name == "_" else variable_of(name)
            case ast.Tuple(parts):
                return tuple(self.target(part) for part in parts)
        return self.expr(node)

    def expr(self, node):
        match node:
            case ast.Constant(value):
                return constant(value)
            case ast.Name(name) if name in self.functions:
                return Expr("function", (), name)
            case ast.Name(name) if name in self.local:
                return Expr("name", (), variable_of(name))
            case ast.Name(name):
                return global_(name, MODULE.get(name, getattr(builtins, name, None)))
            case ast.UnaryOp(op, operand):
                signs = {"USub": "-", "UAdd": "+", "Invert": "~", "Not": "not"}
                return Expr("unary", (self.expr(operand),), signs[type(op).__name__])
            case ast.BinOp(left, op, right):
                symbol = OPERATORS[type(op).__name__][0]
                return Expr("binary", (self.expr(left), self.expr(right)), symbol)
            case ast.Compare(left, ops, rest):
                symbols = tuple(COMPARISONS[type(op).__name__] for op in ops)
                return Expr("compare", tuple(map(self.expr, (left, *rest))), symbols)
            case ast.BoolOp(op, values):
                return Expr(type(op).__name__.lower(), tuple(map(self.expr, values)))
            case ast.IfExp(test, body, orelse):
                return Expr("conditional", tuple(map(self.expr, (test, body, orelse))))
            case ast.Tuple(parts) | ast.List(parts):
                return Expr(type(node).__name__.lower(), tuple(map(self.expr, parts)))
            case ast.Subscript(base, index):
                return Expr("subscript", (self.expr(base), self.expr(index)))
            case ast.Slice(lower, upper, step):
                none = ast.Constant(None)
                return Expr("slice", tuple(self.expr(x or none) for x in (lower, upper, step)))
            case ast.Attribute(ast.Name(name), attribute) if name in MODULE:
                return global_(f"{name}.{attribute}", getattr(MODULE[name], attribute))
            case ast.Attribute(ast.Attribute() as base, attribute) if self._is_global(base):
                inner = self.expr(base).data
                return global_(f"{inner.text}.{attribute}", getattr(inner.value, attribute))
            case ast.Attribute(base, attribute):
                return Expr("attribute", (self.expr(base),), attribute)
            case ast.Call(function, args, keywords):
                words = tuple(keyword.arg for keyword in keywords)
                parts = (function, *args, *(keyword.value for keyword in keywords))
                return Expr("call", tuple(map(self.expr, parts)), words)
        raise ValueError(ast.dump(node))

    def _is_global(self, node):
        return self.expr(node).op == "global"


def _stored(node):
    return isinstance(node.ctx, ast.Store)


# ---------------------------------------------------------------------------- types by a run


class _Left(Exception):
    pass


class _Returned(Exception):
    pass


class _Run:
    """Runs a program and notes what each expression gave."""

    def __init__(self, program):
        self.program = program
        self.types = {}
        self.symbols = {}
        self.parameters = {}

    def call(self, name, args):
        function = self.program.functions[name]
        env = {}
        for parameter, value in zip(function.parameters, args, strict=True):
            env[parameter.variable] = value
            self.parameters[name, parameter.variable] = self.type_of(value)
        try:
            self.block(function.body, env)
        except _Returned as returned:
            return returned.args[0]
        return None

    def block(self, block, env):
        for statement in block:
            self.statement(statement, env)

    def statement(self, statement, env):
        match statement:
            case Let(target, value):
                if statement.spelled != "=":
                    old = env[target]
                    new = self.value(value.args[1], env)
                    self.value(value.args[0], env)
                    if isinstance(old, np.ndarray):
                        SYMBOLS_IN_PLACE[statement.spelled](old, new)
                    else:
                        env[target] = SYMBOLS[statement.spelled](old, new)
                    self.note(value, env[target])
                    return
                self.bind(target, self.value(value, env), env)
            case Store(target, op, value):
                new = self.value(value, env)
                base, index = self.value(target.args[0], env), self.value(target.args[1], env)
                self.note(target, base[index])
                base[index] = new if op == "=" else SYMBOLS[op](base[index], new)
            case Save(stack, value):
                env[stack].append(self.value(value, env))
            case Restore(target, stack):
                if isinstance(target, Variable):
                    env[target] = env[stack].pop()
                else:
                    base, index = self.value(target.args[0], env), self.value(target.args[1], env)
                    base[index] = env[stack].pop()
                    self.note(target, base[index])
            case If(test, body, orelse):
                self.block(body if self.value(test, env) else orelse, env)
            case For(target, domain, body):
                for item in self.value(domain, env):
                    self.bind(target, item, env)
                    if self.leaves(body, env):
                        break
            case While(test, body):
                while self.value(test, env):
                    if self.leaves(body, env):
                        break
            case Return(value):
                raise _Returned(self.value(value, env))
            case Break() | Continue():
                raise _Left(isinstance(statement, Break))

    def leaves(self, body, env):
        try:
            self.block(body, env)
        except _Left as left:
            return left.args[0]
        return False

    def bind(self, target, value, env):
        match target:
            case Variable():
                env[target] = value
            case tuple():
                for part, item in zip(target, value, strict=True):
                    self.bind(part, item, env)

    def value(self, expr, env):
        found = self.evaluated(expr, env)
        self.note(expr, found)
        return found

    def note(self, expr, value):
        made = self.type_of(value)
        before = self.types.get(id(expr), made)
        self.types[id(expr)] = made if before == made else _joined(before, made)

    def evaluated(self, expr, env):
        if expr.op == "call":
            return self.called(expr, env)
        if expr.op in ("and", "or", "conditional"):
            return self.chosen(expr, env)
        args = [self.value(arg, env) for arg in expr.args]
        match expr.op:
            case "constant":
                return expr.data
            case "name":
                return env[expr.data]
            case "global":
                return expr.data.value
            case "function":
                return expr.data
            case "unary":
                signs = {"-": operator.neg, "+": operator.pos, "~": operator.inv}
                return (signs | {"not": operator.not_})[expr.data](args[0])
            case "binary":
                return SYMBOLS[expr.data](*args)
            case "compare":
                pairs = zip(expr.data, args, args[1:], strict=False)
                return all(TESTS[symbol](a, b) for symbol, a, b in pairs)
            case "tuple":
                return tuple(args)
            case "list":
                return args
            case "slice":
                return slice(*args)
            case "subscript":
                return args[0][args[1]]
            case "attribute":
                return getattr(args[0], expr.data)
        raise ValueError(expr.op)

    def chosen(self, expr, env):
        if expr.op == "conditional":
            return self.value(expr.args[1 if self.value(expr.args[0], env) else 2], env)
        value = None
        for arg in expr.args:
            value = self.value(arg, env)
            if bool(value) == (expr.op == "or"):
                break
        return value

    def called(self, expr, env):
        function, *args = [self.value(arg, env) for arg in expr.args]
        if expr.args[0].op == "function":
            return self.call(function, args)
        first = len(args) - len(expr.data)
        return function(*args[:first], **dict(zip(expr.data, args[first:], strict=True)))

    def type_of(self, value):
        if isinstance(value, bool | np.bool_):
            return Number("bool")
        if isinstance(value, int | np.integer):
            return Number("int64")
        if isinstance(value, float | np.floating):
            return Number("float64", isinstance(value, np.floating))
        if isinstance(value, np.ndarray):
            return Array(str(value.dtype), tuple(map(self.length, value.shape)))
        if isinstance(value, tuple):
            return Tuple(tuple(map(self.type_of, value)))
        if isinstance(value, list):
            return Reference("list")
        if isinstance(value, range):
            return Sequence(Number("int64"), range)
        if value is None or isinstance(value, str | slice):
            return Other(type(value))
        return UNKNOWN

    def length(self, size):
        for base in range(size, 0, -1):
            if base in self.symbols:
                return Length.of(self.symbols[base]) + (size - base)
        if size > 4:
            self.symbols[size] = "nmklpq"[len(self.symbols)]
            return Length.of(self.symbols[size])
        return Length((), size)


def _augmented(symbol):
    def run(old, new):
        old[...] = SYMBOLS[symbol](old, new)

    return run


SYMBOLS_IN_PLACE = {symbol: _augmented(symbol) for symbol in SYMBOLS}


def _joined(first, second):
    if isinstance(first, Number) and isinstance(second, Number) and first.dtype == second.dtype:
        return Number(first.dtype)
    return UNKNOWN


def _typed(program, args):
    run = _Run(program)
    for length in sorted({n for a in args for n in np.shape(a) if np.ndim(a)}):
        run.length(length) if length > 4 else None
    run.call(program.entry, copy.deepcopy(args))

    def change(expr):
        return _with_types(expr, run.types)

    functions = {}
    for name, function in program.functions.items():
        parameters = tuple(
            replace(p, type=run.parameters.get((name, p.variable), UNKNOWN))
            for p in function.parameters
        )
        body = _mapped(function.body, change)
        functions[name] = replace(function, parameters=parameters, body=body)
    return replace(program, functions=functions)


def _in_place(statement):
    """Return what `x += e` is for an array: a store."""
    if isinstance(statement, Let) and statement.spelled != "=":
        old, value = statement.value.args
        if isinstance(old.type, Array):
            return Store(old, statement.spelled, value, statement.span)
    return statement


def _with_types(expr, types):
    args = tuple(_with_types(arg, types) for arg in expr.args)
    made = types.get(id(expr), expr.type)
    known = Known(expr.data) if expr.op == "constant" else expr.known
    return replace(expr, args=args, type=made, known=known)


def _mapped(block, change):
    made = []
    for statement in block:
        new = _in_place(with_expressions(statement, change))
        made.append(with_blocks(new, tuple(_mapped(inner, change) for inner in blocks(new))))
    return tuple(made)
