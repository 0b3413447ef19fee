"""Dicts of numbers and texts in which a function only looks things up stay as they are.

place = {"a": 0, "b": 1}          copied as it stands, although u[place[k]] varies
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from s2sad.legacy.program import Assign, Expr, Op, Opaque, Stmt, Var
from s2sad.legacy.traverse import children, defines, expressions
from s2sad.source.trees import nodes_of

# of these a dict is made that holds nothing that could be changed
HOLDING = (gast.Dict, gast.DictComp, gast.comprehension, gast.Tuple)
SIMPLE = (gast.Constant, gast.Name, gast.UnaryOp, gast.BinOp)
FIXED = (*HOLDING, *SIMPLE, gast.unaryop, gast.operator, gast.expr_context)


def is_table(stmt: Assign, stmts: list[Stmt]) -> bool:
    """Tell whether a statement makes a dict of numbers and texts, in which is only looked up."""
    match stmt.value:
        case Opaque(gast.Dict(keys=[_, *_]) | gast.DictComp() as node, read, _, names):
            if read or names or not all(isinstance(part, FIXED) for part in nodes_of(node)):
                return False
        case _:
            return False
    slot = stmt.target.slot
    makers = [each for each in stmts if any(var.slot == slot for var in defines(each))]
    used = (part for each in stmts for expr in expressions(each) for part in _whole(expr))
    return len(makers) == 1 and not any(var.slot == slot for var in used)


def _whole(expr: Expr) -> Iterator[Var]:
    """Yield the values that an expression uses other than to look something up in them."""
    match expr:
        case Var():
            yield expr
        case Op("index", (Var(), key)):
            yield from _whole(key)
        case Opaque(node, read):
            spread = {each.value for each in nodes_of(node) if _is_double_star(each)}
            names = {each.id for each in spread if isinstance(each, gast.Name)}
            yield from (var for name, var in read if name in names)
        case _:
            for part in children(expr):
                yield from _whole(part)


def _is_double_star(node: gast.AST) -> bool:
    return isinstance(node, gast.keyword) and node.arg is None
