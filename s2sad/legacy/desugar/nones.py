"""A name that is None until it holds an object gets a flag beside it, and no value before.

best = None                              best_is_none = True
for v in u:                              for v in u:
    p = Point(v)                             p = Point(v)
    if best is None or p.x > best.x:  ->     if best_is_none or p.x > best.x:
        best = p                                 best = p
                                                 best_is_none = best is None

Only where a program was refused because of what a name holds on several ways.
"""

from __future__ import annotations

import copy

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.desugar.names import LATE, Names
from s2sad.legacy.desugar.syntax import (
    FUNCTIONS,
    Body,
    Node,
    assign,
    compare,
    constant,
    name,
    placed,
)
from s2sad.source.trees import nodes_of

REFUSED = ("is not the same on every way", "this target is not differentiated")


def is_of_ways(refusal: S2sadError) -> bool:
    """Tell whether a refusal is of a name that holds one thing on one way, another on the other."""
    return any(phrase in each.problem for each in refusal.problems for phrase in REFUSED)


def without_nones(body: Body, names: Names) -> Body:
    """Return the statements with a flag for each name that is None or an object."""
    if names.opened is None or LATE not in names.opened:
        return body
    nodes = [part for stmt in body for part in nodes_of(stmt)]
    flags = {each: names.fresh(f"{each}_is_none") for each in sorted(_late(nodes, names))}
    if not flags:
        return body
    flagged = _Flagged(flags)
    return [each for stmt in body for each in flagged.statements(copy.deepcopy(stmt))]


def _late(nodes: list[Node], names: Names) -> set[str]:
    """Return the names that are None at first, and then only asked whether they are, or read in."""
    parts = [each for each in nodes if isinstance(each, gast.Name)]
    good = {id(use) for node in nodes for use in _uses(node)}
    bad = {each.id for each in parts if id(each) not in good}
    inner = [part for node in nodes if isinstance(node, FUNCTIONS) for part in nodes_of(node)]
    bad |= {each.id for each in inner if isinstance(each, gast.Name)}
    none = {target.id for node in nodes for target in _set_to_none(node)}
    args = names.source.tree.args
    bad |= {arg.id for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    return {each for each in none - bad if names.is_local(each)}


def _uses(node: Node) -> list[Node]:
    """Return the names that a node asks whether they are None, reads a part of, or gives a value."""
    match node:
        case gast.Compare(left=gast.Name() as one, ops=[gast.Is() | gast.IsNot()],
                          comparators=[gast.Constant(value=None)]):  # fmt: skip
            return [one]
        case gast.Attribute(value=gast.Name() as one):
            return [one]
        case gast.Subscript(value=gast.Name() as one, slice=gast.Constant()):
            return [one]
        case gast.Assign() | gast.AnnAssign():
            return [one for one, _ in _given(node) if isinstance(one, gast.Name)]
    return []


def _given(node: Node) -> list[tuple[Node, Node]]:
    """Return the targets of an assignment, each with what it is given as far as that is shown."""
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
            starred = any(isinstance(each, gast.Starred) for each in (*targets, *values))
            if len(targets) == len(values) and not starred:
                return list(zip(targets, values, strict=True))
        case gast.Assign(targets=targets, value=value) if len(targets) == 1 or _is_none(value):
            return [(target, value) for target in targets]
        case gast.AnnAssign(target=gast.Name() as one, value=value) if value is not None:
            return [(one, value)]
    return []


def _set_to_none(node: Node) -> list[Node]:
    return [one for one, value in _given(node) if isinstance(one, gast.Name) and _is_none(value)]


def _is_none(value: Node) -> bool:
    return isinstance(value, gast.Constant) and value.value is None


class _Flagged(gast.NodeTransformer):  # type: ignore[misc]
    """Sets flags where names are given values, and asks them where names were asked for None."""

    def __init__(self, flags: dict[str, str]) -> None:
        self.flags = flags

    def statements(self, stmt: Node) -> Body:
        """Return what a statement becomes."""
        made = self.visit(stmt)
        return made if isinstance(made, list) else [made]

    def visit_Assign(self, node: Node) -> Node | Body:
        node = self.generic_visit(node)
        mine = [pair for pair in _given(node) if getattr(pair[0], "id", None) in self.flags]
        if not mine:
            return node
        rest = [pair for pair in _given(node) if pair not in mine or not _is_none(pair[1])]
        return [*_together(rest, node), *(self._told(*pair, node) for pair in mine)]

    visit_AnnAssign = visit_Assign

    def _told(self, target: Node, value: Node, at: Node) -> Node:
        """Return the statement that sets the flag of a name which was just given a value."""
        none = constant(None, at)
        asked = compare(name(target.id, at), gast.Is(), none, at)
        return assign(self.flags[target.id], constant(True, at) if _is_none(value) else asked, at)

    def visit_Compare(self, node: Node) -> Node:
        match node:
            case gast.Compare(
                left=gast.Name(id=one), ops=[op], comparators=[gast.Constant(value=None)]
            ):
                if one in self.flags:
                    flag = name(self.flags[one], node)
                    told = gast.UnaryOp(op=gast.Not(), operand=flag)
                    return flag if isinstance(op, gast.Is) else placed(told, node)
        return self.generic_visit(node)


def _together(pairs: list[tuple[Node, Node]], at: Node) -> Body:
    """Return the assignment of several values at once, if there is any left."""
    if len(pairs) < 2:
        return [assign(target, value, at) for target, value in pairs]
    targets, values = ([pair[side] for pair in pairs] for side in range(2))
    left = placed(gast.Tuple(targets, gast.Store()), at)
    return [assign(left, placed(gast.Tuple(values, gast.Load()), at), at)]
