"""Casts of results to the precision of their arguments go where a result has it already.

u_bar = 2.0 * u                          return u_bar        of float32, as u
return u_bar.astype(np.float32)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from s2sad.ir.expression import Expr, Variable, attribute, call
from s2sad.ir.program import Function, Let, Return, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Array, Type
from s2sad.ir.walk import name_nodes, nodes, rebuilt, rewritten, statements, with_expressions
from s2sad.operators.precision import is_cast


def without_idle_casts(function: Function, infer: Callable[[Expr], Expr]) -> Function:
    """Return a function without casts of results that have the precision they are cast to."""
    ends = [s for s in statements(function.body) if isinstance(s, Return)]
    if not any(is_cast(node) for end in ends for node in nodes(end.value)):
        return function
    found = _Types(infer)
    found.learn(function)

    def statement(each: Statement) -> Statement:
        if not isinstance(each, Return):
            return each
        return with_expressions(each, lambda e: _without_idle_casts(e, found))

    return replace(function, body=rewritten(function.body, statement))


def _without_idle_casts(result: Expr, found: _Types) -> Expr:
    """Return a result in which each array still stands once: a cast is an array of its own."""
    names = Counter(n.data for n in name_nodes(result))
    cast = [n.args[0].args[0] for n in nodes(result) if is_cast(n)]
    casts = Counter(value.data for value in cast if value.op == "name")
    given = {name for name in names if names[name] > casts[name]}

    def change(node: Expr) -> Expr | None:
        if not is_cast(node):
            return None
        value = node.args[0].args[0]
        if found.dtype(value) != node.args[1].data.value.__name__:
            return None
        if value.op != "name":
            return value
        if value.data in given:
            return call(attribute(value, "copy"), type_=node.type)
        given.add(value.data)
        return value

    return rebuilt(result, change)


@dataclass(slots=True)
class _Types:
    """The types that values of a derivative come out with, whatever their arguments have."""

    infer: Callable[[Expr], Expr]
    types: dict[Variable, Type | None] = field(default_factory=dict)

    def learn(self, function: Function) -> None:
        """Find the types of variables, None where they are several."""
        self.types |= {p.variable: p.type for p in function.parameters}
        for _ in range(3):
            before = dict(self.types)
            for target, value in _bindings(function):
                made = self.retyped(value)
                type_ = None if made is None else made.type
                known = self.types.setdefault(target, type_)
                if _dtype(known) != _dtype(type_):
                    self.types[target] = None
            if self.types == before:
                return

    def retyped(self, expr: Expr) -> Expr | None:
        """Return an expression with the types of what it is made of; None where one is not known."""
        if expr.op == "name":
            type_ = self.types.get(expr.data, expr.type)
            return None if type_ is None else expr.typed(type_)
        if expr.op in ("comprehension", "generator"):
            return None
        args = [self.retyped(arg) for arg in expr.args]
        made = [arg for arg in args if arg is not None]
        if len(made) < len(args):
            return None
        try:
            return self.infer(expr.with_args(made)) if args else expr
        except Exception:  # what has no type keeps its cast
            return None

    def dtype(self, expr: Expr) -> str | None:
        """Return the kind of numbers of an array."""
        made = self.retyped(expr)
        return None if made is None else _dtype(made.type)


def _bindings(function: Function) -> Iterator[tuple[Variable, Expr]]:
    for statement in statements(function.body):
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            yield statement.target, statement.value


def _dtype(type_: Type | None) -> str | None:
    return type_.dtype if isinstance(type_, Array) and type_.rank else None
