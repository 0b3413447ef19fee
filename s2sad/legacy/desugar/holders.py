"""Dicts, deques and sets that one line makes beside other things get a line each.

groups, total = {}, 0.0        ->        groups = {}
                                         total = 0.0

What is done with them tells then what they may become, as for those that are made alone.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, assign, with_
from s2sad.source.names import reads_of
from s2sad.source.trees import nodes_of

KINDS = (dict, set, deque, defaultdict, Counter, OrderedDict)
BLOCKS = (gast.If, gast.For, gast.While)
# of these modules no function changes what stands on the same line
HARMLESS = frozenset({"builtins", "collections", "numpy", "math"})


def made_apart(body: Body, names: Names) -> Body:
    """Return statements in which each such object is made by a line of its own."""
    return [each for stmt in body for each in _apart(stmt, names)]


def _apart(stmt: Node, names: Names) -> Body:
    if isinstance(stmt, BLOCKS):
        inner = {key: made_apart(getattr(stmt, key), names) for key in ("body", "orelse")}
        same = all(inner[key] == getattr(stmt, key) for key in inner)
        return [stmt] if same else [with_(stmt, **inner)]
    match stmt:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
            if _may_be_parted(targets, values, names):
                pairs = zip(targets, values, strict=True)
                return [assign(target, value, stmt) for target, value in pairs]
    return [stmt]


def _may_be_parted(targets: Body, values: Body, names: Names) -> bool:
    """Tell whether values may be given one after the other, and one of them is such an object."""
    if len(targets) != len(values) or not all(isinstance(t, gast.Name) for t in targets):
        return False
    given = {target.id for target in targets}
    if len(given) < len(targets) or any(given & {*reads_of(value)} for value in values):
        return False
    parts = [part for value in values for part in nodes_of(value)]
    if any(isinstance(part, gast.Starred | gast.NamedExpr) for part in parts):
        return False
    calls = [part for part in parts if isinstance(part, gast.Call)]
    harmless = all(_is_harmless(each.func, names) for each in calls)
    return harmless and any(_is_holder(value, names) for value in values)


def _is_harmless(func: Node, names: Names) -> bool:
    known = names.value(func)
    return str(getattr(known, "__module__", "")).split(".")[0] in HARMLESS


def _is_holder(value: Node, names: Names) -> bool:
    if isinstance(value, gast.Dict | gast.DictComp):
        return True
    return isinstance(value, gast.Call) and names.means(value.func, *KINDS)
