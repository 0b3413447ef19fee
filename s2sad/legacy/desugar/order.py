"""What an expression has to do first becomes statements before it, in Python's own order.

return u[0] + (y := f(x)) * y      ->      result_term = u[0]
                                           y = f(x)
                                           return result_term + y * y

Which parts need statements, and which, is for the other modules to say: `special` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar import (
    acting,
    consumers,
    factories,
    flat,
    lists,
    recorders,
    severally,
    sides,
    walrus,
)
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.slots import filled, slots_of
from s2sad.legacy.desugar.syntax import (
    COMPREHENSIONS,
    FUNCTIONS,
    Body,
    Node,
    all_of,
    assign,
    binary,
    bound_names,
    branch,
    compare,
    name,
    negated,
    own_nodes,
    placed,
    with_,
)
from s2sad.source.names import assigned_names, reads_of
from s2sad.source.text import MISSING
from s2sad.source.trees import below

Special = Callable[[Node, Names], tuple[Body, Node] | None]

SPECIAL: tuple[Special, ...] = (
    walrus.written,
    consumers.written,
    lists.written,
    acting.written,
    factories.written,
    flat.written,
    severally.written,
    recorders.written,
)


def special(node: Node, names: Names) -> tuple[Body, Node] | None:
    """Return the statements that stand for an expression and what then holds its value."""
    for write in SPECIAL:
        found = write(node, names)
        if found is not None:
            return found
    return None


def needs_statements(node: Node | Body, names: Names) -> bool:
    """Tell whether some part of an expression is to become statements."""
    if isinstance(node, list):
        return any(needs_statements(each, names) for each in node)
    if not isinstance(node, gast.AST):
        return False
    if special(node, _dry(names)) is not None or sides.changes(sides.sometimes(node), names):
        return True
    if isinstance(node, COMPREHENSIONS):
        # what is iterated over first stands in the function's own scope
        return needs_statements(node.generators[0].iter, names)
    if isinstance(node, FUNCTIONS):
        return False
    return any(needs_statements(child, names) for child in below(node))


def _dry(names: Names) -> Names:
    return Names(names.source, names.locals, names.opened, at=names.at)


# ---------------------------------------------------------------------------- expressions


@dataclass
class Lifting:
    """The statements that an expression needs before it, while they are collected."""

    names: Names
    out: Body = field(default_factory=list)

    def expression(self, node: Node) -> Node:
        """Return what is left of an expression once the statements have run."""
        if not needs_statements(node, self.names):
            return node
        match node:
            case gast.BoolOp():
                return self._either(node)
            case gast.IfExp():
                return self._conditional(node)
            case gast.Compare() if self._sometimes(node):
                return self.expression(_links(node, self.names))
        whole = special(node, self.names)
        if whole is not None:
            self.out += whole[0]
            return whole[1]
        return self._parts(node)

    def apart(self, node: Node) -> tuple[Body, Node]:
        """Return the statements of a part on their own, and what is left of it."""
        inner = Lifting(self.names)
        left = inner.expression(node)
        return inner.out, left

    def _parts(self, node: Node) -> Node:
        slots = list(slots_of(node))
        lifted = [self.apart(part) for _, _, part in slots]
        last = max((i for i, (body, _) in enumerate(lifted) if body), default=-1)
        values = []
        for i, (body, left) in enumerate(lifted):
            self.out += body
            if i < last:
                after = [stmt for more, _ in lifted[i + 1 :] for stmt in more]
                left = self._kept(left, after)
            values.append(left)
        return filled(node, slots, values)

    def _kept(self, value: Node, after: Body) -> Node:
        """Compute a value now if what comes before its use could change it."""
        match value:
            case gast.Slice():
                parts = {
                    key: None if part is None else self._kept(part, after)
                    for key, part in ((k, getattr(value, k)) for k in value._fields)
                }
                return with_(value, **parts)
            case gast.Starred():
                return with_(value, value=self._kept(value.value, after))
        if _stays(value, after, self.names):
            return value
        held = self.names.temp()
        self.out.append(assign(held, value, value))
        return name(held, value)

    # ------------------------------------------------------------ what may not run

    def _sometimes(self, node: Node) -> bool:
        """Tell whether something is to become statements that run only in some cases."""
        parts = sides.sometimes(node)
        return needs_statements(parts, self.names) or sides.changes(parts, self.names)

    def _either(self, node: Node) -> Node:
        """`a and b`: b is looked at only where a holds, so that a branch has to say so."""
        first, *rest = node.values
        if not self._sometimes(node):
            return with_(node, values=[self.expression(first), *rest])
        held = self.names.temp()
        self.out.append(assign(held, self.expression(first), first))
        body = self.out
        for value in rest:
            test = name(held, value)
            inner, left = self.apart(value)
            then = [*inner, assign(held, left, value)]
            test = test if isinstance(node.op, gast.And) else negated(test, value)
            body.append(branch(test, then, [], value))
            body = then
        return name(held, node)

    def _conditional(self, node: Node) -> Node:
        test = self.expression(node.test)
        if not self._sometimes(node):
            return with_(node, test=test)
        held = self.names.temp()
        ways = []
        for side in (node.body, node.orelse):
            inner, left = self.apart(side)
            ways.append([*inner, assign(held, left, side)])
        then, orelse = ways
        self.out.append(branch(test, then, orelse, node))
        return name(held, node)


def _links(node: Node, names: Names) -> Node:
    """Return `a < b < c` as `a < (t := b) and t < c`."""
    tests = []
    left = node.left
    for position, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        last = position == len(node.ops) - 1
        held = "" if last else names.temp()
        put = right if last else placed(gast.NamedExpr(walrus.target(held, right), right), right)
        tests.append(compare(left, op, put, node))
        left = name(held, right) if held else right
    return all_of(tests, node)


def _stays(value: Node, after: Body, names: Names) -> bool:
    """Tell whether a value is the same after some statements as before them."""
    bound = bound_names(after)
    match value:
        case gast.Constant():
            return True
        case gast.Name():
            return value.id not in bound
        case gast.Attribute():
            return names.value(value) is not MISSING
    if any(isinstance(part, gast.Call | gast.NamedExpr) for part in own_nodes(value)):
        return False
    if sides.may_change(after, names):
        return False
    reads = set(reads_of(value))
    written = set(assigned_names(after))
    looks_inside = any(isinstance(p, gast.Subscript | gast.Attribute) for p in own_nodes(value))
    return not reads & written and not (looks_inside and written - bound)


# ---------------------------------------------------------------------------- statements


def ordered(stmt: Node, names: Names) -> Body | None:
    """Return a statement with what its expressions have to do first before it."""
    match stmt:
        case gast.While() if needs_statements(stmt.test, names):
            return walrus.endless(stmt, names)
        case gast.AugAssign():
            return _augmented(stmt, names)
        case gast.Assign() | gast.AnnAssign():
            return _assignment(stmt, names)
        case gast.If():
            return _branch(stmt, names)
    fields = _FIELDS.get(type(stmt))
    if fields is None or not any(needs_statements(getattr(stmt, f), names) for f in fields):
        return None
    lifting = Lifting(names)
    new: dict[str, Any] = {}
    for field_ in fields:
        value = getattr(stmt, field_)
        new[field_] = value if value is None else lifting.expression(value)
    if isinstance(stmt, gast.Expr) and isinstance(new["value"], gast.Name | gast.Constant):
        return lifting.out
    return [*lifting.out, with_(stmt, **new)]


_FIELDS: dict[type, tuple[str, ...]] = {
    gast.Expr: ("value",),
    gast.Return: ("value",),
    gast.Raise: ("exc",),
    gast.Assert: ("test",),
    gast.For: ("iter",),
}


def _branch(stmt: Node, names: Names) -> Body | None:
    test = stmt.test
    if not needs_statements(test, names):
        return None
    both = isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And)
    if both and not stmt.orelse:
        # if a and b: body      ->      if a: if b: body
        inner = branch(all_of(test.values[1:], test), stmt.body, [], stmt)
        return [with_(stmt, test=test.values[0], body=[inner])]
    lifting = Lifting(names)
    left = lifting.expression(test)
    return [*lifting.out, with_(stmt, test=left)]


def _assignment(stmt: Node, names: Names) -> Body | None:
    targets = stmt.targets if isinstance(stmt, gast.Assign) else [stmt.target]
    plain = len(targets) == 1 and isinstance(targets[0], gast.Name)
    if plain:
        names.called_after = targets[0].id.split("%")[0]
    if stmt.value is None or not needs_statements([stmt.value, *targets], names):
        return None
    if plain:
        whole = consumers.assigned(stmt, names)
        if whole is not None:
            return whole
    if needs_statements(targets, names):
        return _into_targets(stmt, targets, names)
    lifting = Lifting(names)
    value = lifting.expression(stmt.value)
    return None if value is stmt.value else [*lifting.out, with_(stmt, value=value)]


def _into_targets(stmt: Node, targets: list[Node], names: Names) -> Body:
    """Return an assignment whose subscripts do something: the value comes first."""
    held = names.temp()
    out: Body = [assign(held, stmt.value, stmt)]
    for target in targets:
        if isinstance(target, gast.Tuple | gast.List) and needs_statements(target, names):
            raise Unsupported(
                "a target of several that does something of its own is not differentiated",
                names.span(target),
                "Write it as several assignments.",
            )
        lifting = Lifting(names)
        where = lifting.expression(target)
        out += [*lifting.out, assign(where, name(held, stmt), stmt)]
    return out


def _augmented(stmt: Node, names: Names) -> Body | None:
    """`a[i] += e`: a and i are looked at before e, and so is the old value."""
    if not needs_statements([stmt.target, stmt.value], names):
        return None
    lifting = Lifting(names)
    target = lifting.expression(stmt.target)
    inner, value = lifting.apart(stmt.value)
    seen = {*reads_of(target), *bound_names(target)}
    if not bound_names(inner) & seen and isinstance(target, gast.Subscript):
        if not seen.isdisjoint(assigned_names(inner)):
            # the element is read before what is written to it is computed
            old = names.temp("item")
            first = assign(old, with_(target, ctx=gast.Load()), stmt)
            total = binary(stmt.op, name(old, stmt), value, stmt)
            return [*lifting.out, first, *inner, assign(target, total, stmt)]
    elif not seen.isdisjoint({*bound_names(inner), *assigned_names(inner)}):
        raise Unsupported(
            "this line changes what it adds to while it computes what it adds",
            names.span(stmt),
            "Compute what is added in a statement of its own.",
        )
    added = with_(stmt, target=target, value=value)
    if not inner or isinstance(target, gast.Name):
        return [*lifting.out, *inner, added]
    # whether a method gives the target another value is seen when it is lowered
    added.s2sad_read_at = names.temp("item")
    before = placed(gast.Pass(), stmt)
    before.s2sad_read_at = added.s2sad_read_at
    return [*lifting.out, before, *inner, added]
