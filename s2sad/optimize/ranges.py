"""Splits the live ranges of names of ours: what is computed in both sweeps has a name in each.

    t_1 = c * u                     t_1 = c * u
    u = u - t_1 * s                 u = u - t_1 * s
    ...                       ->    ...
    t_1 = c * u                     t_2 = c * u
    s_bar += t_1 * u_bar            s_bar += t_2 * u_bar

A name whose ranges are apart may go in one of them and stay in the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import partial

from s2sad.analysis.fresh import Fresh
from s2sad.ir.expression import Role, Variable
from s2sad.ir.program import For, Function, Let, Store, While
from s2sad.ir.records import replace
from s2sad.ir.renaming import renamed_in
from s2sad.ir.walk import bound, with_expressions
from s2sad.optimize.memory import Memory
from s2sad.optimize.tree import Node, Tree


def split_live_ranges(function: Function, memory: Memory) -> Function:
    """Return a function in which each range of a term has a variable of its own."""
    tree = Tree(function, memory)
    fresh = Fresh.of(function)
    changed = False
    for variable, definitions in _terms(tree).items():
        reached = _reached(tree, variable, definitions)
        if reached is not None:
            _rename(variable, reached, fresh)
            changed = True
    return replace(function, body=tree.body()) if changed else function


def _terms(tree: Tree) -> dict[Variable, list[Node]]:
    """Return the definitions of the terms that are defined more than once, always by a Let."""
    found: dict[Variable, list[Node]] = {}
    for node in tree.nodes:
        for variable in bound(node.statement):
            if variable.role in (Role.TERM, Role.PLACE):
                found.setdefault(variable, []).append(node)
    return {
        variable: nodes
        for variable, nodes in found.items()
        if len(nodes) > 1 and all(_is_plain(n) for n in nodes)
    }


def _is_plain(node: Node) -> bool:
    statement = node.statement
    if not isinstance(statement, Let) or statement.spelled != "=":
        return False
    return isinstance(statement.target, Variable)


def _reached(
    tree: Tree, variable: Variable, definitions: list[Node]
) -> list[tuple[Node, list[Node]]] | None:
    """Return each definition with the uses that it alone reaches; None if two may reach one."""
    starts = [node.start for node in definitions]
    uses: list[list[Node]] = [[] for _ in definitions]
    for use in dict.fromkeys(tree.uses.get(variable, ())):
        at = bisect_left(starts, use.start) - 1
        if at < 0 or _is_rebound(use, variable) or not _reaches_alone(definitions[at], use, starts):
            return None
        uses[at].append(use)
    return list(zip(definitions, uses, strict=True))


def _is_rebound(use: Node, variable: Variable) -> bool:
    """Tell whether a statement is `x += e`, which may bind x anew."""
    statement = use.statement
    if not isinstance(statement, Store):
        return False
    return statement.target.op == "name" and statement.target.data == variable


def _reaches_alone(definition: Node, use: Node, starts: Iterable[int]) -> bool:
    """Tell whether every way to a use leads through a definition, and through none after it."""
    around = list(use.outwards(definition.home))
    if not around:
        return False
    loops = [n for n in around if isinstance(n.statement, For | While)]
    return not any(n.start <= start < n.end for n in loops for start in starts)


def _rename(variable: Variable, reached: list[tuple[Node, list[Node]]], fresh: Fresh) -> None:
    """Give every definition but the first a variable of its own, with its uses."""
    for definition, uses in reached[1:]:
        own = fresh.variable(variable.name, variable.role, variable.of)
        for use in uses:
            read = partial(renamed_in, renamed={variable: own})
            use.statement = with_expressions(use.statement, read)
        statement = definition.statement
        assert isinstance(statement, Let)
        definition.statement = replace(statement, target=own)
