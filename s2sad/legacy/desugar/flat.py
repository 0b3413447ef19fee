"""`.flat` goes over the elements of an array in the order of its rows, as a reshape does.

A.flat[::n + 1] += 1.0     ->      item = A.reshape(-1); item[::n + 1] += 1.0
y = A.flat[3] * c          ->      y = A.ravel()[3] * c
for x in A.flat:           ->      for x in A.reshape(-1):
a, b = A.flat              ->      item = A.flatten(); a, b = item
xs = list(A.flat)          ->      xs = list(A.flatten())
"""

from __future__ import annotations

import gast
import numpy as np

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, index, method, number, with_

# what goes through all of it at once
THROUGH = (list, tuple, sum, max, min, sorted, np.array)


def is_flat(node: Node) -> bool:
    """Tell whether syntax is `A.flat`."""
    return isinstance(node, gast.Attribute) and node.attr == "flat"


def as_row(node: Node) -> Node:
    """Return `A.flat` as the same elements in one row, which may be written to."""
    return method(node.value, "reshape", [number(-1, node)], node)


def in_one_row(node: Node) -> Node:
    """Return `A.flat` as its elements in one row, which are none of A."""
    return method(node.value, "flatten", [], node)


def written(node: Node, names: Names) -> tuple[Body, Node] | None:
    """Return what is read of `A.flat` as read of a row, of which a slice is to be none of A."""
    if _goes_through(node, names):
        return [], with_(node, args=[in_one_row(node.args[0]), *node.args[1:]])
    if not isinstance(node, gast.Subscript) or not isinstance(node.ctx, gast.Load):
        return None
    if not is_flat(node.value) or not names.is_local(_root(node.value)):
        return None
    one = isinstance(node.slice, gast.Constant | gast.UnaryOp | gast.BinOp)
    row = method(node.value.value, "ravel" if one else "flatten", [], node)
    return [], index(row, node.slice, node)


def _goes_through(node: Node, names: Names) -> bool:
    return (
        isinstance(node, gast.Call)
        and bool(node.args)
        and is_flat(node.args[0])
        and names.is_local(_root(node.args[0]))
        and names.means(node.func, *THROUGH)
    )


def _root(node: Node) -> str:
    while isinstance(node, gast.Attribute | gast.Subscript):
        node = node.value
    return node.id if isinstance(node, gast.Name) else ""
