"""A loop that is left from within is written out as branches: what follows a pass stands in it.

for k, v in d.items():          if d_u$1 > 1.0:
    if v > 1.0:                     y = d_u$1
        y = v           ->      else:
        break                       if d_v$1 > 1.0: ...

Each break stands at the end of its branch by now (exits.py).
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import assign, branch, constant, jumps, name, negated, with_
from s2sad.legacy.scope import Scope


def is_left(node: Any) -> bool:
    """Tell whether a loop does something else at its end, or ends otherwise than by a break."""
    return bool(node.orelse) or jumps(node.body, (gast.Continue, gast.Return))


def one_after_the_other(passes: list[list[Any]], node: Any, scope: Scope) -> list[Any]:
    """Return the passes of a loop, of which any may be the last."""
    if not any(jumps(each, gast.Break) for each in passes):
        return [stmt for each in passes for stmt in each]
    rest: list[Any] = []
    for each in reversed(passes):
        rest = _before(each, rest, node, scope)
    return rest


def _before(body: list[Any], rest: list[Any], node: Any, scope: Scope) -> list[Any]:
    """Return a pass with what follows it where it is not left."""
    if not jumps(body, gast.Break):
        return [*body, *rest]
    if _ways_on(body) <= 1 or not rest:
        return _put(body, rest) or [gast.copy_location(gast.Pass(), node)]
    flag = f"stop%k{scope.numbers.key()}"
    scope.locals |= {flag}
    first = assign(flag, constant(False, node), node)
    marked = _marked(body, flag, node)
    return [first, *marked, branch(negated(name(flag, node), node), rest, [], node)]


def _ways_on(body: list[Any]) -> int:
    """Return at how many places a pass comes to its end."""
    last = body[-1] if body else None
    if isinstance(last, gast.Break):
        return 0
    if isinstance(last, gast.If) and jumps([last], gast.Break):
        return _ways_on(last.body) + _ways_on(last.orelse)
    return 1


def _put(body: list[Any], rest: list[Any]) -> list[Any]:
    """Return a pass, its breaks left out, with what follows where it comes to its end."""
    if not body:
        return copy.deepcopy(rest)
    *first, last = body
    if isinstance(last, gast.Break):
        return first
    if isinstance(last, gast.If) and jumps([last], gast.Break):
        then = _put(last.body, rest) or [gast.copy_location(gast.Pass(), last)]
        return [*first, with_(last, body=then, orelse=_put(last.orelse, rest))]
    return [*body, *rest]


def _marked(body: list[Any], flag: str, node: Any) -> list[Any]:
    """Return a pass that sets a flag where it was left."""
    *first, last = body
    if isinstance(last, gast.Break):
        return [*first, assign(flag, constant(True, node), node)]
    if isinstance(last, gast.If) and jumps([last], gast.Break):
        sides = [side and _marked(side, flag, node) for side in (last.body, last.orelse)]
        return [*first, with_(last, body=sides[0], orelse=sides[1])]
    return body
