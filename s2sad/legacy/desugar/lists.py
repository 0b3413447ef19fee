"""What changes a list becomes what the rest of the package knows: append, pop, slices written.

xs.extend(f(u))         ->      for item in f(u): xs.append(item)
bins[k].append(x)       ->      bins_part = bins[k]; bins_part.append(x)
xs.insert(i, a)         ->      xs[:] = xs[:i] + [a] + xs[i:]
return xs.pop() * x     ->      result_term = xs.pop(); return result_term * x
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    binary,
    call,
    constant,
    display,
    index,
    loop,
    method,
    name,
    number,
    placed,
    span_of,
    statement,
    stored,
    with_,
)
from s2sad.legacy.desugar.targets import part_of
from s2sad.source.names import reads_of
from s2sad.source.trees import nodes_of

Written = tuple[Body, Node]
# what changes a list, and is followed under a name of its own
CHANGING = frozenset("append extend insert pop clear reverse sort remove".split())


def _sorted_by(stmt: Node, names: Names) -> Body | None:
    """Return `xs.sort(key=f)` as what is written to all of xs."""
    match stmt.value:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=owner), attr="sort"), args=[], keywords=[_, *_]
        ) if names.is_local(owner):
            made = with_(stmt.value, func=name("sorted", stmt), args=[name(owner, stmt)])
            return [_rewritten(owner, made, stmt)]
    return None


def called_on(node: Node, names: Names) -> tuple[str, str] | None:
    """Return the name and the method of `xs.append(...)` for a list of the function's own."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return None
    owner = node.func.value
    if not isinstance(owner, gast.Name) or not names.is_local(owner.id) or node.keywords:
        return None
    return owner.id, node.func.attr


def written(node: Node, names: Names) -> Written | None:
    """Return `xs.pop()` inside an expression as a statement, and the name of what it gave."""
    if pops(node, names):
        held = names.temp("item")
        return [assign(held, node, node)], name(held, node)
    if isinstance(node, gast.List | gast.Tuple) and isinstance(node.ctx, gast.Load):
        return _joined(node) if names.is_open(node) else None
    return None


def _joined(node: Node) -> Written | None:
    """Return `[a, *xs, b]` as `[a] + list(xs) + [b]`."""
    if not any(isinstance(each, gast.Starred) for each in node.elts):
        return None
    kind = type(node)
    convert = "list" if kind is gast.List else "tuple"
    parts: list[Node] = []
    plain: list[Node] = []
    for each in node.elts:
        if isinstance(each, gast.Starred):
            parts += [display(kind, plain, node)] if plain else []
            parts.append(call(convert, [each.value], each))
            plain = []
        else:
            plain.append(each)
    parts += [display(kind, plain, node)] if plain else []
    made = parts[0]
    for part in parts[1:]:
        made = binary(gast.Add(), made, part, node)
    return [], made


def pops(node: Node, names: Names) -> bool:
    """Tell whether an expression is `xs.pop()` of a list's."""
    found = called_on(node, names)
    if found is None or found[1] != "pop":
        return False
    return not node.args or (len(node.args) == 1 and is_position(node.args[0]))


def is_position(node: Node) -> bool:
    """Tell whether the argument of a pop is one of a list's, not a key of a dict's."""
    value = node.operand if isinstance(node, gast.UnaryOp) else node
    return isinstance(value, gast.Constant) and isinstance(value.value, int)


def is_plain_pop(stmt: Node, names: Names) -> bool:
    """Tell whether a statement is `x = xs.pop(i)` or `xs.pop(i)`, which stay."""
    value = getattr(stmt, "value", None)
    if value is None or not pops(value, names):
        return False
    if isinstance(stmt, gast.Expr):
        return True
    return isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)


# ---------------------------------------------------------------------------- statements


def changed(stmt: Node, names: Names) -> Body | None:
    """Return a statement that changes a list as appends and slices; None if it is no such."""
    if names.opens_all:
        return _called(stmt, names) if _is_of_list(stmt, names) else _of_an_item(stmt, names)
    match stmt:
        case gast.Expr() if names.is_open(stmt):
            return _called(stmt, names) or _of_an_item(stmt, names)
        case gast.AugAssign(target=gast.Subscript(slice=gast.Slice()) as target):
            if names.is_named(stmt):
                return _slice_changed(target, stmt)
        case gast.AugAssign() if names.is_open(stmt) and isinstance(stmt.op, gast.Add):
            if isinstance(stmt.target, gast.Name):
                return _extended(stmt.target.id, stmt.value, stmt, names)
        case gast.Assign(targets=[gast.Subscript(slice=gast.Slice()) as target]):
            if names.is_open(stmt) and not hasattr(stmt, "s2sad_list"):
                return _slice_given(target, stmt.value, stmt)
        case gast.Delete() if names.is_open(stmt):
            return _deleted(stmt, names)
    return None


def _is_of_list(stmt: Node, names: Names) -> bool:
    """Tell whether a statement calls a method that neither arrays nor dicts have."""
    found = called_on(stmt.value, names) if isinstance(stmt, gast.Expr) else None
    return found is not None and found[1] in ("extend", "insert", "reverse")


def _of_an_item(stmt: Node, names: Names) -> Body | None:
    """Return `bins[k].append(x)` as `part = bins[k]; part.append(x)`."""
    match stmt:
        case gast.Expr(
            value=gast.Call(
                func=gast.Attribute(value=gast.Subscript(), attr=attr) as func
            ) as called
        ) if attr in CHANGING and any(map(names.is_local, reads_of(func))):
            parts, method_ = part_of(func, names)
            return [*parts, with_(stmt, value=with_(called, func=method_))]
    return None


def _called(stmt: Node, names: Names) -> Body | None:
    found = called_on(stmt.value, names)
    if found is None:
        return _sorted_by(stmt, names)
    (owner, called), args = found, stmt.value.args
    whole = name(owner, stmt)
    match called, len(args):
        case "extend", 1:
            return _extended(owner, args[0], stmt, names)
        case "insert", 2 if not _is_first(args[0]):
            return [_inserted(owner, args[0], args[1], stmt)]
        case "pop", 1 if not _is_key(args[0]):
            return [without_item(owner, args[0], stmt)]
        case "clear", 0:
            return [_rewritten(owner, display(gast.List, [], stmt), stmt)]
        case "reverse", 0:
            back = placed(gast.Slice(lower=None, upper=None, step=number(-1, stmt)), stmt)
            return [_rewritten(owner, index(whole, back, stmt), stmt)]
        case "sort", 0:
            return [_rewritten(owner, call("sorted", [whole], stmt), stmt)]
    return None


def _extended(owner: str, more: Node, stmt: Node, names: Names) -> Body:
    if isinstance(more, gast.List | gast.Tuple) and not any(
        isinstance(each, gast.Starred) for each in more.elts
    ):
        return _appended(owner, more.elts, stmt, names)
    if owner in reads_of(more):
        more = call("list", [more], stmt)
    elif isinstance(more, gast.ListComp):
        more = placed(gast.GeneratorExp(elt=more.elt, generators=more.generators), more)
    item = names.fresh("item")
    append = method(name(owner, stmt), "append", [name(item, stmt)], stmt)
    return [loop(stored(item, stmt), more, [statement(append, stmt)], stmt)]


def _appended(owner: str, items: list[Node], stmt: Node, names: Names) -> Body:
    out: Body = []
    if any(owner in reads_of(each) for each in items[1:]):
        # all items are looked at before the first is appended
        held = [names.temp("item") for _ in items]
        out += [assign(text, each, stmt) for text, each in zip(held, items, strict=True)]
        items = [name(text, stmt) for text in held]
    for each in items:
        out.append(statement(method(name(owner, stmt), "append", [each], stmt), stmt))
    return out


def _is_first(where: Node) -> bool:
    return isinstance(where, gast.Constant) and where.value == 0


def _inserted(owner: str, where: Node, item: Node, stmt: Node) -> Node:
    whole = name(owner, stmt)
    one = display(gast.List, [item], stmt)
    front = index(whole, span_of(None, where, stmt), stmt)
    back = index(whole, span_of(where, None, stmt), stmt)
    made = binary(gast.Add(), binary(gast.Add(), front, one, stmt), back, stmt)
    return _rewritten(owner, made, stmt)


def without_item(owner: str, where: Node, at: Node) -> Node:
    """Return the list without the item at `where`."""
    whole = name(owner, at)
    if isinstance(where, gast.Constant):
        rest = index(whole, span_of(constant(where.value + 1, at), None, at), at)
        if where.value == 0:
            return _rewritten(owner, rest, at)
    else:
        # right for positions counted from the end, too
        back = index(whole, span_of(where, None, at), at)
        rest = index(back, span_of(constant(1, at), None, at), at)
    front = index(whole, span_of(None, where, at), at)
    return _rewritten(owner, binary(gast.Add(), front, rest, at), at)


def _rewritten(owner: str, value: Node, at: Node) -> Node:
    """Return `xs[:] = value`: the list itself changes, under all of its names."""
    target = index(name(owner, at), span_of(None, None, at), at)
    target.ctx = gast.Store()
    made = assign(target, value, at)
    made.s2sad_list = True  # nothing more is to be done
    return made


def _deleted(stmt: Node, names: Names) -> Body | None:
    out: Body = []
    for target in stmt.targets:
        match target:
            case gast.Name():
                out.append(placed(gast.Delete(targets=[target]), stmt))
            case gast.Subscript(value=gast.Name(id=owner), slice=gast.Slice() as part):
                if not _is_stretch(part):
                    return None
                out.append(_without_slice(owner, part, stmt))
            case gast.Subscript(value=gast.Name(id=owner)) if is_position(target.slice):
                out.append(statement(method(name(owner, stmt), "pop", [target.slice], stmt), stmt))
            case gast.Subscript(value=gast.Name(id=owner)) if not _is_key(target.slice):
                out.append(without_item(owner, target.slice, stmt))
            case _:
                return None
    return out


def _slice_given(target: Node, value: Node, stmt: Node) -> Body | None:
    """`xs[i:j] = value`: what was there may have been longer or shorter."""
    if not isinstance(target.value, gast.Name):
        return None
    owner, part = target.value.id, target.slice
    if part.step is not None or not all(map(_is_plain, (part.lower, part.upper))):
        return None
    whole = name(owner, stmt)
    if not isinstance(value, gast.List):
        value = call("list", [value], stmt)
    if part.lower is not None:
        front = index(whole, span_of(None, part.lower, stmt), stmt)
        value = binary(gast.Add(), front, value, stmt)
    if part.upper is not None:
        back = index(whole, span_of(_end(whole, part, stmt), None, stmt), stmt)
        value = binary(gast.Add(), value, back, stmt)
    return [_rewritten(owner, value, stmt)]


def _is_plain(end: Node | None) -> bool:
    """Tell whether an end of a slice may be computed twice."""
    parts = nodes_of(end) if end is not None else ()
    return not any(isinstance(part, gast.Call | gast.NamedExpr | gast.Subscript) for part in parts)


def _end(whole: Node, part: Node, at: Node) -> Node:
    """Return where the stretch ends that `xs[i:j]` writes to: not before it starts."""
    if _is_stretch(part):
        return part.upper
    front = index(whole, span_of(None, part.lower, at), at)
    stretch = index(whole, span_of(part.lower, part.upper, at), at)
    return binary(gast.Add(), call("len", [front], at), call("len", [stretch], at), at)


def _slice_changed(target: Node, stmt: Node) -> Body | None:
    """`xs[i:j] += value`: a new list, which is then written there."""
    part = index(target.value, target.slice, target)
    if not isinstance(stmt.op, gast.Add | gast.Mult):
        return None
    listed = isinstance(stmt.op, gast.Mult) or isinstance(stmt.value, gast.List)
    more = stmt.value if listed else call("list", [stmt.value], stmt)
    return _slice_given(target, binary(stmt.op, part, more, stmt), stmt)


def _is_stretch(part: Node) -> bool:
    """Tell whether a slice surely ends behind where it starts."""
    if part.step is not None:
        return False
    if part.lower is None or part.upper is None:
        return True
    ends = [_literal(each) for each in (part.lower, part.upper)]
    if None in ends:
        return False
    start, stop = ends
    return (start < 0) == (stop < 0) and start <= stop  # type: ignore[operator]


def _literal(node: Node) -> int | None:
    sign = -1 if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else 1
    value = node.operand if sign < 0 else node
    known = isinstance(value, gast.Constant) and isinstance(value.value, int)
    return sign * value.value if known else None


def _is_key(node: Any) -> bool:
    return isinstance(node, gast.Constant) and not isinstance(node.value, int)


def _without_slice(owner: str, part: Node, at: Node) -> Node:
    whole = name(owner, at)
    parts = []
    if part.lower is not None:
        parts.append(index(whole, span_of(None, part.lower, at), at))
    if part.upper is not None:
        parts.append(index(whole, span_of(part.upper, None, at), at))
    made = parts[0] if parts else display(gast.List, [], at)
    for each in parts[1:]:
        made = binary(gast.Add(), made, each, at)
    return _rewritten(owner, made, at)
