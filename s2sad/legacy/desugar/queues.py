"""A deque of the function's own, in which what varies is put, becomes a list.

q = deque(maxlen=3)          q = []
q.append(x)            ->    q.append(x)
                             if len(q) > 3:
                                 q.pop(0)
y = q.popleft()              y = q.pop(0)

Only where no line could tell a list from it: where it has one name, and is handed to nobody who asks.
"""

from __future__ import annotations

import copy
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    binary,
    branch,
    call,
    compare,
    constant,
    display,
    index,
    is_none,
    loop,
    method,
    name,
    number,
    parents_of,
    placed,
    span_of,
    statement,
    stored,
)
from s2sad.source.names import reads_of
from s2sad.source.trees import nodes_of

# these take a deque for the sequence of its items
READERS = (len, sum, list, tuple, min, max, sorted, enumerate, zip, reversed, any, all, bool)
CHANGES = {"append": 1, "appendleft": 1, "extend": 1, "extendleft": 1, "clear": 0, "reverse": 0}


@dataclass
class Queues:
    """The deques of a function: the most that each holds, None where there is no such end."""

    names: Names
    most: dict[str, Any]
    parents: dict[int, Node] = field(default_factory=dict)


def without_queues(body: Body, names: Names) -> Body:
    """Return the statements of a function in which lists stand for deques that may be lists."""
    nodes = [part for stmt in body for part in nodes_of(stmt)]
    made = {id(m): m for m in nodes if _making(m, names) is not None}
    if not any(names.is_open(each) for each in made.values()):
        return body
    parents = parents_of(nodes)
    found = Queues(names, {}, parents)
    for target in sorted({_target(each).id for each in made.values()}):
        own = [n for n in nodes if isinstance(n, gast.Name) and n.id == target]
        makings = [each for each in made.values() if _target(each).id == target]
        ends = [_end(_making(each, names)) for each in makings]
        same = len({gast.dump(each) for each in ends if each is not None}) == 1
        if same and None not in ends and _may_be_list(target, own, makings, ends[0], nodes, found):
            found.most[target] = None if is_none(ends[0]) else ends[0]
    if not found.most:
        return body
    written = _Written(found)
    return [each for stmt in copy.deepcopy(body) for each in _several(written.visit(stmt))]


def _making(stmt: Node, names: Names) -> Node | None:
    """Return the call of `q = deque(...)`."""
    if isinstance(stmt, gast.Assign) and len(stmt.targets) > 1:
        return None
    if not isinstance(stmt, gast.Assign | gast.AnnAssign) or not isinstance(stmt.value, gast.Call):
        return None
    plain = isinstance(_target(stmt), gast.Name) and names.is_local(_target(stmt).id)
    return stmt.value if plain and names.means(stmt.value.func, deque) else None


def _target(stmt: Node) -> Node:
    return stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target


def _end(made: Node) -> Node | None:
    """Return how many items a deque keeps at most, the constant None where all; None if not known."""
    given = [*made.args[1:], *(each.value for each in made.keywords if each.arg == "maxlen")]
    if len(given) > 1 or len(made.keywords) > (0 if len(made.args) > 1 else 1):
        return None
    if any(isinstance(each, gast.Starred) for each in made.args):
        return None
    end = given[0] if given else constant(None, made)
    if isinstance(end, gast.Constant):
        return end if is_none(end) or (type(end.value) is int and end.value > 0) else None
    return end if isinstance(end, gast.Name) else None


# ---------------------------------------------------------------------------- how it is used


def _may_be_list(
    target: str, own: list[Node], makings: list[Node], end: Node, nodes: list[Node], found: Queues
) -> bool:
    """Tell whether nothing that is done with a deque tells it from a list."""
    stores = [each for each in own if not isinstance(each.ctx, gast.Load)]
    if len(stores) != len(makings):
        return False
    if isinstance(end, gast.Name) and any(
        isinstance(n, gast.Name) and n.id == end.id and not isinstance(n.ctx, gast.Load)
        for n in nodes
    ):
        return False  # by then the end may be another
    if any(_is_hidden(each, found) for each in own):
        return False
    return all(_is_like_list(each, found) for each in own if each not in stores)


def _is_hidden(node: Node, found: Queues) -> bool:
    """Tell whether a name stands in a function made inside."""
    around = found.parents.get(id(node))
    while around is not None:
        if isinstance(around, gast.FunctionDef | gast.Lambda | gast.ClassDef):
            return True
        around = found.parents.get(id(around))
    return False


def _is_like_list(read: Node, found: Queues) -> bool:
    around = found.parents.get(id(read))
    match around:
        case gast.Subscript(value=owner, slice=key):
            return owner is read and not isinstance(key, gast.Slice)
        case gast.Attribute(attr=attr):
            return _is_method(around, attr, found)
        case gast.For(iter=through) | gast.comprehension(iter=through):
            return through is read and not _changes_inside(read.id, around)
        case gast.Call(func=func, args=args):
            return read in args and _reads_items(func, found) and _stays(read, around, found)
        case gast.If(test=test) | gast.While(test=test) | gast.IfExp(test=test):
            return test is read
        case gast.UnaryOp(op=gast.Not()):
            return True
        case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[owner]):
            return owner is read
        case gast.BoolOp():
            outer = found.parents.get(id(around))
            return isinstance(outer, gast.If | gast.While) and outer.test is around
    return False


def _is_method(attribute: Node, attr: str, found: Queues) -> bool:
    if attr == "maxlen":
        return True
    made = found.parents.get(id(attribute))
    if not isinstance(made, gast.Call) or made.func is not attribute or made.keywords:
        return False
    alone = isinstance(found.parents.get(id(made)), gast.Expr)
    if attr == "rotate":
        return alone and len(made.args) <= 1
    if attr in ("pop", "popleft"):
        return not made.args
    twice = any(attribute.value.id in reads_of(each) for each in made.args)
    return alone and CHANGES.get(attr) == len(made.args) and not (twice and "extend" in attr)


def _reads_items(func: Node, found: Queues) -> bool:
    known = found.names.value(func)
    if any(known is each for each in READERS):
        return True
    return str(getattr(known, "__module__", "")).split(".")[0] == "numpy"


def _stays(read: Node, around: Node, found: Queues) -> bool:
    """Tell whether a loop over zip(q, ...) and the like leaves the deque as it is."""
    outer = found.parents.get(id(around))
    while isinstance(outer, gast.Call):
        around, outer = outer, found.parents.get(id(outer))
    return not isinstance(outer, gast.For) or not _changes_inside(read.id, outer)


def _changes_inside(target: str, around: Node) -> bool:
    """Tell whether a loop changes how many items there are: of a deque that is an error."""
    body = around.body if isinstance(around, gast.For) else []
    return any(
        isinstance(part, gast.Attribute | gast.Subscript)
        and isinstance(part.value, gast.Name)
        and part.value.id == target
        and (isinstance(part, gast.Attribute) or isinstance(part.ctx, gast.Del))
        for stmt in body
        for part in nodes_of(stmt)
    )


# ---------------------------------------------------------------------------- as a list


def _several(made: Any) -> Body:
    return made if isinstance(made, list) else [made]


class _Written(gast.NodeTransformer):  # type: ignore[misc]
    """Puts lists for deques."""

    def __init__(self, found: Queues):
        self.found = found

    def _is_queue(self, node: Node) -> bool:
        return isinstance(node, gast.Name) and node.id in self.found.most

    def visit_Assign(self, node: Node) -> Any:
        target = _target(node)
        self.generic_visit(node)
        made = _making(node, self.found.names)
        if made is None or not self._is_queue(target):
            return node
        first = made.args[0] if made.args else None
        items = display(gast.List, [], node) if first is None else first
        is_new = isinstance(items, gast.List | gast.ListComp) or _repeats(items)
        if not is_new:
            items = call("list", [items], node)
        out = [gast.copy_location(gast.Assign([target], items, None), node)]
        end = self.found.most[target.id]
        if end is not None and not _fits(items, end):
            over = _is_over(target.id, end, node)
            less = statement(method(name(target.id, node), "pop", [number(0, node)], node), node)
            out.append(placed(gast.While(test=over, body=[less], orelse=[]), node))
        return out

    visit_AnnAssign = visit_Assign

    def visit_Attribute(self, node: Node) -> Any:
        self.generic_visit(node)
        if self._is_queue(node.value) and node.attr == "maxlen":
            end = self.found.most[node.value.id]
            return constant(None, node) if end is None else copy.deepcopy(end)
        return node

    def visit_Call(self, node: Node) -> Any:
        self.generic_visit(node)
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr="popleft")):
                if self._is_queue(owner):
                    return method(owner, "pop", [number(0, node)], node)
        return node

    def visit_Expr(self, node: Node) -> Any:
        self.generic_visit(node)
        match node.value:
            case gast.Call(func=gast.Attribute(value=owner, attr=attr), args=args):
                if self._is_queue(owner):
                    return _changed(owner.id, attr, args, self.found, node)
        return node


def _repeats(items: Node) -> bool:
    """Tell whether syntax is `[x] * n`."""
    return isinstance(items, gast.BinOp) and isinstance(items.left, gast.List)


def _fits(items: Node, end: Node) -> bool:
    """Tell whether a display holds no more than a deque keeps."""
    most = end.value if isinstance(end, gast.Constant) else 0
    match items:
        case gast.BinOp(
            left=gast.List(elts=[_]), op=gast.Mult(), right=gast.Constant(value=int() as count)
        ):
            return count <= most
        case gast.List(elts=items):
            return len(items) <= most and not any(isinstance(i, gast.Starred) for i in items)
    return False


def _is_over(target: str, end: Node, at: Node) -> Node:
    count = call("len", [name(target, at)], at)
    return compare(count, gast.Gt(), copy.deepcopy(end), at)


def _changed(target: str, attr: str, args: list[Node], found: Queues, at: Node) -> Body:
    match attr:
        case "append" | "appendleft":
            return _put(target, attr, args[0], found, at)
        case "extend" | "extendleft" if attr == "extendleft" or found.most[target] is not None:
            item = found.names.fresh("item")
            one = "append" if attr == "extend" else "appendleft"
            body = _put(target, one, name(item, at), found, at)
            return [loop(stored(item, at), args[0], body, at)]
        case "rotate":
            return [_rotated(target, args[0] if args else number(1, at), found, at)]
    return [at]


def _put(target: str, attr: str, item: Node, found: Queues, at: Node) -> Body:
    whole, end = name(target, at), found.most[target]
    left = attr == "appendleft"
    put = method(whole, "insert", [number(0, at), item], at) if left else None
    out = [statement(put or method(whole, "append", [item], at), at)]
    if end is not None:
        lost = method(whole, "pop", [] if left else [number(0, at)], at)
        out.append(branch(_is_over(target, end, at), [statement(lost, at)], [], at))
    return out


def _rotated(target: str, steps: Node, found: Queues, at: Node) -> Node:
    """`q.rotate(k)`: as many of the last items come first, in circles."""
    whole, place = name(target, at), found.names.fresh("place")
    count = call("len", [whole], at)
    back = binary(gast.Mod(), steps, count, at)
    first = assign(place, binary(gast.Sub(), count, back, at), at)
    ends = index(whole, span_of(name(place, at), None, at), at)
    rest = index(whole, span_of(None, name(place, at), at), at)
    target_ = index(whole, span_of(None, None, at), at)
    target_.ctx = gast.Store()
    made = assign(target_, binary(gast.Add(), ends, rest, at), at)
    made.s2sad_list = True  # the list itself changes
    return branch(whole, [first, made], [], at)
