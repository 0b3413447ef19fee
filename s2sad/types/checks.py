"""All that is assumed of the arguments as one check at the entry, with one message.

(W.ndim, m.ndim, d.ndim) == (2, 1, 1) and W.shape[0] == d.shape[0]
made for W (m, n), m (n,), d (m,)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Variable, attribute, call, constant, global_, name, subscript
from s2sad.ir.program import Check, Let, Parameter, Program
from s2sad.ir.types import Array, Length, Number, Optional, Type
from s2sad.ir.walk import statements
from s2sad.types.assumptions import Assumptions
from s2sad.types.context import Context
from s2sad.types.inference import infer

LETTERS = "nmklpqrstwxyz"
Names = Mapping[str, Parameter]
AST_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}


def entry_checks(program: Program, context: Context) -> tuple[Check, ...]:
    """Return the check of what the types of a program assume of its arguments; none for nothing."""
    parameters = {str(p.variable): p for p in program.function.parameters}
    tests = [*_rank_test(parameters, context), *_length_tests(parameters, context)]
    if not tests:
        return ()
    test = tests[0] if len(tests) == 1 else infer(Expr("and", tuple(tests)), context)
    message = f"made for {_shapes(program, parameters, context)}"
    span = next((fact.span for fact in context.assumptions.facts if fact.span), None)
    return (Check(test, message, span),)


# ---------------------------------------------------------------------------- ranks


def _rank(type_: Type) -> int | None:
    match type_:
        case Array():
            return type_.rank
        case Number(dtype) if dtype[0] in "fc":
            return 0
    return None


def _rank_test(parameters: Names, context: Context) -> Iterable[Expr]:
    """Yield the test of all ranks: (W.ndim, m.ndim) == (2, 1), np.ndim(c) == 0."""
    ranks = [(p, _rank(p.type)) for p in parameters.values()]
    known = [(p, rank) for p, rank in ranks if rank is not None]
    if not known:
        return
    asked = [_ndim(p, context) for p, _ in known]
    expected = [infer(constant(rank), context) for _, rank in known]
    if len(known) > 1:
        left, right = (infer(Expr("tuple", tuple(x)), context) for x in (asked, expected))
    else:
        left, right = asked[0], expected[0]
    yield Expr("compare", (left, right), ("==",), Number("bool"))


def _ndim(parameter: Parameter, context: Context) -> Expr:
    read = name(parameter.variable, parameter.type)
    if isinstance(parameter.type, Array):
        return attribute(read, "ndim", Number("int64"))
    return call(infer(global_("np.ndim", np.ndim), context), read, type_=Number("int64"))


# ---------------------------------------------------------------------------- lengths


def _length_tests(parameters: Names, context: Context) -> Iterable[Expr]:
    """Yield the tests of lengths that were unified, and of those that are long enough."""
    assumed = context.assumptions
    for symbol in assumed.bindings:
        if not symbol.startswith("("):
            wanted = assumed.resolve(Length.of(symbol))
            yield _compared("==", Length.of(symbol), wanted, parameters, context)
    for length in needed_naturals(assumed):
        less = Length(tuple((s, f) for s, f in length.terms if f > 0), max(length.constant, 0))
        yield _compared(">=", less, less - length, parameters, context)


def needed_naturals(assumed: Assumptions) -> list[Length]:
    """Return the lengths that must not be negative; of those that differ by a number, the least."""
    least: dict[Any, Length] = {}
    for fact in assumed.facts:
        length = assumed.resolve(fact.length)
        if fact.kind != "natural" or not length.terms:
            continue
        if length.constant >= 0 and all(factor > 0 for _, factor in length.terms):
            continue
        known = least.get(length.terms)
        if known is None or length.constant < known.constant:
            least[length.terms] = length
    return list(least.values())


def _compared(
    symbol: str, left: Length, right: Length, parameters: Names, context: Context
) -> Expr:
    sides = tuple(length_expression(side, parameters, context) for side in (left, right))
    return Expr("compare", sides, (symbol,), Number("bool"))


def length_expression(length: Length, parameters: Names, context: Context) -> Expr:
    """Return a length as an expression of the arguments: u.shape[0] + 4."""
    parts = ["*".join(([str(f)] if f != 1 else []) + list(s)) for s, f in length.terms]
    if length.constant or not parts:
        parts.append(str(length.constant))
    tree = ast.parse(" + ".join(parts).replace("+ -", "- "), mode="eval").body
    return _built(tree, parameters, context)


def _built(node: ast.expr, parameters: Names, context: Context) -> Expr:
    """Return the expression of the text of a symbol."""
    match node:
        case ast.Name(id=found):
            parameter = parameters[found]
            return name(parameter.variable, parameter.type)
        case ast.Constant(value=value):
            return infer(constant(value), context)
        case ast.Attribute(value=base, attr=named):
            return infer(attribute(_built(base, parameters, context), named), context)
        case ast.Subscript(value=base, slice=index):
            whole, part = (_built(each, parameters, context) for each in (base, index))
            return infer(subscript(whole, part), context)
        case ast.UnaryOp(operand=operand):
            return infer(Expr("unary", (_built(operand, parameters, context),), "-"), context)
        case ast.BinOp(left=left, op=op, right=right):
            sides = tuple(_built(side, parameters, context) for side in (left, right))
            return infer(Expr("binary", sides, AST_OPERATORS[type(op)]), context)
    raise ValueError(ast.dump(node))


# ---------------------------------------------------------------------------- the message


def letters(program: Program, context: Context) -> dict[str, str]:
    """Return the letters of the lengths: the user's own where he unpacks a shape, else n, m, k."""
    assumed = context.assumptions
    chosen: dict[str, str] = {}
    for symbol, variable in _names_of_lengths(program):
        root = assumed.resolve(Length.of(symbol))
        own = next(iter(root.symbols)) if root == _alone(root) else None
        if own is not None and own not in chosen and str(variable) not in chosen.values():
            chosen[own] = str(variable)
    taken = {str(p.variable) for p in program.function.parameters} | set(chosen.values())
    free = (letter for letter in LETTERS if letter not in taken)
    for symbol in assumed.sizes:
        root = assumed.resolve(Length.of(symbol))
        for own in sorted(root.symbols, key=list(assumed.sizes).index):
            if own not in chosen:
                chosen[own] = own if own.isidentifier() else next(free, own)
    return chosen


def _alone(length: Length) -> Length | None:
    symbols = length.symbols
    return Length.of(next(iter(symbols))) if len(symbols) == 1 else None


def _names_of_lengths(program: Program) -> Iterable[tuple[str, Variable]]:
    """Yield what the user calls the lengths of his arguments: n, d = x.shape; n = len(x)."""
    for statement in statements(program.function.body):
        if not isinstance(statement, Let):
            continue
        value = statement.value
        targets = statement.target if isinstance(statement.target, tuple) else (statement.target,)
        if value.op == "attribute" and value.data == "shape" and value.args[0].op == "name":
            for axis, target in enumerate(targets):
                if isinstance(target, Variable) and isinstance(statement.target, tuple):
                    yield f"{value.args[0].data}.shape[{axis}]", target
        elif isinstance(value.type, Number) and value.type.length is not None:
            own = _alone(value.type.length)
            if own == value.type.length and isinstance(statement.target, Variable):
                yield next(iter(own.symbols)), statement.target


def _shapes(program: Program, parameters: Names, context: Context) -> str:
    """Return the arguments with their shapes: W (m, n), m (n,), c a number; n >= 2."""
    lettered = letters(program, context)
    parts = [f"{p} {_shape_text(q.type, lettered, context)}" for p, q in parameters.items()]
    told = [part for part in parts if not part.endswith(" ")]
    needs = [_natural_text(length, lettered) for length in needed_naturals(context.assumptions)]
    return ", ".join(told) + "".join(f", {need}" for need in needs)


def _shape_text(type_: Type, lettered: Mapping[str, str], context: Context) -> str:
    match type_:
        case Array(_, lengths):
            axes = [_in_letters(n, lettered, context) for n in lengths]
            return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"
        case Number(dtype) if dtype[0] in "fc":
            return "a number"
        case Optional(inner):
            return _shape_text(inner, lettered, context)
    return ""


def _in_letters(length: Length | None, lettered: Mapping[str, str], context: Context) -> str:
    if length is None:
        return "any"
    resolved = context.assumptions.resolve(length)
    return str(resolved.replaced({s: Length.of(lettered.get(s, s)) for s in resolved.symbols}))


def _natural_text(length: Length, lettered: Mapping[str, str]) -> str:
    """Return n >= 2 for n - 2 that must not be negative."""
    spelled = length.replaced({s: Length.of(lettered.get(s, s)) for s in length.symbols})
    more = Length(tuple((s, f) for s, f in spelled.terms if f > 0), max(spelled.constant, 0))
    return f"{more} >= {more - spelled}"
