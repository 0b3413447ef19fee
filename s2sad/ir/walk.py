"""Walking: the expressions of a statement, the statements of a block, what an expression reads.

list(reads(a[i] * len(b)))   ->   [(a, True), (i, True), (b, False)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import is_
from typing import Any, TypeVar

from s2sad.ir.expression import Expr, Pattern, Variable, root_of
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    For,
    Function,
    If,
    Let,
    Raise,
    RegionOp,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.records import replace
from s2sad.ir.types import Optional, Other, Reference, Sequence, Tuple, Type, Unknown

S = TypeVar("S", bound=Statement)

T = TypeVar("T")


def closed(found: frozenset[T], more: Callable[[frozenset[T]], Iterable[T]]) -> frozenset[T]:
    """Return a set with all that it leads to, where `more` gives what a set leads to at once."""
    while not (new := frozenset(more(found))) <= found:
        found |= new
    return found


# ---------------------------------------------------------------------------- expressions


def nodes(expr: Expr) -> tuple[Expr, ...]:
    """Return an expression and all that it is made of, outermost first."""
    return expr.fact("nodes", _nodes) if expr.args else (expr,)


def _nodes(expr: Expr) -> tuple[Expr, ...]:
    found, rest = [], [expr]
    while rest:
        node = rest.pop()
        found.append(node)
        rest.extend(node.args[::-1])
    return tuple(found)


def rebuilt(expr: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """Return an expression with each node, innermost first, replaced by what `change` gives.

    None leaves a node as it is.
    """
    if expr.args:
        expr = expr.with_args([rebuilt(arg, change) for arg in expr.args])
    changed = change(expr)
    return expr if changed is None else changed


def variables(pattern: Pattern) -> Iterator[Variable]:
    """Yield the variables that a pattern binds."""
    match pattern:
        case Variable():
            yield pattern
        case tuple():
            for part in pattern:
                yield from variables(part)


SHAPE_ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype"})
FIELDED = (Reference, Optional, Tuple)  # what has fields of its own, `size` may be one
SHAPE_FUNCTIONS = frozenset(
    {"zeros_like", "ones_like", "empty_like", "full_like", "shape", "ndim", "size"}
)


def reads_shape_only(expr: Expr) -> bool:
    """Tell whether a node asks its operand for nothing but shape and kind: u.shape, len(u).

    The length of a list is content: it changes where the list grows.
    """
    if expr.op == "attribute":  # a step to a field stands alone
        is_asked = expr.data in SHAPE_ATTRIBUTES and bool(expr.args)
        return is_asked and not isinstance(expr.args[0].type, FIELDED)
    if expr.op != "call" or len(expr.args) < 2 or _is_list(expr.args[1].type):
        return False
    function = expr.args[0]
    if function.op != "global":
        return False
    if function.data.value is len:
        return not isinstance(expr.args[1].type, Unknown | Other)
    return function.data.text.rpartition(".")[2] in SHAPE_FUNCTIONS


def _is_list(type_: Type) -> bool:
    return isinstance(type_, Reference) or (isinstance(type_, Sequence) and type_.cls is list)


def reads(expr: Expr, content: bool = True) -> tuple[tuple[Variable, bool], ...]:
    """Return each variable that an expression reads, and whether its content is read.

    What a comprehension binds itself is left out.
    """
    if not content:
        return tuple(_reads(expr, False))
    return expr.fact("reads", lambda e: tuple(_reads(e, True)))


def _reads(expr: Expr, content: bool) -> Iterator[tuple[Variable, bool]]:
    if expr.op == "name":
        yield expr.data, content
        return
    if expr.op == "comprehension":
        own = {v for g in expr.args if g.op == "generator" for v in variables(g.data)}
        found = (read for arg in expr.args for read in _reads(arg, content))
        yield from (read for read in found if read[0] not in own)
        return
    shape_only = reads_shape_only(expr)
    for place, arg in enumerate(expr.args):
        is_operand = place == 0 if expr.op in ("attribute", "subscript") else place <= 1
        if is_operand and shape_only:
            yield from _reads(arg, False)
        elif expr.op == "subscript" and place:
            yield from _reads(arg, True)
        else:  # of which item the shape is asked, the content of a list says
            yield from _reads(arg, content or _is_list(arg.type))


def read_variables(expr: Expr) -> frozenset[Variable]:
    """Return the variables that an expression mentions."""
    return expr.fact("variables", lambda e: frozenset(v for v, _ in reads(e)))


def read_in(statement: Statement) -> Iterator[Variable]:
    """Yield the variables that the expressions of a statement itself mention."""
    return (variable for expr in expressions(statement) for variable in read_variables(expr))


def name_nodes(expr: Expr) -> tuple[Expr, ...]:
    """Return the nodes of an expression that are names, each as often as it stands there."""
    return expr.fact("names", lambda e: tuple(n for n in nodes(e) if n.op == "name"))


def mentions(expr: Expr, variable: Variable) -> bool:
    """Tell whether an expression has a variable in it."""
    return any(node.data == variable for node in name_nodes(expr))


# ---------------------------------------------------------------------------- statements

SIMPLE = frozenset({Let, Store, Save, Restore, Return})
# most have one expression, under this name
ONE_EXPRESSION = {
    **dict.fromkeys((Let, Return, Save), "value"),
    **dict.fromkeys((If, While), "test"),
    For: "domain",
    With: "context",
}


def blocks(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks inside a statement."""
    if type(statement) in SIMPLE:  # most of them
        return ()
    match statement:
        case If():
            return statement.body, statement.orelse
        case For() | While() | With():
            return (statement.body,)
        case Try():
            return (statement.body, *(handler.body for handler in statement.handlers))
    return ()


def with_blocks(statement: S, new: tuple[Block, ...]) -> S:
    """Return a statement with other blocks, as many as `blocks` gives."""
    if all(map(is_, blocks(statement), new)):
        return statement
    match statement:
        case If():
            return _replaced(statement, body=new[0], orelse=new[1])
        case For() | While() | With():
            return _replaced(statement, body=new[0])
        case Try():
            handlers = tuple(
                replace(h, body=b) for h, b in zip(statement.handlers, new[1:], strict=True)
            )
            return _replaced(statement, body=new[0], handlers=handlers)
    return statement


def in_blocks(statement: S, change: Callable[[Block], Block]) -> S:
    """Return a statement with what `change` gives in place of each of its blocks."""
    return with_blocks(statement, tuple(map(change, blocks(statement))))


def with_statements(block: Block, made: Iterable[Statement]) -> Block:
    """Return a block of other statements; the block itself if they are the same ones."""
    new = tuple(made)
    return block if len(new) == len(block) and all(map(is_, new, block)) else new


def is_gone_through(statement: Statement | None) -> bool:
    """Tell whether what follows a statement finds its block done: a `with`, a `try` that catches nothing."""
    if not isinstance(statement, Try):
        return isinstance(statement, With)
    ends = all(h.body and isinstance(h.body[-1], Raise) for h in statement.handlers)
    inside = (s for h in statement.handlers for s in statements(h.body))
    return ends and not any(isinstance(s, Return | Break | Continue) for s in inside)


def statements(block: Block) -> list[Statement]:
    """Return the statements of a block and of all blocks in it, in the order of the text."""
    found: list[Statement] = []
    for statement in block:
        found.append(statement)
        if type(statement) not in SIMPLE:
            for inner in blocks(statement):
                found += statements(inner)
    return found


def expressions(statement: Statement) -> tuple[Expr, ...]:
    """Return the expressions of a statement itself, in the order in which they are evaluated.

    The target of a Store is one of them: its base and its index are read.
    """
    field = ONE_EXPRESSION.get(type(statement))
    if field is not None:
        return (getattr(statement, field),)
    match statement:
        case Store():
            return statement.value, statement.target
        case RegionOp():
            return statement.base, *statement.args
        case Try():
            return tuple(h.kinds for h in statement.handlers if h.kinds is not None)
        case Raise():
            return tuple(e for e in (statement.value, statement.cause) if e is not None)
        case Copied():
            return statement.reads
        case Restore():
            return (statement.target,) if isinstance(statement.target, Expr) else ()
    return ()


def own_nodes(statement: Statement) -> Iterator[Expr]:
    """Yield every node of the expressions of a statement itself."""
    return (node for expr in expressions(statement) for node in nodes(expr))


def saved_values(save: Save) -> tuple[Expr, ...]:
    """Return the values that are put on a stack, which may be put there as one."""
    return save.value.args if save.value.op == "tuple" else (save.value,)


def with_expressions(statement: Statement, change: Callable[[Expr], Expr]) -> Statement:
    """Return a statement with `change` applied to each of its own expressions."""
    field = ONE_EXPRESSION.get(type(statement))
    if field is not None:
        return _replaced(statement, **{field: change(getattr(statement, field))})
    match statement:
        case Store():
            value, place = change(statement.value), change(statement.target)
            return _replaced(statement, value=value, target=place)
        case RegionOp():
            args = tuple(change(arg) for arg in statement.args)
            return _replaced(statement, base=change(statement.base), args=args)
        case Try():
            asked = (
                h if h.kinds is None else replace(h, kinds=change(h.kinds))
                for h in statement.handlers
            )
            return _replaced(statement, handlers=tuple(asked))
        case Raise() if statement.value is not None:
            cause = None if statement.cause is None else change(statement.cause)
            return _replaced(statement, value=change(statement.value), cause=cause)
        case Copied():
            return _replaced(statement, reads=tuple(change(read) for read in statement.reads))
        case Restore() if isinstance(statement.target, Expr):
            return _replaced(statement, target=change(statement.target))
    return statement


def _replaced(statement: S, **new: Any) -> S:
    is_same = all(getattr(statement, key) is value for key, value in new.items())
    return statement if is_same else replace(statement, **new)


def rewritten(block: Block, change: Callable[[Statement], Statement | Block | None]) -> Block:
    """Return a block with each statement, innermost first, replaced by what `change` gives.

    None leaves a statement out; a block stands in its place.
    """
    made: list[Statement] = []
    for statement in block:
        inner = blocks(statement)
        if inner:
            statement = with_blocks(statement, tuple(rewritten(b, change) for b in inner))
        new = change(statement)
        if isinstance(new, tuple):
            made.extend(new)
        elif new is not None:
            made.append(new)
    return tuple(made)


def with_nodes(block: Block, change: Callable[[Expr], Expr | None]) -> Block:
    """Return a block with each node of its expressions replaced by what `change` gives, if any."""
    return rewritten(block, lambda s: with_expressions(s, lambda e: rebuilt(e, change)))


def writes(statement: Statement) -> bool:
    """Tell whether a statement itself may write to memory."""
    if isinstance(statement, Let):
        return statement.effect.writes_anything
    return isinstance(statement, Store | RegionOp | Copied)


def written_to(statement: Statement) -> Variable | None:
    """Return the one variable that a statement binds, or stores to a part of."""
    target = getattr(statement, "target", None)
    found = root_of(target) if isinstance(target, Expr) else target
    return found if isinstance(found, Variable) else None


def bound(statement: Statement) -> tuple[Variable, ...]:
    """Return the variables that a statement itself binds; not those of its blocks."""
    if type(statement) is Store:
        return ()
    if type(statement) is Let and type(statement.target) is Variable:
        return (statement.target,)
    match statement:
        case Let() | RegionOp() | For():
            return tuple(variables(statement.target))
        case Restore(target=Variable() | tuple() as target):
            return tuple(variables(target))
        case Copied():
            return statement.writes
        case Try():
            return tuple(h.target for h in statement.handlers if h.target is not None)
    return ()


def nodes_in(block: Block) -> Iterator[Expr]:
    """Yield every node of the expressions of a block, however deep."""
    for statement in statements(block):
        for expr in expressions(statement):
            yield from nodes(expr)


def called_in(function: Function) -> Iterator[str]:
    """Yield the functions that a function calls, one for each call in its text."""
    yield from (node.data for node in nodes_in(function.body) if node.op == "function")


def reached(functions: Mapping[str, Function], entry: str) -> dict[str, Function]:
    """Return the functions that the first one calls, in the order in which they were given.

    Those that stand for the derivative of one of them, and those of which one is the derivative, are
    among them.
    """
    wanted: set[str] = set()
    waiting = [entry]
    while waiting:
        one = waiting.pop()
        if one not in wanted:
            wanted.add(one)
            waiting += called_in(functions[one])
            custom = functions[one].custom
            if custom is not None:
                waiting += [each for each in (custom.reverse, custom.forward) if each]
            inner = functions[one].inner
            waiting += [] if inner is None else [inner.of]
    return {name: function for name, function in functions.items() if name in wanted}


def read_counts(block: Block) -> Counter[Variable]:
    """Return how often each variable stands in the expressions of a block, however deep."""
    every = (e for statement in statements(block) for e in expressions(statement))
    return Counter(node.data for expr in every for node in name_nodes(expr))


def assigned(statement: Statement) -> tuple[Variable, ...]:
    """Return what a statement gives another value: `x += e` may bind x, if that is a number."""
    if isinstance(statement, Store) and statement.target.op == "name":
        return (statement.target.data,)
    return bound(statement)


def bind_counts(block: Block) -> Counter[Variable]:
    """Return how often each variable is bound in a block, however deep."""
    return Counter(v for statement in statements(block) for v in bound(statement))


def bound_in(block: Block) -> frozenset[Variable]:
    """Return the variables that a block binds, however deep."""
    return frozenset(v for statement in statements(block) for v in bound(statement))


def operands(expr: Expr) -> tuple[Expr, ...]:
    """Return what an operation is applied to: of a method, the array comes first."""
    if expr.op != "call":
        return expr.args
    function = expr.args[0]
    return (function.args[0], *expr.args[1:]) if function.op == "attribute" else expr.args[1:]
