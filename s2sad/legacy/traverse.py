"""Going through programs: the parts of expressions, what statements read and define.

reads(expr)            every value named in an expression, in order of evaluation
transform(expr, f)     the expression with f applied to every part, innermost first
statements(block)      every statement, those of inner blocks after the one that holds them
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from s2sad.legacy.program import (
    NONE,
    Assign,
    Attr,
    Block,
    Break,
    Call,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Node,
    Op,
    Opaque,
    Pop,
    Ref,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
    once,
)


def is_path(key: Expr | None) -> TypeGuard[Op]:
    """Tell whether a key leads to an item of an item of a list: rows[i][j]."""
    return isinstance(key, Op) and key.op == "path"


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct parts of an expression, in order of evaluation."""
    parts = _PARTS.get(type(expr))
    return () if parts is None else parts(expr)


def _parts_of_call(call: Call) -> tuple[Expr, ...]:
    if call.keywords:
        return (call.func, *call.args, *(value for _, value in call.keywords))
    return (call.func, *call.args)


_PARTS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Op: lambda op: op.args,
    Attr: lambda attr: (attr.value,),
    Call: _parts_of_call,
    Opaque: lambda copied: tuple(var for _, var in copied.reads),
}


def rebuild(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    """Return `expr` with its direct parts replaced, in the order of `children`."""
    match expr:
        case Op(op, _):
            return Op(op, parts)
        case Attr(_, name):
            return Attr(parts[0], name)
        case Call(_, args, keywords):
            n = len(args) + 1
            named = tuple((key, part) for (key, _), part in zip(keywords, parts[n:], strict=True))
            return Call(parts[0], parts[1:n], named)
        case Opaque(_, reads):
            renamed = tuple((name, part) for (name, _), part in zip(reads, parts, strict=True))
            return replace(expr, reads=renamed)  # type: ignore[arg-type]
    return expr


def transform(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Return `expr` with `change` applied to every part, innermost first."""
    parts = children(expr)
    if parts:
        changed = tuple([transform(part, change) for part in parts])
        if not all(map(operator.is_, parts, changed)):
            expr = rebuild(expr, changed)
    return change(expr)


def substitute(expr: Expr, values: Callable[[Var], Expr]) -> Expr:
    """Return `expr` with every Var replaced by `values(var)`."""
    if all(values(var) is var for var in reads(expr)):
        return expr
    return transform(expr, lambda part: values(part) if isinstance(part, Var) else part)


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all its parts, outermost first."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        yield part
        parts = _PARTS.get(type(part))
        if parts is not None:
            waiting.extend(parts(part)[::-1])


def reads(expr: Expr) -> tuple[Var, ...]:
    """Return every value that an expression names, shape-only reads included."""
    if isinstance(expr, Var):
        return (expr,)
    return _part_reads(expr) if isinstance(expr, Node) else ()


@once("kept_reads")
def _part_reads(expr: Expr) -> tuple[Var, ...]:
    return tuple([var for part in children(expr) for var in reads(part)])


SHAPE_ATTRIBUTES = frozenset({"shape", "size", "ndim", "dtype"})
SHAPE_FUNCTIONS = frozenset(
    {"np.shape", "np.size", "np.ndim", "np.zeros_like", "np.ones_like", "np.empty_like", "len"}
)


def value_reads(expr: Expr) -> tuple[Var, ...]:
    """Return the values whose contents an expression reads; a shape is not contents."""
    if isinstance(expr, Var):
        return (expr,)
    return _part_value_reads(expr) if isinstance(expr, Node) else ()


@once("kept_value_reads")
def _part_value_reads(expr: Expr) -> tuple[Var, ...]:
    return tuple([var for part in _parts_with_contents(expr) for var in value_reads(part)])


def _parts_with_contents(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Attr(Var(), name) if name in SHAPE_ATTRIBUTES:
            return ()
        case Call(Ref(text), args, keywords) if text in SHAPE_FUNCTIONS:
            named = tuple(value for _, value in keywords)
            return (*args[1:], *named) if args and isinstance(args[0], Var) else (*args, *named)
        case Call(Ref("np.full_like"), (Var(), *others), keywords):
            return (*others, *(value for _, value in keywords))
    return children(expr)


def reads_shape(test: Expr) -> bool:
    """Tell whether shapes decide which way a branch goes."""
    for part in walk(test):
        if isinstance(part, Attr) and part.name in SHAPE_ATTRIBUTES:
            return True
        called = part.func if isinstance(part, Call) else None
        if isinstance(called, Ref) and called.text in SHAPE_FUNCTIONS:
            return True
    return False


def is_nested(targets: Any) -> TypeGuard[tuple[Any, ...]]:
    """Tell whether a loop has several targets; one is a value, which is a tuple as well."""
    return isinstance(targets, tuple) and not isinstance(targets, Var)


def flat_targets(targets: Any) -> Iterator[Var]:
    """Yield the values of a loop's (nested) targets."""
    if isinstance(targets, Var):
        yield targets
    elif isinstance(targets, tuple):
        for part in targets:
            yield from flat_targets(part)


def renamed_targets(targets: Any, new: Callable[[Var], Var]) -> Any:
    """Return a loop's (nested) targets with every value renamed."""
    if isinstance(targets, Var):
        return new(targets)
    return tuple(renamed_targets(part, new) for part in targets)


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """Return the expressions that a statement itself evaluates, not those of its blocks."""
    match stmt:
        case Assign(_, value) | Effect(value) | Save(_, value):
            return (value,)
        case Update(_, old, index, _, value):
            return (old, value) if index is None else (old, index, value)
        case Pop(_, _, old, _, index):
            return (old,) if index is None else (old, index)
        case If(test):
            return (test,)
        case Loop(_, iterable, test):
            return tuple(part for part in (iterable, test) if part is not None)
    return ()


WHOLE = Op("slice", (NONE, NONE, NONE))


def parts_of(key: Expr) -> tuple[Expr, ...]:
    """Return what a subscript asks of one axis after the other."""
    return key.args if isinstance(key, Op) and key.op in ("tuple", "path") else (key,)


def is_slice(key: Expr) -> bool:
    """Tell whether a part of a subscript takes a range of an axis."""
    return isinstance(key, Op) and key.op == "slice"


def rewrites(stmt: Update) -> bool:
    """Tell whether a write leaves nothing of what was there: `x[:] = value`."""
    return stmt.op == "=" and stmt.index == WHOLE


def defines(stmt: Stmt) -> tuple[Var, ...]:
    """Return the values that exist once a statement has run, those inside its blocks excepted."""
    match stmt:
        case Assign(targets):
            return targets
        case Update(new):
            return (new,)
        case Pop(target, new):
            return target, new
        case Restore(target):
            return (target,)
        case Effect(Opaque() as copied):
            return tuple(var for _, var in copied.writes)
        case If(merges=merges):
            return tuple(merge.out for merge in merges)
        case Loop(carried=carried):
            return tuple(each.exit for each in carried)
    return ()


def blocks(stmt: Stmt) -> tuple[Block, ...]:
    """Return the blocks inside a statement."""
    if isinstance(stmt, If):
        return stmt.then, stmt.orelse
    return (stmt.body,) if isinstance(stmt, Loop) else ()


def may_leave(block: Sequence[Stmt]) -> bool:
    """Tell whether some way through a block leaves the loop that it stands in."""
    match block[-1] if block else None:
        case Break():
            return True
        case If(_, then, orelse):
            return may_leave(then) or may_leave(orelse)
    return False


def goes_on_behind_a_break(block: Sequence[Stmt]) -> bool:
    """Tell whether something follows a branch that may leave the loop: no reverse sweep knows."""
    sides = [each for stmt in block if isinstance(stmt, If) for each in (stmt.then, stmt.orelse)]
    return any(may_leave((stmt,)) for stmt in block[:-1]) or any(map(goes_on_behind_a_break, sides))


def makes_a_pass(iterable: Expr | None) -> bool:
    """Tell whether a loop over something surely makes a pass, as the text shows."""
    match iterable:
        case Call(Ref("range"), args):
            ends = [arg.value for arg in args if isinstance(arg, Const)]
            known = len(ends) == len(args) and all(type(end) is int for end in ends)
            return known and len(range(*ends)) > 0
        case Op("tuple" | "list", args):
            return bool(args)
    return False


def statements(block: Block) -> Iterator[Stmt]:
    """Yield every statement of a block, those of inner blocks after the one that holds them."""
    for stmt in block:
        yield stmt
        for inner in blocks(stmt):
            yield from statements(inner)


def is_atom(expr: Expr) -> bool:
    """Tell whether an expression needs no statement of its own."""
    match expr:
        case Const() | Var() | Ref():
            return True
        case Attr(Var(), name):
            return name in SHAPE_ATTRIBUTES
        case Op("index", (Attr(Var(), "shape"), Const())):
            return True
        case Call(Ref("len" | "np.shape" | "np.size" | "np.ndim"), (Var(),), ()):
            return True
        case Op("u-", (Const(),)):
            return True
    return False
