"""Lists whose items are names, and comprehensions as loops that append.

L = [u, u * c]                    item = u * c
                                  L = [u, item]
y = np.array([x * c for x in u])  made = []
                                  for x in u:
                                      made.append(x * c)
                                  y = np.array(made)
s = sum(x * x for x in u)         total = 0.0
                                  for x in u:
                                      total = total + x * x
                                  s = total
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from s2sad.analysis.activity import may_vary
from s2sad.analysis.calls import pattern_renamed, renamed_in
from s2sad.analysis.fresh import Fresh
from s2sad.analysis.memory import is_held
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, constant, name
from s2sad.ir.program import Block, For, Function, If, Let, RegionOp, Statement, Store, While
from s2sad.ir.types import Number, Reference, Region, Site
from s2sad.ir.walk import blocks, expressions, nodes, variables, with_blocks, with_expressions

OF_ONE_ITEM = frozenset({"append"})


def named_items(function: Function, regions: Mapping[Site, Region]) -> Function:
    """Return a function whose lists hold names and numbers, made without comprehensions."""
    lists = _Lists(Fresh.of(function), regions)
    return replace(function, body=lists.block(function.body))


@dataclass(slots=True)
class _Lists:
    fresh: Fresh
    regions: Mapping[Site, Region]

    def block(self, block: Block) -> Block:
        return tuple(new for s in block for new in self.statement(s))

    def statement(self, statement: Statement) -> Block:
        inner = tuple(self.block(b) for b in blocks(statement))
        statement = with_blocks(statement, inner)
        before: list[Statement] = []
        if any(self.is_expanded(n) for e in expressions(statement) for n in nodes(e)):
            if isinstance(statement, While):
                raise NotYet("a comprehension in the test of a loop", statement.span)
            statement = with_expressions(statement, lambda e: self.expanded(e, before))
        match statement:
            case Let(value=Expr(op="list") as display) if isinstance(display.type, Reference):
                items = [self.item(arg, before) for arg in display.args]
                statement = replace(statement, value=display.with_args(items))
            case RegionOp(method=method) if method in OF_ONE_ITEM:
                base = self.base(statement.base, before)
                args = tuple(self.item(arg, before) for arg in statement.args)
                statement = replace(statement, base=base, args=args)
            case RegionOp():
                statement = replace(statement, base=self.base(statement.base, before))
            case Store(target, "=", value) if _is_slot(target):
                statement = replace(statement, value=self.item(value, before))
        return (*before, statement)

    def base(self, base: Expr, before: list[Statement]) -> Expr:
        return base if base.op == "name" else self.named(base, "held", before)

    def item(self, item: Expr, before: list[Statement]) -> Expr:
        """Return an item of a list: what is memory gets a name."""
        if item.op == "name" or not is_held(item.type):
            return item
        return self.named(item, "item", before)

    def named(self, value: Expr, called: str, before: list[Statement]) -> Expr:
        made = self.fresh.variable(called)
        before += self.statement(Let(made, value, value.span))
        return name(made, value.type, value.span)

    # ------------------------------------------------------------------------ comprehensions

    def is_expanded(self, expr: Expr) -> bool:
        """Tell whether a comprehension makes a list of what may vary."""
        if expr.op != "comprehension" or expr.data not in ("list", "generator"):
            return False
        return any(may_vary(n.type, self.regions) for n in nodes(expr.args[0]))

    def expanded(self, expr: Expr, before: list[Statement]) -> Expr:
        """Return an expression with a name for each list that a comprehension makes."""
        if expr.op in ("conditional", "and", "or") and any(map(self.is_expanded, nodes(expr))):
            raise NotYet("a comprehension that is made sometimes", expr.span)
        if _is_sum(expr) and self.is_expanded(expr.args[1]):
            return self.summed(expr, before)
        if self.is_expanded(expr):
            return self.appended(expr, before)
        return expr.with_args(self.expanded(arg, before) for arg in expr.args)

    def appended(self, expr: Expr, before: list[Statement]) -> Expr:
        if not isinstance(expr.type, Reference):
            raise NotYet("a comprehension of an unknown kind", expr.span)
        made = self.fresh.variable("made")
        base = name(made, expr.type)
        before.append(Let(made, Expr("list", (), None, expr.type), expr.span))
        element, generators = self.own_names(expr)
        body = RegionOp(None, base, "append", (element,), expr.span)
        before += self.block(_nested(generators, (body,)))
        return base

    def summed(self, expr: Expr, before: list[Statement]) -> Expr:
        made = self.fresh.variable("total")
        start = expr.args[2] if len(expr.args) > 2 else constant(0, Number("int64"))
        before.append(Let(made, start, expr.span))
        element, generators = self.own_names(expr.args[1])
        value = Expr("binary", (name(made, expr.type), element), "+", expr.type)
        before += self.block(_nested(generators, (Let(made, value, expr.span),)))
        return name(made, expr.type)

    def own_names(self, expr: Expr) -> tuple[Expr, tuple[Expr, ...]]:
        """Return the element and the generators with variables that nobody else has."""
        generators = [arg for arg in expr.args if arg.op == "generator"]
        own = [v for g in generators for v in variables(g.data)]
        renamed: dict[Variable, Variable] = {v: self.fresh.variable(v.name) for v in own}
        changed = tuple(
            replace(renamed_in(g, renamed), data=pattern_renamed(g.data, renamed))
            for g in generators
        )
        return renamed_in(expr.args[0], renamed), changed


def _nested(generators: tuple[Expr, ...], body: Block) -> Block:
    """Return the loops and tests of a comprehension around what is done for each item."""
    for generator in reversed(generators):
        domain, *tests = generator.args
        for test in reversed(tests):
            body = (If(test, body, (), test.span),)
        body = (For(generator.data, domain, body, generator.span),)
    return body


def _is_sum(expr: Expr) -> bool:
    if expr.op != "call" or expr.args[0].op != "global" or len(expr.args) < 2 or expr.data:
        return False
    return expr.args[0].data.value is sum


def _is_slot(target: Expr) -> bool:
    return target.op in ("subscript", "attribute") and isinstance(target.args[0].type, Reference)
