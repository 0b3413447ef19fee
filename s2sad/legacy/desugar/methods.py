"""A method that has a name of its own is called as what it is: a method of its object.

put = xs.append
for v in u:              ->      for v in u:
    put(v * v)                       xs.append(v * v)

getattr(xs, "sort")()    ->      xs.sort()
"""

from __future__ import annotations

import copy
import keyword
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import Body, Node
from s2sad.source.names import is_bound
from s2sad.source.text import Source
from s2sad.source.trees import nodes_of


def with_owners(body: Body, source: Source) -> Body:
    """Return statements in which no name stands for a method of an object that has one, too."""
    methods = dict(_methods(body, source))
    if not methods and not any(_reads(part, source) for stmt in body for part in nodes_of(stmt)):
        return body
    written = _Written(methods, source)
    return [each for stmt in body if (each := written.visit(copy.deepcopy(stmt))) is not None]


def _methods(body: Body, source: Source) -> Iterator[tuple[str, Node]]:
    """Yield the names that are bound once, to a method, and only called; and that method.

    The object has its name once and for all, too.
    """
    pairs = [stmt for stmt in body if _takes_method(stmt)]
    if not pairs:
        return
    parts = list(nodes_of(source.tree))
    bound = Counter(part.id for part in parts if is_bound(part))
    stored = {part.attr for part in parts if isinstance(part, gast.Attribute) and _stores(part)}
    read = Counter(part.id for part in parts if isinstance(part, gast.Name) and not is_bound(part))
    called = Counter(part.func.id for part in parts if _calls_name(part))
    settled = {*source.tree.args.args, *(s for s in body if isinstance(s, gast.Assign))}
    held = {part.id for each in settled for part in nodes_of(each) if is_bound(part)}
    for stmt in pairs:
        name, owner = stmt.targets[0].id, stmt.value.value.id
        once = bound[name] == bound[owner] == 1 and owner in held
        if once and 0 < read[name] == called[name] and stmt.value.attr not in stored:
            yield name, stmt.value


def _stores(node: Node) -> bool:
    return not isinstance(node.ctx, gast.Load)


def _calls_name(node: Node) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name)


def _takes_method(stmt: Node) -> bool:
    match stmt:
        case gast.Assign(targets=[gast.Name()], value=gast.Attribute(value=gast.Name())):
            return True
    return False


def _reads(node: Node, source: Source) -> bool:
    """Tell whether a call reads an attribute whose name it shows."""
    match node:
        case gast.Call(
            func=gast.Name(id="getattr"), args=[_, gast.Constant(value=str(name))], keywords=[]
        ):
            plain = name.isidentifier() and not keyword.iskeyword(name)
            private = name.startswith("__") and not name.endswith("__")
            return plain and not private and source.resolve("getattr") is getattr
    return False


class _Written(gast.NodeTransformer):  # type: ignore[misc]
    """Writes methods where their names are called, and leaves out what gave them the names."""

    def __init__(self, methods: dict[str, Node], source: Source):
        self.methods = methods
        self.source = source

    def visit_Assign(self, node: Any) -> Any:
        if _takes_method(node) and node.targets[0].id in self.methods:
            return gast.copy_location(gast.Pass(), node)
        return self.generic_visit(node)

    def visit_Name(self, node: Any) -> Any:
        method = self.methods.get(node.id)
        return node if method is None else gast.copy_location(copy.deepcopy(method), node)

    def visit_Call(self, node: Any) -> Any:
        node = self.generic_visit(node)
        if not _reads(node, self.source):
            return node
        owner, name = node.args
        return gast.copy_location(gast.Attribute(owner, name.value, gast.Load()), node)
