"""Methods that are lowered where they are called, also those of the classes above: super()."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from s2sad.ir.errors import Unsupported, WritesInside
from s2sad.legacy.calls import in_place
from s2sad.legacy.deeper import go_deeper
from s2sad.legacy.lower import atom
from s2sad.legacy.program import NONE, Call, Expr, Ref
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import classes, records
from s2sad.legacy.statics.kinds import Record
from s2sad.source.text import resolve_dotted

Lower = Callable[[Any, Scope], Expr]


def of_super(node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr | None:
    """Return what `super().method(...)` gives in a method that is lowered in place."""
    match node.func:
        case gast.Attribute(value=gast.Call(func=gast.Name(id="super"), args=[]), attr=name):
            first = scope.source.tree.args.args[:1]
            around, owner = scope.active_calls[-1], scope.static(first[0].id) if first else None
        case gast.Attribute(
            value=gast.Call(func=gast.Name(id="super"), args=[around, gast.Name(id=first)]),
            attr=name,
        ):
            named = resolve_dotted(scope.source, around)
            around, owner = named[1] if named else None, scope.static(first)
        case _:
            return None
    if not isinstance(owner, Record):
        return None
    found = classes.after(owner.kind, around, name)
    if found is None:
        if name == "__init__":
            return NONE
        raise Unsupported(
            f"super() has no {name} that can be followed",
            scope.span(node),
            "Call the method of the class by its name, or write out what it does.",
        )
    args = tuple(atom(each, scope) for each in node.args)
    keywords = tuple((each.arg, atom(each.value, scope)) for each in node.keywords)
    call = Call(Ref(name, found), (records.standing_for(owner, scope), *args), keywords)
    return lowered_in_place(found, call, node, scope, nested, lower)


def lowered_in_place(
    function: Any, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr:
    refuse_nested(nested, f"{function.__name__} is called", "Call it", node, scope)
    go_deeper(function, call, node, scope)
    return in_place(function, call, node, scope, lower)


def refuse_nested(nested: bool, what: str, instead: str, node: Any, scope: Scope) -> None:
    """Refuse statements where there is no place for them."""
    if nested:
        raise WritesInside(
            f"{what} inside a test or an expression that may not run",
            scope.span(node),
            f"{instead} in a statement of its own.",
        )
