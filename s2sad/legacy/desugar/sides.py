"""What is looked at only sometimes, and changes something when it is: it becomes branches.

if n < 3 and step(u) > 0.0:       held = n < 3
    ...                     ->    if held:
                                      held = step(u) > 0.0
                                  if held:
                                      ...
"""

from __future__ import annotations

from types import FunctionType

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, own_nodes
from s2sad.source.names import changed_names
from s2sad.source.text import MISSING
from s2sad.source.trees import nodes_of

# methods, of whatever, that leave their object as it is
READING = frozenset(
    "all any argmax argmin argsort astype clip conj copy count cumprod cumsum diagonal dot endswith "
    "flatten format get index item items join keys lower max mean min nonzero prod ravel repeat "
    "replace reshape round split squeeze startswith std strip sum swapaxes take tolist trace "
    "transpose upper values var".split()
)


def sometimes(node: Node) -> Body:
    """Return the parts of an expression that are looked at only where others come out so."""
    match node:
        case gast.BoolOp(values=values):
            return list(values[1:])
        case gast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case gast.Compare(comparators=[_, *others]):
            return list(others)
    return []


def changes(parts: Body, names: Names) -> bool:
    """Tell whether a call in expressions changes what it is given, or draws random numbers."""
    called = [part.func for part in own_nodes(parts) if isinstance(part, gast.Call)]
    inside = {each.id for each in called if isinstance(each, gast.Name) and each.id in names.locals}
    return any(_does_more(names.value(each)) for each in called) or (
        bool(inside) and _made_here(inside, names)
    )


def _made_here(wanted: set[str], names: Names) -> bool:
    """Tell whether one of some functions that the function makes writes to what is around it."""
    made = (part for part in nodes_of(names.source.tree) if isinstance(part, gast.FunctionDef))
    bodies = [each.body for each in made if each.name in wanted and each is not names.source.tree]
    return any(
        any(
            isinstance(part, gast.Nonlocal | gast.Global)
            for stmt in body
            for part in nodes_of(stmt)
        )
        or changed_names(body)
        for body in bodies
    )


def may_change(body: Body, names: Names) -> bool:
    """Tell whether a call in statements may change what others read: it is not known not to."""
    calls = (part for part in own_nodes(body) if isinstance(part, gast.Call))
    return any(_may_do_more(call, names) for call in calls)


def _may_do_more(call: Node, names: Names) -> bool:
    called = names.value(call.func)
    if called is not MISSING:
        return _does_more(called)
    match call.func:
        case gast.Attribute(attr=method):
            return method not in READING
    return True


def _does_more(called: object) -> bool:
    from s2sad.legacy.drawn import draws_inside
    from s2sad.legacy.normalise import wide
    from s2sad.legacy.written import written_by  # they stand after this in the pipeline

    if not isinstance(called, FunctionType):
        return False
    return bool(written_by(called, wide)) or draws_inside(called)
