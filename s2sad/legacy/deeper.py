"""How far functions that call themselves are lowered in place: down the parts of an object.

def total(node):                            total(Node(x, Node(y))):   result%1 = x + y
    if node is None: return 0.0
    return node.value + total(node.left)
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.errors import Unsupported
from s2sad.legacy.program import Call
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics.kinds import Record

# how deep, and how often in all, a function is lowered inside itself
DEEPEST, OFTEN = 16, 64


def has_object(scope: Scope) -> bool:
    """Tell whether a function that is lowered was given a dict or an object."""
    return any(isinstance(scope.static(arg.id), Record) for arg in _parameters(scope))


def go_deeper(function: Any, call: Call, node: Any, scope: Scope) -> None:
    """Refuse a function that is lowered in place inside itself where no end of that is seen."""
    around = sum(part is function for part in scope.active_calls)
    scope.numbers.again += around > 0
    if around > DEEPEST or scope.numbers.again > OFTEN or (around and _stays(call, scope)):
        raise Unsupported(
            f"{function.__name__} calls itself, and an end of that is not seen",
            scope.span(node),
            "Write the recursion as a loop.",
        )


def _stays(call: Call, scope: Scope) -> bool:
    """Tell whether a call is given the very objects that the function around it was given."""
    given = [scope.record(each) for each in (*call.args, *(value for _, value in call.keywords))]
    held = [scope.static(arg.id) for arg in _parameters(scope)]
    return any(given) and all(each in held for each in given if each)


def _parameters(scope: Scope) -> tuple[Any, ...]:
    args = scope.source.tree.args
    return (*args.posonlyargs, *args.args, *args.kwonlyargs)
