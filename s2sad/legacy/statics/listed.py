"""The values of a dict that is an argument, used as a whole, are a list that a loop fills.

total = sum(params.values())        items = []
                                    for key in params:
                                        items.append(params[key])
                                    total = sum(items)
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.legacy.program import Expr
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics.rows import assigned, named, placed


def listed(node: Any, scope: Scope) -> Expr | None:
    """Return the list of what `params.values()` gives; None for any other call."""
    match node:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=owner), attr="values"), args=[], keywords=[]
        ) if owner in scope.locals and scope.static(owner) is None and scope.has(owner):
            known = scope.held.keyed.get(scope.value(owner))
        case _:
            return None
    if known is None or not known.of_dict:
        return None
    from s2sad.legacy.normalise.statements import every  # which lowers what stands in statements

    number = scope.numbers.key()
    items, key = f"items%k{number}", f"key%k{number}"
    scope.locals |= {items, key}
    whole, load = node.func.value, gast.Load()
    item = placed(gast.Subscript(whole, named(key, load, node), load), node)
    append = placed(gast.Attribute(named(items, load, node), "append", load), node)
    body = [placed(gast.Expr(placed(gast.Call(append, [item], []), node)), node)]
    loop = placed(gast.For(named(key, gast.Store(), node), whole, body, [], None), node)
    empty = assigned(named(items, gast.Store(), node), placed(gast.List([], load), node), node)
    name = scope.called_after
    every([empty, loop], scope)
    scope.called_after = name
    return scope.read(items, node)
