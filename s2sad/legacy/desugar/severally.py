"""NumPy functions that take several arrays, and do to each what they do to one.

x, y = np.atleast_1d(x, y)     ->      x, y = np.atleast_1d(x), np.atleast_1d(y)
"""

from __future__ import annotations

import gast
import numpy as np

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, display, with_

SEVERALLY = (np.atleast_1d, np.atleast_2d, np.atleast_3d)


def written(node: Node, names: Names) -> tuple[Body, Node] | None:
    """Return such a call of several arrays as a tuple of calls of one."""
    if not isinstance(node, gast.Call) or len(node.args) < 2 or node.keywords:
        return None
    starred = any(isinstance(arg, gast.Starred) for arg in node.args)
    if starred or not names.means(node.func, *SEVERALLY):
        return None
    return [], display(gast.Tuple, [with_(node, args=[arg]) for arg in node.args], node)
