"""A trial makes the functions anew that it calls: those of the function are taken out of it.

def err(d): return d * d - x        def err(d): return d * d - x
try:                                try:
    y = solve(err)           ->         def err(d): return d * d - x
except ValueError: ...                  solve(err)
"""

from __future__ import annotations

import copy
from collections import Counter

import gast

from s2sad.legacy.desugar.syntax import Body, Node, own_nodes, statement
from s2sad.source.names import changed_names, reads_of
from s2sad.source.trees import nodes_of


def functions_read(trial: Body, tree: Node) -> Body:
    """Return anew the functions made in `tree` that a trial reads, be it through one another."""
    made = _made_once(tree)
    wanted: list[str] = []
    waiting = [each for each in reads_of(trial) if each in made]
    while waiting:
        each = waiting.pop()
        if each not in wanted:
            wanted.insert(0, each)
            waiting += [other for other in reads_of(made[each]) if other in made]
    return [copy.deepcopy(made[each]) for each in wanted]


def _made_once(tree: Node) -> dict[str, Node]:
    """Return the functions that a function makes under names of their own, and that change nothing."""
    bound = Counter(each.id for each in nodes_of(tree.args) if isinstance(each, gast.Name))
    found: dict[str, Node] = {}
    for node in own_nodes(tree.body):
        match node:
            case gast.FunctionDef(name=name, decorator_list=[]):
                bound[name] += 1
                found[name] = node
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda()):
                found[name] = node
            case gast.Name(id=name, ctx=gast.Store()):
                bound[name] += 1
    return {
        name: node
        for name, node in found.items()
        if bound[name] == 1 and not changed_names(body_of(node))
    }


def body_of(node: Node) -> Body:
    """Return the statements of a function, of a lambda the expression."""
    return node.body if isinstance(node, gast.FunctionDef) else [statement(node.value.body, node)]
