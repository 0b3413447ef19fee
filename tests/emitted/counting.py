"""Counts the lines of code of a file: no comments, docstrings, imports' blanks, or checks.

code_lines("def f(x):\\n    # twice\\n    return 2.0 * x\\n")    ->    2
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def code_lines(source: str) -> int:
    """Return how many lines hold code; a test that only raises is a check and does not count."""
    tree = ast.parse(source)
    lines = {line for node in _counted(tree) for line in _lines(node)}
    # an else has a line of its own, but no node
    lines |= {line for node in _counted(tree) for line in _else(node, source)}
    return len(lines)


def _counted(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise) and not node.orelse:
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.stmt):
            yield node
            yield from _counted(node)


def _lines(node: ast.stmt) -> range:
    body = getattr(node, "body", None)
    if not body:
        return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    head = [getattr(node, name, None) for name in ("test", "iter", "args")]
    ends = [end for part in head if part is not None and (end := _end(part))]
    return range(node.lineno, max([node.lineno, *ends]) + 1)


def _end(part: ast.AST) -> int:
    return max((getattr(each, "end_lineno", 0) or 0 for each in ast.walk(part)), default=0)


def _else(node: ast.stmt, source: str) -> Iterator[int]:
    orelse = getattr(node, "orelse", None)
    if orelse and not _is_elif(orelse[0], source):
        yield orelse[0].lineno - 1


def _is_elif(node: ast.stmt, source: str) -> bool:
    return source.splitlines()[node.lineno - 1].lstrip().startswith("elif")
