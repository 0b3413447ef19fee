"""A region without gradients: every value that is given a name in it counts as constant.

with s2sad.no_grad():              scale = s2sad.no_grad(np.max(u))
    scale = np.max(u)        ->    u[0] = s2sad.no_grad(scale * 2.0)
    u[0] = scale * 2.0

What is changed there besides, and belongs to what stands around the region, is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, call, with_
from s2sad.operators.marks import no_grad
from s2sad.source.names import rebound_names, root_of

BLOCKS = gast.If | gast.For | gast.While | gast.With | gast.Try
HARMLESS = gast.Pass | gast.Break | gast.Continue | gast.Assert | gast.Raise | gast.Return
HARMLESS |= gast.Import | gast.ImportFrom | gast.FunctionDef


def is_region(stmt: Node, names: Names) -> bool:
    """Tell whether a `with` is a region without gradients, and nothing else."""
    (item, *others) = stmt.items
    manager = item.context_expr
    return not others and isinstance(manager, gast.Call) and names.means(manager.func, no_grad)


def stopped(stmt: Node, names: Names) -> Body:
    """Return the statements of a region, each value in them marked as constant."""
    manager = stmt.items[0]
    if manager.optional_vars is not None or manager.context_expr.args:
        raise Unsupported(
            "no_grad takes nothing and gives nothing",
            names.span(stmt),
            "Write: with s2sad.no_grad():",
        )
    region = _Region(manager.context_expr.func, rebound_names(stmt.body), names)
    return [region.statement(each) for each in stmt.body]


@dataclass(frozen=True)
class _Region:
    mark: Node
    own: frozenset[str]
    names: Names

    def statement(self, stmt: Node) -> Node:
        match stmt:
            case gast.Assign() | gast.Return() if stmt.value is not None:
                return with_(stmt, value=self.value(stmt.value))
            case gast.AnnAssign() if stmt.value is not None:
                return with_(stmt, value=self.value(stmt.value))
            case gast.AugAssign() if self.is_own(stmt.target):
                return with_(stmt, value=self.value(stmt.value))
            case gast.Expr(value=gast.Call() as called):
                return with_(stmt, value=self.called(called))
            case gast.Expr(value=gast.Constant()):
                return stmt
        if isinstance(stmt, HARMLESS):
            return stmt
        if isinstance(stmt, BLOCKS):
            return self.blocks(stmt)
        raise self.refused(stmt)

    def value(self, value: Node) -> Node:
        """Return a value that counts as constant, each of a display by itself."""
        if isinstance(value, gast.Tuple | gast.List):
            return with_(value, elts=[self.value(each) for each in value.elts])
        if isinstance(value, gast.Constant | gast.Starred):
            return value
        return call(self.mark, [value], value)

    def called(self, called: Node) -> Node:
        """Return a call for its effect, which may add to a list of the region's own, or print."""
        if self.names.means(called.func, print):
            return called
        match called.func:
            case gast.Attribute(value=gast.Name(id=owner), attr="append" | "insert"):
                if self.names.is_local(owner):
                    return with_(called, args=[self.value(each) for each in called.args])
        raise self.refused(called)

    def blocks(self, stmt: Node) -> Node:
        blocks: dict[str, Any] = {}
        for key in ("body", "orelse", "finalbody"):
            if getattr(stmt, key, None):
                blocks[key] = [self.statement(each) for each in getattr(stmt, key)]
        if getattr(stmt, "handlers", None):
            inner = [[self.statement(s) for s in each.body] for each in stmt.handlers]
            pairs = zip(stmt.handlers, inner, strict=True)
            blocks["handlers"] = [with_(each, body=body) for each, body in pairs]
        return with_(stmt, **blocks)

    def is_own(self, target: Node) -> bool:
        """Tell whether what is changed was given its value in the region."""
        while isinstance(target, gast.Subscript):
            target = target.value
        return root_of(target).id in self.own

    def refused(self, node: Node) -> Unsupported:
        return Unsupported(
            "this changes, in a region without gradients, what may come from around it",
            self.names.span(node),
            "Give what is computed there a name of its own, and change things outside of it.",
        )
