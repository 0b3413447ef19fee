"""Calls of libraries that give several results: each result gets a name.

np.linalg.eigh(A)[0][k]        w, v = np.linalg.eigh(A)
                               w[k]
"""

from __future__ import annotations

from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import NOTHING
from s2sad.ir.expression import Expr, Variable, copy_of, name
from s2sad.ir.program import Block, Function, Let, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh, pattern_renamed
from s2sad.ir.types import Tuple, Type
from s2sad.ir.walk import blocks, rewritten, with_expressions
from s2sad.operators.effects import effect
from s2sad.operators.find import find
from s2sad.operators.rule import PARTS
from s2sad.operators.table import calls_one

# what is evaluated once, and in any case, with the statement that it stands in
ALWAYS = frozenset("call binary unary compare subscript attribute tuple list slice starred".split())


def gives_several(expr: Expr) -> bool:
    """Tell whether an expression is a call whose rule is one of several results."""
    if expr.op != "call" or not isinstance(expr.type, Tuple) or not expr.type.items:
        return False
    found = find(expr)
    return found is not None and found.rule.family == PARTS and effect(expr).is_pure


def with_results_named(function: Function) -> Function:
    """Return a function in which calls that give several results stand alone."""
    naming = _Naming(Fresh.of(function))
    body = rewritten(function.body, naming.statement)
    return function if body == function.body else replace(function, body=body)


def with_results_apart(function: Function, memory: Memory) -> Function:
    """Return a function in which what is written in place of several results is a copy.

    U, S, Vt = np.linalg.svd(A)           U, S, Vt_given = np.linalg.svd(A)
    Vt[-1] *= -1.0                        Vt = Vt_given.copy()
                                          Vt[-1] *= -1.0
    """
    fresh = Fresh.of(function)

    def change(statement: Statement) -> Statement | Block:
        if not isinstance(statement, Let) or not gives_several(statement.value):
            return statement
        items = _items(statement)
        taken = NOTHING.union(*map(memory.sites, statement.value.args))  # a, b = np.split(y, 2)
        own = (v for v in items if taken.isdisjoint(memory.sites(name(v, items[v]))))
        given = {v: fresh.variable(v.name) for v in own if memory.is_hard(v)}
        if not given:
            return statement
        target = pattern_renamed(statement.target, given)
        copies = (Let(v, copy_of(name(given[v], items[v])), statement.span) for v in given)
        return (replace(statement, target=target), *copies)

    body = rewritten(function.body, change)
    return function if body == function.body else replace(function, body=body)


def _items(let: Let) -> dict[Variable, Type]:
    """Return the names that results are bound to one by one."""
    if not isinstance(let.target, tuple) or not isinstance(let.value.type, Tuple):
        return {}
    pairs = zip(let.target, let.value.type.items, strict=False)
    return {target: type_ for target, type_ in pairs if isinstance(target, Variable)}


@dataclass(slots=True)
class _Naming:
    fresh: Fresh
    before: list[Statement] = field(default_factory=list)

    def statement(self, statement: Statement) -> Statement | Block:
        if blocks(statement):  # a test of a loop is evaluated again in each pass
            return statement
        self.before = []
        made = with_expressions(statement, lambda expr: self.top(expr, statement))
        return (*self.before, made)

    def top(self, expr: Expr, statement: Statement) -> Expr:
        """Return an expression of a statement: what a Let binds whole stays where it is."""
        if isinstance(statement, Let) and expr is statement.value and gives_several(expr):
            made = expr.with_args(self.named(arg, statement) for arg in expr.args)
            is_list = isinstance(statement.target, Variable)
            return self.with_whole_named(made, statement) if is_list else made
        return self.named(expr, statement)

    def with_whole_named(self, made: Expr, statement: Statement) -> Expr:
        """Return a call that cuts an array into parts with a name for the array: its shadow is cut alike."""
        if not calls_one(made, "splits") or made.args[1].op == "name":
            return made
        function, whole, *others = made.args
        return made.with_args((function, self.kept(whole, "whole", statement), *others))

    def kept(self, value: Expr, wanted: str, statement: Statement) -> Expr:
        """Return the name that a value gets before a statement."""
        return self.fresh.named(value, wanted, self.before, statement.span)

    def named(self, expr: Expr, statement: Statement) -> Expr:
        """Return an expression with names for the calls in it."""
        if expr.op not in ALWAYS:
            return expr
        args = tuple(self.named(arg, statement) for arg in expr.args)
        made = expr if args == expr.args else expr.with_args(args)
        if not gives_several(made):
            return made
        return self.kept(self.with_whole_named(made, statement), "parts", statement)
