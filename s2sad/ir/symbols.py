"""Operators by their symbols: the node of a tree of Python's, and the word of the method.

"//"     ast.FloorDiv, __floordiv__, operator.floordiv
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

Table = Mapping[str, tuple[str, str]]
UNARY: Table = {
    "-": ("USub", "neg"),
    "+": ("UAdd", "pos"),
    "~": ("Invert", "invert"),
    "not": ("Not", "not"),
}
BINARY: Table = {
    "+": ("Add", "add"),
    "-": ("Sub", "sub"),
    "*": ("Mult", "mul"),
    "/": ("Div", "truediv"),
    "//": ("FloorDiv", "floordiv"),
    "%": ("Mod", "mod"),
    "**": ("Pow", "pow"),
    "@": ("MatMult", "matmul"),
    "&": ("BitAnd", "and"),
    "|": ("BitOr", "or"),
    "^": ("BitXor", "xor"),
    "<<": ("LShift", "lshift"),
    ">>": ("RShift", "rshift"),
}
COMPARE: Table = {
    "<": ("Lt", "lt"),
    "<=": ("LtE", "le"),
    ">": ("Gt", "gt"),
    ">=": ("GtE", "ge"),
    "==": ("Eq", "eq"),
    "!=": ("NotEq", "ne"),
}
TESTS = {"is": "Is", "is not": "IsNot", "in": "In", "not in": "NotIn"}


def of_nodes(tree: ModuleType) -> Mapping[type, str]:
    """Return the symbols of operators by their nodes; `tree` is ast or gast."""
    tables = (UNARY, BINARY, COMPARE)
    named = [(node, symbol) for table in tables for symbol, (node, _) in table.items()]
    named += [(node, symbol) for symbol, node in TESTS.items()]
    return {getattr(tree, node): symbol for node, symbol in named}


def words(table: Table) -> dict[str, str]:
    """Return the words of the methods of operators: __floordiv__ of //."""
    return {symbol: word for symbol, (_, word) in table.items()}


def functions(table: Table) -> dict[str, Callable[..., Any]]:
    """Return the functions of operators: operator.floordiv of //."""
    return {symbol: getattr(operator, f"__{word}__") for symbol, word in words(table).items()}
