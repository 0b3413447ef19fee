"""`.flat` goes over the elements of an array in the order of its rows, as a reshape does.

A.flat[::n + 1] += 1.0     ->      item = A.reshape(-1); item[::n + 1] += 1.0
y = A.flat[3] * c          ->      y = A.ravel()[3] * c
for x in A.flat:           ->      for x in A.reshape(-1):
"""

from __future__ import annotations

import gast

from s2sad.desugar.names import Names
from s2sad.desugar.syntax import Body, Node, index, method, number


def is_flat(node: Node) -> bool:
    """Tell whether syntax is `A.flat`."""
    return isinstance(node, gast.Attribute) and node.attr == "flat"


def as_row(node: Node) -> Node:
    """Return `A.flat` as the same elements in one row, which may be written to."""
    return method(node.value, "reshape", [number(-1, node)], node)


def written(node: Node, names: Names) -> tuple[Body, Node] | None:
    """Return what is read of `A.flat` as read of a row, of which a slice is to be none of A."""
    if not isinstance(node, gast.Subscript) or not isinstance(node.ctx, gast.Load):
        return None
    if not is_flat(node.value) or not names.is_local(_root(node.value)):
        return None
    one = isinstance(node.slice, gast.Constant | gast.UnaryOp | gast.BinOp)
    row = method(node.value.value, "ravel" if one else "flatten", [], node)
    return [], index(row, node.slice, node)


def _root(node: Node) -> str:
    while isinstance(node, gast.Attribute | gast.Subscript):
        node = node.value
    return node.id if isinstance(node, gast.Name) else ""
