"""Going through syntax: a node and all below it, breadth first, as `ast.walk` does.

nodes_of(x + 1)    ->    x + 1, x, Add, 1, Load

Which fields of a node can hold others is known of its class: names, texts and values cannot.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

# fields that hold texts, numbers or nothing, whatever the class
_PLAIN = frozenset(
    """
    asname attr conversion id is_async kind kwd_attrs level lineno module rest tag type_comment
    """.split()
)
# and those of single classes that hold nodes in others
_PLAIN_OF = {
    "ClassDef": {"name"},
    "AsyncFunctionDef": {"name"},
    "Constant": {"value"},
    "FunctionDef": {"name"},
    "Global": {"names"},
    "MatchAs": {"name"},
    "MatchSingleton": {"value"},
    "MatchStar": {"name"},
    "Nonlocal": {"names"},
    "alias": {"name"},
    "arg": {"arg"},
    "keyword": {"arg"},
}


class _Holding(dict[type, tuple[str, ...]]):
    """The fields of each class of nodes that can hold nodes, found when it is first met."""

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        plain = _PLAIN | _PLAIN_OF.get(kind.__name__, set())
        self[kind] = tuple(field for field in kind._fields if field not in plain)
        return self[kind]


_HOLDING = _Holding()


def nodes_of(tree: Any) -> Iterator[Any]:
    """Yield a node and all below it, each before what is below it, level by level."""
    nodes = [tree]
    for node in nodes:  # there are more of them with each
        for field in _HOLDING[node.__class__]:
            part = getattr(node, field, None)
            if isinstance(part, ast.AST):
                nodes.append(part)
            elif part.__class__ is list:
                nodes += [each for each in part if isinstance(each, ast.AST)]
        yield node


def below(node: Any) -> list[Any]:
    """Return the nodes that stand right below a node, in the order of its fields."""
    found = []
    for field in _HOLDING[node.__class__]:
        part = getattr(node, field, None)
        if isinstance(part, ast.AST):
            found.append(part)
        elif part.__class__ is list:
            found += [each for each in part if isinstance(each, ast.AST)]
    return found
