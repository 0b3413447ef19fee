"""The expressions of a template as trees of the representation; its own names become holes.

x * np.pi     binary "*" (name x, global np.pi)
"""

from __future__ import annotations

import ast
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from s2sad.ir.expression import Expr, constant, global_, object_of
from s2sad.ir.records import dataclass, field
from s2sad.ir.symbols import of_nodes
from s2sad.ir.types import Array, Number
from s2sad.operators import printed
from s2sad.operators.modules import MISSING, PLAIN, builtin, module
from s2sad.operators.rule import hole
from s2sad.source.optional import known_name

if TYPE_CHECKING:
    from s2sad.operators.reading import Text

SYMBOLS = of_nodes(ast)
DTYPES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def is_array(expr: Expr) -> bool:
    """Tell whether a value is an array of a known rank of at least one."""
    return isinstance(expr.type, Array) and bool(expr.type.lengths)


def is_literal(expr: Expr, *values: float) -> bool:
    """Tell whether an expression is a literal number, or one of these."""
    if expr.op != "constant" or type(expr.data) not in (int, float, complex):
        return False
    return not values or expr.data in values


def literal(value: Any) -> Expr:
    """Return a literal with its type."""
    dtype = DTYPES.get(type(value))
    return constant(value, None if dtype is None else Number(dtype))


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the expressions of one template; `own` are the names that are its own."""

    where: Text
    own: frozenset[str] = field(default_factory=frozenset)

    def expression(self, node: ast.expr) -> Expr:
        """Return the tree of an expression."""
        read = self.expression
        match node:
            case ast.Constant(value=value):
                return literal(value)
            case ast.Name(id=name):
                return hole(name) if name in self.own else self._global(node)
            case ast.Attribute(value=base, attr=named):
                return self._attribute(read(base), named, node)
            case ast.Call(func=function, args=args, keywords=keywords):
                operands = [read(each) for each in (function, *args)]
                operands += [read(each.value) for each in keywords]
                return Expr("call", tuple(operands), tuple(str(each.arg) for each in keywords))
            case ast.Slice(lower=lower, upper=upper, step=step):
                ends = (read(end) if end else constant(None) for end in (lower, upper, step))
                return Expr("slice", tuple(ends))
        op, data, parts = self._operator(node)
        return Expr(op, tuple(map(read, parts)), data)

    def _operator(self, node: ast.expr) -> tuple[str, Any, list[ast.expr]]:
        match node:
            case ast.BinOp(left, op, right):
                return "binary", SYMBOLS[type(op)], [left, right]
            case ast.UnaryOp(op, operand):
                return "unary", SYMBOLS[type(op)], [operand]
            case ast.Compare(left, ops, others):
                return "compare", tuple(SYMBOLS[type(op)] for op in ops), [left, *others]
            case ast.BoolOp(op, values):
                return ("and" if isinstance(op, ast.And) else "or"), None, values
            case ast.IfExp(test, value, otherwise):
                return "conditional", None, [test, value, otherwise]
            case ast.Subscript(base, index):
                return "subscript", None, [base, index]
            case ast.Tuple(items):
                return "tuple", None, items
            case ast.List(items):
                return "list", None, items
            case ast.Starred(value):
                return "starred", "*", [value]
        problem = f"{ast.unparse(node)} is not part of the template language"
        raise self.where.error(problem, node)

    def _attribute(self, base: Expr, named: str, node: ast.expr) -> Expr:
        holder = object_of(base)
        if not isinstance(holder, ModuleType | np.ufunc):
            return Expr("attribute", (base,), named)
        text, found = f"{base.data.text}.{named}", getattr(holder, named, MISSING)
        if found is MISSING and not self.where.is_own:
            raise self.where.error(f"{base.data.text} has no {named}", node)
        # a spelling that this NumPy or SciPy does not have can match nothing
        made = global_(text, found) if self.where.is_own else _named(text, found)
        return made.typed(Number("float64")) if isinstance(found, float) else made

    def _global(self, node: ast.Name) -> Expr:
        name = node.id
        if name in self.where.names:
            return _named(name, self.where.names[name])
        if name.startswith("_") and name in printed.names():
            return global_(name, printed.function(name))
        text, found = module(name)
        if found is not MISSING and name not in PLAIN and not self.where.is_own:
            found = MISSING  # a user imports what is SciPy's
        if found is MISSING:
            found = builtin(name)
        if found is MISSING:
            problem = f"{name} is neither a parameter nor an earlier line of the template"
            hint = "Import it in the template, or hand it on: names={...}."
            raise self.where.error(problem, node, hint)
        return global_(text, found)


def _named(text: str, value: Any) -> Expr:
    """Return a global name; NumPy, math and SciPy have one name each in every text."""
    for called, whole in PLAIN.items():
        if value is whole:
            return global_(called, value)
    return global_(known_name(text, value) or text, value)
