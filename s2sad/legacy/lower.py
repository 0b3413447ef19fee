"""Syntax of expressions becomes one operation a statement.

    np.sin(x * y)      ->      x%1 = x * y ; np.sin(x%1)

Subscripts, tests and ranges carry no derivative and stay nested, as the user wrote them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Any

import gast

from s2sad.ir.errors import Unsupported, WritesInside
from s2sad.legacy.calls import takes_values
from s2sad.legacy.chained import joined, length_of_row
from s2sad.legacy.drawn import draws
from s2sad.legacy.operators import BINARY, COMPARE, UNARY
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Opaque, Ref, Var
from s2sad.legacy.scope import Scope, static_as_value
from s2sad.legacy.spread import by_length, of_ufunc, spread, unpacked
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Function
from s2sad.legacy.statics.listed import listed
from s2sad.legacy.templating import INTEGERS, printed_name
from s2sad.legacy.through import writes_when_called, written_through
from s2sad.legacy.traverse import is_atom
from s2sad.legacy.written import shown_writes
from s2sad.source.canonical import canonical
from s2sad.source.names import assigned_names, changed_names, locals_of, reads_of
from s2sad.source.text import resolve_dotted
from s2sad.source.trees import nodes_of

Part = Callable[[Any, Scope], Expr]

NAMES = frozenset({"__name__", "__qualname__", "__module__"})


def operation(node: Any, scope: Scope) -> Expr:
    """Return `node` as one operation on atoms, its parts computed before."""
    made = lower(node, scope, operand)
    taken = scope.on_function(made, scope) if isinstance(made, Attr) else None
    return made if taken is None else taken


def inline(node: Any, scope: Scope) -> Expr:
    """Return `node` as one nested expression, with nothing computed before."""
    return lower(node, scope, inline)


def outside(node: Any, scope: Scope) -> Expr:
    """Return a test as one nested expression; before it, where a call in it changes or draws."""
    return atom(node, scope) if changes_inside(node, scope) else inline(node, scope)


def changes_inside(node: Any, scope: Scope) -> bool:
    """Tell whether a call in an expression changes its arguments, or draws another number."""
    try:
        return draws(inline(node, scope))
    except WritesInside:
        return True


def atom(node: Any, scope: Scope) -> Expr:
    """Return a value, constant or shape that holds `node`."""
    value = records.row(operation(node, scope), scope, node)
    return value if is_atom(value) else scope.temp(value, node)


def operand(node: Any, scope: Scope) -> Expr:
    """Return an atom, or a display of atoms (as in `np.stack((a, b))`)."""
    if isinstance(node, gast.Tuple | gast.List | gast.Starred):
        return operation(node, scope)
    return atom(node, scope)


def _has_star(display: Any) -> bool:
    return any(isinstance(each, gast.Starred) for each in display.elts)


@singledispatch
def lower(node: Any, scope: Scope, part: Part) -> Expr:
    """Return `node` with its parts lowered by `part`; copied as it stands by default."""
    return opaque(node, scope)


def opaque(node: Any, scope: Scope, is_followed: bool = False) -> Opaque:
    """Return a copy of any syntax, with the values and globals it reads.

    It changes none of them, unless that `is_followed`.
    """
    names = reads_of(node)
    # what the syntax itself shows has become a statement before, where that matters
    changed = frozenset() if is_followed else writes_inside(node, scope, unknown=False)
    changed -= changed_names([node])
    if changed:
        raise WritesInside(
            f"{min(changed)} is changed inside an expression or a test",
            scope.span(node),
            "Call what changes it in a statement of its own.",
        )
    for name in names:
        static = scope.static(name)
        if static is not None:
            raise static_as_value(static, scope.span(node))
    local = tuple((name, scope.value(name)) for name in names if scope.has(name))
    globals_ = tuple(Ref(name, scope.source.resolve(name)) for name in names if not scope.has(name))
    return Opaque(node, local, (), globals_, scope.span(node))


def writes_inside(node: Any, scope: Scope, unknown: bool = True) -> frozenset[str]:
    """Return the names whose objects some syntax changes, also through what it calls."""
    if not any(isinstance(part, gast.Call) for part in nodes_of(node)):
        return frozenset()
    own = frozenset(filter(scope.has, reads_of(node)))
    return written_through([node], scope.source, shown_writes, own, unknown) & own


def outer_writes(node: Any, scope: Scope) -> tuple[str, ...]:
    """Return what of the function around it a function made inside writes to."""
    shown = tuple(name for name in writes_around(node) if name in scope.locals)
    if shown:
        return shown
    found = writes_when_called(node, scope.source, shown_writes, scope.locals)
    return tuple(sorted(filter(scope.has, found - {""})))


def writes_around(node: Any) -> list[str]:
    """Return the names of others that a function, or one made inside it, writes to."""
    body = node.body if isinstance(node.body, list) else [node.body]
    outer = {name for part in nodes_of(node) for name in getattr(part, "names", ())}
    outer = {name for name in outer if isinstance(name, str)}
    own = locals_of(node)
    found = [name for name in assigned_names(body) if name in outer or name not in own]
    for part in (part for stmt in body for part in nodes_of(stmt)):
        if isinstance(part, gast.FunctionDef | gast.Lambda):
            found += [name for name in writes_around(part) if name not in own]
    return found


@lower.register
def _(node: gast.Lambda, scope: Scope, part: Part) -> Expr:
    known = None if part is inline else scope.on_function(node, scope)
    if known is not None:
        return known
    held = outer_writes(node, scope)
    if held:
        raise Unsupported(
            f"the inner function writes to {held[0]}, which belongs to the function around it",
            scope.span(node),
            f"Give it {held[0]} as an argument, and return the new value.",
        )
    if "" in writes_when_called(node, scope.source, shown_writes, scope.locals):
        raise Unsupported(
            "the inner function writes to what it is given, and nothing here shows what that is",
            scope.span(node),
            "Do what it does in a loop, with statements of its own.",
        )
    return opaque(node, scope, is_followed=True)


@lower.register
def _(node: gast.Constant, scope: Scope, part: Part) -> Expr:
    return Const(node.value)


@lower.register
def _(node: gast.Name, scope: Scope, part: Part) -> Expr:
    if node.id in scope.imports:
        value = scope.imports[node.id]
        return Ref(canonical(node.id, value), value)
    if node.id in scope.locals:
        if getattr(node, "s2sad_given_up", False):
            scope.numbers.given_up.add(scope.slot(node.id))
        value = scope.read(node.id, node)
        kept = value.slot in scope.changing and part is not inline
        return scope.temp(value, node) if kept else value
    return _global(node, scope)


def _global(node: Any, scope: Scope) -> Expr:
    found = resolve_dotted(scope.source, node)
    if found is None:
        raise Unsupported(f"{node.id} is not defined", scope.span(node), "Define it, or import it.")
    text, value = found
    return Ref(canonical(text, value), value)


@lower.register
def _(node: gast.BinOp, scope: Scope, part: Part) -> Expr:
    left, right = part(node.left, scope), part(node.right, scope)
    shown = isinstance(left, Op) and isinstance(right, Op) and left.op in ("tuple", "list")
    if shown and isinstance(node.op, gast.Add) and left.op == right.op:  # type: ignore[union-attr]
        return Op(left.op, (*left.args, *right.args))  # type: ignore[union-attr]
    return _of_records(Op(BINARY[type(node.op)], (left, right)), node, scope, part)


def _of_records(operation: Op, node: Any, scope: Scope, part: Part) -> Expr:
    """Return what an operator gives, that of a class where a record is among the operands."""
    if any(scope.record(each) is not None for each in operation.args):
        return scope.on_record(operation, node, scope, part is inline)
    return operation


@lower.register
def _(node: gast.UnaryOp, scope: Scope, part: Part) -> Expr:
    operation = Op(UNARY[type(node.op)], (part(node.operand, scope),))
    return _of_records(operation, node, scope, part)


@lower.register
def _(node: gast.Compare, scope: Scope, part: Part) -> Expr:
    names = " ".join(COMPARE[type(op)].replace(" ", "_") for op in node.ops)
    operands = tuple(part(each, scope) for each in (node.left, *node.comparators))
    classes = [each.value for each in operands if isinstance(each, Ref)]
    if len(classes) == len(operands) == 2 and all(isinstance(each, type) for each in classes):
        if names in ("is", "is_not", "==", "!="):  # `type(m) is Model`, m being an argument
            return Const((classes[0] is classes[1]) == (names in ("is", "==")))
    return _of_records(Op(names, operands), node, scope, part)


@lower.register
def _(node: gast.Dict, scope: Scope, part: Part) -> Expr:
    if part is inline or not scope.opens_here(node):
        return opaque(node, scope)
    name = scope.called_after
    values = [_field(each, scope) for each in node.values]
    scope.called_after = name
    return records.display(node, scope, values)


def _field(node: Any, scope: Scope) -> Expr:
    """Return an atom, or the record of a list of dicts and objects."""
    value = records.row(operation(node, scope), scope, node)
    return value if is_atom(value) else scope.temp(value, node)


@lower.register
def _(node: gast.Attribute, scope: Scope, part: Part) -> Expr:
    found = None if _root_is_local(node, scope) else resolve_dotted(scope.source, node)
    if found is None:
        found = _through_import(node, scope)
    if found is not None:
        text, value = found
        return Ref(canonical(text, value), value)
    owner = part(node.value, scope)
    if scope.record(owner) is not None:
        return scope.on_record(owner, node, scope, part is inline)
    if isinstance(node.value, gast.Call) and getattr(node.value.func, "id", "") == "super":
        raise Unsupported(
            f"what super() has under the name {node.attr} is not followed",
            scope.span(node),
            "Call a method of the class above, or write out what the property does.",
        )
    if node.attr in NAMES and isinstance(owner, Ref) and isinstance(owner.value, type):
        return Const(getattr(owner.value, node.attr))  # of an argument: its class is asked for
    return Attr(owner, node.attr)


def _root_is_local(node: Any, scope: Scope) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return not isinstance(node, gast.Name) or node.id in scope.locals


def _through_import(node: Any, scope: Scope) -> tuple[str, Any] | None:
    """Resolve `np.sin` where np was imported inside the function."""
    if isinstance(node, gast.Name):
        return (node.id, scope.imports[node.id]) if node.id in scope.imports else None
    if not isinstance(node, gast.Attribute):
        return None
    owner = _through_import(node.value, scope)
    if owner is None or not hasattr(owner[1], node.attr):
        return None
    return f"{owner[0]}.{node.attr}", getattr(owner[1], node.attr)


@lower.register
def _(node: gast.Subscript, scope: Scope, part: Part) -> Expr:
    owner = _owner(node, scope, part)
    if scope.record(owner) is not None:
        return scope.on_record(owner, node, scope, part is inline)
    if isinstance(owner, Op) and owner.op in ("tuple", "list") and part is not inline:
        at = node.slice.value if isinstance(node.slice, gast.Constant) else None
        if type(at) is int and at < len(owner.args):
            return owner.args[at]
        owner = scope.temp(owner, node.value)
    if part is operand and isinstance(owner, Ref) and owner.text in ("np.r_", "np.c_"):
        return Op("index", (owner, operation(node.slice, scope)))  # what they join
    key = subscript(node.slice, scope, part is not inline)
    named = part is inline or is_atom(owner)
    whole = joined(owner, key, node, scope) or (
        owner if named else scope.temp(owner, node.value),
        key,
    )
    return Op("index", whole)


def _owner(node: Any, scope: Scope, part: Part) -> Expr:
    """Return what a subscript is of: no statement of its own yet where that is a part itself."""
    if part is operand and isinstance(node.value, gast.Subscript):
        return records.row(operation(node.value, scope), scope, node.value)
    return part(node.value, scope)


def subscript(node: Any, scope: Scope, may_name: bool = True) -> Expr:
    """Return a subscript, nested as it is written; one that draws numbers gets a name."""
    key = inline(node, scope)
    return scope.temp(key, node) if may_name and draws(key) else key


@lower.register
def _(node: gast.Slice, scope: Scope, part: Part) -> Expr:
    ends = (node.lower, node.upper, node.step)
    return Op("slice", tuple(NONE if end is None else inline(end, scope) for end in ends))


@lower.register
def _(node: gast.Tuple, scope: Scope, part: Part) -> Expr:
    if _has_star(node):
        return opaque(node, scope)
    return Op("tuple", tuple(part(each, scope) for each in node.elts))


@lower.register
def _(node: gast.List, scope: Scope, part: Part) -> Expr:
    if _has_star(node):
        return opaque(node, scope)
    return Op("list", tuple(part(each, scope) for each in node.elts))


@lower.register
def _(node: gast.Starred, scope: Scope, part: Part) -> Expr:
    return Op("star", (part(node.value, scope),))


@lower.register
def _(node: gast.NamedExpr, scope: Scope, part: Part) -> Expr:
    raise Unsupported(
        "an assignment expression (:=) is not differentiated",
        scope.span(node),
        "Write the assignment as a statement of its own.",
    )


def _by_name(call: Any, func: Var, scope: Scope) -> Any:
    """Return the call of a function that an expression gives as one by a name."""
    name = gast.Name(records.known_as_name(func.slot, scope), gast.Load(), None, None)
    named = gast.Call(gast.copy_location(name, call.func), call.args, call.keywords)
    return gast.copy_location(named, call)


def _is_store(call: Any, scope: Scope) -> bool:
    """Tell whether a call starts what tests or positions are saved in, in the text of a derivative."""
    name = getattr(call.func, "id", "")
    if name == INTEGERS:
        return printed_name(scope.source.resolve(name)) == INTEGERS
    return name == "bytearray" and not call.args and scope.source.path.startswith("<s2sad")


@lower.register
def _(node: gast.Call, scope: Scope, part: Part) -> Expr:
    node = spread(node, scope)
    by_count = None if part is inline or not scope.opens_here(node) else by_length(node, scope)
    if by_count is not None:
        return lower(by_count, scope, part)
    node = node if part is inline else unpacked(node, scope, atom)
    known = scope.on_static(node, scope, part is inline)
    if known is None and part is not inline:
        known = listed(node, scope)
    if known is not None:
        return known
    if _is_store(node, scope):
        return Op("list", ())
    # a method keeps its owner: u.sum, not a bound method computed before
    method = isinstance(node.func, gast.Attribute)
    func = lower(node.func, scope, part) if method else part(node.func, scope)
    if isinstance(func, Var) and isinstance(scope.apart(func), Function):
        return scope.on_static(_by_name(node, func, scope), scope, part is inline) or NONE
    if any(keyword.arg is None for keyword in node.keywords):
        return opaque(node, scope)
    given = atom if part is operand and takes_values(func) else part
    args = tuple(
        (part if isinstance(each, gast.Starred) else given)(each, scope) for each in node.args
    )
    args = args if part is inline else of_ufunc(func, args, node, scope)
    keywords = tuple((each.arg, given(each.value, scope)) for each in node.keywords)
    called = Call(func, args, keywords)
    return length_of_row(called, node, scope) or scope.on_call(called, node, scope, part is inline)
